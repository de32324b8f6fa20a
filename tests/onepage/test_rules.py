"""Special rules of the third edition that bear on attacks (RULE) and the weapons that carry them (WPN)."""

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


# -- Armored, cover, Piercing, Poison, Rending, Regeneration ---------------------------------------------------------------


@clause("RULE-ARMORED-1", "RES-5", "RES-6")
def test_armored_works_against_automatic_hits() -> None:
    """Automatic hits of Impact meet an ignore roll at 4+ and a block, but no to-hit roll."""
    tank = unit("a1", "A", [(30, 20)], type="vehicle", q=6)
    enemies = unit("b1", "B", [(33, 20)], rules=["Armored", "Tough(3)"], q=6)
    found = Desk([tank, enemies]).attack("a1", "b1", "melee", charged=True, dice=[2, 4, 1, 1, 1])
    assert [roll["purpose"] for roll in found.rolls][:3] == ["attacks", "ignore", "block"]
    assert found.attacks[0]["ignored"] == 1


@clause("RULE-ARMORED-3", "RES-5", "TERR-DANG-2")
def test_armored_does_not_stop_automatic_wounds() -> None:
    """Wounds from dangerous ground skip the ignore roll of an Armored unit."""
    desk = Desk([row("a1", "A", 2, 10, rules=["Armored"]), row("b1", "B", 1, 40)])
    found = desk.attack("b1", "a1", "danger", dice=[1, 2, 6])
    assert (found.attacks[0]["wounds"], found.rolled("ignore")) == (1, [])


@clause("RES-2", "DICE-12")
def test_the_pipeline_goes_stage_by_stage() -> None:
    """Dice come in the order hit, re-rolls, ignore, block, re-rolls, Regeneration."""
    enemy = row("b1", "B", 5, 16, q=4, rules=["Armored", "Regeneration"])
    found = shoot('Gun (24", A3, Linked, Poison)', [4, 5, 1, 6, 1, 2, 3, 4, 1, 1, 3, 6, 5, 5], enemy)
    assert [roll["purpose"] for roll in found.rolls] == ["hit", "ignore", "block", "regeneration"]
    assert found.rolls[0]["rerolls"] == [[2, 6]]
    assert found.rolls[2]["rerolls"] == [[0, 3]]


@clause("RULE-PIERCING-4", "TERR-COVER-2")
def test_piercing_does_not_remove_cover() -> None:
    """A Piercing weapon against Armored 6+ in cover ignores Armored and meets the cover die at 5+."""
    enemy = row("b1", "B", 5, 16, q=6, rules=["Armored"])
    found = shoot('Gun (24", A1p)', [4, 5], enemy, cover=True)
    assert (found.rolls[1]["need"], found.attacks[0]["ignored"]) == (5, 1)


@clause("RULE-PIERCING-1", "RULE-PIERCING-3", "WPN-5")
def test_piercing_ignores_armored_in_the_open() -> None:
    """Against Armored without cover Piercing goes past Armored: no ignore die, blocks stand."""
    enemy = row("b1", "B", 5, 16, q=4, rules=["Armored"])
    found = shoot('Gun (24", A1p)', [4, 4], enemy)
    assert (found.rolled("ignore"), found.attacks[0]["blocked"], found.rolls[1]["rerolls"]) == ([], 1, [])


@clause("RULE-PIERCING-3", "RULE-POISON-1")
def test_piercing_with_poison_always_ignores_armored() -> None:
    """With Poison on the same weapon the pick against infantry is always to ignore Armored."""
    enemy = row("b1", "B", 5, 16, q=3, rules=["Armored"])
    found = shoot('Gun (24", A1p, Poison)', [4, 1, 3, 1], enemy, cover=True)
    assert found.rolls[1]["need"] == 5


