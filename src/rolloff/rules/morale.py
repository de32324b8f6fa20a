"""Morale: a unit takes a test, and what becomes of one that fails is the gravest outcome that is due."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rolloff.oracle.stage import Stage
from rolloff.rules.component import Component
from rolloff.rules.windows import Moment, window

if TYPE_CHECKING:
    from rolloff.rules.play import Play

PASSED = "passed"
"""The word most rulebooks have for a test that was passed."""


def always(play: Play, unit: int) -> bool:
    """Due for whoever fails."""
    return True


class Failure(Component, frozen=True):
    """What may become of a unit that fails a test: the word for it, what happens, by which clauses, and when it is due."""

    name: str
    happens: Callable[[Play, int, tuple[str, ...]], None]
    clauses: tuple[str, ...]
    due: Callable[[Play, int], bool] = always


class MoraleTest(Component, frozen=True):
    """A test of a rulebook: its dice for a unit (None: it passes without), the event of who passes, and its failures.

    ``failures`` stand in order of rank, the gravest first. ``turned`` is a moment at which a failed test may still count as
    passed: a reaction that gives True does so, by the clauses ``turning``.
    """

    dice: Callable[[Play, int], Stage[bool] | None]
    passed: tuple[str, ...]
    failures: tuple[Failure, ...]
    event: str = "morale-passed"
    turned: str = ""
    turning: tuple[str, ...] = ()


def take_test(play: Play, law: MoraleTest, unit: int, *clauses: str) -> str:
    """A unit takes a test; the word for what came of it. ``clauses`` are those by which it had to."""
    stage = law.dice(play, unit)
    play.rolled_by = unit
    if stage is None or play.dice.ask(stage):
        play.emit(law.event, (*law.passed, *clauses), unit=unit)
        return play.game.edition.outcomes.passed
    if law.turned and True in window(play, Moment(law.turned, unit)):
        play.emit(law.event, (*law.turning, *clauses), unit=unit)
        return play.game.edition.outcomes.passed
    failure = next(one for one in law.failures if one.due(play, unit))
    failure.happens(play, unit, (*failure.clauses, *clauses))
    return failure.name
