"""Points and scatter: what is asked, refused, written down; where markers land, rolled and computed."""

from __future__ import annotations

import struct
from fractions import Fraction

import pytest

from rolloff.errors import IllegalCommand
from rolloff.geometry.templates import Area
from rolloff.oracle.calculator import Calculator
from rolloff.oracle.dice import EnteredDice
from rolloff.oracle.oracle import Answers, Oracle
from rolloff.oracle.roll import Dice
from rolloff.oracle.roller import Roller
from rolloff.record.session import Session
from rolloff.rules.answers import Spot, read_answer, write_answer
from rolloff.rules.game import Game
from rolloff.rules.play import Play, play_step
from rolloff.rules.rows import Once
from rolloff.rules.templates import Scatter, ask_point, best_spots, stray, units_under
from rolloff.rules.turns import Step
from rolloff.situations.wire import request_json
from rolloff.table.event import Event, Placed, Went, apply
from rolloff.table.profile import DiceRoll
from rolloff.table.state import TABLE, State
from tests.rules.drill import TURNS, drill, rows

SPOTS = ((6_000, 6_000), (9_000, 6_000))


def near(spot: Spot) -> IllegalCommand | None:
    """Only in the lower half."""
    return None if spot.y <= 12_000 else IllegalCommand("too-far", "DR-1", "this is too far up", spot.y / 1000)


def aims(play: Play) -> None:
    """A row that asks for a point."""
    spot = ask_point(play, 0, 0, SPOTS, near, "DR-1", radius=1.5)
    play.emit("acted", ("DR-1",), unit=0, x=spot.x, y=spot.y)


def game_of() -> tuple[Game, State]:
    """Two units a side, three of the four on one spot."""
    game = drill(rows(TURNS, turn=(Step("shoot", Once((aims,))),)), units=(2, 2))
    state = game.start()
    for unit, (x, y) in enumerate(((6, 6), (20, 20), (6, 7), (9, 6))):
        patches = (Went(unit, TABLE), Placed((unit,), struct.pack("<2i", x * 1000, y * 1000), bytes(4), bytes(2)))
        state = apply(state, Event("acted", ("DR-1",), patches))
    return game, state


def test_a_template_is_shown_where_it_would_lie() -> None:
    """Whoever asks for a point with a template tells the page its outline at each spot, in inches; others tell none."""
    from rolloff.server.prompts import prompt_json

    def lays(play: Play) -> None:
        ask_point(play, 0, 0, SPOTS, near, "DR-1", area_of=lambda at: Area.line((0, 6_000), at, 500))

    for work, shown in ((lays, [[[0, 6, 0.25], [6, 6, 0.25]], [[0, 6, 0.25], [9, 6, 0.25]]]), (aims, [])):
        game = drill(rows(TURNS, turn=(Step("shoot", Once((work,))),)), units=(2, 2))
        play = play_step(game, game_of()[1], Oracle(EnteredDice(()), Answers((), stop=False)))
        assert prompt_json(game, play.state, play.answers[0][0], 0, play)["areas"] == shown


def test_a_point_is_asked_for_and_judged() -> None:
    """The default is the first spot; an answer reads from inches and back; refusals come from the judge and the edge."""
    game, state = game_of()
    play = play_step(game, state, Oracle(EnteredDice(()), Answers((), stop=False)))
    request = play.answers[0][0]
    assert (request.kind, request.default) == ("point", Spot(6_000, 6_000))
    assert request_json(game, state, request)["default"] == [6.0, 6.0]
    assert read_answer(game, state, request, [7.5, 3]) == Spot(7_500, 3_000)
    assert write_answer(game, state, request, Spot(7_500, 3_000)) == [7.5, 3.0]
    for wrong in ("here", [1], [1, 2, 3], {"x": 1}):
        with pytest.raises(IllegalCommand, match="no answer to point"):
            read_answer(game, state, request, wrong)


@pytest.mark.parametrize(("answer", "code"), [(Spot(0, 13_000), "too-far"), (Spot(-1, 0), "off-table"), ("x", "not-a-point")])
def test_a_refused_point_leaves_the_question_standing(answer: object, code: str) -> None:
    """A session refuses what the judge, the edge or the form forbids, and changes nothing."""
    game, state = game_of()
    session = Session(game, b"drill", (None, None), state=state)
    session.advance()
    with pytest.raises(IllegalCommand) as refused:
        session.answer(answer)
    assert refused.value.code == code and session.request is not None
    report = session.answer(Spot(8_000, 2_000))
    assert (report[0].fact("x"), report[0].fact("y")) == (8_000, 2_000)


def lands(dice: Dice, how: Scatter) -> tuple[int, int, bool, bool]:
    """Where a marker aimed at the middle of a small table comes down."""
    found = stray(dice, Spot(6_000, 6_000), how, (12_000, 12_000), "DR-1")
    return found.x, found.y, found.hit, found.lost


@pytest.mark.parametrize(
    ("dice", "where"),
    [
        (["hit@90", 6, 6], (6_000, 6_000, True, False)),
        (["arrow@90", 2, 3], (6_000, 8_000, False, False)),
        (["arrow@0", 1, 1], (6_000, 6_000, False, False)),
        (["arrow@180", 6, 6], (-3_000, 6_000, False, True)),
        (["arrow@45", 2, 2], (6_707, 6_707, False, False)),
    ],
)
def test_a_marker_scatters_by_die_direction_and_distance(dice: list[object], where: tuple[object, ...]) -> None:
    """All dice are rolled whatever the first shows; skill is taken off the distance; off the table is lost."""
    entered = EnteredDice(dice)
    assert lands(Roller(entered.faces), Scatter(less=3_000)) == where
    entered.finish()


def test_odds_know_every_landing() -> None:
    """A third of all shots hit; an arrow has each direction and distance with its chance."""
    law = Calculator(exact=True).law(lands, Scatter(DiceRoll(2), 0))
    assert sum(law.values()) == 1
    assert law.chance(lambda end: end[2]) == Fraction(1, 3)
    assert law[(6_000, 8_000, False, False)] == Fraction(2, 3) * Fraction(1, 360) * Fraction(1, 36)
    assert len(law) > 3_000


def test_units_under_a_template_and_the_best_place_for_it() -> None:
    """Models are told by unit; of some spots the one over most enemies less friends comes first."""
    game, state = game_of()
    play = Play(game, state, Oracle(EnteredDice(()), Answers(())))

    def marker(spot: tuple[int, int]) -> Area:
        return Area.disc(*spot, 700)

    assert units_under(play, marker((6_000, 6_500))) == {0: (0,), 2: (2,)}
    assert best_spots(play, 0, marker, SPOTS)[0] == SPOTS[1]
    assert best_spots(play, 1, marker, SPOTS)[0] == SPOTS[0]
