"""Open questions name the decision point of the contract's list they belong to, also who acts next and what may be used."""

from __future__ import annotations

from typing import Any

import pytest

from rolloff.editions import registry
from rolloff.editions.commentary.points import RULES, point_of
from rolloff.table.request import Request
from tests.commentary.desk import EDITION, Json, blade, gun, squad
from tests.commentary.test_phases import row, rule

NEAR = [squad("a1", "A", 1, gun(), blade(), at=[(10, 10)], M=6), squad("b1", "B", 1, gun(), blade(), at=[(20, 10)], M=6)]
NEXT_UNIT, REACT = "choose-unit", "react"


def pending(units: list[Json], do: Json, dice: Any = (), answers: Any = (), **more: Any) -> tuple[str, str]:
    """The kind and the decision point of what is asked when the given answers are used up."""
    found = rule(units, do, dice, answers=list(answers), unanswered="stop", **more)
    assert found.pending is not None, found.refusal
    return found.pending["kind"], found.pending["point"]


@pytest.mark.clause("commentary-10", "MOVE-1", "SHOOT-1", "CHG-1")
@pytest.mark.parametrize(("phase", "point"), [("movement", "DP-13"), ("shooting", "DP-23"), ("charge", "DP-41")])
def test_who_is_next_in_a_phase(phase: str, point: str) -> None:
    """Which unit moves, shoots or charges next is the point of that phase."""
    assert pending(NEAR, {"phase": phase}) == (NEXT_UNIT, point)


@pytest.mark.clause("commentary-10", "FGT-2", "CMD-4", "MOVE-10")
def test_who_is_next_elsewhere() -> None:
    """So is which unit fights, takes its Battle-shock test or arrives."""
    fighters = [squad(f"a{k}", "A", 1, blade(), at=[(10, 10 * k)], M=6) for k in (1, 2)]
    foes = [squad(f"b{k}", "B", 1, blade(), at=[(11.5, 10 * k)], M=6) for k in (1, 2)]
    assert pending([*fighters, *foes], {"phase": "fight"}) == (NEXT_UNIT, "DP-45")
    halved = [squad(f"a{k}", "A", 1, at=[(10, 10 * k)], M=6, start_size=5) for k in (1, 2)]
    assert pending([*halved, foes[0]], {"phase": "command"}) == (NEXT_UNIT, "DP-11")
    late = squad("a2", "A", 1, rules=["Deep Strike"], where="reserve", M=6)
    assert pending([*NEAR, late], {"phase": "reinforcements"}) == (NEXT_UNIT, "DP-20")


@pytest.mark.clause("commentary-10", "CSTR-5", "CSTR-1", "CSTR-7", "JUST-1")
def test_what_may_be_used_in_a_window() -> None:
    """Overwatch, a re-roll and what answers a choice of targets have points of their own; other rules that of any window."""
    moves: Json = {"phase": "movement", "unit": "a1", "action": "normal"}
    assert pending(NEAR, moves, sides={"B": {"cp": 5}}) == (REACT, "DP-21")
    at: Json = {"kind": "choose-target", "value": "b1"}
    shoots: Json = {"phase": "shooting", "unit": "a1"}
    assert pending(NEAR, shoots, answers=[at], sides={"B": {"cp": 5}}) == (REACT, "DP-27")
    assert pending(NEAR, shoots, [1], answers=[at], sides={"A": {"cp": 5}}) == (REACT, "DP-29")
    thrower = squad("a1", "A", 1, gun(), at=[(10, 10)], M=6, keywords=["INFANTRY", "GRENADES"])
    mob = squad("b1", "B", 3, at=row(3, 16), M=6)
    assert pending([thrower, mob], {"phase": "shooting"}, sides={"A": {"cp": 5}}) == (REACT, "DP-8")


def test_rules_of_several_points_are_offered_in_a_window() -> None:
    """Where rules of different points are offered at once it is a window like any; every rule listed is one there is."""

    def offered(*names: str) -> str:
        facts = (("moment", "set-up"), ("reactions", names))
        return point_of(Request(0, REACT, "CSTR-5", (*names, "pass"), "pass", facts=facts))

    assert [offered("Fire Overwatch", "Fire Overwatch"), offered("Fire Overwatch", "Answering Light")] == ["DP-21", "DP-8"]
    assert RULES.keys() <= {rule.name for rule in registry.edition(EDITION).reactions}