@clause("RULE-PIERCING-2")
def test_the_attacker_may_pick_piercing_by_hand() -> None:
    """With the automatic pick off, the attacker chooses with the hits known, before the defender rolls."""
    enemy = row("b1", "B", 5, 16, q=4, rules=["Armored"])
    desk = Desk([row("a1", "A", 1, 10, weapons=['Gun (24", A1p)']), enemy], switches={"auto_piercing": False})
    held = desk.activate("a1", "hold", [answer("choose-target", "b1")], dice=[4], unanswered="stop")
    assert (held.pending or {})["options"] == ["ignore-armored", "re-roll-blocks"]
    picked = [answer("choose-target", "b1"), answer("choose-option", "re-roll-blocks")]
    found = desk.activate("a1", "hold", picked, dice=[4, 1, 4, 4])
    assert (found.rolled("ignore"), found.rolls[-1]["rerolls"]) == ([1], [[0, 4]])


@clause("RULE-POISON-1")
@pytest.mark.parametrize(("type", "again"), [("infantry", True), ("vehicle", False)])
def test_poison_works_on_infantry(type: str, again: bool) -> None:
    """Infantry roll successful blocks again against Poison; a vehicle does not."""
    enemy = unit("b1", "B", [(20, 20)], type=type, q=4, rules=["Tough(3)"])
    dice = (
        {"hit": [4], "ignore": [1], "block": [4], "block>": [4]}
        if type == "vehicle"
        else {"hit": [4], "block": [4], "block>": [4]}
    )
    if not again:
        del dice["block>"]
    found = shoot('Gun (24", A1, Poison)', dice, enemy)
    assert (found.rolls[-1]["rerolls"] != []) is again


@clause("RULE-REGEN-1", "RULE-RENDING-1")
def test_regeneration_may_stop_a_rending_wound() -> None:
    """The automatic wound of Rending meets no ignore roll and no block, but Regeneration applies."""
    enemy = row("b1", "B", 5, 16, q=2, rules=["Regeneration", "Armored"])
    found = shoot('Gun (24", A1, Rending)', [6, 5], enemy)
    assert ([roll["purpose"] for roll in found.rolls], found.attacks[0]["wounds"]) == (["hit", "regeneration"], 0)


@clause("RULE-UNWIELDY-2", "RULE-UNWIELDY-1")
@pytest.mark.parametrize(
    ("rule", "marks", "again"),
    [("", [], []), (", Unwieldy", [], [[0, 4]]), ("", ["pinned"], [[0, 4]]), (", Unwieldy", ["pinned"], [[0, 4]])],
)
def test_unwieldy_twice_is_unwieldy_once(rule: str, marks: list[str], again: list[list[int]]) -> None:
    """An Unwieldy weapon, Pinned hands, or both: each success is rolled again once, and without either never."""
    ours = row("a1", "A", 1, 15, weapons=[f"Club (A1{rule})"], marks=marks)
    found = Desk([ours, row("b1", "B", 1, 16, q=6)]).attack("a1", "b1", "melee", dice=[4, *(face for _, face in again), 6])
    assert (found.rolls[0]["rerolls"], found.attacks[0]["hits"]) == (again, 1)


@clause("WPN-10", "RULE-RENDING-1")
def test_weapon_rules_work_in_melee_too() -> None:
    """Linked, Unwieldy and Rending speak of firing but work for melee weapons."""
    ours = row("a1", "A", 1, 15, weapons=["Axe (A1, Rending)"])
    found = Desk([ours, row("b1", "B", 1, 16, q=2, rules=["Tough(3)"])]).attack("a1", "b1", "melee", dice=[6])
    assert (found.attacks[0]["wounds"], found.dice_used) == (1, 1)


@clause("WPN-9")
def test_a_weapons_rule_stays_with_the_weapon() -> None:
    """A Linked weapon beside a plain one: only the Linked one's failures are rolled again."""
    ours = unit("a1", "A", [(20, 10)], weapons=['Gun (24", A1, Linked)', PISTOL])
    found = Desk([ours, row("b1", "B", 5, 16)]).attack("a1", "b1", dice=[1, 1, 1])
    assert sum(len(roll["rerolls"]) for roll in found.rolls if roll["purpose"] == "hit") == 1


@clause("RULE-PRECISE-1", "RES-4")
def test_precise_hits_on_two_when_shooting() -> None:
    """A Precise weapon hits on 2+ whatever the unit's Quality."""
    found = shoot('Gun (36", A2, Precise)', [2, 1, 6])
    assert (found.rolls[0]["need"], found.attacks[0]["hits"]) == (2, 1)


