"""Setting up (DEPLOY, JOIN, RULE-SCOUT): the roll-off, the sides, what is declared, and one unit each in turn."""

from __future__ import annotations

from msgspec.structs import replace

from rolloff.editions.onepage.army_rules import joins_units, may_join, may_merge
from rolloff.editions.onepage.book import book_of
from rolloff.editions.onepage.leading import leader_of, name_leader
from rolloff.editions.onepage.lookups import has, start_size
from rolloff.editions.onepage.places import PLACE_REFUSALS, SCOUT_REFUSALS, zone_away, zone_strip
from rolloff.editions.onepage.rounds import points_of
from rolloff.editions.onepage.transport import capacity, lose, transports_for
from rolloff.geometry.moves import Zone
from rolloff.rules import deployment
from rolloff.rules.alternating import Deployment, Group
from rolloff.rules.answers import Placement
from rolloff.rules.citing import cites
from rolloff.rules.declarations import NOBODY, Declaration
from rolloff.rules.declarations import declare as declare_each
from rolloff.rules.deployment import EDGES, INWARD, OPPOSITE, SetUp, find_place, strip
from rolloff.rules.moves import Setting, ask_place, standing
from rolloff.rules.play import Play
from rolloff.table.event import Joined, Marked, Patch, SideMarked, Went
from rolloff.table.state import RESERVE, TABLE, WAITING, Clock

EDGE = "edge"


@cites("DICE-10")
def roll_off(play: Play, clause: str) -> int:
    """DICE-10: each player rolls one die, the highest wins, ties roll again."""
    return deployment.roll_off(play, clause, "DICE-10")


@cites("TURN-3")
def first_turn(winner: int) -> int:
    """TURN-3: in round 1 the winner of the roll-off goes first."""
    return winner


@cites("DEPLOY-1", "DEPLOY-2")
def begin(play: Play) -> None:
    """DEPLOY-1, DEPLOY-2: the winner deploys first, picks a table side, and has the first turn of round 1."""
    winner = roll_off(play, "DEPLOY-1")
    width, height = play.game.field.width, play.game.field.height
    long_edges = ("bottom", "top") if width >= height else ("left", "right")
    options = EDGES if play.game.switches["allow_short_edges"] else long_edges
    edge = str(play.choose(winner, "choose-side", "DEPLOY-2", options, long_edges[0], point="DP-7"))
    sides: list[Patch] = [SideMarked(winner, EDGE, edge), SideMarked(1 - winner, EDGE, OPPOSITE[edge])]
    play.emit("sides-chosen", ("DEPLOY-1", "DEPLOY-2"), *sides, side=winner, edge=edge)
    play.tick(Clock("declare", 0, winner, first_turn(winner)), "declaring", "DEPLOY-7", side=winner)


def declare(play: Play) -> None:
    """DEPLOY-7: merging, joining, embarking and reserves are declared before the first unit is placed."""
    clock = play.state.clock
    side = clock.active
    merges(play, side)
    joins(play, side)
    embarks(play, side)
    reserves(play, side)
    if book_of(play.game).leads:
        leaders(play, side)
    if side == clock.first:
        play.tick(replace(clock, active=1 - side), "declaring", "DEPLOY-7", side=1 - side)
    else:
        DEPLOYMENT.go_on(play, side)


def _in_hand(play: Play, side: int) -> list[int]:
    """Every unit that is not yet on the table, those aboard included."""
    return [
        unit for unit in play.game.units_of[side] if play.state.units[unit].where in (WAITING, *range(len(play.state.units)))
    ]


@cites("DEPLOY-6")
def _waiting(play: Play, side: int) -> list[int]:
    """DEPLOY-6: units still to be placed; passengers and joined models are placed with whom they are with."""
    units = play.state.units
    return [unit for unit in play.game.units_of[side] if units[unit].where == WAITING]


@cites("JOIN-1", "JOIN-2")
def merges(play: Play, side: int) -> None:
    """JOIN-1: two copies of one infantry unit may fight as one; never three."""
    declare_each(play, MERGING, _waiting(play, side))


def copies_of(play: Play, unit: int) -> list[int]:
    """JOIN-1: the later copies of a unit that are still on their own, as it is."""
    if _is_joined(play, unit):
        return []
    later = [k for k in _waiting(play, play.game.side_of(unit)) if k > unit and not _is_joined(play, k)]
    return [k for k in later if not may_merge(play.game.cards[unit], play.game.cards[k])]


