"""A random Move (DICE-5): rolled once for the whole unit when it is selected to move, and by nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rolloff.armies import content_files, library
from rolloff.armies.forms import read_book
from rolloff.errors import BadInput
from rolloff.lab.duel import Match, duel
from rolloff.record.verify import verify
from tests.commentary.desk import Json, blade, squad
from tests.commentary.referee import FAR, Moment, judge, move, part, says, way
from tests.commentary.test_own_lists import EXAMPLE


def two(stride: Any = "D6", **more: Any) -> Json:
    """Two models with a random Move."""
    return squad("a1", "A", 2, at=[(10, 10), (12, 10)], M=stride, **more)


def east(far: float) -> Json:
    """Both of them go that far."""
    return {"kind": "move", "value": {"shift": [far, 0]}}


ENGAGED = [two(), squad("b1", "B", 1, at=[(8.7, 10)], M=6)]
RIDER = squad("a2", "A", 1, at=[(14, 10)], M=3, keywords=["INFANTRY", "CHARACTER"], leading="a1")
HOVERS = {"keywords": ["VEHICLE", "AIRCRAFT"], "rules": ["Hover"], "marks": ["hovers"]}
RICH: dict[str, Any] = {"sides": {"A": {"cp": 3}, "B": {}}, "unanswered": "stop"}
REACH = [{"reach": ["a1", "normal"]}, {"reach": ["a1", "advance"]}]

MOMENTS = [
    says("one die is rolled for both", "DICE-5", [two(), FAR], move(), {"rolls": ["move"]}, [5], [east(5)]),
    says("nobody goes further than it", "DICE-5 MOVE-5", [two(), FAR], move(), {"refused": "MOVE-5"}, [4], [east(5)]),
    says("2D6 are two dice", "DICE-5 DICE-1", [two("2D6"), FAR], move(), {"rolls": ["move"]}, [4, 5], [east(9)]),
    says("and no more", "DICE-5 DICE-1", [two("2D6"), FAR], move(), {"refused": "MOVE-5"}, [4, 4], [east(9)]),
    says("a D3 is half a D6", "DICE-5 DICE-1", [two("D3"), FAR], move(), {"refused": "MOVE-5"}, [4], [east(3)]),
    says("what stands behind it is added", "DICE-5", [two('D6+2"'), FAR], move(), {"rolls": ["move"]}, [3], [east(5)]),
    says(
        "it is none of the rolls that Command Re-roll is for: the way is asked for at once",
        "CSTR-1 DICE-5",
        [two(), FAR],
        move(),
        {"pending": {"kind": "move"}},
        [1],
        **RICH,
    ),
    says(
        "the Advance roll is one of them",
        "CSTR-1 MOVE-6",
        [two(), FAR],
        move("advance"),
        {"pending": {"kind": "react"}},
        [1, 1],
        **RICH,
    ),
    says(
        "an Advance adds its own die",
        "DICE-5 MOVE-6",
        [two(), FAR],
        move("advance"),
        {"rolls": ["move", "advance"]},
        [2, 3],
        [east(5)],
    ),
    says("and no more than that", "DICE-5 MOVE-6", [two(), FAR], move("advance"), {"refused": "MOVE-6"}, [2, 2], [east(5)]),
    says("a Fall Back goes as far", "DICE-5 MOVE-7", ENGAGED, move("fall-back"), {"rolls": ["move"]}, [4], [east(4)]),
    says("and no further", "DICE-5 MOVE-7", ENGAGED, move("fall-back"), {"refused": "MOVE-7"}, [3], [east(4)]),
    says(
        "changes of the Move come after the roll",
        "DICE-5 MOD-3",
        [two(rules=["Move(/2)", "Move(+1)"]), FAR],
        move(),
        {"rolls": ["move"]},
        [5],
        [east(4)],  # 5/2 + 1, rounded up once
    ),
    says(
        "and change what was rolled",
        "DICE-5 MOD-3",
        [two(rules=["Move(/2)", "Move(+1)"]), FAR],
        move(),
        {"refused": "MOVE-5"},
        [4],
        [east(4)],
    ),
    says("a Move of -2 stays an inch at least", "DICE-5 MODCH-7", [two(rules=["Move(-2)"]), FAR], move(), {}, [1], [east(1)]),
    says(
        "where a number takes its place nothing is rolled",
        "DICE-5 MOD-2 DICE-6",
        [squad("a1", "A", 1, at=[(10, 10)], M="D6", **HOVERS), FAR],
        move(),
        {"rolls": []},
        [],
        [way(a1_1=(30, 10))],
    ),
    says(
        "who leads it goes as far as his own Move",
        "DICE-5 MOVE-5",
        [two(), RIDER, FAR],
        move(),
        {"rolls": ["move"]},
        [5],
        [way(a1_1=(14, 11), a1_2=(16, 11.2), a2_1=(17, 10))],
    ),
    says(
        "and no further",
        "DICE-5 MOVE-5",
        [two(), RIDER, FAR],
        move(),
        {"refused": "MOVE-5"},
        [5],
        [way(a1_1=(14, 11), a1_2=(16, 11.2), a2_1=(17.5, 10))],
    ),
    says(
        "a charge rolls its own distance alone",
        "DICE-5 CHG-2",
        [squad("a1", "A", 1, blade(), at=[(10, 10)], M="D6"), squad("b1", "B", 1, at=[(15, 10)], M=6)],
        part("charge"),
        {"rolls": ["charge"]},
        [4, 4],
    ),
    says(
        "nor do Pile-in and Consolidation moves roll it",
        "DICE-5 PILEIN-2",
        [squad("a1", "A", 1, blade(), at=[(10, 10)], M="D6"), squad("b1", "B", 1, at=[(11.5, 10)], M=6, W=9)],
        part("fight"),
        {"rolls": ["hit"], "events": {"piled-in": 1, "consolidated": 1}},
        [1],
    ),
    says(
        "before the roll it is asked for by its dice",
        "DICE-5",
        [two(), FAR],
        None,
        {"asks": ["D6", {"least": 1.0, "most": 6.0}, {"least": 2.0, "most": 12.0}]},
        ask=[{"value": ["a1.1", "M"]}, *REACH],
    ),
    says(
        "and with what changes it",
        "DICE-5 MOD-3",
        [two("2D6", rules=["Move(+1)"]), FAR],
        None,
        {"asks": [{"least": 3.0, "most": 13.0}, {"least": 4.0, "most": 19.0}]},
        ask=REACH,
    ),
    says(
        "while the move lasts by what was rolled",
        "DICE-5",
        [two(rules=["Move(+1)"], marks=[{"rolled:D6=4": "end-phase"}]), FAR],
        None,
        {"asks": [5, 5.0, {"least": 6.0, "most": 11.0}]},
        ask=[{"value": ["a1.1", "M"]}, *REACH],
    ),
    says(
        "what was rolled before does not count when it is selected to move",
        "DICE-5",
        [two(marks=[{"rolled:D6=6": "end-phase"}]), FAR],
        move(),
        {"refused": "MOVE-5"},
        [2],
        [east(3)],
    ),
]


@pytest.mark.parametrize("moment", MOMENTS)
def test_random_moves(moment: Moment) -> None:
    """What is rolled, when, and how far the unit goes by it."""
    judge(moment)


@pytest.mark.parametrize("stride", ["Dx", "D", "20D6", "2D"])
def test_dice_that_are_none_are_refused(stride: str) -> None:
    """A Move that is no dice, or could be more than any Move, is refused where it stands."""
    with pytest.raises(BadInput) as refused:
        judge(Moment([two(stride), FAR], move(), {}))
    assert refused.value.where == "a1.stats.M"


@pytest.mark.parametrize("mark", ["rolled:D6=x", "rolled:D6=9", "rolled:D6=", "rolled:2D6=4"])
def test_a_mark_that_no_such_roll_leaves_says_nothing(mark: str) -> None:
    """Only what the dice of this Move can show counts as rolled."""
    judge(Moment([two(marks=[{mark: "end-phase"}]), FAR], None, {"asks": ["D6"]}, more={"ask": [{"value": ["a1.1", "M"]}]}))


@pytest.mark.clause("commentary-10", "DICE-5")
@pytest.mark.parametrize("player", ["greedy", "random"])
def test_a_book_with_random_moves_is_played(player: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A swarm that moves D6+2", led by somebody with a number, plays a battle to its end, and the record verifies."""
    printed = content_files.shelf("books")["hollow-tide"].read_text("utf-8")
    changed = read_book(printed.replace("M = 7,", 'M = "D6+2",').encode(), "hollow-tide")
    monkeypatch.setattr(library, "book", lambda name: changed if name == "hollow-tide" else content_files.book(name))
    lists = str(EXAMPLE), "lantern-reach-500"
    report = duel(Match("commentary-10", (player, player), lists, "toll-crossing", "", 500, 2, str(tmp_path)), 0, 1)
    (row,) = report["games"]
    record = tmp_path / str(row["record"])
    assert row["finished"] and not row["offered_refused"]
    assert '"move-rolled"' in record.read_text("utf-8") and verify(record).verified
