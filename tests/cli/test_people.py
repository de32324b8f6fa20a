"""What the command line tells people: lists, drawings, sentences, the nearest name; and a name can do nothing to a terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rolloff.cli.common import nearest, safe
from rolloff.cli.listing import What, rows_of
from rolloff.cli.tabletalk import ruling_lines
from rolloff.errors import BadInput
from rolloff.record.lines import load
from rolloff.server.exports import replay_page, report_page
from rolloff.situations.adjudicate import adjudicate
from tests.cli.conftest import Command

NASTY = "[/x]<script>alert(1)</script>\x1b[31m"


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a short game whose units bear names that try to be more than text."""
    from msgspec.structs import replace

    from rolloff.agents import make
    from rolloff.armies import library
    from rolloff.editions import registry
    from rolloff.oracle.dice import Stream, seed_bytes
    from rolloff.record.book import Recorder
    from rolloff.record.session import Session
    from rolloff.rules.game import Game

    edition = registry.edition("onepage-3.0")
    setup = library.setup_for(edition, "compact-patrol", "levy-patrol", "crossing", "", seed=2)
    cards = tuple(replace(card, name=f"{card.name} {NASTY}") for card in setup.cards)
    game = Game(edition, replace(setup, cards=cards, armies=(f"Reds {NASTY}", "Greens")))
    path = tmp_path_factory.mktemp("records") / "nasty.jsonl"
    seed = seed_bytes(2, "game", 0)
    with path.open("wb") as out:
        recorder = Recorder(out, game, seed, ("greedy", "greedy"))
        agents = [make("greedy", Stream(seed_bytes(2, 0, "choices", side)), side) for side in (0, 1)]
        session = Session(game, seed, agents, watch=recorder.step)
        session.advance()
        recorder.end(session.state)
    return path


@pytest.mark.parametrize("what", list(What))
def test_lists_hold_every_name(rolloff: Command, what: What) -> None:
    """Each list has rows of the documented form, and its names are what other commands take."""
    said = rolloff("list", what.value, "--json")
    found = json.loads(said.out)
    assert (said.code, found["schema"], found["what"]) == (0, "rolloff.list/1", what.value)
    assert found["rows"] == rows_of(what)
    assert {tuple(row) for row in found["rows"]} == {("id", "name", "edition", "points", "note")}
    assert all(row["id"] in rolloff("list", what.value).out for row in found["rows"])


def test_a_typo_is_answered_with_the_nearest_name(rolloff: Command) -> None:
    """A name that is not there is refused with the one that is spelt most like it, else with what there is if short."""
    said = rolloff("duel", "random", "greedi", "--json")
    assert said.code == 2
    assert "did you mean 'greedy'?" in json.loads(said.out)["error"]["message"]
    assert nearest(BadInput("x", "no army 'zzz'", allowed="levy-patrol")) == " (allowed: levy-patrol)"
    assert nearest(BadInput("x", "no army 'zzz'", allowed="levy-patrol, " * 20)) == ""


def test_show_draws_the_table_and_names_units(rolloff: Command, record: Path) -> None:
    """A moment of a record is a drawing with a letter for every unit, their names, and the decision as a sentence."""
    said = rolloff("record", "show", str(record), "--at", "60")
    assert said.code == 0
    assert "+----" in said.out and "A1 Shield Captain" in said.out
    assert "{'" not in said.out


def test_names_are_text_at_a_terminal_and_in_files(rolloff: Command, record: Path, tmp_path: Path) -> None:
    """Markup and escapes in names do nothing: no fault, no colour, no element in a page."""
    out = tmp_path / "report.html"
    for command in (("show", str(record), "--at", "60"), ("report", str(record), "--html", str(out)), ("verify", str(record))):
        said = rolloff("record", *command)
        assert (said.code, "\x1b" in said.out) == (0, False)
    assert "<script>alert" not in out.read_text("utf-8")
    page = replay_page(load(record))
    assert "<script>alert" not in page
    assert page.count('id="battle"') == 1
    assert "&lt;script&gt;alert" in report_page(load(record))
    assert safe("a\x1b[31mb\u202e") == "a\ufffd[31mb\ufffd"


def test_a_ruling_is_told_in_sentences() -> None:
    """What a person at a terminal reads of a ruling: the verdict, the dice, what fell, and the answers."""
    raw = Path("docs/examples/shot.json").read_bytes()
    lines = list(ruling_lines(adjudicate(raw)))
    assert lines[0] == "This is legal."
    assert any("rolls hit (4+ needed): 4, 5; 2 succeed" in line for line in lines)
    assert any(line.startswith("distance of ") for line in lines)


def test_a_report_says_who_was_lucky(rolloff: Command, record: Path, tmp_path: Path) -> None:
    """The report counts models felled beside what was to be expected, and is written as a PDF too."""
    said = rolloff("record", "report", str(record), "--pdf", str(tmp_path / "r.pdf"), "--json")
    found = json.loads(said.out)
    assert (said.code, found["schema"]) == (0, "rolloff.report/1")
    assert found["players"][0]["kills"] <= found["players"][1]["lost"]
    assert (tmp_path / "r.pdf").read_bytes().startswith(b"%PDF")


def test_the_nearest_name_is_said_once(rolloff: Command) -> None:
    """A refusal that names the nearest itself is not told to do so again."""
    said = rolloff("odds", "--weapon", 'Rifle (24", A1)', "--target", "line gard").err
    assert said.count("line guard") == 1 and "did you mean" not in said


@pytest.mark.parametrize(
    ("change", "near"),
    [
        ({"attacks": [{"attacker": "a", "target": "b", "visble": True}]}, "visible"),
        ({"policies": {"alocation": "book"}}, "allocation"),
        ({"policies": {"allocation": "bok"}}, "book"),
    ],
)
def test_a_slip_deep_in_a_scenario_is_answered_with_the_nearest_name(
    rolloff: Command, tmp_path: Path, change: dict[str, object], near: str
) -> None:
    """A field of an attack, a policy and one of its choices, each with the name that was meant."""
    body = {"stats": {"T": 4, "Sv": 4, "W": 1}}
    units = [{**body, "id": name, "side": name.upper(), "models": [{"id": f"{name}.1"}]} for name in "ab"]
    file = tmp_path / "slip.json"
    shot = {"attacker": "a", "target": "b"}
    file.write_text(json.dumps({"edition": "commentary-10", "units": units, "attacks": [shot], **change}), encoding="utf-8")
    said = rolloff("odds", "--scenario", file)
    assert said.code == 2 and said.err.strip().endswith(f"did you mean {near!r}?")
