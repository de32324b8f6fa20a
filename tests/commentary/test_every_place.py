"""Clauses that stand in several places of the rules: each of those places shows by itself, through public JSON."""

from __future__ import annotations

from typing import Any

import pytest

from rolloff.editions import registry
from tests.commentary.desk import Json, Ruling, blade, gun, shoot, squad
from tests.commentary.test_phases import HULL, marks, row, rule
from tests.commentary.test_timing import REACH, TIDE, at, react

STAY: Json = {"kind": "move", "value": "stay"}
FIGHT: Json = {"phase": "fight", "unit": "a1", "action": "fight"}
SHOOT: Json = {"phase": "shooting", "unit": "a1"}
FAR = squad("b9", "B", 1, at=[(50, 40)], M=6)
SIDES = {"A": {"marks": [{"role": "attacker"}]}, "B": {"marks": [{"role": "defender"}]}}
ATTACKS = "end-attacks"


def destroyers(found: Ruling) -> dict[str, str | None]:
    """Who destroyed which unit."""
    gone = [event["facts"] for event in found.events if event["kind"] == "unit-destroyed"]
    return {facts["unit"]: facts["destroyer"] for facts in gone}


def side_marks(found: Ruling, side: str) -> set[str]:
    """The marks of a side afterwards."""
    rows = found.json["after"]["sides"].get(side, {}).get("marks", [])
    return {mark if isinstance(mark, str) else next(iter(mark)) for mark in rows}


# -- cover by a rule (COVER-1) ---------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "COVER-1", "COVER-2")
@pytest.mark.parametrize(
    ("gift", "answers", "sides", "need"),
    [
        ({}, [], {}, 4),
        ({"rules": ["Benefit of Cover"]}, [], {}, 3),
        ({"keywords": ["INFANTRY", *REACH]}, [], {"B": {"marks": [{"lamp:o1": "own-command"}]}}, 3),
        ({"keywords": ["INFANTRY", "SMOKE"]}, [react("Smokescreen")], {"B": {"cp": 1}}, 3),
        ({"keywords": ["INFANTRY"]}, [react("Go to Ground")], {"B": {"cp": 1}}, 3),
    ],
)
def test_cover_in_the_open(gift: Json, answers: list[Json], sides: Json, need: int) -> None:
    """An ability, a lamp token, smoke or going to ground gives cover where no terrain is: a save of 4+ is made on 3+."""
    units = [squad("a1", "A", 1, gun(S=8, skill=2), at=[(10, 10)], M=6), squad("b1", "B", 1, at=[(20, 10)], Sv=4, **gift)]
    marker = [{"id": "o1", "at": [20, 12]}]
    found = rule(units, SHOOT, [5, 5, 6], answers=[at("b1"), *answers], sides=sides, objectives=marker)
    assert found.needs("save") == [need]


@pytest.mark.clause("commentary-10", "COVER-1", "OC-2")
@pytest.mark.parametrize(("z", "need"), [(5, 3), (6, 4)])
def test_a_lamp_below_a_floor(z: int, need: int) -> None:
    """A lamp token gives cover to those within range of its marker: not more than 5 inches above it."""
    lit: Json = {"B": {"marks": [{"lamp:o1": "own-command"}]}}
    floor = {"id": "f", "types": ["floor"], "polygon": [[16, 8], [24, 8], [24, 16], [16, 16]], "height": z, "bottom": z - 0.2}
    above = squad("b1", "B", 1, at=[(20, 10)], own=[{"z": z}], Sv=4, keywords=["INFANTRY", *REACH])
    units = [squad("a1", "A", 1, gun(S=8, skill=2), at=[(10, 10)], M=6), above]
    marker = [{"id": "o1", "at": [20, 12]}]
    more: Json = {"sides": lit, "objectives": marker, "table": {"terrain": [floor]}}
    found = rule(units, SHOOT, [5, 5, 6], answers=[at("b1")], **more)
    assert found.needs("save") == [need]


