"""Questions are the decision points of Part D: who is asked at which point, by which clause, and what the default is."""

from __future__ import annotations

from typing import Any

import pytest

from tests.commentary.desk import EDITION, Json, gun, squad
from tests.commentary.test_phases import rule
from tests.commentary.test_timing import at, react

FAR = squad("b9", "B", 1, at=[(57, 41)], M=6)
HULL = squad("h", "A", 1, at=[(10, 16)], M=10, W=10, keywords=["VEHICLE", "TRANSPORT"], rules=["Carries 12 INFANTRY"])
BEFORE: Json = {"round": 0, "sides": {"A": {"marks": [{"role": "attacker"}]}, "B": {"marks": [{"role": "defender"}]}}}


def asked(units: list[Json], do: Json, dice: Any = (), answers: Any = (), **more: Any) -> tuple[Any, ...]:
    """What is asked next: whom, at which point, by which clause, and the default."""
    found = rule(units, do, dice, answers=list(answers), unanswered="stop", **more)
    assert found.pending is not None, found.refusal
    return tuple(found.pending[name] for name in ("who", "point", "clause", "default"))


def opening(step: str) -> Json:
    """The clock at a step before the battle."""
    return {**BEFORE, "clock": {"phase": step, "first": "A", "marks": []}}


@pytest.mark.clause(EDITION, "MW-3", "ATK-4")
def test_who_bears_a_mortal_wound_is_a_point_of_its_own() -> None:
    """DP-55: mortal wounds of a Grenade and of attacks are allocated under MW-3; an ordinary wound is DP-32 as before."""
    group = squad("b1", "B", 3, at=[(16, 10), (17.5, 10), (19, 10)], M=6, W=2)
    thrower = squad("a1", "A", 1, gun(), at=[(10, 10)], M=6, keywords=["INFANTRY", "GRENADES"])
    grenade = asked([thrower, group], {"phase": "shooting"}, [4] + [1] * 5, [react("Grenade")], sides={"A": {"cp": 1}})
    assert grenade == ("B", "DP-55", "MW-3", "b1.1")
    for weapon, wanted in (
        (gun("Devastating Wounds"), ("B", "DP-55", "MW-3", "b1.1")),
        (gun(), ("B", "DP-32", "ATK-4", "b1.1")),
    ):
        shooter = squad("a1", "A", 1, weapon, at=[(10, 10)], M=6)
        do = {"phase": "shooting", "unit": "a1", "action": "shoot"}
        assert asked([shooter, group], do, [6, 6], [at("b1")]) == wanted


@pytest.mark.clause(EDITION, "TRANS-4", "EMB-1")
def test_who_is_aboard_stays_in_by_default() -> None:
    """DP-18: a unit that is selected aboard a TRANSPORT gets out only if its player says so."""
    units = [squad("a1", "A", 2, where="h", M=6), HULL, FAR]
    part = {"phase": "movement", "unit": "a1"}
    assert asked(units, part) == ("A", "DP-18", "EMB-1", "stay")
    assert rule(units, part).unit("a1")["where"] == "h"
    assert asked(units, {**part, "action": "disembark"})[:3] == ("A", "DP-18", "TRANS-4")


@pytest.mark.clause(EDITION, "ELIG-1")
def test_who_is_shot_instead_is_asked_by_what_lets_one_be() -> None:
    """DP-28: another target for one that slipped away is named under ELIG-1, by default none."""
    words = ["SWARM", "TIDE", "detachment:rising-undertow"]
    units = [
        squad("a1", "A", 1, gun(range=12), at=[(10, 10)], M=6),
        squad("b1", "B", 1, at=[(21.5, 10)], keywords=words, M=6),
        squad("b2", "B", 1, at=[(10, 20)], M=6),
    ]
    away = [at("b1"), react("Into the Cracks b1 a1"), {"kind": "move", "value": {"shift": [5, 0]}}]
    do = {"phase": "shooting", "unit": "a1", "action": "shoot"}
    assert asked(units, do, [6], away, sides={"B": {"cp": 1}}) == ("A", "DP-28", "ELIG-1", "pass")


@pytest.mark.clause(EDITION, "ABIL-9", "ABIL-6", "REDEP-1")
def test_points_before_the_battle() -> None:
    """DP-59 and DP-6: who scouts next, and where; DP-58: where Infiltrators stand; DP-5: who is deployed again, and where."""
    scouts = [squad(f"a{k}", "A", 1, at=[(20 + 5 * k, 5)], M=6, rules=["Scouts 6"]) for k in (1, 2)]
    pick = {"kind": "choose-unit", "value": "a2"}
    assert asked([*scouts, FAR], {"step": "scouts"}, **opening("scouts")) == ("A", "DP-59", "ABIL-9", "pass")
    assert asked([*scouts, FAR], {"step": "scouts"}, (), [pick], **opening("scouts"))[1:] == ("DP-6", "ABIL-9", "stay")
    waiting = [squad("a1", "A", 1, where="waiting", M=6), squad("b9", "B", 1, where="waiting", M=6)]
    sneak = squad("a2", "A", 1, where="waiting", M=6, rules=["Infiltrators"])
    assert asked([*waiting, sneak], {"step": "deploy"}, (), [pick], **opening("deploy"))[1:3] == ("DP-58", "ABIL-6")
    first = {"kind": "choose-unit", "value": "a1"}
    assert asked([*waiting, sneak], {"step": "deploy"}, (), [first], **opening("deploy"))[1:3] == ("DP-4", "MIS-5")
    words: Json = {"M": 6, "keywords": ["REACH"]}
    again = [
        squad("a1", "A", 1, at=[(20, 5)], rules=["Redeploys 2 REACH"], **words),
        squad("a2", "A", 1, at=[(30, 5)], **words),
    ]
    assert asked([*again, FAR], {"step": "redeploy"}, **opening("redeploy"))[1:] == ("DP-5", "REDEP-1", "pass")
    assert asked([*again, FAR], {"step": "redeploy"}, (), [pick], **opening("redeploy"))[1:3] == ("DP-5", "MIS-5")
