"""Secondary cards: drawn, exchanged, scored at the end of turns, and given up; what each of them counts."""

from __future__ import annotations

from typing import Any

import pytest

from rolloff.editions.commentary.secondaries import cards
from tests.commentary.desk import Json, Ruling, squad
from tests.commentary.test_phases import PASS, marks, rule
from tests.commentary.test_timing import react

MISSION: Json = {"mission": "sealed-instructions", "table": {"size": [60, 44]}}
ATTACKER: Json = {"role": "attacker"}
DEFENDER: Json = {"role": "defender"}
OUR_DOOR: Json = {"id": "o1", "at": [30, 5], "holder": "A"}
HALFWAY: Json = {"id": "o3", "at": [30, 22]}
END: Json = {"phase": "end-of-turn"}


def sides(*ours: Json, theirs: tuple[Json, ...] = (), cp: int = 0) -> Json:
    """The marks of both players."""
    return {"A": {"cp": cp, "marks": [ATTACKER, *ours]}, "B": {"marks": [DEFENDER, *theirs]}}


def held(*ids: str) -> list[Json]:
    """Cards that lie face up."""
    return [{f"card:{id_}": id_} for id_ in ids]


def scored(found: Ruling) -> dict[str, int]:
    """The points of each card that scored."""
    return {event["facts"]["card"]: event["facts"]["points"] for event in found.events if event["kind"] == "card-scored"}


def test_the_deck_is_complete() -> None:
    """Twelve cards, each with something to count and points for it."""
    assert list(cards()) == [f"SEC-{k}" for k in range(1, 13)]
    assert cards()["SEC-1"].worth(3) == 2 and cards()["SEC-1"].worth(4) == 4 and cards()["SEC-1"].worth(2) == 0


@pytest.mark.clause("commentary-10", "CSTR-12", "DICE-6")
def test_new_orders() -> None:
    """Two cards are drawn in the own Command step; at its end one may be exchanged for a point, while there is another."""
    units = [squad("a1", "A", 1, at=[(10, 10)]), squad("b1", "B", 1, at=[(40, 30)])]
    do = {"phase": "command"}
    found = rule(units, do, ["1/12", "1/11"], sides=sides(), answers=[PASS], **MISSION)
    drawn = [event["facts"]["card"] for event in found.events if event["kind"] == "card-drawn"]
    assert found.verdict == "legal" and drawn == ["Corner Lamps", "Middle Ground"]
    answers = [react("New Orders Middle Ground")]
    changed = rule(units, do, ["1/12", "1/11", "1/10"], sides=sides(), answers=answers, **MISSION)
    drawn = [event["facts"]["card"] for event in changed.events if event["kind"] == "card-drawn"]
    assert drawn == ["Corner Lamps", "Middle Ground", "Open Country"]
    held_now = {next(iter(mark)) for mark in changed.json["after"]["sides"]["A"]["marks"] if isinstance(mark, dict)}
    assert {name for name in held_now if name.startswith("card:")} == {"card:SEC-1", "card:SEC-3"}
    assert changed.purposes() == ["card"] * 3 and changed.faces("card") == [1, 1, 1] and changed.dice_used == 3
    last = rule(units, do, ["2/2"], sides=sides({"deck": "SEC-4 SEC-7"}), answers=[PASS], **MISSION)
    drawn = [event["facts"]["card"] for event in last.events if event["kind"] == "card-drawn"]
    assert last.purposes() == ["card"] and drawn == ["Thin the Ranks", "Far Bank"]  # DICE-6: the last one needs no die
    empty = sides({"deck": ""}, *held("SEC-1"))
    assert rule(units, do, [], sides=empty, answers=[react("New Orders Corner Lamps")], **MISSION).refusal is not None


