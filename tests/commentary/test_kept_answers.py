"""What is kept while nothing it depends on changes: at whom weapons may be fired, who is engaged, who may fight."""

from __future__ import annotations

import inspect

import pytest
from msgspec.structs import replace

from rolloff.editions import registry
from rolloff.editions.commentary.abilities import BOOK, SPECIALS
from rolloff.editions.commentary.ability import SHOOTING
from rolloff.editions.commentary.aftermath import MADE
from rolloff.editions.commentary.aiming import Weapons, able_at, in_reach
from rolloff.editions.commentary.attack import attack_of
from rolloff.editions.commentary.attack_case import Case
from rolloff.editions.commentary.bearing import settled
from rolloff.editions.commentary.choosing import able_uses
from rolloff.editions.commentary.detachments import detachments
from rolloff.editions.commentary.fighting import fighters, first_fighters
from rolloff.editions.commentary.matchup import Strike, flow_of, wound_draft
from rolloff.editions.commentary.shooting import FireOrder, targets_of
from rolloff.errors import BadInput, IllegalCommand
from rolloff.lab.duel import Match, chairs_of, setup_of
from rolloff.oracle.dice import SeededDice
from rolloff.oracle.oracle import Defaults, Oracle, Seats
from rolloff.rules.attack import AttackForm
from rolloff.rules.game import Game
from rolloff.rules.play import Play, play_step
from rolloff.rules.turns import on_table
from rolloff.table.event import Removed, patched
from rolloff.table.state import Marks, State
from tests.commentary.desk import Json, blade, gun, situation, squad
from tests.commentary.test_phases import asked

MM = 25.4


def desk(*units: Json) -> Play:
    """A play in which nobody is asked."""
    found = situation(list(units))
    return Play(found.game, found.state, Oracle(SeededDice(b""), Defaults()))


def marked(state: State, unit: int, *marks: tuple[str, int]) -> State:
    """A state in which a unit has some marks."""
    held: Marks = tuple(sorted(marks))
    return replace(state, units=tuple(replace(one, marks=held) if k == unit else one for k, one in enumerate(state.units)))


@pytest.mark.clause("commentary-10", "ONESHOT-1", "LIC-1", "SHOOT-1")
def test_aims_change_with_what_they_depend_on() -> None:
    """In one game: what was fired, whose enemy is engaged and who fell back fires no more; other marks change nothing."""
    play = desk(
        squad("a1", "A", 1, gun("One Shot", name="rocket"), gun(name="rifle"), at=[(10, 10)]),
        squad("b1", "B", 1, at=[(20, 10)]),
    )
    fresh = play.state

    def now(state: State) -> dict[int, Weapons]:
        play.state = state
        return targets_of(play, FireOrder(0))

    both, rifle = {1: ((0, 0), (0, 1))}, {1: ((0, 1),)}
    assert now(fresh) == both
    assert now(replace(fresh, models=((1, "allocated", 1),))) == both
    assert now(replace(fresh, models=((0, "fired:0", 1), (1, "allocated", 1)))) == rifle
    assert now(marked(fresh, 1, ("battle-shocked", 1))) == both
    assert now(marked(fresh, 1, ("engaged", 1))) == {}
    assert now(marked(fresh, 0, ("fell-back", 1))) == {}
    assert now(fresh) == both


@pytest.mark.clause("commentary-10", "FGT-1", "FGT-3")
def test_marks_let_units_fight_where_nobody_is_close() -> None:
    """Far from every enemy a unit fights if it charged or is marked as engaged, first if it charged, and else not."""
    play = desk(squad("a1", "A", 1, blade(), at=[(10, 10)]), squad("b1", "B", 1, at=[(30, 10)]))
    fresh, found = play.state, []
    for state in (fresh, marked(fresh, 0, ("charged", 1)), marked(fresh, 0, ("engaged", 1))):
        play.state = state
        found.append((fighters(play, 0), first_fighters(play, 0)))
    assert found == [([], []), ([0], [0]), ([0], [])]


@pytest.mark.clause("commentary-10", "ER-1", "B2B-2")
@pytest.mark.parametrize(("gap", "engaged"), [(0.9, ["b1"]), (1.1, []), (3.0, [])])
def test_a_hull_elsewhere_brings_others_no_nearer(gap: float, engaged: list[str]) -> None:
    """With an AIRCRAFT on the table, whose hull is near from further away, other units are engaged within 1" and no more."""
    plane = squad("b2", "B", 1, at=[(50, 40)], M="20+", keywords=["VEHICLE", "FLY", "AIRCRAFT"],
                  own=[{"base": {"circle": 60 / MM}, "height": 3}])  # fmt: skip
    units = [squad("a1", "A", 1, blade(), at=[(10, 10)], M=6), squad("b1", "B", 1, at=[(11 + gap, 10)], M=6), plane]
    assert asked(units, {"engaged": "a1"}, {"engaged": "b1"}) == [engaged, ["a1"] if engaged else []]


def judged(play: Play, unit: int, enemy: int) -> Weapons:
    """The weapons of a unit that may be fired at an enemy, as a case says, with nothing kept."""
    try:
        return able_uses(Case(play.game, play.state, AttackForm(unit, enemy, SHOOTING)))
    except (BadInput, IllegalCommand):
        return ()


