"""What the second edition plays differently around its attacks: setting up, coherency, ground, reserves, walkers and armies."""

from __future__ import annotations

import pytest

from rolloff.armies import library
from rolloff.armies.census import census
from rolloff.editions import registry
from rolloff.editions.onepage.armouries import TABLES_221
from rolloff.editions.onepage.army_rules import list_problems
from rolloff.editions.onepage.powers import powers
from rolloff.editions.onepage.v221 import LAW
from rolloff.errors import ArmyError, BadInput
from rolloff.rules.game import Game
from tests.armies.cards import card
from tests.onepage.desk import EDGES, Json, answer, box, clause_of, desk_of, unit
from tests.onepage.desk import FAR_FOE as FOE

E = "onepage-2.21"
clause, desk = clause_of(E), desk_of(E)


def waiting(id: str, side: str, rules: tuple[str, ...] = ()) -> Json:
    """A unit that is still to be placed."""
    return unit(id, side, [None], where="waiting", rules=rules)


@clause("DEPLOY-4")
def test_whole_armies_are_placed_one_after_the_other() -> None:
    """Whoever places first goes on until nobody of his waits; then the other player places."""
    units = [waiting(id, side) for id, side in (("a1", "A"), ("a2", "A"), ("b1", "B"), ("b2", "B"))]
    clock = {"phase": "deploy", "first": "A"}
    found = desk(*units, sides=EDGES, clock=clock).step("deploy", [answer("choose-unit", "a1")])
    assert found.json["after"]["active"] == "A"
    units[0] = unit("a1", "A", [(10, 5)])
    last = desk(*units, sides=EDGES, clock=clock).step("deploy", [answer("choose-unit", "a2")])
    assert last.json["after"]["active"] == "B"


@clause("RULE-SCOUT-1")
def test_all_scouts_of_one_player_then_the_other_s() -> None:
    """Both have scouts left: the player who placed one places his next."""
    units = [waiting(id, id[0].upper(), ("Scout",)) for id in ("a1", "a2", "b1")]
    clock = {"phase": "scout", "first": "A"}
    found = desk(*units, sides=EDGES, clock=clock).step("scout", [answer("choose-unit", "a1")])
    assert (found.json["after"]["clock"]["phase"], found.json["after"]["active"]) == ("scout", "A")


@clause("COH-1")
@pytest.mark.parametrize(("apart", "coherent"), [(2.0, True), (2.02, False)])
def test_an_inch_between_fellows(apart: float, coherent: bool) -> None:
    """Two bases of an inch are coherent an inch apart and no further."""
    assert desk(unit("a1", "A", [(20, 20), (20 + apart, 20)]), FOE).ask(coherent="a1") is coherent


@clause("TERR-DIFF-1")
@pytest.mark.parametrize(
    ("rules", "far", "legal"), [([], 6, True), ([], 6.1, False), (["Fast"], 9, True), (["Fast"], 9.1, False)]
)
def test_woods_let_a_unit_go_its_walk(rules: list[str], far: float, legal: bool) -> None:
    """A run through woods goes as far as a walk of the same unit."""
    woods = box("f", 5, 12, 15, 13, "difficult")
    found = desk(unit("a1", "A", [(10, 10)], rules=rules), FOE, terrain=[woods]).activate(
        "a1", "run", [answer("move", {"shift": [0, far]})]
    )
    assert (found.verdict == "legal") is legal
    assert legal or (found.refusal or {})["clause"] == "TERR-DIFF-1"


@clause("RULE-DEEPSTRIKE-3", "SCORE-5")
@pytest.mark.parametrize(("face", "where"), [(3, "reserve"), (4, "table")])
def test_in_the_last_round_reserves_may_still_fail_to_come(face: int, where: str) -> None:
    """The last round is rolled for like any other."""
    late = unit("a2", "A", [None], where="reserve", rules=["Deep Strike"])
    clock = {"phase": "round", "first": "A"}
    found = desk(unit("a1", "A", [(5, 5)]), late, FOE, sides=EDGES, clock=clock, round=3).step(
        "round", dice={"arrival": [face], "shift": [6] * (face > 3)}
    )
    assert found.unit("a2")["where"] == where


@clause("TYPE-INF-2", "TYPE-GEN-1")
@pytest.mark.parametrize(("kind", "offered"), [("infantry", True), ("monster", False), ("walker", False)])
def test_only_infantry_is_carried(kind: str, offered: bool) -> None:
    """A monster or walker beside a transport is not asked aboard."""
    truck = unit("a9", "A", [(20, 20)], type="vehicle", rules=["Transport(5)", "Tough(3)"])
    near = unit("a1", "A", [(20, 24)], type=kind, base={"circle": 1.0})
    found = desk(truck, near, FOE).activate("a1", "walk", [answer("choose-option", "a9")])
    assert (found.verdict == "legal" and found.unit("a1")["where"] == "a9") is offered


@clause("TYPE-MON-1", "TYPE-WALK-1", "MOVE-1")
@pytest.mark.parametrize("kind", ["monster", "walker"])
def test_monsters_and_walkers_move_like_infantry(kind: str) -> None:
    """Six inches sideways are a walk; more is refused."""
    for far, legal in ((6, True), (6.1, False)):
        big = unit("a1", "A", [(20, 20)], type=kind, base={"circle": 2.4}, facing=90)
        found = desk(big, FOE).activate("a1", "walk", [answer("move", {"shift": [far, 0]})])
        assert (found.verdict == "legal") is legal


