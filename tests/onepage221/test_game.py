"""Activations, moves, melees, morale and Psykers as a game of the second edition plays them, by scripted dice."""

from __future__ import annotations

from typing import Any

import pytest

from rolloff.editions.onepage.v221 import EDITION as SECOND
from rolloff.errors import ArmyError
from tests.armies.cards import card
from tests.onepage.desk import Desk, Json, Ruling, answer, box, disc, unit
from tests.onepage221.desk import EDITION

AXE = "Axe (A1)"
GUN = 'Gun (24", A1)'
FAR = unit("b9", "B", [(60, 40)])
MINES = box("m", 10, 12, 30, 13, "dangerous")


def clause(*ids: str) -> pytest.MarkDecorator:
    """Mark the clauses of the second edition a test covers."""
    return pytest.mark.clause(EDITION, *ids)


def desk(*units: Json, terrain: tuple[Json, ...] = (), **more: Any) -> Desk:
    """A situation of the second edition."""
    return Desk(units, terrain, edition=EDITION, **more)


def row(id: str, side: str, n: int, y: float, **more: Any) -> Json:
    """n models side by side, an inch apart, from x = 20."""
    return unit(id, side, [(20 + 2 * k, y) for k in range(n)], **{"weapons": [AXE], **more})


def shift(dx: float, dy: float) -> Json:
    """The answer that moves all models alike."""
    return answer("move", {"shift": [dx, dy]})


def refused(found: Ruling) -> str | None:
    """The clause a ruling was refused by."""
    return found.refusal["clause"] if found.refusal else None


def rollers(found: Ruling, purpose: str) -> list[str]:
    """The units that rolled for a purpose, in order."""
    return [roll["unit"] for roll in found.rolls if roll["purpose"] == purpose]


# -- moving ----------------------------------------------------------------------------------------------------------------


@clause("ACT-8", "MOVE-8", "MOVE-2")
def test_every_model_moves_for_itself() -> None:
    """Each model has the whole allowance, may use less of it or none, and goes sideways whatever its facing."""
    table = desk(row("a1", "A", 2, 10, facing=90), FAR)
    for way, cited in (
        ({"a1.1": [[20.5, 10.5]]}, None),
        ({"a1.1": [[14, 10]], "a1.2": [[16, 10]]}, None),
        ({"a1.1": [[20, 16.1]], "a1.2": [[22, 16]]}, "MOVE-1"),
    ):
        assert refused(table.activate("a1", "walk", [answer("move", way)])) == cited


@clause("MOVE-4")
def test_only_an_assault_comes_within_an_inch() -> None:
    """A Walk into contact is refused, an assault into contact is not."""
    table = desk(row("a1", "A", 1, 10), row("b1", "B", 1, 14))
    assert refused(table.activate("a1", "walk", [shift(0, 3)])) == "MOVE-3"
    assert table.activate("a1", "assault", [shift(0, 3)], dice={"hit": [1, 1, 1]}).verdict == "legal"


@clause("COH-2")
@pytest.mark.parametrize(("n", "coherent"), [(7, True), (8, False)])
def test_twelve_inches_from_every_other_member(n: int, coherent: bool) -> None:
    """A chain with eleven inches between its ends is coherent, one with thirteen is not."""
    assert desk(row("a1", "A", n, 10), FAR).ask(coherent="a1") is coherent


@clause("COH-4")
def test_coherency_is_judged_where_a_move_ends() -> None:
    """A model may stray on its way but not end more than an inch from its fellow."""
    table = desk(row("a1", "A", 2, 10), FAR)
    for way, cited in (([[18, 10], [20, 10]], None), ([[19.9, 10]], "COH-5")):
        assert refused(table.activate("a1", "walk", [answer("move", {"a1.1": way})])) == cited


