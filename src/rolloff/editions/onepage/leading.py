"""Leaders (UNIT-6): where an edition sees, measures and takes cover by the leader and the unit, not model by model."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import product

from rolloff.editions.onepage.lookups import index_of
from rolloff.geometry.field import COVER, ELEVATION, IMPASSABLE, Place
from rolloff.geometry.footprints import bases_of, shape_gap, shape_of
from rolloff.geometry.measure import nearest
from rolloff.geometry.plain.measure import Stand
from rolloff.geometry.sight import Eye, Mode, Sight, aims, sees, watch
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.rules.losses import Fallen
from rolloff.rules.play import Play
from rolloff.table.event import ModelMarked
from rolloff.table.state import TABLE, State, Value

LEADER = "leader"
"""The mark of a unit's leader."""


@cites("UNIT-6")
def leader_of(game: Game, state: State, unit: int) -> int:
    """UNIT-6: the model that is marked, else a Hero, else the first that lives."""
    return _leader_among(game, state, state.units[unit].living)


def _leader_among(game: Game, state: State, slots: Sequence[int]) -> int:
    """The model of these that is marked, else a Hero, else the first."""
    leaders = marked(state.models)
    for slot in slots:
        if slot in leaders:
            return slot
    lookups = index_of(game)
    return next((slot for slot in slots if "Hero" in lookups.fighters[slot].rules), slots[0])


@lru_cache(maxsize=64)
def marked(marks: tuple[tuple[int, str, Value], ...]) -> frozenset[int]:
    """The models that are marked as leaders, among all marks there are."""
    return frozenset(slot for slot, name, _ in marks if name == LEADER)


@cites("UNIT-6", "DEPLOY-7")
def name_leader(play: Play, unit: int, clauses: tuple[str, ...], slot: int, point: str) -> None:
    """UNIT-6: the owner names the leader of a unit; ``slot`` unless he says otherwise."""
    living, game = play.state.units[unit].living, play.game
    options = tuple(game.models[k].id for k in living)
    answer = play.choose(
        game.side_of(unit), "choose-option", "UNIT-6", options, game.models[slot].id, unit, point, purpose="leader"
    )
    chosen = game.slots[str(answer)]
    before = sorted(k for k in marked(play.state.models) if k != chosen and owned(play, k, unit))
    patches = [ModelMarked(k, LEADER, None) for k in before]
    play.emit("leader-named", clauses, *patches, ModelMarked(chosen, LEADER, 1), unit=unit, model=chosen)


def owned(play: Play, slot: int, unit: int) -> bool:
    """Whether a model is, or was to its end, one of a unit's."""
    (owner,) = struct.unpack_from("<h", play.state.owner, 2 * slot)
    return bool(owner == unit)


@cites("UNIT-6")
def succeed(play: Play, fallen: Fallen) -> None:
    """UNIT-6: a leader that is gone is followed at once by another; unasked by the survivor nearest to where it stood."""
    living, stood = play.state.units[fallen.unit].living, {slot: spot for slot, spot, _ in fallen.hulls}
    leader = _leader_among(play.game, play.state, tuple(stood))
    if leader not in living:
        x, y = stood[leader]
        spots = {slot: play.state.at(slot) for slot in living}
        nearest = min(living, key=lambda slot: ((spots[slot][0] - x) ** 2 + (spots[slot][1] - y) ** 2, slot))
        name_leader(play, fallen.unit, ("UNIT-6",), nearest, "DP-25")


@cites("TERR-FOOT-2", "TERR-FOOT-5")
def within(play: Play, unit: int) -> list[Place]:
    """TERR-FOOT-2, TERR-FOOT-5: the pieces a unit is within: all those its leader's base centre is in."""
    living = play.state.units[unit].living
    if not living:
        return []
    scene, leader = play.scene, leader_of(play.game, play.state, unit)
    found: list[Place] | None = play.measured.get(("within", leader))
    if found is None:
        x, y = play.state.at(leader)
        found = [place for place in scene.field.ground.places if enterable(place) and place.contains(x, y)]
        play.measured["within", leader] = found
    return found


@cites("TERR-GEN-3")
def enterable(place: Place) -> bool:
    """TERR-GEN-3: pieces are shapes that units move into; impassable ones nobody enters."""
    return not place.kinds & IMPASSABLE


@cites("TERR-FOOT-1", "TERR-FOOT-3", "MEAS-8")
def shape(play: Play, unit: int) -> tuple[Stand, ...]:
    """TERR-FOOT-1, MEAS-8: what a unit is measured by: its bases, or the outline of what it is within."""
    return shape_of(within(play, unit)) or bases_of(play.scene, play.state.units[unit].living)


@cites("SHOOT-5")
def unit_range(play: Play, unit: int, target: int) -> float:
    """SHOOT-5: one distance for the unit, from its nearest model to the nearest of the target; outlines stand for units."""
    if within(play, unit) or within(play, target):
        key = "range", leader_of(play.game, play.state, unit), leader_of(play.game, play.state, target)
        found: float | None = play.measured.get(key)
        if found is None:
            found = play.measured[key] = shape_gap(shape(play, unit), shape(play, target))
        return found
    return float(nearest(play.scene, unit, target).gap)


