"""What is left of an Attached unit that loses its last Bodyguard: effects on it, when it parts, and what it goes on with."""

from __future__ import annotations

from typing import Any

import pytest

from tests.commentary.desk import Json, Ruling, blade, gun, squad
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


# -- what is used up -------------------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "PERSIST-3", "UNIT-6", "INDIV-1")
def test_what_is_used_up_stays_so_for_the_survivor() -> None:
    """ENH-R1 is for once a battle: a bearer that has fought again does not when its unit, and the mark on it, are gone."""
    shooter = squad("b1", "B", 1, SURE, at=[(30, 10)], M=6)
    used = [{"used:Fights Again": "game"}]
    units = [guard(marks=used), marshal(rules=["Leader", "Fights Again"]), shooter]
    found = rule(units, {"phase": "shooting", "unit": "b1"}, [2], active="B", answers=[at("a1")])
    assert found.dead() == ["a1.1"] and marks(found, "a2") == {"used:Fights Again"}
    blade = {**gun(name="blade"), "range": "melee"}
    enemy = squad("b1", "B", 1, at=[(12.7, 10)], M=6, W=9)
    for spent, asked in ((used, False), ([], True)):
        alone = squad("a2", "A", 1, blade, at=[(11.5, 10)], M=6, rules=["Fights Again"], marks=spent)
        fight = {"phase": "fight", "unit": "a2", "action": "fight"}
        found = rule([alone, enemy], fight, [1], unanswered="stop", answers=[{"kind": "move", "value": "stay"}] * 2)
        assert (found.pending is not None and found.pending["clause"] == "ENH-R1") is asked


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


# -- when a unit parts -----------------------------------------------------------------------------


def apart() -> list[Json]:
    """A Bodyguard far from the two Leaders it has."""
    return [guard(), marshal(at=[(20, 10)]), marshal("a3", at=[(21.5, 10)]), squad("b9", "B", 1, at=[(50, 40)])]


@pytest.mark.clause("commentary-10", "UNIT-6", "LEAD-4", "LEAD-5", "COH-4")
def test_coherency_that_takes_the_bodyguard_parts_its_leaders() -> None:
    """At the end of a turn the stray Bodyguard is removed: two Leaders are two units from then on."""
    found = rule(apart(), {"step": "coherency"}, clock={"phase": "coherency", "first": "A"})
    assert found.dead() == ["a1.1"] and found.event("parted")["clauses"] == ["LEAD-4", "UNIT-6"]
    assert [found.unit(unit)["where"] for unit in ("a1", "a2", "a3")] == ["destroyed", "table", "table"]


@pytest.mark.clause("commentary-10", "LEAD-5", "LEAD-4", "UNIT-6")
def test_attacks_are_resolved_before_leaders_part() -> None:
    """A unit shoots at two others; the first loses its Bodyguard, and parts only when the attacks on the second are made."""
    firing = squad("b1", "B", 2, SURE, at=[(10, 30), (12, 30)])
    units = [guard(), marshal(), squad("a9", "A", 1, at=[(30, 10)], W=20), firing]

    def with_gun(target: str, model: str) -> list[Json]:
        return [at(target), {"kind": "assign-weapons", "value": [[model, 0]]}]

    answers = [*with_gun("a1", "b1.1"), *with_gun("a9", "b1.2")][:-1]
    found = rule(units, {"phase": "shooting", "unit": "b1", "action": "shoot"}, [6, 6], active="B", answers=answers)
    order = [kind for kind in kinds(found) if kind in ("attacked", "parted")]
    assert order == ["attacked", "attacked", "parted"] and found.dead() == ["a1.1"]


def pinned(*more: Json, marks: Any = ("battle-shocked",), **own: Any) -> list[Json]:
    """A unit of A within Engagement Range that falls back with tests."""
    return [guard(marks=list(marks), **own), *more, squad("b1", "B", 1, at=[(10, 11.6)]), squad("b9", "B", 1, at=[(50, 40)])]


