"""Actions (ACT), moving (MOVE), coherency (COH) and ground (TERR, ELEV)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.onepage.desk import Desk, Json, Ruling, answer, box, disc, unit

E = "onepage-3.0"
RIFLE = 'Rifle (30", A1)'
FOE = unit("b1", "B", [(60, 40)])


def clause(*ids: str) -> pytest.MarkDecorator:
    """Mark the clauses of the third edition a test covers."""
    return pytest.mark.clause(E, *ids)


def row(id: str, side: str, n: int, y: float, **more: Any) -> Json:
    """n models side by side, two inches from centre to centre, from x = 20."""
    return unit(id, side, [(20 + 2 * k, y) for k in range(n)], **more)


def shift(dx: float, dy: float) -> Json:
    """Move the whole unit by a vector."""
    return answer("move", {"shift": [dx, dy]})


def goes(units: list[Json], action: str, move: Json, terrain: list[Json] | None = None, dice: Any = ()) -> Ruling:
    """Unit a1 moves."""
    return Desk(units, terrain or []).activate("a1", action, [move], dice=dice)


def refused(found: Ruling) -> str | None:
    """The clause that refuses, or None."""
    return (found.refusal or {}).get("clause")


# -- actions ---------------------------------------------------------------------------------------------------------------


@clause("ACT-1", "ACT-5")
def test_hold_is_no_move_and_may_shoot() -> None:
    """A unit that holds stays where it is and may shoot; one action is all it gets."""
    desk = Desk([row("a1", "A", 1, 10, weapons=[RIFLE]), row("b1", "B", 3, 20)])
    found = desk.activate("a1", "hold", dice=[1])
    assert "shot" in found.kinds()
    assert "moved" not in found.kinds()
    assert "activated" in found.marks("a1") or found.unit("a1").get("activated")


@clause("ACT-2", "MOVE-1", "MOVE-10")
@pytest.mark.parametrize(("dy", "legal"), [(6, True), (6.02, False)])
def test_walk_is_six_inches_then_shooting(dy: float, legal: bool) -> None:
    """A Walk is up to 6 inches, with shooting afterwards."""
    units = [row("a1", "A", 1, 10, weapons=[RIFLE]), row("b1", "B", 3, 30)]
    found = goes(units, "walk", shift(0, dy), dice=[1] if legal else [])
    assert (found.verdict == "legal") is legal
    if legal:
        assert found.kinds().index("moved") < found.kinds().index("shot")


@clause("ACT-3", "MOVE-1")
@pytest.mark.parametrize(("dy", "legal"), [(12, True), (12.02, False)])
def test_run_is_twelve_inches_without_shooting(dy: float, legal: bool) -> None:
    """A Run is up to 12 inches and nobody shoots."""
    units = [row("a1", "A", 1, 10, weapons=[RIFLE]), row("b1", "B", 3, 30)]
    found = goes(units, "run", shift(0, dy))
    assert (found.verdict == "legal") is legal
    assert "shot" not in found.kinds()


@clause("MOVE-1", "TYPE-VEH-3", "TYPE-VEH-1", "RULE-FAST-1")
@pytest.mark.parametrize(
    ("type", "rules", "action", "most"),
    [
        ("infantry", ["Fast"], "walk", 9),
        ("infantry", ["Fast"], "run", 18),
        ("vehicle", [], "walk", 12),
        ("vehicle", [], "run", 18),
        ("vehicle", ["Fast"], "walk", 15),
        ("vehicle", ["Fast"], "run", 24),
    ],
)
def test_allowances_by_type_and_speed(type: str, rules: list[str], action: str, most: float) -> None:
    """The table of allowances: the full distance is legal, a little more is not."""
    units = [unit("a1", "A", [(10, 20)], type=type, rules=rules), FOE]
    assert refused(goes(units, action, shift(most, 0))) is None
    assert refused(goes(units, action, shift(most + 0.02, 0))) == "MOVE-1"


@clause("ACT-4", "RULE-FAST-1")
def test_the_fast_assault_eighteen_inches() -> None:
    """Fast infantry may assault a target 17 inches away, others may not."""
    enemy = unit("b1", "B", [(20, 28)])
    assert "assault" in Desk([row("a1", "A", 1, 10, rules=["Fast"]), enemy]).ask(options="a1")
    assert "assault" not in Desk([row("a1", "A", 1, 10), enemy]).ask(options="a1")


@clause("MOVE-9", "JOIN-5")
def test_a_mixed_unit_moves_as_its_slowest() -> None:
    """One model without Fast slows the whole unit to 6 inches."""
    units = [unit("a1", "A", [(20, 10), (22, 10)], models=[{"rules": ["Fast"]}]), FOE]
    assert refused(goes(units, "walk", shift(0, 6.1))) == "MOVE-1"


@clause("ACT-8", "MOVE-8", "MOVE-2")
def test_every_model_moves_for_itself() -> None:
    """Each model has the full allowance and may move less or not at all, in any direction whatever its facing."""
    units = [unit("a1", "A", [(20, 10), (22, 10)], facing=90), FOE]
    assert refused(goes(units, "walk", answer("move", {"a1.1": [[20, 12]]}))) is None
    assert refused(goes(units, "walk", answer("move", {"a1.1": [[16, 10]], "a1.2": [[17.5, 10]]}))) is None
    assert refused(goes(units, "walk", answer("move", {"a1.1": [[20, 16.1]], "a1.2": [[22, 16]]}))) == "MOVE-1"


@clause("ACT-9")
def test_powers_come_before_and_after_the_move() -> None:
    """The order of an activation: unit, action, powers, move, dangerous tests, shooting."""
    mines = box("m", 15, 11, 25, 12, "dangerous")
    units = [unit("a1", "A", [(20, 10)], rules=["Psyker(1)"], keywords=["power:Dread"], weapons=[RIFLE]), row("b1", "B", 3, 26)]
    desk = Desk(units, [mines], sides={"A": {"marks": {"power-dice": 2}}})
    said = [answer("choose-option", "Dread by a1.1"), answer("number", 1), shift(0, 4)]
    found = desk.activate("a1", "walk", said, dice=[1, 2, 1])
    order = [kind for kind in found.kinds() if kind in ("activated", "cast", "moved", "attacked", "shot")]
    assert order == ["activated", "cast", "moved", "attacked", "shot", "attacked"]


# -- gaps and bases --------------------------------------------------------------------------------------------------------


@clause("MOVE-3")
@pytest.mark.parametrize("side", ["A", "B"])
@pytest.mark.parametrize(("dy", "legal"), [(4.0, True), (4.05, False)])
def test_no_closer_than_an_inch_to_other_units(side: str, dy: float, legal: bool) -> None:
    """A gap of exactly one inch to friend or enemy is legal, less is not."""
    units = [row("a1", "A", 1, 10), unit("x1", side, [(20, 16)]), FOE]
    assert (refused(goes(units, "walk", shift(0, dy))) is None) is legal


@clause("MOVE-3", "MOVE-7")
def test_the_gap_holds_along_the_whole_way() -> None:
    """A path that passes too close to another unit is refused though it ends far away."""
    units = [row("a1", "A", 1, 10), unit("x1", "B", [(21.5, 13)]), FOE]
    assert refused(goes(units, "walk", shift(0, 6))) == "MOVE-3"
    bent = answer("move", {"a1.1": [[19, 11], [19, 15]]})
    assert refused(goes(units, "walk", bent)) is None


@clause("MOVE-4", "MELEE-4")
def test_only_an_assault_comes_closer() -> None:
    """What a Walk may not do, an assault may: end in contact."""
    units = [row("a1", "A", 1, 10), row("b1", "B", 1, 14)]
    assert refused(goes(units, "walk", shift(0, 3))) == "MOVE-3"
    assert Desk(units).activate("a1", "assault", [shift(0, 3)], dice=[1, 1]).verdict == "legal"


@clause("MOVE-5")
def test_who_starts_too_close_may_move_away() -> None:
    """A model half an inch from an enemy may walk away from it, not along it and not toward it."""
    units = [row("a1", "A", 1, 10), row("b1", "B", 1, 11.5)]
    assert refused(goes(units, "walk", shift(0, -3))) is None
    assert refused(goes(units, "walk", shift(0, -0.2))) == "MOVE-3"


@clause("MOVE-6", "BASE-3")
def test_through_fellows_but_not_onto_them_nor_through_others() -> None:
    """A model passes through its own unit's models but does not end on them, and never through other units."""
    units = [unit("a1", "A", [(20, 10), (20, 12)]), FOE]
    assert refused(goes(units, "walk", answer("move", {"a1.1": [[20, 14]]}))) is None
    assert refused(goes(units, "walk", answer("move", {"a1.1": [[20, 11.5]]}))) == "BASE-3"
    others = [row("a1", "A", 1, 10), unit("a2", "A", [(20, 13)]), FOE]
    assert refused(goes(others, "walk", shift(0, 6))) == "MOVE-3"


