"""Plain attacks, cards and content of other packages: what new editions take from the shared verbs."""

from __future__ import annotations

import json
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

import rolloff
from rolloff.armies import content_files
from rolloff.editions import registry
from rolloff.errors import BadInput, IllegalCommand
from rolloff.files import OFFERS, offered
from rolloff.odds import read_scenario
from rolloff.oracle.calculator import Calculator
from rolloff.rules import verbs as v
from rolloff.situations.depiction import write_situation
from rolloff.situations.forms import SituationForm, fill
from rolloff.situations.situation import read_situation
from tests.oracle.brute import every_path
from tests.toy.skirmish import EDITION

GUN = {"name": "Gun", "range": 18, "A": 2, "skill": 4, "S": 4, "AP": 0, "D": 1, "rules": []}
AXE = {"name": "Axe", "range": "melee", "A": 1, "skill": 4, "S": 4, "AP": 0, "D": 2, "rules": ["Cleave"]}


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy is registered while a test runs."""
    monkeypatch.setattr(registry, "_registered", {**registry._registered, EDITION.id: EDITION})


def case(attack: dict[str, Any], dice: list[int], own: dict[str, int] | None = None, far: float = 12) -> Any:
    """Two gunners and two targets, the first of which may have numbers of its own."""
    stats = {"M": 6, "T": 4, "Sv": 5, "W": 1}
    targets: list[dict[str, Any]] = [{"id": f"b1.{k}", "at": [8 + 2 * k, 10 + far], "weapons": [AXE]} for k in (1, 2)]
    targets[0]["stats"] = own or {}
    gunners = [{"id": f"a1.{k}", "at": [8 + 2 * k, 10], "weapons": [GUN, AXE]} for k in (1, 2)]
    units = [
        {"id": "a1", "side": "A", "stats": stats, "models": gunners},
        {"id": "b1", "side": "B", "stats": stats, "models": targets},
    ]
    do = {"attack": {"attacker": "a1", "target": "b1", **attack}}
    given = {"edition": "skirmish", "units": units, "do": do, "dice": dice}
    return rolloff.adjudicate(json.dumps(given).encode())


def test_like_weapons_fire_together_and_the_fallen_leave() -> None:
    """Four attacks in dice order, attack by attack: two wounds that no save stops remove both models."""
    report = case({"kind": "shooting"}, [4, 4, 1, 1, 6, 4, 2])
    assert report["attacks"][0]["hits"] == 2 and report["attacks"][0]["removed"] == ["b1.1", "b1.2"]


def test_odds_of_blows_and_blows_back_are_those_of_the_fight() -> None:
    """The joint law of an exchange equals every fall of the dice of the blows as they are played."""
    stats = {"M": 6, "T": 4, "Sv": 5, "W": 1}
    units = [
        {
            "id": f"{side}1",
            "side": side.upper(),
            "stats": stats,
            "models": [{"id": f"{side}1.1", "at": [10, y], "weapons": [AXE]}],
        }
        for side, y in (("a", 10), ("b", 11.5))
    ]
    attack = {"attacker": "a1", "target": "b1", "kind": "melee"}
    found = read_scenario(json.dumps({"edition": "skirmish", "units": units, "attacks": [attack]}).encode())
    assert EDITION.sequence is not None and EDITION.sequence.exchange is not None
    step = EDITION.sequence.exchange(found.game, found.state, (v.AttackForm(0, 1, v.MELEE),), {})
    law = dict(Calculator(exact=True).law(step))
    assert law == every_path(step)
    assert {(fight.kills, fight.losses, fight.edge) for fight in law} == {(0, 0, 0), (1, 0, 1), (0, 1, -1)}


def test_a_weapon_that_does_not_reach_stays_silent() -> None:
    """Beyond its range a gun makes no attack, which is refused; in melee only models in contact strike."""
    for attack, far in (({"kind": "shooting", "range": 19}, 12), ({"kind": "melee"}, 6)):
        report = case(attack, [], far=far)
        assert not report["attacks"] and report["refusal"]["code"] == "no-weapon"
    assert case({"kind": "melee"}, [3, 3], far=1.5)["attacks"][0]["attacks"] == 2


def test_a_model_may_have_numbers_of_its_own() -> None:
    """A model with two wounds and a better save takes them; the card of the unit serves the other; JSON keeps both."""
    report = case({"kind": "shooting"}, [4, 4, 2, 1, 1, 1], {"W": 2, "Sv": 3})
    assert report["attacks"][0]["removed"] == []
    assert report["after"]["units"][1]["models"][0]["stats"] == {"W": 2, "Sv": 3}
    read = read_situation(fill({"edition": "skirmish", "units": report["after"]["units"]}, SituationForm))
    assert v.figure(read.game, 2, "W") == 2 and v.figure(read.game, 3, "W") == 1
    assert write_situation(read.game, read.state)["units"][1]["models"][0]["stats"] == {"W": 2, "Sv": 3}


def test_an_attack_without_range_or_places_is_refused() -> None:
    """Odds need a range where nobody stands anywhere."""
    stats = {"M": 6, "T": 4, "Sv": 5, "W": 1}
    units = [
        {"id": id, "side": side, "stats": stats, "models": [{"id": f"{id}.1", "weapons": [GUN]}]}
        for id, side in (("a1", "A"), ("b1", "B"))
    ]
    attack = {"attacker": "a1", "target": "b1", "kind": "shooting"}
    found = read_scenario(json.dumps({"edition": "skirmish", "units": units, "attacks": [attack]}).encode())
    assert EDITION.sequence is not None
    with pytest.raises(BadInput, match="needs a range"):
        EDITION.sequence.plan(found.game, found.state, v.AttackForm(0, 1, v.SHOOTING), {})


def test_cards_are_checked_for_numbers_and_rules() -> None:
    """A missing number and an unknown rule are refused in a sentence; a typo is told the nearest name."""
    model = v.Model("x.1")
    with pytest.raises(BadInput, match="Sv is missing"):
        EDITION.check_card(v.Card("x", 0, (model,), stats={"M": 6, "T": 4, "W": 1}))
    whole = {"M": 6, "T": 4, "W": 1, "Sv": 4}
    with pytest.raises(IllegalCommand, match="did you mean Frenzied"):
        EDITION.check_card(v.Card("x", 0, (model,), stats=whole, rules=(v.Rule("Frenzy"),)))


def test_another_package_offers_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package with the entry point brings lists along; they are found like those of this package."""
    folder = tmp_path / "dale_content" / "dale" / "lists"
    folder.mkdir(parents=True)
    (tmp_path / "dale_content" / "__init__.py").write_text("")
    model = {"count": 2, "weapons": [GUN], "stats": {"W": 3}}
    unit = {"name": "Dalesmen", "points": 40, "stats": {"M": 6, "T": 4, "Sv": 5, "W": 1}, "models": [model]}
    (folder / "dale-guard.json").write_text(
        json.dumps({"name": "Dale Guard", "edition": "skirmish", "points": 100, "units": [unit]})
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    point = EntryPoint("dale", "dale_content", OFFERS)
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [point] if group == OFFERS else [])
    for kept in (offered, content_files.stored_lists, content_files.stored_list):
        kept.cache_clear()
    try:
        assert "dale-guard" in content_files.stored_lists("skirmish")
        card = rolloff.army(EDITION, "dale-guard", 0).cards[0]
        assert card.stat("W", card.models[0]) == 3 and card.stat("W") == 1
    finally:
        monkeypatch.undo()
        for kept in (offered, content_files.stored_lists, content_files.stored_list):
            kept.cache_clear()
