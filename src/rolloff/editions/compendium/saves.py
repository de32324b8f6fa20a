"""The one save a model takes against a wound (CF-SAVE): the best of armour, invulnerable and cover."""

from __future__ import annotations

from functools import lru_cache

from rolloff.editions.compendium.traits import NO_COVER, REALIGNED, SCREENED
from rolloff.oracle.draft import Draft, Reroll
from rolloff.oracle.stage import Stage
from rolloff.rules.citing import cites

SAVE = "save"
SCREEN = 5
"""The cover a target out of sight has at least (SR-INDIRECT-FIRE-3)."""
BEST = 2  # CF-SAVE-1
NONE = 7


@cites("CF-SAVE-2")
def cover_value(cover: int, shift: int) -> int:
    """CF-SAVE-2: cover so much better (or worse, below 0); a model without any counts as 7+ before an improvement."""
    return min(cover, NONE) - shift


@lru_cache(maxsize=8192)
def save_against(
    armour: int, invulnerable: int, cover: int, shift: int, ap: int, words: tuple[str, ...], shooting: bool
) -> Stage[bool] | None:
    """CF-SAVE-1: the save with the best chance; where chances are equal armour, then invulnerable, then cover.

    None where no save can succeed: then no die is rolled.
    """
    found = [_armour(armour, ap), _invulnerable(invulnerable, words)]
    if shooting and NO_COVER not in words:  # CF-SAVE-1
        found.append(_cover(cover_value(min(cover, SCREEN) if SCREENED in words else cover, shift)))
    return _best([stage for stage in found if stage is not None])


@cites("SR-MOLECULAR-REALIGNMENT-FIELD-2")
def _best(known: list[Stage[bool]]) -> Stage[bool] | None:
    """The save most likely to succeed, re-rolls of passed ones counted; the first of those that are equal."""
    best = max((stage.chance() for stage in known), default=0)
    return next((stage for stage in known if stage.chance() == best), None)


def _draft(need: int, *clauses: str) -> Draft:
    draft = Draft(SAVE, max(need, BEST), "CF-SAVE-1", *clauses)
    return draft.natural((1,), (), "CF-SAVE-1")


@cites("CF-AP-1")
def _armour(armour: int, ap: int) -> Stage[bool] | None:
    """CF-AP-1: AP is 0 or less and is added to the die."""
    if armour >= NONE or armour - ap > 6:  # CF-DICE-13
        return None
    draft = _draft(armour)
    return (draft.modify(ap, "CF-AP-1", what="AP") if ap else draft).check()


def _invulnerable(need: int, words: tuple[str, ...]) -> Stage[bool] | None:
    if need >= NONE:
        return None
    draft = _draft(need)
    if REALIGNED in words:
        draft.reroll(Reroll.SUCCESSES, "SR-MOLECULAR-REALIGNMENT-FIELD-1")
    return draft.check()


def _cover(need: int) -> Stage[bool] | None:
    return None if need >= NONE else _draft(need).check()
