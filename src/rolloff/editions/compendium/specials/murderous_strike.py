"""Murderous Strike: a 6 to wound kills outright."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Scope
from rolloff.editions.compendium.specials.instant_on_six import InstantOnSix


class MurderousStrike(InstantOnSix):
    """A To Wound roll of 6 has Instant Death, with any weapon if the model has the rule."""

    scope = Scope.MODEL_OR_WEAPON
