"""Advice: what options are worth, asked apart from the game, so that weighing asks nobody and rolls no die."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rolloff.oracle.dice import EnteredDice
from rolloff.oracle.oracle import Defaults, Oracle
from rolloff.rules.play import Play
from rolloff.table.request import Request

Worths = dict[object, float]
Advisor = Callable[[Play, Request], Worths]


def advised(advisors: Mapping[str, Advisor], play: Play, request: Request) -> Worths:
    """The worth of each option that can be told apart; nothing for kinds of decisions left to their default."""
    advisor = advisors.get(request.kind)
    if advisor is None:
        return {}
    fork = Play(play.game, play.state, Oracle(EnteredDice(()), Defaults()))
    fork.acting = play.acting
    return advisor(fork, request)
