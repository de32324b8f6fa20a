"""Attached units: who bears wounds, Precision, what Leaders give, and when the parts separate."""

from __future__ import annotations

from typing import Any

import pytest

from rolloff.situations.forms import SituationForm, fill
from rolloff.situations.situation import read_situation
from rolloff.table.state import MERGED
from tests.commentary.desk import Json, gun, shoot, squad
from tests.commentary.referee import way
from tests.commentary.test_phases import asked, row, rule

OPTION = "choose-option"


def leader(id: str = "x", into: str = "b1", side: str = "B", **more: Any) -> Json:
    """A CHARACTER that leads a unit."""
    given: Json = {"W": 4, "Sv": 3, "keywords": ["INFANTRY", "CHARACTER"], "rules": ["Leader"], "where": into}
    return squad(id, side, 1, **{**given, **more})


@pytest.mark.clause("commentary-10", "ATK-5")
def test_bodyguard_first_even_if_the_leader_is_wounded() -> None:
    """No attack goes to the CHARACTER while a Bodyguard model is left; the moment none is, the next one may."""
    units = [squad("a1", "A", 1, gun(A=3, S=8)), squad("b1", "B", 2, Sv=5), leader(wounds=[1])]
    ruling = shoot(units, dice=[3, 3, 1, 3, 3, 1, 3, 3, 1])
    assert (ruling.dead(), ruling.needs("save")) == (["b1.1", "b1.2"], [5, 5, 3])
    assert ruling.model("x.1")["wounds"] == 2


def test_a_leader_may_be_named_by_its_models_instead() -> None:
    """A situation in which the Leader's model says which unit it has joined means the same Attached unit."""
    joined = leader(where="merged")
    joined["models"][0]["unit"] = "b1"
    units = [squad("a1", "A", 1, gun(A=2, S=8)), squad("b1", "B", 1, Sv=5), joined]
    ruling = shoot(units, dice=[3, 3, 1, 3, 3, 1])
    assert (ruling.dead(), ruling.model("x.1")["wounds"], ruling.unit("x")["where"]) == (["b1.1"], 1, "table")


def test_the_leader_names_the_unit_as_well() -> None:
    """An attack on the Leader's own id is an attack on the unit it leads."""
    units = [squad("a1", "A", 1, gun(S=8)), leader(), squad("b1", "B", 2, Sv=5)]
    assert shoot(units, dice=[3, 3, 1]).dead() == ["b1.1"]


@pytest.mark.clause("commentary-10", "WPN-10", "PREC-1")
def test_precision_goes_to_the_character_the_attacker_names() -> None:
    """By default a Precision wound goes to the CHARACTER; the attacker may leave it to the owner, or must if unseen."""
    units = [squad("a1", "A", 1, gun("Precision", S=8)), squad("b1", "B", 2, Sv=5), leader()]
    assert shoot(units, dice=[3, 3, 1]).model("x.1")["wounds"] == 1
    to_unit = [{"kind": OPTION, "value": "b1"}]
    assert shoot(units, dice=[3, 3, 1], answers=to_unit).dead() == ["b1.1"]
    asked = shoot(units, dice=[3, 3], unanswered="stop")
    assert asked.pending and (asked.pending["who"], asked.pending["options"]) == ("A", ["x.1", "b1"])
    lobbed = [squad("a1", "A", 1, gun("Precision", "Indirect Fire", S=8)), *units[1:]]
    assert shoot(lobbed, dice=[4, 3, 1], visible=False).dead() == ["b1.1"]


@pytest.mark.clause("commentary-10", "PREC-2", "ATK-11")
def test_with_one_character_precise_attacks_are_not_batched() -> None:
    """One CHARACTER: each attack is resolved to its end; after its death the wounds go to the unit."""
    units = [squad("a1", "A", 1, gun("Precision", A=2, S=8)), squad("b1", "B", 2, Sv=5), leader(W=1)]
    ruling = shoot(units, dice=[3, 3, 1, 3, 3, 1])
    assert (ruling.purposes(), ruling.dead()) == (["hit", "wound", "save"] * 2, ["b1.1", "x.1"])


