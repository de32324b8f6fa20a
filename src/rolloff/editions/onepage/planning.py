"""What odds need besides the dice of an attack: who falls in which order, and what the losses lead to."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rolloff.editions.onepage.attack import Group
from rolloff.editions.onepage.book import book_of
from rolloff.editions.onepage.casualties import TOUGH_FIRST, worth
from rolloff.editions.onepage.damaged_vehicles import Hulls, Standing, hulls_of, left_standing
from rolloff.editions.onepage.lookups import has, quality, start_size, tough
from rolloff.editions.onepage.morale import NONE, PINS, heavy_loss, test_stage
from rolloff.editions.onepage.target import Company, company_of
from rolloff.editions.onepage.vehicles import has_table
from rolloff.oracle.flow import Tally, Volley
from rolloff.oracle.roll import Dice, Spent
from rolloff.oracle.target import Ladder, Rung
from rolloff.rules.attack import Change, Plan
from rolloff.rules.game import Game
from rolloff.rules.morale import PASSED
from rolloff.table.state import State

Needs = Callable[[Any, Any], "bool | None"]
"""From a start and an end of a target: None for no test, else whether the test is a Fearless one."""


def casualty_order(game: Game, state: State, target: int, policies: Mapping[str, str]) -> tuple[int, ...]:
    """RULE-TOUGH-3: who goes first: a wounded model, then ordinary or Tough ones as the policy says (ordinary first).

    Among like models the one its owner would miss least, as owners do who are not asked (DP-24).
    """
    living = state.units[target].living
    hurt = [slot for slot in living if state.wounds_on(slot)]
    rest = [slot for slot in living if not state.wounds_on(slot)]
    tough_first = policies.get("allocation") == TOUGH_FIRST
    rest.sort(key=lambda slot: ((tough(game, slot) > 1) != tough_first, tough(game, slot), worth(game, slot), -slot))
    return (*hurt, *rest)


def ladder_of(game: Game, state: State, order: tuple[int, ...]) -> Ladder:
    """A unit whose models fall in this order, each with the wounds it has left."""
    return Ladder(tuple(Rung(wounds=tough(game, slot) - state.wounds_on(slot)) for slot in order))


def plan_of(
    game: Game,
    state: State,
    target: int,
    volleys: tuple[Volley, ...],
    policies: Mapping[str, str],
    *,
    facing: str,
    tests: bool,
    aimed: bool = False,
    audit: tuple[Change, ...] = (),
    order: tuple[int, ...] = (),
) -> Plan:
    """Volleys at a unit as a target, and with ``tests`` what heavy losses lead to; ``aimed`` says that models were named.

    ``order`` is the one in which its models fall, where that is known already.
    """
    order = order or casualty_order(game, state, target, policies)
    if has_table(game, target):
        hulls, start = hulls_of(game, state, target, order, facing)
        needs = _needs(game, state, target, hulls, order, lambda ended: sum(ended.left)) if tests else None

        def step(dice: Dice, begun: Any, tallies: tuple[Tally, ...]) -> Spent[Any, Any]:
            return hulls.event(dice, volleys, begun, tallies)

        ladder, _ = hulls.ladder(start)
        parts = Plan(volleys, ladder, ladder.start()), Settling(hulls, start)
        plan = Plan(volleys, hulls, start, None, order, audit, policies, step, parts, left=left_standing)
        return _tested(plan, quality(game, target), needs)
    if aimed:
        company, unhurt = company_of(game, state, order)
        needs = _needs(game, state, target, company, order, lambda ended: company.whole - sum(ended.lost)) if tests else None
        return _tested(Plan(volleys, company, unhurt, None, order, audit, policies), quality(game, target), needs)
    ladder = ladder_of(game, state, order)
    needs = _needs(game, state, target, ladder, order, lambda ended: ladder.whole - ended) if tests else None
    need = quality(game, target)
    like = (ladder, need, *_strength(game, state, target)) if needs and not has(game, state, target, "Fearless") else None
    return _tested(Plan(volleys, ladder, ladder.start(), None, order, audit, policies), need, needs, like)


def _strength(game: Game, state: State, unit: int) -> tuple[object, ...]:
    """All but how its models fall that says when a unit without Fearless models tests: its edition and its sizes."""
    sizes = start_size(game, state, unit), tough(game, state.units[unit].living[0])
    return *sizes, id(game.edition), tuple(game.switches.values())


class Settling(Struct, frozen=True, cache_hash=True):
    """What a unit's table of damage does when the wounds of an event are rolled, from how it stood before."""

    hulls: Hulls
    start: Standing

    def __call__(self, dice: Dice, end: int) -> Standing:
        """How it stands then."""
        return self.hulls.settled(dice, self.start, end)[0]


