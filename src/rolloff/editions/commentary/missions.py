"""Missions as data (MIS-4, G10): zones and markers by table size, and what is scored when."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from rolloff.editions.commentary.ground import MARKER_RADIUS
from rolloff.geometry.moves import Rectangle
from rolloff.identity_cache import IdentityCache
from rolloff.lengths import INCH
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.rules.missions import Missions
from rolloff.table.setup import Setup, Table, Terrain
from rolloff.table.state import State

DEFAULT: Final = "default"
ROLE, ATTACKER, DEFENDER = "role", "attacker", "defender"
POINTS, CARD_POINTS = "vp", "card-vp"
FIRST_SCORED: Final = 2
"""The first round in which anybody scores (MIS-4), by markers or by cards."""


class Map(Struct, frozen=True, forbid_unknown_fields=True):
    """A mission on a table of one size, in inches: the zones of Attacker and Defender, and the middles of its markers."""

    zones: tuple[tuple[float, float, float, float], tuple[float, float, float, float]]
    markers: tuple[tuple[float, float], ...]


class Scoring(Struct, frozen=True, forbid_unknown_fields=True):
    """Points for each marker, table quarter, No Man's Land and the centre; the most in a turn, and by cards in a battle."""

    most: int
    marker: int = 0
    quarter: int = 0
    no_mans_land: int = 0
    centre: int = 0
    cards: int = 0


class Mission(Struct, frozen=True, forbid_unknown_fields=True):
    """One mission."""

    id: str
    name: str
    about: str
    maps: Mapping[str, Map]
    scoring: Scoring


MISSIONS = Missions(Mission, "content/commentary/missions.toml", DEFAULT)


def map_of(setup: Setup) -> Map:
    """The map of a setup's mission for its table; on a table of another size that of the nearest one, stretched."""
    return _map_for(tuple(MISSIONS.of(setup).maps.items()), setup.table.size)


@lru_cache(maxsize=64)
@cites("ARMY-1")
def _map_for(maps: tuple[tuple[str, Map], ...], size: tuple[int, int]) -> Map:
    """ARMY-1: the map on a table of a size, of those for some sizes; a table higher than wide has it lying on its side."""
    width, height = size[0] / INCH, size[1] / INCH
    if height > width:
        return _mapped(_map_for(maps, (size[1], size[0])), lambda x, y: (y, x))
    sizes = [(name.partition("x"), chart) for name, chart in maps]
    known = [(float(wide), float(high), chart) for (wide, _, high), chart in sizes]
    wide, high, chart = min(known, key=lambda one: abs(one[0] * one[1] - width * height))
    return _mapped(chart, lambda x, y: (x * width / wide, y * height / high))


def _mapped(chart: Map, to: Callable[[float, float], tuple[float, float]]) -> Map:
    """A map whose every corner and marker is somewhere else."""
    boxes = [(*to(x0, y0), *to(x1, y1)) for x0, y0, x1, y1 in chart.zones]
    return Map((boxes[0], boxes[1]), tuple([to(x, y) for x, y in chart.markers]))


@cites("MIS-4", "OBJ-1")
def furnish(setup: Setup) -> Table:
    """MIS-4: the table with the markers of its mission; a table that has markers of its own keeps those."""
    table = setup.table
    laid = any("objective" in piece.types for piece in table.terrain)
    if laid or not (setup.mission or setup.points):
        return table
    discs = [(round(x * INCH), round(y * INCH), MARKER_RADIUS) for x, y in map_of(setup).markers]
    pieces = [Terrain(f"objective-{k}", ("objective",), disc=disc) for k, disc in enumerate(discs, 1)]
    return replace(table, terrain=(*table.terrain, *pieces))


@cites("MIS-5")
def defends(state: State, side: int) -> bool:
    """Whether a side is the Defender; where nobody rolled off, the first is the Attacker."""
    mine = state.side_mark(side, ROLE)
    if mine is not None:
        return mine == DEFENDER
    other = state.side_mark(1 - side, ROLE)
    return side == 1 if other is None else other != DEFENDER


def zone_of(game: Game, state: State, side: int) -> Rectangle:
    """MIS-5: the deployment zone of a side, by its role."""
    return zones_of(game.setup)[defends(state, side)]


_zones: IdentityCache[Setup, tuple[Rectangle, Rectangle]] = IdentityCache(64)
"""The zones of setups met lately."""


def zones_of(setup: Setup) -> tuple[Rectangle, Rectangle]:
    """MIS-5: the deployment zones of the Attacker and the Defender, those of the map."""
    found = _zones.get(setup)
    if found is None:
        chart = map_of(setup)
        found = _zones.put(setup, (_in_thou(chart.zones[0]), _in_thou(chart.zones[1])))
    return found


def _in_thou(box: tuple[float, float, float, float]) -> Rectangle:
    x0, y0, x1, y1 = box
    return round(x0 * INCH), round(y0 * INCH), round(x1 * INCH), round(y1 * INCH)


def score(game: Game, state: State) -> tuple[int, int]:
    """The victory points of both players."""
    a, b = (int(state.side_mark(side, POINTS) or 0) for side in (0, 1))
    return a, b
