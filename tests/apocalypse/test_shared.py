"""What Apocalypse shares with the family: the same rules, played with its leaders, its power dice and its outlines."""

from __future__ import annotations

from typing import Any

import pytest

from rolloff.editions import registry
from rolloff.editions.onepage.powers import Power, powers, read_power
from rolloff.errors import BadInput
from tests.apocalypse.test_play import clause, desk, refused_by
from tests.armies.cards import card
from tests.onepage.desk import EDGES, Desk, Json, Ruling, answer, box, disc, unit
from tests.onepage.desk import FAR_FOE as FOE

E = "apocalypse-3.3"
RIFLE = 'Rifle (30", A1)'
POOLS = {"power-dice": [1, 1]}
LEADS: Json = {"marks": {"leader": 1}}


def dict_of_powers(edition: str) -> dict[str, Power]:
    """The powers of an edition, to add one for a test."""
    found = powers(edition)
    assert isinstance(found, dict)
    return found


def goes(units: list[Json], action: str, ends: Any, terrain: list[Json] | None = None, dice: Any = ()) -> Ruling:
    """One move of the first unit."""
    return desk(*units, terrain=terrain).activate(units[0]["id"], action, [answer("move", ends)], dice=dice)


def after(found: Ruling) -> Desk:
    """A desk that goes on where a ruling ended."""
    later = desk()
    later.situation |= found.json["after"]
    return later


# -- disputes, bases, sight ------------------------------------------------------------------------------------------------


@clause("GEN-7")
@pytest.mark.parametrize(("face", "decides"), [(3, "A"), (4, "B")])
def test_a_dispute_is_rolled_once(face: int, decides: str) -> None:
    """One die says who decides, and the topic cannot be rolled for again in that match."""
    first = desk(unit("a1", "A", [(10, 10)]), FOE).rule(do={"dispute": {"topic": "cover", "text": "it counts"}}, dice=[face])
    assert first.event("ruled")["facts"]["side"] == decides
    assert refused_by(after(first).rule(do={"dispute": {"topic": "cover", "text": "it does not"}}, dice=[5])) == "GEN-7"


@clause("BASE-1")
def test_usual_bases_and_hulls() -> None:
    """Infantry stand on 32 mm circles and vehicles on hulls of 3 by 5 inches unless a card says otherwise."""
    foot = unit("a1", "A", [(10, 10)], models=[{"base": None}])
    tank = unit("b1", "B", [(20, 10)], type="vehicle", models=[{"base": None}])
    assert desk(foot, tank).ask(distance=["a1", "b1"]) == pytest.approx(10 - 0.63 - 2.5, abs=0.001)


@clause("LOS-5")
@pytest.mark.parametrize(("owner", "seen"), [("a1", True), ("b1", True), ("a2", False), ("b2", False)])
def test_only_models_of_other_units_hide(owner: str, seen: bool) -> None:
    """A model midway hides the target if it belongs to a third unit, friend or enemy, not if it is a fellow of either."""
    spots = {"a1": [(10.0, 20.0)], "b1": [(30.0, 20.0)]}
    spots[owner] = [*spots.get(owner, []), (20.0, 20.0)]
    units = [unit(id, id[0].upper(), at, height=1) for id, at in spots.items()]
    assert desk(*units).ask(sight=["a1.1", "b1.1"]) is seen


@clause("ARC-6")
@pytest.mark.parametrize("mount", ["front", "turret"])
def test_a_hull_has_no_arcs(mount: str) -> None:
    """A gun mounted to the front fires at an enemy straight behind, though the hull did not turn."""
    gun = {"name": "Gun", "range": 48, "A": 1, "rules": [], "mount": mount}
    tank = unit("a1", "A", [(30, 20)], type="vehicle", weapons=[gun], rules=["Tough(6)"], facing=0)
    said = [answer("move", {"a1.1": [[30, 20, 0]]})]
    found = desk(tank, unit("b1", "B", [(15, 20)])).activate("a1", "hold", said, dice={"hit": [1]})
    assert "shot" in found.kinds() and found.unit("a1")["models"][0]["facing"] == 0


