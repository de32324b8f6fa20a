"""Close combat by the attack form: who strikes, with what, how often and at which Initiative step (CF-ASLT)."""

from __future__ import annotations

from msgspec.structs import replace

from rolloff.editions.compendium.ability import MELEE, Circumstance, Volume
from rolloff.editions.compendium.gathering import aiming, allocating, gathered, single
from rolloff.editions.compendium.lookups import BARE_HANDS, Fighter, enemy_of
from rolloff.editions.compendium.matchup import CHARIOT, DESTROYER, WALKER, Enemy, Strike, bounded
from rolloff.editions.compendium.places import FRONT, REAR, Places
from rolloff.editions.compendium.resolve import Group
from rolloff.editions.compendium.shots import LOST, USED
from rolloff.editions.compendium.weapons import strength_of
from rolloff.errors import IllegalCommand
from rolloff.rules.citing import cites
from rolloff.table.profile import DiceRoll, Rule, Weapon, read_roll

CONCUSSED, PENALTY, DISORDERED, CHARGED_ON = "concussed", "charge-penalty", "disordered", "was-charged"
GROUND, LOCKED = "gone-to-ground", "locked"
HAMPERED = ("stunned", "immobile")
FIRST_STEP = 10
SMASH = "smash"


class Fighting:
    """One unit striking another."""

    def __init__(self, places: Places) -> None:
        """Settle what holds for the whole unit."""
        self.places = places
        self.play, self.form, self.lookups = places.play, places.form, places.lookups
        unit = self.play.state.units[self.form.attacker]
        self.charged = bool(self.form.charged)
        self.disordered = unit.mark(DISORDERED) is not None
        self.was_charged = unit.mark(CHARGED_ON) is not None and unit.mark(LOCKED) is None
        self.penalty = unit.mark(PENALTY) is not None
        self.enemy: Enemy = enemy_of(self.play.game, self.play.state, self.form.target, MELEE, self._facing())
        self._known: dict[object, tuple[Strike, DiceRoll, int]] = {}

    def _facing(self, slot: int | None = None) -> str:
        """CF-VEH-9: Walkers are struck on front armour, or where they are touched if Immobilised; others on rear."""
        fighters = [self.lookups.fighters[slot] for slot in self.places.targets]
        if not fighters[0].vehicle:
            return FRONT
        if WALKER not in fighters[0].types:
            return REAR  # CF-VEH-9
        immobile = self.play.state.model_mark(self.places.targets[0], "immobile") is not None
        return self.places.facing(slot) if immobile else FRONT

    def _struck(self, slot: int) -> Enemy:
        """The target as one striker meets it."""
        if not self.enemy.vehicle:
            return self.enemy
        return enemy_of(self.play.game, self.play.state, self.form.target, MELEE, self._facing(slot))

    # weapons

    def weapons(self) -> dict[int, list[int]]:
        """CF-ASLT-8: the Melee weapons each striker may choose among; one is used in a sub-phase."""
        named = self.form.weapons
        found: dict[int, list[int]] = {}
        strikers = self.places.strikers()
        like: Fighter | None = None
        held: list[int] = []
        for slot in strikers:
            fighter = self.lookups.fighters[slot]
            if fighter is like and named is None and not self.play.state.models:  # then so are its weapons
                found[slot] = held
                continue
            blows = self.strikes_blows(slot)
            if not blows and not self.hammer(slot):
                continue
            own = [index for one, index in named or () if one == slot]
            for index in own:
                self._check(slot, index)
            if named is not None and not own:
                continue
            main = [index for index in own if not fighter.weapons[index].has("Extra Attacks")] or own
            if len(main) > 1:
                raise IllegalCommand("one-weapon", "CF-ASLT-8", "a model picks one Melee weapon", main[1])
            held, like = main or self.held(slot), fighter if blows else None
            found[slot] = held
        if not any(found.values()):
            clause = "CF-ASLT-18" if strikers and not any(map(self.strikes_blows, strikers)) else "CF-ASLT-6"
            raise IllegalCommand("no-strike", clause, "no model of the attacker may strike", None)
        return found

    def _check(self, slot: int, index: int) -> None:
        fighter = self.lookups.fighters[slot]
        if index not in fighter.melee:
            raise IllegalCommand("not-melee", "SR-MELEE-1", "only Melee weapons are used in close combat", index)
        if self._lost(slot, index):
            raise IllegalCommand("lost", "CF-VEH-6", "the weapon is destroyed", index)
        if not self.lookups.serves(slot, fighter.weapons[index]):
            raise IllegalCommand("not-psyker", "SR-PSYCHIC-1", "only Psykers use Psychic weapons", index)
        if self._spent(slot, index):
            raise IllegalCommand("spent", "SR-ONE-USE-ONLY-1", "it has been used in this battle", index)

    def held(self, slot: int) -> list[int]:
        """The Melee weapons a model can still use; bare hands where none is left (CF-ASLT-8)."""
        fighter = self.lookups.fighters[slot]
        return [at for at in fighter.melee if self._usable(slot, at)] or [len(fighter.weapons) - 1]

    def _usable(self, slot: int, index: int) -> bool:
        serves = self.lookups.serves(slot, self.lookups.fighters[slot].weapons[index])
        return serves and not self._spent(slot, index) and not self._lost(slot, index)

    def _lost(self, slot: int, index: int) -> bool:
        state = self.play.state
        return bool(state.models) and state.model_mark(slot, f"{LOST}{index}") is not None

    def _spent(self, slot: int, index: int) -> bool:
        state = self.play.state
        used = bool(state.models) and state.model_mark(slot, f"{USED}{index}") is not None
        return used and self.lookups.fighters[slot].weapons[index].has("One Use Only")

    def strikes_blows(self, slot: int) -> bool:
        """CF-ASLT-18: a model without WS strikes no blows, nor one without Attacks; of vehicles only those that lock."""
        fighter = self.lookups.fighters[slot]
        if fighter.vehicle:
            return bool(fighter.types & {WALKER, CHARIOT}) and fighter.profile.attacks > 0  # CF-VEH-13
        return fighter.profile.weapon_skill > 0 and fighter.profile.attacks > 0  # CF-ASLT-18

    # match-ups

    def strikes(self, slot: int, index: int, smash: bool = False) -> list[Group]:
        """What a model does with one weapon: its attacks, those of Extra Attacks weapons, one Smash Attack instead of all."""
        fighter = self.lookups.fighters[slot]
        if not self.strikes_blows(slot):
            return []
        weapon = fighter.weapons[index]
        like = self.places.like(slot), index, smash
        if like not in self._known:
            self._known[like] = self._blows(slot, weapon, smash)
        strike, roll, step = self._known[like]
        found = [single(self.places, slot, index, strike, roll, weapon.name, step)]
        return found if smash else found + self._extra(slot)

    def _blows(self, slot: int, weapon: Weapon, smash: bool) -> tuple[Strike, DiceRoll, int]:
        """The match-up of one weapon, how many attacks, and the Initiative step."""
        rules = self.lookups.attack_rules(slot, weapon, self.places.attackers, MELEE)
        strike, step = self._aimed(self._strike(slot, weapon, rules)), self.step(slot, rules)
        if smash:
            return smashing(strike, self.lookups.fighters[slot]), DiceRoll(plus=1), step
        return strike, self._volume(slot, weapon, rules), step

    def _aimed(self, strike: Strike) -> Strike:
        return aiming(strike, self.places.engaged_targets(), len(self.places.targets))

    def _strike(self, slot: int, weapon: Weapon, rules: tuple[Rule, ...]) -> Strike:
        fighter = self.lookups.fighters[slot]
        strength, users = strength_of(weapon, fighter.profile.strength)
        return Strike(
            kind=MELEE,
            wielder=fighter.profile.strength,
            skill=int(str(weapon.stat("skill") or fighter.profile.weapon_skill or 1)),  # CF-VEH-12
            enemy=self._struck(slot),
            rules=rules,
            strength=strength,
            users=users,
            ap=int(str(weapon.stat("AP", 0))),
            damage=read_roll(weapon.stat("D", 1)),
            charged=self.charged,
            disordered=self.disordered,
        )

    def _volume(self, slot: int, weapon: Weapon, rules: tuple[Rule, ...]) -> DiceRoll:
        """CF-ASLT-8: A, one for two Melee weapons, one for charging, and what rules add."""
        fighter = self.lookups.fighters[slot]
        held = [fighter.weapons[index] for index in fighter.melee if not self._lost(slot, index)]
        volume = Volume(DiceRoll(plus=self._attacks(slot)), two_weapons=len(held) > 1)  # CF-ASLT-8
        if WALKER in fighter.types and len(held) > 1:
            volume.arms = len(held) - 1  # SR-WALKER-5, SR-WALKER-10
        if self.charged and not self.disordered and not self.broken():  # CF-ASLT-4
            volume.charge = 1  # CF-ASLT-8
        at = Circumstance(
            kind=MELEE,
            charged=self.charged,
            disordered=self.disordered,
            was_charged=self.was_charged,
            touching=self.places.touching(slot),
            specialists=len([one for one in held if one.has("Specialist")]),
        )
        for rule in rules:
            self.lookups.specials[rule.name].volume(rule, volume, at)
        return volume.total()

    @cites("SR-WALKER-6", "SR-WALKER-10")
    def _attacks(self, slot: int) -> int:
        """SR-WALKER-6: the Attacks of a Walker that is Stunned or Immobilised are halved, rounded up, before bonuses."""
        fighter = self.lookups.fighters[slot]
        if WALKER not in fighter.types or not any(self.play.state.model_mark(slot, name) is not None for name in HAMPERED):
            return fighter.profile.attacks
        return -(-fighter.profile.attacks // 2)

    def broken(self) -> bool:
        """Whether something of the target's takes the Attacks for charging away."""
        unit = self.play.state.units[self.form.target]
        if unit.mark(GROUND) is not None or unit.mark(LOCKED) is not None:  # SR-GRENADES-3
            return False
        borne = dict.fromkeys([rule for one in self.places.unlike(self.places.targets) for rule in one.borne])
        return bool([rule for rule in borne if self.lookups.specials[rule.name].breaks_charge(rule)])

    def _extra(self, slot: int) -> list[Group]:
        """SR-EXTRA-ATTACKS-1: attacks on top with the weapons that bring them, whichever weapon is used otherwise."""
        fighter = self.lookups.fighters[slot]
        found = []
        for index in fighter.melee:
            weapon = fighter.weapons[index]
            if weapon.has("Extra Attacks") and self._usable(slot, index):  # SR-EXTRA-ATTACKS-1, SR-EXTRA-ATTACKS-2
                rules = self.lookups.attack_rules(slot, weapon, self.places.attackers, MELEE)
                more = next(int(rule.rating or 1) for rule in rules if rule.name == "Extra Attacks")
                strike = self._aimed(self._strike(slot, weapon, rules))
                step = self.step(slot, rules)
                found.append(single(self.places, slot, index, strike, DiceRoll(plus=more), weapon.name, step))
        return found

    # Initiative

    def step(self, slot: int, rules: tuple[Rule, ...]) -> int:
        """CF-ASLT-5: the Initiative step at which a model strikes."""
        fighter = self.lookups.fighters[slot]
        step = max(1, min(FIRST_STEP, fighter.profile.initiative))
        if self.play.state.model_mark(slot, CONCUSSED) is not None:
            step = 1  # SR-CONCUSSIVE-1
        if self.penalty and not any(self.lookups.specials[rule.name].clears(rule) for rule in fighter.borne):
            step = 1
        for rule in in_order(rules):
            step = self.lookups.specials[rule.name].step(rule, step, fighter.types)
        return step

    # the charge

    @cites("SR-HAMMER-OF-WRATH-1", "SR-HAMMER-OF-WRATH-6")
    def hammer(self, slot: int) -> list[Group]:
        """SR-HAMMER-OF-WRATH-1: a charger that touches an enemy hits automatically at its own Strength, at step 10."""
        fighter = self.lookups.fighters[slot]
        wrath = [rule for rule in fighter.rules if rule.name == "Hammer of Wrath"] if self.charged else []
        if not wrath or not self.places.touching(slot):
            return []
        rule = wrath[0]
        if not fighter.vehicle and not fighter.profile.weapon_skill:  # CF-ASLT-18
            return []
        roll, strength = read_roll(1 if rule.rating is None else rule.rating), fighter.profile.strength
        if CHARIOT in fighter.types:  # SR-HAMMER-OF-WRATH-5
            roll, strength = read_roll(rule.rating or "D6"), 6
        enemy = self._struck(slot)
        if enemy.vehicle and not enemy.is_a(WALKER):
            facing = self.places.facing(slot)
            enemy = enemy_of(self.play.game, self.play.state, self.form.target, MELEE, facing)  # SR-HAMMER-OF-WRATH-4
        strike = Strike(MELEE, 1, enemy, (), strength, automatic=True)  # SR-HAMMER-OF-WRATH-2
        return [single(self.places, slot, -1, strike, roll, "Hammer of Wrath", FIRST_STEP)]  # SR-HAMMER-OF-WRATH-3

    def gathered(self, picks: dict[int, tuple[int, bool]]) -> tuple[Group, ...]:
        """All groups by Initiative step, from the highest down."""
        found: list[Group] = []
        for slot, (index, smash) in picks.items():
            found += self.hammer(slot) + self.strikes(slot, index, smash)
        groups = sorted(gathered(found), key=lambda group: -group.step)  # CF-ASLT-5
        if not self.places.placed:
            return tuple(groups)
        order = self.places.order([(slot, 0) for slot in picks])
        return tuple(self._allocated(group, groups, order) for group in groups)

    def _allocated(self, group: Group, groups: list[Group], order: tuple[int, ...]) -> Group:
        """CF-ALLOC-1: who touches a striker of the group's own step bears its wounds first."""
        strikers = {slot for one in groups if one.step == group.step for part in one.parts for slot, _ in part.arms}
        own = self.places.order([(slot, 0) for slot in sorted(strikers)])
        return group if own == order else allocating(group, own)


# Rules that set a step, in the order in which they prevail: the last stands (IX-33, IX-34).
ORDER = {"Reaping Blow": 0, "Fights First": 1, "Colossal": 3, "Unwieldy": 3}


@cites("SR-FIGHT-FIRST-2")
def in_order(rules: tuple[Rule, ...]) -> list[Rule]:
    """SR-FIGHT-FIRST-2: Colossal and Unwieldy win over it, whatever the order they are printed in."""
    return sorted(rules, key=lambda rule: ORDER.get(rule.name, 2))


@cites("SR-SMASH-2", "SR-SMASH-3")
def smashing(strike: Strike, fighter: Fighter) -> Strike:
    """SR-SMASH-2, SR-SMASH-3: twice the model's own Strength, at most 10, whatever the weapon's."""
    rules = tuple(rule for rule in strike.rules if rule.name != DESTROYER)
    return replace(strike, strength=bounded(2 * fighter.profile.strength), users=True, rules=rules, smashes=True)


def unarmed(weapon: Weapon) -> bool:
    """Whether a model fights with what it was born with."""
    return weapon == BARE_HANDS
