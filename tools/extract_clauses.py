"""Write the clause files of the package from the written rules.

    python -m tools.extract_clauses PATH

PATH is the folder with ``onepage.md``, ``commentary.md`` and ``compendium.md``. The files written are
committed, so nothing else needs that folder; run this again when the wording there changes. Notes that were
set in the files are kept.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import msgspec

from rolloff.table.clause import RuleBook
from tools.contract_commentary import read_commentary
from tools.contract_compendium import read_compendium
from tools.contract_onepage import read_onepage

TARGET = Path(__file__).parent.parent / "src" / "rolloff" / "editions" / "clauses"
READERS: dict[str, Callable[[str], RuleBook]] = {
    "onepage": read_onepage,
    "commentary": read_commentary,
    "compendium": read_compendium,
}


def with_notes(book: RuleBook, path: Path) -> RuleBook:
    """The book with the notes of the file it is about to replace."""
    if not path.exists():
        return book
    old = msgspec.json.decode(path.read_bytes(), type=RuleBook)
    notes = {clause.id: clause.note for clause in old.clauses if clause.note}
    clauses = [msgspec.structs.replace(clause, note=notes.get(clause.id, "")) for clause in book.clauses]
    return msgspec.structs.replace(book, clauses=tuple(clauses))


def check(book: RuleBook) -> None:
    """Refuse a book with an id twice, or with a definition or switch that names no clause."""
    twice = [id_ for id_, times in Counter(clause.id for clause in book.clauses).items() if times > 1]
    ids = {clause.id for clause in book.clauses}
    strays = [switch.id for switch in book.switches if switch.clause not in ids]
    if twice or strays:
        raise SystemExit(f"{book.family}: ids twice {twice}, switches without a clause {strays}")


def main(folder: Path) -> None:
    """Extract all three books and say how many clauses each edition has."""
    for family, read in READERS.items():
        path = TARGET / f"{family}.json"
        book = with_notes(read((folder / f"{family}.md").read_text(encoding="utf-8")), path)
        check(book)
        path.write_bytes(msgspec.json.format(msgspec.json.encode(book), indent=1) + b"\n")
        for edition in book.editions:
            own = [clause for clause in book.clauses if edition in clause.editions]
            words = sum(clause.kind == "definition" for clause in own)
            print(f"{edition}: {len(own)} clauses, {words} of them definitions")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(Path(sys.argv[1]))
