"""A unit's part of the Command phase, played alone: its test, and what ends before it."""

from __future__ import annotations

import pytest

from tests.commentary.desk import EDITION, Json, squad
from tests.commentary.test_phases import marks, row, rule

FAR = squad("b9", "B", 1, at=[(57, 41)], M=6)
PART = {"phase": "command", "unit": "a1"}


def few(models: int, id: str = "a1", side: str = "A", **more: object) -> Json:
    """A unit of ten of which some are left."""
    return squad(id, side, models, at=row(models, 10 if side == "A" else 40), start_size=10, M=6, Ld=7, **more)


@pytest.mark.clause(EDITION, "BSHOCK-2", "BSHOCK-5", "CMD-4")
def test_battle_shock_ends_before_the_test_of_the_next_command_phase() -> None:
    """A unit that was Battle-shocked is so no longer when it tests: who passes is free, who fails is Battle-shocked anew."""
    shaken = [few(4, marks=["battle-shocked"]), FAR]
    for dice, after in (([6, 6], set()), ([1, 1], {"battle-shocked"})):
        found = rule(shaken, PART, dice)
        assert found.verdict == "legal" and marks(found, "a1") & {"battle-shocked"} == after
        assert [event["kind"] for event in found.events[:2]] == ["next", "activated"]


@pytest.mark.clause(EDITION, "CMD-4", "UNIT-5")
def test_who_takes_no_test_is_refused_by_what_says_who_does() -> None:
    """Exactly half is not Below Half-strength; nor does the reactive player's unit test, nor one in Reserves."""
    for units, unit in (
        ([few(5), FAR], "a1"),
        ([few(4), few(4, "b1", "B")], "b1"),
        ([few(4, where="reserve"), squad("a2", "A", 1, at=[(5, 5)]), FAR], "a1"),
    ):
        found = rule(units, {**PART, "unit": unit}, [])
        assert found.refusal is not None and found.refusal["clause"] == "CMD-4", found.verdict
