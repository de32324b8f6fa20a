"""Corners where two or three clauses meet: borders and tolerances, orders of dice, mixed units, choices that bind."""

from __future__ import annotations

from typing import Any

import pytest

from rolloff.errors import BadInput
from tests.onepage.desk import Desk, Json, Ruling, answer, box, disc, unit

E = "onepage-3.0"
FOE = unit("b9", "B", [(65, 44)])
GUN_AT_B1 = answer("choose-target", "b1")
SIDES = {"A": {"marks": {"edge": "bottom"}}, "B": {"marks": {"edge": "top"}}}


def clause(*ids: str) -> pytest.MarkDecorator:
    """Mark the clauses of the third edition a test covers."""
    return pytest.mark.clause(E, *ids)


def row(id: str, side: str, n: int, y: float, **more: Any) -> Json:
    """n models side by side, an inch between them."""
    return unit(id, side, [(10 + 2 * k, y) for k in range(n)], **more)


def shot_at(
    enemies: Json, wounds: int, dice: list[int], said: tuple[Json, ...] = (), stop: bool = False, **more: Any
) -> Ruling:
    """One model with a gun of so many attacks holds and fires at b1."""
    gun = unit("a1", "A", [(10, 10)], weapons=[f'Gun (40", A{wounds})'])
    held = "stop" if stop else "default"
    return Desk([gun, enemies], **more).activate("a1", "hold", [GUN_AT_B1, *said], dice=dice, unanswered=held)


def faces(found: Ruling) -> list[tuple[str, list[int]]]:
    """Every handful of dice in order: what for, and the faces."""
    return [(roll["purpose"], roll["faces"]) for roll in found.rolls]


def refused(found: Ruling) -> str | None:
    """The clause that refuses, or None."""
    return (found.refusal or {}).get("clause")


def wounds_on(found: Ruling, id: str) -> dict[str, int]:
    """The wounds on the models of a unit that stand."""
    return {model["id"]: model.get("wounds", 0) for model in found.unit(id)["models"] if model.get("at")}


# -- shooting: groups, defaults, refusals ---------------------------------------------------------------------------------


@clause("RES-3", "TERR-COVER-6")
def test_shots_with_the_same_cover_from_two_sources_are_one_group() -> None:
    """A mortar that sees and one that does not fire at a unit in cover: all dice of each stage are rolled together."""
    mortars = unit("a1", "A", [(20, 10), (22.6, 10)], weapons=['Mortar (48", A1, Indirect)'], height=1)
    wall = box("w", 17, 13, 20.8, 14, height=4, solid=True)
    desk = Desk([mortars, unit("b1", "B", [(20, 18)], rules=["Tough(6)"], height=1)], [wall])
    found = desk.activate("a1", "hold", dice=[4, 4, 1, 5, 4])
    assert faces(found) == [("hit", [4, 4]), ("ignore", [1, 5]), ("block", [4])]


@clause("RULE-INDIRECT-1", "RES-3")
def test_only_the_blind_mortar_grants_cover() -> None:
    """Against a unit in the open the hits of the mortar that sees meet no ignore die, those of the blind one do."""
    mortars = unit("a1", "A", [(20, 10), (22, 10)], weapons=['Mortar (48", A1, Indirect)'], height=1)
    screen, enemy = unit("b2", "B", [(20, 15)], height=1), unit("b1", "B", [(20, 20)], rules=["Tough(6)"], height=1)
    desk = Desk([mortars, screen, enemy])
    assert [desk.ask(sight=[eye, "b1.1"]) for eye in ("a1.1", "a1.2")] == [False, True]
    found = desk.activate("a1", "hold", [GUN_AT_B1], dice={"hit": [4, 4], "ignore": [5], "block": [4]})
    assert faces(found) == [("hit", [4]), ("ignore", [5]), ("hit", [4]), ("block", [4])]


@clause("SHOOT-6")
@pytest.mark.parametrize(("covered", "weapon"), [(False, 0), (True, 1)])
def test_the_usual_weapon_minds_the_targets_cover(covered: bool, weapon: int) -> None:
    """Three plain attacks beat two Rending ones in the open, and lose to them against cover."""
    ours = unit("a1", "A", [(20, 10)], weapons=['Gun (24", A3)', 'Blaster (24", A2, Rending)'])
    wood = [box("c", 15, 17, 25, 19, "cover")] if covered else []
    desk = Desk([ours, unit("b1", "B", [(20, 18), (22, 18), (18, 18)])], wood)
    held = desk.activate("a1", "walk", [answer("move", "stay"), GUN_AT_B1], unanswered="stop")
    assert (held.pending or {})["default"] == [["a1.1", weapon]]


@clause("ARC-1", "SHOOT-5", "SHOOT-2", "SHOOT-11")
@pytest.mark.parametrize(("target", "clause_id"), [("b1", "ARC-1"), ("b2", "SHOOT-5"), ("b3", "SHOOT-2"), ("a2", "SHOOT-11")])
def test_a_refused_target_hears_the_true_reason(target: str, clause_id: str) -> None:
    """Beside the arc, out of range, behind a wall, or a friend: each is refused by its own clause."""
    gun = {"name": "Gun", "range": 24, "A": 1, "rules": [], "mount": "front"}
    tank = unit("a1", "A", [(20, 20)], type="vehicle", weapons=[gun], models=[{"marks": ["immobile"]}], height=1)
    enemies = [
        unit("b1", "B", [(20, 30)], height=1),
        unit("b2", "B", [(60, 20)], height=1),
        unit("b3", "B", [(40, 22)], height=1),
    ]
    wall = box("w", 36, 19, 37, 40, height=9, solid=True)
    desk = Desk([tank, unit("a2", "A", [(30, 18)], height=1), *enemies, unit("b4", "B", [(34, 20)], height=1)], [wall])
    assert refused(desk.activate("a1", "hold", [answer("choose-target", target)], dice={"seed": 1})) == clause_id


