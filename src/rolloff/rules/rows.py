"""What a row of turns may be: work, each unit of a player, picks in turn, activations, draws, the end of a phase, a chain."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from rolloff.oracle.contest import draw
from rolloff.rules.component import Component
from rolloff.rules.play import Play
from rolloff.rules.turns import NEXT, PICKS, Part, ended_now, pick, whose_pick
from rolloff.rules.windows import Moment, window
from rolloff.table.event import Done, Ticked
from rolloff.table.request import PASS
from rolloff.table.state import with_mark
from rolloff.typed import read_json

if TYPE_CHECKING:
    from rolloff.rules.edition import Edition
    from rolloff.rules.game import Game

Able = Callable[[Play, int], Sequence[int]]
Act = Callable[[Play, int], None]
ACTIVE, REACTIVE = "active", "reactive"


class Row(Component, frozen=True):
    """What rows have in common: they always have something to do, and close no phase."""

    def silent(self, game: Game) -> bool:
        """Whether the row can never do anything in this game."""
        return False

    @property
    def moment(self) -> str:
        """The moment that closes a phase here, or nothing."""
        return ""


class Once(Row, frozen=True):
    """Some work, once."""

    work: tuple[Callable[[Play], None], ...]

    def __call__(self, play: Play) -> bool:
        """All of it."""
        for part in self.work:
            part(play)
        return False


class Each(Row, frozen=True):
    """The active player takes able units one at a time, each once, and may stop unless told otherwise.

    With ``picked`` that kind of event notes the pick and that the unit has acted; else ``act`` notes it. ``first`` comes
    before each pick, so also after the last unit's part. ``idle``: who says nothing stops.
    """

    able: Able
    act: Act
    clause: str
    may_stop: bool = True
    picked: str = ""
    point: str = ""
    first: Callable[[Play], None] | None = None
    idle: bool = False

    def __call__(self, play: Play) -> bool:
        """One unit's part."""
        first, able, act = self.first, self.able, self.act  # as functions: Python takes longer to look methods up
        if first is not None:
            first(play)
        side = play.state.clock.active
        unit = pick(play, side, able(play, side), self.clause, PASS if self.may_stop else "", self.point, self.idle)
        if unit is None:
            return False
        if self.picked:
            play.emit(self.picked, (self.clause,), Done(unit, True), unit=unit)
        act(play, unit)
        ended_now(play)
        return True


class Alternate(Row, frozen=True):
    """Players pick in turn, each unit once, and must; who has none left is passed over. ``starts`` says who begins.

    With ``may_stop`` a player may have enough: the units left to him have had their part, and the other goes on.

    The event ``picked`` notes the pick, that the unit has acted, and who picks next; `turns.pick_next` names who goes first,
    in whichever of several such rows.
    """

    able: Able
    act: Act
    clause: str
    starts: str = REACTIVE
    picked: str = "picked"
    point: str = ""
    may_stop: bool = False

    def __call__(self, play: Play) -> bool:
        """One unit's part."""
        clock = play.state.clock
        able, units = self.able, play.state.units
        ready = [[k for k in able(play, side) if not units[k].done] for side in (0, 1)]
        if not clock.marks and not any(ready):  # as in most turns: nobody is there to be picked, or named next
            return False
        first = clock.active if self.starts == ACTIVE else 1 - clock.active
        picker = clock.mark(PICKS)
        side = whose_pick(first if picker is None else int(picker), ready)
        unit = named_next(play)
        if unit is not None:
            side = play.game.side_of(unit)
        else:
            unit = pick(play, side, ready[side], self.clause, PASS if self.may_stop else "", self.point)
        if unit is None:
            return self._stopped(play, side, ready[side])
        marks = with_mark(with_mark(clock.marks, NEXT, None), PICKS, 1 - side)
        play.emit(self.picked, (self.clause,), Done(unit, True), Ticked(replace(clock, marks=marks)), unit=unit)
        self.act(play, unit)
        ended_now(play)
        return True

    def _stopped(self, play: Play, side: int, left: Sequence[int]) -> bool:
        """Nobody could be picked, and the row is over; or a player has enough."""
        if left:
            clock = play.state.clock
            marks = with_mark(clock.marks, PICKS, 1 - side)
            acted = [Done(unit, True) for unit in left]
            play.emit("passed", (self.clause,), *acted, Ticked(replace(clock, marks=marks)), side=side)
        return bool(left)


def named_next(play: Play) -> int | None:
    """The unit that must be picked now, if it is still there and has not acted."""
    named = play.game.numbers.get(str(play.state.clock.mark(NEXT)))
    if named is None or play.state.units[named].done or not play.state.units[named].living:
        return None
    return named