@pytest.mark.clause("commentary-10", "COVER-1")
@pytest.mark.parametrize(("model", "need"), [("b1.1", 3), ("b1.2", 4)])
def test_cover_of_one_model(model: str, need: int) -> None:
    """An ability of one model gives cover to that model alone."""
    own = [{"rules": ["Benefit of Cover"]}]
    units = [squad("a1", "A", 1, gun(S=8, skill=2), at=[(10, 10)]), squad("b1", "B", 2, at=row(2, 20), Sv=4, own=own)]
    found = rule(units, SHOOT, [5, 5, 6], answers=[at("b1"), {"kind": "allocate", "value": model}])
    assert found.needs("save") == [need]


# -- destroyed by whom (DEST-1, DEST-3, DEST-4) ----------------------------------------------------


@pytest.mark.clause("commentary-10", "DEST-1")
def test_the_dead_leave_the_table_and_the_hurt_stay() -> None:
    """Of two models the one without wounds left is removed; the other keeps its place and its wounds."""
    units = [squad("a1", "A", 1, gun(A=2, S=8, D=2), at=[(10, 10)], M=6), squad("b1", "B", 2, at=row(2, 20), W=3)]
    found = rule(units, SHOOT, [6, 6, 6, 6], answers=[at("b1")])
    assert found.verdict == "legal" and found.dead() == ["b1.1"] and found.wounds("b1") == [0]
    assert found.model("b1.1").get("removed") is True


@pytest.mark.clause("commentary-10", "DEST-3")
@pytest.mark.parametrize(("words", "noted"), [(["INFANTRY", "CHARACTER"], True), (["INFANTRY"], False)])
def test_whoever_fells_a_character_is_known(words: list[str], noted: bool) -> None:
    """A CHARACTER destroyed by an attack is the attacker's work until the end of the turn; of another unit only the unit is."""
    units = [squad("a1", "A", 1, gun(S=8), at=[(10, 10)], M=6), squad("b1", "B", 1, at=[(20, 10)], keywords=words), FAR]
    found = rule(units, SHOOT, [6, 6], answers=[at("b1")])
    assert destroyers(found) == {"b1": "A"}
    assert ("felled-leader" in side_marks(found, "A")) is noted and "felled-leader" not in side_marks(found, "B")


@pytest.mark.clause("commentary-10", "DEST-4", "MOVE-8")
def test_who_dies_of_its_escape_was_destroyed_by_nobody() -> None:
    """The last model of a unit that fails its Desperate Escape test is destroyed, and no player did it."""
    units = [squad("a1", "A", 1, at=[(10, 10)], M=6, marks=["battle-shocked"]), squad("b1", "B", 1, at=[(11.5, 10)], M=6)]
    away = {"kind": "move", "value": {"a1.1": [[5, 10]]}}
    found = rule(units, {"phase": "movement", "unit": "a1", "action": "fall-back"}, [2], answers=[away])
    assert found.dead() == ["a1.1"] and destroyers(found) == {"a1": None}
    assert "felled:a1" not in side_marks(found, "B")


@pytest.mark.clause("commentary-10", "DEST-4", "COH-4")
def test_who_goes_for_coherency_was_destroyed_by_nobody() -> None:
    """A straggler is removed at the end of the turn; nobody felled it, although it was a CHARACTER."""
    heroes = ["INFANTRY", "CHARACTER"]
    units = [squad("a1", "A", 3, at=[(10, 10), (10, 11.5), (30, 10)], M=6, keywords=heroes), FAR]
    found = rule(units, {"phase": "end-of-turn"})
    assert found.dead() == ["a1.3"] and destroyers(found) == {}
    assert not {"felled-leader", "felled:a1"} & (side_marks(found, "A") | side_marks(found, "B"))


@pytest.mark.clause("commentary-10", "DEST-4", "RESV-3")
def test_who_never_arrived_was_destroyed_by_nobody() -> None:
    """A unit still in Reserves after round five is destroyed, and no player did it."""
    gone = squad("a1", "A", 1, M=6, where="reserve", marks=[{"waits": "strategic reserves"}], points=100)
    units = [gone, squad("a2", "A", 1, at=[(30, 5)], M=6), squad("b1", "B", 1, at=[(10, 22)], M=6)]
    found = rule(units, {"step": "round-end"}, round=5, clock={"phase": "round-end", "first": "A"}, active="B")
    assert found.dead() == ["a1.1"] and found.unit("a1")["where"] == "destroyed"
    assert "felled:a1" not in side_marks(found, "B") and destroyers(found).get("a1") is None


