"""INV-35 to INV-38: mirrored battles, expectations that rise and fall as they should, saving and loading, and every offer."""

from __future__ import annotations

import json
import struct
from fractions import Fraction
from itertools import product

import pytest

from rolloff.editions import registry
from rolloff.editions.onepage.matchup import Figures, Strike, flow_of
from rolloff.lab.duel import Match
from rolloff.oracle.calculator import Calculator
from rolloff.oracle.dice import SeededDice, seed_bytes
from rolloff.oracle.flow import HITS, WOUNDS, Tally, Volley
from rolloff.oracle.oracle import Answers, Oracle
from rolloff.record.session import Session
from rolloff.rules.answers import read_answer, write_answer
from rolloff.rules.game import Game
from rolloff.rules.play import Play, play_step
from rolloff.situations.depiction import write_situation
from rolloff.situations.forms import SituationForm, fill
from rolloff.situations.situation import read_situation
from rolloff.table.profile import Rule
from rolloff.table.state import NOWHERE, State
from tests.properties.games import EDITION, game_of, match_of, walk
from tests.properties.mirrors import Mirror

ROLL_OFFS = ("roll-off", "declare")
NEAR = 2
"""Thou by which what the machine moves by itself may end elsewhere when it is turned: what rounding does."""


class Walked:
    """The steps of one game with the die each began at."""

    def __init__(self, agents: str, index: int, seed: int = 5) -> None:
        """Play it."""
        self.match: Match = match_of(agents, seed, index)
        self.index, self.game = index, game_of(self.match, index)
        self.seed = seed_bytes(seed, index, "dice")
        self.steps: list[tuple[State, Play, int]] = []
        self.drawn = 0
        self.last, _ = walk(self.match, index, self._note, self.game)

    def _note(self, before: State, play: Play) -> None:
        self.steps.append((before, play, self.drawn))
        dice = play.oracle.dice
        assert isinstance(dice, SeededDice)
        self.drawn = dice.drawn

    def again(self, k: int, answers: list[object], stop: bool = True) -> Play:
        """A step again with these answers, then (unless they must be all) the defaults."""
        before, _, drawn = self.steps[k]
        return play_step(self.game, before, Oracle(SeededDice(self.seed, drawn), Answers(answers, stop=stop)))


def faces(play: Play) -> list[object]:
    """All dice of a step, in order."""
    return [event.fact("faces") for event in play.events if event.kind == "rolled"]


def apart(one: State, other: State) -> int:
    """The furthest any coordinate differs."""
    pairs = zip(struct.unpack(f"<{len(one.xy) // 4}i", one.xy), struct.unpack(f"<{len(other.xy) // 4}i", other.xy), strict=True)
    return max(abs(a - b) if NOWHERE not in (a, b) else 0 if a == b else 99 for a, b in pairs)


@pytest.mark.parametrize(("agents", "index"), [("closing", 0), ("closing", 1), ("closing", 2), ("random", 3)])
def test_a_mirrored_battle_goes_the_mirrored_way(agents: str, index: int) -> None:
    """INV-35: step by step the turned table with swapped seats ends in the turned state, with the same dice."""
    walked = Walked(agents, index)
    mirror = Mirror(walked.game)
    for before, play, drawn in walked.steps:
        if before.clock.phase in ROLL_OFFS or any(event.fact("purpose") == "roll-off" for event in play.events):
            continue
        answers = [mirror.answer(answer) for _, answer in play.answers]
        oracle = Oracle(SeededDice(walked.seed, drawn), Answers(answers))
        found = play_step(mirror.game, mirror.state(before), oracle)
        expected = mirror.state(play.state)
        assert faces(found) == faces(play)
        assert apart(found.state, expected) <= (NEAR if any(e.kind == "stepped-back" for e in play.events) else 0)
        assert found.state.units == expected.units and found.state.wounds == expected.wounds
        assert found.state.clock == expected.clock and found.state.sides == expected.sides


def mean(strike: Strike, tally: Tally) -> Fraction:
    """The exact expectation of one attack."""
    flow = flow_of(strike, Figures(4, 5, 5), registry.edition(EDITION).specials)
    spread = Calculator(exact=True).spread(Volley(flow, 1, 1), tally)
    return sum((Fraction(chance) * k for k, chance in enumerate(spread)), Fraction(0))


