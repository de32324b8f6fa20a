"""Drafts: what rules may do to a stage before it is frozen."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rolloff.oracle.draft import Draft, Reroll, When
from rolloff.oracle.flow import HITS, Flow, Harm, Nodes
from rolloff.oracle.roller import Roller
from rolloff.oracle.stage import Keep, Stage
from tests.oracle.brute import every_path

SIXTH = Fraction(1, 6)


def asked(dice: Roller, stage: Stage[Nodes]) -> Nodes:
    """One roll as a step."""
    return dice.ask(stage)


@pytest.mark.parametrize("need", [2, 3, 4, 5, 6])
def test_plain_need(need: int) -> None:
    """A test of so much or more passes with (7 - need) chances in six."""
    assert Draft("hit", need).check().chance() == (7 - need) * SIXTH


@pytest.mark.parametrize("need", [2, 3, 4, 5, 6])
def test_rerolls_have_their_closed_forms(need: int) -> None:
    """Failures, successes, both, and ones rolled again: p(2-p), p squared, p, and p(1 + 1/6)."""
    p = (7 - need) * SIXTH
    assert Draft("hit", need).reroll(Reroll.FAILURES).check().chance() == p * (2 - p)
    assert Draft("hit", need).reroll(Reroll.SUCCESSES).check().chance() == p * p
    both = Draft("hit", need).reroll(Reroll.FAILURES).reroll(Reroll.SUCCESSES)
    assert both.check().chance() == p
    assert Draft("hit", need).reroll(Reroll.ONES).check().chance() == p + SIXTH * p
    assert Draft("hit", need).reroll(Reroll.ONES).reroll(Reroll.FAILURES).check().chance() == p * (2 - p)


@pytest.mark.clause("onepage-3.0", "DICE-7", "DICE-8")
def test_the_second_throw_stands_even_if_worse() -> None:
    """A success that must be rolled again is lost to a one, and no third die is drawn."""
    faces = [5, 1, 6]
    stage = Draft("hit", 4).reroll(Reroll.FAILURES).reroll(Reroll.SUCCESSES).check()
    assert not Roller(lambda n, label, sides=6: [faces.pop(0) for _ in range(n)]).ask(stage)
    assert faces == [6]


def test_the_second_throw_may_have_its_own_need() -> None:
    """A miss on 2+ may be rolled again at 5+: 5/6 and a third of the rest."""
    stage = Draft("hit", 2).natural().reroll(Reroll.FAILURES, need=5).check()
    assert stage.chance() == 5 * SIXTH + SIXTH * 2 * SIXTH
    assert stage.need == 2


@pytest.mark.parametrize(
    ("modifiers", "need", "faces"),
    [((-1, -1), 3, (4, 5, 6)), ((1, 1), 3, (2, 3, 4, 5, 6)), ((-1, -1, 1), 3, (4, 5, 6)), ((), 3, (3, 4, 5, 6))],
)
def test_modifiers_are_summed_and_then_limited(modifiers: tuple[int, ...], need: int, faces: tuple[int, ...]) -> None:
    """Modifiers are totalled before the total is clipped to one either way."""
    draft = Draft("hit", need).natural().limit(-1, 1)
    for modifier in modifiers:
        draft.modify(modifier)
    assert tuple(face for face in range(1, 7) if draft.check().read[face - 1]) == faces


def test_natural_results_beat_modifiers() -> None:
    """A one fails and a six succeeds whatever the number needed."""
    assert Draft("hit", 9).natural().check().chance() == SIXTH
    assert Draft("hit", -3).natural().check().chance() == 5 * SIXTH
    assert Draft("hit", None).check().chance() == 0


def test_criticals_succeed_and_may_be_fished_for() -> None:
    """A critical range counts as success; all but criticals may be rolled again to look for more."""
    draft = Draft("wound", 6, then=("plain",)).critical(4).react(When.CRITICAL, become=("critical",))
    assert draft.stage().chance(lambda nodes: nodes == ("critical",)) == 3 * SIXTH
    draft.reroll(Reroll.NOT_CRITICAL)
    assert draft.stage().chance(lambda nodes: nodes == ("critical",)) == 3 * SIXTH * 3 * SIXTH + 3 * SIXTH


def test_the_widest_critical_range_counts_unless_one_is_imposed() -> None:
    """Of two critical ranges the wider is used; a rule may still impose another."""
    draft = Draft("hit", 4).critical(5).critical(6)
    assert draft.critical_on == 5
    assert draft.only_critical(6).critical_on == 6


def test_reactions_read_the_final_face() -> None:
    """A six counts after re-rolls: with failures of 4+ rolled again it comes up (2 - p)/6 of the time."""
    draft = Draft("hit", 4, then=("hit",)).reroll(Reroll.FAILURES).react(6, become=("wound",))
    assert draft.stage().chance(lambda nodes: nodes == ("wound",)) == (2 - Fraction(1, 2)) / 6


def test_reactions_add_behind_what_they_become() -> None:
    """One rule may replace the result and another add to it; the added nodes come last."""
    draft = Draft("hit", 4, then=(HITS, "wound")).critical(6)
    draft.react(When.CRITICAL, add=("wound",)).react(When.CRITICAL, become=(HITS, "save"))
    assert draft.stage().read[5] == (HITS, "save", "wound")
    assert draft.stage().read[4] == (HITS, "wound")


def test_a_reaction_may_ask_for_a_failure_besides() -> None:
    """A six that does not wound can still set something off, and a six that does need not."""
    harm = Harm()
    draft = Draft("wound", None, then=("save",)).react(6, add=(harm,), passing=False)
    assert draft.stage().read[5] == (harm,)
    assert Draft("wound", 6, then=("save",)).react(6, add=(harm,), passing=False).stage().read[5] == ("save",)


def test_an_automatic_success_sets_nothing_off() -> None:
    """Without a die no reaction fires and no die is drawn."""
    draft = Draft("hit", 4, "A", then=("wound",)).critical(2).react(When.CRITICAL, add=("wound",)).automatic("B")
    stage = draft.stage()
    assert (stage.dice, stage.read, stage.why) == (0, (("wound",),), (("A", "B"),))


def test_clauses_sit_where_they_matter() -> None:
    """The plain clause is cited on every face, a re-roll on the faces rolled again, a reaction where it fires."""
    draft = Draft("hit", 4, "PLAIN").reroll(Reroll.ONES, "AGAIN").react(6, "SIX", add=("more",))
    stage = draft.stage()
    assert stage.why[0] == ("PLAIN", "AGAIN")
    assert stage.why[3] == ("PLAIN",)
    assert stage.why[5] == ("PLAIN", "SIX")
    twin = stage.read[0]
    assert isinstance(twin, Stage)
    assert twin.label == "hit>"
    assert not any(isinstance(entry, Stage) for entry in twin.read)
    assert stage.clauses() == ("PLAIN", "AGAIN", "SIX")


def test_a_limit_is_cited_only_where_it_clips() -> None:
    """The clause of a limit appears when modifiers went beyond it, and not otherwise."""
    assert Draft("hit", 4).modify(-1, "A").limit(-1, 1, "CAP").check().why[0] == ("A",)
    assert Draft("hit", 4).modify(-2, "A").limit(-1, 1, "CAP").check().why[0] == ("A", "CAP")


def test_the_audit_tells_every_change() -> None:
    """Each edit leaves a line: what changed, from what, to what, by which clause."""
    draft = Draft("hit", 4).set_need(2, "PRECISE").modify(-1, "STEALTH", what="stealth").reroll(Reroll.ONES, "ONES")
    lines = [(line.what, line.before, line.after, line.clauses) for line in draft.audit]
    assert lines == [
        ("need", 4, 2, ("PRECISE",)),
        ("stealth", 0, -1, ("STEALTH",)),
        ("re-roll", None, "ones", ("ONES",)),
    ]


def test_equal_drafts_give_the_same_stage() -> None:
    """A stage is written once and taken from the shelf afterwards."""
    assert Draft("hit", 4, "A", then=("x",)).stage() is Draft("hit", 4, "A", then=("x",)).stage()
    assert Draft("hit", 4, "A", then=("x",)).stage() is not Draft("hit", 4, "B", then=("x",)).stage()
    assert Draft("hit", 4, "A", then=("x",)).check().read[5] is True


class Bounded(Draft):
    """A draft by whose table no die needs less than 2."""

    def shown(self, need: int | None) -> int | None:
        """The least a die has to show."""
        found = super().shown(need)
        return None if found is None else max(found, 2)


def test_equal_tables_keep_the_trails_of_their_own() -> None:
    """Two drafts come to one table by different ways; each flow tells its own, whichever was joined first."""
    drafts = [Bounded("hit", need, then=(HITS,)).modify(1, what="aim").natural() for need in (2, 3)]
    stages = [draft.stage() for draft in drafts]
    assert stages[0] == stages[1]
    trails = [[(line.what, line.after) for line in Flow([stage]).places["hit"].audit] for stage in stages]
    assert trails == [[("base", 2), ("aim", 1), ("least", 2)], [("base", 3), ("aim", 1)]]


def test_a_trail_says_where_its_modifiers_end() -> None:
    """Modifiers beyond their limit have a line that says what they count as."""
    stage = Draft("hit", 4, then=(HITS,)).modify(-1).modify(-1).limit(-1, 1, "CAP").stage()
    assert [(line.what, line.before, line.after) for line in stage.audit][-1] == ("limit", -2, -1)


def test_two_dice_may_be_kept_or_summed() -> None:
    """The better of two dice against armour: a total of at least 5 needs one die of 5 or 6."""
    stage = Draft("armour", 5, dice=2, keep=Keep.HIGHEST).check()
    assert stage.chance() == 1 - Fraction(4, 6) ** 2
    assert Draft("nerve", 7, dice=2).check().chance() == Fraction(21, 36)


@given(
    need=st.integers(2, 7),
    modifier=st.integers(-2, 2),
    which=st.sets(st.sampled_from(list(Reroll))),
    critical=st.integers(4, 7),
    second=st.none() | st.integers(2, 6),
    faces=st.frozensets(st.integers(1, 6)),
)
def test_the_law_of_a_draft_is_that_of_its_dice(
    need: int, modifier: int, which: set[Reroll], critical: int, second: int | None, faces: frozenset[int]
) -> None:
    """Whatever a draft was made of, its law is what the roller finds over all faces, and no die is rolled thrice."""
    draft = Draft("hit", need, then=("then",), otherwise=("else",)).modify(modifier).limit(-1, 1).natural()
    draft.critical(critical).react(When.CRITICAL, add=("more",)).react(faces, become=("turned",))
    for one in sorted(which, key=lambda again: again.value):
        draft.reroll(one, need=second)
    stage = draft.stage()
    law = {result: Fraction(weight, stage.whole) for result, weight in stage.law()}
    assert law == every_path(asked, stage)
    assert stage.whole in (6, 36)