@clause("TERR-COVER-5")
def test_models_never_give_cover() -> None:
    """A crowd between shooter and target that hides half of the target is no cover."""
    units = [unit("a1", "A", [(20, 10)]), unit("b1", "B", [(20, 20)])]
    for side in ("A", "B"):
        assert desk(*units, unit("x1", side, [(20.3, 15)])).ask(cover=["a1", "b1"]) is False


# -- rounds and reserves ---------------------------------------------------------------------------------------------------


@clause("TURN-3")
@pytest.mark.parametrize(("dice", "winner"), [([5, 3], "A"), ([2, 4], "B")])
def test_the_winner_of_the_roll_off_has_the_first_turn(dice: list[int], winner: str) -> None:
    """From the roll-off through declaring and placing to the first turn: it is the winner's."""
    units = [unit("a1", "A", [None], where="waiting"), unit("b1", "B", [None], where="waiting")]
    now = desk(*units, round=0, clock={"phase": "roll-off"})
    while (phase := now.situation["clock"]["phase"]) != "activate":
        now = after(now.step(phase, dice={"roll-off": dice, "round": POOLS["power-dice"]}.get(phase, [])))
    assert now.situation["active"] == winner


def round_of(*units: Json, played: int = 1, answers: list[Json] | None = None, dice: Json | None = None) -> Ruling:
    """The start of the round after so many were played."""
    now = desk(*units, sides=EDGES, clock={"phase": "round", "first": "A"}, round=played)
    return now.step("round", answers or [], dice={**POOLS, **(dice or {})})


def late(side: str = "A") -> Json:
    """A unit kept in reserve."""
    return unit(side.lower() + "2", side, [None], where="reserve", rules=["Deep Strike"])


ON_TABLE = [unit("a1", "A", [(5, 5)], marks=["activated"]), unit("b1", "B", [(36, 40)], marks=["activated"])]


@clause("TURN-2")
def test_a_round_begins_in_order() -> None:
    """Flags are cleared, new power dice replace the old, then come the reserves of the first player and of the other."""
    sides = {"A": {"marks": {"edge": "bottom", "power-dice": 5}}, "B": EDGES["B"]}
    now = desk(*ON_TABLE, late("B"), late("A"), sides=sides, clock={"phase": "round", "first": "A"}, round=1)
    found = now.step("round", dice={"power-dice": [3, 2], "arrival": [4, 4], "shift": [6, 6]})
    assert [roll["purpose"] for roll in found.rolls] == ["power-dice"] * 2 + ["arrival", "shift"] * 2
    assert [event["facts"]["unit"] for event in found.events if event["kind"] == "arrived"] == ["a2", "b2"]
    assert "activated" not in found.marks("a1") | found.marks("b1")
    assert {"power-dice": 3} in found.json["after"]["sides"]["A"]["marks"]


@clause("RULE-DEEPSTRIKE-2")
@pytest.mark.parametrize(("die", "arrives"), [(3, False), (4, True)])
def test_tv_r57_arrival_on_four(die: int, arrives: bool) -> None:
    """TV-R57: in round 2 a 3 keeps the unit in reserve, a 4 lets it arrive."""
    found = round_of(*ON_TABLE, late(), dice={"arrival": [die], "shift": [3] * arrives})
    assert ("arrived" in found.kinds()) is arrives


@clause("RULE-DEEPSTRIKE-2")
def test_reserves_are_rolled_for_from_round_two_if_their_owner_likes() -> None:
    """No die in round 1, none if the owner declines, and no arrival if it declines after a success."""
    no, yes = answer("yes-no", False), answer("yes-no", True)
    assert round_of(*ON_TABLE, late(), played=0).rolled("arrival") == []
    assert round_of(*ON_TABLE, late(), answers=[no]).rolled("arrival") == []
    assert "arrived" not in round_of(*ON_TABLE, late(), answers=[yes, no], dice={"arrival": [4]}).kinds()


