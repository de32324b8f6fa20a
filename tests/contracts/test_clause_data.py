"""The clause files keep their promises: all there, readable, ours, and loaded only when asked for."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter

import pytest

from rolloff.editions.clauses import FAMILIES, clause_book
from tools.rules_reference import stale_pages

COUNTS = {
    "onepage-2.21": 321,
    "onepage-3.0": 323,
    "apocalypse-3.3": 314,
    "commentary-10": 481,
    "compendium": 721,
}


@pytest.mark.parametrize("edition", FAMILIES)
def test_every_clause_is_there_and_says_something(edition: str) -> None:
    """The books have at least as many clauses as the contracts, each with words and a topic."""
    book = clause_book(edition)
    assert len(book) >= COUNTS[edition]
    assert all(len(clause.wording) > 5 and clause.topic for clause in book.values())
    assert not any(clause.wording.endswith(":") for clause in book.values())


def test_definitions_are_few() -> None:
    """At most one clause in ten is a mere definition."""
    for edition in FAMILIES:
        kinds = Counter(clause.kind for clause in clause_book(edition).values())
        assert kinds["definition"] * 10 <= kinds.total()


def test_tables_beside_the_clauses() -> None:
    """Switches, decision points, special rules and meetings are in the books they belong to."""
    onepage, apocalypse = clause_book("onepage-3.0"), clause_book("apocalypse-3.3")
    assert len(onepage.switches) == 10
    assert {switch.id for switch in apocalypse.switches} - {switch.id for switch in onepage.switches} == {
        "apoc_melee_half_test"
    }
    assert len(onepage.decisions) == 31
    assert len(clause_book("commentary-10").decisions) == 69
    compendium = clause_book("compendium")
    assert (len(compendium.specials), len(compendium.interactions), len(compendium.decisions)) == (
        156,
        86,
        40,
    )
    tokens = {entry.token for entry in compendium.specials}
    assert tokens == {id_[3:].rpartition("-")[0] for id_ in compendium if id_.startswith("SR-")}


@pytest.mark.parametrize("edition", FAMILIES)
def test_clauses_refer_to_clauses_that_exist(edition: str) -> None:
    """Every full id mentioned in a book is an id of its family."""
    family = {id_ for other in FAMILIES if FAMILIES[other] == FAMILIES[edition] for id_ in clause_book(other)}
    stems = {id_.rpartition("-")[0] for id_ in family}
    for clause in clause_book(edition).values():
        for stem, number in re.findall(r"\b([A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*)-(\d+)\b", clause.wording):
            assert stem not in stems or f"{stem}-{number}" in family, (clause.id, stem, number)


def test_nothing_is_loaded_before_it_is_asked_for() -> None:
    """Importing the package reads no clause file and no part that could."""
    program = "import rolloff, sys; print([m for m in sys.modules if 'clause' in m or m == 'tomllib'])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_rules_reference_is_up_to_date() -> None:
    """The pages under docs/rules are what the clause files say."""
    assert not stale_pages(), "run python -m tools.rules_reference"
