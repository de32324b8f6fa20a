"""The contract's vectors that concern an attack: worked examples of the source, and derived ones."""

from __future__ import annotations

import pytest

from rolloff.editions.commentary.lookups import host_of, index_of
from rolloff.editions.commentary.matchup import wound_need
from rolloff.editions.commentary.unit_values import below_half, best, is_below_half, starting_strength
from rolloff.editions.commentary.values import Effect, Op, better, evaluate, improved
from rolloff.errors import BadInput
from tests.commentary.desk import blade, fight, gun, shoot, situation, squad

LEADS = {"keywords": ["INFANTRY", "CHARACTER"], "rules": ["Leader"], "where": "b1"}


@pytest.mark.clause("commentary-10", "MOD-1", "MOD-3", "MODCH-1")
def test_tv_1_double_and_one_more_attack_is_seven() -> None:
    """Three attacks, doubled and one added, are seven: multiplication comes first, in whatever order the rules stand."""
    hitter = squad("a1", "A", 1, blade("Attacks(+1)", "Attacks(x2)", A=3))
    ruling = fight([hitter, squad("b1", "B", 9)], dice=[1] * 7)
    assert ruling.attack["attacks"] == 7


@pytest.mark.clause("commentary-10", "MOD-2", "MOD-3", "MODCH-6")
def test_tv_2_halved_replaced_and_raised_control() -> None:
    """Objective Control 2 halved and raised is 2; replaced by 0 first it ends at 1, and it never falls below 0."""
    halved, raised = Effect("OC", Op.DIVIDE, 2), Effect("OC", Op.ADD, 1)
    assert evaluate("OC", 2, (raised, halved)) == 2
    assert evaluate("OC", 2, (raised, halved, Effect("OC", Op.SET, 0))) == 1
    assert evaluate("OC", 1, (Effect("OC", Op.SUBTRACT, 3),)) == 0


@pytest.mark.clause("commentary-10", "SUST-1", "SUST-2", "AUTO-3", "WPN-7", "WPN-16")
def test_tv_3_sustained_and_lethal() -> None:
    """A natural 6 wounds by itself and scores one more hit, for which exactly one Wound die is rolled."""
    ruling = shoot([squad("a1", "A", 1, gun("Sustained Hits 1", "Lethal Hits")), squad("b1", "B", 5)], dice=[6, 3])
    assert ruling.purposes() == ["hit", "wound"]
    assert (ruling.attack["hits"], ruling.attack["wounds"]) == (2, 1)


@pytest.mark.clause("commentary-10", "AUTO-1", "AUTO-3")
def test_tv_4_lethal_hits_never_devastate() -> None:
    """An automatic wound has no Wound die and is no Critical Wound: it is allocated and saved."""
    weapon = gun("Lethal Hits", "Devastating Wounds", D=3)
    ruling = shoot([squad("a1", "A", 1, weapon), squad("b1", "B", 5, Sv=3)], dice=[6, 3])
    assert ruling.purposes() == ["hit", "save"]
    assert (ruling.attack["mortal"], ruling.attack["blocked"]) == (0, 1)


@pytest.mark.clause("commentary-10", "ATTACH-1")
def test_tv_5_two_leaders_at_most() -> None:
    """P with Q and P with R may lead a unit together; all three may not."""
    first = squad("p", "B", 1, **LEADS)
    beside = {**LEADS, "rules": ["Leader", "Second Leader"]}
    second, third = squad("q", "B", 1, **beside), squad("r", "B", 1, **beside)
    units = [squad("a1", "A", 1, gun()), squad("b1", "B", 5)]
    for pair in ([first, second], [first, third]):
        assert shoot([*units, *pair], dice=[1]).verdict == "legal"
    assert shoot([*units, first, squad("q", "B", 1, **LEADS)], dice=[1]).verdict == "legal"  # no datasheet is told
    with pytest.raises(BadInput) as caught:
        shoot([*units, first, second, third], dice=[1])
    assert caught.value.clause == "ATTACH-1"