@clause("SHOOT-2", "SHOOT-3")
def test_sight_and_range_must_meet_in_one_model() -> None:
    """One model has the range and no sight, its fellow sight and no range: the enemy is no target for either."""
    ours = unit("a1", "A", [(20, 10), (22.5, 10)], weapons=['Pistol (12", A1)'], height=1)
    wall = box("w", 18, 14, 20.9, 15, height=5, solid=True)
    desk = Desk([ours, unit("b1", "B", [(20, 22.9)], height=1)], [wall])
    assert (desk.ask(sight=["a1.1", "b1.1"]), desk.ask(sight=["a1.2", "b1.1"])) == (False, True)
    assert refused(desk.activate("a1", "hold", [GUN_AT_B1])) == "SHOOT-2"


@clause("SHOOT-3", "SHOOT-5")
def test_range_to_one_model_and_sight_to_another_will_do() -> None:
    """The nearest enemy is in range but hidden, its fellow is seen but too far: the model may fire."""
    ours = unit("a1", "A", [(20, 10)], weapons=['Pistol (12", A1)'], height=1)
    enemies = unit("b1", "B", [(20, 22.5), (22, 24)], height=1)
    desk = Desk([ours, enemies], [box("w", 19, 15, 20.6, 16, height=5, solid=True)])
    assert (desk.ask(sight=["a1.1", "b1.1"]), desk.ask(sight=["a1.1", "b1.2"])) == (False, True)
    assert "shot" in desk.activate("a1", "hold", dice=[1]).kinds()


@clause("DICE-12", "SHOOT-8", "RULE-PIERCING-3")
def test_random_attacks_of_two_launchers_come_before_all_hits() -> None:
    """Two D3 weapons: both counts, then all to-hit dice, then all blocks, then the blocks rolled again."""
    launchers = row("a1", "A", 2, 10, weapons=['Launcher (24", AD3p)'])
    found = Desk([launchers, row("b1", "B", 5, 16)]).attack("a1", "b1", dice=[5, 2, 4, 4, 1, 4, 4, 1, 2, 4])
    assert faces(found) == [("attacks", [5, 2]), ("hit", [4, 4, 1, 4]), ("block", [4, 1, 2])]
    assert (found.rolls[2]["rerolls"], found.attacks[0]["wounds"]) == ([[0, 4]], 2)


@clause("DICE-9", "RULE-RENDING-1", "RULE-UNWIELDY-1")
def test_a_first_six_of_an_unwieldy_rending_weapon_must_go_again() -> None:
    """Linked, Unwieldy and Rending: a six rolled again as three is lost, a one rolled again as six rends."""
    ours = row("a1", "A", 1, 10, weapons=['Gun (24", A2, Linked, Unwieldy, Rending)'])
    found = Desk([ours, row("b1", "B", 5, 16)]).attack("a1", "b1", dice=[6, 1, 3, 6])
    assert (found.attacks[0]["hits"], found.attacks[0]["wounds"], found.dice_used) == (1, 1, 4)


@clause("RULE-POISON-1", "RULE-PIERCING-3", "RES-7")
@pytest.mark.parametrize(("cover", "dice"), [(False, [4, 4, 4, 4, 4, 3]), (True, [4, 4, 5, 4, 4, 3])])
def test_poison_with_piercing_passes_armor_and_throws_blocks_again(cover: bool, dice: list[int]) -> None:
    """Both rules on one weapon: Armored is passed, cover is still rolled at 5+, and blocks are rolled again."""
    ours = row("a1", "A", 1, 10, weapons=['Gun (24", A2p, Poison)'])
    found = Desk([ours, row("b1", "B", 5, 16, rules=["Armored"])]).attack("a1", "b1", cover=cover, dice=dice)
    assert [roll["need"] for roll in found.rolls if roll["purpose"] == "ignore"] == ([5] if cover else [])
    assert found.attacks[0]["wounds"] == 1


@clause("CAS-4", "RULE-TOUGH-4")
def test_packets_are_spent_before_pooled_wounds_whatever_the_order_of_fire() -> None:
    """A rifle's wound is rolled first but allocated last: the packet of two kills a Tough(2) model, the next bears one."""
    ours = row("a1", "A", 1, 10, weapons=['Rifle (30", A1)', 'Gun (24", A2x)'])
    enemies = row("b1", "B", 3, 16, rules=["Tough(2)"])
    found = Desk([ours, enemies]).attack("a1", "b1", dice=[4, 1, 4, 4, 1, 1])
    assert (len(found.attacks[0]["removed"]), sorted(wounds_on(found, "b1").values())) == (1, [0, 1])


# -- casualties -----------------------------------------------------------------------------------------------------------


@clause("CAS-3", "COH-3")
@pytest.mark.parametrize(("connected", "options"), [(False, ["b1.1", "b1.3", "b1.5"]), (True, ["b1.1", "b1.5"])])
def test_who_may_fall_minds_the_agreed_coherency(connected: bool, options: list[str]) -> None:
    """The middle of five may fall if two pairs are coherent, not if the players agreed on one chain."""
    held = shot_at(row("b1", "B", 5, 16), 1, [4, 1], stop=True, switches={"coherency_connected": connected})
    assert (held.pending or {})["options"] == options


HERO_BETWEEN: list[Json] = [{}, {"rules": ["Tough(3)", "Hero"]}, {}]


@clause("CAS-3", "RULE-TOUGH-3")
def test_the_order_of_wounds_must_keep_the_survivors_together() -> None:
    """To kill the hero between two far men would scatter them: ordinary men go first, and nobody is asked."""
    enemies = unit("b1", "B", [(10, 16), (13, 16), (16, 16)], models=HERO_BETWEEN)
    dice = [4, 4, 4, 1, 1, 1, 6]
    assert refused(shot_at(enemies, 3, dice, (answer("choose-option", "tough-first"),))) == "CAS-3"
    found = shot_at(enemies, 3, dice, stop=True)
    assert (sorted(found.attacks[0]["removed"]), wounds_on(found, "b1")) == (["b1.1", "b1.3"], {"b1.2": 1})


