"""Switch off the code that cites a clause and see whether a test of that clause notices.

    python -m tools.mutants SHOOT-6 [--edition onepage-3.0] [--first]
    python -m tools.mutants --all | --sample 20 --seed 1   [--edition onepage-3.0]
    python -m tools.mutants --places   [--edition onepage-3.0]

Each place that cites the clause becomes a mutant in turn (`rolloff.rules.citing` says what is switched off
where), and the tests marked with the clause run against it. A mutant is caught when one of them fails. The
command fails if no mutant of a clause is caught. ``crash`` beside a result means that the test did not fail
on what it expected but on a program error: evidence, but weak; ``--strict`` does not accept it. ``--places``
runs nothing and lists the rules in force that no code cites, or that no place can be switched off for.
"""

from __future__ import annotations

import argparse
import json
import marshal
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from rolloff.editions.clauses import DEFAULT_EDITION, FAMILIES, clause_book
from rolloff.rules.citing_scan import package_citations, package_sources
from tools.citing_places import LEFT_OUT_OF_TABLE, Module, switches_of
from tools.switching_off import compiled

ROOT = Path(__file__).parent.parent
_CRASHES = ("TypeError", "AttributeError", "NameError", "UnboundLocalError", "KeyError", "IndexError")
_LEAST_TIMEOUT = 60.0
# Most tests of clauses need no plugin of pytest's, and starting without them takes half the time.
_BARE = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


@dataclass(frozen=True)
class Mutant:
    """A module with one place switched off."""

    module: str
    path: Path
    line: int
    what: str
    rank: int
    code: bytes

    def __str__(self) -> str:
        """The place and the way, as a reader finds it."""
        return f"{self.module}:{self.line}  {self.what}"


@dataclass
class Verdict:
    """What became of a mutant: survived, or caught by a test."""

    mutant: Mutant
    caught: bool
    crash: bool = False
    by: str = ""

    def __str__(self) -> str:
        """One line for the report."""
        if not self.caught:
            return f"  survived  {self.mutant}"
        return f"  caught    {self.mutant}  by {self.by}{'  (crash)' if self.crash else ''}"


@dataclass
class Report:
    """All mutants of one clause."""

    clause: str
    tests: int
    verdicts: list[Verdict] = field(default_factory=list)
    trouble: str = ""

    def held(self, strict: bool = False) -> bool:
        """Whether some test would miss the clause."""
        return any(verdict.caught and not (strict and verdict.crash) for verdict in self.verdicts)

    def __str__(self) -> str:
        """The clause, and a line for each mutant."""
        caught = sum(verdict.caught for verdict in self.verdicts)
        head = f"{self.clause}: {self.tests} tests, {caught} of {len(self.verdicts)} mutants caught"
        return "\n".join([head, *([f"  {self.trouble}"] if self.trouble else map(str, self.verdicts))])


