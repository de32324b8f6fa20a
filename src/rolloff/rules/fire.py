"""Fire: which weapons of a unit may fire at which targets, the choice among them, and the attacks that come of it.

What differs by book stands in the edition's `Fire`; what differs by occasion (out of phase, one target only, a worse shot)
in the `FireOrder`. The rest is the same for everybody: range and sight weapon by weapon, one target or one for each weapon,
a window when the targets are chosen, all attacks at one target before the next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from rolloff.errors import IllegalCommand
from rolloff.geometry.measure import reach
from rolloff.geometry.sight import Mode, watch
from rolloff.rules.component import Component
from rolloff.rules.windows import Moment, window
from rolloff.table.event import Fact
from rolloff.table.request import Later, Request
from rolloff.table.state import TABLE

if TYPE_CHECKING:
    from rolloff.rules.play import Play

HOLD_FIRE = "hold-fire"
CHOSEN, SHOT = "targets-chosen", "shot"
"""Moments: the targets are chosen and no die is rolled; a unit has resolved its attacks."""
RESOLVE, AGAIN, LOSE = "resolve", "again", "lose"
"""What becomes of attacks whose target is no longer one after a reaction: as declared, chosen anew, or lost."""


class Gun(Struct, frozen=True):
    """A weapon that could fire: whose it is, its number among that model's weapons, and how far it reaches."""

    slot: int
    weapon: int
    reach: int


class Shot(Struct, frozen=True):
    """A weapon that may fire at a target: who carries it, which it is, and whether its bearer sees the target."""

    slot: int
    weapon: int
    seen: bool


Targets = dict[int, list[Shot]]
"""Targets with the weapons that may fire at each, or that do."""


class FireOrder(Struct, frozen=True):
    """One unit's fire on one occasion.

    ``only`` these targets, if any are named; ``oop`` out of its own phase; ``weapons`` only these, by model and number;
    ``mode`` a word of the edition's for how (moved, a snap shot); ``facts`` go into the request for a target; ``must``: that
    it fires was decided before, so it cannot hold its fire.
    """

    unit: int
    only: tuple[int, ...] = ()
    oop: bool = False
    weapons: tuple[tuple[int, int], ...] | None = None
    mode: str = ""
    facts: tuple[tuple[str, Fact], ...] = ()
    must: bool = False


def gaps_of_models(play: Play, unit: int, target: int) -> Mapping[int, float]:
    """How far each model of a unit is from the nearest of the target."""
    return reach(play.scene, unit, target)


def sight_of_models(play: Play, unit: int, target: int, guns: Sequence[Gun]) -> list[Shot]:
    """Each model sees for itself."""
    viewers = tuple(dict.fromkeys(gun.slot for gun in guns))
    seen = watch(play.scene, mode_of(play), unit, target, viewers)
    return [Shot(gun.slot, gun.weapon, seen[gun.slot] >= 0) for gun in guns]


def mode_of(play: Play) -> Mode:
    """How sight works in the edition."""
    return play.game.edition.sight


def _never(*_: object) -> bool:
    return False


def _always(*_: object) -> bool:
    return True


def _any_number(play: Play, order: FireOrder, slot: int) -> int:
    return 0


def _first(play: Play, order: FireOrder, targets: Targets) -> int:
    return next(iter(targets))


def _all(play: Play, order: FireOrder, target: int, shots: list[Shot]) -> list[Shot]:
    return shots


def _unexplained(play: Play, order: FireOrder, name: object) -> IllegalCommand | None:
    return None