@clause("BASE-3", "MOVE-7")
def test_nobody_leaves_the_table() -> None:
    """A base must stay wholly on the table."""
    assert refused(goes([unit("a1", "A", [(3, 10)]), FOE], "walk", shift(-2.6, 0))) == "BASE-3"
    assert refused(goes([unit("a1", "A", [(3, 10)]), FOE], "walk", shift(-2.5, 0))) is None


@clause("MEAS-4", "MEAS-5")
def test_a_bent_way_counts_its_whole_length() -> None:
    """The centre path is measured along its bends, with a hundredth of an inch to spare."""
    units = [row("a1", "A", 1, 10), FOE]
    assert refused(goes(units, "walk", answer("move", {"a1.1": [[23, 10], [23, 13]]}))) is None
    assert refused(goes(units, "walk", answer("move", {"a1.1": [[23, 10], [23, 13.02]]}))) == "MOVE-1"


@clause("MOVE-11", "MEAS-6")
def test_climbing_costs_nothing() -> None:
    """The edge of an elevated piece may be climbed with no extra cost."""
    hill = disc("h", 20, 15, 3, "elevation", elevation=3, height=3, solid=True)
    assert refused(goes([row("a1", "A", 1, 10), FOE], "walk", shift(0, 6), [hill])) is None


