"""What words of the rulebook mean where they decide something: dice, saves, shots, targets, units and their armies."""

from __future__ import annotations

from typing import Any

import pytest

from rolloff.oracle.dice import SeededDice
from rolloff.oracle.oracle import Defaults, Oracle
from rolloff.rules.dice_words import HIGHEST, LOWEST, discarding, highest, is_double, is_triple, lowest
from rolloff.rules.play import Play
from tests.commentary.desk import Json, gun, shoot, situation, squad
from tests.commentary.test_phases import asked, marks, row, rule
from tests.commentary.test_timing import MANDATE, TIDE, at, react

# -- dice ------------------------------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "DICE-3", "MODROLL-1")
def test_unmodified_is_after_rerolls_and_before_modifiers() -> None:
    """With -1 to hit a natural 6 is critical and a natural 2 no 1 to be re-rolled; what was re-rolled to a 6 is critical."""
    units = [
        squad("a1", "A", 1, gun("Sustained Hits 1"), rules=["Re-roll Hits(ones)"]),
        squad("b1", "B", 5, rules=["To Be Hit(-1)"]),
    ]
    assert shoot(units, [6, 1, 1]).attack["hits"] == 2
    assert shoot(units, [1, 6, 1, 1]).attack["hits"] == 2
    missed = shoot(units, [2])
    assert missed.attack["hits"] == 0 and missed.json["rolls"][0]["rerolls"] == []
    assert (
        shoot([squad("a1", "A", 1, gun("Sustained Hits 1"), rules=["To Hit(+1)"]), squad("b1", "B", 5)], [5, 1]).attack["hits"]
        == 1
    )


@pytest.mark.clause("commentary-10", "DOUBLE-1", "TRIPLE-1")
def test_doubles_and_triples() -> None:
    """Two dice alike are a double, three a triple, whatever else lies there."""
    assert is_double((3, 5, 3)) and not is_double((1, 2, 3)) and is_double((4, 4, 4))
    assert is_triple((4, 4, 1, 4)) and not is_triple((4, 4, 1))


def desk(answers: list[str]) -> Play:
    """A play whose players give some answers, one after the other, and note who was asked."""

    class Says(Defaults):
        """Gives the answers."""

        def choose(self, request: Any, play: Any) -> object:
            answers.append(f"asked {request.who} {request.kind}")
            return answers.pop(0)

    found = situation([squad("a1", "A"), squad("b1", "B")])
    play = Play(found.game, found.state, Oracle(SeededDice(b""), Says()))
    play.rolled_by = 1
    return play


@pytest.mark.clause("commentary-10", "HILO-1", "HILO-2", "DISCARD-1")
def test_who_designates_a_die() -> None:
    """Of dice that tie the active player designates the highest or the lowest; the roller orders several discards."""
    said = ["3", "2"]
    play = desk(said)
    assert highest(play, (1, 5, 5)) == 2 and lowest(play, (2, 2, 6)) == 1
    assert said == ["asked 0 choose-option", "asked 0 choose-option"]
    assert highest(play, (1, 5, 2)) == 1 and lowest(play, (3, 5, 1)) == 2
    said[:] = [LOWEST]
    assert discarding(play, (1, 3, 6), (HIGHEST, LOWEST)) == (3,)
    assert said == ["asked 1 order"]


@pytest.mark.clause("commentary-10", "DISCARD-1", "DISCARD-2", "DOUBLE-1", "TRIPLE-1", "HILO-2", "PILEIN-6")
def test_a_headlong_charge() -> None:
    """STR-T1: 3D6 less the lowest; only a double among the dice left, also of three alike, lengthens the pile-in."""
    units = [squad("a1", "A", 1, at=[(10, 10)], keywords=["BEASTS", *TIDE], M=6), squad("b1", "B", 1, at=[(17, 10)], M=6)]
    do = {"phase": "charge", "unit": "a1", "action": "charge"}
    for dice, got_there, longer in (
        ([1, 4, 4], True, True),
        ([2, 2, 5], True, False),
        ([3, 3, 3], True, True),
        ([1, 1, 3], False, False),
    ):
        found = rule(units, do, dice, answers=[at("b1"), react("Headlong Surge a1")], sides={"A": {"cp": 1}})
        assert found.verdict == "legal" and ("charged" in marks(found, "a1")) is got_there, dice
        assert ("grant:Pile-in(+1)" in marks(found, "a1")) is longer, dice