@clause("RULE-DEEPSTRIKE-3")
def test_tv_r58_the_last_round_brings_everybody() -> None:
    """TV-R58: at the start of round 4 the unit arrives without an arrival die; the shift die is still rolled."""
    found = round_of(*ON_TABLE, late(), played=3, dice={"shift": [3]})
    assert "arrived" in found.kinds() and (found.rolled("arrival"), found.rolled("shift")) == ([], [3])


@clause("RULE-DEEPSTRIKE-5")
@pytest.mark.parametrize(
    ("die", "to", "clause_id"),
    [(2, [48, 20], None), (2, [48.1, 20], "RULE-DEEPSTRIKE-5"), (2, [36, 33.5], "RULE-DEEPSTRIKE-4"), (3, None, None)],
)
def test_the_opponent_may_shift_twelve_inches(die: int, to: list[float] | None, clause_id: str | None) -> None:
    """On 1-2 the opponent shifts the unit by up to 12 inches, not to within 6 of an enemy; on 3 it stays where it is."""
    said = [answer("yes-no", True), answer("yes-no", True), answer("place", {"a2.1": [36, 24 if to == [36, 33.5] else 20]})]
    shifted = [answer("place", {"a2.1": to})] if to else []
    found = round_of(*ON_TABLE, late(), answers=[*said, *shifted], dice={"arrival": [4], "shift": [die]})
    assert refused_by(found) == clause_id
    if clause_id is None:
        assert found.unit("a2")["models"][0]["at"] == (to or [36, 20])


TRUCK = ["Deep Strike", "Transport(5)", "Tough(3)"]


@clause("RULE-DEEPSTRIKE-6", "TURN-7")
def test_who_arrives_may_act_and_brings_its_passengers() -> None:
    """A transport and its squad need no activation in reserve; arrived together, both are offered."""
    truck = unit("a9", "A", [None], type="vehicle", where="reserve", rules=TRUCK)
    units = [truck, unit("a3", "A", [None] * 2, where="a9"), *ON_TABLE, unit("a4", "A", [(9, 5)]), unit("a5", "A", [(13, 5)])]
    held = desk(*units, sides=EDGES, clock={"phase": "activate", "first": "A"}).step("activate", unanswered="stop")
    assert (held.pending or {})["options"] == ["a4", "a5"]
    came = round_of(*units, dice={"arrival": [4], "shift": [6]})
    assert [came.unit(id)["where"] for id in ("a9", "a3")] == ["table", "a9"]
    later = after(came).step("activate", unanswered="stop")
    assert (later.pending or {})["options"] == ["a9", "a3", "a1", "a4", "a5"]


# -- moves -----------------------------------------------------------------------------------------------------------------


@clause("TABLE-4")
def test_a_piece_may_have_several_types() -> None:
    """A thicket that is difficult and dangerous both caps the run and is tested for."""
    thicket = box("t", 15, 12, 25, 13, "cover", "difficult", "dangerous")
    units = [unit("a1", "A", [(20, 10)]), FOE]
    assert len(goes(units, "run", {"shift": [0, 6]}, [thicket], {"dangerous": [6, 6]}).rolled("dangerous")) == 2
    assert refused_by(goes(units, "run", {"shift": [0, 7]}, [thicket])) is not None


@clause("MOVE-4")
@pytest.mark.parametrize("side", ["A", "B"])
def test_only_an_assault_comes_closer(side: str) -> None:
    """A walk may not pass within an inch of a friend or an enemy; an assault may."""
    units = [unit("a1", "A", [(20, 10)]), unit("b1", "B", [(20, 15)]), unit("x1", side, [(21.5, 12)])]
    assert refused_by(goes(units, "walk", {"shift": [0, 3]})) == "MOVE-3"
    said = [answer("choose-target", "b1"), answer("move", {"a1.1": [[20, 14]]})]
    assert desk(*units).activate("a1", "assault", said, dice={"seed": 1}).verdict == "legal"


