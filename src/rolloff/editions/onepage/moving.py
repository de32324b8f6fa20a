"""Moving (MOVE, COH, TERR): allowances, what hinders, and the dangerous ground a way touched."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from rolloff.editions.onepage.leading import closed_to, leader_of
from rolloff.editions.onepage.lore import Lore, has, is_vehicle
from rolloff.geometry.field import DANGEROUS
from rolloff.geometry.measure import coherent
from rolloff.geometry.moves import (
    ALWAYS,
    CLEAR,
    FREE,
    KEEP,
    NEARER,
    NEVER,
    NO_FURTHER,
    TOUCH,
    Code,
    Coherency,
    Hull,
    March,
    Order,
    Shift,
    Stay,
    Verdict,
    Wish,
    gaps,
)
from rolloff.geometry.paths import draw_in, judge, regroup
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.rules.hooks import Pace, Passage
from rolloff.rules.moves import Refusals, ask_move, placed
from rolloff.rules.play import Play
from rolloff.table.state import State

WALK, RUN, ASSAULT, HOLD, IDLE = "walk", "run", "assault", "hold", "idle"
IMMOBILE = "immobile"

HELD_BY_ENEMY = ("TERR-FOOT-4", "{who} would enter {what}, which an enemy is within")

MOVE_REFUSALS = {
    Code.TOO_LONG: ("MOVE-1", "{who} would go further than it may"),
    Code.CAPPED: ("TERR-DIFF-1", "{who} would go further than difficult ground lets its unit"),
    Code.OFF_TABLE: ("BASE-3", "{who} would leave the table"),
    Code.GAP_UNIT: ("MOVE-3", "{who} would come too close to {what}"),
    Code.OVERLAP: ("BASE-3", "{who} would end on {what}"),
    Code.IMPASSABLE: ("TERR-IMP-1", "{who} would enter {what}, which is impassable"),
    Code.INCOHERENT: ("COH-5", "the unit would not end coherent ({who} is astray)"),
    Code.NO_CONTACT: ("MELEE-3", "no model would end in contact with {what}"),
    Code.FURTHER: ("MELEE-3", "{who} would end further from the enemy than it began"),
    Code.PIVOT: ("TYPE-VEH-4", "{who} would turn further or more often than it may"),
    Code.SIDEWAYS: ("TYPE-VEH-5", "{who} cannot move sideways"),
    Code.OFF_LIMITS: ("MOVE-7", "{who} may not go there"),
    Code.NO_SUCH_MODEL: ("MOVE-7", "the move does not fit the models of the unit"),
    Code.OUTSIDE_ZONE: ("DEPLOY-3", "{who} would stand outside the zone"),
    Code.TOO_FAR: ("RULE-TRANSPORT-5", "{who} would be too far from the hull"),
    Code.BAD_START: ("RULE-TRANSPORT-5", "{who} does not start at the hull"),
    Code.STUCK: ("VDMG-7", "{who} is Immobile and can neither move nor turn"),
}
BOARD_REFUSALS = {**MOVE_REFUSALS, Code.NO_CONTACT: ("RULE-TRANSPORT-3", "no model would end in contact with {what}")}
ASSAULT_REFUSALS = {**MOVE_REFUSALS, Code.GAP_UNIT: ("MELEE-4", "{who} would come too close to {what}")}
PILE_IN_REFUSALS = {
    **ASSAULT_REFUSALS,
    Code.TOO_LONG: ("MELEE-7", "{who} would pile in further than it may"),
    Code.FURTHER: ("MELEE-7", "{who} would end further from the enemy than it began"),
}
CONSOLIDATE_REFUSALS = {**MOVE_REFUSALS, Code.TOO_LONG: ("MELEE-24", "{who} would go further than it may after a melee")}


@cites("MOVE-1", "MOVE-8", "MOVE-9", "MEAS-4", "TYPE-VEH-3", "ACT-2", "ACT-3", "ACT-4")
def allowance(game: Game, state: State, unit: int, action: str) -> int:
    """MOVE-1: how far a unit may go with an action, before terrain."""
    held = state.units[unit]
    key = ("pace", unit, action, held.living, held.marks)
    found = game.lore.flown.get(key)
    if isinstance(found, int):
        return found
    book = game.edition.book
    vehicle = is_vehicle(game, unit)
    pace = (
        Pace(book.vehicle_walk, book.vehicle_run, book.vehicle_assault) if vehicle else Pace(book.walk, book.run, book.assault)
    )
    for name in unit_rules(game, state, unit):
        game.edition.specials[name].pace(pace)
    made = {WALK: pace.steady, RUN: pace.rush, ASSAULT: pace.close}[action]
    game.lore.flown[key] = made
    return made


def unit_rules(game: Game, state: State, unit: int) -> list[str]:
    """The rules a unit has as a unit, granted ones included, in a fixed order."""
    lore: Lore = game.lore
    held = state.units[unit]
    names = lore.ordered(held.living)
    if not held.marks:
        return names
    granted = {name.removeprefix("grant:") for name, _ in held.marks if name.startswith("grant:")}
    return sorted(granted.union(names)) if granted else names


def passage_of(game: Game, state: State, unit: int) -> Passage:
    """What hinders a unit on its way."""
    passage = Passage()
    for name in unit_rules(game, state, unit):
        game.edition.specials[name].passage(passage)
    return passage


def _gaps(game: Game, unit: int, ours: int, theirs: int, special: dict[int, int]) -> bytes:
    key = ("gaps", game.sides[unit], ours, theirs, tuple(special.items()))
    found = game.lore.flown.get(key)
    if isinstance(found, bytes):
        return found
    side = game.sides[unit]
    table = {k: ours if other == side else theirs for k, other in enumerate(game.sides)}
    table.update(special)
    made = game.lore.flown[key] = gaps(len(game.sides), game.edition.book.unit_gap, table)
    return made


def is_coherent(play: Play, unit: int) -> bool:
    """COH-1, COH-2: whether a unit stands together now."""
    scene, key = play.scene, ("coherent", unit)
    found: bool | None = play.measured.get(key)
    if found is None:
        coherency = play.game.edition.book.coherency
        living, chain = play.state.units[unit].living, play.game.switches["coherency_connected"]
        within = play.game.edition.book.within
        hub = coherency_of(play.game, play.state, unit).leader
        found = coherent(scene, living, coherency.link, coherency.spread, connected=chain, hub=hub, tol=within).ok
        play.measured[key] = found
    return found


def order_for(
    play: Play, unit: int, allowed: int, *, target: int = -1, board: int = -1, cohere: int = KEEP, action: str = WALK
) -> Order:
    """The order of a walk, run, boarding or (with a target) assault: gaps, terrain, coherency and hull limits."""
    state, game = play.state, play.game
    held, leads = state.units[unit], game.edition.book.leads
    still = stuck(state, unit) if state.models else ()
    leader = leader_of(game, state, unit) if leads and held.living else -1
    key = unit, allowed, target, board, cohere, action, held.living, held.marks, still, leader
    found: Order | None = game.lore.orders.get(key)
    if found is None:
        found = game.lore.orders[key] = _order_for(play, unit, allowed, target, board, cohere, action)
    closed = closed_to(play, unit) if leads else b""
    return replace(found, barred=closed) if closed else found


def _order_for(play: Play, unit: int, allowed: int, target: int, board: int, cohere: int, action: str) -> Order:
    game, book = play.game, play.game.edition.book
    passage = passage_of(game, play.state, unit)
    end = end_gaps(game, unit, target, board)
    goal = target if target >= 0 else board
    return Order(
        unit,
        allowed,
        way_gaps(game, passage, end),
        end,
        coherency_of(game, play.state, unit),
        cohere=kept_together(cohere),
        targets=(goal,) if goal >= 0 else (),
        contact=goal >= 0,
        closing=NO_FURTHER if target >= 0 and not book.leads else 0,
        through_impassable=passage.through_impassable,
        difficult_cap=difficult_cap(play, unit, passage),
        dangerous=danger_mask(passage),
        hull=hull_of(game, unit, action),
        arranged=led_by_one(game),
        leeway=book.leeway,
        still=stuck(play.state, unit),
    )


@cites("MOVE-12", "MOVE-13")
def led_by_one(game: Game) -> bool:
    """MOVE-12, MOVE-13: whether only the leader's way is measured and the others are set down around it, even if it stays."""
    found: bool = game.edition.book.leads
    return found


