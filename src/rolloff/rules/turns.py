"""Turns: a game as a table of rows. The clock names a row; one run of it is one command; `advance` goes to the next row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct
from msgspec.structs import replace

from rolloff.errors import IllegalCommand
from rolloff.rules.component import Component
from rolloff.rules.effects import Boundary, Effects, Ending, ended_at, ending_at
from rolloff.rules.play import CONCEDED, OVER, SIDES, Play
from rolloff.table.event import Done, Event, Patch, Ticked
from rolloff.table.request import Request
from rolloff.table.state import Clock, with_mark

if TYPE_CHECKING:
    from rolloff.rules.game import Game

COMMAND, STEP, TURN = "command", "step", "turn"
"""How often `Turns.over` is asked: after every unit's command, after every row, or only where a turn or the round ends."""
PICKS, NEXT = "picks", "next"
"""The clock's marks that say who picks next where players alternate inside a turn, and which unit must be picked."""
BEFORE, FIRST, SECOND, AFTER = -1, 0, 1, 2
WINNER = "winner"
"""The clock's mark that names who won whatever the score."""
ROUNDS = "rounds"
"""How a game ends that has been played through."""


class Run(Protocol):
    """A row's command: plays it, and says whether the row goes on."""

    def __call__(self, play: Play) -> bool:
        """One command."""
        ...

    def silent(self, game: Game) -> bool:
        """Whether the row can never do anything in this game, so that no command is spent on it."""
        ...

    @property
    def moment(self) -> str:
        """The moment that closes a phase here: other moments are then too late for rules of the phase. Else nothing."""
        ...


class Step(Component, frozen=True):
    """One row of the table. Its phase is its own name unless several rows make up one; ``fresh`` clears who has acted."""

    name: str
    run: Run
    phase: str = ""
    fresh: bool = True


class Part(Struct, frozen=True):
    """A row of a phase as situations name it: the actions units take in it, and rows whose work comes before.

    ``why`` says why a unit is not offered there, by the clause that bars it. ``did`` are the marks by which a situation says
    that a unit has had its part in the row. ``acts`` plays an action that a game offers within another. ``noted`` notes what
    earlier phases of the turn would have, where a situation begins here.
    """

    row: str
    actions: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    why: Callable[[Play, int], IllegalCommand | None] | None = None
    did: tuple[str, ...] = ()
    acts: Callable[[Play, int], None] | None = None
    noted: Callable[[Play], None] | None = None


class Crossing(Component, frozen=True):
    """From one row to the next: both of them, the boundaries between, what ends there, the clock that is set.

    ``event`` is the plain event of it.
    """

    left: Step
    entered: Step
    boundaries: tuple[Boundary, ...]
    patches: tuple[Patch, ...]
    clock: Clock
    event: Event

    def has(self, name: str) -> bool:
        """Whether a boundary of that name is crossed."""
        return any(boundary.name == name for boundary in self.boundaries)


def same_first(play: Play) -> int:
    """Whoever went first does so again."""
    return play.state.clock.first


def goes_on(play: Play, crossing: Crossing) -> None:
    """The plain way to announce the next row: one event."""
    before, patches = play.state, crossing.patches
    play.happen(crossing.event)
    if patches and crossing.entered.fresh:
        play.game.rest(before, play.state, lifted=type(patches[-1]) is not Done)


class Ahead(Struct, frozen=True):
    """What lies between a row and the next that has anything to do: the way there where nobody acted and nothing ends.

    There is none after the last row. ``ending`` are those of the boundaries at which anything may end, and the words for
    that. ``may_be_over``: it is asked whether the game is over.
    """

    ending: tuple[Ending, ...]
    quiet: Crossing | None
    ends_round: bool
    may_be_over: bool


