"""Melee (MELEE) and what follows from it: who strikes, who wins, who steps back."""

from __future__ import annotations

from typing import Any

import pytest

from tests.onepage.desk import Desk, Json, Ruling, answer, box, disc, unit

E = "onepage-3.0"


def clause(*ids: str) -> pytest.MarkDecorator:
    """Mark the clauses of the third edition a test covers."""
    return pytest.mark.clause(E, *ids)


def row(id: str, side: str, n: int, y: float, **more: object) -> Json:
    """n models side by side, two inches from centre to centre, from x = 20."""
    return unit(id, side, [(20 + 2 * k, y) for k in range(n)], **more)  # type: ignore[arg-type]


def charge(desk: Desk, dice: object = (), answers: list[Json] | None = None, **more: Any) -> Ruling:
    """Unit a1 assaults with the shown way."""
    return desk.activate("a1", "assault", answers or [], dice=dice, **more)


@clause("MELEE-2", "ACT-7", "ACT-4")
@pytest.mark.parametrize(("gap", "offered"), [(11.9, True), (12.2, False)])
def test_assault_is_offered_within_the_allowance(gap: float, offered: bool) -> None:
    """An enemy 11.9 inches away may be assaulted, one 12.2 inches away may not."""
    desk = Desk([row("a1", "A", 1, 10), row("b1", "B", 1, 11 + gap)])
    assert ("assault" in desk.ask(options="a1")) is offered


@clause("MELEE-2")
def test_no_clear_path_no_assault() -> None:
    """An enemy within reach but wholly behind a wall of impassable ground cannot be assaulted."""
    wall = box("w", 0, 14, 72, 15, "impassable", height=4, solid=True)
    assert "assault" not in Desk([row("a1", "A", 1, 10), row("b1", "B", 1, 19)], [wall]).ask(options="a1")


@clause("MELEE-2", "MOVE-7")
def test_the_path_may_bend_round_a_wall() -> None:
    """A wall between assaulter and target is no bar if the way round it is short enough."""
    wall = box("w", 18, 14, 22, 15, "impassable", height=4, solid=True)
    assert "assault" in Desk([row("a1", "A", 1, 10), row("b1", "B", 1, 18)], [wall]).ask(options="a1")


@clause("MELEE-3")
def test_an_assault_must_reach_contact() -> None:
    """An assault move that stops short of the target is refused."""
    desk = Desk([row("a1", "A", 1, 10), row("b1", "B", 1, 18)])
    found = charge(desk, answers=[answer("move", {"a1.1": [[20, 15]]})])
    assert found.verdict == "refused"
    assert (found.refusal or {})["clause"] == "MELEE-3"


@clause("MELEE-3")
def test_no_assaulting_model_may_end_further_away() -> None:
    """While one model reaches contact another may not end further from the target than it began."""
    desk = Desk([row("a1", "A", 2, 12), unit("b1", "B", [(20, 14)])])
    away = answer("move", {"a1.1": [[20, 13]], "a1.2": [[22, 11]]})
    found = charge(desk, answers=[away])
    assert (found.refusal or {}).get("clause") == "MELEE-3"


@clause("MELEE-4")
def test_the_gap_is_waived_toward_enemies_not_friends() -> None:
    """An assaulter may pass within an inch of another enemy, but not of a friendly unit."""
    way = answer("move", {"a1.1": [[20, 17]]})
    enemy = Desk([row("a1", "A", 1, 10), unit("b1", "B", [(20, 18)]), unit("b2", "B", [(21.5, 14)])])
    assert charge(enemy, [1, 1], [answer("choose-target", "b1"), way]).verdict == "legal"
    friend = Desk([row("a1", "A", 1, 10), unit("b1", "B", [(20, 18)]), unit("a2", "A", [(21.5, 14)])])
    found = charge(friend, [1, 1], [way])
    assert (found.refusal or {}).get("clause") == "MELEE-4"


@clause("MELEE-4")
def test_bases_touch_models_of_the_target_only() -> None:
    """An assaulter may not touch a unit that is not its target."""
    desk = Desk([row("a1", "A", 1, 10), unit("b1", "B", [(20, 18)]), unit("b2", "B", [(21, 17)])])
    found = charge(desk, [1, 1], [answer("choose-target", "b1"), answer("move", {"a1.1": [[20, 17]]})])
    assert (found.refusal or {}).get("clause") == "MELEE-4"