@clause("TERR-DANG-1", "TERR-DANG-4")
def test_one_die_for_each_model_in_the_mines_before_any_shot() -> None:
    """Two of four cross: two dice; the owner gives the wound to one that did not, and only then they shoot."""
    field = box("m", 10, 12, 22.4, 13, "dangerous")
    table = desk(row("a1", "A", 4, 10, weapons=[GUN]), row("b1", "B", 3, 24), terrain=(field,))
    dice = {"dangerous": [1, 6], "block": [1], "hit": [1, 1, 1]}
    found = table.activate("a1", "walk", [shift(0, 5), answer("allocate", "a1.4")], dice=dice)
    assert found.alive("a1") == ["a1.1", "a1.2", "a1.3"]
    assert [roll["purpose"] for roll in found.rolls] == ["dangerous", "block", "hit"]
    assert found.rolled("dangerous") == [1, 6]


@clause("ACT-9")
def test_powers_move_mines_and_fire_come_in_this_order() -> None:
    """A Psyker who walks through mines tries its power, moves, tests the ground, and shoots last."""
    seer = row("a1", "A", 1, 10, weapons=[GUN], rules=["Psyker(1)"], keywords=["power:Dread"])
    table = desk(seer, row("b1", "B", 3, 26), terrain=(MINES,), sides={"A": {"marks": {"power-dice": 2}}})
    said = [answer("choose-option", "Dread by a1.1"), answer("number", 1), shift(0, 5)]
    found = table.activate("a1", "walk", said, dice={"power": [1], "dangerous": [6], "hit": [1]})
    order = [event["facts"]["purpose"] if event["kind"] == "rolled" else event["kind"] for event in found.events]
    steps = ("activated", "power", "moved", "dangerous", "hit")
    assert [step for step in order if step in steps] == list(steps)


# -- shooting --------------------------------------------------------------------------------------------------------------


@clause("SHOOT-1")
def test_one_enemy_unit_is_shot_at_by_all() -> None:
    """Of two enemy units one is picked, and both models fire at it."""
    table = desk(row("a1", "A", 2, 10, weapons=[GUN]), row("b1", "B", 4, 16), unit("b2", "B", [(32, 16)]))
    held = table.activate("a1", "hold", unanswered="stop")
    assert (held.pending or {}).get("options") == ["b1", "b2", "hold-fire"]
    found = table.activate("a1", "hold", [answer("choose-target", "b2")], dice=[1, 1])
    assert [(attack["target"], attack["attacks"]) for attack in found.attacks] == [("b2", 2)]


@clause("SHOOT-12")
def test_cover_stays_as_it_was_when_fire_was_declared() -> None:
    """Two of three stand in a wood; both weapons meet its cover though the first would fell those in it."""
    gunner = row("a1", "A", 1, 10, rules=["Relentless"], weapons=['Cannon (24", A2)', 'Rifle (30", A1, Linked)'])
    wood = box("f", 19, 15, 23, 17, "cover")
    table = desk(gunner, row("b1", "B", 3, 16), terrain=(wood,))
    dice = {"hit": [6, 6, 6], "ignore": [1, 1, 4], "block": [1, 1], "morale": [6]}
    fire = answer("choose-target", "b1"), answer("assign-weapons", [["a1.1", 0], ["a1.1", 1]])
    said = [*fire, answer("allocate", "b1.1"), answer("allocate", "b1.2")]
    found = table.activate("a1", "hold", said, dice=dice)
    assert [roll["faces"] for roll in found.rolls if roll["purpose"] == "ignore"] == [[1, 1], [4]]
    assert found.alive("b1") == ["b1.3"]


# -- melee and morale ------------------------------------------------------------------------------------------------------


@clause("MELEE-22")
def test_only_the_loser_of_a_melee_tests() -> None:
    """The winner loses half of its models and takes no test; the loser takes one."""
    table = desk(row("a1", "A", 2, 10), row("b1", "B", 3, 14))
    dice = {"hit": [4, 4, 1, 1, 4, 1, 1], "block": [1, 1, 1], "morale": [6]}
    found = table.activate("a1", "assault", [shift(0, 3)], dice=dice)
    assert (len(found.alive("a1")), rollers(found, "morale")) == (1, ["b1"])