RULES = [
    tuple(Rule(name) for name in names) for names in ((), ("Linked",), ("Unwieldy",), ("Piercing",), ("Poison", "Rending"))
]


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: "+".join(rule.name for rule in rules) or "plain")
def test_expectations_rise_and_fall_as_they_should(rules: tuple[Rule, ...]) -> None:
    """INV-36: Linked never lowers hits nor Unwieldy raises them; no protection raises wounds; Piercing lowers none."""
    bits = (False, True)
    for quality, block, armored, cover, regeneration in product((2, 4, 6), (2, 3, 4, 5, 6), bits, bits, bits):
        plain = Strike(
            "shooting", quality, block, rules, armored=armored, cover=("ELEV-4",) if cover else (), regeneration=regeneration
        )

        def having(name: str, plain: Strike = plain) -> Strike:
            return _with(plain, rules=tuple(sorted({*plain.rules, Rule(name)})))

        assert mean(having("Linked"), HITS) >= mean(plain, HITS) >= mean(having("Unwieldy"), HITS)
        wounds = mean(plain, WOUNDS)
        assert mean(having("Piercing"), WOUNDS) >= wounds
        assert mean(_with(plain, armored=True), WOUNDS) <= wounds
        assert mean(_with(plain, cover=("ELEV-4",)), WOUNDS) <= wounds
        assert mean(_with(plain, regeneration=True), WOUNDS) <= wounds


def _with(strike: Strike, **changes: object) -> Strike:
    from msgspec.structs import replace

    return replace(strike, **changes)


@pytest.mark.parametrize(("agents", "index"), [("random", 1), ("closing", 2), ("greedy", 3)])
def test_saving_and_loading_changes_nothing(agents: str, index: int) -> None:
    """INV-37: a game put into JSON and taken out again, at any decision, goes on to the same state."""
    walked = Walked(agents, index)
    for before, play, drawn in walked.steps:
        text = json.dumps(write_situation(walked.game, before))
        read = read_situation(fill(json.loads(text), SituationForm))
        assert read.state.digest() == before.digest()
        assert _taken_up(walked, read.game, read.state, drawn, play).digest() == play.state.digest()


def _taken_up(walked: Walked, game: Game, state: State, drawn: int, play: Play) -> State:
    """The state a step ends in when the session is put away and taken up again before each of its answers."""
    ended: list[State] = []

    def fresh(sofar: list[object]) -> Session:
        session = Session(game, walked.seed, (None, None), lambda done, _: ended.append(done.state), state, drawn)
        session.answers = sofar
        session.advance()
        return session

    session = fresh([])
    for request, answer in play.answers:
        assert not ended and session.request is not None and session.request.kind == request.kind
        wire = json.loads(json.dumps(write_answer(game, session.now, session.request, answer)))
        session = fresh(list(session.answers))
        assert session.request is not None
        session.answer(read_answer(game, session.now, session.request, wire))
    return ended[0]


@pytest.mark.parametrize(("agents", "index"), [("random", 0), ("random", 1), ("closing", 2), ("greedy", 3)])
def test_every_offer_is_legal(agents: str, index: int) -> None:
    """INV-38: at every decision every option offered is taken without a refusal, and so is the default."""
    walked = Walked(agents, index)
    tried = 0
    for k, (before, play, _) in enumerate(walked.steps):
        given = [answer for _, answer in play.answers]
        for at, (request, _) in enumerate(play.answers):
            options = request.options if request.options is not None else (request.default,)
            assert request.options is None or request.default in request.options
            for option in options[:12]:
                walked.again(k, [*given[:at], option], stop=False)
                tried += 1
        _offered(before, play)
    assert tried > 100


def _offered(before: State, play: Play) -> None:
    """ACT-7, TURN-4: every unit that has not acted, and every simple action it could take, was offered."""
    for request, answer in play.answers:
        if request.point == "DP-13":
            side = play.game.units_of[before.clock.active]
            ready = [k for k in side if before.units[k].living and before.units[k].where >= -1 and not before.units[k].done]
            reached = {play.game.names[k] for k in ready if before.units[k].where == -1 or before.units[k].where >= 0}
            assert set(request.options or ()) == reached
        if request.point == "DP-14" and before.units[request.about].where == -1:
            stuck = any(name == "immobile" and slot in before.units[request.about].living for slot, name, _ in before.models)
            assert "run" in (request.options or ()) or stuck
            assert answer in (request.options or ())
