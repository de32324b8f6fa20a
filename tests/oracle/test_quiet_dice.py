"""Dice nobody could say anything to are written down by lines made beforehand: nothing else is different."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from rolloff.oracle.dice import SeededDice
from rolloff.oracle.flow import ATTACKS, BLOCKED, DAMAGE, HITS, MORTAL, WOUNDS, Flow, Harm, Order, Volley, Wound
from rolloff.oracle.roll import Lying, Roll
from rolloff.oracle.roller import Lines, Roller, shown_by
from rolloff.oracle.stage import Stage, fixed, table
from rolloff.oracle.target import Ladder, Rung
from tests.oracle.pipelines import Armour, keyword_flow

SQUAD = Ladder((Rung(2, 6, guard=Armour(4)),))
COUNTED = ATTACKS, HITS, WOUNDS, BLOCKED, DAMAGE, MORTAL
RULES: dict[str, Any] = {"sustained": 1, "lethal": True, "devastating": True, "twin": True, "torrent": True, "damage": 2}


class Quiet:
    """Somebody who could say something to some faces of every die, and never does; the moment changes with each of them."""

    def __init__(self, heeded: frozenset[int]) -> None:
        """Heed some faces."""
        self.heeded, self.now, self.seen = heeded, object(), 0
        self.log: list[Roll] = []
        self.trails: dict[int, Any] = {}

    def lines(self, stage: Stage[Any]) -> Lines:
        """The lines of a table, none for the faces that are heeded."""
        rows = {face: None if face in self.heeded else shown_by(stage, face) for face in range(1, stage.die + 1)}
        return rows, self.log, self.trails

    def lying(self, handful: Lying) -> tuple[()]:
        """Look at dice, and say nothing."""
        self.seen, self.now = self.seen + 1, object()
        return ()

    def roller(self, seed: int) -> Roller:
        """Dice with this one beside them."""
        source = SeededDice(bytes([seed]) * 32).faces
        return Roller(source, self.log.append, lying=self.lying, quietly=self.lines, moment=lambda: self.now)


@pytest.mark.parametrize("names", [(), *combinations(RULES, 1), *combinations(RULES, 2)], ids="+".join)
@pytest.mark.parametrize("heeded", [frozenset(), frozenset({1, 2})], ids=["nobody", "low faces"])
def test_quiet_dice_come_to_the_same(names: tuple[str, ...], heeded: frozenset[int]) -> None:
    """Ten attacks leave the target, the counts and the log as they are where every die is looked at."""
    volley = Volley(keyword_flow(**{name: RULES[name] for name in names}), 10)
    for seed in range(12):
        quiet, log = Quiet(heeded), list[Roll]()
        spent: Any = quiet.roller(seed).volley(volley, SQUAD, 0, *COUNTED)
        looked = Roller(SeededDice(bytes([seed]) * 32).faces, log.append, lying=lambda handful: ())
        plain: Any = looked.volley(volley, SQUAD, 0, *COUNTED)
        assert (spent.state, spent.counts) == (plain.state, plain.counts)
        assert quiet.log == log
        assert bool(quiet.seen) or not heeded or not any(set(roll.faces) & heeded for roll in log)
        assert all(quiet.log[number].audit == audit for number, audit in quiet.trails.items())


def test_where_faces_lead() -> None:
    """What a face counts stands apart from where it leads, the next node last; a first stage without dice is passed by."""
    wound = Wound(Harm(2))
    flow = Flow(
        (table("hit", [(), (HITS, "hurt"), ("hurt", "hurt")], sides=3), fixed("hurt", (WOUNDS, wound))), Order.BY_ATTACK
    )
    assert flow.onward_from("hit") == (((), ()), ((), ()), ((HITS,), ("hurt",)), ((WOUNDS,), ("hurt", wound)))
    assert flow.onward_from("hurt") == (((), ()), ((WOUNDS,), (wound,)))
    assert Flow(flow.stages, flow.order).onward is flow.onward
