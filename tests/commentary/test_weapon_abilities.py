"""Weapon abilities, one by one, with scripted dice."""

from __future__ import annotations

import pytest

from tests.commentary.desk import blade, fight, gun, shoot, squad

FOE = squad("b1", "B", 9)


def refusal(ruling: object) -> str:
    """The clause a case was refused by."""
    found = getattr(ruling, "refusal", None)
    assert found is not None
    return str(found["clause"])


@pytest.mark.clause("commentary-10", "WPN-1")
def test_a_unit_that_advanced_fires_assault_weapons_only() -> None:
    """After an Advance the Assault weapon fires and the other stays silent; named, it is refused."""
    attacker = squad("a1", "A", 1, gun("Assault", name="carbine"), gun(name="rifle"), marks=["advanced"])
    assert shoot([attacker, FOE], dice=[1]).event("shot")["facts"]["weapons"] == ["carbine"]
    assert refusal(shoot([attacker, FOE], weapons=[["a1.1", 1]])) == "WPN-1"


@pytest.mark.clause("commentary-10", "WPN-3", "TER-1")
def test_ignores_cover() -> None:
    """A die of 3 against Sv 4+ is saved in cover, and not against a weapon that ignores it."""
    target = squad("b1", "B", 9, Sv=4)
    assert shoot([squad("a1", "A", 1, gun()), target], dice=[3, 4, 3], cover=True).attack["blocked"] == 1
    flamer = squad("a1", "A", 1, gun("Ignores Cover"))
    assert shoot([flamer, target], dice=[3, 4, 3], cover=True).attack["blocked"] == 0


@pytest.mark.clause("commentary-10", "WPN-4", "REROLL-1")
def test_twin_linked_throws_a_failed_wound_again_once() -> None:
    """A failed Wound roll is rolled again, and a second failure stands, whatever other rule allows a re-roll."""
    attacker = squad("a1", "A", 1, gun("Twin-linked", "Re-roll Wounds(failures)"))
    assert shoot([attacker, FOE], dice=[3, 3, 4]).attack["wounds"] == 1
    assert shoot([attacker, FOE], dice=[3, 3, 3]).attack["wounds"] == 0
    assert shoot([squad("a1", "A", 1, gun("Twin-linked")), FOE], dice=[3, 3, 4]).attack["wounds"] == 1
    assert shoot([squad("a1", "A", 1, gun()), FOE], dice=[3, 3]).attack["wounds"] == 0


@pytest.mark.clause("commentary-10", "WPN-5", "LIC-1")
def test_pistols_in_engagement_range() -> None:
    """Within Engagement Range only Pistols fire, at the unit that is near; a unit without any does not shoot."""
    near = {"marks": ["engaged"]}
    target = squad("b1", "B", 9, **near)
    armed = squad("a1", "A", 1, gun("Pistol", name="pistol"), gun(name="rifle"), **near)
    assert shoot([armed, target], dice=[1]).event("shot")["facts"]["weapons"] == ["pistol"]
    assert refusal(shoot([armed, target], weapons=[["a1.1", 1]])) == "WPN-5"
    assert refusal(shoot([squad("a1", "A", 1, gun(), **near), target])) == "LIC-1"
    assert refusal(shoot([armed, squad("b1", "B", 9)], weapons=[["a1.1", 0]])) == "WPN-5"


@pytest.mark.clause("commentary-10", "WPN-5", "LIC-2")
def test_pistols_or_other_weapons() -> None:
    """A model fires its other weapons by default, never both sorts; a VEHICLE fires both."""
    arms = (gun("Pistol", name="pistol"), gun(name="rifle"))
    man, tank = squad("a1", "A", 1, *arms), squad("a1", "A", 1, *arms, keywords=["VEHICLE"])
    assert shoot([man, FOE], dice=[1]).event("shot")["facts"]["weapons"] == ["rifle"]
    assert refusal(shoot([man, FOE], weapons=[["a1.1", 0], ["a1.1", 1]])) == "WPN-5"
    assert shoot([tank, FOE], dice=[1, 1]).event("shot")["facts"]["weapons"] == ["pistol", "rifle"]