@pytest.mark.clause("commentary-10", "PREC-2")
def test_a_batch_is_all_weapons_of_a_profile() -> None:
    """Two CHARACTERs: hits and wounds of every weapon of the profile come first, each after its own number of attacks."""
    second = leader("y", rules=["Second Leader"])
    units = [squad("a1", "A", 2, gun("Precision", A="D3", S=8)), squad("b1", "B", 2, Sv=5), leader(), second]
    ruling = shoot(units, dice=[1, 3, 3, 2, 3, 3, 1, 4])
    assert ruling.purposes() == ["attacks", "hit", "wound"] * 2 + ["save", "save"]
    assert ruling.model("x.1")["wounds"] == 1
    doubled = squad("a1", "A", 2, gun("Precision", "Attacks(x2)", A="D3", S=8))
    ruling = shoot([doubled, *units[1:]], dice=[1, 3, 3, 1, 2, 1, 1, 4])
    assert ruling.purposes() == ["attacks", "hit", "wound", "hit", "attacks", "hit", "hit", "save"]


@pytest.mark.clause("commentary-10", "PREC-2", "WPN-2")
def test_a_batch_goes_on_where_its_weapons_differ() -> None:
    """One of two models is within half range and the other is not: their attacks are one batch all the same."""
    shooters = squad("a1", "A", 2, gun("Precision", "Rapid Fire 1", S=8), at=[(10, 10), (9, 11)], M=6)
    leaders = [
        leader("x", at=[(23, 12)], Sv=4),
        leader("y", at=[(23, 8)], Sv=4, rules=["Second Leader"]),
    ]
    units = [shooters, squad("b1", "B", 2, at=[(23, 10), (24.5, 10)], Sv=4, M=6), *leaders]
    for last in ([3, 3], [1]):  # the last weapon wounds, or not
        ruling = shoot(units, dice=[3, 3, 3, 3, *last, *[4] * (1 + len(last))])
        assert ruling.purposes()[-1 - len(last) :] == ["save"] * (1 + len(last))


@pytest.mark.clause("commentary-10", "PREC-2")
def test_a_batch_is_assigned_when_all_its_dice_lie() -> None:
    """Two CHARACTERs: the attacker is asked about the first wound when every hit and wound of the batch is rolled."""
    units = [
        squad("a1", "A", 1, gun("Precision", A=3, S=8)),
        squad("b1", "B", 2),
        leader(),
        leader("y", rules=["Second Leader"]),
    ]
    ruling = shoot(units, dice=[3, 3, 3, 3, 3, 3], unanswered="stop")
    assert ruling.pending is not None and ruling.pending["point"] == "DP-33"
    assert ruling.purposes() == ["hit", "wound"] * 3


@pytest.mark.clause("commentary-10", "PREC-2", "ATK-4")
def test_what_a_batch_leaves_to_the_unit_is_allocated_before_any_save() -> None:
    """The first wound goes to a CHARACTER, two to the unit: the owner says who bears them before the CHARACTER saves.

    That model stays the one until it is destroyed; then the owner allocates anew, and nothing is wasted.
    """
    units = [
        squad("a1", "A", 1, gun("Precision", A=3, S=8)),
        squad("b1", "B", 3, Sv=4),
        leader(),
        leader("y", rules=["Second Leader"]),
    ]
    assigned = [{"kind": OPTION, "value": name} for name in ("x.1", "b1", "b1")]
    ruling = shoot(units, dice=[3, 3, 3, 3, 3, 3], answers=assigned, unanswered="stop")
    assert ruling.pending is not None and (ruling.pending["point"], ruling.pending["who"]) == ("DP-32", "B")
    assert ruling.purposes() == ["hit", "wound"] * 3
    chosen = [*assigned, *({"kind": "allocate", "value": name} for name in ("b1.2", "b1.3"))]
    ruling = shoot(units, dice=[3, 3, 3, 3, 3, 3, 1, 1, 1], answers=chosen, unanswered="stop")
    assert (ruling.pending, ruling.dead(), ruling.model("x.1")["wounds"]) == (None, ["b1.2", "b1.3"], 1)
    ruling = shoot(units, dice=[3, 3, 3, 3, 3, 3, 1, 5, 1], answers=chosen[:4], unanswered="stop")
    assert (ruling.pending, ruling.dead()) == (None, ["b1.2"])


@pytest.mark.clause("commentary-10", "MW-5")
def test_precise_mortal_wounds_go_to_the_character_first() -> None:
    """They wait for the end, go to the CHARACTER until it dies, and then on to the Bodyguard."""
    weapon = gun("Precision", "Devastating Wounds", D=6, S=8)
    units = [squad("a1", "A", 1, weapon), squad("b1", "B", 5), leader(W=4)]
    ruling = shoot(units, dice=[3, 6])
    assert (sorted(ruling.dead()), ruling.attack["mortal"]) == (["b1.1", "b1.2", "x.1"], 6)
    to_unit = [{"kind": OPTION, "value": "b1"}]
    spared = shoot(units, dice=[3, 6], answers=to_unit)
    assert (len(spared.dead()), spared.model("x.1")["wounds"]) == (5, 1)


