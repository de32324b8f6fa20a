"""The same model of a target is in range and in sight (SHOOT-2), whichever way a weapon is asked for one."""

from __future__ import annotations

import pytest

from tests.commentary.desk import Json, gun, shoot, squad
from tests.commentary.referee import at, part, react
from tests.commentary.test_phases import rule

RUIN = {"id": "r1", "types": ["ruin"], "polygon": [[14, 0], [16, 0], [16, 11], [14, 11]], "height": 6}
TABLE = {"terrain": [RUIN]}


def shooter(*rules: str, range: int = 12) -> Json:
    """One model with a gun, before a ruin."""
    return squad("a1", "A", 1, gun(*rules, range=range), at=[(10, 10)])


def half_hidden(*rules: str) -> Json:
    """Two models: one 9.2" away behind the ruin, one 12.5" away in plain view."""
    return squad("b1", "B", 2, at=[(20, 8), (21.5, 17)], rules=rules, M=6)


@pytest.mark.clause("commentary-10", "SHOOT-2")
@pytest.mark.parametrize("rules", [(), ("Lone Operative",)])
def test_who_is_seen_is_in_range_himself(rules: tuple[str, ...]) -> None:
    """A gun that reaches only a model it does not see has no shot; a longer one has, and so has one that needs no sight."""
    found = shoot([shooter(), half_hidden(*rules)], table=TABLE)
    assert found.refusal is not None
    assert (found.refusal["clause"], found.refusal["code"]) == ("SHOOT-2", "not-visible")
    for gunner in (shooter(range=13), shooter("Indirect Fire")):
        assert shoot([gunner, half_hidden(*rules)], [1], table=TABLE).verdict == "legal"


@pytest.mark.clause("commentary-10", "SHOOT-2")
@pytest.mark.parametrize("rules", [(), ("Lone Operative",)])
def test_in_its_phase_too(rules: tuple[str, ...]) -> None:
    """Such a unit is no target in the Shooting phase either, where a gun that reaches whom it sees has one."""
    for reach, verdict, dice in ((12, "refused", []), (13, "legal", [1])):
        units = [shooter(range=reach), half_hidden(*rules)]
        assert rule(units, part("shooting"), dice, answers=[at("b1")], table=TABLE).verdict == verdict


@pytest.mark.clause("commentary-10", "SHOOT-2", "SHOOT-1")
def test_nobody_is_selected_to_shoot_in_vain() -> None:
    """Where the whole phase is played, a unit that has no model both in range and in sight is not offered."""
    for reach, offered in ((12, False), (13, True)):
        found = rule([shooter(range=reach), half_hidden()], {"phase": "shooting"}, unanswered="stop", table=TABLE)
        assert (found.pending is not None and "a1" in found.pending["options"]) is offered


@pytest.mark.clause("commentary-10", "SHOOT-2", "CSTR-5")
def test_overwatch_is_offered_at_whom_it_sees_in_range() -> None:
    """Fire Overwatch is offered at a unit that moves only where a model of it is both in range and in sight."""
    for reach, verdict, dice in ((12, "refused", []), (13, "legal", [1])):
        units = [{**half_hidden(), "side": "A"}, {**shooter(range=reach), "side": "B"}]
        go = part("movement", "b1", "normal")
        answers = [react("Fire Overwatch"), {"kind": "move", "value": {}}]
        assert rule(units, go, dice, answers=answers, sides={"B": {"cp": 1}}, table=TABLE).verdict == verdict
