"""What places say to sight and cover (RUIN, TER): which screens models see out of and are seen into, and what covers them.

Only how a model stands to a feature and of what sort it is counts. So it is put down once for a table, for every such case.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from rolloff.editions.commentary.ground import BARRICADE, CRATER, RUIN, WOODS
from rolloff.geometry import sampled
from rolloff.geometry.measure import BESIDE, INSIDE, WHOLLY
from rolloff.geometry.stances import FOOTINGS
from rolloff.rules.citing import cites

ABOVE = frozenset({"AIRCRAFT", "TOWERING"})  # RUIN-5
"""RUIN-5, TER-7: to and from these sight is normal."""


class Sort(NamedTuple):
    """What sight and cover ask of a model besides its place: is it seen over everything, and is it INFANTRY."""

    lofty: bool
    infantry: bool


SORTS = tuple([Sort(*each) for each in product((False, True), repeat=2)])


def said(screens: Sequence[bool], kinds: Sequence[int]) -> bytes:
    """What places say, a row for each sort of models and footing.

    In a row: by screen (is it woody) who sees out of it and who is seen into it, and by feature (of which kinds) what covers.
    """
    rows = bytearray()
    for sort in SORTS:
        for footing in range(FOOTINGS):
            rows += bytes([_lifts_out(woody, footing, sort) for woody in screens])
            rows += bytes([_lifts_into(woody, footing, sort) for woody in screens])
            cover = {kind: _cover(kind, footing, sort) for kind in set(kinds)}
            rows += bytes([cover[kind] for kind in kinds])
    return bytes(rows)


@lru_cache(maxsize=1024)
def sort_number(keywords: tuple[str, ...]) -> int:
    """Which of the sorts a model with these keywords is."""
    return SORTS.index(Sort(not ABOVE.isdisjoint(keywords), "INFANTRY" in keywords))


def _lifts_out(woody: bool, footing: int, sort: Sort) -> bool:
    """Whether an observer that stands like this to a screen lifts it."""
    out = _out_of(footing)
    return sort.lofty or (out if woody else looking_out(_into(footing), out))


def _lifts_into(woody: bool, footing: int, sort: Sort) -> bool:
    """Whether a target that stands like this to a screen lifts it."""
    return sort.lofty or (not woody and _into(footing))


@cites("VIS-7")
def looking_out(into: bool, out: bool) -> bool:
    """VIS-7: an observer lifts a screen otherwise than a target: the answer the other way may differ."""
    return out


@cites("RUIN-2", "RUIN-4")
def _into(footing: int) -> bool:
    """RUIN-2, RUIN-4: models see into a ruin, and inside it."""
    return footing & INSIDE > 0


@cites("RUIN-3")
def _out_of(footing: int) -> bool:
    """RUIN-3: models see out of a ruin if they are wholly within."""
    return footing & WHOLLY > 0


def _cover(kinds: int, footing: int, sort: Sort) -> int:
    """What a feature is to a model that stands to it like this."""
    if kinds & CRATER:
        return _in_crater(footing) if sort.infantry else sampled.OPEN
    if kinds & (RUIN | WOODS) and footing & WHOLLY:
        return sampled.COVERED
    if kinds & BARRICADE and not (sort.infantry and _by_barricade(footing)):
        return sampled.OPEN
    return partly_hidden()


@cites("TER-3", "CRATER-1")
def _in_crater(footing: int) -> int:
    """TER-3, CRATER-1: INFANTRY wholly on top of a crater."""
    return sampled.COVERED if footing & WHOLLY else sampled.OPEN


@cites("TER-4")
def _by_barricade(footing: int) -> bool:
    """TER-4: wholly within 3" of a barricade."""
    return footing & BESIDE > 0


@cites("TER-2")
def partly_hidden() -> int:
    """TER-2: a feature covers a model that is not fully visible in a scene of that feature and the two models alone."""
    return sampled.HIDING
