"""What happens where nobody answers: the defaults of the decision points (Part D)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.commentary.desk import Json, Ruling, blade, gun, squad
from tests.commentary.test_phases import rule
from tests.commentary.test_timing import at

SIDES = {"A": {"cp": 0}, "B": {"cp": 0}}
FAR = squad("b9", "B", 1, at=[(50, 40)], M=6)
FIGHT = {"phase": "fight", "unit": "b1", "action": "fight"}


def kinds(found: Ruling) -> set[str]:
    """What happened, by kind."""
    return {str(event["kind"]) for event in found.events}


@pytest.mark.parametrize("phase", ["movement", "shooting", "charge"])
@pytest.mark.clause("commentary-10", "MOVE-1", "SHOOT-1", "CHG-1")
def test_a_phase_ends_unless_its_player_takes_a_unit(phase: str) -> None:
    """DP-13, DP-23, DP-41: who says nothing moves, shoots and charges with nobody; who names a unit does."""
    units = [squad("a1", "A", 1, gun(range=24), at=[(10, 10)], M=6), squad("b1", "B", 1, at=[(10, 18)], M=6)]
    silent = rule(units, {"phase": phase}, sides=SIDES)
    assert not kinds(silent) & {"activated", "shot", "charge-declared", "moved"}
    named = rule(units, {"phase": phase}, {"seed": 1}, sides=SIDES, answers=[{"kind": "choose-unit", "value": "a1"}])
    assert "activated" in kinds(named)


@pytest.mark.clause("commentary-10", "MOVE-10", "REDEP-1")
def test_reserves_stay_where_they_are_and_nobody_is_redeployed() -> None:
    """DP-20, DP-5: without an answer no Reserves arrive, and no unit is taken up again before the battle."""
    waiting = squad("a2", "A", 1, M=6, where="reserve", rules=["Deep Strike"])
    units = [squad("a1", "A", 1, at=[(10, 10)], M=6, rules=["Redeploys 2 INFANTRY"]), waiting, FAR]
    assert "arrived" not in kinds(rule(units, {"phase": "reinforcements"}, sides=SIDES))
    clock = {"phase": "redeploy", "first": "A"}
    before = rule([units[0], FAR], {"step": "redeploy"}, sides=SIDES, clock=clock, mission="default", round=0)
    assert "taken-up" not in kinds(before)


@pytest.mark.parametrize(("damage", "used"), [(1, False), (4, False), (5, True), ("D6", True)])
@pytest.mark.clause("commentary-10", "MODCH-4")
def test_damage_is_parried_where_it_could_kill(damage: int | str, used: bool) -> None:
    """DP-63: an Echo Parry is kept for Damage that could destroy the model, by the most its dice could show."""
    units = [
        squad("a1", "A", 1, at=[(10, 10)], M=6, W=5, Sv=4, rules=["Echo Parry"]),
        squad("b1", "B", 1, blade(S=8, D=damage), at=[(10, 11.5)], M=6),
    ]
    found = rule(units, FIGHT, {"hit": [6], "wound": [6], "save": [1]}, active="B")
    assert ("ability" in kinds(found)) is used


@pytest.mark.clause("commentary-10", "BSHOCK-3", "CLOSE-1")
def test_dread_falls_on_the_nearest() -> None:
    """DP-64: the Sovereign's ability names the nearest enemy, wherever it stands in the list."""
    units = [
        squad("a1", "A", 1, at=[(10, 10)], M=6, rules=["Dread 12"]),
        squad("b1", "B", 1, at=[(10, 20)], M=6),
        squad("b2", "B", 1, at=[(14, 10)], M=6),
    ]
    found = rule(units, {"phase": "shooting"}, [6, 6], sides=SIDES)
    assert found.event("ability")["facts"]["target"] == "b2"


@pytest.mark.clause("commentary-10", "ENDCMD-1")
def test_the_lamp_is_laid_by_the_nearest_marker() -> None:
    """DP-66: of the markers a side controls the one nearest to a unit of its own."""
    words = ["INFANTRY", "REACH", "detachment:lamplit-vigil"]
    units = [squad(f"a{k}", "A", 1, at=[at], M=6, OC=2, keywords=words) for k, at in ((1, (12, 11)), (2, (30, 11)))] + [FAR]
    markers = [{"id": "o1", "at": [12, 14], "holder": "A"}, {"id": "o2", "at": [31, 12], "holder": "A"}]
    found = rule(units, {"phase": "command"}, sides=SIDES, objectives=markers)
    assert [row[1] for row in found.event("lamp")["set"]] == ["mark:lamp:o2"]


