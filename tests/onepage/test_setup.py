"""Before and between the activations: setting up (DEPLOY, JOIN, RULE-SCOUT, RULE-DEEPSTRIKE), rounds (TURN), score (SCORE)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rolloff.situations.adjudicate import adjudicate
from tests.onepage.desk import Desk, Json, Ruling, answer, box, unit

E = "onepage-3.0"


def clause(*ids: str) -> pytest.MarkDecorator:
    """Mark the clauses of the third edition a test covers."""
    return pytest.mark.clause(E, *ids)


def waiting(id: str, side: str, n: int = 1, **more: Any) -> Json:
    """A unit not yet placed."""
    return unit(id, side, [None] * n, where="waiting", **more)


SIDES = {"A": {"marks": {"edge": "bottom"}}, "B": {"marks": {"edge": "top"}}}


def setting(units: list[Json], phase: str, side: str = "A", first: str = "A", terrain: list[Json] | None = None) -> Desk:
    """A table in the middle of setting up."""
    return Desk(units, terrain or [], active=side, round=0, clock={"phase": phase, "first": first}, sides=SIDES)


def phase(found: Ruling) -> tuple[str, str]:
    """What comes next and for whom."""
    return found.json["after"]["clock"]["phase"], found.json["after"]["active"]


# -- roll-off and sides ----------------------------------------------------------------------------------------------------


@clause("DEPLOY-1", "DICE-10", "DICE-1")
@pytest.mark.parametrize(("dice", "winner"), [([5, 3], "A"), ([2, 4], "B"), ([3, 3, 1, 6], "B")])
def test_the_roll_off_decides_who_deploys_first(dice: list[int], winner: str) -> None:
    """The higher die wins, ties roll again, and the winner declares and deploys first."""
    desk = Desk([waiting("a1", "A"), waiting("b1", "B")], round=0, clock={"phase": "roll-off"})
    found = desk.step("roll-off", dice=dice)
    assert (found.event("sides-chosen")["facts"]["side"], phase(found)) == (winner, ("declare", winner))


@clause("DEPLOY-2")
def test_the_winner_picks_an_edge_and_the_other_gets_the_opposite() -> None:
    """Any of the four edges may be picked; the opponent stands opposite."""
    desk = Desk([waiting("a1", "A"), waiting("b1", "B")], round=0, clock={"phase": "roll-off"})
    found = desk.step("roll-off", [answer("choose-side", "left")], dice=[5, 3])
    assert found.event("sides-chosen")["set"] == [["A", "mark:edge", "left"], ["B", "mark:edge", "right"]]


@clause("DEPLOY-2")
def test_short_edges_may_be_ruled_out() -> None:
    """With the switch off only the long edges are offered."""
    units = [waiting("a1", "A"), waiting("b1", "B")]
    desk = Desk(units, round=0, clock={"phase": "roll-off"}, switches={"allow_short_edges": False})
    held = desk.step("roll-off", dice=[5, 3], unanswered="stop")
    assert (held.pending or {})["options"] == ["bottom", "top"]


# -- declarations ----------------------------------------------------------------------------------------------------------


@clause("DEPLOY-7", "JOIN-3", "JOIN-4", "UNIT-4", "SCORE-4")
def test_a_hero_joins_a_squad_for_good() -> None:
    """A Hero that joins a squad of its Quality is one unit with it: size and points of both."""
    hero = waiting("a1", "A", rules=["Hero", "Tough(3)"], points=60)
    troop = waiting("a2", "A", 5, points=100)
    found = setting([hero, troop, waiting("b1", "B")], "declare").step("declare", [answer("choose-option", "a2")])
    assert found.unit("a1")["where"] == "merged"
    marks: Json = {}
    for mark in found.unit("a2")["marks"]:
        marks |= mark if isinstance(mark, dict) else {mark: 1}
    assert (marks["start_size"], marks["points"]) == (6, 160)
    assert phase(found) == ("declare", "B")


@clause("JOIN-3")
def test_a_hero_joins_only_its_own_quality() -> None:
    """A squad of another Quality is not offered."""
    hero = waiting("a1", "A", rules=["Hero"], q=3)
    held = setting([hero, waiting("a2", "A", 5, q=4), waiting("b1", "B")], "declare").step("declare", unanswered="stop")
    assert held.verdict == "legal"


@clause("JOIN-1")
def test_two_copies_may_merge() -> None:
    """Two copies of one unit may fight as one, and a third copy stays apart."""
    copies = [waiting(f"a{k}", "A", 3, points=50) for k in (1, 2, 3)]
    found = setting([*copies, waiting("b1", "B")], "declare").step("declare", [answer("choose-option", "a2")])
    assert [found.unit(f"a{k}")["where"] for k in (1, 2, 3)] == ["waiting", "merged", "waiting"]


@clause("RULE-TRANSPORT-2")
def test_infantry_may_start_aboard() -> None:
    """A squad may be declared to start inside a transport it fits in."""
    truck = waiting("a9", "A", type="vehicle", rules=["Transport(5)", "Tough(3)"])
    found = setting([truck, waiting("a1", "A", 5), waiting("b1", "B")], "declare").step(
        "declare", [answer("choose-option", "a9")]
    )
    assert found.unit("a1")["where"] == "a9"


@clause("RULE-DEEPSTRIKE-1")
def test_deep_strikers_may_be_kept_in_reserve() -> None:
    """The owner may keep a Deep Strike unit in reserve; nobody else is asked."""
    units = [waiting("a1", "A", rules=["Deep Strike"]), waiting("a2", "A"), waiting("b1", "B")]
    found = setting(units, "declare").step("declare", [answer("yes-no", True)])
    assert [found.unit(k)["where"] for k in ("a1", "a2")] == ["reserve", "waiting"]


# -- placing ---------------------------------------------------------------------------------------------------------------


@clause("DEPLOY-3")
@pytest.mark.parametrize(("y", "legal"), [(11.5, True), (11.6, False)])
def test_bases_stand_wholly_in_the_strip(y: float, legal: bool) -> None:
    """A base of one inch may have its centre 11.5 inches from the edge, not 11.6."""
    desk = setting([waiting("a1", "A"), waiting("b1", "B")], "deploy")
    found = desk.step("deploy", [answer("place", {"a1.1": [30, y]})])
    assert (found.verdict == "legal") is legal
    assert legal or (found.refusal or {})["clause"] == "DEPLOY-3"


@clause("DEPLOY-5", "BASE-3", "TERR-IMP-1")
@pytest.mark.parametrize(
    ("spots", "clause_id"),
    [
        ([[30, 5], [34, 5]], "DEPLOY-5"),
        ([[30, 5], [30.5, 5]], "BASE-3"),
        ([[40, 5], [42, 5]], "TERR-IMP-1"),
        ([[20.5, 5], [22, 5]], "DEPLOY-5"),
        ([[0.2, 5], [2, 5]], "BASE-3"),
    ],
)
def test_a_placed_unit_is_coherent_clear_and_apart(spots: list[list[float]], clause_id: str) -> None:
    """Incoherent, overlapping, in impassable ground, within an inch of another unit or off the table: refused."""
    pond = box("p", 39, 4, 43, 6, "impassable")
    units = [waiting("a1", "A", 2), unit("a2", "A", [(18.6, 5)]), waiting("b1", "B")]
    found = setting(units, "deploy", terrain=[pond]).step("deploy", [answer("place", {"a1.1": spots[0], "a1.2": spots[1]})])
    assert (found.refusal or {}).get("clause") == clause_id


@clause("DEPLOY-4")
def test_units_are_placed_in_turn_and_who_has_none_stops() -> None:
    """After A places, B is next; when B has none left A goes on."""
    two = [waiting("a1", "A"), waiting("a2", "A"), waiting("b1", "B")]
    assert phase(setting(two, "deploy").step("deploy")) == ("deploy", "B")
    alone = [waiting("a1", "A"), waiting("a2", "A"), unit("b1", "B", [(40, 40)])]
    assert phase(setting(alone, "deploy").step("deploy")) == ("deploy", "A")


@clause("DEPLOY-6")
def test_a_transport_is_placed_with_those_inside() -> None:
    """Placing the transport places its passengers: nothing of side A is left to place."""
    truck = waiting("a9", "A", type="vehicle", rules=["Transport(5)", "Tough(3)"])
    aboard = unit("a1", "A", [None] * 3, where="a9")
    found = setting([truck, aboard, unit("b1", "B", [(40, 40)])], "deploy").step("deploy")
    assert (phase(found)[0], found.unit("a1")["where"]) == ("round", "a9")


@clause("DEPLOY-9")
def test_placing_on_dangerous_ground_takes_no_test() -> None:
    """A vehicle may be placed facing anywhere, on dangerous ground, and no die is rolled."""
    mines = box("m", 0, 0, 72, 12, "dangerous")
    desk = setting([waiting("a1", "A", type="vehicle"), waiting("b1", "B")], "deploy", terrain=[mines])
    found = desk.step("deploy", [answer("place", {"a1.1": [30, 6, 45]})])
    assert (found.verdict, found.dice_used) == ("legal", 0)
    assert found.unit("a1")["models"][0]["facing"] == 45


@clause("DEPLOY-10")
def test_a_unit_without_room_is_lost() -> None:
    """If a unit cannot fit and its owner shifts nobody, it is lost and scores as destroyed."""
    pond = box("p", 0, 0, 72, 11.9, "impassable")
    found = setting([waiting("a1", "A", points=70), unit("b1", "B", [(40, 40)])], "deploy", terrain=[pond]).step(
        "deploy", ask=[{"score": "B"}]
    )
    assert ("lost" in found.kinds(), found.answers()) == (True, [70])


@clause("DEPLOY-8", "RULE-SCOUT-1")
def test_scouts_wait_for_all_others() -> None:
    """A Scout is not placed while another unit waits; then it stands anywhere over 12 inches from enemies."""
    units = [waiting("a1", "A", rules=["Scout"]), waiting("b1", "B")]
    assert phase(setting(units, "declare", "B").step("declare")) == ("deploy", "B")
    lone = [waiting("a1", "A", rules=["Scout"]), unit("b1", "B", [(36, 40)])]
    near = setting(lone, "scout").step("scout", [answer("place", {"a1.1": [36, 27]})])
    assert (near.refusal or {})["clause"] == "RULE-SCOUT-1"
    assert setting(lone, "scout").step("scout", [answer("place", {"a1.1": [36, 26.9]})]).verdict == "legal"


@clause("RULE-SCOUT-1")
def test_two_players_with_scouts_roll_off() -> None:
    """If both have Scouts a roll-off decides who places first."""
    units = [waiting("a1", "A", rules=["Scout"]), waiting("b1", "B", rules=["Scout"]), waiting("b2", "B")]
    found = setting(units, "deploy", "B").step("deploy", dice=[2, 5])
    assert phase(found) == ("scout", "B")


# -- reserves --------------------------------------------------------------------------------------------------------------


def reserve(round_: int, enemy: tuple[float, float] = (36, 40)) -> Desk:
    """A Deep Strike unit in reserve at the start of the round after ``round_``."""
    units = [
        unit("a1", "A", [None], where="reserve", rules=["Deep Strike"]),
        unit("a2", "A", [(5, 5)]),
        unit("b1", "B", [enemy]),
    ]
    return Desk(units, round=round_, clock={"phase": "round", "first": "A"}, sides=SIDES)


@clause("RULE-DEEPSTRIKE-2")
@pytest.mark.parametrize(("die", "arrives"), [(3, False), (4, True)])
def test_tv_r57_arrival_on_four(die: int, arrives: bool) -> None:
    """TV-R57: in round 2 a 3 keeps the unit in reserve, a 4 lets it arrive; with shift die 3 nobody may shift it."""
    found = reserve(1).step("round", dice=[die, 3] if arrives else [die])
    assert ("arrived" in found.kinds()) is arrives


@clause("RULE-DEEPSTRIKE-2")
def test_rolling_and_arriving_are_optional() -> None:
    """The owner may decline to roll, and may decline to arrive after a success."""
    assert reserve(1).step("round", [answer("yes-no", False)]).dice_used == 0
    assert "arrived" not in reserve(1).step("round", [answer("yes-no", True), answer("yes-no", False)], dice=[4]).kinds()


@clause("RULE-DEEPSTRIKE-2")
def test_nobody_arrives_in_round_one() -> None:
    """At the start of round 1 no reserve is rolled for."""
    found = reserve(0).step("round")
    assert found.dice_used == 0
    assert found.unit("a1")["where"] == "reserve"


@clause("TURN-7")
def test_who_is_on_the_table_or_aboard_needs_an_activation() -> None:
    """Offered are the units on the table and aboard that have not acted; one in reserve is not, one that arrived is."""
    truck = unit("a9", "A", [(20, 10)], type="vehicle", rules=["Transport(5)", "Tough(3)"])
    aboard, acted = unit("a1", "A", [None] * 2, where="a9"), unit("a2", "A", [(40, 10)], marks=["activated"])
    held = unit("a3", "A", [None], where="reserve", rules=["Deep Strike"])
    desk = Desk(
        [truck, aboard, acted, held, unit("b1", "B", [(36, 40)])], clock={"phase": "activate", "first": "A"}, sides=SIDES
    )
    assert (desk.step("activate", unanswered="stop").pending or {})["options"] == ["a9", "a1"]
    came = reserve(1).step("round", dice=[4, 3])
    later = Desk([], clock={"phase": "activate", "first": "A"}, sides=SIDES)
    later.situation |= came.json["after"]
    assert (later.step("activate", unanswered="stop").pending or {})["options"] == ["a1", "a2"]


@clause("RULE-DEEPSTRIKE-3")
def test_tv_r58_the_last_round_brings_everybody() -> None:
    """TV-R58: at the start of round 4 the unit arrives without an arrival die; the shift die is still rolled."""
    found = reserve(3).step("round", dice=[3])
    assert ("arrived" in found.kinds(), [roll["purpose"] for roll in found.rolls]) == (True, ["shift"])


@clause("RULE-DEEPSTRIKE-4")
@pytest.mark.parametrize(("y", "legal"), [(27.0, False), (26.9, True)])
def test_tv_r56_strictly_over_twelve_inches(y: float, legal: bool) -> None:
    """TV-R56: 12.0 inches from the nearest enemy is illegal, 12.1 is legal."""
    said = [answer("yes-no", True), answer("yes-no", True), answer("place", {"a1.1": [36, y]})]
    found = reserve(1).step("round", said, dice=[4, 6])
    assert (found.verdict == "legal") is legal
    assert legal or (found.refusal or {})["clause"] == "RULE-DEEPSTRIKE-4"


@clause("RULE-DEEPSTRIKE-5")
def test_the_opponent_may_shift_up_to_twelve_inches() -> None:
    """On 1-2 the opponent may shift the unit by a vector of 12 inches, not more, and not into the forbidden gap."""
    said = [answer("yes-no", True), answer("yes-no", True), answer("place", {"a1.1": [36, 20]})]
    ok = reserve(1).step("round", [*said, answer("place", {"a1.1": [48, 20]})], dice=[4, 2])
    assert ok.unit("a1")["models"][0]["at"] == [48, 20]
    far = reserve(1).step("round", [*said, answer("place", {"a1.1": [48.1, 20]})], dice=[4, 2])
    assert (far.refusal or {})["clause"] == "RULE-DEEPSTRIKE-5"
    near = reserve(1).step("round", [*said, answer("place", {"a1.1": [36, 28]})], dice=[4, 2])
    assert (near.refusal or {})["clause"] == "RULE-DEEPSTRIKE-4"


@clause("RULE-DEEPSTRIKE-6")
def test_an_arrived_unit_may_act_this_round() -> None:
    """After arriving the unit is among those that may be activated."""
    found = reserve(1).step("round", dice=[4, 6])
    held = Desk([], **{k: v for k, v in found.json["after"].items() if k not in ("edition", "units")})
    held.situation["units"] = found.json["after"]["units"]
    assert "hold" in held.ask(options="a1")


# -- rounds and turns ------------------------------------------------------------------------------------------------------


def armies(a: int, b: int, **more: Any) -> list[Json]:
    """Some single models a side, far apart."""
    ours = [unit(f"a{k}", "A", [(5 + 4 * k, 5)], **more) for k in range(1, a + 1)]
    return ours + [unit(f"b{k}", "B", [(5 + 4 * k, 40)], **more) for k in range(1, b + 1)]


def play_round(a: int, b: int) -> tuple[str, str]:
    """Everybody holds: the order of the turns, and who goes first in the next round."""
    desk = Desk(armies(a, b), round=1, active="A", clock={"phase": "activate", "first": "A"}, sides=SIDES)
    order = ""
    while True:
        found = desk.step("activate")
        order += desk.situation["active"]
        desk.situation = {"edition": E, **found.json["after"]}
        if found.json["after"]["clock"]["phase"] != "activate":
            return order, found.json["after"]["active"]


@clause("TURN-4", "TURN-5", "TURN-6", "TURN-8")
@pytest.mark.parametrize(
    ("a", "b", "order", "first"), [(3, 5, "ABABABBB", "A"), (5, 3, "ABABABAA", "B"), (4, 4, "ABABABAB", "A")]
)
def test_tv_r61_to_r63_turns_alternate(a: int, b: int, order: str, first: str) -> None:
    """TV-R61 to TV-R63: turns alternate, who runs out is skipped, and who ran out earlier goes first next."""
    assert play_round(a, b) == (order, first)


@clause("TURN-1", "SCORE-1", "SCORE-2")
def test_the_game_ends_after_four_rounds() -> None:
    """The last activation of round 4 ends the game; equal scores are a draw. In round 3 it would not."""
    last = Desk([*armies(1, 1)], round=4, clock={"phase": "activate", "first": "B"}, sides=SIDES)
    last.situation["units"][1]["marks"] = ["activated"]
    found = last.step("activate")
    assert (found.event("game-ended")["facts"]["winner"], phase(found)[0]) == ("draw", "over")
    third = Desk([*armies(1, 1)], round=3, clock={"phase": "activate", "first": "B"}, sides=SIDES)
    third.situation["units"][1]["marks"] = ["activated"]
    assert phase(third.step("activate"))[0] == "round"


@clause("TURN-2")
def test_a_round_begins_with_fresh_units() -> None:
    """Flags are cleared at the start of a round, and whoever is first in it has the first turn."""
    desk = Desk(armies(1, 1, marks=["activated"]), round=0, active="B", clock={"phase": "round", "first": "B"}, sides=SIDES)
    found = desk.step("round")
    assert phase(found) == ("activate", "B")
    assert not found.marks("a1") & {"activated"}


@clause("TURN-3")
@pytest.mark.parametrize(("dice", "winner"), [([5, 3], "A"), ([2, 4], "B")])
def test_the_winner_of_the_roll_off_has_the_first_turn_of_the_game(dice: list[int], winner: str) -> None:
    """From the roll-off through declaring and placing to the first turn: it is the winner's."""
    situation = Desk([waiting("a1", "A"), waiting("b1", "B")], round=0, clock={"phase": "roll-off"}).situation
    for _ in range(8):
        if situation["clock"]["phase"] != "activate":
            step = {**situation, "do": {"step": situation["clock"]["phase"]}, "dice": dice}
            situation, dice = situation | adjudicate(json.dumps(step).encode())["after"], []
    assert (situation["clock"]["phase"], situation["active"]) == ("activate", winner)


