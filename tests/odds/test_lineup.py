"""Line-ups and sweeps: each number is that of the attack by itself."""

from __future__ import annotations

import json
from fractions import Fraction
from importlib import import_module
from typing import Any

import pytest

from rolloff import odds
from rolloff.armies.library import army
from rolloff.errors import ArmyError, BadInput
from rolloff.odds.compare import matrix
from rolloff.odds.sweeps import PARAMETERS, read_values

Json = dict[str, Any]
RIFLE, AXE = 'Rifle (24", A1)', "Axe (A2)"


def front(*attacks: Json, **more: Any) -> bytes:
    """Two attackers against two targets without places."""
    units = [
        {"id": "rifles", "side": "A", "points": 100, "models": _models("r", 5, [RIFLE])},
        {"id": "axes", "side": "A", "points": 50, "models": _models("x", 3, [AXE])},
        {"id": "mob", "side": "B", "points": 100, "quality": 5, "models": _models("m", 10, [])},
        {"id": "guard", "side": "B", "points": 90, "rules": ["Armored"], "models": _models("g", 3, [])},
    ]
    return json.dumps({"edition": "onepage-3.0", "units": units, "attacks": list(attacks), **more}).encode()


def _models(name: str, count: int, weapons: list[str]) -> list[Json]:
    return [{"id": f"{name}{k}", "weapons": weapons} for k in range(count)]


def test_every_cell_is_the_attack_by_itself() -> None:
    """Kills, destruction and the return of each pair are those of its own odds; who cannot attack has none."""
    found = odds.written_lineup(front(), exact=True, range=12, visible=True, cover=False)
    rifles, mob = odds.unit(5, weapons=[RIFLE]), odds.unit(10, quality=5)
    guard = odds.unit(3, rules=["Armored"])
    alone = {"mob": odds.attack(rifles, mob, range=12, exact=True), "guard": odds.attack(rifles, guard, range=12, exact=True)}
    for name, report in alone.items():
        assert found.kills["rifles", name] == report.kills.mean
        assert found.destroyed["rifles", name] == report.destroyed
    assert found.returns["rifles", "mob"] == alone["mob"].kills.mean * 10 / 100
    assert found.returns["rifles", "guard"] == alone["guard"].kills.mean * 30 / 100
    assert found.kills["axes", "mob"] is None and found.destroyed["axes", "guard"] is None
    assert [entry.models for entry in found.targets] == [10, 3]


def test_the_first_attack_says_the_circumstances_and_options_say_more() -> None:
    """A file may say cover or a melee once for all pairs; what is given besides goes before it."""
    shots = {"attacker": "rifles", "target": "mob", "range": 12, "cover": True}
    covered = odds.written_lineup(front(shots), exact=True)
    report = odds.attack(odds.unit(5, weapons=[RIFLE]), odds.unit(10, quality=5), range=12, cover=True, exact=True)
    assert covered.kills["rifles", "mob"] == report.kills.mean
    melee = odds.written_lineup(front(shots), exact=True, kind="melee")
    assert melee.kills["axes", "mob"] == Fraction(2) and melee.kills["rifles", "guard"] is not None


def test_armies_by_name_stand_against_each_other() -> None:
    """Every unit of one list meets every unit of the other, under the names players know."""
    found = odds.army_lineup("onepage-3.0", "levy-patrol", "compact-patrol", range=12, visible=True, cover=False)
    ours, theirs = (army("onepage-3.0", name, side) for side, name in enumerate(("levy-patrol", "compact-patrol")))
    assert [entry.id for entry in found.attackers] == [card.id for card in ours.cards]
    assert [entry.points for entry in found.targets] == [card.points for card in theirs.cards]
    cells = [cell for row in found.destroyed.values for cell in row if cell is not None]
    assert cells and all(0 <= cell <= 1 for cell in cells)


