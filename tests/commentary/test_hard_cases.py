"""Cases found by a computing of the attack sequence that shares nothing with the engine: odds and scripted dice."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from rolloff.odds.wire import odds
from rolloff.situations.adjudicate import adjudicate
from tests.commentary.desk import EDITION, Json, blade, fight, gun, shoot, squad

LEADS: Json = {"keywords": ["INFANTRY", "CHARACTER"], "where": "b1"}


def computed(units: list[Json], *attackers: str, policies: Json | None = None, **form: Any) -> Json:
    """The exact odds of the first unit, or of those named in turn, shooting at ``b1``."""
    forms = [
        {"attacker": name, "target": "b1", "kind": "shooting", "range": 20, "visible": True, **form}
        for name in attackers or ("a1",)
    ]
    case = {"edition": EDITION, "units": units, "attacks": forms, "policies": policies or {}}
    found: Json = odds(json.dumps(case).encode(), exact=True)
    return found


def fractions(row: list[str]) -> list[Fraction]:
    """A distribution as numbers."""
    return [Fraction(value) for value in row]


# what was wrong once ------------------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "WPN-15", "MW-2")
def test_mortal_wounds_that_find_nobody_are_wasted() -> None:
    """Of three mortal wounds on two models that take damage differently one is wasted, as it is on two that are alike."""
    for own in ([], [{}, {"rules": ["Damage Taken(-1)"]}]):
        units = [
            squad("a1", "A", 1, gun("Torrent", "Devastating Wounds", S=8, D=3)),
            squad("b1", "B", 2, own=own),
        ]
        (result,) = computed(units)["results"]
        assert fractions(result["wasted"]) == [Fraction(1, 6), Fraction(1, 6), Fraction(4, 6)]


@pytest.mark.clause("commentary-10", "DICE-5", "REROLL-5", "WPN-4")
def test_a_random_strength_beside_re_rolls() -> None:
    """A missed Hit roll is rolled again, then the Strength, then the Wound roll, which Twin-linked lets roll again."""
    attacker = squad("a1", "A", 1, gun("Re-roll Hits(failures)", "Twin-linked", S="D6"))
    ruling = shoot([attacker, squad("b1", "B", 5)], dice=[1, 3, 4, 2, 5])
    assert ruling.attack["wounds"] == 1
    (result,) = computed([attacker, squad("b1", "B", 5)], policies={"rerolls": "failures"})["results"]
    hit = 1 - Fraction(1, 3) ** 2
    wound = sum((1 - Fraction(need - 1, 6) ** 2) / 6 for need in (6, 6, 5, 4, 3, 3))
    assert fractions(result["wounds"]) == [1 - hit * wound, hit * wound]


@pytest.mark.clause("commentary-10", "DICE-5", "CSTR-1")
def test_a_wound_roll_after_a_random_strength_is_a_wound_roll() -> None:
    """Whatever the Strength comes to, the Wound roll goes by its own name: to who names dice, and who rolls it again."""
    units = [squad("a1", "A", 1, gun(S="D6")), squad("b1", "B", 1, Sv=4, W=3)]
    named = shoot(units, dice={"hit": [3], "strength": [5], "wound": [3], "save": [4]})
    assert (named.purposes(), named.needs("wound")) == (["hit", "strength", "wound", "save"], [3])
    stages = {row["name"]: Fraction(row["p"]) for row in computed(units)["results"][0]["stages"]}
    assert (stages["strength"], stages["wound"]) == (Fraction(1), Fraction(1 + 1 + 2 + 3 + 4 + 4, 36))
    placed = [squad("a1", "A", 1, gun(S="D6"), at=[(10, 10)]), squad("b1", "B", 1, W=3, at=[(20, 10)])]
    again = {"edition": EDITION, "active": "A", "sides": {"A": {"cp": 1}}, "units": placed, "dice": [3, 4, 2, 5]}
    again |= {"do": {"phase": "shooting", "unit": "a1"}, "answers": [{"kind": "react", "value": "Command Re-roll"}]}
    rolls = adjudicate(json.dumps(again).encode())["rolls"]
    assert [row["rerolls"] for row in rolls if row["purpose"] == "wound"] == [[[0, 5]]]


@pytest.mark.clause("commentary-10", "WPN-2", "MOD-3", "ATK-11")
def test_what_is_doubled_is_not_the_random_rapid_fire() -> None:
    """Two attacks, doubled, and a D3 besides are seven on a 5: additions come last; a weapon's own dice are doubled alone."""
    target = squad("b1", "B", 9)
    fixed = squad("a1", "A", 1, gun("Rapid Fire D3", "Attacks(x2)", A=2))
    assert shoot([fixed, target], dice=[5] + [1] * 7, range=12).attack["attacks"] == 7
    rolled = squad("a1", "A", 1, gun("Rapid Fire D3", "Attacks(x2)", A="D3"))
    assert shoot([rolled, target], dice=[3] + [1] * 4 + [6] + [1] * 3, range=12).attack["attacks"] == 7