@clause("TURN-4")
def test_there_is_no_passing() -> None:
    """The player whose turn it is is offered units, and nothing else."""
    desk = Desk(armies(2, 1), round=1, clock={"phase": "activate", "first": "A"}, sides=SIDES)
    assert (desk.step("activate", unanswered="stop").pending or {})["options"] == ["a1", "a2"]


@clause("TURN-9")
@pytest.mark.parametrize(("switch", "over"), [(True, True), (False, False)])
def test_a_wipe_out_ends_the_game(switch: bool, over: bool) -> None:
    """A player with no unit left ends the game at once, unless the switch says otherwise."""
    gun = unit("a1", "A", [(20, 10)], weapons=['Gun (24", A1)'], q=2)
    more = unit("a2", "A", [(40, 10)])
    units = [gun, more, unit("b1", "B", [(20, 16)], q=6)]
    found = Desk(units, switches={"end_on_wipeout": switch}).activate("a1", "hold", dice=[2, 1])
    assert ("game-ended" in found.kinds()) is over


# -- score -----------------------------------------------------------------------------------------------------------------


@clause("SCORE-5")
@pytest.mark.parametrize(("switch", "score"), [(False, 0), (True, 100)])
def test_reserves_score_nothing_unless_agreed(switch: bool, score: int) -> None:
    """A unit still in reserve is not destroyed; the switch makes it count."""
    units = [unit("a1", "A", [(5, 5)]), unit("b1", "B", [None], where="reserve", rules=["Deep Strike"])]
    assert Desk(units, switches={"unarrived_counts_destroyed": switch}).ask(score="A") == score


