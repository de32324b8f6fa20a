"""Rulings on cases: verdicts, refusals, pending decisions, dice and questions."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rolloff.errors import BadInput, DiceError
from rolloff.situations.adjudicate import adjudicate
from tests.record.test_situation import example

Json = dict[str, Any]


def ruled(case: Json, **more: Any) -> Json:
    """The ruling on a case."""
    return adjudicate(msgspec.json.encode(case | more))


TOSS = {"activate": "a1", "action": "toss"}
WALK = {"activate": "a1", "action": "walk"}


def test_without_a_command_the_situation_stands() -> None:
    """Nothing happens, and the situation after is the one before, with all its fields."""
    report = ruled(example())
    assert (report["verdict"], report["events"], report["dice_used"]) == ("legal", [], 0)
    assert ruled(report["after"])["state"] == report["state"]
    assert next(iter(report)) == "schema"


def test_an_activation_is_played_with_its_dice() -> None:
    """The roll, the attack, the events with their patches and the state after are all there."""
    report = ruled(example(), do=TOSS, dice=[5])
    assert report["verdict"] == "legal"
    assert report["dice_used"] == 1
    assert report["rolls"] == [
        {
            "purpose": "toss",
            "unit": "a1",
            "need": 4,
            "faces": [5],
            "rerolls": [],
            "successes": 1,
            "clauses": ["COIN-4"],
        }
    ]
    assert report["attacks"][0]["wounds"] == report["attacks"][0]["damage"] == 1
    assert ["b1.1", "wounds", 1] in [row for event in report["events"] for row in event["set"]]
    assert report["after"]["units"][1]["models"][0]["wounds"] == 1
    assert report["after"]["units"][0]["models"][0]["weapons"] == ["Penny"]


def test_a_removed_model_is_told_of_its_attack() -> None:
    """Who falls is listed with the attack that felled them."""
    case = example()
    case["units"][1]["models"][0]["wounds"] = 1
    assert ruled(case, do=TOSS, dice=[4])["attacks"][0]["removed"] == ["b1.1"]


@pytest.mark.parametrize("dice", [{"toss": [5]}, {"seed": 7}, {"seed": "00ff", "from": 3}])
def test_dice_may_be_named_or_seeded(dice: Json) -> None:
    """A roll finds its dice by name or in a stream."""
    assert ruled(example(), do=TOSS, dice=dice)["dice_used"] == 1


@pytest.mark.parametrize(
    ("dice", "code"),
    [
        ([], "dice-short"),
        (None, "dice-short"),
        ([4, 4], "dice-left"),
        ([7], "bad-die"),
        ([0], "bad-die"),
        ([True], "bad-die"),
        (["6"], "bad-die"),
        ([1.5], "bad-die"),
        ([6] * 10_001, "too-many"),
        ({"toss": [1, 1]}, "dice-left"),
        ({"hit": [1]}, "dice-short"),
        ({"toss": 4}, "bad-dice"),
        ({"seed": "xyz"}, "bad-seed"),
        ({"seed": 1, "from": -1}, "bad-number"),
        ({"seed": 1, "to": 2}, "unknown-field"),
    ],
)
def test_dice_that_do_not_fit_are_unusable(dice: Any, code: str) -> None:
    """Too few, too many, no faces of a die: each has its code."""
    with pytest.raises((DiceError, BadInput)) as caught:
        ruled(example(), do=TOSS, dice=dice)
    assert caught.value.code == code


def test_dice_short_names_the_roll() -> None:
    """Whoever enters dice learns which roll lacks them."""
    with pytest.raises(DiceError) as caught:
        ruled(example(), do=TOSS, dice=[])
    assert caught.value.where == "toss"


@pytest.mark.parametrize(
    ("do", "answers", "code"),
    [
        ({"activate": "b1", "action": "toss"}, [], "not-offered"),
        (WALK, [{"kind": "move", "value": {"shift": [7, 0]}}], "no-way"),
        (WALK, [{"kind": "move", "value": {"a1.1": [[6, 4]], "b1.1": [[1, 1]]}}], "wrong-model"),
        (WALK, [{"kind": "move", "value": {"a9": [[6, 4]]}}], "unknown-model"),
        (WALK, [{"kind": "move", "value": "fly"}], "bad-answer"),
        (WALK, [{"kind": "move", "value": {"a1.1": []}}], "bad-answer"),
        (WALK, [{"kind": "move", "value": {"shift": [1]}}], "bad-answer"),
        (WALK, [{"kind": "move", "value": {"shift": ["a", 0]}}], "bad-answer"),
        (WALK, [{"kind": "choose-target", "value": "b1"}], "wrong-kind"),
        (TOSS, [{"kind": "choose-target", "value": "a1"}], "not-offered"),
        (TOSS, [{"kind": "choose-target", "value": {"x": 1}}], "bad-answer"),
        ({"activate": "a1", "action": "hold"}, [{"kind": "choose-target", "value": "b1"}], "nothing-asked"),
    ],
)
def test_illegal_commands_and_answers_are_refused_and_change_nothing(do: Json, answers: list[Json], code: str) -> None:
    """A refusal has a code and a clause, and the situation after is the one that was given."""
    case = example()
    report = ruled(case, do=do, answers=answers, dice=[1])
    assert report["verdict"] == "refused"
    assert report["refusal"]["code"] == code
    assert report["refusal"]["clause"].startswith("COIN-")
    assert report["after"] == case
    assert report["state"] == ruled(case)["state"]
    assert report["events"] == []


def test_an_action_the_rules_withhold_is_refused_where_one_is_left() -> None:
    """A unit whose only unit or action is taken without asking cannot claim another."""
    case = example()
    case["units"][0]["marks"] = ["new"]
    assert ruled(case, do=WALK)["refusal"]["clause"] == "COIN-2"


def test_a_single_option_may_be_answered_or_left_out() -> None:
    """An answer to a question with one option is taken, and none is needed."""
    given = [{"kind": "choose-target", "value": "b1"}]
    assert ruled(example(), do=TOSS, dice=[1], answers=given)["verdict"] == "legal"
    assert ruled(example(), do=TOSS, dice=[1])["verdict"] == "legal"


def test_moves_are_read_in_every_form() -> None:
    """Stay, a shift of the unit and a path for each model lead where they say."""
    for value, at in (
        ("stay", [6, 4]),
        ({"shift": [1, 2]}, [7, 6]),
        ({"a1.1": [[6, 4], [6, 5], [6, 6]]}, [6, 6]),
        ({"a1.1": [[6, 5, 90]]}, [6, 5]),
    ):
        report = ruled(example(), do=WALK, answers=[{"kind": "move", "value": value}])
        assert report["verdict"] == "legal", report["refusal"]
        assert report["after"]["units"][0]["models"][0]["at"] == at


def test_numbers_that_mean_nothing_are_unusable() -> None:
    """A coordinate beyond all tables is no answer at all."""
    with pytest.raises(BadInput) as caught:
        ruled(example(), do=WALK, answers=[{"kind": "move", "value": {"shift": [5000, 0]}}])
    assert caught.value.code == "bad-number"


def test_an_unanswered_decision_is_pending_or_takes_its_default() -> None:
    """With ``stop`` the ruling waits at the first open decision; else the default is taken."""
    report = ruled(example(), do=WALK, unanswered="stop")
    assert report["verdict"] == "pending"
    assert report["pending"]["kind"] == "move"
    assert (report["pending"]["who"], report["pending"]["default"]) == ("A", "stay")
    assert report["events"]
    assert ruled(example(), do=WALK)["verdict"] == "legal"


def test_any_step_of_the_clock_can_be_played() -> None:
    """A step is named by its phase; answers are taken in order."""
    given = [{"kind": "choose-unit", "value": "a1"}, {"kind": "choose-action", "value": "hold"}]
    assert ruled(example(), do={"step": "toss"}, answers=given)["verdict"] == "legal"


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"do": {"step": "lunch"}}, "unknown-phase"),
        ({"do": {"step": "place"}, "clock": {"phase": "toss"}}, "wrong-phase"),
        ({"do": {"activate": "z9"}}, "unknown-unit"),
        ({"do": {"activate": "a1", "action": "dance"}}, "unknown-action"),
        ({"do": {"activate": "a1", "speed": 3}}, "unknown-field"),
        ({"do": {}}, "bad-field"),
        ({"do": 5}, "bad-field"),
        ({"answers": [{"kind": "move", "value": "stay"}]}, "nothing-done"),
        ({"answers": [{"kind": "move"}]}, "bad-field"),
        ({"unanswered": "guess"}, "bad-field"),
        ({"ask": [{"colour": "a1"}]}, "no-such-ask"),
        ({"do": {"attack": {"attacker": "a1", "target": "b1"}}}, "no-attacks"),
    ],
)
def test_cases_that_make_no_sense_are_unusable(more: Json, code: str) -> None:
    """What is asked or done must exist."""
    with pytest.raises(BadInput) as caught:
        ruled(example(), **more)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("ask", "said"),
    [({"distnce": ["a1", "b1"]}, "no question 'distnce'"), ({"score": "A", "distance": ["a1", "b1"]}, "2 questions in one")],
)
def test_a_question_nobody_knows_is_named(ask: Json, said: str) -> None:
    """What was asked stands in the refusal, so that the nearest there is can be named."""
    with pytest.raises(BadInput, match=said):
        ruled(example(), ask=[ask])


@pytest.mark.parametrize(
    ("ask", "code"),
    [
        ({"distance": ["a1"]}, "bad-ask"),
        ({"distance": ["a1", "z9"]}, "unknown-unit"),
        ({"score": "C"}, "bad-ask"),
        ({"parse": {"name": ""}}, "bad-weapon"),
    ],
)
def test_a_question_that_fails_is_answered_with_its_error_and_the_others_stand(ask: Json, code: str) -> None:
    """Beside a question nobody can answer, the next one still gets its answer."""
    answers = ruled(example(), ask=[ask, {"score": "B"}])["answers"]
    assert answers[0]["value"] is None
    assert answers[0]["error"]["code"] == code
    assert "error" not in answers[1]


def test_positions_are_needed_only_where_something_is_done_or_measured() -> None:
    """A model without a place can be scored, but neither measured nor moved."""
    case = example()
    del case["units"][0]["models"][0]["at"]
    assert ruled(case, ask=[{"score": "A"}])["answers"][0]["value"] == 0
    for more in ({"do": TOSS}, {"ask": [{"distance": ["a1", "b1"]}]}):
        with pytest.raises(BadInput) as caught:
            ruled(case, **more)
        assert caught.value.code == "no-position"


def test_questions_are_answered_with_their_evidence() -> None:
    """Distance, sight, options, score and weapons are told, with the line that proves a sight."""
    asks = [{"distance": ["a1.1", "b1"]}, {"sight": ["a1", "b1.1"]}, {"options": "a1"}, {"score": "B"}, {"parse": "Dime"}]
    distance, sight, options, score, parse = ruled(example(), ask=asks)["answers"]
    assert distance["value"] == 6.659
    assert sight["value"] is True
    assert len(sight["evidence"]["line"]) == 2
    assert options["value"] == ["walk", "hold", "toss"]
    assert score["value"] == 0
    assert parse["value"]["name"] == "Dime"


def test_questions_are_about_the_table_after_the_command() -> None:
    """What was done is done when the question is answered."""
    answers = [{"kind": "move", "value": {"shift": [0, 2]}}]
    report = ruled(example(), do=WALK, answers=answers, ask=[{"distance": ["a1.1", "b1"]}])
    assert report["answers"][0]["value"] < 5