class Turns(Component, frozen=True, dict=True):
    """The table: ``before`` and ``after`` once a round, ``turn`` once for each player; a row's name stands once in it.

    ``over`` names how the game ends now, or nothing, and is asked as often as ``over_at`` says. ``ends`` has the clauses
    of each way to end. ``first`` says who has the first turn of the next round; ``announce`` writes the event of a new row.
    ``round_starts``: the row that raises the round's number, if not the first. ``wins`` names the winner of a way to end
    whatever the score (``A``, ``B``, ``draw``), or nothing.
    """

    over: Callable[[Play], str]
    clause: str
    ends: Mapping[str, tuple[str, ...]]
    turn: tuple[Step, ...] = ()
    before: tuple[Step, ...] = ()
    after: tuple[Step, ...] = ()
    rounds: int = 4
    first: Callable[[Play], int] = same_first
    over_at: str = STEP
    announce: Callable[[Play, Crossing], None] = goes_on
    round_starts: str = ""
    wins: Callable[[Play, str], str] | None = None

    def __post_init__(self) -> None:
        """Refuse a table that could not be found one's way in."""
        names = [step.name for step in (*self.before, *self.turn, *self.after)]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"the row {twice!r} stands twice in the table of turns")
        if ROUNDS not in self.ends:
            raise ValueError(f"the table of turns has no clause for a game that ends by its {ROUNDS}")

    @cached_property
    def rows(self) -> tuple[tuple[Step, int], ...]:
        """Every row with the part of the round it belongs to: before, the first and second player's turn, after."""
        parts = ((self.before, BEFORE), (self.turn, FIRST), (self.turn, SECOND), (self.after, AFTER))
        return tuple((step, part) for steps, part in parts for step in steps)

    @cached_property
    def _ways(self) -> dict[frozenset[str], tuple[Effects, dict[Clock, Ahead]]]:
        return {}

    def ways(self, silent: frozenset[str], effects: Effects) -> dict[Clock, Ahead]:
        """The ways from one row to the next that were gone before, by the clock without marks.

        They are the same in all games in which the same rows are silent, and marks end alike.
        """
        known = self._ways.get(silent)
        if known is None or known[0] is not effects:
            known = self._ways[silent] = effects, {}
        return known[1]

    @cached_property
    def named(self) -> Mapping[str, Step]:
        """The rows by name."""
        return {step.name: step for step, _ in self.rows}

    def steps(self) -> Mapping[str, Callable[[Play], None]]:
        """What an edition puts among its steps."""
        return {name: Command(step.run.__call__).__call__ for name, step in self.named.items()}

    def opening(self, first: int) -> Clock:
        """The clock of the first command of the first round."""
        name = self.rows[0][0].name
        return Clock(name, 1 if self.round_starts in ("", name) else 0, first, first)

    def where(self, clock: Clock) -> int:
        """The row the clock stands at."""
        return self._numbers[clock.phase, clock.active != clock.first]

    @cached_property
    def _numbers(self) -> Mapping[tuple[str, bool], int]:
        """The number of each row by its name and whether it is the second player's turn."""
        found: dict[tuple[str, bool], int] = {}
        for number, (step, part) in enumerate(self.rows):
            for second in (False, True):
                if part not in (FIRST, SECOND) or part == second:
                    found[step.name, second] = number
        return found

    def phase(self, clock: Clock) -> str:
        """The phase it really is, whatever a unit is doing out of it."""
        step = self.named.get(clock.phase)
        return clock.phase if step is None else step.phase or step.name

    def closes(self, clock: Clock) -> str:
        """The moment that closes the phase in this row, or nothing."""
        step = self.named.get(clock.phase)
        return "" if step is None else step.run.moment


def table_of(play: Play) -> Turns:
    """The turns of the game that is played."""
    turns = play.game.edition.turns
    assert turns is not None, f"{play.game.edition.id} has no turns"
    return turns


class Command(Struct, frozen=True):
    """A row as the session runs it: its command, and the next row when it is over.

    Both are kept as methods: to call an object takes Python a longer way.
    """

    run: Callable[[Play], bool]

    def __call__(self, play: Play) -> None:
        """One command."""
        run = self.run
        if not run(play) and play.state.clock.phase != OVER:
            advance(play)


