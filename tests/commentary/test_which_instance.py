"""Several instances of one ability with a number, several Feel No Pain, modifiers that may be ignored: their owner chooses."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from rolloff.odds.compute import odds_of
from rolloff.odds.scenarios import read_scenario
from tests.commentary.desk import EDITION, Json, gun, shoot, squad

STOP = {"unanswered": "stop"}


def option(value: str) -> Json:
    """One of several options."""
    return {"kind": "choose-option", "value": value}


def asked(units: list[Json], dice: list[int], **more: Any) -> tuple[str, str, list[str], str]:
    """Who is asked at the first open request, at which point, with which options and default."""
    pending = shoot(units, dice, **STOP, **more).pending
    assert pending is not None
    return pending["who"], pending["point"], pending["options"], pending["default"]


# -- Feel No Pain (DP-35) --------------------------------------------------------------------------


def hardy(*rules: str, attacks: int = 1, **more: Any) -> list[Json]:
    """Somebody who is hit and wounded for certain, and ignores wounds by more than one rule."""
    return [squad("a1", "A", 1, gun("Torrent", S=9, A=attacks)), squad("b1", "B", 1, W=9, rules=list(rules), **more)]


@pytest.mark.clause("commentary-10", "ABIL-3", "DUP-2")
@pytest.mark.parametrize(("answers", "die", "lost"), [([], 5, 0), ([option("5+")], 5, 0), ([option("6+")], 5, 1)])
def test_the_owner_says_which_feel_no_pain_is_used(answers: list[Json], die: int, lost: int) -> None:
    """Of 5+ and 6+ the better is used unless the owner says otherwise, and one die is rolled."""
    units = hardy("Feel No Pain 6+", "Feel No Pain 5+")
    assert asked(units, [6]) == ("B", "DP-35", ["5+", "6+"], "5+")
    assert shoot(units, [6, die], answers=answers).attack["damage"] == lost


@pytest.mark.clause("commentary-10", "ABIL-3", "DUP-2")
def test_it_is_asked_once_for_an_attack_and_only_where_it_differs() -> None:
    """The answer stands for all wounds of an attack on a unit; instances alike, or one that works, are no question."""
    twice = hardy("Feel No Pain 6+", attacks=2, FNP=5)
    assert shoot(twice, [6, 5, 6, 5], answers=[option("6+")]).attack["damage"] == 2
    for rules in (("Feel No Pain 5+", "Feel No Pain 5+"), ("Feel No Pain 5+", "Feel No Pain 4+ psychic")):
        found = shoot(hardy(*rules), [6, 4], **STOP)
        assert found.pending is None and found.attack["damage"] == 1


@pytest.mark.clause("commentary-10", "ABIL-3")
def test_a_wound_that_is_saved_asks_for_nothing() -> None:
    """It is asked when a wound is about to be lost: after the save."""
    units = hardy("Feel No Pain 6+", "Feel No Pain 5+", Sv=4)
    assert shoot(units, [6, 4], **STOP).pending is None
    assert asked(units, [6, 3])[1] == "DP-35"


# -- saves (DP-34) ---------------------------------------------------------------------------------


def guarded(AP: int = -1, *rules: str, A: int = 1, **more: Any) -> list[Json]:
    """Somebody who is hit and wounded for certain, with armour of 3+ and an invulnerable save of 5+."""
    return [
        squad("a1", "A", 1, gun("Torrent", S=9, A=A, AP=AP)),
        squad("b1", "B", 1, W=9, Sv=3, Inv=5, rules=list(rules), **more),
    ]


@pytest.mark.clause("commentary-10", "ATK-6", "ATK-7")
@pytest.mark.parametrize(
    ("answers", "die", "lost"), [([], 4, 0), ([option("armour 4+")], 4, 0), ([option("invulnerable 5+")], 4, 1)]
)
def test_the_owner_says_which_save_is_taken(answers: list[Json], die: int, lost: int) -> None:
    """Armour that needs 4+ or an invulnerable save of 5+: by default the better odds; the owner may use the other."""
    assert asked(guarded(), [6]) == ("B", "DP-34", ["armour 4+", "invulnerable 5+"], "armour 4+")
    assert shoot(guarded(), [6, die], answers=answers).attack["damage"] == lost


@pytest.mark.clause("commentary-10", "ATK-6", "ATK-7")
def test_several_invulnerable_saves_are_a_choice_too() -> None:
    """One that needs 4+ by a rule and one of 5+, against which armour of 6+ is the worst; one save is thrown."""
    units = guarded(-3, "Invulnerable Save 4+")
    assert asked(units, [6])[2:] == (["invulnerable 4+", "invulnerable 5+", "armour 6+"], "invulnerable 4+")
    for name, die, lost in (("invulnerable 4+", 4, 0), ("invulnerable 5+", 4, 1), ("armour 6+", 5, 1), ("armour 6+", 6, 0)):
        found = shoot(units, [6, die], answers=[option(name)])
        assert (found.attack["damage"], found.purposes()) == (lost, ["wound", "save"])


@pytest.mark.clause("commentary-10", "ATK-6", "DICE-6")
def test_saves_alike_or_impossible_are_no_question() -> None:
    """Nobody is asked where both need the same, where armour cannot succeed or where there is no other save."""
    for ap, need in ((-2, 5), (-4, 5)):
        found = shoot(guarded(ap), [6, 1], **STOP)
        assert (found.pending, found.needs("save")) == (None, [need])
    plain = [squad("a1", "A", 1, gun("Torrent", S=9, AP=-1)), squad("b1", "B", 1, W=9, Sv=3)]
    assert shoot(plain, [6, 1], **STOP).pending is None


@pytest.mark.clause("commentary-10", "ATK-6")
def test_which_save_is_asked_once_for_an_attack() -> None:
    """The answer stands for all saves of an attack on a unit that may be the same; another AP is another question."""
    twice = guarded(A=2)
    found = shoot(twice, [6, 4, 6, 4], answers=[option("invulnerable 5+")], **STOP)
    assert (found.pending, found.attack["damage"], found.needs("save")) == (None, 2, [5, 5])
    two = [squad("a1", "A", 1, gun("Torrent", S=9, AP=-1), gun("Torrent", S=9, name="other")), guarded()[1]]
    found = shoot(two, [6, 4, 6], answers=[option("invulnerable 5+")], **STOP)
    assert found.pending is not None and found.pending["options"] == ["armour 3+", "invulnerable 5+"]


# -- instances of one ability (DP-31) --------------------------------------------------------------


def armed(*rules: str, A: int = 1, **target: Any) -> list[Json]:
    """Somebody whose weapon has some abilities, and a target."""
    return [squad("a1", "A", 1, gun(*rules, A=A)), squad("b1", "B", 1, W=9, **target)]


@pytest.mark.clause("commentary-10", "DUP-2", "WPN-16")
@pytest.mark.parametrize(("answers", "hits"), [([], 3), ([option("Sustained Hits 2")], 3), ([option("Sustained Hits 1")], 2)])
def test_the_owner_says_which_instance_is_used(answers: list[Json], hits: int) -> None:
    """TV-12: of Sustained Hits 1 and 2 the owner picks one, by default the better; they do not add up."""
    units = armed("Sustained Hits 1", "Sustained Hits 2")
    assert asked(units, []) == ("A", "DP-31", ["Sustained Hits 2", "Sustained Hits 1"], "Sustained Hits 2")
    found = shoot(units, [6] + [1] * hits, answers=answers)
    assert found.attack["hits"] == hits and found.dice_used == 1 + hits


@pytest.mark.clause("commentary-10", "DUP-2", "DUP-3")
def test_instances_that_come_to_the_same_are_no_question() -> None:
    """The same number twice, Rapid Fire beyond half range, Anti of another keyword: nobody is asked."""
    for rules in (("Sustained Hits 1", "Sustained Hits 1"), ("Rapid Fire 1", "Rapid Fire 2"), ("Anti-FLY 2+", "Anti-FLY 4+")):
        assert shoot(armed(*rules), [1], **STOP).pending is None
    near = armed("Rapid Fire 1", "Rapid Fire 2")
    assert asked(near, [], range=10)[:3] == ("A", "DP-31", ["Rapid Fire 2", "Rapid Fire 1"])
    assert shoot(near, [1, 1], range=10, answers=[option("Rapid Fire 1")]).attack["attacks"] == 2
    apart = armed("Anti-INFANTRY 4+", "Anti-FLY 2+", keywords=["INFANTRY", "FLY"])
    assert shoot(apart, [1], **STOP).pending is None


@pytest.mark.clause("commentary-10", "DUP-2", "DICE-7")
def test_weapons_alike_are_asked_about_once() -> None:
    """Two models with the same weapon at the same target: one answer for both."""
    squads = [squad("a1", "A", 2, gun("Sustained Hits 1", "Sustained Hits 2")), squad("b1", "B", 1, W=9)]
    assert shoot(squads, [6, 1, 1, 6, 1, 1], answers=[option("Sustained Hits 1")]).attack["hits"] == 4


def wreck(*rules: str) -> list[Json]:
    """Somebody who falls to one wound, within six inches of another unit of his side."""
    hull = squad("b1", "B", 1, at=[(20, 10)], rules=list(rules), keywords=["VEHICLE"])
    return [squad("a1", "A", 1, gun("Torrent", S=9), at=[(5, 10)]), hull, squad("b2", "B", 1, at=[(23, 10)], W=9)]


@pytest.mark.clause("commentary-10", "DUP-2", "DUP-1", "ABIL-1")
@pytest.mark.parametrize(
    ("answers", "dice", "lost"), [([], [6, 6, 3], 2), ([option("D3")], [6, 6, 5], 3), ([option("1")], [6, 6], 1)]
)
def test_the_owner_says_which_deadly_demise_is_used(answers: list[Json], dice: list[int], lost: int) -> None:
    """Of Deadly Demise 1 and D3 the owner uses one each time it takes effect, by default the better; they do not add up."""
    units = wreck("Deadly Demise 1", "Deadly Demise D3")
    assert asked(units, [6, 6]) == ("B", "DP-31", ["D3", "1"], "D3")
    assert shoot(units, dice, answers=answers).wounds("b2") == [lost]


@pytest.mark.clause("commentary-10", "DUP-2", "DUP-1", "LEAD-1")
def test_deadly_demise_counts_from_any_source() -> None:
    """What a Leader gives his unit is an instance like the printed one; equal ones, or a die that fails, are no question."""
    leads = squad(
        "x", "B", 1, keywords=["CHARACTER"], rules=["Leader", "While Leading: Deadly Demise 2"], where="b1", at=[(21, 10)], W=9
    )
    assert asked([*wreck("Deadly Demise 1"), leads], [6, 6]) == ("B", "DP-31", ["2", "1"], "2")
    found = shoot([*wreck(), leads], [6, 6], **STOP)
    assert (found.pending, found.wounds("b2")) == (None, [2])
    assert shoot(wreck("Deadly Demise 1", "Deadly Demise 1"), [6, 6], **STOP).pending is None
    assert shoot(wreck("Deadly Demise 1", "Deadly Demise D3"), [6, 5], **STOP).pending is None


# -- modifiers that may be ignored (DP-30) ---------------------------------------------------------

IGNORES = "Ignore Modifiers(hit)"


@pytest.mark.clause("commentary-10", "IGN-2", "MODROLL-4")
@pytest.mark.parametrize(
    ("answers", "die", "hits"), [([], 2, 1), ([option("0")], 2, 0), ([option("0")], 3, 1), ([option("-1")], 3, 0)]
)
def test_the_roller_says_which_modifiers_of_a_roll_are_ignored(answers: list[Json], die: int, hits: int) -> None:
    """TV-38: of +1 and -1 he may keep the helpful, both or none, or the harmful alone; by default the helpful."""
    units = armed(IGNORES, "To Hit(+1)", rules=["Stealth"])
    assert asked(units, []) == ("A", "DP-30", ["+1", "0", "-1"], "+1")
    assert shoot(units, [die, *[1] * hits], answers=answers).attack["hits"] == hits


@pytest.mark.clause("commentary-10", "IGN-2")
def test_modifiers_that_change_nothing_are_no_question() -> None:
    """Nobody is asked where there is no modifier, nor where the roll needs the same with it and without."""
    assert shoot(armed(IGNORES), [1], **STOP).pending is None
    sure = [squad("a1", "A", 1, gun(IGNORES, "To Hit(+1)", skill=2)), squad("b1", "B", 1, W=9)]
    assert shoot(sure, [1], **STOP).pending is None


@pytest.mark.clause("commentary-10", "IGN-2", "IGN-1")
def test_so_with_modifiers_of_a_characteristic() -> None:
    """A Skill of 3+ that is changed by +1 and -1 may be 2+, 3+ or 4+, as whose it is likes; by default the best of them."""
    units = armed("Ignore Modifiers(skill)", "BS(+1)", "BS(-1)")
    assert asked(units, []) == ("A", "DP-30", ["2+", "3+", "4+"], "2+")
    assert shoot(units, [2, 1]).attack["hits"] == 1
    assert shoot(units, [3], answers=[option("4+")]).attack["hits"] == 0
    assert shoot(units, [3, 1], answers=[option("3+")]).attack["hits"] == 1


def dulled(rule: str = "Ignore Modifiers(D)", *own: str, **more: Any) -> list[Json]:
    """An attack that hits and wounds for certain, on somebody who takes 1 off its Damage of 3."""
    return [squad("a1", "A", 1, gun("Torrent", rule, *own, S=9, D=3)), squad("b1", "B", 1, W=9, **more)]


@pytest.mark.clause("commentary-10", "IGN-1", "IGN-2")
def test_what_the_target_takes_off_damage_is_ignored_too() -> None:
    """Whatever the source of the modifier: Damage 3 stays 3, or is 2 if its player wants that; without the rule it is 2."""
    units = dulled(rules=["Damage Taken(-1)"])
    assert asked(units, []) == ("A", "DP-30", ["3", "2"], "3")
    assert shoot(units, [6]).attack["damage"] == 3
    assert shoot(units, [6], answers=[option("2")]).attack["damage"] == 2
    assert shoot(dulled("Twin-linked", rules=["Damage Taken(-1)"]), [6]).attack["damage"] == 2


@pytest.mark.clause("commentary-10", "IGN-1", "IGN-2", "MOD-3")
def test_modifiers_of_damage_from_both_sides_are_kept_or_dropped_one_by_one() -> None:
    """Of its own +2 and the target's /2 the attacker keeps what it likes: 5, 4 (rounded up), 3 or 2."""
    units = dulled("Ignore Modifiers(D)", "Damage(+2)", rules=["Damage Taken(/2)"])
    assert asked(units, []) == ("A", "DP-30", ["5", "3", "2", "4"], "5")
    for want, damage in (("5", 5), ("3", 3), ("4", 4), ("2", 2)):
        assert shoot(units, [6], answers=[option(want)]).attack["damage"] == damage


