"""A session: a game somebody is playing. It holds the step under way as a snapshot and the answers so far.

The current step is run again from its snapshot whenever an answer arrives; a refused answer is struck and the request stands.
The dice of the game are addressed by index, so running again rolls the same dice. Whatever goes wrong, the session stands as
it was before.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rolloff.errors import IllegalCommand, RecordError
from rolloff.oracle.dice import SeededDice
from rolloff.oracle.oracle import Answers, Chooser, Oracle, Question, Suspended
from rolloff.rules.answers import read_answer, read_talk
from rolloff.rules.game import Game
from rolloff.rules.play import OVER, SIDES, Play, play_step
from rolloff.rules.windows import declined
from rolloff.table.event import Event
from rolloff.table.request import PASS, Request, Talk
from rolloff.table.state import State

Json = dict[str, Any]


class _Table:
    """Answers of the step so far; then those of a tape, the machines' seats, what is passed in advance; others suspend."""

    def __init__(self, session: Session, dice: SeededDice, machines: bool) -> None:
        self.session = session
        self.answers = session.answers
        self.given = Answers(session.answers)
        self.dice = dice
        self.machines = machines
        self.firm = False  # the answer comes from the tape, and a refusal stands
        self.stuck = False  # a machine's answer was refused for good: it takes the default

    def choose(self, request: Question, play: object) -> object:
        """The next answer that was given, else that of the tape, the machine or the standing order, else suspend."""
        used = self.given.used
        self.session.drawn_at[used] = self.dice.drawn
        if used < len(self.answers):
            return self.given.choose(request, play)
        assert isinstance(request, Request) and isinstance(play, Play)
        answer = self._fresh(request, play)
        self.answers.append(answer)
        self.given.used += 1
        return answer

    def _fresh(self, request: Request, play: Play) -> object:
        self.firm = bool(self.session.fed)
        if self.firm:
            return _read(play, request, self.session.fed.popleft())
        seat = self.session.seats[request.who]
        if seat is not None and self.machines:
            stuck, self.stuck = self.stuck, False
            return request.default if stuck else seat.choose(request, play)
        if seat is None and declined(request, self.session.declined[request.who]):
            return PASS
        raise Suspended(request, play)

    def refused(self, request: Question, answer: object, error: Exception) -> bool:
        """A machine's refused answer is struck and its seat told; a person's, or the tape's, is refused to them."""
        seat = self.session.seats[request.who]
        if seat is None or self.firm or answer == request.default:
            return False
        self.answers.pop()
        self.given.used -= 1
        self.stuck = not seat.refused(request, answer, error)
        return True


def _read(play: Play, request: Request, line: Json) -> object:
    """An answer of a tape; `RecordError` if it answers another question."""
    if line.get("t") == "talk":
        return read_talk({key: line.get(key) for key in ("who", "name", "said")})
    if (line.get("who"), line.get("kind")) != (SIDES[request.who], request.kind):
        message = (
            f"the tape answers {line.get('kind')!r} of {line.get('who')!r}, asked is {request.kind!r} of {SIDES[request.who]}"
        )
        raise RecordError("other-rules", message, where="tape")
    return read_answer(play.game, play.state, request, line.get("value"))