@pytest.mark.clause("commentary-10", "CSTR-12")
def test_a_deck_of_which_nothing_is_said_lacks_what_lies_face_up() -> None:
    """Where a situation names active cards and no deck, the deck is the other ten; New Orders draws from them alone."""
    units = [squad("a1", "A", 1, at=[(10, 10)], M=6), squad("b1", "B", 1, at=[(50, 40)], M=6)]
    given = {"sides": sides(*held("SEC-1", "SEC-2"), cp=1), "answers": [react("New Orders Corner Lamps")]}
    found = rule(units, {"phase": "command"}, [1], **given, **MISSION)
    ours = found.json["after"]["sides"]["A"]["marks"]
    assert {"card:SEC-2": "SEC-2"} in ours and {"card:SEC-3": "SEC-3"} in ours
    assert {"deck": " ".join(f"SEC-{k}" for k in range(4, 13))} in ours


@pytest.mark.clause("commentary-10", "STRAT-4")
def test_new_orders_for_a_shaken_army() -> None:
    """TV-41: it targets a card, so it is usable when every own unit is Battle-shocked."""
    units = [squad("a1", "A", 1, at=[(10, 10)], start_size=4, Ld=7), squad("b1", "B", 1, at=[(40, 30)])]
    kept = sides({"deck": "SEC-3 SEC-4"}, *held("SEC-1", "SEC-2"))
    answers = [PASS, react("New Orders Corner Lamps")]
    found = rule(units, {"phase": "command"}, [1, 1, "1/2"], sides=kept, answers=answers, **MISSION)
    assert found.verdict == "legal" and "battle-shocked" in marks(found, "a1")
    assert any(event["kind"] == "card-drawn" for event in found.events)


def ended(
    ours: list[Any], theirs: list[Any], id_: str, *marks: Json, active: str = "A", objectives: Any = ()
) -> dict[str, int]:
    """What a card of A's scores at the end of a turn, with units of both at some places."""
    units = [squad(f"a{k}", "A", 1, at=[spot], OC=2) for k, spot in enumerate(ours)]
    units += [squad(f"b{k}", "B", 1, at=[spot], OC=2, **more) for k, (spot, more) in enumerate(theirs)]
    card: Json = {f"card:{id_}": "b0"}
    return scored(rule(units, END, [], sides=sides(card, *marks), active=active, objectives=list(objectives), **MISSION))


@pytest.mark.parametrize(
    ("id_", "ours", "theirs", "marks", "points"),
    [
        ("SEC-1", [(5, 5), (55, 5), (5, 40)], [(40, 30)], [], 2),
        ("SEC-1", [(5, 5), (55, 5), (5, 40), (55, 40)], [(40, 30)], [], 4),
        ("SEC-1", [(5, 5), (55, 5), (28, 20)], [(40, 30)], [], 0),
        ("SEC-2", [(30, 20)], [(40, 30)], [], 3),
        ("SEC-2", [(30, 20)], [(30, 25)], [], 0),
        ("SEC-2", [(30, 16.2)], [(40, 30)], [], 0),
        ("SEC-4", [(20, 40)], [(40, 30)], [], 2),
        ("SEC-4", [(20, 40), (40, 40)], [(40, 30)], [], 4),
        ("SEC-5", [(5, 5)], [(40, 30)], [{"felled-leader": "end-turn"}], 3),
        ("SEC-6", [(5, 5)], [(40, 30)], [{"felled:b0": "end-turn"}], 0),
        ("SEC-7", [(5, 5)], [(40, 30)], [{"felled:b0": "end-turn"}], 2),
        ("SEC-11", [(5, 40)], [(40, 30)], [], 2),
        ("SEC-11", [(5, 40)], [(40, 30)], [{"lost:a9": "end-turn"}], 0),
        ("SEC-11", [(5, 4)], [(40, 30)], [], 0),
        ("SEC-12", [(5, 5)], [(40, 30)], [{"felled:b0": "end-turn"}], 4),
        ("SEC-12", [(5, 5)], [(40, 30), (50, 30)], [{"felled:b1": "end-turn"}], 0),
    ],
)
def test_what_cards_count(id_: str, ours: list[Any], theirs: list[Any], marks: list[Json], points: int) -> None:
    """Units by where they stand wholly, and what was destroyed this turn."""
    found = ended(ours, [(spot, {}) for spot in theirs], id_, *marks)
    assert found == ({cards()[id_].name: points} if points else {})