# -- Tough, packets, casualties -------------------------------------------------------------------------------------------


@clause("CAS-1", "CAS-7")
def test_each_wound_removes_one_model() -> None:
    """Two wounds on ordinary models remove two of them."""
    found = shoot('Gun (24", A2)', [4, 4, 1, 1])
    assert len(found.attacks[0]["removed"]) == 2


@clause("RES-3", "CAS-5")
def test_each_single_model_weapon_is_a_packet_of_its_own() -> None:
    """Two x weapons causing two wounds each remove one model each."""
    found = shoot('Gun (24", A2x)', [4, 4, 1, 1, 4, 4, 1, 1], n=2)
    assert (found.attacks[0]["wounds"], len(found.attacks[0]["removed"])) == (4, 2)


@clause("CAS-4", "CAS-6")
def test_packets_come_before_the_pooled_rest() -> None:
    """A packet of two wounds kills one Tough(2) model; the pooled wound then goes to the next."""
    ours = unit("a1", "A", [(20, 10)], weapons=[PISTOL, 'Gun (24", A2x)'])
    enemy = row("b1", "B", 3, 16, q=6, rules=["Tough(2)"])
    found = Desk([ours, enemy]).attack("a1", "b1", dice=[4, 1, 4, 4, 1, 1])
    assert len(found.attacks[0]["removed"]) == 1
    assert sorted(model.get("wounds", 0) for model in found.unit("b1")["models"] if model.get("at")) == [0, 1]


@clause("RULE-TOUGH-4", "RULE-TOUGH-5")
def test_a_packet_goes_to_the_wounded_tough_model() -> None:
    """A partly wounded Tough model must take the packet of an x weapon."""
    enemy = row("b1", "B", 2, 16, q=6, rules=["Tough(3)"], models=[{}, {"wounds": 2}])
    found = shoot('Gun (24", A2x)', [4, 4, 1, 1, 6], enemy)
    assert found.attacks[0]["removed"] == ["b1.2"]


@clause("RES-13")
def test_wounds_beyond_the_last_model_are_discarded() -> None:
    """Five wounds on two models remove two, and nothing fails."""
    enemy = row("b1", "B", 2, 16, q=6)
    found = shoot('Gun (24", A5)', [4] * 5 + [1] * 5, enemy)
    assert (found.attacks[0]["wounds"], len(found.attacks[0]["removed"])) == (5, 2)


@clause("RES-11")
def test_overkill_counts_as_wounds_caused() -> None:
    """Three wounds on a single defender count as three wounds caused."""
    ours = row("a1", "A", 3, 10, q=2)
    found = Desk([ours, row("b1", "B", 1, 12, q=6)]).activate("a1", "assault", dice=[2, 2, 2, 1, 1, 1])
    assert found.event("melee-won")["facts"]["wounds"] == 3


@clause("RES-12")
def test_all_groups_roll_before_anybody_falls() -> None:
    """A second group still fires at a unit the first would have destroyed."""
    ours = unit("a1", "A", [(20, 10)], weapons=[PISTOL, 'Gun (24", A1, Linked)'])
    found = Desk([ours, row("b1", "B", 1, 16, q=6)]).attack("a1", "b1", dice=[4, 1, 4, 1])
    assert found.attacks[0]["wounds"] == 2


# -- Furious, Impact, Limited ----------------------------------------------------------------------------------------------


@clause("RULE-FURIOUS-1")
@pytest.mark.parametrize(("charged", "attacks"), [(True, 4), (False, 2)])
def test_furious_adds_an_attack_on_assault_only(charged: bool, attacks: int) -> None:
    """Two Furious models with A1 make four attacks when they assault and two when they do not."""
    ours = row("a1", "A", 2, 15, rules=["Furious"], weapons=["Light CCW"])
    enemy = row("b1", "B", 2, 16)
    found = Desk([ours, enemy]).attack("a1", "b1", "melee", charged=charged, dice=[1] * attacks)
    assert found.attacks[0]["attacks"] == attacks