@clause("MELEE-27")
@pytest.mark.parametrize(("start", "fate"), [(2, "pinned"), (4, "routed")])
def test_a_pinned_assaulter_steps_back_and_a_routed_one_is_gone(start: int, fate: str) -> None:
    """Having lost and failed its test the assaulter moves an inch clear when Pinned, and not when it routs."""
    ours = unit("a1", "A", [(20, 10), (22, 10)], weapons=[AXE], rules=["Tough(3)"], start_size=start)
    table = desk(ours, row("b1", "B", 1, 14))
    dice = {"hit": [1, 1, 1, 1, 4], "block": [1], "morale": [1]}
    found = table.activate("a1", "assault", [shift(0, 3)], dice=dice)
    assert fate in found.kinds()
    assert ("stepped-back" in found.kinds(), bool(found.alive("a1"))) == ((fate == "pinned"),) * 2


@clause("MORALE-13")
def test_a_failed_test_of_fear_pins_nobody() -> None:
    """The frightened assaulter strikes after its fearsome enemy, and is neither Pinned nor gone."""
    table = desk(row("a1", "A", 1, 10, start_size=2), row("b1", "B", 1, 14, rules=["Fear"]))
    found = table.activate("a1", "assault", [shift(0, 3)], dice={"morale": [3], "hit": [1, 1, 1]})
    assert rollers(found, "hit") == ["b1", "a1"]
    assert ("pinned" in found.marks("a1"), found.alive("a1")) == (False, ["a1.1"])


@clause("PIN-5")
def test_who_is_pinned_by_mines_on_the_way_fights_last() -> None:
    """Half of an assaulting pair is lost to mines and the test fails: the survivor still strikes, after its enemy."""
    table = desk(row("a1", "A", 2, 10), row("b1", "B", 1, 16), terrain=(MINES,))
    dice = {"dangerous": [1, 6], "block": [1], "morale": [3], "hit": [1, 1, 1]}
    found = table.activate("a1", "assault", [shift(0, 5)], dice=dice)
    assert (rollers(found, "morale"), rollers(found, "hit")) == (["a1"], ["b1", "a1"])
    assert "pinned" in found.marks("a1")


@clause("PIN-6")
def test_a_pinned_defender_piles_in_strikes_back_and_stays_pinned() -> None:
    """A Pinned pair is assaulted, closes up, strikes, wins, and is Pinned still."""
    theirs = unit("b1", "B", [(20, 14), (22, 14)], weapons=[AXE], marks=["pinned"])
    table = desk(row("a1", "A", 1, 10, rules=["Tough(3)"]), theirs)
    dice = {"hit": [1, 1, 4, 4], "block": [1, 6], "morale": [6]}
    found = table.activate("a1", "assault", [shift(0, 3)], dice=dice)
    assert {"piled-in", "melee-won"} <= set(found.kinds())
    assert (rollers(found, "morale"), "pinned" in found.marks("b1")) == (["a1"], True)


@clause("ROUT-1")
def test_a_routed_unit_is_destroyed() -> None:
    """The last two of four lose a melee and fail: no model is left, and the assaulter need not step back."""
    theirs = row("b1", "B", 3, 14, start_size=4)
    table = desk(row("a1", "A", 1, 10), theirs, FAR)
    dice = {"hit": [4, 1, 1, 1, 1], "block": [1], "morale": [1]}
    found = table.activate("a1", "assault", [shift(0, 3)], dice=dice)
    assert (found.alive("b1"), found.unit("b1")["where"]) == ([], "destroyed")
    assert "stepped-back" not in found.kinds()


@clause("ROUT-2")
def test_passengers_leave_a_routed_transport_as_a_wreck() -> None:
    """The last of two trucks loses a melee and routs: those inside stand on the table and took the wreck's hits."""
    truck = unit("a9", "A", [(20, 20)], type="vehicle", q=6, rules=["Transport(10)", "Tough(4)"], start_size=2)
    riders = unit("a1", "A", [None] * 2, where="a9")
    table = desk(truck, riders, unit("b1", "B", [(26, 20)], q=2, weapons=[AXE]), active="B")
    dice = {"hit": [2, 1, 1], "ignore": [1], "block": [1, 6], "damage": [1, 1], "morale": [1], "attacks": [1]}
    found = table.activate("b1", "assault", dice=dice)
    assert "routed" in found.kinds()
    assert (found.unit("a1")["where"], found.attacks[-1]["target"]) == ("table", "a1")


