"""What an attack leaves behind: events that cite what they may, states that can be, for every rule by rolled dice."""

from __future__ import annotations

import json

import pytest

from rolloff.editions.compendium.ability import SHOOTING
from rolloff.editions.compendium.edition import EDITION
from rolloff.situations.adjudicate import adjudicate
from tests.compendium.cases import TRIED, kinds_of, samples, situation, targets_of
from tests.compendium.desk import attack, enemy, shoot, unit, weapon


@pytest.mark.parametrize("name", TRIED)
def test_every_rule_is_rolled_and_told(name: str) -> None:
    """Attacks with each rule run to their end; events cite only what their kind may, and nobody has impossible wounds."""
    for rule in samples([name]):
        for kind in kinds_of([rule]):
            for vehicle in targets_of([rule]):
                for seed in range(8):
                    given = situation((rule,), kind, vehicle, 3, "D3", False)
                    form = {"attacker": "a", "target": "b", "kind": kind, "facing": "front", "charged": kind != SHOOTING}
                    form |= {"range": 6, "visible": True, "cover": True} if kind == SHOOTING else {}
                    found = adjudicate(json.dumps({**given, "do": {"attack": form}, "dice": {"seed": seed}}).encode())
                    _check(found)


def _check(found: dict[str, object]) -> None:
    assert found["verdict"] == "legal"
    events, after = found["events"], found["after"]
    assert isinstance(events, list) and isinstance(after, dict)
    for event in events:
        assert set(event["clauses"]) <= EDITION.kinds[event["kind"]].clauses, event
        assert event["clauses"]
    adjudicate(json.dumps(after | {"edition": "compendium"}).encode())


def test_an_answer_may_be_awaited() -> None:
    """Asked to stop where a player must choose, the attack stands at the question, its dice rolled so far told."""
    gun = weapon("gun", rules=["Precision Shots"])
    units = [unit("a1", "A", "TRP", weapons=[gun]), enemy("TRP", 2), unit("b2", "B", "CAP", joined="b1", points=90)]
    found = attack(units, dice=[6, 5], unanswered="stop")
    assert found.verdict == "pending"
    pending = found.json["pending"]
    assert (pending["kind"], pending["default"], pending["options"]) == ("allocate", "b2.1", ["b1.1", "b1.2", "b2.1"])


def test_dice_may_be_named_by_their_roll() -> None:
    """Faces by roll: precise hits take theirs from the To Wound dice, re-rolls from the roll they repeat."""
    gun = weapon("gun", A=2, rules=["Precision Shots", "Twin-linked"])
    found = shoot(gun, enemy("TRP", 3), dice={"hit": [2, 6, 4], "wound": [1, 5], "save": [1]})
    assert (found.row["hits"], found.slain) == (2, 1)


def test_the_facts_of_an_attack() -> None:
    """Attacks, hits, wounds, saves, wounds shrugged off, unsaved ones, mortal ones and damage, each where it belongs."""
    gun = weapon("gun", A=4, rules=["Rending"])
    found = shoot(gun, enemy("TRP", 5, rules=["Feel No Pain(5+)"]), 3, 3, 3, 1, 6, 4, 4, 3, 2, 5, 1, 4, 4)
    facts = found.event("attacked")["facts"]
    report = {name: facts[name] for name in ("attacks", "hits", "wounds", "blocked", "ignored", "unsaved", "mortal", "damage")}
    assert report == {
        "attacks": 4,
        "hits": 3,
        "wounds": 3,
        "blocked": 1,
        "ignored": 1,
        "unsaved": 1,
        "mortal": 1,
        "damage": 2,
    }
    assert found.slain == 2