# -- when attacks are resolved (RESOLVE-2) ---------------------------------------------------------


@pytest.mark.clause("commentary-10", "RESOLVE-2")
@pytest.mark.parametrize("bearer", ["a1", "b1"])
@pytest.mark.parametrize("kind", ["shooting", "fight"])
def test_what_lasts_until_attacks_are_resolved_ends_then(kind: str, bearer: str) -> None:
    """An effect on the attacker or on its target that lasts until the attacks are resolved is gone when they are."""
    x = 11.5 if kind == "fight" else 20
    mine = squad("a1", "A", 1, gun(), blade(), at=[(10, 10)], M=6, W=9)
    units = [mine, squad("b1", "B", 1, at=[(x, 10)], M=6, W=9), squad("a2", "A", 1, at=[(10, 30)], M=6), FAR]
    lasting = {"grant:Penetration Taken(-1)": ATTACKS}
    units = [unit | {"marks": [lasting]} if unit["id"] in (bearer, "a2") else unit for unit in units]
    found = rule(units, {"phase": kind, "unit": "a1"}, [1], answers=[STAY] if kind == "fight" else [at("b1")])
    assert found.verdict == "legal"
    assert not any(mark.startswith("grant:") for mark in marks(found, bearer))
    assert any(mark.startswith("grant:") for mark in marks(found, "a2"))


@pytest.mark.clause("commentary-10", "RESOLVE-2", "ABIL-5")
def test_the_deck_is_empty_again_when_nobody_fired() -> None:
    """Weapons of passengers are the hull's until its attacks are resolved, also if it declares none."""
    hull = squad("a1", "A", 1, gun(), at=[(10, 10)], M=12, **(HULL | {"rules": [*HULL["rules"], "Firing Deck 2"]}))
    units = [hull, squad("a2", "A", 2, gun(), M=6, where="a1"), squad("b1", "B", 1, at=[(20, 10)], W=9)]
    manned = {"kind": "assign-weapons", "value": [["a2.1", 0], ["a2.2", 0]]}
    found = rule(units, SHOOT, answers=[manned, {"kind": "choose-target", "value": "pass"}])
    assert found.verdict == "legal", found.refusal
    assert any("deck" in str(event["set"]) for event in found.events)
    assert not any(mark.startswith("deck") for mark in marks(found, "a1"))


# -- taken up and set down again (REDEP-1, REPOS-1, REPOS-2) ---------------------------------------


@pytest.mark.clause("commentary-10", "REDEP-1")
def test_a_unit_is_redeployed_once_and_no_more_than_a_rule_allows() -> None:
    """A unit taken up is off the table until it is set down; it is not offered again, and the rule is used up by it."""
    clock = {"phase": "redeploy", "first": "A"}
    words = ["INFANTRY", "MANDATE"]
    units = [
        squad("a1", "A", 1, at=[(10, 5)], M=6, rules=["Redeploys 1 MANDATE"], keywords=words),
        squad("a2", "A", 1, at=[(20, 5)], M=6, keywords=words),
        squad("b1", "B", 1, at=[(30, 40)], M=6),
    ]
    more = {"sides": SIDES, "clock": clock, "mission": "default", "round": 0}
    answers = [{"kind": "choose-unit", "value": "a2"}, {"kind": "place", "value": {"a2.1": [50, 8]}}]
    found = rule(units, {"step": "redeploy"}, answers=answers, **more)
    assert ["a2", "where", "waiting"] in found.event("taken-up")["set"], found.event("taken-up")["set"]
    assert "redeployed" in marks(found, "a2")
    again = rule([*found.json["after"]["units"]], {"step": "redeploy"}, **more)
    assert again.json["after"]["clock"]["phase"] == "first-turn"


