"""Psychic powers as data (RULE-PSYKER-8, RULE-PSYKER-9): read from the content folder, one value for each."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

import msgspec
from msgspec import Struct

from rolloff.errors import BadInput
from rolloff.files import shipped_table
from rolloff.table.profile import Card, read_roll, read_rule
from rolloff.typed import convert

KNOWS = "power:"
"""The keyword by which a card says that its Psykers know a power: ``power:Foresight``."""


class Effect(Struct, frozen=True, forbid_unknown_fields=True):
    """One thing a power does; exactly one of the first seven says what. Counts are numbers or dice."""

    grant_rule: str = ""
    hits: str = ""
    wounds: str = ""
    heal: str = ""
    morale_test: bool = False
    repair: bool = False
    shift: int = 0
    to: Literal["unit", "weapons"] = "unit"
    rules: tuple[str, ...] = ()


class Power(Struct, frozen=True, forbid_unknown_fields=True):
    """One power: the number its test must reach, its range in inches, whom it aims at, what it does."""

    id: str
    name: str
    number: int
    range: int
    target: Literal["friend", "enemy", "self"]
    effects: tuple[Effect, ...]
    duration: Literal["instant", "this_activation", "target_next_activation", "end_of_round"]


def read_power(id: str, row: Mapping[str, Any], edition: str) -> Power:
    """One row of the file as the power of an edition; `BadInput` names what does not fit."""
    numbers = row.get("number")
    number = numbers.get(edition) if isinstance(numbers, dict) else None
    try:
        power = convert({**row, "id": id, "number": number}, Power)
    except msgspec.ValidationError as error:
        raise BadInput("bad-power", f"power {id!r}: {error}", where=id) from None
    for effect in power.effects:
        stated = (effect.grant_rule, effect.hits, effect.wounds, effect.heal, effect.morale_test, effect.repair, effect.shift)
        if sum(map(bool, stated)) != 1:
            raise BadInput("bad-power", f"power {id!r}: each effect does exactly one thing", where=id)
        for count in filter(None, (effect.hits, effect.wounds, effect.heal)):
            read_roll(count, id)
        for rule in effect.rules:
            read_rule(rule, id)
    return power


def load_powers(file: str = "powers.toml", edition: str = "onepage-3.0") -> Mapping[str, Power]:
    """The powers of a content file that an edition has, by their names."""
    rows = shipped_table(f"content/onepage/{file}")
    found = [read_power(id, row, edition) for id, row in rows.items() if edition in row["number"]]
    return {power.name: power for power in found}


@cache
def powers(edition: str) -> Mapping[str, Power]:
    """Every power an edition ships, by its name."""
    return load_powers(edition=edition)


def known_to(card: Card) -> tuple[str, ...]:
    """RULE-PSYKER-9: the names of the powers a card's Psykers know."""
    return tuple(word.removeprefix(KNOWS) for word in card.keywords if word.startswith(KNOWS))
