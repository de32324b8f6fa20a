"""The mutant tool, end to end, on a tiny project."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.mutants import Project, main


def test_a_clause_that_a_test_would_miss(tiny_project: Path) -> None:
    """The refusal is switched off without touching the tree, and its test fails on it."""
    before = (tiny_project / "src" / "tiny" / "rules.py").read_text()
    report = Project(tiny_project, "tiny", "tiny").check("TINY-1")
    assert [(verdict.caught, verdict.crash) for verdict in report.verdicts] == [(True, False)]
    assert report.verdicts[0].by == "tests/test_tiny.py::test_running"
    assert report.held(strict=True)
    assert (tiny_project / "src" / "tiny" / "rules.py").read_text() == before
    assert not (tiny_project / ".coverage-clauses.json").exists()


def test_programs_that_tests_start_are_mutated_too(tiny_project: Path) -> None:
    """The mutant is in place in a process of its own."""
    report = Project(tiny_project, "tiny", "tiny").check("TINY-22")
    assert [(verdict.caught, verdict.crash) for verdict in report.verdicts] == [(True, False)]


def test_a_mark_that_lies(tiny_project: Path) -> None:
    """A test that passes without the rule catches no mutant, and the clause does not hold."""
    report = Project(tiny_project, "tiny", "tiny").check("TINY-17")
    assert [verdict.caught for verdict in report.verdicts] == [False]
    assert not report.held()


@pytest.mark.parametrize(
    ("clause", "trouble"),
    [
        ("TINY-12", "no test marks it"),
        ("TINY-18", "no place in the code can be switched off"),
        ("TINY-21", "its tests fail without a mutant"),
    ],
)
def test_what_proves_nothing(tiny_project: Path, clause: str, trouble: str) -> None:
    """A clause without tests of the edition, without code, or with failing tests does not hold."""
    report = Project(tiny_project, "tiny", "tiny").check(clause)
    assert (report.trouble, report.held()) == (trouble, False)


def test_first_stops_at_the_first_mutant_caught(tiny_project: Path) -> None:
    """With `first` the mutants after the first one caught are not tried."""
    project = Project(tiny_project, "tiny", "tiny")
    assert len(list(project.mutants("TINY-11"))) == 2
    assert len(project.check("TINY-11", first=True).verdicts) == 1


def test_a_command_needs_to_know_what(capsys: pytest.CaptureFixture[str]) -> None:
    """Neither a clause nor all of them, or both, is a mistake in the command."""
    for words in ([], ["SHOOT-6", "--all"]):
        with pytest.raises(SystemExit) as caught:
            main(words)
        assert caught.value.code == 2
    assert "name one clause" in capsys.readouterr().err
