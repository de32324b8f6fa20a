"""Deployment (MIS-3 to MIS-7, ABIL-6, ABIL-9): units one at a time, redeployment, the first turn, Scout moves."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from rolloff.editions.commentary.cards import keywords_of
from rolloff.editions.commentary.destruction import lose_all
from rolloff.editions.commentary.formations import HOVERS, WAITS, to_place
from rolloff.editions.commentary.ground import barred_to, spots
from rolloff.editions.commentary.lookups import index_of
from rolloff.editions.commentary.missions import zone_of
from rolloff.editions.commentary.moving import (
    ENGAGEMENT,
    KINDS,
    LEEWAY,
    NORMAL,
    REFUSALS,
    coherency_of,
    has_move,
    too_far,
)
from rolloff.editions.commentary.roster import AIRCRAFT, SHARE, STRATEGIC
from rolloff.geometry.moves import TOUCH, Code, Coherency, Rectangle, Zone, over
from rolloff.lengths import INCH
from rolloff.rules.alternating import Deployment, Group
from rolloff.rules.citing import cites
from rolloff.rules.deployment import SetUp, keep_apart, roll_off, set_down
from rolloff.rules.game import Game
from rolloff.rules.movement import make
from rolloff.rules.play import Play
from rolloff.rules.transports import passengers
from rolloff.rules.turns import Turns, pick
from rolloff.table.event import Done, Marked, Patch, Went
from rolloff.table.request import PASS
from rolloff.table.state import MERGED, RESERVE, TABLE, State

AWAY = 9 * INCH
INFILTRATORS = "Infiltrators"
REDEPLOYED, SCOUTED = "redeployed", "scouted"


def keep_away(play: Play, unit: int, distance: int) -> bytes:
    """Gap codes of a placing: more than a distance from every enemy, touching nobody."""
    return keep_apart(play.game, unit, TOUCH, further_than(distance))


@cites("GEO-6")
def further_than(distance: int) -> int:
    """GEO-6: the gap code of a horizontal distance that an arriving unit keeps from enemies."""
    return over(distance + 1)


def clear_of_enemies(play: Play, unit: int) -> bytes:
    """ER-2: nobody is set up within Engagement Range of an enemy."""
    return keep_apart(play.game, unit, TOUCH, ENGAGEMENT)


def zone(play: Play, unit: int, keep: bytes, inside: tuple[Rectangle, ...] = (), off: Rectangle | None = None) -> Zone:
    """Where a unit may be set up, coherent (SETUP-2) and on ground it may stand on; each such zone is made once a game."""
    game, state = play.game, play.state
    kept, barred, coherency = index_of(game).zones, barred_to(game, state, unit), together(game, state, unit)
    key = keep, coherency, inside, barred, off
    found = kept.get(key)
    if found is None:
        found = kept[key] = Zone(keep, coherency, inside=inside, barred=barred, off_limits=off, leeway=LEEWAY)
    return found


@cites("SETUP-2")
def together(game: Game, state: State, unit: int) -> Coherency:
    """SETUP-2: units are set up in coherency."""
    return coherency_of(game, state, unit)


def inward(play: Play, box: Rectangle) -> int:
    """The facing from a zone toward the middle of the table, in tenths of a degree."""
    x0, y0, x1, y1 = box
    across, up = play.game.field.width - x0 - x1, play.game.field.height - y0 - y1
    if abs(across) > abs(up):
        return 0 if across > 0 else 1800
    return 900 if up > 0 else 2700


# deployment


def to_set_up(play: Play, side: int) -> list[int]:
    """MIS-6: the units a player has to set up; by DP-58 Infiltrators wait by default until the others stand."""
    units = to_place(play, side)
    return sorted(units, key=lambda unit: infiltrates(play, unit)) if INFILTRATORS in index_of(play.game).printed else units


@cites("ABIL-6")
def infiltrates(play: Play, unit: int) -> bool:
    """ABIL-6: whether every model of a unit is an Infiltrator."""
    lookups = index_of(play.game)
    return lookups.every(play.state.units[unit].living, INFILTRATORS)


@cites("MIS-5")
def stays_home(play: Play, unit: int) -> bool:
    """MIS-5: a FORTIFICATION is set up in its own zone only, whatever other rule would widen that."""
    return "FORTIFICATION" in index_of(play.game).words(play.state.units[unit].living)


INFILTRATED = {
    Code.GAP_UNIT: ("ABIL-6", '{who} would not be more than 9" away from {what}'),
    Code.OFF_LIMITS: ("ABIL-6", '{who} would not be more than 9" away from the enemy deployment zone'),
}
"""The words of refusals for Infiltrators."""


def set_up_at(play: Play, unit: int) -> SetUp:
    """MIS-5: wholly within the own zone; Infiltrators there, or anywhere far enough from the enemy and the enemy's zone."""
    side = play.game.side_of(unit)
    box = zone_of(play.game, play.state, side)
    x, y = (box[0] + box[2]) // 2, (box[1] + box[3]) // 2
    facing, inside = inward(play, box), zone(play, unit, clear_of_enemies(play, unit), (box,))
    home = SetUp(inside, x, y, "MIS-5", facing, "DP-4", "deployed-unit")
    if not infiltrates(play, unit) or stays_home(play, unit):
        return home
    theirs = zone_of(play.game, play.state, 1 - side)
    away = AWAY + 2 + LEEWAY.edge  # so that exactly 9" is not more than that
    off = (theirs[0] - away, theirs[1] - away, theirs[2] + away, theirs[3] + away)
    x, y = _nearest_marker(play.game, box)
    where = zone(play, unit, keep_away(play, unit, AWAY), (), off)
    return replace(home, zone=where, x=x, y=y, clause="ABIL-6", point="DP-58", refusals=INFILTRATED, others=(home,))


