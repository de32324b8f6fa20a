"""A position: a game at an open question, as a value. Ask what is legal, answer, and get the next position.

Between commands a state says everything; inside one, a position is the state the command began from and the answers so
far. Positions never change, so any of them may be kept, compared and gone on from as often as one likes. Their dice come
from one seed and are addressed by index: going on from a position twice with the same answer gives the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from rolloff.errors import RolloffError
from rolloff.oracle.dice import SeededDice
from rolloff.oracle.oracle import Answers, Chooser, Oracle, Suspended
from rolloff.rules.game import Game
from rolloff.rules.play import OVER, Play, play_step
from rolloff.table.event import Event
from rolloff.table.request import Request
from rolloff.table.state import State


class Position:
    """A game at an open question, or at its end. ``events`` is what happened since the position before."""

    __slots__ = ("_answers", "_before", "_drawn", "_play", "_shown", "events", "game", "request", "seed")

    def __init__(self, game: Game, seed: bytes, state: State | None = None, drawn: int = 0) -> None:
        """The first open question of a game, from its beginning or from a state between commands."""
        self.game, self.seed = game, seed
        self._before = game.start() if state is None else state
        self._drawn = drawn
        self._answers: tuple[object, ...] = ()
        self._shown = 0
        self._play: Play | None = None
        self.request: Request | None = None
        self.events: tuple[Event, ...] = ()
        self._go_on()

    def _go_on(self) -> None:
        """Play until somebody must answer or the game is over."""
        fresh: list[Event] = []
        while self._before.clock.phase != OVER:
            dice = SeededDice(self.seed, self._drawn)
            try:
                play = play_step(self.game, self._before, Oracle(dice, Answers(self._answers)))
            except Suspended as pause:
                fresh += self._wait(pause)
                break
            fresh += play.events[self._shown :]
            self._before, self._drawn = play.state, dice.drawn
            self._answers, self._shown, self._play, self.request = (), 0, None, None
        self.events = tuple(fresh)

    def _wait(self, pause: Suspended) -> list[Event]:
        """Stand at an open question; the events that led to it."""
        assert isinstance(pause.play, Play) and isinstance(pause.request, Request)
        fresh = pause.play.events[self._shown :]
        self._shown, self._play, self.request = len(pause.play.events), pause.play, pause.request
        return fresh

    @property
    def state(self) -> State:
        """The table as it stands at the open question."""
        return self._before if self._play is None else self._play.state

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.request is None

    @property
    def score(self) -> tuple[int, int]:
        """The score as it stands."""
        return self.game.edition.score(self.game, self.state)

    @property
    def legal(self) -> Legal:
        """What may be answered here."""
        return Legal(self)

    def answer(self, value: object) -> Position:
        """The position after an answer.

        Raises:
            IllegalCommand: the rules refuse it; this position stands as it was.
        """
        after: Position = object.__new__(Position)
        after.game, after.seed, after._before, after._drawn = self.game, self.seed, self._before, self._drawn
        after._answers, after._shown = (*self._answers, value), self._shown
        after._play, after.request = None, None
        after._go_on()
        return after

    def ask(self, player: Chooser) -> Position:
        """The position after what a player (an opponent, say) answers; a refused answer is asked for again."""
        assert self.request is not None and self._play is not None
        while True:
            value = player.choose(self.request, self._play)
            try:
                return self.answer(value)
            except RolloffError as error:
                if not player.refused(self.request, value, error):
                    raise


class Legal:
    """What may be answered at a position. Iterating gives the answers that can be listed; ``in`` asks the rules."""

    __slots__ = ("_position",)

    def __init__(self, position: Position) -> None:
        """Nothing is computed until it is asked for."""
        self._position = position

    @property
    def request(self) -> Request | None:
        """The open question, with its kind, who must answer, its options or constraint, and its clause."""
        return self._position.request

    @property
    def default(self) -> object:
        """An answer that is always legal."""
        assert self._position.request is not None
        return self._position.request.default

    def __iter__(self) -> Iterator[object]:
        """Every option; of answers without end (a move, a place) the default."""
        request = self._position.request
        if request is not None:
            yield from request.options if request.options is not None else (request.default,)

    def __len__(self) -> int:
        """How many answers can be listed."""
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        """Whether anything is asked at all."""
        return self._position.request is not None

    def __contains__(self, value: object) -> bool:
        """Whether the rules accept an answer: the same check that playing it makes."""
        if self._position.request is None:
            return False
        try:
            self._position.answer(value)
        except RolloffError:
            return False
        return True
