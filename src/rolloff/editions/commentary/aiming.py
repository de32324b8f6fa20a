"""What may be fired at whom (SHOOT-2): which enemies weapons may reach, and the weapons that may be fired at each."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import chain, compress
from typing import NamedTuple

from rolloff.editions.commentary import places
from rolloff.editions.commentary.ability import SHOOTING
from rolloff.editions.commentary.at_ease import odd_units, telling_of
from rolloff.editions.commentary.attack_case import (
    DECK,
    LONE,
    Arsenal,
    Case,
    borrowed,
    far_too,
    is_lone,
    seeing_too,
    sees_near,
    with_deck,
)
from rolloff.editions.commentary.choosing import (
    able_uses,
    arsenal,
    check_named,
    forbids,
    known_arsenal,
    may_not_shoot,
    unfired,
    uses_of,
)
from rolloff.editions.commentary.lookups import GRANT, Host, UnitIndex, host_of, hosts_of, index_of, staying
from rolloff.editions.commentary.sight import Sight, looked_at, sight_of
from rolloff.editions.commentary.unit_values import added_to, auras_for
from rolloff.editions.commentary.values import RANGE
from rolloff.errors import BadInput, IllegalCommand
from rolloff.rules.attack import AttackForm
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.table.state import TABLE, Marks, State

Weapons = tuple[tuple[int, int], ...]
NOTHING_ASKED: dict[int, Weapons] = {}
FURTHER = 12 * places.INCH
"""By how much no rule makes a weapon reach further."""


def in_reach(play: Play, unit: int, enemies: Sequence[int]) -> list[int]:
    """Those of some enemies that a weapon of a unit may reach as far as the least gaps tell."""
    gaps, reach = places.least_gaps(play.game, play.state, unit), longest(play, unit) + 2 * places.EPSILON
    return [enemy for enemy in enemies if gaps[enemy] <= reach]


def nearest_aim(play: Play, unit: int, near: list[int]) -> int:
    """The nearest of some enemies in reach at which some weapon of a unit may be fired; -1 for none."""
    if len(near) > 1:
        near = sorted(near, key=places.least_gaps(play.game, play.state, unit).__getitem__)
    return next((enemy for enemy in near if able_at(play, unit, enemy)), -1)


def longest(play: Play, unit: int) -> int:
    """The longest reach of a unit's weapons."""
    lookups, held = index_of(play.game), play.state.units[unit]
    reach = lookups.reach(held.living)
    if not held.marks or not _about_reach(held.marks):
        return reach
    for slot, index in borrowed(play.state, unit):
        reach = max(reach, lookups.fighters[slot].weapons[index].reach or 0)
    return reach + FURTHER if _reaches_further(held.marks) else reach


@lru_cache(maxsize=512)
def _about_reach(marks: Marks) -> bool:
    """Whether marks of a unit say anything about how far its weapons reach."""
    return any(name.startswith((DECK, f"{GRANT}Range")) for name, _ in marks)


@lru_cache(maxsize=512)
def _reaches_further(marks: Marks) -> bool:
    """Whether marks of a unit make its weapons reach further."""
    return any(name.startswith(f"{GRANT}Range") for name, _ in marks)


def able_at(play: Play, unit: int, enemy: int) -> Weapons:
    """The weapons of a unit that may be fired at an enemy."""
    return able_at_each(play, unit, (enemy,)).get(enemy, ())


def able_at_each(play: Play, unit: int, enemies: Sequence[int]) -> dict[int, Weapons]:
    """Those of some enemies at which weapons of a unit may be fired, each with these weapons.

    Kept as long as nothing they depend on changes (`aims_of`).
    """
    found: dict[int, Weapons] = {}
    if not enemies:
        return found
    state, aims = play.state, aims_of(play)
    kept = aims.weapons.setdefault((unit, state.units[unit].marks), {})
    unknown = [enemy for enemy in enemies if enemy not in kept] if kept else enemies
    if unknown:
        _judge(play.game, state, aims, unit, unknown, kept)
    for enemy in enemies:
        weapons = kept[enemy]
        if weapons:
            found[enemy] = weapons
    return found


def _sight(game: Game, state: State, aims: places.Aims) -> Sight:
    """What is seen from where in the moment of some aims."""
    if aims.sight is None:
        aims.sight = sight_of(game, state)
    return aims.sight


