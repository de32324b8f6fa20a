"""What a written situation may say: marks that mean something, wounds a model can bear, passengers that fit."""

from __future__ import annotations

from collections.abc import Iterable

from rolloff.editions.onepage.lookups import is_infantry, tough
from rolloff.editions.onepage.morale import PINNED
from rolloff.editions.onepage.transport import capacity
from rolloff.editions.onepage.vehicles import IMMOBILE, SHAKEN
from rolloff.errors import BadInput
from rolloff.rules.game import Game
from rolloff.rules.transports import passengers
from rolloff.table.state import State

UNIT_MARKS = (PINNED, "start_size", "points", "left", "grant:*", "grant-weapons:*", "did:*")
"""Marks a unit may carry; ``*`` stands for any ending."""

MODEL_MARKS = (SHAKEN, IMMOBILE)
"""Marks that belong to models: written on a unit they are on each of its models."""


def check_state(game: Game, state: State) -> None:
    """Raise `BadInput` for what no game of this edition could show."""
    if state.clock.round > game.edition.rounds:
        allowed = f"0 to {game.edition.rounds}"
        message = f"there is no round {state.clock.round}"
        raise BadInput("bad-round", message, where="round", allowed=allowed, clause="TURN-1")
    hurt, riding = any(state.wounds), [unit for unit in state.units if unit.where >= 0]  # whoever is unhurt can bear that
    for number, unit in enumerate(state.units if hurt or riding else ()):
        _check_wounds(game, state, unit.living)
        _check_aboard(game, state, number)


def _check_wounds(game: Game, state: State, living: Iterable[int]) -> None:
    """RULE-TOUGH-1: a model with as many wounds as it is Tough is out of the game."""
    for slot in living:
        bears = tough(game, slot)
        if state.wounds_on(slot) >= bears:
            name = game.models[slot].id
            message = f"{name} has {state.wounds_on(slot)} wounds, which removes it"
            raise BadInput("bad-wounds", message, where=name, allowed=f"0 to {bears - 1}", clause="RULE-TOUGH-1")


def _check_aboard(game: Game, state: State, unit: int) -> None:
    """RULE-TRANSPORT-1, TYPE-INF-2: only infantry is carried, and no transport carries more models than it has places."""
    riders, places = passengers(state, unit), capacity(game, state, unit)
    for rider in riders:
        if not is_infantry(game, rider):
            name = game.names[rider]
            raise BadInput("bad-where", f"{name} cannot be carried", where=name, allowed="infantry", clause="TYPE-INF-2")
        if passengers(state, rider):
            name, message = game.names[rider], f"{game.names[rider]} carries others and cannot be carried itself"
            raise BadInput("bad-where", message, where=name, allowed="units without passengers", clause="RULE-TRANSPORT-1")
    aboard = sum(len(state.units[rider].living) for rider in riders)
    if aboard > places:
        name = game.names[unit]
        message = f"{name} has {places} places, and {aboard} models are aboard"
        raise BadInput("overfull", message, where=name, allowed=f"{places} models", clause="RULE-TRANSPORT-1")
