"""What Apocalypse plays differently around its attacks: leaders, their moves, footprints of terrain, melee and armies."""

from __future__ import annotations

import pytest

from rolloff.armies import library
from rolloff.armies.census import census
from rolloff.editions import registry
from rolloff.editions.onepage.apocalypse import LAW
from rolloff.editions.onepage.armouries import TABLES_APOCALYPSE
from rolloff.editions.onepage.army_rules import list_problems
from rolloff.editions.onepage.powers import powers
from rolloff.rules.game import Game
from tests.armies.cards import card
from tests.onepage.desk import EDGES, Json, Ruling, answer, box, clause_of, desk_of, disc, unit
from tests.onepage.desk import FAR_FOE as FOE

E = "apocalypse-3.3"
clause, desk = clause_of(E), desk_of(E)


def refused_by(found: Ruling) -> str | None:
    """The clause that refuses, or None."""
    return None if found.refusal is None else str(found.refusal["clause"])


def leader(found: Ruling, id: str) -> list[str]:
    """The models of a unit that are marked as its leader and live."""
    return [m["id"] for m in found.unit(id)["models"] if "leader" in str(m.get("marks", "")) and not m.get("removed")]


# -- leaders ---------------------------------------------------------------------------------------------------------------


@clause("UNIT-6", "DEPLOY-7")
def test_leaders_are_named_before_anybody_is_placed() -> None:
    """The owner names a model; unasked it is the first."""
    units = [unit("a1", "A", [None] * 3, where="waiting"), unit("b1", "B", [None] * 2, where="waiting")]
    found = desk(*units, sides=EDGES, clock={"phase": "declare", "first": "A"}, round=0).step(
        "declare", [answer("choose-option", "a1.3")]
    )
    assert leader(found, "a1") == ["a1.3"]


@clause("UNIT-6")
def test_the_nearest_survivor_follows_a_fallen_leader() -> None:
    """When the leader falls another is named at once: unasked the one nearest to where it stood."""
    ours = unit("a1", "A", [(20, 20)], weapons=['Gun (30", A1, Sniper)'], q=2)
    rows = [{}, {}, {"marks": {"leader": 1}}]
    theirs = unit("b1", "B", [(20, 30), (24, 30), (22, 30)], models=rows, q=6)
    said = [answer("choose-target", "b1"), answer("choose-model", "b1.3")]
    found = desk(ours, theirs).activate("a1", "hold", said, dice={"hit": [6], "block": [1]})
    assert found.alive("b1") == ["b1.1", "b1.2"] and leader(found, "b1") == ["b1.1"]


# -- moves -----------------------------------------------------------------------------------------------------------------


@clause("MOVE-12", "COH-2")
@pytest.mark.parametrize(
    ("ends", "clause_id"),
    [
        ({"a1.1": [[26, 20]], "a1.2": [[27.5, 20]], "a1.3": [[27, 21.5]]}, None),
        ({"a1.1": [[26.1, 20]], "a1.2": [[27.5, 20]], "a1.3": [[27, 21.5]]}, "MOVE-1"),
        ({"a1.1": [[26, 20]], "a1.2": [[30, 20]], "a1.3": [[27, 21.5]]}, "COH-5"),
    ],
)
def test_only_the_leader_s_way_is_measured(ends: Json, clause_id: str | None) -> None:
    """The leader goes its six inches; the others are set down around it, however far that is, but coherent."""
    ours = unit("a1", "A", [(20, 20), (18.5, 20), (17, 20)])
    assert refused_by(desk(ours, FOE).activate("a1", "walk", [answer("move", ends)])) == clause_id


@clause("MOVE-13")
def test_the_others_are_rearranged_though_the_leader_stays() -> None:
    """A walk of no inch still sets the others down anew: the last of a row goes nine inches to its other end."""
    ours = unit("a1", "A", [(20 - 1.5 * k, 20) for k in range(6)])
    found = desk(ours, FOE).activate("a1", "walk", [answer("move", {"a1.6": [[21.5, 20]]})])
    assert found.unit("a1")["models"][5]["at"] == [21.5, 20]


@clause("COH-2")
@pytest.mark.parametrize(("lead", "coherent"), [("a1.2", True), ("a1.1", False)])
def test_twelve_inches_from_the_leader(lead: str, coherent: bool) -> None:
    """The ends of a long chain are coherent if its leader stands in the middle."""
    spots = [(10 + 2.5 * k, 20.0) for k in range(8)]
    rows: list[Json] = [{} for _ in spots]
    rows[0 if lead == "a1.1" else 4]["marks"] = {"leader": 1}
    assert desk(unit("a1", "A", spots, models=rows), FOE).ask(coherent="a1") is coherent


