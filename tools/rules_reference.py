"""Write the rules reference, `docs/rules/<edition>.md`, from the clause files.

    python -m tools.rules_reference [--check]

With ``--check`` nothing is written; the command fails if a page is not what would be written.
"""

from __future__ import annotations

import sys
from pathlib import Path

from rolloff.editions.clauses import FAMILIES, clause_book
from rolloff.editions.clauses.document import document

TARGET = Path(__file__).parent.parent / "docs" / "rules"


def stale_pages(target: Path = TARGET) -> dict[Path, str]:
    """The pages that are missing or differ from what the clauses say, with what they should be."""
    pages = {target / f"{edition}.md": document(clause_book(edition)) for edition in FAMILIES}
    return {path: text for path, text in pages.items() if not path.exists() or path.read_text(encoding="utf-8") != text}


def main(check: bool) -> int:
    """Write the pages, or say which are stale."""
    stale = stale_pages()
    for path, text in stale.items():
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        print(f"{'stale' if check else 'written'}: {path.name}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    raise SystemExit(main("--check" in sys.argv[1:]))
