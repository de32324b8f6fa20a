"""The models of a card at its place in a game, and what games ask of all cards: worked out once for cards that are alike."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain

from msgspec import Struct

from rolloff.editions.commentary.cards import Fighter, fighters_of, keywords_of, kind_of
from rolloff.identity_cache import IdentityCache
from rolloff.table.profile import Card

CHARACTER, TRANSPORT = "CHARACTER", "TRANSPORT"
CARRIES = "Carries"
"""The ability that says how many models, and of which kind, a TRANSPORT carries."""
AURA = "Aura"


class SquadKind(Struct, frozen=True, cache_hash=True):
    """What a game asks of all cards."""

    auras: tuple[int, ...]
    halves: bool
    flies: bool
    items: bool
    leads: bool
    carries: bool
    holds: bool
    abilities: frozenset[str]
    keywords: frozenset[str]
    random_move: bool


class Squad(Struct, frozen=True):
    """The models of a card at its place in a game, and what a game asks of all cards."""

    fighters: tuple[Fighter, ...]
    kind: SquadKind


class Answers(Struct, frozen=True):
    """What a game asks of all cards, answered.

    ``hulls`` have room for others, ``printed`` is every ability a datasheet of the game has. ``may_fly`` are the units that
    could be AIRCRAFT in the game: those that are, and whomever one of them could lead. ``keywords`` are those that models of
    each army have. With ``random_moves`` some model's Move is rolled.
    """

    halvers: frozenset[int]
    aircraft: tuple[int, ...]
    may_fly: frozenset[int]
    items: bool
    auras: tuple[int, ...]
    auras_of: tuple[tuple[int, ...], tuple[int, ...]]
    leaders: tuple[int, ...]
    carriers: frozenset[int]
    hulls: frozenset[int]
    abilities: tuple[frozenset[str], frozenset[str]]
    printed: frozenset[str]
    keywords: tuple[frozenset[str], frozenset[str]]
    random_moves: bool


@lru_cache(maxsize=256)
def answers_of(squads: tuple[SquadKind, ...], starts: tuple[int, ...], sides: bytes) -> Answers:
    """What a game asks of all its cards, which have these first slots and sides."""
    auras = [[start + at for at in squad.auras] for start, squad in zip(starts, squads, strict=False)]
    mine, yours = ([k for k, owner in enumerate(sides) if owner == side] for side in (0, 1))
    known = [frozenset[str]().union(*[squads[k].abilities for k in army]) for army in (mine, yours)]
    words = [frozenset[str]().union(*[squads[k].keywords for k in army]) for army in (mine, yours)]
    flying = frozenset([k for k, squad in enumerate(squads) if squad.flies])
    led = any(squads[k].leads for k in flying)
    return Answers(
        halvers=frozenset([k for k, squad in enumerate(squads) if squad.halves]),
        aircraft=tuple(sorted(flying)),
        may_fly=frozenset(range(len(squads))) if led else flying,
        items=any(squad.items for squad in squads),
        auras=tuple(chain.from_iterable(auras)),
        auras_of=(tuple(chain.from_iterable([auras[k] for k in mine])), tuple(chain.from_iterable([auras[k] for k in yours]))),
        leaders=tuple([k for k, squad in enumerate(squads) if squad.leads]),
        carriers=frozenset([k for k, squad in enumerate(squads) if squad.carries]),
        hulls=frozenset([k for k, squad in enumerate(squads) if squad.holds]),
        abilities=(known[0], known[1]),
        printed=known[0] | known[1],
        keywords=(words[0], words[1]),
        random_moves=any(squad.random_move for squad in squads),
    )


def may_lead(card: Card, other: Card) -> bool:
    """ABIL-7: whether a unit that a situation writes as inside another leads it: a CHARACTER, in what carries nobody."""
    carries = TRANSPORT in keywords_of(other) or any(rule.name.startswith(CARRIES) for rule in other.rules)
    return CHARACTER in keywords_of(card) and not carries


_squads: IdentityCache[Card, dict[int, Squad]] = IdentityCache()
"""The models of cards read lately, by the places the cards had in their games."""


def squad_of(card: Card, number: int) -> Squad:
    """The models of a card; models that are alike are the same fighter."""
    known = _squads.get(card)
    if known is None:
        known = _squads.put(card, {})
    found = known.get(number)
    if found is None:
        found = known[number] = _new_squad(card, number)
    return found


def _new_squad(card: Card, number: int) -> Squad:
    alike = fighters_of(card)
    if number:
        alike = {kind: fighter.of_card(number) for kind, fighter in alike.items()}
    fighters = tuple([alike[kind_of(model)] for model in card.models])
    kinds, words = alike.values(), keywords_of(card)
    kind = SquadKind(
        auras=tuple([at for at, fighter in enumerate(fighters) if AURA in fighter.ratings]),
        halves=any(fighter.has("Halves Control") for fighter in kinds),
        flies="AIRCRAFT" in words,
        items=any(fighter.carried for fighter in kinds),
        leads=CHARACTER in words,
        carries=TRANSPORT in words,
        holds=any(TRANSPORT in fighter.keywords or CARRIES in fighter.ratings for fighter in fighters[:1]),
        abilities=frozenset([name for fighter in kinds for name in fighter.ratings]),
        keywords=frozenset([word for fighter in kinds for word in fighter.keywords]),
        random_move=any(fighter.move_dice is not None for fighter in kinds),
    )
    return Squad(fighters, kind)