@clause("TYPE-VEH-6")
@pytest.mark.parametrize(
    ("action", "shift", "clause_id"), [("walk", 6, None), ("walk", 6.1, "MOVE-1"), ("run", 2, "TYPE-VEH-6")]
)
def test_tv_r48_a_vehicle_slips_sideways_on_a_walk(action: str, shift: float, clause_id: str | None) -> None:
    """TV-R48: half the walk to the side; not on a run."""
    tank = unit("a1", "A", [(20, 20)], type="vehicle", rules=["Tough(6)"])
    found = desk(tank, FOE).activate("a1", action, [answer("move", {"shift": [0, shift]})])
    assert refused_by(found) == clause_id


@clause("TERR-DIFF-1", "TERR-DIFF-2", "TERR-GEN-3")
@pytest.mark.parametrize(("start", "end", "legal"), [(10, 22, True), (4, 11, False), (4, 10, True), (10, 23.5, False)])
def test_woods_slow_who_enters_or_leaves(start: float, end: float, legal: bool) -> None:
    """Wholly inside the piece a run is a run; across its edge it goes six inches."""
    woods = box("f", 8, 10, 23, 30, "difficult")
    found = desk(unit("a1", "A", [(start, 20)]), FOE, terrain=[woods]).activate(
        "a1", "run", [answer("move", {"shift": [end - start, 0]})]
    )
    assert (found.verdict == "legal") is legal


@clause("TERR-DANG-1", "TERR-DANG-3")
def test_every_model_tests_for_entering_and_for_leaving() -> None:
    """The leader crosses a minefield: two dice for each of three models, wherever the others are set down."""
    mines = box("m", 22, 18, 24, 22, "dangerous")
    ends = {"a1.1": [[26, 20]], "a1.2": [[27.5, 20]], "a1.3": [[29, 20]]}
    ours = unit("a1", "A", [(20, 20), (18.5, 20), (17, 20)])
    found = desk(ours, FOE, terrain=[mines]).activate("a1", "walk", [answer("move", ends)], dice={"dangerous": [6] * 6})
    assert len(found.rolled("dangerous")) == 6


# -- footprints ------------------------------------------------------------------------------------------------------------

FOREST = disc("f", 20, 20, 3, "cover", height=3)
GUNNER = unit("a1", "A", [(31, 20)], weapons=['Gun (8", A1)'], q=2)


@clause("TERR-FOOT-1", "TERR-FOOT-2", "TERR-FOOT-3", "MEAS-8")
def test_tv_r77_the_outline_stands_for_the_unit() -> None:
    """TV-R77: a unit whose leader is in the far half of a forest is in range by the forest's near edge."""
    inside = unit("b1", "B", [(17.5, 20)], q=6)
    found = desk(GUNNER, inside, terrain=[FOREST]).activate("a1", "hold", dice={"hit": [6], "ignore": [1], "block": [1]})
    assert "shot" in found.kinds() and found.rolled("ignore") == [1]
    outside = unit("b1", "B", [(16.4, 20)], q=6)
    assert "shot" not in desk(GUNNER, outside, terrain=[FOREST]).activate("a1", "hold").kinds()


@clause("LOS-11", "TERR-FOOT-5")
@pytest.mark.parametrize(("shield", "seen"), [((24, 19.2, 25, 20.8), True), ((24, 14, 25, 26), False)])
def test_sight_ends_anywhere_on_the_outline(shield: tuple[float, float, float, float], seen: bool) -> None:
    """A wall that would hide the leader hides its unit only if it hides the whole forest."""
    wall = box("w", *shield, "impassable", solid=True, height=5)
    inside = unit("b1", "B", [(20, 20)], q=6)
    gunner = unit("a1", "A", [(29, 20)], weapons=['Gun (30", A1)'], q=2)
    found = desk(gunner, inside, terrain=[FOREST, wall]).activate("a1", "hold", dice={"seed": 1})
    assert ("shot" in found.kinds()) is seen


