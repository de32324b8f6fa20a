"""Moments of a whole game as a stranger writes them: what units did is said by marks, and everything goes by public JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rolloff.situations.adjudicate import adjudicate
from tests.commentary.desk import EDITION, Json, Ruling, blade, gun, squad
from tests.commentary.test_phases import HULL, asked, marks, row, rule

FAR = squad("b9", "B", 1, at=[(50, 40)], M=6)


def react(name: str) -> Json:
    """An answer that uses a reaction."""
    return {"kind": "react", "value": name}


def at(target: str) -> Json:
    """An answer that names a target."""
    return {"kind": "choose-target", "value": target}


def way(**models: Any) -> Json:
    """An answer that moves models; ``a1_2=(x, y)`` is the second of a1."""
    return {"kind": "move", "value": {name.replace("_", "."): [list(spot)] for name, spot in models.items()}}


def clause(found: Ruling) -> str | None:
    """The clause a ruling was refused by."""
    return found.refusal["clause"] if found.refusal else None


def fought_order(found: Ruling) -> list[str]:
    """Who fought, in order."""
    return [event["facts"]["unit"] for event in found.events if event["kind"] == "activated"]


# -- what units did before ------------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "NSEL-1", "SHOOT-1")
@pytest.mark.parametrize(
    ("phase", "mark", "refused"),
    [
        ("movement", "moved", "MOVE-1"),
        ("movement", "advanced", "MOVE-1"),
        ("shooting", "shot", "SHOOT-1"),
        ("charge", "charged", "CHG-1"),
        ("fight", "fought", "FGT-1"),
    ],
)
def test_who_had_its_part_of_a_phase_is_not_selected_again(phase: str, mark: str, refused: str) -> None:
    """A mark of what a unit did in a phase bars it there, by itself and when the whole phase is played."""
    x = 11.5 if phase == "fight" else 20
    units = [squad("a1", "A", 1, gun(), blade(), at=[(10, 10)], M=6, marks=[mark]), squad("b1", "B", 1, at=[(x, 10)], W=9)]
    assert clause(rule(units, {"phase": phase, "unit": "a1"})) == refused
    whole = rule(units, {"phase": phase}, {"seed": 1})
    assert "a1" not in fought_order(whole)


@pytest.mark.clause("commentary-10", "CHG-5", "FGT-1", "FGT-2", "ABIL-4")
def test_who_charged_fights_before_the_others() -> None:
    """In the Fights First step the reactive player comes first, then who charged; without the bonus it fights later."""
    units = [
        squad("a1", "A", 1, blade(), at=[(10, 10)], M=6, W=9, marks=["charged"]),
        squad("b1", "B", 1, blade(), at=[(11.5, 10)], M=6, W=9),
        squad("a2", "A", 1, blade(), at=[(30, 10)], M=6, W=9),
        squad("b2", "B", 1, blade(), at=[(31.5, 10)], M=6, W=9, rules=["Fights First"]),
    ]
    assert fought_order(rule(units, {"phase": "fight"}, {"seed": 1})) == ["b2", "a1", "b1", "a2"]
    units[0]["marks"] = ["charged", "no-charge-bonus"]
    assert fought_order(rule(units, {"phase": "fight"}, {"seed": 1})) == ["b2", "b1", "a1", "a2"]


@pytest.mark.clause("commentary-10", "FIGHTDEATH-1")
def test_who_fought_does_not_fight_on_death() -> None:
    """A destroyed model of a unit that has fought in this phase has no die for it; one of another unit has."""
    for state, purposes in ([], ["hit", "wound", "after death"]), (["fought"], ["hit", "wound"]):
        fallen = squad("b1", "B", 1, blade(), at=[(11.5, 10)], M=6, rules=["Fights On Death 4+"], marks=state)
        units = [squad("a1", "A", 1, blade(S=8), at=[(10, 10)], M=6, W=3), fallen, FAR]
        found = rule(units, {"phase": "fight", "unit": "a1"}, [3, 3, 1][: len(purposes)])
        assert found.purposes() == purposes


# -- transports ------------------------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "TRANS-3", "EMB-1")
def test_embarking_as_an_action() -> None:
    """After its move, made before or now, a unit all within 3" embarks; not after it disembarked, nor from further away."""
    hull = squad("a1", "A", 1, gun(), at=[(20, 20)], M=12, **HULL)
    do = {"phase": "movement", "unit": "a2", "action": "embark"}
    near, far = [(22, 20), (22, 21.5)], [(22, 20), (22, 24)]
    for spots, state, refused in ((near, [], None), (near, ["moved"], None), (near, ["disembarked"], "TRANS-3")):
        units = [hull, squad("a2", "A", 2, at=spots, M=6, marks=state), FAR]
        found = rule(units, do)
        assert clause(found) == refused
        assert refused or found.unit("a2")["where"] == "a1"
    off = [hull, squad("a2", "A", 2, at=far, M=6), FAR]
    assert clause(rule(off, do)) == "TRANS-3"
    comes = {"kind": "move", "value": {"a2.2": [[22, 21.5]]}}
    assert rule(off, do, answers=[comes]).unit("a2")["where"] == "a1"


