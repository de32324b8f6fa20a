"""`rolloff odds` by the interface: its JSON, its refusals, its limits, and the examples of its documentation."""

from __future__ import annotations

import doctest
import json
import shlex
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest

from rolloff.cli import run
from rolloff.cli.shapes import SHAPES
from rolloff.errors import BadInput
from rolloff.odds import attack

DOCS = Path(__file__).parents[2] / "docs"
Json = dict[str, Any]


def written(**more: Any) -> Json:
    """A scenario: two rifles at three models."""
    rifles = [{"id": f"a.{k}", "weapons": ['Rifle (24", A1)']} for k in range(2)]
    units = [
        {"id": "a", "side": "A", "quality": 4, "models": rifles},
        {"id": "b", "side": "B", "quality": 5, "models": [{"id": f"b.{k}"} for k in range(3)]},
    ]
    attacks = [{"attacker": "a", "target": "b", "range": 10, "cover": False}]
    return {"edition": "onepage-3.0", "units": units, "attacks": attacks, **more}


def said(capsys: pytest.CaptureFixture[str], tmp_path: Path, scenario: Any, *flags: str) -> tuple[int, Json, str]:
    """What the command says of a scenario."""
    file = tmp_path / "scenario.json"
    file.write_text(json.dumps(scenario))
    code = run(["odds", "--scenario", str(file), "--json", *flags])
    out = capsys.readouterr()
    return code, json.loads(out.out), out.err


