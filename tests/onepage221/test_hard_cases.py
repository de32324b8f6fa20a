"""Hard cases of 2.21 and its kin: a second reading of the attack sequence from the text alone, by scripted dice."""

from __future__ import annotations

from typing import Any

import pytest

from rolloff.errors import BadInput
from tests.onepage.desk import Desk, box, unit
from tests.onepage221.desk import EDITION, attack, squad

clause = pytest.mark.clause
GUN, AXE = 'Gun (24", A1)', "Axe (A1)"
OLD, NEW, LARGE = EDITION, "onepage-3.0", "apocalypse-3.3"
every = pytest.mark.parametrize("edition", [OLD, NEW, LARGE])


def purposes(found: Any) -> list[tuple[str, list[int]]]:
    """What was rolled, in order."""
    return [(roll["purpose"], roll["faces"]) for roll in found.rolls]


@every
@clause(OLD, "WPN-8")
@clause(NEW, "WPN-8")
@clause(LARGE, "WPN-8")
@pytest.mark.parametrize("kind", ["shooting", "melee"])
def test_a_weapon_named_twice_is_still_one_weapon(edition: str, kind: str) -> None:
    """A form that names one weapon twice is unusable; two copies have numbers of their own."""
    rules = ["Relentless"] if edition == OLD else []
    line = GUN if kind == "shooting" else AXE
    ours, theirs = squad("a1", weapons=[line, line], rules=rules), squad("b1", 5)
    with pytest.raises(BadInput, match="named twice") as caught:
        attack(ours, theirs, kind, [1, 1], edition, weapons=[["a1.1", 0], ["a1.1", 0]])
    assert (caught.value.where, caught.value.allowed) == ("do.attack.weapons", "each weapon once")
    assert attack(ours, theirs, kind, [1, 1], edition, weapons=[["a1.1", 0], ["a1.1", 1]]).attacks[0]["attacks"] == 2


@every
@clause(OLD, "SHOOT-11", "MELEE-1")
@clause(NEW, "SHOOT-11", "MELEE-1")
@clause(LARGE, "SHOOT-11", "MELEE-1")
@pytest.mark.parametrize(("kind", "cited"), [("shooting", "SHOOT-11"), ("melee", "MELEE-1")])
@pytest.mark.parametrize("away", ["a1", "b1"])
def test_who_is_in_reserve_neither_attacks_nor_is_attacked(edition: str, kind: str, cited: str, away: str) -> None:
    """Only units on the table shoot, strike or are struck, whatever the form states about range and sight."""
    ours = squad("a1", weapons=[GUN, AXE], where="reserve" if away == "a1" else "table")
    found = attack(ours, squad("b1", where="reserve" if away == "b1" else "table"), kind, [1], edition)
    assert found.refusal is not None
    assert (found.refusal["code"], found.refusal["clause"], found.refusal["value"]) == ("not-on-table", cited, away)


@every
@clause(OLD, "SHOOT-2", "LOS-1")
@clause(NEW, "SHOOT-2", "LOS-1")
@clause(LARGE, "SHOOT-2", "LOS-1")
def test_sight_a_form_leaves_out_comes_from_positions(edition: str) -> None:
    """A range is stated, sight is not: the wall between the two still hides the target."""
    ours, theirs = unit("a1", "A", [(10, 10)], weapons=[GUN]), unit("b1", "B", [(20, 10)])
    wall = box("wall", 14, 2, 15, 18, height=5, solid=True)
    for terrain, verdict in (([wall], "refused"), ([], "legal")):
        found = Desk([ours, theirs], terrain, edition=edition).attack("a1", "b1", dice=[1], range=9, cover=False)
        assert found.verdict == verdict
        assert found.refusal is None or found.refusal["clause"] == "SHOOT-2"


@clause(OLD, "SHOOT-5")
@clause(NEW, "SHOOT-5")
@clause(LARGE, "SHOOT-5")
@pytest.mark.parametrize(("edition", "fired"), [(OLD, 1), (NEW, 1), (LARGE, 3)])
def test_range_a_form_leaves_out_comes_from_positions(edition: str, fired: int) -> None:
    """Sight is stated, range is not: models at 11, 14 and 17 inches with guns of 12 fire for themselves, or as one unit."""
    ours = unit("a1", "A", [(22, 10), (19, 10), (16, 10)], weapons=['Gun (12", A1)'])
    desk = Desk([ours, unit("b1", "B", [(34, 10)])], edition=edition)
    found = desk.attack("a1", "b1", dice=[1] * fired, visible=True, cover=False)
    assert found.attacks[0]["attacks"] == fired