# -- flying, striding ------------------------------------------------------------------------------------------------------


@clause("RULE-FLYING-1")
def test_flyers_pass_over_units_and_walls() -> None:
    """A Flying unit moves over another unit and impassable ground, but ends on neither."""
    wall = box("w", 15, 12, 25, 13, "impassable", height=4, solid=True)
    fly = row("a1", "A", 1, 10, rules=["Flying"])
    assert refused(goes([fly, FOE], "walk", shift(0, 5), [wall])) is None
    assert refused(goes([fly, FOE], "walk", shift(0, 2.5), [wall])) == "TERR-IMP-1"
    assert refused(goes([row("a1", "A", 1, 10), FOE], "walk", shift(0, 5), [wall])) == "TERR-IMP-1"
    over = [fly, unit("a2", "A", [(20, 12)]), FOE]
    assert refused(goes(over, "walk", shift(0, 5))) is None
    assert refused(goes(over, "walk", shift(0, 3.2))) == "MOVE-3"


@clause("RULE-FLYING-3")
def test_flying_vehicles_still_cannot_slip_sideways() -> None:
    """A Flying vehicle keeps the limits of a vehicle."""
    tank = unit("a1", "A", [(20, 20)], type="vehicle", rules=["Flying"])
    assert refused(goes([tank, FOE], "walk", shift(0, 3))) == "TYPE-VEH-5"


@clause("TERR-DIFF-3", "RULE-STRIDER-1", "RULE-FLYING-2")
@pytest.mark.parametrize("rule", ["Strider", "Flying"])
def test_striders_and_flyers_ignore_the_cap(rule: str) -> None:
    """Difficult ground does not slow a Strider or a flyer."""
    wood = box("f", 15, 12, 25, 13, "difficult")
    assert refused(goes([row("a1", "A", 1, 10, rules=[rule]), FOE], "run", shift(0, 12), [wood])) is None
    assert refused(goes([row("a1", "A", 1, 10), FOE], "run", shift(0, 12), [wood])) in ("MOVE-1", "TERR-DIFF-1")


@clause("TERR-DANG-6", "RULE-STRIDER-1", "RULE-FLYING-2")
@pytest.mark.parametrize(("rule", "dice"), [("Strider", [6]), ("Flying", [])])
def test_flying_ignores_danger_and_striding_does_not(rule: str, dice: list[int]) -> None:
    """A flyer rolls no die for dangerous ground, a Strider does."""
    mines = box("m", 15, 12, 25, 13, "dangerous")
    assert goes([row("a1", "A", 1, 10, rules=[rule]), FOE], "walk", shift(0, 5), [mines], dice).dice_used == len(dice)


# -- ground ----------------------------------------------------------------------------------------------------------------


