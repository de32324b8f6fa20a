"""Transports (RULE-TRANSPORT), Psykers (RULE-PSYKER), and what happens to those inside a wreck."""

from __future__ import annotations

from typing import Any

import pytest

from tests.onepage.desk import Desk, Json, answer, box, unit

E = "onepage-3.0"


def clause(*ids: str) -> pytest.MarkDecorator:
    """Mark the clauses of the third edition a test covers."""
    return pytest.mark.clause(E, *ids)


def truck(id: str = "a9", side: str = "A", at: tuple[float, float] = (20, 20), **more: Any) -> Json:
    """A transport with ten places, unless said otherwise."""
    more.setdefault("rules", ["Transport(10)", "Tough(3)"])
    return unit(id, side, [at], type="vehicle", **more)


def squad(id: str = "a1", n: int = 3, where: str = "a9", **more: Any) -> Json:
    """A squad aboard."""
    return unit(id, "A", [None] * n, where=where, **more)


FOE = unit("b1", "B", [(60, 40)])


@clause("RULE-TRANSPORT-5", "RULE-TRANSPORT-6")
def test_passengers_may_stay_or_walk_out() -> None:
    """A unit aboard is offered to stay or walk out, even from a Pinned, Immobile transport."""
    stuck = truck(marks=["pinned"], models=[{"marks": ["immobile"]}])
    assert Desk([stuck, squad(), FOE]).ask(options="a1") == ["stay", "walk"]


@clause("RULE-TRANSPORT-5")
def test_walking_out_starts_at_the_hull_and_goes_six_inches() -> None:
    """Those who walk out end within a Walk of the hull, and may shoot."""
    found = Desk([truck(), squad(weapons=['Rifle (48", A1)']), FOE]).activate(
        "a1", "walk", dice={"seed": 1}, ask=[{"distance": ["a1", "a9"]}]
    )
    assert "disembarked" in found.kinds()
    assert found.unit("a1")["where"] == "table"
    assert found.answers()[0] <= 6.01
    assert "shot" in found.kinds()


@clause("PIN-8")
def test_those_aboard_are_out_of_reach() -> None:
    """A unit aboard cannot be shot at, and when Pinned it idles aboard."""
    rifle = unit("b1", "B", [(30, 20)], weapons=['Rifle (30", A1)'])
    desk = Desk([truck(), squad(), rifle], active="B")
    found = desk.activate("b1", "hold", unanswered="stop")
    assert "a1" not in (found.pending or {"options": []})["options"]
    idle = Desk([truck(), squad(marks=["pinned"]), FOE]).activate("a1", "idle")
    assert idle.unit("a1")["where"] == "a9"
    assert "unpinned" in idle.kinds()


@clause("RULE-FURIOUS-2")
@pytest.mark.parametrize(("rules", "offered"), [(["Furious"], True), ([], False)])
def test_the_furious_may_storm_out(rules: list[str], offered: bool) -> None:
    """Only a Furious unit may assault out of a transport."""
    enemy = unit("b1", "B", [(27, 20)])
    assert ("assault" in Desk([truck(), squad(rules=rules), enemy]).ask(options="a1")) is offered


@clause("RULE-FURIOUS-2", "RULE-TRANSPORT-5")
@pytest.mark.parametrize(("rules", "near", "far"), [(["Furious"], 29, 33), (["Furious", "Fast"], 32, 36)])
def test_storming_out_reaches_a_walk(rules: list[str], near: float, far: float) -> None:
    """An enemy more than a Walk, six inches or nine, away from the hull cannot be assaulted from inside."""
    for x, offered in ((near, True), (far, False)):
        desk = Desk([truck(), squad(n=1, rules=rules), unit("b1", "B", [(x, 20)])])
        assert ("assault" in desk.ask(options="a1")) is offered


def _boards(walkers: Json, transport: Json) -> bool:
    desk = Desk([transport, walkers, FOE])
    found = desk.activate("a1", "walk", unanswered="stop")
    return (found.pending or {}).get("kind") == "choose-option" and "a9" in (found.pending or {})["options"]


@clause("RULE-TRANSPORT-3", "RULE-TRANSPORT-4", "LOS-12")
def test_infantry_board_by_moving_into_contact() -> None:
    """A unit within a Walk of a transport may board it, and all of it is then aboard."""
    walkers = unit("a1", "A", [(26, 20), (26, 22)])
    assert _boards(walkers, truck())
    found = Desk([truck(), walkers, FOE]).activate("a1", "walk", [answer("choose-option", "a9")])
    assert "boarded" in found.kinds()
    assert found.unit("a1")["where"] == "a9"
    assert "shot" not in found.kinds()
    assert found.alive("a1") == []