@cites("LOS-1", "SHOOT-4", "LOS-9")
def leader_sees(play: Play, mode: Mode, unit: int, target: int) -> bool:
    """LOS-1, SHOOT-4: if the leader sees a model of the target, the whole unit does."""
    mode = past_those_within(play, mode)
    if within(play, unit) or within(play, target):
        return seen_across(play, mode, unit, target)
    leader = leader_of(play.game, play.state, unit)
    return watch(play.scene, mode, unit, target, (leader,))[leader] >= 0


@cites("LOS-11")
def past_those_within(play: Play, mode: Mode) -> Mode:
    """LOS-11: models of a unit within a piece block nobody's sight, wherever they are drawn."""
    hidden: tuple[int, ...] | None = play.measured.get("all within")
    if hidden is None:
        hidden = tuple(k for k, held in enumerate(play.state.units) if held.where == TABLE and within(play, k))
        play.measured["all within"] = hidden
    return mode._replace(ignored=(*mode.ignored, *hidden)) if hidden else mode


@cites("LOS-11")
def seen_across(play: Play, mode: Mode, unit: int, target: int) -> bool:
    """LOS-11: lines start and end anywhere in the outlines; those pieces do not block, and shapes that meet see each other."""
    if unit_range(play, unit, target) <= 0.0:
        return True
    ours, theirs = within(play, unit), within(play, target)
    mode = _through(play, mode, (*ours, *theirs))
    eye = _eye(play, unit, ours)
    return (
        sees(play.scene, mode, eye, _eye(play, target, theirs)).visible if theirs else aims(play.scene, mode, eye, target) >= 0
    )


def _through(play: Play, mode: Mode, places: Iterable[Place]) -> Mode:
    """Pieces that stand for units do not block their sight."""
    return mode._replace(clear=(*mode.clear, *_parts(play, places)))


@cites("LOS-11")
def look(play: Play, mode: Mode, viewers: Sequence[int], seen: Sequence[int]) -> Sight:
    """LOS-11: how one of some models of a unit sees one of another's, with evidence; outlines stand for units within."""
    unit, target = (play.state.owner_of(slots[0]) for slots in (viewers, seen))
    ours, theirs = within(play, unit), within(play, target)
    shapes = (shape_of(places) or bases_of(play.scene, slots) for places, slots in ((ours, viewers), (theirs, seen)))
    if (ours or theirs) and shape_gap(*shapes) <= 0.0:
        return Sight(True)
    mode = _through(play, past_those_within(play, mode), (*ours, *theirs))
    eyes = [(_eye(play, unit, ours),) if ours else viewers, (_eye(play, target, theirs),) if theirs else seen]
    return best_look(play, mode, *eyes)


def best_look(play: Play, mode: Mode, ours: Sequence[int | Eye], theirs: Sequence[int | Eye]) -> Sight:
    """The first clear line from one of ours to one of theirs, else what blocks the last."""
    found = Sight(False)
    for a, b in product(ours, theirs):
        found = sees(play.scene, mode, a, b)
        if found.visible:
            break
    return found


def _eye(play: Play, unit: int, places: list[Place]) -> Eye:
    """The leader's base, or the outlines that stand for it; centre, ground and height are the leader's."""
    numbers = {id(place): k for k, place in enumerate(play.game.field.ground.places)} if places else {}
    return Eye(leader_of(play.game, play.state, unit), pieces=tuple(numbers[id(place)] for place in places))


def _parts(play: Play, places: Iterable[Place]) -> tuple[int, ...]:
    """The numbers of some pieces; the parts of a piece are one."""
    stems = {place.id.partition(".")[0] for place in places}
    return tuple(k for k, place in enumerate(play.game.field.ground.places) if place.id.partition(".")[0] in stems)


@cites("TERR-FOOT-3", "TERR-FOOT-4")
def closed_to(play: Play, unit: int) -> bytes:
    """TERR-FOOT-3, TERR-FOOT-4: a flag for each piece an enemy of the unit is within: it may not be entered."""
    side, ground = play.game.side_of(unit), play.game.field.ground
    enemies = [k for k in play.game.units_of[1 - side] if play.state.units[k].where == TABLE]
    taken = {id(place) for k in enemies for place in within(play, k)}
    return bytes(id(place) in taken for place in ground.places) if taken else b""


@cites("TERR-COVER-3")
def led_into_cover(play: Play, target: int) -> tuple[str, ...]:
    """TERR-COVER-3: a unit within a piece of cover has it, whoever shoots; standing behind it gives nothing."""
    return ("TERR-COVER-3",) if any(place.kinds & COVER for place in within(play, target)) else ()


@cites("ELEV-4")
def led_onto_heights(play: Play, target: int) -> tuple[str, ...]:
    """ELEV-4: units within a piece of elevation count as in cover against all shooting."""
    return ("ELEV-4",) if any(place.kinds & ELEVATION for place in within(play, target)) else ()


@cites("ELEV-3", "ELEV-1")
def led_uphill(play: Play, unit: int, target: int) -> bool:
    """ELEV-3: whether a unit assaults one within a piece of elevation that it is not within itself."""
    ours = within(play, unit)
    return any(place.kinds & ELEVATION for place in within(play, target) if place not in ours)