BACK: Json = {"phase": "movement", "unit": "a1", "action": "fall-back"}
CLEAR: Json = {"kind": "move", "value": {"shift": [0, -6]}}


def lost(model: str) -> Json:
    """The model that its owner lets go."""
    return {"kind": "allocate", "value": model}


@pytest.mark.clause("commentary-10", "UNIT-6", "LEAD-4", "MOVE-8")
def test_a_desperate_escape_of_the_bodyguard_parts_its_leaders() -> None:
    """The Bodyguard is lost on the way out: each Leader falls back as a unit of its own; a second loss is one of them."""
    units = pinned(marshal(), marshal("a3", at=[(8.5, 10)]))
    found = rule(units, BACK, [1, 6, 6], answers=[CLEAR, lost("a1.1")])
    assert found.dead() == ["a1.1"] and kinds(found).count("moved") == 2
    for unit in ("a2", "a3"):
        assert found.unit(unit)["where"] == "table" and {"moved", "fell-back", "battle-shocked"} <= marks(found, unit)
    both = rule(units, BACK, [1, 2, 6], answers=[CLEAR, lost("a1.1"), lost("a3.1")])
    assert both.dead() == ["a1.1", "a3.1"] and both.unit("a2")["where"] == "table" and "fell-back" in marks(both, "a2")


# -- what the end of a model brings, whatever ends it ----------------------------------------------


@pytest.mark.clause("commentary-10", "ABIL-1", "MOVE-8")
def test_a_desperate_escape_sets_off_deadly_demise() -> None:
    """Who is destroyed on the way out rolls for Deadly Demise before it is removed; a 6 harms the enemy beside it."""
    wreck = pinned(rules=["Deadly Demise 1"], keywords=["VEHICLE"])
    found = rule(wreck, BACK, [1, 6])
    assert found.purposes() == ["desperate escape", "deadly demise"] and found.dead() == ["b1.1", "a1.1"]
    assert rule(wreck, BACK, [1, 5]).dead() == ["a1.1"]


@pytest.mark.clause("commentary-10", "TRANS-10", "TRANS-8", "MOVE-8")
def test_deadly_demise_comes_before_the_passengers() -> None:
    """A TRANSPORT destroyed on the way out: its Deadly Demise roll, which harms no passenger, then they disembark."""
    inside = squad("a2", "A", 1, where="a1")
    hull = pinned(inside, rules=["Deadly Demise 3", "Carries 12 INFANTRY"], keywords=["VEHICLE", "TRANSPORT"])
    found = rule(hull, BACK, [1, 6, 6])
    assert found.purposes() == ["desperate escape", "deadly demise", "wreck"]
    assert found.unit("a2")["where"] == "table" and found.wounds("a2") == [0]


@pytest.mark.clause("commentary-10", "AUTO-1", "ABIL-1", "MOVE-8")
def test_last_spasm_on_the_way_out() -> None:
    """Last Spasm is for any phase: a MONSTER destroyed by its Desperate Escape needs no 6."""
    beast = pinned(marks=[], rules=["Deadly Demise 1"], keywords=["MONSTER", "TIDE", "detachment:rising-undertow"])
    across: Json = {"kind": "move", "value": {"shift": [0, 6]}}
    found = rule(beast, BACK, [1], sides=RICH, answers=[across, react(), react("Last Spasm a1.1")])
    assert found.dead() == ["b1.1", "a1.1"] and found.json["after"]["sides"]["A"]["cp"] == 2


# -- what a unit had begun -------------------------------------------------------------------------

OVERWATCH = {"wound": [6]}


def watched(*more: Json) -> list[Json]:
    """A unit of A before an enemy that surely shoots its Bodyguard."""
    return [guard(), marshal(), *more, squad("b1", "B", 1, SURE, at=[(10, 16)]), squad("b9", "B", 1, at=[(50, 40)])]