@clause("RULE-TRANSPORT-1", "RULE-TRANSPORT-7")
@pytest.mark.parametrize(("places", "fits"), [(5, True), (4, False)])
def test_every_model_takes_one_place(places: int, fits: bool) -> None:
    """Two walkers join three passengers in five places, but not in four."""
    walkers = unit("a1", "A", [(26, 20), (26, 22)])
    carrier = truck(rules=[f"Transport({places})", "Tough(3)"])
    desk = Desk([carrier, walkers, squad("a2"), FOE])
    found = desk.activate("a1", "walk", unanswered="stop")
    assert ((found.pending or {}).get("kind") == "choose-option") is fits


@clause("TYPE-INF-2")
def test_a_vehicle_is_not_carried() -> None:
    """A vehicle cannot board a transport, however large."""
    bike = unit("a1", "A", [(28, 20)], type="vehicle", base={"rect": [1, 2]})
    assert not _boards(bike, truck())


def _shot_down(passengers: Json, dice: Any, **more: Any) -> Any:
    gun = unit("b1", "B", [(40, 20)], weapons=['Cannon (48", A1)'], q=2)
    hull = truck(rules=["Transport(10)"], q=6)
    return Desk([hull, passengers, gun], active="B").activate("b1", "hold", dice=dice, **more)


@clause("RULE-TRANSPORT-8", "CAS-8", "MORALE-12")
def test_a_wreck_hurts_and_spills_its_passengers() -> None:
    """D6 automatic hits on each unit aboard, blocked as usual; survivors stand within six inches of the hull."""
    found = _shot_down(squad(n=4, q=4), [2, 1, 1, 3, 1, 4, 1, 6], ask=[{"distance": ["a1.1", "b1"]}])
    assert [row["target"] for row in found.attacks] == ["a9", "a1"]
    assert (found.attacks[1]["hits"], found.attacks[1]["wounds"]) == (3, 2)
    assert found.rolled("morale") == [6]
    spots = [model["at"] for model in found.unit("a1")["models"] if model.get("at")]
    assert len(spots) == 2
    assert all(abs(x - 20) <= 2.5 + 6.6 and abs(y - 20) <= 1.5 + 6.6 for x, y in spots)


@clause("RULE-TRANSPORT-8", "TERR-COVER-7")
def test_a_stealthy_passenger_has_no_cover_in_a_wreck() -> None:
    """Hits from a wreck are no shooting: own Armored may ignore them, cover never."""
    found = _shot_down(squad(n=4, q=4, rules=["Stealth"]), [2, 1, 1, 1, 6])
    assert found.rolled("ignore") == [1]


@clause("ROUT-2", "RULE-TRANSPORT-8")
def test_a_routed_transport_counts_as_destroyed() -> None:
    """When a transport routs from a lost melee its passengers get out as from a wreck."""
    hull = truck(rules=["Transport(10)", "Tough(4)"], q=6, wounds=1)
    enemy = unit("b1", "B", [(24, 20)], q=2, weapons=["Light CCW"])
    dice = {"hit": [2, 1], "ignore": [1], "block": [1, 6], "damage": [1], "morale": [1], "attacks": [1]}
    found = Desk([hull, squad(n=2), enemy], active="B").activate("b1", "assault", dice=dice)
    assert "routed" in found.kinds()
    assert found.unit("a1")["where"] == "table"


# -- Psykers --------------------------------------------------------------------------------------------------------------


def seer(*powers: str, level: int = 2, **more: Any) -> Json:
    """A Psyker who knows some powers."""
    more.setdefault("rules", [f"Psyker({level})"])
    return unit("a1", "A", [(20, 20)], keywords=[f"power:{name}" for name in powers], **more)


def cast(power: str, target: str, dice_count: int, dice: Any, units: list[Json], pool: int = 4, **more: Any) -> Any:
    """The Psyker holds and tries one power."""
    said = [answer("choose-option", f"{power} by a1.1")]
    if sum(1 for row in units if row["side"] == ("A" if power in ("Mending", "Ward", "Foresight", "Quickening") else "B")) > 1:
        said.append(answer("choose-target", target))
    if pool > 1:
        said.append(answer("number", dice_count))
    sides = {"A": {"marks": {"power-dice": pool}}}
    return Desk(units, sides=sides).activate("a1", "hold", said, dice=dice, **more)