@clause("MELEE-1")
def test_an_assault_names_one_target() -> None:
    """With two enemies in reach the player picks one, and only that one is struck."""
    desk = Desk([row("a1", "A", 1, 10), unit("b1", "B", [(20, 14)]), unit("b2", "B", [(24, 14)])])
    found = charge(desk, [1, 1], [answer("choose-target", "b2")])
    assert [event["facts"]["target"] for event in found.events if event["kind"] == "struck"] == ["b2", "a1"]


@clause("MELEE-7")
def test_defenders_pile_in_up_to_three_inches() -> None:
    """A defender two and a half inches from the fray moves into contact and strikes back."""
    defenders = unit("b1", "B", [(20, 14), (23, 14)])
    found = charge(Desk([row("a1", "A", 1, 10), defenders]), [1, 1, 1])
    assert "piled-in" in found.kinds()
    assert found.attacks[1]["attacks"] == 2


@clause("MELEE-7")
def test_vehicles_do_not_pile_in() -> None:
    """A vehicle that is assaulted stays where it stands."""
    tank = unit("b1", "B", [(20, 16)], type="vehicle")
    found = charge(Desk([row("a1", "A", 1, 10), tank]), {"seed": 1})
    assert "piled-in" not in found.kinds()


@clause("MELEE-14", "MELEE-18", "MELEE-15")
def test_survivors_strike_back_after_casualties() -> None:
    """Two of three defenders fall first; only the one left strikes back, though it has already acted."""
    ours = row("a1", "A", 2, 10, weapons=["Light CCW"], q=2)
    theirs = row("b1", "B", 3, 12, q=6, marks=["activated"])
    found = charge(Desk([ours, theirs]), [2, 2, 1, 1, 1, 6])
    assert [attack["attacks"] for attack in found.attacks] == [2, 1]


@clause("MELEE-20", "MELEE-22", "MORALE-9")
def test_tv_d19_the_side_with_fewer_wounds_tests() -> None:
    """TV-D19: the assaulter causes two wounds, the defender one: the defender tests, and only it."""
    ours = row("a1", "A", 5, 10, weapons=["Light CCW"])
    theirs = row("b1", "B", 5, 12)
    found = charge(Desk([ours, theirs]), [4, 4, 1, 1, 1, 1, 1, 4, 1, 1, 1, 1])
    assert found.rolled("morale") == [1]
    assert found.marks("b1") == {"pinned"}
    assert "pinned" not in found.marks("a1")


@clause("MELEE-21")
@pytest.mark.parametrize("wounds", [0, 1])
def test_tv_r36_equal_wounds_are_a_tie(wounds: int) -> None:
    """TV-R36: equal wounds, none at all included, are a tie and nobody tests."""
    ours, theirs = row("a1", "A", 3, 10, q=4), row("b1", "B", 3, 12, q=4)
    found = charge(Desk([ours, theirs]), [4, 1, 1, 1, 4, 1, 1] if wounds else [1] * 6)
    assert "melee-tied" in found.kinds()
    assert found.rolled("morale") == []


@clause("MELEE-23")
def test_a_destroyed_loser_takes_no_test() -> None:
    """A loser that is wiped out rolls no morale."""
    found = charge(Desk([row("a1", "A", 1, 10), row("b1", "B", 1, 14, q=6)]), [4, 1])
    assert found.rolled("morale") == []
    assert "melee-won" in found.kinds()


@clause("MORALE-10", "ROUT-1", "ROUT-3")
@pytest.mark.parametrize(("left", "fate"), [(6, "pinned"), (5, "routed"), (4, "routed")])
def test_tv_r34_half_or_less_routs(left: int, fate: str) -> None:
    """TV-R34: started with ten, loses the melee and fails: 6 left Pinned, 5 or 4 left routs."""
    theirs = unit("b1", "B", [(20 + 1.1 * k, 12) for k in range(left + 1)], q=6, start_size=10)
    ours = unit("a1", "A", [(20, 10), (22, 10)], q=4, weapons=["Light CCW"])
    desk = Desk([ours, theirs])
    found = charge(desk, {"hit": [4, 1] + [1] * left, "block": [1], "morale": [1]})
    assert fate in found.kinds()


