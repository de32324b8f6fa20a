"""Which clauses are covered: by which tests, with what result, and where the code cites them.

In a checkout the results are those of the last test run, which pytest leaves in ``.coverage-clauses.json``; an installed
package has the snapshot it was built with. Where there is neither, the summary that is kept with the clauses says how many
were covered when it was written, and which were not. Only a test that passed, and is still there, covers anything.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct, field

from rolloff.editions.clauses import FAMILIES, clause_book
from rolloff.errors import BadInput
from rolloff.rules.citing_scan import package_citations
from rolloff.table.clause import Clause, Kind, Status
from rolloff.typed import read_json

RESULTS = ".coverage-clauses.json"
SNAPSHOT = "coverage.json"
SUMMARY = "coverage_summary.json"
PACKAGE = Path(__file__).parents[2]

Source = Literal["collected", "shipped"]


class MarkedTest(Struct, frozen=True):
    """A test's clause marks, each an edition and ids, and how it went."""

    marks: tuple[tuple[str, ...], ...]
    result: str


class Results(Struct, frozen=True):
    """How marked tests went; ``complete`` if the whole suite was run."""

    commit: str = ""
    complete: bool = False
    tests: dict[str, MarkedTest] = field(default_factory=dict)


class CoveringTest(Struct, frozen=True):
    """A test of a clause."""

    id: str
    result: str


class CoveredClause(Struct, frozen=True, kw_only=True):
    """A clause with what is known about its tests and its code."""

    id: str
    kind: Kind
    text: str
    status: Status
    tests: tuple[CoveringTest, ...]
    code: tuple[str, ...]

    @property
    def covered(self) -> bool:
        """Whether a test that passed marks it."""
        return any(test.result == "passed" for test in self.tests)


class Counts(Struct, frozen=True):
    """How far an edition is."""

    in_force: int
    covered: int
    planned: int


class Coverage(Struct, frozen=True, kw_only=True):
    """The coverage of an edition, as ``rolloff.coverage/1``."""

    schema: str
    edition: str
    source: Source
    commit: str
    clauses: tuple[CoveredClause, ...]
    uncovered: tuple[str, ...]
    counts: Counts


def _read(path: Path) -> Results:
    if not path.is_file():
        return Results()
    try:
        return read_json(path.read_bytes(), Results)
    except msgspec.MsgspecError as error:
        raise BadInput("bad-coverage", f"{path.name} cannot be read: {error}", where=path.name) from error


def known_results(package: Path = PACKAGE) -> tuple[Source, Results]:
    """The results to go by: those of the last run in a checkout, else those the package was built with."""
    root = package.parents[1]
    collected = _read(root / RESULTS)
    if collected.tests:
        there = {id_: test for id_, test in collected.tests.items() if _still_there(root, id_)}
        return "collected", Results(collected.commit, collected.complete, there)
    return "shipped", _read(package / "editions" / "clauses" / SNAPSHOT)


@cache
def _text_of(path: Path) -> str:
    return path.read_text("utf-8") if path.is_file() else ""


def _still_there(root: Path, id_: str) -> bool:
    """Whether a test of that id is still written down: a deleted one covers nothing."""
    file, _, name = id_.partition("::")
    return f"def {name.rpartition('::')[2].partition('[')[0]}(" in _text_of(root / file)


class _Summarised(Struct, frozen=True):
    """How far an edition was: the clauses in force, and those among them that no test covered."""

    in_force: int
    gaps: tuple[str, ...]


class Summary(Struct, frozen=True):
    """How far every edition was at a commit."""

    commit: str
    editions: dict[str, _Summarised]


def summary_of(coverages: Iterable[Coverage]) -> Summary:
    """What is kept of the coverage of some editions."""
    found = list(coverages)
    rows = {coverage.edition: _Summarised(coverage.counts.in_force, coverage.uncovered) for coverage in found}
    return Summary(found[0].commit if found else "", rows)


def _summarised(package: Path, edition: str, in_force: int) -> tuple[str, tuple[str, ...] | None]:
    """The commit and the gaps of the kept summary; no gaps are known where other clauses are in force by now."""
    path = package / "editions" / "clauses" / SUMMARY
    if not path.is_file():
        return "", None
    summary = read_json(path.read_bytes(), Summary)
    row = summary.editions.get(edition)
    return summary.commit, row.gaps if row is not None and row.in_force == in_force else None


def _tests_by_clause(results: Results, edition: str) -> dict[str, list[CoveringTest]]:
    found: dict[str, list[CoveringTest]] = defaultdict(list)
    for id_, test in sorted(results.tests.items()):
        ids = {clause for of, *named in test.marks for clause in named if of == edition}
        for clause in ids:
            found[clause].append(CoveringTest(id_, test.result))
    return found


def _code_by_clause(package: Path, edition: str) -> dict[str, list[str]]:
    """Where the code cites each clause; another family's own code means its own clauses by the same ids."""
    foreign = tuple(f"{package.name}.editions.{family}." for family in FAMILIES.values() if family != FAMILIES[edition])
    found: dict[str, list[str]] = defaultdict(list)
    for citation in package_citations(package.parent, package.name):
        places = found[citation.clause]
        if not f"{citation.where.partition(':')[0]}.".startswith(foreign) and citation.where not in places:
            places.append(citation.where)
    return found


def coverage_of(edition: str, package: Path = PACKAGE) -> Coverage:
    """The coverage of a built-in edition.

    Raises:
        UnknownEdition: there is none of that id.
        BadInput: it comes from another package, whose tests nobody counts here.
    """
    book = clause_book(edition)
    if edition not in FAMILIES:
        message = f"{edition} comes from another package, and its tests are not counted here"
        raise BadInput("no-coverage", message, where="edition", allowed=", ".join(FAMILIES))
    source, results = known_results(package)
    tests = _tests_by_clause(results, edition)
    code = _code_by_clause(package, edition)

    def about(clause: Clause) -> CoveredClause:
        return CoveredClause(
            id=clause.id,
            kind=clause.kind,
            text=clause.wording,
            status=clause.status,
            tests=tuple(tests.get(clause.id, ())),
            code=tuple(code.get(clause.id, ())),
        )

    clauses = tuple(map(about, book.values()))
    in_force = [clause for clause in clauses if clause.status == "in-force"]
    uncovered = tuple(clause.id for clause in in_force if not clause.covered)
    commit = results.commit
    if not results.tests:
        commit, gaps = _summarised(package, edition, len(in_force))
        uncovered = uncovered if gaps is None else gaps
    counts = Counts(len(in_force), len(in_force) - len(uncovered), len(clauses) - len(in_force))
    return Coverage(
        schema="rolloff.coverage/1",
        edition=edition,
        source=source,
        commit=commit,
        clauses=clauses,
        uncovered=uncovered,
        counts=counts,
    )