# -- what is left afterwards -----------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "CMD-1", "OC-3", "MIS-4")
def test_points_and_markers_afterwards_can_be_given_back() -> None:
    """Command points, score and who holds which marker stand in the situation afterwards, and it can be ruled on again."""
    units = [squad("a1", "A", 1, at=[(20, 22)], OC=1, M=6), squad("b1", "B", 1, at=[(40, 40)], M=6)]
    found = rule(units, {"phase": "command"}, objectives=[{"id": "o1", "at": [20, 20]}], sides={"A": {"cp": 2, "score": 4}})
    after = found.json["after"]
    assert (after["sides"]["A"]["cp"], after["sides"]["B"]["cp"], after["sides"]["A"]["score"]) == (3, 1, 5)
    assert after["objectives"] == [{"id": "o1", "at": [20.0, 20.0], "holder": "A"}]
    again = rule(after.pop("units"), {"phase": "end-of-turn"}, **{k: after[k] for k in ("objectives", "sides", "table")})
    assert again.json["after"]["objectives"] == after["objectives"]
    assert again.json["after"]["sides"]["A"]["cp"] == 3


# -- reactions -------------------------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "CSTR-5", "BGNT-1")
def test_a_locked_vehicle_fires_overwatch() -> None:
    """Whoever would be eligible to shoot may: a VEHICLE although it is Locked in Combat, infantry not."""
    do = {"phase": "movement", "unit": "a1", "action": "normal"}
    for words, legal in ((["VEHICLE"], True), (["INFANTRY"], False)):
        units = [
            squad("a1", "A", 1, at=[(10, 10)], M=6, W=9),
            squad("b1", "B", 1, gun(A=2), at=[(20, 10)], M=6, keywords=words),
            squad("a2", "A", 1, at=[(21.5, 10)], M=6),
        ]
        found = rule(units, do, [1, 1] if legal else [], answers=[react("Fire Overwatch")], sides={"B": {"cp": 1}})
        assert (found.verdict == "legal") is legal


@pytest.mark.clause("commentary-10", "CSTR-6")
def test_grenades_after_an_advance() -> None:
    """A GRENADES unit outside Engagement Range that was not selected to shoot, whatever it did before; one that shot cannot."""
    for state, legal in (([], True), (["advanced"], True), (["shot"], False)):
        mine = squad("a1", "A", 1, gun(), at=[(10, 10)], M=6, keywords=["INFANTRY", "GRENADES"], marks=state)
        units = [mine, squad("b1", "B", 3, at=row(3, 18), W=2)]
        found = rule(units, {"phase": "shooting"}, {"seed": 1}, answers=[react("Grenade")], sides={"A": {"cp": 1}})
        assert (found.verdict == "legal") is legal
        assert ("grenade" in found.purposes()) is legal


