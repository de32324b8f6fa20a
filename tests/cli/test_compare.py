"""`rolloff odds compare` and `rolloff odds sweep` as people and programs use them."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import msgspec
import pytest

from rolloff.cli.heat import RAMP, colour, heat_table, sparkline
from rolloff.cli.schema import schema_of
from rolloff.cli.sweep import NAMES
from rolloff.odds.sweeps import KNOWN
from tests.cli.conftest import Command
from tests.odds.test_lineup import front

ARMIES = ("--army-a", "levy-patrol", "--army-b", "compact-patrol")
GUN = ("--weapon", 'Rifle (24", A1)')


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Two attackers and two targets, twelve inches apart."""
    path = tmp_path / "front.json"
    path.write_bytes(front({"attacker": "rifles", "target": "mob", "range": 12, "cover": False}))
    return path


def test_comparisons_fit_their_schema(rolloff: Command, file: Path) -> None:
    """Rows are attackers and columns targets, from a file and from armies; null stands where nobody can attack."""
    said = rolloff("odds", "compare", "--scenario", file, "--json")
    assert said.code == 0 and said.err == ""
    jsonschema.validate(said.json, schema_of("odds-compare"))
    assert said.json["kills"][0][0] == pytest.approx(5 / 3, abs=1e-3) and said.json["kills"][1] == [None, None]
    assert said.json["return"][0][0] == pytest.approx(said.json["kills"][0][0] / 10)
    report = rolloff("odds", "compare", *ARMIES, "--range", 18, "--cover", "--json")
    jsonschema.validate(report.json, schema_of("odds-compare"))
    assert len(report.json["kills"]) == len(report.json["attackers"])


def test_a_rule_nobody_knows_may_be_left_out_of_a_comparison(rolloff: Command, tmp_path: Path) -> None:
    """Refused by itself; with the option it is left out and named, in text and in JSON, of files and of profiles."""
    path = tmp_path / "strange.json"
    raw = front({"attacker": "rifles", "target": "mob", "range": 12, "cover": False})
    unit = msgspec.json.decode(raw)
    unit["units"][0]["rules"] = ["Zither Choir"]
    path.write_bytes(msgspec.json.encode(unit))
    assert rolloff("odds", "compare", "--scenario", path).code == 2
    said = rolloff("odds", "compare", "--scenario", path, "--ignore-unknown", "--json")
    jsonschema.validate(said.json, schema_of("odds-compare"))
    assert [note["from"] for note in said.json["notes"]] == ["Zither Choir"]
    assert "Zither Choir" in rolloff("odds", "compare", "--scenario", path, "--ignore-unknown").out
    own = tmp_path / "own.json"
    own.write_text('{"odd": {"models": 2, "rules": ["Zither Choir"], "weapons": ["Rifle (24\\", A1)"]}}')
    asked = ("odds", "compare", "--profiles", own, "--attacker", "odd", "--target", "line guard")
    assert rolloff(*asked).code == 2
    assert "Zither Choir" in rolloff(*asked, "--ignore-unknown").out


def test_a_map_is_plain_digits_in_a_pipe(rolloff: Command, file: Path) -> None:
    """Without a terminal there are no colours; numbers, chances and returns stand in rows."""
    said = rolloff("odds", "compare", "--scenario", file)
    assert "\x1b" not in said.out
    rows = [line.split() for line in said.out.splitlines() if line.startswith("rifles")]
    assert [row[1] for row in rows] == ["1.67", "0%", "0.17"]
    assert any(line.split() == ["axes", "-", "-"] for line in said.out.splitlines())
    melee = rolloff("odds", "compare", "--scenario", file, "--melee")
    assert any(line.split()[:2] == ["axes", "2.00"] for line in melee.out.splitlines())


