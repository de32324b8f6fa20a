"""Transports (RULE-TRANSPORT): who fits aboard, getting in and out, and what a wreck does to those inside."""

from __future__ import annotations

from rolloff.editions.onepage.lore import Lore, has, is_infantry
from rolloff.editions.onepage.morale import ROUTS, check_heavy_loss, pin, strength
from rolloff.editions.onepage.places import PLACE_REFUSALS, zone_near
from rolloff.geometry.moves import Hub
from rolloff.geometry.place import muster
from rolloff.rules import losses
from rolloff.rules.answers import Placement
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.rules.losses import Fallen, Hull, Losses
from rolloff.rules.moves import Setting, ask_place
from rolloff.rules.play import Play
from rolloff.table.event import Went
from rolloff.table.profile import Throw
from rolloff.table.state import NOWHERE, RESERVE, TABLE, State

LOST = "lost"
"""The event of models that find no room."""


def capacity(game: Game, state: State, transport: int) -> int:
    """RULE-TRANSPORT-1: places in all, by the transport's living models."""
    lore: Lore = game.lore
    carrying = lore.having("Transport", state.units[transport].living)
    return sum(int(lore.fighters[slot].rules["Transport"].rating or 0) for slot in carrying) if carrying else 0


def passengers(state: State, transport: int) -> tuple[int, ...]:
    """The units aboard."""
    return tuple(number for number, unit in enumerate(state.units) if unit.where == transport)


def unarrived(state: State, unit: int) -> bool:
    """Whether a unit is still in reserve, by itself or aboard a transport that is (RULE-DEEPSTRIKE-6)."""
    where = state.units[unit].where
    return (state.units[where].where if where >= 0 else where) == RESERVE


def lose(play: Play, unit: int, clause: str) -> None:
    """A unit that cannot be placed is lost, and so are those inside it: they are one placement (DEPLOY-6)."""
    for number in (unit, *passengers(play.state, unit)):
        living = play.state.units[number].living
        losses.lose(play, LOST, (clause,), number, living, models=living)


@cites("RULE-TRANSPORT-1", "RULE-TRANSPORT-7", "TYPE-INF-2")
def fits(play: Play, unit: int, transport: int) -> bool:
    """RULE-TRANSPORT-1, TYPE-INF-2: infantry only and without passengers, each model one place, several units may share."""
    room = capacity(play.game, play.state, transport) - len(play.state.units[unit].living)
    if room < 0 or not is_infantry(play.game, unit) or passengers(play.state, unit):
        return False
    return sum(len(play.state.units[other].living) for other in passengers(play.state, transport)) <= room


def transports_for(play: Play, unit: int) -> list[int]:
    """Own transports a unit would fit in."""
    carriers = play.game.lore.carriers
    if not carriers:
        return []
    units = play.state.units
    return [
        other
        for other in play.game.units_of[play.game.side_of(unit)]
        if other != unit and not carriers.isdisjoint(units[other].living) and fits(play, unit, other)
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
    before, pins = strength(play, unit), play.game.edition.book.wreck_pins
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

    hits = Group((), throws=(Throw(1, 6),), enters="automatic", name="wreck")
    attack_event(play, -1, unit, [hits], WRECK, "RULE-TRANSPORT-8", *clauses)


def _dangerous_wreck(play: Play, unit: int, clauses: tuple[str, ...]) -> None:
    """RULE-TRANSPORT-8: a Dangerous test, one die for each model."""
    from rolloff.editions.onepage.attack import danger_event  # an attack may wreck, and a wreck attacks

    danger_event(play, unit, len(play.state.units[unit].living), "RULE-TRANSPORT-8", *clauses)


def _placed_by_wreck(play: Play, unit: int, hull: Hull) -> None:
    """Survivors stand within 6 inches of where the hull was; models that do not fit are lost."""
    slot, (x, y), facing = hull
    if x == NOWHERE:  # a wreck nobody gave a place: its survivors are out, wherever that is
        play.emit("placed", ("RULE-TRANSPORT-8",), Went(unit, TABLE), unit=unit)
        return
    book = play.game.edition.book
    hub = Hub(x, y, facing, play.game.field.bases[slot], book.wreck_range)
    while play.state.units[unit].living:
        slots = tuple(sorted(play.state.units[unit].living))
        zone = zone_near(play, unit, hub)
        found = muster(play.scene, slots, zone, x, y)
        if found is not None:
            default = Placement(slots, found, bytes(2 * len(slots)))
            patch = ask_place(
                play,
                play.game.side_of(unit),
                unit,
                Setting(slots, zone),
                default,
                "RULE-TRANSPORT-8",
                PLACE_REFUSALS,
                "DP-32",
            )
            play.emit("placed", ("RULE-TRANSPORT-8", "DEPLOY-5"), Went(unit, TABLE), patch, unit=unit)
            return
        losses.lose(play, LOST, ("RULE-TRANSPORT-8",), unit, slots[-1:], models=slots[-1:])


def may_storm_out(play: Play, unit: int) -> bool:
    """RULE-FURIOUS-2: a unit that is Furious to the last model may assault out of a transport."""
    return has(play.game, play.state, unit, "Furious")


@cites("RULE-TRANSPORT-3", "RULE-TRANSPORT-4", "LOS-12")
def board(play: Play, unit: int, transport: int) -> None:
    """RULE-TRANSPORT-3: the whole unit gets in."""
    play.emit("boarded", ("RULE-TRANSPORT-3",), Went(unit, transport), unit=unit, transport=transport)
