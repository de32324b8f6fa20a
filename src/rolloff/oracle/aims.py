"""Harm that was aimed: whoever was named bears it alone, so that the law of all is the product of what befalls each."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeVar

from rolloff.errors import BadInput
from rolloff.oracle.flow import Volley
from rolloff.oracle.law import Law, Number
from rolloff.oracle.target import Target, UnitTarget

MOST = 100_000
"""How many states the product may have."""

S = TypeVar("S", bound=Hashable)
Part = tuple[tuple[Volley, ...], UnitTarget[S], S]
Aimed = Mapping[int, Part[S]]
"""By aim: the volleys with it, what they befall, and its state."""


def apart(event: tuple[Volley, ...], target: Target[S], start: S) -> Aimed[S] | None:
    """The parts of a target that an event befalls one by one; None if some harm may reach others, or all is aimed at one."""
    volleys: dict[int, tuple[Volley, ...]] = {}
    for volley in event:
        aim = volley.flow.aim
        if aim is None:
            return None
        volleys[aim] = (*volleys.get(aim, ()), volley)
    found: dict[int, Part[S]] = {}
    for aim, own in volleys.items():
        part = target.apart(start, aim)
        if part is None:
            return None
        found[aim] = (own, *part)
    return found if len(found) > 1 else None


def together(target: Target[S], start: S, laws: Mapping[int, Mapping[S, Number]], one: Number) -> Law[S]:
    """The law of a target from those of its parts, which know nothing of each other; `BadInput` if it is too long."""
    rows: list[tuple[tuple[S, ...], Number]] = [((), one)]
    for law in laws.values():
        if len(rows) * len(law) > MOST:
            message = f"so many models are aimed at that they may end in more than {MOST:,} ways; ask for fewer attackers"
            raise BadInput("too-large", message, where="attacks", allowed=f"{MOST:,} ways")
        rows = [((*ends, end), chance * share) for ends, chance in rows for end, share in law.items() if share]
    return Law((target.whole_of(start, dict(zip(laws, ends, strict=True))), chance) for ends, chance in rows)
