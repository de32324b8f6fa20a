"""Moving by kinds of move: an edition says what each kind allows; one verb asks, judges, carries out and opens the windows.

What differs by rulebook stands in a `MoveKind` and the edition's `Movement`; what differs by occasion is an argument.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from msgspec import field

from rolloff.errors import IllegalCommand
from rolloff.geometry.judging import judge
from rolloff.geometry.moves import ALWAYS, ANY, STAY, TOUCH, Code, Coherency, Leeway, Order, Stay, Verdict, Wish, Zone
from rolloff.geometry.paths import pile_in, separate
from rolloff.oracle.stage import Stage, number
from rolloff.rules.component import Component
from rolloff.rules.deployment import gap_codes
from rolloff.rules.effects import lasting
from rolloff.rules.losses import split_into
from rolloff.rules.moves import Refusals, ask_move, judge_move, judged, placed
from rolloff.rules.windows import Moment, window
from rolloff.table.event import Fact, Placed
from rolloff.table.profile import DiceRoll
from rolloff.table.state import TABLE, State

if TYPE_CHECKING:
    from rolloff.geometry.field import Scene
    from rolloff.rules.answers import Placement
    from rolloff.rules.game import Game
    from rolloff.rules.moves import Setting
    from rolloff.rules.play import Play
    from rolloff.rules.terrain import RoughGround

STARTS, ENDED = "-starts", "-ended"
"""How the two moments of a kind of move are called: its name and one of these."""

Propose = Callable[["Play", Order], Wish | None]
Plan = tuple[Order, Wish]
"""A way that was found before the move is made, with the order it is found for."""


def stand(play: Play, order: Order) -> Wish:
    """The plainest proposal: nobody moves."""
    return STAY


def close_up(play: Play, order: Order) -> Wish | None:
    """Toward the targets, nearest first, while those in contact stand: a pile-in; None if nobody would move."""
    way = pile_in(play.scene, order)
    return None if isinstance(way, Stay) else way


def step_clear(play: Play, order: Order) -> Wish | None:
    """Straight away from the targets until an inch clear of them: two sides part; None if nobody would move."""
    way = separate(play.scene, order)
    return None if isinstance(way, Stay) else way


class MoveKind(Component, frozen=True, eq=False):
    """One kind of move. Gap codes (`geometry.moves`) say how near it may end, and pass, to friends, enemies and its targets.

    ``distance`` is the allowance of a unit in thou; ``dice`` are added to it, rolled under the kind's name. ``propose`` is the
    default answer, and None from it means that the move cannot be made. ``also`` may refuse what the judge lets pass, and
    ``best`` a way that is not the proposal itself; ``adapt`` changes the order further for this kind. ``marks`` are laid on a
    unit that made it, each with the word for how long. With ``asks`` false it goes as proposed. ``further`` says which models
    of a unit may go further than its distance, and by how much. With ``held`` nobody is asked where no model may move.
    A move that ``may_fail`` is not made if its player names no way, by answering that the unit stays.

    The event is of ``kind``, cites ``clause`` (or ``cites``, where these are more) and says which move it was, if that is
    ``named``; with ``always`` it happens although nobody moved or turned. Without ``ground`` no terrain slows or harms.
    """

    name: str
    clause: str
    distance: Callable[[Play, int], int]
    friends: int
    enemies: int
    way_friends: int
    way_enemies: int
    targets: int = 0
    dice: DiceRoll | None = None
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
    cites: tuple[str, ...] = ()
    named: bool = True
    always: bool = True
    ground: bool = True
    tolerant: bool = False
    further: Callable[[Play, int], tuple[tuple[int, int], ...]] | None = None
    held: bool = False
    may_fail: bool = False


class Movement(Component, frozen=True):
    """What all moves of a rulebook share: coherency by unit, leeway, the words of refusals, and what terrain changes.

    ``ground`` is what difficult and dangerous terrain does; ``adapt`` turns the order of a kind into that of this unit here.
    ``kinds`` are the book's moves by name. ``why`` gives further clauses a way went by, ``crossed`` is what else it did to the
    unit. ``same`` says on what the orders of a unit depend besides kind, distance and targets: those with the same answer are
    made once a game.
    ``judge`` judges a way, and ``place`` a placement, where plain geometry does not do: those with heights. ``ends_on`` names
    the clause by which a model does not end on a piece of some kinds; where it names none the refusal's own clause is named.
    ``clear`` may refuse a placement that keeps its distance by bases alone, and ``rooms`` gives zones that keep
    further and further, in the last of which none does.
    Where it is ``wary`` of an order, a way is proposed only if ``judge`` allows it; else the unit stays, or has no way.
    """

    coherency: Callable[[Game, State, int], Coherency]
    refusals: Refusals
    leeway: Leeway = Leeway()
    adapt: Callable[[Play, MoveKind, Order], Order] | None = None
    kinds: Mapping[str, MoveKind] = field(default_factory=dict)
    why: Callable[[Play, int, MoveKind, Verdict], tuple[str, ...]] | None = None
    crossed: Callable[[Play, int, Verdict], None] | None = None
    same: Callable[[Play, int], Hashable] | None = None
    judge: Callable[[Play, Order, Wish], Verdict] | None = None
    place: Callable[[Play, Setting, Placement, Scene], tuple[Verdict, Placement]] | None = None
    clear: Callable[[Play, Zone, Placement, Scene], Verdict | None] | None = None
    wary: Callable[[Play, Order], bool] | None = None
    rooms: Callable[[Play, int, Zone], Iterable[Zone]] | None = None
    ground: RoughGround | None = None
    ends_on: Callable[[Game, int, int], str] | None = None


def order_for(play: Play, unit: int, kind: MoveKind, allowed: int, targets: tuple[int, ...] = ()) -> Order:
    """What a unit may do with one move of a kind."""
    movement, kept = movement_of(play), play.game.orders
    if movement.same is None or play.bystanders:
        return _order_for(play, movement, unit, kind, allowed, targets)
    key = unit, kind, allowed, targets, movement.same(play, unit)
    found = kept.get(key)
    if found is None:
        found = kept[key] = _order_for(play, movement, unit, kind, allowed, targets)
    return found


def _order_for(play: Play, movement: Movement, unit: int, kind: MoveKind, allowed: int, targets: tuple[int, ...]) -> Order:
    game = play.game
    key = kind, game.sides[unit], targets
    end, way = game.keeping.get(key) or game.keeping.setdefault(key, _keeping(game, unit, kind, targets))
    if play.bystanders:
        end, way = end + past_bystanders(game, unit, TOUCH), way + past_bystanders(game, unit, kind.way_friends)
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
        tolerant=kind.tolerant,
        leeway=movement.leeway,
        further=kind.further(play, unit) if kind.further else (),
    )
    order = movement.ground(play, kind, order) if movement.ground else order
    order = movement.adapt(play, kind, order) if movement.adapt else order
    return kind.adapt(play, order) if kind.adapt else order


def _keeping(game: Game, unit: int, kind: MoveKind, targets: tuple[int, ...]) -> tuple[bytes, bytes]:
    """How near a kind of move may end to each unit, and pass it."""
    end = gap_codes(game, unit, kind.friends, kind.enemies, targets, kind.targets)
    return end, gap_codes(game, unit, kind.way_friends, kind.way_enemies, targets, kind.targets)


def past_bystanders(game: Game, unit: int, friends: int) -> bytes:
    """How near a unit may come to the bystanders of each side: through its own as through friends, never through others."""
    return struct.pack("<2i", *[friends if side == game.sides[unit] else TOUCH for side in (0, 1)])


def movement_of(play: Play) -> Movement:
    """How units move in the game that is played."""
    movement = play.game.edition.movement
    assert movement is not None, f"{play.game.edition.id} has no movement"
    return movement


def alive(play: Play, unit: int) -> bool:
    """Whether a unit still stands on the table."""
    held = play.state.units[unit]
    return bool(held.living) and held.where == TABLE


def left_of(play: Play, unit: int) -> tuple[int, ...]:
    """Who goes on with what a unit has begun: itself while it stands on the table, else the units it has fallen into."""
    held = play.state.units[unit]
    return (unit,) if held.living and held.where == TABLE else those_alive(play, split_into(play, unit))


def those_left(play: Play, units: tuple[int, ...]) -> tuple[int, ...]:
    """What still stands on the table of some units, and of those they have fallen into."""
    held = play.state.units
    for unit in units:
        if not held[unit].living or held[unit].where != TABLE:
            return tuple([part for unit in units for part in left_of(play, unit)])
    return units


def those_alive(play: Play, units: tuple[int, ...]) -> tuple[int, ...]:
    """Which of some units still stand on the table."""
    return tuple([unit for unit in units if alive(play, unit)])


def rolled(play: Play, unit: int, roll: DiceRoll, label: str, *clauses: str) -> int:
    """A distance in thou by dice, one inch a pip."""
    play.rolled_by = unit
    return 1000 * play.dice.ask(_inches(roll, label, clauses))


@lru_cache(maxsize=256)
def _inches(roll: DiceRoll, label: str, clauses: tuple[str, ...]) -> Stage[int]:
    return number(label, roll.count, roll.sides, roll.plus, clauses=clauses)


def kind_of(play: Play, name: str) -> MoveKind:
    """The edition's kind of move of that name."""
    return movement_of(play).kinds[name]


