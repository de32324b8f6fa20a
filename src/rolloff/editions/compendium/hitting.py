"""To Hit rolls as tables: what a natural face does besides hitting (CF-SHOOT-3, CF-SHOOT-4, CF-ASLT-7)."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from rolloff.editions.compendium.matchup import AbilityRegistry, Strike
from rolloff.editions.compendium.rolls import FAILURES, NEVER, HitRoll, Result, kept_table
from rolloff.editions.compendium.traits import (
    HOT,
)
from rolloff.editions.compendium.wounding import PRECISELY, WoundValues, certain, is_six, wound_values
from rolloff.oracle.flow import HITS, Harm, Nodes, Side, Wave
from rolloff.oracle.offers import Offer
from rolloff.oracle.stage import AGAIN, Stage, fixed
from rolloff.rules.citing import cites

SHOTS, HIT, TAKEN = "overheat", "hit", "taken"


@cites("CF-SHOOT-3")
def shooting_need(skill: int) -> int:
    """CF-SHOOT-3: 7 less the CT, never below 2+."""
    return max(2, 7 - skill)


@cites("CF-ASLT-7")
def melee_need(skill: int, other: int) -> int:
    """CF-ASLT-7: 3+ against a lower WS, 5+ against one more than twice as high, else 4+."""
    if skill > other:
        return 3
    return 5 if other > 2 * skill else 4


def hit_roll(strike: Strike, book: AbilityRegistry) -> HitRoll:
    """The To Hit roll as the rules of the attack leave it."""
    if strike.shooting:
        roll = HitRoll(shooting_need(strike.skill), "CF-SHOOT-3")
        _keen(roll, strike)
    else:
        roll = HitRoll(melee_need(strike.skill, strike.enemy.weapon_skill), "CF-ASLT-7")
        _helpless(roll, strike)
    if strike.automatic:  # CF-DICE-5
        roll.automatic += ("CF-DICE-5",)
    for rule, special in book.of(strike):
        special.hits(rule, roll, strike)
    if strike.snap:
        _snap(roll)
    return roll


def _keen(roll: HitRoll, strike: Strike) -> None:
    """CF-SHOOT-3: with a CT of 6 or more a miss is rolled again, needing 12 less the CT."""
    if strike.skill >= 6:
        roll.again(FAILURES, "CF-SHOOT-3", need=max(2, 12 - strike.skill))


def _helpless(roll: HitRoll, strike: Strike) -> None:
    """A target that cannot fight back is hit automatically."""
    if strike.enemy.helpless:
        roll.automatic += ("CF-VEH-9",) if strike.enemy.vehicle else ("CF-ASLT-18",)


@cites("CF-SHOOT-4")
def _snap(roll: HitRoll) -> None:
    """CF-SHOOT-4: a Snap Shot hits on a natural 6 alone, whatever the CT and the modifiers."""
    roll.set_need(None, "CF-SHOOT-4", what="snap shot")
    roll.permissions = tuple([replace(one, need=None) for one in roll.permissions])
    _imprecise(roll)


@cites("SR-PRECISION-SHOTS-3")
def _imprecise(roll: HitRoll) -> None:
    """SR-PRECISION-SHOTS-3: a Snap Shot is never precise."""
    roll.precise_from = NEVER


def hit_result(roll: HitRoll, marks: tuple[str, ...], values: WoundValues, wound: str) -> Callable[[int, bool], Result]:
    """What each natural face of the To Hit die does; ``marks`` say who bears what it burns."""
    hot = (Harm(1, (HOT, *marks), Wave.AT_ONCE, Side.FIRER),)
    lethal = bool(roll.lethal) and wound != TAKEN

    def result(face: int, passed: bool) -> Result:
        if not passed:
            return (hot, roll.hot) if roll.hot and face == 1 else ((), ())
        why: tuple[str, ...] = ()
        precise = face >= roll.precise_from
        if precise:
            why += roll.precise_by
        nodes: Nodes = (HITS, wound + PRECISELY if precise else wound)
        if lethal and is_six(face):
            nodes, why = (HITS, *certain(values, precise)), why + roll.lethal
        if is_six(face) and roll.sustained:
            nodes, why = nodes + (HITS, wound) * roll.sustained, why + roll.sustained_by
        return nodes, why

    return result


def hit_stage(roll: HitRoll, strike: Strike, book: AbilityRegistry, wound: str) -> Stage[Nodes]:
    """The To Hit table; automatic hits roll no die."""
    if roll.automatic:
        return fixed(HIT, (HITS, wound) * covered(strike), *roll.automatic)
    values = wound_values(strike, book)
    key = roll.key(), strike.marks if roll.hot else (), values if roll.lethal else None, wound
    return kept_table(key, lambda: roll.table(hit_result(roll, strike.marks, values, wound)))


@cites("SR-BLAST-6", "SR-TEMPLATE-4")
def covered(strike: Strike) -> int:
    """SR-BLAST-6, SR-TEMPLATE-4: the hits of each shot; all of them are rolled To Wound together."""
    return strike.under


def overheating(strike: Strike, roll: HitRoll, again: bool = False) -> Stage[Nodes]:
    """SR-GETS-HOT-3: a weapon that makes no To Hit roll rolls a die for each shot, which is lost on a 1.

    Who could roll a miss again may roll a 1 again (SR-GETS-HOT-4); ``again`` is the table of that second roll.
    """
    hot = (Harm(1, (HOT, *strike.marks), Wave.AT_ONCE, Side.FIRER),)
    read: list[Nodes | Stage[Nodes] | Offer[Nodes]] = [hot, *((HIT,),) * 5]
    why = (roll.hot,) * 6
    good = (False, *(True,) * 5)
    if again or not roll.permissions:
        return Stage(SHOTS + AGAIN if again else SHOTS, read, why=why, good=good, need=2)
    read[0] = Offer(hot, overheating(strike, roll, True), "Gets Hot", "SR-GETS-HOT-4", True, "DP-20")  # SR-GETS-HOT-4
    why_again = tuple(clause for one in roll.permissions for clause in one.clauses)
    return Stage(SHOTS, read, why=(roll.hot + why_again, *why[1:]), good=good, need=2)
