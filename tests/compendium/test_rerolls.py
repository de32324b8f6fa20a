"""Compulsory and optional re-rolls (CF-DICE-3), and what of a 6 stays against armour."""

from __future__ import annotations

from typing import Any

import pytest

from rolloff.errors import BadInput
from tests.compendium.desk import Json, attack, clause, enemy, shoot, unit, weapon


def gun(*rules: str, **fields: Any) -> Json:
    """A gun with rules."""
    return weapon("gun", rules=rules, **fields)


@clause("CF-DICE-3", "SR-SHRED-1")
def test_tv_shred_2_a_failure_is_thrown_again_without_being_asked() -> None:
    """TV-SHRED-2: of 3 and 5 the 3 becomes a 2: one wound in all."""
    found = shoot(gun("Shred", A=2), enemy("TRP", 5), 3, 3, 3, 5, 2, 1, unanswered="stop")
    assert (found.verdict, found.row["wounds"], found.slain) == ("legal", 1, 1)


@clause("CF-DICE-3", "SR-RENDING-2")
def test_a_six_that_fails_is_thrown_again_whatever_it_would_bring() -> None:
    """S4 cannot hurt AV14: the 6 has failed, so Shred rolls it again and its mortal wound is gone; a second 6 brings one."""
    found = shoot(gun("Shred", "Rending"), enemy("MBT"), 3, 6, 2, facing="front")
    assert (found.lost, found.rolls[-1]["rerolls"]) == (0, [[0, 2]])
    assert shoot(gun("Shred", "Rending"), enemy("MBT"), 3, 2, 6, facing="front").lost == 1
    found = shoot(gun("Shred", "Devastating Wounds", S=2), enemy("BST"), 3, 6, 5)
    assert (found.lost, found.row["mortal"]) == (0, 0)


@clause("SR-SUNDER-1")
def test_an_optional_re_roll_leaves_a_six_alone_that_does_something() -> None:
    """Sunder may: a failed 6 that brings a mortal wound stays, another failure is rolled again."""
    found = shoot(gun("Sunder", "Rending"), enemy("MBT"), 3, 6, facing="front")
    assert (found.lost, found.row["mortal"]) == (1, 1)
    assert shoot(gun("Sunder", S=9), enemy("MBT"), 3, 3, 6, 1, facing="front").lost == 1


@clause("SR-PREFERRED-ENEMY-2", "CF-DICE-3")
def test_tv_preferred_enemy_2_a_one_that_succeeds_stands() -> None:
    """TV-PREFERRED-ENEMY-2: S9 at AV11: a 1 fails and becomes a 4, which penetrates; at AV10 the 1 glances and stands."""
    by = unit("a1", "A", "TRP", rules=["Preferred Enemy"], weapons=[gun(S=9)])
    found = shoot({}, enemy("APC"), 3, 1, 4, 1, by=by, facing="front")
    assert (found.lost, found.rolled("vehicle damage")) == (1, [1])
    found = shoot({}, enemy("MBT"), 3, 1, by=by, facing="rear")
    assert (found.lost, found.rolled("vehicle damage")) == (1, [])


@clause("SR-ORDNANCE-5")
def test_of_two_dice_the_lower_is_thrown_again_where_the_higher_does_something() -> None:
    """Ordnance of S4 with Rending, hunting tanks at AV14: 6 and 2 fail, the 2 is rolled again and the 6 brings its wound."""
    by = unit("a1", "A", "TRP", rules=["Tank Hunters"], weapons=[gun("Ordnance", "Rending")])
    found = shoot({}, enemy("MBT"), 3, 2, 6, 5, by=by, facing="front")
    assert (found.lost, found.row["mortal"]) == (1, 1)
    found = shoot({}, enemy("MBT"), 3, 2, 5, 6, 1, by=by, facing="front")
    assert (found.lost, found.row["mortal"]) == (1, 1)