def test_lists_whose_units_wait_or_lead_meet_as_well() -> None:
    """Units that reserves, transports or squads would hold at the start are compared like all others, Leaders apart."""
    found = odds.army_lineup("commentary-10", "verdigris-mandate-500", "hollow-tide-500", range=12, visible=True, cover=False)
    assert [entry.name for entry in found.attackers][:3] == ["Tally-Marshal", "Furnace Proctor", "Ledger Guard"]
    assert [entry.name for entry in found.targets][:2] == ["Brood Whisperer", "Skitterlings"]
    shots = [cell for row in found.kills.values[2:] for cell in row]
    assert len(shots) == 3 * 5 and all(cell is not None and cell > 0 for cell in shots)


@pytest.mark.parametrize(
    ("raw", "named"),
    [
        (b"[]", "array"),
        (b'{"edition": "onepage-3.0", "units": []}', "both sides"),
        (front(policies={"piercing": "worst"}), "policies.piercing"),
    ],
)
def test_bad_files_are_named(raw: bytes, named: str) -> None:
    """A file without two sides, or that is no scenario, is refused with a sentence."""
    with pytest.raises(BadInput, match=named):
        odds.written_lineup(raw, range=12, visible=True)


def test_unknown_armies_are_named() -> None:
    """A list nobody knows is refused, and the lists there are are told."""
    with pytest.raises(ArmyError) as caught:
        odds.army_lineup("onepage-3.0", "nobody", "levy-patrol", range=12)
    assert "levy-patrol" in (caught.value.allowed or "")


def test_matrix_and_lineup_agree() -> None:
    """The matrix of written units and the line-up of a file are the same odds."""
    found = odds.written_lineup(front(), range=3, visible=True, cover=False)
    rows = matrix({"rifles": odds.unit(5, weapons=[RIFLE])}, {"mob": odds.unit(10, quality=5)})
    assert rows["rifles", "mob"] == pytest.approx(found.kills["rifles", "mob"], rel=1e-12)


SQUAD = odds.written(odds.unit(4, weapons=[RIFLE]), odds.unit(6), range=12, visible=True, cover=False)


@pytest.mark.parametrize(
    ("over", "value", "ours", "theirs", "more"),
    [
        ("range", 24, {}, {}, {"range": 24}),
        ("cover", True, {}, {}, {"cover": True}),
        ("models", 2, {"models": 2}, {}, {}),
        ("models", 9, {"models": 9}, {}, {}),
        ("quality", 3, {"quality": 3}, {}, {}),
        ("attacks", 3, {"weapons": ['Rifle (24", A3)']}, {}, {}),
        ("target-models", 2, {}, {"models": 2}, {}),
        ("target-quality", 6, {}, {"quality": 6}, {}),
    ],
)
def test_a_swept_value_is_the_attack_with_that_value(over: str, value: Any, ours: Json, theirs: Json, more: Json) -> None:
    """What a sweep says of a value is what the odds say of the attack written so."""
    rifles, squad = odds.unit(**{"models": 4, "weapons": [RIFLE], **ours}), odds.unit(**{"models": 6, **theirs})
    report = odds.attack(rifles, squad, exact=True, **{"range": 12, **more})
    found = odds.sweep(SQUAD, over, [value], exact=True)
    assert found.rows[0].odds is not None and found.rows[0].odds.kills == report.kills
    assert (found.kills[value], found.destroyed[value]) == (report.kills.mean, report.destroyed)


def test_wounds_taken_and_characteristics_can_be_swept() -> None:
    """A hurt target falls sooner; characteristics of other rulebooks go by their names."""
    tough = odds.written(odds.unit(4, weapons=[RIFLE]), odds.unit(1, rules=["Tough(3)"]), range=12, visible=True)
    gone = [one for one in odds.sweep(tough, "wounds").destroyed.values() if one is not None]
    assert len(gone) == 3 and gone == sorted(gone) and gone[0] < gone[2]
    gun = {"name": "Gun", "range": 24, "A": 2, "skill": 3, "S": 4, "AP": 0, "D": 1, "rules": []}
    stats = {"M": 6, "T": 4, "Sv": 5, "W": 1, "Ld": 7, "OC": 1}
    units = odds.unit(2, weapons=[gun], stats=stats), odds.unit(5, stats=stats)
    form = odds.written(*units, edition="commentary-10", range=10, visible=True)
    kills = [one for one in odds.sweep(form, "target-stat.T", [3, 4, 5, 8]).kills.values() if one is not None]
    assert len(kills) == 4
    assert kills == sorted(kills, reverse=True) and kills[0] > kills[-1]
    with pytest.raises(BadInput, match="units of commentary-10 have no quality"):
        odds.sweep(form, "target-quality", [3, 4])


