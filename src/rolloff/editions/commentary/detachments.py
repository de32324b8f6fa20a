"""Detachments as data (G5, G6): the rule of each, and its Stratagems, as the books write them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

import msgspec
from msgspec import Struct

from rolloff.editions.commentary.cards import words_of
from rolloff.editions.commentary.lookups import index_of
from rolloff.errors import BadInput
from rolloff.files import shipped_names, shipped_table
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.typed import convert

DETACHMENT = "detachment:"


class Stratagem(Struct, frozen=True, forbid_unknown_fields=True):
    """One Stratagem of a detachment as its book writes it."""

    id: str
    name: str
    labels: tuple[str, ...]
    cost: int
    at: tuple[str, ...]
    turn: Literal["own", "enemy", "other", "either"]
    target: str
    keywords: str
    about: str = ""
    phases: tuple[str, ...] = ()
    gives: tuple[str, ...] = ()
    until: str = "end-phase"
    does: str = ""
    once: str = ""
    equipment: str = ""
    ability: str = ""
    unless: str = ""
    within: int = 0
    armed: bool = False
    engaged: bool | None = None


class Detachment(Struct, frozen=True, forbid_unknown_fields=True):
    """A detachment: the keyword all its models have, its rule, and its Stratagems."""

    id: str
    name: str
    keyword: str
    about: str = ""
    rules: tuple[str, ...] = ()
    stratagems: tuple[Stratagem, ...] = ()


@cache
def detachments() -> Mapping[str, Detachment]:
    """Every detachment of the books of this edition, by the name lists use."""
    found: dict[str, Detachment] = {}
    for file in shipped_names("content/commentary/books"):
        for name, row in shipped_table(file).get("detachments", {}).items():
            try:
                found[name] = convert(row, Detachment)
            except msgspec.ValidationError as error:
                book = file.rpartition("/")[2]
                raise BadInput("bad-book", f"{book}: detachment {name}: {error}", where=book) from None
    return found


def detachment_of(game: Game, side: int) -> str:
    """The detachment a side fields, by the name its list uses; nothing if it names none."""
    lookups = index_of(game)
    found = lookups.fielded.get(side)
    if found is None:
        names = [name for unit in game.units_of[side] for name in words_of(game.cards[unit], DETACHMENT)]
        found = lookups.fielded[side] = min(names) if names else ""
    return found


@cites("KEYW-5")
def detachment_rules(game: Game, side: int) -> tuple[str, ...]:
    """KEYW-5: the rules of a side's detachment, if every model of the army has its keyword or says that it does no harm."""
    lookups = index_of(game)
    key = ("detachment", side)
    kept = lookups.flown.get(key)
    if isinstance(kept, tuple):
        return kept
    name = detachment_of(game, side)
    found = detachments().get(name) if name else None
    whole = found is not None and all(
        found.keyword in lookups.fighters[slot].keywords or lookups.fighters[slot].has("Breaks No Detachment")
        for unit in game.units_of[side]
        for slot in range(game.starts[unit], game.starts[unit + 1])
    )
    made = found.rules if found is not None and whole else ()
    lookups.flown[key] = made
    return made
