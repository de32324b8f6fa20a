"""The table of turns of the family: a round begins, then players activate one unit each in turn until nobody is left (TURN)."""

from __future__ import annotations

from rolloff.editions.onepage.activation import activate
from rolloff.editions.onepage.rounds import (
    FINISHED,
    able,
    begin_round,
    expire,
    first_next_round,
    note_finished,
    pass_turn,
    some_ready,
    wiped_out,
)
from rolloff.errors import IllegalCommand
from rolloff.rules.citing import cites
from rolloff.rules.effects import Boundary
from rolloff.rules.play import Play
from rolloff.rules.rows import Activations, Once
from rolloff.rules.turns import COMMAND, Crossing, Step, Turns, advance
from rolloff.table.state import Clock

ROUND, ACTIVATE = "round", "activate"
WIPEOUT = "wipeout"


class Turn(Activations, frozen=True):
    """TURN-4: one activation; with the last of the round, what lasted until its end is over."""

    def has_any(self, play: Play, side: int) -> bool:
        """TURN-7: whether a player has a unit left that needs an activation."""
        return some_ready(play.game, play.state, side)

    def nobody(self, play: Play, side: int) -> bool:
        """TURN-8: a player who has nobody left has no turn, which only a written situation can ask for."""
        raise IllegalCommand("nobody-ready", "TURN-8", "no unit of this player is left to activate", None)

    @cites("TURN-4", "TURN-5")
    def pass_turn(self, play: Play, side: int) -> bool:
        """TURN-5: the round ends when every unit has activated."""
        more = super().pass_turn(play, side)
        if not more:
            expire(play, Boundary("end-round"))
        return more


TURN = Turn(able, activate, "TURN-4", pass_turn, "DP-13")


def announce(play: Play, crossing: Crossing) -> None:
    """TURN-2, TURN-5: turns begin with the first player's, or the round ends."""
    clock = crossing.clock
    if crossing.entered.name == ROUND:
        play.tick(clock, "round-ended", "TURN-5", "TURN-6", round=clock.round, side=clock.first)
        return
    marks = tuple(pair for pair in clock.marks if pair[0] not in FINISHED)
    fresh = Clock(ACTIVATE, clock.round, clock.first, clock.first, marks)
    play.tick(fresh, "turns-began", "TURN-2" if clock.round > 1 else "TURN-3", side=clock.first, round=clock.round)
    note_finished(play, -1)
    if not TURN.pass_turn(play, 1 - clock.first):
        advance(play)


def over(play: Play) -> str:
    """TURN-9: a player without anybody left ends the game."""
    return WIPEOUT if wiped_out(play) else ""


def turns_of(rounds: int) -> Turns:
    """The table for a number of rounds."""
    return Turns(
        over,
        "TURN-4",
        ends={
            WIPEOUT: ("TURN-9", "SCORE-1", "SCORE-2"),
            "rounds": ("SCORE-1", "SCORE-2"),
            "concede": ("SCORE-1", "SCORE-2"),
        },
        before=(Step(ROUND, Once((begin_round,)), fresh=False), Step(ACTIVATE, TURN, fresh=False)),
        rounds=rounds,
        first=first_next_round,
        over_at=COMMAND,
        announce=announce,
        round_starts=ACTIVATE,
    )
