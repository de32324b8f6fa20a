"""Clauses that 2.21 and Apocalypse share and that whole games seldom show: profiles, ends of units, sight and cover."""

from __future__ import annotations

import pytest

from rolloff.armies import library
from rolloff.armies.forms import EntryForm, ListForm
from rolloff.editions import registry
from rolloff.editions.onepage.army_rules import may_join
from rolloff.errors import ArmyError
from tests.armies.cards import card
from tests.onepage.desk import Desk, Json, answer, box, disc, unit
from tests.onepage221.test_shared import GUN, LARGE, OLD, both, clause

FAR = unit("b9", "B", [(60, 40)])
MELEE = {OLD: "Hand Weapon", LARGE: "Medium CCW"}
DEFAULT = {OLD: "Fists/Claws", LARGE: "Light CCW"}
BOOK = {OLD: "ashen-levy-221", LARGE: "ashen-levy"}
FIVE = [["Pistol"]] * 5


def desk(edition: str, *units: Json, terrain: list[Json] | None = None, **more: object) -> Desk:
    """A situation of one of the two editions."""
    return Desk(units, terrain or [], edition=edition, **more)


def conscripts(edition: str, size: int) -> ListForm:
    """A list of one unit out of a book."""
    return ListForm("X", edition, [EntryForm(unit="conscripts", size=size)], book=BOOK[edition])


@both
@clause("UNIT-2", "ARMY-5")
def test_a_profile_says_how_many_models_a_unit_has(edition: str) -> None:
    """Ten conscripts have the Quality, kit and cost of their profile; forty are refused by it, with the numbers it allows."""
    rules = registry.edition(edition)
    army = library.muster_list(rules, conscripts(edition, 10), 0)
    found = army.cards[0]
    assert (found.start_size, found.quality, len(found.models)) == (10, 5, 10) and found.points > 0
    assert all(model.weapons for model in found.models)
    with pytest.raises(ArmyError) as caught:
        library.muster_list(rules, conscripts(edition, 40), 0)
    assert caught.value.clause == "UNIT-2"


@both
@clause("UNIT-5", "SCORE-3")
@pytest.mark.parametrize(("size", "where", "score"), [(1, "destroyed", 100), (2, "table", 0)])
def test_a_unit_is_destroyed_with_its_last_model(edition: str, size: int, where: str, score: int) -> None:
    """Mines kill the last model: the unit is destroyed and scores; with a fellow left it does neither."""
    mines = box("m", 15, 11, 30, 18, "dangerous")
    ours = unit("a1", "A", [(20, 10), (21.8, 10)][:size], q=6)
    dice = {"dangerous": [1, 6][:size], "block": [1] if edition == OLD else [], "morale": [6] if size == 2 else []}
    found = desk(edition, ours, FAR, terrain=[mines]).activate(
        "a1", "walk", [answer("move", {"shift": [0, 4]})], dice, ask=[{"score": "B"}]
    )
    assert (found.unit("a1")["where"], found.answers()) == (where, [score])


@both
@clause("LOS-2", "MEAS-1")
@pytest.mark.parametrize("facing", [0, 90, 180, 270])
def test_models_see_all_round(edition: str, facing: int) -> None:
    """A gunner fires at the enemy whichever way it looks, and whoever is on turn may measure the way there."""
    table = desk(edition, unit("a1", "A", [(20, 20)], weapons=[GUN], facing=facing), unit("b1", "B", [(30, 20)]))
    assert "shot" in table.activate("a1", "hold", dice={"hit": [1]}).kinds()
    for side in ("A", "B"):
        assert desk(edition, *table.situation["units"], active=side).ask(distance=["a1", "b1"]) == 9.0


