"""Powers: pools of dice, who may try what on whom, the test, what everybody may do about it, and the backlash.

The edition's `Powers` says how large a pool is, who casts and what is known, when a test succeeds and what a power does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from msgspec import Struct

from rolloff.rules.component import Component
from rolloff.rules.windows import Moment, window
from rolloff.table.event import Patch, SideMarked

if TYPE_CHECKING:
    from rolloff.rules.play import Play

POOL, TRIED = "power-dice", "tried:"
"""Marks of a player: dice left, and powers that were tried."""
NO_POWER = "none"
MANIFESTED = "power-manifested"
"""The moment after a test that succeeded, before the power acts; a reaction that returns `DENIED` undoes it."""
DENIED = "denied"


class Named(Protocol):
    """A power, as far as everybody knows it; the rest is the edition's."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...


P = TypeVar("P", bound=Named)


class Cast(Struct, Generic[P], frozen=True):
    """One attempt: who, which power, on whom, with how many dice."""

    unit: int
    slot: int
    power: P
    target: int
    dice: int


class PowerClauses(Struct, frozen=True):
    """What the requests and events of powers cite."""

    pool: str
    choose: str
    target: str
    dice: str
    cast: tuple[str, ...]
    works: tuple[str, ...]
    fails: tuple[str, ...]
    point: str = ""


class Powers(Component, Generic[P], frozen=True):
    """How powers work in an edition.

    ``pool`` rolls up a player's dice, None where that player gets none; ``casters`` of a unit; ``known`` powers of a caster;
    ``targets`` of a power now, none if it may not be tried; ``works`` reads the faces; ``effect`` carries the power out;
    ``after`` comes last, success or not; ``once``: each power may be tried once until pools are filled again. The dice of a
    test have so many ``sides``.
    """

    pool: Callable[[Play, int], int | None]
    casters: Callable[[Play, int], Iterable[int]]
    known: Callable[[Play, int], Iterable[P]]
    targets: Callable[[Play, int, int, P], tuple[int, ...]]
    works: Callable[[Play, int, P, Sequence[int]], bool]
    effect: Callable[[Play, Cast[P]], object]
    after: Callable[[Play, Cast[P], Sequence[int]], object]
    clauses: PowerClauses
    once: bool = True
    sides: int = 6


def powers_of(play: Play) -> Powers[Any]:
    """How powers work here."""
    powers = play.game.edition.powers
    assert powers is not None, "the edition has no powers"
    return powers


def fill_pool(play: Play, side: int) -> None:
    """A player's dice for the round; old ones and what was tried are forgotten."""
    powers, marks = powers_of(play), play.state.sides[side]
    fresh: list[Patch] = [SideMarked(side, name, None) for name, _ in marks if name == POOL or name.startswith(TRIED)]
    play.rolled_by = -1
    dice = powers.pool(play, side)
    if dice is not None:
        fresh.append(SideMarked(side, POOL, dice))
    if fresh:
        play.emit("power-dice", (powers.clauses.pool,), *fresh, side=side, dice=dice or 0)


def pool_of(play: Play, side: int) -> int:
    """The dice a player has left."""
    return int(play.state.side_mark(side, POOL) or 0)


def tried(play: Play, side: int, name: str) -> bool:
    """Whether a player has tried a power this round: each may be tried once."""
    return play.state.side_mark(side, TRIED + name) is not None


Choices = dict[str, tuple[int, Any, tuple[int, ...]]]
"""What may be tried, by how it is called: the caster, the power, and its targets."""


def choices(play: Play, unit: int) -> Choices:
    """What a unit may try now: powers of its casters that were not tried yet and have a target."""
    powers, side = powers_of(play), play.game.side_of(unit)
    if not pool_of(play, side):
        return {}
    found: Choices = {}
    for slot in powers.casters(play, unit):
        for power in powers.known(play, slot):
            targets = () if powers.once and tried(play, side, power.name) else powers.targets(play, slot, unit, power)
            if targets:
                found[f"{power.name} by {play.game.models[slot].id}"] = (slot, power, targets)
    return found


def power_window(play: Play, unit: int) -> None:
    """As many powers as the pool allows, one after the other, until the player has enough."""
    clauses = powers_of(play).clauses
    while play.state.units[unit].living:
        found = choices(play, unit)
        if not found:
            return
        side, options = play.game.side_of(unit), (NO_POWER, *found)
        answer = str(
            play.choose(side, "choose-option", clauses.choose, options, NO_POWER, unit, clauses.point, found, purpose="power")
        )
        if answer == NO_POWER:
            return
        try_power(play, unit, *found[answer])


def try_power(play: Play, unit: int, slot: int, power: Named, targets: tuple[int, ...]) -> None:
    """Choose a target and a number of dice, then test."""
    powers, side = powers_of(play), play.game.side_of(unit)
    clauses, point, names = powers.clauses, powers.clauses.point, tuple(play.game.names[k] for k in targets)
    name = play.choose(side, "choose-target", clauses.target, names, names[0], unit, point, power, purpose=power.name)
    target, pool = play.game.numbers[str(name)], pool_of(play, side)
    numbers = tuple(range(1, pool + 1))
    dice = int(play.choose(side, "number", clauses.dice, numbers, pool, unit, point, power, purpose=power.name))
    cast = Cast(unit, slot, power, target, dice)
    spent: list[Patch] = [SideMarked(side, POOL, pool - dice), SideMarked(side, TRIED + power.name, 1)]
    play.emit("cast", clauses.cast, *spent, unit=unit, model=slot, target=target, power=power.name, dice=dice)
    play.rolled_by = unit
    faces = play.dice.faces(dice, "power", clauses.dice, sides=powers.sides)
    if powers.works(play, slot, power, faces):
        play.emit("manifested", clauses.works, unit=unit, target=target, power=power.name)
        if DENIED not in window(play, Moment(MANIFESTED, unit, (target,))):
            powers.effect(play, cast)
    else:
        play.emit("fizzled", clauses.fails, unit=unit, power=power.name)
    powers.after(play, cast, faces)
