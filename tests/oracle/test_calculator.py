"""The calculator itself: tails, limits, starts, reports, and what it refuses to say."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from msgspec import Struct

from rolloff.errors import BadInput
from rolloff.oracle import fold
from rolloff.oracle.calculator import Calculator
from rolloff.oracle.draft import Draft
from rolloff.oracle.flow import (
    ATTACKS,
    BLOCKED,
    DAMAGE,
    HITS,
    MORTAL,
    WASTED,
    WOUNDS,
    Flow,
    Harm,
    Order,
    Side,
    Volley,
    Wave,
    Wound,
)
from rolloff.oracle.law import Law
from rolloff.oracle.powers import multiplied
from rolloff.oracle.roll import Dice
from rolloff.oracle.stage import check, fixed, number
from rolloff.oracle.target import Ladder, Ladders, Rung
from tests.oracle.brute import every_path, shot
from tests.oracle.pipelines import D3, Armour, keyword_flow, quality_flow

FULL = keyword_flow(3, 4, ap=-1, damage=D3, sustained=1, lethal=True, devastating=True, twin=True, ones=True)
TEN = Ladder((Rung(2, 10, guard=Armour(4), shrug=check("feel no pain", 5)),))


def test_far_tails_keep_their_digits() -> None:
    """A thousand hits on sixes in a thousand attacks: the smallest chances are right to twelve digits."""
    flow = Flow((Draft("hit", 6, then=(HITS,)).stage(),))
    spread = Calculator().spread(Volley(flow, 300), HITS)
    for hits in (0, 1, 50, 200, 299, 300):
        chance = Fraction(comb(300, hits) * 5 ** (300 - hits), 6**300)
        assert abs(float(spread[hits] - chance)) <= 1e-12 * chance
    assert abs(float(sum(spread)) - 1) < 1e-12
    assert min(spread) >= 0


@pytest.mark.parametrize("shape", [(1, 700, 700), (90, 60, 80), (700, 50, 9), (3, 90_000, 2)])
def test_products_in_pieces_are_the_whole_product(shape: tuple[int, int, int]) -> None:
    """Pieces that no thread shares, by columns or by rows, put together what one product of all gives; rows alone too."""
    rows, deep, wide = shape
    dice = np.random.default_rng(7)
    first, second = dice.random((rows, deep)), dice.random((deep, wide))
    assert np.allclose(multiplied(first, second), first @ second, rtol=1e-13)
    assert np.allclose(multiplied(first[0], second), first[0] @ second, rtol=1e-13)


def test_floats_and_rationals_are_the_same_law() -> None:
    """The whole keyword sequence with mortal wounds that spill: floats agree with rationals in every digit but the last."""
    near = Calculator().after(Volley(FULL, 6), TEN, 0)
    exact = Calculator(exact=True).after(Volley(FULL, 6), TEN, 0)
    assert exact.total() == 1
    assert all(abs(float(near[state] - chance)) <= 1e-12 * chance for state, chance in exact.items())


def test_counting_equals_walking_with_two_pools() -> None:
    """Two weapons whose mortal wounds differ share one pool of points at the end, as walked attack by attack."""
    small = keyword_flow(3, 4, damage=2, devastating=True)
    event = (Volley(FULL, 2), Volley(small, 2))
    exact = Calculator(exact=True)
    walked = exact._walked(event, TEN, 0, (), None, None)
    assert exact._folded(event, TEN, 0) is not None
    assert dict(exact.after(event, TEN, 0)) == {state: chance for (state, _, _), chance in walked.items()}


def test_results_pass_from_one_event_to_the_next() -> None:
    """Firing two units one after the other from a law of states equals one step that fires both."""

    def both(dice: Dice, first: Volley, second: Volley, ladder: Ladder) -> int:
        return dice.volley(second, ladder, dice.volley(first, ladder, 0).state).state

    ladder = Ladder((Rung(2, 3),))
    first, second = Volley(quality_flow(3, 5), 3), Volley(keyword_flow(damage=D3), 4)
    exact = Calculator(exact=True)
    law = exact.after(second, ladder, exact.after(first, ladder, 0))
    assert dict(law) == dict(exact.law(both, first, second, ladder))


def test_a_wounded_unit_is_a_start() -> None:
    """Two models gone and one wound on the third: the start is that rung, and kills count from there."""
    ladder = Ladder((Rung(2, 4), Rung(3)))
    start = ladder.start(kills=2, lost=1)
    assert (start, ladder.kills(start), ladder.lost_on_next(start)) == (5, 2, 1)
    assert ladder.start(kills=4, lost=2) == 10
    report = Calculator(exact=True).report(Volley(quality_flow(2, 6), 1), ladder, start)
    wound = Fraction(5, 6) * Fraction(5, 6)
    assert report.kills == [1 - wound, wound]


def test_a_report_tells_every_count() -> None:
    """Attacks, hits, blocks, wounds, damage, kills, waste and what is left on the next: each law by itself is right."""
    ladder = Ladder((Rung(2, 2, guard=Armour(5)),))
    volley = Volley(keyword_flow(4, 4, damage=3), 2)
    report = Calculator(exact=True).report(volley, ladder, 0)
    tallies = (ATTACKS, HITS, WOUNDS, DAMAGE, WASTED)
    tried = every_path(shot, (volley,), ladder, 0, tallies)
    for at, law in enumerate((report.attacks, report.hits, report.wounds, report.damage, report.wasted)):
        shown: dict[int, Fraction] = {}
        for (_, counts), chance in tried.items():
            shown[counts[at]] = shown.get(counts[at], Fraction(0)) + chance
        assert {value: chance for value, chance in enumerate(law) if chance} == shown
    assert report.destroyed == report.kills[2]
    assert sum(report.left_on_next) == 1
    assert report.ignored == [1]
    hit = Fraction(1, 2) * Fraction(1, 2)
    assert report.blocked[2] == (hit * Fraction(1, 3)) ** 2


def test_a_report_of_two_ladders() -> None:
    """Two ladders report their kills together, and the next model is the one that bears harm without an aim."""
    unit = Ladders((Ladder((Rung(1),)), Ladder((Rung(3),))))
    flow = Flow((fixed("strike", (WOUNDS, Harm(2))),))
    report = Calculator(exact=True).report(Volley(flow, 2), unit, unit.start())
    assert (report.kills, report.left_on_next, report.wasted) == ([0, 1], [0, 0, 1], [0, 1])


def test_a_packet_beside_ordinary_harm_is_still_tied() -> None:
    """Harm of one point in its turn and a packet of as many points are not the same, though one of each looks alike."""
    wound = Draft("wound", 2, then=(Harm(),)).react(6, add=(Harm(packet=True),))
    ladder = Ladder((Rung(3, 2),))
    volley = (Volley(Flow((wound.stage(),)), 4),)
    assert dict(Calculator(exact=True).law(shot, volley, ladder, 0, ())) == every_path(shot, volley, ladder, 0, ())


def test_mean_waste_of_great_damage() -> None:
    """Damage that is never spilled is wasted beyond the model: three on a one-wound model wastes two."""
    flow = Flow((fixed("strike", (Harm(3),)),))
    law = Calculator().after_counting(Volley(flow, 4), Ladder((Rung(1, 3),)), 0, WASTED, MORTAL)
    assert dict(law) == {(3, (6, 0)): 1.0}


def test_many_attacks_are_answered() -> None:
    """Ten thousand attacks have an answer, and its chances sum to one."""
    law = Calculator().after(Volley(quality_flow(4, 4, ignore=4), 10_000), Ladder((Rung(3, 20),)), 0)
    assert abs(float(law.total()) - 1) < 1e-9
    assert law[60] > 0.999
    hits = Calculator().spread(Volley(keyword_flow(sustained=2), 10_000), HITS)
    assert abs(float(sum(hits)) - 1) < 1e-9
    assert abs(float(sum(count * chance for count, chance in enumerate(hits))) - 10_000) < 1e-5


def test_too_many_attacks_name_the_limit() -> None:
    """Where harm of two waves depends on each other, so many attacks are refused with the limit in words."""
    with pytest.raises(BadInput, match=r"up to [0-9,]+ can be computed") as refused:
        Calculator().after(Volley(FULL, 10_000), TEN, 0)
    assert (refused.value.code, refused.value.where) == ("too-large", "attacks")


def test_halving_and_marching_agree_with_raising(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many attacks go half by half, very many one by one; on a few it gives the same law, tails included."""
    raised = Calculator().after(Volley(FULL, 12), TEN, 3)
    maybe = Volley(FULL, number("attacks", dice=2))
    either = Calculator().after((maybe, Volley(FULL, 3)), TEN, 0)
    for limit in ("SHORT", "LONG"):
        monkeypatch.setattr(fold, limit, 0)
        for found, other in (
            (Calculator().after(Volley(FULL, 12), TEN, 3), raised),
            (Calculator().after((maybe, Volley(FULL, 3)), TEN, 0), either),
        ):
            assert all(abs(float(found[state] - chance)) <= 1e-12 * chance for state, chance in other.items())


