"""What a wound does to the model that bears it: Feel No Pain, Instant Death, Damage and the tables of Destroyer weapons."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from rolloff.editions.compendium.saves import NONE
from rolloff.editions.compendium.traits import ARMOURBANE, HUNTERS, MELTA, Nature
from rolloff.oracle.flow import BLOCKED, DAMAGE, IGNORED, MORTAL, UNSAVED, WASTED, WOUNDS, Exit, Harm, Wound
from rolloff.oracle.roll import Dice
from rolloff.oracle.stage import Stage, check, number, table
from rolloff.rules.citing import cites

DISCOUNTED = -1
"""Instead of Wounds lost: the wound did not happen."""

UNHARMED, WOUNDED, SLAIN = "unharmed", "wounded", "slain"

FATE = table("destroyer", (UNHARMED, *(WOUNDED,) * 4, SLAIN), "SR-DESTROYER-1", "SR-DESTROYER-2")
FATE_DISTORTED = table(
    "destroyer", (UNHARMED, UNHARMED, *(WOUNDED,) * 4), "SR-DESTROYER-1", "SR-DESTROYER-2", "SR-DISTORT-SCYTHE-1"
)
FEW = number("wounds", sides=3, clauses=("SR-DESTROYER-2",))
EXTRA: dict[str, Stage[int]] = {
    ARMOURBANE: number("damage", clauses=("SR-ARMOURBANE-1",)),
    MELTA: number("damage", clauses=("SR-MELTA-1",)),
    HUNTERS: number("damage", sides=3, clauses=("SR-TANK-HUNTERS-2",)),
}
MANY = number("wounds", plus=6, clauses=("SR-DESTROYER-2",))


class Body(Struct, frozen=True, cache_hash=True):
    """One model as harm finds it. ``look_out`` is the number by which a Character passes a wound on, 7 if it cannot.

    ``fellows`` are the models close enough to take it, the closest first; ``worth`` is what the enemy would like to hit.
    """

    wounds: int
    toughness: int = 4
    armour: int = NONE
    invulnerable: int = NONE
    cover: int = NONE
    shift: int = 0
    pain: int = NONE
    eternal: bool = False
    swarm: bool = False
    tainted: bool = False
    look_out: int = NONE
    fellows: tuple[int, ...] = ()
    worth: int = 0
    slot: int = 0


def counts_as(body: Body, read: Nature, deadly: bool) -> int:
    """How many unsaved wounds an unsaved wound counts as (CF-DMG-5)."""
    return swarming(body, read, deadly) * tainting(body.tainted, read)


@cites("SR-SWARMS-2")
def swarming(body: Body, read: Nature, deadly: bool) -> int:
    """SR-SWARMS-2: a Template or Blast wound on a Swarm counts as two, unless it has Instant Death."""
    return 2 if body.swarm and read.area and not deadly else 1


@cites("SR-MOONSILVER-1", "SR-MOONSILVER-2")
def tainting(tainted: bool, read: Nature) -> int:
    """SR-MOONSILVER-1: a wound on a Daemon or Psyker counts as two."""
    return 2 if tainted and read.moonsilver else 1


def drunk(held: tuple[tuple[int, int], ...], read: Nature) -> tuple[tuple[int, int], ...]:
    """SR-SOUL-LEECH-1: one Wound more for the bearer, up to what it lacks."""
    if read.leech is None:
        return held
    bearer, thirst = read.leech
    found = dict(held)
    found[bearer] = min(found.get(bearer, 0) + 1, thirst)
    return tuple(sorted(found.items()))


def pain_roll(pain: int) -> Stage[bool]:
    """The roll of a model that feels no pain."""
    return check("feel no pain", max(pain, 2), "SR-FEEL-NO-PAIN-1")


@cites("SR-FEEL-NO-PAIN-1", "SR-FEEL-NO-PAIN-4")
def pained(dice: Dice, pain: int) -> bool:
    """SR-FEEL-NO-PAIN-1: whether a model shrugs an unsaved wound off."""
    if pain >= NONE:
        return False
    if not dice.ask(pain_roll(pain)):
        return False
    dice.note(IGNORED)
    return True


@cites("CF-DMG-2")
def mortal(dice: Dice, pain: int) -> bool:
    """CF-DMG-2: one mortal wound: no save, Feel No Pain allowed; whether it stands."""
    if pained(dice, pain):
        return False
    dice.note(MORTAL)
    dice.note(DAMAGE)
    return True


@cites("SR-FEEL-NO-PAIN-2", "SR-DESTROYER-5", "SR-INSTANT-DEATH-2")
def _may_be_felt(read: Nature, deadly: bool) -> bool:
    """SR-FEEL-NO-PAIN-2: neither Destroyer attacks nor Instant Death can be shrugged off."""
    return not deadly and not read.destroyer


@cites("CF-WOUND-3")
def overpowers(strength: int, toughness: int) -> bool:
    """CF-WOUND-3: a Strength of at least twice the victim's own Toughness has Instant Death."""
    return strength >= 2 * toughness


