"""A match-up: everything about weapon, striker, target and circumstances that decides the tables of an attack."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from rolloff.editions.compendium.ability import MELEE, SHOOTING, Ability
from rolloff.rules.citing import cites
from rolloff.table.profile import DiceRoll, Rule, carries

VEHICLE, MONSTER, WALKER, CHARACTER, INDEPENDENT = "vehicle", "monster", "walker", "character", "independent character"
DAEMON, PSYKER, CHARIOT, SWARMS = "daemon", "psyker", "chariot", "swarms"
DESTROYER = "Destroyer"
MOST = 10
"""No characteristic is higher (CF-DICE-8)."""


def singular(name: str) -> str:
    """A name as it is compared: without case, and without a plural s."""
    text = " ".join(name.casefold().replace("_", " ").split())
    return text[:-1] if text.endswith("s") and len(text) > 3 else text


class Enemy(Struct, frozen=True, cache_hash=True):
    """What of the target decides the rolls: the values most of its models have, and what most of them are."""

    weapon_skill: int = 0
    toughness: int = 0
    initiative: int = 0
    save: int = 7
    armour: int = 0
    vehicle: bool = False
    types: frozenset[str] = frozenset()
    helpless: bool = False

    def is_a(self, name: str) -> bool:
        """Whether most of its models are of that type, keyword, faction or name."""
        return singular(name) in self.types


class Strike(Struct, frozen=True, cache_hash=True):
    """Like attacks on one target. ``strength`` None is a weapon without one; ``marks`` are traits that name the bearer.

    ``area`` is a Template or a Blast, which makes no To Hit roll and hits ``under`` models with each shot. ``wielder`` is the
    Strength of whoever strikes. ``pooled``: its dice are a part of a larger group's.
    """

    kind: str
    skill: int
    enemy: Enemy
    rules: tuple[Rule, ...] = ()
    strength: int | None = 4
    users: bool = False
    wielder: int = 0
    ap: int = 0
    damage: DiceRoll = DiceRoll(plus=1)
    destroyer: bool = False
    snap: bool = False
    automatic: bool = False
    area: bool = False
    under: int = 1
    stationary: bool = False
    charged: bool = False
    disordered: bool = False
    visible: bool = True
    half_range: bool = False
    near: bool = False
    one_use: bool = False
    firer_is_vehicle: bool = False
    keep_instant: bool = False
    pooled: bool = False
    smashes: bool = False
    marks: tuple[str, ...] = ()

    def has(self, name: str) -> bool:
        """Whether the attacks carry a rule."""
        return carries(self.rules, name)

    @property
    def shooting(self) -> bool:
        """Whether this is shooting."""
        return self.kind == SHOOTING

    @property
    def melee(self) -> bool:
        """Whether this is close combat."""
        return self.kind == MELEE


class AbilityRegistry:
    """The special rules of an edition, hashed by identity: one to an edition."""

    def __init__(self, specials: Mapping[str, Ability]) -> None:
        """Hold the rules by name."""
        self.specials = specials

    def of(self, strike: Strike) -> tuple[tuple[Rule, Ability], ...]:
        """The rules that take part in an attack, in the order they stand on it."""
        return _taking_part(strike.rules, strike.kind, self) if strike.rules else ()

    def settled(self, strike: Strike) -> Strike:
        """The match-up with its profile as the rules change it: Strength within its bounds, AP, Damage (CF-DICE-8)."""
        return _settled(strike, self)

    def traits(self, strike: Strike) -> tuple[str, ...]:
        """What the rules of an attack put on its wounds."""
        return _traits(strike, self)


@lru_cache(maxsize=4096)
def _taking_part(rules: tuple[Rule, ...], kind: str, book: AbilityRegistry) -> tuple[tuple[Rule, Ability], ...]:
    found = [(rule, book.specials[rule.name]) for rule in rules]
    return tuple([(rule, special) for rule, special in found if kind in special.kinds])


@lru_cache(maxsize=8192)
def _traits(strike: Strike, book: AbilityRegistry) -> tuple[str, ...]:
    found = [trait for rule, special in book.of(strike) for trait in special.traits(rule, strike)]
    return tuple(dict.fromkeys((*found, *strike.marks)))


@lru_cache(maxsize=8192)
def _settled(strike: Strike, book: AbilityRegistry) -> Strike:
    for rule, special in book.of(strike):
        strike = special.profile(rule, strike)
    if strike.strength is None or strike.destroyer:
        return strike
    added = sum(special.strength(rule, strike) for rule, special in book.of(strike))
    return replace(strike, strength=bounded(strike.strength + added))


@cites("CF-AP-4")
def better_ap(printed: int, other: int) -> int:
    """CF-AP-4: a rule that sets AP never worsens one that is already better."""
    return min(printed, other)


def bounded(value: int) -> int:
    """A characteristic after modification stays between 1 and 10."""
    return max(1, min(MOST, value))  # CF-DICE-8