class Activations(Row, frozen=True):
    """Players take turns of one unit each: whose turn it is, is the clock's active side, and passes with every activation.

    ``act`` notes that the unit has acted; ``passes`` writes that the turn passes from one side to another (or stays).
    """

    able: Able
    act: Act
    clause: str
    passes: Callable[[Play, int, int], None]
    point: str = ""

    def __call__(self, play: Play) -> bool:
        """One unit's turn."""
        side = play.state.clock.active
        unit = pick(play, side, self.able(play, side), self.clause, point=self.point)
        if unit is None:
            return self.nobody(play, side)
        self.act(play, unit)
        return ended_now(play) or self.pass_turn(play, side)

    def has_any(self, play: Play, side: int) -> bool:
        """Whether a player has a unit left to act with."""
        return any(not play.state.units[unit].done for unit in self.able(play, side))

    def nobody(self, play: Play, side: int) -> bool:
        """A player whose turn it is has no unit left: it is the other's."""
        return self.pass_turn(play, side)

    def pass_turn(self, play: Play, side: int) -> bool:
        """The other player is next, or the same if only they have units left; False: nobody has."""
        for following in (1 - side, side):
            if self.has_any(play, following):
                self.passes(play, side, following)
                return True
        return False


class Drawn(Row, frozen=True):
    """Units are drawn by lot from those of both players that have not acted; whoever's is drawn has the turn.

    The event ``picked`` notes the draw, that the unit has acted, and whose turn it is.
    """

    able: Able
    act: Act
    clause: str
    picked: str = "drawn"

    def __call__(self, play: Play) -> bool:
        """One unit's turn."""
        ready = [k for side in (0, 1) for k in self.able(play, side) if not play.state.units[k].done]
        if not ready:
            return False
        play.rolled_by = -1
        unit = ready[draw(play.dice, len(ready), "draw", self.clause)]
        clock = replace(play.state.clock, active=play.game.side_of(unit))
        play.emit(self.picked, (self.clause,), Done(unit, True), Ticked(clock), unit=unit)
        self.act(play, unit)
        ended_now(play)
        return True


class Ends(Row, frozen=True):
    """The end of a phase: ``first`` (control of markers) is done, then everybody may react, then ``last`` (the score)."""

    closing: str
    first: Callable[[Play], None] | None = None
    last: Callable[[Play], None] | None = None

    def __call__(self, play: Play) -> bool:
        """The whole end; ``first`` is done again after every reaction."""
        first, last = self.first, self.last
        if first is not None:
            first(play)
        window(play, Moment(self.closing), first)  # ENDOF-1
        if last is not None:
            last(play)
        return False

    def silent(self, game: Game) -> bool:
        """Nothing to do and nobody to react."""
        return self.first is None and self.last is None and self.closing not in game.reactions

    @property
    def moment(self) -> str:
        """The moment that closes the phase."""
        return self.closing


class Chain(Row, frozen=True):
    """Something long, one iteration a command: ``start`` gives what it begins with, ``step`` what it goes on with, or None.

    What it carries along is kept as text in a mark of the clock, so that equal games have equal states; odds run the same
    ``step`` without one. The event of that name notes it.
    """

    name: str
    clause: str
    carries: type[Any]
    start: Callable[[Play], Any]
    step: Callable[[Play, Any], Any]

    def __call__(self, play: Play) -> bool:
        """One iteration."""
        kept = play.state.clock.mark(self.name)
        carry = self.start(play) if kept is None else read_json(str(kept), self.carries)
        if carry is None:
            return False
        self._keep(play, self.step(play, carry))
        ended_now(play)
        return True

    def _keep(self, play: Play, carry: Any) -> None:
        clock = play.state.clock
        text = None if carry is None else msgspec.json.encode(carry, order="deterministic").decode()
        marks = with_mark(clock.marks, self.name, text)
        if marks != clock.marks:
            play.emit(self.name, (self.clause,), Ticked(replace(clock, marks=marks)))


PICKING = (Each, Alternate, Activations, Drawn)
"""The rows in which somebody picks the unit that acts, or a lot does."""


def parts_of(edition: Edition) -> Mapping[str, tuple[Part, ...]]:
    """The phases as situations name them: those an edition states, or those of its table of turns with their rows."""
    if edition.parts or edition.turns is None:
        return edition.parts
    found: dict[str, tuple[Part, ...]] = {}
    actions = tuple(action.name for action in edition.actions)
    for step, _ in edition.turns.rows:
        acting = isinstance(step.run, PICKING)
        part = Part(step.name, (*actions, step.name) if acting else ())
        found[step.phase or step.name] = (*found.get(step.phase or step.name, ()), part)
    return found
