"""Transports (RULE-TRANSPORT): who fits aboard, getting in and out, and what a wreck does to those inside."""

from __future__ import annotations

from rolloff.editions.onepage.book import book_of
from rolloff.editions.onepage.lookups import has, index_of, is_infantry
from rolloff.editions.onepage.morale import ROUTS, check_heavy_loss, pin, strength
from rolloff.editions.onepage.places import PLACE_REFUSALS, zone
from rolloff.geometry.moves import Zone
from rolloff.rules import losses
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.rules.losses import Fallen, Hull, Losses
from rolloff.rules.play import Play
from rolloff.rules.transports import Transports, escape, fits, passengers
from rolloff.table.event import Went
from rolloff.table.profile import DiceRoll
from rolloff.table.state import NOWHERE, RESERVE, TABLE, State

LOST = "lost"
"""The event of models that find no room."""


def capacity(game: Game, state: State, transport: int) -> int:
    """RULE-TRANSPORT-1: places in all, by the transport's living models."""
    lookups = index_of(game)
    carrying = lookups.having("Transport", state.units[transport].living)
    return sum(int(lookups.fighters[slot].rules["Transport"].rating or 0) for slot in carrying) if carrying else 0


@cites("RULE-DEEPSTRIKE-6")
def unarrived(state: State, unit: int) -> bool:
    """RULE-DEEPSTRIKE-6: whether a unit is still in reserve, by itself or aboard a transport that is."""
    where = state.units[unit].where
    return (state.units[where].where if where >= 0 else where) == RESERVE


def lose(play: Play, unit: int, clause: str) -> None:
    """A unit that cannot be placed is lost, and so are those inside it: they are one placement (DEPLOY-6)."""
    for number in (unit, *passengers(play.state, unit)):
        living = play.state.units[number].living
        losses.lose(play, LOST, (clause,), number, living, models=living)


@cites("TYPE-INF-2", "RULE-TRANSPORT-7")
def takes(game: Game, state: State, unit: int, transport: int) -> bool:
    """TYPE-INF-2, RULE-TRANSPORT-7: infantry only, and nobody with passengers; several units may share."""
    return is_infantry(game, unit) and not passengers(state, unit)


def by_wreck(play: Play, unit: int) -> Zone:
    """RULE-TRANSPORT-8, DEPLOY-5: an inch from every other unit."""
    return zone(play, unit, book_of(play.game).unit_gap)


TRANSPORTS = Transports(
    capacity,
    takes,
    by_wreck,
    0,
    "RULE-TRANSPORT-3",
    "RULE-TRANSPORT-5",
    PLACE_REFUSALS,
    wholly=False,
    set_down="placed",
    stays=False,
)


@cites("RULE-TRANSPORT-1")
def has_room(play: Play, unit: int, transport: int) -> bool:
    """RULE-TRANSPORT-1: each model takes one place."""
    return fits(play.game, play.state, unit, transport)


def transports_for(play: Play, unit: int) -> list[int]:
    """Own transports a unit would fit in."""
    carriers = index_of(play.game).carriers
    if not carriers:
        return []
    units = play.state.units
    return [
        other
        for other in play.game.units_of[play.game.side_of(unit)]
        if other != unit and not carriers.isdisjoint(units[other].living) and has_room(play, unit, other)
    ]


@cites("RULE-TRANSPORT-8", "CAS-8")
def wrecked(play: Play, fallen: Fallen) -> None:
    """RULE-TRANSPORT-8: when a transport is destroyed, whatever did it, each unit aboard suffers and gets out."""
    if not destroyed(fallen.kind):
        return
    clauses = ("ROUT-2",) if fallen.kind == ROUTS else ()
    for passenger in passengers(play.state, fallen.unit):
        _escape(play, passenger, fallen.hulls[-1], clauses)


@cites("ROUT-2")
def destroyed(kind: str) -> bool:
    """ROUT-2: one that routed counts as destroyed; of one that found no place those inside are lost with it (DEPLOY-6)."""
    return kind != LOST


LOSSES = Losses(unit=(wrecked,))


def _escape(play: Play, unit: int, hull: Hull, clauses: tuple[str, ...]) -> None:
    before, pins = strength(play, unit), book_of(play.game).wreck_pins
    (_dangerous_wreck if pins else _wreck_hits)(play, unit, clauses)
    if play.state.units[unit].living:
        _placed_by_wreck(play, unit, hull)
    if not pins:
        check_heavy_loss(play, unit, before)
    elif play.state.units[unit].living:
        pin(play, unit, "RULE-TRANSPORT-8")


def _wreck_hits(play: Play, unit: int, clauses: tuple[str, ...]) -> None:
    """RULE-TRANSPORT-8: D6 automatic hits."""
    from rolloff.editions.onepage.attack import WRECK, Group, attack_event  # an attack may wreck, and a wreck attacks

    hits = Group((), rolls=(DiceRoll(1, 6),), enters="automatic", name="wreck")
    attack_event(play, -1, unit, [hits], WRECK, "RULE-TRANSPORT-8", *clauses)


def _dangerous_wreck(play: Play, unit: int, clauses: tuple[str, ...]) -> None:
    """RULE-TRANSPORT-8: a Dangerous test, one die for each model."""
    from rolloff.editions.onepage.attack import danger_event  # an attack may wreck, and a wreck attacks

    danger_event(play, unit, len(play.state.units[unit].living), "RULE-TRANSPORT-8", *clauses)


def _placed_by_wreck(play: Play, unit: int, hull: Hull) -> None:
    """Survivors stand within 6 inches of where the hull was; models that do not fit are lost."""
    if hull[1][0] == NOWHERE:  # a wreck nobody gave a place: its survivors are out, wherever that is
        play.emit("placed", ("RULE-TRANSPORT-8",), Went(unit, TABLE), unit=unit)
        return
    within = (book_of(play.game).wreck_range,)
    escape(play, unit, hull, within, "RULE-TRANSPORT-8", "DEPLOY-5", point="DP-32")


@cites("RULE-FURIOUS-2")
def may_storm_out(play: Play, unit: int) -> bool:
    """RULE-FURIOUS-2: a unit that is Furious to the last model may assault out of a transport."""
    return has(play.game, play.state, unit, "Furious")


@cites("RULE-TRANSPORT-3", "RULE-TRANSPORT-4", "LOS-12")
def board(play: Play, unit: int, transport: int) -> None:
    """RULE-TRANSPORT-3: the whole unit gets in."""
    play.emit("boarded", ("RULE-TRANSPORT-3",), Went(unit, transport), unit=unit, transport=transport)