@clause("SCORE-4")
@pytest.mark.parametrize(("switch", "score"), [(False, 0), (True, 60)])
def test_a_joined_hero_scores_with_its_unit(switch: bool, score: int) -> None:
    """A fallen Hero of a living unit scores nothing, unless the players score joined parts apart."""
    hero = unit("b1", "B", [None], where="merged", points=60, rules=["Hero"], models=[{"removed": True, "unit": "b2"}])
    troop = unit("b2", "B", [(30, 30), (32, 30)], points=100, marks=[{"start_size": 3}, {"points": 160}])
    assert Desk([unit("a1", "A", [(5, 5)]), hero, troop], switches={"score_joined_separately": switch}).ask(score="A") == score


@clause("UNIT-5", "SCORE-3")
def test_a_unit_is_destroyed_with_its_last_model() -> None:
    """Losing the last model to dangerous ground destroys the unit and scores for the enemy."""
    desk = Desk([unit("a1", "A", [(20, 10)]), unit("b1", "B", [(40, 40)])], [box("m", 15, 11, 25, 12, "dangerous")])
    found = desk.activate("a1", "walk", [answer("move", {"shift": [0, 4]})], dice=[1], ask=[{"score": "B"}])
    assert (found.unit("a1")["where"], found.answers()) == ("destroyed", [100])