@pytest.mark.clause("commentary-10", "ATK-11", "WPN-2")
def test_one_weapon_is_done_before_the_next_rolls_its_attacks() -> None:
    """Of two weapons with dice of two kinds for their attacks the first makes all of them before the second rolls any."""
    attacker = squad("a1", "A", 2, gun("Rapid Fire D3", A="D6"))
    ruling = shoot([attacker, squad("b1", "B", 9)], dice=[2, 1, 1, 1, 1, 3, 1, 1, 1, 5, 1, 1, 1], range=12)
    assert ruling.faces("attacks") == [2, 1, 3, 5]


@pytest.mark.clause("commentary-10", "MOD-2", "DICE-6")
def test_no_damage_roll_where_the_attacker_states_the_damage() -> None:
    """An attack whose Damage is changed to 3 rolls none, though the models of the target take Damage differently."""
    attacker = squad("a1", "A", 1, gun("Damage(=3)", "Torrent", S=8, D="D6"))
    target = squad("b1", "B", 2, W=3, own=[{}, {"rules": ["Damage Taken(-1)"]}])
    assert shoot([attacker, target], dice=[4]).purposes() == ["wound"]


@pytest.mark.clause("commentary-10", "MW-5", "PREC-2", "MODCH-9")
def test_mortal_wounds_besides_are_for_the_character_of_the_critical_wound() -> None:
    """What a batch inflicts besides is for whom it was decided at the Critical Wound; when he has died it goes to the unit."""
    attacker = squad("a1", "A", 1, gun("Precision", "Mortal Wounds 1", "Torrent", D=2))
    hurt = squad("y", "B", 1, W=2, **LEADS, rules=["Leader", "Second Leader"])
    units = [attacker, squad("b1", "B", 2), squad("x", "B", 1, W=3, **LEADS, rules=["Leader"]), hurt]
    assert set(shoot(units, dice=[6]).dead()) == {"y.1", "b1.1"}


@pytest.mark.clause("commentary-10", "ATK-4", "ATK-5")
@pytest.mark.parametrize(
    ("bodyguard", "names", "clause"),
    [
        ({"models": 3, "wounds": [0, 1]}, ["b1.2"], None),  # the one that may
        ({"models": 3, "wounds": [0, 1]}, ["b1.1"], "ATK-4"),
        ({"models": 3}, ["b1.3"], None),  # once, though it bears both
        ({"models": 3}, ["b1.3", "b1.3"], None),
        ({"models": 3}, ["b1.3", "b1.1"], "ATK-4"),
        ({"models": 3}, ["x.1"], "ATK-5"),
        ({"models": 1}, ["x.1"], "ATK-5"),
        ({"models": 1}, ["b1.1"], None),
    ],
)
def test_who_is_allocated_an_attack_may_be_named(bodyguard: Json, names: list[str], clause: str | None) -> None:
    """Who must bear an attack may be named all the same, and anybody else is refused by the clause that forbids it."""
    rest = {name: value for name, value in bodyguard.items() if name != "models"}
    target = squad("b1", "B", bodyguard["models"], W=3, **rest)
    answers = [{"kind": "allocate", "value": name} for name in names]
    leader = squad("x", "B", 1, W=3, **LEADS, rules=["Leader"])
    ruling = shoot([squad("a1", "A", 1, gun("Torrent", A=2)), target, leader], dice=[4, 4], answers=answers)
    assert (ruling.refusal or {}).get("clause") == clause