@pytest.mark.clause("commentary-10", "REPOS-1", "SETUP-1")
def test_a_unit_that_burrows_is_off_the_table_first() -> None:
    """It is taken up and then set down: on the spot where it stood, too, which its own base does not bar."""
    worm = squad(
        "a1", "A", 1, blade(), at=[(10, 10)], M=8, W=10, keywords=["MONSTER", "TIDE"], rules=["Burrows"], marks=["moved"]
    )
    answers = [react("Burrows"), {"kind": "place", "value": {"a1.1": [10.5, 10]}}]
    found = rule([worm, FAR], {"phase": "movement"}, answers=answers)
    assert found.verdict == "legal" and found.model("a1.1")["at"] == [10.5, 10.0], found.refusal
    assert [event["kind"] for event in found.events if event["kind"] in ("taken-up", "set-up-again")] == [
        "taken-up",
        "set-up-again",
    ]
    assert ["a1", "where", "waiting"] in found.event("taken-up")["set"]


@pytest.mark.clause("commentary-10", "REPOS-2", "RESV-1")
def test_who_sinks_away_waits_in_strategic_reserves() -> None:
    """STR-T3: at the end of the enemy's Fight phase a unit outside Engagement Range goes into Strategic Reserves."""
    units = [
        squad("a1", "A", 1, at=[(10, 10)], M=6),
        squad("b1", "B", 2, at=row(2, 30), M=6, keywords=["INFANTRY", *TIDE]),
    ]
    found = rule(units, {"phase": "fight"}, answers=[react("Sink Away b1")], sides={"B": {"cp": 1}})
    assert found.verdict == "legal", found.refusal
    assert found.unit("b1")["where"] == "reserve" and {"waits": "strategic reserves"} in found.unit("b1")["marks"]
    assert "must-arrive" in marks(found, "b1")


# -- others ----------------------------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "LINE-1")
@pytest.mark.parametrize(("dice", "dead"), [([4, 3], ["b1.1", "b1.2"]), ([4, 1], ["b1.1"]), ([3], [])])
def test_bombs_fall_on_who_is_passed_over(dice: list[int], dead: list[str]) -> None:
    """AB-R9: on 4+ a unit under the line of flight suffers D3 mortal wounds, below it nothing; one beside it no die."""
    plane = squad("a1", "A", 1, at=[(10, 20)], M="20+", keywords=["VEHICLE", "FLY", "AIRCRAFT"], rules=["Bombs"])
    units = [plane, squad("b1", "B", 3, at=row(3, 20, 20)), squad("b2", "B", 1, at=[(25, 25)])]
    found = rule(units, {"phase": "movement", "unit": "a1", "action": "normal"}, dice, answers=[react("Bombs")])
    assert found.verdict == "legal" and found.dead() == dead


@pytest.mark.clause("commentary-10", "DICE-6", "LINE-1")
def test_no_bomb_is_rolled_for_who_fell_to_another() -> None:
    """AB-R9: a unit that the end of the one bombed before it destroyed needs no die, one that it spared does."""
    plane = squad("a1", "A", 1, at=[(10, 20)], M="20+", W=9, keywords=["VEHICLE", "FLY", "AIRCRAFT"], rules=["Bombs"])
    wreck, beside = squad("b1", "B", 1, at=[(16, 20)], rules=["Deadly Demise 1"]), squad("b2", "B", 1, at=[(20, 20)])
    units = [plane, wreck, beside, squad("b9", "B", 1, at=[(57, 41)])]
    for dice, dead in (([4, 1, 6], ["b1.1", "b2.1"]), ([4, 1, 5, 3], ["b1.1"])):
        found = rule(units, {"phase": "movement", "unit": "a1", "action": "normal"}, dice, answers=[react("Bombs")])
        assert sorted(found.dead()) == dead, found.refusal


