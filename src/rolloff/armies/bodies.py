"""Bases and heights (BASE-1, BASE-2): what a miniature of a kind stands on, unless its book says otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from rolloff.errors import ArmyError
from rolloff.lengths import INCH, LengthError, inches, millimetres
from rolloff.table.profile import Base

Body = tuple[Base, int]
"""A base and a height in thou."""

Footprints = tuple[tuple[str, str, float], ...]
"""What models stand on by keyword, the most telling first: keyword, base as it is written, height in inches."""

BODIES: Final[dict[str, Body]] = {
    "infantry": (Base("circle", (millimetres(32),)), 1 * INCH),  # BASE-1, BASE-2
    "heavy": (Base("circle", (millimetres(40),)), 1 * INCH),  # BASE-1, BASE-2
    "mounted": (Base("oval", (millimetres(25), millimetres(70))), 3 * INCH // 2),  # BASE-1, BASE-2
    "monster": (Base("circle", (millimetres(60),)), 5 * INCH // 2),  # BASE-1, BASE-2
    "walker": (Base("circle", (millimetres(60),)), 5 * INCH // 2),  # BASE-1, BASE-2
    "vehicle": (Base("rect", (3 * INCH, 5 * INCH)), 5 * INCH // 2),  # BASE-2
}

_BASE = re.compile(r"^(?P<a>\d+(?:\.\d+)?)(?:x(?P<b>\d+(?:\.\d+)?))?\s*(?P<in>mm|in)(?P<oval>\s+oval)?$")


def usual(unit_type: str, larger: bool) -> Body:
    """The body of a model whose book names none: that of its type; on foot some stand on the larger round base."""
    if unit_type in BODIES and unit_type != "infantry":
        return BODIES[unit_type]
    return BODIES["heavy" if larger else "infantry"]


def by_keyword(footprints: Footprints, keywords: Iterable[str]) -> Body | None:
    """The body of the first row whose keyword is among some."""
    held = set(keywords)
    for keyword, base, height in footprints:
        if keyword in held:
            return read_base(base, keyword), inches(height)
    return None


def read_base(text: str, where: str) -> Base:
    """``32 mm`` is round, ``25x70 mm oval`` an oval, ``3x5 in`` the rectangle of a hull."""
    match = _BASE.match(text.strip())
    if not match or (match["oval"] and not match["b"]):
        raise ArmyError("bad-base", f"{where}: {text!r} is no base", where=where, allowed="32 mm, 25x70 mm oval, 3x5 in")
    length = millimetres if match["in"] == "mm" else inches
    try:
        size = tuple(length(part) for part in (match["a"], match["b"]) if part)
    except LengthError as error:
        raise ArmyError("bad-base", f"{where}: {error}", where=where) from None
    if min(size) <= 0:
        raise ArmyError("bad-base", f"{where}: {text!r} is no base", where=where, allowed="32 mm, 25x70 mm oval, 3x5 in")
    kind = "circle" if len(size) == 1 else "oval" if match["oval"] else "rect"
    return Base(kind, size)