@pytest.mark.clause("commentary-10", "PREC-2")
def test_odds_of_a_batch() -> None:
    """Three precise wounds at two CHARACTERS are computed at once: those that find the first fallen are wasted."""
    units = [
        squad("a1", "A", 1, gun("Precision", "Torrent", A=3)),
        squad("b1", "B", 5),
        squad("x", "B", 1, W=2, **LEADS, rules=["Leader"], FNP=5),
        squad("y", "B", 1, **LEADS, rules=["Leader", "Second Leader"], Inv=4),
    ]
    (result,) = computed(units)["results"]
    none = Fraction(1, 8) + Fraction(3, 8) * Fraction(1, 2) + Fraction(3, 8) * Fraction(1, 4) + Fraction(1, 8) * Fraction(1, 8)
    assert fractions(result["kills"]) == [none, 1 - none]


@pytest.mark.clause("commentary-10", "MODDW-1", "MW-4")
def test_waste_of_mortal_wounds_that_wait() -> None:
    """Mortal wounds put by for a unit that normal damage destroys are wasted whole, by the Damage they were turned from."""
    units = [
        squad("a1", "A", 1, gun("Torrent", "Devastating Wounds", A=2, S=8, D=3)),
        squad("b1", "B", 1, rules=["Damage Taken(-1)"]),
        squad("x", "B", 1, **LEADS),
    ]
    (result,) = computed(units)["results"]
    normal, critical, miss = Fraction(4, 6), Fraction(1, 6), Fraction(1, 6)
    assert fractions(result["wasted"]) == [
        miss * miss + 2 * critical * miss,  # two points on two models of one wound each
        2 * normal * miss,
        critical * normal + critical * critical,
        normal * normal + normal * critical,  # the Leader does not reduce the Damage
    ]


@pytest.mark.clause("commentary-10", "BSHOCK-1", "ULD-1")
def test_one_test_after_the_last_attack() -> None:
    """A unit that lost its Leader in a later attack tests against the Leadership of those who are left."""
    units = [
        squad("a1", "A", 1, gun("Torrent", A=3, S=8)),
        squad("b1", "B", 4, Ld=8),
        squad("a2", "A", 1, gun("Torrent", "Precision", S=8, D=6)),
        squad("x", "B", 1, W=2, Ld=5, **LEADS),
    ]
    morale = computed(units, "a1", "a2")["targets"]["b1"]["morale"]
    three = Fraction(5, 6) ** 3
    led, bereft = three * Fraction(1, 6), three * Fraction(5, 6)
    assert Fraction(morale["passed"]) == led * Fraction(30, 36) + bereft * Fraction(15, 36)
    assert Fraction(morale["battle-shocked"]) == led * Fraction(6, 36) + bereft * Fraction(21, 36)


@pytest.mark.clause("commentary-10", "UNIT-6", "BSHOCK-1")
def test_a_leader_left_alone_is_not_below_half_strength() -> None:
    """A test that loses its reason, because the Bodyguard falls in a later attack and the Leader is unhurt, is not told."""
    units = [
        squad("a1", "A", 1, gun("Torrent", A=3, S=8)),
        squad("b1", "B", 4),
        squad("a2", "A", 1, gun("Torrent", S=8)),
        squad("x", "B", 1, W=2, **LEADS),
    ]
    morale = computed(units, "a1", "a2")["targets"]["b1"]["morale"]
    three, two = Fraction(5, 6) ** 3, 3 * Fraction(5, 6) ** 2 * Fraction(1, 6)
    assert Fraction(morale["none"]) == 1 - three * Fraction(1, 6) - two * Fraction(5, 6)