@clause("LOS-11")
def test_the_forest_does_not_hide_those_within_and_they_block_nobody() -> None:
    """A solid grove blocks those behind it but not those in it; models drawn inside hide nobody."""
    grove = disc("f", 20, 20, 3, "cover", height=5, solid=True)
    gunner = unit("a1", "A", [(29, 20)], weapons=['Gun (30", A1)'], q=2)
    within = unit("b1", "B", [(20, 20)], q=6)
    assert "shot" in desk(gunner, within, terrain=[grove]).activate("a1", "hold", dice={"seed": 1}).kinds()
    behind = unit("b1", "B", [(11, 20)], q=6)
    assert "shot" not in desk(gunner, behind, terrain=[grove]).activate("a1", "hold").kinds()


@clause("LOS-11", "LOS-3")
@pytest.mark.parametrize(("gap", "seen"), [(0.02, True), (0.004, False)])
@pytest.mark.parametrize("shooter", ["a1", "b1"])
def test_a_narrow_gap_is_enough_for_an_outline(shooter: str, gap: float, seen: bool) -> None:
    """Two walls leave a slit beside the middle: a hundredth of an inch of it lets the forest be seen and see, less does not."""
    low, high = 20.37, 20.37 + gap
    walls = [box("w", 25, 2, 26, low, solid=True, height=5), box("v", 25, high, 26, 46, solid=True, height=5)]
    units = [
        unit("a1", "A", [(31, 20)], weapons=['Gun (30", A1)'], q=2),
        unit("b1", "B", [(20, 20)], weapons=['Gun (30", A1)']),
    ]
    table = desk(*units, terrain=[FOREST, *walls], active=shooter[0].upper())
    assert ("shot" in table.activate(shooter, "hold", dice={"seed": 1}).kinds()) is seen


@clause("LOS-11", "LOS-5")
@pytest.mark.parametrize(("ground", "seen"), [([], False), ([disc("g", 24, 20, 3, "cover")], True)])
def test_who_is_within_a_piece_hides_nobody(ground: list[Json], seen: bool) -> None:
    """A row of a third unit hides the target; once it is within a crater its models block no sight, wherever they are drawn."""
    gunner = unit("a1", "A", [(30, 20)], weapons=['Gun (30", A1)'], q=2)
    third = unit("a2", "A", [(24, 18.9), (24, 20), (24, 21.1)], height=3)
    found = desk(gunner, third, unit("b1", "B", [(18, 20)], q=6), terrain=ground).activate("a1", "hold", dice={"seed": 1})
    assert ("shot" in found.kinds()) is seen


@clause("TERR-FOOT-3", "TERR-FOOT-4", "TERR-GEN-3")
@pytest.mark.parametrize(("side", "clause_id"), [("A", None), ("B", "TERR-FOOT-4")])
def test_nobody_enters_what_an_enemy_is_within(side: str, clause_id: str | None) -> None:
    """A friend may share the forest; an enemy may not set foot in it."""
    holder = unit("x1", side, [(18, 20)])
    found = desk(unit("a2", "A", [(25, 20)]), holder, FOE, terrain=[FOREST]).activate(
        "a2", "walk", [answer("move", {"shift": [-3, 0]})]
    )
    assert refused_by(found) == clause_id


@clause("TERR-FOOT-3", "MELEE-2", "MELEE-5")
def test_an_assault_on_a_forest_ends_at_its_edge() -> None:
    """The leader touches the outline, though the defender stands deep inside, and both sides strike."""
    ours = unit("a1", "A", [(30, 20), (31.5, 20)], weapons=["Light CCW"])
    found = desk(ours, unit("b1", "B", [(18, 20)]), terrain=[FOREST]).activate("a1", "assault", dice={"seed": 3})
    moved = found.event("moved")
    assert found.verdict == "legal" and "MELEE-5" in moved["clauses"]
    assert {"struck", "stepped-back"} <= set(found.kinds()) or "casualties" in found.kinds()


@clause("MELEE-5", "MELEE-2")
def test_it_is_the_leader_that_goes_into_contact() -> None:
    """A fellow in contact does not do if the leader stays behind."""
    ours = unit("a1", "A", [(20, 10), (21.5, 10)])
    said = [answer("move", {"a1.1": [[20, 11.4]], "a1.2": [[20, 13]]})]
    found = desk(ours, unit("b1", "B", [(20, 14)])).activate("a1", "assault", said, dice={"seed": 1})
    assert refused_by(found) == "MELEE-5"