@cites("MOVE-3", "MOVE-5")
def end_gaps(game: Game, unit: int, target: int, board: int) -> bytes:
    """MOVE-3: an inch from every other unit; an assault or a boarding waives it toward whom it goes for."""
    gap = game.edition.book.unit_gap
    if target >= 0:  # MELEE-4, MOVE-4
        return _gaps(game, unit, CLEAR if game.edition.book.leads else gap, CLEAR, {target: TOUCH})
    if board >= 0:  # RULE-TRANSPORT-3
        return _gaps(game, unit, gap, gap, {board: TOUCH})
    return _gaps(game, unit, gap, gap, {})


@cites("MOVE-6")
def way_gaps(game: Game, passage: Passage, end: bytes) -> bytes:
    """MOVE-6: the same gaps hold along the way, except for those who pass over other units."""
    return gaps(len(game.sides), FREE, {}) if passage.through_units else end


@cites("COH-4", "COH-5")
def kept_together(cohere: int) -> int:
    """COH-4, COH-5: coherency is judged at the end of the move."""
    return cohere


@cites("TERR-DIFF-1", "TERR-DIFF-2")
def difficult_cap(play: Play, unit: int, passage: Passage) -> int:
    """TERR-DIFF-1, TERR-DIFF-2: what a move that touches difficult ground is capped at; -1: nothing."""
    if not hindered(passage):
        return -1
    cap: int = play.game.edition.book.difficult_cap
    return cap if cap >= 0 else allowance(play.game, play.state, unit, WALK)