@clause("TYPE-VEH-4")
@pytest.mark.parametrize("action", ["walk", "run"])
def test_one_pivot_of_up_to_ninety_degrees(action: str) -> None:
    """A vehicle turns once by up to 90 degrees in a move; on Hold by up to 180."""
    units = [unit("a1", "A", [(20, 20)], type="vehicle", rules=["Tough(6)"]), FOE]
    assert refused_by(goes(units, action, {"a1.1": [[24, 20, 90], [24, 26]]})) is None
    assert refused_by(goes(units, action, {"a1.1": [[24, 20, 91]]})) == "TYPE-VEH-4"
    assert refused_by(goes(units, action, {"a1.1": [[22, 20, 45], [22, 20, 90]]})) == "TYPE-VEH-4"
    assert goes(units, "hold", {"a1.1": [[20, 20, 180]]}).unit("a1")["models"][0]["facing"] == 180


@clause("RULE-FLYING-1")
def test_flyers_pass_over_units_and_obstacles() -> None:
    """A Flying unit moves over another unit and an impassable wall, but ends on neither."""
    wall = box("w", 15, 12, 25, 13, "impassable", height=4, solid=True)
    flyer, walker = unit("a1", "A", [(20, 10)], rules=["Flying"]), unit("a1", "A", [(20, 10)])
    assert refused_by(goes([flyer, FOE], "walk", {"shift": [0, 5]}, [wall])) is None
    assert refused_by(goes([flyer, FOE], "walk", {"shift": [0, 2.5]}, [wall])) == "TERR-IMP-1"
    assert refused_by(goes([walker, FOE], "walk", {"shift": [0, 5]}, [wall])) == "TERR-IMP-1"
    over = [flyer, unit("a2", "A", [(20, 12)]), FOE]
    assert refused_by(goes(over, "walk", {"shift": [0, 5]})) is None
    assert refused_by(goes(over, "walk", {"shift": [0, 3.2]})) == "MOVE-3"


@clause("RULE-FLYING-2")
@pytest.mark.parametrize(("rules", "far", "dice"), [(["Flying"], 12, 0), ([], 6, 2)])
def test_flyers_ignore_what_the_ground_does(rules: list[str], far: float, dice: int) -> None:
    """A flyer runs its twelve inches across a thicket and rolls no die; who walks is capped at six and rolls two."""
    thicket = box("t", 15, 12, 25, 13, "difficult", "dangerous")
    units = [unit("a1", "A", [(20, 10)], rules=rules), FOE]
    found = goes(units, "run", {"shift": [0, far]}, [thicket], {"dangerous": [6] * dice})
    assert refused_by(found) is None and len(found.rolled("dangerous")) == dice
    assert refused_by(goes(units, "run", {"shift": [0, far + 0.1]}, [thicket])) is not None


@clause("RULE-FLYING-3")
def test_flying_vehicles_keep_the_limits_of_vehicles() -> None:
    """A Flying vehicle turns once by at most 90 degrees and does not slip sideways on a run."""
    units = [unit("a1", "A", [(20, 20)], type="vehicle", rules=["Flying", "Tough(6)"]), FOE]
    assert refused_by(goes(units, "walk", {"a1.1": [[24, 20, 91]]})) == "TYPE-VEH-4"
    assert refused_by(goes(units, "run", {"shift": [0, 2]})) == "TYPE-VEH-6"


MINES = box("m", 10, 12, 30, 13, "dangerous")


