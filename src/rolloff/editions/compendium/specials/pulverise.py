"""Pulverise: a 6 to wound leaves nothing."""

from __future__ import annotations

from rolloff.editions.compendium.specials.instant_on_six import InstantOnSix


class Pulverise(InstantOnSix):
    """A To Wound roll of 6 has Instant Death."""
