"""Which clauses are covered: by which tests, with what result, and where the code cites them.

In a checkout the results are those of the last test run, which pytest leaves in ``.coverage-clauses.json``;
an installed package has the snapshot it was shipped with. Only a test that passed covers anything.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct, field

from rolloff.editions.clauses import FAMILIES, clause_book
from rolloff.errors import BadInput
from rolloff.rules.citing_scan import package_citations
from rolloff.table.clause import Clause, Kind, Status

RESULTS = ".coverage-clauses.json"
SNAPSHOT = "coverage.json"
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
        return msgspec.json.decode(path.read_bytes(), type=Results)
    except msgspec.MsgspecError as error:
        raise BadInput("bad-coverage", f"{path.name} cannot be read: {error}", where=path.name) from error


def known_results(package: Path = PACKAGE) -> tuple[Source, Results]:
    """The results to go by. A run of a part of the tests brings the shipped ones up to date."""
    shipped = _read(package / "editions" / "clauses" / SNAPSHOT)
    collected = _read(package.parents[1] / RESULTS)
    if collected.complete or not shipped.tests:
        return "collected" if collected.tests else "shipped", collected
    return "shipped", Results(shipped.commit, True, {**shipped.tests, **collected.tests})


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
    """The coverage of an edition; `UnknownEdition` if there is none of that id."""
    book = clause_book(edition)
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
    counts = Counts(len(in_force), len(in_force) - len(uncovered), len(clauses) - len(in_force))
    return Coverage(
        schema="rolloff.coverage/1",
        edition=edition,
        source=source,
        commit=results.commit,
        clauses=clauses,
        uncovered=uncovered,
        counts=counts,
    )
