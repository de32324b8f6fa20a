"""Which weapons attack, and what the circumstances of each are (SHOOT, WPN, FGT): everything fixed before the first die."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from itertools import compress, count, repeat
from operator import itemgetter
from typing import Protocol

from msgspec import Struct

from rolloff.editions.commentary import places
from rolloff.editions.commentary.ability import MELEE, SHOOTING
from rolloff.editions.commentary.attack_case import ADVANCED, FELL_BACK, Arsenal, Barred, Case, Gun, calm
from rolloff.editions.commentary.cards import Fighter
from rolloff.editions.commentary.lookups import BIG, FIRED, UnitIndex
from rolloff.editions.commentary.unit_values import effects_on
from rolloff.editions.commentary.values import RANGE, evaluate
from rolloff.errors import IllegalCommand
from rolloff.geometry.sampled import Shots
from rolloff.rules.citing import cites
from rolloff.table.profile import Rule, Weapon
from rolloff.table.state import State

LONE_RANGE = 12 * places.INCH


class Use(Struct, frozen=True):
    """One weapon of one model, used against the target: with all its attacks, or a ``share`` of them.

    ``half_range``: the target is within half its range, as far as that was asked (`measured_late`).
    """

    slot: int
    index: int
    weapon: Weapon
    half_range: bool = False
    share: int = 0


def uses_of(case: Case) -> list[Use]:
    """The weapons that attack, in roster order; a refusal names the rule that forbids one. Kept while nothing changes."""
    kept = case.lookups.used if case.before is None else None
    if kept is not None and kept[0] is case.state and kept[1] == case.form:
        return list(kept[2])
    found = _shots(case) if case.form.kind == SHOOTING else _strikes(case)
    if case.before is None:
        case.lookups.used = case.state, case.form, found
    return list(found)


def check_named(lookups: UnitIndex, everyone: tuple[int, ...], weapons: tuple[tuple[int, int], ...]) -> None:
    """Refuse weapons each of which may be fired by itself at a target, but not all of them together."""
    if len(weapons) > 1:
        _one_sort(lookups, everyone, weapons)
        _one_profile(lookups, weapons)


# shooting -----------------------------------------------------------------------------------------


def _shots(case: Case) -> list[Use]:
    if not case.able:
        may_shoot(case)
    chosen = _named(case, SHOOTING)
    found = _uses(case, chosen or _usual(case, _able(case, arsenal(case))))
    for slot, index in _unjudged(case, chosen):
        barred = forbids(case, slot, arsenal(case).gun(slot, index), case.far[slot])
        if barred is not None:
            raise _refusal(case, slot, index, barred)
    if not found:
        raise why_none(case)
    return found


def _unjudged(case: Case, chosen: tuple[tuple[int, int], ...] | None) -> Collection[tuple[int, int]]:
    """Those of the weapons a form names of which was not judged before that they may be fired at the target."""
    able = case.able
    return () if chosen is None or chosen == able else [pair for pair in chosen if pair not in able]


def able_uses(case: Case) -> tuple[tuple[int, int], ...]:
    """Every weapon that may be fired at the target, whatever the others do; none where the unit may not shoot it."""
    return () if may_not_shoot(case) is not None else _able(case, arsenal(case))


def _able(case: Case, arms: Arsenal) -> tuple[tuple[int, int], ...]:
    """Every weapon of an arsenal that nothing forbids to fire at the target, the borrowed ones last."""
    far = case.far if arms.rows else {}
    return tuple([(slot, gun.at) for slot, gun in arms.rows if forbids(case, slot, gun, far[slot]) is None])


def checked_uses(
    case: Case, able: tuple[tuple[int, int], ...], free: tuple[tuple[int, int], ...]
) -> tuple[tuple[int, int], ...]:
    """DP-24: of the weapons that may fire those that do by default, as far as they are ``free`` to."""
    usual = tuple(pair for pair in _usual(case, able) if pair in free)
    return usual or free[:1]


def why_none(case: Case) -> IllegalCommand:
    """Why no weapon may fire: the rule that forbids them all, or if rules differ that none has a target."""
    refusals: dict[str, IllegalCommand] = {}
    for slot, gun in arsenal(case).rows:
        barred = forbids(case, slot, gun, case.far[slot]) if slot in case.attacker.slots else None
        if barred is not None:
            refusals.setdefault(barred.code, _refusal(case, slot, gun.at, barred))
    clauses = {refusal.cited for refusal in refusals.values()}
    if len(refusals) == 1 or (len(clauses) == 1 and clauses != {"SHOOT-2"}):
        return list(refusals.values())[-1]
    return IllegalCommand("no-shot", "SHOOT-2", "no weapon that may fire has the target in range and in sight")


def may_shoot(case: Case) -> None:
    """SHOOT-1, LIC-1: who may shoot at all, and at whom."""
    barred = may_not_shoot(case)
    if barred is not None:
        raise IllegalCommand(barred.code, barred.clause, barred.says)


def may_not_shoot(case: Case) -> Barred | None:
    """What forbids a unit to shoot at all, or at the target, or None."""
    if case.marks:
        marks = dict(case.marks)
        if FELL_BACK in marks:
            return Barred("fell-back", "SHOOT-1", "a unit that Fell Back does not shoot this turn")
        if ADVANCED in marks and not _armed(case, "Assault"):
            return Barred("advanced", "SHOOT-1", "a unit that Advanced shoots with Assault weapons only, and has none")
    if case.locked and not _shoots_locked(case) and not _armed(case, "Pistol"):
        return Barred("locked", "LIC-1", "a unit within Engagement Range does not shoot")
    if case.target_locked and not _shot_at_locked(case) and not case.face_to_face:
        return Barred("target-locked", "LIC-1", "a unit within Engagement Range cannot be the target of ranged attacks")
    return None


@cites("BGNT-1")
def _shoots_locked(case: Case) -> bool:
    """BGNT-1: a MONSTER or VEHICLE may shoot while Locked in Combat."""
    return case.big


@cites("BGNT-2")
def _shot_at_locked(case: Case) -> bool:
    """BGNT-2: a MONSTER or VEHICLE may be shot while Locked in Combat."""
    return case.big_target


def _armed(case: Case, ability: str) -> bool:
    return case.lookups.armed(case.attacker.slots, ability)


def _named(case: Case, kind: str) -> tuple[tuple[int, int], ...] | None:
    """The weapons the form names, each of which must be of that kind and of the attacker's."""
    if case.form.weapons is None:
        return None
    fighters = case.lookups.fighters
    for slot, index in _unjudged(case, case.form.weapons):
        name = case.game.models[slot].id
        if slot not in case.attacker.slots and (slot, index) not in case.borrowed:
            raise IllegalCommand("not-yours", "SHOOT-2", f"{name} is no living model of the attacker", name)
        if fighters[slot].weapons[index].melee is (kind == SHOOTING):
            clause = "SHOOT-2" if kind == SHOOTING else "FGT-6"
            raise IllegalCommand("wrong-weapon", clause, f"weapon {index} of {name} is not for {kind}", index)
    check_named(case.lookups, case.everyone, case.form.weapons)
    return case.form.weapons