@pytest.mark.clause("commentary-10", "LEAD-1", "LEAD-2", "LEAD-3")
def test_what_leaders_give_reaches_everyone_they_lead() -> None:
    """Both Leaders' gifts count for every model of the unit, the Leaders themselves included."""
    one = leader("x", "a1", "A", rules=["Leader", "While Leading: Lethal Hits"])
    one["models"][0]["weapons"] = [gun(name="pistol")]
    two = leader("y", "a1", "A", rules=["Second Leader", "While Leading: To Hit(+1)"])
    ruling = shoot([squad("a1", "A", 1, gun(name="rifle")), squad("b1", "B", 9), one, two], dice=[6, 6])
    assert (ruling.needs("hit"), ruling.purposes()) == ([2, 2], ["hit", "hit"])


@pytest.mark.clause("commentary-10", "LEAD-4")
def test_a_leader_without_a_unit_gives_nothing() -> None:
    """A Leader alone, or whose Bodyguard is gone, has no use of what it would give while leading."""
    alone = squad("a1", "A", 1, gun(), rules=["Leader", "While Leading: Lethal Hits"], keywords=["CHARACTER"])
    assert shoot([alone, squad("b1", "B", 9)], dice=[6, 1]).purposes() == ["hit", "wound"]
    widow = leader("x", "a1", "A", rules=["Leader", "While Leading: Lethal Hits"], where="merged")
    widow["models"][0] |= {"weapons": [gun()], "unit": "a1"}
    gone = squad("a1", "A", 1)
    gone["models"][0]["removed"] = True
    assert shoot([gone, squad("b1", "B", 9), widow], dice=[6, 1]).purposes() == ["hit", "wound"]


@pytest.mark.clause("commentary-10", "LEAD-5", "UNIT-6")
def test_parts_separate_after_the_attacks() -> None:
    """What a Leader gives protects it for all attacks of the unit that kills its Bodyguard; then it stands alone."""
    giving = leader(rules=["Leader", "While Leading: Feel No Pain 5+"])
    units = [squad("a1", "A", 1, gun(A=2, S=8)), squad("b1", "B", 1), giving]
    ruling = shoot(units, dice=[3, 3, 1, 3, 3, 1, 5])
    assert ruling.purposes() == ["hit", "wound", "feel no pain", "hit", "wound", "save", "feel no pain"]
    assert [event["kind"] for event in ruling.events][-1] == "parted"
    assert (ruling.unit("x")["where"], ruling.model("x.1").get("unit")) == ("table", None)


@pytest.mark.clause("commentary-10", "UNIT-6")
def test_two_leaders_left_are_two_units() -> None:
    """Two Leaders without Bodyguard separate into units of their own."""
    second = leader("y", rules=["Second Leader"])
    ruling = shoot([squad("a1", "A", 1, gun(S=8)), squad("b1", "B", 1), leader(), second], dice=[3, 3])
    assert [ruling.unit(id)["where"] for id in ("b1", "x", "y")] == ["destroyed", "table", "table"]


@pytest.mark.clause("commentary-10", "ABIL-10")
def test_stealth_needs_every_model() -> None:
    """A unit whose Leader lacks Stealth has none; a mark gives it to the unit as a whole."""
    target = squad("b1", "B", 2, rules=["Stealth"])
    attacker = squad("a1", "A", 1, gun())
    assert shoot([attacker, target, leader()], dice=[1]).needs("hit") == [3]
    assert shoot([attacker, target, leader(rules=["Leader", "Stealth"])], dice=[1]).needs("hit") == [4]
    smoke = squad("b1", "B", 2, marks=["stealth"])
    assert shoot([attacker, smoke, leader()], dice=[1]).needs("hit") == [4]


@pytest.mark.clause("commentary-10", "ABIL-8")
def test_a_lone_operative_is_safe_from_afar() -> None:
    """It may be shot from within 12 inches only, unless it leads a unit."""
    attacker = squad("a1", "A", 1, gun())
    lone = squad("b1", "B", 1, rules=["Lone Operative"], keywords=["CHARACTER"])
    far = shoot([attacker, lone], weapons=[["a1.1", 0]], range=12.01)
    assert far.refusal and far.refusal["clause"] == "ABIL-8"
    assert shoot([attacker, lone], dice=[1], range=12).verdict == "legal"
    led = leader(rules=["Leader", "Lone Operative"])
    assert shoot([attacker, squad("b1", "B", 2), led], dice=[1], range=20).verdict == "legal"


