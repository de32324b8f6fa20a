"""The attack form as it is rolled, die by die through casualties, table of damage and morale, against its odds."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from rolloff.odds import odds_of
from rolloff.odds.scenarios import Scenario
from rolloff.oracle.oracle import Defaults, Oracle
from rolloff.rules.play import Play
from tests.odds.scenes import Json, scene, unit
from tests.oracle.brute import Odometer, every_path

FAMILY = ("onepage-2.21", "onepage-3.0", "apocalypse-3.3")
WORDS = {"morale-passed": "passed", "pinned": "pinned"}
GUN = 'Gun (30", A1)'


class Turning:
    """The faces of an odometer as a source of dice."""

    def __init__(self, dice: Odometer) -> None:
        """Every path once."""
        self.dice = dice

    def faces(self, n: int, label: str, sides: int = 6) -> list[int]:
        """The next faces of this path."""
        return self.dice.roll(n, label, sides)


def played(case: Scenario) -> dict[Any, Fraction]:
    """Wounds, models lost, wounds on the living and the morale of an attack, over every fall of the dice."""
    dice, seen, target = Odometer(), Counter[tuple[Any, int]](), case.forms[0].target
    while True:
        play = Play(case.game, case.state, Oracle(Turning(dice), Defaults()))
        case.sequence.run(play, case.forms[0])
        living = play.state.units[target].living
        attacked = [event for event in play.events if event.kind == "attacked" and event.fact("target") == target]
        wounds = sum(int(str(event.fact("wounds"))) for event in attacked)
        word = next((WORDS[event.kind] for event in play.events if event.kind in WORDS), "none")
        lost = len(case.state.units[target].living) - len(living)
        hurt = max((play.state.wounds_on(slot) for slot in living), default=0)
        seen[(wounds, lost, hurt, word), dice.at] += 1
        if not dice.turn():
            break
    found: dict[Any, Fraction] = {}
    for (report, rolled), times in seen.items():
        found[report] = found.get(report, Fraction(0)) + Fraction(times, 6**rolled)
    return found


def agree(case: Scenario) -> None:
    """Every number of the odds is that of the dice."""
    law, odds = played(case), odds_of(case, exact=True)
    for at, name in enumerate(("wounds", "kills", "left_on_next")):
        counts: dict[int, Fraction] = {}
        for report, chance in law.items():
            counts[report[at]] = counts.get(report[at], Fraction(0)) + chance
        assert {k: chance for k, chance in enumerate(getattr(odds.last, name)) if chance} == counts, name
    words: dict[str, Fraction] = {}
    for report, chance in law.items():
        words[report[3]] = words.get(report[3], Fraction(0)) + chance
    assert {word: chance for word, chance in odds.morale.items() if chance} == words


CASES: dict[str, tuple[Json, Json, Json]] = {
    "shots": (unit(1, weapons=['Gun (30", A2)']), unit(2, quality=5), {}),
    "cover": (unit(1, weapons=[GUN]), unit(2, quality=5), {"cover": True}),
    "piercing in cover": (unit(1, weapons=['Gun (30", A1, Piercing)']), unit(2, quality=3), {"cover": True}),
    "poison": (unit(1, weapons=['Gun (30", A1, Poison)']), unit(2, quality=3, rules=["Armored"]), {"cover": True}),
    "a packet": (unit(1, weapons=['Gun (30", A2x)']), unit(2, rules=["Tough(2)", "Armored"]), {}),
    "a hero": (unit(1, weapons=['Gun (30", A2)']), unit([{}, {"rules": ["Tough(3)", "Hero"]}]), {}),
    "a wounded hero": (unit(1, weapons=['Gun (30", A2)']), unit([{}, {"rules": ["Tough(2)"], "wounds": 1}]), {}),
    "an ogre": (unit(1, weapons=['Gun (30", A2)']), unit(1, rules=["Tough(2)"]), {}),
    "strikes": (unit(1, weapons=["Axe (A2)"]), unit(2), {"kind": "melee"}),
    "a charge": (unit(1, weapons=["Axe (A1)"]), unit(2), {"kind": "melee", "charged": True}),
    "danger": (unit(1), unit(2, quality=5, rules=["Armored"]), {"kind": "danger"}),
    "a power": (unit(1, weapons=['Bolt (18", A2, Piercing)']), unit(2, rules=["Armored"]), {"kind": "power"}),
    "two weapons": (unit(1, weapons=['Gun (30", A1x)', 'Rifle (30", A1)']), unit(2, quality=5), {}),
    "a walk": (unit(1, weapons=[GUN, 'Rifle (30", A1, Linked)']), unit(2, quality=5), {"moved": True}),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("edition", FAMILY)
def test_the_form_is_rolled_as_it_is_computed(edition: str, name: str) -> None:
    """Wounds, losses and morale of a rolled attack form have, over all dice, exactly the odds that are told."""
    attacker, target, form = CASES[name]
    agree(scene(attacker, target, form, edition=edition))


@pytest.mark.clause("onepage-2.21", "VDMG-2", "VDMG-3", "VDMG-8")
@pytest.mark.clause("onepage-3.0", "VDMG-2", "VDMG-4", "VDMG-8")
@pytest.mark.parametrize("facing", ["front", "side", "rear"])
@pytest.mark.parametrize(("edition", "marks"), [(id, ()) for id in FAMILY] + [(id, ("immobile",)) for id in FAMILY[:2]])
def test_the_table_of_damage_may_add_a_wound(edition: str, marks: tuple[str, ...], facing: str) -> None:
    """A vehicle that cannot move loses more wounds by the table, as often as the dice say; one that can does not."""
    hull = unit(1, quality=5, type="vehicle", rules=["Tough(3)"], marks=marks)
    case = scene(unit(1, weapons=['Gun (30", A1, Piercing)'], quality=3), hull, {"facing": facing}, edition=edition)
    agree(case)
    damage, again = odds_of(case, exact=True).last.damage, facing != "front" or edition == "onepage-2.21"
    assert (len(damage) > 2) == (bool(marks) and again)  # one wound from the front immobilises nobody in 3.0


@pytest.mark.clause("onepage-3.0", "RULE-REGEN-1")
def test_regeneration_may_stop_what_the_table_adds() -> None:
    """The extra wound of an Immobile vehicle is regenerated like any other."""
    hull = unit(1, quality=5, type="vehicle", rules=["Tough(3)", "Regeneration"], marks=["immobile"])
    agree(scene(unit(1, weapons=['Gun (30", A1, Piercing)'], quality=3), hull, {"facing": "rear"}))


@pytest.mark.clause("onepage-2.21", "TYPE-WALK-1")
def test_walkers_roll_on_the_table_too() -> None:
    """A walker that is Immobile is hurt by the table like a vehicle; a monster is not."""
    for type, longest in (("walker", 4), ("monster", 2)):
        hull = unit(1, quality=5, type=type, rules=["Tough(3)"], marks=["immobile"])
        case = scene(unit(1, weapons=['Gun (30", A1, Piercing)'], quality=3), hull, {"facing": "rear"}, edition="onepage-2.21")
        agree(case)
        assert len(odds_of(case, exact=True).last.damage) == longest


@pytest.mark.clause("apocalypse-3.3", "RULE-SNIPER-1", "RULE-SNIPER-2", "CAS-4", "RES-3")
@pytest.mark.parametrize("target", [unit(3), unit([{}, {"rules": ["Tough(3)", "Hero"]}]), unit(2, rules=["Tough(2)"])])
def test_snipers_are_rolled_as_they_are_computed(target: Json) -> None:
    """A Sniper and a rifle: a packet for the model that was named, then the rest by the book."""
    arms = [{"weapons": ['Long Rifle (36", A1, Sniper)']}, {"weapons": ['Rifle (30", A1)']}]
    agree(scene(unit(arms, quality=5), target, {}, edition="apocalypse-3.3"))


@pytest.mark.clause("onepage-2.21", "RULE-STRIKES-1", "RES-1")
def test_strikes_of_several_steps_are_events_of_their_own() -> None:
    """A unit with a quick and a slow weapon strikes twice, the second time at what is left."""
    target = unit([{"rules": ["Armored"]}, {}], quality=5)
    arms = ["Dagger (A1, Strikes First)", "Hammer (A1, Strikes Last)"]
    agree(scene(unit(1, weapons=arms), target, {"kind": "melee"}, edition="onepage-2.21"))


@pytest.mark.clause("onepage-3.0", "VDMG-8", "VDMG-12", "RES-11")
@pytest.mark.parametrize("marks", [["immobile"], []])
def test_the_table_of_damage_in_a_melee(marks: list[str]) -> None:
    """Struck first, a vehicle may be Shaken when it strikes back; what the table adds counts as caused and may destroy it."""
    tank = unit(1, quality=5, type="vehicle", rules=["Tough(2)"], marks=marks, weapons=["Tracks (A1)"])
    case = scene(unit(1, quality=3, weapons=["Lance (A1, Piercing)"]), tank, {"kind": "melee", "facing": "rear"}, exchange=True)
    found = odds_of(case, exact=True).exchange
    exchange, first = case.strikes_back()
    law = every_path(exchange(case.game, case.state, case.forms[first:], case.policies))
    assert found is not None
    for pair, chance in found.joint.items():
        assert chance == sum(part for clash, part in law.items() if (clash.kills, clash.losses) == pair)
    assert found.win == sum(part for clash, part in law.items() if clash.edge > 0)
    wounds = Fraction(2, 3) * Fraction(2, 3)
    again = Fraction(2, 6)  # a 5 or a 6, with one wound and two for the rear, is eight or more
    assert sum(part for (kills, _), part in found.joint.items() if kills) == (wounds * again if marks else 0)