def _is_joined(play: Play, unit: int) -> bool:
    """Whether two units are this one, or this is in another."""
    return play.state.units[unit].where != WAITING or play.state.units[unit].mark("start_size") is not None


def merge(play: Play, unit: int, other: int) -> None:
    """JOIN-2: the copy joins the unit."""
    join(play, other, unit, "merged", "JOIN-1", "JOIN-2")


@cites("JOIN-3")
def joins(play: Play, side: int) -> None:
    """JOIN-3: a Hero or Psyker may start inside an infantry unit of its own Quality."""
    declare_each(play, JOINING, _waiting(play, side))


def hosts_of(play: Play, unit: int) -> list[int]:
    """JOIN-3: the units a Hero or Psyker may join."""
    card = play.game.cards[unit]
    if not joins_units(card) or play.state.units[unit].where != WAITING:
        return []
    own = _waiting(play, play.game.side_of(unit))
    return [k for k in own if k != unit and not may_join(card, play.game.cards[k])]


def enter(play: Play, unit: int, host: int) -> None:
    """JOIN-3: a Hero or Psyker joins its host."""
    join(play, unit, host, "joined", "JOIN-3")


@cites("JOIN-4", "UNIT-4", "SCORE-4")
def join(play: Play, unit: int, into: int, kind: str, *clauses: str) -> None:
    """JOIN-4, UNIT-4: one unit from now on, with the size and the points of both."""
    size = start_size(play.game, play.state, unit) + start_size(play.game, play.state, into)
    points = points_of(play.game, play.state, unit) + points_of(play.game, play.state, into)
    marks = (Marked(into, "start_size", size), Marked(into, "points", points))
    play.emit(kind, (*clauses, "JOIN-4", "UNIT-4"), Joined(unit, into), *marks, unit=unit, into=into)


@cites("RULE-TRANSPORT-2")
def embarks(play: Play, side: int) -> None:
    """RULE-TRANSPORT-2: infantry may start the game aboard."""
    declare_each(play, EMBARKING, _waiting(play, side))


def hulls_for(play: Play, unit: int) -> list[int]:
    """RULE-TRANSPORT-2: the transports a unit may begin in."""
    if capacity(play.game, play.state, unit):
        return []
    return [k for k in transports_for(play, unit) if play.state.units[k].where == WAITING]


def embark(play: Play, unit: int, transport: int) -> None:
    """RULE-TRANSPORT-2: a unit begins the game aboard."""
    play.emit("boarded", ("RULE-TRANSPORT-2",), Went(unit, transport), unit=unit, transport=transport)


MERGING = Declaration("merge", "JOIN-1", "DP-3", copies_of, merge)
JOINING = Declaration("join", "JOIN-3", "DP-3", hosts_of, enter)
EMBARKING = Declaration("board", "RULE-TRANSPORT-2", "DP-4", hulls_for, embark)


@cites("RULE-DEEPSTRIKE-1")
def reserves(play: Play, side: int) -> None:
    """RULE-DEEPSTRIKE-1: a unit that can deep strike may be kept in reserve."""
    for unit in _waiting(play, side):
        if not has(play.game, play.state, unit, "Deep Strike"):
            continue
        if play.choose(side, "yes-no", "RULE-DEEPSTRIKE-1", (True, False), False, unit, "DP-5", purpose="reserve"):
            play.emit("reserved", ("RULE-DEEPSTRIKE-1",), Went(unit, RESERVE), unit=unit)


def leaders(play: Play, side: int) -> None:
    """DEPLOY-7, UNIT-6: each unit of several models has its leader named before the first is placed."""
    for unit in play.game.units_of[side]:
        if len(play.state.units[unit].living) > 1:
            name_leader(play, unit, ("UNIT-6", "DEPLOY-7"), leader_of(play.game, play.state, unit), "DP-6")


def _is_scout(play: Play, unit: int) -> bool:
    return has(play.game, play.state, unit, "Scout")


@cites("DEPLOY-8")
def _is_no_scout(play: Play, unit: int) -> bool:
    """DEPLOY-8: scouts come after all others."""
    return not _is_scout(play, unit)


@cites("DEPLOY-4")
def following(play: Play, last: int) -> tuple[int, int]:
    """DEPLOY-4: the other player places next; where whole armies are placed, the same one until nobody of his waits."""
    return (last, 1 - last) if book_of(play.game).whole_army else (1 - last, last)


