"""What every opponent does: answers a request by its kind, and takes the default where it was refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rolloff.oracle.dice import Stream
from rolloff.oracle.oracle import Question
from rolloff.rules.play import Play
from rolloff.table.request import Request


class Agent:
    """An opponent. It draws from its own stream alone, so that no choice of its ever moves a die."""

    def __init__(self, stream: Stream, side: int) -> None:
        """Take a seat."""
        self.stream = stream
        self.side = side
        self.refusals = 0
        self._humbled = False

    def choose(self, request: Question, play: object) -> object:
        """The answer; after a refusal the default, which is always legal."""
        if TYPE_CHECKING:
            assert isinstance(request, Request) and isinstance(play, Play)
        if self._humbled:
            self._humbled = False
            return request.default
        return self.answer(request, play)

    def refused(self, request: Question, answer: object, error: Exception) -> bool:
        """Count the refusal and ask to be asked again."""
        self.refusals += 1
        self._humbled = True
        return True

    def answer(self, request: Request, play: Play) -> object:
        """An answer of this opponent's own; opponents differ here."""
        return request.default