@cites("TERR-DIFF-3")
def hindered(passage: Passage) -> bool:
    """TERR-DIFF-3: Strider and Flying ignore the cap."""
    return passage.difficult


@cites("TERR-DANG-6")
def danger_mask(passage: Passage) -> int:
    """TERR-DANG-6: which ground is dangerous to the unit; none to those who fly."""
    return DANGEROUS if passage.dangerous else 0


@cites("TYPE-VEH-4", "TYPE-VEH-5", "TYPE-VEH-7", "RULE-FLYING-3")
def hull_of(game: Game, unit: int, action: str) -> Hull | None:
    """TYPE-VEH-4, TYPE-VEH-5: straight parts along the axis, reversing at half speed, one pivot; flying changes nothing."""
    if not bound_to_axis(game, unit):
        return None
    reverse, sideways = off_axis(game, action)
    return Hull(reverse=reverse, sideways=sideways, pivots=1, pivot=900)


@cites("TYPE-VEH-6")
def off_axis(game: Game, action: str) -> tuple[int, int]:
    """TYPE-VEH-5, TYPE-VEH-6: what an inch backward and an inch sideways cost; nothing: not allowed."""
    if not game.edition.book.sideways:
        return 2, 0
    return (2, 2) if action == WALK else (0, 0)


@cites("MOVE-2")
def bound_to_axis(game: Game, unit: int) -> bool:
    """MOVE-2: only vehicles mind their facing when they move."""
    return is_vehicle(game, unit)


@cites("COH-3")
def coherency_of(game: Game, state: State, unit: int) -> Coherency:
    """COH-1 to COH-3: the book's coherency, measured from the leader where units have one, one chain if the players agreed."""
    coherency: Coherency = game.edition.book.coherency
    if game.edition.book.leads and state.units[unit].living:
        coherency = replace(coherency, leader=leader_of(game, state, unit))
    if game.switches["coherency_connected"]:
        return replace(coherency, connected=True)
    return coherency


LED = {"MOVE-7": "MOVE-12", "MELEE-3": "MELEE-5", "MELEE-7": "MELEE-5", "TYPE-VEH-5": "TYPE-VEH-6"}
"""Where units move by their leaders other clauses say the same."""


def by_clause(game: Game, clause: str) -> str:
    """The clause by which the edition of a game says this."""
    return LED.get(clause, clause) if game.edition.book.leads else clause


