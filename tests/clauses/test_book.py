"""The clause book: reading, statuses, and the words of each edition."""

from __future__ import annotations

import pytest

from rolloff.editions.clauses import FAMILIES, clause_book
from rolloff.errors import BadInput, UnknownEdition
from rolloff.table.clause import ClauseBook

BOOK = b"""{"family": "f", "editions": ["e-1", "e-2"], "clauses": [
 {"id": "A-1", "editions": ["e-1", "e-2"], "topic": "T",
  "text": [{"text": "Reach:"}, {"text": " 1.", "editions": ["e-1"]},
   {"text": " 2.", "editions": ["e-2"]}],
  "rulings": [{"text": "only here.", "editions": ["e-2"]}], "note": "n"},
 {"id": "A-2", "editions": ["e-2"], "topic": "T", "text": [{"text": "One."}, {"text": "Two.", "line": true}]}],
 "switches": [{"id": "s", "default": "on", "clause": "A-2", "editions": ["e-2"]}]}"""
STATUS = b'in_force = ["A-*"]\nplanned = ["A-2"]\n'


def test_each_edition_has_its_own_words() -> None:
    """Words marked for an edition are in its book alone; rulings and notes follow the text."""
    assert ClauseBook.read(BOOK, STATUS, "e-1")["A-1"].wording == "Reach: 1.\nNote: n"
    assert ClauseBook.read(BOOK, STATUS, "e-2")["A-1"].wording == "Reach: 2.\nRuling: only here.\nNote: n"


def test_a_book_holds_the_clauses_in_scope_in_order() -> None:
    """A clause of another edition is not in the book, nor is its switch."""
    assert list(ClauseBook.read(BOOK, STATUS, "e-1")) == ["A-1"]
    book = ClauseBook.read(BOOK, STATUS, "e-2")
    assert (list(book), len(book), book["A-2"].text) == (["A-1", "A-2"], 2, "One.\nTwo.")
    assert [switch.id for switch in book.switches] == ["s"]
    assert not ClauseBook.read(BOOK, STATUS, "e-1").switches


def test_status_is_a_list_of_patterns_less_another() -> None:
    """What is listed in force and not held back is in force; everything else is planned."""
    book = ClauseBook.read(BOOK, STATUS, "e-2")
    assert [clause.id for clause in book.in_force] == ["A-1"]
    assert [clause.id for clause in book.planned] == ["A-2"]


@pytest.mark.parametrize(
    ("book", "status", "edition"),
    [
        (b"{", STATUS, "e-1"),
        (BOOK, b"in_force =", "e-1"),
        (BOOK, STATUS, "e-3"),
        (BOOK, b"in_force = [1]", "e-1"),
    ],
)
def test_bad_files_are_refused(book: bytes, status: bytes, edition: str) -> None:
    """A file that cannot be read, or that lacks the edition, is an error of the family."""
    with pytest.raises(BadInput):
        ClauseBook.read(book, status, edition)


def test_unknown_edition_names_those_there_are() -> None:
    """Asking for an edition that does not exist says which do."""
    with pytest.raises(UnknownEdition) as caught:
        clause_book("onepage-9")
    assert str(caught.value.allowed).startswith(", ".join(FAMILIES))


def test_words_of_one_edition_do_not_leak_into_another() -> None:
    """The figures that differ between the relatives stand in the right books."""
    texts = {edition: clause_book(edition)["COH-1"].text for edition in list(FAMILIES)[:3]}
    assert texts["onepage-2.21"].endswith('1".')
    assert texts["onepage-3.0"].endswith('2".')
    assert "2.21" not in texts["onepage-3.0"]
    assert "leader" in clause_book("apocalypse-3.3")["COH-2"].text
    assert "leader" not in clause_book("onepage-3.0")["COH-2"].text


def test_tables_belong_to_their_clause() -> None:
    """A table below a clause is part of its text."""
    assert "| vehicle, Fast | 15 | 24 | 24 |" in clause_book("onepage-3.0")["MOVE-1"].text
    assert "Explodes!" in clause_book("compendium")["CF-VEH-6"].text