class Project:
    """A source tree with tests that mark clauses."""

    def __init__(self, root: Path = ROOT, package: str = "rolloff", edition: str | None = None) -> None:
        """Look at a tree; ``edition`` keeps to its tests and leaves out the code of other families."""
        self.root = root
        self.package = package
        self.edition = edition
        self._modules: dict[str, Module] = {}
        self._switches = switches_of(root)

    @cached_property
    def marked(self) -> dict[str, list[str]]:
        """The tests that mark each clause, from one collection of the suite."""
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder) / "map.json"
            done = self._pytest(["--collect-only", "-q", "tests"], {"ROLLOFF_CLAUSE_MAP": str(target)}, None)
            if not target.exists():
                raise SystemExit(f"the tests cannot be collected:\n{done.stdout[-2000:]}")
            marks: dict[str, list[list[str]]] = json.loads(target.read_text(encoding="utf-8"))
        found: dict[str, list[str]] = defaultdict(list)
        for test, named in marks.items():
            for edition, *ids in named:
                for id_ in ids if self.edition in (None, edition) else ():
                    found[id_].append(test)
        return dict(found)

    def mutants(self, clause: str) -> Iterable[Mutant]:
        """Every mutant of a clause, in order of module and line."""
        for module, path, source in self._sources:
            for number in range(self._ways(module, source, clause)):
                fresh = Module(source, self._switches.get(module))
                way = fresh.ways(clause)[number]
                way.edit()
                code = marshal.dumps(compiled(fresh.tree, str(path)))
                yield Mutant(module, path, way.line, way.what, way.rank, code)

    @cached_property
    def _sources(self) -> list[tuple[str, Path, str]]:
        found = package_sources(self.root / "src", self.package)
        return [(name, path, path.read_text("utf-8")) for name, path in found if not self._foreign(name)]

    def places(self, clause: str) -> int:
        """In how many ways the clause can be switched off."""
        return sum(self._ways(module, source, clause) for module, _, source in self._sources)

    def _ways(self, module: str, source: str, clause: str) -> int:
        if clause not in source:
            return 0
        if module not in self._modules:
            self._modules[module] = Module(source, self._switches.get(module))
        return len(self._modules[module].ways(clause))

    def _foreign(self, module: str) -> bool:
        """Whether a module belongs to another family of editions, whose ids mean other clauses."""
        own = FAMILIES.get(self.edition or "")
        parts = module.split(".")
        return own is not None and parts[1:2] == ["editions"] and parts[2:3] != [own] and len(parts) > 2

    def check(self, clause: str, first: bool = False) -> Report:
        """Run the clause's tests against each of its mutants; with ``first`` up to the first one caught."""
        tests = self.marked.get(clause, [])
        report = Report(clause, len(tests))
        if not tests:
            report.trouble = "no test marks it"
            return report
        begun = time.monotonic()
        bare = next((env for env in (_BARE, {}) if self._passes(tests, env)), None)
        if bare is None:
            report.trouble = "its tests fail without a mutant"
            return report
        patience = max(_LEAST_TIMEOUT, 10 * (time.monotonic() - begun))
        for mutant in sorted(self.mutants(clause), key=lambda mutant: mutant.rank):
            report.verdicts.append(self._try(mutant, tests, bare, patience))
            if first and report.verdicts[-1].caught and not report.verdicts[-1].crash:
                break
        if not report.verdicts:
            report.trouble = "no place in the code can be switched off"
        return report

    def _passes(self, tests: Sequence[str], env: dict[str, str]) -> bool:
        return self._pytest(["-x", "-q", *tests], env, None).returncode == 0

    def _try(self, mutant: Mutant, tests: Sequence[str], bare: dict[str, str], patience: float) -> Verdict:
        with tempfile.TemporaryDirectory() as folder:
            code, failed = Path(folder) / "mutant.code", Path(folder) / "failed.json"
            code.write_bytes(mutant.code)
            env = {"ROLLOFF_MUTANT": f"{mutant.module}={code}", "ROLLOFF_MUTANT_REPORT": str(failed)}
            try:
                done = self._pytest(["-x", "-q", *tests], {**bare, **env}, patience)
            except subprocess.TimeoutExpired:
                return Verdict(mutant, caught=True, by="never coming to an end")
            if done.returncode == 0:
                return Verdict(mutant, caught=False)
            failures: dict[str, str] = json.loads(failed.read_text(encoding="utf-8")) if failed.exists() else {}
            if not failures:
                return Verdict(mutant, caught=True, crash=True, by="not starting at all")
            test, message = next(iter(failures.items()))
            # That an entry of a table is missed when it is looked up is what its test should show.
            crash = message.startswith(_CRASHES) and mutant.what != LEFT_OUT_OF_TABLE
            return Verdict(mutant, caught=True, crash=crash, by=test)

    def _pytest(self, arguments: Sequence[str], env: dict[str, str], timeout: float | None) -> subprocess.CompletedProcess[str]:
        paths = [Path(__file__).parent / "mutant_site", self.root / "src", self.root, ROOT, ROOT / "src"]
        search = os.pathsep.join([*map(str, paths), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", *arguments],
            cwd=self.root,
            env={
                **os.environ,
                "ROLLOFF_MUTANT": "off",
                **env,
                "PYTHONPATH": search,
                "PYTHONDONTWRITEBYTECODE": "1",
            },
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )


def _chosen(project: Project, asked: argparse.Namespace) -> list[str]:
    if asked.clause:
        return [asked.clause]
    book = clause_book(asked.edition)
    covered = [id_ for id_ in book if id_ in project.marked and book[id_].kind == "rule"]
    if asked.sample is not None:
        return random.Random(asked.seed).sample(covered, min(asked.sample, len(covered)))
    return covered


def _list_places(edition: str) -> int:
    """Say which rules in force have no code that could be switched off."""
    project = Project(edition=edition)
    cited = {citation.clause for citation in package_citations(ROOT / "src")}
    rules = [clause.id for clause in clause_book(edition).in_force if clause.kind == "rule"]
    uncited = [id_ for id_ in rules if id_ not in cited]
    fixed = [id_ for id_ in rules if id_ in cited and not project.places(id_)]
    print(f"cited nowhere ({len(uncited)}): {' '.join(uncited)}")
    print(f"cited, but at no place that can be switched off ({len(fixed)}): {' '.join(fixed)}")
    return 1 if uncited or fixed else 0


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="mutants", description="Would a test miss the clause?")
    parser.add_argument("clause", nargs="?", help="the id of a clause, as SHOOT-6")
    parser.add_argument("--edition", help="keep to one edition")
    parser.add_argument("--all", action="store_true", help="every covered rule of the edition")
    parser.add_argument("--sample", type=int, metavar="N", help="so many of them, drawn by --seed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", action="store_true", help="stop a clause at its first mutant caught")
    parser.add_argument("--strict", action="store_true", help="a crash is no proof")
    parser.add_argument("--places", action="store_true", help="list rules without a place to switch off")
    parser.add_argument("--jobs", type=int, default=1, help="so many clauses at a time")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; 0 if every clause asked about would be missed by a test."""
    parser = _arguments()
    asked = parser.parse_args(argv)
    if asked.places:
        return _list_places(asked.edition or DEFAULT_EDITION)
    many = asked.all or asked.sample is not None
    if bool(asked.clause) == many:
        parser.error("name one clause, or say --all or --sample N")
    if many and asked.edition is None:
        asked.edition = DEFAULT_EDITION
    project = Project(edition=asked.edition)
    clauses = _chosen(project, asked)
    lost: list[str] = []
    with ThreadPoolExecutor(max(1, asked.jobs)) as pool:
        for report in pool.map(lambda clause: project.check(clause, asked.first or many), clauses):
            print(report, flush=True)
            if not report.held(asked.strict):
                lost.append(report.clause)
    if many:
        print(f"{len(clauses) - len(lost)} of {len(clauses)} clauses would be missed")
    if lost:
        print(f"no test would miss: {' '.join(lost)}")
    return 1 if lost else 0


if __name__ == "__main__":
    raise SystemExit(main())
