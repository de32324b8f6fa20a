"""What one moment leaves is the next: a situation afterwards goes on in the same phase, or in a later one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rolloff.situations.adjudicate import adjudicate
from tests.commentary.desk import EDITION, Json, Ruling, blade, gun, squad
from tests.commentary.test_phases import asked, marks, rule
from tests.commentary.test_timing import at, react

STAY = {"kind": "move", "value": "stay"}


def part(phase: str, unit: str = "", action: str = "") -> Json:
    """A phase, or a unit's part of it."""
    return {"phase": phase} | ({"unit": unit, "action": action} if unit else {})


def units(gap: float = 10) -> list[Json]:
    """Two units with a gun and a blade so far apart."""
    return [
        squad(f"{side.lower()}1", side, 1, gun(), blade(), at=[(x, 10)], M=6, W=9) for side, x in (("A", 10), ("B", 10 + gap))
    ]


def goes_on(found: Ruling, do: Json, dice: Any = (), *answers: Json) -> Ruling:
    """The next moment of what is left."""
    case = {**found.json["after"], "do": do, "dice": list(dice), "answers": list(answers)}
    return Ruling(adjudicate(json.dumps(case).encode()))


@pytest.mark.clause(EDITION, "SHOOT-1", "CHG-1", "FGT-1", "ROUND-1")
def test_a_unit_has_its_part_in_every_phase_of_a_turn() -> None:
    """Who moved, shoots, charges and fights, each in what the moment before left; in one phase nobody has two parts."""
    found = rule(units(), part("movement", "a1", "normal"), [], answers=[{"kind": "move", "value": {"shift": [1, 0]}}])
    found = goes_on(found, part("shooting", "a1", "shoot"), [1], at("b1"))
    assert found.verdict == "legal", found.refusal
    again = goes_on(found, part("shooting", "a1", "shoot"), [1], at("b1"))
    assert again.refusal is not None and again.refusal["clause"] == "SHOOT-1"
    found = goes_on(found, part("charge", "a1", "charge"), [6, 6], at("b1"))
    found = goes_on(found, part("fight", "a1", "fight"), [1], STAY)
    assert found.verdict == "legal" and "charged" in marks(found, "a1"), found.refusal
    left = goes_on(found, part("fight"), [1], STAY)
    assert [event["facts"]["unit"] for event in left.events if event["kind"] == "activated"] == ["b1"]


@pytest.mark.clause(EDITION, "CSTR-13", "CSTR-7")
def test_what_lasts_until_the_end_of_a_phase_ends_where_the_next_begins() -> None:
    """A Stratagem of one phase may be used in the next; who went to ground is no longer in cover when somebody charges."""
    rich = {"A": {"cp": 3}, "B": {"cp": 3}}
    shot = [at("b1"), react("Go to Ground"), react("Command Re-roll a1")]
    found = rule(units(), part("shooting", "a1", "shoot"), [1, 1], answers=shot, sides=rich)
    assert found.verdict == "legal" and "cover" in marks(found, "b1")
    found = goes_on(found, part("charge", "a1", "charge"), [1, 1, 6, 6], at("b1"), react("Command Re-roll a1"))
    assert found.verdict == "legal" and "cover" not in marks(found, "b1")


@pytest.mark.clause(EDITION, "FGT-1", "SHOOT-1")
def test_marks_of_parts_that_were_had_end_with_the_phase() -> None:
    """`fought` keeps a unit from fighting twice in a phase; in the Fight phase of the next turn it fights again."""
    rows = units(gap=1.5)
    rows[0]["marks"] = ["fought"]
    found = rule(rows, part("fight"), [1], answers=[STAY])
    assert [event["facts"]["unit"] for event in found.events if event["kind"] == "activated"] == ["b1"]
    found = goes_on(found, part("end-of-turn"))
    found = goes_on(found, part("fight", "a1", "fight"), [1], STAY)
    assert found.verdict == "legal", found.refusal


@pytest.mark.clause(EDITION, "CMD-1", "BSHOCK-1")
def test_a_phase_that_is_under_way_goes_on() -> None:
    """Where the clock stands in the Battle-shock step what is left of the Command phase is played: nobody gains CP twice."""
    few = squad("a1", "A", 4, at=[(10 + 1.5 * k, 10) for k in range(4)], start_size=10, M=6)
    clock = {"phase": "battle-shock", "first": "A", "marks": []}
    found = rule([few, squad("b1", "B", 1, at=[(40, 40)])], part("command"), [6, 6], clock=clock)
    assert found.json["after"]["sides"]["A"]["cp"] == 0 and found.purposes() == ["battle-shock"]


@pytest.mark.clause(EDITION, "ABIL-7", "CMD-5", "OC-1")
def test_what_is_written_of_a_leader_is_so_of_the_whole_unit() -> None:
    """Battle-shocked or having Advanced, an Attached unit is so as one, whichever of its parts a situation marks."""
    for bearer in (0, 1):
        squads = [
            squad("a1", "A", 2, gun(), at=[(10, 10), (11.5, 10)], M=6, OC=2),
            squad("x", "A", 1, gun(), at=[(10, 11.5)], M=6, OC=1, keywords=["CHARACTER"], rules=["Leader"], leading="a1"),
            squad("b1", "B", 1, at=[(20, 10)], M=6),
        ]
        squads[bearer]["marks"] = ["battle-shocked", "advanced"]
        marker = [{"id": "o1", "at": [10, 13.5], "holder": None}]
        found = rule(squads, part("shooting", "a1", "shoot"), [], ask=[{"control": "o1"}], objectives=marker)
        assert found.json["answers"][0]["value"]["levels"] == {"A": 0, "B": 0}
        assert found.refusal is not None and found.refusal["clause"] == "SHOOT-1"


