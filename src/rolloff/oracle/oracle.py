"""The oracle: what rules ask for all they cannot know, dice and choices alike.

Rule code never knows whether it is simulated, replayed, tested or waiting for a person. Who answers is composed of a source of
dice and a chooser: an opponent's policy, a tape, the defaults, or answers so far with suspension when they run out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from rolloff.oracle.dice import DiceSource


class Question(Protocol):
    """What a chooser may rely on in any request."""

    @property
    def who(self) -> int:
        """The player who must answer."""
        ...

    @property
    def default(self) -> object:
        """An answer that is always legal."""
        ...


class Chooser(Protocol):
    """Whoever answers requests."""

    def choose(self, request: Question, play: object) -> object:
        """The answer to the request, given the play it arises in."""
        ...

    def refused(self, request: Question, answer: object, error: Exception) -> bool:
        """Told that the answer was refused: True to be asked again, False to let the refusal stand."""
        ...


class Oracle:
    """A source of dice and a chooser; a strict one is also asked where only one option is left."""

    __slots__ = ("chooser", "dice", "strict")

    def __init__(self, dice: DiceSource, chooser: Chooser, strict: bool = False) -> None:
        """Compose the two."""
        self.dice = dice
        self.chooser = chooser
        self.strict = strict


class Suspended(BaseException):
    """Raised where an answer is needed that nobody has given yet."""

    def __init__(self, request: object, play: object) -> None:
        """Carry the open request and the play so far."""
        super().__init__("waiting for an answer")
        self.request = request
        self.play = play


class Defaults:
    """Answers every request with its default."""

    def choose(self, request: Question, play: object) -> object:
        """The default."""
        return request.default

    def refused(self, request: Question, answer: object, error: Exception) -> bool:
        """A refused default is a fault of the rules and must show."""
        return False


class Answers:
    """Answers from a list, then suspends, or goes on with the defaults."""

    __slots__ = ("_read", "answers", "stop", "used")

    def __init__(
        self,
        answers: Sequence[object],
        stop: bool = True,
        read: Callable[[Question, object, object], object] | None = None,
    ) -> None:
        """Give the answers so far; ``read`` turns what was written down into what rules expect."""
        self.answers = answers
        self.stop = stop
        self.used = 0
        self._read = read

    def choose(self, request: Question, play: object) -> object:
        """The next answer of the list."""
        if self.used < len(self.answers):
            found = self.answers[self.used]
            self.used += 1
            return self._read(request, found, play) if self._read else found
        if self.stop:
            raise Suspended(request, play)
        return request.default

    def refused(self, request: Question, answer: object, error: Exception) -> bool:
        """Let the refusal stand: whoever gave the answer must strike it."""
        return False


class Seats:
    """A chooser for each side."""

    __slots__ = ("chairs",)

    def __init__(self, chairs: Sequence[Chooser]) -> None:
        """Seat the players in order of their sides."""
        self.chairs = chairs

    def choose(self, request: Question, play: object) -> object:
        """Ask the player whose decision it is."""
        return self.chairs[request.who].choose(request, play)

    def refused(self, request: Question, answer: object, error: Exception) -> bool:
        """Tell that player."""
        return self.chairs[request.who].refused(request, answer, error)