@pytest.mark.clause("commentary-10", "BEST-1", "ULD-1")
def test_tv_6_best_leadership() -> None:
    """Among one 6+, one 7+ and nine 8+ the best Leadership is 6+; symbols are passed over."""
    assert best("Ld", [8] * 9 + [6, 7]) == 6
    assert best("Ld", ["-", 7, 8]) == 7


@pytest.mark.clause("commentary-10", "DUP-1", "ABIL-10")
def test_tv_10_stealth_twice_is_once() -> None:
    """Stealth from two sources takes 1 from the Hit roll, not 2: with +1 from elsewhere nothing is left of it."""
    target = squad("b1", "B", 5, rules=["Stealth", "Stealth"])
    assert shoot([squad("a1", "A", 1, gun()), target], dice=[4, 1]).needs("hit") == [4]
    assert shoot([squad("a1", "A", 1, gun("To Hit(+1)")), target], dice=[1]).needs("hit") == [3]


@pytest.mark.clause("commentary-10", "DUP-1", "WPN-15")
def test_tv_11_devastating_twice_is_once() -> None:
    """A Critical Wound of a weapon with Damage 1 that has Devastating Wounds twice is one mortal wound."""
    weapon = gun("Devastating Wounds", "Devastating Wounds")
    assert shoot([squad("a1", "A", 1, weapon), squad("b1", "B", 5)], dice=[3, 6]).attack["mortal"] == 1


@pytest.mark.clause("commentary-10", "DUP-2", "WPN-16")
def test_tv_12_the_better_of_two_sustained_hits() -> None:
    """Sustained Hits 1 printed and 2 granted make three hits of one Critical Hit, never four."""
    attacker = squad("a1", "A", 1, gun("Sustained Hits 1"), rules=["While Leading: Sustained Hits 2"])
    granted = squad("a1", "A", 1, gun("Sustained Hits 1", "Sustained Hits 2"))
    assert shoot([granted, squad("b1", "B", 9)], dice=[6, 1, 1, 1]).attack["hits"] == 3
    assert shoot([attacker, squad("b1", "B", 9)], dice=[6, 1, 1]).attack["hits"] == 2


@pytest.mark.clause("commentary-10", "DUP-3", "WPN-18")
def test_tv_13_anti_of_two_keywords_are_two_abilities() -> None:
    """Anti-VEHICLE twice is one ability, the wider; Anti-INFANTRY beside it is another."""
    weapon = gun("Anti-VEHICLE 5+", "Anti-VEHICLE 4+", "Anti-INFANTRY 2+", S=1)
    for keyword, face in (("VEHICLE", 4), ("INFANTRY", 2)):
        target = squad("b1", "B", 5, keywords=[keyword])
        assert shoot([squad("a1", "A", 1, weapon), target], dice=[3, face]).attack["wounds"] == 1
        assert shoot([squad("a1", "A", 1, weapon), target], dice=[3, face - 1]).attack["wounds"] == 0


@pytest.mark.clause("commentary-10", "FNP-1", "FNP-2")
def test_tv_14_feel_no_pain_for_each_wound() -> None:
    """Damage 2 on a model with Feel No Pain 5+: two dice, 1 and 6, and one wound lost."""
    ruling = shoot([squad("a1", "A", 1, gun(D=2)), squad("b1", "B", 1, W=3, FNP=5)], dice=[3, 4, 1, 6])
    assert ruling.faces("feel no pain") == [1, 6]
    assert (ruling.attack["damage"], ruling.attack["ignored"], ruling.wounds("b1")) == (1, 1, [1])
    by_rule = squad("b1", "B", 1, W=3, rules=["Feel No Pain 5+"])
    assert shoot([squad("a1", "A", 1, gun(D=2)), by_rule], dice=[3, 4, 1, 6]).wounds("b1") == [1]