class Fire(Component, frozen=True):
    """How units of an edition fire. Needed: the weapons that could fire now, and what resolves the attacks at one target.

    ``gaps`` measures (from each model, or one distance for the unit), ``sight`` looks (each model, or the leader for all),
    ``unseen`` says which weapons need no sight, ``target_ok`` which enemies may be chosen. ``most`` is how many weapons a
    model fires at once (0: all), ``splits`` whether a weapon may have a target of its own. ``best`` is the target and ``pick``
    the weapons of whoever is not asked; ``why`` explains a refusal, ``cannot`` is the clause for a weapon that may not fire,
    ``together`` the one for a weapon that may have no target of its own.
    ``leeway`` is added to every range; ``bounded``: no gap is less than that from base to base. ``clauses`` and ``points``
    stand in the two requests, for the target and for the weapons.
    """

    weapons: Callable[[Play, FireOrder], Sequence[Gun]]
    resolve: Callable[[Play, FireOrder, int, list[Shot]], object]
    clauses: tuple[str, str]
    points: tuple[str, str] = ("", "")
    cannot: str = ""
    together: str = ""
    gaps: Callable[[Play, int, int], Mapping[int, float]] = gaps_of_models
    sight: Callable[[Play, int, int, Sequence[Gun]], list[Shot]] = sight_of_models
    unseen: Callable[[Play, Gun | Shot], bool] = _never
    target_ok: Callable[[Play, FireOrder, int], bool] = _always
    splits: Callable[[Play, FireOrder, int, int], bool] = _never
    most: Callable[[Play, FireOrder, int], int] = _any_number
    best: Callable[[Play, FireOrder, Targets], int] = _first
    pick: Callable[[Play, FireOrder, int, list[Shot]], list[Shot]] = _all
    why: Callable[[Play, FireOrder, object], IllegalCommand | None] = _unexplained
    may_hold: bool = True
    asks_weapons: bool = True
    spoiled: str = RESOLVE
    leeway: int = 0
    bounded: bool = True


def fire_of(play: Play) -> Fire:
    """How units fire here."""
    fire = play.game.edition.fire
    assert fire is not None, "the edition has no fire"
    return fire


def enemies(play: Play, unit: int) -> list[int]:
    """Enemy units on the table."""
    units = play.state.units
    return [k for k in play.game.units_of[1 - play.game.side_of(unit)] if units[k].where == TABLE]


def can_fire(may: Callable[[Play, int], bool]) -> Callable[[Play, int], list[int]]:
    """Who can fire: the units of a side on the table that ``may`` and have a target, as rows of turns ask for them."""

    def firing(play: Play, side: int) -> list[int]:
        own = [unit for unit in play.game.units_of[side] if play.state.units[unit].where == TABLE]
        return [unit for unit in own if may(play, unit) and eligible(play, FireOrder(unit))]

    return firing


def eligible(play: Play, order: FireOrder) -> Targets:
    """Every target a unit may fire at, with the weapons that have it in range and sight."""
    fire, unit = fire_of(play), order.unit
    guns = fire.weapons(play, order)
    if order.weapons is not None:
        guns = [gun for gun in guns if (gun.slot, gun.weapon) in order.weapons]
    if not guns:
        return {}
    furthest = max(gun.reach for gun in guns) + fire.leeway
    near = play.gaps_from(unit)
    found = {}
    for enemy in order.only or enemies(play, unit):
        if (fire.bounded and near[enemy] > furthest) or not fire.target_ok(play, order, enemy):
            continue
        shots = _shots(play, fire, unit, enemy, guns)
        if shots:
            found[enemy] = shots
    return found


def shots_at(play: Play, order: FireOrder, target: int) -> list[Shot]:
    """The weapons of a unit that may fire at one target."""
    fire = fire_of(play)
    return _shots(play, fire, order.unit, target, fire.weapons(play, order))


def _shots(play: Play, fire: Fire, unit: int, target: int, guns: Sequence[Gun]) -> list[Shot]:
    gaps, leeway = fire.gaps(play, unit, target), fire.leeway
    near = [gun for gun in guns if gaps[gun.slot] <= gun.reach + leeway]
    if not near:
        return []
    return [shot for shot in fire.sight(play, unit, target, near) if shot.seen or fire.unseen(play, shot)]