def _nearest_marker(game: Game, box: Rectangle) -> tuple[int, int]:
    """DP-58: where an Infiltrator would stand by default: at the marker nearest to its zone, beyond it if there is one.

    Of like ones it is the first (DP-38); without a marker it stands as everybody does, in the middle of the zone.
    """
    x0, y0, x1, y1 = box
    x, y = (x0 + x1) // 2, (y0 + y1) // 2
    found = [(spot.x, spot.y) for spot in spots(game)]
    beyond = [at for at in found if not (x0 <= at[0] <= x1 and y0 <= at[1] <= y1)]
    return min(beyond or found or [(x, y)], key=lambda at: (at[0] - x) ** 2 + (at[1] - y) ** 2)


@cites("SETUP-3")
def no_room(play: Play, unit: int, where: SetUp) -> None:
    """SETUP-3: a unit that cannot be deployed waits in Strategic Reserves, if it may; else it and all aboard are destroyed."""
    if may_still_wait(play, unit):
        play.emit("reserved", ("SETUP-3",), Went(unit, RESERVE), Marked(unit, WAITS, STRATEGIC), unit=unit, how=STRATEGIC)
        return
    for part in (unit, *passengers(play.state, unit)):
        lose_all(play, part, "SETUP-3")


@cites("RSV-2", "RSV-6")
def may_still_wait(play: Play, unit: int) -> bool:
    """RSV-2, RSV-6: no FORTIFICATION, and within the shares of the roster that may wait, with its Leaders and passengers."""
    game, units = play.game, play.state.units
    if "FORTIFICATION" in index_of(game).words(units[unit].living):
        return False
    groups = {k: starts_as(play, k) for k in game.units_of[game.side_of(unit)]}
    army = [k for k, first in groups.items() if not flies(play, first)]
    waits = [k for k in army if groups[k] == unit or units[groups[k]].where == RESERVE]
    strategic = [k for k in waits if groups[k] == unit or units[groups[k]].mark(WAITS) == STRATEGIC]

    def worth(some: Iterable[int]) -> int:
        return sum(game.cards[k].points for k in some)

    size = game.setup.points or worth(groups)
    return SHARE * worth(strategic) <= size and 2 * worth(waits) <= worth(army) and 2 * len(waits) <= len(army)


def starts_as(play: Play, unit: int) -> int:
    """The unit a unit of the roster is set up with: that which it leads, that which it is aboard of, or itself."""
    where = play.state.units[unit].where
    if where == MERGED:
        return starts_as(play, play.state.owner_of(play.game.starts[unit]))
    return starts_as(play, where) if where >= 0 else unit


def flies(play: Play, unit: int) -> bool:
    """RSV-6: AIRCRAFT that does not hover, which counts on neither side."""
    return AIRCRAFT.upper() in keywords_of(play.game.cards[unit]) and play.state.units[unit].mark(HOVERS) is None


def deployed(play: Play) -> None:
    """MIS-3: everybody is set up."""
    clock = play.state.clock
    play.tick(replace(clock, phase="redeploy", active=clock.first), "deployed", "MIS-6")


DEPLOYMENT = Deployment(
    (Group("deploy", (set_up_at,), "MIS-6", point="DP-4"),), REFUSALS, deployed, waiting=to_set_up, no_room=no_room
)
"""MIS-6: the players set up a unit each in turn, while both have some."""


# redeployment


def redeploys(play: Play, side: int) -> list[tuple[int, str]]:
    """REDEP-1: how many units of which keywords the rules of a side's models let it deploy again; not who is aboard (EMB-1)."""
    lookups, units = index_of(play.game), play.state.units
    found: dict[str, int] = {}
    for unit in play.game.units_of[side] if "Redeploys" in lookups.abilities[side] else ():
        for slot in lookups.having(units[unit].living, "Redeploys") if units[unit].where < 0 else ():
            for rule in lookups.fighters[slot].rules:
                if rule.name == "Redeploys":
                    count, _, words = str(rule.rating).partition(" ")
                    found[words] = max(found.get(words, 0), int(count))  # once per army
    return [(count, words) for words, count in found.items()]


