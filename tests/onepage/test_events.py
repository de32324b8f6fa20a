"""Attack events and what they lead to: one target (SHOOT), one event (RES), morale (MORALE, PIN), and general rules (GEN)."""

from __future__ import annotations

from typing import Any

import pytest

from rolloff.errors import RolloffError
from tests.onepage.desk import Desk, Json, Ruling, answer, unit

E = "onepage-3.0"
PISTOL = 'Pistol (12", A1)'


def clause(*ids: str) -> pytest.MarkDecorator:
    """Mark the clauses of the third edition a test covers."""
    return pytest.mark.clause(E, *ids)


def row(id: str, side: str, n: int, y: float, **more: object) -> Json:
    """n models side by side, two inches from centre to centre, from x = 20."""
    return unit(id, side, [(20 + 2 * k, y) for k in range(n)], **more)  # type: ignore[arg-type]


def shoot(weapon: str, dice: object, enemy: Json | None = None, n: int = 1, **form: Any) -> Ruling:
    """Unit a1 of n models with a weapon shoots at b1 (five ordinary models at 6+ in the open unless given)."""
    target = enemy or row("b1", "B", 5, 16, q=6)
    return Desk([row("a1", "A", n, 10, weapons=[weapon]), target]).attack("a1", "b1", dice=dice, **form)


# -- shooting and events ---------------------------------------------------------------------------------------------------


@clause("SHOOT-1", "SHOOT-7", "SHOOT-14", "RES-1")
def test_one_target_for_all_and_one_event() -> None:
    """A unit picks one target, every weapon fires at it and none at another, and morale is tested once for the event."""
    ours = row("a1", "A", 2, 10, weapons=[PISTOL, PISTOL])
    desk = Desk([ours, row("b1", "B", 4, 16, q=6), unit("b2", "B", [(30, 16)], q=6)])
    held = desk.activate("a1", "hold", unanswered="stop")
    assert (held.pending or {})["options"] == ["b1", "b2", "hold-fire"]
    found = desk.activate("a1", "hold", [answer("choose-target", "b1")], dice=[4, 4, 4, 4, 1, 1, 1, 6, 6])
    assert [attack["target"] for attack in found.attacks] == ["b1"]
    assert len(found.rolled("morale")) == 1
    split = [answer("choose-target", "b1"), answer("assign-weapons", [["a1.1", 0], ["a1.1", 1, "b2"]])]
    assert (desk.activate("a1", "hold", split, dice=[1, 1]).refusal or {}).get("clause") == "SHOOT-7"


@clause("SHOOT-12")
def test_cover_is_settled_when_fire_is_declared() -> None:
    """Cover is fixed for the event: both groups of a volley roll the same cover die."""
    ours = unit("a1", "A", [(20, 10)], weapons=[PISTOL, 'Gun (24", A1, Linked)'])
    enemy = row("b1", "B", 2, 16, q=6, rules=["Stealth"])
    found = Desk([ours, enemy]).attack("a1", "b1", dice=[4, 1, 1, 4, 1, 1])
    assert [roll["need"] for roll in found.rolls if roll["purpose"] == "ignore"] == [5, 5]


@clause("SHOOT-13")
def test_terrain_gives_no_extra_range() -> None:
    """A unit firing from inside a forest measures from its own base."""
    wood = {"id": "f", "types": ["cover"], "disc": [20, 10, 4], "height": 3, "elevation": 0, "solid": False}
    desk = Desk([row("a1", "A", 1, 10, weapons=[PISTOL]), row("b1", "B", 1, 23.2)], [wood])
    assert "shot" not in desk.activate("a1", "hold").kinds()
    assert desk.attack("a1", "b1", dice=[6, 6]).refusal is not None


@clause("RES-9")
def test_a_forced_re_roll_concerns_its_own_group() -> None:
    """Blocks against the Poison group are rolled again, those against the plain group are not."""
    ours = unit("a1", "A", [(20, 10)], weapons=[PISTOL, 'Gun (24", A1, Poison)'])
    found = Desk([ours, row("b1", "B", 3, 16, q=4)]).attack("a1", "b1", dice=[4, 4, 4, 4, 4])
    assert [roll["rerolls"] for roll in found.rolls if roll["purpose"] == "block"] == [[], [[0, 4]]]