@pytest.mark.clause("commentary-10", "LINE-1", "JUST-1", "AIR-2")
def test_bombs_come_just_after_the_straight_leg() -> None:
    """AB-R9: they are asked about, and fall, before the turn; a bomber that a wreck below takes along does not turn."""
    plane = squad("a1", "A", 1, at=[(10, 20)], M="20+", keywords=["VEHICLE", "FLY", "AIRCRAFT"], rules=["Bombs"])
    below = squad("b1", "B", 1, at=[(25.5, 20)], rules=["Deadly Demise D3"])
    do: Json = {"phase": "movement", "unit": "a1", "action": "normal"}
    leg, turn = {"kind": "number", "value": "20"}, {"kind": "number", "value": "45"}
    asked = [rule([plane, below], do, [4, 1, 1], answers=some, unanswered="stop") for some in ([leg], [leg, react("Bombs")])]
    assert [found.pending and (found.pending["kind"], found.pending["point"]) for found in asked] == [
        ("react", "DP-8"),
        ("number", "DP-15"),
    ]
    found = rule([plane, below], do, [4, 1, 1], answers=[leg, react("Bombs"), turn])
    assert [event["kind"] for event in found.events if event["kind"] in ("moved", "ability", "casualties", "turned")] == [
        "moved",
        "ability",
        "casualties",
        "turned",
    ]
    assert found.model("a1.1")["facing"] == 45
    lost = rule([plane, below], do, [4, 1, 6, 1], answers=[leg, react("Bombs")], unanswered="stop")
    assert lost.pending is None and "a1.1" in lost.dead()


@pytest.mark.clause("commentary-10", "YUNIT-1", "CRIT-1")
def test_a_stratagem_for_a_model_is_for_that_model() -> None:
    """STR-R3: natural 5s of the CHARACTER chosen are Critical Hits, those of its Bodyguard are not."""
    claw = blade("Sustained Hits 1", S=4)
    leader = squad(
        "x", "A", 1, claw, at=[(10, 11.2)], M=6, keywords=["INFANTRY", "CHARACTER", *REACH], rules=["Leader"], leading="a1"
    )
    units = [squad("a1", "A", 1, claw, at=[(10, 10)], M=6, keywords=["INFANTRY", *REACH]), leader]
    units += [squad("b1", "B", 2, at=[(11.5, 10), (11.5, 11.2)], M=6, W=9)]
    answers = [react("One Clear Note x.1"), STAY, STAY]
    found = rule(units, FIGHT, {"hit": [5, 5], "wound": [1, 1, 1]}, answers=answers, sides={"A": {"cp": 1}})
    assert found.verdict == "legal", found.refusal
    assert found.purposes().count("wound") == 3


@pytest.mark.clause("commentary-10", "SHOOTDEATH-3")
@pytest.mark.parametrize(("rules", "need"), [(["Damaged 1"], 5), ([], 4)])
def test_a_dying_model_shoots_with_one_wound(rules: list[str], need: int) -> None:
    """A model that hits worse with one wound left does so when it shoots after its death."""
    killer = squad("a1", "A", 1, gun("Torrent", S=9, D=3), at=[(10, 10)], M=6, W=9)
    target = squad("b1", "B", 1, gun(skill=4), at=[(20, 10)], M=6, W=3, rules=["Shoots On Death 4+", *rules])
    found = rule([killer, target], SHOOT, [6, 4, 1], answers=[at("b1"), at("a1")])
    assert found.needs("hit") == [need]


@pytest.mark.clause("commentary-10", "MOVE-4")
def test_who_remains_stationary_is_not_moved_later_in_the_phase() -> None:
    """A unit that Remained Stationary is done: it is not selected again in the phase, and nothing of it has moved."""
    units = [squad("a1", "A", 1, at=[(10, 10)], M=6), FAR]
    stay = [{"kind": "choose-unit", "value": "a1"}, {"kind": "choose-action", "value": "stationary"}]
    go = [{"kind": "choose-unit", "value": "a1"}, {"kind": "choose-action", "value": "normal"}]
    assert rule(units, {"phase": "movement"}, answers=[*stay, *go]).verdict == "refused"
    found = rule(units, {"phase": "movement"}, answers=stay)
    assert found.verdict == "legal" and found.model("a1.1")["at"] == [10.0, 10.0]
    assert "stationary" in marks(found, "a1") and not {"moved", "advanced"} & marks(found, "a1")
    alone = rule(units, {"phase": "movement", "unit": "a1", "action": "stationary"})
    again: Any = rule(alone.json["after"]["units"], {"phase": "movement", "unit": "a1", "action": "normal"})
    assert again.refusal and again.refusal["clause"] == "MOVE-1"