@pytest.mark.clause("commentary-10", "KEYW-3", "WPN-18")
def test_tv_15_a_leaders_keyword_counts_for_the_unit() -> None:
    """Anti-PSYKER 4+ is critical against a unit whose Leader alone is a PSYKER, though a Bodyguard model bears it."""
    leader = squad("x", "B", 1, W=4, **{**LEADS, "keywords": ["CHARACTER", "PSYKER"]})
    attacker = squad("a1", "A", 1, gun("Anti-PSYKER 4+", "Devastating Wounds", S=1))
    ruling = shoot([attacker, squad("b1", "B", 5), leader], dice=[3, 4])
    assert (ruling.attack["mortal"], ruling.dead()) == (1, ["b1.1"])


@pytest.mark.clause("commentary-10", "KEYW-1", "KEYW-2", "KEYW-6", "KEYW-7")
@pytest.mark.parametrize(
    ("asked", "keywords", "fits"),
    [
        ("non-VEHICLE", ["VEHICLE"], False),
        ("non-VEHICLE", ["INFANTRY"], True),
        ("MONSTER, SWARM or FLY", ["SWARM"], True),
        ("MONSTER, SWARM or FLY", ["BEASTS"], False),
        ("MONSTER FLY", ["MONSTER"], False),
        ("MONSTER FLY", ["MONSTER", "FLY"], True),
        ("EPIC HERO", ["EPIC HERO"], True),
    ],
)
def test_tv_16_and_17_what_a_rule_asks_of_keywords(asked: str, keywords: list[str], fits: bool) -> None:
    """A rule for "non-K" leaves units with K alone; a list asks for any one, adjacent keywords for all of them."""
    attacker = squad("a1", "A", 1, gun(f"Anti-{asked} 2+", S=1))
    ruling = shoot([attacker, squad("b1", "B", 5, keywords=keywords)], dice=[3, 3])
    assert ruling.attack["wounds"] == int(fits)


@pytest.mark.clause("commentary-10", "BETTER-1", "BETTER-2", "BETTER-3")
def test_tv_18_and_19_better_and_worse() -> None:
    """2+ beats 3+, Toughness 5 beats 4, and AP -1 beats AP 0."""
    assert better("skill", 2, 3) and not better("skill", 3, 2)
    assert better("T", 5, 4) and not better("T", 4, 5)
    assert better("AP", -1, 0) and not better("AP", 0, -1)


@pytest.mark.clause("commentary-10", "PRIO-2")
def test_tv_21_attackers_priority() -> None:
    """An attack that wounds on 2+ does so against a target that is only wounded on 4+."""
    target = squad("b1", "B", 5, rules=["Wounded On 4+"])
    assert shoot([squad("a1", "A", 1, gun("Wounds On 2+")), target], dice=[3, 1]).needs("wound") == [2]
    assert shoot([squad("a1", "A", 1, gun(S=9)), target], dice=[3, 1]).needs("wound") == [4]


@pytest.mark.clause("commentary-10", "REROLL-4", "REROLL-3", "DICE-1", "DMGROLL-1")
@pytest.mark.parametrize(("face", "again", "damage"), [(1, True, 3), (2, True, 3), (3, False, 2), (5, False, 3)])
def test_tv_24_re_rolls_of_a_halved_die(face: int, again: bool, damage: int) -> None:
    """Results of 1 on a D3 are rolled again: a die of 1 or 2 may be, a die of 3 may not."""
    attacker = squad("a1", "A", 1, gun("Re-roll Damage(ones)", D="D3"))
    ruling = shoot([attacker, squad("b1", "B", 1, W=9)], dice=[3, 4, face, *([6] if again else [])])
    assert ruling.attack["damage"] == damage


@pytest.mark.clause("commentary-10", "TCOND-1", "TCOND-2")
def test_tv_30_conditions_are_tested_once() -> None:
    """Against a unit at full strength the ability works for no attack, though most of the unit dies during the attacks."""
    attacker = squad("a1", "A", 1, gun("Against the Weak 1", A=8, skill=4, S=8))
    ruling = shoot([attacker, squad("b1", "B", 10)], dice=[4, 3] * 7 + [3])
    assert set(ruling.needs("hit")) == {4} and len(ruling.dead()) == 7
    weak = squad("b1", "B", 4, start_size=10)
    assert shoot([attacker, weak], dice=[3, 3] * 4).needs("hit") == [3] * 4


