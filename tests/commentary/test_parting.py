"""What is left of an Attached unit that loses its last Bodyguard: effects on it, when it parts, and what it goes on with."""

from __future__ import annotations

from typing import Any

import pytest

from tests.commentary.desk import Json, Ruling, gun, squad
from tests.commentary.referee import react
from tests.commentary.test_phases import marks, rule
from tests.commentary.test_timing import MANDATE, at

FOOT = ["INFANTRY", *MANDATE]
SURE = gun("Torrent", S=9, AP=-9, D=9, range=36)
RICH = {"A": {"cp": 3}, "B": {"cp": 3}}


def guard(side: str = "A", **more: Any) -> Json:
    """The last Bodyguard of a unit."""
    return squad(f"{side.lower()}1", side, 1, gun(), **{"at": [(10, 10)], "keywords": FOOT, "M": 6, **more})


def marshal(id: str = "a2", side: str = "A", **more: Any) -> Json:
    """A Leader of that unit."""
    given = {"at": [(11.5, 10)], "keywords": [*FOOT, "CHARACTER"], "M": 6, "W": 4, "rules": ["Leader"]}
    return squad(id, side, 1, gun(), leading=f"{side.lower()}1", **{**given, **more})


def kinds(found: Ruling) -> list[str]:
    """The kinds of events, in order."""
    return [event["kind"] for event in found.events]


# -- effects that last until attacks are resolved --------------------------------------------------


@pytest.mark.clause("commentary-10", "RESOLVE-2", "LEAD-5", "PERSIST-3")
def test_what_lasts_until_attacks_are_resolved_ends_on_the_survivor() -> None:
    """Close the Ranks on an Attached unit ends with the attacks that leave the Leader alone."""
    units = [guard(), marshal(), squad("b1", "B", 1, SURE, at=[(10, 30)])]
    answers = [at("a1"), react("Close the Ranks a1 b1"), react()]
    shot: Json = {"phase": "shooting", "unit": "b1", "action": "shoot"}
    found = rule(units, shot, [6], active="B", sides=RICH, answers=answers)
    assert "parted" in kinds(found) and found.unit("a2")["where"] == "table"
    assert "grant:Penetration Taken(-1)" not in marks(found, "a2")


@pytest.mark.clause("commentary-10", "RESOLVE-2", "CSTR-5", "CRIT-2")
def test_who_fired_overwatch_hits_as_usual_later() -> None:
    """A unit fires Overwatch, whom it fells shoots its Bodyguard dead: the Leader does not need 6s from then on."""
    dying = squad("b1", "B", 2, SURE, at=[(10, 25), (11.5, 25)], M=6, rules=["Shoots On Death 2+"])
    units = [guard(), marshal(), dying]
    units[0]["models"][0]["weapons"] = [SURE]
    dice = {"hit": [1], "wound": [6, 6], "after death": [2]}
    do = {"phase": "movement", "unit": "b1", "action": "normal"}
    found = rule(units, do, dice, active="B", sides=RICH, answers=[react("Fire Overwatch a1")])
    assert "parted" in kinds(found) and "overwatch" in kinds(found)
    assert "overwatch" not in marks(found, "a2")