@pytest.mark.clause("commentary-10", "ATTACH-1", "POINTS-1")
@pytest.mark.parametrize(("points", "named"), [(60, "b1"), (70, "b2")])
def test_the_debt_named_by_default_is_the_cheapest_unit(points: int, named: str) -> None:
    """DP-68: an Attached unit costs what its parts cost together."""
    units = [
        squad("a1", "A", 1, at=[(5, 5)], M=6),
        squad("b1", "B", 1, at=[(40, 30)], M=6, points=60),
        squad("x", "B", 1, at=[(41.5, 30)], W=3, points=points, keywords=["CHARACTER"], rules=["Leader"], leading="b1"),
        squad("b2", "B", 1, at=[(50, 30)], M=6, points=125),
    ]
    mission = {"mission": "sealed-instructions", "unanswered": "stop"}
    found = rule(units, {"phase": "command"}, sides=sides({"deck": "SEC-12"}), **mission)
    assert found.pending is not None and (found.pending["clause"], found.pending["default"]) == ("SEC-12", named)


@pytest.mark.clause("commentary-10", "MIS-4")
def test_cards_do_not_score_in_round_one() -> None:
    """A card whose condition holds in round one brings nothing and stays active; from round two it scores."""
    units = [squad("a0", "A", 1, at=[(20, 40)]), squad("b0", "B", 1, at=[(50, 20)])]
    early, later = (rule(units, END, [], sides=sides(*held("SEC-4")), round=number, **MISSION) for number in (1, 2))
    assert scored(early) == {} and {"card:SEC-4": "SEC-4"} in early.json["after"]["sides"]["A"]["marks"]
    assert scored(later) == {"Far Bank": 2}


def test_cards_about_markers_and_shaken_enemies() -> None:
    """Markers in No Man's Land, at the own door, taken over; enemies that are Battle-shocked; heavy units destroyed."""
    far: list[Any] = [((50, 40), {})]
    assert ended([(30, 24)], far, "SEC-3", objectives=[HALFWAY]) == {"Open Country": 3}
    assert ended([(30, 7)], far, "SEC-3", objectives=[OUR_DOOR]) == {}
    assert ended([(30, 7)], far, "SEC-9", active="B", objectives=[OUR_DOOR]) == {"Hold the Door": 3}
    assert ended([(30, 7)], [((50, 5), {})], "SEC-9", active="B", objectives=[OUR_DOOR]) == {}
    assert ended([(30, 7)], [((50, 40), {"marks": ["battle-shocked"]})], "SEC-8") == {"Shaken Hands": 2}
    assert ended([(30, 7)], far, "SEC-8") == {}
    tank = [((50, 40), {"keywords": ["VEHICLE"]})]
    assert ended([(30, 7)], tank, "SEC-6", {"felled:b0": "end-turn"}) == {"Heavy Salvage": 3}
    units = [squad("a0", "A", 1, at=[(30, 24)], OC=2), squad("b0", "B", 1, at=[(50, 40)])]
    had = sides(*held("SEC-10"), theirs=({"had:o3": "end-turn"},))
    assert scored(rule(units, END, [], sides=had, objectives=[HALFWAY], **MISSION)) == {"Change of Hands": 3}


def test_no_more_than_twenty_by_cards_and_cards_may_be_given_up() -> None:
    """A player has at most 20 points by cards in a battle; what scored is discarded, what did not may be given up."""
    units = [squad("a0", "A", 1, at=[(20, 40)]), squad("b0", "B", 1, at=[(50, 20)])]
    rich = sides(*held("SEC-4", "SEC-8"), {"card-vp": 19}, {"vp": 30})
    give = [{"kind": "choose-option", "value": "Shaken Hands"}]
    found = rule(units, END, [], sides=rich, answers=give, **MISSION)
    assert scored(found) == {"Far Bank": 1}
    assert [event["facts"]["card"] for event in found.events if event["kind"] == "card-given-up"] == ["Shaken Hands"]