@pytest.mark.clause("commentary-10", "WITHX-1")
def test_tv_31_an_ability_whatever_its_number() -> None:
    """Deadly Demise 1, D3 and D6 are all the ability Deadly Demise."""
    units = [squad(f"b{k}", "B", 1, rules=[f"Deadly Demise {number}"]) for k, number in enumerate((1, "D3", "D6"))]
    game = situation([squad("a1", "A", 1, gun()), *units]).game
    lookups = index_of(game)
    assert [fighter.has("Deadly Demise") for fighter in lookups.fighters] == [False, True, True, True]


@pytest.mark.clause("commentary-10", "MODIMP-1", "MODIMP-2", "MODIMP-3", "MODIMP-4", "MODIMP-5")
@pytest.mark.parametrize(
    ("kind", "printed", "by", "found"),
    [
        ("skill", 3, 1, 2),
        ("skill", 3, -1, 4),
        ("AP", -1, 1, -2),
        ("AP", 0, 1, -1),
        ("AP", -1, -1, 0),
        ("AP", 0, -1, 0),
        ("S", 4, 1, 5),
    ],
)
def test_tv_34_improving_and_worsening(kind: str, printed: int, by: int, found: int) -> None:
    """What improving by one means depends on how a characteristic is written."""
    assert evaluate(kind, printed, (improved(kind, by),)) == found


@pytest.mark.clause("commentary-10", "MODROLL-4")
@pytest.mark.parametrize(("rules", "need"), [(["-1", "-1"], 5), (["+1", "+1"], 3), (["-1", "-1", "+1"], 5)])
def test_tv_35_modifiers_are_totalled_then_clipped(rules: list[str], need: int) -> None:
    """All modifiers of a Hit roll are added up first; the total is never more than 1 either way."""
    attacker = squad("a1", "A", 1, gun(skill=4), rules=[f"To Hit({by})" for by in rules])
    assert shoot([attacker, squad("b1", "B", 5)], dice=[1]).needs("hit") == [need]


@pytest.mark.clause("commentary-10", "IGN-1", "IGN-2")
def test_tv_38_ignoring_modifiers() -> None:
    """With +1 and -1 to the Hit roll, who may ignore modifiers drops the harmful one and ends at +1."""
    attacker = squad("a1", "A", 1, gun(skill=4), rules=["To Hit(+1)", "To Hit(-1)"])
    assert shoot([attacker, squad("b1", "B", 5)], dice=[1]).needs("hit") == [4]
    free = squad("a1", "A", 1, gun(skill=4), rules=["To Hit(+1)", "To Hit(-1)", "Ignore Modifiers(hit)"])
    assert shoot([free, squad("b1", "B", 5)], dice=[1]).needs("hit") == [3]
    worse = squad("a1", "A", 1, gun(skill=4), rules=["BS(-1)", "BS(+1)", "Ignore Modifiers(skill)"])
    assert shoot([worse, squad("b1", "B", 5)], dice=[1]).needs("hit") == [3]


@pytest.mark.clause("commentary-10", "ONESHOT-1", "WPN-19")
def test_tv_42_each_copy_of_a_one_shot_weapon_fires_once() -> None:
    """Two copies fire in the same phase, each once in the battle; a spent one is refused, the rest fire on."""
    attacker = squad("a1", "A", 1, gun("One Shot", name="one"), gun("One Shot", name="two"), gun(name="rifle"))
    both = shoot([attacker, squad("b1", "B", 5)], dice=[1, 1], weapons=[["a1.1", 0], ["a1.1", 1]])
    assert both.attack["attacks"] == 2
    attacker["models"][0]["marks"] = both.model("a1.1").get("marks", [])
    again = shoot([attacker, squad("b1", "B", 5)], weapons=[["a1.1", 0]])
    assert again.refusal and again.refusal["clause"] == "ONESHOT-1"
    assert shoot([attacker, squad("b1", "B", 5)], dice=[1]).attack["attacks"] == 1


