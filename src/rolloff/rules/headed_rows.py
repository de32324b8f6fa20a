"""A weapon as two lines: the names of the columns, and below them the row."""

from __future__ import annotations

import re

from rolloff.pattern import Pattern
from rolloff.rules.rule_names import even, is_nothing
from rolloff.rules.weapon_lines import LABELS, LEAST_CELLS

_RULED = Pattern(r"[\s|:+=-]+")


def headed(text: str) -> str:
    """A row that stands below the names of its columns, with the name of each before its value; any other text as it is."""
    lines = text.splitlines()
    if len(lines) < 2:
        return text
    lines = [line for line in lines if line.strip() and not _RULED.fullmatch(line)]
    if len(lines) != 2:
        return text
    mark = max("|\t;,", key=lines[0].count)
    names, values = (
        [cell.strip(' "') if mark == "," else cell.strip() for cell in line.strip("| ").split(mark)] for line in lines
    )
    labels = [_label(name) for name in names]
    if len(values) < len(names) or sum(label is not None for label in labels) < LEAST_CELLS:
        return text
    values = [*values[: len(names) - 1], f"{mark} ".join(values[len(names) - 1 :])]
    return " | ".join(
        value if not label or is_nothing(value) else f"{label}: {value}" for label, value in zip(labels, values, strict=True)
    )


def _label(name: str) -> str | None:
    """What a column goes by whose heading is so: nothing for the name of a weapon, None if it is no heading."""
    bare = even(name).casefold().rstrip(":")
    if bare in ("name", "weapon", "weapons", "ranged weapons", "melee weapons", "profile"):
        return ""
    if bare in ("keywords", "keyword", "abilities", "ability", "rules", "special rules", "type"):
        return "keywords"
    return next((column for column, label in LABELS.items() if re.fullmatch(label, bare)), None)