def _one_profile(lookups: UnitIndex, weapons: tuple[tuple[int, int], ...]) -> None:
    """UNIT-3: of a weapon with several profiles one is used."""
    fighters = lookups.fighters
    named = [(slot, fighters[slot].wholes[index]) for slot, index in weapons]
    if len(set(named)) < len(named):
        raise IllegalCommand("one-profile", "UNIT-3", "of a weapon with several profiles one is used")


def whole_weapon(case: Case, slot: int, index: int) -> int:
    """UNIT-3: which weapon of a model a profile belongs to: the place of its first profile."""
    return case.lookups.fighters[slot].wholes[index]


@cites("UNIT-3")
def _first_profiles(case: Case, slot: int, able: list[int]) -> list[int]:
    """DP-24: of a weapon with several profiles the first that may be used."""
    found: dict[int, int] = {}
    for index in able:
        found.setdefault(whole_weapon(case, slot, index), index)
    return list(found.values())


def _one_sort(lookups: UnitIndex, everyone: tuple[int, ...], weapons: tuple[tuple[int, int], ...]) -> None:
    """WPN-5: a model fires its Pistols or its other weapons, unless it is a MONSTER or VEHICLE itself (KEYW-4)."""
    if not lookups.armed(everyone, "Pistol"):
        return
    fighters = lookups.fighters
    pistols = [pair for pair in weapons if fighters[pair[0]].weapons[pair[1]].has("Pistol")]
    if not pistols or len(pistols) == len(weapons):  # as most
        return
    others = {slot for slot, at in weapons if (slot, at) not in pistols and not fighters[slot].weapons[at].melee}
    bound = {slot for slot in others if BIG.isdisjoint(fighters[slot].keywords)}
    if any(slot in bound and not fighters[slot].weapons[at].melee for slot, at in pistols):
        raise IllegalCommand("pistols-or-others", "WPN-5", "a model fires either its Pistols or its other weapons")


