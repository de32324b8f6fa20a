"""Rounds and turns (TURN), and the score (SCORE)."""

from __future__ import annotations

from msgspec.structs import replace

from rolloff.editions.onepage.morale import PINNED
from rolloff.editions.onepage.reserves import arrivals
from rolloff.editions.onepage.transport import unarrived
from rolloff.rules.citing import cites
from rolloff.rules.effects import BEARER, Boundary, Duration, Effects, ended
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.rules.powers import fill_pool
from rolloff.table.event import Done, Marked, Patch
from rolloff.table.state import GONE, MERGED, TABLE, State, with_mark

FINISHED = ("finished-a", "finished-b")
GRANTS = ("grant:", "grant-weapons:")
"""How marks begin that a power left."""
NEXT_ACTIVATION, FOLLOWING, END_OF_ROUND = "next-activation", "following-activation", "end-of-round"
EFFECTS = Effects(
    {
        "this-activation": Duration("end-activation"),
        NEXT_ACTIVATION: Duration("end-activation", BEARER),
        FOLLOWING: Duration("end-activation", BEARER, then=NEXT_ACTIVATION),
        END_OF_ROUND: Duration("end-round"),
    },
    prefixes=GRANTS,
)
"""RULE-PSYKER-8: how long a grant may last."""


@cites("TURN-7", "TURN-8")
def ready(game: Game, state: State, side: int) -> list[int]:
    """TURN-7: units that still need an activation: on the table or aboard, living, not yet activated, arrived."""
    units = state.units
    found = [k for k in game.units_of[side] if not (held := units[k]).done and held.living and held.where >= TABLE]
    return [k for k in found if units[k].where == TABLE or not unarrived(state, k)]


def some_ready(game: Game, state: State, side: int) -> bool:
    """Whether any unit of a side still needs an activation (TURN-7)."""
    units = state.units
    for k in game.units_of[side]:
        held = units[k]
        if not held.done and held.living and held.where >= TABLE and (held.where == TABLE or not unarrived(state, k)):
            return True
    return False


def able(play: Play, side: int) -> list[int]:
    """The same of a play."""
    return ready(play.game, play.state, side)


def begin_round(play: Play) -> None:
    """TURN-2: clear the flags, roll power dice, bring in reserves; then turns begin."""
    clock = play.state.clock
    number = clock.round + 1
    patches: list[Patch] = [Done(k, False) for k, unit in enumerate(play.state.units) if unit.done]
    play.emit("round-began", ("TURN-1", "TURN-2"), *patches, round=number)
    for side in (clock.first, 1 - clock.first):
        fill_pool(play, side)
    for side in (clock.first, 1 - clock.first):
        arrivals(play, side, number)


@cites("TURN-6")
def note_finished(play: Play, acted: int) -> None:
    """TURN-6: who ran out of units first; both at once: the one who did not take the last activation counts as first."""
    clock = play.state.clock
    out = [side for side in (0, 1) if clock.mark(FINISHED[side]) is None and not some_ready(play.game, play.state, side)]
    if not out:
        return
    marks = clock.marks
    place = sum(1 for name in FINISHED if clock.mark(name) is not None)
    out.sort(key=lambda side: (side == acted, side != clock.first))
    for side in out:
        marks = with_mark(marks, FINISHED[side], place)
        place += 1
    play.tick(replace(clock, marks=marks), "finished", "TURN-6", sides=tuple("AB"[side] for side in out))


@cites("TURN-9")
def wiped_out(play: Play) -> bool:
    """TURN-9: a player without a unit on the table, aboard or in reserve ends the game."""
    if not play.game.switches["end_on_wipeout"]:
        return False
    units = play.state.units
    for own in play.game.units_of:
        for number in own:
            held = units[number]
            if held.living and held.where not in (GONE, MERGED):
                break
        else:
            return True
    return False


def pass_turn(play: Play, side: int, following: int) -> None:
    """TURN-4, TURN-5: the other player is next, or the same again while the other has nobody left."""
    clock = play.state.clock
    if following != clock.active:
        clause = "TURN-4" if following != side else "TURN-5"
        play.tick(replace(clock, active=following), "turn-passed", clause, side=following)


def first_next_round(play: Play) -> int:
    """TURN-6: the player who ran out of units earlier goes first."""
    clock = play.state.clock
    order = [clock.mark(name) for name in FINISHED]
    if order[0] is None or order[1] is None:
        return clock.first
    return 0 if int(order[0]) < int(order[1]) else 1


@cites("SCORE-1", "PIN-7", "SCORE-3", "SCORE-5")
def scores(game: Game, state: State, unit: int) -> bool:
    """SCORE-1: destroyed, for whatever cause, or Pinned now; reserve and passengers do not count unless Pinned."""
    held = state.units[unit]
    if held.where == MERGED:
        return False
    if held.where == GONE or not held.living:
        return True
    if unarrived(state, unit) and game.switches["unarrived_counts_destroyed"]:
        return True
    return held.mark(PINNED) is not None


@cites("SCORE-4")
def points_of(game: Game, state: State, unit: int) -> int:
    """SCORE-4: a merged or joined unit counts the sum of its parts."""
    joined = state.units[unit].mark("points")
    return joined if isinstance(joined, int) else game.cards[unit].points


def score(game: Game, state: State) -> tuple[int, int]:
    """SCORE-1: each player's points: every enemy unit destroyed or Pinned."""
    totals = [0, 0]
    for unit in range(len(game.cards)):
        side = 1 - game.side_of(unit)
        if game.switches["score_joined_separately"]:
            totals[side] += _apart(game, state, unit)
        elif scores(game, state, unit):
            totals[side] += points_of(game, state, unit)
    return totals[0], totals[1]


def _apart(game: Game, state: State, unit: int) -> int:
    """The switch of SCORE-4: each part of a joined unit scores when its own models are gone, or with its host Pinned."""
    own = range(game.starts[unit], game.starts[unit + 1])
    hosts = [k for k, held in enumerate(state.units) for slot in own if slot in held.living]
    gone = not hosts or (unarrived(state, hosts[0]) and game.switches["unarrived_counts_destroyed"])
    stuck = bool(hosts) and state.units[hosts[0]].mark(PINNED) is not None
    return game.cards[unit].points if gone or stuck else 0


def expire(play: Play, boundary: Boundary) -> None:
    """RULE-PSYKER-8: what a power granted until a unit's next activation, this one, or the end of the round ends with it."""
    patches = [patch for patch in ended(play.game, play.state, boundary) if isinstance(patch, Marked)]
    for unit in dict.fromkeys(patch.unit for patch in patches):
        own = [patch for patch in patches if patch.unit == unit and play.state.units[unit].living]
        ending, lasting = ([patch for patch in own if (patch.value is None) is gone] for gone in (True, False))
        if ending:
            play.emit("power-ended", ("RULE-PSYKER-8",), *ending, unit=unit)
        if lasting:
            play.emit("power-lasts", ("RULE-PSYKER-8",), *lasting, unit=unit)
