"""Who chooses among the ways to attack: a player who is asked, or policies settled in advance (DP-10, DP-23, IX-4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from msgspec.structs import replace

from rolloff.editions.compendium.abilities import BOOK
from rolloff.editions.compendium.blows import SMASH, Fighting
from rolloff.editions.compendium.lookups import index_of
from rolloff.editions.compendium.promise import promise
from rolloff.editions.compendium.resolve import Group
from rolloff.editions.compendium.sequence import rolls_of
from rolloff.rules.attack import AttackForm
from rolloff.rules.citing import cites
from rolloff.rules.play import Play

Pick = tuple[int, bool]
"""A Melee weapon, and whether one Smash Attack with it takes the place of all."""


class Policies:
    """Choices made in advance; what they do not name is what promises most (DP-10, DP-23)."""

    def __init__(self, policies: Mapping[str, str]) -> None:
        """What they may be stands with `Sequence`."""
        self.policies = policies

    def declines(self) -> bool:
        """IX-4: whether Devastating Wounds are declined for Instant Death on a 6."""
        return self.policies.get("devastating") == "declined"

    def pick(self, slot: int, options: tuple[Pick, ...], best: Callable[[], Pick]) -> Pick:
        """One of the ways a model may strike."""
        smash = self.policies.get(SMASH, "best")
        if smash != "best":
            kept = tuple(option for option in options if option[1] is (smash == "always"))
            options = kept or options
        if self.policies.get("weapons") == "first" or len(options) == 1:
            return options[0]
        found = best()
        return found if found in options else options[0]


class Asking:
    """The player is asked."""

    def __init__(self, play: Play, form: AttackForm) -> None:
        """Know whose attack it is."""
        self.play, self.form = play, form

    def declines(self) -> bool:
        """IX-4: whether Devastating Wounds are declined for Instant Death on a 6."""
        side = self.play.game.side_of(self.form.attacker)
        answer = self.play.choose(side, "yes-no", "SR-DEVASTATING-WOUND-3", (False, True), False, self.form.attacker, "IX-4")
        return bool(answer)

    def pick(self, slot: int, options: tuple[Pick, ...], best: Callable[[], Pick]) -> Pick:
        """CF-ASLT-8, SR-SMASH-2: which weapon, and whether one Smash Attack takes the place of all."""
        if len(options) == 1:
            return options[0]
        names = tuple(_name(self.play, slot, option) for option in options)
        default = names[options.index(best())]
        side = self.play.game.side_of(self.form.attacker)
        answer = self.play.choose(side, "choose-option", "CF-ASLT-8", names, default, self.form.attacker, "DP-23")
        return options[names.index(str(answer))]


def _name(play: Play, slot: int, option: Pick) -> str:
    index, smash = option
    weapon = index_of(play.game).fighters[slot].weapons[index].name
    return f"{index}: {weapon}" + (", smash" if smash else "")


def settled(groups: tuple[Group, ...], chooser: Policies | Asking) -> tuple[Group, ...]:
    """IX-4: where a 6 could be mortal wounds or Instant Death, the attacker says which."""
    if isinstance(chooser, Policies) and not chooser.declines():
        return groups
    if not any(_torn(part) for group in groups for part in group.parts) or not chooser.declines():
        return groups
    return tuple(replace(_declined(group), fellows=tuple(map(_declined, group.fellows))) for group in groups)


def _torn(part: Group) -> bool:
    roll = rolls_of(part.strike, BOOK)[1]
    return bool(roll.instant) and roll.devastating_from <= 6


def _declined(part: Group) -> Group:
    return replace(part, strike=replace(part.strike, keep_instant=True)) if _torn(part) else part


def picks_of(fighting: Fighting, chooser: Policies | Asking) -> dict[int, Pick]:
    """Let every striker choose its weapon."""
    picks: dict[int, Pick] = {}
    for slot, weapons in fighting.weapons().items():
        smashes = (False, True) if fighting.lookups.fighters[slot].has("Smash") else (False,)
        options = tuple([(index, smash) for index in weapons for smash in smashes])
        one = len(options) == 1  # then there is nothing to choose
        picks[slot] = options[0] if one else chooser.pick(slot, options, partial(_best, fighting, slot, options))
    return picks


@cites("CF-ASLT-8")
def _best(fighting: Fighting, slot: int, options: tuple[Pick, ...]) -> Pick:
    """DP-23: the way that promises most, by the same odds as everything else."""
    places = fighting.places
    return max(options, key=lambda option: (promise(places, tuple(fighting.strikes(slot, *option))), -option[0]))