def test_walking_names_its_limit() -> None:
    """An event that must be walked and opens too many branches is refused, not endured."""
    with pytest.raises(BadInput, match="branches"):
        Calculator().law(shot, (Volley(FULL, 60),), TEN, 0, (BLOCKED,))


def test_no_attacks_change_nothing() -> None:
    """No attacks, or a random number that may be none, are laws like any other."""
    ladder = Ladder((Rung(),))
    assert dict(Calculator().after(Volley(quality_flow(4, 4), 0), ladder, 0)) == {0: 1.0}
    maybe = number("attacks", sides=3, plus=-1)
    flow = Flow((fixed("strike", (Harm(),)),))
    exact = Calculator(exact=True)
    assert dict(exact.after(Volley(flow, maybe), ladder, 0)) == {0: Fraction(1, 3), 1: Fraction(2, 3)}


def test_a_calculator_has_no_single_answer() -> None:
    """Asked for one roll outside of a law, it says so instead of making one up."""
    with pytest.raises(RuntimeError, match="law of a step"):
        Calculator().ask(check("morale", 4))


def test_harm_to_nobody_is_nothing() -> None:
    """Harm to a firer who is not at stake changes neither the target nor the counts."""
    burn = Harm(wave=Wave.AT_ONCE, on=Side.FIRER)
    flow = Flow((Draft("hit", 4, then=(Harm(),), otherwise=(burn,)).stage(),))
    law = Calculator(exact=True).after(Volley(flow, 1), Ladder((Rung(),)), 0)
    assert dict(law) == {0: Fraction(1, 2), 1: Fraction(1, 2)}


