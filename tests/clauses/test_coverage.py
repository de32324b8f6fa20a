"""Coverage: what the ledger writes down and what is made of it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rolloff.editions.clauses import clause_book
from rolloff.editions.clauses.coverage import PACKAGE, coverage_of, known_results
from rolloff.errors import BadInput, UnknownEdition
from tools.ship_coverage import snapshot

ROOT = Path(__file__).parents[2]
IN_FORCE = len(clause_book("onepage-3.0").in_force)


def run_tests(project: Path, *words: str) -> dict[str, Any]:
    """Run a project's tests and read the ledger they leave."""
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words],
        cwd=project,
        env={"PYTHONPATH": f"{ROOT}:{ROOT / 'src'}:{project / 'src'}", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        check=False,
    )
    ledger: dict[str, Any] = json.loads((project / ".coverage-clauses.json").read_text())
    return ledger


def test_the_ledger_knows_passed_from_everything_else(tiny_project: Path) -> None:
    """Skipped, expected to fail and failed are told apart, also when the tests run side by side."""
    ledger = run_tests(tiny_project, "-n", "2")
    results = {id_.partition("::")[2]: test["result"] for id_, test in ledger["tests"].items()}
    assert ledger["complete"]
    assert results["test_running"] == "passed"
    assert results["test_skipped"] == "skipped"
    assert results["test_xfailed"] == "xfailed"
    assert results["test_failing"] == "failed"
    marks = ledger["tests"]["tests/test_tiny.py::test_figures"]["marks"]
    assert sorted(marks) == [["other", "TINY-12"], ["tiny", "TINY-11"]]


def test_a_part_of_the_tests_brings_only_theirs_up_to_date(tiny_project: Path) -> None:
    """A narrowed run is not complete by itself; after a complete one it changes its own tests alone."""
    part = run_tests(tiny_project, "-k", "running")
    assert (part["complete"], len(part["tests"])) == (False, 1)
    whole = run_tests(tiny_project)
    tests = tiny_project / "tests" / "test_tiny.py"
    tests.write_text(tests.read_text().replace("rules.shoot(5, running=True)", "pass"))
    after = run_tests(tiny_project, "tests/test_tiny.py::test_running")
    assert after["complete"]
    assert after["tests"].pop("tests/test_tiny.py::test_running")["result"] == "failed"
    assert whole["tests"].pop("tests/test_tiny.py::test_running")["result"] == "passed"
    assert after["tests"] == whole["tests"]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A package in a checkout, as far as coverage looks at it."""
    package = tmp_path / "src" / "rolloff"
    (package / "editions" / "clauses").mkdir(parents=True)
    (package / "__init__.py").write_text('"""Empty."""\n')
    (tmp_path / "tests").mkdir()
    written = "".join(f"def test_{name}() -> None: ...\n" for name in "abx")
    (tmp_path / "tests" / "t.py").write_text(written)
    shutil.copytree(PACKAGE / "rules", package / "rules", ignore=shutil.ignore_patterns("__pycache__"))
    onepage, commentary = package / "editions" / "onepage", package / "editions" / "commentary"
    for folder in (onepage, commentary):
        folder.mkdir()
        (folder / "moving.py").write_text('def judge() -> None:\n    refuse("MOVE-3")\n')
    return package


def ledger(path: Path, complete: bool, **tests: str) -> None:
    """Write results of tests that mark MOVE-3."""
    marked = {f"tests/t.py::{name}": {"marks": [["onepage-3.0", "MOVE-3"]], "result": result} for name, result in tests.items()}
    path.write_text(json.dumps({"commit": "abc", "complete": complete, "tests": marked}))


@pytest.mark.parametrize(
    ("result", "covered"),
    [("passed", True), ("failed", False), ("skipped", False), ("xfailed", False), ("xpassed", False)],
)
def test_only_a_passed_test_covers(checkout: Path, result: str, covered: bool) -> None:
    """Whatever else became of a test, its clause stays uncovered; the test is listed all the same."""
    ledger(checkout.parents[1] / ".coverage-clauses.json", True, test_x=result)
    found = coverage_of("onepage-3.0", checkout)
    clause = next(clause for clause in found.clauses if clause.id == "MOVE-3")
    assert [(test.id, test.result) for test in clause.tests] == [("tests/t.py::test_x", result)]
    assert ("MOVE-3" not in found.uncovered) == covered
    assert (found.source, found.commit, found.counts.covered) == ("collected", "abc", int(covered))
    assert found.counts.in_force == IN_FORCE


def test_code_of_another_family_is_not_this_clause(checkout: Path) -> None:
    """The same id in another rulebook's own code means another clause."""
    ledger(checkout.parents[1] / ".coverage-clauses.json", True, test_x="passed")
    code = {clause.id: clause.code for clause in coverage_of("onepage-3.0", checkout).clauses}
    assert code["MOVE-3"] == ("rolloff.editions.onepage.moving:judge",)


def test_shipped_results_serve_where_no_tests_were_run(checkout: Path) -> None:
    """An installed package goes by its snapshot; where tests were run, their results alone count."""
    ledger(checkout / "editions" / "clauses" / "coverage.json", True, test_a="passed", test_b="passed")
    source, results = known_results(checkout)
    assert (source, len(results.tests)) == ("shipped", 2)
    ledger(checkout.parents[1] / ".coverage-clauses.json", False, test_b="passed")
    source, results = known_results(checkout)
    assert (source, results.complete, list(results.tests)) == ("collected", False, ["tests/t.py::test_b"])


def test_a_deleted_test_covers_nothing(checkout: Path) -> None:
    """A result whose test is no longer written down does not count, whatever it was."""
    ledger(checkout.parents[1] / ".coverage-clauses.json", True, test_a="passed", test_gone="passed")
    assert list(known_results(checkout)[1].tests) == ["tests/t.py::test_a"]


def test_the_kept_summary_says_what_was_covered(checkout: Path) -> None:
    """Without results the summary gives counts and gaps, unless other clauses are in force by now."""
    clauses = checkout / "editions" / "clauses"
    row = {"in_force": IN_FORCE, "gaps": ["MOVE-3"]}
    (clauses / "coverage_summary.json").write_text(json.dumps({"commit": "abc", "editions": {"onepage-3.0": row}}))
    found = coverage_of("onepage-3.0", checkout)
    assert (found.source, found.commit, found.uncovered) == ("shipped", "abc", ("MOVE-3",))
    row["in_force"] = IN_FORCE - 1
    (clauses / "coverage_summary.json").write_text(json.dumps({"commit": "abc", "editions": {"onepage-3.0": row}}))
    assert len(coverage_of("onepage-3.0", checkout).uncovered) == IN_FORCE


def test_a_broken_ledger_is_bad_input(checkout: Path) -> None:
    """A results file that cannot be read is named, not a traceback."""
    (checkout.parents[1] / ".coverage-clauses.json").write_text("{")
    with pytest.raises(BadInput) as caught:
        coverage_of("onepage-3.0", checkout)
    assert caught.value.where == ".coverage-clauses.json"
    with pytest.raises(UnknownEdition):
        coverage_of("onepage-9", checkout)


def test_only_what_passed_is_shipped() -> None:
    """The snapshot keeps no test that covers nothing."""
    results = {
        "commit": "abc",
        "complete": True,
        "tests": {"a": {"result": "passed"}, "b": {"result": "failed"}},
    }
    assert snapshot(results) == {"commit": "abc", "complete": True, "tests": {"a": {"result": "passed"}}}