@clause("RULE-TOUGH-3")
@pytest.mark.parametrize(
    ("order", "n", "wounds", "removed", "left"),
    [
        ("ordinary-first", 3, 3, ["b1.2", "b1.3"], {"b1.1": 1}),
        ("tough-first", 5, 4, ["b1.1", "b1.5"], {"b1.2": 0, "b1.3": 0, "b1.4": 0}),
    ],
)
def test_wounds_spill_over_from_one_kind_to_the_other(
    order: str, n: int, wounds: int, removed: list[str], left: dict[str, int]
) -> None:
    """Once the picked kind is dead the rest falls on the other kind."""
    enemies = unit("b1", "B", [(10 + 2 * k, 16) for k in range(n)], models=[{"rules": ["Tough(3)", "Hero"]}])
    test = [6] if n == 3 else []
    found = shot_at(enemies, wounds, [4] * wounds + [1] * wounds + test, (answer("choose-option", order),))
    assert (sorted(found.attacks[0]["removed"]), wounds_on(found, "b1")) == (removed, left)


@clause("RULE-TOUGH-2", "CAS-2")
@pytest.mark.parametrize(("first", "left"), [("b1.4", {"b1.1": 0, "b1.2": 0, "b1.3": 0}), ("b1.2", {"b1.2": 2})])
def test_the_owner_picks_among_models_of_unlike_toughness(first: str, left: dict[str, int]) -> None:
    """Two wounds on Tough(3) and Tough(2) models: one weaker model dies, or a stronger one bears both."""
    kinds = [{"rules": ["Tough(3)"]}, {"rules": ["Tough(3)"]}, {"rules": ["Tough(2)"]}, {"rules": ["Tough(2)"]}]
    enemies = unit("b1", "B", [(10 + 2 * k, 16) for k in range(4)], models=kinds)
    said = (
        (answer("choose-model", first), answer("choose-model", first)) if first == "b1.2" else (answer("choose-model", first),)
    )
    found = shot_at(enemies, 2, [4, 4, 1, 1], said)
    assert left.items() <= wounds_on(found, "b1").items()
    assert found.attacks[0]["removed"] == (["b1.4"] if first == "b1.4" else [])


@clause("GEN-8", "CAS-5", "RULE-TOUGH-4")
def test_a_packet_that_a_wounded_model_must_take_raises_no_question() -> None:
    """Three wounds of one x weapon go to the wounded model, surplus lost: there is nothing to choose."""
    kinds: list[Json] = [{"rules": ["Tough(3)"]}, {"rules": ["Tough(3)"], "wounds": 2}]
    enemies = unit("b1", "B", [(10 + 2 * k, 16) for k in range(5)], models=kinds)
    ours = unit("a1", "A", [(10, 10)], weapons=['Gun (40", A3x)'])
    found = Desk([ours, enemies]).activate("a1", "hold", [GUN_AT_B1], dice=[4, 4, 4, 1, 1, 1], unanswered="stop")
    assert (found.verdict, found.attacks[0]["removed"]) == ("legal", ["b1.2"])


@clause("CAS-3")
def test_two_casualties_are_judged_by_the_final_set() -> None:
    """Of five at two-inch gaps the second may fall if the first follows: then only the first is left to choose."""
    enemies = unit("b1", "B", [(10 + 3 * k, 16) for k in range(5)])
    held = shot_at(enemies, 2, [4, 4, 1, 1], stop=True)
    assert (held.pending or {})["options"] == ["b1.1", "b1.2", "b1.4", "b1.5"]
    found = shot_at(enemies, 2, [4, 4, 1, 1], (answer("allocate", "b1.2"),), stop=True)
    assert sorted(found.attacks[0]["removed"]) == ["b1.1", "b1.2"]
    assert refused(shot_at(enemies, 2, [4, 4, 1, 1], (answer("allocate", "b1.3"),))) == "CAS-3"


# -- morale ---------------------------------------------------------------------------------------------------------------


@clause("MORALE-3", "MORALE-12", "VDMG-8")
def test_the_wound_of_the_vehicle_table_may_bring_it_to_half() -> None:
    """An Immobile vehicle with Tough(4) takes one wound and one from the table: two left, so it tests after both."""
    tank = unit("b1", "B", [(10, 20)], type="vehicle", facing=90, rules=["Tough(4)"], models=[{"marks": ["immobile"]}])
    found = shot_at(tank, 1, [4, 1, 1, 5, 3])
    assert [purpose for purpose, _ in faces(found)] == ["hit", "ignore", "block", "damage", "morale"]
    assert (wounds_on(found, "b1"), found.attacks[0]["morale"]) == ({"b1.1": 2}, "pinned")


@clause("MORALE-4", "UNIT-4")
def test_the_last_of_two_does_not_test_for_its_wounds() -> None:
    """Starting size two counts models: the lone survivor of a pair of Tough(6) takes four wounds and no test."""
    enemies = unit("b1", "B", [(10, 16)], rules=["Tough(6)"], start_size=2)
    assert shot_at(enemies, 4, [4] * 4 + [1] * 4).attacks[0]["morale"] == "none"


@clause("RES-11", "MELEE-20", "CAS-5")
def test_wounds_lost_on_one_model_still_win_the_melee() -> None:
    """Three wounds of an x blade remove one model and beat the two that come back."""
    ours = unit("a1", "A", [(20, 10)], weapons=["Blade (A3x)"], rules=["Tough(6)"])
    enemies = unit("b1", "B", [(20, 14), (21.01, 14), (22.02, 14), (23.04, 14)], weapons=["Medium CCW"])
    dice = [4, 4, 4, 1, 1, 1, 4, 4, 1, 1, 1, 1, 1, 1, 4]
    found = Desk([ours, enemies]).activate("a1", "assault", dice=dice)
    assert [(hit["wounds"], len(hit["removed"]), hit["morale"]) for hit in found.attacks] == [(3, 1, "passed"), (2, 0, "none")]


