"""Editions side by side: one clause in each of them, or everything that changed from one to another."""

from __future__ import annotations

import re
from difflib import SequenceMatcher, get_close_matches
from typing import Literal

from msgspec import Struct, field

from rolloff.editions.clauses import FAMILIES, clause_book
from rolloff.errors import BadInput
from rolloff.table.clause import Clause, ClauseBook

Change = Literal["same", "gone", "new"]
_WORD = re.compile(r"\s+|\w+|[^\w\s]")
FEW_WORDS = 4
"""Fewer words than these between two changes are taken as changed with them."""


class Comparison(Struct, frozen=True, kw_only=True):
    """One clause in the words of each edition of its family, as ``rolloff.compare/1``; None where it has none."""

    schema: Literal["rolloff.compare/1"] = "rolloff.compare/1"
    id: str
    editions: dict[str, str | None]
    differs: bool


class Changed(Struct, frozen=True, rename={"before": "from", "after": "to"}):
    """A clause whose words changed."""

    id: str
    before: str
    after: str
    topic: str


class EditionDifference(Struct, frozen=True, kw_only=True):
    """What changed from one edition to another, as ``rolloff.diff/1``: words, and clauses only one of them has."""

    schema: Literal["rolloff.diff/1"] = "rolloff.diff/1"
    changed: list[Changed] = field(default_factory=list)
    only: dict[str, list[str]] = field(default_factory=dict)


def find_clause(books: list[ClauseBook], id_: str) -> list[Clause]:
    """The clause of an id in each book that has it.

    Raises:
        BadInput: none has it; the nearest ids are named.
    """
    found = [book.found(id_) for book in books if id_ in book or id_ in {meeting.id for meeting in book.interactions}]
    if found:
        return found
    ids = sorted({known for book in books for known in (*book, *(meeting.id for meeting in book.interactions))})
    near = nearest_ids(id_, ids)
    raise BadInput("unknown-clause", f"there is no clause {id_}; the nearest are {near}", where=id_, allowed=near)


def nearest_ids(id_: str, ids: list[str]) -> str:
    """The ids a person may have meant: of the same subject those nearest by number, else those written most alike."""
    stem, _, number = id_.rpartition("-")
    alike = [known for known in ids if known.rpartition("-")[0] == stem and known.rpartition("-")[2].isdigit()]
    if alike and number.isdigit():
        alike.sort(key=lambda known: (abs(int(known.rpartition("-")[2]) - int(number)), known))
        return ", ".join(alike[:3])
    return ", ".join(get_close_matches(id_, ids, 3, 0.5)) or ", ".join(ids[:3])


def compare(id_: str, edition: str | None = None) -> Comparison:
    """A clause in every edition of its family; the family of ``edition``, else the first that has the clause."""
    books = [clause_book(name) for name in ([edition] if edition else FAMILIES)]
    family = FAMILIES[find_clause(books, id_)[0].edition]
    own = [name for name, of in FAMILIES.items() if of == family]
    texts = {name: clause_book(name)[id_].wording if id_ in clause_book(name) else None for name in own}
    return Comparison(id=id_, editions=texts, differs=len(set(texts.values())) > 1)


def difference(first: str, second: str) -> EditionDifference:
    """What a player reads before going over from one edition to another of its family.

    Raises:
        BadInput: they are no relatives, so equal ids say nothing.
    """
    before, after = clause_book(first), clause_book(second)
    if before.family != after.family:
        own = [name for name, family in FAMILIES.items() if family == before.family and name != first]
        allowed = ", ".join(own) or f"no other edition is a relative of {first}"
        raise BadInput(
            "no-relatives", f"{first} and {second} are rulebooks of different families", where=second, allowed=allowed
        )
    changed = [
        Changed(id_, clause.wording, after[id_].wording, clause.topic)
        for id_, clause in before.items()
        if id_ in after and clause.wording != after[id_].wording
    ]
    only = {first: [id_ for id_ in before if id_ not in after], second: [id_ for id_ in after if id_ not in before]}
    return EditionDifference(changed=changed, only=only)


def marked(before: str, after: str) -> list[tuple[Change, str]]:
    """Two wordings as one run of text: what stayed, what is gone, what is new.

    Where only a word or two stayed between two changes, the stretch reads better as one change.
    """
    old, new = _WORD.findall(before), _WORD.findall(after)
    edits = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    runs: list[tuple[Change, str]] = []
    gone, fresh = "", ""
    for at, (kind, a, b, c, d) in enumerate(edits):
        few = sum(word.isalnum() for word in old[a:b]) < FEW_WORDS
        if kind != "equal" or (few and 0 < at < len(edits) - 1):
            gone, fresh = gone + "".join(old[a:b]), fresh + "".join(new[c:d])
            continue
        runs += _change(gone, fresh)
        runs.append(("same", "".join(old[a:b])))
        gone, fresh = "", ""
    return [*runs, *_change(gone, fresh)]


def _change(gone: str, fresh: str) -> list[tuple[Change, str]]:
    """What was replaced by what, as far as there is anything."""
    runs: list[tuple[Change, str]] = [("gone", gone), ("new", fresh)]
    return [(kind, words) for kind, words in runs if words]