def ended_now(play: Play) -> bool:
    """Whether the game is over after a unit's part, by a rule that is asked that often; then it ends."""
    turns = table_of(play)
    if turns.over_at != COMMAND:
        return False
    over = turns.over
    how = over(play)
    if how:
        end_game(play, how)
    return bool(how)


def advance(play: Play) -> None:
    """The next row: who has acted is cleared, what lasts until here ends and the clock is set; or the game is over."""
    state, game = play.state, play.game
    turns, clock = game.edition.turns, state.clock
    assert turns is not None
    bare = replace(clock, marks=()) if clock.marks else clock
    ahead = game.ways.get(bare) or _find_row(turns, game, bare)
    crossing = ahead.quiet
    over, announce = turns.over, turns.announce
    how = over(play) if ahead.may_be_over else ""
    if how or crossing is None:
        end_game(play, how or ROUNDS)
        return
    acted = game.acted(state) if crossing.entered.fresh else ()
    ends = ended_at(game, state, ahead.ending) if ahead.ending else ()
    if acted or ends or clock.marks or ahead.ends_round:
        following = _following(play, turns, ahead, crossing.clock) if clock.marks or ahead.ends_round else crossing.clock
        patches = (*[Done(k, False) for k in acted], *ends)
        crossing = replace(crossing, patches=patches, clock=following, event=_plain(turns, patches, following))
    announce(play, crossing)


def _plain(turns: Turns, patches: tuple[Patch, ...], clock: Clock) -> Event:
    """The plain event of a crossing."""
    return Event("next", (turns.clause,), (*patches, Ticked(clock)), (("side", clock.active),))


def _following(play: Play, turns: Turns, ahead: Ahead, clock: Clock) -> Clock:
    """The clock of the next row with the marks that stay, and who is first in the next round."""
    now = play.state.clock
    if now.marks:
        clock = replace(clock, marks=with_mark(with_mark(now.marks, PICKS, None), NEXT, None))
    if ahead.ends_round:
        first = turns.first(play)
        clock = replace(clock, first=first, active=first if clock.active == now.first else 1 - first)
    return clock


def _find_row(turns: Turns, game: Game, clock: Clock) -> Ahead:
    """What lies ahead of a row, by a clock without marks, found row by row and kept for all games of like turns."""
    game.ways = turns.ways(game.silent_rows, game.edition.effects)
    known = game.ways.get(clock)
    if known is not None:
        return known
    found: list[Boundary] = []
    start, left = clock, turns.named[clock.phase]
    while True:
        crossed, following = _crossed(turns, clock)
        found += crossed
        if following is None or following.phase not in game.silent_rows:
            names = {boundary.name for boundary in found}
            ends = "end-round" in names
            entered = turns.named[following.phase if following else clock.phase]
            may_be_over = ends or following is None or "end-turn" in names or turns.over_at != TURN
            quiet = None
            if following is not None:
                quiet = Crossing(left, entered, tuple(found), (), following, _plain(turns, (), following))
            ahead = game.ways[start] = Ahead(ending_at(game.edition.effects, found), quiet, ends, may_be_over)
            return ahead
        clock = following


def boundaries_to(turns: Turns, clock: Clock, row: str) -> list[Boundary]:
    """The boundaries between a row and a later one of the same turn; none if that is not later, or of the same phase."""
    goal = replace(clock, phase=row)
    found: list[Boundary] = []
    if clock.phase not in turns.named or turns.phase(clock) == turns.phase(goal) or turns.where(goal) < turns.where(clock):
        return found
    following: Clock | None = clock
    while following is not None and following.phase != row:
        crossed, following = _crossed(turns, following)
        found += crossed
    return found