@pytest.mark.clause("commentary-10", "CSTR-8", "UT-1")
def test_tank_shock_reads_the_toughness_of_the_unit() -> None:
    """Strength 5 does not exceed a Bodyguard's Toughness 5, whatever the Leader's is: five dice, not seven."""
    for tough, dice in ((5, 5), (4, 7)):
        units = [
            squad("a1", "A", 1, blade(S=5), at=[(10, 10)], M=6, keywords=["VEHICLE"]),
            squad("b1", "B", 1, at=[(15, 10)], M=6, W=9, T=tough),
            squad("x", "B", 1, at=[(16.5, 10)], T=3, W=3, keywords=["CHARACTER"], rules=["Leader"], leading="b1"),
        ]
        answers = [{"kind": "react", "value": "pass"}, way(a1_1=(14, 10)), react("Tank Shock")]
        do = {"phase": "charge", "unit": "a1", "action": "charge"}
        found = rule(units, do, [6, 6, *[1] * dice], answers=answers, sides={"A": {"cp": 1}})
        assert found.purposes().count("tank shock") == dice, found.refusal


@pytest.mark.clause("commentary-10", "CSTR-8", "NULL-1", "NULL-2", "MODUNIT-1", "MOD-1")
@pytest.mark.parametrize(
    ("strength", "own", "theirs", "rolled", "dice"),
    [
        (4, [], [], [], 4),
        (4, ["Strength(+1)"], [], [], 7),
        (5, [], ["Toughness(+1)"], [], 5),
        ("-", ["Strength(+1)"], [], [], 9),
        ("D6", [], [], [6], 8),
    ],
)
def test_tank_shock_by_strength_as_it_is(strength: Any, own: Any, theirs: Any, rolled: list[int], dice: int) -> None:
    """Strength and Toughness are those modified: without a Strength the model's Toughness stands in, a random one is rolled."""
    units = [
        squad("a1", "A", 1, blade(S=strength), at=[(10, 10)], M=6, T=7, keywords=["VEHICLE"], rules=own),
        squad("b1", "B", 1, at=[(15, 10)], M=6, W=9, T=4, rules=theirs),
    ]
    answers = [{"kind": "react", "value": "pass"}, way(a1_1=(14, 10)), react("Tank Shock")]
    do = {"phase": "charge", "unit": "a1", "action": "charge"}
    found = rule(units, do, [6, 6, *rolled, *[1] * dice], answers=answers, sides={"A": {"cp": 1}})
    assert found.purposes().count("tank shock") == dice, found.refusal


@pytest.mark.clause("commentary-10", "CSTR-8")
@pytest.mark.parametrize(("weapon", "dice"), [("ram", 10), ("feet", 5)])
def test_tank_shock_with_a_weapon_of_the_second_model(weapon: str, dice: int) -> None:
    """Any melee weapon of the unit may be picked, whoever of its models has it."""
    own = [{"weapons": [blade(S=4, name="feet")]}, {"weapons": [blade(S=5, name="feet"), blade(S=8, name="ram")]}]
    units = [
        squad("a1", "A", 2, at=[(10, 10), (10, 11.5)], M=6, keywords=["VEHICLE"], own=own),
        squad("b1", "B", 2, at=[(15, 10), (15, 11.5)], M=6, W=9, T=5),
    ]
    answers = [{"kind": "react", "value": "pass"}, way(a1_1=(14, 10), a1_2=(14, 11.5)), react(f"Tank Shock a1 b1 {weapon}")]
    do = {"phase": "charge", "unit": "a1", "action": "charge"}
    found = rule(units, do, [6, 6, *[1] * dice], answers=answers, sides={"A": {"cp": 1}})
    assert found.purposes().count("tank shock") == dice, found.refusal


@pytest.mark.clause("commentary-10", "MODUNIT-1", "UT-2")
def test_the_toughness_of_a_unit_is_told_as_modified() -> None:
    """What every model has adds to the Toughness of the unit; what one of them has alone does not."""
    for own, tough in (({"rules": ["Toughness(+1)"]}, 5), ({"own": [{"rules": ["Toughness(+1)"]}]}, 4)):
        unit = squad("a1", "A", 2, at=[(10, 10), (11.5, 10)], T=4, **own)
        assert asked([unit, squad("b1", "B", 1, at=[(30, 30)])], {"value": ["a1", "T"]}) == [{"value": tough}]