# -- values ----------------------------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "BETTER-4")
def test_three_or_better_includes_three() -> None:
    """DV-2: in cover Sv 3+ against AP 0 is saved on a 3 but not on a 2; Sv 4+ is saved on a 3."""
    for save, die, blocked in ((3, 2, 0), (3, 3, 1), (4, 3, 1), (4, 2, 0)):
        found = shoot([squad("a1", "A", 1, gun("Torrent", S=8)), squad("b1", "B", 1, Sv=save)], [6, die], cover=True)
        assert found.attack["blocked"] == blocked


@pytest.mark.clause("commentary-10", "USV-1")
def test_the_save_of_a_unit() -> None:
    """The most common among its models; where two tie the better is taken."""
    own: list[Json] = [{"rules": ["Sv 3+"]}, {}, {}, {"rules": ["Sv 3+"]}]
    assert asked(
        [squad("a1", "A", 3, Sv=4, own=own[:3], at=row(3, 10)), squad("b1", "B", at=[(20, 20)])], {"value": ["a1", "Sv"]}
    ) == [{"value": 4}]
    assert asked(
        [squad("a1", "A", 4, Sv=4, own=own, at=row(4, 10)), squad("b1", "B", at=[(20, 20)])], {"value": ["a1", "Sv"]}
    ) == [{"value": 3}]


# -- attacks ---------------------------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "ATTR-2", "FIRING-1")
def test_what_modifies_one_attack_changes_no_other() -> None:
    """Of two models with the same gun the one within half range fires twice; what changes the rolls of one changes no other."""
    units = [squad("a1", "A", 2, gun("Rapid Fire 1"), at=[(10, 10), (8, 10)]), squad("b1", "B", 1, at=[(23, 10)], W=9)]
    assert shoot(units, [1, 1, 1]).attack["attacks"] == 3
    unsteady = squad("a1", "A", 2, gun(), own=[{"rules": ["To Hit(-1)"]}], at=[(10, 10), (8, 10)])
    assert shoot([unsteady, units[1]], [1, 1]).needs("hit") == [4, 3]


@pytest.mark.clause("commentary-10", "SAVED-1", "SUFFER-1", "AGAINST-1")
def test_saved_and_suffered() -> None:
    """A saved attack does no damage; damage is suffered also where Feel No Pain keeps the wound."""
    units = [squad("a1", "A", 1, gun("Torrent", A=2, S=8, D=2)), squad("b1", "B", 1, Sv=4, W=5, FNP=5)]
    found = shoot(units, [6, 4, 6, 1, 5, 1])
    facts = found.event("attacked")["facts"]
    assert (facts["blocked"], facts["suffered"], facts["damage"], facts["ignored"]) == (1, 2, 1, 1)
    assert found.wounds("b1") == [1]


@pytest.mark.clause("commentary-10", "SHOOT-3", "TARGET-1")
def test_one_weapon_one_target() -> None:
    """Different weapons of a model may have different targets; one that was given a target is not offered again."""
    units = [
        squad("a1", "A", 1, gun(name="one"), gun(name="two"), at=[(10, 10)]),
        squad("b1", "B", 1, at=[(20, 10)]),
        squad("b2", "B", 1, at=[(20, 15)]),
    ]
    do = {"phase": "shooting", "unit": "a1"}
    first = {"kind": "assign-weapons", "value": [["a1.1", 0]]}
    found = rule(units, do, [1, 1], answers=[at("b1"), first, at("b2")])
    shots = [(event["facts"]["target"], event["facts"]["weapons"]) for event in found.events if event["kind"] == "shot"]
    assert shots == [("b1", ["one"]), ("b2", ["two"])]


