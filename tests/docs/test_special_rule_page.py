"""The page on special rules, done as a stranger would: three files a rule in a copy of the repository, and the checks hold."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, blocks

PAGE = "docs/how-to-add-a-special-rule.md"
CLAUSES = "src/rolloff/editions/clauses/onepage.json"
RULES = {"bursting": "RULE-BURSTING-1", "entrenched": "RULE-ENTRENCHED-1"}
CHECKS = ("tests/contracts/test_clause_data.py", "tests/armies/test_armylaw.py")
"""Where a fourth file would be missed: pages written from the clauses, and what armies may carry."""
EFFECTS = ("draft.react(6, *self.clauses, add=(HITS, IGNORE))", "draft.modify(1, *self.clauses)")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the repository."""
    folder = tmp_path / "checkout"
    for name in ("src", "tests", "tools", "docs"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "page", "images"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def add(checkout: Path, rule: str) -> list[str]:
    """Do what the page says for one rule, and name the files."""
    written = []
    for text in (*blocks(PAGE, "python"), *blocks(PAGE, "py")):
        first, _, rest = text.partition("\n")
        if first.startswith("# ") and first.endswith(f"{rule}.py"):
            (checkout / first[2:]).write_text(rest, "utf-8")
            written.append(first[2:])
    clause = next(found for found in map(json.loads, blocks(PAGE, "json")) if found["id"] == RULES[rule])
    book = json.loads((checkout / CLAUSES).read_text("utf-8"))
    book["clauses"].append(clause)
    (checkout / CLAUSES).write_text(json.dumps(book), "utf-8")
    return [*written, CLAUSES]


def run(checkout: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A module of Python in the copy."""
    env = {**os.environ, "PYTHONPATH": str(checkout / "src")}
    return subprocess.run([sys.executable, "-m", *words], cwd=checkout, env=env, capture_output=True, text=True, check=False)


def test_a_rule_is_three_files(checkout: Path) -> None:
    """An attacker's and a defender's rule by the page: rule, clause and test; lint, tests and contracts pass."""
    files = {rule: add(checkout, rule) for rule in RULES}
    assert {rule: len(written) for rule, written in files.items()} == {"bursting": 3, "entrenched": 3}
    code = [path for written in files.values() for path in written if path.endswith(".py")]
    assert run(checkout, "ruff", "check", *code).returncode == 0
    assert run(checkout, "ruff", "format", "--check", *code).returncode == 0
    tests = [path for path in code if path.startswith("tests/")]
    found = run(checkout, "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *tests, *CHECKS)
    assert found.returncode == 0, found.stdout
    assert run(checkout, "rolloff", "rules", "--edition", "onepage-3.0", "RULE-ENTRENCHED-1").returncode == 0
    for path in set(code) - set(tests):
        without = (checkout / path).read_text("utf-8")
        for effect in EFFECTS:
            without = without.replace(effect, "pass")
        (checkout / path).write_text(without, "utf-8")
    found = run(checkout, "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *tests)
    assert "2 failed" in found.stdout, "the tests of the page must miss the rules"
