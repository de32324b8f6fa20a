"""Shooting by the attack form: which weapons may fire (CF-SHOOT), and the match-up of each."""

from __future__ import annotations

from rolloff.editions.compendium.ability import SHOOTING, Aim, Circumstance, Planned, Refusal, Volume
from rolloff.editions.compendium.gathering import gathered, single
from rolloff.editions.compendium.lore import Fighter, allowance, foe_of
from rolloff.editions.compendium.places import FRONT, Places, needs
from rolloff.editions.compendium.resolve import Group
from rolloff.editions.compendium.strike import INDEPENDENT, WALKER, Foe, Strike
from rolloff.editions.compendium.weapons import strength_of
from rolloff.errors import BadInput, IllegalCommand
from rolloff.lengths import INCH
from rolloff.rules.citing import cites
from rolloff.table.profile import Rule, Weapon, read_throw

USED, LOST = "used:", "lost:"
NEAR = 12 * INCH
BY_DISTANCE = ("Melta", "Rapid Fire")
STEADY = ("Relentless", "Slow and Purposeful")
STEADIED = ("Heavy", "Salvo", "Ordnance")
Pair = tuple[int, int]


class Shooting:
    """One unit shooting at another."""

    def __init__(self, places: Places) -> None:
        """Settle what holds for the whole unit."""
        self.places = places
        self.play, self.form, self.lore = places.play, places.form, places.lore
        unit = self.play.state.units[self.form.attacker]
        self.moved = _moved(places)
        self.still = not self.moved if self.form.stationary is None else self.form.stationary
        self.snaps = any(unit.mark(name) is not None for name in ("snap-shots", "gone-to-ground", "falling-back"))
        self.hulls = all(self.lore.fighters[slot].vehicle for slot in places.targets)
        self.foe: Foe = foe_of(self.play.game, self.play.state, self.form.target, SHOOTING, FRONT)

    def fired(self) -> list[Pair]:
        """The weapons that fire: those named, or all that may."""
        if self.form.range is None and self.form.visible is None and self.form.half_range is None and not self.places.placed:
            raise needs("range")
        self._lawful()
        named = self.form.weapons
        chosen: list[Pair] = []
        refusals: list[Refusal] = []
        for slot, index in self._candidates() if named is None else named:
            refusal = self._refusal(slot, index)
            if refusal is None:
                chosen.append((slot, index))
            elif named is not None:
                raise _illegal(refusal, index)
            refusals += [refusal] if refusal else []
        chosen = self._allowed(chosen, named is not None)
        if not chosen:
            code, clause, message = refusals[0] if refusals else ("no-shot", "CF-SHOOT-1", "it has no weapon that could fire")
            raise IllegalCommand(code, clause, message, None)
        return chosen

    def _candidates(self) -> list[Pair]:
        return [(slot, index) for slot in self.places.attackers for index in self.lore.fighters[slot].ranged]

    def _lawful(self) -> None:
        """CF-SHOOT-1: nobody shoots into a combat others are locked in."""
        if self.places.target_locked():
            raise IllegalCommand("locked", "CF-SHOOT-1", "the target is locked in combat", None)

    # may it fire

    def _refusal(self, slot: int, index: int) -> Refusal | None:
        """Why a weapon may not fire, or None."""
        fighter = self.lore.fighters[slot]
        weapon = fighter.weapons[index]
        aim = self._aim(slot, index, weapon)
        for rule in self.lore.attack_rules(slot, weapon, self.places.attackers, SHOOTING):
            barred = self.lore.specials[rule.name].bars(rule, aim)
            if barred is not None:
                return barred
        if self.play.state.model_mark(slot, f"{LOST}{index}") is not None:
            return "lost", "CF-VEH-6", "the weapon is destroyed"
        if not fighter.profile.aim and weapon.stat("skill") is None:  # CF-SHOOT-8
            return "no-aim", "CF-SHOOT-8", "a model without CT makes no ranged attack"
        return self._pistols(weapon, aim) or self._out_of_reach(weapon, aim) or self._shielded(aim)

    def _aim(self, slot: int, index: int, weapon: Weapon) -> Aim:
        half = self.places.half_range(slot, weapon.reach or 0)
        if half is None and (weapon.has("Melta") or weapon.has("Rapid Fire") or (weapon.has("Salvo") and self.moved)):
            raise needs("half_range")
        return Aim(
            distance=self.places.distance(slot),
            half_range=bool(half),
            visible=self.places.sees(slot),
            stationary=self._steady(slot, weapon, not self.moved),
            vehicle=self.lore.fighters[slot].vehicle,
            engaged=self.places.engaged(),
            spent=self.play.state.model_mark(slot, f"{USED}{index}") is not None,
            snap=self._snaps(slot),
        )

    def _out_of_reach(self, weapon: Weapon, aim: Aim) -> Refusal | None:
        """CF-SHOOT-1: in range and in sight; what cannot be seen only Indirect Fire reaches."""
        if aim.distance is not None and aim.distance > (weapon.reach or 0):
            return "out-of-range", "CF-SHOOT-1", "the target is out of range"
        if not aim.visible and not weapon.has("Indirect Fire"):  # SR-INDIRECT-FIRE-1
            return "not-visible", "SR-INDIRECT-FIRE-1", "the target is out of sight"
        return None

    def _pistols(self, weapon: Weapon, aim: Aim) -> Refusal | None:
        """SR-PISTOL-1: within Engagement Range only Pistols, and only at a unit in that range."""
        if not aim.engaged:
            return None
        if not is_pistol(weapon):  # SR-PISTOL-1
            return "engaged", "SR-PISTOL-1", "within Engagement Range only Pistols are fired"
        if not self.places.target_engaged():  # SR-PISTOL-3
            return "engaged", "SR-PISTOL-3", "within Engagement Range only a unit in that range is shot at"
        return None

    def _shielded(self, aim: Aim) -> Refusal | None:
        """Rules by which the target cannot be chosen."""
        living = self.places.targets
        alone = len({self.lore.fighters[slot].card for slot in living}) == 1 and len(living) == 1
        fighter = self.lore.fighters[living[0]]
        if not alone or INDEPENDENT not in fighter.types:
            return None
        for rule in fighter.rules:
            shielded = self.lore.specials[rule.name].shields(rule, aim)
            if shielded is not None:
                if aim.distance is None:
                    raise needs("range")
                return shielded
        return None

    # how many weapons

    @cites("CF-SHOOT-2", off=lambda self, chosen, named: chosen)
    def _allowed(self, chosen: list[Pair], named: bool) -> list[Pair]:
        """CF-SHOOT-2, SR-PISTOL-2: so many weapons each, or all Pistols of a model instead."""
        kept: list[Pair] = []
        for slot in dict.fromkeys(slot for slot, _ in chosen):
            fighter = self.lore.fighters[slot]
            own = [pair for pair in chosen if pair[0] == slot]
            pistols = [pair for pair in own if is_pistol(fighter.weapons[pair[1]])]
            others = [pair for pair in own if pair not in pistols]
            most = allowance(fighter)
            if named and pistols and others:
                raise IllegalCommand("pistols", "SR-PISTOL-2", "a model fires its Pistols or its other weapons", own[0][1])
            if named and len(others) > most:
                raise IllegalCommand("too-many", "CF-SHOOT-2", f"a model fires {most} weapons in a phase", len(others))
            if len(others) > most:
                others = self._most_promising(others)[:most]
            kept += others or pistols
        return [pair for pair in chosen if pair in kept]

    def _most_promising(self, pairs: list[Pair]) -> list[Pair]:
        """DP-10: the weapons that promise most first."""
        from rolloff.editions.compendium.promise import promise  # the odds of an attack are made of its groups

        return sorted(pairs, key=lambda pair: -promise(self.places, self.groups([pair])))

    # the match-up

    def groups(self, fired: list[Pair]) -> tuple[Group, ...]:
        """The weapons as groups, in the order they were named."""
        if self.hulls:
            self.foe = foe_of(self.play.game, self.play.state, self.form.target, SHOOTING, self.places.facing())
        found = []
        for place, (slot, index) in enumerate(fired):
            strike, volume = self._strike(slot, index, place)
            found.append(single(self.places, slot, index, strike, volume.total(), self.lore.fighters[slot].weapons[index].name))
        return gathered(found)

    def _strike(self, slot: int, index: int, place: int) -> tuple[Strike, Volume]:
        fighter = self.lore.fighters[slot]
        weapon = fighter.weapons[index]
        rules = self.lore.attack_rules(slot, weapon, self.places.attackers, SHOOTING)
        refuse_planned(self.lore.specials, rules, f"do.attack.weapons: {weapon.name}")
        aim = self._aim(slot, index, weapon)
        volume = Volume(weapon.attacks)
        at = Circumstance(SHOOTING, stationary=aim.stationary, half_range=aim.half_range)
        for rule in rules:
            self.lore.specials[rule.name].volume(rule, volume, at)
        strength, users = strength_of(weapon, fighter.profile.strength)
        strike = Strike(
            kind=SHOOTING,
            skill=int(str(weapon.stat("skill") or fighter.profile.aim)),
            foe=self.foe,
            rules=rules,
            strength=strength,
            users=users,
            ap=int(str(weapon.stat("AP", 0))),
            damage=read_throw(weapon.stat("D", 1)),
            snap=aim.snap or self._speed(fighter, place),
            under=int(str(weapon.stat("hits", 1))),
            stationary=self._steady(slot, weapon, self.still),
            visible=aim.visible,
            half_range=aim.half_range,
            near=_near(weapon, aim),
        )
        return strike, volume

    def _steady(self, slot: int, weapon: Weapon, still: bool) -> bool:
        """CF-MOVE-2; who is Relentless fires some weapons as if stationary."""
        fighter = self.lore.fighters[slot]
        steady = any(fighter.has(name) for name in STEADY) and any(weapon.has(name) for name in STEADIED)
        return still or steady or fighter.has("Heavyweights")  # SR-RELENTLESS-1, SR-RELENTLESS-3, SR-SALVO-4

    def _snaps(self, slot: int) -> bool:
        return self.snaps or self.play.state.model_mark(slot, "shaken") is not None

    def _speed(self, fighter: Fighter, place: int) -> bool:
        """CF-MOVE-5: at Combat Speed a vehicle fires one weapon at full CT, the rest as Snap Shots."""
        if not fighter.vehicle or not self.moved or WALKER in fighter.types or fighter.has("Heavyweights"):
            return False
        return place > 0