def _crossed(turns: Turns, clock: Clock) -> tuple[list[Boundary], Clock | None]:
    """The boundaries between a row and the next, in order, and the clock of the next; None after the last round."""
    rows, at = turns.rows, turns.where(clock)
    now, part = rows[at]
    last = at + 1 == len(rows)
    entered, next_part = rows[0 if last else at + 1]
    new_turn = last or next_part != part
    new_phase = new_turn or not now.phase or entered.phase != now.phase
    found = [Boundary(f"end-step-{now.name}", clock.active)]
    if new_phase:
        found += [Boundary(f"end-{now.phase or now.name}", clock.active), Boundary("end-phase", clock.active)]
    if new_turn and part in (FIRST, SECOND):
        found.append(Boundary("end-turn", clock.active))
    if last:
        found.append(Boundary("end-round"))
        if clock.round >= turns.rounds:
            return found, None
    starts = entered.name == turns.round_starts if turns.round_starts else last
    if starts:
        found.append(Boundary("start-round"))
    active = 1 - clock.first if next_part == SECOND else clock.first
    following = Clock(entered.name, clock.round + starts, active, clock.first)
    if new_turn and next_part in (FIRST, SECOND):
        found.append(Boundary("start-turn", active))
    if new_phase:
        found.append(Boundary(f"start-{entered.phase or entered.name}", active))
    return found, following


def end_game(play: Play, how: str, conceded: int | None = None, **facts: str) -> None:
    """The game is over: count, and see who won; who concedes has lost."""
    clock, turns = play.state.clock, table_of(play)
    a, b = play.game.edition.score(play.game, play.state)
    winner = "A" if a > b else "B" if b > a else "draw"
    marks = with_mark(clock.marks, "end", how)
    decided = turns.wins(play, how) if turns.wins else ""
    if decided:
        marks, winner = with_mark(marks, WINNER, decided), decided
    if conceded is not None:
        marks, winner = with_mark(marks, CONCEDED, SIDES[conceded]), SIDES[1 - conceded]
    over = Clock(OVER, clock.round, clock.active, clock.first, marks)
    play.emit("game-ended", turns.ends[how], Ticked(over), score=(a, b), winner=winner, how=how)


def pick(
    play: Play, side: int, able: Iterable[int], clause: str, stop: str = "", point: str = "", idle: bool = False
) -> int | None:
    """Which of the units that have not acted is next; None: nobody can be, or the player stops, whose word is ``stop``.

    ``idle``: who may stop does so unless he says otherwise; else the first is taken.
    """
    units, named = play.state.units, play.game.names
    names = tuple([named[unit] for unit in able if not units[unit].done])
    if not names:
        return None
    options = (*names, stop) if stop else names
    answer = play.put(Request(side, "choose-unit", clause, options, stop if idle else names[0], -1, point), options)
    return None if answer == stop else play.game.numbers[str(answer)]


def whose_pick(side: int, ready: Sequence[Sequence[int]]) -> int:
    """Who picks where players alternate: whose turn it is, or the other once that player has nobody left."""
    return side if ready[side] else 1 - side


def on_table(play: Play, side: int) -> Sequence[int]:
    """The units of a side that stand on the table."""
    return play.game.standing(play.state)[side]


def pick_next(play: Play, unit: int, *clauses: str) -> None:
    """A unit must be picked next where players alternate, whoever's pick it would have been."""
    clock = play.state.clock
    marks = with_mark(with_mark(clock.marks, NEXT, play.game.names[unit]), PICKS, play.game.side_of(unit))
    play.emit("picks-next", clauses, Ticked(replace(clock, marks=marks)), unit=unit)


def leading(play: Play, side: int) -> Ticked:
    """The patch by which a player leads from now on: active, and first in this round's turns. For rows before the turns."""
    return Ticked(replace(play.state.clock, active=side, first=side))


def wiped_out(play: Play) -> str:
    """The plain way to see that a game is over: ``wipeout`` once a player has no model left."""
    units = play.state.units
    return "" if all(any(units[unit].living for unit in own) for own in play.game.units_of) else "wipeout"