def make(
    play: Play,
    unit: int,
    kind: MoveKind,
    *,
    targets: tuple[int, ...] = (),
    allowed: int | None = None,
    oop: bool = False,
    plan: Plan | None = None,
) -> Verdict | None:
    """A unit makes a move of a kind; None: it is gone, or all it goes for are, or it could not go and nobody moved.

    With a ``plan`` it goes by the order of that, and its way is the default, unless somebody changed something meanwhile.
    If a reaction to its beginning makes it fall into parts, each of them makes the move.
    """
    before, verdict = play.state, None
    for part in begun(play, unit, kind, targets, oop):
        known = plan if play.state is before else None
        verdict = go(play, part, kind, targets=targets, allowed=allowed, oop=oop, plan=known)
    return verdict


def begun(play: Play, unit: int, kind: MoveKind, targets: tuple[int, ...] = (), oop: bool = False) -> tuple[int, ...]:
    """A unit begins a move of a kind and everybody may react; who makes it then: the unit, or what is left of it."""
    if play.game.reactions:
        window(play, Moment(kind.name + STARTS, unit, targets, oop))
    return left_of(play, unit)


def go(
    play: Play,
    unit: int,
    kind: MoveKind,
    *,
    targets: tuple[int, ...] = (),
    allowed: int | None = None,
    oop: bool = False,
    plan: Plan | None = None,
) -> Verdict | None:
    """A unit makes the move of a kind that it has begun; the rest is as with `make`."""
    if targets:
        targets = those_left(play, targets)
        if not targets:
            return None
    order, way = plan if plan is not None else (None, None)
    if order is None:
        far = allowed
        if far is None:
            far = kind.distance(play, unit) + (rolled(play, unit, kind.dice, kind.name, kind.clause) if kind.dice else 0)
        order = order_for(play, unit, kind, far, targets)
    verdict = way_of(play, unit, kind, order, way, targets)
    if verdict is None:
        return None
    if carry_out(play, unit, kind, verdict) and play.game.reactions:
        window(play, Moment(kind.name + ENDED, unit, targets, oop))
    return verdict if alive(play, unit) else None


