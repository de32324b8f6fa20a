"""Charges: targets are declared, everybody may react, the distance is rolled, and the unit goes if it can reach them all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from rolloff.errors import IllegalCommand
from rolloff.geometry.moves import STAY, March, Order, Shift, Stay, Wish
from rolloff.rules.component import Component
from rolloff.rules.movement import MoveKind, alive, begun, go, left_of, movement_of, order_for, rolled, those_left
from rolloff.rules.moves import judge_move
from rolloff.rules.turns import on_table
from rolloff.rules.windows import Moment, window
from rolloff.table.profile import DiceRoll
from rolloff.table.request import PASS, Request

if TYPE_CHECKING:
    from rolloff.rules.play import Play

DECLARED = "charge-declared"
CHARGE = "charge"
"""The purpose for which targets of a charge are asked."""


def in_plan(play: Play, unit: int) -> Sequence[float]:
    """How far a unit is from each unit, seen from above."""
    return play.gaps_from(unit)


def within_roll(play: Play, going: Order) -> bool:
    """Whether every target is so near that some model could get to it, if nothing else stood in the way."""
    gaps, far = play.gaps_from(going.unit), going.allowance + max(going.reach, 0) + going.leeway.move
    return all(gaps[target] <= far for target in going.targets)


class Charge(Component, frozen=True):
    """How a rulebook charges: the move, how far targets may be, how many, the roll, whom a unit may charge, and the clauses.

    Where the move cannot propose a way its player may name one. ``roll`` gives the distance in thou, and may be changed by
    reactions to the declaration. ``charged`` is done to a unit that
    made it. ``points`` are decision points: of targets and of the way. ``gaps`` measures how far targets are, in plan by
    default; ``possible`` says whether they could be reached at all, before a player names a way of his own.
    """

    kind: MoveKind
    reach: int
    most: int
    dice: DiceRoll
    may: Callable[[Play, int, int], bool]
    charged: Callable[[Play, int, tuple[int, ...], bool], None]
    clause: str
    fails: str
    roll: Callable[[Play, int, DiceRoll], int] | None = None
    point: str = ""
    gaps: Callable[[Play, int], Sequence[float]] = in_plan
    possible: Callable[[Play, Order], bool] = within_roll


class ChargeOrder(Struct, frozen=True):
    """One charge: who, perhaps at whom only, out of phase or not, with the usual bonus or without."""

    unit: int
    only: tuple[int, ...] = ()
    oop: bool = False
    bonus: bool = True


def targets_of(play: Play, law: Charge, unit: int) -> list[int]:
    """The enemy units a unit may declare a charge at, the nearest first."""
    gaps = law.gaps(play, unit)
    enemies = on_table(play, 1 - play.game.sides[unit])
    found = [(gaps[k], k) for k in enemies if gaps[k] <= law.reach and law.may(play, unit, k)]
    return [k for _, k in sorted(found)]


def can_charge(law: Charge) -> Callable[[Play, int], list[int]]:
    """Who can charge: the units of a side with an enemy to declare, as rows of turns ask for them."""
    return lambda play, side: [unit for unit in on_table(play, side) if targets_of(play, law, unit)]


def charge(play: Play, law: Charge, order: ChargeOrder) -> bool:
    """A unit charges; whether it, or what is left of it, got there."""
    unit = order.unit
    targets = order.only or _declared(play, law, unit)
    play.emit("charge-declared", (law.clause,), unit=unit, targets=targets)
    window(play, Moment(DECLARED, unit, targets, order.oop))
    got_there = [_rolled_for(play, law, part, targets, order) for part in left_of(play, unit)]
    return True in got_there


def _rolled_for(play: Play, law: Charge, unit: int, targets: tuple[int, ...], order: ChargeOrder) -> bool:
    """A charge that was declared: the roll, and the move if there is a way."""
    targets = _still_there(play, law, unit, targets, order)
    if not targets:
        return _failed(play, law, unit)
    allowed = law.roll(play, unit, law.dice) if law.roll else rolled(play, unit, law.dice, "charge", law.clause)
    going = order_for(play, unit, law.kind, allowed, targets)
    way, kind = law.kind.propose(play, going), law.kind
    if way is None and law.possible(play, going):
        way, kind = _own_way(play, law, going), replace(kind, asks=False)
    if way is None:
        return _failed(play, law, unit)
    before, got_there = play.state, False
    for part in begun(play, unit, kind, targets, order.oop):
        plan, by = ((going, way), kind) if play.state is before else (None, law.kind)
        if go(play, part, by, targets=targets, allowed=allowed, oop=order.oop, plan=plan) is None:
            _failed(play, law, part)
        else:
            _arrived(play, law, part, those_left(play, targets), order)
            got_there = True
    return got_there


def _arrived(play: Play, law: Charge, unit: int, targets: tuple[int, ...], order: ChargeOrder) -> None:
    """A unit has made the move of its charge."""
    law.charged(play, unit, targets, order.bonus)
    window(play, Moment("charged", unit, targets, order.oop))


def _own_way(play: Play, law: Charge, going: Order) -> Wish | None:
    """A way the player names where none could be proposed; None if he names none."""
    kind, unit = law.kind, going.unit
    refusals = {**movement_of(play).refusals, **kind.refusals}
    facts = (("allowance", (going.allowance + going.kept_back) / 1000), ("action", kind.name), ("target", going.targets[0]))
    request = Request(play.game.sides[unit], "move", kind.clause, None, STAY, unit, kind.point, going, facts)

    def judged(answer: object) -> Wish | None:
        if isinstance(answer, Stay):
            return None
        verdict = judge_move(play, going, refusals, answer)
        if kind.best is not None:
            kind.best(play, going, verdict)
        return answer if isinstance(answer, Shift | March) else None

    return play.ask(request, judged)


def _failed(play: Play, law: Charge, unit: int) -> bool:
    """Nobody moves."""
    if alive(play, unit):
        play.emit("charge-failed", (law.fails,), unit=unit)
    return False


def _declared(play: Play, law: Charge, unit: int) -> tuple[int, ...]:
    """The targets a player names, one after the other; the nearest alone by default."""
    chosen: list[int] = []
    targets = targets_of(play, law, unit)
    while len(chosen) < law.most:
        left = [k for k in targets if k not in chosen]
        target = choose_target(play, unit, left, law.clause, law.point, may_stop=bool(chosen)) if left else None
        if target is None:
            break
        chosen.append(target)
    return tuple(chosen)


def choose_target(
    play: Play,
    unit: int,
    targets: Iterable[int],
    clause: str,
    point: str = "",
    why: Callable[[object], IllegalCommand | None] | None = None,
    may_stop: bool = False,
) -> int | None:
    """The target a player names; with ``may_stop`` he need not name another, and by default does not.

    ``why`` explains one that is not offered.
    """
    names = tuple([play.game.names[k] for k in targets])
    options, default = ((*names, PASS), PASS) if may_stop else (names, names[0])
    owner = play.game.sides[unit]
    answer = play.choose(owner, "choose-target", clause, options, default, unit, point, None, why, purpose=CHARGE)
    return None if answer == PASS else play.game.numbers[str(answer)]


def _still_there(play: Play, law: Charge, unit: int, targets: tuple[int, ...], order: ChargeOrder) -> tuple[int, ...]:
    """The targets that are still to be charged; without any a unit may name others, if its order does not say whom."""
    there = targets_of(play, law, unit)
    left = tuple([k for k in those_left(play, targets) if k in there])
    if left or order.only:
        return left
    return _declared(play, law, unit) if there else ()
