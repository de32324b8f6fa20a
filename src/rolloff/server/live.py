"""A game being played: its session, its record, its log, and the tape from which all of it can be had again.

Nothing here waits, locks or stores. What comes of an answer is an `Outcome`: the entry the tape must keep, and what
everybody is to be told once it is kept.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from rolloff.errors import BadInput, IllegalCommand, RecordError, RolloffError
from rolloff.oracle.oracle import Chooser
from rolloff.oracle.stage import Change
from rolloff.record.book import Recorder, answer_lines
from rolloff.record.fairness import Fairness, Mixing
from rolloff.record.result import result_of
from rolloff.record.session import Session
from rolloff.record.signing import Signer
from rolloff.rules.answers import read_answer, write_answer
from rolloff.rules.game import Game
from rolloff.rules.play import SIDES, Play
from rolloff.server.evidence import line_json, line_to, with_line
from rolloff.server.messages import refusal_json
from rolloff.server.previews import look, reach
from rolloff.server.prompts import asked_about, prompt_json, words_json
from rolloff.server.seats import BOTH
from rolloff.server.suggesting import suggestion
from rolloff.server.survey import survey
from rolloff.server.trial import try_answer
from rolloff.situations.depiction import marker_rows, write_situation
from rolloff.situations.forms import SituationForm, fill
from rolloff.situations.naming import named, sentence
from rolloff.situations.situation import read_situation
from rolloff.situations.wire import event_json
from rolloff.table.event import Event, apply
from rolloff.table.request import Talk
from rolloff.table.state import State
from rolloff.typed import read_json

BACK = "back"
TAKEN_BACK = '[{"t":"back"}]'
"""The entry of the tape by which an answer is taken back."""
NOT_THINKING = "not-thinking"
DAMAGED = "damaged"
MOST_TALK = 200
"""So often players may speak up in one battle."""
MOST_BACK = 500
"""So often answers of one battle may be taken back."""
ENOUGH = f"answers of this battle were taken back {MOST_BACK} times: from here on they stand"

Json = dict[str, Any]
_encode = msgspec.json.Encoder().encode


class BattlePlan(Struct, frozen=True):
    """What a battle is made of: with its tape it is the whole game."""

    id: str
    title: str
    setup: bytes
    machines: tuple[str, str]
    players: tuple[str, str]
    fairness: Fairness


class Outcome(Struct, frozen=True):
    """What came of something: the tape's entry, the events, and how things stand; ``cut`` events were taken back."""

    entry: str
    events: tuple[bytes, ...]
    standing: bytes
    thinking: bool
    result: str | None = None
    record: bytes | None = None
    cut: int = 0


_decode_plan = msgspec.msgpack.Decoder(BattlePlan).decode


def damaged() -> RecordError:
    """What is kept of a battle is not what was written."""
    message = "what is kept of this battle is damaged; the others are not touched by it"
    return RecordError(DAMAGED, message, where="game", allowed="a backup put back by rolloff battles restore")


def read_plan(kept: bytes) -> BattlePlan:
    """A plan as it is kept; `RecordError` if it is damaged."""
    try:
        return _decode_plan(kept)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise damaged() from None


def read_mixing(kept: str) -> Mixing:
    """Players' numbers as they are kept; `RecordError` if they are damaged."""
    try:
        return Mixing(**msgspec.json.decode(kept))
    except (msgspec.MsgspecError, TypeError, ValueError):
        raise damaged() from None


def read_result(kept: str | None) -> Json | None:
    """A result as it is kept; None if there is none, or none that can be read."""
    try:
        found: Json | None = None if kept is None else read_json(kept, Json)
    except msgspec.MsgspecError:
        return None
    return found


def read_setup(setup: bytes) -> Game:
    """The game of a written setup."""
    return read_situation(fill(msgspec.json.decode(setup), SituationForm, "setup")).game


def write_setup(game: Game) -> bytes:
    """A game that has not begun, written down."""
    return _encode(write_situation(game, game.start()))


def greeting(plan: BattlePlan, game: Game, state: State) -> bytes:
    """What a newcomer must know of a battle besides its log and how things stand."""
    edition = game.edition
    return _encode(
        {
            "title": plan.title,
            "armies": list(game.setup.armies),
            "talk": list(edition.talk),
            "words": words_json(edition),
            "reactions": asked_about(game),
            "situation": write_situation(game, state),
        }
    )


