"""Psychic powers as data (RULE-PSYKER-8, RULE-PSYKER-9): read from the content folder, one value for each power."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from msgspec import Struct

from rolloff.errors import BadInput
from rolloff.lengths import inches
from rolloff.table.profile import Card, Rule, Throw, read_rule, read_throw

KNOWS = "power:"
"""The keyword by which a card says that its Psykers know a power: ``power:Foresight``."""

FRIEND, ENEMY, SELF = "friend", "enemy", "self"
INSTANT, THIS_ACTIVATION, NEXT_ACTIVATION, END_OF_ROUND = (
    "instant",
    "this_activation",
    "target_next_activation",
    "end_of_round",
)
GRANT, HITS, WOUNDS, HEAL, MORALE_TEST, SHIFT = (
    "grant_rule",
    "hits",
    "wounds",
    "heal",
    "morale_test",
    "shift",
)
_TARGETS = (FRIEND, ENEMY, SELF)
_DURATIONS = (INSTANT, THIS_ACTIVATION, NEXT_ACTIVATION, END_OF_ROUND)
_EFFECTS = (GRANT, HITS, WOUNDS, HEAL, MORALE_TEST, SHIFT)


class Effect(Struct, frozen=True):
    """One thing a power does: ``do`` says what, the other fields how much or which rule."""

    do: str
    count: Throw = Throw()
    rules: tuple[Rule, ...] = ()
    to: str = "unit"
    distance: int = 0


class Power(Struct, frozen=True):
    """One power: the number its test must reach, its range in thou, whom it may be aimed at, what it does."""

    id: str
    name: str
    number: int
    range: int
    target: str
    duration: str
    effects: tuple[Effect, ...]


def _bad(id: str, why: str) -> BadInput:
    return BadInput("bad-power", f"power {id!r}: {why}", where=id)


def _one_of(id: str, value: object, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise _bad(id, f"{value!r} is none of {', '.join(allowed)}")
    return str(value)


def _effect(id: str, row: Mapping[str, Any]) -> Effect:
    do = _one_of(id, row.get("do"), _EFFECTS)
    granted = [row["rule"]] if do == GRANT else list(row.get("rules", ()))
    return Effect(
        do,
        read_throw(row.get("count", 0), id),
        tuple(read_rule(text, id) for text in granted),
        _one_of(id, row.get("to", "unit"), ("unit", "weapons")),
        inches(row.get("distance", 0)),
    )


def read_power(id: str, row: Mapping[str, Any], edition: str) -> Power:
    """One row of the file as the power of an edition; `BadInput` names what does not fit."""
    try:
        return Power(
            id,
            str(row["name"]),
            int(row["number"][edition]),
            inches(row["range"]),
            _one_of(id, row["target"], _TARGETS),
            _one_of(id, row["duration"], _DURATIONS),
            tuple(_effect(id, effect) for effect in row["effects"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise _bad(id, f"it lacks or misspells {error}") from None


@cache
def powers(edition: str) -> Mapping[str, Power]:
    """Every power an edition ships, by its name."""
    text = files("rolloff").joinpath("content/onepage/powers.toml").read_text(encoding="utf-8")
    found = [
        read_power(id, row, edition) for id, row in tomllib.loads(text).items() if edition in row["number"]
    ]
    return {power.name: power for power in found}


def known(card: Card) -> tuple[str, ...]:
    """RULE-PSYKER-9: the names of the powers a card's Psykers know."""
    return tuple(word.removeprefix(KNOWS) for word in card.keywords if word.startswith(KNOWS))