@clause("MELEE-24", "MELEE-25")
def test_the_assaulter_consolidates_when_the_defender_is_gone() -> None:
    """When the defender is destroyed the assaulter may move up to three inches; the defender never may."""
    desk = Desk([row("a1", "A", 1, 10), row("b1", "B", 1, 12, q=6)])
    step = [answer("move", {"a1.1": [[20, 11]]}), answer("move", {"shift": [3, 0]})]
    assert charge(desk, [4, 1], step).verdict == "legal"
    far = [answer("move", {"a1.1": [[20, 11]]}), answer("move", {"shift": [3.1, 0]})]
    assert (charge(desk, [4, 1], far).refusal or {})["clause"] == "MELEE-24"


@clause("MELEE-26")
def test_both_alive_the_assaulter_steps_back() -> None:
    """If neither side is destroyed the assaulter ends an inch clear of the defender."""
    desk = Desk([row("a1", "A", 1, 10), row("b1", "B", 1, 14)])
    found = charge(desk, [1, 1], ask=[{"distance": ["a1", "b1"]}])
    assert "stepped-back" in found.kinds()
    assert found.answers()[0] == pytest.approx(1, abs=0.011)


@clause("MELEE-26", "TYPE-VEH-11")
def test_a_vehicle_steps_back_like_anybody() -> None:
    """A vehicle that assaulted is shifted away, free of facing and half-speed rules."""
    desk = Desk(
        [unit("a1", "A", [(20, 20)], type="vehicle", rules=["Tough(6)"]), unit("b1", "B", [(30, 20)], rules=["Tough(6)"])]
    )
    found = desk.activate("a1", "assault", dice={"attacks": [1], "block": [6], "hit": [1, 1]})
    assert "stepped-back" in found.kinds()


@clause("ELEV-3", "ELEV-1", "ELEV-2")
def test_tv_r70_uphill_is_unwieldy() -> None:
    """TV-R70: a unit assaulting a target three inches higher rolls its successful dice again."""
    hill = disc("h", 20, 14, 2, "elevation", elevation=3, height=3)
    desk = Desk([row("a1", "A", 1, 10), row("b1", "B", 1, 14)], [hill])
    found = charge(desk, [4, 1, 1])
    assert found.rolls[0]["rerolls"] == [[0, 1]]


@clause("ELEV-5", "RULE-FLYING-2")
def test_tv_r78_flyers_do_not_mind_the_slope() -> None:
    """TV-R78: a Flying unit assaults uphill without Unwieldy."""
    hill = disc("h", 20, 14, 2, "elevation", elevation=3, height=3)
    desk = Desk([row("a1", "A", 1, 10, rules=["Flying"]), row("b1", "B", 1, 14)], [hill])
    found = charge(desk, [4, 6, 1])
    assert found.rolls[0]["rerolls"] == []


@clause("RULE-FEAR-1", "RULE-FEAR-2", "MELEE-8", "MORALE-13")
def test_tv_r39_fear_makes_unwieldy_and_no_more() -> None:
    """TV-R39: a defender at 4+ without Fear fails on 3: Unwieldy for this melee, not Pinned."""
    desk = Desk([row("a1", "A", 1, 10, rules=["Fear"]), row("b1", "B", 1, 14)])
    found = charge(desk, [3, 1, 4, 1])
    assert found.event("fear-tested")["facts"]["passed"] is False
    assert next(roll for roll in found.rolls if roll["unit"] == "b1" and roll["purpose"] == "hit")["rerolls"] == [[0, 1]]
    assert "pinned" not in found.marks("b1")


@clause("PIN-2", "PIN-6")
def test_a_pinned_defender_strikes_back_clumsily_and_stays_pinned() -> None:
    """A Pinned unit strikes back with Unwieldy, and even a won melee does not free it."""
    desk = Desk([row("a1", "A", 1, 10, rules=["Tough(3)"]), row("b1", "B", 1, 14, marks=["pinned"])])
    found = charge(desk, [1, 4, 4, 1, 6])
    assert next(roll for roll in found.rolls if roll["unit"] == "b1")["rerolls"] == [[0, 4]]
    assert "pinned" in found.marks("b1")