@clause(OLD, "MELEE-17", "RULE-STRIKES-3", "RES-1", "RULE-ARMORED-2", "JOIN-6")
def test_each_step_is_an_event_that_meets_who_is_left() -> None:
    """A lash before the axe fells the plain one of two: the one in armor is then all there is, and its armor works."""
    ours = squad("a1", q=4, weapons=["Lash (A2, Strikes First)", AXE])
    theirs = squad("b1", 3, q=4, models=[{"rules": ["Armored"], "weapons": ["Blade (A3)"]}, {}, {}])
    found = attack(ours, theirs, "melee", [4, 4, 1, 1, 4, 3, 1], charged=False)
    assert purposes(found) == [("hit", [4, 4]), ("block", [1, 1]), ("hit", [4]), ("ignore", [3]), ("block", [1])]
    assert [row["removed"] for row in found.attacks] == [["b1.3", "b1.2"], ["b1.1"]]


@clause(OLD, "MELEE-12", "RULE-FURIOUS-1", "RES-3", "DICE-12")
def test_bonus_dice_go_to_the_better_weapon() -> None:
    """One die for the charge and one for fury, both for the piercing blade, which is rolled in the order it is carried."""
    ours = squad("a1", q=4, rules=["Furious"], weapons=["Club (A2)", "Blade (A1, Piercing)"])
    found = attack(ours, squad("b1", 6, q=3), "melee", [4, 1, 2, 4, 4, 1, 3, 2, 3], charged=True)
    assert purposes(found) == [("hit", [4, 1]), ("block", [2]), ("hit", [4, 4, 1]), ("block", [3, 2])]
    assert found.rolls[-1]["rerolls"] == [[0, 3]] and found.attacks[0]["wounds"] == 2


@clause(OLD, "VDMG-3", "VDMG-8", "VDMG-2")
@pytest.mark.parametrize(
    ("facing", "dice", "left"),
    [
        ("rear", [[1, 5], [2, 6], [3, 4]], 2),  # 5 and 6: two wounds more, then Shaken
        ("front", [[5, 6], [6, 2]], 3),  # the lower counts: one wound more, then Glanced
        ("side", [[5], [6], [5], [6]], 0),  # four more: destroyed, and nothing is rolled for a wreck
    ],
)
def test_an_immobile_walker_is_rolled_for_again_and_again(facing: str, dice: list[list[int]], left: int) -> None:
    """Every Immobile result on an Immobile walker is a wound and another roll by the same facing, until another result."""
    theirs = squad("b1", q=4, type="walker", models=[{"rules": ["Tough(5)"], "marks": ["immobile"]}])
    faces = [2, 1, *(face for roll in dice for face in roll)]
    ours = squad("a1", q=2, weapons=['Gun (24", A1, Piercing)'])
    found = attack(ours, theirs, dice=faces, facing=facing)
    assert [roll["faces"] for roll in found.rolls if roll["purpose"] == "damage"] == dice
    model = found.unit("b1")["models"][0]
    assert (0 if model.get("removed") else 5 - model["wounds"]) == left


@clause(OLD, "RULE-HATRED-1", "RES-3", "JOIN-5")
def test_only_who_hates_and_charges_throws_again() -> None:
    """Of two axes one hates: charging its misses are rolled again in a group of its own, else all dice are one pool."""
    ours = squad("a1", 2, q=4, models=[{"rules": ["Hatred"], "weapons": [AXE]}, {"weapons": [AXE]}])
    charged = attack(ours, squad("b1", 6), "melee", [1, 2, 3, 3, 1, 1], charged=True)
    assert [(roll["faces"], roll["rerolls"]) for roll in charged.rolls] == [([1, 2], [[0, 3], [1, 3]]), ([1, 1], [])]
    stood = attack(ours, squad("b1", 6), "melee", [1, 1], charged=False)
    assert [(roll["faces"], roll["rerolls"]) for roll in stood.rolls] == [([1, 1], [])]


@clause(OLD, "RULE-RENDING-1", "DICE-9", "TERR-COVER-2", "RULE-LINKED-1")
def test_a_six_of_the_second_throw_rends_through_cover() -> None:
    """Linked and Rending against cover: the miss comes up six, and only the other hit is ignored or blocked."""
    ours = squad("a1", q=5, weapons=['Gun (24", A3, Linked, Rending)'])
    found = attack(ours, squad("b1", 5, q=4), dice=[5, 1, 2, 6, 4, 3, 3], cover=True)
    assert purposes(found) == [("hit", [5, 1, 2]), ("ignore", [3]), ("block", [3])]
    assert found.rolls[0]["rerolls"] == [[1, 6], [2, 4]] and found.attacks[0]["wounds"] == 2