@clause("MELEE-4")
def test_friends_may_be_brushed_in_an_assault() -> None:
    """The inch toward friendly units is waived as well, but not contact."""
    way = [answer("move", {"a1.1": [[20, 17]]})]
    units = [unit("a1", "A", [(20, 10)]), unit("b1", "B", [(20, 18)]), unit("a2", "A", [(21.5, 14)])]
    assert desk(*units).activate("a1", "assault", way, dice={"seed": 1}).verdict == "legal"


@clause("MELEE-25", "MELEE-24")
def test_a_defender_that_destroyed_its_assaulter_consolidates() -> None:
    """Whoever survives has the three inches."""
    ours, theirs = unit("a1", "A", [(20, 10)], q=6), unit("b1", "B", [(20, 14)], weapons=["Force CCW"], q=2, rules=["Tough(6)"])
    said = [answer("move", {"a1.1": [[20, 13]]}), answer("move", {"shift": [3, 0]})]
    dice = {"hit": [1, 6, 6, 6, 6, 6], "block": [1, 1, 1, 1, 1]}
    found = desk(ours, theirs).activate("a1", "assault", said, dice=dice)
    assert found.unit("b1")["models"][0]["at"] == [23, 14]


@clause("ELEV-3", "ELEV-5", "ELEV-1")
@pytest.mark.parametrize(("rules", "hampered"), [([], True), (["Flying"], False)])
def test_an_assault_against_a_hill_is_unwieldy(rules: list[str], hampered: bool) -> None:
    """Against a target within elevation that the assaulter was not on; flyers do not mind."""
    hill = disc("h", 20, 20, 3, "elevation", elevation=3, height=3)
    ours = unit("a1", "A", [(30, 20)], weapons=["Light CCW"], rules=rules, q=2)
    found = desk(ours, unit("b1", "B", [(20, 20)]), terrain=[hill]).activate("a1", "assault", dice={"seed": 3})
    assert any("ELEV-3" in event["clauses"] for event in found.events) is hampered


@clause("RULE-DEEPSTRIKE-4")
@pytest.mark.parametrize(("x", "clause_id"), [(13.0, "RULE-DEEPSTRIKE-4"), (13.2, None)])
def test_tv_r56_six_inches_from_every_enemy(x: float, clause_id: str | None) -> None:
    """TV-R56: reserves arrive anywhere over six inches from the enemy."""
    late = unit("a2", "A", [None], where="reserve", rules=["Deep Strike"])
    units = [unit("a1", "A", [(50, 5)]), late, unit("b1", "B", [(6, 20)])]
    found = desk(*units, sides=EDGES, clock={"phase": "round", "first": "A"}, round=1).step(
        "round",
        [answer("yes-no", True), answer("yes-no", True), answer("place", {"a2.1": [x, 20]})],
        dice={"power-dice": [1, 1], "arrival": [4], "shift": [6] * (x > 13.1)},
    )
    assert refused_by(found) == clause_id


# -- armies ----------------------------------------------------------------------------------------------------------------


@clause("ARMY-1", "ARMY-3")
def test_three_thousand_points_and_four_heroes() -> None:
    """Any size up to 3000; a fifth Hero is one too many."""
    assert [bool(list_problems(LAW, [card(points=700)], size)) for size in (3000, 1234, 3001)] == [False, False, True]
    heroes = [card(f"a{k}", rules=["Hero"]) for k in range(1, 6)]
    assert list_problems(LAW, heroes[:4], 3000) == ()
    assert [p.clause for p in list_problems(LAW, heroes, 3000)] == ["ARMY-3"]


@pytest.mark.parametrize("name", library.lists(E))
def test_ready_made_lists_are_legal(name: str) -> None:
    """Each list may be played at the size it is for, and the full ones use all of it."""
    form, army = library.find_list(E, name), library.army(E, name, 0)
    assert list_problems(LAW, army.cards, form.points, one_faction=True) == ()
    assert army.points == form.points or "patrol" in name


def test_the_lists_use_everything_the_edition_has() -> None:
    """Every rule, printed weapon and power is on somebody's card."""
    seen = census([one for name in library.lists(E) for one in library.army(E, name, 0).cards])
    assert set(seen.rules) == {*LAW.on_units, *LAW.on_weapons}
    assert set(TABLES_APOCALYPSE) <= set(seen.weapons)
    assert set(seen.powers) == set(powers(E)) and len(library.tables(E)) == 3


@clause("TABLE-2")
def test_five_pieces_are_enough() -> None:
    """A fixed table and two hosts make a game of 3000 points."""
    setup = library.setup_for(E, "random", "random", "crossing")
    assert Game(registry.edition(E), setup).setup.points == 3000
