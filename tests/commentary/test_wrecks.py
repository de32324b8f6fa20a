"""Wrecks: what a destroyed TRANSPORT counts, who gets out of it, and what the end of one model sets off in another."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from rolloff.geometry.field import Scene
from rolloff.geometry.moves import Zone
from rolloff.geometry.place import muster
from rolloff.geometry.ringing import muster_around
from rolloff.rules import transports
from tests.commentary.desk import Json, Ruling, gun, squad
from tests.commentary.test_phases import HULL, marks, rule
from tests.commentary.test_timing import at, react

SHOOT: Json = {"phase": "shooting", "unit": "a1"}
SURE = gun("Torrent", S=20, D=20)


def destroyed(found: Ruling) -> list[tuple[str, str | None]]:
    """The units reported destroyed, each with the player whose work it was."""
    facts = [event["facts"] for event in found.events if event["kind"] == "unit-destroyed"]
    return [(one["unit"], one["destroyer"]) for one in facts]


def rolled(found: Ruling) -> list[tuple[str, str]]:
    """What dice were rolled for, and the unit that rolled them."""
    facts = [event["facts"] for event in found.events if event["kind"] == "rolled"]
    return [(one["purpose"], one["unit"]) for one in facts]


@pytest.mark.clause("commentary-10", "DEST-2", "DEST-3", "TRANS-8")
@pytest.mark.parametrize(
    ("dice", "others"), [([3, 3], []), ([1, 3], []), ([1, 1], [("b2", None)])], ids=["nobody", "one", "all"]
)
def test_a_wreck_counts_whoever_dies_getting_out(dice: list[int], others: list[tuple[str, str | None]]) -> None:
    """A TRANSPORT that was shot is destroyed by who shot it, and the cards see it, however its passengers fare."""
    hull = squad("b1", "B", 1, at=[(20, 20)], **HULL)
    units = [squad("a1", "A", 1, SURE, at=[(10, 20)]), hull, squad("b2", "B", 2, where="b1")]
    found = rule(units, SHOOT, [2, *dice], answers=[at("b1")])
    assert destroyed(found) == [*others, ("b1", "A")]
    sides = found.json["after"]["sides"]
    assert {"felled:b1": "end-turn"} in sides["A"]["marks"] and {"lost:b1": "end-turn"} in sides["B"]["marks"]


# -- getting out -----------------------------------------------------------------------------------

BACK: Json = {"phase": "movement", "unit": "a1", "action": "fall-back"}
AWAY: Json = {"kind": "move", "value": {"shift": [0, -6]}}
RICH: Json = {"B": {"cp": 1}}


def ambushed(watcher: Json, *inside: Json) -> list[Json]:
    """A TRANSPORT of A that its Desperate Escape ends, with somebody aboard, before an enemy with a gun."""
    hull = squad("a1", "A", 1, at=[(10, 15)], M=12, marks=["battle-shocked"], **HULL)
    return [hull, *inside, squad("b1", "B", 1, at=[(10, 16.5)]), squad("b2", "B", 1, watcher, at=[(25, 15)])]


@pytest.mark.clause("commentary-10", "CSTR-5", "TRANS-8", "SETUP-1", "JUST-1")
def test_who_gets_out_of_a_wreck_may_be_shot_at() -> None:
    """Passengers are set up, so that an enemy may fire Overwatch just after it, before a die is rolled for getting out."""
    answers = [react("pass"), AWAY, react("Fire Overwatch b2 a2")]
    units = ambushed(gun(S=9), squad("a2", "A", 2, where="a1"))
    found = rule(units, BACK, [1, 6, 6, 3], sides=RICH, answers=answers)
    assert found.verdict == "legal", found.refusal
    assert rolled(found) == [("desperate escape", "a1"), ("hit", "b2"), ("wound", "b2"), ("wreck", "a2")]
    assert len([model for model in found.dead() if model.startswith("a2")]) == 1 and found.unit("a1")["where"] == "destroyed"
    poor = rule(units, BACK, [1, 3, 3], answers=[AWAY])
    assert rolled(poor) == [("desperate escape", "a1"), ("wreck", "a2"), ("wreck", "a2")]


@pytest.mark.clause("commentary-10", "CSTR-5", "TRANS-8", "UNIT-6")
def test_who_is_left_after_being_shot_at_gets_out_all_the_same() -> None:
    """Overwatch fells the Bodyguard of those who get out: its Leader, a unit of its own, has the die and is Battle-shocked."""
    boss = squad("a3", "A", 1, keywords=["INFANTRY", "CHARACTER"], leading="a2", W=3)
    units = ambushed(gun("Torrent", S=9), squad("a2", "A", 1, where="a1"), boss)
    answers = [react("pass"), AWAY, react("Fire Overwatch b2 a2")]
    found = rule(units, BACK, [1, 6, 1], sides=RICH, answers=answers)
    assert found.verdict == "legal", found.refusal
    assert rolled(found)[-1] == ("wreck", "a3") and found.wounds("a3") == [1]
    assert {"battle-shocked", "no-charge", "moved"} <= marks(found, "a3")
    none = rule(ambushed(gun("Torrent", S=9), squad("a2", "A", 1, where="a1")), BACK, [1, 6], sides=RICH, answers=answers)
    assert none.verdict == "legal" and none.unit("a2")["where"] == "destroyed"


@pytest.mark.clause("commentary-10", "TRANS-8", "TRANS-9", "SETUP-3")
def test_no_emergency_where_the_owner_finds_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passengers of a wreck whose owner names places wholly within 3 inches roll for a 1, although none were found for him."""
    units = [
        squad("b1", "B", 1, SURE, at=[(20, 35)]),
        squad("a1", "A", 1, at=[(20, 20)], **HULL),
        squad("a2", "A", 2, where="a1"),
    ]
    near = {"kind": "place", "value": {"a2.1": [20, 22], "a2.2": [21.5, 22]}}
    for name, search in (("muster", muster), ("muster_around", muster_around)):
        monkeypatch.setattr(transports, name, partial(_further_out, search))
    far = {"kind": "place", "value": {"a2.1": [20, 24], "a2.2": [21.5, 24]}}
    for places, need in ((near, 2), (far, 4)):
        found = rule(units, {"phase": "shooting", "unit": "b1"}, [2, 6, 6], active="B", answers=[at("a1"), places])
        assert found.verdict == "legal" and found.needs("wreck") == [need, need], found.refusal