@clause("ACT-9")
def test_the_order_of_an_activation() -> None:
    """Unit, action, power, move, dangerous tests, shooting, and morale of who was shot at."""
    seer = unit("a1", "A", [(20, 10)], rules=["Psyker(1)", "Tough(3)"], keywords=["power:Dread"], weapons=[RIFLE], q=2)
    enemies = unit("b1", "B", [(20, 26), (22, 26)], q=6)
    now = desk(seer, enemies, terrain=[MINES], sides={"A": {"marks": {"power-dice": 2}}})
    said = [answer("choose-option", "Dread by a1.1"), answer("number", 1), answer("move", {"shift": [0, 4]})]
    dice = {"power": [1], "dangerous": [6, 6], "hit": [6], "block": [1], "morale": [6]}
    found = now.activate("a1", "walk", said, dice=dice)
    kinds = ("activated", "cast", "moved", "attacked", "shot", "morale-passed")
    order = [kind for kind in found.kinds() if kind in kinds]
    assert order[:3] == ["activated", "cast", "moved"] and order.index("shot") < order.index("morale-passed")
    purposes = [roll["purpose"] for roll in found.rolls]
    assert purposes.index("dangerous") < purposes.index("hit") < purposes.index("morale")


# -- losses and melee ------------------------------------------------------------------------------------------------------


@clause("TERR-DANG-4")
def test_mines_wound_before_the_shooting_and_the_owner_picks() -> None:
    """The second model's one is borne by the third as its owner likes; two then shoot."""
    ours = unit("a1", "A", [(20, 10), (21.5, 10), (23, 10)], weapons=[RIFLE], models=[LEADS])
    enemy = unit("b1", "B", [(20, 30)], rules=["Tough(6)"])
    ends = {"a1.1": [[20, 15]], "a1.2": [[21.5, 15]], "a1.3": [[23, 15]]}
    dice = {"dangerous": [6, 6, 1, 6, 6, 6], "hit": [1, 1]}
    said = [answer("move", ends), answer("allocate", "a1.3")]
    found = desk(ours, enemy, terrain=[MINES]).activate("a1", "walk", said, dice=dice)
    assert found.alive("a1") == ["a1.1", "a1.2"] and found.rolled("hit") == [1, 1]


@clause("CAS-3")
@pytest.mark.parametrize(("pick", "clause_id"), [("b1.4", None), ("b1.1", None), ("b1.2", "CAS-3")])
def test_the_survivors_must_stay_together(pick: str, clause_id: str | None) -> None:
    """Of four in a line two inches apart only the ends may fall."""
    enemies = unit("b1", "B", [(10 + 3 * k, 20) for k in range(4)])
    ours = unit("a1", "A", [(14, 10)], weapons=[RIFLE])
    said = [answer("choose-target", "b1"), answer("allocate", pick)]
    found = desk(ours, enemies).activate("a1", "hold", said, dice={"hit": [6], "block": [1]})
    assert refused_by(found) == clause_id


@clause("MELEE-26")
def test_who_assaulted_steps_back_an_inch() -> None:
    """Both live: the assaulter goes back from contact until it is an inch away."""
    units = [unit("a1", "A", [(20, 10)], rules=["Tough(9)"]), unit("b1", "B", [(20, 14)], rules=["Tough(9)"])]
    said = [answer("move", {"a1.1": [[20, 13]]})]
    found = desk(*units).activate("a1", "assault", said, dice={"hit": [1] * 2}, ask=[{"distance": ["a1", "b1"]}])
    assert "stepped-back" in found.kinds() and found.answers()[0] == pytest.approx(1, abs=0.011)


@clause("MELEE-26")
def test_who_assaulted_a_forest_steps_back_from_its_edge() -> None:
    """The outline stands for a defender within: an inch from the forest, however deep the defender stands."""
    forest = disc("f", 20, 20, 3, "cover", height=3)
    units = [unit("a1", "A", [(30, 20)], rules=["Tough(9)"]), unit("b1", "B", [(18, 20)], rules=["Tough(9)"])]
    found = desk(*units, terrain=[forest]).activate("a1", "assault", dice={"hit": [1] * 2})
    x, y = found.unit("a1")["models"][0]["at"]
    assert (x, y) == (pytest.approx(24.5, abs=0.02), pytest.approx(20, abs=0.02))


