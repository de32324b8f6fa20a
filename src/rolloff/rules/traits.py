"""Traits: which rules of single models a unit has as a unit, by how each rule carries over (`hooks.Spread`)."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from rolloff.rules.hooks import Spread

if TYPE_CHECKING:
    from rolloff.rules.game import Game
    from rolloff.rules.hooks import Special
    from rolloff.table.profile import Rule
    from rolloff.table.state import State


def carried(specials: Mapping[str, Special], names: Iterable[str], models: Sequence[Container[str]]) -> frozenset[str]:
    """Those of some rules that a unit of these models has: some need every model, some half of them, some one."""
    return frozenset([name for name in names if _carries(specials[name].spread, name, models)])


def _carries(spread: Spread, name: str, models: Sequence[Container[str]]) -> bool:
    having = sum(name in rules for rules in models)
    if not having:
        return False
    return spread is Spread.ANY or having == len(models) or (spread is Spread.HALF and 2 * having >= len(models))


def traits(game: Game, state: State, unit: int) -> frozenset[str]:
    """The special rules a unit has as a unit now, by the cards of its living models; a unit of nobody has none."""
    models = [{rule.name for rule in _rules_of(game, slot)} for slot in state.units[unit].living]
    names = frozenset().union(*models) & game.edition.specials.keys()
    return carried(game.edition.specials, names, models)


def _rules_of(game: Game, slot: int) -> list[Rule]:
    return [*game.card_of[slot].rules, *game.models[slot].rules]