@clause("TERR-IMP-1")
def test_impassable_ground_is_not_entered_or_crossed() -> None:
    """Neither a way across nor an end within impassable ground is legal."""
    pond = box("p", 15, 12, 25, 14, "impassable")
    for dy in (2, 6):
        assert refused(goes([row("a1", "A", 1, 10), FOE], "walk", shift(0, dy), [pond])) == "TERR-IMP-1"


@clause("TERR-IMP-2", "LOS-4", "TERR-OPEN-1")
def test_deep_water_does_not_block_sight() -> None:
    """Impassable ground blocks sight only if it is solid; a forest never does; open ground does nothing."""
    units = [row("a1", "A", 1, 10), row("b1", "B", 1, 20)]
    for types, solid, seen in ((["impassable"], False, True), (["impassable"], True, False), (["cover"], False, True)):
        piece = box("p", 10, 14, 30, 16, *types, height=5, solid=solid)
        assert Desk(units, [piece]).ask(sight=["a1.1", "b1.1"]) is seen
    plain = box("o", 5, 5, 30, 30, "open")
    assert refused(goes([row("a1", "A", 1, 10), FOE], "run", shift(0, 12), [plain])) is None


@clause("TERR-GEN-1", "TABLE-4")
def test_a_piece_may_have_several_types() -> None:
    """A thicket that is difficult and dangerous both caps and wounds."""
    thicket = box("t", 15, 12, 25, 13, "cover", "difficult", "dangerous")
    units = [row("a1", "A", 1, 10), FOE]
    assert goes(units, "run", shift(0, 6), [thicket], [6]).dice_used == 1
    assert refused(goes(units, "run", shift(0, 7), [thicket])) is not None


@clause("TERR-DIFF-2")
def test_the_cap_holds_for_all_and_from_the_start() -> None:
    """One model that starts in difficult ground caps the whole unit."""
    wood = box("f", 19, 9, 20.6, 11, "difficult")
    units = [unit("a1", "A", [(20, 10), (22, 10)]), FOE]
    assert refused(goes(units, "run", shift(0, 6.1), [wood])) is not None
    assert refused(goes(units, "run", shift(0, 6), [wood])) is None


@clause("TERR-DANG-3")
def test_one_die_for_each_model_and_piece() -> None:
    """Two models crossing two minefields roll four dice; moving out of one counts as across."""
    mines = [box("m", 15, 12, 30, 12.4, "dangerous"), box("n", 15, 13, 30, 13.4, "dangerous")]
    assert goes([row("a1", "A", 2, 10), FOE], "walk", shift(0, 5), mines, [6] * 4).dice_used == 4
    within = box("m", 15, 9, 30, 11, "dangerous")
    assert goes([row("a1", "A", 1, 10), FOE], "walk", shift(0, 5), [within], [6]).dice_used == 1


@clause("TERR-DANG-5", "TERR-DANG-4")
def test_stepping_back_takes_no_dangerous_test() -> None:
    """An assault across mines tests once; pile-in and stepping back in them do not."""
    mines = box("m", 0, 12, 72, 30, "dangerous")
    desk = Desk([row("a1", "A", 1, 10), unit("b1", "B", [(20, 14), (22.6, 14)])], [mines])
    found = desk.activate("a1", "assault", dice=[6, 1, 1, 1])
    assert {"piled-in", "stepped-back"} <= set(found.kinds())
    assert found.rolled("dangerous") == [6]


@clause("TERR-GEN-2")
def test_within_is_the_centre_and_touching_is_any_part() -> None:
    """A base that only overlaps a cover piece is not within it; a way that brushes mines tests."""
    edge = box("c", 20.1, 19, 24, 21, "cover")
    assert Desk([unit("a1", "A", [(40, 20)]), unit("b1", "B", [(20, 20)])], [edge]).ask(cover=["b1", "a1"]) is False
    brushed = box("m", 20.4, 12, 30, 13, "dangerous")
    assert goes([row("a1", "A", 1, 10), FOE], "walk", shift(0, 5), [brushed], [6]).dice_used == 1


