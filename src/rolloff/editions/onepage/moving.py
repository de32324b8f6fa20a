"""Moving (MOVE, COH, TERR): allowances, what hinders, and what a way went by."""

from __future__ import annotations

from collections.abc import Hashable

from msgspec.structs import replace

from rolloff.editions.onepage.book import book_of
from rolloff.editions.onepage.leading import closed_to, leader_of
from rolloff.editions.onepage.lookups import has, index_of, is_vehicle
from rolloff.geometry.field import DANGEROUS, DIFFICULT
from rolloff.geometry.measure import coherent
from rolloff.geometry.moves import FREE, NEARER, NEVER, STAY, Coherency, Hull, March, Order, Shift, Stay, Verdict, gaps
from rolloff.geometry.paths import draw_in, judge, regroup
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.rules.hooks import Pace, Passage
from rolloff.rules.movement import MoveKind, Plan, kind_of, order_for
from rolloff.rules.play import Play
from rolloff.table.state import State

WALK, RUN, ASSAULT, HOLD, IDLE = "walk", "run", "assault", "hold", "idle"
PIVOT, PILE_IN, CONSOLIDATE, STEP_BACK = "pivot", "pile-in", "consolidate", "step-back"
IMMOBILE = "immobile"


@cites("MOVE-1", "MOVE-8", "MOVE-9", "MEAS-4", "TYPE-VEH-3", "ACT-2", "ACT-3", "ACT-4")
def allowance(game: Game, state: State, unit: int, action: str) -> int:
    """MOVE-1: how far a unit may go with an action, before terrain."""
    held = state.units[unit]
    key = ("pace", unit, action, held.living, held.marks)
    found = index_of(game).flown.get(key)
    if isinstance(found, int):
        return found
    book = book_of(game)
    vehicle = is_vehicle(game, unit)
    pace = (
        Pace(book.vehicle_walk, book.vehicle_run, book.vehicle_assault) if vehicle else Pace(book.walk, book.run, book.assault)
    )
    for name in unit_rules(game, state, unit):
        game.edition.specials[name].pace(pace)
    made = {WALK: pace.steady, RUN: pace.rush, ASSAULT: pace.close}[action]
    index_of(game).flown[key] = made
    return made


def unit_rules(game: Game, state: State, unit: int) -> list[str]:
    """The rules a unit has as a unit, granted ones included, in a fixed order."""
    lookups = index_of(game)
    held = state.units[unit]
    names = lookups.ordered(held.living)
    if not held.marks:
        return names
    granted = {name.removeprefix("grant:") for name, _ in held.marks if name.startswith("grant:")}
    return sorted(granted.union(names)) if granted else names


def passage_of(game: Game, state: State, unit: int) -> Passage:
    """What hinders a unit on its way."""
    held, flown = state.units[unit], index_of(game).flown
    key = "passage", held.living, held.marks
    found = flown.get(key)
    if isinstance(found, Passage):
        return found
    passage = flown[key] = Passage()
    for name in unit_rules(game, state, unit):
        game.edition.specials[name].passage(passage)
    return passage


def is_coherent(play: Play, unit: int) -> bool:
    """COH-1, COH-2: whether a unit stands together now."""
    scene, key = play.scene, ("coherent", unit)
    found: bool | None = play.measured.get(key)
    if found is None:
        coherency = book_of(play.game).coherency
        living, chain = play.state.units[unit].living, play.game.switches["coherency_connected"]
        within = book_of(play.game).within
        hub = coherency_of(play.game, play.state, unit).leader
        found = coherent(scene, living, coherency.link, coherency.spread, connected=chain, hub=hub, tol=within).ok
        play.measured[key] = found
    return found