@pytest.mark.clause("commentary-10", "LDTEST-1", "ULD-1", "DICE-2")
@pytest.mark.parametrize(("faces", "shocked"), [([3, 3], True), ([3, 4], False), ([1, 6], False), ([2, 4], True)])
def test_two_dice_against_the_best_leadership(faces: list[int], shocked: bool) -> None:
    """A total equal to the best Leadership of the unit, 7+ among 8+, passes; one less fails."""
    own = [{"rules": ["Ld(7)"]}]
    units = [squad("a1", "A", 2, at=row(2, 10), start_size=10, Ld=8, own=own), FAR]
    found = rule(units, {"phase": "command"}, faces)
    assert found.needs("battle-shock") == [7]
    assert ("battle-shocked" in marks(found, "a1")) is shocked


@pytest.mark.clause("commentary-10", "WPN-19", "ONESHOT-1")
def test_a_one_shot_weapon_is_spent() -> None:
    """Fired once, in the phase itself, it is not fired again in the battle; another weapon of the model is."""
    units = [squad("a1", "A", 1, gun("One Shot", name="rocket"), gun(name="rifle"), at=[(10, 10)], M=6)]
    units += [squad("b1", "B", 1, at=[(20, 10)], W=9)]
    first = rule(units, SHOOT, [1, 1], answers=[at("b1")])
    assert [event["facts"]["weapons"] for event in first.events if event["kind"] == "shot"] == [["rocket", "rifle"]]
    fresh = [unit | {"marks": []} for unit in first.json["after"]["units"]]
    later = rule(fresh, SHOOT, {"seed": 1}, answers=[at("b1")], round=3)
    assert [event["facts"]["weapons"] for event in later.events if event["kind"] == "shot"] == [["rifle"]]


@pytest.mark.clause("commentary-10", "B2B-1", "PILEIN-4")
@pytest.mark.parametrize(("gap", "refused"), [(0.0, "PILEIN-4"), (0.01, "PILEIN-4"), (0.02, None)])
def test_bases_that_touch_are_in_contact(gap: float, refused: str | None) -> None:
    """A gap up to a hundredth of an inch is base contact, and who is in contact does not pile in."""
    units = [squad("a1", "A", 1, blade(), at=[(10, 10)], M=6), squad("b1", "B", 2, at=[(11 + gap, 10), (10.2, 11.3)], M=6, W=9)]
    go = {"kind": "move", "value": {"a1.1": [[10.01 + gap, 10]]}}
    found = rule(units, FIGHT, [1], answers=[go])
    assert (found.refusal["clause"] if found.refusal else None) == refused


@pytest.mark.clause("commentary-10", "MODCH-6", "MODIMP-4")
@pytest.mark.parametrize(("ap", "need"), [(0, 4), (-1, 4), (-2, 5)])
def test_ap_is_not_worsened_past_nothing(ap: int, need: int) -> None:
    """AP worsened by 1 is 0 at the worst: against AP 0 a save of 4+ stays 4+ and is not made on 3+."""
    units = [squad("a1", "A", 1, gun(S=8, AP=ap)), squad("b1", "B", 1, Sv=4, rules=["Penetration Taken(-1)"])]
    assert shoot(units, [6, 6, 6]).needs("save") == [need]


@pytest.mark.clause("commentary-10", "TREAT-1")
def test_a_wound_roll_that_counts_as_another() -> None:
    """A natural 1 that counts as a 6 is a Critical Wound, and Devastating Wounds work on it."""
    units = [squad("a1", "A", 1, gun("Wound Rolls(1 as 6)", "Devastating Wounds")), squad("b1", "B", 1, Sv=2, W=3)]
    found = shoot(units, [3, 1])
    assert found.attack["mortal"] == 1 and found.wounds("b1") == [1]
    assert found.purposes() == ["hit", "wound"]


