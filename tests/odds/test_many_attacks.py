"""Very many attacks whose damage partly waits: the same numbers as few, in good time."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rolloff import odds
from rolloff.errors import BadInput
from rolloff.odds.wire import odds_json
from rolloff.oracle import fold, waste, waste_law
from rolloff.oracle.calculator import Calculator

EDITION = "commentary-10"
Report = dict[str, object]
Stats = dict[str, object]


def report(models: int, damage: int | str, rules: Sequence[str], targets: int = 6, stats: Stats | None = None) -> Report:
    """The report of some guns against a unit, computed anew."""
    gun = {"name": "gun", "range": 24, "A": 3, "skill": "3+", "S": 5, "AP": -1, "D": damage, "rules": list(rules)}
    ours = odds.unit(models, weapons=[gun], stats={"T": 4, "Sv": "3+", "W": 2})
    theirs = odds.unit(targets, stats={"T": 4, "Sv": "4+", "W": 2, "Ld": "7+", **(stats or {})})
    found = odds_json(odds.attack(ours, theirs, edition=EDITION, range=6, calculator=Calculator()))
    one: Report = found["results"][0]
    return one


@pytest.mark.parametrize("damage", [1, 2, "D3", "D6+1"])
@pytest.mark.parametrize("stats", [{}, {"FNP": "5+"}])
def test_the_way_for_many_gives_the_numbers_of_the_way_for_few(
    damage: int | str, stats: Stats, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows of what is likely give every table that whole arrays give, to the twelfth digit."""
    rules = ("Devastating Wounds", "Sustained Hits 1")
    few = report(2, damage, rules, stats=stats)
    monkeypatch.setattr(waste_law, "PAIRS", 0)
    monkeypatch.setattr(fold, "LONG", 0)
    many = report(2, damage, rules, stats=stats)
    for name in ("kills", "damage", "wasted", "left_on_next", "mortal"):
        assert many[name] == pytest.approx(few[name], abs=1e-12), name


@pytest.mark.parametrize("damage", [2, "D3", "D6+1"])
@pytest.mark.parametrize("stats", [{}, {"FNP": "5+"}, {"W": 1}])
def test_harm_that_waits_is_borne_by_tables_as_one_by_one(
    damage: int | str, stats: Stats, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables of what so many harms waste from each state say what bearing them one after the other says."""
    rules = ("Devastating Wounds", "Sustained Hits 1")
    tables = report(2, damage, rules, stats=stats)
    monkeypatch.setattr(waste, "ROOM", 0)
    singly = report(2, damage, rules, stats=stats)
    for name in ("wasted", "mortal"):
        assert singly[name] == pytest.approx(tables[name], abs=1e-13), name


@pytest.mark.parametrize("damage", [1, "D3"])
def test_five_hundred_devastating_attacks_are_answered(damage: int | str) -> None:
    """500 attacks with Devastating Wounds into a hundred models have a whole report."""
    found = report(167, damage, ("Devastating Wounds",), targets=100)
    kills, wasted = found["kills"], found["wasted"]
    assert isinstance(kills, list) and sum(kills) == pytest.approx(1, abs=1e-9)
    assert isinstance(wasted, list) and sum(wasted) == pytest.approx(1, abs=1e-9)


def test_what_is_too_much_for_that_is_refused_in_one_sentence() -> None:
    """Damage rolls that would need too much room are refused before the work begins."""
    with pytest.raises(BadInput, match="attacks whose damage partly waits are too many"):
        report(167, "2D6", ("Devastating Wounds",), targets=100, stats={"W": 6})