@clause("PIN-5")
def test_who_is_pinned_on_the_way_fights_on_unwieldy() -> None:
    """Half of an assaulting pair is lost to mines and the test fails: the survivor fights, its hit rolled again."""
    ours = unit("a1", "A", [(20, 10), (21.2, 10)], models=[LEADS])
    dice = {"dangerous": [1, 6, 6, 6], "morale": [3], "hit": [4, 1], "hit>": [4], "block": [6]}
    found = desk(ours, unit("b1", "B", [(20, 16)]), terrain=[MINES]).activate("a1", "assault", dice=dice)
    hits = [roll for roll in found.rolls if roll["purpose"] == "hit"]
    assert "pinned" in found.marks("a1") and hits[0]["rerolls"] == [[0, 4]]


# -- transports, powers ----------------------------------------------------------------------------------------------------


def truck(**more: Any) -> Json:
    """A transport with ten places."""
    more.setdefault("rules", ["Transport(10)", "Tough(3)"])
    return unit("a9", "A", [(20, 20)], type="vehicle", **more)


@clause("ROUT-2")
def test_a_routed_transport_counts_as_destroyed() -> None:
    """When a transport routs from a lost melee its passengers test the ground, are Pinned and stand beside it as at a wreck."""
    hull = truck(rules=["Transport(10)", "Tough(4)"], q=6, wounds=1)
    enemy = unit("b1", "B", [(24, 20)], q=2, weapons=["Light CCW"])
    now = desk(hull, unit("a1", "A", [None] * 2, where="a9"), enemy, active="B")
    dice = {"hit": [2, 1], "ignore": [1], "block": [1], "morale": [1], "dangerous": [6, 6]}
    found = now.activate("b1", "assault", dice=dice)
    assert "routed" in found.kinds() and found.unit("a1")["where"] == "table"
    assert (found.rolled("dangerous"), "pinned" in found.marks("a1")) == ([6, 6], True)


@clause("RULE-TRANSPORT-3")
@pytest.mark.parametrize(
    ("ends", "clause_id"),
    [({"a1.1": [[23, 20]], "a1.2": [[23, 21.5]]}, None), ({"a1.1": [[24, 20]], "a1.2": [[23, 21]]}, "RULE-TRANSPORT-3")],
)
def test_it_is_the_leader_that_brings_a_unit_aboard(ends: Json, clause_id: str | None) -> None:
    """With the leader at the hull the whole unit boards and does not shoot; a fellow in contact does not do."""
    walkers = unit("a1", "A", [(26, 20), (26, 22)], weapons=['Rifle (60", A1)'], models=[LEADS])
    said = [answer("choose-option", "a9"), answer("move", ends)]
    found = desk(truck(), walkers, FOE).activate("a1", "walk", said)
    assert refused_by(found) == clause_id
    if clause_id is None:
        assert (found.unit("a1")["where"], "shot" in found.kinds(), found.alive("a1")) == ("a9", False, [])


@clause("RULE-TRANSPORT-5")
@pytest.mark.parametrize(("far", "clause_id"), [(6.0, None), (6.1, "MOVE-1")])
def test_the_leader_walks_out_six_inches_from_the_hull(far: float, clause_id: str | None) -> None:
    """A squad aboard may stay or walk out; its leader goes six inches from the hull, the others beside it, and they shoot."""
    now = desk(truck(), unit("a1", "A", [None] * 2, where="a9", weapons=['Rifle (60", A1)'], models=[LEADS]), FOE)
    assert now.ask(options="a1") == ["stay", "walk"]
    ends = {"a1.1": [[23, 20], [23 + far, 20]], "a1.2": [[23 + far, 21.5]]}
    found = now.activate("a1", "walk", [answer("move", ends)], dice={"hit": [1, 1]} if clause_id is None else {})
    assert refused_by(found) == clause_id and ("shot" in found.kinds()) is (clause_id is None)