@pytest.mark.clause("commentary-10", "AGAINST-2")
def test_tv_45_a_save_against_damage_one() -> None:
    """+1 to armour saves against Damage 1 counts at allocation, for Damage 1 after modifiers only."""
    target = squad("b1", "B", 5, Sv=4, rules=["Save Against Damage 1"])
    assert shoot([squad("a1", "A", 1, gun()), target], dice=[3, 4, 3]).attack["blocked"] == 1
    assert shoot([squad("a1", "A", 1, gun(D=2)), target], dice=[3, 4, 3]).attack["blocked"] == 0
    assert shoot([squad("a1", "A", 1, gun("Damage(+1)")), target], dice=[3, 4, 3]).attack["blocked"] == 0
    assert shoot([squad("a1", "A", 1, gun(D="D3")), target], dice=[3, 4, 3, 1]).attack["blocked"] == 0
    hardy = squad("b1", "B", 5, Sv=4, rules=["Save Against Damage 1", "Damage Taken(-1)"])
    assert shoot([squad("a1", "A", 1, gun(D=2)), hardy], dice=[3, 4, 3]).attack["blocked"] == 1


@pytest.mark.clause("commentary-10", "ATK-3", "WOUNDS-1")
@pytest.mark.parametrize(
    ("strength", "toughness", "need"), [(8, 4, 2), (7, 4, 3), (4, 4, 4), (4, 5, 5), (4, 8, 6), (5, 4, 3), (4, 7, 5)]
)
def test_dv_1_the_wound_roll_needed(strength: int, toughness: int, need: int) -> None:
    """Strength against Toughness gives the Wound roll that is needed."""
    assert wound_need(strength, toughness) == need
    ruling = shoot([squad("a1", "A", 1, gun(S=strength)), squad("b1", "B", 1, T=toughness)], dice=[3, 1])
    assert ruling.needs("wound") == [need]


@pytest.mark.clause("commentary-10", "TER-1")
@pytest.mark.parametrize(
    ("stats", "ap", "face", "saved"),
    [({"Sv": 4}, -1, 4, True), ({"Sv": 3}, 0, 2, False), ({"Sv": 3}, -1, 3, True), ({"Sv": "-", "Inv": 4}, 0, 3, False)],
)
def test_dv_2_cover(stats: dict[str, int], ap: int, face: int, saved: bool) -> None:
    """Cover adds 1 to armour saves, never to invulnerable ones, and not for Sv 3+ against AP 0."""
    units = [squad("a1", "A", 1, gun(AP=ap)), squad("b1", "B", 5, **stats)]
    assert shoot(units, dice=[3, 4, face], cover=True).attack["blocked"] == int(saved)


@pytest.mark.clause("commentary-10", "MW-2", "ATK-10")
def test_dv_4_mortal_wounds_carry_over() -> None:
    """Five mortal wounds on three models of two wounds: two destroyed, the third on one."""
    units = [squad("a1", "A", 1, gun("Devastating Wounds", D=5)), squad("b1", "B", 3, W=2)]
    ruling = shoot(units, dice=[3, 6])
    assert (ruling.dead(), ruling.wounds("b1")) == (["b1.1", "b1.2"], [1])


@pytest.mark.clause("commentary-10", "WPN-15", "MW-2", "MW-1")
def test_dv_5_devastating_wounds_spill_and_are_not_saved() -> None:
    """A Critical Wound of Damage 3 destroys three of five models with one wound; nobody makes a save."""
    units = [squad("a1", "A", 1, gun("Devastating Wounds", D=3)), squad("b1", "B", 5, Sv=2, Inv=2)]
    ruling = shoot(units, dice=[3, 6])
    assert (len(ruling.dead()), ruling.purposes(), ruling.attack["mortal"]) == (3, ["hit", "wound"], 3)


