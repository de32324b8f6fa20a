"""What stands on a card: rules, weapons, models and units as their owner wrote them down. Nothing here changes in play."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct, field

from rolloff.errors import BadInput
from rolloff.identity_cache import Recent

MOST_SIDES = 100
MOST_LETTERS = 16
"""The longest text of dice that is remembered."""
Rating = int | str | None
Stat = int | str | tuple[int, ...]


class DiceRoll(Struct, frozen=True):
    """A number that may be random: ``count`` dice of ``sides`` plus ``plus`` (3 is 0 dice plus 3; D3 is 1 of 3)."""

    count: int = 0
    sides: int = 6
    plus: int = 0

    @property
    def fixed(self) -> bool:
        """Whether no die is needed."""
        return self.count == 0

    @property
    def mean(self) -> float:
        """The average result."""
        return self.count * (self.sides + 1) / 2 + self.plus

    def __str__(self) -> str:
        """Write it as players do: ``3``, ``D3``, ``2D6+1``."""
        if self.fixed:
            return str(self.plus)
        many = "" if self.count == 1 else str(self.count)
        return f"{many}D{self.sides}" + (f"+{self.plus}" if self.plus else "")


_DICE = re.compile(r"^(?:(?P<n>\d*)[dD](?P<s>\d+))?(?:(?P<join>\+)?(?P<k>\d+))?$")


_rolls: Recent[int | str, DiceRoll] = Recent()
"""Numbers and dice read lately: there are few."""


def read_roll(text: object, where: str = "value") -> DiceRoll:
    """Read ``3``, ``"D3"`` or ``"2D6+1"``; raise `BadInput` for anything else."""
    known = _rolls.get(text) if type(text) is int or type(text) is str else None
    return _new_roll(text, where) if known is None else known


def _new_roll(text: object, where: str) -> DiceRoll:
    if isinstance(text, bool) or not isinstance(text, int | str):
        raise BadInput("bad-number", f"{where}: {text!r} is not a number or a die", where=where, allowed="3, D3, 2D6+1")
    if isinstance(text, int):
        found = DiceRoll(plus=text)
    else:
        match = _DICE.match(text.strip())
        if not match or (match["s"] and match["k"] and not match["join"]) or not (match["s"] or match["k"]):
            raise BadInput("bad-number", f"{where}: {text!r} is not a number or a die", where=where, allowed="3, D3, 2D6+1")
        count = int(match["n"] or 1) if match["s"] else 0
        found = DiceRoll(count, int(match["s"] or 6), int(match["k"] or 0))
    if not (0 <= found.plus <= 10_000 and found.count <= 100 and (found.fixed or 2 <= found.sides <= MOST_SIDES)):
        allowed = f"0-10000, at most 100 dice of 2 to {MOST_SIDES} sides"
        raise BadInput("bad-number", f"{where}: {text!r} is out of bounds", where=where, allowed=allowed)
    return _rolls.keep(text, found) if type(text) is int or len(str(text)) <= MOST_LETTERS else found


class Rule(Struct, frozen=True, order=True, cache_hash=True):
    """One special rule as printed: a name and perhaps a rating, as in ``Tough(3)``."""

    name: str
    rating: Rating = None

    def __str__(self) -> str:
        """Write it as printed."""
        return self.name if self.rating is None else f"{self.name}({self.rating})"


_RULE = re.compile(r"^\s*(?P<name>[^()]+?)\s*(?:\(\s*(?P<rating>[^()]*?)\s*\))?\s*$")


def read_rule(text: object, where: str = "rules") -> Rule:
    """Read ``Fear`` or ``Tough(3)``; a rating of digits is a number, anything else stays text."""
    match = _RULE.match(text) if isinstance(text, str) else None
    if not match:
        raise BadInput("bad-rule", f"{where}: {text!r} is not a rule", where=where, allowed="Name or Name(X)")
    rating = match["rating"]
    if rating is None or rating == "":
        return Rule(match["name"])
    return Rule(match["name"], int(rating) if rating.isdecimal() and len(rating) < 10 else rating)


def carries(rules: tuple[Rule, ...], name: str) -> bool:
    """Whether a rule of that name is among some."""
    for rule in rules:  # noqa: SIM110  asked many thousand times a game, where a generator costs thrice as much
        if rule.name == name:
            return True
    return False


class Weapon(Struct, frozen=True, cache_hash=True):
    """A weapon: its reach in thou (None: melee), attacks, rules, and the numbers some editions add."""

    name: str
    reach: int | None
    attacks: DiceRoll
    rules: tuple[Rule, ...] = ()
    stats: tuple[tuple[str, Stat], ...] = ()
    mount: str = ""
    barrel: tuple[int, int] = (0, 0)

    @property
    def melee(self) -> bool:
        """Whether it is used in melee and not for shooting."""
        return self.reach is None

    def has(self, name: str) -> bool:
        """Whether the weapon carries the rule."""
        for rule in self.rules:  # noqa: SIM110  as `carries`
            if rule.name == name:
                return True
        return False

    def stat(self, name: str, otherwise: Stat | None = None) -> Stat | None:
        """A number of the weapon by name."""
        for key, value in self.stats:
            if key == name:
                return value
        return otherwise


class Base(Struct, frozen=True):
    """The footprint: ``circle`` (d,), ``oval`` (w, l) or ``rect`` (w, l), in thou."""

    kind: str
    size: tuple[int, ...]


class Model(Struct, frozen=True):
    """One miniature's card: base, height, its own rules and weapons, and numbers that differ from its unit's."""

    id: str
    name: str = ""
    base: Base = Base("circle", (1260,))
    height: int = 1000
    rules: tuple[Rule, ...] = ()
    weapons: tuple[Weapon, ...] = ()
    stats: tuple[tuple[str, Stat], ...] = ()


class Card(Struct, frozen=True):
    """A unit's card: who owns it, what it is, and its models in roster order."""

    id: str
    side: int
    models: tuple[Model, ...]
    name: str = ""
    type: str = "infantry"
    quality: int = 4
    stats: Mapping[str, Stat] = field(default_factory=dict)
    points: int = 0
    rules: tuple[Rule, ...] = ()
    keywords: tuple[str, ...] = ()
    start_size: int = 0

    def has(self, name: str) -> bool:
        """Whether the unit as a whole carries the rule."""
        return carries(self.rules, name)

    def stat(self, name: str, model: Model | None = None) -> Stat | None:
        """A number of the unit by name; of one of its models, if that has its own."""
        own = next((value for key, value in model.stats if key == name), None) if model is not None else None
        return self.stats.get(name) if own is None else own