@pytest.mark.clause("commentary-10", "WPN-6", "AUTO-1", "AUTO-2")
def test_torrent_hits_without_a_die_and_never_critically() -> None:
    """No Hit die is rolled, so nothing that answers to a Critical Hit comes of it."""
    attacker = squad("a1", "A", 1, gun("Torrent", "Sustained Hits 2", "Lethal Hits", skill="N/A"))
    ruling = shoot([attacker, FOE], dice=[3])
    assert (ruling.purposes(), ruling.attack["hits"], ruling.attack["wounds"]) == (["wound"], 1, 0)


@pytest.mark.clause("commentary-10", "WPN-7")
def test_lethal_hits_need_a_critical_hit() -> None:
    """A plain hit makes its Wound roll."""
    attacker = squad("a1", "A", 1, gun("Lethal Hits"))
    assert shoot([attacker, FOE], dice=[5, 3]).purposes() == ["hit", "wound"]
    assert shoot([attacker, FOE], dice=[6]).attack["wounds"] == 1


@pytest.mark.clause("commentary-10", "WPN-8")
def test_lance_after_a_charge() -> None:
    """+1 to the Wound roll if the bearer charged this turn, by the form or by its mark."""
    attacker = squad("a1", "A", 1, blade("Lance"))
    assert fight([attacker, FOE], dice=[3, 3], charged=True).attack["wounds"] == 1
    assert fight([{**attacker, "marks": ["charged"]}, FOE], dice=[3, 3]).attack["wounds"] == 1
    assert fight([attacker, FOE], dice=[3, 3]).attack["wounds"] == 0


@pytest.mark.clause("commentary-10", "WPN-9", "SHOOT-2")
def test_indirect_fire_out_of_sight() -> None:
    """At what nobody sees: 1 less to hit and cover for the target; other weapons do not fire at it."""
    target = squad("b1", "B", 9, Sv=4)
    mortar = squad("a1", "A", 1, gun("Indirect Fire"))
    ruling = shoot([mortar, target], dice=[4, 4, 3], visible=False)
    assert (ruling.needs("hit"), ruling.attack["blocked"]) == ([4], 1)
    seen = shoot([mortar, target], dice=[3, 4, 3], visible=True)
    assert (seen.needs("hit"), seen.attack["blocked"]) == ([3], 0)
    assert refusal(shoot([squad("a1", "A", 1, gun()), target], visible=False)) == "SHOOT-2"


@pytest.mark.clause("commentary-10", "WPN-11", "BGNT-2", "BGNT-4")
def test_blast_stays_away_from_friends() -> None:
    """A Blast weapon may not be used against a unit within Engagement Range of the attacker's army; another may."""
    tank = squad("b1", "B", 1, keywords=["VEHICLE"], marks=["engaged"])
    assert refusal(shoot([squad("a1", "A", 1, gun("Blast")), tank], weapons=[["a1.1", 0]])) == "WPN-11"
    assert shoot([squad("a1", "A", 1, gun()), tank], dice=[1]).verdict == "legal"


@pytest.mark.clause("commentary-10", "WPN-12", "MOD-3")
def test_melta_at_half_range() -> None:
    """Damage D6 and 2 more at half range; a target that halves Damage halves the die before the 2 is added."""
    attacker = squad("a1", "A", 1, gun("Melta 2", range=18, S=9, D="D6"))
    tough = squad("b1", "B", 1, W=20)
    assert shoot([attacker, tough], dice=[3, 3, 5], range=9).attack["damage"] == 7
    assert shoot([attacker, tough], dice=[3, 3, 5], range=10).attack["damage"] == 5
    halving = squad("b1", "B", 1, W=20, rules=["Damage Taken(/2)"])
    assert shoot([attacker, halving], dice=[3, 3, 5], range=9).attack["damage"] == 5


@pytest.mark.clause("commentary-10", "WPN-13")
def test_heavy_when_stationary() -> None:
    """+1 to hit if the unit Remained Stationary: by the form, by its mark, or because it did not move."""
    attacker = squad("a1", "A", 1, gun("Heavy"))
    assert shoot([attacker, FOE], dice=[1], stationary=True).needs("hit") == [2]
    assert shoot([attacker, FOE], dice=[1], moved=False).needs("hit") == [2]
    assert shoot([{**attacker, "marks": ["stationary"]}, FOE], dice=[1]).needs("hit") == [2]
    assert shoot([attacker, FOE], dice=[1], moved=True).needs("hit") == [3]


