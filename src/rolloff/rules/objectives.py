"""Markers to be held: who controls each, stored as marks of the players and judged anew when the edition says so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from rolloff.rules.citing import cites
from rolloff.rules.component import Component
from rolloff.rules.edition import Marker
from rolloff.table.event import Patch, SideMarked
from rolloff.table.state import State, find_mark

if TYPE_CHECKING:
    from rolloff.rules.game import Game
    from rolloff.rules.play import Play

HOLDS = "holds:"
"""How the mark of a player begins that controls a marker; the marker's id follows."""


class Spot(Struct, frozen=True):
    """A marker: its id, where its middle is, and the radius it covers, in thou."""

    id: str
    x: int
    y: int
    radius: int


class Objectives(Component, frozen=True):
    """The markers of a rulebook: where they lie, how strong each side is at one, how far it reaches, and the clause.

    With ``stored`` a marker stays whose it was judged to be last (`control`); else it is the stronger side's at any time.
    ``same`` says on what all levels depend: while its answer is the same they are not looked at again.
    """

    spots: Callable[[Game], Sequence[Spot]]
    level: Callable[[Game, State, Spot, int], int]
    reach: int
    clause: str
    stored: bool = True
    same: Callable[[Game, State], object] | None = None


def objectives_of(game: Game) -> Objectives:
    """The markers of a game's rulebook."""
    found = game.edition.objectives
    assert found is not None, f"{game.edition.id} has no markers"
    return found


def holder(state: State, id: str) -> int:
    """The side that controls a marker, as it was judged last; -1: contested."""
    name = HOLDS + id
    if find_mark(state.sides[0], name) is not None:
        return 0
    return -1 if find_mark(state.sides[1], name) is None else 1


def whose(game: Game, state: State, spot: Spot) -> int:
    """The side that controls a marker now; -1: contested."""
    return holder(state, spot.id) if objectives_of(game).stored else stronger(game, state, spot)


def held_by(game: Game, state: State, side: int) -> list[Spot]:
    """The markers a side controls."""
    objectives = objectives_of(game)
    if not objectives.stored:
        return [spot for spot in objectives.spots(game) if stronger(game, state, spot) == side]
    held, other = dict(state.sides[side]), dict(state.sides[0]) if side else {}
    return [spot for spot in objectives.spots(game) if HOLDS + spot.id in held and HOLDS + spot.id not in other]


def stronger(game: Game, state: State, spot: Spot) -> int:
    """The side with the greater level at a marker now; -1 where they are equal."""
    return _stronger(objectives_of(game), game, state, spot)


def _stronger(objectives: Objectives, game: Game, state: State, spot: Spot) -> int:
    a, b = objectives.level(game, state, spot, 0), objectives.level(game, state, spot, 1)
    return contested() if a == b else int(b > a)


def _strongest(objectives: Objectives, game: Game, state: State) -> Sequence[tuple[Spot, int]]:
    """Every marker and who is stronger there; kept while the rulebook says that levels are the same (`Objectives.same`)."""
    if objectives.same is None:
        return [(spot, _stronger(objectives, game, state, spot)) for spot in objectives.spots(game)]
    now = objectives.same(game, state)
    if game.strongest is None or game.strongest[0] != now:
        game.strongest = now, [(spot, _stronger(objectives, game, state, spot)) for spot in objectives.spots(game)]
    return game.strongest[1]


@cites("OC-4")
def contested() -> int:
    """OC-4: nobody controls a marker at which both are equally strong."""
    return -1


def control(play: Play) -> None:
    """Judge every marker: whoever is stronger controls it from now on. One event, if anything changes."""
    patches: list[Patch] = []
    changed: list[str] = []
    state, objectives, game = play.state, objectives_of(play.game), play.game
    rows = _strongest(objectives, game, state)
    if game.judged is not None and game.judged[0] is rows and game.judged[1] is state.sides:
        return
    first, second = dict(state.sides[0]), dict(state.sides[1])
    for spot, now in rows:
        name = HOLDS + spot.id
        before = 0 if name in first else 1 if name in second else -1
        if before == now:
            continue
        changed.append(spot.id)
        patches += [SideMarked(side, name, 1 if side == now else None) for side in (0, 1) if side in (before, now)]
    if patches:
        play.emit("control", (objectives.clause,), *patches, markers=tuple(changed))
    game.judged = rows, play.state.sides


def markers(game: Game, state: State) -> list[Marker]:
    """The markers as everybody sees them."""
    reach = objectives_of(game).reach
    return [Marker(s.x, s.y, s.radius + reach, whose(game, state, s)) for s in objectives_of(game).spots(game)]