@clause("TERR-COVER-1", "TERR-COVER-6", "RULE-STEALTH-1")
@pytest.mark.parametrize(("rules", "rise"), [(["Stealth"], 3), ([], 3), ([], 0)])
def test_cover_is_one_effect_against_shooting_only(rules: list[str], rise: float) -> None:
    """A unit in a forest, on a hill or not, Stealthy or not, rolls one die at 5+ against shooting, none in melee."""
    wood = box("f", 10, 14, 40, 18, "cover", *(["elevation"] if rise else []), elevation=rise, height=3)
    enemy = row("b1", "B", 2, 16, rules=rules, q=6)
    shot = Desk([row("a1", "A", 1, 10, weapons=[RIFLE]), enemy], [wood]).attack("a1", "b1", dice=[4, 5])
    assert (shot.rolls[1]["need"], shot.attacks[0]["ignored"]) == (5, 1)
    close = Desk([row("a1", "A", 1, 15), enemy], [wood]).attack("a1", "b1", "melee", dice=[4, 6])
    assert close.rolled("ignore") == []


@clause("RULE-STEALTH-1")
def test_stealth_always_counts_as_cover() -> None:
    """A Stealthy unit in the open is in cover."""
    desk = Desk([row("a1", "A", 1, 10), row("b1", "B", 2, 16, rules=["Stealth"])])
    assert desk.ask(cover=["a1", "b1"]) is True


@clause("TERR-COVER-4")
@pytest.mark.parametrize(("wall_y", "cover"), [(15, True), (10.8, False)])
def test_behind_cover_but_not_over_ones_own_sandbags(wall_y: float, cover: bool) -> None:
    """A barricade near the target covers it; one right before the shooter does not."""
    sandbags = box("s", 15, wall_y, 25, wall_y + 0.4, "cover", height=0.75)
    assert Desk([row("a1", "A", 1, 10), row("b1", "B", 1, 16.2)], [sandbags]).ask(cover=["a1", "b1"]) is cover


@clause("TERR-COVER-5")
def test_a_building_that_hides_half_gives_cover() -> None:
    """Models half hidden by a solid blocker count as behind cover; a low one or friends between do not."""
    units = [row("a1", "A", 1, 10), row("b1", "B", 1, 20)]
    assert Desk(units, [box("h", 19.9, 14, 24, 16, "impassable", height=4, solid=True)]).ask(cover=["a1", "b1"]) is True
    assert Desk(units, [box("h", 19.9, 14, 24, 16, height=0.3, solid=True)]).ask(cover=["a1", "b1"]) is False
    between = unit("a2", "A", [(20.3, 15)])
    assert Desk([*units, between]).ask(cover=["a1", "b1"]) is False


@clause("ELEV-4", "ELEV-1", "ELEV-2")
def test_higher_ground_is_cover_from_below() -> None:
    """A target three inches up is in cover from below, and not the other way round."""
    hill = disc("h", 20, 20, 2, "elevation", elevation=3, height=3)
    desk = Desk([row("a1", "A", 1, 10), row("b1", "B", 1, 20)], [hill])
    assert (desk.ask(cover=["a1", "b1"]), desk.ask(cover=["b1", "a1"])) == (True, False)


# -- coherency -------------------------------------------------------------------------------------------------------------


@clause("COH-5", "COH-4")
def test_a_move_must_end_coherent() -> None:
    """A coherent unit may not end its move with a model more than 2 inches from all others."""
    units = [unit("a1", "A", [(20, 10), (22, 10)]), FOE]
    assert refused(goes(units, "walk", answer("move", {"a1.1": [[18.8, 10]]}))) == "COH-5"
    assert refused(goes(units, "walk", answer("move", {"a1.1": [[19, 10]]}))) is None


@clause("COH-2")
def test_twelve_inches_from_every_fellow() -> None:
    """A chain of models longer than 12 inches is not coherent."""
    chain = [(10 + 2.9 * k, 10) for k in range(6)]
    assert Desk([unit("a1", "A", chain), FOE]).ask(coherent="a1") is False
    assert Desk([unit("a1", "A", chain[:5]), FOE]).ask(coherent="a1") is True


@clause("COH-3")
@pytest.mark.parametrize(("connected", "coherent"), [(False, True), (True, False)])
def test_separate_pairs_are_coherent_unless_agreed(connected: bool, coherent: bool) -> None:
    """Two pairs five inches apart are coherent by the letter; the switch asks for one chain."""
    pairs = unit("a1", "A", [(20, 10), (22, 10), (28, 10), (30, 10)])
    assert Desk([pairs, FOE], switches={"coherency_connected": connected}).ask(coherent="a1") is coherent


