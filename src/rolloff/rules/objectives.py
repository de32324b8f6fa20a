"""Markers to be held: who controls each, stored as marks of the players and judged anew when the edition says so."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
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
    ``same`` says on what all levels depend: while its answer is the same they are not looked at again. ``manned`` are the ids
    of the markers at which anybody could count: at others both levels are 0. ``drawn``: the clause by which one that
    was controlled is contested from now on, if it is another.
    """

    spots: Callable[[Game], Sequence[Spot]]
    level: Callable[[Game, State, Spot, int], int]
    reach: int
    clause: str
    stored: bool = True
    drawn: str = ""
    same: Callable[[Game, State], object] | None = None
    manned: Callable[[Game, State], Container[str]] | None = None


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
    marks = game.players(state)
    held, other = marks[side], marks[0] if side else {}
    return [spot for spot in objectives.spots(game) if HOLDS + spot.id in held and HOLDS + spot.id not in other]


def stronger(game: Game, state: State, spot: Spot) -> int:
    """The side with the greater level at a marker now; -1 where they are equal."""
    return _stronger(objectives_of(game), game, state, spot)


def _stronger(objectives: Objectives, game: Game, state: State, spot: Spot) -> int:
    a, b = objectives.level(game, state, spot, 0), objectives.level(game, state, spot, 1)
    return contested() if a == b else int(b > a)


class Judged(Struct, frozen=True):
    """Every marker with who is stronger there, and what that makes of the marks of the players.

    ``names``: all marks about markers. ``held``: those each player has if control is as it was judged.
    """

    rows: tuple[tuple[Spot, int], ...]
    names: frozenset[str]
    held: tuple[frozenset[str], frozenset[str]]

    @classmethod
    def of(cls, spots: Sequence[Spot], sides: Sequence[int]) -> Judged:
        """From who is stronger at each."""
        names = [HOLDS + spot.id for spot in spots]
        first, second = (frozenset([name for name, now in zip(names, sides, strict=True) if now == side]) for side in (0, 1))
        return cls(tuple(zip(spots, sides, strict=True)), frozenset(names), (first, second))


def _strongest(objectives: Objectives, game: Game, state: State) -> Judged:
    """Who is stronger at every marker; kept while the rulebook says that levels are the same (`Objectives.same`)."""
    now, kept = None, game.strongest
    if objectives.same is not None:
        now = objectives.same(game, state)
        if kept is not None and (kept[0] is now or kept[0] == now):
            return kept[1]
    spots = objectives.spots(game)
    if objectives.manned is None:
        sides = tuple([_stronger(objectives, game, state, spot) for spot in spots])
    else:
        manned = objectives.manned(game, state)
        sides = tuple([_stronger(objectives, game, state, spot) if spot.id in manned else contested() for spot in spots])
    found = game.judged.get(sides)
    if found is None:
        found = game.judged[sides] = Judged.of(spots, sides)
    game.strongest = now, found
    return found


@cites("OC-4")
def contested() -> int:
    """OC-4: nobody controls a marker at which both are equally strong."""
    return -1


def control(play: Play) -> None:
    """Judge every marker: whoever is stronger controls it from now on. One event, if anything changes."""
    game, state = play.game, play.state
    objectives = objectives_of(game)
    judged = _strongest(objectives, game, state)
    (first, second), names, held = game.players(state), judged.names, judged.held
    if names & first.keys() == held[0] and names & second.keys() == held[1]:
        return  # as most often: it is whose it was
    patches: list[Patch] = []
    changed: list[str] = []
    why: dict[str, None] = {}
    for spot, now in judged.rows:
        name = HOLDS + spot.id
        before = 0 if name in first else 1 if name in second else -1
        if before == now:
            continue
        changed.append(spot.id)
        why[objectives.drawn if now < 0 and objectives.drawn else objectives.clause] = None
        patches += [SideMarked(side, name, 1 if side == now else None) for side in (0, 1) if side in (before, now)]
    if patches:
        play.emit("control", tuple(why), *patches, markers=tuple(changed))


def markers(game: Game, state: State) -> list[Marker]:
    """The markers as everybody sees them."""
    reach = objectives_of(game).reach
    return [Marker(s.x, s.y, s.radius + reach, whose(game, state, s)) for s in objectives_of(game).spots(game)]