@pytest.mark.clause("commentary-10", "ATK-9")
def test_dv_7_normal_damage_does_not_spill() -> None:
    """Damage 3 on a unit of models with one wound destroys one of them."""
    ruling = shoot([squad("a1", "A", 1, gun(D=3)), squad("b1", "B", 5)], dice=[3, 4])
    assert (ruling.dead(), ruling.attack["damage"]) == (["b1.1"], 1)


@pytest.mark.clause("commentary-10", "WPN-11", "TCOND-1")
@pytest.mark.parametrize(("models", "attacks"), [(11, 6), (4, 4)])
def test_dv_8_blast(models: int, attacks: int) -> None:
    """Blast adds an attack for every five models to a roll of 4."""
    units = [squad("a1", "A", 1, gun("Blast", A="D6")), squad("b1", "B", models)]
    assert shoot(units, dice=[4] + [1] * attacks).attack["attacks"] == attacks


@pytest.mark.clause("commentary-10", "WPN-2", "TCOND-1", "WITHIN-1")
@pytest.mark.parametrize(("gap", "attacks"), [(12.0, 2), (12.01, 1)])
def test_dv_9_rapid_fire_at_half_range(gap: float, attacks: int) -> None:
    """Twelve inches are within half of 24; a hundredth more is not. Positions and the form say the same."""
    units = [squad("a1", "A", 1, gun("Rapid Fire 1"), at=[(10, 10)]), squad("b1", "B", 1, at=[(11 + gap, 10)])]
    assert shoot(units, dice=[1] * attacks).attack["attacks"] == attacks
    bare = [squad("a1", "A", 1, gun("Rapid Fire 1")), squad("b1", "B", 1)]
    assert shoot(bare, dice=[1] * attacks, range=gap).attack["attacks"] == attacks


@pytest.mark.clause("commentary-10", "ER-1")
@pytest.mark.parametrize(("flat", "rise", "inside"), [(1.0, 5.0, True), (1.01, 0.0, False), (0.5, 5.01, False)])
def test_dv_13_engagement_range(flat: float, rise: float, inside: bool) -> None:
    """Engagement Range is 1 inch across and 5 inches up, both at once; who is inside may not shoot a rifle."""
    enemy = squad("b1", "B", 1, at=[(11 + flat, 10)], own=[{"z": rise}])
    ruling = shoot([squad("a1", "A", 1, gun(), at=[(10, 10)]), enemy], dice=[] if inside else [1])
    assert (ruling.verdict == "refused") is inside


@pytest.mark.clause("commentary-10", "GEO-3")
def test_dv_14_distance_over_height() -> None:
    """Three inches across and four up are five: a weapon of range 5 reaches, one of 4.9 does not."""
    enemy = squad("b1", "B", 1, at=[(14, 10)], own=[{"z": 4}])
    assert shoot([squad("a1", "A", 1, gun(range=5), at=[(10, 10)]), enemy], dice=[1]).verdict == "legal"
    assert shoot([squad("a1", "A", 1, gun(range=4.9), at=[(10, 10)]), enemy]).verdict == "refused"


@pytest.mark.clause("commentary-10", "UNIT-5")
@pytest.mark.parametrize(
    ("strength", "models", "left", "wounds", "found"),
    [(10, 5, 1, 1, False), (10, 4, 1, 1, True), (1, 1, 6, 12, False), (1, 1, 5, 12, True)],
)
def test_dv_20_below_half_strength(strength: int, models: int, left: int, wounds: int, found: bool) -> None:
    """Fewer than half the models, or of a single model fewer than half the wounds; exactly half is not below."""
    assert below_half(strength, models, left, wounds) is found