def aims_of(play: Play) -> places.Aims:
    """What may be fired at whom in this moment: let go when anybody stands otherwise.

    It depends on who of each unit lives and where it is (Leaders go with theirs), on marks that say a unit is engaged, and on
    the marks of single models about weapons; while these are the same, other changes of units do not count.
    """
    game, state = play.game, play.state
    lookups: UnitIndex = game.lookups
    kept: places.Measured | None = lookups.measured
    if kept is None or kept.state is not state:
        kept = places.measured(game, state)
    found = kept.aims
    if found is not None and found.state is state:
        return found
    units, models = state.units, state.models
    engaged = [places.ENGAGED in dict(one.marks) for one in units] if places.ENGAGED in game.words(state) else ()
    moment = lookups.marks_of_weapons(state) if models else models, staying(lookups, units), engaged
    if found is None or found.moment != moment:
        found = kept.aims = places.Aims(moment)
    found.state = state
    return found


class FreeAim(NamedTuple):
    """What is asked about each weapon of a unit that nothing bothers (`choosing.Aim`)."""

    game: Game
    state: State
    ours: tuple[int, ...]
    target: Host
    seeing: Collection[int]

    @property
    def lookups(self) -> UnitIndex:
        """What its game looks up."""
        return index_of(self.game)

    @property
    def lone(self) -> bool:
        """Whether the target is a Lone Operative."""
        return is_lone(self.lookups, self.target)

    def aims(self, slot: int, reach: int) -> bool:
        """Whether a model that sees the target sees one of it so near."""
        return sees_near(self.game, self.state, self.ours, self.target, slot, reach)


def _judge(game: Game, state: State, aims: places.Aims, unit: int, enemies: Sequence[int], kept: dict[int, Weapons]) -> None:
    """Find out what a unit may fire at some enemies: what has them in reach and in sight, looked at for all of them at once.

    That is all where nothing bothers the two units; where it does, no more than that may be, and each is judged by itself.
    """
    odd, units = odd_units(game, state, aims), state.units
    groups = [units[enemy].living for enemy in enemies]
    if odd is None or unit in odd or not places.on_table(state.xy).issuperset(chain(units[unit].living, *groups)):
        _judge_each(game, state, aims, unit, enemies, kept)
        return
    plain = [enemy for enemy in enemies if enemy not in odd]
    ours, arms = _at_ease(game, state, aims, unit, plain[0]) if plain else ((), None)
    if arms is None or (arms.shots is None and arms.pairs):
        _judge_each(game, state, aims, unit, enemies, kept)
        return
    hard: list[int] = []
    aims.plain.update(plain)
    rows = [b""] * len(enemies)
    if arms.shots is not None:
        rows = _sight(game, state, aims).in_aim(places.bodies_of(game), ours, groups, arms.shots)
    for enemy, row in zip(enemies, rows, strict=True):
        found = kept[enemy] = tuple(compress(arms.pairs, row))
        if found and enemy in odd:
            hard.append(enemy)
    if hard:
        _judge_each(game, state, aims, unit, hard, kept)


def _at_ease(game: Game, state: State, aims: places.Aims, unit: int, enemy: int) -> tuple[tuple[int, ...], Arsenal]:
    """The models of a unit that nothing bothers, and the weapons it has; kept for the moment."""
    marks = state.units[unit].marks
    telling = telling_of(marks) if marks else marks
    found = aims.arms.get((unit, telling))
    if found is None:
        host = host_of(game, state, unit)
        found = aims.arms[unit, telling] = host.slots, arms_at_ease(game, state, host, enemy, telling)
    slots, arms = found
    return slots, arms


def _judge_each(
    game: Game, state: State, aims: places.Aims, unit: int, enemies: Sequence[int], kept: dict[int, Weapons]
) -> None:
    """Find out what a unit may fire at some enemies, at each by itself; of units that nothing bothers by distance and sight."""
    lookups, marks = index_of(game), state.units[unit].marks
    telling, lone = telling_of(marks) if marks else marks, LONE in lookups.printed
    new = [one for one in (unit, *enemies) if one not in aims.hosts]
    if new:
        _look_up(game, state, aims, new)
    for enemy in enemies:
        target, free = aims.hosts[enemy]
        found: Weapons = ()
        try:
            ours, arms = aims.arms.get((unit, telling)) or _armed(game, state, aims, unit, enemy) if free else ((), None)
            if arms is None:
                found = able_uses(Case(game, state, AttackForm(unit, enemy, SHOOTING)))
            elif arms.shots is None or (lone and is_lone(lookups, target)):
                found = _one_by_one(game, state, arms, ours, target) if arms.pairs else ()
            else:
                rows = _sight(game, state, aims).in_aim(places.bodies_of(game), ours, [looked_at(target)], arms.shots)
                found = unfired(state, lookups, arms, tuple(compress(arms.pairs, rows[0])))
        except (IllegalCommand, BadInput):
            pass
        kept[enemy] = found