class Session:
    """One game in progress. ``seats`` holds a chooser for each machine player and None for each person.

    Machines answer at once, or, in a ``patient`` session, when they are let (`carry_on`).
    """

    def __init__(
        self,
        game: Game,
        seed: bytes,
        seats: Sequence[Chooser | None],
        watch: Callable[[Play, State], None] | None = None,
        state: State | None = None,
        drawn: int = 0,
        patient: bool = False,
    ) -> None:
        """Begin; nothing is played yet. ``watch`` is told of every step that is done."""
        self.game = game
        self.seed = seed
        self.seats = seats
        self.state = game.start() if state is None else state
        self.drawn = drawn
        self.answers: list[object] = []
        self.drawn_at: dict[int, int] = {}  # the dice used when each question of the step was asked
        self.shown = 0
        self.declined: list[frozenset[str]] = [frozenset(), frozenset()]
        self.request: Request | None = None
        self.play: Play | None = None
        self.fed: deque[Json] = deque()
        self._watch = watch
        self._patient = patient

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state.clock.phase == OVER

    @property
    def thinking(self) -> bool:
        """Whether a machine is asked, and waits to be let."""
        return self.request is not None and self.seats[self.request.who] is not None

    @property
    def now(self) -> State:
        """The state as it is at the open request, inside the step under way."""
        return self.state if self.play is None else self.play.state

    def advance(self, tape: Iterable[Json] = ()) -> list[Event]:
        """Play on until somebody must answer or the game is over; the events that came of it, in order.

        A ``tape`` of written answers is taken first.

        Raises:
            RecordError, IllegalCommand, BadInput: the tape does not fit this game.
        """
        self.fed.extend(tape)
        return self._play_on(not self._patient)

    def carry_on(self) -> list[Event]:
        """Let the machines answer, until a step is done or a person must answer."""
        return self._play_on(True, then=not self._patient)

    def _play_on(self, machines: bool, then: bool | None = None) -> list[Event]:
        """Play until somebody must answer; after the first step machines may answer only if ``then`` says so."""
        held = (self.state, self.drawn, list(self.answers), dict(self.drawn_at), self.shown, self.request, self.play)
        fresh: list[Event] = []
        done: list[tuple[Play, State]] = []
        try:
            while not self.over:
                play = self._step(machines, fresh)
                if play is None:
                    break
                done.append((play, self.state))
                fresh += play.events[self.shown :]
                self._end_step(play)
                machines = machines if then is None else then
        except BaseException:
            self.fed.clear()
            self.state, self.drawn, self.answers, self.drawn_at, self.shown, self.request, self.play = held
            raise
        for play, before in done if self._watch else ():
            assert self._watch is not None
            self._watch(play, before)
        return fresh

    def _step(self, machines: bool, fresh: list[Event]) -> Play | None:
        """Run the step from its snapshot: the play if it came to its end, else None at an open request."""
        dice = SeededDice(self.seed, self.drawn)
        try:
            return play_step(self.game, self.state, Oracle(dice, _Table(self, dice, machines)))
        except Suspended as pause:
            assert isinstance(pause.play, Play) and isinstance(pause.request, Request)  # noqa: PT017  (for the types)
            fresh += pause.play.events[self.shown :]
            self.shown = len(pause.play.events)
            self.play, self.request = pause.play, pause.request
            return None

    def _end_step(self, play: Play) -> None:
        dice = play.oracle.dice
        assert isinstance(dice, SeededDice)
        self.state, self.drawn = play.state, dice.drawn
        self.answers, self.drawn_at, self.shown = [], {}, 0
        self.play, self.request = None, None

    def decline(self, who: int, names: frozenset[str]) -> list[Event]:
        """Pass in advance: a person's answer to reactions (or moments) of these names is to pass, until told otherwise."""
        self.declined[who] = names
        return self.advance()

    def answer(self, value: object) -> list[Event]:
        """Answer the open request; raises `IllegalCommand` and changes nothing if it is refused."""
        if self.request is None:
            raise IllegalCommand("nothing-asked", self.game.edition.engine.choice, "nothing is being asked right now", None)
        return self._add(value)

    def talk(self, talk: Talk) -> list[Event]:
        """Say something instead of an answer: it happens now, and the open request stands.

        Raises:
            IllegalCommand: the rules refuse it, or the game is over.
            BadInput: the edition does not know it, or it is said wrongly.
        """
        if self.request is None:
            raise IllegalCommand("nothing-asked", self.game.edition.engine.choice, "the game is over", None)
        return self._add(talk)

    def _add(self, value: object) -> list[Event]:
        kept = list(self.answers)
        self.answers.append(value)
        try:
            return self.advance()
        except BaseException:
            self.answers = kept
            raise

    def keeps(self) -> str:
        """Why the last answer cannot be taken back; empty if it can."""
        if self.play is None or not self.answers:
            return "nothing was answered in this step"
        if isinstance(self.answers[-1], Talk):
            return "what was said is said"
        if self.drawn_at.get(len(self.answers) - 1) != self.drawn_at.get(len(self.answers)):
            return "dice have been rolled since"
        if self.request is not None and self.request.who != self.last_to_answer:
            return "the other player has been asked since"
        return ""

    @property
    def last_to_answer(self) -> int | None:
        """The side whose answer was the last in the step under way."""
        return self.play.answers[-1][0].who if self.play is not None and self.play.answers else None

    def take_back(self) -> int:
        """Take the last answer back; how many events are undone.

        Raises:
            IllegalCommand: dice fell since, the other player has seen what was chosen, or nothing is left.
        """
        why = self.keeps()
        if why:
            raise IllegalCommand("no-way-back", "", why, None)
        shown, kept = self.shown, self.answers
        self.answers, self.shown = kept[:-1], 0
        try:
            self.advance()
        except BaseException:
            self.answers, self.shown = kept, shown
            raise
        return shown - self.shown