@clause("RULE-REGEN-1", "MELEE-21")
def test_a_regenerated_wound_makes_a_tie() -> None:
    """One wound that is regenerated was not caused: the melee is tied and nobody tests."""
    enemies = unit("b1", "B", [(20, 14)], rules=["Regeneration"])
    found = Desk([unit("a1", "A", [(20, 10)]), enemies]).activate("a1", "assault", dice=[4, 1, 5, 1])
    assert ("melee-tied" in found.kinds(), found.rolled("morale")) == (True, [])


@clause("PIN-5", "PIN-2", "MELEE-6")
def test_who_is_pinned_by_mines_on_the_way_fights_unwieldy() -> None:
    """Half of an assaulting pair is lost to mines, the test fails: the survivor fights on, hits rolled again."""
    ours = unit("a1", "A", [(20, 10), (21.2, 10)])
    desk = Desk([ours, unit("b1", "B", [(20, 16)])], [box("m", 10, 12, 30, 13, "dangerous")])
    dice = {"dangerous": [1, 6], "morale": [3], "hit": [4, 1], "hit>": [4], "block": [6]}
    found = desk.activate("a1", "assault", dice=dice)
    assert [purpose for purpose, _ in faces(found)] == ["dangerous", "morale", "hit", "block", "hit"]


# -- melee ----------------------------------------------------------------------------------------------------------------


@clause("MELEE-2", "MEAS-5")
@pytest.mark.parametrize(("gap", "offered"), [(12.0, True), (12.01, True), (12.011, False)])
def test_an_assault_reaches_to_the_hundredth(gap: float, offered: bool) -> None:
    """Twelve inches and a hundredth are within reach of an assault, a thousandth more is not."""
    desk = Desk([unit("a1", "A", [(10, 10)]), unit("b1", "B", [(round(11 + gap, 3), 10)])])
    assert ("assault" in desk.ask(options="a1")) is offered


@clause("MELEE-7")
def test_those_who_pile_in_do_not_wait_for_those_behind() -> None:
    """All three fellows of a line come as near as they can, so that each of the front three stands within two inches."""
    ours = unit("a1", "A", [(10, 10)], rules=["Tough(6)"])
    enemies = unit("b1", "B", [(10, 16), (12, 16), (14, 16), (16, 16)])
    found = Desk([ours, enemies]).activate("a1", "assault", [answer("move", {"a1.1": [[10, 15]]})], dice=[1, 1, 1, 1])
    assert found.attacks[1]["attacks"] == 3


@clause("MELEE-24", "MEAS-5")
@pytest.mark.parametrize(("far", "clause_id"), [(3.01, None), (3.02, "MELEE-24")])
def test_three_inches_after_a_melee_and_no_more(far: float, clause_id: str | None) -> None:
    """The move of a victor is three inches with a hundredth to spare, and its own clause refuses more."""
    desk = Desk([unit("a1", "A", [(20, 10)]), unit("b1", "B", [(20, 14)]), FOE])
    said = [answer("move", {"a1.1": [[20, 13]]}), answer("move", {"shift": [far, 0]})]
    assert refused(desk.activate("a1", "assault", said, dice=[4, 1])) == clause_id


@clause("MELEE-4")
@pytest.mark.parametrize(
    ("other", "x", "clause_id"), [("B", 21.005, "MELEE-4"), ("B", 21.05, None), ("A", 21.9, "MELEE-4"), ("A", 22, None)]
)
def test_an_assault_may_brush_by_enemies_but_not_touch_them(other: str, x: float, clause_id: str | None) -> None:
    """Next to a third enemy any gap will do but contact; a friend keeps its inch."""
    desk = Desk([unit("a1", "A", [(20, 10)]), unit("b1", "B", [(20, 14)]), unit("x1", other, [(x, 13)])])
    said = [answer("move", {"a1.1": [[20, 13]]})]
    said = [GUN_AT_B1, *said] if other == "B" else said
    assert refused(desk.activate("a1", "assault", said, dice={"seed": 1})) == clause_id


@clause("VDMG-7", "VDMG-12", "MELEE-26")
def test_a_vehicle_immobilised_in_melee_stays_where_it_is() -> None:
    """Three wounds and a six from the front immobilise the assaulting hull, and it does not step back."""
    tank = unit("a1", "A", [(20, 8)], type="vehicle", facing=90, rules=["Tough(9)"])
    enemy = unit("b1", "B", [(20, 14)], weapons=["Heavy CCW"])
    dice = {"attacks": [1], "hit": [1, 4, 4, 4], "block": [6, 1, 1, 1], "ignore": [1, 1, 1], "damage": [6], "morale": [6]}
    found = Desk([tank, enemy]).activate("a1", "assault", [answer("move", {"a1.1": [[20, 11]]})], dice=dice)
    assert ("stepped-back" in found.kinds(), found.unit("a1")["models"][0]["at"]) == (False, [20, 11])


@clause("RULE-LIMITED-1")
def test_a_limited_blade_serves_one_melee() -> None:
    """Three attacks of a Limited melee weapon are there once; in the next melee only the other weapon strikes."""
    ours = unit("a1", "A", [(20, 10)], weapons=["Bomb (A3, Limited)", "Light CCW"])
    first = Desk([ours, unit("b1", "B", [(20, 14)], rules=["Tough(9)"])]).activate("a1", "assault", dice=[1] * 5)
    later = Desk([], clock={"phase": "activate", "first": "A"})
    later.situation |= {**first.json["after"], "active": "A", "clock": {"phase": "activate", "first": "A"}}
    for fielded in later.situation["units"]:
        fielded["marks"] = [mark for mark in fielded["marks"] if mark != "activated"]
    again = later.activate("a1", "assault", dice=[1, 1])
    assert (first.attacks[0]["attacks"], again.attacks[0]["attacks"]) == (4, 1)


# -- moving ---------------------------------------------------------------------------------------------------------------


@clause("TERR-DIFF-1", "TYPE-VEH-5")
@pytest.mark.parametrize(("x", "clause_id"), [(17, None), (16.9, "TERR-DIFF-1"), (15, "TERR-DIFF-1")])
def test_reversing_into_mud_counts_double_against_the_cap(x: float, clause_id: str | None) -> None:
    """Three inches backward into difficult ground cost six; a little more breaks the cap, and its clause says so."""
    mud = box("d", 5, 15, 15, 25, "difficult")
    desk = Desk([unit("a1", "A", [(20, 20)], type="vehicle"), FOE], [mud])
    assert refused(desk.activate("a1", "walk", [answer("move", {"a1.1": [[x, 20]]})])) == clause_id