@pytest.mark.clause("commentary-10", "CSTR-5", "UNIT-6", "MOVE-5", "STAT-1")
def test_the_survivor_goes_on_with_a_normal_move() -> None:
    """Overwatch at the start of a move fells the Bodyguard: the Leader makes it, so that he did not Remain Stationary."""
    units, do = watched(), {"phase": "movement", "unit": "a1", "action": "normal"}
    answers = [react("Fire Overwatch b1"), {"kind": "move", "value": {"shift": [0, -3]}}]
    found = rule(units, do, OVERWATCH, sides=RICH, answers=answers)
    assert found.dead() == ["a1.1"] and found.model("a2.1")["at"] == [11.5, 7.0]
    assert {"moved", "activated"} <= marks(found, "a2")
    two = rule(watched(marshal("a3", at=[(8.5, 10)])), do, OVERWATCH, sides=RICH, answers=[*answers, answers[1]])
    assert [two.model(model)["at"] for model in ("a2.1", "a3.1")] == [[11.5, 7.0], [8.5, 7.0]]


@pytest.mark.clause("commentary-10", "CSTR-5", "UNIT-6", "CHG-3")
def test_the_survivor_goes_on_with_a_charge() -> None:
    """Overwatch when the Charge move starts fells the Bodyguard: the Leader charges with the roll that was made, or fails."""
    do = {"phase": "charge", "unit": "a1", "action": "charge"}
    answers = [at("b1"), react("Fire Overwatch b1")]
    found = rule(watched(), do, {"charge": [6, 6], "wound": [6]}, sides=RICH, answers=answers)
    assert found.dead() == ["a1.1"] and "charged" in marks(found, "a2") and "was-charged" in marks(found, "b1")
    short = rule(watched(), do, {"charge": [2, 2], "wound": [6]}, sides=RICH, answers=answers)
    assert short.dead() == ["a1.1"] and short.event("charge-failed")["facts"]["unit"] == "a2"


def fenced(*more: Json) -> list[Json]:
    """A unit of A between two enemies; its Leader gives it the Move to get out, and a VEHICLE may fire at it."""
    led = marshal(rules=["Leader", "While Leading: Move(+7)"], M=1)
    tank = squad("b1", "B", 1, SURE, at=[(10, 11.6)], keywords=["VEHICLE"])
    return [guard(M=1), led, *more, tank, squad("b2", "B", 2, at=[(11.5, 8.4), (11.5, 11.6)])]


@pytest.mark.clause("commentary-10", "STAT-1", "MOVE-7", "LEAD-4", "CSTR-5", "TRANS-3")
def test_the_survivor_that_cannot_fall_back_did_not_remain_stationary() -> None:
    """Overwatch takes the Bodyguard, and the Leader alone is too slow: he was selected to move, so that he is not stationary.

    He did not Fall Back either, and gets into no TRANSPORT, as he ended no move.
    """
    picks = [{"kind": "choose-unit", "value": "a1"}, {"kind": "choose-action", "value": "fall-back"}]
    hull = squad("a5", "A", 1, at=[(13.5, 10)], keywords=["VEHICLE", "TRANSPORT"], rules=["Carries 12 INFANTRY"], M=6)
    answers = [*picks, react("Fire Overwatch b1")]
    found = rule(fenced(hull), {"phase": "movement"}, OVERWATCH, sides=RICH, answers=answers)
    assert found.dead() == ["a1.1"] and found.event("kept-from-moving")["facts"]["unit"] == "a2"
    assert marks(found, "a2").isdisjoint({"stationary", "moved", "fell-back"}) and "stationary" in marks(found, "a5")
    assert rule(fenced(hull), BACK, OVERWATCH, sides=RICH, answers=answers[2:], unanswered="stop").pending is None