def test_the_output_fits_its_schema(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Floats and rationals have the shape of the interface, and agree."""
    code, floats, _ = said(capsys, tmp_path, written())
    _, exact, _ = said(capsys, tmp_path, written(), "--exact")
    assert code == 0 and next(iter(floats)) == "schema"
    for found in (floats, exact):
        msgspec.convert(found, SHAPES["odds"])
    near, true = floats["results"][0], exact["results"][0]
    assert true["kills"] == ["4/9", "4/9", "1/9"]
    assert near["kills"] == pytest.approx([float(Fraction(chance)) for chance in true["kills"]], rel=1e-12)
    assert true["kills_summary"] == {"mean": "2/3", "median": 1, "p10": 0, "p90": 2, "at_least": ["1/1", "5/9", "1/9"]}
    assert exact["targets"]["b"]["morale"] == {"none": "8/9", "passed": "1/27", "pinned": "2/27", "routed": "0/1"}
    assert exact["exchange"] is None


def _with(place: str, value: Any) -> Json:
    case = written()
    if place == "quality":
        case["units"][0]["quality"] = value
    elif place == "weapon":
        case["units"][0]["models"][0]["weapons"] = [value]
    else:
        case[place] = value
    return case


@pytest.mark.parametrize(
    ("place", "value", "named"),
    [
        ("attacks", [], "attacks"),
        ("weapon", 'Rifle (24", A0)', "weapons[0]"),
        ("quality", 1, "Quality 1"),
        ("quality", 7, "Quality 7"),
        ("quality", "four", "quality"),
        ("weapon", 'Rifle (24", A1, Deadly)', "Deadly"),
        ("colour", "red", "colour"),
        ("policies", {"piercing": "worst"}, "policies.piercing"),
        ("exchange", True, "exchange"),
    ],
)
def test_bad_input_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path, place: str, value: Any, named: str) -> None:
    """What cannot be used is refused with a sentence that names the field, and nothing else."""
    code, found, sentence = said(capsys, tmp_path, _with(place, value))
    assert code == 2
    assert named in found["error"]["message"]
    clause = found["error"].get("clause")
    assert sentence.strip() == found["error"]["message"] + (f" [{clause}]" if clause else "")


def test_ten_thousand_attacks_are_answered(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Very many attacks are computed like few."""
    code, found, _ = said(capsys, tmp_path, _with("weapon", 'Rifle (24", A9999, Linked)'))
    assert code == 0
    assert found["results"][0]["destroyed"] == pytest.approx(1)
    assert sum(found["results"][0]["wasted"]) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(("page", "examples"), [("odds.md", 9), ("onepage.md", 6)])
def test_the_documentation_holds(page: str, examples: int) -> None:
    """Every example of the pages about odds gives what it says."""
    failed, tried = doctest.testfile(str(DOCS / page), module_relative=False)
    assert tried >= examples and failed == 0


@pytest.mark.parametrize("weapon", ["Rifle", 'Rifle (30", A1)', '{"name": "Rifle", "range": 30, "A": 1}'])
def test_a_weapon_takes_another_number_of_attacks(capsys: pytest.CaptureFixture[str], weapon: str) -> None:
    """A name of the tables, a line or an object: ``--attacks`` counts for each."""
    assert run(["odds", "--weapon", weapon, "--attacks", "7", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["results"][0]["attacks"] == [0.0] * 7 + [1.0]


@pytest.mark.parametrize(
    ("more", "named"),
    [
        (["--range", "nan"], "range: nan"),
        (["--range", "inf"], "range: inf"),
        (["--attacks", "3"], "--weapon"),
        (["--switch", "devastating_wounds_spill=maybe"], "'maybe'"),
        (["--switch", "devastating_wounds_spill"], "devastating_wounds_spill"),
    ],
)
def test_an_option_that_cannot_be_used_is_not_passed_over(
    capsys: pytest.CaptureFixture[str], more: list[str], named: str
) -> None:
    """A distance that is no number, attacks of no weapon and a reading that is neither true nor false are refused."""
    question = ["--edition", "commentary-10", "--attacker", "line guard", "--target", "great beast", *more]
    for command in (["odds"], ["odds", "sweep", "cover"]):
        assert run([*command, *question]) == 2
        assert named in capsys.readouterr().err


def test_a_distance_from_python_is_a_number() -> None:
    """JSON has no NaN: it would be read as a distance that is left open, so it is refused before."""
    with pytest.raises(BadInput, match="range: nan"):
        attack("line guard", "great beast", edition="commentary-10", range=float("nan"))


def test_every_line_of_the_help_works_as_it_stands(capsys: pytest.CaptureFixture[str]) -> None:
    """Each example is copied from the help and run; there is one for every edition that has odds."""
    assert run(["odds", "--help"]) == 0
    lines = [line.strip() for line in capsys.readouterr().out.splitlines() if line.strip().startswith("rolloff odds --")]
    named = {words[words.index("--edition") + 1] for line in lines if "--edition" in (words := shlex.split(line))}
    assert named == {"onepage-2.21", "apocalypse-3.3", "commentary-10", "compendium"}
    for line in lines:
        assert run(shlex.split(line)[1:]) == 0, line
        assert "destroyed" in capsys.readouterr().out


DEVASTATING = 'Gun 24" 2 3+ 4 -1 3 [DEVASTATING WOUNDS, HAZARDOUS, ZAP]'


def test_the_text_tells_what_json_does(capsys: pytest.CaptureFixture[str]) -> None:
    """Mortal wounds, own losses, every morale word even at 0, what was left out, and the switch for a reading."""
    question = ["odds", "--edition", "commentary-10", "--attacker", "line guard", "--weapon", DEVASTATING, "--models", "2"]
    question += ["--target", "levy rifles", "--target-models", "4", "--ignore-unknown"]
    assert run(question) == 0
    text = capsys.readouterr().out
    for part in ("mortal wounds", "own losses    mean 0.333", "passed", "battle-shocked", "'ZAP' left out"):
        assert part in text
    assert "mortal wounds spill over to other models; --switch devastating_wounds_spill=false" in text
    assert "on critical: instead (WPN-15)" in text and "None" not in text
    assert run([*question, "--switch", "devastating_wounds_spill=false"]) == 0
    other = capsys.readouterr().out
    assert "stay on one model" in other and other != text
    assert run(["odds", "sweep", "models=1..2", *question[1:], "--json"]) == 0
    assert any(note["from"] == "ZAP" and note["to"] is None for note in json.loads(capsys.readouterr().out)["notes"])


@pytest.mark.parametrize("flags", [(), ("--json",)])
def test_an_unknown_rule_is_refused_with_nearest_and_allowed_in_text_and_json(
    capsys: pytest.CaptureFixture[str], flags: tuple[str, ...]
) -> None:
    """The sentence on standard error names the nearest ability and all a weapon may have; JSON has them as a field."""
    weapon = 'Gun 24" 2 3+ 4 -1 1 [LEATHAL HITS]'
    asked = ["odds", "--edition", "commentary-10", "--attacker", "line guard", "--weapon", weapon, "--target", "levy rifles"]
    assert run([*asked, *flags]) == 2
    out = capsys.readouterr()
    assert "the nearest is Lethal Hits" in out.err and "Sustained Hits" in out.err and "Feel No Pain" not in out.err
    if flags:
        assert json.loads(out.out)["error"]["allowed"].startswith("Lethal Hits, ")