def _usual(case: Case, able: tuple[tuple[int, int], ...]) -> list[tuple[int, int]]:
    """DP-24: of the weapons that may fire other weapons rather than Pistols, where a model must choose and both may."""
    guns: dict[int, list[int]] = {}
    deck: list[tuple[int, int]] = []
    for slot, index in able:
        if (slot, index) in case.borrowed:
            deck.append((slot, index))
        else:
            guns.setdefault(slot, []).append(index)
    return [(slot, index) for slot, own in guns.items() for index in _guns_of(case, slot, own)] + deck


def _guns_of(case: Case, slot: int, able: list[int]) -> list[int]:
    """The guns one model fires unless it is told otherwise."""
    if len(able) < 2:
        return able
    fighter = case.lookups.fighters[slot]
    weapons = fighter.weapons
    if BIG.isdisjoint(fighter.keywords) and any(not weapons[index].has("Pistol") for index in able):
        able = [index for index in able if not weapons[index].has("Pistol")]  # WPN-5
    return _first_profiles(case, slot, able)


def _uses(case: Case, pairs: Sequence[tuple[int, int]]) -> list[Use]:
    """Some guns as they are used."""
    if not measured_late(case):
        guns = {(slot, gun.at): gun for slot, gun in arsenal(case).rows}
        return [_use(case, slot, guns[slot, index]) for slot, index in pairs]
    fighters, found = case.lookups.fighters, []
    for slot, index in pairs:
        found.append(Use(slot, index, fighters[slot].weapons[index]))
    return found


def measured_late(case: Case) -> bool:
    """Whether the half range of guns waits until an ability goes by it: on the table, as the target was selected just now."""
    return case.placed and case.before is None and case.form.half_range is None


def with_half(case: Case, use: Use) -> Use:
    """A gun as it is used, where an ability goes by whether the target is within half its range."""
    if case.form.kind != SHOOTING or not measured_late(case):
        return use
    slot, index = use.slot, use.index
    return Use(slot, index, use.weapon, _half(case, slot, arsenal(case).gun(slot, index)), use.share)


def _use(case: Case, slot: int, gun: Gun) -> Use:
    weapon = case.lookups.fighters[slot].weapons[gun.at]
    if case.placed:
        return Use(slot, gun.at, weapon, _half(case.when_selected(slot, gun.at), slot, gun))
    like = case.like(slot), gun.at, slot in case.attacker.slots
    known = case.aimed.get(like)
    if known is None:
        known = case.aimed[like] = _half(case, slot, gun)
    return Use(slot, gun.at, weapon, half_range=known)


def covered(case: Case) -> Collection[int]:
    """The models of the target to which terrain gives the Benefit of Cover: as the form says, or as positions do."""
    if case.form.cover is not None:
        return case.target.slots if case.form.cover else ()
    if not perhaps_covered(case):
        return ()
    covers = case.covers
    return [slot for slot, feature in covers.items() if feature >= 0] if max(covers.values(), default=-1) >= 0 else ()