@clause("TERR-DIFF-1", "MOVE-1")
def test_a_move_too_long_in_any_case_is_refused_by_its_allowance() -> None:
    """On open ground thirteen inches of a run break the allowance; seven through a wood break the cap."""
    desk = Desk([unit("a1", "A", [(20, 10)]), FOE], [box("f", 5, 11, 40, 12, "difficult")])
    assert refused(desk.activate("a1", "run", [answer("move", {"shift": [13, 0]})])) == "MOVE-1"
    assert refused(desk.activate("a1", "run", [answer("move", {"shift": [0, 7]})])) == "TERR-DIFF-1"


@clause("MEAS-4")
@pytest.mark.parametrize(("y", "clause_id"), [(16, None), (14.2, None), (14.35, "MOVE-1")])
def test_turning_an_oval_base_takes_from_its_move(y: float, clause_id: str | None) -> None:
    """Straight on an oval goes six inches; turned by 90 degrees its rim reaches six inches earlier."""
    way = [20, y] if y == 16 else [20, y, 90]
    rider = unit("a1", "A", [(20, 10)], base={"oval": [1, 3]}, facing=0)
    assert refused(Desk([rider, FOE]).activate("a1", "walk", [answer("move", {"a1.1": [way]})])) == clause_id


@clause("JOIN-5", "MOVE-9", "RULE-FLYING-1")
def test_a_unit_moves_as_its_least_able_member() -> None:
    """One Fast and Flying model among plodders neither hastens nor lifts the unit."""
    mixed = unit("a1", "A", [(20, 10), (22, 10)], models=[{"rules": ["Fast", "Flying"]}])
    pond = box("p", 15, 12, 30, 13, "impassable")
    assert refused(Desk([mixed, FOE]).activate("a1", "walk", [answer("move", {"shift": [6.5, 0]})])) == "MOVE-1"
    assert refused(Desk([mixed, FOE], [pond]).activate("a1", "walk", [answer("move", {"shift": [0, 5]})])) == "TERR-IMP-1"


# -- cover and height -----------------------------------------------------------------------------------------------------


@clause("TERR-COVER-4", "MEAS-5")
@pytest.mark.parametrize(
    ("low", "high", "target", "covered"),
    [
        (11.2, 12, 13.51, True),  # the shooter leans on it, and the target is within an inch and a hundredth
        (11.2, 12, 13.52, False),
        (11.5, 12, 18, False),  # an inch before the shooter is not further than an inch
        (11.52, 12, 18, True),
    ],
)
def test_sandbags_cover_who_stands_at_them(low: float, high: float, target: float, covered: bool) -> None:
    """Behind a piece: the target is within an inch of it, or the shooter is further than an inch from it."""
    bags = box("s", 10, low, 30, high, "cover")
    assert Desk([unit("a1", "A", [(20, 10)]), unit("b1", "B", [(20, target)])], [bags]).ask(cover=["a1", "b1"]) is covered


@clause("TERR-COVER-4")
@pytest.mark.parametrize(("left", "covered"), [(16, True), (19.9, False)])
def test_of_two_equally_near_shooters_the_one_with_the_clear_line_counts(left: float, covered: bool) -> None:
    """A target is behind cover only if it is from both of two shooters at the same distance."""
    hedge = box("h", left, 13, 24, 14, "cover")
    desk = Desk([unit("a1", "A", [(18, 10), (22, 10)]), unit("b1", "B", [(20, 18)])], [hedge])
    assert desk.ask(cover=["a1", "b1"]) is covered


@clause("ELEV-2", "ELEV-4")
@pytest.mark.parametrize(("third", "covered"), [(18, True), (30, False)])
def test_the_level_of_a_unit_is_where_more_than_half_stand(third: float, covered: bool) -> None:
    """Three models at 3, 2 and 0 inches are a unit at 2; without the middle one it is at 0."""
    tower = box("t", 19, 17, 21, 19, "elevation", elevation=3, height=3)
    hill = box("h", 21.5, third - 1, 23, third + 1, "elevation", elevation=2, height=2)
    enemies = unit("b1", "B", [(20, 18), (22, 18), (24, 18)])
    assert Desk([unit("a1", "A", [(20, 10)]), enemies], [tower, hill]).ask(cover=["a1", "b1"]) is covered


# -- sight ----------------------------------------------------------------------------------------------------------------


def sees(*, terrain: tuple[Json, ...] = (), others: tuple[Json, ...] = (), target: Json | None = None) -> bool:
    """Whether a model at (30, 20) sees b1 at (40, 20), and b1 it."""
    enemy = target or unit("b1", "B", [(40, 20)], height=1)
    desk = Desk([unit("a1", "A", [(30, 20)], height=1), enemy, *others], terrain)
    found = {bool(desk.ask(sight=pair)) for pair in (["a1.1", "b1.1"], ["b1.1", "a1.1"])}
    assert len(found) == 1
    return found.pop()


@clause("LOS-3", "LOS-8")
@pytest.mark.parametrize(("d", "seen"), [(0.19, True), (0.195, False)])
def test_a_slanting_gap_between_two_walls_is_measured_across_the_line(d: float, seen: bool) -> None:
    """Two walls that overlap by 0.38 inch leave a slanting band of over a hundredth, by 0.39 one of 0.007."""
    walls = (box("w", 32, 20 - d, 33, 29, height=5, solid=True), box("v", 37, 11, 38, 20 + d, height=5, solid=True))
    assert sees(terrain=walls) is seen