@clause("RULE-IMPACT-1")
def test_impact_needs_an_assault() -> None:
    """Impact deals nothing when the unit strikes back."""
    ours = row("a1", "A", 1, 15, rules=["Impact(3)"], weapons=["Light CCW"])
    found = Desk([ours, row("b1", "B", 1, 16)]).attack("a1", "b1", "melee", charged=False, dice=[1])
    assert found.attacks[0]["attacks"] == 1


@clause("RULE-LIMITED-1")
def test_a_limited_weapon_fires_once_a_game() -> None:
    """After it has fired, a Limited weapon has no target any more."""
    desk = Desk([row("a1", "A", 1, 10, weapons=['Rocket (24", A1, Limited)']), row("b1", "B", 5, 16)])
    first = desk.activate("a1", "hold", dice=[1])
    assert "shot" in first.kinds()
    used = first.unit("a1")["models"][0]["marks"]
    again = Desk(
        [row("a1", "A", 1, 10, weapons=['Rocket (24", A1, Limited)'], models=[{"marks": used}]), row("b1", "B", 5, 16)]
    )
    assert "shot" not in again.activate("a1", "hold").kinds()


# -- weapons ---------------------------------------------------------------------------------------------------------------


@clause("WPN-3", "MELEE-11")
def test_without_a_melee_weapon_one_fights_bare_handed() -> None:
    """A model with only a pistol strikes with one plain attack."""
    found = Desk([row("a1", "A", 1, 15, weapons=[PISTOL]), row("b1", "B", 1, 16)]).attack("a1", "b1", "melee", dice=[1])
    assert found.attacks[0]["attacks"] == 1


@clause("WPN-4")
@pytest.mark.parametrize(
    ("name", "attacks"), [("Light CCW", 1), ("Medium Claws", 2), ("Heavy CCW", 3), ("Master CCW", 4), ("Force CCW", 5)]
)
def test_strength_gives_attacks(name: str, attacks: int) -> None:
    """Light 1, Medium 2, Heavy 3, Master 4, Force 5."""
    desk = Desk([unit("a1", "A", [(10, 10)]), unit("b1", "B", [(10, 20)])])
    assert desk.ask(parse=name)["attacks"] == attacks


@clause("WPN-4")
@pytest.mark.parametrize(
    ("name", "rules"), [("Light CCW", []), ("Heavy Powersword", ["Piercing"]), ("Heavy Powerfist", ["Piercing", "Unwieldy"])]
)
def test_type_gives_rules(name: str, rules: list[str]) -> None:
    """CCW plain, Powersword Piercing, Powerfist Piercing and Unwieldy."""
    desk = Desk([unit("a1", "A", [(10, 10)]), unit("b1", "B", [(10, 20)])])
    assert sorted(desk.ask(parse=name)["rules"]) == rules


@clause("WPN-8")
def test_two_copies_of_a_weapon_are_two_weapons() -> None:
    """A model with two pistols that holds fires both."""
    ours = unit("a1", "A", [(20, 10)], weapons=[PISTOL, PISTOL])
    found = Desk([ours, row("b1", "B", 5, 16)]).activate("a1", "hold", dice=[1, 1])
    assert found.attacks[0]["attacks"] == 2


@clause("WPN-1", "MELEE-10")
def test_melee_weapons_are_not_fired_and_all_used_in_melee() -> None:
    """A blade is no use at range; in melee every melee weapon of a model strikes."""
    ours = unit("a1", "A", [(20, 15)], weapons=["Light CCW", "Medium CCW", PISTOL])
    desk = Desk([ours, row("b1", "B", 5, 16)])
    assert desk.attack("a1", "b1", "melee", dice=[1, 1, 1]).attacks[0]["attacks"] == 3
    assert desk.attack("a1", "b1", dice=[1]).attacks[0]["attacks"] == 1


@clause("RULE-GEN-1")
@pytest.mark.parametrize(("rule", "near"), [("Sniper", "Precise"), ("Scope", "Precise"), ("Strikes Last", "Unwieldy")])
def test_a_rule_of_another_edition_is_refused_with_its_like(rule: str, near: str) -> None:
    """A weapon rule this edition lacks is refused, and the nearest one is named."""
    with pytest.raises(RolloffError) as refused:
        shoot(f'Gun (24", A1, {rule})', [1])
    assert near in f"{refused.value.message} {refused.value.allowed}"