@clause("COH-6", "ACT-7")
def test_a_scattered_unit_must_come_together() -> None:
    """Hold is not offered to a unit out of coherency, and its Walk must end coherent."""
    units = [unit("a1", "A", [(20, 10), (25, 10)]), FOE]
    assert "hold" not in Desk(units).ask(options="a1")
    assert refused(goes(units, "walk", shift(0, 2))) in ("COH-5", "COH-6")
    assert refused(goes(units, "walk", answer("move", {"a1.1": [[23, 10]]}))) is None


@clause("COH-6")
def test_a_unit_too_scattered_must_run_nearer() -> None:
    """If no action brings it together, the unit must Run and every stray ends nearer to its closest fellow."""
    units = [unit("a1", "A", [(10, 10), (50, 10)]), FOE]
    assert Desk(units).ask(options="a1") == ["run"]
    assert goes(units, "run", answer("move", {"a1.1": [[12, 10]], "a1.2": [[48, 10]]})).verdict == "legal"
    assert goes(units, "run", answer("move", {"a1.1": [[9, 10]]})).verdict == "refused"


@clause("COH-7")
def test_pile_in_may_break_coherency() -> None:
    """A pile-in that cannot bring a fellow near enough is tolerated until the next activation."""
    enemies = unit("b1", "B", [(20, 16), (23, 16), (29.5, 16)])
    said = [answer("move", {"a1.1": [[19, 16]]}), answer("move", {"b1.2": [[20.2, 17]], "b1.3": [[26.5, 16]]})]
    desk = Desk([unit("a1", "A", [(17, 16)]), enemies])
    found = desk.activate("a1", "assault", said, dice=[1, 1, 1], ask=[{"coherent": "b1"}])
    assert (found.verdict, found.answers()) == ("legal", [False])


@clause("COH-8")
def test_one_model_is_always_coherent() -> None:
    """A unit reduced to one model is coherent."""
    assert Desk([unit("a1", "A", [(20, 10)], start_size=5), FOE]).ask(coherent="a1") is True


# -- vehicles --------------------------------------------------------------------------------------------------------------


@clause("TYPE-VEH-4")
def test_one_pivot_of_up_to_ninety_degrees() -> None:
    """A vehicle may turn once by up to 90 degrees in a move; on Hold by up to 180."""
    tank = unit("a1", "A", [(20, 20)], type="vehicle")
    turn = answer("move", {"a1.1": [[24, 20, 90], [24, 26]]})
    assert refused(goes([tank, FOE], "walk", turn)) is None
    assert refused(goes([tank, FOE], "walk", answer("move", {"a1.1": [[24, 20, 91]]}))) == "TYPE-VEH-4"
    twice = answer("move", {"a1.1": [[22, 20, 45], [22, 20, 90]]})
    assert refused(goes([tank, FOE], "walk", twice)) == "TYPE-VEH-4"
    found = Desk([tank, FOE]).activate("a1", "hold", [answer("move", {"a1.1": [[20, 20, 180]]})])
    assert found.unit("a1")["models"][0]["facing"] == 180


@clause("TYPE-VEH-5")
def test_vehicles_do_not_slip_sideways() -> None:
    """A sideways move is refused."""
    assert refused(goes([unit("a1", "A", [(20, 20)], type="vehicle"), FOE], "walk", shift(0, 3))) == "TYPE-VEH-5"


@clause("TYPE-VEH-9", "TYPE-VEH-8")
def test_a_vehicle_strikes_with_a_plain_attack_too() -> None:
    """A vehicle without a melee weapon has the default one besides Impact, and blocks like any unit."""
    tank = unit("a1", "A", [(20, 20)], type="vehicle")
    found = Desk([tank, unit("b1", "B", [(23, 20)])]).attack("a1", "b1", "melee", charged=False, dice=[1])
    assert [row["attacks"] for row in found.attacks] == [1]
    shot = Desk([tank, unit("b1", "B", [(30, 20)], weapons=[RIFLE])], active="B").attack("b1", "a1", dice=[4, 1, 4])
    assert shot.attacks[0]["blocked"] == 1


@clause("TYPE-INF-1", "ARC-5")
def test_whoever_is_no_vehicle_is_infantry_without_arcs() -> None:
    """Cavalry on oval bases are infantry: they shoot behind them and are poisoned as infantry."""
    rider = unit("a1", "A", [(20, 20)], base={"oval": [1, 2.8]}, facing=0, weapons=[RIFLE])
    assert "shot" in Desk([rider, unit("b1", "B", [(5, 20)])]).activate("a1", "hold", dice=[1]).kinds()