def test_a_map_has_colours_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells are coloured by their size, from the first colour of the ramp to the last, unless nobody wants colours."""
    from rich.console import Console

    def drawn() -> str:
        console = Console(force_terminal=True, color_system="truecolor", width=60)
        with console.capture() as found:
            console.print(heat_table(["a"], ["x", "y", "z"], [[0.0, 2.0, None]], "{:.1f}".format))
        return found.get()

    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "48;2;68;1;84" in drawn() and "48;2;253;231;37" in drawn()
    monkeypatch.setenv("NO_COLOR", "1")
    assert "48;2" not in drawn() and "2.0" in drawn()
    assert (colour(-1), colour(2)) == (RAMP[0], RAMP[-1])
    assert sparkline([0, 1, None, 2]) == "▁▅ █"


def test_sweeps_fit_their_schema(rolloff: Command, file: Path) -> None:
    """A row for each value; one the rules refuse says why; rationals where they are asked for."""
    said = rolloff("odds", "sweep", "range=12..36/12", "--scenario", file, "--json")
    assert said.code == 0 and said.err == ""
    jsonschema.validate(said.json, schema_of("sweep"))
    assert [row["value"] for row in said.json["rows"]] == [12, 24, 36]
    assert said.json["rows"][2]["kills"] is None and "range" in said.json["rows"][2]["why"]
    exact = rolloff("odds", "sweep", "cover", *GUN, "--exact", "--json")
    jsonschema.validate(exact.json, schema_of("sweep"))
    assert [row["kills_summary"]["mean"] for row in exact.json["rows"]] == ["1/4", "1/6"]


def test_people_read_a_sweep_as_a_table_and_a_line(rolloff: Command) -> None:
    """Each value has its kills, what is likely, the chance to destroy and a bar; below is a line of small bars."""
    said = rolloff("odds", "sweep", "models=1..4", *GUN)
    assert [line.split()[:2] for line in said.out.splitlines() if "█" in line][:2] == [["1", "0.250"], ["2", "0.500"]]
    assert "kills ▃▅▆█" in said.out and "\x1b" not in said.out


@pytest.mark.parametrize(
    ("args", "named"),
    [
        (("compare",), "--scenario"),
        (("compare", "--army-a", "levy-patrol"), "--army-b"),
        (("compare", "--army-a", "nobody", "--army-b", "levy-patrol"), "nobody"),
        (("compare", "--scenario", "none.json"), "none.json"),
        (("compare", *ARMIES, "--edition", "chess"), "chess"),
        (("compare", *ARMIES, "--plot", "map.txt"), "map.txt"),
        (("sweep", "colour", *GUN), "target-quality"),
        (("sweep", "range=far", *GUN), "far"),
        (("sweep", "range=3"), "--scenario"),
        (("sweep", "quality=7", *GUN), "Quality 7"),
    ],
)
def test_bad_input_is_one_sentence(rolloff: Command, args: tuple[str, ...], named: str) -> None:
    """What cannot be used is named in a sentence, with exit code 2 and an error object where JSON is wanted."""
    said = rolloff("odds", *args, "--json")
    assert said.code == 2 and named in said.err and len(said.err.splitlines()) == 1
    jsonschema.validate(said.json, schema_of("error"))


def test_pictures_are_drawn(rolloff: Command, file: Path) -> None:
    """Maps and sweeps go to PNG and SVG files."""
    pytest.importorskip("matplotlib")
    for name, args in (("map.png", ("compare", "--scenario", file)), ("sweep.svg", ("sweep", "models=1..3", *GUN))):
        picture = file.with_name(name)
        assert rolloff("odds", *args, "--plot", picture).code == 0
        assert picture.stat().st_size > 2000
    assert rolloff("odds", "sweep", "cover", *GUN, "--plot", file.with_name("cover.png")).code == 0


def test_the_help_names_what_can_be_swept(rolloff: Command) -> None:
    """Every parameter stands in the help, as in the refusal of another."""
    assert NAMES == KNOWN
    said = rolloff("odds", "sweep", "--help").out
    assert all(name in "".join(said.split()) for name in KNOWN.split(", "))
    assert "rolloff odds compare --army-a" in rolloff("odds", "compare", "--help").out
