"""Cards as most editions read them: weapons as objects with numbers, and nothing refused that a table could show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rolloff.errors import BadInput, IllegalCommand
from rolloff.lengths import LengthError, inches
from rolloff.rules.component import Component
from rolloff.table.profile import Card, Weapon, read_roll, read_rule

if TYPE_CHECKING:
    from rolloff.rules.game import Game

_NUMBERS = ("skill", "S", "AP", "D")
_FIELDS = ("name", "range", "A", *_NUMBERS, "stats", "rules", "mount", "barrel")


def read_weapon(given: object, where: str) -> Weapon:
    """A weapon written as ``{"name", "range": inches or "melee", "A", "skill", "S", "AP", "D", "rules": []}``.

    Numbers by other names stand under ``stats``; ``mount`` and ``barrel`` (two lengths, in inches) say where a hull
    carries it.

    Raises:
        BadInput: it is no object, has a field nobody knows, or a number that is none.
    """
    if not isinstance(given, Mapping):
        raise BadInput("bad-weapon", f"{where}: a weapon is an object here", where=where, allowed=", ".join(_FIELDS))
    for name in given:
        if name not in _FIELDS:
            raise BadInput("unknown-field", f"{where}: there is no field {name!r}", where=where, allowed=", ".join(_FIELDS))
    reach = given.get("range", "melee")
    thou = None if reach == "melee" else _length(reach, f"{where}: range", 'inches or "melee"')
    stats = tuple((name, given[name]) for name in _NUMBERS if name in given)
    for name, value in stats:
        read_roll(value if name == "D" else abs(value) if isinstance(value, int) else value, f"{where}.{name}")
    rules = tuple(read_rule(rule, f"{where}.rules") for rule in given.get("rules", ()))
    attacks = read_roll(given.get("A", 1), f"{where}.A")
    return Weapon(
        str(given.get("name", "")),
        thou,
        attacks,
        rules,
        (*stats, *_own_numbers(given.get("stats", {}), where)),
        str(given.get("mount", "")),
        _barrel(given.get("barrel", (0, 0)), where),
    )


def _length(given: object, what: str, allowed: str = "inches") -> int:
    try:
        return inches(given)  # type: ignore[arg-type]  # whatever is none is refused
    except (LengthError, TypeError):
        raise BadInput("bad-number", f"{what} {given!r} is no length", where=what, allowed=allowed) from None


def _own_numbers(given: object, where: str) -> tuple[tuple[str, int | str], ...]:
    """The numbers of a weapon by the edition's own names."""
    if not isinstance(given, Mapping):
        raise BadInput("bad-weapon", f"{where}.stats: numbers by name", where=f"{where}.stats", allowed='{"Bite": 2}')
    for name, value in given.items():
        if isinstance(value, bool) or not isinstance(value, int | str):
            message = f"{where}.stats: {name} is {value!r}"
            raise BadInput("bad-number", message, where=f"{where}.stats", allowed="a whole number, or text")
    return tuple((str(name), value) for name, value in given.items())


def _barrel(given: object, where: str) -> tuple[int, int]:
    if not isinstance(given, Sequence) or isinstance(given, str) or len(given) != 2:
        raise BadInput("bad-weapon", f"{where}.barrel: two lengths", where=f"{where}.barrel", allowed="[inches, inches]")
    return _length(given[0], f"{where}: barrel"), _length(given[1], f"{where}: barrel")


def any_card(card: Card) -> None:
    """Accept every card."""


class Checks(Component, frozen=True):
    """What a card must have: whole numbers by these names, for the unit or each of its models, and only known rules.

    ``weapons`` are the numbers each of its weapons must have, ``guns`` those of weapons with a range besides.
    """

    stats: tuple[str, ...]
    rules: Mapping[str, object]
    clause: str
    weapons: tuple[str, ...] = ()
    guns: tuple[str, ...] = ()

    def __call__(self, card: Card) -> None:
        """Refuse a card the edition cannot use.

        Raises:
            BadInput: a number is missing.
            IllegalCommand: a rule is not in the book.
        """
        for name in self.stats:
            if not all(isinstance(card.stat(name, model), int) for model in card.models):
                raise _missing(card.id, name, f"{card.id}.stats.{name}")
        weapons = [weapon for model in card.models for weapon in model.weapons]
        for weapon in weapons:
            for name in (*self.weapons, *(() if weapon.melee else self.guns)):
                if not isinstance(weapon.stat(name), int):
                    raise _missing(f"{card.id}: {weapon.name}", name)
        own = [rule for model in card.models for rule in model.rules]
        for rule in (*card.rules, *own, *(rule for weapon in weapons for rule in weapon.rules)):
            if rule.name not in self.rules:
                from difflib import get_close_matches

                near = get_close_matches(rule.name, self.rules, 1)
                hint = f"; did you mean {near[0]}?" if near else ""
                raise IllegalCommand("unknown-rule", self.clause, f"{card.id}: there is no rule {rule.name}{hint}", rule.name)


def _missing(whose: str, name: str, where: str | None = None) -> BadInput:
    return BadInput("bad-stat", f"{whose}: {name} is missing", where=where or whose, allowed="a whole number")


def figure(game: Game, slot: int, name: str) -> int:
    """A whole number of a model: its own, or its unit's."""
    model = game.models[slot]
    value = game.card_of[slot].stat(name, model)
    if not isinstance(value, int):
        raise _missing(model.id, name)
    return value


def unit_figure(game: Game, unit: int, name: str) -> int:
    """A whole number of a unit."""
    value = game.cards[unit].stat(name)
    if not isinstance(value, int):
        raise _missing(game.names[unit], name)
    return value


def weapon_figure(weapon: Weapon, name: str) -> int:
    """A whole number of a weapon."""
    value = weapon.stat(name)
    if not isinstance(value, int):
        raise _missing(weapon.name, name)
    return value


def no_lookups(game: Game) -> None:
    """Nothing to look up beyond the cards."""