@pytest.mark.clause("commentary-10", "UNIT-6", "LEAD-5", "BSHOCK-1")
def test_two_leaders_left_alone_test_apart() -> None:
    """Of two Leaders without a Bodyguard the one Below Half-strength takes its own test."""
    units = [
        squad("a1", "A", 1, gun("Torrent", S=8)),
        squad("b1", "B", 1),
        squad("x", "B", 1, W=5, Ld=7, wounds=[3], rules=["Leader"], **LEADS),
        squad("y", "B", 1, W=5, Ld=7, rules=["Second Leader"], **LEADS),
    ]
    morale = computed(units)["targets"]["b1"]["morale"]
    assert Fraction(morale["passed"]) == Fraction(5, 6) * Fraction(21, 36)


@pytest.mark.clause("commentary-10", "ATK-5")
def test_a_hurt_leader_is_not_next_to_fall() -> None:
    """While a Bodyguard model stands it is the next, whatever the Leader behind it has lost."""
    for arms in (gun("Torrent", S=8), gun("Torrent", "Precision", S=8)):
        units = [squad("a1", "A", 1, arms), squad("b1", "B", 3, W=2), squad("x", "B", 1, W=4, wounds=[1], **LEADS)]
        (result,) = computed(units)["results"]
        precise = "Precision" in arms["rules"]
        assert fractions(result["left_on_next"]) == ([1] if precise else [Fraction(1, 6), Fraction(5, 6)])


@pytest.mark.clause("commentary-10", "WPN-10")
def test_precision_that_is_not_used_changes_nothing() -> None:
    """With the policy to leave wounds to the owner a Precision weapon has the odds of a plain one, waste included."""
    results = []
    for rules in ((), ("Precision",)):
        units = [
            squad("a1", "A", 1, gun("Torrent", *rules, A=4, S=8, D=2)),
            squad("b1", "B", 1, Sv=4),
            squad("x", "B", 1, W=2, Sv=4, **LEADS),
        ]
        (result,) = computed(units, policies={"precision": "unit"})["results"]
        results.append({name: result[name] for name in ("wounds", "damage", "kills", "wasted", "left_on_next", "destroyed")})
    assert results[0] == results[1]


@pytest.mark.clause("commentary-10", "MODCH-4", "MOD-2")
def test_damage_changed_to_nothing_beside_others() -> None:
    """A model that changes Damage to 0 loses nothing, also where others in its unit take Damage as it comes."""
    for own in ([], [{"rules": ["Damage Taken(-1)"]}], [{"rules": ["Damage Taken(/2)"]}]):
        units = [
            squad("a1", "A", 1, gun("Torrent", A=3, S=8, D=3)),
            squad("b1", "B", 2, W=2, rules=["Damage Taken(=0)"], own=own),
            squad("x", "B", 1, W=2, **LEADS),
        ]
        (result,) = computed(units)["results"]
        assert result["damage"] == ["1/1"]
        assert result["wasted"] == ["1/1"]


@pytest.mark.clause("commentary-10", "MOD-2", "DICE-6")
def test_no_damage_roll_where_the_damage_is_stated() -> None:
    """Against a model that states the Damage no Damage roll is made, nor for the mortal wounds it would become."""
    target = squad("b1", "B", 1, W=2, rules=["Damage Taken(=0)"])
    leader = squad("x", "B", 1, W=2, **LEADS)
    for rules, dice in ((("Torrent",), [5]), (("Torrent", "Devastating Wounds"), [6])):
        ruling = shoot([squad("a1", "A", 1, gun(*rules, S=8, D="D6")), target, leader], dice)
        assert ruling.purposes() == ["wound"]
        assert ruling.attack["damage"] == 0