@both
@clause("ROUT-3", "MELEE-20")
def test_who_routs_is_no_wound_caused(edition: str) -> None:
    """Three of a squad run after one wound: the melee stays one to nothing, and the winner rolls no test."""
    ours = unit("a1", "A", [(20, 10)], weapons=[DEFAULT[edition]])
    theirs = unit("b1", "B", [(20, 11.5), (21.2, 11.5), (22.4, 11.5)], weapons=[DEFAULT[edition]], q=4, start_size=6)
    hits = [6, 1, 1, 1, 1] if edition == OLD else [6, 1, 1]
    dice = {"hit": hits, "block": [1], "morale": [1]}
    found = desk(edition, ours, theirs, FAR).activate("a1", "assault", dice=dice)
    assert "routed" in found.kinds() and found.kinds().index("melee-won") < found.kinds().index("routed")
    facts = found.event("melee-won")["facts"]
    assert (facts["wounds"], facts["against"]) == (1, 0)
    assert len(found.rolled("morale")) == 1


@both
@clause("TERR-COVER-7", "TERR-COVER-1")
def test_cover_is_no_help_on_dangerous_ground_or_against_powers(edition: str) -> None:
    """A squad in a thicket rolls for cover when it is shot at, and for nothing when mines or a power strike it."""
    thicket = disc("t", 20, 20, 4, "cover", "dangerous")
    shot = desk(edition, unit("a1", "A", [(30, 20)], weapons=[GUN], q=2), unit("b1", "B", [(20, 20)]), terrain=[thicket])
    assert shot.activate("a1", "hold", dice={"hit": [6], "ignore": [6]}).rolled("ignore") == [6]
    walk = desk(edition, unit("a1", "A", [(20, 20)], q=2), FAR, terrain=[thicket])
    way, saved = [answer("move", {"shift": [5, 0]})], [6] if edition == OLD else []
    assert walk.activate("a1", "walk", way, {"dangerous": [1], "block": saved}).rolled("ignore") == []
    seer = unit("a1", "A", [(30, 20)], rules=["Psyker(3)"], keywords=["power:Storm Lash"])
    said = [answer("choose-option", "Storm Lash by a1.1"), answer("number", 5)]
    strike = desk(edition, seer, unit("b1", "B", [(20, 20)]), terrain=[thicket], sides={"A": {"marks": {"power-dice": 5}}})
    found = strike.activate("a1", "hold", said, {"power": [5] * 5, "block": [6] * 6})
    assert (found.attacks[0]["hits"], found.rolled("ignore")) == (6, [])


@both
@clause("TYPE-HERO-1", "JOIN-3", "ARMY-3")
def test_a_hero_is_a_marker_that_lets_it_join(edition: str) -> None:
    """A Hero of their Quality may join a squad, an ordinary model may not; in a fight the marker changes nothing."""
    host = card("a2", FIVE, quality=3)
    assert may_join(card("a1", rules=["Hero"], quality=3), host) is None
    assert may_join(card("a1", quality=3), host) is not None
    for rules in ([], ["Hero"]):
        ours = unit("a1", "A", [(20, 20)], weapons=[GUN], rules=rules)
        found = desk(edition, ours, unit("b1", "B", [(30, 20)])).activate("a1", "hold", dice={"hit": [4], "block": [4]})
        assert (found.rolled("hit"), found.rolled("block")) == ([4], [4])


@pytest.mark.parametrize("edition", [OLD, "onepage-3.0", LARGE])
@pytest.mark.clause("onepage-3.0", "ACT-8")
@clause("ACT-8")
@pytest.mark.parametrize("casts", [True, False])
def test_an_action_once_begun_is_not_changed(edition: str, casts: bool) -> None:
    """A Psyker assaults and fights; if its power fells the only enemy in reach first, the action is spent and nobody walks."""
    seer = unit("a1", "A", [(20, 20)], rules=["Psyker(2)"], keywords=["power:Mind Spike"])
    table = desk(edition, seer, unit("b1", "B", [(26, 20)], q=6), FAR, sides={"A": {"marks": {"power-dice": 2}}})
    if not casts:
        found = table.activate("a1", "assault", [answer("choose-option", "none")], {"seed": 1})
        assert found.event("moved")["facts"]["action"] == "assault" and "struck" in found.kinds()
        return
    said = [answer("choose-option", "Mind Spike by a1.1"), answer("number", 2)]
    found = table.activate("a1", "assault", said, {"power": [5, 4], "attacks": [1], "block": [1]})
    assert found.unit("b1")["where"] == "destroyed"
    assert not {"moved", "shot", "struck"} & set(found.kinds())


