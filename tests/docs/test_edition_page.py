"""The edition on the page about editions: it plays, records, rules and computes like any other."""

from __future__ import annotations

import io
import json
from types import ModuleType
from typing import Any

import pytest

import rolloff
from rolloff.cli import run
from rolloff.oracle.calculator import Calculator
from rolloff.oracle.flow import Volley
from rolloff.oracle.roll import Dice
from rolloff.record.lines import parse
from rolloff.record.show import show
from rolloff.record.verify import verify_lines
from rolloff.rules.attack import AttackForm
from rolloff.server.catalogue import Library
from rolloff.server.prompts import clause_json
from tests.conformance import test_editions as conformance
from tests.docs import chits, gullet, lanes
from tests.docs.pages import ROOT, as_module, blocks
from tests.oracle.brute import every_path

Json = dict[str, Any]


@pytest.fixture
def picket() -> ModuleType:
    """The page's module."""
    return as_module("docs/how-to-add-an-edition.md", "rolloff_docs_picket")


@pytest.fixture(params=["picket", "lanes", "chits", "gullet"])
def edition(request: pytest.FixtureRequest, picket: ModuleType) -> rolloff.Edition:
    """The edition of the page, and three written by it."""
    found = {"picket": picket.EDITION, "lanes": lanes.EDITION, "chits": chits.EDITION, "gullet": gullet.EDITION}[request.param]
    assert isinstance(found, rolloff.Edition)
    return rolloff.register(found)


def recorded(edition: rolloff.Edition, seed: int, agent: str) -> tuple[rolloff.Played, bytes]:
    """A game between two of the same opponents, and its record."""
    setup = rolloff.setup_for(edition, rolloff.lists(edition)[0], rolloff.lists(edition)[-1], seed=seed)
    game, dice, out = rolloff.Game(edition, setup), rolloff.seed_bytes(seed, "dice"), io.BytesIO()
    chairs = [rolloff.opponent(agent, rolloff.Stream(rolloff.seed_bytes(seed, side)), side) for side in (0, 1)]
    found = rolloff.play_game(game, dice, chairs, rolloff.Recorder(out, game, dice, (agent, agent)))
    return found, out.getvalue()


@pytest.mark.parametrize("agent", ["random", "closing", "greedy"])
def test_games_end_and_records_verify(edition: rolloff.Edition, agent: str) -> None:
    """Whole games finish, nothing offered is refused, models fall somewhere, and every record is true."""
    fallen = 0
    for seed in range(6):
        played, record = recorded(edition, seed, agent)
        assert played.finished
        assert played.offered_refused == 0
        assert verify_lines(parse(record, "x"), "x").verified
        fallen += played.tally.counts["models_removed"]
    assert fallen


@pytest.mark.parametrize("agent", conformance.AGENTS)
def test_the_conformance_suite_holds(edition: rolloff.Edition, agent: str) -> None:
    """What is asked of every edition of the registry holds for these."""
    conformance.test_plays_to_an_end_by_its_own_account(edition.id, agent)
    conformance.test_events_make_the_state(edition.id, agent)
    conformance.test_records_verify(edition.id, agent)
    conformance.test_the_same_answers_replay(edition.id)
    conformance.test_what_is_offered_is_accepted(edition.id)
    conformance.test_situations_go_through_json(edition.id)
    conformance.test_dice_agree_with_the_odds_of_every_attack(edition.id)
    conformance.test_odds_shown_are_those_of_the_dice(edition.id)
    conformance.test_declared_moments_come_and_limits_end(edition.id)
    conformance.test_reactions_run_out(edition.id)


def test_events_keep_to_what_their_kinds_may_cite(edition: rolloff.Edition) -> None:
    """Each event is of a listed kind and cites only clauses of that kind, all of which the book has."""
    for seed in range(3):
        for line in parse(recorded(edition, seed, "closing")[1], "x"):
            if line.type in ("event", "roll"):
                kind = "rolled" if line.type == "roll" else str(line.get("kind"))
                cites = set(line.get("clauses") or ())
                assert cites
                assert cites <= edition.kinds[kind].clauses
    for listed in edition.kinds.values():
        assert all(clause_json(edition, clause)["text"] for clause in listed.clauses)


def test_what_is_offered_is_accepted_and_nonsense_refused(edition: rolloff.Edition) -> None:
    """At every decision of a game each option is legal, and something else is refused with a clause of the book."""
    lines = parse(recorded(edition, 2, "closing")[1], "x")
    for line in [line for line in lines if line.type == "answer"]:
        shown = show(lines, line.number)
        decision = shown["decision"]
        for option in (*(decision["options"] or ()), "nonsense"):
            given = [*shown["answers"], {"kind": decision["kind"], "value": option}]
            report = rolloff.adjudicate(json.dumps({**shown, "answers": given}).encode())
            if option == "nonsense":
                assert report["verdict"] == "refused"
                assert clause_json(edition, report["refusal"]["clause"])["text"]
            else:
                assert report["verdict"] in ("legal", "pending")