@clause("LOS-6")
@pytest.mark.parametrize(("shape", "seen"), [("hook", False), ("arm", True)])
def test_a_hooked_piece_is_as_tall_as_at_its_lower_end(shape: str, seen: bool) -> None:
    """Up to a giant the line rises over the far arm alone; the whole hook begins where the line is still low."""
    hook = [[31, 23], [36, 23], [36, 17], [35, 17], [35, 22], [31, 22]]
    arm = [[35, 17], [36, 17], [36, 22], [35, 22]]
    piece = {"id": "w", "types": [], "polygon": hook if shape == "hook" else arm, "height": 1.2, "elevation": 0, "solid": True}
    assert sees(terrain=(piece,), target=unit("b1", "B", [(40, 20)], height=4)) is seen


@clause("LOS-6", "LOS-5")
@pytest.mark.parametrize(("x", "seen"), [(38.66, True), (38.7, False)])
def test_from_a_hill_one_looks_over_heads_up_to_a_point(x: float, seen: bool) -> None:
    """From three inches up the line passes over a model of another unit unless it stands too near the target."""
    hill = disc("h", 30, 20, 2, height=3, elevation=3, solid=True)
    assert sees(terrain=(hill,), others=(unit("c1", "B", [(x, 20)], height=1),)) is seen


@clause("LOS-3", "LOS-8")
@pytest.mark.parametrize(("r", "seen"), [(0.044, True), (0.047, False)])
def test_a_fence_is_seen_through_only_where_its_gaps_are_wide_enough(r: float, seen: bool) -> None:
    """Posts a tenth of an inch apart: gaps of 0.012 are seen through, gaps of 0.006 are not."""
    posts = tuple(disc(f"p{k}", 35, round(19.4 + 0.1 * k, 3), r, height=5, solid=True) for k in range(13))
    assert sees(terrain=posts) is seen


@clause("LOS-3")
def test_contact_sees_and_a_hair_more_does_not() -> None:
    """Bases in contact see each other through a sliver of a wall; with room for the wall between them they do not."""
    sliver = box("w", 30.503, 15, 30.507, 25, height=5, solid=True)
    assert sees(terrain=(sliver,), target=unit("b1", "B", [(31.01, 20)], height=1))
    wall = box("w", 30.503, 15, 30.517, 25, height=5, solid=True)
    assert not sees(terrain=(wall,), target=unit("b1", "B", [(31.02, 20)], height=1))


@clause("LOS-5", "LOS-3")
@pytest.mark.parametrize(("low", "seen"), [(0.48, True), (0.495, False)])
def test_the_corner_of_a_slanted_hull_leaves_a_gap_or_not(low: float, seen: bool) -> None:
    """A square hull on its corner hides a model behind it unless two hundredths of both bases show below."""
    hull = unit("c1", "B", [(35, round(20 + 2.828 - low, 3))], type="vehicle", base={"rect": [4, 4]}, facing=45, height=2.5)
    assert sees(others=(hull,)) is seen


@clause("ARC-3", "ARC-1")
@pytest.mark.parametrize(("mount", "walled", "fires"), [("front", False, True), ("front", True, False), ("turret", True, True)])
def test_the_same_point_must_be_in_the_arc_and_in_sight(mount: str, walled: bool, fires: bool) -> None:
    """What shows beside the wall is out of the arc, what is in the arc is behind the wall: only a turret fires."""
    gun = {"name": "Gun", "range": 48, "A": 1, "rules": [], "mount": mount}
    tank = unit("a1", "A", [(30, 20)], type="vehicle", weapons=[gun], models=[{"marks": ["immobile"]}])
    wall = [box("w", 34, 20, 34.5, 21.75, height=9, solid=True)] if walled else []
    found = Desk([tank, unit("b1", "B", [(40, 24.467)])], wall).activate("a1", "hold", dice=[1] if fires else [])
    assert ("shot" in found.kinds()) is fires


# -- setting up, rounds, situations ---------------------------------------------------------------------------------------


@clause("DEPLOY-3")
@pytest.mark.parametrize(("y", "clause_id"), [(9.17, None), (9.2, "DEPLOY-3")])
def test_a_slanted_hull_stands_wholly_in_the_strip(y: float, clause_id: str | None) -> None:
    """A hull of 3 by 5 at 45 degrees reaches 2.83 inches up from its centre."""
    units = [unit(id, side, [None], where="waiting", type="vehicle") for id, side in (("a1", "A"), ("b1", "B"))]
    desk = Desk(units, round=0, clock={"phase": "deploy", "first": "A"}, sides=SIDES)
    assert refused(desk.step("deploy", [answer("place", {"a1.1": [30, y, 45]})])) == clause_id


@clause("TURN-6")
def test_when_one_shot_ends_the_round_for_both_the_other_player_goes_first() -> None:
    """The last activation destroys the enemy's last unactivated unit: both are done, and the one who did not act is first."""
    units = [unit("a1", "A", [(10, 10)], weapons=['Gun (24", A1)']), unit("b1", "B", [(10, 16)])]
    acted = unit("b2", "B", [(40, 40)], marks=["activated"])
    found = Desk([*units, acted], clock={"phase": "activate", "first": "A"}).activate("a1", "hold", dice=[4, 1])
    assert (found.json["after"]["clock"]["phase"], found.json["after"]["clock"]["first"]) == ("round", "B")


@clause("RULE-TRANSPORT-1", "TYPE-INF-2", "TURN-1")
@pytest.mark.parametrize(
    ("rider", "round_", "clause_id"),
    [
        (unit("a1", "A", [None] * 3, where="a9"), 1, "RULE-TRANSPORT-1"),
        (unit("a1", "A", [None], where="a9", type="vehicle"), 1, "TYPE-INF-2"),
        (unit("a1", "A", [None] * 2, where="a9"), 5, "TURN-1"),
    ],
)
def test_situations_no_game_could_show_are_not_ruled_on(rider: Json, round_: int, clause_id: str) -> None:
    """Three models in two places, a vehicle aboard, a fifth round: unusable, by the clause that forbids it."""
    truck = unit("a9", "A", [(20, 20)], type="vehicle", rules=["Transport(2)"])
    with pytest.raises(BadInput) as caught:
        Desk([truck, rider, FOE], round=round_).ask(coherent="a9")
    assert caught.value.clause == clause_id