@clause("RULE-INDIRECT-1")
def test_indirect_fire_reaches_the_unseen_in_cover() -> None:
    """An Indirect weapon may fire at a hidden enemy, which then counts as in cover; others may not fire."""
    wall = {
        "id": "w",
        "types": ["impassable"],
        "polygon": [[0, 14], [72, 14], [72, 15], [0, 15]],
        "height": 5,
        "elevation": 0,
        "solid": True,
    }
    ours = unit("a1", "A", [(20, 10)], weapons=[PISTOL, 'Mortar (48", A1, Indirect)'])
    found = Desk([ours, row("b1", "B", 1, 20, q=6, rules=["Tough(3)"])], [wall]).activate("a1", "hold", dice=[4, 5])
    assert (found.attacks[0]["attacks"], found.rolls[1]["need"], found.attacks[0]["ignored"]) == (1, 5, 1)


# -- morale ----------------------------------------------------------------------------------------------------------------


@clause("MORALE-1", "MORALE-8", "PIN-1")
def test_heavy_loss_pins() -> None:
    """A unit that loses half and fails its test is Pinned."""
    found = shoot('Gun (24", A1)', [4, 1, 3], row("b1", "B", 2, 16, q=4))
    assert found.attacks[0]["morale"] == "pinned"
    assert "pinned" in found.marks("b1")


@clause("MORALE-6", "MELEE-22")
def test_melee_losses_do_not_test_for_themselves() -> None:
    """The winner of a melee tests nothing, though it lost half of its models."""
    ours = row("a1", "A", 4, 10, q=2)
    theirs = row("b1", "B", 5, 12, q=2)
    dice = {"hit": [2, 2, 2, 1, 2, 2], "block": [1, 1, 1, 1, 1], "morale": [6]}
    found = Desk([ours, theirs]).activate("a1", "assault", dice=dice)
    assert len(found.attacks[1]["removed"]) == 2
    assert [roll["unit"] for roll in found.rolls if roll["purpose"] == "morale"] == ["b1"]


@clause("MORALE-11")
def test_failing_while_pinned_changes_nothing() -> None:
    """A Pinned unit that fails for heavy loss stays Pinned, once."""
    found = shoot('Gun (24", A1)', [4, 1, 1], row("b1", "B", 2, 16, q=4, marks=["pinned"]))
    assert found.attacks[0]["morale"] == "pinned"
    assert found.marks("b1") == {"pinned"}


@clause("PIN-5", "PIN-4")
def test_a_unit_pinned_in_its_own_activation_finishes_it() -> None:
    """Pinned by dangerous ground on its Walk, a unit still shoots, and stays Pinned for the next round."""
    mines = {
        "id": "m",
        "types": ["dangerous"],
        "polygon": [[15, 11], [30, 11], [30, 12], [15, 12]],
        "height": 0,
        "elevation": 0,
        "solid": False,
    }
    desk = Desk([row("a1", "A", 2, 10, weapons=[PISTOL]), row("b1", "B", 1, 22)], [mines])
    found = desk.activate("a1", "walk", [answer("move", {"shift": [0, 4]})], dice=[1, 6, 1, 1])
    assert found.kinds().index("pinned") < found.kinds().index("shot")
    assert "pinned" in found.marks("a1")


@clause("MELEE-27")
def test_a_pinned_assaulter_still_steps_back() -> None:
    """An assaulter that loses and is Pinned makes the move back all the same."""
    ours, theirs = row("a1", "A", 3, 10), row("b1", "B", 3, 12)
    dice = {"hit": [1, 1, 1, 4, 1, 1], "block": [1], "morale": [1]}
    found = Desk([ours, theirs]).activate("a1", "assault", dice=dice)
    assert {"pinned", "stepped-back"} <= set(found.kinds())


