"""Write the rules reference, `docs/rules/<edition>.md`, from the clause files.

    python -m tools.rules_reference [--check]

With ``--check`` nothing is written; the command fails if a page is not what would be written. Clauses of special rules that
were added since a page was written may be missing from it: a new rule needs no page of its own.
"""

from __future__ import annotations

import sys
from pathlib import Path

from rolloff.editions.clauses import FAMILIES, clause_book
from rolloff.editions.clauses.document import document

TARGET = Path(__file__).parent.parent / "docs" / "rules"


def stale_pages(target: Path = TARGET, waiting: bool = True) -> dict[Path, str]:
    """The pages that are missing or differ from what the clauses say, with what they should be.

    With ``waiting``, clauses of special rules that a page does not have yet are no difference.
    """
    found: dict[Path, str] = {}
    for edition in FAMILIES:
        path, book = target / f"{edition}.md", clause_book(edition)
        old = path.read_text(encoding="utf-8") if path.exists() else ""
        new = {id_ for id_, clause in book.items() if waiting and clause.rule and f"- **{id_}**" not in old}
        if old != document(book, new):
            found[path] = document(book)
    return found


def main(check: bool) -> int:
    """Write the pages, or say which are stale."""
    stale = stale_pages(waiting=check)
    for path, text in stale.items():
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        print(f"{'stale' if check else 'written'}: {path.name}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    raise SystemExit(main("--check" in sys.argv[1:]))
