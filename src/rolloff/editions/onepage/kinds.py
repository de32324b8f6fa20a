"""The kinds of move of the family (MOVE, MELEE): each with the gaps it keeps, what it is called and by which clauses."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from rolloff.editions.onepage.book import Book, book_of
from rolloff.editions.onepage.moving import ASSAULT, CONSOLIDATE, PILE_IN, PIVOT, RUN, STEP_BACK, WALK, allowance
from rolloff.geometry.moves import ALWAYS, ANY, CLEAR, KEEP, NEVER, NO_FURTHER, TOUCH, Code
from rolloff.rules.movement import MoveKind
from rolloff.rules.moves import Refusals
from rolloff.rules.play import Play

TURN, BOARD, LEAVE, STORM, TOGETHER = "turn", "board", "leave", "storm", "-together"

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
TOGETHER_REFUSALS = {Code.INCOHERENT: ("COH-6", "the unit must come together again ({who} is astray)")}
BOARD_REFUSALS = {Code.NO_CONTACT: ("RULE-TRANSPORT-3", "no model would end in contact with {what}")}
ASSAULT_REFUSALS = {Code.GAP_UNIT: ("MELEE-4", "{who} would come too close to {what}")}
PILE_IN_REFUSALS = {
    **ASSAULT_REFUSALS,
    Code.TOO_LONG: ("MELEE-7", "{who} would pile in further than it may"),
    Code.FURTHER: ("MELEE-7", "{who} would end further from the enemy than it began"),
}
CONSOLIDATE_REFUSALS = {Code.TOO_LONG: ("MELEE-24", "{who} would go further than it may after a melee")}

LED = {"MOVE-7": "MOVE-12", "MELEE-3": "MELEE-5", "MELEE-7": "MELEE-5", "TYPE-VEH-5": "TYPE-VEH-6"}
"""Where units move by their leaders other clauses say the same."""


def said(book: Book, clause: str) -> str:
    """The clause by which an edition says this."""
    return LED.get(clause, clause) if book.leads else clause


def refusals_of(book: Book, refusals: Refusals) -> Refusals:
    """Refusals by the clauses of an edition."""
    return {code: (said(book, clause), sentence) for code, (clause, sentence) in refusals.items()}


def refusals_for(book: Book) -> Refusals:
    """What is wrong with moves of all kinds, in the words of an edition."""
    found = refusals_of(book, MOVE_REFUSALS)
    return {**found, Code.BARRED: HELD_BY_ENEMY} if book.leads else found


def walked(play: Play, unit: int) -> int:
    """ACT-2: a unit's Walk distance."""
    return allowance(play.game, play.state, unit, WALK)


def ran(play: Play, unit: int) -> int:
    """ACT-3: a unit's Run distance."""
    return allowance(play.game, play.state, unit, RUN)


def assaulted(play: Play, unit: int) -> int:
    """ACT-4: a unit's Assault distance."""
    return allowance(play.game, play.state, unit, ASSAULT)


def consolidated(play: Play, unit: int) -> int:
    """MELEE-25: up to 3 inches."""
    return int(book_of(play.game).consolidate)


def nowhere(play: Play, unit: int) -> int:
    """Who turns stays."""
    return 0


def kinds_of(book: Book) -> Mapping[str, MoveKind]:
    """MOVE-3: every move keeps an inch from all other units; an assault or a boarding waives it toward whom it goes for."""
    gap, moved, into = book.unit_gap, said(book, "MOVE-7"), said(book, "MELEE-3")
    walk = MoveKind(WALK, moved, walked, gap, gap, gap, gap, cohere=KEEP, point="DP-15", cites=("ACT-2", moved))
    run = replace(walk, name=RUN, distance=ran, cites=("ACT-3", moved))
    ours = CLEAR if book.leads else gap
    assault = MoveKind(
        ASSAULT,
        into,
        assaulted,
        ours,
        CLEAR,
        ours,
        CLEAR,
        targets=TOUCH,  # MELEE-4, MOVE-4
        contact=True,
        closing=ANY if book.leads else NO_FURTHER,
        cohere=KEEP,
        point="DP-27",
        refusals=refusals_of(book, ASSAULT_REFUSALS),
        cites=("ACT-4", into, moved),
    )
    found = {kind.name: kind for kind in (walk, run, assault)}
    for kind in (walk, run):
        boards = replace(kind, targets=TOUCH, contact=True, refusals=BOARD_REFUSALS)  # RULE-TRANSPORT-3
        found[f"{kind.name}-{BOARD}"] = boards
    found |= {name + TOGETHER: _together(kind) for name, kind in found.items()}
    leave = replace(walk, clause="RULE-TRANSPORT-5")
    storm = replace(assault, clause="RULE-TRANSPORT-5", distance=walked, closing=ANY, point="DP-15")
    pivot = replace(walk, name=PIVOT, clause="TYPE-VEH-4", distance=nowhere, point="DP-33", always=False)
    return {
        **found,
        **_melee_moves(book, moved),
        LEAVE: leave,
        STORM: storm,
        PIVOT: replace(pivot, cites=("TYPE-VEH-4", moved)),
        TURN: replace(pivot, clause="ACT-10", cites=("ACT-10", moved)),
    }


def _together(kind: MoveKind) -> MoveKind:
    """COH-6: the same move of a unit that must come together by it."""
    return replace(kind, cohere=ALWAYS, refusals={**kind.refusals, **TOGETHER_REFUSALS})


def _melee_moves(book: Book, moved: str) -> Mapping[str, MoveKind]:
    """MELEE-7, MELEE-25, MELEE-26: the short moves of a melee."""
    gap, clause = book.unit_gap, said(book, "MELEE-7")
    pile_in = MoveKind(
        PILE_IN,
        clause,
        nowhere,
        gap,
        gap,
        gap,
        gap,
        targets=TOUCH,
        closing=NO_FURTHER,
        cohere=NEVER,  # COH-7
        point="DP-28",
        kind="piled-in",
        refusals=refusals_of(book, PILE_IN_REFUSALS),
        named=False,
        ground=False,
    )
    back = replace(
        pile_in, name=STEP_BACK, clause="MELEE-26", closing=ANY, asks=False, kind="stepped-back", refusals={}, tolerant=True
    )
    after = MoveKind(
        CONSOLIDATE,
        "MELEE-25",
        consolidated,
        gap,
        gap,
        gap,
        gap,
        cohere=KEEP,
        point="DP-30",
        refusals=CONSOLIDATE_REFUSALS,
        cites=("MELEE-24", "MELEE-25", moved),
        always=False,
    )
    return {PILE_IN: pile_in, STEP_BACK: back, CONSOLIDATE: after}