Test = tuple[Callable[[Dice, Any, Any], str], Callable[[Any], "bool | None"]]

_tests: dict[Hashable, Test] = {}
"""Tests of units met lately: those of like units are one and the same, so that what they come to is known already."""

MOST_TESTS = 128


def _tested(plan: Plan, need: int, needs: Needs | None, like: Hashable = None) -> Plan:
    """A plan with the morale test its losses lead to, if they may lead to one; ``like`` is all the test depends on."""
    if needs is None:
        return plan
    test = None if like is None else _tests.get(like)
    if test is None:
        test = _test(plan.start, need, needs)
        if like is not None:
            if len(_tests) >= MOST_TESTS:
                _tests.clear()
            _tests[like] = test
    return replace(plan, after=test[0], tested_by=test[1], tests_kept=like is not None)


def _test(begun: Any, need: int, needs: Needs) -> Test:
    """The test as a step of any dice, and what of an end decides it."""

    def step(dice: Dice, start: Any, end: Any) -> str:
        fearless = needs(start, end)
        if fearless is None:
            return NONE
        return PASSED if dice.ask(test_stage(need, fearless)) else PINS

    return step, lambda end: needs(begun, end)


def _needs(game: Game, state: State, unit: int, target: Any, order: tuple[int, ...], wounds: Callable[[Any], int]) -> Needs:
    """MORALE-2: whether the losses of an event lead to a test, and then whether a Fearless one; ``wounds`` reads those left.

    Whether the unit is Fearless is asked of those who are left (JOIN-5), as the test comes after the casualties (MORALE-5).
    """
    size = start_size(game, state, unit)
    brave = has(game, state, unit, "Fearless")
    in_models = size > 1 or book_of(game).half_of_models

    def left(ended: Any) -> tuple[int, int]:
        if in_models:
            return target.models - target.kills(ended), size
        return wounds(ended), tough(game, state.units[unit].living[0])

    def needs(start: Any, end: Any) -> bool | None:
        if target.gone(end) or not heavy_loss(game, left(start), left(end)):
            return None
        return brave and has(game, state, unit, "Fearless", _standing(target, order, end))

    return needs


def _standing(target: Any, order: tuple[int, ...], ended: Any) -> tuple[int, ...]:
    """Who of a target still stands, whatever shape its states have."""
    if isinstance(target, Hulls):
        return tuple(slot for slot, left in zip(target.slots, ended.left, strict=True) if left)
    if isinstance(target, Company):
        return tuple(sorted(bearer.slot for at, bearer in enumerate(target.bearers) if target.left(ended, at)))
    return tuple(sorted(order[target.kills(ended) :]))


def audit_of(game: Game, groups: list[Group]) -> tuple[Change, ...]:
    """What alters the plain numbers, line by line."""
    book, found = book_of(game), list[Change]()
    for group in groups:
        for clause in group.cover:
            found.append(Change("cover", 0, book.armored if book.cover_armors else book.cover, clause))
        for clause in group.hampered:
            found.append(Change("hampered", False, True, clause))
    return tuple(dict.fromkeys(found))
