"""Falling back, carried out (MOVE-7, MOVE-8): the way a player names, Desperate Escapes, and where those go who are left."""

from __future__ import annotations

from msgspec.structs import replace

from rolloff.editions.commentary.allocating import destroy
from rolloff.editions.commentary.command import SHOCKED
from rolloff.editions.commentary.lookups import index_of
from rolloff.editions.commentary.moving import FALL_BACK, KINDS, move_of
from rolloff.editions.commentary.retreat import crossers, gathered_out, gets_away, of_survivors, way_out
from rolloff.geometry.moves import Order, Verdict, Wish
from rolloff.oracle.stage import check
from rolloff.rules.citing import cites
from rolloff.rules.effects import lasting
from rolloff.rules.movement import left_of, order_for, way_of
from rolloff.rules.moves import placed
from rolloff.rules.play import Play
from rolloff.rules.windows import Moment, window


@cites("MOVE-7")
def can_fall_back(play: Play, unit: int) -> bool:
    """MOVE-7: whether a way out of Engagement Range is found."""
    return way_out(play, order_for(play, unit, KINDS[FALL_BACK], move_of(play.game, play.state, unit))) is not None


def fall_back(play: Play, unit: int) -> None:
    """MOVE-7: each model moves up to its M and ends clear of all enemies."""
    window(play, Moment(f"{FALL_BACK}-starts", unit))
    tested: set[int] = set()
    for part in left_of(play, unit):
        _go_back(play, part, tested)


def _go_back(play: Play, unit: int, tested: set[int]) -> None:
    """MOVE-8: the way of a unit, its Desperate Escape tests, and where those go who survive them.

    COH-3: a way that those who are left could not end coherent is not gone; their player names another.
    """
    order = order_for(play, unit, KINDS[FALL_BACK], move_of(play.game, play.state, unit))
    kind = replace(KINDS[FALL_BACK], propose=gathered_out)
    verdict = way_of(play, unit, kind, order)
    if verdict is None:
        return
    way, before = play.answers[-1][1], sorted(play.state.units[unit].living)
    spots = dict(zip(before, _ends(verdict), strict=True))
    risky = _crossing(play, order, way) - tested
    tested |= risky
    desperate_escape(play, unit, len(risky))
    for part in left_of(play, unit):
        if _still_away(play, part, way, before):
            _gone_back(play, part, verdict, spots)
        else:
            _go_back(play, part, tested)


@cites("COH-3")
def _still_away(play: Play, unit: int, way: object, before: list[int]) -> bool:
    """Whether those who are left of a unit may go the way it was to go: they could be scattered (COH-3)."""
    living = sorted(play.state.units[unit].living)
    if living == before or not isinstance(way, Wish):
        return True
    rest = order_for(play, unit, KINDS[FALL_BACK], move_of(play.game, play.state, unit))
    return gets_away(play, rest, of_survivors(way, before, living))


def _gone_back(play: Play, unit: int, verdict: Verdict, spots: Ends) -> None:
    """MOVE-7: a unit has fallen back to these spots."""
    rows = [spots[slot] for slot in sorted(play.state.units[unit].living)]
    ends, turns, levels = (b"".join(column) for column in zip(*rows, strict=True))
    patch = placed(play, unit, replace(verdict, ends=ends, facings=turns, levels=levels))
    marks = [lasting(play.game, unit, name, word) for name, word in KINDS[FALL_BACK].marks]
    play.emit("moved", ("MOVE-7",), patch, *marks, unit=unit, action=FALL_BACK, longest=verdict.longest)
    window(play, Moment(f"{FALL_BACK}-ended", unit))


Ends = dict[int, tuple[bytes, bytes, bytes]]
"""Where models end, by slot: spot, facing and, if it is not the ground's, height."""


def _ends(verdict: Verdict) -> list[tuple[bytes, bytes, bytes]]:
    """Where each model ends, its facing and, if they are not the ground's, its height."""
    ends, turns, levels = verdict.ends, verdict.facings, verdict.levels
    rows = range(len(ends) // 8)
    return [(ends[8 * k : 8 * k + 8], turns[2 * k : 2 * k + 2], levels[4 * k : 4 * k + 4]) for k in rows]


def _crossing(play: Play, order: Order, way: object) -> set[int]:
    """MOVE-8: the models that cross an enemy and are neither TITANIC nor flying, or all of a Battle-shocked unit's."""
    held = play.state.units[order.unit]
    if held.mark(SHOCKED) is not None:  # CMD-5
        return set(held.living)
    lookups = index_of(play.game)
    return {slot for slot in crossers(play, order, way) if not {"TITANIC", "FLY"} & set(lookups.fighters[slot].keywords)}


ESCAPE = check("desperate escape", 3, "MOVE-8")


@cites("MOVE-8")
def desperate_escape(play: Play, unit: int, models: int) -> None:
    """MOVE-8: a die for each such model; for each 1 or 2 the owner picks a model, which is destroyed."""
    play.rolled_by = unit
    failed = sum(not play.dice.ask(ESCAPE) for _ in range(models))
    for _ in range(failed):
        living = tuple([slot for part in left_of(play, unit) for slot in play.state.units[part].living])
        if not living:
            return
        options = tuple(play.game.models[slot].id for slot in living)
        default = min(living, key=lambda slot: (_left(play, slot), slot))
        owner = play.game.sides[unit]
        answer = play.choose(
            owner, "allocate", "MOVE-8", options, play.game.models[default].id, unit, "DP-16", purpose="escape"
        )
        destroy(play, play.game.slots[str(answer)], "MOVE-8", "DEST-4")


def _left(play: Play, slot: int) -> int:
    lookups = index_of(play.game)
    return lookups.fighters[slot].profile.wounds - play.state.wounds_on(slot)