@pytest.mark.clause(EDITION, "ROUND-1", "MIS-8")
def test_after_the_second_turn_the_next_round_begins() -> None:
    """A phase that is named where a round has ended is one of the next round; after the last round there is none."""
    for number, refused in ((2, None), (5, "MIS-8")):
        found = rule(units(), part("end-of-turn"), [], active="B", round=number, clock={"phase": "turn-end", "first": "A"})
        found = goes_on(found, part("command"))
        assert (found.refusal and found.refusal["clause"]) == refused
        if refused is None:
            after = found.json["after"]
            assert (after["round"], after["active"]) == (3, "A")
            assert {side: held["cp"] for side, held in after["sides"].items()} == {"A": 1, "B": 1}


@pytest.mark.clause(EDITION, "CSTR-2")
def test_who_uses_counter_offensive_fights_next() -> None:
    """Nobody else may be selected to fight where Counter-offensive has named who fights next, and then the others may."""
    squads = [*units(gap=1.5), squad("a2", "A", 1, blade(), at=[(10, 20)], M=6), squad("b2", "B", 1, at=[(11.5, 20)], M=6)]
    found = rule(squads, part("fight", "a1", "fight"), [1], answers=[react("Counter-offensive b1")], sides={"B": {"cp": 2}})
    early = goes_on(found, part("fight", "a2", "fight"), [1])
    assert early.refusal is not None and early.refusal["clause"] == "CSTR-2"
    found = goes_on(found, part("fight", "b1", "fight"), [1])
    assert goes_on(found, part("fight", "a2", "fight"), [1]).verdict == "legal"


@pytest.mark.clause(EDITION, "MOVE-1", "CHG-2", "ROUND-1")
def test_options_are_those_of_the_phase_the_clock_stands_in() -> None:
    """What a unit may do now is a move in the Movement phase and a target to charge in the Charge phase; at last nothing."""
    expected = {"move": ["stationary", "normal", "advance"], "charge-starts": ["b1"], "turn-end": []}
    for row, options in expected.items():
        assert asked(units(), {"options": "a1"}, active="A", clock={"phase": row, "first": "A"}) == [options], row


@pytest.mark.clause(EDITION, "MOVE-1", "DEST-2")
def test_who_is_destroyed_or_waits_is_not_picked_to_move() -> None:
    """A unit that is neither on the battlefield nor aboard is refused as such (MOVE-1), not as one that stays in."""
    for where in ("destroyed", "waiting"):
        squads = [*units(), squad("a2", "A", 1, M=6, where=where)]
        found = rule(squads, part("movement", "a2", "normal"))
        assert found.refusal is not None and found.refusal["clause"] == "MOVE-1", found.refusal


@pytest.mark.clause(EDITION, "ROUND-1", "CHG-1", "CMD-1")
def test_a_step_by_the_name_of_the_phase_goes_on_where_the_clock_stands() -> None:
    """A step named by its phase is that of the clock's row, also where another row of the phase bears the same name."""
    begun = rule(units(), part("shooting"), [], answers=[{"kind": "choose-unit", "value": "pass"}], clock={"phase": "shoot"})
    assert begun.json["after"]["clock"]["phase"] == "charge-starts"
    answers = [{"kind": "choose-unit", "value": "a1"}, at("b1")]
    found = goes_on(begun, {"step": "charge"}, [6, 6], *answers)
    assert found.verdict == "legal" and "charged" in marks(found, "a1"), found.refusal
    opened = rule(units(), {"step": "command"}, clock={"phase": "command"})
    closed = goes_on(opened, {"step": "command"})
    assert closed.json["after"]["clock"]["phase"] == "move"
    assert closed.json["after"]["sides"]["A"]["cp"] == 1


@pytest.mark.clause(EDITION, "CSTR-3")
def test_a_reaction_of_a_model_may_be_named_with_its_unit() -> None:
    """Epic Challenge is used by a CHARACTER model; by its name, with that model's or with that of its unit it is meant."""
    squads = [
        *units(gap=1.5),
        *(
            squad(
                f"{side}x", side, 1, at=[(x, 11.2)], W=3, keywords=["CHARACTER"], rules=["Leader"], leading=f"{side.lower()}1"
            )
            for side, x in (("A", 10), ("B", 11.5))
        ),
    ]
    for said in ("Epic Challenge", "Epic Challenge Ax.1", "Epic Challenge a1"):
        found = rule(squads, part("fight", "a1", "fight"), [1], answers=[react(said)], sides={"A": {"cp": 1}})
        assert found.verdict == "legal" and found.json["after"]["sides"]["A"]["cp"] == 0, (said, found.refusal)
    other = rule(squads, part("fight", "a1", "fight"), [1], answers=[react("Epic Challenge b1")], sides={"A": {"cp": 1}})
    assert other.refusal is not None and other.refusal["clause"] == "CSTR-3"