@pytest.mark.clause("commentary-10", "MOVE-7", "COH-3")
def test_a_unit_scattered_by_overwatch_falls_back_to_where_it_is_one_again() -> None:
    """Overwatch takes the model in the middle of a chain: a way is proposed that brings the others together."""
    chain = squad("a1", "A", 3, at=[(10, 10), (12.5, 10), (15, 10)], M=6, own=[{}, {"rules": ["W(1)"]}, {}], W=2)
    near = squad("b1", "B", 1, SURE, at=[(12.5, 11.6)], keywords=["VEHICLE"])
    found = rule([chain, near], BACK, OVERWATCH, sides=RICH, answers=[react("Fire Overwatch b1"), lost("a1.2")])
    assert found.dead() == ["a1.2"] and "fell-back" in marks(found, "a1")


# -- attacks and charges at a unit that falls apart meanwhile --------------------------------------

BOMB = squad("a9", "A", 1, at=[(10, 14)], rules=["Deadly Demise 1"], keywords=["VEHICLE"])
SHOOT: Json = {"phase": "shooting", "unit": "b1", "action": "shoot"}
BLAST = {"wound": [6, 6], "deadly demise": [6]}


def aimed(target: str, model: str) -> list[Json]:
    """A target and the weapon that is fired at it."""
    return [at(target), {"kind": "assign-weapons", "value": [[model, 0]]}]


@pytest.mark.clause("commentary-10", "LEAD-5", "SHOOT-5", "TARGET-1", "UNIT-6")
def test_attacks_go_on_at_the_leader_whose_bodyguard_an_explosion_took() -> None:
    """The first target explodes and takes the Bodyguard of the second: the attacks declared at it are made at its Leader."""
    firing = squad("b1", "B", 2, SURE, at=[(10, 30), (12, 30)])
    units = [guard(), marshal(at=[(11.5, 7)], W=10), BOMB, firing]
    answers = [*aimed("a9", "b1.1"), at("a1")]
    found = rule(units, SHOOT, BLAST, active="B", answers=answers)
    assert found.dead() == ["a1.1", "a9.1"] and found.wounds("a2") == [9]
    order = [kind for kind in kinds(found) if kind in ("attacked", "parted")]
    assert order == ["attacked", "attacked", "parted"] and found.event("parted")["clauses"] == ["LEAD-5", "UNIT-6"]


@pytest.mark.clause("commentary-10", "LEAD-5", "SHOOT-5", "ABIL-1", "UNIT-6")
def test_a_leader_makes_his_attacks_though_their_target_took_his_bodyguard() -> None:
    """The first target explodes and takes the Bodyguard of who shoots: the Leader's own attacks at another are still made."""
    firing = [guard("B", at=[(10, 18)]), marshal("b2", "B", at=[(10, 24)])]
    for unit, name in zip(firing, ("one", "other"), strict=True):
        unit["models"][0]["weapons"] = [SURE | {"name": name}]
    units = [*firing, BOMB, squad("a5", "A", 1, at=[(30, 20)]), squad("a6", "A", 1, at=[(50, 40)])]
    found = rule(units, SHOOT, BLAST, active="B", answers=[*aimed("a9", "b1.1"), at("a5")])
    assert found.dead() == ["b1.1", "a9.1", "a5.1"] and found.unit("b2")["where"] == "table"


@pytest.mark.clause("commentary-10", "CHG-3", "UNIT-6", "CSTR-5", "WPN-14", "TARGET-2")
def test_a_charge_goes_on_at_the_leader_whose_bodyguard_overwatch_cost() -> None:
    """The target fires a Hazardous weapon as Overwatch and its Bodyguard dies of it: its Leader is charged."""
    units = [guard("B", at=[(10, 16)]), marshal("b2", "B", at=[(11.5, 16)]), squad("a1", "A", 1, at=[(10, 10)], M=6)]
    units[0]["models"][0]["weapons"], units[1]["models"][0]["weapons"] = [gun("Torrent", "Hazardous", S=1, range=36)], []
    dice = {"charge": [6, 6], "wound": [1], "hazardous": [1]}
    do: Json = {"phase": "charge", "unit": "a1", "action": "charge"}
    found = rule(units, do, dice, sides=RICH, answers=[at("b1"), react("Fire Overwatch b1")])
    assert found.dead() == ["b1.1"] and "charged" in marks(found, "a1") and "was-charged" in marks(found, "b2")