@pytest.mark.clause("commentary-10", "IGN-1", "IGN-2")
def test_a_stated_damage_is_no_modifier() -> None:
    """MOD-2: what changes the Damage to 0 replaces it, and nobody may ignore that."""
    assert shoot(dulled(rules=["Damage Taken(=0)"]), [6], **STOP).attack["damage"] == 0


@pytest.mark.clause("commentary-10", "IGN-1", "MODDW-1")
@pytest.mark.parametrize(("rule", "damage"), [("Ignore Modifiers(D)", 3), ("Twin-linked", 2)])
@pytest.mark.parametrize("mixed", [False, True])
def test_it_is_so_model_by_model_and_for_mortal_wounds(rule: str, damage: int, mixed: bool) -> None:
    """Where models take Damage differently, the one that bears the attack takes nothing off; nor off a Critical Wound."""
    own = [{}, {"rules": ["Damage Taken(-1)"]}] if mixed else [{"rules": ["Damage Taken(-1)"]}] * 2
    for more in ((), ("Devastating Wounds",)):
        weapon = gun("Torrent", rule, *more, S=9, D=3)
        units = [squad("a1", "A", 1, weapon), squad("b1", "B", 2, W=9, own=own, wounds=[0, 1])]
        assert shoot(units, [6]).attack["damage"] == damage


@pytest.mark.clause("commentary-10", "IGN-1")
@pytest.mark.parametrize("mixed", [False, True])
def test_odds_ignore_what_play_ignores(mixed: bool) -> None:
    """An attack of Damage 3 that wounds on 2+ does 5/2 on average, by odds as by dice: nothing is taken off."""
    own = [{}, {"rules": ["Damage Taken(-1)"]}] if mixed else [{"rules": ["Damage Taken(-1)"]}] * 2
    weapon = gun("Torrent", "Ignore Modifiers(D)", S=9, D=3)
    units = [squad("a1", "A", 1, weapon), squad("b1", "B", 2, W=9, own=own, wounds=[0, 1])]
    attack = {"attacker": "a1", "target": "b1", "kind": "shooting", "range": 10, "visible": True, "cover": False}
    found = odds_of(read_scenario(json.dumps({"edition": EDITION, "units": units, "attacks": [attack]}).encode()), exact=True)
    assert found.results[0].damage.mean == Fraction(5, 2)  # 3 by all faces but a natural 1