@pytest.mark.clause("commentary-10", "MODDW-1", "MW-2")
@pytest.mark.parametrize("change", ["Damage(+1)", "Damage(x2)", "Melta 1"])
def test_mortal_wounds_are_single_points(change: str) -> None:
    """What raises Damage makes more mortal wounds, and not each of them larger, whoever else is in the unit."""
    for own in ([], [{}, {"rules": ["Damage Taken(-1)"]}], [{}, {"rules": ["Damage Taken(=0)"]}]):
        units = [
            squad("a1", "A", 1, gun("Torrent", "Devastating Wounds", change, S=8, D=1)),
            squad("b1", "B", 2, W=5, own=own),
        ]
        ruling = shoot(units, [6], half_range=True)
        assert ruling.wounds("b1") == [2, 0]
        assert ruling.attack["mortal"] == 2


@pytest.mark.clause("commentary-10", "MODDW-1")
def test_damage_as_the_attack_has_it() -> None:
    """With the switch off mortal wounds are as many as the attack's own Damage, though the model would halve it."""
    units = [
        squad("a1", "A", 1, gun("Torrent", "Devastating Wounds", "Damage(+1)", S=8, D=3)),
        squad("b1", "B", 1, W=9, rules=["Damage Taken(/2)"]),
        squad("x", "B", 1, W=2, **LEADS),
    ]
    assert shoot(units, [6]).wounds("b1")[0] == 3  # half of 3, and 1, rounded up
    assert shoot(units, [6], switches={"dw_uses_allocation_damage_modifiers": False}).wounds("b1")[0] == 4


@pytest.mark.clause("commentary-10", "SHOOT-1", "WPN-11", "ABIL-8", "SHOOT-2")
@pytest.mark.parametrize(
    ("arms", "marks", "target", "form", "clause"),
    [
        ([gun()], ["advanced"], {}, {}, "SHOOT-1"),
        ([gun("Blast")], [], {"keywords": ["VEHICLE"], "marks": ["engaged"]}, {}, "WPN-11"),
        ([gun(), gun(range=48)], [], {"rules": ["Lone Operative"]}, {"range": 13}, "ABIL-8"),
        ([gun(range=12), gun("Assault", range=6)], [], {}, {"range": 13}, "SHOOT-2"),
        ([gun("Assault", range=6), gun()], ["advanced"], {}, {"range": 13}, "SHOOT-2"),
    ],
)
def test_the_rule_that_forbids_all_weapons_is_named(
    arms: list[Json], marks: list[str], target: Json, form: Json, clause: str
) -> None:
    """A refusal names the rule that forbids every weapon, though none was named; where rules differ, that none can fire."""
    found = shoot([squad("a1", "A", 1, *arms, marks=marks), squad("b1", "B", 1, **target)], **form)
    assert found.verdict == "refused"
    assert found.refusal is not None
    assert found.refusal["clause"] == clause


@pytest.mark.clause("commentary-10", "PRIO-2", "MOD-2")
@pytest.mark.parametrize("own", [[], [{}, {"rules": ["Damage Taken(-1)"]}]])
def test_the_attacker_states_the_damage(own: list[Json]) -> None:
    """Of two rules that state the Damage of an attack the attacker's stands, whoever else is in the unit."""
    target = squad("b1", "B", 2, W=5, rules=["Damage Taken(=0)"], own=own)
    assert shoot([squad("a1", "A", 1, gun("Torrent", "Damage(=2)", S=8, D=3)), target], [5]).attack["damage"] == 2


@pytest.mark.clause("commentary-10", "MODDW-1", "ATK-11")
def test_waste_counts_what_the_attack_adds_to_its_damage() -> None:
    """After the last model fell a further wound wastes the Damage with the attack's own changes."""
    units = [
        squad("a1", "A", 1, gun("Torrent", "Damage(+2)", A=2, S=8)),
        squad("b1", "B", 1, rules=["Damage Taken(-1)"]),
    ]
    mixed = [*units, squad("x", "B", 1, **LEADS)]
    (alike,), (differing,) = computed(units)["results"], computed(mixed)["results"]
    assert fractions(alike["wasted"]) == [Fraction(1, 36), Fraction(10, 36), 0, Fraction(25, 36)]
    assert fractions(differing["wasted"]) == [Fraction(1, 36), Fraction(10, 36), 0, Fraction(25, 36)]
    three = computed([squad("a1", "A", 1, gun("Torrent", "Damage(+2)", A=3, S=8)), *mixed[1:]])["results"][0]
    assert Fraction(three["wasted"][6]) == Fraction(125, 216)