# -- refusals name the rule ------------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "ABIL-8", "SHOOT-2", "EMB-2")
def test_a_target_that_may_not_be_shot_is_refused_by_its_rule() -> None:
    """A Lone Operative too far away, a unit aboard, one out of range: each is refused by the clause that protects it."""
    lone = squad("b1", "B", 1, at=[(23.1, 10)], M=6, rules=["Lone Operative"])
    mine = squad("a1", "A", 1, gun(), at=[(10, 10)], M=6)
    do = {"phase": "shooting", "unit": "a1"}
    assert clause(rule([mine, lone], do)) == "ABIL-8"
    hull = squad("b2", "B", 1, at=[(10, 20)], M=6, **HULL)
    aboard = squad("b3", "B", 1, M=6, where="b2")
    far = squad("b4", "B", 1, at=[(50, 40)], M=6)
    for name, refused in (("b1", "ABIL-8"), ("b3", "EMB-2"), ("b4", "SHOOT-2")):
        assert clause(rule([mine, lone, hull, aboard, far], do, answers=[at(name)])) == refused


# -- falling back ----------------------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "MOVE-8", "CMD-5")
def test_desperate_escapes_model_by_model() -> None:
    """Who crosses an enemy tests, flyers and TITANIC models do not; of a Battle-shocked unit everybody does, flying or not."""
    over = way(a1_1=(15, 10))
    for words, state, dice in (
        (["INFANTRY"], [], 1),
        (["INFANTRY", "FLY"], [], 0),
        (["MONSTER", "TITANIC"], [], 0),
        (["INFANTRY", "FLY"], ["battle-shocked"], 1),
    ):
        units = [
            squad("a1", "A", 1, at=[(10, 10)], M=6, keywords=words, marks=state),
            squad("b1", "B", 1, at=[(11.5, 10)], M=6),
        ]
        found = rule(units, {"phase": "movement", "unit": "a1", "action": "fall-back"}, [3] * dice, answers=[over])
        assert found.verdict == "legal" and found.purposes() == ["desperate escape"] * dice


@pytest.mark.clause("commentary-10", "COH-3", "MOVE-8")
def test_who_is_left_of_a_fall_back_names_a_way_that_ends_coherent() -> None:
    """The middle of three dies of its test: the other two may not go as they were told to, 5 inches apart, and go together."""
    units = [
        squad("a1", "A", 3, at=[(10, 10), (13, 10), (16, 10)], M=6, marks=["battle-shocked"]),
        squad("b1", "B", 1, at=[(13, 11.5)], M=6),
    ]
    apart = way(a1_1=(10, 5), a1_2=(13, 5), a1_3=(16, 5))
    together = way(a1_1=(11.5, 5), a1_3=(14.5, 5))
    fall_back, middle = {"phase": "movement", "unit": "a1", "action": "fall-back"}, {"kind": "allocate", "value": "a1.2"}
    found = rule(units, fall_back, [3, 1, 3], answers=[apart, middle, together])
    assert found.verdict == "legal" and found.purposes() == ["desperate escape"] * 3
    assert [row["at"] for row in found.unit("a1")["models"] if not row.get("removed")] == [[11.5, 5], [14.5, 5]]
    assert clause(rule(units, fall_back, [3, 1, 3], answers=[apart, middle, way(a1_1=(10, 5), a1_3=(16, 5))])) == "COH-3"


# -- charges at several targets --------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "CHG-2", "CHG-3")
def test_a_charge_at_two_targets() -> None:
    """A way to both is found if there is one; with too small a roll for the further of them the charge fails."""
    units = [
        squad("a1", "A", 5, blade(), at=row(5, 10, 9, 1.2), M=6),
        squad("b1", "B", 1, at=[(17, 9)], M=6),
        squad("b2", "B", 1, at=[(18, 14.5)], M=6),
    ]
    do = {"phase": "charge", "unit": "a1", "action": "charge"}
    both = [at("b1"), at("b2")]
    found = rule(units, do, [4, 5], answers=both)
    assert "charged" in marks(found, "a1") and {"b1", "b2"} == set(asked(found.json["after"]["units"], {"engaged": "a1"})[0])
    failed = rule(units, do, [1, 4], answers=both)
    assert failed.event("charge-failed") and "charged" not in marks(failed, "a1")


