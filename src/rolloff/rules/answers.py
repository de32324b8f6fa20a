"""Answers as people and programs write them, and as rules take them.

A move is ``"stay"``, ``{"shift": [dx, dy]}`` or a path for each model that moves, ``{"a1.1": [[x, y], ...]}``;
a third number in a point is the facing after reaching it; four are x, y, the height and the facing (null: as before).
A placement is ``{"a1.1": [x, y]}``, ``[x, y, facing]`` or ``[x, y, z, facing]``, a point ``[x, y]``. Any other answer is a
word, a number, yes or no, or a list of those. Lengths
are inches and angles degrees on the outside, thou and tenths inside.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rolloff.errors import BadInput, IllegalCommand
from rolloff.geometry.moves import STAY, UNSAID, March, Order, Shift, Stay
from rolloff.lengths import LengthError, degrees, inches, to_degrees, to_inches
from rolloff.rules.game import Game
from rolloff.rules.play import SIDES
from rolloff.table.request import Request, Talk
from rolloff.table.state import NOWHERE, State

MOST_POINTS = 200
"""A path may have this many points."""

UNTURNED = -1
"""The facing of a pose that does not turn the model."""

MOVE = "move"
PLACE = "place"
POINT = "point"

Pose = tuple[int, int, int]


class Spot(Struct, frozen=True, gc=False):
    """A point on the table, in thou."""

    x: int
    y: int


class ByWay(Struct, frozen=True):
    """The order of a choice among lengths that whoever writes answers down may also answer by the way itself."""


class Placement(Struct, frozen=True, gc=False):
    """Where models are set down: for each slot its position ('<2i') and facing ('<h'), as in the state."""

    slots: tuple[int, ...]
    xy: bytes
    facings: bytes
    levels: bytes = b""

    @classmethod
    def of(cls, spots: Mapping[int, Pose]) -> Placement:
        """Pack places (x, y, facing) given by slot, in the order given."""
        xy = b"".join(struct.pack("<2i", x, y) for x, y, _ in spots.values())
        return cls(tuple(spots), xy, b"".join(struct.pack("<h", facing) for _, _, facing in spots.values()))

    def spots(self) -> dict[int, Pose]:
        """The places by slot."""
        places = zip(struct.iter_unpack("<2i", self.xy), struct.iter_unpack("<h", self.facings), strict=True)
        return {slot: (x, y, facing) for slot, ((x, y), (facing,)) in zip(self.slots, places, strict=True)}


AMONG = "among"
"""The fact of a placing that names everybody who may be placed, where its owner picks up to so many as it proposes."""


def movers(state: State, request: Request) -> tuple[int, ...]:
    """The slots a move request is about, ascending: those it names, else the unit's models on the table."""
    order = request.order
    if isinstance(order, Order) and order.slots:
        return tuple(sorted(order.slots))
    unit = order.unit if isinstance(order, Order) else request.about
    if not 0 <= unit < len(state.units):
        return ()
    return tuple(sorted(slot for slot in state.units[unit].living if state.at(slot)[0] != NOWHERE))


def placing(state: State, request: Request) -> dict[int, int]:
    """The facing each model that is placed has unless its owner names another, in the order of its slots."""
    if isinstance(request.default, Placement):
        return {slot: facing for slot, (_, _, facing) in request.default.spots().items()}
    living = state.units[request.about].living if 0 <= request.about < len(state.units) else ()
    return {slot: state.facing_of(slot) for slot in living}


def _shown(value: object) -> object:
    return value if isinstance(value, str | int | float | bool | None) else repr(value)[:80]


def _bad(request: Request, value: object, allowed: str) -> IllegalCommand:
    message = f"{_shown(value)!r} is no answer to {request.kind}: it takes {allowed}"
    return IllegalCommand("bad-answer", request.clause, message, _shown(value))