def _one_by_one(game: Game, state: State, arms: Arsenal, ours: tuple[int, ...], target: Host) -> Weapons:
    """Those weapons of a unit that nothing bothers which nothing forbids to fire at a target, asked of each."""
    seeing = sight_of(game, state).watchers(ours, looked_at(target))
    if not seeing and not [gun for _, gun in arms.rows if gun.indirect]:
        return ()
    far = places.apart(game, state, ours, target.slots).nearest
    if len(arms.everyone) > len(ours):
        far, seeing = far_too(far, arms.everyone), seeing_too(state, seeing, arms.everyone)
    aim = FreeAim(game, state, ours, target, seeing)
    return tuple([(slot, gun.at) for slot, gun in arms.rows if forbids(aim, slot, gun, far[slot]) is None])


def _look_up(game: Game, state: State, aims: places.Aims, units: Sequence[int]) -> None:
    """Units with their Leaders, and whether nothing bothers them: all of each stands on the table, not Locked in Combat."""
    here, close = places.on_table(state.xy), places.close_to_foes(game, state)
    for unit, host in zip(units, hosts_of(game, state, units), strict=True):
        slots, held = host.slots, state.units[host.unit]
        free = bool(slots) and held.where == TABLE and here.issuperset(slots)
        if free and (close is None or host.unit in close or len(held.living) < len(slots)):
            free = not places.is_engaged(game, state, host)
        aims.hosts[unit] = host, free


def _armed(game: Game, state: State, aims: places.Aims, unit: int, target: int) -> tuple[tuple[int, ...], Arsenal | None]:
    """The models of a unit and the weapons it has if nothing bothers it; None if something does.

    They are asked for an attack on some target that nothing bothers either, but do not depend on it. Kept for the moment.
    """
    host, free = aims.hosts[unit]
    if free and state.models:
        free = not index_of(game).singled(state)
    telling = telling_of(state.units[unit].marks)
    arms = arms_at_ease(game, state, host, target, telling) if free else None
    aims.arms[unit, telling] = host.slots, arms
    return host.slots, arms


def arms_at_ease(game: Game, state: State, attacker: Host, target: int, telling: Marks) -> Arsenal:
    """The weapons of a unit that nothing bothers, kept in the game by what they then depend on."""
    lookups: UnitIndex = game.lookups
    auras = auras_for(game, state, attacker, RANGE)  # no other ability of a unit says what it may fire
    kept, key = lookups.at_ease, (attacker, telling, auras)
    found: Arsenal | None = kept.get(key)
    if found is None:
        if not telling:
            found = known_arsenal(lookups, attacker.slots, added_to(game, state, attacker, attacker.slots[0]))
        if found is None:
            case = Case(game, state, AttackForm(attacker.unit, target, SHOOTING))
            found = arsenal(case) if may_not_shoot(case) is None else Arsenal()
        kept[key] = found
    return found


def check_together(play: Play, form: AttackForm) -> None:
    """Refuse weapons that a form names: one of them may not be fired at the target, or not with the others."""
    weapons, units = form.weapons or (), play.state.units
    kept = aims_of(play).weapons.get((form.attacker, units[form.attacker].marks), NOTHING_ASKED)
    if set(weapons).issubset(kept.get(form.target, ())):  # each was judged by itself, just now
        attacker = host_of(play.game, play.state, form.attacker)
        everyone = with_deck(attacker.slots, borrowed(play.state, attacker.unit))
        check_named(index_of(play.game), everyone, weapons)
    else:
        uses_of(case_at(play, form))


def case_at(play: Play, form: AttackForm, judged: Weapons = ()) -> Case:
    """The attack of a form with which a unit shoots; that its weapons were judged is kept, and what was found out just now.

    Marks that say how the attacks are made may have come since some weapons were ``judged``: these may be fired all the same.
    """
    state, last = play.state, play.looked_at
    if (
        isinstance(last, Case)
        and last.state is state
        and (last.form.attacker, last.form.target) == (form.attacker, form.target)
    ):
        return last.named(form)
    case, aims, marks = Case(play.game, state, form), aims_of(play), state.units[form.attacker].marks
    case.able = judged or aims.weapons.get((form.attacker, marks), NOTHING_ASKED).get(form.target, ())
    _, arms = aims.arms.get((form.attacker, telling_of(marks)), ((), None))
    if (
        arms is not None
        and arms.pairs
        and (form.target in aims.plain or (form.target in aims.hosts and aims.hosts[form.target][1]))
    ):
        case.arms = arms
    play.looked_at = case
    return case
