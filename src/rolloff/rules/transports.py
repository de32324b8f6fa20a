"""Transports: who fits aboard, getting in and out, and what becomes of those inside when the hull is gone."""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from rolloff.geometry.field import Scene
from rolloff.geometry.moves import Code, Hub, Zone
from rolloff.geometry.place import lawful_place, muster, with_standing
from rolloff.geometry.ringing import muster_around
from rolloff.rules.answers import Placement
from rolloff.rules.component import Component
from rolloff.rules.deployment import SetUp, clear_place, set_down
from rolloff.rules.losses import Fallen, lose
from rolloff.rules.moves import Refusals, Setting, ask_place
from rolloff.table.event import Placed, Went
from rolloff.table.state import TABLE, State

if TYPE_CHECKING:
    from rolloff.rules.game import Game
    from rolloff.rules.play import Play

Where = tuple[int, tuple[int, int], int]
"""A hull where it stands or stood: its slot, its place and its facing."""


class Transports(Component, frozen=True):
    """How a rulebook carries units: room, who takes whom, and where units are set down that get out.

    ``room`` is in models, ``takes`` says whether a unit is of the kind, ``ground`` is the zone of a placing but for the hull,
    ``leave`` how far from it, ``wholly`` whether bases stand wholly within that; ``beside`` gives another distance for units
    whose models are too large for one, whose bases then come within that of the hull, by the clause ``nearer``. ``boarding``
    and ``leaving`` are clauses; ``set_down`` is the event of who gets out of a hull that is lost, which ``stays`` until they
    are out, or is gone before.
    """

    room: Callable[[Game, State, int], int]
    takes: Callable[[Game, State, int, int], bool]
    ground: Callable[[Play, int], Zone]
    leave: int
    boarding: str
    leaving: str
    refusals: Refusals
    wholly: bool = True
    point: str = ""
    set_down: str = "disembarked"
    beside: Callable[[Game, State, int, int], int | None] | None = None
    nearer: str = ""
    stays: bool = True


def transports_of(game: Game) -> Transports:
    """How units are carried in a game."""
    found = game.edition.transports
    assert found is not None, f"{game.edition.id} has no transports"
    return found


def passengers(state: State, transport: int) -> tuple[int, ...]:
    """The units aboard."""
    return tuple([number for number, unit in enumerate(state.units) if unit.where == transport])


def fits(game: Game, state: State, unit: int, transport: int) -> bool:
    """Whether a unit is of the kind a transport takes, and there is room for all of it."""
    law = transports_of(game)
    room = law.room(game, state, transport) - len(state.units[unit].living)
    if room < 0 or not law.takes(game, state, unit, transport):
        return False
    return sum(len(state.units[other].living) for other in passengers(state, transport)) <= room


def board(play: Play, unit: int, transport: int, *clauses: str) -> None:
    """A whole unit gets in."""
    play.emit("embarked", clauses, Went(unit, transport), unit=unit, transport=transport)


def hull_of(play: Play, transport: int) -> Where:
    """Where a transport stands now."""
    slot = play.state.units[transport].living[0]
    return slot, play.state.at(slot), play.state.facing_of(slot)


def around(play: Play, unit: int, hull: Where, distance: int) -> Zone:
    """The ground about a hull on which a unit may be set down."""
    slot, (x, y), facing = hull
    law = transports_of(play.game)
    z: int = struct.unpack_from("<i", play.state.z, 4 * slot)[0]
    beside = law.beside(play.game, play.state, unit, distance) if law.beside else None
    near, wholly = (distance, law.wholly) if beside is None else (beside, False)
    return replace(law.ground(play, unit), hub=Hub(x, y, facing, play.game.field.bases[slot], near, wholly, z))


def words_for(play: Play, unit: int, distance: int, clause: str = "") -> Refusals:
    """The words of refusals for a unit that gets out: how far away it may be is said by a clause, if not by its size."""
    law = transports_of(play.game)
    large = law.beside is not None and law.beside(play.game, play.state, unit, distance) is not None
    clause = law.nearer if large else clause
    return {**law.refusals, Code.TOO_FAR: (clause, law.refusals[Code.TOO_FAR][1])} if clause else law.refusals


def leave(play: Play, unit: int, transport: int) -> bool:
    """A unit gets out and is set down by its hull; False if there is no room, and it stays in."""
    law = transports_of(play.game)
    hull = hull_of(play, transport)
    zone = around(play, unit, hull, law.leave)
    x, y = hull[1]
    where = SetUp(zone, x, y, law.leaving, point=law.point, kind="disembarked")
    return set_down(play, unit, where, words_for(play, unit, law.leave), _along_the_hull)


def _along_the_hull(play: Play, unit: int, where: SetUp) -> Placement | None:
    """Room for a unit in ranks along the sides of its hull, which need not stand square to the table."""
    scene, slots = play.scene, tuple(sorted(play.state.units[unit].living))
    return clear_place(play, unit, where.zone, scene, bytes(2 * len(slots)), partial(muster_around, scene, slots))


def spilled(distances: tuple[int, ...], *clauses: str) -> Callable[[Play, Fallen], None]:
    """What `Losses` do for the passengers of a unit that is gone: they `escape` from where it stood."""

    def spill(play: Play, fallen: Fallen) -> None:
        for unit in passengers(play.state, fallen.unit):
            escape(play, unit, fallen.hulls[0], distances, *clauses)

    return spill


def escape(
    play: Play, unit: int, hull: Where, distances: tuple[int, ...], *clauses: str, point: str = "", further: str = ""
) -> int:
    """Passengers of a hull that is lost are set down within the first distance that has room for all; who finds none is lost.

    Gives the distance within which they stand, in thou. The first clause is that of the request; ``further`` that of greater
    distances.
    """
    law = transports_of(play.game)
    standing, everybody = (hull,) if law.stays else (), len(play.state.units[unit].living)
    for distance in distances:
        if further and distance != distances[0]:
            clauses = (further,)
        zone = around(play, unit, hull, distance)
        while play.state.units[unit].living:
            slots = tuple(sorted(play.state.units[unit].living))
            scene = with_standing(play.scene, standing)
            search = partial(_muster_by, scene, slots, hull[1])
            default = clear_place(play, unit, zone, scene, bytes(2 * len(slots)), search)
            if default is not None:
                words = words_for(play, unit, distance, further if clauses == (further,) else "")
                owner = play.game.side_of(unit)
                setting = Setting(slots, zone, standing=standing)
                patch = ask_place(play, owner, unit, setting, default, clauses[0], words, point)
                closer = distances[: distances.index(distance)] if len(slots) == everybody else ()
                within = [d for d in closer if _stands(scene, patch, around(play, unit, hull, d))]
                play.emit(law.set_down, clauses, Went(unit, TABLE), patch, unit=unit)
                return within[0] if within else distance
            if distance != distances[-1]:
                break
            lose(play, "lost", clauses[:1], unit, slots[-1:], models=slots[-1:])
            zone = around(play, unit, hull, distance)
    return distances[-1]


def _muster_by(scene: Scene, slots: tuple[int, ...], spot: tuple[int, int], zone: Zone) -> bytes | None:
    """Room for models in rows about a spot, or in ranks along the hull of the zone."""
    return muster(scene, slots, zone, *spot) or muster_around(scene, slots, zone)


def _stands(scene: Scene, patch: Placed, zone: Zone) -> bool:
    """Whether models set down somewhere stand lawfully in a zone."""
    return lawful_place(scene, patch.slots, zone, patch.xy, patch.facing).legal