# -- general ---------------------------------------------------------------------------------------------------------------


@clause("GEN-6")
@pytest.mark.parametrize(("agreed", "wounds"), [(True, 1), (False, 0)])
def test_an_override_needs_consent(agreed: bool, wounds: int) -> None:
    """A change by hand happens only when the other player agrees, and is logged either way."""
    desk = Desk([unit("a1", "A", [(10, 10)], rules=["Tough(3)"]), unit("b1", "B", [(40, 40)])])
    found = desk.rule(do={"override": {"by": "A", "wounds": ["a1.1", 1]}}, answers=[answer("yes-no", agreed)])
    assert found.unit("a1")["models"][0].get("wounds", 0) == wounds
    assert found.kinds() == ["overridden" if agreed else "not-agreed"]


@clause("GEN-6", "BASE-3")
def test_an_override_cannot_break_the_table() -> None:
    """Even by agreement no model is put upon another."""
    desk = Desk([unit("a1", "A", [(10, 10)]), unit("b1", "B", [(40, 40)])])
    found = desk.rule(do={"override": {"by": "A", "move": ["a1.1", 40, 40]}}, answers=[answer("yes-no", True)])
    assert (found.refusal or {})["clause"] == "BASE-3"


@clause("GEN-7")
def test_a_dispute_is_rolled_once() -> None:
    """A topic with a logged decision cannot be rolled again in that match."""
    desk = Desk([unit("a1", "A", [(10, 10)]), unit("b1", "B", [(40, 40)])])
    first = desk.rule(do={"dispute": {"topic": "cover", "text": "it counts"}}, dice=[3])
    desk.situation = {"edition": E, **first.json["after"]}
    again = desk.rule(do={"dispute": {"topic": "cover", "text": "it does not"}}, dice=[5])
    assert (again.refusal or {})["clause"] == "GEN-7"