def carry_out(play: Play, unit: int, kind: MoveKind, verdict: Verdict) -> bool:
    """Set a unit down where its move ends; what it went over may harm it. False: nobody moved, which is no event here."""
    movement, patch = movement_of(play), placed(play, unit, verdict)
    if not kind.always and not verdict.longest and _stands(play, patch):
        return False
    marks = [lasting(play.game, unit, name, word) for name, word in kind.marks] if kind.marks else ()
    why = kind.cites or (kind.clause,)
    if movement.why is not None:
        why += movement.why(play, unit, kind, verdict)
    if kind.named:
        play.emit(kind.kind, why, patch, *marks, unit=unit, action=kind.name, longest=verdict.longest)
    else:
        play.emit(kind.kind, why, patch, *marks, unit=unit, longest=verdict.longest)
    if movement.ground is not None:
        movement.ground.cross(play, unit, verdict)
    if movement.crossed is not None:
        movement.crossed(play, unit, verdict)
    return True


def _stands(play: Play, patch: Placed) -> bool:
    """Whether everybody stands and faces already as a patch says."""
    state = play.state
    return all(
        state.xy[8 * slot : 8 * slot + 8] == patch.xy[8 * k : 8 * k + 8]
        and state.facing[2 * slot : 2 * slot + 2] == patch.facing[2 * k : 2 * k + 2]
        for k, slot in enumerate(patch.slots)
    )


def _further_checks(play: Play, kind: MoveKind, order: Order, default: Wish) -> Callable[[Verdict], None] | None:
    """What a kind may refuse that the judge lets pass; of ways that are not the proposal itself perhaps more."""
    also, best = kind.also, kind.best
    if best is None:
        return None if also is None else partial(also, play, order)
    proposed = judge(play.scene, order, default).ends

    def further(verdict: Verdict) -> None:
        if also is not None:
            also(play, order, verdict)
        if verdict.ends != proposed:
            best(play, order, verdict)

    return further


def _lawful(play: Play, kind: MoveKind, order: Order, wish: Wish) -> bool:
    """Whether neither the judge nor the kind of move refuses a way."""
    try:
        verdict = judged(play, order, wish)
        if verdict.legal and kind.also is not None:
            kind.also(play, order, verdict)
    except IllegalCommand:
        return False
    return verdict.legal


def way_of(
    play: Play, unit: int, kind: MoveKind, order: Order, way: Wish | None = None, targets: tuple[int, ...] = ()
) -> Verdict | None:
    """The way a unit goes by an order: as its player says, or as proposed; None if no way can be proposed, or he wants none.

    ``way`` is a proposal that was found before, ``targets`` for whom it goes where its order does not say so.
    """
    movement = movement_of(play)
    default = way if way is not None else kind.propose(play, order)
    if default is not None and movement.wary is not None and movement.wary(play, order):
        default = next((wish for wish in (default, STAY) if _lawful(play, kind, order, wish)), None)
    if default is None:
        return None
    refusals = movement.refusals
    if kind.refusals:
        refusals = {**refusals, **kind.refusals}
    if not kind.asks:
        return judge_move(play, order, refusals, default)
    further = _further_checks(play, kind, order, default)
    if kind.held and set(order.still).issuperset(play.state.units[unit].living):
        if not play.oracle.strict:
            return judge_move(play, order, refusals, default)
        play.alone = True
    owner, goals = play.game.sides[unit], targets or order.targets
    facts: dict[str, Fact] = {"action": kind.name, "target": goals[0]} if goals else {"action": kind.name}
    found = ask_move(play, owner, order, default, kind.clause, refusals, kind.point, further, kind.may_fail, **facts)
    play.alone = False
    return found