def scouts_begin(play: Play) -> int:
    """RULE-SCOUT-1: if both players have scouts, a roll-off decides who places the first."""
    return roll_off(play, "RULE-SCOUT-1")


def in_strip(play: Play, unit: int) -> SetUp:
    """DEPLOY-3, DEPLOY-5: wholly inside the own strip."""
    edge = edge_of(play, play.game.side_of(unit))
    return _along(edge, zone_strip(play, unit, edge), "DEPLOY-3", "DP-8", play)


def scout_in_strip(play: Play, unit: int) -> SetUp:
    """RULE-SCOUT-1: with no such room a scout stands in the own strip."""
    edge = edge_of(play, play.game.side_of(unit))
    return _along(edge, zone_strip(play, unit, edge), "RULE-SCOUT-1", "DP-9", play)


@cites("RULE-SCOUT-1")
def far_ahead(play: Play, unit: int) -> SetUp:
    """RULE-SCOUT-1: anywhere strictly over 12 inches from every enemy."""
    away = zone_away(play, unit, book_of(play.game).scout_gap)
    edge = edge_of(play, play.game.side_of(unit))
    return replace(_along(edge, away, "RULE-SCOUT-1", "DP-9", play), refusals=SCOUT_REFUSALS)


def _along(edge: str, zone: Zone, clause: str, point: str, play: Play) -> SetUp:
    x0, y0, x1, y1 = strip(play.game.field, edge, book_of(play.game).deploy_depth)
    x, y, why = (x0 + x1) // 2, (y0 + y1) // 2, (clause, "DEPLOY-5", "DEPLOY-6")
    return SetUp(zone, x, y, clause, INWARD[edge], point, "deployed-unit", why, turns=FREELY)


FREELY = True  # DEPLOY-9
"""DEPLOY-9: models are placed with any facing their player likes, not only looking inward; nothing is tested."""


def edge_of(play: Play, side: int) -> str:
    """The table edge a player chose or was left."""
    return str(play.state.side_mark(side, EDGE))


def no_room(play: Play, unit: int, where: SetUp) -> Placement | None:
    """DEPLOY-6, DEPLOY-10: a unit without room, even after others were shifted, is lost with all that is aboard it."""
    found = make_room(play, unit, where)
    if found is None:
        lose(play, unit, "DEPLOY-10")
    return found


@cites("DEPLOY-10")
def make_room(play: Play, unit: int, where: SetUp) -> Placement | None:
    """DEPLOY-10: the owner may shift own units already placed until the new one fits; each once."""
    shifted: set[int] = set()
    side = play.game.side_of(unit)
    while True:
        own = [k for k in play.game.units_of[side] if play.state.units[k].where == TABLE and k not in shifted]
        options = (NOBODY, *(play.game.names[k] for k in own))
        answer = str(play.choose(side, "choose-option", "DEPLOY-10", options, NOBODY, unit, "DP-8", purpose="make-room"))
        if answer == NOBODY:
            return None
        moved = play.game.numbers[answer]
        shifted.add(moved)
        still = standing(play, moved)
        setting = Setting(still.slots, zone_strip(play, moved, edge_of(play, side)))
        patch = ask_place(play, side, moved, setting, still, "DEPLOY-10", PLACE_REFUSALS, "DP-8", purpose="make-room")
        play.emit("deployed-unit", ("DEPLOY-10", "DEPLOY-5"), patch, unit=moved)
        found = find_place(play, unit, where) if patch.xy != still.xy else None  # who stays leaves no room
        if found is not None:
            return found


def deployed(play: Play) -> None:
    """DEPLOY-4: nobody waits any longer; the first round begins."""
    clock = play.state.clock
    play.tick(Clock("round", 0, clock.first, clock.first, clock.marks), "deployed", "DEPLOY-4")


DEPLOYMENT = Deployment(
    (
        Group("deploy", (in_strip,), "DEPLOY-4", _is_no_scout, "DP-8"),
        Group("scout", (far_ahead, scout_in_strip), "RULE-SCOUT-1", point="DP-9", begins=scouts_begin),
    ),
    PLACE_REFUSALS,
    deployed,
    following,
    _waiting,
    no_room=no_room,
)
"""DEPLOY-4: one unit each in turn, the winner of the roll-off first; scouts last (DEPLOY-8)."""
