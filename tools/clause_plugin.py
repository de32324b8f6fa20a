"""What pytest keeps about clauses: which tests cover which, and how they went.

Tests say ``@pytest.mark.clause("onepage-3.0", "SHOOT-6", "SHOOT-8")``. After a run the results of marked
tests are written to ``.coverage-clauses.json`` beside ``pyproject.toml``, where ``rolloff rules --coverage``
reads them. A run of the whole suite replaces the file; a run of some tests brings theirs up to date.

Three variables of the environment serve the mutant tool: ``ROLLOFF_CLAUSE_MAP`` names a file for the marks of
all tests collected, ``ROLLOFF_MUTANT_REPORT`` a file for what failed, and ``ROLLOFF_MUTANT`` (a mutant is in
place) keeps the results out of the coverage.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

RESULTS = ".coverage-clauses.json"
_PROPERTY = "clause-marks"


def marks_of(item: pytest.Item) -> list[list[str]]:
    """The clause marks of a test: each an edition and ids."""
    return [[str(word) for word in mark.args] for mark in item.iter_markers("clause")]


def commit_of(root: Path) -> str:
    """The commit a tree stands at, or nothing outside version control."""
    asked = ["git", "-C", str(root), "rev-parse", "HEAD"]
    try:
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def outcome_of(report: pytest.TestReport) -> str | None:
    """What one report says about its test; nothing for a step that merely went well."""
    if hasattr(report, "wasxfail"):
        return "xpassed" if report.passed else "xfailed"
    if report.failed:
        return "failed"
    if report.skipped:
        return "skipped"
    return "passed" if report.when == "call" else None


class ClauseLedger:
    """Writes down marks and results. Register one with pytest's plugin manager."""

    def __init__(self, config: pytest.Config) -> None:
        """Begin an empty ledger."""
        self.config = config
        self.tests: dict[str, dict[str, Any]] = {}
        self.failures: dict[str, str] = {}
        self.deselected = False

    @property
    def _worker(self) -> bool:
        return hasattr(self.config, "workerinput")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Send each test's marks along with its reports."""
        for item in items:
            marks = marks_of(item)
            if marks:
                item.user_properties.append((_PROPERTY, marks))

    def pytest_deselected(self, items: Iterable[pytest.Item]) -> None:
        """Remember that this was not the whole suite."""
        self.deselected = self.deselected or bool(list(items))

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Write the marks of everything collected, if somebody asked for them."""
        target = os.environ.get("ROLLOFF_CLAUSE_MAP")
        if target and not self._worker:
            marked = {item.nodeid: marks for item in session.items if (marks := marks_of(item))}
            Path(target).write_text(json.dumps(marked), encoding="utf-8")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take down how a test went; the worst of its steps counts."""
        if report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            self.failures.setdefault(report.nodeid, crash.message if crash else str(report.longrepr))
        marks = next((value for key, value in report.user_properties if key == _PROPERTY), None)
        outcome = outcome_of(report)
        if marks is None or outcome is None:
            return
        kept = self.tests.get(report.nodeid)
        if kept is None or kept["result"] == "passed":
            self.tests[report.nodeid] = {"marks": marks, "result": outcome}

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Write the results, or what a mutant made fail."""
        if self._worker:
            return
        target = os.environ.get("ROLLOFF_MUTANT_REPORT")
        if target:
            Path(target).write_text(json.dumps(self.failures), encoding="utf-8")
        elif self.tests and not os.environ.get("ROLLOFF_MUTANT") and not self.config.option.collectonly:
            self._write(whole=self._whole() and exitstatus in (0, 1))

    def _whole(self) -> bool:
        """Whether everything in the test folders was asked for."""
        option = self.config.option
        narrowed = self.deselected or option.keyword or option.markexpr or option.maxfail
        folders = {str(folder).rstrip("/") for folder in self.config.getini("testpaths")}
        named = self.config.args_source is pytest.Config.ArgsSource.ARGS
        return not narrowed and (not named or {word.rstrip("/") for word in self.config.args} == folders)

    def _write(self, whole: bool) -> None:
        path = self.config.rootpath / RESULTS
        known: dict[str, Any] = {"complete": whole, "commit": commit_of(self.config.rootpath), "tests": {}}
        if not whole and path.exists():
            known = json.loads(path.read_text(encoding="utf-8"))
        known["tests"].update(self.tests)
        known["tests"] = dict(sorted(known["tests"].items()))
        fresh = path.with_suffix(f".{os.getpid()}.tmp")
        fresh.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
        fresh.replace(path)