@clause("ELEV-5", "ELEV-3")
@pytest.mark.parametrize(("rise", "order"), [(3, ["b1", "a1"]), (0, ["a1", "b1"])])
def test_flyers_do_not_take_the_hill_from_the_enemy(rise: float, order: list[str]) -> None:
    """The defender on a hill strikes first, for that reason, even when the assaulter is Flying and its move ends up there."""
    hill = disc("h", 20, 14, 2, "elevation", elevation=rise, height=rise)
    table = desk(row("a1", "A", 1, 10, rules=["Flying"]), row("b1", "B", 1, 14), terrain=(hill,) if rise else ())
    found = table.activate("a1", "assault", [shift(0, 3)], dice={"hit": [1, 1, 1]})
    assert rollers(found, "hit") == order
    assert ("ELEV-3" in found.event("struck")["clauses"]) is bool(rise)


# -- Psykers and armies ----------------------------------------------------------------------------------------------------


def seer(id: str, x: float, *powers: str) -> Json:
    """A Psyker who knows some powers."""
    return unit(id, "A", [(x, 20)], rules=["Psyker(2)"], keywords=[f"power:{name}" for name in powers])


@clause("RULE-PSYKER-4")
@pytest.mark.parametrize(("x", "offered"), [(37, True), (40, False)])
def test_a_power_needs_range_and_no_sight(x: float, offered: bool) -> None:
    """Mind Spike goes through a wall to an enemy within eighteen inches, and to nobody further away."""
    wall = box("w", 28, 0, 29, 48, height=10, solid=True)
    enemy = unit("b1", "B", [(x, 20)])
    table = desk(seer("a1", 20, "Mind Spike"), enemy, terrain=(wall,), sides={"A": {"marks": {"power-dice": 1}}})
    assert table.ask(sight=["a1", "b1"]) in (False, "none")
    found = table.activate("a1", "hold", [answer("choose-option", "Mind Spike by a1.1")], dice={"seed": 1})
    assert ("cast" in found.kinds()) is offered


@clause("RULE-PSYKER-2", "RULE-PSYKER-6")
def test_psykers_share_the_dice_and_a_power_is_tried_once() -> None:
    """What one Psyker spent the other lacks, and the power the first tried is not offered to the second."""
    units = seer("a1", 20, "Dread", "Mind Spike"), seer("a2", 24, "Dread", "Mind Spike"), unit("b1", "B", [(30, 20)])
    table = desk(*units, sides={"A": {"marks": {"power-dice": 4}}})
    said = [answer("choose-option", "Dread by a1.1"), answer("number", 2), answer("choose-option", "none")]
    after = table.activate("a1", "hold", said, dice={"power": [1, 1]}).json["after"]
    table.situation = {**after, "active": "A"}
    assert {"power-dice": 2} in after["sides"]["A"]["marks"]
    found = table.activate("a2", "hold", unanswered="stop")
    assert (found.pending or {})["options"] == ["none", "Mind Spike by a2.1"]


@clause("RULE-PSYKER-9")
def test_a_profile_lists_powers_that_exist() -> None:
    """A card may list the shipped powers and no others."""
    SECOND.check_card(card(rules=["Psyker(1)"], keywords=["power:Foresight"]))
    with pytest.raises(ArmyError, match="Levitation") as caught:
        SECOND.check_card(card(rules=["Psyker(1)"], keywords=["power:Levitation"]))
    assert caught.value.clause == "RULE-PSYKER-9"


@clause("JOIN-2")
def test_copies_merge_when_what_was_bought_for_all_is_alike() -> None:
    """Axes for all and guns for all do not merge; one gun among the axes does not matter."""
    models = [{"weapons": [GUN]}]
    units = row("a1", "A", 5, 4), row("a2", "A", 5, 8, weapons=[GUN]), row("a3", "A", 5, 12, models=models)
    table = desk(*units, FAR)
    assert (table.ask(merge=["a1", "a2"]), table.ask(merge=["a1", "a3"])) == (False, True)
