"""Hooks: a rule that nobody would call is refused with its edition; actions are remembered for those who ask."""

from __future__ import annotations

import inspect
import json
import pydoc
from typing import Any

import pytest
from msgspec.structs import replace

import rolloff
from rolloff.editions import registry
from rolloff.oracle.draft import Draft
from rolloff.rules.cards import any_card
from rolloff.rules.hooks import Pace, Special, Spread, overridden
from rolloff.rules.rows import Once
from rolloff.rules.turns import Step
from rolloff.rules.windows import Limit, Moment, Reaction
from tests.rules.drill import TURNS, drill

IDLE = replace(TURNS, turn=(Step("nothing", Once(())),))


class Swift(Special):
    """A rule with a hook."""

    def pace(self, pace: Pace) -> None:
        """Faster."""
        pace.steady += 1


class Braced(Special):
    """Harder to wound after Hold, in every stage of its own."""

    spread = Spread.ALL
    remembers = ("hold",)

    def defend(self, stage: str, draft: Draft, strike: Any) -> None:
        """Plus one to whatever the target rolls."""
        if stage in ("ignore", "block") and strike.target_did("hold"):
            draft.modify(1, *self.clauses)


def test_a_rule_whose_hook_nobody_calls_is_refused() -> None:
    """An edition that calls no `pace` cannot list a rule that changes it; one that does can."""
    edition = drill(IDLE).edition
    with pytest.raises(ValueError, match="'pace', which this edition never calls"):
        replace(edition, specials={"Swift": Swift("DR-1")})
    assert replace(edition, specials={"Swift": Swift("DR-1")}, hooks=frozenset({"pace"})).specials
    assert overridden(Swift("DR-1")) == {"pace"} and overridden(Special()) == frozenset()


def test_a_reaction_at_no_moment_is_refused() -> None:
    """What reacts must react to something the edition declares."""
    rule = Reaction("duck", frozenset({"shot"}), "DR-1", lambda *_: (), lambda *_: None, limit=Limit("game"))
    edition = drill(IDLE, (rule,)).edition
    with pytest.raises(ValueError, match="'shot', which is no moment"):
        replace(edition, moments=())
    assert Moment("shot").name in edition.moments


@pytest.fixture
def braced(monkeypatch: pytest.MonkeyPatch) -> str:
    """One Page with a rule of the target."""
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))
    book = rolloff.edition("onepage-3.0")
    specials = {**book.specials, "Braced": Braced("HOUSE-1")}
    return rolloff.register(replace(book, id="braced", name="Braced", specials=specials, check_card=any_card)).id


def ruled(edition: str, rules: list[str], marks: list[str], do: dict[str, Any], dice: list[int], side: str = "A") -> Any:
    """A gunner and five targets."""
    units = [
        {
            "id": "a1",
            "side": "A",
            "models": [{"id": "a1.1", "at": [10, 10], "weapons": [{"name": "Gun", "range": 24, "A": 2}]}],
        },
        {
            "id": "b1",
            "side": "B",
            "quality": 5,
            "rules": rules,
            "marks": marks,
            "models": [{"id": f"b1.{k}", "at": [10 + 2 * k, 20]} for k in range(1, 6)],
        },
    ]
    case = {"edition": edition, "units": units, "active": side, "do": do, "dice": dice}
    return rolloff.adjudicate(json.dumps(case).encode())


SHOT = {"attack": {"attacker": "a1", "target": "b1", "kind": "shooting", "weapons": "all"}}


@pytest.mark.parametrize(("marks", "fallen"), [([], 2), (["did:hold"], 0)])
def test_a_rule_of_the_target_changes_its_block(braced: str, marks: list[str], fallen: int) -> None:
    """Fours block at Quality 5 only after Hold, and the roll cites the rule."""
    report = ruled(braced, ["Braced"], marks, SHOT, [4, 4, 4, 4])
    assert len(report["attacks"][0]["removed"]) == fallen
    assert ("HOUSE-1" in report["rolls"][1]["clauses"]) == bool(marks)


def test_a_rule_of_the_target_works_in_other_stages_too(braced: str) -> None:
    """Armored ignores hits on a three after Hold with the rule, where it needs a four."""
    report = ruled(braced, ["Braced", "Armored"], ["did:hold"], SHOT, [4, 4, 3, 3])
    assert report["attacks"][0]["removed"] == [] and "HOUSE-1" in report["rolls"][1]["clauses"]


def test_an_action_is_remembered_until_the_next(braced: str) -> None:
    """Hold leaves its mark on a unit whose rule asks for it, and another action takes it away; others have none."""
    held = ruled(braced, ["Braced"], [], {"activate": "b1", "action": "hold"}, [], "B")["after"]["units"][1]["marks"]
    assert "did:hold" in held
    run = {"activate": "b1", "action": "run"}
    assert "did:hold" not in ruled(braced, ["Braced"], ["did:hold"], run, [], "B")["after"]["units"][1]["marks"]
    assert ruled(braced, [], [], {"activate": "b1", "action": "hold"}, [], "B")["after"]["units"][1]["marks"] == ["activated"]


@pytest.mark.parametrize("component", [rolloff.Edition, Reaction, Step, Once], ids=lambda kind: kind.__name__)
def test_components_can_be_asked_for_help(component: type) -> None:
    """Help and signatures show the fields of a component with their types as written, whatever is loaded."""
    assert component.__name__ in pydoc.render_doc(component)
    parameters = inspect.signature(component).parameters
    assert list(parameters) == list(component.__struct_fields__)  # type: ignore[attr-defined]
    assert all(isinstance(parameter.annotation, str) for parameter in parameters.values())
