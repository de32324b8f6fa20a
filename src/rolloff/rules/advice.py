"""Advice: what options are worth, asked apart from the game, so that weighing asks nobody and rolls no die."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rolloff.oracle.dice import EnteredDice, SeededDice
from rolloff.oracle.flow import Volley
from rolloff.oracle.oracle import Defaults, Oracle
from rolloff.oracle.roller import Roller
from rolloff.oracle.target import UnitTarget
from rolloff.rules.play import Play
from rolloff.table.request import Request

MOST_WOUNDS = 10
"""The most wounds of a target whose states cannot be listed for which every end of an attack is followed."""
TRIALS = 60
"""How often an attack is rolled whose ends are too many; always with the same dice, so that equal games stay equal."""

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


def too_many_ends(target: UnitTarget[Any], wounds: int) -> bool:
    """Whether a target with so many wounds left can be left in too many ways for somebody who waits for an answer."""
    return target.states is None and wounds > MOST_WOUNDS


def rolled_damage(volleys: Sequence[Volley], target: UnitTarget[Any], start: Any) -> float:
    """The wounds an attack takes on average of some trials, where following every end would take too long."""
    dice = Roller(SeededDice(b"advice").faces)
    return sum(target.damage(start, dice.volley(volleys, target, start).state) for _ in range(TRIALS)) / TRIALS
