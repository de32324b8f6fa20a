"""Offers and dice on the table: asked once a handful, a policy in odds; paid re-rolls and dice that count as others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from rolloff.oracle.calculator import Calculator
from rolloff.oracle.dice import EnteredDice
from rolloff.oracle.draft import Draft, Reroll
from rolloff.oracle.flow import HITS, Flow, Fork, Harm, Order, Volley
from rolloff.oracle.offers import Again, Offer, Treat
from rolloff.oracle.roll import Lying, Roll
from rolloff.oracle.roller import Roller
from rolloff.oracle.stage import Stage, number
from rolloff.oracle.target import Ladder, Rung
from tests.oracle.brute import every_path, shot

UNIT = Ladder((Rung(models=3),))


def linked(sides: int = 6) -> Draft:
    """To hit on 4+, misses may be rolled again."""
    return Draft("hit", 4, "A", then=(HITS, Harm()), sides=sides).offer(Reroll.FAILURES, "misses", "B", point="DP")


def rolled(
    faces: Sequence[int], draft: Draft, dice: int = 3, take: bool = True, changes: Sequence[Sequence[Any]] = ()
) -> tuple[int, list[Roll], list[tuple[str, int]], list[Lying]]:
    """Hits of a volley, the log, what was asked about, and the handfuls shown to whoever may change them."""
    log: list[Roll] = []
    asked: list[tuple[str, int]] = []
    shown: list[Lying] = []
    left = list(changes)

    def offered(label: str, offer: Offer[Any], count: int) -> bool:
        asked.append((offer.name, count))
        return take

    def lying(handful: Lying) -> Sequence[Again | Treat]:
        shown.append(handful)
        return left.pop(0) if left else ()

    entered = EnteredDice(faces)
    roller = Roller(entered.faces, log.append, offered=offered, lying=lying if changes else None)
    spent: Any = roller.volley((Volley(Flow((draft.stage(),)), dice),), UNIT, UNIT.start(), HITS)
    entered.finish()
    return spent.counts[0], log, asked, shown


def test_an_offer_is_put_once_for_the_dice_that_show_it() -> None:
    """Two of three dice miss: one question about two dice; taken, both are rolled again; not taken, they stay."""
    hits, log, asked, _ = rolled([1, 5, 2, 6, 3], linked())
    assert (hits, asked) == (2, [("misses", 2)])
    assert log[0].rerolls == ((0, 6), (2, 3)) and log[0].clauses == ("A", "B")
    assert rolled([1, 5, 2], linked(), take=False)[0] == 1
    assert rolled([4, 5, 6], linked())[2] == []


def test_without_anybody_to_ask_the_default_stands() -> None:
    """A roller nobody answers for takes what the offer says by itself."""
    for default, faces, hits in ((True, [1, 6], 1), (False, [1], 0)):
        draft = Draft("hit", 4, "A", then=(HITS, Harm())).offer(Reroll.FAILURES, "misses", "B", default=default)
        spent: Any = Roller(EnteredDice(faces).faces).volley((Volley(Flow((draft.stage(),)), 1),), UNIT, UNIT.start(), HITS)
        assert spent.counts == (hits,)


def test_what_must_be_thrown_again_is_not_asked_about() -> None:
    """A compulsory re-roll of ones comes first; the offer is about the rest."""
    hits, log, asked, _ = rolled([1, 2, 5], linked().reroll(Reroll.ONES, "C"), dice=2, take=False)
    assert (hits, asked) == (1, [("misses", 1)])
    assert log[0].rerolls == ((0, 5),)


@pytest.mark.parametrize(("taken", "policy"), [(True, frozenset({"misses"})), (False, frozenset[str]())])
def test_odds_take_the_policy(taken: bool, policy: frozenset[str]) -> None:
    """The law of a settled flow is every path of dice whose roller always answers like that."""
    flow = Flow((linked().stage(),))
    args = ((Volley(flow.settled(policy), 2),), UNIT, UNIT.start(), (HITS,))

    def played(roller: Roller) -> Any:
        asking = Roller(roller.source, to_the_end=True, offered=lambda label, offer, dice: taken)
        return shot(asking, (Volley(flow, 2),), *args[1:])

    assert dict(Calculator(exact=True).law(shot, *args)) == every_path(played)
    assert linked().stage().success() == linked().stage().settled().success()


def test_a_die_is_thrown_again_for_a_price() -> None:
    """Whoever may change dice sees the handful before it is read; a die rolled again reads the table, once."""
    hits, log, _, shown = rolled([1, 5, 2, 4], linked(), take=False, changes=[[Again(0)], [Again(0)], []])
    assert hits == 2 and log[0].rerolls == ((0, 4),)
    assert [(one.faces, one.again) for one in shown] == [((1, 5, 2), ()), ((4, 5, 2), (0,)), ((4, 5, 2), (0,))]


def test_a_die_counts_as_another_face() -> None:
    """A die treated as a six is read as one, and the log says so; dice the table threw again are shown as such."""
    must = Draft("hit", 4, "A", then=(HITS, Harm())).reroll(Reroll.FAILURES, "B").react(6, "C", add=(HITS,))
    hits, log, _, shown = rolled([1, 5, 2, 3, 3], must, changes=[[Treat(0, 6)], []])
    assert (hits, log[0].treated, log[0].rerolls) == (3, ((0, 6),), ((0, 3), (2, 3)))
    assert shown[0].faces == (3, 5, 3) and shown[0].again == (0, 2)


def test_one_die_of_a_sum_is_thrown_again() -> None:
    """Of two dice that are added up one can be rolled again and the other stays."""
    charge: Stage[int] = number("charge", 2)
    changes: list[list[Again]] = [[Again(1)], []]
    log: list[Roll] = []
    dice = Roller(EnteredDice([4, 1, 6]).faces, log.append, lying=lambda handful: changes.pop(0))
    assert dice.ask(charge) == 10
    assert (log[0].faces, log[0].rerolls) == ((4, 1), ((1, 6),))


def forked(order: Order = Order.BY_STAGE) -> Flow:
    """Hits go on to a save of 3+ or of 5+, as the attacker picks when they lie there."""

    def way(need: int) -> Flow:
        hit = Draft("hit", 4, "A", then=(HITS, "save"))
        return Flow((hit.stage(), Draft("save", need, "B", otherwise=(Harm(),)).stage()), order)

    return Flow(way(3).stages, order, fork=Fork("save", (("hard", way(5)), ("soft", way(3))), "soft", "C", "DP"))


@pytest.mark.parametrize(("option", "fallen"), [("hard", 2), ("soft", 0)])
def test_a_flow_forks_where_the_attacks_are_counted(option: str, fallen: int) -> None:
    """The question comes once, with the number of hits, before the dice of the stage; the rest goes the way that was chosen."""
    asked: list[int] = []

    def choose(fork: Fork, attacks: int) -> str:
        asked.append(attacks)
        return option

    entered = EnteredDice([4, 1, 6, 3, 4])
    spent: Any = Roller(entered.faces, forked=choose).volley((Volley(forked(), 3),), UNIT, UNIT.start(), HITS)
    entered.finish()
    assert (asked, spent.counts, UNIT.kills(spent.state)) == ([2], (2,), fallen)
    silent: Any = Roller(EnteredDice([1, 1, 1]).faces, forked=choose).volley((Volley(forked(), 3),), UNIT, UNIT.start(), HITS)
    assert (asked, silent.counts) == ([2], (0,))


def test_odds_of_a_fork_are_those_of_its_default() -> None:
    """Nobody asked: the dice and the law both go the default's way; a fork of attacks rolled one by one is refused."""
    args = ((Volley(forked(), 2),), UNIT, UNIT.start(), (HITS,))
    assert dict(Calculator(exact=True).law(shot, *args)) == every_path(shot, *args)
    assert forked() == forked() and forked() != forked().chosen("soft")
    with pytest.raises(ValueError, match="all attacks of a stage"):
        forked(Order.BY_ATTACK)
