"""Decapitating Blow: a 6 to wound takes the head off."""

from __future__ import annotations

from rolloff.editions.compendium.specials.instant_on_six import InstantOnSix


class DecapitatingBlow(InstantOnSix):
    """A To Wound roll of 6 has Instant Death."""