@clause("RULE-PSYKER-9")
def test_a_profile_lists_the_powers_there_are() -> None:
    """A card may name a power that Apocalypse ships and no other, and a Psyker is offered those of its card alone."""
    check = registry.edition(E).check_card
    check(card(rules=["Psyker(1)"], keywords=["power:Foresight"]))
    with pytest.raises(BadInput) as caught:
        check(card(rules=["Psyker(1)"], keywords=["power:Levitation"]))
    assert caught.value.clause == "RULE-PSYKER-9" and "Foresight" in str(caught.value.allowed)
    seer = unit("a1", "A", [(20, 10)], rules=["Psyker(1)"], keywords=["power:Dread"])
    now = desk(seer, unit("b1", "B", [(20, 20)]), sides={"A": {"marks": {"power-dice": 2}}})
    offered = (now.activate("a1", "hold", unanswered="stop").pending or {})["options"]
    assert [option for option in offered if " by " in option] == ["Dread by a1.1"]


OVERHAUL = {"name": "Overhaul", "range": 6, "target": "friend", "duration": "instant", "effects": [{"repair": True}]}


@clause("TYPE-VEH-10")
@pytest.mark.parametrize(("wounds", "left"), [(2, 1), (1, 0), (0, None)])
def test_tv_r66_what_would_free_a_vehicle_gives_back_a_wound(
    wounds: int, left: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TV-R66: a hull with two wounds is left with one; a sound one, or a wounded man, is no target."""
    monkeypatch.setitem(dict_of_powers(E), "Overhaul", read_power("overhaul", {**OVERHAUL, "number": {E: 2}}, E))
    seer = unit("a1", "A", [(20, 14)], rules=["Psyker(1)", "Tough(3)"], keywords=["power:Overhaul"], wounds=1)
    tank = unit("a2", "A", [(20, 20)], type="vehicle", rules=["Tough(6)"], wounds=wounds)
    now = desk(seer, tank, FOE, sides={"A": {"marks": {"power-dice": 2}}})
    said = [answer("choose-option", "Overhaul by a1.1"), answer("number", 1)] if wounds else []
    found = now.activate("a1", "hold", said, dice={"power": [3]} if wounds else {})
    assert ("repaired" in found.kinds()) is (left is not None)
    assert [found.unit(id)["models"][0]["wounds"] for id in ("a1", "a2")] == [1, left or 0]


@pytest.mark.clause("onepage-3.0", "RULE-PSYKER-8")
def test_in_the_third_edition_a_repair_frees_the_vehicle(monkeypatch: pytest.MonkeyPatch) -> None:
    """There the hull is no longer Immobile nor Shaken, and keeps its wounds."""
    third = "onepage-3.0"
    monkeypatch.setitem(dict_of_powers(third), "Overhaul", read_power("overhaul", {**OVERHAUL, "number": {third: 2}}, third))
    seer = unit("a1", "A", [(20, 14)], rules=["Psyker(1)"], keywords=["power:Overhaul"])
    stuck = [{"marks": {"immobile": 1, "shaken": "next"}}]
    tank = unit("a2", "A", [(20, 20)], type="vehicle", rules=["Tough(6)"], wounds=2, models=stuck)
    now = Desk([seer, tank, FOE], edition=third, sides={"A": {"marks": {"power-dice": 2}}})
    said = [answer("choose-option", "Overhaul by a1.1"), answer("number", 1)]
    model = now.activate("a1", "hold", said, dice={"power": [3]}).unit("a2")["models"][0]
    assert (model.get("marks") or [], model["wounds"]) == ([], 2)
