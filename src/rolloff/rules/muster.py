"""The places of a game: units and models by name and number, worked out once for rosters that are alike in it."""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate, chain

from msgspec import Struct

from rolloff.errors import BadInput
from rolloff.geometry.field import Field, Ground
from rolloff.geometry.shapes import Base as Footprint
from rolloff.identity_cache import IdentityCache
from rolloff.table.profile import Base, Card


class Rank(Struct, frozen=True, cache_hash=True):
    """What of a card decides the places of its models: who they are, whose, and their bases and heights."""

    id: str
    side: int
    models: tuple[str, ...]
    bases: tuple[tuple[Base, int], ...]


class Muster(Struct, frozen=True):
    """The names of all units, the number of each, the slot of each model, the first slot of each unit, and their sides."""

    names: tuple[str, ...]
    numbers: dict[str, int]
    slots: dict[str, int]
    starts: tuple[int, ...]
    sides: bytes


_ranks: IdentityCache[Card, Rank] = IdentityCache()
"""What was read off cards met lately."""


def rank_of(card: Card) -> Rank:
    """What of a card decides the places of its models."""
    found = _ranks.get(card)
    if found is None:
        ids = tuple([model.id for model in card.models])
        bases = tuple([(model.base, model.height) for model in card.models])
        found = _ranks.put(card, Rank(card.id, card.side, ids, bases))
    return found


@lru_cache(maxsize=256)
def muster(ranks: tuple[Rank, ...]) -> Muster:
    """Everybody's place; `BadInput` if two share a name."""
    names = tuple([rank.id for rank in ranks])
    numbers = {name: number for number, name in enumerate(names)}
    ids = tuple(chain.from_iterable([rank.models for rank in ranks]))
    slots = {name: slot for slot, name in enumerate(ids)}
    if len(numbers) != len(names) or len(slots) != len(ids):
        raise BadInput("same-id", "two units or models share an id", where="units", allowed="an id of its own for each")
    starts = tuple(accumulate([len(rank.models) for rank in ranks], initial=0))
    return Muster(names, numbers, slots, starts, bytes([rank.side for rank in ranks]))


@lru_cache(maxsize=256)
def field_of(ground: Ground, ranks: tuple[Rank, ...]) -> Field:
    """The ground and the bases of all models; `ShapeError` for a base without a size."""
    return Field(ground, [_footprint(base, height) for rank in ranks for base, height in rank.bases])


@lru_cache(maxsize=1024)
def _footprint(base: Base, height: int) -> Footprint:
    if base.kind == "circle":
        return Footprint.circle(base.size[0], height)
    if base.kind == "oval":
        return Footprint.oval(base.size[0], base.size[1], height)
    return Footprint.rect(base.size[0], base.size[1], height)