def test_odds_are_every_path_of_the_dice(edition: rolloff.Edition) -> None:
    """The exact law of an attack equals, as rationals, every way its dice can fall."""
    units: list[Json] = []
    for side, army in zip("AB", ("a", "b"), strict=True):
        card = rolloff.army(edition, rolloff.lists(edition)[0], "AB".index(side)).cards[0]
        weapon = card.models[0].weapons[0]
        written = {
            "name": weapon.name,
            "range": (weapon.reach or 0) / 1000,
            "A": str(weapon.attacks),
            "stats": dict(weapon.stats),
        }
        models = [{"id": f"{army}1.{k}", "weapons": [written]} for k in (1, 2)]
        units.append({"id": f"{army}1", "side": side, "stats": dict(card.stats), "models": models})
    from rolloff.odds import read_scenario

    attack = {"attacker": "a1", "target": "b1", "kind": "shooting", "range": 8}
    found = read_scenario(json.dumps({"edition": edition.id, "units": units, "attacks": [attack]}).encode())
    assert edition.sequence is not None
    plan = edition.sequence.plan(found.game, found.state, AttackForm(0, 1, "shooting", range=8_000), {})

    def lost(dice: Dice, volleys: tuple[Volley, ...], target: Any) -> int:
        return int(target.kills(dice.volley(volleys, target, target.start()).state))

    law = Calculator(exact=True).law(lost, plan.volleys, plan.target)
    assert dict(law) == every_path(lost, plan.volleys, plan.target)
    assert law.chance(lambda kills: kills > 0) > 0


def test_the_page_offers_it(edition: rolloff.Edition) -> None:
    """Whoever sets up a battle in the browser finds the edition with its armies, and a battle can be laid out."""
    offer = next(row for row in Library().offers()["editions"] if row["id"] == edition.id)
    assert [army["id"] for army in offer["armies"]] == sorted(rolloff.lists(edition))


def case(do: Json, dice: list[object], marks: list[str], answers: list[Json] | None = None, gun: str = "Rifle") -> Json:
    """One rifleman before two, as the page's edition rules it."""
    rifle = {"name": "Rifle", "range": 24, "A": 1, "skill": 4, "rules": []}
    rolled_by = {"name": "Fire thrower", "range": 8, "A": 1, "skill": 4, "rules": ["Flame"]}
    stats = {"Move": 6, "Armour": 5, "Wounds": 1}
    near = 20 if gun == "Rifle" else 15
    units = [
        {"id": id, "side": side, "stats": stats, "marks": marks if side == "B" else [], "models": models}
        for id, side, models in (
            ("a1", "A", [{"id": "a1.1", "at": [10, 10], "weapons": [rifle if gun == "Rifle" else rolled_by]}]),
            ("b1", "B", [{"id": f"b1.{k}", "at": [10, near + 1.5 * k], "weapons": [rifle]} for k in (0, 1)]),
        )
    ]
    given = {"edition": "picket", "units": units, "do": do, "dice": dice, "answers": answers or []}
    return rolloff.adjudicate(json.dumps(given).encode())


def test_return_fire_is_asked_of_the_other_side_and_once(picket: ModuleType) -> None:
    """The unit that was fired at may answer in the enemy's turn; with its limit spent it is not asked again."""
    rolloff.register(picket.EDITION)
    answered = case({"activate": "a1"}, [4, 1, 4, 3], [])
    assert [attack["attacker"] for attack in answered["attacks"]] == ["a1", "b1"]
    assert answered["after"]["units"][0]["where"] == "destroyed"
    assert [attack["attacker"] for attack in case({"activate": "a1"}, [4, 1], ["used:Return fire"])["attacks"]] == ["a1"]


def test_a_template_hits_whoever_is_under_it(picket: ModuleType) -> None:
    """The teardrop is laid over both models in a row, without a roll to hit; each may stop it."""
    rolloff.register(picket.EDITION)
    report = case({"activate": "a1"}, [1, 2], ["used:Return fire"], gun="Fire thrower")
    assert report["attacks"][0]["removed"] == ["b1.0", "b1.1"]


def test_the_page_s_edition_is_short(picket: ModuleType) -> None:
    """The how-to's edition has at most 250 lines, the phase toy at most 200."""
    page = "".join(blocks("docs/how-to-add-an-edition.md", "python")).split("from rolloff import Match")[0]
    assert len(page.splitlines()) <= 250
    assert len((ROOT / "tests/toy/skirmish.py").read_text("utf-8").splitlines()) <= 200


def test_installed_clauses_are_found(picket: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    """`rolloff rules` reads the clauses an edition from elsewhere brings along."""
    rolloff.register(picket.EDITION)
    assert run(["rules", "--edition", "picket", "PK-7"]) == 0
    assert "return the fire" in capsys.readouterr().out