@pytest.mark.clause("commentary-10", "UNIT-6", "START-1")
def test_dv_21_starting_strength_of_an_attached_unit() -> None:
    """A Leader and five Bodyguard models: two left are Below Half-strength; the Leader alone has Starting Strength 1."""
    leader = squad("x", "B", 1, W=4, **LEADS)
    few = situation([squad("a1", "A", 1, gun()), squad("b1", "B", 1, start_size=5), leader])
    assert is_below_half(few.game, few.state, host_of(few.game, few.state, 1))
    assert starting_strength(few.game, (1, 2)) == 6
    attacker = squad("a1", "A", 1, gun(A=3, S=8))
    ruling = shoot([attacker, squad("b1", "B", 1, start_size=5), leader], dice=[3, 3, 1, 1])
    assert (ruling.unit("b1")["where"], ruling.unit("x")["where"]) == ("destroyed", "table")
    assert ruling.unit("x")["start_size"] == 1


@pytest.mark.clause("commentary-10", "MOD-4")
def test_dv_24_fractions_are_rounded_up_once() -> None:
    """Five halved twice is 2; three halved, less one, is 1."""
    half = Effect("A", Op.DIVIDE, 2)
    assert evaluate("A", 5, (half, half)) == 2
    assert evaluate("A", 3, (half, Effect("A", Op.SUBTRACT, 1))) == 1


@pytest.mark.clause("commentary-10", "MODCH-3", "MODCH-4", "MODCH-10")
@pytest.mark.parametrize(("taken", "more", "lost"), [("-1", (), 1), ("=0", (), 0), ("=0", ("Damage(+1)",), 1)])
def test_dv_25_damage_is_never_modified_below_one(taken: str, more: tuple[str, ...], lost: int) -> None:
    """Damage 1 less 1 is 1; changed to 0 it is 0, and later additions count from there."""
    target = squad("b1", "B", 1, W=5, rules=[f"Damage Taken({taken})"])
    assert shoot([squad("a1", "A", 1, gun(*more)), target], dice=[3, 4]).attack["damage"] == lost


@pytest.mark.clause("commentary-10", "CRIT-2")
def test_dv_27_overwatch_hits_on_sixes() -> None:
    """In Overwatch a natural 5 misses, whatever the skill and the range of criticals; a 6 is critical, Torrent still hits."""
    target = squad("b1", "B", 9)
    watch = {"marks": ["overwatch"]}
    assert shoot([squad("a1", "A", 1, gun(skill=2), **watch), target], dice=[5]).attack["hits"] == 0
    wide = squad("a1", "A", 1, gun("Critical Hits 5+", skill=2), **watch)
    assert shoot([wide, target], dice=[5]).attack["hits"] == 0
    sustained = squad("a1", "A", 1, gun("Sustained Hits 1", skill=2), **watch)
    assert shoot([sustained, target], dice=[6, 1, 1]).attack["hits"] == 2
    assert shoot([squad("a1", "A", 1, gun("Torrent"), **watch), target], dice=[1]).attack["hits"] == 1


@pytest.mark.clause("commentary-10", "MODROLL-4", "ABIL-10", "WPN-13", "BGNT-3")
def test_dv_28_stealth_heavy_and_big_guns() -> None:
    """Stealth and Heavy cancel; with shooting in Engagement Range besides, the total is -1."""
    target = squad("b1", "B", 5, rules=["Stealth"])
    attacker = squad("a1", "A", 1, gun("Heavy", skill=4), keywords=["VEHICLE"])
    assert shoot([attacker, target], dice=[1], stationary=True).needs("hit") == [4]
    near = {**attacker, "marks": ["engaged"]}
    assert shoot([near, target], dice=[1], stationary=True).needs("hit") == [5]


