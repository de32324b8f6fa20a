"""Situations: every state survives being written, and what cannot be is refused with its place."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from rolloff.errors import BadInput, UnknownEdition
from rolloff.rules.game import Game
from rolloff.situations.depiction import write_situation
from rolloff.situations.forms import SituationForm, decode
from rolloff.situations.situation import Situation, read_situation
from rolloff.table.event import Joined, Marked, Parted, Removed, Went, patched
from rolloff.table.state import RESERVE, Clock
from tests.record.coin import COIN, coin_setup
from tests.record.conftest import Played


def read(situation: dict[str, Any]) -> Situation:
    """Read a situation by way of its JSON."""
    return read_situation(decode(msgspec.json.encode(situation), SituationForm))


def example() -> dict[str, Any]:
    """Two units that face each other, as somebody would write them by hand."""
    models = [{"id": f"a1.{k}", "at": [4 + 2 * k, 4], "base": {"circle": 1}, "weapons": ["Penny"]} for k in (1, 2)]
    enemy = {"id": "b1.1", "at": [4, 12], "base": {"rect": [1, 2]}, "facing": 90}
    units = [{"id": "a1", "side": "A", "models": models}, {"id": "b1", "side": "B", "models": [enemy]}]
    return {"edition": "coin-1", "round": 1, "active": "A", "units": units}


def test_every_state_of_a_game_survives_being_written(played: Played) -> None:
    """A written situation reads back as the same state and as cards that play alike."""
    for state in played.states:
        found = read(write_situation(played.game, state))
        assert found.state == state
        assert found.state.digest() == state.digest()
        assert found.game.setup == played.game.setup


def test_marks_of_any_kind_and_place_survive() -> None:
    """Marks on clock, sides, units and models keep their values, whether numbers or words."""
    game = Game(COIN, coin_setup())
    state = replace(
        game.start(),
        clock=Clock("toss", 2, 1, 0, (("a", 0), ("b", 1), ("c", "x"))),
        sides=((("edge", "top"),), (("pool", 3),)),
        models=((0, "hurt", 1), (3, "used:0", "yes")),
    )
    state = patched(state, Marked(2, "pinned", 1))
    assert read(write_situation(game, state)).state == state


def test_joined_parted_and_reserve_units_survive() -> None:
    """Models that changed their unit, the order of the living and units off the table read back exactly."""
    game = Game(COIN, coin_setup())
    state = game.start()
    for patch in (Joined(0, 1), Went(2, RESERVE), Went(3, 2), Removed(2, 1)):
        state = patched(state, patch)
        assert read(write_situation(game, state)).state == state
    parted = patched(state, Parted((1,), 1, 0))
    assert read(write_situation(game, parted)).state == parted


def test_a_model_on_raised_ground_stands_there_unless_its_height_is_given() -> None:
    """Without z a model stands on the ground under its centre."""
    situation = example()
    situation["table"] = {"terrain": [{"id": "hill", "types": ["wood"], "disc": [4, 12, 1], "elevation": 2}]}
    assert write_situation(*_both(read(situation)))["units"][1]["models"][0]["z"] == 2
    situation["units"][1]["models"][0]["z"] = 0.5
    assert write_situation(*_both(read(situation)))["units"][1]["models"][0]["z"] == 0.5


def _both(found: Situation) -> tuple[Game, Any]:
    return found.game, found.state


def test_plain_marks_and_activated_are_understood() -> None:
    """A plain mark has the value 1, and ``activated`` means that the unit has acted."""
    situation = example()
    situation["units"][0]["marks"] = ["activated", "new", {"count": 3}]
    unit = read(situation).state.units[0]
    assert (unit.done, unit.marks) == (True, (("count", 3), ("new", 1)))


def test_a_destroyed_unit_has_no_living_models() -> None:
    """A unit that is destroyed, or whose models are all removed, is gone."""
    situation = example()
    situation["units"][1]["where"] = "destroyed"
    assert read(situation).state.units[1].living == ()
    situation["units"][1]["where"] = "table"
    situation["units"][1]["models"][0]["removed"] = True
    assert write_situation(*_both(read(situation)))["units"][1]["where"] == "destroyed"


def spoil(path: str, value: Any) -> dict[str, Any]:
    """The example with one field set to something else; the path uses dots and numbers."""
    situation = example()
    place: Any = situation
    *way, last = path.split(".")
    for step in way:
        place = place[int(step)] if isinstance(place, list) else place.setdefault(step, {})
    if isinstance(place, list):
        place[int(last)] = value
    else:
        place[last] = value
    return situation


M = "units.0.models.0"


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        ("edition", "chess", "unknown-edition"),
        ("colour", "red", "unknown-field"),
        ("units.0.colour", "red", "unknown-field"),
        (f"{M}.colour", "red", "unknown-field"),
        ("table.colour", "red", "unknown-field"),
        ("switches.magic", True, "unknown-switch"),
        ("round", -1, "bad-number"),
        ("active", "C", "bad-field"),
        ("clock.phase", "lunch", "unknown-phase"),
        ("units.0.id", "b1", "same-id"),
        ("units.0.id", "table", "bad-id"),
        ("units.0.id", "", "bad-id"),
        (f"{M}.id", "b1.1", "same-id"),
        ("units.0.type", "robot", "bad-type"),
        ("units.0.where", "moon", "bad-where"),
        ("units.0.where", "a1", "bad-where"),
        ("units.0.where", "b1", "bad-where"),
        ("units.0.start_size", 1, "bad-number"),
        ("units.0.living", ["a1.1"], "bad-living"),
        ("units.0.rules", ["Tough("], "bad-rule"),
        (f"{M}.at", [30, 4], "off-table"),
        (f"{M}.at", [0.4, 4], "off-table"),
        (f"{M}.at", [1001, 4], "bad-number"),
        (f"{M}.at", [4], "bad-field"),
        (f"{M}.at", ["x", 4], "bad-field"),
        (f"{M}.at", [8.5, 4], "overlap"),
        (f"{M}.at", [4, 11.2], "overlap"),
        (f"{M}.z", 2000, "bad-number"),
        (f"{M}.facing", 1e9, "bad-number"),
        (f"{M}.base", {"circle": 0}, "bad-number"),
        (f"{M}.base", {"circle": 1, "rect": [1, 1]}, "bad-base"),
        (f"{M}.base", {}, "bad-base"),
        (f"{M}.height", -1, "bad-number"),
        (f"{M}.wounds", 2, "bad-wounds"),
        (f"{M}.wounds", -1, "bad-number"),
        (f"{M}.weapons", [""], "bad-weapon"),
        (f"{M}.unit", "nobody", "unknown-unit"),
        ("table.size", [0, 10], "bad-number"),
        ("table.terrain", [{"id": "t", "types": ["wood"]}], "bad-terrain"),
        ("table.terrain", [{"id": "t", "types": ["lava"], "disc": [5, 5, 1]}], "bad-terrain"),
        ("table.terrain", [{"id": "t", "types": [], "polygon": [[1, 1], [2, 2]]}], "bad-shape"),
        ("table.terrain", [{"id": "t", "disc": [5, 5, 1]}] * 2, "same-id"),
        ("table.terrain", [{"id": str(k), "disc": [5, 5, 1]} for k in range(201)], "too-many"),
    ],
)
def test_impossible_situations_are_refused_with_their_place(path: str, value: Any, code: str) -> None:
    """Each unusable field gives an error with its code, and a sentence."""
    with pytest.raises(BadInput) as caught:
        read(spoil(path, value))
    assert caught.value.code == code
    assert caught.value.message


def test_too_many_models_are_refused_before_anything_is_built() -> None:
    """Ten thousand models are over the cap."""
    situation = example()
    situation["units"][0]["models"] = [{"id": f"m{k}"} for k in range(10_000)]
    with pytest.raises(BadInput) as caught:
        read(situation)
    assert caught.value.code == "too-many"


@pytest.mark.parametrize(
    "raw", [b"", b"{", b"[]", b"null", b'{"edition":NaN}', b"\xff", b'{"edition":"\\ud800","units":[]}', b"[" * 10**5]
)
def test_malformed_json_is_refused(raw: bytes) -> None:
    """What is no JSON, or no situation, is refused in a sentence."""
    with pytest.raises(BadInput) as caught:
        decode(raw, SituationForm)
    assert caught.value.code in ("bad-json", "bad-field")


def test_an_unknown_edition_names_the_known_ones() -> None:
    """The error says which editions there are."""
    with pytest.raises(UnknownEdition) as caught:
        read(spoil("edition", "chess"))
    assert "coin-1" in str(caught.value.allowed)


def test_units_may_not_be_aboard_each_other() -> None:
    """Two units that carry one another are impossible."""
    situation = example()
    situation["units"][1]["side"] = "A"
    situation["units"][0]["where"], situation["units"][1]["where"] = "b1", "a1"
    with pytest.raises(BadInput) as caught:
        read(situation)
    assert caught.value.code == "bad-where"


def test_models_at_other_heights_may_stand_over_one_another() -> None:
    """Bases overlap only where their heights do."""
    situation = spoil(f"{M}.at", [8.5, 4])
    situation["units"][0]["models"][0]["z"] = 3
    assert read(situation).unplaced == ()