@pytest.mark.clause("commentary-10", "SHOOT-5")
def test_declared_shots_are_fired() -> None:
    """The end of the first target destroys all of the second that was in range: the shots at it are resolved all the same."""
    units = [
        squad(
            "a1", "A", 1, gun("Torrent", S=9, D=9, range=10, name="one"), gun("Torrent", range=10, name="two"), at=[(10, 10)]
        ),
        squad("b1", "B", 1, at=[(18.5, 10)], rules=["Deadly Demise 1"]),
        squad("b2", "B", 2, at=[(20, 12), (26, 12)]),
    ]
    do = {"phase": "shooting", "unit": "a1"}
    answers = [at("b1"), {"kind": "assign-weapons", "value": [["a1.1", 0]]}, at("b2"), {"kind": "allocate", "value": "b2.1"}]
    found = rule(units, do, [6, 6, 6], answers=answers)
    assert found.verdict == "legal" and found.dead() == ["b2.1", "b1.1", "b2.2"]


@pytest.mark.clause("commentary-10", "DEST-1")
def test_who_is_destroyed_attacks_no_more() -> None:
    """The end of the first target destroys the firer itself: the shots it had left are not fired."""
    units = [
        squad("a1", "A", 1, gun("Torrent", S=9, D=9, name="one"), gun("Torrent", name="two"), at=[(10, 10)]),
        squad("b1", "B", 1, at=[(15, 10)], rules=["Deadly Demise 1"]),
        squad("b2", "B", 1, at=[(30, 12)]),
    ]
    answers = [at("b1"), {"kind": "assign-weapons", "value": [["a1.1", 0]]}, at("b2")]
    found = rule(units, {"phase": "shooting", "unit": "a1"}, [6, 6], answers=answers)
    assert found.verdict == "legal" and sorted(found.dead()) == ["a1.1", "b1.1"]


@pytest.mark.clause("commentary-10", "SINGLE-1")
def test_a_model_that_shoots_at_a_single_target() -> None:
    """STR-M5: Damage rolls of a model that fires at one unit may be re-rolled, also if another model fires elsewhere."""
    words = ["VEHICLE", *MANDATE]
    big = gun("Torrent", S=9, D="D6", name="big")
    units = [
        squad("a1", "A", 2, big, at=[(10, 10), (10, 13)], keywords=words),
        squad("b1", "B", 1, at=[(20, 10)], W=9),
        squad("b2", "B", 1, at=[(20, 15)], W=9),
    ]
    do = {"phase": "shooting", "unit": "a1"}
    one = {"kind": "assign-weapons", "value": [["a1.1", 0]]}
    answers = [react("Breech Discipline a1"), at("b1"), one, at("b2")]
    found = rule(units, do, [6, 1, 6, 6, 6], answers=answers, sides={"A": {"cp": 1}})
    assert found.verdict == "legal" and found.wounds("b1") == [6]
    double = [squad("a1", "A", 1, big, {**big, "name": "other"}, at=[(10, 10)], keywords=words), *units[1:]]
    split = rule(double, do, [6, 1, 6, 6], answers=answers, sides={"A": {"cp": 1}})
    assert split.verdict == "legal" and split.wounds("b1") == [1]


@pytest.mark.clause("commentary-10", "KEYW-4", "PRIO-1")
def test_a_rule_for_models_with_a_keyword() -> None:
    """A failed Hazardous test destroys a Bodyguard model, although a CHARACTER of the unit would only suffer wounds."""
    guard = squad("a1", "A", 2, gun("Hazardous", skill=6), W=4)
    boss = squad("x", "A", 1, keywords=["CHARACTER"], W=4, leading="a1")
    found = shoot([guard, squad("b1", "B"), boss], [1, 1, 1, 6])
    assert found.verdict == "legal" and len(found.dead()) == 1


@pytest.mark.clause("commentary-10", "TARGET-2", "CHARGE-3")
def test_targets_of_a_charge() -> None:
    """Each target a charge was declared at is named, and nobody else."""
    units = [
        squad("a1", "A", 1, at=[(10, 10)], M=6),
        squad("b1", "B", 1, at=[(15, 10)], M=6),
        squad("b2", "B", 1, at=[(15, 11.5)], M=6),
    ]
    answers = [at("b1"), at("b2"), {"kind": "choose-target", "value": "pass"}]
    found = rule(units, {"phase": "charge", "unit": "a1", "action": "charge"}, [6, 6], answers=answers[:2])
    assert found.event("charge-declared")["facts"]["targets"] == ["b1", "b2"]
    alone = rule(units, {"phase": "charge", "unit": "a1", "action": "charge"}, [6, 6], answers=[at("b1"), answers[2]])
    assert alone.event("charge-declared")["facts"]["targets"] == ["b1"]
