"""What the destruction of models and units means beyond their absence (DEST, UNIT-7): whose work it was, and what it counts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from operator import attrgetter

from rolloff.editions.commentary.formations import CHAMPION
from rolloff.editions.commentary.lookups import index_of
from rolloff.editions.commentary.squads import CHARACTER
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.rules.losses import Fallen
from rolloff.rules.play import SIDES, Play
from rolloff.table.event import Event, Patch, Removed, SideMarked
from rolloff.table.state import State

FELLED, LOST, FELLED_LEADER = "felled:", "lost:", "felled-leader"
"""Marks of a player until the end of the turn: an enemy unit it destroyed, an own one it lost, that a leading model fell."""
NOBODY = -1
END_TURN = "end-turn"


@cites("DEST-4")
def nobodys(play: Play, unit: int, by: int) -> bool:
    """DEST-4: whatever no enemy model, attack or rule in use destroyed was destroyed by nobody."""
    return by < 0 or play.game.side_of(by) == play.game.side_of(unit)


@cites("DEST-3")
def destroyed_by(play: Play, unit: int, by: int) -> int:
    """DEST-3: the player whose attack, mortal wound or other rule destroyed something of a unit; NOBODY for none."""
    return NOBODY if nobodys(play, unit, by) else play.game.side_of(by)


def note_losses(play: Play, fallen: Fallen) -> None:
    """What follows when models are destroyed: who did it, and which units are gone with them."""
    event = fallen.event
    if event is None:
        return
    source = event.fact("by")
    by = destroyed_by(play, fallen.unit, source if isinstance(source, int) else NOBODY)
    slots = [patch.slot for patch in event.patches if isinstance(patch, Removed)]
    if by != NOBODY and _leading(play, slots):
        play.emit("felled-leader", ("DEST-3",), SideMarked(by, FELLED_LEADER, END_TURN), side=by)
    for part in gone_parts(play.game, play.state, slots):
        report(play, part, by, event)


@cites("DEST-4")
def lose_all(play: Play, unit: int, *clauses: str) -> None:
    """DEST-4: a unit that cannot be set up, or never was, is destroyed by nobody; nothing is triggered but that it is gone."""
    before, slots = play.state, play.state.units[unit].living
    play.emit("lost", clauses, *(Removed(slot, unit) for slot in slots), unit=unit, models=slots)
    note_losses(play, Fallen(unit, "lost", before, None, play.events[-1] if play.logged else None))


def _leading(play: Play, slots: Sequence[int]) -> bool:
    """SEC-5: whether a CHARACTER or a Unit Champion is among some models."""
    lookups = index_of(play.game)
    champions = lookups.marked(play.state, CHAMPION) if play.state.models else ()
    return any(slot in champions or CHARACTER in lookups.fighters[slot].keywords for slot in slots)


_living_of = attrgetter("living")


def gone_parts(game: Game, state: State, slots: Sequence[int]) -> list[int]:
    """UNIT-7: the datasheets some models belong to of which nobody is left: Leader and Bodyguard are counted apart."""
    lookups = index_of(game)
    alive = set(chain.from_iterable(map(_living_of, state.units)))
    cards = dict.fromkeys([lookups.fighters[slot].card for slot in slots])
    return [card for card in cards if alive.isdisjoint(range(game.starts[card], game.starts[card + 1]))]


@cites("DEST-2", "UNIT-7")
def report(play: Play, part: int, by: int, event: Event) -> None:
    """DEST-2: a unit is destroyed when its last model is; once, also if that model acts before it is removed."""
    if any(one.kind == "unit-destroyed" and one.fact("unit") == part for one in play.events):
        return
    name, owner = play.game.names[part], play.game.side_of(part)
    patches: list[Patch] = [SideMarked(owner, f"{LOST}{name}", END_TURN)]
    if by != NOBODY:
        patches.append(SideMarked(by, f"{FELLED}{name}", END_TURN))
    cause = event.fact("cause") or event.kind
    destroyer, credit = (None, "DEST-4") if by == NOBODY else (SIDES[by], "DEST-3")
    play.emit("unit-destroyed", ("DEST-2", credit), *patches, unit=part, destroyer=destroyer, cause=cause)