def perhaps_covered(case: Case) -> bool:
    """Whether positions say whom terrain gives the Benefit of Cover."""
    form = case.form
    return form.cover is None and case.placed and form.kind == SHOOTING and bool(case.game.table.terrain)


@cites("TCOND-1")
def _half(case: Case, slot: int, gun: Gun) -> bool:
    """Whether the target is within half the weapon's range when it is selected."""
    return in_half(case.far[slot], gun) if case.form.half_range is None else case.form.half_range


def in_half(far: float | None, gun: Gun) -> bool:
    """Whether a target so far away is within half a weapon's range."""
    return far is not None and far <= gun.reach // 2 + places.EPSILON


@cites("MODCH-7")
def reach_of(case: Case, slot: int, weapon: Weapon) -> int:
    """MODCH-7: the Range of a weapon in thou after what changes it, never below an inch."""
    effects = effects_on(case.game, case.state, case.attacker, case.wielder(slot), RANGE)
    if not effects or weapon.reach is None:
        return weapon.reach or 0
    found = evaluate(RANGE, weapon.reach // places.INCH, effects)
    return found * places.INCH if isinstance(found, int) else weapon.reach


def _refusal(case: Case, slot: int, index: int, found: Barred) -> IllegalCommand:
    """What forbids a weapon to fire at the target, in words."""
    name = f"{case.lookups.fighters[slot].weapons[index].name} of {case.game.models[slot].id}"
    return IllegalCommand(found.code, found.clause, found.says.format(name=name))


def arsenal(case: Case) -> Arsenal:
    """The ranged weapons of each model that has some, as they may be fired at the target; the borrowed ones last."""
    if case.arms is None:
        case.arms = _kept_arsenal(case)
    return case.arms


def _kept_arsenal(case: Case) -> Arsenal:
    """The same, kept in the game by what it depends on; not where single models have abilities for a while."""
    if case.singled:
        guns = [(slot, gun) for slot in case.attacker.slots for gun in _guns(case, slot)] + _borrowed(case)
        return arsenal_of(guns, case.everyone, bool(case.borrowed))
    kept, circumstances = case.lookups.arsenals, case.circumstances()
    key = case.everyone, case.borrowed, circumstances
    found: Arsenal | None = kept.get(key)
    if found is None:
        found = kept[key] = _arsenal(case, circumstances)
    return found


def _arsenal(case: Case, circumstances: Hashable) -> Arsenal:
    """The same, put together; like models have the same in the same circumstances, which is kept with them."""
    fighters = case.lookups.fighters
    found: list[tuple[int, Gun]] = []
    for slot in case.attacker.slots:
        known = fighters[slot].armed
        guns: tuple[Gun, ...] | None = known.get(circumstances)
        if guns is None:
            guns = known[circumstances] = _guns(case, slot)
        found.extend(zip(repeat(slot), guns))
    return arsenal_of(found + _borrowed(case) if case.borrowed else found, case.everyone, bool(case.borrowed))


def known_arsenal(lookups: UnitIndex, slots: tuple[int, ...], added: tuple[Rule, ...]) -> Arsenal | None:
    """The ranged weapons of a unit with these abilities besides its own that is `calm`; None if they are not all known yet."""
    circumstances, last = calm(added), None
    guns: tuple[Gun, ...] | None = ()
    found: list[tuple[int, Gun]] = []
    for slot, fighter in zip(slots, map(lookups.fighters.__getitem__, slots), strict=True):
        if fighter is not last:  # most are of one kind
            last, guns = fighter, fighter.armed.get(circumstances)
        if guns is None:
            return None
        found.extend(zip(repeat(slot), guns))
    return arsenal_of(found, slots, deck=False)


def _guns(case: Case, slot: int) -> tuple[Gun, ...]:
    """The ranged weapons of one model in an attack."""
    return tuple([gun_of(case, slot, index) for index in case.lookups.fighters[slot].guns])


def _borrowed(case: Case) -> list[tuple[int, Gun]]:
    """The ranged weapons of those on the deck in an attack."""
    return [(slot, gun_of(case, slot, index)) for slot, index in case.borrowed]


_at, _reach, _indirect, _single = map(itemgetter, range(4))
"""What a `Gun` says, asked of many at once."""


def arsenal_of(rows: list[tuple[int, Gun]], everyone: tuple[int, ...], deck: bool) -> Arsenal:
    """Ranged weapons, each with whose it is, and what is to be known of those not barred; some are perhaps on the deck."""
    free = [row for row in rows if row[1].barred is None]
    if not free:
        return Arsenal(rows, everyone)
    slots, guns = zip(*free, strict=True)
    pairs = tuple(zip(slots, map(_at, guns), strict=True))
    once = tuple(compress(pairs, map(_single, guns)))
    if deck:
        return Arsenal(rows, everyone, pairs, once)
    bearers = tuple(map(dict(zip(everyone, count(), strict=False)).__getitem__, slots))
    shots = Shots(bearers, tuple(map(_reach, guns)), bytes(map(_indirect, guns)))
    return Arsenal(rows, everyone, pairs, once, shots)


def gun_of(case: Case, slot: int, index: int) -> Gun:
    """A ranged weapon of a model in an attack."""
    weapon = case.lookups.fighters[slot].weapons[index]
    reach = reach_of(case, slot, weapon) + places.EPSILON
    return Gun(index, reach, weapon.has("Indirect Fire"), weapon.has("One Shot"), _barred_to_all(case, weapon))


class Aim(Protocol):
    """What is asked of an attack about each weapon: who sees the target, if it is a Lone Operative, what was fired before."""

    @property
    def state(self) -> State:
        """The moment of the attack."""
        ...

    @property
    def lookups(self) -> UnitIndex:
        """What its game looks up."""
        ...

    @property
    def seeing(self) -> Collection[int]:
        """Who of the attacker sees the target."""
        ...

    @property
    def lone(self) -> bool:
        """Whether the target is a Lone Operative."""
        ...

    def aims(self, slot: int, reach: int) -> bool:
        """Whether a model that sees the target sees one of it so near."""
        ...


def forbids(aim: Aim, slot: int, gun: Gun, far: float | None) -> Barred | None:
    """What forbids a weapon of a model that is so far from the target to fire at it, or None."""
    if far is not None and far > gun.reach:
        return OUT_OF_RANGE
    if not gun.indirect and slot not in aim.seeing:
        return NOT_VISIBLE
    if not gun.indirect and not aim.aims(slot, gun.reach):
        return OUT_OF_AIM
    if gun.barred is not None:
        return gun.barred
    if gun.single and _fired(aim.state, aim.lookups, slot, gun.at):
        return SPENT
    if aim.lone and far is not None and not places.within(far, LONE_RANGE):
        return Barred("lone-operative", "ABIL-8", '{name} is more than 12" from a Lone Operative')
    return None


OUT_OF_RANGE = Barred("out-of-range", "SHOOT-2", "{name} does not reach the target")
NOT_VISIBLE = Barred("not-visible", "SHOOT-2", "{name} has no sight of the target")
OUT_OF_AIM = Barred("not-visible", "SHOOT-2", "{name} has no sight of any model of the target that it reaches")
SPENT = Barred("spent", "ONESHOT-1", "{name} was fired before in this battle")


def _barred_to_all(case: Case, weapon: Weapon) -> Barred | None:
    """What forbids a weapon to fire at the target whoever of the unit carries it, or None."""
    if case.mark(ADVANCED) and not weapon.has("Assault"):
        return Barred("advanced", "WPN-1", "{name} is no Assault weapon and its unit Advanced")
    if case.locked and not weapon.has("Pistol") and not _shoots_locked(case):
        return Barred("locked", "WPN-5", "{name} is no Pistol and its unit is within Engagement Range")
    if case.locked and case.big and weapon.has("Pistol") and not case.face_to_face:
        return Barred("pistol-target", "BGNT-4", "{name} fires only at units its own is within Engagement Range of")
    if case.locked and not case.big and weapon.has("Pistol") and not case.face_to_face:
        return Barred("pistol-target", "WPN-5", "{name} fires only at units its own is within Engagement Range of")
    if weapon.has("Blast") and case.target_locked:
        return Barred("blast-too-near", "WPN-11", "{name} may not be used against a unit within Engagement Range")
    return None


def unfired(state: State, lookups: UnitIndex, arms: Arsenal, pairs: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """Those of some weapons of an arsenal that may still be fired, if they ever are only once."""
    once = arms.once
    return tuple([pair for pair in pairs if pair not in once or not _fired(state, lookups, *pair)]) if once else pairs


@cites("ONESHOT-1")
def _fired(state: State, lookups: UnitIndex, slot: int, index: int) -> bool:
    """ONESHOT-1: whether this copy was fired before, by whatever profile of it."""
    marks = lookups.marks_of_weapons(state) if state.models else ()
    if not marks:
        return False
    fired = [int(name.removeprefix(FIRED)) for at, name, _ in marks if at == slot and name.startswith(FIRED)]
    wholes = lookups.fighters[slot].wholes
    return bool(fired) and wholes[index] in [wholes[at] for at in fired]


# melee --------------------------------------------------------------------------------------------


def _strikes(case: Case) -> list[Use]:
    named = _named(case, MELEE)
    judged = case.placed and not case.form.everyone
    who = places.strikers(case.game, case.state, case.attacker, case.target) if judged else case.attacker.slots
    if named is not None:
        _one_weapon_each(case, named)
        chosen = [pair for pair in named if pair[0] in who]
    else:
        chosen = [pair for slot in who for pair in _default_blades(case, slot)]
    if not chosen:
        raise IllegalCommand("no-strike", "FGT-5", "no model of the attacker may strike the target")
    fighters, shares = case.lookups.fighters, {(slot, index): count for slot, index, count in case.form.shares}
    return [Use(slot, index, fighters[slot].weapons[index], share=shares.get((slot, index), 0)) for slot, index in chosen]


def _one_weapon_each(case: Case, named: tuple[tuple[int, int], ...]) -> None:
    """FGT-6, WPN-17: a model uses one melee weapon, and any with Extra Attacks besides."""
    plain = [slot for slot, index in named if not case.lookups.fighters[slot].weapons[index].has("Extra Attacks")]
    if len(set(plain)) < len(plain):
        raise IllegalCommand("one-weapon", "FGT-6", "a model fights with one melee weapon, and those with Extra Attacks")


def _default_blades(case: Case, slot: int) -> list[tuple[int, int]]:
    """DP-48: the strongest melee weapon of a model, and all it has with Extra Attacks."""
    blades, plain = _blades(case.lookups, case.lookups.fighters[slot])
    if len(plain) < 2:
        return [(slot, index) for index in blades]
    picked = strongest(case, slot, plain)
    return [(slot, index) for index in blades if index == picked or index not in plain]


def _blades(lookups: UnitIndex, fighter: Fighter) -> tuple[list[int], list[int]]:
    """The melee weapons of a model, and those without Extra Attacks; found once for each kind of model."""
    found = lookups.blades.get(id(fighter))
    if found is None:
        weapons = fighter.weapons
        blades = [index for index, weapon in enumerate(weapons) if weapon.melee]
        plain = [index for index in blades if not weapons[index].has("Extra Attacks")]
        found = lookups.blades[id(fighter)] = blades, plain
    return found


def strongest(case: Case, slot: int, blades: list[int]) -> int:
    """The melee weapon with the most expected damage, one attack sequence of each computed exactly."""
    if len(blades) == 1:
        return blades[0]
    from rolloff.editions.commentary.attack import expected_damage  # the computing needs what is built from a choice

    weapons = case.lookups.fighters[slot].weapons
    worth = {index: expected_damage(case, Use(slot, index, weapons[index])) for index in blades}
    return max(blades, key=lambda index: (worth[index], -index))
