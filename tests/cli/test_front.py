"""The front of the command line: help, versions, errors, interrupts and closed pipes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import rolloff as package
from rolloff.cli import COMMANDS
from tests.cli.conftest import Command, program

HERE = [sys.executable, "-m", "rolloff"]


def test_help_lists_every_command_and_imports_none() -> None:
    """Help names each command, and neither a command nor a heavy library is imported for it."""
    script = (
        "import sys; from rolloff.cli import run; code = run(['--help']);"
        "heavy = {'numpy', 'rich', 'msgspec', 'rolloff.rules.game', 'starlette'} & set(sys.modules);"
        "sys.exit(f'{code} {heavy}' if code or heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for name in COMMANDS:
        assert f"  {name} " in done.stdout


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_has_help_with_an_example(rolloff: Command, name: str) -> None:
    """Each command, and each of its parts, says what it does and shows a call."""
    said = rolloff(name, "--help")
    assert said.code == 0
    part = {"record": "verify", "battles": "list"}.get(name)
    if part:
        said = rolloff(name, part, "--help")
    assert "Example" in said.out


def test_version_and_no_arguments(rolloff: Command) -> None:
    """The version is printed; a bare call shows the help."""
    assert rolloff("--version").out.strip() == package.__version__
    assert "Commands:" in rolloff().out


@pytest.mark.parametrize(
    "args",
    [
        ("dule",),
        ("duel", "--gaems", "3"),
        ("duel", "--games", "none"),
        ("duel", "--games", "0"),
        ("adjudicate",),
        ("record", "show", "x.jsonl"),
        ("record", "erase", "x.jsonl"),
    ],
)
def test_wrong_usage_is_exit_2_with_the_error_object(rolloff: Command, args: tuple[str, ...]) -> None:
    """A wrong option gives the same sentence in the error object and on standard error."""
    said = rolloff(*args, "--json")
    assert said.code == 2
    assert said.json["schema"] == "rolloff.error/1"
    assert said.json["error"]["message"] == said.err.strip()


def test_without_json_an_error_is_a_sentence_alone(rolloff: Command) -> None:
    """Standard output stays empty."""
    said = rolloff("record", "verify", "nowhere.jsonl")
    assert (said.code, said.out) == (2, "")
    assert "nowhere.jsonl" in said.err
    assert "Traceback" not in said.err


def test_a_fault_of_ours_is_a_sentence_too(rolloff: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bug shows as an error object with the place to report, and as a traceback only for those who ask."""

    def broken(name: str) -> None:
        raise KeyError(name)

    monkeypatch.setattr("rolloff.cli.common.read_input", broken)
    said = rolloff("adjudicate", "x.json")
    assert (said.code, said.json["error"]["code"]) == (2, "fault")
    assert "Traceback" not in said.err
    monkeypatch.setenv("ROLLOFF_DEBUG", "1")
    with pytest.raises(KeyError):
        rolloff("adjudicate", "x.json")


def test_misspelt_commands_get_a_suggestion(rolloff: Command) -> None:
    """A command that is spelt alike is suggested."""
    assert "'duel'" in rolloff("dule").err


def test_an_interrupt_is_exit_130() -> None:
    """Ctrl-C while input is awaited ends quietly."""
    waiting = subprocess.Popen(
        [*HERE, "adjudicate", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert waiting.stdin is not None
    waiting.stdin.write(b" " * 70_000)  # more than a pipe holds: it returns when the command has begun to read
    waiting.stdin.flush()
    waiting.send_signal(signal.SIGINT)
    out, err = waiting.communicate(timeout=30)
    assert waiting.returncode == 130
    assert out == b""
    assert b"Traceback" not in err


def test_a_closed_pipe_is_no_fault() -> None:
    """Nobody reads the output: no traceback, nothing on standard error."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([*HERE, "schema", "case"], stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert done.returncode == 141
    assert done.stderr == b""


@pytest.mark.parametrize("args", [("list", "editions"), ("list", "editions", "--json"), ("--help",)])
def test_output_that_takes_no_more_is_no_fault(args: tuple[str, ...]) -> None:
    """Where standard output goes to a full disk, a sentence says so: no traceback, no fault of ours."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*HERE, *args], stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert (
        done.stderr.strip()
        == b"what was asked for cannot be written: no space left on device (allowed: a place that can be written to)"
    )


def test_a_record_for_which_there_is_no_room_leaves_nothing(
    rolloff: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game whose record does not fit on the disk is refused with the reason, and no half of a record is left."""
    from rolloff.record.book import RecordFile

    def full(self: RecordFile, *_given: object) -> None:
        raise OSError(28, "No space left on device", str(tmp_path / "game-000000.jsonl.tmp"))

    monkeypatch.setattr("rolloff.record.book.Recorder.step", full)
    said = rolloff("duel", "random", "random", "--games", "1", "--record", str(tmp_path))
    assert (said.code, said.out) == (2, "")
    assert (
        said.err.strip()
        == "game-000000.jsonl.tmp cannot be written: no space left on device (allowed: a place that can be written to)"
    )
    assert list(tmp_path.iterdir()) == []


def test_the_program_and_the_module_are_the_same() -> None:
    """``python -m rolloff`` runs the command line."""
    assert program("--version").out.strip() == package.__version__