def _length(request: Request, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _bad(request, value, "lengths in inches")
    try:
        return inches(value)  # GEO-1
    except LengthError as error:
        raise BadInput("bad-number", f"answers: {error}", where="answers", allowed='at most 1000"') from None


def _angle(request: Request, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _bad(request, value, "a facing in degrees")
    try:
        return degrees(value)
    except LengthError as error:
        raise BadInput("bad-number", f"answers: {error}", where="answers", allowed="degrees") from None


def _pose(request: Request, value: object, unturned: int) -> tuple[int, int, int]:
    if not isinstance(value, list | tuple) or len(value) not in (2, 3, 4):
        raise _bad(request, value, "points [x, y], [x, y, facing] or [x, y, z, facing]")
    facing = _angle(request, value[-1]) if len(value) > 2 and value[-1] is not None else unturned
    return _length(request, value[0]), _length(request, value[1]), facing


def _levels(request: Request, slots: tuple[int, ...], ends: Mapping[int, Any]) -> bytes:
    """The heights at which models end, where points say so: four numbers, the third of which it is; nothing if none does."""
    said = {slot: _length(request, end[2]) for slot, end in ends.items() if len(end) == 4}
    return struct.pack(f"<{len(slots)}i", *(said.get(slot, UNSAID) for slot in slots)) if said else b""


def _heights(request: Request, ways: Sequence[Sequence[Any]]) -> bytes:
    """The heights of the points of some paths before their ends, where one of them says any."""
    if not any(len(point) == 4 for way in ways for point in way[:-1]):
        return b""
    said = [
        _length(request, point[2]) if len(point) == 4 and k < len(way) else UNSAID
        for way in ways
        for k, point in enumerate(way, 1)
    ]
    return struct.pack(f"<{len(said)}i", *said)


def _slot(game: Game, request: Request, name: object) -> int:
    if isinstance(name, str) and name in game.slots:
        return game.slots[name]
    raise IllegalCommand("unknown-model", request.clause, f"there is no model {name!r}", _shown(name))


def _read_move(game: Game, state: State, request: Request, value: object) -> Stay | Shift | March:
    if value == "stay":
        return STAY
    if not isinstance(value, dict):
        raise _bad(request, value, '"stay", {"shift": [dx, dy]} or a path for each model')
    if set(value) == {"shift"}:
        step = value["shift"]
        if not isinstance(step, list | tuple) or len(step) != 2:
            raise _bad(request, value, '"shift" with two lengths [dx, dy]')
        return Shift(_length(request, step[0]), _length(request, step[1]))
    slots = movers(state, request)
    paths: dict[int, list[tuple[int, ...]]] = {}
    for name, path in value.items():
        slot = _slot(game, request, name)
        if slot not in slots:
            raise IllegalCommand("wrong-model", request.clause, f"{name} is not among the models that move", name)
        if not isinstance(path, list | tuple) or not 1 <= len(path) <= MOST_POINTS:
            raise _bad(request, path, f"a path of 1 to {MOST_POINTS} points")
        paths[slot] = [_pose(request, point, UNTURNED) for point in path]
    given = {game.slots[name]: path for name, path in value.items()}
    levels = _levels(request, slots, {slot: path[-1] for slot, path in given.items()})
    heights = _heights(request, [given[slot] for slot in slots if slot in given])
    if heights and not levels:
        levels = struct.pack("<i", UNSAID) * len(slots)
    return replace(March.of(slots, paths), levels=levels, heights=heights)


def _read_place(game: Game, state: State, request: Request, value: object) -> Placement:
    if not isinstance(value, dict):
        raise _bad(request, value, "a place [x, y] for each model")
    given = {_slot(game, request, name): spot for name, spot in value.items()}
    facings = placing(state, request)
    among = dict(request.facts).get(AMONG)
    if (
        isinstance(among, tuple)
        and given
        and {*given} <= {game.slots[str(name)] for name in among}
        and len(given) <= len(facings)
    ):
        facings = {slot: state.facing_of(slot) for slot in sorted(given)}  # the owner picks whom he places
    if set(given) != set(facings):
        others = [game.models[slot].id for slot in sorted(set(given) ^ set(facings))]
        message = f"every model that is placed, and no other, needs a place: {', '.join(others[:5])}"
        raise IllegalCommand("wrong-model", request.clause, message, others[0])
    found = Placement.of({slot: _pose(request, given[slot], facing) for slot, facing in facings.items()})
    return replace(found, levels=_levels(request, found.slots, given))


def _read_point(request: Request, value: object) -> Spot:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise _bad(request, value, "a point [x, y]")
    return Spot(_length(request, value[0]), _length(request, value[1]))


def _read_plain(request: Request, value: object) -> object:
    if isinstance(value, list | tuple):
        return tuple(_read_plain(request, item) for item in value)
    if isinstance(value, str | int | float | bool) or value is None:
        return value
    raise _bad(request, value, "a word, a number or a list of those")


def read_answer(game: Game, state: State, request: Request, value: Any) -> object:
    """What rules take, from what was written.

    Raises:
        IllegalCommand: it is no answer to this kind of request.
        BadInput: a number in it means nothing on a table.
    """
    if request.kind == MOVE:
        return _read_move(game, state, request, value)
    if request.kind == PLACE:
        return _read_place(game, state, request, value)
    if request.kind == POINT:
        return _read_point(request, value)
    return _read_plain(request, value)


def _point(x: int, y: int, facing: int, shown: bool) -> list[float]:
    spot = [to_inches(x), to_inches(y)]
    return [*spot, to_degrees(facing)] if shown else spot


def _with_levels(game: Game, slots: tuple[int, ...], levels: bytes, written: dict[str, Any]) -> dict[str, Any]:
    """Written ends with their heights, where they have one: x, y, z, facing."""
    for slot, level in zip(slots, struct.unpack(f"<{len(levels) // 4}i", levels), strict=False):
        name = game.models[slot].id
        if level != UNSAID and name in written:
            path = written[name] if isinstance(written[name][0], list) else [written[name]]
            x, y, *turn = path[-1]
            path[-1] = [x, y, to_inches(level), turn[0] if turn else None]
            written[name] = path if isinstance(written[name][0], list) else path[0]
    return written


def _write_march(game: Game, slots: tuple[int, ...], march: March) -> dict[str, Any]:
    said = march.heights_by(slots) if march.heights else {}
    written = {}
    for slot, path in march.paths(slots).items():
        points: list[list[float | None]] = [[*_point(x, y, facing, facing != UNTURNED)] for x, y, facing in path]
        for k, z in enumerate(said.get(slot, ())):
            if z != UNSAID:
                x, y, *turn = points[k]
                points[k] = [x, y, to_inches(z), turn[0] if turn else None]
        if points:
            written[game.models[slot].id] = points
    return written


def write_answer(game: Game, state: State, request: Request, value: object) -> Any:
    """What people and programs read, from what rules take; `read_answer` reads it back as the same."""
    match value:
        case Stay():
            return "stay"
        case Shift(dx=dx, dy=dy):
            return {"shift": [to_inches(dx), to_inches(dy)]}
        case March():
            slots = movers(state, request)
            return _with_levels(game, slots, value.levels, _write_march(game, slots, value))
        case Placement():
            written = {game.models[slot].id: _point(*spot, shown=True) for slot, spot in value.spots().items()}
            return _with_levels(game, value.slots, value.levels, written)
        case Spot(x=x, y=y):
            return [to_inches(x), to_inches(y)]
        case tuple() | list():
            return [write_answer(game, state, request, item) for item in value]
        case _:
            return value


def write_talk(talk: Talk) -> dict[str, Any]:
    """What was said instead of an answer, as it is written down."""
    return {"who": SIDES[talk.who], "name": talk.name, "said": dict(talk.said)}


SPEAKING = ("by", "side")
"""The words under which what is said names whose it is."""


def speaker(said: Mapping[str, Any]) -> int:
    """The side whose it is what was said; `BadInput` if none is named."""
    by = next((said[word] for word in SPEAKING if word in said), None)
    if by not in SIDES:
        raise BadInput("bad-side", f"by: {by!r} is no side", where="by", allowed="A or B")
    return SIDES.index(by)


def read_talk(value: Any) -> Talk:
    """What was said instead of an answer; `BadInput` if it is written wrongly."""
    match value:
        case {"who": "A" | "B" as who, "name": str(name), "said": dict(said)} if len(value) == 3:
            if any(said.get(word, who) != who for word in SPEAKING):
                raise BadInput("bad-side", f"side {who} speaks for itself alone", where="by", allowed=who)
            return Talk(SIDES.index(who), name, said)
    allowed = '{"who": "A", "name": "dispute", "said": {...}}'
    raise BadInput("bad-talk", "this is nothing a player could say", where="talk", allowed=allowed)