def in_its_words(game: Game, refusals: Refusals) -> Refusals:
    """The same refusals by the clauses of the edition of a game."""
    if not game.edition.book.leads:
        return refusals
    said = {code: (by_clause(game, clause), sentence) for code, (clause, sentence) in refusals.items()}
    return {**said, Code.BARRED: HELD_BY_ENEMY}


def refusals_for(game: Game, order: Order, refusals: Refusals) -> Refusals:
    """COH-5 holds for a unit that was coherent; one that was not must come together by COH-6."""
    refusals = in_its_words(game, refusals)
    if order.cohere not in (ALWAYS, NEARER):
        return refusals
    return {**refusals, Code.INCOHERENT: ("COH-6", "the unit must come together again ({who} is astray)")}


def make_move(
    play: Play, unit: int, order: Order, default: Wish, action: str, also: Callable[[Verdict], None] | None = None
) -> Verdict:
    """Ask for a walk or run and carry it out; ``also`` may refuse what the judge lets pass."""
    owner = play.game.side_of(unit)
    refusals = refusals_for(play.game, order, BOARD_REFUSALS if order.contact else MOVE_REFUSALS)
    verdict = ask_move(play, owner, order, default, by_clause(play.game, "MOVE-7"), refusals, "DP-15", also, action=action)
    settle(play, unit, verdict, action, "ACT-2" if action == WALK else "ACT-3")
    return verdict


def settle(play: Play, unit: int, verdict: Verdict, action: str, *clauses: str) -> None:
    """Set a unit down where its move ends."""
    why = (*clauses, by_clause(play.game, "MOVE-7"), *_helped(play, unit, verdict, action))
    play.emit("moved", why, placed(play, unit, verdict), unit=unit, action=action, longest=verdict.longest)


def _helped(play: Play, unit: int, verdict: Verdict, action: str) -> tuple[str, ...]:
    """What the way went by: difficult ground that capped it, or the rule that ignored it, and Fast where it went further."""
    rules, specials = unit_rules(play.game, play.state, unit), play.game.edition.specials
    ground: tuple[str, ...] = ()
    if "Flying" in rules:
        ground = _flown_over(play, verdict)
    elif verdict.difficult:
        ground = specials["Strider"].clauses if "Strider" in rules else ("TERR-DIFF-1",)
    book, vehicle = play.game.edition.book, is_vehicle(play.game, unit)
    plain = {
        WALK: book.vehicle_walk if vehicle else book.walk,
        RUN: book.vehicle_run if vehicle else book.run,
        ASSAULT: book.vehicle_assault if vehicle else book.assault,
    }
    faster = "Fast" in rules and verdict.longest > plain.get(action, verdict.longest) + book.within
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


@cites("COH-6")
def mending(play: Play, unit: int, allowed: int) -> tuple[Order, Wish] | None:
    """COH-6: a unit found out of coherency must come together again; if it cannot, its strays come nearer."""
    order = order_for(play, unit, allowed, cohere=ALWAYS)
    found = regroup(play.scene, order)
    return None if found is None else (order, found)


def drawing_in(play: Play, unit: int, allowed: int) -> tuple[Order, Wish]:
    """COH-6: the strays of a unit that no action can bring together end nearer to their closest fellow."""
    order = order_for(play, unit, allowed, cohere=NEARER)
    found = draw_in(play.scene, order)
    if judge(play.scene, order, found).legal:
        return order, found
    return replace(order, cohere=NEVER, allowance=0), STAY  # hemmed in: no stray can come nearer, so all stay


@cites("VDMG-7")
def stuck(state: State, unit: int) -> tuple[int, ...]:
    """VDMG-7: the models of a unit that can neither move nor turn; their fellows can."""
    if not state.models:
        return ()
    return tuple(slot for slot in state.units[unit].living if state.model_mark(slot, IMMOBILE) is not None)


def immobile(state: State, unit: int) -> bool:
    """VDMG-7: whether the whole unit can neither move nor turn."""
    return bool(state.models) and stuck(state, unit) == state.units[unit].living


def flying(game: Game, state: State, unit: int) -> bool:
    """Whether the unit flies as a unit."""
    return has(game, state, unit, "Flying")


STAY = Stay()