@clause("MELEE-28")
def test_a_bystander_neither_strikes_nor_is_struck() -> None:
    """A third unit beside the melee takes no part in it."""
    bystander = unit("b2", "B", [(22.2, 14)], rules=["Tough(3)"])
    found = Desk([row("a1", "A", 1, 10), row("b1", "B", 1, 14, rules=["Tough(3)"]), bystander]).activate(
        "a1", "assault", [answer("choose-target", "b1")], dice=[1, 1]
    )
    assert {event["facts"]["unit"] for event in found.events if event["kind"] == "struck"} == {"a1", "b1"}


@clause("MELEE-6")
def test_losses_on_the_way_come_before_the_fight() -> None:
    """Dangerous ground is tested before pile-in; what fell there does not strike."""
    mines = {
        "id": "m",
        "types": ["dangerous"],
        "polygon": [[15, 11], [30, 11], [30, 12], [15, 12]],
        "height": 0,
        "elevation": 0,
        "solid": False,
    }
    found = Desk([row("a1", "A", 3, 10), row("b1", "B", 3, 14)], [mines]).activate(
        "a1", "assault", dice={"dangerous": [1, 6, 6], "hit": [1] * 5}
    )
    assert found.attacks[0]["target"] == "a1"
    assert found.attacks[1]["attacks"] == 2


# -- general ---------------------------------------------------------------------------------------------------------------


@clause("GEN-2")
def test_a_special_rule_goes_before_the_general_one() -> None:
    """A Precise weapon of a poor shot hits on 2+: the weapon's rule beats the unit's Quality."""
    ours = row("a1", "A", 1, 10, q=6, weapons=['Gun (24", A1, Precise)'])
    found = Desk([ours, row("b1", "B", 5, 16)]).attack("a1", "b1", dice=[2, 6])
    assert found.attacks[0]["hits"] == 1


@clause("GEN-4")
def test_different_rules_with_like_effects_add_up() -> None:
    """Armored and Regeneration both work, one after the other, on the same hit."""
    found = shoot('Gun (24", A2)', [4, 4, 4, 1, 1, 5], row("b1", "B", 5, 16, q=6, rules=["Armored", "Regeneration"]))
    assert (found.attacks[0]["ignored"], found.attacks[0]["wounds"]) == (1, 0)


@clause("GEN-10")
def test_there_are_exactly_two_players() -> None:
    """A unit of a third side is no situation of this game."""
    with pytest.raises(RolloffError):
        Desk([row("a1", "A", 1, 10), unit("c1", "C", [(40, 40)])]).ask(score="A")


@clause("GEN-11", "MEAS-1")
def test_anything_may_be_measured_at_any_time() -> None:
    """Distances between any two units are answered in whosever turn it is."""
    units = [row("a1", "A", 1, 10), row("b1", "B", 1, 20)]
    for side in ("A", "B"):
        assert Desk(units, active=side).ask(distance=["a1", "b1"]) == 9.0


@clause("ACT-10")
def test_infantry_face_as_they_like() -> None:
    """Models that are no vehicles may end an action facing anywhere."""
    desk = Desk([row("a1", "A", 1, 10), row("b1", "B", 1, 40)])
    found = desk.activate("a1", "walk", [answer("move", {"a1.1": [[20, 14, 200]]})])
    assert (found.verdict, found.unit("a1")["models"][0]["facing"]) == ("legal", 200)


@clause("RULE-PSYKER-8", "RES-5")
def test_a_power_by_the_attack_form_hits_by_itself() -> None:
    """A power stated apart from a game takes no to-hit roll, meets no cover, and is blocked as usual."""
    enemy = row("b1", "B", 5, 16, q=4, rules=["Stealth"])
    desk = Desk([row("a1", "A", 1, 10, weapons=['Lash (18", A2)']), enemy])
    found = desk.attack("a1", "b1", "power", weapons=[["a1.1", 0]], dice=[4, 1])
    assert ([roll["purpose"] for roll in found.rolls], found.attacks[0]["wounds"]) == (["block"], 1)