@clause("RULE-PSYKER-5", "RULE-PSYKER-4")
@pytest.mark.parametrize(("faces", "works"), [([4], False), ([5], True)])
def test_sum_and_level_reach_the_number(faces: list[int], works: bool) -> None:
    """Mind Spike (7) by a Psyker of level 2 works on 5, not on 4, and needs no sight."""
    enemy = unit("b1", "B", [(30, 20)], q=6)
    dice = {"power": faces, "attacks": [1], "block": [1]} if works else {"power": faces}
    found = cast("Mind Spike", "b1", 1, dice, [seer("Mind Spike"), enemy])
    assert ("manifested" in found.kinds()) is works


@clause("RULE-PSYKER-2", "RULE-PSYKER-6")
def test_dice_are_spent_and_a_power_is_tried_once() -> None:
    """Used dice leave the shared pool, and the same power is not offered again this round."""
    enemy = unit("b1", "B", [(30, 20)], q=6)
    desk = Desk([seer("Dread", "Mind Spike"), enemy], sides={"A": {"marks": {"power-dice": 3}}})
    said = [answer("choose-option", "Dread by a1.1"), answer("number", 1)]
    found = desk.activate("a1", "hold", said, dice=[1], unanswered="stop")
    assert (found.pending or {}).get("options") == ["none", "Mind Spike by a1.1"]
    assert found.event("cast")["set"][0] == ["A", "mark:power-dice", 2]


@clause("RULE-PSYKER-2")
def test_every_psyker_draws_on_the_same_dice() -> None:
    """What one Psyker has left of its player's dice is all that the next one may roll."""
    enemy = unit("b1", "B", [(30, 20)], q=6)
    other = unit("a2", "A", [(20, 24)], rules=["Psyker(2)"], keywords=["power:Mind Spike"])
    desk = Desk([seer("Dread"), other, enemy], sides={"A": {"marks": {"power-dice": 2}}})
    found = desk.activate("a2", "hold", [answer("choose-option", "Mind Spike by a2.1")], unanswered="stop")
    asked = found.pending or {}
    assert (asked.get("kind"), asked.get("options")) == ("number", [1, 2])


@clause("RULE-PSYKER-7")
def test_two_sixes_strike_back() -> None:
    """Two sixes wound the Psyker D3 times even when the power fails or works."""
    enemy = unit("b1", "B", [(30, 20)])
    dice = {"power": [6, 6], "morale": [6], "backlash": [3]}
    found = cast("Dread", "b1", 2, dice, [seer("Dread", rules=["Psyker(2)", "Tough(6)"]), enemy])
    assert found.event("backlash")["facts"]["wounds"] == 2
    assert found.unit("a1")["models"][0]["wounds"] == 2


@clause("MORALE-12")
def test_heavy_loss_counts_for_every_cause() -> None:
    """A unit that falls to half tests whatever felled its models: shots, a power, backlash, mines."""
    enemy = unit("b1", "B", [(30, 20), (31.5, 20)])
    gun = unit("a1", "A", [(20, 20)], weapons=['Gun (24", A1)'])
    shot = Desk([gun, enemy]).activate("a1", "hold", dice={"hit": [6], "block": [1], "morale": [6]})
    lashed = cast(
        "Storm Lash", "b1", 2, {"power": [5, 2], "block": [1, 6, 6, 6, 6, 6], "morale": [6]}, [seer("Storm Lash"), enemy]
    )
    pair = unit("a1", "A", [(20, 20), (21.5, 20)], models=[{"rules": ["Psyker(2)"]}], keywords=["power:Dread"])
    struck = cast("Dread", "b1", 2, {"power": [6, 6], "backlash": [1], "morale": [6, 6]}, [pair, enemy])
    mines = box("m", 15, 22, 30, 23, "dangerous")
    walkers = unit("a1", "A", [(20, 20), (21.5, 20)])
    blown = Desk([walkers, FOE], [mines]).activate(
        "a1", "walk", [answer("move", {"shift": [0, 5]})], dice={"dangerous": [1, 6], "morale": [6]}
    )
    for found, unit_ in ((shot, "b1"), (lashed, "b1"), (struck, "a1"), (blown, "a1")):
        assert (found.rolled("morale")[-1:], len(found.alive(unit_))) == ([6], 1)