@pytest.mark.clause("commentary-10", "CHG-3")
def test_where_no_way_is_found_the_owner_may_name_one() -> None:
    """To three targets in a long line no way is proposed; the owner's own makes the charge, and naming none fails it."""
    units = [
        squad("a1", "A", 5, blade(), at=row(5, 10, 9, 1.2), M=6),
        *(squad(f"b{k + 1}", "B", 1, at=[(17, 6 + 5.5 * k)], M=6) for k in range(3)),
    ]
    do = {"phase": "charge", "unit": "a1", "action": "charge"}
    three = [at("b1"), at("b2"), at("b3")]
    line = way(**{f"a1_{k + 1}": (16, 6 + 2.75 * k) for k in range(5)})
    assert rule(units, do, [6, 6], answers=three).event("charge-failed")
    assert "charged" in marks(rule(units, do, [6, 6], answers=[*three, line]), "a1")
    short = way(**{f"a1_{k + 1}": (14, 6 + 2.75 * k) for k in range(5)})
    assert clause(rule(units, do, [6, 6], answers=[*three, short])) == "CHG-3"


# -- mortal wounds wait for all attacks -------------------------------------------------------------


@pytest.mark.clause("commentary-10", "MW-4", "MW-2")
def test_mortal_wounds_wait_for_the_last_attack_on_any_target() -> None:
    """A Critical Wound on the first target is applied when the attacks on the second are made; sums stay with their attack."""
    arms = gun("Devastating Wounds", D=2, name="one"), gun(name="two")
    units = [
        squad("a1", "A", 1, *arms, at=[(10, 10)], M=6),
        squad("b1", "B", 3, at=row(3, 20), M=6, Sv=4),
        squad("b2", "B", 3, at=row(3, 20, 20), M=6, Sv=4),
    ]
    answers = [at("b1"), {"kind": "assign-weapons", "value": [["a1.1", 0]]}, at("b2")]
    found = rule(units, {"phase": "shooting", "unit": "a1"}, [3, 6, 3, 4, 1], answers=answers)
    assert found.dead() == ["b2.1", "b1.1", "b1.2"]
    first, second = found.json["attacks"]
    assert (first["mortal"], first["damage"], first["removed"]) == (2, 2, ["b1.1", "b1.2"])
    assert (second["mortal"], second["damage"], second["removed"]) == (0, 1, ["b2.1"])


@pytest.mark.clause("commentary-10", "MW-4", "MW-5")
def test_waiting_mortal_wounds_find_who_is_left() -> None:
    """Those meant for a CHARACTER go to it first, the rest to the others."""
    arms = gun("Devastating Wounds", "Precision", D=3, name="one"), gun(name="two")
    leader = squad("x", "B", 1, at=[(21.5, 10)], W=2, keywords=["CHARACTER"], rules=["Leader"], leading="b1")
    units = [
        squad("a1", "A", 1, *arms, at=[(10, 10)], M=6),
        squad("b1", "B", 3, at=row(3, 20), M=6),
        leader,
        squad("b2", "B", 3, at=row(3, 20, 20), M=6),
    ]
    choice = {"kind": "choose-option", "value": "x.1"}
    answers = [at("b1"), {"kind": "assign-weapons", "value": [["a1.1", 0]]}, at("b2"), choice]
    found = rule(units, {"phase": "shooting", "unit": "a1"}, [3, 6, 3, 4], answers=answers)
    assert found.dead()[0] == "b2.1" and set(found.dead()[1:]) == {"x.1", "b1.1"}


