"""Reserves: units that wait off the table, and how each arrives."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rolloff.oracle.stage import Stage
from rolloff.rules.component import Component
from rolloff.rules.deployment import SetUp, find_place, set_down
from rolloff.rules.moves import Refusals
from rolloff.rules.windows import Moment, window
from rolloff.table.state import RESERVE

if TYPE_CHECKING:
    from rolloff.rules.play import Play

SET_UP = "set-up"
"""The moment just after a unit was set up."""


class Arrival(Component, frozen=True):
    """One way to arrive: its name, and where a unit may be set up by it now; None: not now, or not this unit."""

    name: str
    where: Callable[[Play, int], SetUp | None]


def no_die(play: Play, unit: int) -> Stage[bool] | None:
    """Whoever may arrive does."""
    return None


def goes_on_waiting(play: Play, unit: int) -> None:
    """A unit that finds no room stays in reserve."""


class Reserves(Component, frozen=True):
    """How units arrive: the ways there are, the words of refusals, what is done to a unit that arrived, and the clause.

    ``die`` is what is rolled for a unit now, none if it arrives for sure; then ``no_room`` says what becomes of one that
    finds none. ``point`` is where its player chooses the way, ``rolls`` where he chooses to roll for it and to bring it on.
    """

    arrivals: tuple[Arrival, ...]
    refusals: Refusals
    arrived: Callable[[Play, int, str], None]
    clause: str
    point: str = ""
    die: Callable[[Play, int], Stage[bool] | None] = no_die
    no_room: Callable[[Play, int], None] = goes_on_waiting
    rolls: str = ""


def ways_in(play: Play, law: Reserves, unit: int) -> dict[str, SetUp]:
    """The ways a unit may arrive now."""
    found = ((arrival.name, arrival.where(play, unit)) for arrival in law.arrivals)
    return {name: where for name, where in found if where is not None}


def waiting(play: Play, side: int) -> list[int]:
    """The units of a side in Reserves."""
    units = play.state.units
    return [k for k in play.game.units_of[side] if units[k].where == RESERVE and units[k].living]


def able(play: Play, law: Reserves, side: int) -> list[int]:
    """The units of a side that may arrive now and find room."""
    return [unit for unit in waiting(play, side) if may_come(play, law, unit)]


def may_come(play: Play, law: Reserves, unit: int) -> bool:
    """Whether a unit in Reserves may arrive now by some way, and there is room for it."""
    if play.state.units[unit].done:
        return False
    for arrival in law.arrivals:
        where = arrival.where(play, unit)
        if where is not None and find_place(play, unit, where) is not None:
            return True
    return False


def arrive(play: Play, law: Reserves, unit: int, oop: bool = False) -> bool:
    """A unit arrives by a way its player names; False if there is no room, and it goes on waiting."""
    ways = {name: where for name, where in ways_in(play, law, unit).items() if find_place(play, unit, where)}
    if not ways:
        return False
    names = tuple(ways)
    owner, name = play.game.side_of(unit), names[0]
    if len(names) > 1:
        name = str(play.choose(owner, "choose-option", law.clause, names, name, unit, law.point, purpose="arrive"))
    if not set_down(play, unit, ways[name], law.refusals):
        return False
    law.arrived(play, unit, name)
    window(play, Moment(SET_UP, unit, (), oop, (("how", name),)))
    return True


def reinforce(play: Play, law: Reserves, unit: int) -> None:
    """A unit's chance to arrive: for sure, or by a die its player may leave alone; who succeeds may still wait."""
    die = law.die(play, unit)
    if die is None:
        if not arrive(play, law, unit):
            law.no_room(play, unit)
        return
    owner = play.game.side_of(unit)
    if not play.choose(owner, "yes-no", law.clause, (True, False), True, unit, law.rolls, purpose="roll"):
        return
    play.rolled_by = unit
    if not play.dice.ask(die):
        play.emit("held-back", (law.clause,), unit=unit)
    elif play.choose(owner, "yes-no", law.clause, (True, False), True, unit, law.rolls, purpose="arrive"):
        arrive(play, law, unit)
