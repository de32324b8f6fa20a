"""Setting up by turns: groups of units one after the other, one unit each or a whole army each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from rolloff.geometry.moves import Coherency, Rectangle, Zone
from rolloff.lengths import INCH
from rolloff.rules.component import Component
from rolloff.rules.deployment import NoRoom, SetUp, find_place, keep_apart, set_down
from rolloff.rules.losses import lose
from rolloff.rules.moves import Refusals
from rolloff.rules.play import Play
from rolloff.rules.turns import table_of
from rolloff.table.event import Ticked, Went
from rolloff.table.state import RESERVE, WAITING


def nobody(play: Play, unit: int) -> bool:
    """Every unit is set up."""
    return False


def everybody(play: Play, unit: int) -> bool:
    """All units are alike."""
    return True


def waiting(play: Play, side: int) -> Sequence[int]:
    """The units of a side that are still to be placed."""
    return [unit for unit in play.game.units_of[side] if play.state.units[unit].where == WAITING]


def in_turn(play: Play, last: int) -> tuple[int, int]:
    """After one player the other places a unit, while he has some."""
    return 1 - last, last


class Group(Struct, frozen=True):
    """Units that are set up when all of the groups before are: in which phase of the clock, who they are, and where.

    Of ``places`` the first with room is used. ``begins`` says who goes first where both players have some; without it
    the order of the groups before goes on. ``clause`` and ``point`` stand in the request for the next unit.
    """

    phase: str
    places: tuple[Callable[[Play, int], SetUp], ...]
    clause: str
    who: Callable[[Play, int], bool] = everybody
    point: str = ""
    begins: Callable[[Play], int] | None = None


class Deployment(Component, frozen=True):
    """How armies are set up. ``order`` says who is next after a player, in which order to ask; ``then`` goes on at the end.

    ``waiting`` are the units of a side still to be placed, ``reserve`` says which of them wait off the table, ``no_room``
    what becomes of one for which there is no room; ``event`` names the event by which the next player is up.
    """

    groups: tuple[Group, ...]
    refusals: Refusals
    then: Callable[[Play], None]
    order: Callable[[Play, int], tuple[int, int]] = in_turn
    waiting: Callable[[Play, int], Sequence[int]] = waiting
    reserve: Callable[[Play, int], bool] = nobody
    no_room: NoRoom | None = None
    event: str = "deploying"

    def steps(self) -> Mapping[str, Callable[[Play], None]]:
        """The commands of an edition in which units are set up."""
        return {group.phase: partial(self.set_up, group) for group in self.groups}

    def set_up(self, group: Group, play: Play) -> None:
        """One unit of a group."""
        active = play.state.clock.active
        side, units = active, self._left(play, group, active)
        if not units and (others := self._left(play, group, 1 - active)):
            side, units = 1 - active, others
        if units:
            names = tuple([play.game.names[unit] for unit in units])
            answer = play.choose(side, "choose-unit", group.clause, names, names[0], point=group.point, purpose="deploy")
            self.place(play, group, play.game.numbers[str(answer)])
        self.go_on(play, side)

    def place(self, play: Play, group: Group, unit: int) -> None:
        """A unit is set down in the first of its places that has room, or waits off the table."""
        if self.reserve(play, unit):
            play.emit("reserved", (group.clause,), Went(unit, RESERVE), unit=unit)
            return
        where = group.places[0](play, unit)
        for other in group.places[1:]:
            if find_place(play, unit, where) is not None:
                break
            where = other(play, unit)
        set_down(play, unit, where, self.refusals, self.no_room)

    def go_on(self, play: Play, last: int) -> None:
        """Who is next, after a player placed a unit; with nobody left the game goes on."""
        clock = play.state.clock
        begun = any(group.phase == clock.phase for group in self.groups)
        order = self.order(play, last) if begun else (clock.first, 1 - clock.first)
        for group in self.groups:
            rolls = group.begins if clock.phase != group.phase else None
            having = [side for side in order if self._left(play, group, side)] if rolls else self._first(play, group, order)
            if having:
                side = rolls(play) if rolls and len(having) == 2 else having[0]
                play.tick(replace(clock, phase=group.phase, active=side), self.event, group.clause, side=side)
                return
        self.then(play)

    def _first(self, play: Play, group: Group, order: tuple[int, int]) -> Sequence[int]:
        """The first of the players who still has to place some of a group, if there is one."""
        return order[:1] if self._left(play, group, order[0]) else order[1:] if self._left(play, group, order[1]) else ()

    def _left(self, play: Play, group: Group, side: int) -> Sequence[int]:
        units = self.waiting(play, side)
        return units if group.who is everybody else [unit for unit in units if group.who(play, unit)]


class Alternating(Component, frozen=True):
    """Players set up one unit each in turn, in their own zones; then the table of turns begins, with ``first``.

    ``zone`` is the ground of a side; units for which ``reserve`` holds wait off the table; who finds no room is lost.
    """

    zone: Callable[[Play, int], Rectangle]
    coherency: Coherency
    refusals: Refusals
    clause: str
    apart: int = INCH
    reserve: Callable[[Play, int], bool] = nobody
    first: int = 0

    def __call__(self, play: Play) -> None:
        """One unit."""
        group = Group(play.state.clock.phase, (self.place,), self.clause)
        everything = Deployment((group,), self.refusals, self._begin, reserve=self.reserve, no_room=self._lost, event="next")
        everything.set_up(group, play)

    def place(self, play: Play, unit: int) -> SetUp:
        """Where a unit is set up: in its side's zone, in the middle by default."""
        left, bottom, right, top = box = self.zone(play, play.game.side_of(unit))
        zone = Zone(keep_apart(play.game, unit, self.apart, self.apart), self.coherency, inside=(box,))
        return SetUp(zone, (left + right) // 2, (bottom + top) // 2, self.clause)

    def _begin(self, play: Play) -> None:
        now = table_of(play).opening(self.first)
        play.emit("next", (self.clause,), Ticked(now), side=now.active)

    def _lost(self, play: Play, unit: int, where: SetUp) -> None:
        slots = play.state.units[unit].living
        lose(play, "casualties", (self.clause,), unit, slots, removed=len(slots), models=slots)


def anywhere(play: Play, unit: int, coherency: Coherency, from_enemies: int, clause: str) -> SetUp:
    """Anywhere on the table more than a distance from enemies: a place for `Arrival`."""
    width, height = play.game.field.width, play.game.field.height
    zone = Zone(keep_apart(play.game, unit, INCH, from_enemies), coherency, inside=((0, 0, width, height),))
    return SetUp(zone, width // 2, height // 2, clause)
