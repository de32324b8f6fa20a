"""What an attack leaves of its target is handed on to the attacks that unit makes itself."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from rolloff import odds
from rolloff.odds.compute import odds_of
from rolloff.odds.results import Odds
from rolloff.odds.scenarios import read_scenario

Json = dict[str, Any]
TENTH, SEVENTH = "commentary-10", "compendium"
BODY: dict[str, Json] = {
    TENTH: {"T": 4, "Sv": "-", "W": 1, "Ld": "7+"},
    SEVENTH: {"WS": 4, "CT": 4, "S": 4, "T": 4, "W": 1, "I": 4, "A": 1, "Ld": 8, "Sv": "-"},
}
PLAIN: Json = {"name": "gun", "range": 24, "A": 1, "S": 4, "AP": 0, "D": 1, "rules": []}
GUN: dict[str, Any] = {TENTH: PLAIN | {"skill": "4+"}, SEVENTH: PLAIN}
EDITIONS = ("onepage-3.0", "onepage-2.21", "apocalypse-3.3", TENTH, SEVENTH)
MARKS = {
    "onepage-3.0": ("SHOOT-9",),
    "onepage-2.21": ("SHOOT-9",),
    "apocalypse-3.3": ("SHOOT-9",),
    TENTH: ("DEST-1",),
    SEVENTH: ("CF-SHOOT-1",),
}
EACH = [pytest.param(one, marks=pytest.mark.clause(one, *MARKS[one])) for one in EDITIONS]


def asked(edition: str, attacks: Sequence[str], models: int = 1) -> Odds:
    """Units of gunners by letter, a and c against b and d; an attack is two letters."""
    gunner = odds.unit(models, stats=BODY.get(edition), weapons=[GUN.get(edition, 'Rifle (24", A1)')])
    units = []
    for name in "abcd":
        rows = [{**row, "id": f"{name}{k}"} for k, row in enumerate(gunner["models"])]
        units.append({**gunner, "id": name, "side": "A" if name in "ac" else "B", "models": rows})
    form = {"kind": "shooting", "range": 6, "visible": True, "cover": False, "moved": False}
    forms = [{"attacker": pair[0], "target": pair[1], **form} for pair in attacks]
    return odds_of(read_scenario(msgspec.json.encode({"edition": edition, "units": units, "attacks": forms})), exact=True)


@pytest.mark.parametrize("edition", EACH)
def test_whoever_was_destroyed_does_not_strike_back(edition: str) -> None:
    """One against one: the second shoots only if the first missed, and the first again only if it was missed in turn."""
    p = asked(edition, ["ab"]).destroyed
    first, back, again = asked(edition, ["ab", "ba", "ab"]).results
    assert 0 < p < 1
    assert first.destroyed == p
    assert back.destroyed == (1 - p) * p
    assert again.destroyed == p + (1 - p) ** 2 * p
    assert back.attacks.mean == 1 - p


@pytest.mark.parametrize("edition", EACH)
def test_losses_are_handed_on_from_unit_to_unit(edition: str) -> None:
    """a shoots b, b shoots c, c shoots d: whether c is there depends on whether b was."""
    p = asked(edition, ["ab"]).destroyed
    _, second, third = asked(edition, ["ab", "bc", "cd"]).results
    assert second.destroyed == (1 - p) * p
    assert third.destroyed == (1 - (1 - p) * p) * p


@pytest.mark.clause("onepage-3.0", "SHOOT-9")
def test_those_who_are_left_of_a_unit_strike_back() -> None:
    """Of two models each dies with some chance: those who fall back their fire, one attack each."""
    whole = asked("onepage-3.0", ["ab"], models=2)[0]
    back = asked("onepage-3.0", ["ab", "ba"], models=2)[1]
    assert back.attacks.mean == 2 - whole.kills.mean
    assert back.kills.mean == Fraction(1, 2) * whole.kills.mean * (2 - whole.kills.mean)
