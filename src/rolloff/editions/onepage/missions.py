"""Missions: the one by the book (SCORE) and three optional ones, which change the score and the setting up alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct, field

from rolloff.editions.onepage.army_rules import check_army
from rolloff.editions.onepage.morale import PINNED
from rolloff.editions.onepage.rounds import points_of
from rolloff.editions.onepage.rounds import score as by_the_book
from rolloff.errors import ArmyError, BadInput
from rolloff.geometry.shapes import core
from rolloff.lengths import INCH
from rolloff.rules import objectives
from rolloff.rules.army_law import ArmyLaw
from rolloff.rules.citing import cites
from rolloff.rules.deployment import EDGES, strip
from rolloff.rules.edition import Marker
from rolloff.rules.game import Game
from rolloff.rules.missions import Missions
from rolloff.rules.objectives import Objectives, Spot, held_by
from rolloff.rules.templates import models_near
from rolloff.table.setup import Setup, Table
from rolloff.table.state import TABLE, State, Unit

BY_THE_BOOK: Final = "by-the-book"
LEEWAY: Final = 10
"""MEAS-5: what "within" forgives, in thou."""
SIZE: Final = (72 * INCH, 48 * INCH)  # TABLE-1


class Mission(Struct, frozen=True, forbid_unknown_fields=True):
    """One mission: markers (as shares of the table), a depth to break into, or shares of the points for each side."""

    name: str
    about: str
    markers: tuple[tuple[float, float], ...] = ()
    marker_share: float = 0.0
    marker_reach: float = 0.0
    depth: float = 0.0
    shares: tuple[float, float] = (1.0, 1.0)
    fortified: bool = False
    switches: Mapping[str, bool] = field(default_factory=dict)


MISSIONS = Missions(Mission, "content/onepage/missions.toml", BY_THE_BOOK)


def score(game: Game, state: State) -> tuple[int, int]:
    """Each player's points by the mission of the game."""
    mission = MISSIONS.of(game.setup)
    totals = by_the_book(game, state)
    if mission.markers:
        worth = int(mission.marker_share * (game.setup.points or game.edition.points))
        a, b = (totals[side] + worth * len(held_by(game, state, side)) for side in (0, 1))
        return a, b
    if mission.depth:
        return totals[0] + broken_through(game, state, 0), totals[1] + broken_through(game, state, 1)
    return totals


def spots(game: Game) -> list[Spot]:
    """Where the markers of the game's mission lie, and how far they reach."""
    width, height, mission = game.field.width, game.field.height, MISSIONS.of(game.setup)
    reach = int(mission.marker_reach * INCH)
    return [Spot(str(k), int(x * width), int(y * height), reach) for k, (x, y) in enumerate(mission.markers)]


def level(game: Game, state: State, spot: Spot, side: int) -> int:
    """Whether a side has a unit near a marker that is not Pinned: who alone has one holds it."""
    return min(1, models_near(game, state, side, spot.x, spot.y, spot.radius + LEEWAY, _useless))


def _useless(unit: Unit) -> bool:
    return unit.where != TABLE or unit.mark(PINNED) is not None


OBJECTIVES = Objectives(spots, level, 0, "SCORE-1", stored=False)


def markers(game: Game, state: State) -> tuple[Marker, ...]:
    """What the game's mission has on the table: markers, each held by who alone has an unpinned unit near; ground to reach."""
    mission = MISSIONS.of(game.setup)
    if not mission.markers and not mission.depth:
        return ()
    return (*_ground(game, state), *objectives.markers(game, state))


def _ground(game: Game, state: State) -> list[Marker]:
    """The ground along the enemy's edge that each side must reach, if the mission is one of breaking through."""
    depth = int(MISSIONS.of(game.setup).depth * INCH)
    edges = [(side, state.side_mark(1 - side, "edge")) for side in (0, 1)]
    strips = [(side, strip(game.field, edge, depth)) for side, edge in edges if depth and edge in EDGES]
    return [Marker((b[0] + b[2]) // 2, (b[1] + b[3]) // 2, 0, side, b) for side, b in strips]


def broken_through(game: Game, state: State, side: int) -> int:
    """The points of a side's units that stand wholly within the depth of the enemy's edge."""
    edge = state.side_mark(1 - side, "edge")
    depth = int(MISSIONS.of(game.setup).depth * INCH) + LEEWAY
    found = 0
    for unit in game.units_of[side]:
        held = state.units[unit]
        if held.where == TABLE and held.living and all(_inside(game, state, slot, edge, depth) for slot in held.living):
            found += points_of(game, state, unit)
    return found


def _inside(game: Game, state: State, slot: int, edge: object, depth: int) -> bool:
    """Whether a base lies wholly within a depth of a table edge."""
    base = game.field.bases[slot]
    corners = core(*state.at(slot), state.facing_of(slot), base.hl, base.hw)
    far = {
        "bottom": max(y for _, y in corners),
        "top": game.field.height - min(y for _, y in corners),
        "left": max(x for x, _ in corners),
        "right": game.field.width - min(x for x, _ in corners),
    }
    return edge in far and far[str(edge)] + base.r <= depth


def limits(setup: Setup) -> tuple[int, int]:
    """The points each side may spend."""
    shares = MISSIONS.of(setup).shares
    return int(shares[0] * setup.points), int(shares[1] * setup.points)


def check_setup(law: ArmyLaw, least_pieces: int, setup: Setup) -> None:
    """Refuse a game that cannot begin; a situation for which nobody agreed a game size is left alone (ARMY-6).

    Raises:
        BadInput: no such mission, or a table the book does not know.
        ArmyError: a list that is not legal.
    """
    MISSIONS.of(setup)
    if setup.points:
        check_armies(law, setup)
        check_table(setup.table, least_pieces)


def check_armies(law: ArmyLaw, setup: Setup) -> None:
    """ARMY-1 to ARMY-6 for both sides, each with its share of the agreed points."""
    for side, most in enumerate(limits(setup)):
        cards = [card for card in setup.cards if card.side == side]
        check_army(law, cards, setup.points, setup.switches.get("one_faction", False))
        total = sum(card.points for card in cards)
        if total > most:
            message = f"{setup.armies[side]}: {total} points are more than its share of {most}"
            raise ArmyError("over-limit", message, where="points", allowed=str(most), clause="ARMY-1")


@cites("TABLE-1", "TABLE-2")
def check_table(table: Table, least: int) -> None:
    """TABLE-1, TABLE-2: six feet by four, and enough pieces of terrain; a piece of several parts counts once."""
    if table.size != SIZE:
        raise BadInput("bad-table", "the table is 72 by 48 inches", where="table.size", allowed="72 x 48", clause="TABLE-1")
    pieces = len({piece.id.partition(".")[0] for piece in table.terrain})
    if pieces < least:
        message = f"{pieces} pieces of terrain are fewer than {least}"
        raise BadInput("bare-table", message, where="table.terrain", allowed=f"{least} or more", clause="TABLE-2")