@pytest.mark.clause("commentary-10", "UNIT-7", "ABIL-7")
@pytest.mark.parametrize("written", [{"where": "b1"}, {"where": "table", "leading": "b1"}])
def test_a_destroyed_leader_is_destroyed_afterwards(written: Json) -> None:
    """Whether its Bodyguard is left or not; it reads back as the part it was, and one who lives is part of the unit."""
    wounding = [gun("Precision", A=1, S=8), gun(A=1, S=8, name="second")]
    units = [squad("a1", "A", 1, *wounding), squad("b1", "B", 1), leader(W=1, Sv=7, **written)]
    ruling = shoot(units, dice=[3, 3, 3, 1], weapons="all")
    assert (ruling.dead(), ruling.unit("x")["where"], ruling.unit("b1")["where"]) == (["x.1"], "destroyed", "table")
    both = shoot(units, dice=[3, 3, 3, 3], weapons="all")
    assert [both.unit(id)["where"] for id in ("x", "b1")] == ["destroyed", "destroyed"]
    for found in (ruling, both):
        again = read_situation(fill(found.json["after"], SituationForm)).state
        assert (again.units[2].where, again.owner_of(2)) == (MERGED, 1)
    spared = shoot(units, dice=[1, 1], weapons="all")
    assert (spared.unit("x")["where"], spared.unit("x")["leading"]) == ("merged", "b1")


@pytest.mark.clause("commentary-10", "ABIL-7")
@pytest.mark.parametrize("written", [{"where": "a1"}, {"where": "table", "leading": "a1"}])
def test_a_leader_inside_a_unit_keeps_its_place(written: Json) -> None:
    """A Leader with a place of its own, whose ``where`` names whom it leads, moves and shoots from there like any other."""
    boss = leader("x", "a1", "A", at=[(10, 13)], M=6, **written)
    boss["models"][0]["weapons"] = [gun("Torrent", range=9, name="flame", S=2)]
    units = [squad("a1", "A", 2, at=row(2, 10), M=6), squad("b1", "B", 9, at=row(9, 20), W=2, M=6), boss]
    east = [{"kind": "move", "value": {"shift": [6, 0]}}]
    moved = rule(units, {"phase": "movement", "unit": "a1", "action": "normal"}, answers=east)
    assert (moved.model("x.1")["at"], moved.unit("x")["leading"]) == ([16, 13], "a1")
    assert asked(units, {"distance": ["x.1", "b1"]}, {"coherent": "a1"}) == [9, True]
    fired = rule(units, {"phase": "shooting", "unit": "a1"}, [1])
    assert (fired.purposes(), fired.model("x.1")["at"]) == (["wound"], [10, 13])


@pytest.mark.clause("commentary-10", "UNIT-6", "LEAD-4", "UNIT-5")
@pytest.mark.parametrize("how", ["destroyed", "removed"])
def test_leaders_of_nobody_are_units_of_their_own(how: str) -> None:
    """Who is written as leading a unit of which nobody is left tests for itself, once with half its wounds gone, and moves."""
    gone = squad("a1", "A", 2, at=row(2, 10), own=[{"removed": True}] * 2 if how == "removed" else [], M=6)
    gone |= {"where": "destroyed"} if how == "destroyed" else {}
    first = leader("x", "a1", "A", at=[(10, 13)], M=6, W=4, wounds=[3], Ld=6, leading="a1", where="table")
    second = leader("y", "a1", "A", at=[(12, 13)], M=6, W=4, wounds=[2], rules=["Second Leader"])
    units = [gone, first, second, squad("b1", "B", 1, at=[(40, 30)])]
    tested = rule(units, {"phase": "command"}, [2, 3])
    assert [event["facts"]["unit"] for event in tested.events if event["kind"] == "battle-shocked"] == ["x"], tested.refusal
    moved = rule(units, {"phase": "movement", "unit": "y", "action": "normal"}, answers=[way(y_1=(17, 13))])
    assert (moved.model("y.1")["at"], moved.unit("y")["where"], moved.unit("a1")["where"]) == ([17, 13], "table", "destroyed")


@pytest.mark.clause("commentary-10", "TRANS-1")
def test_a_leader_inside_a_transport_is_aboard() -> None:
    """A CHARACTER written inside a TRANSPORT leads nobody: it is off the table, whatever place is written."""
    hull = squad("a1", "A", 1, keywords=["VEHICLE", "TRANSPORT"], rules=["Carries 6 INFANTRY"], at=[(10, 10)], M=10)
    found = rule([hull, leader("x", "a1", "A", at=[(10, 13)], M=6)], {"phase": "command"})
    assert (found.unit("x")["where"], found.model("x.1").get("at")) == ("a1", None)
