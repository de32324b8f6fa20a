"""One match-up as a flow: to hit, to wound or against armour, and the wounds that leave it for whoever bears them.

The tables are built once for each match-up by the rules of the attack and serve dice and odds alike (CF-SHOOT-5). Precise
hits are rolled to wound as a handful of their own, behind the others.
"""

from __future__ import annotations

from functools import lru_cache

from rolloff.editions.compendium.hitting import TAKEN, hit_result, hit_roll, hit_stage, overheating
from rolloff.editions.compendium.matchup import AbilityRegistry, Strike
from rolloff.editions.compendium.rolls import NEVER, HitRoll, WoundRoll
from rolloff.editions.compendium.wounding import ARMOUR, PRECISELY, precise_taken, taken, wound_roll, wound_stage, wound_values
from rolloff.oracle.flow import Flow, Nodes
from rolloff.oracle.stage import Stage, fixed


@lru_cache(maxsize=8192)
def rolls_of(strike: Strike, book: AbilityRegistry) -> tuple[HitRoll, WoundRoll]:
    """Both rolls of a match-up, as the rules leave them; for tables and audits."""
    strike = book.settled(strike)
    return hit_roll(strike, book), wound_roll(strike, book)


def stages_after_hit(strike: Strike, book: AbilityRegistry, hits: HitRoll, wounds: WoundRoll) -> tuple[Stage[Nodes], ...]:
    """What follows the To Hit dice; ``strike`` is settled. Without a handful of precise hits where there can be none."""
    return tuple([_after_hit(strike, book, wounds, precise) for precise in ((False, True) if _precise(hits) else (False,))])


def _after_hit(strike: Strike, book: AbilityRegistry, roll: WoundRoll, precise: bool) -> Stage[Nodes]:
    found = taken(strike, book)
    if found is not None:
        return fixed(TAKEN + PRECISELY, (precise_taken(found),)) if precise else fixed(TAKEN, (found,))
    if strike.enemy.vehicle and strike.strength is None and not roll.only_glances:
        return fixed(ARMOUR + PRECISELY if precise else ARMOUR, (), "SR-SNIPER-4")
    return wound_stage(roll, wound_values(strike, book), precise)


def first_tables(strike: Strike, book: AbilityRegistry) -> tuple[Stage[Nodes], Stage[Nodes], tuple[Stage[Nodes], ...]]:
    """The first table of a settled match-up, that of a die of it rolled again, and the tables that follow."""
    roll = hit_roll(strike, book)
    after = stages_after_hit(strike, book, roll, wound_roll(strike, book))
    if roll.automatic and roll.hot:
        again = overheating(strike, roll, True)
        return overheating(strike, roll), again, (hit_stage(roll, strike, book, after[0].label), *after)
    if roll.automatic:
        sure = hit_stage(roll, strike, book, after[0].label)
        return sure, sure, after
    result = hit_result(roll, strike.marks, wound_values(strike, book), after[0].label)
    return roll.table(result), roll.second(result), after


@lru_cache(maxsize=8192)
def flow_of(strike: Strike, book: AbilityRegistry) -> Flow:
    """CF-SHOOT-5: all To Hit dice, then all To Wound dice, then the wounds one at a time."""
    roll, wounds = rolls_of(strike, book)
    strike = book.settled(strike)
    after = stages_after_hit(strike, book, roll, wounds)
    stages = [hit_stage(roll, strike, book, after[0].label), *after]
    if roll.hot and roll.automatic:
        stages.insert(0, overheating(strike, roll))
    return _joined(tuple(stages))


@lru_cache(maxsize=8192)
def _joined(stages: tuple[Stage[Nodes], ...]) -> Flow:
    """Match-ups with the same tables share one flow."""
    return Flow(stages)


def _precise(roll: HitRoll) -> bool:
    """Whether there can be precise hits."""
    return not roll.automatic and roll.precise_from < NEVER