def test_what_the_rules_refuse_is_a_row_without_odds() -> None:
    """Out of range there is no attack, and the row says why; if no value allows one, that is unusable."""
    found = odds.sweep(SQUAD, "range", [24, 30])
    assert found.rows[1].odds is None and "range" in found.rows[1].why and found.kills[30] is None
    with pytest.raises(BadInput, match="no value allows an attack"):
        odds.sweep(SQUAD, "range", [30])


@pytest.mark.parametrize(
    ("over", "values", "named"),
    [("quality", [4, 7], "quality=7"), ("models", [0], "0 models"), ("colour", [1], "half-range"), ("wounds", [3], "wounds=3")],
)
def test_values_nothing_can_have_are_named(over: str, values: list[int], named: str) -> None:
    """A parameter that is none, and a value it cannot have, are refused with a sentence; the former names those there are."""
    with pytest.raises(BadInput, match=named):
        odds.sweep(SQUAD, over, values)


@pytest.mark.parametrize(
    ("broken", "named"),
    [
        ({"edition": "onepage-3.0"}, "units"),
        ({"edition": "onepage-3.0", "units": [{"id": "a", "side": "A"}]}, "models"),
        ({"edition": "onepage-3.0", "units": [], "attacks": [{"attacker": "a", "target": "b"}]}, "no unit 'a'"),
        ({"edition": "onepage-3.0", "units": [{"id": "a", "side": "A", "models": []}], "attacks": []}, "no unit None"),
        ({"edition": "onepage-3.0", "units": 7}, "units"),
    ],
)
def test_malformed_scenarios_are_named(broken: Json, named: str) -> None:
    """What is no scenario is refused with a sentence before anything is changed in it."""
    with pytest.raises(BadInput, match=named):
        odds.sweep(broken, "models", [1])


def test_models_cannot_change_under_named_weapons() -> None:
    """Where an attack names the weapons that fire, models cannot come and go."""
    form = odds.written(odds.unit(2, weapons=[RIFLE]), odds.unit(2), range=12, weapons=[["attacker.1", 0]])
    with pytest.raises(BadInput, match="name their weapons"):
        odds.sweep(form, "models", [1])


def test_every_parameter_has_values_of_its_own() -> None:
    """The usual values of each parameter are ones it takes, and are written as people write them."""
    for name, parameter in PARAMETERS.items():
        report = ",".join(("yes" if value else "no") if isinstance(value, bool) else str(value) for value in parameter.usual)
        assert read_values(name, report) == list(parameter.usual)
    assert read_values("range", "6..18/6, 24.5") == [6, 12, 18, 24.5]
    assert read_values("models", "") == []


@pytest.mark.parametrize("text", ["x", "5..1", "1..2/0", "yes", "1.5", "--", "1..900", "1e5", "9" * 40])
def test_values_that_are_none_are_refused(text: str) -> None:
    """Neither words nor runs that lead nowhere nor endless ones are values."""
    with pytest.raises(BadInput, match="models"):
        read_values("models", text)


def test_no_public_name_is_hidden_by_a_module() -> None:
    """Whatever was imported before, every name the package lists is what it lists and not one of its files."""
    for file in ("scenarios", "record_luck", "lineup", "sweeps", "wire"):
        import_module(f"rolloff.odds.{file}")
    for name in odds.__all__:
        assert callable(getattr(odds, name)), name