def in_reserve(round_: int, enemies: list[Json], phase: str, **more: Any) -> Desk:
    """A transport kept in reserve with a squad inside, and a scout of its side on the table."""
    truck = unit("a9", "A", [None], type="vehicle", where="reserve", rules=["Deep Strike", "Transport(5)", "Tough(3)"])
    units = [truck, unit("a1", "A", [None] * 2, where="a9"), unit("a2", "A", [(1, 1)]), *enemies]
    return Desk(units, round=round_, clock={"phase": phase, "first": "A"}, sides=SIDES, **more)


@clause("TURN-7", "RULE-DEEPSTRIKE-6")
def test_passengers_of_a_transport_in_reserve_need_no_activation() -> None:
    """Who waits inside a transport in reserve waits with it: only the unit on the table acts, the others have no options."""
    desk = in_reserve(1, [FOE], "activate")
    assert [desk.ask(options=name) for name in ("a1", "a9")] == [[], []]
    held = desk.step("activate", unanswered="stop")
    assert ((held.pending or {})["kind"], (held.pending or {})["about"]) == ("choose-action", "a2")
    came = in_reserve(1, [FOE], "round").step("round", dice=[4, 6])
    assert [came.unit(name)["where"] for name in ("a9", "a1")] == ["table", "a9"]


@clause("RULE-DEEPSTRIKE-3", "RULE-DEEPSTRIKE-6", "SCORE-3")
def test_a_transport_that_finds_no_room_is_lost_with_all_inside() -> None:
    """Enemies everywhere in the last round: the transport and its passengers are destroyed, and both score."""
    spots = [(x, y) for x in range(6, 72, 12) for y in range(6, 48, 12)]
    enemies = [unit(f"b{k}", "B", [spot]) for k, spot in enumerate(spots, 1)]
    found = in_reserve(3, enemies, "round").step("round", ask=[{"score": "B"}])
    assert [found.unit(name)["where"] for name in ("a9", "a1")] == ["destroyed", "destroyed"]
    assert (found.answers(), found.dice_used) == ([200], 0)


@clause("DEPLOY-10", "DEPLOY-6")
def test_a_transport_without_room_to_deploy_is_lost_with_all_inside() -> None:
    """A strip of water: the transport cannot be placed, and it is one placement with those inside."""
    truck = unit("a9", "A", [None], type="vehicle", where="waiting", rules=["Transport(5)", "Tough(3)"])
    units = [truck, unit("a1", "A", [None] * 2, where="a9"), FOE]
    desk = Desk(units, [box("p", 0, 0, 72, 11.9, "impassable")], round=0, clock={"phase": "deploy", "first": "A"}, sides=SIDES)
    found = desk.step("deploy", ask=[{"score": "B"}])
    assert ([found.unit(name)["where"] for name in ("a9", "a1")], found.answers()) == (["destroyed", "destroyed"], [200])


@clause("SCORE-5")
@pytest.mark.parametrize(("switch", "score"), [(False, 0), (True, 200)])
def test_passengers_that_never_arrived_score_with_their_transport(switch: bool, score: int) -> None:
    """If the players count who never arrived as destroyed, those inside a transport in reserve count too."""
    desk = in_reserve(1, [FOE], "activate", switches={"unarrived_counts_destroyed": switch})
    assert desk.ask(score="B") == score


@clause("RULE-PSYKER-3", "RULE-FAST-1", "MELEE-2")
def test_a_power_before_the_move_hastens_the_assault_it_precedes() -> None:
    """Quickening on itself before an assault: the way may be fifteen inches long, not only twelve."""
    seer = unit("a1", "A", [(20, 20)], rules=["Psyker(6)"], keywords=["power:Quickening"])
    desk = Desk([seer, unit("b1", "B", [(20, 30)]), FOE], sides={"A": {"marks": {"power-dice": 1}}})
    cast, way = answer("choose-option", "Quickening by a1.1"), answer("move", {"a1.1": [[26, 25], [20, 29]]})
    assert refused(desk.activate("a1", "assault", [answer("choose-option", "none"), way])) == "MOVE-1"
    found = desk.activate("a1", "assault", [cast, way], dice={"power": [1], "hit": [1, 1]})
    assert found.verdict == "legal"


@clause("RULE-TRANSPORT-8", "RULE-ARMORED-1", "RULE-ARMORED-3")
def test_armor_ignores_hits_of_a_wreck_before_blocks() -> None:
    """Three hits of a wreck on Armored passengers: one ignored, one blocked, one wound."""
    truck = unit("a9", "A", [(20, 20)], type="vehicle", rules=["Transport(10)"], q=6)
    squad = unit("a1", "A", [None] * 4, where="a9", rules=["Armored"])
    gun = unit("b1", "B", [(40, 20)], weapons=['Cannon (48", A1)'], q=2)
    found = Desk([truck, squad, gun], active="B").activate("b1", "hold", dice=[2, 1, 1, 3, 4, 1, 1, 4, 1])
    hit = found.attacks[1]
    assert (hit["hits"], hit["ignored"], hit["blocked"], hit["wounds"]) == (3, 1, 1, 1)


@clause("RULE-PSYKER-7", "RULE-REGEN-1", "MORALE-12")
def test_backlash_may_be_regenerated_and_tests_morale() -> None:
    """Three wounds of a backlash on Tough(4), one regenerated: two left is half, so the Psyker tests."""
    seer = unit("a1", "A", [(20, 20)], rules=["Psyker(2)", "Tough(4)", "Regeneration"], keywords=["power:Dread"])
    desk = Desk([seer, unit("b1", "B", [(30, 20)])], sides={"A": {"marks": {"power-dice": 2}}})
    said = [answer("choose-option", "Dread by a1.1"), answer("number", 2)]
    dice = {"power": [6, 6], "morale": [6, 3], "backlash": [6], "regeneration": [5, 4, 1]}
    found = desk.activate("a1", "hold", said, dice=dice)
    assert (wounds_on(found, "a1"), "pinned" in found.marks("a1")) == ({"a1.1": 2}, True)


