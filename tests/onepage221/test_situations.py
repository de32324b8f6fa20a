"""Situations of One Page 2.21, each worked out from the rulebook before it was tried."""

from __future__ import annotations

import pytest

from tests.onepage.desk import answer, clause_of, desk_of, unit

desk, clause = desk_of("onepage-2.21"), clause_of("onepage-2.21")
GUNS = ['Long (48", A3)', 'Short (48", A2)']
BIG = {"circle": 2.4}


@clause("SHOOT-7", "RULE-RELENTLESS-1")
@pytest.mark.parametrize(
    ("type", "action", "legal"), [("monster", "hold", True), ("monster", "walk", False), ("infantry", "hold", False)]
)
def test_only_the_relentless_split_their_fire_and_only_on_hold(type: str, action: str, legal: bool) -> None:
    """A second target for the second weapon: a Monster that holds may, one that walked and infantry may not."""
    beast = unit("a1", "A", [(10, 10)], type=type, rules=["Tough(3)"], base=BIG, weapons=GUNS)
    said = [answer("choose-target", "b1"), answer("assign-weapons", [["a1.1", 0, "b1"], ["a1.1", 1, "b2"]])]
    said = [answer("move", "stay"), *said] if action == "walk" else said
    table = desk(beast, unit("b1", "B", [(10, 20), (12, 20)]), unit("b2", "B", [(30, 20)]))
    found = table.activate("a1", action, said, dice=[1] * (5 if legal else 0))
    assert (found.verdict, found.refusal and found.refusal["clause"]) == (("legal", None) if legal else ("refused", "SHOOT-7"))
    assert [attack["target"] for attack in found.attacks] == (["b1", "b2"] if legal else [])