@clause("RULE-PSYKER-3")
def test_the_idle_and_the_passengers_manifest_nothing() -> None:
    """A Pinned Psyker idles without a power; one that runs may still use one after the move."""
    sides = {"A": {"marks": {"power-dice": 3}}}
    enemy = unit("b1", "B", [(30, 20)])
    idle = Desk([seer("Dread", marks=["pinned"]), enemy], sides=sides).activate("a1", "idle", unanswered="stop")
    assert idle.verdict == "legal"
    said = [answer("choose-option", "none"), answer("move", {"shift": [-3, 0]})]
    run = Desk([seer("Dread"), enemy], sides=sides).activate("a1", "run", said, unanswered="stop")
    assert (run.pending or {})["options"] == ["none", "Dread by a1.1"]


@clause("RULE-PSYKER-3", "RULE-TRANSPORT-4")
def test_a_psyker_aboard_manifests_nothing() -> None:
    """No power is offered to a Psyker inside a transport."""
    aboard = unit("a1", "A", [None], where="a9", rules=["Psyker(2)"], keywords=["power:Dread"])
    desk = Desk([truck(), aboard, unit("b1", "B", [(30, 20)])], sides={"A": {"marks": {"power-dice": 3}}})
    found = desk.activate("a1", "stay", unanswered="stop")
    assert (found.verdict, found.unit("a1")["where"]) == ("legal", "a9")


@clause("RULE-PSYKER-1", "TURN-2")
def test_a_player_with_a_psyker_gets_a_die_of_power() -> None:
    """At the start of a round the player with a living Psyker rolls D6 power dice; the other gets none."""
    desk = Desk(
        [seer("Dread"), FOE],
        clock={"phase": "round", "first": "A"},
        sides={"A": {"marks": {"power-dice": 1, "tried:Dread": 1}}},
    )
    found = desk.step("round", dice=[5])
    marks = found.json["after"]["sides"]["A"]["marks"]
    flat = (
        marks if isinstance(marks, dict) else {k: v for m in marks for k, v in (m.items() if isinstance(m, dict) else [(m, 1)])}
    )
    assert flat == {"power-dice": 5}
    assert [event["facts"]["side"] for event in found.events if event["kind"] == "power-dice"] == ["A"]


@clause("RULE-PSYKER-8")
@pytest.mark.parametrize(
    ("power", "mark"),
    [("Foresight", "grant-weapons:Linked"), ("Quickening", "grant:Fast"), ("Ward", "grant:Armored")],
)
def test_powers_grant_rules_for_a_while(power: str, mark: str) -> None:
    """Foresight, Quickening and Ward give a friend a rule."""
    friend = unit("a2", "A", [(24, 20)])
    found = cast(power, "a2", 4, [6, 5, 1, 1], [seer(power), friend, FOE])
    assert mark in found.marks("a2")


@clause("RULE-PSYKER-8")
def test_mending_restores_wounds_on_one_model() -> None:
    """Mending takes D3 wounds off a wounded friend, never below none."""
    friend = unit("a2", "A", [(24, 20)], rules=["Tough(3)"], wounds=1)
    found = cast("Mending", "a2", 1, {"power": [5], "heal": [5]}, [seer("Mending"), friend, FOE])
    assert found.unit("a2")["models"][0].get("wounds", 0) == 0


@clause("RULE-PSYKER-8", "RES-5")
def test_unmaking_wounds_past_everything() -> None:
    """Unmaking deals D3 automatic wounds: no ignore roll, no block."""
    enemy = unit("b1", "B", [(30, 20), (30, 22), (30, 24), (30, 26), (30, 28)], rules=["Armored"])
    found = cast("Unmaking", "b1", 3, {"power": [6, 5, 1], "attacks": [3]}, [seer("Unmaking"), enemy])
    assert (found.attacks[0]["wounds"], found.rolled("ignore"), found.rolled("block")) == (2, [], [])


@clause("RULE-PSYKER-8", "TERR-COVER-7")
def test_powers_allow_no_cover() -> None:
    """Storm Lash on a Stealthy unit meets blocks but no cover die."""
    enemy = unit("b1", "B", [(30, 20 + 2 * k) for k in range(9)], rules=["Stealth"])
    found = cast("Storm Lash", "b1", 2, {"power": [5, 2], "block": [6] * 6}, [seer("Storm Lash"), enemy])
    assert (found.attacks[0]["hits"], found.rolled("ignore")) == (6, [])
