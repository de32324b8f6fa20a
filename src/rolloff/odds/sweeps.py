"""Sweeps: the same scenario again and again while one thing about it changes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import partial

import msgspec
from msgspec import Struct

from rolloff.editions import registry
from rolloff.errors import BadInput
from rolloff.json_value import Json
from rolloff.odds.compute import odds_of
from rolloff.odds.results import Odds
from rolloff.odds.scenarios import Refused, ScenarioForm, read_scenario
from rolloff.oracle.calculator import Calculator
from rolloff.oracle.law import Number
from rolloff.rules.notes import Note
from rolloff.situations.depiction import write_weapon
from rolloff.situations.forms import fill

MOST_VALUES = 200
MOST_MODELS = 500
Value = int | float | bool


class Parameter(Struct, frozen=True):
    """Something a sweep can change: what it is, the values taken if none are named, and how it is written."""

    about: str
    usual: Sequence[Value]
    write: Callable[[Json, Value], None]
    whole: bool = True


class Row(Struct, frozen=True):
    """The odds at one value; None, with the reason, where the rules know no such attack."""

    value: Value
    odds: Odds | None
    why: str = ""


class Sweep(Struct, frozen=True):
    """One parameter and the odds at each of its values; `kills` are means, None where there is no attack."""

    edition: str
    over: str
    policies: Mapping[str, str]
    rows: tuple[Row, ...]

    @property
    def kills(self) -> dict[Value, Number | None]:
        """Mean kills by value."""
        return {row.value: None if row.odds is None else row.odds.kills.mean for row in self.rows}

    @property
    def destroyed(self) -> dict[Value, Number | None]:
        """The chance that nobody is left, by value."""
        return {row.value: None if row.odds is None else row.odds.destroyed for row in self.rows}

    @property
    def notes(self) -> tuple[Note, ...]:
        """What was read otherwise than written, or left out."""
        return next((row.odds.notes for row in self.rows if row.odds is not None), ())


def sweep(written: Mapping[str, object], over: str, values: Sequence[Value] | None = None, exact: bool = False) -> Sweep:
    """The odds of a written scenario at each value of a parameter, which is written into its attacks or units.

        >>> from rolloff import odds
        >>> rifles, squad = odds.unit(5, weapons=['Rifle (24", A1)']), odds.unit(5)
        >>> found = sweep(odds.written(rifles, squad, range=12, visible=True), "cover", [False, True], exact=True)
        >>> [str(mean) for mean in found.kills.values()]
        ['5/4', '5/6']

    Raises:
        BadInput: no such parameter, a value it cannot have, or a scenario that cannot be used at any value.
    """
    parameter = parameter_of(over)
    fill(dict(written), ScenarioForm)  # what is malformed is named before anything is written into it
    rows, calculator = [], Calculator(exact)
    for value in parameter.usual if values is None else values:
        case = deepcopy(dict(written))
        parameter.write(case, value)
        rows.append(_row(case, value, over, calculator))
    first = next((row.odds for row in rows if row.odds is not None), None)
    if first is None:
        raise BadInput("no-attack", f"{over}: no value allows an attack: {rows[0].why}", where=over, allowed="other values")
    return Sweep(first.edition, over, first.policies, tuple(rows))


def _row(case: Json, value: Value, over: str, calculator: Calculator) -> Row:
    try:
        return Row(value, odds_of(read_scenario(msgspec.json.encode(case)), calculator.exact, calculator))
    except Refused as error:  # that there is no such attack is an answer, too
        return Row(value, None, error.message)
    except BadInput as error:
        message = f"{over}={_text(value)}: {error.message}"
        raise BadInput(error.code, message, where=error.where, allowed=error.allowed, clause=error.clause) from None


def _text(value: Value) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else f"{value:g}"


# what can be changed


def _stated(name: str, case: Json, value: Value) -> None:
    """A circumstance of every attack; a stated range is one without positions, in sight and in the open unless said."""
    for attack in case.get("attacks", []):
        attack[name] = value
        if name == "range":
            attack.setdefault("visible", True)
            attack.setdefault("cover", False)


def _unit(case: Json, role: str) -> Json:
    """The attacker or the target of the first attack."""
    attacks = case.get("attacks") or [{}]
    name = attacks[0].get(role)
    for unit in case.get("units", []):
        if unit.get("id") == name and unit["models"]:
            found: Json = unit
            return found
    raise BadInput(
        "unknown-unit", f"attacks[0].{role}: no unit {name!r} with models", where=f"attacks[0].{role}", allowed="a unit's id"
    )


def _quality(role: str, case: Json, value: Value) -> None:
    """The basic number of a unit, where the edition has one."""
    edition = registry.edition(case["edition"])
    if "quality" not in edition.words.stats:
        message = f"units of {edition.id} have no quality"
        raise BadInput("unknown-parameter", message, where="over", allowed="stat.NAME or target-stat.NAME")
    _unit(case, role)["quality"] = value


def _stat(role: str, name: str, case: Json, value: Value) -> None:
    unit = _unit(case, role)
    unit["stats"] = {**unit.get("stats", {}), name: value}


def _models(role: str, case: Json, value: Value) -> None:
    """So many models: the first of those written, or more like the last of them."""
    if not 1 <= value <= MOST_MODELS:
        raise BadInput("bad-number", f"{value} models are out of bounds", where=role, allowed=f"1 to {MOST_MODELS}")
    unit = _unit(case, role)
    rows = list(unit["models"][:value])
    for attack in case["attacks"]:
        if attack.get("weapons", "all") != "all":
            message = f"{role}: models cannot change while attacks name their weapons"
            raise BadInput("named-weapons", message, where="attacks", allowed='weapons: "all"')
    while len(rows) < value:
        rows.append({**unit["models"][-1], "id": f"{unit['id']}+{len(rows) + 1}"})
        rows[-1].pop("at", None)
    unit["models"] = rows


def _wounds(case: Json, value: Value) -> None:
    _unit(case, "target")["models"][0]["wounds"] = value


def _attacks(case: Json, value: Value) -> None:
    for model in _unit(case, "attacker")["models"]:
        model["weapons"] = [with_attacks(weapon, int(value), case["edition"]) for weapon in model.get("weapons", [])]


def with_attacks(weapon: str | Mapping[str, object], attacks: int, edition: str) -> str | Json:
    """A weapon with another number of attacks, written out in full if only its name in the edition's tables was given."""
    if isinstance(weapon, str):
        line, changed = re.subn(r"\bA[0-9D+]+", f"A{attacks}", weapon, count=1)
        if changed:
            return line
        weapon = write_weapon(registry.edition(edition).read_weapon(weapon, "weapon"))
    return {**{key: value for key, value in weapon.items() if key != "stats" or value}, "A": attacks}


