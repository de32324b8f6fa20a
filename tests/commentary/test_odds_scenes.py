"""Odds equal the dice in scenes that one weapon on a plain unit does not show; and what a plan tells besides."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from rolloff.editions.commentary.aftermath import hazards
from rolloff.editions.commentary.attack import attack_of, target_of
from rolloff.editions.commentary.attack_case import Case
from rolloff.editions.commentary.bearing import bearers_for
from rolloff.editions.commentary.lookups import host_of
from rolloff.editions.commentary.target import Company, Policy
from rolloff.editions.commentary.v10 import EDITION
from rolloff.errors import BadInput
from rolloff.oracle.calculator import Calculator
from rolloff.oracle.flow import HITS, WOUNDS
from rolloff.oracle.target import Ladder
from rolloff.rules.attack import AttackForm, Plan
from rolloff.situations.forms import CaseForm, decode
from rolloff.situations.situation import read_situation
from tests.commentary.desk import Json, gun, squad
from tests.commentary.desk import case as written
from tests.commentary.matchups import computed, enumerated, played
from tests.oracle.brute import every_path

LEADS: Json = {"keywords": ["INFANTRY", "CHARACTER"], "where": "b1"}


def scene(units: list[Json], **form: Any) -> Case:
    """The first unit shoots at the second."""
    situation = read_situation(decode(json.dumps(written(units)).encode(), CaseForm))
    return Case(situation.game, situation.state, AttackForm(0, 1, "shooting", range=10_000, visible=True, **form))


def plan_of(case: Case, **policies: str) -> Plan:
    """The plan for odds."""
    assert EDITION.sequence is not None
    return EDITION.sequence.plan(case.game, case.state, case.form, policies)


SCENES: dict[str, list[Json]] = {
    "two weapons, the first devastating": [
        squad("a1", "A", 1, gun("Torrent", "Devastating Wounds", D=2, S=5), gun("Torrent", S=8, D=2, name="rifle")),
        squad("b1", "B", 3, W=2, Sv=5),
    ],
    "wounds already taken and models that differ": [
        squad("a1", "A", 2, gun("Torrent", AP=-1, D=2)),
        squad("b1", "B", 3, W=3, Sv=4, wounds=[0, 2, 0], own=[{"rules": ["Sv(2)", "W(2)"]}]),
    ],
    "a leader behind a bodyguard": [
        squad("a1", "A", 2, gun("Torrent", S=8, D=2)),
        squad("b1", "B", 1, Sv=6),
        squad("x", "B", 1, W=3, Sv=3, Inv=4, wounds=[1], **LEADS),
    ],
    "models that take damage differently": [
        squad("a1", "A", 2, gun("Torrent", "Devastating Wounds", D=3, S=8)),
        squad("b1", "B", 3, W=2, own=[{"rules": ["W(1)"]}, {"rules": ["Damage Taken(-1)"]}, {"rules": ["Damage Taken(/2)"]}]),
    ],
    "two characters and a precise weapon": [
        squad("a1", "A", 1, gun("Torrent", "Precision", "Devastating Wounds", A=2, D=2, S=8)),
        squad("b1", "B", 1, W=2, Sv=5),
        squad("x", "B", 1, W=2, Sv=5, rules=["Leader"], wounds=[1], **LEADS),
        squad("y", "B", 1, W=2, Sv=5, rules=["Second Leader"], **LEADS),
    ],
    "damage that may be rolled again and suffices or not": [
        squad("a1", "A", 1, gun("Torrent", "Re-roll Damage(low)", A=2, D="D3", S=8)),
        squad("b1", "B", 2, W=2),
    ],
    "damage that may be rolled again against those who ignore some": [
        squad("a1", "A", 1, gun("Torrent", "Re-roll Damage(low)", D="D3", S=8)),
        squad("b1", "B", 1, W=2, FNP=5),
    ],
    "damage that may be rolled again as mortal wounds": [
        squad("a1", "A", 1, gun("Torrent", "Re-roll Damage(low)", "Devastating Wounds", D="D3", S=8)),
        squad("b1", "B", 2, W=2, Sv=4),
    ],
    "numbers of attacks rolled for each weapon": [
        squad("a1", "A", 2, gun("Torrent", A="D3", S=8)),
        squad("b1", "B", 1),
    ],
    "wrecks that burst among their own": [
        squad("a1", "A", 1, gun("Torrent", S=8, range=60), at=[(5, 5)]),
        squad("b1", "B", 3, rules=["Deadly Demise D3"], at=[(20, 20), (22, 20), (24, 20)]),
    ],
}


@pytest.mark.parametrize("name", SCENES)
def test_scenes(name: str) -> None:
    """Every die path as play rolls it, with questions or without, against the plan for odds."""
    case = scene(SCENES[name])
    exact = computed(attack_of(case), {}, Calculator(exact=True))
    for asked in (False, True):
        assert enumerated(attack_of(case, asked=asked), {}) == exact
    lost = {slot: case.state.wounds_on(slot) for slot in case.target.slots}
    in_play = {tuple(n + lost[slot] for n, slot in zip(end, case.target.slots, strict=True)): p for end, p in exact.items()}
    assert played(case) == in_play


WALL = {
    "id": "w",
    "types": ["sealed structure"],
    "polygon": [[12, 17], [25, 17], [25, 18], [12, 18]],
    "height": 6,
    "solid": True,
}
"""It stands between (10, 10) and what lies beyond it."""


@pytest.mark.clause("commentary-10", "WPN-10", "PREC-1", "MW-5")
@pytest.mark.parametrize("ability", ["Anti-INFANTRY 4+", "Devastating Wounds"])
def test_a_character_only_some_see(ability: str) -> None:
    """Of two shooters one sees the CHARACTER: dice and odds send the precise wounds of that one to it, and no others."""
    leads: Json = {"keywords": ["INFANTRY", "CHARACTER"], "leading": "b1", "at": [(13.9, 19.5)]}
    units = [
        squad("a1", "A", 2, gun("Torrent", "Precision", ability, D=2, range=48), at=[(10, 10), (30, 19.5)]),
        squad("b1", "B", 2, at=[(11, 19.5), (12.3, 19.5)], W=2, Sv=5),
        squad("x", "B", 1, W=3, Sv=5, **leads),
    ]
    said = written(units, table={"size": [60, 44], "terrain": [WALL]})
    situation = read_situation(decode(json.dumps(said).encode(), CaseForm))
    case = Case(situation.game, situation.state, AttackForm(0, 1, "shooting"))
    exact = computed(attack_of(case), {}, Calculator(exact=True))
    assert played(case) == exact == enumerated(attack_of(case, asked=True), {})
    assert max(end[2] for end in exact) == 2


def test_a_ladder_wherever_one_will_do() -> None:
    """Plain and attached units are ladders for odds; only choices that depend on the dice need more."""
    plain = {"two weapons, the first devastating", "wounds already taken and models that differ", "a leader behind a bodyguard"}
    for name, units in SCENES.items():
        target, _, _ = target_of(attack_of(scene(units)), Policy())
        assert isinstance(target, Ladder) is (name in plain or name.startswith(("numbers", "damage")))


def test_floats_are_the_fractions() -> None:
    """The quick odds agree with the exact ones to the last digits, and add up to one."""
    for units in SCENES.values():
        attack = attack_of(scene(units))
        exact, quick = (computed(attack, {}, Calculator(exact)) for exact in (True, False))
        assert exact.keys() == quick.keys()
        for key, chance in exact.items():
            assert float(quick[key]) == pytest.approx(float(chance), rel=1e-12)
        assert sum(map(float, quick.values())) == pytest.approx(1, abs=1e-12)


@pytest.mark.clause("commentary-10", "WPN-14")
def test_hazardous_odds() -> None:
    """Two Hazardous weapons, one borne by a sturdy model with Feel No Pain: the law is that of every die path."""
    units = [squad("a1", "A", 2, gun("Hazardous"), W=2, FNP=5), squad("b1", "B", 1)]
    situation = read_situation(decode(json.dumps(written(units)).encode(), CaseForm))
    host = host_of(situation.game, situation.state, 0)
    company = Company(bearers_for(situation.game, situation.state, host))
    for weapons, sturdy in ((2, ()), (2, (0,)), (1, (0, 1))):
        args = (company, company.start(), weapons, (0, 1), sturdy)
        assert dict(Calculator(exact=True).law(hazards, *args)) == every_path(hazards, *args)


def test_counts_as_if_all_were_rolled() -> None:
    """Hits and wounds are counted over all attacks; the counts of every die path agree."""
    case = scene([squad("a1", "A", 1, gun("Sustained Hits 1", "Lethal Hits", "Devastating Wounds", A=2)), squad("b1", "B", 1)])
    plan = plan_of(case)
    calculator = Calculator(exact=True)
    for tally in (HITS, WOUNDS):
        law = every_path(lambda dice, tally=tally: dice.volley(plan.volleys, plan.target, plan.start, tally).counts[0])
        assert [law.get(n, Fraction(0)) for n in range(max(law) + 1)] == calculator.spread(plan.volleys, tally)


def test_the_order_of_weapons_does_not_matter_without_mortal_wounds() -> None:
    """Two sorts of weapon on an unwounded uniform unit kill alike in either order."""
    arms = [gun(A=4, D=2, AP=-1), gun(A=3, D=3, S=6, name="cannon")]
    target = squad("b1", "B", 6, W=4, Sv=4)
    laws = []
    for order in (arms, arms[::-1]):
        plan = plan_of(scene([squad("a1", "A", 1, *order), target]))
        laws.append(dict(Calculator(exact=True).after(plan.volleys, plan.target, plan.start).map(plan.target.kills)))
    assert laws[0] == laws[1]


@pytest.mark.clause("commentary-10", "UNIT-5", "LDTEST-1", "ULD-1", "BSHOCK-1")
def test_battle_shock_follows_heavy_losses() -> None:
    """Brought Below Half-strength a unit tests 2D6 against its best Leadership; at half, or destroyed, it does not."""
    case = scene([squad("a1", "A", 1, gun(A=9)), squad("b1", "B", 4, Ld=8, own=[{}, {"rules": ["Ld(7)"]}])])
    plan = plan_of(case)
    assert plan.after is not None
    calculator = Calculator(exact=True)
    assert dict(calculator.law(plan.after, 0, 2)) == {"none": 1}
    assert dict(calculator.law(plan.after, 0, 4)) == {"none": 1}
    assert dict(calculator.law(plan.after, 0, 3)) == {"passed": Fraction(15, 36), "battle-shocked": Fraction(21, 36)}


@pytest.mark.clause("commentary-10", "BSHOCK-6", "UNIT-5", "LDTEST-1")
def test_who_was_below_half_strength_before_tests_again() -> None:
    """DV-39: an attack that cannot hurt leaves a unit its coming test if it is Below Half-strength; at half there is none."""
    for left, law in ((4, {"passed": Fraction(21, 36), "battle-shocked": Fraction(15, 36)}), (5, {"none": Fraction(1)})):
        units = [squad("a1", "A", 1, gun(D=1)), squad("b1", "B", left, Ld=7, start_size=10, rules=["Damage Taken(=0)"])]
        plan = plan_of(scene(units))
        assert plan.after is not None
        assert dict(Calculator(exact=True).law(plan.after, 0, 0)) == law


@pytest.mark.clause("commentary-10", "MODCH-5", "NULL-1", "ULD-1")
def test_leadership_as_modified() -> None:
    """Leadership changes by rules within 5+ to 8+; where it is "-" the Toughness is used."""
    for stats, rules, need in (
        ({"Ld": 6}, ["Leadership(+3)"], 5),
        ({"Ld": "-", "T": 9}, [], 9),
        ({"Ld": 8}, ["Leadership(-1)"], 8),
    ):
        plan = plan_of(scene([squad("a1", "A", 1, gun()), squad("b1", "B", 3, rules=rules, **stats)]))
        assert plan.after is not None
        law = Calculator(exact=True).law(plan.after, 0, 2)
        assert law["passed"] == Fraction(sum(a + b >= need for a in range(1, 7) for b in range(1, 7)), 36)


@pytest.mark.clause("commentary-10", "UNIT-6", "UNIT-5")
def test_battle_shock_of_an_attached_unit() -> None:
    """With the Bodyguard gone the Leader has its own Starting Strength: alone with all its wounds it does not test."""
    leader = squad("x", "B", 1, W=4, Ld=6, **LEADS)
    plan = plan_of(scene([squad("a1", "A", 1, gun()), squad("b1", "B", 5, Ld=8), leader]))
    assert plan.after is not None
    calculator = Calculator(exact=True)
    assert dict(calculator.law(plan.after, 0, 4)) == {"passed": Fraction(26, 36), "battle-shocked": Fraction(10, 36)}
    assert dict(calculator.law(plan.after, 0, 5)) == {"none": 1}
    assert dict(calculator.law(plan.after, 0, 7)) == {"none": 1}
    assert set(calculator.law(plan.after, 0, 8)) == {"passed", "battle-shocked"}


def test_what_altered_the_numbers_is_told() -> None:
    """A plan names each modifier with its clause, and the policies it is made under."""
    attacker = squad("a1", "A", 1, gun("Heavy", "Melta 2", AP=-1, D="D6"))
    target = squad("b1", "B", 5, Sv=4, rules=["Stealth"])
    plan = plan_of(scene([attacker, target], stationary=True, half_range=True, cover=True))
    report = {(change.what, change.clause) for change in plan.audit}
    assert {("Heavy", "WPN-13"), ("Stealth", "ABIL-10"), ("D", "WPN-12"), ("cover", "TER-1"), ("AP", "ATK-6")} <= report
    assert plan.policies == {"rerolls": "failures", "allocation": "book", "precision": "character"}


@pytest.mark.clause("commentary-10", "MOD-3", "MOD-4", "MODCH-3")
def test_changes_of_a_characteristic_are_told_as_they_are_applied() -> None:
    """Each line goes on from the one before, in the order of the rules; dice are changed when they are rolled."""
    weapon = gun("Strength(+1)", "Strength(x2)", "Strength(/4)", "Attacks(-3)", S=5, A=2, D="D3")
    plan = plan_of(scene([squad("a1", "A", 1, weapon), squad("b1", "B", 5, rules=["Damage Taken(-1)"])]))
    lines = [(change.what, change.before, change.after) for change in plan.audit if change.what in ("S", "A", "D")]
    strength = [("S", 5, "5/4"), ("S", "5/4", "5/2"), ("S", "5/2", "7/2"), ("S", "7/2", 4)]
    assert lines == [*strength, ("D", "D3", "D-1"), ("A", 2, -1), ("A", -1, 1)]
    assert [change.clause for change in plan.audit if change.what == "A"][-1] == "MODCH-3"


def test_policies_nobody_knows_are_refused() -> None:
    """An unknown policy or choice is named, with what is allowed."""
    case = scene([squad("a1", "A", 1, gun()), squad("b1", "B", 5)])
    for policies in ({"luck": "good"}, {"rerolls": "sometimes"}):
        with pytest.raises(BadInput) as caught:
            plan_of(case, **policies)
        assert caught.value.allowed


def test_the_owner_may_shield_the_weak() -> None:
    """With the policy for the most wounds first the sturdy model bears the attacks."""
    target = squad("b1", "B", 2, W=3, own=[{"rules": ["W(1)"]}])
    case = scene([squad("a1", "A", 1, gun("Torrent", S=8)), target])
    for allocation, first in (("book", "b1.1"), ("most-wounds", "b1.2")):
        plan = plan_of(case, allocation=allocation)
        assert case.game.models[plan.order[0]].id == first
