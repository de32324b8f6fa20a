"""Cards as most editions read them: weapons as objects with numbers, and nothing refused that a table could show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rolloff.errors import BadInput
from rolloff.lengths import LengthError, inches
from rolloff.table.profile import Card, Weapon, read_rule, read_throw

if TYPE_CHECKING:
    from rolloff.rules.game import Game

_NUMBERS = ("skill", "S", "AP", "D")
_FIELDS = ("name", "range", "A", *_NUMBERS, "rules", "mount", "barrel")


def read_weapon(given: object, where: str) -> Weapon:
    """A weapon written as ``{"name", "range": inches or "melee", "A", "skill", "S", "AP", "D", "rules": []}``.

    Raises:
        BadInput: it is no object, has a field nobody knows, or a number that is none.
    """
    if not isinstance(given, Mapping):
        raise BadInput("bad-weapon", f"{where}: a weapon is an object here", where=where, allowed=", ".join(_FIELDS))
    for name in given:
        if name not in _FIELDS:
            raise BadInput("unknown-field", f"{where}: there is no field {name!r}", where=where, allowed=", ".join(_FIELDS))
    reach = given.get("range", "melee")
    try:
        thou = None if reach == "melee" else inches(reach)
    except (LengthError, TypeError):
        raise BadInput(
            "bad-number", f"{where}: range {reach!r} is no length", where=where, allowed='inches or "melee"'
        ) from None
    stats = tuple((name, given[name]) for name in _NUMBERS if name in given)
    for name, value in stats:
        read_throw(value if name == "D" else abs(value) if isinstance(value, int) else value, f"{where}.{name}")
    rules = tuple(read_rule(rule, f"{where}.rules") for rule in given.get("rules", ()))
    return Weapon(str(given.get("name", "")), thou, read_throw(given.get("A", 1), f"{where}.A"), rules, stats)


def any_card(card: Card) -> None:
    """Accept every card."""


def no_lore(game: Game) -> Any:
    """Nothing to look up beyond the cards."""
    return None
