"""Odds without a file: units in a line, an attack in another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from rolloff.editions import USUAL
from rolloff.identity_cache import Recent
from rolloff.json_value import Json
from rolloff.odds.compute import odds_of
from rolloff.odds.named_profiles import profile
from rolloff.odds.results import Odds
from rolloff.odds.scenarios import UNFIT, Scenario, ScenarioForm, form_around, read_scenario, scenario_of, unit_form
from rolloff.oracle.calculator import Calculator
from rolloff.situations.cards import thou
from rolloff.situations.forms import UnitForm

if TYPE_CHECKING:
    from pathlib import Path

ATTACKER, TARGET = "attacker", "target"
NEAR = 3
"""The distance in inches of shots that state none: near, but in nobody's engagement range."""

MOST_SHORT = 1 << 18
"""The most bytes of units that are looked up by what was written of them."""

_placed: Recent[tuple[str, bytes], UnitForm] = Recent()
"""Units read lately in their places, by what was written: the same ones come again in question after question."""

Weapon = str | Mapping[str, object]
Side = str | Json
"""A unit, or the name of its profile."""


def unit(
    models: int | Sequence[Mapping[str, object]] = 1,
    *,
    quality: int = 4,
    rules: Sequence[str] = (),
    weapons: Sequence[Weapon] = (),
    wounds: int = 0,
    type: str = "infantry",
    stats: Mapping[str, object] | None = None,
    keywords: Sequence[str] = (),
    start_size: int | None = None,
    marks: Sequence[str] = (),
) -> Json:
    """A unit as scenarios write it: so many like models, or a mapping for each model that differs.

    ``wounds`` are those the first model has lost already; ``start_size`` is what the unit started with, for morale.

        >>> unit(5, quality=4, weapons=['Rifle (24", A1)'])["quality"]
        4
    """
    rows = [{} for _ in range(models)] if isinstance(models, int) else [dict(row) for row in models]
    for k, row in enumerate(rows):
        row.setdefault("weapons", list(weapons))
        if wounds and k == 0:
            row.setdefault("wounds", wounds)
    found: Json = {"quality": quality, "type": type, "rules": list(rules), "keywords": list(keywords), "models": rows}
    found |= {"stats": dict(stats or {}), "marks": list(marks)}
    return found | ({} if start_size is None else {"start_size": start_size})


def placed(unit: Json, id: str, side: str) -> Json:
    """A unit with its name and its side, its models named after it."""
    rows = [{**row, "id": row.get("id", f"{id}.{k + 1}")} for k, row in enumerate(unit["models"])]
    return {**unit, "id": id, "side": side, "models": rows}


def written(
    attacker: Side,
    target: Side,
    *,
    edition: str = USUAL,
    profiles: str | Path | None = None,
    attacks: Sequence[Mapping[str, object]] | None = None,
    exchange: bool = False,
    policies: Mapping[str, str] | None = None,
    switches: Mapping[str, bool] | None = None,
    **circumstances: Any,
) -> Json:
    """A scenario of one unit against another, as JSON has it; ``attacks`` in firing order, each with its circumstances.

    A unit is what `unit` gives, or the name of a profile, of the shipped ones or of the file ``profiles``.
    """
    ours, theirs = (profile(one, edition, profiles) if isinstance(one, str) else one for one in (attacker, target))
    units = [placed(ours, ATTACKER, "A"), placed(theirs, TARGET, "B")]
    more: Json = {"attacks": attacks, "exchange": exchange, "policies": policies, "switches": switches}
    return {**_around(edition=edition, **more, **circumstances), "units": units}


def _around(
    *,
    edition: str = USUAL,
    profiles: str | Path | None = None,
    attacks: Sequence[Mapping[str, object]] | None = None,
    exchange: bool = False,
    policies: Mapping[str, str] | None = None,
    switches: Mapping[str, bool] | None = None,
    **circumstances: Any,
) -> Json:
    """A scenario without its units; everything `written` takes but these."""
    forms = [{"attacker": ATTACKER, "target": TARGET, **circumstances, **attack} for attack in (attacks or [{}])]
    for k, form in enumerate(forms):
        if isinstance(distance := form.get("range"), float):
            thou(distance, f"attacks[{k}].range", 0)  # before it is written: JSON has no NaN, and would leave the range open
    found: Json = {"edition": edition, "units": [], "attacks": forms, "exchange": exchange}
    found["policies"] = dict(policies) if policies else {}
    found["switches"] = dict(switches) if switches else {}
    return found


def scenario(attacker: Side, target: Side, **more: Any) -> Scenario:
    """The scenario of one unit against another; everything `written` takes.

    Raises:
        BadInput: something in it is malformed, unknown or impossible.
    """
    edition, profiles = more.get("edition", USUAL), more.get("profiles")
    sides = [profile(one, edition, profiles) if isinstance(one, str) else one for one in (attacker, target)]
    try:
        form = _form(sides[0], sides[1], _around(**more))
    except UNFIT:
        form = None
    return read_scenario(msgspec.json.encode(written(*sides, **more))) if form is None else scenario_of(form)


def _form(ours: Json, theirs: Json, around: Json) -> ScenarioForm | None:
    """The scenario of two units and what is written around them; None if it is so long that only its bytes tell its length."""
    outline, first, second = msgspec.json.encode(around), msgspec.json.encode(ours), msgspec.json.encode(theirs)
    if len(outline) + len(first) + len(second) > MOST_SHORT:
        return None
    mine = _placed.get((ATTACKER, first)) or _new_placed(ATTACKER, first, ours, "A")
    other = _placed.get((TARGET, second)) or _new_placed(TARGET, second, theirs, "B")
    return form_around(outline, [mine, other])


def _new_placed(id: str, written: bytes, unit: Json, side: str) -> UnitForm:
    return _placed.keep((id, written), unit_form(msgspec.json.encode(placed(unit, id, side))))


def attack(
    attacker: Side,
    target: Side,
    *,
    exact: bool = False,
    calculator: Calculator | None = None,
    **more: Any,
) -> Odds:
    """The odds of an attack; everything `written` takes, such as ``range``, ``cover``, ``kind`` or ``edition``.

    A calculator that is kept from call to call remembers what attacks share.

    Raises:
        BadInput: something in it is malformed, unknown or impossible.
    """
    if more.get("kind", "shooting") == "shooting":
        more = {"range": NEAR, "visible": True, "cover": False, **more}
    return odds_of(scenario(attacker, target, **more), exact, calculator)
