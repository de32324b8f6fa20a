"""Shooting by the attack form: which weapons may fire (CF-SHOOT), and the match-up of each."""

from __future__ import annotations

from collections.abc import Iterable

from rolloff.editions.compendium.ability import SHOOTING, Aim, Circumstance, Refusal, Volume
from rolloff.editions.compendium.gathering import aiming, allocating, gathered, single
from rolloff.editions.compendium.lookups import allowance, enemy_of, is_a, jinks
from rolloff.editions.compendium.matchup import INDEPENDENT, Enemy, Strike
from rolloff.editions.compendium.places import FRONT, Places, needs
from rolloff.editions.compendium.resolve import Group
from rolloff.editions.compendium.speeds import Pair, aimed
from rolloff.editions.compendium.weapons import strength_of
from rolloff.errors import IllegalCommand
from rolloff.lengths import INCH
from rolloff.rules.citing import cites
from rolloff.table.profile import DiceRoll, Weapon, read_roll

USED, LOST = "used:", "lost:"
NEAR = 12 * INCH
STEADIED = ("Heavy", "Salvo", "Ordnance")


class Shooting:
    """One unit shooting at another."""

    def __init__(self, places: Places) -> None:
        """Settle what holds for the whole unit."""
        self.places = places
        self.play, self.form, self.lookups = places.play, places.form, places.lookups
        self.moved = has_moved(places)
        self.still = not self.moved if self.form.stationary is None else self.form.stationary
        self.hulls = all(self.lookups.fighters[slot].vehicle for slot in places.targets)
        self.enemy: Enemy = enemy_of(self.play.game, self.play.state, self.form.target, SHOOTING, FRONT)
        self.snapped: frozenset[Pair] = frozenset()
        self._aims: dict[object, Aim] = {}

    def fired(self) -> list[Pair]:
        """The weapons that fire: those named, or all that may."""
        if self.form.range is None and self.form.visible is None and self.form.half_range is None and not self.places.placed:
            raise needs("range")
        self._lawful()
        named = self.form.weapons
        chosen: list[Pair] = []
        refusals: list[Refusal] = []
        known: dict[object, Refusal | None] = {}
        for slot, index in self._candidates() if named is None else named:
            like = self.places.like(slot), index
            if like not in known:
                known[like] = self._refusal(slot, index)
            refusal = known[like]
            if refusal is None:
                chosen.append((slot, index))
            elif named is not None:
                raise _illegal(refusal, index)
            refusals += [refusal] if refusal else []
        chosen = self._allowed(chosen, named is not None)
        ready, (chosen, self.snapped) = chosen, aimed(self, chosen, named is not None)
        if ready and not chosen:
            raise IllegalCommand("snap-shot", "CF-SHOOT-4", "none of its weapons is ever a Snap Shot", None)
        if not chosen:
            code, clause, message = refusals[0] if refusals else ("no-shot", "CF-SHOOT-1", "it has no weapon that could fire")
            raise IllegalCommand(code, clause, message, None)
        return chosen

    def _candidates(self) -> list[Pair]:
        return [(slot, index) for slot in self.places.attackers for index in self.lookups.fighters[slot].ranged]

    def _lawful(self) -> None:
        """CF-SHOOT-1: nobody shoots into a combat others are locked in; nor who moved Flat Out or is behind its own smoke."""
        if self.places.target_locked():
            raise IllegalCommand("locked", "CF-SHOOT-1", "the target is locked in combat", None)
        if self._marked("flat-out"):
            raise IllegalCommand("flat-out", "CF-MOVE-5", "a vehicle that moves Flat Out fires nothing", None)
        if self._marked("smoke"):
            raise IllegalCommand("smoke", "SR-SMOKE-LAUNCHER-1", "a vehicle that popped smoke cannot fire", None)

    def _marked(self, name: str) -> bool:
        return self.play.state.units[self.form.attacker].mark(name) is not None

    # may it fire

    def _refusal(self, slot: int, index: int) -> Refusal | None:
        """Why a weapon may not fire, or None."""
        fighter = self.lookups.fighters[slot]
        weapon = fighter.weapons[index]
        aim = self._aim(slot, index, weapon)
        for rule in self.lookups.attack_rules(slot, weapon, self.places.attackers, SHOOTING):
            barred = self.lookups.specials[rule.name].bars(rule, aim)
            if barred is not None:
                return barred
        if self.play.state.model_mark(slot, f"{LOST}{index}") is not None:
            return "lost", "CF-VEH-6", "the weapon is destroyed"
        if self._marked("ran") and not weapon.has("Assault"):  # SR-ASSAULT-1, SR-ASSAULT-2
            return "ran", "SR-ASSAULT-2", "a unit that Ran fires only Assault weapons"
        if not self.lookups.serves(slot, weapon):
            return "not-psyker", "SR-PSYCHIC-1", "only Psykers use Psychic weapons"
        if not fighter.profile.aim and weapon.stat("skill") is None:  # CF-SHOOT-8
            return "no-aim", "CF-SHOOT-8", "a model without CT makes no ranged attack"
        return self._pistols(weapon, aim) or self._out_of_reach(weapon, aim) or self._shielded(aim)

    def _aim(self, slot: int, index: int, weapon: Weapon) -> Aim:
        like = self.places.like(slot), index
        if like not in self._aims:
            self._aims[like] = self._aimed(slot, index, weapon)
        return self._aims[like]

    def _aimed(self, slot: int, index: int, weapon: Weapon) -> Aim:
        half = self.places.half_range(slot, weapon.reach or 0)
        if half is None and (weapon.has("Melta") or weapon.has("Rapid Fire") or (weapon.has("Salvo") and self.moved)):
            raise needs("half_range")
        return Aim(
            distance=self.places.distance(slot),
            half_range=bool(half),
            visible=self.places.sees(slot),
            stationary=self._steady(slot, weapon, not self.moved),
            vehicle=self.lookups.fighters[slot].vehicle,
            engaged=self.places.engaged(),
            spent=self.play.state.model_mark(slot, f"{USED}{index}") is not None,
            snap=self.skyward(slot, weapon) or (not self.lookups.fighters[slot].vehicle and self.shaken(slot)),
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
        alone = len({self.lookups.fighters[slot].card for slot in living}) == 1 and len(living) == 1
        fighter = self.lookups.fighters[living[0]]
        if not alone or INDEPENDENT not in fighter.types:
            return None
        for rule in fighter.rules:
            shielded = self.lookups.specials[rule.name].shields(rule, aim)
            if shielded is not None:
                if aim.distance is None:
                    raise needs("range")
                return shielded
        return None

    # how many weapons

    @cites("CF-SHOOT-2")
    def _allowed(self, chosen: list[Pair], named: bool) -> list[Pair]:
        """CF-SHOOT-2, SR-PISTOL-2: so many weapons each, or all Pistols of a model instead."""
        if len({slot for slot, _ in chosen}) == len(chosen):
            return chosen  # one weapon each is never too many
        kept: list[Pair] = []
        for slot in dict.fromkeys(slot for slot, _ in chosen):
            fighter = self.lookups.fighters[slot]
            own = [pair for pair in chosen if pair[0] == slot]
            pistols = [pair for pair in own if is_pistol(fighter.weapons[pair[1]])]
            others = [pair for pair in own if pair not in pistols]
            most = allowance(fighter)
            if named and pistols and others:
                raise IllegalCommand("pistols", "SR-PISTOL-2", "a model fires its Pistols or its other weapons", own[0][1])
            if named and len(others) > most:
                raise IllegalCommand("too-many", "CF-SHOOT-2", f"a model fires {most} weapons in a phase", len(others))
            if len(others) > most:
                others = sorted(others, key=lambda pair: -self.worth([pair]))[:most]
            if pistols and others:
                others = max((others, pistols), key=self.worth)
            kept += others or pistols
        return [pair for pair in chosen if pair in kept]

    def worth(self, pairs: list[Pair], snapped: frozenset[Pair] = frozenset()) -> float:
        """DP-10: what some weapons promise, those in ``snapped`` as Snap Shots."""
        from rolloff.editions.compendium.promise import promise  # the odds of an attack are made of its groups

        return promise(self.places, self.groups(pairs, snapped))

    # the match-up

    def groups(self, fired: list[Pair], snapped: frozenset[Pair] = frozenset()) -> tuple[Group, ...]:
        """The weapons as groups, in the order they were named."""
        found = []
        known: dict[object, tuple[Strike, DiceRoll]] = {}
        for slot, index in fired:
            weapon, snap = self.lookups.fighters[slot].weapons[index], (slot, index) in snapped
            like = self.places.like(slot), index, snap
            if like not in known:
                strike, volume = self._strike(slot, index, snap)
                aims = self.places.aims([(slot, weapon.reach or 0)])
                known[like] = aiming(strike, aims, len(self.places.targets)), volume.total()
            found.append(single(self.places, slot, index, *known[like], weapon.name))
        groups = gathered(found)
        if not self.places.placed:
            return groups
        order = self.places.order(self.reaches(fired))
        return tuple(self._allocated(group, order) for group in groups)

    def reaches(self, pairs: Iterable[Pair]) -> list[tuple[int, int]]:
        """Some weapons as slots with their reach."""
        return [(slot, self.lookups.fighters[slot].weapons[index].reach or 0) for slot, index in pairs]

    def _allocated(self, group: Group, order: tuple[int, ...]) -> Group:
        """CF-ALLOC-1, CF-ALLOC-3: a group whose own weapons reach others than the unit's do together."""
        arms = [pair for part in group.parts for pair in part.arms]
        own = self.places.order(self.reaches(arms), scattered=strays(group))
        return group if own == order else allocating(group, own)

    def _strike(self, slot: int, index: int, snap: bool) -> tuple[Strike, Volume]:
        fighter = self.lookups.fighters[slot]
        weapon = fighter.weapons[index]
        rules = self.lookups.attack_rules(slot, weapon, self.places.attackers, SHOOTING)
        aim = self._aim(slot, index, weapon)
        volume = Volume(printed_shots(weapon))
        at = Circumstance(SHOOTING, stationary=aim.stationary, half_range=aim.half_range)
        for rule in rules:
            self.lookups.specials[rule.name].volume(rule, volume, at)
        strength, users = strength_of(weapon, fighter.profile.strength)
        strike = Strike(
            kind=SHOOTING,
            skill=int(str(weapon.stat("skill") or fighter.profile.aim)),
            enemy=self.faced(slot),
            rules=rules,
            strength=strength,
            users=users,
            ap=int(str(weapon.stat("AP", 0))),
            damage=read_roll(weapon.stat("D", 1)),
            snap=aim.snap or snap,
            under=int(str(weapon.stat("hits", 1))),
            stationary=self._steady(slot, weapon, self.still),
            visible=aim.visible,
            half_range=aim.half_range,
            near=_near(weapon, aim),
        )
        return strike, volume

    def faced(self, slot: int) -> Enemy:
        """The target as a firer sees it: a vehicle by the facing that is turned to that very model (CF-VEH-8)."""
        if not self.hulls:
            return self.enemy
        return enemy_of(self.play.game, self.play.state, self.form.target, SHOOTING, self.places.facing(slot))

    def _steady(self, slot: int, weapon: Weapon, still: bool) -> bool:
        """CF-MOVE-2; who is Relentless or Slow and Purposeful fires some weapons as if stationary, some vehicles all."""
        fighter = self.lookups.fighters[slot]
        if fighter.vehicle and (is_a(fighter, "Heavyweights") or (is_a(fighter, "Fast") and not self.cruising)):
            return True  # SR-HEAVYWEIGHTS-2, SR-HEAVYWEIGHTS-3, SR-FAST-2
        if not [rule for rule in weapon.rules if rule.name in STEADIED]:
            return still
        slow = any(self.lookups.fighters[one].has("Slow and Purposeful") for one in self.places.attackers)
        return (
            still or slow or fighter.has("Relentless")
        )  # SR-RELENTLESS-1, SR-RELENTLESS-3, SR-SLOW-AND-PURPOSEFUL-2, SR-SALVO-4

    @property
    def cruising(self) -> bool:
        """Whether the unit moved at Cruising Speed."""
        return self._marked("cruising")

    def shaken(self, slot: int) -> bool:
        """Whether a model has nothing but Snap Shots, for what happened to it or to its unit."""
        state = self.play.state
        if state.models and any(state.model_mark(slot, name) is not None for name in ("shaken", "stunned")):  # CF-VEH-6
            return True
        if not state.units[self.form.attacker].marks:
            return False
        if any(self._marked(name) for name in ("snap-shots", "gone-to-ground", "falling-back")):
            return True
        return self._marked("jinking") and jinks(self.play.state, self.lookups.fighters[slot], slot)  # SR-JINK-2

    def skyward(self, slot: int, weapon: Weapon) -> bool:
        """Whether a weapon has nothing but Snap Shots at this target."""
        rules = self.lookups.attack_rules(slot, weapon, self.places.attackers, SHOOTING)
        return bool([rule for rule in rules if self.lookups.specials[rule.name].snaps(rule, self.enemy)])


def has_moved(places: Places) -> bool:
    """CF-MOVE-2: whether the unit has moved: as stated, else as marked; who did not has Remained Stationary."""
    form = places.form
    if form.moved is not None:
        return form.moved
    if form.stationary is not None:
        return not form.stationary
    unit = places.play.state.units[form.attacker]
    return any(unit.mark(name) is not None for name in ("moved", "cruising"))


@cites("SR-BLAST-5")
def strays(group: Group) -> bool:
    """SR-BLAST-5: the wounds of a Blast find models out of the firer's range and sight too."""
    return group.strike.has("Blast")


@cites("SR-PRIMARY-1")
def printed_shots(weapon: Weapon) -> DiceRoll:
    """SR-PRIMARY-1: the printed number, after a move too; Salvo and Ordnance put another in its place."""
    return weapon.attacks


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
