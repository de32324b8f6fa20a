"""Giving way: long work of a worker stops for a moment where it can, so that people's answers go before it."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar

from rolloff.oracle.oracle import Chooser, Question


def _nobody_waits() -> None:
    """What there is to do where no desk has long work done."""


_way: ContextVar[Callable[[], None]] = ContextVar("way", default=_nobody_waits)


def set_way(way: Callable[[], None]) -> None:
    """Say how work in this thread gives way."""
    _way.set(way)


def give_way() -> None:
    """Let whoever is waiting go first; called between two parts of long work."""
    _way.get()()


class GivesWay:
    """A chooser that gives way before each of its answers."""

    __slots__ = ("chooser",)

    def __init__(self, chooser: Chooser) -> None:
        """Answer as this one does."""
        self.chooser = chooser

    def choose(self, request: Question, play: object) -> object:
        """Its answer, when nobody waits any more."""
        give_way()
        return self.chooser.choose(request, play)

    def refused(self, request: Question, answer: object, error: Exception) -> bool:
        """As it says."""
        return self.chooser.refused(request, answer, error)
