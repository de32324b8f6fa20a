"""What a written situation may say: marks that mean something, and no model with more wounds than it can bear."""

from __future__ import annotations

from rolloff.editions.onepage.lore import tough
from rolloff.editions.onepage.morale import PINNED
from rolloff.editions.onepage.vehicles import IMMOBILE, SHAKEN
from rolloff.errors import BadInput
from rolloff.rules.game import Game
from rolloff.table.state import State

UNIT_MARKS = (PINNED, "start_size", "points", "left", "grant:*", "grant-weapons:*")
"""Marks a unit may carry; ``*`` stands for any ending."""

MODEL_MARKS = (SHAKEN, IMMOBILE)
"""Marks that belong to models: written on a unit they are on each of its models."""


def check_state(game: Game, state: State) -> None:
    """RULE-TOUGH-1: a model with as many wounds as it is Tough is out of the game."""
    for unit in state.units:
        for slot in unit.living:
            bears = tough(game, slot)
            if state.wounds_on(slot) >= bears:
                name = game.models[slot].id
                message = f"{name} has {state.wounds_on(slot)} wounds, which removes it"
                raise BadInput("bad-wounds", message, where=name, allowed=f"0 to {bears - 1}", clause="RULE-TOUGH-1")