def adapt(play: Play, kind: MoveKind, order: Order) -> Order:
    """What a unit and the ground make of the plain order of a move: what hinders it, hulls, and who leads."""
    game, unit = play.game, order.unit
    passage = passage_of(game, play.state, unit)
    order = replace(
        order,
        way=way_gaps(game, passage, order.way),
        through_impassable=passage.through_impassable,
        difficult=DIFFICULT,
        still=stuck(play.state, unit),
    )
    if not kind.ground:
        return order
    leads = book_of(game).leads
    return replace(
        order,
        cohere=kept_together(order.cohere),
        hull=hull_of(game, unit, kind.name),
        arranged=led_by_one(game),
        barred=closed_to(play, unit) if leads else b"",
    )


@cites("MOVE-12", "MOVE-13")
def led_by_one(game: Game) -> bool:
    """MOVE-12, MOVE-13: whether only the leader's way is measured and the others are set down around it, even if it stays."""
    found: bool = book_of(game).leads
    return found


def same(play: Play, unit: int) -> Hashable:
    """On what the orders of a unit depend: who lives, what was granted, who is stuck, who leads and where enemies are."""
    state, held = play.state, play.state.units[unit]
    if not book_of(play.game).leads:
        return held.living, held.marks, stuck(state, unit) if state.models else ()
    leader = leader_of(play.game, state, unit) if held.living else -1
    return held.living, held.marks, stuck(state, unit), leader, closed_to(play, unit)


@cites("MOVE-6")
def way_gaps(game: Game, passage: Passage, end: bytes) -> bytes:
    """MOVE-6: the same gaps hold along the way, except for those who pass over other units."""
    return gaps(len(game.sides), FREE, {}) if passage.through_units else end


@cites("COH-4", "COH-5")
def kept_together(cohere: int) -> int:
    """COH-4, COH-5: coherency is judged at the end of the move."""
    return cohere


@cites("TERR-DIFF-1", "TERR-DIFF-2")
def difficult_cap(play: Play, unit: int) -> int:
    """TERR-DIFF-1, TERR-DIFF-2: what a move that touches difficult ground is capped at; -1: nothing."""
    if not hindered(passage_of(play.game, play.state, unit)):
        return -1
    cap = book_of(play.game).difficult_cap
    return cap if cap >= 0 else allowance(play.game, play.state, unit, WALK)


@cites("TERR-DIFF-3")
def hindered(passage: Passage) -> bool:
    """TERR-DIFF-3: Strider and Flying ignore the cap."""
    return passage.difficult


@cites("TERR-DANG-6")
def endangered(play: Play, unit: int) -> bool:
    """TERR-DANG-6: whether dangerous ground is dangerous to a unit; none is to those who fly."""
    return passage_of(play.game, play.state, unit).dangerous


@cites("TYPE-VEH-4", "TYPE-VEH-5", "TYPE-VEH-7", "RULE-FLYING-3")
def hull_of(game: Game, unit: int, action: str) -> Hull | None:
    """TYPE-VEH-4, TYPE-VEH-5: straight parts along the axis, reversing at half speed, one pivot; flying changes nothing."""
    if action == PIVOT:
        return Hull(reverse=0, sideways=0, pivots=1, pivot=1800)
    if not bound_to_axis(game, unit):
        return None
    if action == CONSOLIDATE:  # forward or back only
        return Hull(reverse=2, sideways=0, pivots=0, pivot=900)
    reverse, sideways = off_axis(game, action)
    return Hull(reverse=reverse, sideways=sideways, pivots=1, pivot=900)


@cites("TYPE-VEH-6")
def off_axis(game: Game, action: str) -> tuple[int, int]:
    """TYPE-VEH-5, TYPE-VEH-6: what an inch backward and an inch sideways cost; nothing: not allowed."""
    if not book_of(game).sideways:
        return 2, 0
    return (2, 2) if action == WALK else (0, 0)


@cites("MOVE-2")
def bound_to_axis(game: Game, unit: int) -> bool:
    """MOVE-2: only vehicles mind their facing when they move."""
    return is_vehicle(game, unit)