# -- models of different Move ----------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "MOVE-5", "MOVE-6")
def test_each_model_goes_as_far_as_its_own_move() -> None:
    """A Leader of Move 8 goes 8" beside Bodyguards of Move 6, who go 6"; an Advance adds its die for everybody."""
    leader = squad("x", "A", 1, at=[(10, 8.8)], M=8, W=3, keywords=["CHARACTER", "INFANTRY"], rules=["Leader"], leading="a1")
    units = [squad("a1", "A", 2, at=[(10, 10), (10, 11.2)], M=6), leader, FAR]
    normal, advance = ({"phase": "movement", "unit": "a1", "action": action} for action in ("normal", "advance"))
    for do, dice, more in ((normal, [], 0), (advance, [2], 2)):
        ends = {"a1.1": (16 + more, 10), "a1.2": (16 + more, 11.2), "x.1": (17.9 + more, 8.8)}
        paths = {name: [list(spot)] for name, spot in ends.items()}
        go = {"kind": "move", "value": paths}
        assert rule(units, do, dice, answers=[go]).verdict == "legal"
        for name, x in (("a1.1", 16.1), ("x.1", 18.1)):
            far = {"kind": "move", "value": {**paths, name: [[x + more, ends[name][1]]]}}
            assert clause(rule(units, do, dice, answers=[far])) == ("MOVE-6" if more else "MOVE-5")


# -- melee: who strikes whom with what ---------------------------------------------------------------


@pytest.mark.clause("commentary-10", "FGT-6", "FGT-7", "WPN-17")
def test_strikes_are_shared_out_among_targets_and_weapons() -> None:
    """Between two enemies some models strike one and the others the other, each with the weapon named for it."""
    arms = blade(name="sword"), blade(name="axe", S=8), blade("Extra Attacks", name="tail")
    units = [
        squad("a1", "A", 2, *arms, at=[(10, 10), (10, 11.5)], M=6),
        squad("b1", "B", 1, at=[(11.5, 10)], M=6, W=9),
        squad("b2", "B", 1, at=[(11.5, 11.5)], M=6, W=9),
    ]
    stay = {"kind": "move", "value": "stay"}
    first = {"kind": "assign-weapons", "value": [["a1.1", 0], ["a1.1", 2]]}
    second = {"kind": "assign-weapons", "value": [["a1.2", 1]]}
    do = {"phase": "fight", "unit": "a1"}
    found = rule(units, do, [1] * 3, answers=[stay, at("b1"), first, at("b2"), second])
    struck = [(event["facts"]["target"], event["facts"]["weapons"]) for event in found.events if event["kind"] == "struck"]
    assert struck == [("b1", ["sword", "tail"]), ("b2", ["axe"])], found.refusal
    both = {"kind": "assign-weapons", "value": [["a1.1", 0], ["a1.1", 1]]}
    assert clause(rule(units, do, answers=[stay, at("b1"), both])) == "FGT-6"


@pytest.mark.clause("commentary-10", "SHOOT-1", "CHG-1", "FGT-1")
def test_one_phase_after_another_goes_on_from_what_came_before() -> None:
    """A unit that moved shoots, charges and fights in the situations that come of it; twice in one phase it does nothing."""
    units = [
        squad("a1", "A", 1, gun(), blade(), at=[(10, 10)], M=6),
        squad("b1", "B", 1, at=[(26, 10)], W=9, M=6),
        squad("b9", "B", 1, at=[(50, 40)], M=6),
    ]
    now: Json = {"edition": EDITION, "round": 2, "active": "A", "units": units}
    steps: list[tuple[str, str, list[int], list[Json]]] = [
        ("movement", "normal", [], [{"kind": "move", "value": {"a1.1": [[16, 10]]}}]),
        ("shooting", "shoot", [1], []),
        ("charge", "charge", [6, 6], []),
        ("fight", "fight", [1], []),
    ]
    for phase, action, dice, answers in steps:
        part = {"do": {"phase": phase, "unit": "a1", "action": action}, "dice": dice, "answers": answers}
        found = adjudicate(json.dumps(now | part).encode())
        assert found["verdict"] == "legal", found["refusal"]
        now = found["after"]
        assert adjudicate(json.dumps(now | part).encode())["verdict"] == "refused"
