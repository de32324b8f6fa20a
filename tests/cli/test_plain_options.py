"""Questions about odds that are asked plainly are answered without Typer, and no otherwise."""

from __future__ import annotations

import subprocess
import sys

import pytest

from rolloff.cli import run
from rolloff.cli.application import call
from rolloff.cli.odds import odds
from rolloff.cli.plain_options import read_plain
from rolloff.errors import BadInput

RIFLE = ("--weapon", 'Rifle (24", A1)')


@pytest.mark.parametrize(
    "args",
    [
        (*RIFLE, "--range", "12.5", "--cover", "--target-models", "7", "--target-rules", "Armored", "--exact"),
        (*RIFLE, "--models", "5", "--edition", "onepage-2.21", "--json"),
        ("--attacker", "ember lances", "--target", "gun carriage", "--edition", "compendium", "--facing", "side"),
        ("--weapon", "Axe (A2)", "--melee", "--charged", "--exchange", "--quality", "3", "--target-quality", "5"),
        ("--attacker", "nobody of that name", "--target", "line guard"),
    ],
)
def test_a_plain_question_is_answered_as_the_application_answers_it(
    args: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """The same words on standard output, or the same refusal, whichever way the options were read."""
    assert read_plain(odds, args) is not None
    code = run(["odds", *args])
    plainly = capsys.readouterr()
    if code:
        with pytest.raises(BadInput, match=plainly.err.partition(" (")[0]):
            call(["odds", *args])
    else:
        assert call(["odds", *args]) == 0
    assert capsys.readouterr().out == plainly.out


@pytest.mark.parametrize(
    "args",
    [
        (),
        ("--help",),
        ("sweep", "range"),
        ("--weapon",),
        ("--weapon=Rifle",),
        (*RIFLE, "--models", "0"),
        (*RIFLE, "--models", "501"),
        (*RIFLE, "--models", "two"),
        (*RIFLE, "--range", "-3"),
        (*RIFLE, "--range", "nan"),
        (*RIFLE, "--rules", "--cover"),
        (*RIFLE, "--cover", "--cover"),
        (*RIFLE, "--no-cover"),
    ],
)
def test_whatever_is_not_plain_is_left_to_typer(args: tuple[str, ...]) -> None:
    """Help, commands below, values out of bounds and options nobody knows are not read here."""
    assert read_plain(odds, args) is None


def test_every_option_keeps_its_default() -> None:
    """An option that is not given has the default of the command, as with Typer."""
    given = read_plain(odds, ("--edition", "compendium"))
    assert given == {**(odds.__kwdefaults__ or {}), "edition": "compendium"}


def test_a_plain_question_starts_no_application() -> None:
    """Neither Typer nor what is only for games' files is imported for it, and the program ends with its code."""
    script = (
        "import sys; from rolloff.cli import run; code = run(['odds', '--attacker', 'levy rifles', '--target', 'line guard']);"
        "heavy = {'typer', 'rich', 'pathlib', 'hashlib', 'importlib.resources', 'difflib'} & set(sys.modules);"
        "sys.exit(f'{code} {heavy}' if code or heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    asked = [sys.executable, "-m", "rolloff", "odds", "--attacker", "nobody", "--json"]
    refused = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert refused.stdout.startswith('{"schema":"rolloff.error/1"')
    assert "nobody" in refused.stderr