def shoot(play: Play, order: FireOrder) -> Targets:
    """One unit fires: targets and weapons are chosen, everybody may react, then the attacks, target by target.

    Gives what fired at whom; nothing if the unit held its fire.
    """
    fire = fire_of(play)
    chosen = _choose(play, fire, order, eligible(play, order))
    if not chosen:
        return {}
    window(play, Moment(CHOSEN, order.unit, tuple(chosen), order.oop))
    chosen = _still(play, fire, order, chosen)
    for target, shots in chosen.items():
        if play.state.units[target].living and play.state.units[order.unit].living:
            fire.resolve(play, order, target, shots)
    if chosen:
        window(play, Moment(SHOT, order.unit, tuple(chosen), order.oop))
    return chosen


def _choose(play: Play, fire: Fire, order: FireOrder, targets: Targets) -> Targets:
    """One target for the unit, then its weapons, and targets of their own for those that may split."""
    unit, names = order.unit, play.game.names
    options = tuple(names[enemy] for enemy in targets)
    if not targets or (fire.may_hold and not order.must):
        options = (*options, HOLD_FIRE)
    later = play.aside()
    default = Later(lambda: names[fire.best(later(), order, targets)] if targets else HOLD_FIRE)
    owner, clause, point = play.game.side_of(unit), fire.clauses[0], fire.points[0]

    def why(name: object) -> IllegalCommand | None:
        return fire.why(play, order, name)

    answer = play.choose(owner, "choose-target", clause, options, default, unit, point, targets, why, **dict(order.facts))
    if answer == HOLD_FIRE:
        return {}
    target = play.game.numbers[str(answer)]
    return _weapons(play, fire, order, target, targets)


def _weapons(play: Play, fire: Fire, order: FireOrder, target: int, targets: Targets) -> Targets:
    """Which weapons fire; those that may split also at other targets than the unit's."""
    apart = {
        other: [shot for shot in shots if fire.splits(play, order, shot.slot, shot.weapon)]
        for other, shots in targets.items()
        if other != target
    }
    open_ = {target: targets[target], **{other: shots for other, shots in apart.items() if shots}}
    if sum(map(len, open_.values())) == 1 or not fire.asks_weapons:
        return usual(play, fire, order, open_)
    models = play.game.models
    rows = tuple(dict.fromkeys((shot.slot, shot.weapon) for shots in open_.values() for shot in shots))
    listed = tuple((models[slot].id, weapon, models[slot].weapons[weapon].name) for slot, weapon in rows)
    most = {fire.most(play, order, slot) for slot, _ in rows}
    facts: tuple[tuple[str, Fact], ...] = (("weapons", listed), ("most", max(most) if 0 not in most else 0), ("target", target))
    if len(open_) > 1:
        facts = (*facts, ("targets", tuple(play.game.names[other] for other in open_)))
    later = play.aside()

    def default() -> object:
        return _written(play, usual(later(), fire, order, open_), target)

    request = Request(
        play.game.side_of(order.unit), "assign-weapons", fire.clauses[1], None, Later(default), order.unit, fire.points[1],
        open_[target], facts,
    )  # fmt: skip
    return play.ask(request, lambda answer: _judge(play, fire, order, open_, target, answer))


def usual_at(play: Play, order: FireOrder, target: int, shots: list[Shot]) -> list[tuple[int, int]]:
    """The weapons of those that may fire at a target which do if nobody says otherwise."""
    return [(shot.slot, shot.weapon) for shot in fire_of(play).pick(play, order, target, shots)]


def usual(play: Play, fire: Fire, order: FireOrder, targets: Targets) -> Targets:
    """What fires at whom if nobody says otherwise: all at the first target, and what cannot at the best of the others."""
    first = next(iter(targets))
    found = {first: fire.pick(play, order, first, targets[first])}
    taken = {(shot.slot, shot.weapon) for shot in found[first]}
    busy = {shot.slot for shot in found[first] if fire.most(play, order, shot.slot)}
    for other, shots in targets.items():
        free = [shot for shot in shots if (shot.slot, shot.weapon) not in taken and shot.slot not in busy]
        if other != first and free:
            picked = fire.pick(play, order, other, free)
            found[other] = picked
            taken |= {(shot.slot, shot.weapon) for shot in picked}
            busy |= {shot.slot for shot in picked if fire.most(play, order, shot.slot)}
    return found