@pytest.mark.clause("commentary-10", "SHOOT-2", "WITHIN-1", "VIS-1")
@pytest.mark.parametrize("index", range(6))
def test_weapons_of_units_at_ease_are_judged_as_cases_judge_them(index: int) -> None:
    """All through games, what may be fired at whom without a case is what a case says, and who is too far has no target."""
    match = Match("commentary-10", ("random", "random"), points=1000, seed=11)
    game, chairs = Game(registry.edition(match.edition), setup_of(match, index)), chairs_of(match, index)
    oracle, state, found = Oracle(SeededDice(b"aims"), Seats(tuple(chairs))), game.start(), 0
    for _ in range(150):
        state = play_step(game, state, oracle).state
        now = Play(game, state, oracle)
        for unit in on_table(now, state.clock.active):
            enemies = on_table(now, 1 - state.clock.active)
            near = in_reach(now, unit, enemies)
            for enemy in enemies:
                weapons = judged(now, unit, enemy)
                assert able_at(now, unit, enemy) == weapons
                assert enemy in near or not weapons
                found += bool(weapons)
    assert found


@pytest.mark.clause("commentary-10", "TER-1")
def test_cover_is_looked_up_late_as_it_would_be_at_once() -> None:
    """All through a game, whom terrain covers when a wound comes is whom it covers when the attack is declared."""
    match = Match("commentary-10", ("random", "random"), points=1000, seed=11)
    game, chairs = Game(registry.edition(match.edition), setup_of(match, 0)), chairs_of(match, 0)
    oracle, state, late = Oracle(SeededDice(b"cover"), Seats(tuple(chairs))), game.start(), 0
    for _ in range(150):
        state = play_step(game, state, oracle).state
        now = Play(game, state, oracle)
        for unit in on_table(now, state.clock.active):
            for enemy, weapons in targets_of(now, FireOrder(unit)).items():
                form = AttackForm(unit, enemy, SHOOTING, weapons=weapons[:1])
                rolled, plain = attack_of(Case(game, state, form), rolled=True), attack_of(Case(game, state, form))
                assert settled(rolled.bearers) == plain.bearers
                assert rolled.strikes == plain.strikes
                late += rolled.bearers != plain.bearers
    assert late


CIRCUMSTANCES = ("keywords", "models", "half_range", "charged", "stationary", "unseen", "below_half", "damaged")


@pytest.mark.clause("commentary-10", "TCOND-1")
@pytest.mark.parametrize("name", SPECIALS)
def test_abilities_name_the_circumstances_they_go_by(name: str) -> None:
    """A match-up tells only circumstances that one of its abilities says it goes by: each reads these and no others."""
    written = "".join(inspect.getsource(one) for one in type(SPECIALS[name]).__mro__ if one.__module__.startswith("rolloff."))
    assert {one for one in CIRCUMSTANCES if f"strike.{one}" in written} == set(SPECIALS[name].goes_by)


@pytest.mark.clause("commentary-10", "WPN-13")
def test_match_ups_alike_are_the_same() -> None:
    """Plain guns at a unit of five or of four are one match-up; those that add to the roll of who stood still are not."""
    enemy = squad("b1", "B", 5, at=[(20, 10 + k) for k in range(5)])
    play = desk(squad("a1", "A", 1, gun(name="rifle"), gun("Heavy", name="cannon"), at=[(10, 10)]), enemy)
    fewer = patched(play.state, Removed(5, 1))

    def strikes(state: State) -> tuple[Strike, ...]:
        return attack_of(Case(play.game, state, AttackForm(0, 1, SHOOTING))).strikes

    (rifle, cannon), (again, moved) = strikes(marked(play.state, 0, ("stationary", 1))), strikes(fewer)
    assert rifle == again
    assert cannon != moved


@pytest.mark.clause("commentary-10", "ATK-3")
@pytest.mark.parametrize("strength", [1, 2, 3, 4, 8, "-"])
def test_match_ups_rolled_alike_share_a_flow(strength: int | str) -> None:
    """Whatever Toughness a match-up stands for the Wound roll is its own, and a weapon without Strength has its bearer's."""
    play = desk(squad("a1", "A", 1, gun("Blast", S=4), at=[(10, 10)]), squad("b1", "B", 5, at=[(20, 10 + k) for k in range(5)]))
    (first,) = attack_of(Case(play.game, play.state, AttackForm(0, 1, SHOOTING))).strikes
    stats = tuple((key, strength if key == "S" else value) for key, value in first.weapon.stats)
    weapon, flows = replace(first.weapon, stats=stats), set()
    for toughness in range(1, 20):
        for own in (3, 6):
            strike = replace(first, weapon=weapon, toughness=toughness, bearer_toughness=own, models=toughness)
            flow = flow_of(strike, BOOK)
            stage = wound_draft(strike, BOOK).stage()
            assert flow.places["wound"] == stage and flow.places["wound"].audit == stage.audit
            flows.add(id(flow))
    assert len(flows) <= 10


def test_nobody_listens_to_attacks_made_but_for_who_fell() -> None:
    """That moment opens where models were destroyed: no Stratagem of the books names it, or it is about them."""
    rows = [row for one in detachments().values() for row in one.stratagems if MADE in row.at]
    assert {row.target for row in rows} <= {"fallen"}