@clause("GEN-8", "MELEE-1")
def test_an_answer_passes_by_a_question_that_needed_no_asking() -> None:
    """Foresight has one friend to go to, so nobody is asked; the next answer of that kind names the target of the assault."""
    seer = unit("a1", "A", [(20, 20)], rules=["Psyker(6)", "Tough(6)"], keywords=["power:Foresight"])
    enemies = [unit("b1", "B", [(20, 26)]), unit("b2", "B", [(26, 20)])]
    desk = Desk([seer, *enemies], sides={"A": {"marks": {"power-dice": 1}}})
    cast = answer("choose-option", "Foresight by a1.1")
    held = desk.activate("a1", "assault", [cast], dice=[1], unanswered="stop")
    assert (held.pending or {})["options"] == ["b1", "b2"]
    dice = {"power": [1], "hit": [1, 1], "hit>": [1]}
    for said in ([cast, answer("choose-target", "b2")], [cast, answer("choose-target", "a1"), answer("choose-target", "b2")]):
        assert desk.activate("a1", "assault", said, dice=dice).attacks[0]["target"] == "b2"
    assert refused(desk.activate("a1", "assault", [cast, answer("choose-target", "b7")], dice=dice)) is not None


# -- attacks as forms -----------------------------------------------------------------------------------------------------


@clause("SHOOT-5", "SHOOT-2", "SHOOT-11", "RULE-LIMITED-1")
@pytest.mark.parametrize(
    ("form", "clause_id"),
    [
        ({"target": "b1", "weapons": [["a1.1", 0]]}, "SHOOT-5"),  # a pistol at 19 inches
        ({"target": "b1", "range": 31}, "SHOOT-5"),
        ({"target": "b2"}, "SHOOT-2"),  # behind the wall
        ({"target": "b1", "visible": False}, "SHOOT-2"),
        ({"target": "a2"}, "SHOOT-11"),
        ({"target": "b1", "weapons": [["a1.1", 2]]}, "RULE-LIMITED-1"),
        ({"target": "b1", "weapons": [["a2.1", 0]]}, "SHOOT-1"),
        ({"target": "a2", "kind": "melee"}, "MELEE-1"),
    ],
)
def test_a_stated_attack_is_refused_by_the_clause_it_breaks(form: Json, clause_id: str) -> None:
    """Out of range, out of sight, at a friend, with a spent weapon or another unit's: each form is refused for its reason."""
    guns = ['Pistol (12", A1)', 'Rifle (30", A1)', 'Rocket (48", A1, Limited)']
    ours = unit("a1", "A", [(10, 10)], weapons=guns, models=[{"marks": ["used:2"]}], height=1)
    friend = unit("a2", "A", [(12, 10)], weapons=guns, height=1)
    enemies = [unit("b1", "B", [(10, 30)], height=1), unit("b2", "B", [(30, 10)], height=1)]
    wall = box("w", 20, 0, 21, 25, height=5, solid=True)
    stated = {"kind": "shooting", **form}
    assert refused(Desk([ours, friend, *enemies], [wall]).attack("a1", dice={"seed": 1}, **stated)) == clause_id


@clause("MEAS-7")
@pytest.mark.parametrize("what", ["distance", "sight", "cover", "facing"])
def test_nothing_is_measured_to_who_is_gone(what: str) -> None:
    """A destroyed unit has no position: every question about it is unusable, and says so."""
    gone = unit("b1", "B", [None], where="destroyed", models=[{"removed": True}])
    ruled = Desk([unit("a1", "A", [(10, 10)]), gone, FOE]).rule(ask=[{what: ["a1", "b1"]}])
    assert ruled.refused_asks() == ["MEAS-7"]


@clause("TYPE-VEH-5", "MELEE-2")
@pytest.mark.parametrize(
    ("enemy", "offered"),
    [((18, 20), True), ((17.9, 20), False), ((24, 25), True)],  # nine inches behind, a little more, behind to the left
)
def test_a_vehicle_may_assault_in_reverse(enemy: tuple[float, float], offered: bool) -> None:
    """Backward each inch costs two: an enemy nine inches behind the hull can be assaulted, one a little further cannot."""
    desk = Desk([unit("a1", "A", [(30, 20)], type="vehicle", facing=0), unit("b1", "B", [enemy])])
    assert ("assault" in desk.ask(options="a1")) is offered
    if offered:
        found = desk.activate("a1", "assault", dice={"seed": 1})
        assert found.kinds()[:3] == ["activated", "moved", "struck"]


@clause("RULE-FURIOUS-2", "MEAS-5")
@pytest.mark.parametrize(("gap", "offered"), [(6.01, True), (6.02, False)])
def test_storming_out_reaches_to_the_hundredth(gap: float, offered: bool) -> None:
    """Out of a transport the Furious assault six inches and a hundredth."""
    truck = unit("a9", "A", [(20, 20)], type="vehicle", rules=["Transport(5)"])
    squad = unit("a1", "A", [None], where="a9", rules=["Furious"])
    desk = Desk([truck, squad, unit("b1", "B", [(round(24 + gap, 3), 20)])])
    assert ("assault" in desk.ask(options="a1")) is offered


@clause("COH-6", "COH-5")
@pytest.mark.parametrize(
    ("fellow", "way", "action", "clause_id"),
    [
        (26, [22.5, 10], "walk", "COH-6"),  # was astray, and still would be
        (26, [23, 10], "walk", None),
        (23, [19, 10], "walk", "COH-5"),  # was together
        (60, [19, 10], "run", "COH-6"),  # too far to mend: no stray may go further away
    ],
)
def test_a_stray_unit_and_a_coherent_one_are_refused_by_their_own_clauses(
    fellow: float, way: list[float], action: str, clause_id: str | None
) -> None:
    """A unit found astray must come together or nearer by one clause, a coherent one must stay together by another."""
    desk = Desk([unit("a1", "A", [(20, 10), (fellow, 10)]), FOE])
    assert refused(desk.activate("a1", action, [answer("move", {"a1.1": [way]})])) == clause_id