@pytest.mark.clause("commentary-10", "ABIL-5", "WPN-5")
def test_the_deck_is_manned_with_other_weapons_than_pistols() -> None:
    """DP-24: of each embarked model the first weapon that is no Pistol."""
    hauler = squad(
        "a1", "A", 1, at=[(10, 10)], M=6, keywords=["VEHICLE", "TRANSPORT"], rules=["Firing Deck 1", "Carries 6 INFANTRY"]
    )
    guns = gun("Pistol", name="sidearm", range=12), gun(name="carbine", range=18)
    units = [hauler, squad("a2", "A", 1, *guns, where="a1", M=6), squad("b1", "B", 1, at=[(10, 18)], M=6)]
    found = rule(units, {"phase": "shooting", "unit": "a1", "action": "shoot"}, {"seed": 1}, sides=SIDES)
    assert [row[1].split(":")[-1] for row in found.event("firing-deck")["set"]] == ["1"]


@pytest.mark.clause("commentary-10", "INDIV-1", "SHOOTAGAIN-1")
def test_what_comes_once_a_battle_is_not_used_up_in_silence() -> None:
    """DP-8: who says nothing neither fights nor shoots again."""
    fighters = [
        squad("b1", "B", 1, blade(), at=[(10, 11.5)], M=6, rules=["Fights Again"]),
        squad("a1", "A", 1, at=[(10, 10)], M=6, W=9),
    ]
    assert "ability" not in kinds(rule(fighters, FIGHT, {"seed": 1}, active="B"))
    firers = [
        squad("a1", "A", 1, gun(range=24), at=[(10, 10)], M=6, rules=["Shoots Again"]),
        squad("b1", "B", 9, at=[(10, 20)]),
    ]
    firers[1]["models"] = firers[1]["models"][:1]
    assert "ability" not in kinds(rule(firers, {"phase": "shooting", "unit": "a1", "action": "shoot"}, {"seed": 1}))


@pytest.mark.clause("commentary-10", "FIGHTDEATH-2", "SHOOTDEATH-1")
def test_a_destroyed_model_acts_by_the_lowest_die() -> None:
    """DP-69: of two rules that let it act the one that needs less is used, whichever comes first."""
    units = [
        squad(
            "a1",
            "A",
            2,
            gun(range=24),
            blade(),
            at=[(10, 10), (8, 10)],
            M=6,
            rules=["Shoots On Death 4+", "Fights On Death 3+"],
        ),
        squad("b1", "B", 1, blade(S=9, D=9), at=[(10, 11.5)], M=6, W=9),
    ]
    found = rule(units, FIGHT, {"seed": 4}, active="B")
    assert found.needs("after death")[:1] == [3]


@pytest.mark.parametrize(("named", "legal"), [(("a1.4",), True), (("a1.3", "a1.4"), True), (("a1.2", "a1.3", "a1.4"), False)])
@pytest.mark.clause("commentary-10", "RETURN-1", "ADD-1")
def test_the_owner_picks_who_returns(named: tuple[str, ...], legal: bool) -> None:
    """DP-52, AB-M3: up to as many as the die says, whichever of the fallen, all set up beside those who were there."""
    guard: Json = squad("a1", "A", 1, at=[(10, 10)], M=6, start_size=4)
    guard["models"] += [{"id": f"a1.{k}", "base": {"circle": 1.0}, "removed": True} for k in (2, 3, 4)]
    boss = squad("x", "A", 1, at=[(11.2, 10)], keywords=["INFANTRY", "CHARACTER"], leading="a1", rules=["Returns Models 2"])
    spots = {name: [10 - 1.1 * k, 11.1] for k, name in enumerate(named)}
    answers = [{"kind": "react", "value": "Returns Models a1"}, {"kind": "place", "value": spots}]
    found = rule([guard, boss, FAR], {"phase": "command"}, sides=SIDES, answers=answers)
    assert (found.verdict == "legal") is legal
    if legal:
        assert found.event("returned")["facts"]["models"] == list(named)