def test_flows_that_lead_nowhere_are_refused() -> None:
    """Edges must lead forward to a stage that exists, labels must differ, and a flow needs a start."""
    hit = Draft("hit", 4, then=("wound",)).stage()
    wound = Draft("wound", 4, then=(Harm(),)).stage()
    with pytest.raises(ValueError, match="does not follow"):
        Flow((hit,))
    with pytest.raises(ValueError, match="does not follow"):
        Flow((wound, hit))
    with pytest.raises(ValueError, match="labels of their own"):
        Flow((wound, wound))
    with pytest.raises(ValueError, match="cannot start"):
        Flow((hit, wound), start="save")
    with pytest.raises(ValueError, match="a packet is counted"):
        Harm(D3, packet=True)


def test_harm_at_once_must_not_depend_on_the_order_of_dice() -> None:
    """Rolled stage by stage, harm at once beside harm in turn on one side would have no place of its own."""
    stage = Draft("hit", 4, then=(Harm(wave=Wave.AT_ONCE),), otherwise=(Harm(2),)).stage()
    with pytest.raises(ValueError, match="at once"):
        Flow((stage,))
    assert Flow((stage,), Order.BY_ATTACK).exits()


def test_flows_and_volleys_are_keys() -> None:
    """Equal flows are one key, and show the way from their start."""
    assert quality_flow(4, 4) == quality_flow(4, 4)
    assert quality_flow(4, 4) != quality_flow(4, 5)
    assert quality_flow(4, 4) != "flow"
    assert Volley(quality_flow(4, 4), 2) == Volley(quality_flow(4, 4), 2)
    assert repr(quality_flow(4, 4, start="block")) == "<Flow block > regeneration, by stage>"


def test_a_law_reads_itself() -> None:
    """Laws map, average, sum from the far end, and list only what can happen."""
    law = Law([("a", Fraction(1, 4)), ("b", Fraction(1, 2)), ("a", Fraction(1, 4)), ("c", Fraction(0))])
    assert dict(law) == {"a": Fraction(1, 2), "b": Fraction(1, 2)}
    numbers = law.map(lambda letter: 1 if letter == "a" else 3)
    assert (numbers.mean(), numbers.mean(lambda value: value * 2)) == (2, 4)
    assert numbers.spread() == [0, Fraction(1, 2), 0, Fraction(1, 2)]
    assert numbers.at_least() == [1, 1, Fraction(1, 2), Fraction(1, 2)]
    assert numbers.chance(lambda value: value > 1) == Fraction(1, 2)
    assert (len(law), repr(Law([(1, 1.0)]))) == (2, "Law({1: 1.0})")


def test_damage_may_be_blunted_by_who_bears_it() -> None:
    """A model may take one point less, never none: the rung's own reading of the damage."""
    law = Calculator(exact=True).after(
        Volley(Flow((fixed("strike", (Wound(Harm(D3)),)),)), 1), Ladder((Rung(5, blunt=LessOne()),)), 0
    )
    assert dict(law) == {1: Fraction(2, 3), 2: Fraction(1, 3)}


class LessOne(Struct, frozen=True):
    """One point less, but at least one."""

    stated: bool = False

    def __call__(self, harm: Harm, damage: int) -> int:
        """The damage as the model takes it."""
        return max(damage - 1, 1)

    def own(self, harm: Harm, damage: int) -> int:
        """The damage as the attack has it."""
        return damage
