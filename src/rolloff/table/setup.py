"""What a game starts from: edition, switches, table, cards. With a tape it is the whole game."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from rolloff.table.profile import Card

Point = tuple[int, int]


class Terrain(Struct, frozen=True):
    """One piece as its owner described it; lengths in thou. Either a polygon or a disc (x, y, radius).

    A solid piece reaches from ``bottom`` to its height. A part of another piece has that piece's id before a dot.
    """

    id: str
    types: tuple[str, ...]
    polygon: tuple[Point, ...] | None = None
    disc: tuple[int, int, int] | None = None
    height: int = 0
    elevation: int = 0
    solid: bool = False
    name: str = ""
    bottom: int = 0


class Table(Struct, frozen=True):
    """The surface and what stands on it."""

    size: Point = (72_000, 48_000)
    terrain: tuple[Terrain, ...] = ()
    name: str = ""


class Setup(Struct, frozen=True):
    """Everything fixed before the first die."""

    edition: str
    table: Table
    cards: tuple[Card, ...]
    switches: Mapping[str, bool] = field(default_factory=dict)
    mission: str = ""
    points: int = 0
    armies: tuple[str, str] = ("A", "B")