# what was right and is easily got wrong -----------------------------------------------------------

TELLING: dict[str, tuple[list[Json], list[int], Json, Json]] = {
    "lethal and sustained: the critical wounds without a die, the additional hit rolls": (
        [squad("a1", "A", 1, gun("Lethal Hits", "Sustained Hits 2", "Devastating Wounds")), squad("b1", "B", 5, Sv=4)],
        [6, 4, 3, 6],
        {},
        {"hits": 3, "wounds": 2, "blocked": 1, "damage": 1, "mortal": 1},
    ),
    "modifiers are totalled before they are clipped": (
        [squad("a1", "A", 1, gun("Heavy", "To Hit(-1)")), squad("b1", "B", 1, rules=["Stealth"])],
        [3],
        {"stationary": True},
        {"hits": 0},
    ),
    "cover does nothing for 3+ against AP 0": (
        [squad("a1", "A", 1, gun("Torrent", S=8)), squad("b1", "B", 1, Sv=3)],
        [5, 2],
        {"cover": True},
        {"blocked": 0, "damage": 1},
    ),
    "cover against AP -1 gives 3+ back": (
        [squad("a1", "A", 1, gun("Torrent", S=8, AP=-1)), squad("b1", "B", 1, Sv=3)],
        [5, 3],
        {"cover": True},
        {"blocked": 1, "damage": 0},
    ),
    "cover never helps an invulnerable save": (
        [squad("a1", "A", 1, gun("Torrent", S=8, AP=-4)), squad("b1", "B", 1, Sv=5, Inv=5)],
        [5, 4],
        {"cover": True},
        {"blocked": 0, "damage": 1},
    ),
    "halved and raised by melta, rounded up once": (
        [squad("a1", "A", 1, gun("Torrent", "Melta 2", S=8, D="D6")), squad("b1", "B", 1, W=9, rules=["Damage Taken(/2)"])],
        [5, 3],
        {"half_range": True},
        {"damage": 4},
    ),
    "rapid fire and blast are added after doubling": (
        [squad("a1", "A", 1, gun("Rapid Fire 1", "Blast", "Attacks(x2)", A=2)), squad("b1", "B", 11)],
        [1] * 7,
        {"half_range": True},
        {"attacks": 7},
    ),
    "feel no pain ends with the model": (
        [squad("a1", "A", 1, gun("Torrent", S=8, D=5)), squad("b1", "B", 2, W=2, FNP=5)],
        [4, 5, 1, 1],
        {},
        {"damage": 2, "removed": ["b1.1"]},
    ),
    "normal damage first, then the mortal wounds that waited": (
        [
            squad("a1", "A", 1, gun("Torrent", "Devastating Wounds", A=2, S=8, D=2)),
            squad("b1", "B", 3, W=2, Sv=4, wounds=[0, 1]),
        ],
        [6, 5, 1],
        {},
        {"removed": ["b1.1", "b1.2"], "damage": 3, "mortal": 2},
    ),
    "anti reads the keywords of the Leader": (
        [
            squad("a1", "A", 1, gun("Torrent", "Anti-PSYKER 4+", "Devastating Wounds", S=2, D=2)),
            squad("b1", "B", 3, T=8, Sv=2),
            squad("x", "B", 1, W=3, keywords=["CHARACTER", "PSYKER"], where="b1"),
        ],
        [4],
        {},
        {"mortal": 2, "removed": ["b1.1", "b1.2"]},
    ),
    "the Toughness of the Bodyguard holds when it has fallen": (
        [
            squad("a1", "A", 1, gun("Torrent", A=2, S=4, D=3)),
            squad("b1", "B", 1, T=4),
            squad("x", "B", 1, T=8, W=3, **LEADS),
        ],
        [4, 4],
        {},
        {"wounds": 2, "removed": ["b1.1", "x.1"]},
    ),
    "precision passes the Bodyguard by": (
        [
            squad("a1", "A", 1, gun("Torrent", "Precision", S=8, D=2)),
            squad("b1", "B", 3),
            squad("x", "B", 1, W=3, Sv=4, **LEADS),
        ],
        [4, 3],
        {},
        {"damage": 2, "removed": []},
    ),
    "a re-roll is judged with modifiers": (
        [squad("a1", "A", 1, gun("Re-roll Hits(failures)", skill=4)), squad("b1", "B", 1, rules=["Stealth"])],
        [4, 5, 1],
        {},
        {"hits": 1, "wounds": 0},
    ),
    "a natural 6 wounds at any Toughness": (
        [squad("a1", "A", 1, gun("Torrent", "To Wound(-1)", S=1)), squad("b1", "B", 1, T=12)],
        [6],
        {},
        {"wounds": 1, "damage": 1},
    ),
    "overwatch hits on natural 6s only": (
        [squad("a1", "A", 1, gun("Critical Hits 5+", skill=2, A=2), marks=["overwatch"]), squad("b1", "B", 1)],
        [5, 6, 1],
        {},
        {"hits": 1, "wounds": 0},
    ),
    "indirect fire without sight": (
        [squad("a1", "A", 1, gun("Indirect Fire", skill=3, S=8, AP=-1, A=2)), squad("b1", "B", 1, Sv=4)],
        [3, 4, 5, 4],
        {"visible": False},
        {"hits": 1, "blocked": 1},
    ),
    "big guns in combat, both reasons clipped to -1": (
        [
            squad("a1", "A", 1, gun(A=2), keywords=["VEHICLE"], marks=["engaged"]),
            squad("b1", "B", 1, keywords=["MONSTER"], marks=["engaged"]),
        ],
        [3, 4, 1],
        {},
        {"hits": 1},
    ),
}