@pytest.mark.clause("commentary-10", "WPN-14", "RESOLVE-2", "LEAD-5")
def test_a_leader_whose_bodyguard_an_explosion_took_tests_for_his_own_weapon() -> None:
    """A unit parts before its Hazardous tests: the Leader fired such a weapon and takes the test as the unit he is now."""
    firing = [guard("B", at=[(10, 18)]), marshal("b2", "B", at=[(10, 24)], W=5)]
    risky = gun("Torrent", "Hazardous", S=9, AP=-9, D=9, range=36)
    firing[0]["models"][0]["weapons"], firing[1]["models"][0]["weapons"] = [], [risky]
    units = [*firing, BOMB, squad("a6", "A", 1, at=[(50, 40)])]
    dice = {"wound": [6], "deadly demise": [6], "hazardous": [1]}
    found = rule(units, SHOOT, dice, active="B", answers=[at("a9")])
    assert found.dead() == ["b1.1", "a9.1"] and found.wounds("b2") == [3]


@pytest.mark.clause("commentary-10", "WPN-14", "FIGHTDEATH-3", "LEAD-5")
@pytest.mark.parametrize(("risky", "dice"), [("leader", [1]), ("bodyguard", [])])
def test_a_leader_whose_bodyguard_a_dying_model_took_tests_for_his_own_weapon(risky: str, dice: list[int]) -> None:
    """So does one whose Bodyguard fell to a model that fought before it was removed; a weapon that is gone is not tested."""
    blades = [blade("Hazardous" if who == risky else "Precision", S=9, D=9) for who in ("bodyguard", "leader")]
    units = [guard(marks=["charged"]), marshal(at=[(11, 10)], W=5)]
    for unit, weapon in zip(units, blades, strict=True):
        unit["models"][0]["weapons"] = [weapon]
    dying = squad("b1", "B", 1, blade(S=9, skill=2), at=[(10, 11)], M=6, W=2, rules=["Fights On Death 2+"])
    do: Json = {"phase": "fight", "unit": "a1", "action": "fight"}
    found = rule([*units, dying, squad("b9", "B", 1, at=[(50, 40)])], do, [1, 3, 2, 2, 2, 2, *dice])
    assert sorted(set(found.dead())) == ["a1.1", "b1.1"] and found.wounds("a2") == [3 * len(dice)]


@pytest.mark.clause("commentary-10", "INDIV-1", "INDIV-2", "LEAD-5")
def test_a_leader_whose_bodyguard_a_dying_model_took_fights_again() -> None:
    """ENH-R1 is used just after the bearer's unit has fought, also if the bearer alone is left of that unit by then."""
    units = [guard(marks=["charged"]), marshal(at=[(11, 10)], rules=["Leader", "Fights Again"])]
    for unit in units:
        unit["models"][0]["weapons"] = [blade(S=9, D=9)]
    dying = squad("b1", "B", 1, blade(S=9, skill=2), at=[(10, 11)], M=6, W=2, rules=["Fights On Death 2+"])
    do: Json = {"phase": "fight", "unit": "a1", "action": "fight"}
    last = squad("b9", "B", 1, at=[(12, 11)], M=6)
    found = rule([*units, dying, last], do, [1, 3, 2, 2, 2, 2, 3, 2], answers=[react("Fights Again")])
    assert found.verdict == "legal" and "b9.1" in found.dead() and found.unit("a1")["where"] == "destroyed", found.refusal