@both
@clause("MORALE-9")
def test_who_loses_a_melee_with_most_left_is_pinned(edition: str) -> None:
    """Three of four are left after a lost melee; having failed they are Pinned, and still there."""
    ours = unit("a1", "A", [(20, 10)], weapons=[DEFAULT[edition]])
    theirs = unit("b1", "B", [(20, 11.5), (21.2, 11.5), (22.4, 11.5), (23.6, 11.5)], weapons=[DEFAULT[edition]])
    hits = [6, 1, 1, 1, 1, 1] if edition == OLD else [6, 1, 1, 1]
    found = desk(edition, ours, theirs).activate("a1", "assault", dice={"hit": hits, "block": [1], "morale": [1]})
    assert len(found.alive("b1")) == 3 and "pinned" in found.marks("b1")


@both
@clause("PIN-4", "PIN-5", "MORALE-12")
def test_who_is_pinned_in_its_own_activation_idles_in_the_next(edition: str) -> None:
    """Mines take one of two on a Walk; the other fails its test and is still Pinned when the activation ends."""
    table = desk(edition, unit("a1", "A", [(20, 10), (22, 10)]), FAR, terrain=[box("m", 10, 12, 30, 20, "dangerous")])
    dice = [1, 6, 1, 1] if edition == OLD else [1, 6, 1]
    found = table.activate("a1", "walk", [answer("move", {"shift": [0, 4]})], dice=dice)
    assert len(found.alive("a1")) == 1 and found.kinds().count("pinned") == 1
    assert "unpinned" not in found.kinds() and "pinned" in found.marks("a1")


@both
@clause("LOS-9")
@pytest.mark.parametrize(("wide", "shot"), [(20, True), (26, False)])
def test_a_unit_is_seen_if_one_of_it_is(edition: str, wide: float, shot: bool) -> None:
    """A house hides one of two: the unit is shot at; a house that hides both hides the unit."""
    house = box("h", 10, 14, wide, 15, "impassable", height=8, solid=True)
    theirs = unit("b1", "B", [(19, 20), (21, 20)])
    table = desk(edition, unit("a1", "A", [(19, 10)], weapons=[GUN]), theirs, terrain=[house])
    assert ("shot" in table.activate("a1", "hold", dice={"hit": [1]} if shot else []).kinds()) is shot


@both
@clause("UNIT-3")
def test_one_quality_for_every_test(edition: str) -> None:
    """A squad of Quality 2 hits, blocks and holds its nerve on 2."""
    brave = unit("a1", "A", [(20, 20), (21.5, 20)], weapons=[GUN], q=2)
    hit = desk(edition, brave, unit("b1", "B", [(30, 20)])).activate("a1", "hold", dice={"hit": [2, 1], "block": [6]})
    shot = desk(edition, unit("b1", "B", [(30, 20), (31.5, 20)], weapons=[GUN]), brave, active="B").activate(
        "b1", "hold", dice={"hit": [6, 6], "block": [2, 1], "morale": [2]}
    )
    needs = {roll["purpose"]: roll["need"] for found in (hit, shot) for roll in found.rolls if roll["unit"] == "a1"}
    assert needs == {"hit": 2, "block": 2, "morale": 2}


@both
@clause("MELEE-28")
def test_a_third_unit_at_hand_takes_no_part(edition: str) -> None:
    """A friend of the defender stands a hand's breadth away: two units strike, the third neither strikes nor is struck."""
    ours = unit("a1", "A", [(20, 10)], weapons=[DEFAULT[edition]])
    theirs = unit("b1", "B", [(20, 13)], weapons=[DEFAULT[edition]])
    third = unit("b2", "B", [(22.1, 13)], weapons=[DEFAULT[edition]])
    found = desk(edition, ours, theirs, third).activate("a1", "assault", [answer("choose-target", "b1")], dice={"seed": 4})
    struck = [(event["facts"]["unit"], event["facts"]["target"]) for event in found.events if event["kind"] == "struck"]
    assert {unit for pair in struck for unit in pair} == {"a1", "b1"} and len(found.alive("b2")) == 1
