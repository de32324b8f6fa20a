"""Moving by kinds of move: an edition says what each kind allows; one verb asks, judges, carries out and opens the windows.

What differs by rulebook stands in a `MoveKind` and the edition's `Movement`; what differs by occasion is an argument.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct, field

from rolloff.geometry.judging import judge
from rolloff.geometry.moves import ALWAYS, ANY, Code, Coherency, Leeway, Order, Stay, Verdict, Wish, gaps
from rolloff.oracle.stage import number
from rolloff.rules.effects import lasting
from rolloff.rules.moves import Refusals, ask_move, judge_move, placed
from rolloff.rules.windows import Moment, window
from rolloff.table.profile import Throw
from rolloff.table.state import TABLE, State

if TYPE_CHECKING:
    from rolloff.rules.game import Game
    from rolloff.rules.play import Play

STARTS, ENDED = "-starts", "-ended"
"""How the two moments of a kind of move are called: its name and one of these."""

Propose = Callable[["Play", Order], Wish | None]


def stand(play: Play, order: Order) -> Wish:
    """The plainest proposal: nobody moves."""
    return Stay()


class MoveKind(Struct, frozen=True):
    """One kind of move. Gap codes (`geometry.moves`) say how near it may end, and pass, to friends, enemies and its targets.

    ``distance`` is the allowance of a unit in thou; ``dice`` are added to it, thrown under the kind's name. ``propose`` is the
    default answer, and None from it means that the move cannot be made. ``also`` may refuse what the judge lets pass, and
    ``best`` a way that is not the proposal itself; ``adapt`` changes the order further for this kind. ``marks`` are laid on a
    unit that made it, each with the word for how long. With ``asks`` false it goes as proposed.
    """

    name: str
    clause: str
    distance: Callable[[Play, int], int]
    friends: int
    enemies: int
    way_friends: int
    way_enemies: int
    targets: int = 0
    dice: Throw | None = None
    contact: bool = False
    reach: int = -1
    closing: int = ANY
    cohere: int = ALWAYS
    propose: Propose = stand
    also: Callable[[Play, Order, Verdict], None] | None = None
    best: Callable[[Play, Order, Verdict], None] | None = None
    adapt: Callable[[Play, Order], Order] | None = None
    marks: tuple[tuple[str, str], ...] = ()
    asks: bool = True
    point: str = ""
    kind: str = "moved"
    refusals: Mapping[Code, tuple[str, str]] = field(default_factory=dict)


class Movement(Struct, frozen=True):
    """What all moves of a rulebook share: coherency by unit, leeway, the words of refusals, and what terrain changes.

    ``adapt`` turns the plain order of a kind into that of this unit here.
    """

    coherency: Callable[[Game, State, int], Coherency]
    refusals: Refusals
    leeway: Leeway = Leeway()
    adapt: Callable[[Play, MoveKind, Order], Order] | None = None


def order_for(play: Play, unit: int, kind: MoveKind, allowed: int, targets: tuple[int, ...] = ()) -> Order:
    """What a unit may do with one move of a kind."""
    game, movement = play.game, movement_of(play)
    side = game.side_of(unit)
    own = [other for other, held in enumerate(game.sides) if held == side]
    end = gaps(len(game.sides), kind.enemies, {**dict.fromkeys(own, kind.friends), **dict.fromkeys(targets, kind.targets)})
    way = gaps(
        len(game.sides), kind.way_enemies, {**dict.fromkeys(own, kind.way_friends), **dict.fromkeys(targets, kind.targets)}
    )
    order = Order(
        unit,
        allowed,
        way,
        end,
        movement.coherency(game, play.state, unit),
        cohere=kind.cohere,
        targets=targets,
        contact=kind.contact,
        closing=kind.closing,
        reach=kind.reach,
        dangerous=0,
        difficult=0,
        leeway=movement.leeway,
    )
    order = movement.adapt(play, kind, order) if movement.adapt else order
    return kind.adapt(play, order) if kind.adapt else order


def movement_of(play: Play) -> Movement:
    """How units move in the game that is played."""
    movement = play.game.edition.movement
    assert movement is not None, f"{play.game.edition.id} has no movement"
    return movement


def alive(play: Play, unit: int) -> bool:
    """Whether a unit still stands on the table."""
    held = play.state.units[unit]
    return bool(held.living) and held.where == TABLE


def rolled(play: Play, unit: int, throw: Throw, label: str, *clauses: str) -> int:
    """A distance in thou by dice, one inch a pip."""
    play.thrower = unit
    return 1000 * play.dice.ask(number(label, throw.count, throw.sides, throw.plus, clauses=clauses))


def make(
    play: Play, unit: int, kind: MoveKind, *, targets: tuple[int, ...] = (), allowed: int | None = None, oop: bool = False
) -> Verdict | None:
    """A unit makes a move of a kind; None: it is gone, or it could not go and nobody moved."""
    window(play, Moment(kind.name + STARTS, unit, targets, oop))
    if not alive(play, unit):
        return None
    far = allowed
    if far is None:
        far = kind.distance(play, unit) + (rolled(play, unit, kind.dice, kind.name, kind.clause) if kind.dice else 0)
    verdict = way_of(play, unit, kind, order_for(play, unit, kind, far, targets))
    if verdict is None:
        return None
    marks = [lasting(play.game, unit, name, word) for name, word in kind.marks]
    set_down = placed(play, unit, verdict)
    play.emit(kind.kind, (kind.clause,), set_down, *marks, unit=unit, action=kind.name, longest=verdict.longest)
    window(play, Moment(kind.name + ENDED, unit, targets, oop))
    return verdict if alive(play, unit) else None


def way_of(play: Play, unit: int, kind: MoveKind, order: Order) -> Verdict | None:
    """The way a unit goes by an order: as its player says, or as proposed; None if no way can be proposed."""
    default = kind.propose(play, order)
    if default is None:
        return None
    refusals = {**movement_of(play).refusals, **kind.refusals}
    if not kind.asks:
        return judge_move(play, order, refusals, default)
    also, best = kind.also, kind.best
    proposed = judge(play.scene, order, default).ends if best is not None else b""

    def further(verdict: Verdict) -> None:
        if also is not None:
            also(play, order, verdict)
        if best is not None and verdict.ends != proposed:
            best(play, order, verdict)

    owner = play.game.side_of(unit)
    return ask_move(play, owner, order, default, kind.clause, refusals, kind.point, further, action=kind.name)