@pytest.mark.clause("commentary-10", "AIR-2")
def test_a_number_may_be_written_as_a_number() -> None:
    """How far an AIRCRAFT flies and how it turns is said by numbers as well as by words."""
    kite = squad("a1", "A", 1, at=[(10, 10)], M=20, keywords=["VEHICLE", "FLY", "AIRCRAFT"])
    answers = [{"kind": "number", "value": 24}, {"kind": "number", "value": 45}]
    found = rule([kite, FAR], {"phase": "movement", "unit": "a1", "action": "normal"}, sides=SIDES, answers=answers)
    assert found.verdict == "legal" and found.event("moved")["facts"]["longest"] == 24.0


def armed(*guns: Json, **more: Any) -> Json:
    """A unit of two models, each with weapons of its own, whose first enemy is 10 and whose second is 20 inches away."""
    own: list[Json] = [{"weapons": [one]} for one in guns]
    return squad("a1", "A", 2, at=[(10, 10), (11.5, 10)], own=own, M=6, **more)


TWO = [squad("b1", "B", 1, at=[(10, 21)], M=6, W=9), squad("b2", "B", 1, at=[(11.5, 31)], M=6, W=9, keywords=["VEHICLE"])]
SHORT, LONG = gun("Torrent", range=12, name="short"), gun("Torrent", range=36, name="long")
CLUB: Json = {"phase": "shooting", "unit": "a1", "action": "shoot"}


def shots(found: Ruling) -> list[tuple[str, list[str]]]:
    """Who was shot with what."""
    return [(event["facts"]["target"], event["facts"]["weapons"]) for event in found.events if event["kind"] == "shot"]


@pytest.mark.clause("commentary-10", "SHOOT-2", "SHOOT-3")
def test_what_cannot_be_fired_at_the_nearest_is_fired_at_the_next() -> None:
    """DP-25: each weapon goes at the nearest target of the unit it may; one kept back from a target stays silent."""
    blast = gun("Torrent", "Blast", range=36, name="blast")
    friend = squad("a2", "A", 1, at=[(9, 22.4)], M=6)
    units = [armed(SHORT, LONG), *TWO]
    assert shots(rule(units, CLUB, [1, 1], sides=SIDES)) == [("b1", ["short", "long"])]
    far = at("b2")
    assert shots(rule(units, CLUB, [1, 1], sides=SIDES, answers=[far])) == [("b2", ["long"]), ("b1", ["short"])]
    assert shots(rule(units, CLUB, [1], sides=SIDES, answers=[far, at("pass")])) == [("b2", ["long"])]
    kept = [at("b1"), {"kind": "assign-weapons", "value": [["a1.1", 0]]}]
    assert shots(rule(units, CLUB, [1], sides=SIDES, answers=kept)) == [("b1", ["short"])]
    locked = [armed(LONG, blast), friend, squad("b1", "B", 1, at=[(10, 21)], M=6, W=9, keywords=["VEHICLE"]), TWO[1]]
    assert shots(rule(locked, CLUB, [1, 1], sides=SIDES)) == [("b1", ["long"]), ("b2", ["blast"])]


@pytest.mark.clause("commentary-10", "ELIG-1")
def test_attacks_whose_target_slipped_away_are_lost_unless_another_is_named() -> None:
    """DP-28: who names no other target loses them, though one is in range."""
    swarm = squad("b1", "B", 1, at=[(21.5, 10)], keywords=["SWARM", "TIDE", "detachment:rising-undertow"], M=6)
    units = [squad("a1", "A", 1, gun("Torrent", range=12), at=[(10, 10)], M=6), swarm, squad("b2", "B", 1, at=[(10, 20)], M=6)]
    slips = [at("b1"), {"kind": "react", "value": "Into the Cracks b1 a1"}, {"kind": "move", "value": {"shift": [5, 0]}}]
    sides = {"B": {"cp": 1}}
    assert shots(rule(units, CLUB, [6], sides=sides, answers=slips)) == []
    assert shots(rule(units, CLUB, [6, 1], sides=sides, answers=[*slips, at("b2")])) == [("b2", ["gun"])]