BOTH = (False, True)
PARAMETERS: dict[str, Parameter] = {
    "range": Parameter("the distance in inches", tuple(range(3, 37, 3)), partial(_stated, "range"), whole=False),
    "cover": Parameter("whether the target is in cover", BOTH, partial(_stated, "cover")),
    "moved": Parameter("whether the attacker has moved", BOTH, partial(_stated, "moved")),
    "charged": Parameter("whether the attacker charged", BOTH, partial(_stated, "charged")),
    "stationary": Parameter("whether the attacker stood still", BOTH, partial(_stated, "stationary")),
    "half-range": Parameter("whether the target is within half range", BOTH, partial(_stated, "half_range")),
    "models": Parameter("the attacker's models", tuple(range(1, 11)), partial(_models, "attacker")),
    "attacks": Parameter("attacks of each of its weapons", tuple(range(1, 11)), _attacks),
    "quality": Parameter("the attacker's Quality", tuple(range(2, 7)), partial(_quality, "attacker")),
    "target-models": Parameter("the target's models", tuple(range(1, 11)), partial(_models, "target")),
    "target-quality": Parameter("the target's Quality", tuple(range(2, 7)), partial(_quality, "target")),
    "wounds": Parameter("wounds the target's first model has lost", tuple(range(3)), _wounds),
}
"""What can be swept, by name. Characteristics go by ``stat.T`` and ``target-stat.Sv``."""

_STATS = {"stat.": "attacker", "target-stat.": "target"}
KNOWN = ", ".join((*PARAMETERS, "stat.NAME", "target-stat.NAME"))


def parameter_of(name: str) -> Parameter:
    """A parameter by its name; `BadInput` lists those there are."""
    for prefix, role in _STATS.items():
        if name.startswith(prefix) and len(name) > len(prefix):
            return Parameter(f"a characteristic of the {role}", tuple(range(2, 7)), partial(_stat, role, name[len(prefix) :]))
    if name not in PARAMETERS:
        message = f"there is no parameter {name!r}; there are {KNOWN}"
        raise BadInput("unknown-parameter", message, where="parameter", allowed=KNOWN)
    return PARAMETERS[name]


# values as people write them

_NUMBER = r"(-?\d{1,6}(?:\.\d{1,6})?)"
_RUN = re.compile(rf"{_NUMBER}(?:\.\.{_NUMBER}(?:/{_NUMBER})?)?")
_WORDS: dict[str, Value] = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


def read_values(name: str, text: str) -> list[Value]:
    """Values such as ``1..10``, ``6..36/6`` (in steps of six), ``3,12,24`` or ``no,yes``; none for an empty text.

    Raises:
        BadInput: no such parameter, or no values it can have.
    """
    parameter = parameter_of(name)
    found = [value for part in filter(None, (part.strip() for part in text.split(","))) for value in _part(name, part)]
    flag = isinstance(parameter.usual[0], bool)
    for value in found:
        if isinstance(value, bool) != flag or (parameter.whole and not flag and value != int(value)):
            allowed = "yes or no" if flag else "whole numbers" if parameter.whole else "numbers"
            raise BadInput("bad-value", f"{name}: {_text(value)} is no value for it", where=name, allowed=allowed)
    if len(found) > MOST_VALUES:
        raise BadInput("too-large", f"{name}: {len(found)} values", where=name, allowed=f"up to {MOST_VALUES} values")
    return [int(value) if parameter.whole and not flag else value for value in found]


def _part(name: str, part: str) -> Iterator[Value]:
    """One value, or a run of them."""
    if part.lower() in _WORDS:
        yield _WORDS[part.lower()]
        return
    match = _RUN.fullmatch(part)
    low, high, step = (float(found or 0) for found in match.groups()) if match else (0.0, 0.0, 0.0)
    runs = match is not None and match[2] is not None
    step = step if match is not None and match[3] is not None else 1.0
    if match is None or step <= 0 or (runs and high < low):
        allowed = "numbers such as 3,6,12 or 1..10 or 6..36/6; yes and no"
        raise BadInput("bad-value", f"{name}: {part!r} is no value for it", where=name, allowed=allowed)
    count = int((high - low) / step + 1e-9) if runs else 0
    for k in range(min(count, MOST_VALUES) + 1):
        value = round(low + k * step, 6)
        yield int(value) if value == int(value) else value
