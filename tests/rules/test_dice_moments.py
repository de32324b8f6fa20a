"""Offers in play and the moment at which dice lie on the table: who is asked, what it costs, what is written."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from rolloff.oracle.dice import EnteredDice
from rolloff.oracle.draft import Draft, Reroll
from rolloff.oracle.offers import Again
from rolloff.oracle.oracle import Answers, Oracle
from rolloff.rules.effects import Duration, Effects
from rolloff.rules.play import Play, play_step
from rolloff.rules.rows import Once
from rolloff.rules.turns import Step
from rolloff.rules.windows import ROLLED, Limit, Moment, Reaction, Use
from rolloff.table.event import Event, SideMarked, apply
from tests.rules.drill import TURNS, drill, rows


def shaken(play: Play) -> None:
    """A test on 4+, which may be taken again."""
    play.rolled_by = 0
    stage = Draft("nerve", 4, "DR-1").offer(Reroll.FAILURES, "nerves", "DR-1").check()
    play.emit("acted", ("DR-1",), passed=play.dice.ask(stage))


def again(play: Play, moment: Moment, side: int) -> Iterable[Use]:
    """Whoever threw may roll a low die again for a point."""
    facts = dict(moment.facts)
    faces, rolled = facts["faces"], facts["again"]
    assert isinstance(faces, tuple) and isinstance(rolled, tuple)
    low = [k for k, face in enumerate(faces) if face in (1, 2, 3) and k not in rolled]
    return [Use(moment.unit, variant=str(k), cost=1) for k in low] if play.game.side_of(moment.unit) == side else []


def roll(play: Play, moment: Moment, use: Use) -> Again:
    """That die again."""
    return Again(int(use.variant))


REROLL = Reaction("Re-roll", frozenset({ROLLED}), "DR-1", again, roll, pay="cp", limit=Limit("end-phase"))


def run(faces: list[int], answers: list[object], points: int, reroll: Reaction = REROLL) -> Play:
    """One command of a game with paid re-rolls."""
    effects = Effects({"end-phase": Duration("end-phase")})
    game = drill(rows(TURNS, turn=(Step("test", Once((shaken,))),)), (reroll,), effects)
    state = apply(game.start(), Event("acted", ("DR-1",), (SideMarked(0, "cp", points),)))
    return play_step(game, state, Oracle(EnteredDice(faces), Answers(answers, stop=False)))


def test_whoever_throws_is_asked_about_an_offer() -> None:
    """The question names the roll, the offer and how many dice it is about; the answer decides."""
    play = run([2, 5], [True], 0)
    request = play.answers[0][0]
    assert (request.who, request.kind, request.about, request.default) == (0, "yes-no", 0, True)
    assert dict(request.facts) == {"purpose": "nerve", "offer": "nerves", "dice": 1}
    assert play.events[1].fact("passed") is True
    assert run([2], [False], 0).events[1].fact("passed") is False


def test_a_die_is_bought_anew_while_it_lies_on_the_table() -> None:
    """With a point left the player may pay for the die; the log keeps both faces; without one nobody is asked."""
    play = run([2, 6], [False, "Re-roll a1 0"], 1)
    assert [event.kind for event in play.events][:3] == ["reacted", "rolled", "acted"]
    assert play.events[1].fact("rerolls") == ((0, 6),) and play.events[2].fact("passed") is True
    assert play.state.side_mark(0, "cp") == 0
    assert len(run([2], [False], 0).answers) == 1
    assert run([2], [False, "pass"], 3).events[1].fact("passed") is False


def test_a_rule_of_one_clause_is_about_dice_by_that_clause_alone() -> None:
    """Who may change dice by a clause is asked about a die that goes by it, and about no other."""
    assert len(run([2, 6], [False, "Re-roll a1 0"], 1, replace(REROLL, cited="DR-1")).answers) == 2
    assert len(run([2], [False], 1, replace(REROLL, cited="DR-2")).answers) == 1
