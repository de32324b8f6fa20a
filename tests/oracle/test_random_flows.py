"""Flows nobody thought of: random drafts, waves, kinds of harm and targets, equal to every path of the dice."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import given, reject, settings
from hypothesis import strategies as st

from rolloff.oracle.calculator import Calculator
from rolloff.oracle.draft import Draft, Reroll, When
from rolloff.oracle.flow import (
    ATTACKS,
    BLOCKED,
    DAMAGE,
    HITS,
    MORTAL,
    UNSAVED,
    WASTED,
    WOUNDS,
    Exit,
    Flow,
    Harm,
    Nodes,
    Order,
    Tally,
    Volley,
    Wave,
    Wound,
)
from rolloff.oracle.roll import together
from rolloff.oracle.stage import check, fixed, number
from rolloff.oracle.target import Ladder, Ladders, Rung, Target
from tests.oracle.brute import TooMany, every_path, shot
from tests.oracle.pipelines import D3, Armour

EXACT = Calculator(exact=True)
FLOATS = Calculator()

WAVES = (Wave.IN_TURN, Wave.IN_TURN, Wave.AFTER_GROUP, Wave.AIMED, Wave.AFTER_UNIT)

harms = st.builds(
    Harm,
    damage=st.sampled_from((1, 1, 2, 3, D3)),
    traits=st.sampled_from(((), ("mortal",))),
    wave=st.sampled_from(WAVES),
    spills=st.booleans(),
)
packets = st.builds(Harm, packet=st.just(True), wave=st.sampled_from((Wave.PACKETS, Wave.IN_TURN)))
exits: st.SearchStrategy[Exit] = st.one_of(harms, packets, st.builds(Wound, harms, ap=st.sampled_from((0, -1, -3))))
rungs = st.builds(
    Rung,
    wounds=st.integers(1, 3),
    models=st.integers(1, 2),
    guard=st.sampled_from((None, None, Armour(3), Armour(5))),
    shrug=st.sampled_from((None, None, check("shrug", 5))),
)
ladders = st.builds(Ladder, st.lists(rungs, min_size=1, max_size=2).map(tuple), st.booleans())


@st.composite
def flows(draw: st.DrawFn) -> Flow:
    """A to-hit and a to-wound stage with whatever rules might do to them."""
    first, second = draw(exits), draw(exits)
    if draw(st.booleans()):
        second = first
    hit = Draft("hit", draw(st.integers(2, 6)), then=(HITS, "wound")).natural().critical(draw(st.integers(5, 7)))
    hit.modify(draw(st.integers(-2, 2))).limit(-1, 1)
    if draw(st.booleans()):
        hit.reroll(draw(st.sampled_from(list(Reroll))))
    if draw(st.booleans()):
        hit.react(When.CRITICAL, add=draw(st.sampled_from(((HITS, "wound"), (first,)))))
    if draw(st.booleans()):
        hit.react(When.CRITICAL, become=(HITS, WOUNDS, first))
    wound = Draft("wound", draw(st.integers(2, 6)), then=(WOUNDS, first))
    if draw(st.booleans()):
        wound.react(6, become=(WOUNDS, second))
    if draw(st.booleans()):
        wound.react(6, add=(second,))
    start = draw(st.sampled_from(("hit", "wound")))
    order = draw(st.sampled_from(list(Order)))
    return Flow((hit.stage(), wound.stage()), order, start)


TALLIES: tuple[tuple[Tally, ...], ...] = (
    (),
    (ATTACKS, HITS),
    (WOUNDS, DAMAGE),
    (UNSAVED, WASTED),
    (BLOCKED, MORTAL),
    (WASTED,),
)


def within(limit: int, volleys: tuple[Volley, ...], target: Target[Any], *rest: Any) -> dict[Any, Fraction]:
    """Every path, or another example if there are too many."""
    try:
        return every_path(shot, volleys, target, *rest, limit=limit)
    except TooMany:
        reject()


@settings(max_examples=80)
@given(
    groups=st.lists(flows(), min_size=1, max_size=2),
    attacks=st.integers(1, 2),
    ladder=ladders,
    tallies=st.sampled_from(TALLIES),
    data=st.data(),
)
def test_any_event_equals_every_die(
    groups: list[Flow], attacks: int, ladder: Ladder, tallies: tuple[Tally, ...], data: st.DataObject
) -> None:
    """Whatever the flows, waves and target: state and counts are what every path of the roller gives, as rationals."""
    start = data.draw(st.integers(0, ladder.whole - 1))
    volleys = tuple(Volley(flow, attacks if len(groups) == 1 else 1) for flow in groups)
    tried = within(4_000, volleys, ladder, start, tallies)
    assert dict(EXACT.law(shot, volleys, ladder, start, tallies)) == tried
    if not tallies:
        near = FLOATS.after(volleys, ladder, start)
        for (state, _), chance in tried.items():
            assert abs(float(near[state] - chance)) <= 1e-12 * chance


@settings(max_examples=40)
@given(flow=flows(), first=ladders, second=ladders, aim=st.integers(0, 1), overflow=st.booleans())
def test_two_ladders_equal_every_die(flow: Flow, first: Ladder, second: Ladder, aim: int, overflow: bool) -> None:
    """A unit of two ladders, some harm aimed at one of them: as by every path of the roller."""
    unit = Ladders((first, second), overflow)
    aimed = Draft("aimed", 4, then=(Wound(Harm(D3, aim=aim, wave=Wave.AIMED)),), otherwise=(Harm(2, spills=True),))
    volleys = (Volley(flow), Volley(Flow((aimed.stage(),))))
    tried = within(2_500, volleys, unit, unit.start(), (WASTED,))
    assert dict(EXACT.law(shot, volleys, unit, unit.start(), (WASTED,))) == tried
    plain: dict[Any, Any] = {}
    for (state, _), chance in tried.items():
        plain[state] = plain.get(state, 0) + chance
    assert dict(EXACT.after(volleys, unit, unit.start())) == plain


@settings(max_examples=60)
@given(flow=flows(), attacks=st.integers(0, 9), weapons=st.integers(1, 2), ladder=ladders, random=st.booleans())
def test_counting_and_walking_agree_on_many_attacks(
    flow: Flow, attacks: int, weapons: int, ladder: Ladder, random: bool
) -> None:
    """Many attacks are beyond brute force; counted as floats and walked as rationals they end alike, tails included."""
    count = number("attacks", sides=3, plus=attacks // 3) if random else attacks
    volleys = (Volley(flow, count, weapons), Volley(flow, 1))
    near = FLOATS.after(volleys, ladder, 0)
    walked = EXACT._walked(together(volleys), ladder, 0, (), None, None)
    assert abs(float(near.total()) - 1) < 1e-12
    for (state, _, _), chance in walked.items():
        assert abs(float(near[state] - chance)) <= 1e-12 * chance


@settings(max_examples=40)
@given(
    first=st.integers(2, 6),
    second=st.integers(2, 6),
    damages=st.tuples(st.integers(1, 3), st.integers(1, 3)),
    shots=st.tuples(st.integers(1, 6), st.integers(1, 6)),
    wounds=st.integers(1, 3),
)
def test_an_unwounded_unit_dies_alike_in_either_order(
    first: int, second: int, damages: tuple[int, int], shots: tuple[int, int], wounds: int
) -> None:
    """Two weapons into an unwounded uniform unit kill alike whichever fires first."""
    unit = Ladder((Rung(wounds, 4),))
    volleys = tuple(
        Volley(Flow((Draft("hit", need, then=(Harm(damage),)).stage(),)), count)
        for need, count, damage in zip((first, second), shots, damages, strict=True)
    )
    there = FLOATS.spread_after(volleys, unit, 0, unit.kills)
    back = FLOATS.spread_after(volleys[::-1], unit, 0, unit.kills)
    assert all(abs(float(one - other)) <= 1e-12 * max(one, other) for one, other in zip(there, back, strict=True))


def test_nothing_is_sent_by_a_flow_without_harm() -> None:
    """A flow that only counts leaves the target as it was."""
    nodes: Nodes = (HITS,)
    assert dict(FLOATS.after(Volley(Flow((fixed("hit", nodes),)), 3), Ladder((Rung(),)), 0)) == {0: 1.0}
