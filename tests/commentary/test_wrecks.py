"""Wrecks: what a destroyed TRANSPORT counts, who gets out of it, and what the end of one model sets off in another."""

from __future__ import annotations

import pytest

from tests.commentary.desk import Json, Ruling, gun, squad
from tests.commentary.test_phases import HULL, rule
from tests.commentary.test_timing import at

SHOOT: Json = {"phase": "shooting", "unit": "a1"}
SURE = gun("Torrent", S=20, D=20)


def destroyed(found: Ruling) -> list[tuple[str, str | None]]:
    """The units reported destroyed, each with the player whose work it was."""
    facts = [event["facts"] for event in found.events if event["kind"] == "unit-destroyed"]
    return [(one["unit"], one["destroyer"]) for one in facts]


@pytest.mark.clause("commentary-10", "DEST-2", "DEST-3", "TRANS-8")
@pytest.mark.parametrize(
    ("dice", "others"), [([3, 3], []), ([1, 3], []), ([1, 1], [("b2", None)])], ids=["nobody", "one", "all"]
)
def test_a_wreck_counts_whoever_dies_getting_out(dice: list[int], others: list[tuple[str, str | None]]) -> None:
    """A TRANSPORT that was shot is destroyed by who shot it, and the cards see it, however its passengers fare."""
    hull = squad("b1", "B", 1, at=[(20, 20)], **HULL)
    units = [squad("a1", "A", 1, SURE, at=[(10, 20)]), hull, squad("b2", "B", 2, where="b1")]
    found = rule(units, SHOOT, [2, *dice], answers=[at("b1")])
    assert destroyed(found) == [*others, ("b1", "A")]
    sides = found.json["after"]["sides"]
    assert {"felled:b1": "end-turn"} in sides["A"]["marks"] and {"lost:b1": "end-turn"} in sides["B"]["marks"]