def _may_redeploy(play: Play, side: int) -> list[int]:
    """The units a side may still deploy again."""
    lookups = index_of(play.game)
    found: list[int] = []
    for count, words in redeploys(play, side):
        kind = frozenset(words.split())
        mine = [k for k in play.game.units_of[side] if kind <= lookups.words(play.state.units[k].living)]
        done = sum(play.state.units[k].mark(REDEPLOYED) is not None for k in mine)
        if done < count:
            found += [k for k in mine if play.state.units[k].where == TABLE and play.state.units[k].mark(REDEPLOYED) is None]
    return list(dict.fromkeys(found))


@cites("REDEP-1", "REDEP-2")
def redeploy(play: Play) -> None:
    """REDEP-1, REDEP-2: units are taken up and deployed again, one at a time in turn, the Attacker first."""
    clock = play.state.clock
    for side in (clock.active, 1 - clock.active):
        able = _may_redeploy(play, side)
        unit = pick(play, side, able, "REDEP-1", PASS, idle=True) if able else None
        if unit is None:
            continue
        play.emit("taken-up", ("REDEP-1",), Went(unit, -3), Marked(unit, REDEPLOYED, 1), unit=unit)
        set_down(play, unit, replace(set_up_at(play, unit), point="DP-5", kind="redeployed"), REFUSALS, no_room)
        play.tick(replace(clock, active=1 - side), "deploying", "REDEP-2", side=1 - side)
        return
    play.tick(replace(clock, phase="first-turn"), "deployed", "MIS-3")


# the first turn, Scouts


@cites("MIS-3")
def first_turn(play: Play) -> None:
    """MIS-3, DP-57: the winner of a roll-off has the first turn."""
    winner = roll_off(play, "MIS-3", "DICE-4")
    play.tick(replace(play.state.clock, phase="scouts", active=winner, first=winner), "first-turn", "MIS-3", side=winner)


@cites("ABIL-9", "SCOUT-1")
def scouting(play: Play, unit: int) -> int:
    """ABIL-9, SCOUT-1: how far a unit may scout in thou, the shortest of its models' distances; -1: it may not (UNIT-2)."""
    lookups = index_of(play.game)
    living = play.state.units[unit].living
    if not has_move(play.game, play.state, unit):
        return -1
    if not lookups.every(living, "Scouts"):
        return carried_scouts(play, unit)
    return min(int(lookups.fighters[slot].rating("Scouts") or 0) for slot in living) * INCH


@cites("SCOUT-1")
def differ(play: Play, unit: int) -> bool:
    """SCOUT-1: whether the models of a unit scout different distances, of which the shortest is that of all."""
    lookups = index_of(play.game)
    return len({lookups.fighters[slot].rating("Scouts") for slot in play.state.units[unit].living}) > 1


def carried_scouts(play: Play, unit: int) -> int:
    """ABIL-9: a DEDICATED TRANSPORT whose passengers all have Scouts moves as they would."""
    lookups = index_of(play.game)
    if "DEDICATED TRANSPORT" not in lookups.words(play.state.units[unit].living):
        return -1
    aboard = [slot for k in passengers(play.state, unit) for slot in play.state.units[k].living]
    if not lookups.every(tuple(aboard), "Scouts"):
        return -1
    return min(int(lookups.fighters[slot].rating("Scouts") or 0) for slot in aboard) * INCH


def able_scouts(play: Play, side: int) -> list[int]:
    """The units of a side that may still scout."""
    own = play.game.units_of[side]
    return [k for k in own if play.state.units[k].where == TABLE and not play.state.units[k].done and scouting(play, k) >= 0]


def scouts(turns: Turns, play: Play) -> None:
    """ABIL-9: Scout moves, all of the player with the first turn, then the other's; then the battle begins."""
    clock = play.state.clock
    able = able_scouts(play, clock.active)
    unit = pick(play, clock.active, able, "ABIL-9", PASS, idle=True) if able else None
    if unit is not None:
        play.emit("activated", ("ABIL-9",), Done(unit, True), unit=unit, action="scout")
        make(play, unit, SHORTEST if differ(play, unit) else SCOUT, allowed=scouting(play, unit))
    elif clock.active == clock.first:
        play.tick(replace(clock, active=1 - clock.first), "scouting", "ABIL-9", side=1 - clock.first)
    else:
        fresh: Iterable[Patch] = [Done(k, False) for k, held in enumerate(play.state.units) if held.done]
        play.emit("battle-begins", ("ROUND-1",), *fresh)
        play.tick(turns.opening(clock.first), "next", "ROUND-1", side=clock.first)


SCOUT = replace(
    KINDS[NORMAL],
    name="scout",
    clause="ABIL-9",
    enemies=over(AWAY + 1),
    refusals={**too_far("ABIL-9"), Code.GAP_UNIT: ("ABIL-9", '{who} would not end more than 9" away from {what}')},
    marks=(),
    point="DP-6",
)
SHORTEST = replace(SCOUT, refusals={**SCOUT.refusals, **too_far("SCOUT-1")})
"""A Scout move of models that scout different distances."""
