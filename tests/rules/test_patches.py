"""Patches in a row make one state together; it must be the one they make one after the other."""

from __future__ import annotations

import struct
from functools import reduce
from random import Random

import pytest

from rolloff.table.event import (
    Done,
    Marked,
    ModelMarked,
    Patch,
    Placed,
    Removed,
    SideMarked,
    Ticked,
    Went,
    Wounded,
    patched,
)
from rolloff.table.state import TABLE, WAITING, Clock, State, Unit

UNITS, MODELS = 3, 4
SLOTS = UNITS * MODELS


def _start() -> State:
    return State(
        xy=struct.pack(f"<{2 * SLOTS}i", *range(2 * SLOTS)),
        z=bytes(4 * SLOTS),
        facing=bytes(2 * SLOTS),
        wounds=bytes(2 * SLOTS),
        owner=struct.pack(f"<{SLOTS}h", *[slot // MODELS for slot in range(SLOTS)]),
        units=tuple([Unit(tuple(range(MODELS * k, MODELS * k + MODELS)), TABLE) for k in range(UNITS)]),
        sides=((), ()),
        models=(),
        clock=Clock("a"),
    )


def _any_patch(random: Random) -> Patch:
    unit, slot, name = random.randrange(UNITS), random.randrange(SLOTS), random.choice("abc")
    value = random.choice((None, 1, "x"))
    place = Placed((slot,), struct.pack("<2i", 7, 7), struct.pack("<i", random.choice((0, 3))), struct.pack("<h", 9))
    kinds: tuple[Patch, ...] = (
        Marked(unit, name, value),
        SideMarked(unit % 2, name, value),
        ModelMarked(slot, name, value),
        Done(unit, bool(slot % 2)),
        Ticked(Clock(phase=name)),
        Removed(slot, slot // MODELS),
        Removed(slot, slot // MODELS),
        Wounded(slot, unit),
        Went(unit, random.choice((TABLE, WAITING))),
        place,
    )
    return random.choice(kinds)


@pytest.mark.parametrize("seed", range(200))
def test_patches_together_are_as_one_by_one(seed: int) -> None:
    """Any patches in a row leave the state that each of them leaves after the one before."""
    random, start = Random(seed), _start()
    patches = [_any_patch(random) for _ in range(random.randrange(2, 12))]
    assert patched(start, *patches) == reduce(patched, patches, start)