@pytest.mark.clause("commentary-10", "MODUNIT-1", "MODIMP-1")
def test_the_leadership_of_a_unit_is_changed_for_every_model() -> None:
    """Ld 8+ and 7+ each improved by 1: the unit tests against 6+, and without its best model against 7+."""
    own = [{"rules": ["Ld(7)"]}]
    for models, need in ((own, 6), ([], 7)):
        unit = squad("a1", "A", 2, at=row(2, 10), start_size=10, Ld=8, own=models, rules=["Leadership(+1)"])
        assert rule([unit, FAR], {"phase": "command"}, [6, 6]).needs("battle-shock") == [need]


@pytest.mark.clause("commentary-10", "GEO-4")
@pytest.mark.parametrize(("x", "refused"), [(11, None), (10.99, None), (10.98, "GEO-4")])
def test_models_of_a_unit_do_not_end_on_each_other(x: float, refused: str | None) -> None:
    """Bases that touch, or overlap by a hundredth, are well; by more the move is refused."""
    go = {"kind": "move", "value": {"a1.1": [[10, 14]], "a1.2": [[x, 14]]}}
    units = [squad("a1", "A", 2, at=row(2, 10), M=6), FAR]
    found = rule(units, {"phase": "movement", "unit": "a1", "action": "normal"}, answers=[go])
    assert (found.refusal["clause"] if found.refusal else None) == refused


@pytest.mark.clause("commentary-10", "MOVE-6", "SHOOT-1", "CHG-1")
def test_an_advance_adds_its_die_and_bars_shots_and_charges() -> None:
    """A die is rolled and added to the Move of 6"; whoever advanced neither shoots nor declares a charge that turn."""
    units = [squad("a1", "A", 1, gun(), at=[(10, 10)], M=6), squad("b1", "B", 1, at=[(26, 10)], M=6, W=9)]

    def advanced(x: float, die: int) -> Ruling:
        go = {"kind": "move", "value": {"a1.1": [[x, 10]]}}
        return rule(units, {"phase": "movement", "unit": "a1", "action": "advance"}, [die], answers=[go])

    short = advanced(19, 2).refusal
    assert short and short["clause"] == "MOVE-6"
    found = advanced(19, 3)
    assert found.verdict == "legal" and "advanced" in marks(found, "a1")
    for phase, clause in (("shooting", "SHOOT-1"), ("charge", "CHG-1")):
        barred = rule(found.json["after"]["units"], {"phase": phase, "unit": "a1"}).refusal
        assert barred and barred["clause"] == clause


@pytest.mark.clause("commentary-10", "LABEL-1")
def test_the_labels_of_the_core_stratagems() -> None:
    """The words under their titles are those of the rulebook."""
    labels = {rule.name: rule.labels for rule in registry.edition("commentary-10").reactions}
    tactics, deeds = ("Command Re-roll", "Go to Ground"), ("Epic Challenge", "Insane Bravery")
    wargear = ("Grenade", "Smokescreen")
    ploys = ("Counter-offensive", "Fire Overwatch", "Tank Shock", "Rapid Ingress", "Heroic Intervention", "New Orders")
    for label, names in (("Battle Tactic", tactics), ("Epic Deed", deeds), ("Wargear", wargear), ("Strategic Ploy", ploys)):
        assert {name: labels[name] for name in names} == dict.fromkeys(names, (label,))


@pytest.mark.clause("commentary-10", "WPN-20", "PSY-1")
@pytest.mark.parametrize(("rules", "dice"), [(["Psychic"], 3), ([], 0)])
def test_every_wound_of_a_psychic_weapon_is_psychic(rules: list[str], dice: int) -> None:
    """Feel No Pain against Psychic Attacks meets its damage and the mortal wounds it adds, and none of another weapon."""
    target = squad("b1", "B", 1, W=9, rules=["Feel No Pain 4+ against psychic"])
    found = shoot([squad("a1", "A", 1, gun("Mortal Wounds 2", *rules)), target], [5, 6, *[4] * dice])
    assert found.attack["ignored"] == dice and found.wounds("b1") == [3 - dice]
