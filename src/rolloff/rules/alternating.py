"""Setting up one unit each in turn: the step most games open with."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from rolloff.geometry.moves import Coherency, Rectangle, Zone, gaps
from rolloff.lengths import INCH
from rolloff.rules.component import Component
from rolloff.rules.deployment import SetUp, next_to_place, set_down
from rolloff.rules.losses import lose
from rolloff.rules.moves import Refusals
from rolloff.rules.play import Play
from rolloff.rules.turns import pick, table_of
from rolloff.table.event import Ticked, Went
from rolloff.table.state import RESERVE, WAITING


def nobody(play: Play, unit: int) -> bool:
    """Every unit is set up."""
    return False


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
        clock = play.state.clock
        unit = pick(play, clock.active, _waiting(play, clock.active), self.clause)
        if unit is not None and self.reserve(play, unit):
            play.emit("reserved", (self.clause,), Went(unit, RESERVE), unit=unit)
        elif unit is not None:
            set_down(play, unit, self.place(play, clock.active), self.refusals, self._no_room)
        following = next_to_place(lambda side: _waiting(play, side), clock.active)
        now = table_of(play).opening(self.first) if following is None else replace(clock, active=following)
        play.emit("next", (self.clause,), Ticked(now), side=now.active)

    def place(self, play: Play, side: int) -> SetUp:
        """Where a unit of a side is set up, its middle by default."""
        left, bottom, right, top = box = self.zone(play, side)
        zone = Zone(gaps(len(play.game.sides), self.apart), self.coherency, inside=(box,))
        return SetUp(zone, (left + right) // 2, (bottom + top) // 2, self.clause)

    def _no_room(self, play: Play, unit: int) -> None:
        slots = play.state.units[unit].living
        lose(play, "casualties", (self.clause,), unit, slots, removed=len(slots), models=slots)


def _waiting(play: Play, side: int) -> list[int]:
    return [unit for unit in play.game.units_of[side] if play.state.units[unit].where == WAITING]


def anywhere(play: Play, unit: int, coherency: Coherency, from_enemies: int, clause: str) -> SetUp:
    """Anywhere on the table more than a distance from enemies: a place for `Arrival`."""
    width, height = play.game.field.width, play.game.field.height
    theirs = dict.fromkeys(play.game.units_of[1 - play.game.side_of(unit)], from_enemies)
    zone = Zone(gaps(len(play.game.sides), INCH, theirs), coherency, inside=((0, 0, width, height),))
    return SetUp(zone, width // 2, height // 2, clause)
