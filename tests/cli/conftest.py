"""Running the command line inside the test, with the toy edition known, and as a program of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
import pytest

from rolloff.cli import run
from rolloff.editions import registry
from tests.record.coin import COIN


class Said(NamedTuple):
    """What a command said: exit code, standard output and standard error."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON object on standard output."""
        return msgspec.json.decode(self.out)


Command = Callable[..., Said]


@pytest.fixture(scope="session", autouse=True)
def _coin() -> None:
    """Make the toy edition known."""
    registry.register(COIN)


@pytest.fixture
def rolloff(capsys: pytest.CaptureFixture[str]) -> Command:
    """Run a command in this process."""

    def command(*args: object) -> Said:
        capsys.readouterr()
        code = run([str(word) for word in args])
        said = capsys.readouterr()
        return Said(code, said.out, said.err)

    return command


def program(*args: str, text: str | None = None) -> Said:
    """Run the command line as a program."""
    done = subprocess.run([sys.executable, "-m", "rolloff", *args], input=text, capture_output=True, text=True, check=False)
    return Said(done.returncode, done.stdout, done.stderr)