@pytest.mark.clause("commentary-10", "WPN-14", "RESOLVE-2")
def test_hazardous_destroys_a_bearer() -> None:
    """After the attacks a die for each Hazardous weapon used; for each 1 its owner loses a model with such a weapon."""
    attacker = squad("a1", "A", 2, gun("Hazardous"), own=[{}, {"weapons": [gun()]}])
    ruling = shoot([attacker, FOE], dice=[1, 1, 1])
    assert (ruling.purposes(), ruling.dead()) == (["hit", "hit", "hazardous"], ["a1.1"])
    assert shoot([attacker, FOE], dice=[1, 1, 2]).dead() == []


@pytest.mark.clause("commentary-10", "WPN-14")
def test_hazardous_wounds_the_sturdy() -> None:
    """A CHARACTER, MONSTER or VEHICLE suffers three mortal wounds instead, each of which Feel No Pain may stop."""
    attacker = squad("a1", "A", 1, gun("Hazardous"), W=5, FNP=5, keywords=["MONSTER"])
    ruling = shoot([attacker, FOE], dice=[1, 1, 1, 5, 1])
    assert (ruling.dead(), ruling.wounds("a1")) == ([], [2])


@pytest.mark.clause("commentary-10", "WPN-14")
def test_a_hazardous_character_suffers_first_itself() -> None:
    """The chosen CHARACTER of an Attached unit takes the mortal wounds before its Bodyguard; what is left goes on."""
    leader = squad("x", "A", 1, gun("Hazardous"), W=2, keywords=["CHARACTER"], where="a1")
    ruling = shoot([squad("a1", "A", 3, W=2), FOE, leader], dice=[1, 1])
    assert (ruling.dead(), ruling.wounds("a1")) == (["x.1"], [1, 0, 0])
    hurt = shoot([squad("a1", "A", 3, W=2, wounds=[0, 0, 1]), FOE, leader], dice=[1, 1])
    assert hurt.dead() == ["a1.3", "x.1"]


@pytest.mark.clause("commentary-10", "WPN-15", "SCORE-1")
def test_devastating_wounds_end_the_attack() -> None:
    """A Critical Wound counts as a wound scored; other wounds of the weapon are saved as usual."""
    attacker = squad("a1", "A", 1, gun("Devastating Wounds", A=2, D=2))
    ruling = shoot([attacker, squad("b1", "B", 9, Sv=3)], dice=[3, 6, 3, 5, 3])
    assert (ruling.attack["wounds"], ruling.attack["mortal"], ruling.attack["blocked"]) == (2, 2, 1)


@pytest.mark.clause("commentary-10", "WPN-15")
def test_devastating_wounds_as_later_printings_have_them() -> None:
    """With the switch off a Critical Wound is unsaved normal damage: it does not spill and is no mortal wound."""
    attacker = squad("a1", "A", 1, gun("Devastating Wounds", D=3))
    ruling = shoot([attacker, squad("b1", "B", 9, Sv=2)], dice=[3, 6], switches={"devastating_wounds_spill": False})
    assert (ruling.dead(), ruling.attack["mortal"], ruling.attack["damage"]) == (["b1.1"], 0, 1)


@pytest.mark.clause("commentary-10", "WPN-16", "SUST-1", "SUST-2", "DICE-1")
def test_random_sustained_hits_are_thrown_when_their_turn_comes() -> None:
    """The D3 is rolled after the critical hit itself is resolved; each additional hit has its own Wound die."""
    attacker = squad("a1", "A", 1, gun("Sustained Hits D3", "Lethal Hits"))
    ruling = shoot([attacker, FOE], dice=[6, 3, 1, 6])
    assert ruling.purposes() == ["hit", "sustained", "wound", "wound"]
    assert (ruling.attack["hits"], ruling.attack["wounds"]) == (3, 2)


@pytest.mark.clause("commentary-10", "WPN-17")
def test_extra_attacks_come_besides_and_are_not_changed() -> None:
    """A model strikes with one weapon and with its Extra Attacks weapon; only the first has its Attacks changed."""
    arms = (blade(name="feet", A=2), blade("Extra Attacks", name="claw", A=1))
    attacker = squad("a1", "A", 1, *arms, rules=["Attacks(+1)"])
    ruling = fight([attacker, FOE], dice=[1, 1, 1, 1])
    assert (ruling.event("struck")["facts"]["weapons"], ruling.attack["attacks"]) == (["feet", "claw"], 4)


