"""What positions say about an attack: distances, Engagement Range, sight. Without positions a form must say it."""

from __future__ import annotations

from math import sqrt

from rolloff.editions.commentary.lore import Host
from rolloff.geometry.measure import gap, reach, unit_gaps
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.table.state import NOWHERE, TABLE, State

INCH = 1000
EPSILON = 1
"""How much longer than stated a distance may be and still be within it, in thou."""
CONTACT = 10
ENGAGED = "engaged"


class Kept:
    """Distances measured while everybody stands as now."""

    def __init__(self, xy: bytes, owner: bytes) -> None:
        """Remember for which positions."""
        self.xy, self.owner = xy, owner
        self.rows: dict[int, list[float]] = {}
        self.pairs: dict[tuple[int, int], dict[int, float]] = {}


@cites("WITHIN-1")
def within(distance: float, limit: int) -> bool:
    """GEO-5, WITHIN-1: a distance of exactly the limit is within it."""
    return distance <= limit + EPSILON


def placed(state: State, *hosts: Host) -> bool:
    """Whether every model of these units stands somewhere; attached models without a place do not count."""
    return all(any(stands(state, slot) for slot in host.slots) for host in hosts) and all(
        stands(state, slot) for host in hosts for slot in host.slots if slot not in host.guests
    )


def stands(state: State, slot: int) -> bool:
    """Whether a model is on the table."""
    return state.at(slot)[0] != NOWHERE


def _height(state: State, slot: int) -> int:
    return memoryview(state.z).cast("i")[slot]


@cites("GEO-3")
def distance(game: Game, state: State, one: int, other: int) -> float:
    """GEO-3: the distance of two models, between the nearest points of their bases."""
    flat = max(gap(game.scene(state), one, other), 0.0)
    rise = abs(_height(state, one) - _height(state, other))
    return sqrt(flat * flat + rise * rise)


def range_to(game: Game, state: State, slot: int, host: Host) -> float:
    """How far a model is from a unit."""
    if _level(state) and set(host.slots) == set(state.units[host.unit].living):
        return _reaches(game, state, state.owner_of(slot), host)[slot]
    return min(distance(game, state, slot, other) for other in host.slots if stands(state, other))


def _level(state: State) -> bool:
    """Whether everybody stands on the same height."""
    return not any(state.z)


@cites("ER-1")
def engaged(game: Game, state: State, one: int, other: int) -> bool:
    """ER-1: within 1" horizontally and 5" vertically of each other."""
    flat = gap(game.scene(state), one, other)
    return within(flat, INCH) and within(abs(_height(state, one) - _height(state, other)), 5 * INCH)


def touching(game: Game, state: State, one: int, other: int) -> bool:
    """B2B-1: in base contact."""
    return gap(game.scene(state), one, other) <= CONTACT and abs(_height(state, one) - _height(state, other)) <= INCH


def foes_engaged(game: Game, state: State, host: Host) -> tuple[int, ...]:
    """The enemy units within Engagement Range of a unit, by number."""
    side = game.side_of(host.unit)
    found = []
    gaps = _gaps_of(game, state, host)
    for number, unit in enumerate(state.units):
        if game.side_of(number) == side or unit.where != TABLE:
            continue
        if gaps is not None:
            if not within(gaps[number], INCH):
                continue
            if _level(state):
                found.append(number)
                continue
        foes = [slot for slot in unit.living if stands(state, slot)]
        if any(engaged(game, state, slot, foe) for slot in host.slots if stands(state, slot) for foe in foes):
            found.append(number)
    return tuple(found)


def _gaps_of(game: Game, state: State, host: Host) -> list[float] | None:
    """The gaps in plan from a unit to all others, kept while nobody moves; None where parts of it stand apart on paper."""
    if host.slots != state.units[host.unit].living and set(host.slots) != set(state.units[host.unit].living):
        return None
    flown = game.lore.flown
    kept = flown.get("gaps")
    if not isinstance(kept, Kept) or kept.xy is not state.xy or kept.owner is not state.owner:
        kept = flown["gaps"] = Kept(state.xy, state.owner)
    found = kept.rows.get(host.unit)
    if found is None:
        found = kept.rows[host.unit] = unit_gaps(game.scene(state), host.unit)
    return found


def is_engaged(game: Game, state: State, host: Host) -> bool:
    """Whether a unit is within Engagement Range of an enemy: by its mark, or by positions."""
    return state.units[host.unit].mark(ENGAGED) is not None or bool(foes_engaged(game, state, host))


def _reaches(game: Game, state: State, unit: int, host: Host) -> dict[int, float]:
    """How far each model of a unit is from another unit in plan, kept while nobody moves."""
    flown = game.lore.flown
    kept = flown.get("gaps")
    if not isinstance(kept, Kept) or kept.xy is not state.xy or kept.owner is not state.owner:
        kept = flown["gaps"] = Kept(state.xy, state.owner)
    key = unit, host.unit
    found = kept.pairs.get(key)
    if found is None:
        found = kept.pairs[key] = {slot: max(far, 0.0) for slot, far in reach(game.scene(state), unit, host.unit).items()}
    return found


@cites("FGT-5")
def strikers(game: Game, state: State, attacker: Host, target: Host) -> tuple[int, ...]:
    """FGT-5: models within Engagement Range, and those touching a fellow that touches the enemy."""
    own = [slot for slot in attacker.slots if stands(state, slot)]
    foes = [slot for slot in target.slots if stands(state, slot)]
    front = {slot for slot in own if any(touching(game, state, slot, foe) for foe in foes)}
    near = {slot for slot in own if any(engaged(game, state, slot, foe) for foe in foes)}
    second = {slot for slot in own if any(touching(game, state, slot, fellow) for fellow in front - {slot})}
    return tuple(slot for slot in own if slot in near | second)