@clause("ACT-10")
def test_a_walker_that_holds_turns_as_it_likes() -> None:
    """After it held a walker faces where its player wants; an Immobile one does not."""
    walker = unit("a1", "A", [(20, 20)], type="walker", base={"circle": 2.4})
    turned = answer("move", {"a1.1": [[20, 20, 180]]})
    found = desk(walker, FOE).activate("a1", "hold", [turned])
    assert found.unit("a1")["models"][0]["facing"] == 180
    stuck = {**walker, "marks": ["immobile"]}
    assert desk(stuck, FOE).activate("a1", "hold", [turned]).unit("a1")["models"][0]["facing"] == 0


# -- armies ----------------------------------------------------------------------------------------------------------------


@clause("ARMY-1")
def test_up_to_fifteen_hundred_points() -> None:
    """Any size up to 1500 may be agreed."""
    assert [bool(list_problems(LAW, [card(points=700)], size)) for size in (750, 1500, 1100, 1501, 650)] == [
        False,
        False,
        False,
        True,
        True,
    ]


@clause("ARMY-4")
@pytest.mark.parametrize(("kinds", "fine"), [(("monster", "walker"), True), (("monster", "walker", "vehicle"), False)])
def test_two_special_units_at_the_most(kinds: tuple[str, ...], fine: bool) -> None:
    """Monsters, walkers and vehicles count together, whatever the size of the game."""
    cards = [card(f"a{k}", type=kind) for k, kind in enumerate(kinds, 1)]
    for size in (750, 1500):
        assert [p.clause for p in list_problems(LAW, cards, size)] == ([] if fine else ["ARMY-4"])


@clause("ARMY-3", "ARMY-4")
def test_a_heroic_walker_counts_against_both_caps() -> None:
    """A Hero on legs is a Hero and a Special unit."""
    cards = [card("a1", type="walker", rules=["Hero"]), card("a2", type="walker"), card("a3", type="walker", rules=["Hero"])]
    assert {p.clause for p in list_problems(LAW, cards, 750)} == {"ARMY-3", "ARMY-4"}


@pytest.mark.parametrize("name", library.lists(E))
def test_ready_made_lists_are_legal(name: str) -> None:
    """Each list may be played at the size it is for, and the full ones use all of it."""
    form, army = library.find_list(E, name), library.army(E, name, 0)
    assert list_problems(LAW, army.cards, form.points, one_faction=True) == ()
    assert army.points == form.points or "patrol" in name


def test_the_lists_use_everything_the_edition_has() -> None:
    """Every rule, printed weapon and power is on somebody's card; each faction has a list of both sizes."""
    seen = census([one for name in library.lists(E) for one in library.army(E, name, 0).cards])
    assert set(seen.rules) == {*LAW.on_units, *LAW.on_weapons}
    assert set(TABLES_221) <= set(seen.weapons)
    assert set(seen.powers) == set(powers(E))
    sizes = [(library.find_list(E, name).book, library.find_list(E, name).points) for name in library.lists(E)]
    assert {points for book, points in sizes if book} == {750, 1500} and len(library.tables(E)) == 3


@pytest.mark.parametrize("points", [750, 1500])
def test_a_setup_makes_a_game(points: int) -> None:
    """Two armies of either size and a table make a game."""
    setup = library.setup_for(E, "random", "random", "crossing", points=points)
    assert Game(registry.edition(E), setup).setup.points == points


@pytest.mark.parametrize(
    ("edition", "name", "clause_id", "instead"),
    [
        ("onepage-2.21", "aegis-compact", "WPN-7", "Master Powersword (A4, Piercing)"),
        ("apocalypse-3.3", "compact-patrol-221", "WPN-7", "Hand Weapon (A2)"),
        ("onepage-3.0", "aegis-compact-3000", "RULE-GEN-1", "Precise on the weapon"),
    ],
)
def test_a_list_of_another_edition_is_refused(edition: str, name: str, clause_id: str, instead: str) -> None:
    """The refusal says which edition the list is for, what this one lacks, and what comes nearest here."""
    with pytest.raises(ArmyError) as caught:
        library.setup_for(edition, name)
    assert (caught.value.code, caught.value.clause) == ("wrong-edition", clause_id)
    assert "legal in" in caught.value.message and instead in caught.value.message


@clause("WPN-2", "WPN-7")
@pytest.mark.parametrize(
    ("text", "clause_id"), [('Gun (24", A3p)', "WPN-2"), ('Gun (24", A)', "WPN-2"), ("Heavy Flamer", "WPN-7")]
)
def test_a_weapon_of_later_editions_is_refused_with_what_to_write(text: str, clause_id: str) -> None:
    """The suffix p and names of other tables are refused with the clause, and the sentence names Piercing."""
    with pytest.raises(BadInput, match=r"Piercing|attacks") as caught:
        registry.edition(E).read_weapon(text, "weapon")
    assert caught.value.clause == clause_id
