"""Reading the written rules: what the three contracts have in common."""

from __future__ import annotations

import re
from collections.abc import Iterable

ID = r"[A-Z0-9]+(?:-[A-Z0-9]+)*-\d+"


def between(text: str, start: str, end: str | None = None) -> str:
    """The part of a text from a heading up to another heading."""
    at = text.index(start)
    return text[at : text.index(end, at) if end else len(text)]


def table_rows(text: str) -> Iterable[list[str]]:
    """The cells of each table row below the heading and its rule; a second table's heading is a row too."""
    rows = [line.strip() for line in text.splitlines() if line.strip().startswith("|")]
    for row in rows[1:]:
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        if not all(re.fullmatch(r":?-+:?", cell) for cell in cells):
            yield cells


def plain(cell: str) -> str:
    """A table cell without code marks."""
    return cell.replace("`", "").strip()


def topic_of(heading: str) -> str:
    """A heading without its number and the list of id stems after it."""
    bare = re.sub(r"^#+\s*(?:[A-Z]?\d*\.?\d+\.?)\s*", "", heading)
    return re.sub(r"\s*\([A-Z0-9, ]+\)\s*$", "", bare).strip()


def sentence(text: str) -> str:
    """The text with a capital at its head."""
    return text[:1].upper() + text[1:]