@pytest.mark.clause("commentary-10", "PREC-1", "PREC-2", "WPN-10")
def test_dv_31_precise_wounds_on_a_dead_character_are_wasted() -> None:
    """Three Precision wounds all assigned to X with one wound left: the first failed save destroys X, two are wasted."""
    x = squad("x", "B", 1, W=3, Sv=4, wounds=[2], **LEADS)
    y = squad("y", "B", 1, W=3, Sv=4, **{**LEADS, "rules": ["Second Leader"]})
    units = [squad("a1", "A", 1, gun("Precision", A=3, S=8)), squad("b1", "B", 5, Sv=4), x, y]
    to_x = [{"kind": "choose-option", "value": "x.1"}] * 3
    ruling = shoot(units, dice=[3, 3, 3, 3, 3, 3, 1], answers=to_x)
    assert ruling.purposes() == ["hit", "wound"] * 3 + ["save"]
    assert (ruling.dead(), ruling.attack["wounds"]) == (["x.1"], 3)
    to_y = [{"kind": "choose-option", "value": "y.1"}] * 3
    assert shoot(units, dice=[3, 3, 3, 3, 3, 3, 1, 1, 1], answers=to_y).dead() == ["y.1"]
    saving = {"precision_overkill_wasted": False}
    assert shoot(units, dice=[3, 3, 3, 3, 3, 3, 1, 1, 1], answers=to_x, switches=saving).dead() == ["b1.1", "b1.2", "x.1"]


@pytest.mark.clause("commentary-10", "UT-1", "UT-2", "UT-3")
def test_dv_34_toughness_of_an_attached_unit() -> None:
    """Bodyguard Toughness 4 counts for all attacks, also after the Bodyguard died; elsewhere the highest Toughness does."""
    leader = squad("x", "B", 1, T=6, W=9, **LEADS)
    units = [squad("a1", "A", 1, gun(A=3)), squad("b1", "B", 1, T=4), leader]
    ruling = shoot(units, dice=[3, 4, 3, 4, 3, 3])
    assert (ruling.needs("wound"), ruling.dead()) == ([4, 4, 4], ["b1.1"])
    mixed = squad("b1", "B", 3, T=4, own=[{}, {"rules": ["T(5)"]}])
    assert shoot([squad("a1", "A", 1, gun()), mixed], dice=[3, 1]).needs("wound") == [5]
    tougher = squad("b1", "B", 3, T=4, own=[{"rules": ["T(5)"]}])
    assert shoot([squad("a1", "A", 1, gun()), tougher], dice=[3, 1]).needs("wound") == [5]


@pytest.mark.clause("commentary-10", "ABIL-1")
def test_dv_36_deadly_demise_rolls_for_each_unit() -> None:
    """A wreck that ends on a 6 rolls a D3 for each of three units within 6 inches, and none for one further off."""
    wreck = squad("b1", "B", 1, rules=["Deadly Demise D3"], at=[(20, 20)], keywords=["VEHICLE"])
    near = [squad(f"c{k}", "B", 1, W=3, at=[(22 + 2 * k, 20)]) for k in range(3)]
    far = squad("d1", "B", 1, W=3, at=[(40, 20)])
    attacker = squad("a1", "A", 1, gun(range=48, S=8), at=[(5, 5)])
    ruling = shoot([attacker, wreck, *near, far], dice=[3, 3, 6, 1, 3, 5])
    assert ruling.faces("demise wounds") == [1, 3, 5]
    assert [ruling.model(f"c{k}.1")["wounds"] for k in range(2)] == [1, 2]
    assert ruling.dead() == ["c2.1", "b1.1"]
    assert ruling.model("d1.1")["wounds"] == 0
    assert shoot([attacker, wreck, *near, far], dice=[3, 3, 5]).dead() == ["b1.1"]


@pytest.mark.clause("commentary-10", "ABIL-1")
def test_deadly_demise_reaches_the_attacker_and_comes_back() -> None:
    """The end of a target hurts its attacker close by; a wreck that bursts in turn hurts what is left of the target."""
    wreck = squad("b1", "B", 2, rules=["Deadly Demise 1"], W=2, at=[(20, 20), (31, 20)], wounds=[1, 0], keywords=["VEHICLE"])
    attacker = squad("a1", "A", 1, gun(range=48, S=8), at=[(25, 20)], rules=["Deadly Demise 1"], W=1)
    ruling = shoot([attacker, wreck], dice=[3, 3, 6, 6])
    assert ruling.dead() == ["a1.1", "b1.1"]
    assert ruling.model("b1.2")["wounds"] == 1