def _further_out(
    search: Callable[..., bytes | None], scene: Scene, who: tuple[int, ...], zone: Zone, *goal: int
) -> bytes | None:
    """A search that overlooks what is near."""
    return None if zone.hub is not None and zone.hub.distance == 3000 else search(scene, who, zone, *goal)


# -- chains of Deadly Demise -----------------------------------------------------------------------


def chain(*more: Json, **first: object) -> list[Json]:
    """A firer, and two walkers whose ends reach each other; the second has one wound."""
    walker = {"keywords": ["VEHICLE"], "rules": ["Deadly Demise D3"]}
    ours = squad("a1", "A", 1, SURE, at=[(10, 30)])
    return [
        ours,
        squad("b1", "B", 1, at=[(10, 15)], **{**walker, **first}),
        squad("b2", "B", 1, at=[(15, 15)], **walker),
        *more,
    ]


@pytest.mark.clause("commentary-10", "DICE-6", "ABIL-1", "DEST-2")
def test_no_die_for_a_unit_that_has_no_wounds_left() -> None:
    """The end of b1 fells b2, whose own end reaches nobody but b1, which is destroyed: its D3 is not drawn."""
    found = rule(chain(), SHOOT, [2, 6, 1, 6], answers=[at("b1")])
    assert found.verdict == "legal", found.refusal
    assert rolled(found) == [("wound", "a1"), ("deadly demise", "b1"), ("demise wounds", "b1"), ("deadly demise", "b2")]
    assert destroyed(found) == [("b2", None), ("b1", "A")]


@pytest.mark.clause("commentary-10", "DICE-6", "ABIL-1")
@pytest.mark.parametrize(("x", "dice", "lost"), [(20, [3], 2), (30, [], 0)], ids=["near", "far"])
def test_who_is_left_of_a_unit_suffers_from_a_chain(x: float, dice: list[int], lost: int) -> None:
    """A fellow of b1 close to b2 suffers what b2's end inflicts on its unit; for one further away no die is rolled."""
    spots = {"at": [(10, 15), (x, 15)], "own": [{"rules": ["Deadly Demise D3"]}, {}]}
    ours, _, other = chain()
    units = [ours, squad("b1", "B", 2, W=3, keywords=["VEHICLE"], **spots), other]
    found = rule(units, SHOOT, [2, 6, 1, 6, *dice], answers=[at("b1"), {"kind": "allocate", "value": "b1.1"}])
    assert found.verdict == "legal" and found.wounds("b1") == [lost]


@pytest.mark.clause("commentary-10", "DICE-6", "ABIL-1", "TRANS-8")
def test_dice_are_logged_as_those_of_the_unit_that_rolls_them() -> None:
    """Who feels no pain in an explosion rolls for that itself; after a wreck the firer goes on with dice of its own."""
    tough = squad("a2", "A", 1, at=[(12, 18)], rules=["Feel No Pain 5+"])
    found = rule([*chain(tough, rules=["Deadly Demise 1"])[:2], tough], SHOOT, [2, 6, 5], answers=[at("b1")])
    assert rolled(found) == [("wound", "a1"), ("deadly demise", "b1"), ("feel no pain", "a2")]
    hull = squad("b1", "B", 1, at=[(20, 20)], **HULL)
    risky = gun("Torrent", "Hazardous", S=20, D=20)
    units = [squad("a1", "A", 1, risky, at=[(10, 20)]), hull, squad("b2", "B", 1, where="b1")]
    wreck = rule(units, SHOOT, [2, 3, 2], answers=[at("b1")])
    assert rolled(wreck) == [("wound", "a1"), ("wreck", "b2"), ("hazardous", "a1")]


@pytest.mark.clause("commentary-10", "ABIL-1", "DICE-6")
@pytest.mark.parametrize(("most", "rolls"), [(2, 2), (1, 1)], ids=["some are left", "nobody is"])
def test_who_was_close_to_a_wreck_suffers_whatever_it_sets_off(most: int, rolls: int) -> None:
    """A unit within 6 inches of a wreck suffers for it though another that it set off took the only model so near."""
    first = squad("b1", "B", 1, at=[(20, 10)], keywords=["VEHICLE"], rules=["Deadly Demise D3"])
    second = squad("b2", "B", 1, at=[(24, 10)], W=2, keywords=["VEHICLE"], rules=["Deadly Demise 2"])
    near = squad("a2", "A", most, at=[(26, 10), (27.2, 10)], W=2)
    units = [squad("a1", "A", 1, SURE, at=[(10, 10)]), first, second, near, squad("b9", "B", 1, at=[(50, 40)])]
    found = rule(units, SHOOT, [2, 6, 4, 6, *[4][: rolls - 1]], answers=[at("b1")])
    assert found.faces("demise wounds") == [4] * rolls, found.refusal
    assert sorted(found.dead()) == ["a2.1", *["a2.2"][: most - 1], "b1.1", "b2.1"]