@pytest.mark.clause("commentary-10", "WPN-17")
def test_a_rule_that_names_the_extra_attacks_weapon() -> None:
    """A rule that names the Extra Attacks weapon changes its number of attacks, beside one that does not."""
    arms = (blade(name="feet", A=2), blade("Extra Attacks", name="claw", A=1))
    attacker = squad("a1", "A", 1, *arms, rules=["Weapon claw: Attacks(+2)", "Attacks(x2)"])
    assert fight([attacker, FOE], dice=[1] * 7).attack["attacks"] == 4 + 3


@pytest.mark.clause("commentary-10", "WPN-17")
def test_one_melee_weapon_each() -> None:
    """Two ordinary melee weapons of one model are refused; left to itself it takes the one that does more."""
    attacker = squad("a1", "A", 1, blade(name="knife"), blade(name="axe", S=8, D=2))
    assert refusal(fight([attacker, FOE], weapons=[["a1.1", 0], ["a1.1", 1]])) == "FGT-6"
    assert fight([attacker, squad("b1", "B", 9, W=2)], dice=[1]).event("struck")["facts"]["weapons"] == ["axe"]


@pytest.mark.clause("commentary-10", "PSY-1", "PSY-3", "WPN-20")
def test_psychic_attacks_are_told_apart() -> None:
    """Feel No Pain against Psychic Attacks is rolled for a Psychic weapon, without any PSYKER about, and for no other."""
    target = squad("b1", "B", 1, W=5, rules=["Feel No Pain 4+ against psychic"])
    assert shoot([squad("a1", "A", 1, gun("Psychic")), target], dice=[3, 4, 4]).attack["ignored"] == 1
    assert shoot([squad("a1", "A", 1, gun()), target], dice=[3, 4]).attack["damage"] == 1


@pytest.mark.clause("commentary-10", "CRIT-1", "CRIT-3")
def test_wider_ranges_of_criticals() -> None:
    """A critical range of 5+ makes a 5 critical and a success, whatever was needed."""
    attacker = squad("a1", "A", 1, gun("Critical Hits 5+", "Sustained Hits 1", "Critical Wounds 5+", skill=6, S=1))
    ruling = shoot([attacker, FOE], dice=[5, 5, 4])
    assert (ruling.attack["hits"], ruling.attack["wounds"]) == (2, 1)
    assert shoot([squad("a1", "A", 1, gun(S=1)), FOE], dice=[6, 6]).attack["wounds"] == 1
    assert shoot([squad("a1", "A", 1, gun("To Hit(-1)", skill=6)), FOE], dice=[6, 1]).attack["hits"] == 1


@pytest.mark.parametrize(("said", "attacks"), [(True, 2), (False, 1), (None, 1)])
@pytest.mark.clause("commentary-10", "TCOND-1", "WPN-2")
def test_half_range_may_be_stated(said: bool | None, attacks: int) -> None:
    """Whether the target was within half range when it was selected may be said; what is said beats the range."""
    attacker = squad("a1", "A", 1, gun("Rapid Fire 1", range=24))
    found = shoot([attacker, FOE], dice=[1] * attacks, range=20, half_range=said)
    assert found.attack["attacks"] == attacks


@pytest.mark.clause("commentary-10", "ATK-11", "DICE-6", "WPN-16")
@pytest.mark.parametrize(
    ("models", "dice", "rolled"),
    [
        (3, [6, 4, 1, 3, 4, 1, 1], ["hit", "wound", "save", "sustained", "wound", "save", "wound"]),
        (1, [6, 4, 1], ["hit", "wound", "save"]),
    ],
)
def test_a_random_number_of_hits_is_rolled_when_it_is_needed(models: int, dice: list[int], rolled: list[str]) -> None:
    """The D3 of additional hits comes when their critical hit is finished, and not where that leaves nobody to hit."""
    target = squad("b1", "B", models, T=4, Sv=4, W=1)
    assert shoot([squad("a1", "A", 1, gun("Sustained Hits D3", S=4)), target], dice=dice).purposes() == rolled
