"""Transports: who fits aboard, getting in and out, and what becomes of those inside when the hull is gone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from rolloff.geometry.moves import Coherency, Hub, Zone
from rolloff.geometry.place import muster
from rolloff.rules.answers import Placement
from rolloff.rules.deployment import SetUp, set_down
from rolloff.rules.movement import movement_of
from rolloff.rules.moves import Refusals, Setting, ask_place, with_standing
from rolloff.table.event import Removed, Went
from rolloff.table.state import TABLE, State

if TYPE_CHECKING:
    from rolloff.rules.game import Game
    from rolloff.rules.play import Play

Where = tuple[int, tuple[int, int], int]
"""A hull where it stands or stood: its slot, its place and its facing."""


class Transports(Struct, frozen=True):
    """How a rulebook carries units: room, who takes whom, how near to board and to be set down, and what to keep away from.

    ``room`` is in models, ``takes`` says whether a unit is of the kind, ``keep`` gives the gap codes of a placing, ``wholly``
    whether bases stand wholly within ``leave``. ``boarding`` and ``leaving`` are clauses. ``beside`` gives another distance for
    units whose models cannot stand wholly within it: their bases then come within that of the hull.
    """

    room: Callable[[Game, State, int], int]
    takes: Callable[[Game, State, int, int], bool]
    keep: Callable[[Play, int], bytes]
    coherency: Callable[[Game, State, int], Coherency]
    barred: Callable[[Game, State, int], bytes]
    leave: int
    boarding: str
    leaving: str
    refusals: Refusals
    wholly: bool = True
    point: str = ""
    beside: Callable[[Game, State, int], int | None] | None = None


def transports_of(game: Game) -> Transports:
    """How units are carried in a game."""
    found = game.edition.transports
    assert found is not None, f"{game.edition.id} has no transports"
    return found


def passengers(state: State, transport: int) -> tuple[int, ...]:
    """The units aboard."""
    return tuple(number for number, unit in enumerate(state.units) if unit.where == transport)


def fits(game: Game, state: State, unit: int, transport: int) -> bool:
    """Whether a unit is of the kind a transport takes, and there is room for all of it."""
    law = transports_of(game)
    aboard = sum(len(state.units[other].living) for other in passengers(state, transport))
    return law.takes(game, state, unit, transport) and aboard + len(state.units[unit].living) <= law.room(
        game, state, transport
    )


def board(play: Play, unit: int, transport: int, *clauses: str) -> None:
    """A whole unit gets in."""
    play.emit("embarked", clauses, Went(unit, transport), unit=unit, transport=transport)


def hull_of(play: Play, transport: int) -> Where:
    """Where a transport stands now."""
    slot = play.state.units[transport].living[0]
    return slot, play.state.at(slot), play.state.facing_of(slot)


def around(play: Play, unit: int, hull: Where, distance: int) -> Zone:
    """The ground about a hull on which a unit may be set down."""
    law = transports_of(play.game)
    slot, (x, y), facing = hull
    beside = law.beside(play.game, play.state, unit) if law.beside else None
    near, wholly = (distance, law.wholly) if beside is None else (beside, False)
    hub = Hub(x, y, facing, play.game.field.bases[slot], near, wholly)
    barred = law.barred(play.game, play.state, unit)
    keep, together = law.keep(play, unit), law.coherency(play.game, play.state, unit)
    return Zone(keep, together, hub=hub, barred=barred, leeway=movement_of(play).leeway)


def leave(play: Play, unit: int, transport: int) -> bool:
    """A unit gets out and is set down by its hull; False if there is no room, and it stays in."""
    law = transports_of(play.game)
    hull = hull_of(play, transport)
    zone = around(play, unit, hull, law.leave)
    x, y = hull[1]
    return set_down(play, unit, SetUp(zone, x, y, law.leaving, point=law.point, kind="disembarked"), law.refusals)


def escape(play: Play, unit: int, hull: Where, distances: tuple[int, ...], clause: str, point: str = "") -> int:
    """Passengers of a hull that is lost are set down within the first distance that has room for all; who finds none is lost.

    The hull is taken off only when they are out. Gives the distance that was used, in thou.
    """
    law = transports_of(play.game)
    for last, distance in ((k + 1 == len(distances), d) for k, d in enumerate(distances)):
        while play.state.units[unit].living:
            slots = tuple(sorted(play.state.units[unit].living))
            zone = around(play, unit, hull, distance)
            found = muster(with_standing(play.scene, (hull,)), slots, zone, *hull[1])
            if found is not None:
                owner = play.game.side_of(unit)
                default = Placement(slots, found, bytes(2 * len(slots)))
                patch = ask_place(
                    play, owner, unit, Setting(slots, zone, standing=(hull,)), default, clause, law.refusals, point
                )
                play.emit("disembarked", (clause,), Went(unit, TABLE), patch, unit=unit)
                return distance
            if not last:
                break
            play.emit("lost", (clause,), Removed(slots[-1], unit), unit=unit, models=(slots[-1],))
    return distances[-1]