@cites("SR-DISTORT-SCYTHE-1", "SR-DISTORT-SCYTHE-3")
def fate_of(read: Nature) -> Stage[str]:
    """SR-DESTROYER-2: the table of a hit; a distorted one counts its die one less, so its last row is out of reach."""
    return FATE_DISTORTED if read.distorted else FATE


def wounds_by_table(read: Nature) -> Stage[bool]:
    """Whether the table of a hit says more than that it was a lucky escape."""
    stage = fate_of(read)
    return table(stage.label, tuple(fate != UNHARMED for fate in stage.read), *stage.why[0])


@cites("SR-DESTROYER-3", "SR-DESTROYER-6")
def past_saving(read: Nature, fate: str) -> bool:
    """SR-DESTROYER-6: against the last row of the table there is no save at all."""
    return read.destroyer and fate == SLAIN


def unsaved_fate(dice: Dice, leaving: Exit, read: Nature, save_of: Callable[[Wound], Stage[bool] | None]) -> str:
    """What a hit or wound does to its bearer after the table of destroyer weapons and its save; `UNHARMED` if nothing."""
    fate = SLAIN
    if read.destroyer:
        fate = dice.ask(fate_of(read))
        if fate == UNHARMED:
            return UNHARMED
        dice.note(WOUNDS)
    if isinstance(leaving, Wound) and not past_saving(read, fate):
        save = save_of(leaving)
        if save is not None and dice.ask(save):
            dice.note(BLOCKED)
            return UNHARMED
    return fate


@cites("SR-DESTROYER-2")
def extra_wounds(dice: Dice, fate: str) -> int:
    """SR-DESTROYER-2: what a row of the table adds to the weapon's Damage."""
    return dice.ask(FEW if fate == WOUNDED else MANY)


def extra_damage(dice: Dice, destroyer: bool, words: tuple[str, ...]) -> int:
    """What rules add to the Damage of a hit, each its own die; a Destroyer's table takes their place."""
    return 0 if destroyer else sum(dice.ask(EXTRA[word]) for word in words)


def unsaved(dice: Dice, body: Body, left: int, harm: Harm, read: Nature, deadly: bool, fate: str) -> int:
    """One model with so many Wounds left suffers a wound that was not saved; the Wounds it loses, or DISCOUNTED.

    ``fate`` is the row of the Destroyer table whose extra wounds come with it; empty for none.
    """
    if _may_be_felt(read, deadly) and pained(dice, body.pain):
        return DISCOUNTED
    dice.note(UNSAVED)
    if deadly:
        lost = 1 if body.eternal else left  # SR-ETERNAL-WARRIOR-1, SR-INSTANT-DEATH-1
    else:
        lost = harm.damage if isinstance(harm.damage, int) else dice.ask(harm.damage)
        lost += extra_damage(dice, read.destroyer, read.dice)
    if read.destroyer and fate:
        lost += extra_wounds(dice, fate)  # SR-DESTROYER-7
    if lost > left:
        dice.note(WASTED, lost - left)
    lost = min(lost, left)  # CF-DMG-1
    dice.note(DAMAGE, lost)
    return lost