def _flat(tape: Iterable[str]) -> Iterator[Json]:
    """The answers of a tape in order, without those that were taken back; `RecordError` if it is damaged."""
    kept: list[Json] = []
    try:
        for entry in tape:
            for line in read_json(entry, list[Json]):
                if line["t"] == BACK:
                    kept.pop()
                else:
                    kept.append(line)
    except (msgspec.MsgspecError, LookupError):
        raise damaged() from None
    return iter(kept)


class LiveGame:
    """One game being played, in the process that plays it."""

    def __init__(self, plan: BattlePlan, machines: tuple[Chooser | None, Chooser | None], signer: Signer | None) -> None:
        """Lay the game out; `open` begins it."""
        self.plan = plan
        self.game = read_setup(plan.setup)
        self.session = Session(self.game, plan.fairness.dice, machines, watch=self._done, patient=True)
        self.serial = 0
        self.events = 0
        self._seen = self.session.state
        self._taped = 0
        self._steps: list[tuple[Play, State]] = []
        self._talks = 0
        self._backs = 0
        self._record = io.BytesIO()
        self._recorder = Recorder(self._record, self.game, plan.fairness, plan.players, signer=signer)

    def _done(self, play: Play, before: State) -> None:
        self._steps.append((play, before))

    def open(self, tape: list[str]) -> Outcome:
        """Play up to where the tape ends, or to the first question."""
        lines = list(_flat(tape))
        self._talks = sum(line["t"] == "talk" for line in lines)
        self._backs = tape.count(TAKEN_BACK)
        self.serial = max(0, len(tape) - 1)
        return self._outcome(self.session.advance(lines))

    def answer(self, seat: str, value: Any, serial: int | None) -> Outcome:
        """Answer the open request for a seat.

        Raises:
            IllegalCommand: the rules refuse the answer; the request stands.
            BadInput: it is not this seat's question, or not the question that was answered.
        """
        session, request = self.session, self.session.request
        if serial is not None and serial != self.serial:
            raise BadInput("too-late", "this question has been answered already", where="answer")
        if request is None:
            raise BadInput("nothing-asked", "nothing is being asked right now", where="answer")
        if session.thinking or seat not in (SIDES[request.who], BOTH):
            raise BadInput("not-yours", f"this is for side {SIDES[request.who]} to decide", where="answer")
        return self._outcome(session.answer(read_answer(self.game, session.now, request, value)))

    def talk(self, side: str, name: str, said: Json) -> Outcome:
        """Say something for a side; it need not be its turn."""
        if self._talks >= MOST_TALK:
            raise BadInput("too-much-talk", "enough has been said in this battle", where="talk", allowed=f"{MOST_TALK} times")
        found = self._outcome(self.session.talk(Talk(SIDES.index(side), name, {**said, "by": side})))
        self._talks += 1
        return found

    def carry_on(self) -> Outcome:
        """Let the machine whose question is open answer, up to the end of the step."""
        if not self.session.thinking:
            raise BadInput(NOT_THINKING, "no machine is asked anything", where="carry_on")
        return self._outcome(self.session.carry_on())

    def take_back(self, seat: str) -> Outcome:
        """Take a seat's last answer back, if no die fell since and the other player has not been asked on account of it.

        Raises:
            IllegalCommand: dice fell, the other player knows, or nothing of this seat is left to take back.
            BadInput: it was done too often in this battle.
        """
        if self._backs >= MOST_BACK:
            raise BadInput("too-often", ENOUGH, where="take-back", allowed=f"{MOST_BACK} times")
        last = self.session.last_to_answer
        if last is not None and seat not in (SIDES[last], BOTH) and not self.session.keeps():
            raise IllegalCommand("no-way-back", "", f"the last answer was side {SIDES[last]}'s", None)
        cut = self.session.take_back()
        self.events -= cut
        self._backs += 1
        self._taped -= 1
        self._seen = self.session.now
        self.serial += 1
        return Outcome(TAKEN_BACK, (), self._standing(), self.session.thinking, cut=cut)

    def ask(self, kind: str, value: Any) -> Json:
        """Something that changes nothing: one of ASKS."""
        return ASKS[kind](self, value)

    def hello(self) -> bytes:
        """The situation, and all that a newcomer must know besides the log and how things stand."""
        return greeting(self.plan, self.game, self.session.now)

    def record(self) -> bytes:
        """The record so far: whole steps, and the end once it has come."""
        return self._record.getvalue()

    def _outcome(self, events: list[Event]) -> Outcome:
        """Write down what happened, and say what is to be kept and told."""
        entry = _encode(self._entry()).decode()
        self.serial += 1
        trails = self._trails()
        fresh = tuple(self._shown(event, trails.get(id(event), ())) for event in events)
        for play, before in self._steps:
            self._recorder.step(play, before)
        finished = self.session.over and bool(self._steps)
        self._steps.clear()
        if finished:
            self._recorder.end(self.session.state)
        result = _encode(asdict(result_of(self.game, self.session.state))).decode() if self.session.over else None
        record = self.record() if finished else None
        return Outcome(entry, fresh, self._standing(), self.session.thinking, result, record)

    def _entry(self) -> list[Json]:
        """The answers since the last entry: of the steps that were done, and of the one under way."""
        found: list[Json] = []
        for play, before in self._steps:
            found += answer_lines(self.game, before, play, self._taped)
            self._taped = 0
        if self.session.play is not None:
            found += answer_lines(self.game, self.session.state, self.session.play, self._taped)
            self._taped = len(self.session.play.answers)
        return found

    def _trails(self) -> dict[int, tuple[Change, ...]]:
        """How the needs of the rolls came about, by the identity of their events: of the steps done and the one under way."""
        plays = [play for play, _ in self._steps] + ([self.session.play] if self.session.play is not None else [])
        return {id(play.events[at]): trail for play in plays for at, trail in play.trails.items()}

    def _shown(self, event: Event, trail: tuple[Change, ...]) -> bytes:
        """An event as viewers are shown it: with its sentence, and a roll with how its need came about."""
        said = event_json(self.game, event, self.events) | {"text": sentence(self.game, event)}
        if trail:
            said["trail"] = [line_json(self.game.edition, line) for line in trail]
        found = _encode(with_line(self.game, self._seen, event, said))
        self._seen = apply(self._seen, event)
        self.events += 1
        return found

    def _standing(self) -> bytes:
        session = self.session
        request = session.request
        asked = request is not None and not session.thinking
        shown = prompt_json(self.game, session.now, request, self.serial, session.play) if asked and request else None
        result = result_of(self.game, session.now)
        last = session.last_to_answer
        person = last is not None and session.seats[last] is None
        kept = ENOUGH if self._backs >= MOST_BACK else session.keeps()
        return _encode(
            {
                "request": shown,
                "thinking": SIDES[request.who] if session.thinking and request else None,
                "over": asdict(result) if session.over else None,
                "score": list(result.score),
                "markers": marker_rows(self.game, session.now),
                "can_take_back": (kept or True) if person else "the last answer was a machine's",
                "take_back_by": SIDES[last] if person and last is not None else None,
            }
        )

    def _judge(self, value: Any) -> Json:
        try:
            facts = try_answer(self.session, value)
        except RolloffError as error:
            return {"legal": False, "refusal": refusal_json(error, lambda text: named(self.game, text)), "facts": {}}
        return {"legal": True, "refusal": None, "facts": facts}

    def _suggest(self) -> Any:
        """What a player may be suggested to answer, as pages write it; None if the default is as good."""
        session, better = self.session, suggestion(self.session)
        if better is None or session.request is None:
            return None
        return write_answer(self.game, session.now, session.request, better)

    def _odds(self, option: Any) -> Json:
        from rolloff.odds.quick import preview

        request, play = self.session.request, self.session.play
        if request is None or play is None or request.options is None or option not in request.options:
            raise BadInput("not-offered", "this is not among what is offered", where="option")
        return {"odds": preview(play, request, option), "line": line_to(play.game, play.state, request, option)}


ASKS: dict[str, Callable[[LiveGame, Any], Json]] = {
    "judge": lambda live, value: live._judge(value),
    "odds": lambda live, option: live._odds(option),
    "look": lambda live, value: look(live.session, value),
    "reach": lambda live, _: {"outline": reach(live.session)},
    "survey": lambda live, plan: {"rows": survey(live.session, plan)},
    "suggest": lambda live, _: {"value": live._suggest()},
}
"""What may be asked about the open question: would it be legal, what are its odds, where would it lead, and so on."""