@clause("VDMG-7", "ACT-7")
def test_an_immobile_vehicle_only_holds() -> None:
    """An Immobile vehicle may only Hold, does not turn, and still shoots."""
    tank = unit("a1", "A", [(20, 20)], type="vehicle", weapons=[RIFLE], models=[{"marks": ["immobile"]}])
    desk = Desk([tank, unit("b1", "B", [(30, 20)])])
    assert desk.ask(options="a1") == ["hold"]
    found = desk.activate("a1", "hold", dice=[1])
    assert "shot" in found.kinds()
    assert "moved" not in found.kinds()


@clause("VDMG-6")
def test_shaken_throws_hits_again_until_its_activation_ends() -> None:
    """A Shaken vehicle rolls successful to-hit dice again, and is Shaken no more when the activation ends."""
    tank = unit("a1", "A", [(20, 20)], type="vehicle", weapons=[RIFLE], models=[{"marks": [{"shaken": "next"}]}])
    found = Desk([tank, unit("b1", "B", [(30, 20)])]).activate("a1", "hold", dice=[4, 1])
    assert found.rolls[0]["rerolls"] == [[0, 1]]
    assert "recovered" in found.kinds()


@clause("VDMG-8")
@pytest.mark.parametrize(("rules", "dice", "removed"), [([], {}, True), (["Regeneration"], {"regeneration": [1, 5]}, False)])
def test_immobile_again_is_one_more_wound(rules: list[str], dice: Json, removed: bool) -> None:
    """An Immobile result on an Immobile vehicle wounds once more; Regeneration may stop it, and nothing else is rolled."""
    tank = unit("b1", "B", [(20, 20)], type="vehicle", q=6, rules=["Tough(2)", *rules], models=[{"marks": ["immobile"]}])
    gun = unit("a1", "A", [(5, 20)], weapons=['Gun (24", A1)'])
    faces = {"hit": [4], "ignore": [1], "block": [1], "damage": [6], **dice}
    if not removed:
        faces["morale"] = [6]
    found = Desk([gun, tank]).attack("a1", "b1", facing="rear", dice=faces)
    assert (not found.alive("b1")) is removed


@clause("VDMG-2")
def test_no_roll_for_a_destroyed_vehicle_and_one_an_event() -> None:
    """Two wounds are one roll; a destroyed vehicle rolls none."""
    gun = unit("a1", "A", [(5, 20)], weapons=['Gun (24", A2)'])
    dice = {"hit": [4, 4], "ignore": [1, 1], "block": [1, 1]}
    lives = unit("b1", "B", [(20, 20)], type="vehicle", q=6, rules=["Tough(6)"])
    assert Desk([gun, lives]).attack("a1", "b1", facing="front", dice={**dice, "damage": [1]}).rolled("damage") == [1]
    dies = unit("b1", "B", [(20, 20)], type="vehicle", q=6, rules=["Tough(2)"])
    assert Desk([gun, dies]).attack("a1", "b1", facing="front", dice=dice).rolled("damage") == []


@clause("VDMG-9")
def test_shaken_and_immobile_stand_side_by_side() -> None:
    """A vehicle may be Shaken and Immobile at once; losing one leaves the other."""
    marks = [{"shaken": "next"}, "immobile"]
    tank = unit("a1", "A", [(20, 20)], type="vehicle", models=[{"marks": marks}])
    found = Desk([tank, FOE]).activate("a1", "hold")
    assert "recovered" in found.kinds()
    assert any("immobile" in str(mark) for mark in found.unit("a1")["models"][0]["marks"])


@clause("VDMG-12")
def test_a_vehicle_shaken_by_the_assault_strikes_back_shaken() -> None:
    """The damage roll comes after the assaulter's casualties, before the vehicle strikes back."""
    tank = unit("b1", "B", [(22.8, 20)], type="vehicle", q=4, rules=["Tough(6)"])
    enemy = unit("a1", "A", [(15, 20)], weapons=["Light CCW"])
    dice = {"hit": [4, 4, 1], "ignore": [1], "block": [1], "damage": [4], "morale": [6]}
    found = Desk([enemy, tank]).activate("a1", "assault", dice=dice)
    assert found.kinds().index("shaken") < len(found.kinds()) - found.kinds()[::-1].index("struck") - 1
    assert next(roll for roll in found.rolls if roll["purpose"] == "hit" and roll["unit"] == "b1")["rerolls"] != []