@cites("COH-3")
def coherency_of(game: Game, state: State, unit: int) -> Coherency:
    """COH-1 to COH-3: the book's coherency, measured from the leader where units have one, one chain if the players agreed."""
    coherency: Coherency = book_of(game).coherency
    if book_of(game).leads and state.units[unit].living:
        coherency = replace(coherency, leader=leader_of(game, state, unit))
    if game.switches["coherency_connected"]:
        return replace(coherency, connected=True)
    return coherency


def went_by(play: Play, unit: int, kind: MoveKind, verdict: Verdict) -> tuple[str, ...]:
    """What a way went by: difficult ground that capped it, or the rule that ignored it, and Fast where it went further."""
    if not kind.ground:
        return ()
    rules, specials = unit_rules(play.game, play.state, unit), play.game.edition.specials
    ground: tuple[str, ...] = ()
    if "Flying" in rules:
        ground = _flown_over(play, verdict)
    elif verdict.difficult:
        ground = specials["Strider"].clauses if "Strider" in rules else ("TERR-DIFF-1",)
    book, vehicle = book_of(play.game), is_vehicle(play.game, unit)
    plain = {
        WALK: book.vehicle_walk if vehicle else book.walk,
        RUN: book.vehicle_run if vehicle else book.run,
        ASSAULT: book.vehicle_assault if vehicle else book.assault,
    }
    faster = "Fast" in rules and verdict.longest > plain.get(kind.name, verdict.longest) + book.within
    return (*ground, *(specials["Fast"].clauses if faster else ()))


def _flown_over(play: Play, verdict: Verdict) -> tuple[str, ...]:
    """RULE-FLYING-1, RULE-FLYING-2: what a unit on foot could not have passed on this way, or would have minded."""
    request, way = play.answers[-1]
    order = request.order
    if not verdict.longest or not isinstance(order, Order) or not isinstance(way, Stay | Shift | March):
        return ()
    afoot = judge(play.scene, replace(order, way=order.end, through_impassable=False), way)
    tested = judge(play.scene, replace(order, dangerous=DANGEROUS), way)
    over = ("RULE-FLYING-1",) if afoot.code else ()
    return (*over, "RULE-FLYING-2") if verdict.difficult or tested.dangerous else over


def in_its_state(play: Play, unit: int, action: str) -> str:
    """COH-5, COH-6: the name of a move as a unit makes it: one that is not coherent must come together by it."""
    return action if is_coherent(play, unit) else f"{action}-together"


@cites("COH-6")
def regroup_order(play: Play, unit: int, action: str, allowed: int) -> Plan | None:
    """COH-6: a unit found out of coherency must come together again; if it cannot, its strays come nearer."""
    order = order_for(play, unit, kind_of(play, f"{action}-together"), allowed)
    found = regroup(play.scene, order)
    return None if found is None else (order, found)


def drawing_in(play: Play, unit: int, action: str, allowed: int) -> Plan:
    """COH-6: the strays of a unit that no action can bring together end nearer to their closest fellow."""
    order = replace(order_for(play, unit, kind_of(play, f"{action}-together"), allowed), cohere=NEARER)
    found = draw_in(play.scene, order)
    if judge(play.scene, order, found).legal:
        return order, found
    return replace(order, cohere=NEVER, allowance=0), STAY  # hemmed in: no stray can come nearer, so all stay


@cites("VDMG-7")
def stuck(state: State, unit: int) -> tuple[int, ...]:
    """VDMG-7: the models of a unit that can neither move nor turn; their fellows can."""
    if not state.models:
        return ()
    marked = [slot for slot, name, _ in state.models if name == IMMOBILE]
    return tuple([slot for slot in state.units[unit].living if slot in marked]) if marked else ()


def immobile(state: State, unit: int) -> bool:
    """VDMG-7: whether the whole unit can neither move nor turn."""
    return bool(state.models) and stuck(state, unit) == state.units[unit].living


def flying(game: Game, state: State, unit: int) -> bool:
    """Whether the unit flies as a unit."""
    return has(game, state, unit, "Flying")