@clause("GEN-8")
def test_a_single_option_is_carried_out_without_asking() -> None:
    """With one unit left to activate nobody is asked which; the first question is its action."""
    held = Desk(armies(1, 1), round=1, clock={"phase": "activate", "first": "A"}, sides=SIDES).step(
        "activate", unanswered="stop"
    )
    assert (held.pending or {})["kind"] == "choose-action"


@clause("GEN-9", "UNIT-3", "UNIT-1")
def test_a_rule_about_a_unit_covers_every_model() -> None:
    """A unit's Tough holds for each model, and one Quality serves hitting, blocking and morale."""
    enemy = unit("b1", "B", [(20, 16), (22, 16)], q=5, rules=["Tough(2)"])
    ours = unit("a1", "A", [(20, 10)], q=3, weapons=['Gun (24", A2)'])
    found = Desk([ours, enemy]).attack("a1", "b1", dice=[3, 3, 4, 4, 5])
    assert [roll["need"] for roll in found.rolls] == [3, 5, 5]
    assert len(found.attacks[0]["removed"]) == 1


@clause("DICE-13")
def test_the_same_seed_throws_the_same_dice() -> None:
    """Two runs from one seed and one decision list give the same log and state."""
    desk = Desk([unit("a1", "A", [(20, 10)], weapons=['Gun (24", A9)']), unit("b1", "B", [(20 + 2 * k, 16) for k in range(5)])])
    one, two = (desk.activate("a1", "hold", dice={"seed": 5}).json for _ in range(2))
    assert one == two
    assert desk.activate("a1", "hold", dice={"seed": 6}).json["rolls"] != one["rolls"]