@clause(OLD, "CAS-4", "CAS-5", "RULE-TOUGH-4", "RES-12")
def test_packets_go_before_the_pool_and_to_the_wounded() -> None:
    """A pool of one is rolled before an x weapon, yet the packet is allocated first: to the wounded Hero, surplus lost."""
    ours = squad("a1", 2, q=2, models=[{"weapons": [GUN]}, {"weapons": ['Lance (24", A3x)']}])
    theirs = squad("b1", 4, q=6, models=[{"rules": ["Tough(3)", "Hero"], "wounds": 1}, {}, {}, {}])
    found = attack(ours, theirs, dice=[2, 1, 2, 2, 2, 1, 1, 1, 4])
    assert purposes(found) == [("hit", [2]), ("block", [1]), ("hit", [2, 2, 2]), ("block", [1, 1, 1]), ("morale", [4])]
    assert (found.attacks[0]["wounds"], found.attacks[0]["removed"], found.attacks[0]["morale"]) == (
        4,
        ["b1.1", "b1.4"],
        "pinned",
    )


@clause(OLD, "TYPE-VEH-2", "PIN-2", "RULE-STRIKES-3", "MELEE-19")
def test_a_pinned_vehicle_rams_in_the_step_it_strikes_in() -> None:
    """Pinned it strikes last with all it has: its quick blade becomes ordinary, its ram and its tracks come after."""
    weapons = ["Blade (A1, Strikes First)", "Tracks (A1)"]
    ours = squad("a1", q=4, type="vehicle", weapons=weapons, marks=["pinned"], models=[{"rules": ["Tough(3)"]}])
    found = attack(ours, squad("b1", 9, q=4), "melee", [1, 1, 2, 4, 4, 1], charged=True)
    assert purposes(found) == [("hit", [1, 1]), ("attacks", [2]), ("block", [4, 4]), ("hit", [1])]
    assert [row["attacks"] for row in found.attacks] == [2, 3]


@every
@clause(OLD, "DICE-6")
@clause(NEW, "DICE-6")
@clause(LARGE, "DICE-6")
@pytest.mark.parametrize(
    ("spoil", "where", "allowed"),
    [
        ({"quality": 7}, "b1", "2 to 6"),
        ({"side": "C"}, "units[1].side", "A, B"),
    ],
)
def test_what_a_card_may_say_is_told_with_the_field(edition: str, spoil: dict[str, Any], where: str, allowed: str) -> None:
    """A Quality nobody can have and a side nobody plays are unusable, with the field and what it takes."""
    with pytest.raises(BadInput) as caught:
        attack(squad("a1", weapons=[GUN]), {**squad("b1"), **spoil}, dice=[1], edition=edition)
    assert (caught.value.where, caught.value.allowed) == (where, allowed)


@every
@pytest.mark.parametrize(
    ("form", "where", "allowed"),
    [
        ({"facing": "top"}, "do.attack.facing", "front, side, rear"),
        ({"aspect": 1}, "do.attack.aspect", "attacker, target, kind"),
    ],
)
def test_what_a_form_may_say_is_told_with_the_field(edition: str, form: dict[str, Any], where: str, allowed: str) -> None:
    """A facing there is not and a field nobody knows are unusable, with the words or the fields there are."""
    with pytest.raises(BadInput) as caught:
        attack(squad("a1", weapons=[GUN]), squad("b1"), dice=[1], edition=edition, **form)
    assert caught.value.where == where and str(caught.value.allowed).startswith(allowed)


@clause(OLD, "VDMG-6")
@clause(NEW, "VDMG-6")
@pytest.mark.parametrize("edition", [OLD, NEW])
@pytest.mark.parametrize("kind", ["shooting", "melee"])
def test_one_shaken_vehicle_does_not_hamper_the_other(edition: str, kind: str) -> None:
    """Of two in a unit one is Shaken: its hit is rolled again in a group of its own, the other's stands."""
    models: list[dict[str, Any]] = [{"marks": ["shaken"]}, {}]
    ours = squad("a1", 2, q=4, type="vehicle", rules=["Tough(3)"], weapons=[GUN, AXE], models=models)
    found = attack(ours, squad("b1", 5, q=4), kind, [4, 3, 4, 4], edition, charged=False)
    assert [(roll["faces"], roll["rerolls"]) for roll in found.rolls] == [([4], [[0, 3]]), ([4], []), ([4], [])]