def _written(play: Play, chosen: Targets, first: int) -> tuple[tuple[object, ...], ...]:
    """What fires at whom as an answer: model and weapon, and the target where it is not the unit's."""
    models, names = play.game.models, play.game.names
    return tuple(
        (models[shot.slot].id, shot.weapon) if target == first else (models[shot.slot].id, shot.weapon, names[target])
        for target, shots in chosen.items()
        for shot in shots
    )


def _judge(play: Play, fire: Fire, order: FireOrder, open_: Targets, first: int, answer: object) -> Targets:
    """Read an answer: rows of model and weapon, or of model, weapon and target; firing is optional for each model."""
    clause, cannot = fire.clauses[1], fire.cannot or fire.clauses[1]
    if not isinstance(answer, tuple | list) or not answer:
        raise IllegalCommand("no-weapons", clause, "name at least one weapon to fire", None)
    models, numbers = play.game.models, play.game.numbers
    may = {(models[s.slot].id, s.weapon, target): s for target, shots in open_.items() for s in shots}
    picked: dict[tuple[int, int], tuple[int, Shot]] = {}
    for item in answer:
        row = tuple(item) if isinstance(item, tuple | list) else ()
        target = first if len(row) == 2 else numbers.get(str(row[2]), -1) if len(row) == 3 else -1
        shot = may.get((*row[:2], target)) if len(row) in (2, 3) else None
        if shot is None or (shot.slot, shot.weapon) in picked:
            bound = may.get((*row[:2], first)) if shot is None and len(row) == 3 and target >= 0 else None
            if bound is not None and not fire.splits(play, order, bound.slot, bound.weapon):
                name = play.game.names[first]
                raise IllegalCommand("one-target", fire.together or cannot, f"every weapon fires at one target, {name}", name)
            said = " ".join(map(str, row)) or str(item)
            raise IllegalCommand("cannot-fire", cannot, f"{said} is no weapon that may fire at this target", str(item))
        picked[shot.slot, shot.weapon] = (target, shot)
    for slot, count in Counter(slot for slot, _ in picked).items():
        most = fire.most(play, order, slot)
        if most and count > most:
            number = "one weapon" if most == 1 else f"{most} weapons"
            raise IllegalCommand("one-weapon", clause, f"{models[slot].id} fires {number} only", None)
    chosen = set(picked.values())
    found = {target: [shot for shot in shots if (target, shot) in chosen] for target, shots in open_.items()}
    return {target: shots for target, shots in found.items() if shots}


def _still(play: Play, fire: Fire, order: FireOrder, chosen: Targets) -> Targets:
    """What is left of the choice after the others have reacted."""
    if fire.spoiled == RESOLVE or not play.state.units[order.unit].living:
        return chosen
    now = eligible(play, order)
    lost = {target: shots for target, shots in chosen.items() if target not in now}
    if not lost or fire.spoiled == LOSE:
        return {target: shots for target, shots in chosen.items() if target not in lost}
    kept = {target: shots for target, shots in chosen.items() if target not in lost}
    free = tuple((shot.slot, shot.weapon) for shots in lost.values() for shot in shots)
    again = replace(order, weapons=free)
    for target, shots in _choose(play, fire, again, eligible(play, again)).items():
        kept[target] = [*kept.get(target, []), *shots]
    return kept


def firing(shots: Iterable[Shot]) -> tuple[int, ...]:
    """The models behind some shots, each once."""
    return tuple(dict.fromkeys(shot.slot for shot in shots))


def guns_of(play: Play, order: FireOrder) -> list[Gun]:
    """Every ranged weapon of a unit, by its reach: what a plain `Fire` takes as its weapons."""
    held = ((slot, k, w) for slot in play.state.units[order.unit].living for k, w in enumerate(play.game.models[slot].weapons))
    return [Gun(slot, k, weapon.reach) for slot, k, weapon in held if weapon.reach is not None]