@clause("SR-BLADESTORM-2", "SR-BLADESTORM-3", "CF-VEH-2")
def test_tv_bladestorm_2_the_ap_stays_against_armour() -> None:
    """TV-BLADESTORM-2: S6 at AV11: a 6 penetrates at AP -4, so a 4 destroys a weapon; a 5 glances; S4 does nothing."""
    armed = enemy("APC", weapons=[weapon("gun")])
    found = shoot(gun("Bladestorm", S=6), armed, 3, 6, 4, facing="front")
    assert found.marks("b1.1") == {"lost:0"}
    found = shoot(gun("Bladestorm", S=6), armed, 3, 5, facing="front")
    assert (found.lost, found.rolled("vehicle damage")) == (1, [])
    assert shoot(gun("Bladestorm"), armed, 3, 6, facing="front").lost == 0


@clause("SR-SNIPER-4", "SR-MONOFILAMENT-3")
@pytest.mark.parametrize("rule", ["Bladestorm", "Sniper", "Monofilament"])
def test_ix_85_a_six_that_succeeds_is_at_ap_4(rule: str) -> None:
    """IX-85: a 3+ save of a vehicle is gone against the 6, and stands against a 5."""
    plated = enemy("APC", stats={"Sv": "3+"})
    assert shoot(gun(rule, S=6), plated, 3, 6, 1, facing="front").rolled("save") == []
    assert shoot(gun(rule, S=6), plated, 3, 5, 3, facing="front").rolled("save") == [3]


# names that are planned

NAMES = ["Flyer", "Super-heavy", "Super-Heavy Walker", "super-heavy flyer", "Hover", "Deep Strike", "Soul Blaze", "Fleet"]


@clause("CF-PROF-9")
@pytest.mark.parametrize("name", NAMES)
def test_what_is_planned_is_refused_wherever_it_is_said(name: str) -> None:
    """Among the rules of a unit or model, as a type, as a keyword; of attacker or target, or of who only stands by."""
    plain = enemy("APC")
    said: list[Json] = [
        plain | {"rules": [name]},
        plain | {"type": f"vehicle, {name}"},
        plain | {"keywords": [name]},
        plain | {"models": [{"id": "b1.1", "rules": [name]}]},
    ]
    for target in said:
        for units in ([unit("a1", "A", "TRP", weapons=[gun()]), target], [target | {"side": "A", "id": "a1"}, enemy("TRP")]):
            with pytest.raises(BadInput) as caught:
                attack(units, facing="front")
            assert (caught.value.code, caught.value.clause) == ("rule-planned", "CF-PROF-9")
    bystander = enemy("APC") | {"id": "b9", "keywords": [name], "models": [{"id": "b9.1"}]}
    with pytest.raises(BadInput, match="planned"):
        attack([unit("a1", "A", "TRP", weapons=[gun()]), enemy("TRP"), bystander])


@clause("CF-PROF-9")
@pytest.mark.parametrize("rule", ["Pinning", "Blind", "Soulfright", "Strikedown", "Barrage", "Vortex", "Krak Grenades"])
def test_weapons_with_planned_rules_are_refused(rule: str) -> None:
    """A weapon that carries one, used or not; a range that stands for one."""
    with pytest.raises(BadInput) as caught:
        shoot(gun(rule), enemy("GRT"))
    assert caught.value.code == "rule-planned"


@clause("CF-PROF-9")
@pytest.mark.parametrize("reach", ["Hellstorm", "Bomb"])
def test_ranges_that_stand_for_planned_rules_are_refused(reach: str) -> None:
    """A Hellstorm template and a Bomb are rules too."""
    with pytest.raises(BadInput) as caught:
        shoot(gun(range=reach), enemy("GRT"))
    assert caught.value.code == "rule-planned"


@clause("CF-PROF-9")
@pytest.mark.parametrize("said", [{"type": "vehicle, chariot"}, {"keywords": ["Chariot"]}, {"rules": ["Chariot"]}])
def test_attacks_on_a_chariot_are_planned(said: Json) -> None:
    """Rider and Chariot are not told apart yet, so nobody shoots or strikes at one; nor does one fire on the move."""
    with pytest.raises(BadInput) as caught:
        shoot(gun(), enemy("APC") | said, facing="front")
    assert caught.value.code == "rule-planned"
    car = unit("a1", "A", "APC", weapons=[gun()]) | said
    assert shoot({}, enemy("GRT"), 1, by=car).verdict == "legal"
    with pytest.raises(BadInput, match="moved"):
        shoot({}, enemy("GRT"), by=car, moved=True)
