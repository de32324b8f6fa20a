"""How a game ended, in the words records, duels and viewers share."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from rolloff.rules.game import Game
from rolloff.rules.play import CONCEDED, SIDES
from rolloff.rules.turns import WINNER
from rolloff.table.state import State

DRAW = "draw"


class Result(Struct, frozen=True):
    """Who won, by what score, after how many rounds, and how it came to an end."""

    winner: str
    score: tuple[int, int]
    rounds: int
    end: str

    def json(self) -> dict[str, Any]:
        """The result as records and duels print it."""
        return {"winner": self.winner, "score": list(self.score), "rounds": self.rounds, "end": self.end}


def result_of(game: Game, state: State, conceded: int | None = None) -> Result:
    """The result of a state: the higher score wins unless a player has conceded.

    An edition that ends a game before its last round says so in the clock's mark ``end``; who gave up stands in the
    mark ``conceded``.
    """
    score = game.edition.score(game, state)
    gave_up = state.clock.mark(CONCEDED)
    if conceded is None and gave_up in SIDES:
        conceded = SIDES.index(str(gave_up))
    if conceded is not None:
        return Result(SIDES[1 - conceded], score, state.clock.round, "concede")
    winner = DRAW if score[0] == score[1] else SIDES[0 if score[0] > score[1] else 1]
    winner = str(state.clock.mark(WINNER) or winner)
    return Result(winner, score, state.clock.round, str(state.clock.mark("end") or "rounds"))
