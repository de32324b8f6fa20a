"""Powers as data: the eight shipped ones, and files that do not fit."""

from __future__ import annotations

import pytest

from rolloff.editions.onepage.powers import Effect, load_powers, powers, read_power
from rolloff.errors import BadInput

EDITION = "onepage-3.0"


@pytest.mark.clause(EDITION, "RULE-PSYKER-8")
@pytest.mark.parametrize(
    ("name", "number", "range_", "target", "duration", "effect"),
    [
        ("Foresight", 6, 12, "friend", "target_next_activation", Effect(grant_rule="Linked", to="weapons")),
        ("Quickening", 6, 12, "friend", "target_next_activation", Effect(grant_rule="Fast")),
        ("Mind Spike", 7, 18, "enemy", "instant", Effect(hits="D3", rules=("Piercing",))),
        ("Mending", 7, 6, "friend", "instant", Effect(heal="D3")),
        ("Storm Lash", 9, 18, "enemy", "instant", Effect(hits="6")),
        ("Ward", 9, 12, "friend", "end_of_round", Effect(grant_rule="Armored")),
        ("Dread", 10, 18, "enemy", "instant", Effect(morale_test=True)),
        ("Unmaking", 13, 12, "enemy", "instant", Effect(wounds="D3")),
    ],
)
def test_the_eight_powers(name: str, number: int, range_: int, target: str, duration: str, effect: Effect) -> None:
    """Each power has its number, range, target, effect and duration."""
    power = powers(EDITION)[name]
    assert (power.number, power.range, power.target, power.duration) == (number, range_, target, duration)
    assert power.effects == (effect,)


def test_there_are_eight() -> None:
    """No more and no fewer; the older edition has them at other numbers."""
    assert len(powers(EDITION)) == 8
    assert load_powers(edition="onepage-2.21")["Unmaking"].number == 3
    assert powers("compendium") == {}


ROW = {
    "name": "Glow",
    "range": 6,
    "target": "self",
    "duration": "instant",
    "effects": [{"heal": "1"}],
    "number": {EDITION: 4},
}


def test_a_power_of_one_s_own() -> None:
    """A row with every field is a power."""
    assert read_power("glow", ROW, EDITION).effects == (Effect(heal="1"),)


@pytest.mark.parametrize(
    "change",
    [
        {"target": "everybody"},
        {"duration": "forever"},
        {"range": "far"},
        {"effects": [{}]},
        {"effects": [{"heal": "1", "hits": "2"}]},
        {"effects": [{"heal": "lots"}]},
        {"effects": [{"explode": True}]},
        {"number": {}},
        {"number": 3},
        {"colour": "blue"},
    ],
)
def test_what_is_no_power_is_refused(change: dict[str, object]) -> None:
    """A row that does not fit is bad input that names the power."""
    with pytest.raises(BadInput):
        read_power("glow", {**ROW, **change}, EDITION)