def _moved(places: Places) -> bool:
    """CF-MOVE-2: whether the unit has moved: as stated, else as marked; who did not has Remained Stationary."""
    form = places.form
    if form.moved is not None:
        return form.moved
    if form.stationary is not None:
        return not form.stationary
    return places.play.state.units[form.attacker].mark("moved") is not None


def _near(weapon: Weapon, aim: Aim) -> bool:
    """SR-IMPACT-2: within 12" of the firing model."""
    if aim.distance is None and weapon.has("Impact"):
        raise needs("range")
    return weapon.has("Impact") and aim.distance is not None and aim.distance <= NEAR


def is_pistol(weapon: Weapon) -> bool:
    """SR-BURST-PISTOL-1: a Burst Pistol is a Pistol in all but its shots."""
    return weapon.has("Pistol") or weapon.has("Burst Pistol")


def _illegal(refusal: Refusal, value: object) -> IllegalCommand:
    code, clause, message = refusal
    return IllegalCommand(code, clause, message, value)


def refuse_planned(specials: object, rules: tuple[Rule, ...], where: str, suffered: bool = False) -> None:
    """Say so where a rule would change the attack and is not resolved yet."""
    assert isinstance(specials, dict)
    for rule in rules:
        special = specials[rule.name]
        if isinstance(special, Planned) and special.suffered is suffered:
            raise BadInput(
                "rule-planned",
                f"{where}: {rule.name} is not resolved yet",
                where=where.partition(":")[0],
                allowed="rules that attacks are resolved with today",
            )
