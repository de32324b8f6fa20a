"""A session: a game somebody is playing. It holds the step under way as a snapshot and the answers so far.

The current step is run again from its snapshot whenever an answer arrives; a refused answer is struck and the request stands.
The dice of the game are addressed by index, so running again throws the same dice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rolloff.errors import BadInput, IllegalCommand
from rolloff.oracle.dice import SeededDice
from rolloff.oracle.oracle import Answers, Chooser, Oracle, Question, Suspended
from rolloff.rules.game import Game
from rolloff.rules.play import OVER, Play, play_step
from rolloff.rules.windows import declined
from rolloff.table.event import Event
from rolloff.table.request import PASS, Request, Talk
from rolloff.table.state import State


class _Table:
    """Answers of the step so far; then the machine's seats answer, and the others suspend."""

    def __init__(self, answers: list[object], seats: Sequence[Chooser | None], refused: Sequence[frozenset[str]]) -> None:
        self.given = Answers(answers)
        self.answers = answers
        self.seats = seats
        self.passed = refused

    def choose(self, request: Question, play: object) -> object:
        """The next answer on the tape, else the machine's, else suspend."""
        if self.given.used < len(self.answers):
            return self.given.choose(request, play)
        seat = self.seats[request.who]
        if seat is not None:
            answer = seat.choose(request, play)
        elif isinstance(request, Request) and declined(request, self.passed[request.who]):
            answer = PASS
        else:
            raise Suspended(request, play)
        self.answers.append(answer)
        self.given.used += 1
        return answer

    def refused(self, request: Question, answer: object, error: Exception) -> bool:
        """A machine's refused answer is struck and its seat told; a person's is refused to them."""
        seat = self.seats[request.who]
        if seat is None:
            return False
        self.answers.pop()
        self.given.used -= 1
        return seat.refused(request, answer, error)


class Session:
    """One game in progress. ``seats`` holds a chooser for each machine player and None for each person."""

    def __init__(
        self,
        game: Game,
        seed: bytes,
        seats: Sequence[Chooser | None],
        watch: Callable[[Play, State], None] | None = None,
        state: State | None = None,
        drawn: int = 0,
    ) -> None:
        """Begin, and play on until a person must answer."""
        self.game = game
        self.seed = seed
        self.seats = seats
        self.state = game.start() if state is None else state
        self.drawn = drawn
        self.answers: list[object] = []
        self.shown = 0
        self.declined: list[frozenset[str]] = [frozenset(), frozenset()]
        self.request: Request | None = None
        self.play: Play | None = None
        self._watch = watch

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state.clock.phase == OVER

    @property
    def now(self) -> State:
        """The state as it is at the open request, inside the step under way."""
        return self.state if self.play is None else self.play.state

    def advance(self) -> list[Event]:
        """Play on until a person must answer or the game is over; the events that came of it, in order."""
        fresh: list[Event] = []
        while not self.over:
            dice = SeededDice(self.seed, self.drawn)
            oracle = Oracle(dice, _Table(self.answers, self.seats, self.declined))
            try:
                play = play_step(self.game, self.state, oracle)
            except Suspended as pause:
                return fresh + self._wait(pause)
            fresh += play.events[self.shown :]
            if self._watch:
                self._watch(play, self.state)
            self.state, self.drawn = play.state, dice.drawn
            self.answers, self.shown = [], 0
            self.play, self.request = None, None
        return fresh

    def _wait(self, pause: Suspended) -> list[Event]:
        """Stand at an open request; the events that led to it."""
        assert isinstance(pause.play, Play) and isinstance(pause.request, Request)
        fresh = pause.play.events[self.shown :]
        self.shown = len(pause.play.events)
        self.play, self.request = pause.play, pause.request
        return fresh

    def decline(self, who: int, names: frozenset[str]) -> list[Event]:
        """Pass in advance: a person's answer to reactions (or moments) of these names is to pass, until told otherwise."""
        self.declined[who] = names
        return self.advance()

    def answer(self, value: object) -> list[Event]:
        """Answer the open request; raises `IllegalCommand` and changes nothing if it is refused."""
        if self.request is None:
            raise IllegalCommand("nothing-asked", self.game.edition.engine.choice, "nothing is being asked right now", None)
        return self._tape(value)

    def talk(self, talk: Talk) -> list[Event]:
        """Say something instead of an answer: it happens now, and the open request stands.

        Raises:
            IllegalCommand: the rules refuse it, or the game is over.
            BadInput: the edition does not know it, or it is said wrongly.
        """
        if self.request is None:
            raise IllegalCommand("nothing-asked", self.game.edition.engine.choice, "the game is over", None)
        return self._tape(talk)

    def _tape(self, value: object) -> list[Event]:
        kept = list(self.answers)
        self.answers.append(value)
        try:
            return self.advance()
        except (IllegalCommand, BadInput):
            self.answers = kept
            raise