@pytest.mark.clause("commentary-10", "AUTO-3", "SUST-2", "MODROLL-4", "TER-1", "MOD-3", "MOD-4", "FNP-2", "MW-4", "KEYW-3")
@pytest.mark.clause("commentary-10", "UT-3", "WPN-10", "REROLL-5", "CRIT-2", "CRIT-3", "WPN-9", "BGNT-3")
@pytest.mark.parametrize("name", TELLING)
def test_telling_cases(name: str) -> None:
    """What the dice make of an attack, by hand from the text of the rules."""
    units, dice, form, expected = TELLING[name]
    found = shoot(units, dice, **form).attack
    assert {key: found[key] for key in expected} == expected


@pytest.mark.clause("commentary-10", "WPN-8", "WPN-17")
def test_lance_and_extra_attacks() -> None:
    """After a charge Lance wounds one better; a doubled number of attacks leaves the Extra Attacks weapon alone."""
    arms = [blade("Lance", A=1), blade("Extra Attacks", A=1, name="tail")]
    found = fight([squad("a1", "A", 1, *arms, rules=["Attacks(x2)"]), squad("b1", "B", 5)], [3, 3, 3, 2, 3, 3], charged=True)
    assert found.attack["attacks"] == 3
    assert found.attack["wounds"] == 1


def test_quantiles_are_the_least_values() -> None:
    """A quantile q is the least k with a chance of at least q to stay at k or below, met exactly at one half."""
    units = [squad("a1", "A", 1, gun("Torrent", S=4)), squad("b1", "B", 1)]
    (result,) = computed(units)["results"]
    assert result["kills"] == ["1/2", "1/2"]
    assert result["kills_summary"] == {"mean": "1/2", "median": 0, "p10": 0, "p90": 1, "at_least": ["1/1", "1/2"]}
