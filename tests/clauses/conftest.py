"""A tiny game in a project of its own, for the tools that switch clauses off."""

from __future__ import annotations

from pathlib import Path

import pytest

RULES = '''"""A tiny game."""

from __future__ import annotations

from rolloff.rules.citing import cites

TWICE = ("TINY-14",)


class Special:
    """A rule without effect."""

    def __init__(self, *clauses: str) -> None:
        self.clauses = clauses

    def attacks(self) -> int:
        return 0


class Furious(Special):
    """A rule whose clause comes from a table."""

    def attacks(self) -> int:
        return 1


class Fierce(Special):
    """A rule that names its own clause."""

    clauses = ("TINY-9",)

    def attacks(self) -> int:
        return 2


class Book:
    """Figures."""

    walk: int = 6  # TINY-11, TINY-12
    flies: bool = True  # TINY-13


SPECIALS = {"Furious": Furious("TINY-8")}
WEAPONS_ON_HOLD = 3  # TINY-7


def shoot(distance: int, running: bool = False) -> list[str]:
    """Shoot, or be refused."""
    if running:
        raise ValueError("no shooting on the run", "TINY-1")
    log: list[str] = []
    if distance > 12:
        note = "far"
        log.append(note)
        raise ValueError("out of range", "TINY-2")
    emit(log, "shot", ("TINY-3",))
    return log


def emit(log: list[str], what: str, clauses: tuple[str, ...]) -> None:
    """Write something down."""
    log.append(what)


def offers() -> list[tuple[str, str]]:
    """What a unit may do."""
    return [offer("hold", "TINY-4"), offer("walk", "TINY-5")]


def offer(what: str, clause: str) -> tuple[str, str]:
    """One thing to do."""
    return (what, clause)


@cites("TINY-6")
def regenerate(wounds: int) -> int:
    """One wound less."""
    return max(0, wounds - 1)


@cites("TINY-10")
def pinned(models: int, start: int) -> bool:
    """At half or less."""
    return models * 2 <= start


def strike(attacks: int, charging: bool) -> int:
    """Attacks in melee."""
    if charging:  # TINY-15
        attacks += 1
    bonus = 2 if charging else 0  # TINY-16
    log: list[str] = []
    emit(log, "struck", TWICE)
    return attacks + bonus + len(log)


def untested(models: int) -> int:
    """Cited, but nobody looks."""
    log: list[str] = []
    emit(log, "unseen", ("TINY-17",))
    return models


@cites("TINY-22")
def winner() -> str:
    """Who won."""
    return "A"
'''

SWITCHES = """
["tiny.rules"]
"regenerate" = "lambda wounds: wounds"
"winner" = "'nobody'"
"WEAPONS_ON_HOLD = 3  # TINY-7" = "1"
"""

TESTS = '''"""Tests of the tiny game."""

import subprocess
import sys

import pytest

from tiny import rules

clause = pytest.mark.clause


@clause("tiny", "TINY-1")
def test_running():
    with pytest.raises(ValueError):
        rules.shoot(5, running=True)


@clause("tiny", "TINY-2")
def test_range():
    with pytest.raises(ValueError):
        rules.shoot(13)


@clause("tiny", "TINY-3")
def test_shot():
    assert rules.shoot(5) == ["shot"]


@clause("tiny", "TINY-4", "TINY-5")
def test_offers():
    assert [what for what, _ in rules.offers()] == ["hold", "walk"]


@clause("tiny", "TINY-6")
def test_regenerate():
    assert rules.regenerate(2) == 1


@clause("tiny", "TINY-7")
def test_weapons():
    assert rules.WEAPONS_ON_HOLD == 3


@clause("tiny", "TINY-8")
def test_furious():
    assert rules.SPECIALS["Furious"].attacks() == 1


@clause("tiny", "TINY-9")
def test_fierce():
    assert rules.Fierce().attacks() == 2


@clause("tiny", "TINY-10")
@pytest.mark.parametrize("models", [2, 1])
def test_pinned(models):
    assert rules.pinned(models, 4)


@clause("tiny", "TINY-11")
@clause("other", "TINY-12")
def test_figures():
    assert rules.Book.walk == 6


@clause("tiny", "TINY-13")
def test_flies():
    assert rules.Book.flies


@clause("tiny", "TINY-14", "TINY-15", "TINY-16")
def test_strike():
    assert rules.strike(1, charging=True) == 5


@clause("tiny", "TINY-17")
def test_careless():
    assert rules.untested(3) == 3


@clause("tiny", "TINY-18")
def test_of_nothing():
    assert True


@clause("tiny", "TINY-19")
@pytest.mark.skip(reason="later")
def test_skipped():
    raise AssertionError


@clause("tiny", "TINY-20")
@pytest.mark.xfail(reason="known")
def test_xfailed():
    raise AssertionError


@clause("tiny", "TINY-22")
def test_program():
    program = "from tiny import rules; print(rules.winner())"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True).stdout.strip() == b"A"


@clause("tiny", "TINY-21")
def test_failing():
    raise AssertionError
'''

CONFTEST = '''"""The mark and the ledger."""

from tools.clause_plugin import ClauseLedger


def pytest_configure(config):
    config.addinivalue_line("markers", "clause(edition, *ids): clauses covered")
    config.pluginmanager.register(ClauseLedger(config))
'''


@pytest.fixture
def tiny_project(tmp_path: Path) -> Path:
    """A project with a tiny package, its tests, and nothing else."""
    package, tests = tmp_path / "src" / "tiny", tmp_path / "tests"
    package.mkdir(parents=True)
    tests.mkdir()
    (package / "__init__.py").write_text('"""A tiny package."""\n')
    (package / "rules.py").write_text(RULES)
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "switches.toml").write_text(SWITCHES)
    (tests / "conftest.py").write_text(CONFTEST)
    (tests / "test_tiny.py").write_text(TESTS)
    (tmp_path / "pyproject.toml").write_text('[tool.pytest.ini_options]\ntestpaths = ["tests"]\n')
    return tmp_path
