"""Moments of a battle as rows of a table: what is on the table, what is done, and what the rulebook says comes of it.

A row is decided from its clauses alone; ``judge`` rules on it by public JSON and compares what the row names, nothing else.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest

from rolloff.situations.adjudicate import adjudicate
from tests.commentary.desk import EDITION, Json, Ruling, squad

FAR = squad("b9", "B", 1, at=[(57, 41)], M=6)
SIDES = {"A": {"marks": [{"role": "attacker"}]}, "B": {"marks": [{"role": "defender"}]}}
HULL = {"keywords": ["VEHICLE", "TRANSPORT"], "rules": ["Carries 12 INFANTRY"]}


@dataclass
class Moment:
    """What is asked of the referee, and what must come of it."""

    units: list[Json]
    do: Json | None
    expect: Json
    dice: Any = ()
    answers: list[Json] = field(default_factory=list)
    more: Json = field(default_factory=dict)


def says(
    sentence: str,
    clauses: str,
    units: list[Json],
    do: Json | None,
    expect: Json,
    dice: Any = (),
    answers: Any = (),
    **more: Any,
) -> Any:
    """A row: its sentence names the test, its clauses mark it."""
    moment = Moment(units, do, expect, dice, list(answers), more)
    return pytest.param(moment, id=sentence, marks=pytest.mark.clause(EDITION, *clauses.split()))


def part(phase: str, unit: str = "a1", action: str | None = None) -> Json:
    """A unit's part of a phase."""
    return {"phase": phase, "unit": unit} | ({"action": action} if action else {})


def move(action: str = "normal", unit: str = "a1") -> Json:
    """A move of a unit."""
    return part("movement", unit, action)


def react(name: str = "pass") -> Json:
    """A reaction that is used, or passed."""
    return {"kind": "react", "value": name}


def at(target: str) -> Json:
    """A target."""
    return {"kind": "choose-target", "value": target}


def way(**models: Any) -> Json:
    """A move; ``a1_2=(x, y)`` is the second model of a1."""
    return {"kind": "move", "value": {name.replace("_", "."): [list(spot)] for name, spot in models.items()}}


def place(**models: Any) -> Json:
    """Where models are set up."""
    return {"kind": "place", "value": {name.replace("_", "."): list(spot) for name, spot in models.items()}}


def names(found: Ruling, unit: str) -> set[str]:
    """The marks of a unit afterwards."""
    return {mark if isinstance(mark, str) else next(iter(mark)) for mark in found.unit(unit)["marks"]}


def _plain(value: Any, wanted: Any) -> Any:
    """A value without its audit, where a row asks for nothing else."""
    return value["value"] if isinstance(value, dict) and "value" in value and not isinstance(wanted, dict) else value


def _seen(found: Ruling, key: str, wanted: Any) -> Any:
    """What came of a moment, in the shape its row names it."""
    after = found.json["after"]
    table: dict[str, Any] = {
        "refused": lambda: found.refusal and found.refusal["clause"],
        "verdict": lambda: found.verdict,
        "dead": lambda: sorted(found.dead()),
        "left": lambda: {unit: sum(not row.get("removed") for row in found.unit(unit)["models"]) for unit in wanted},
        "wounds": lambda: {unit: found.wounds(unit) for unit in wanted},
        "rolls": found.purposes,
        "needs": lambda: {purpose: found.needs(purpose) for purpose in wanted},
        "attacks": lambda: [{name: row[name] for name in one} for one, row in zip(wanted, found.json["attacks"], strict=True)],
        "at": lambda: {model: found.model(model)["at"] for model in wanted},
        "high": lambda: {model: found.model(model)["z"] for model in wanted},
        "where": lambda: {unit: found.unit(unit)["where"] for unit in wanted},
        "marked": lambda: {unit: set(wanted[unit]) & names(found, unit) for unit in wanted},
        "unmarked": lambda: {unit: set(wanted[unit]) - names(found, unit) for unit in wanted},
        "cp": lambda: {side: after["sides"][side]["cp"] for side in wanted},
        "score": lambda: {side: after["sides"][side]["score"] for side in wanted},
        "holders": lambda: {row["id"]: row["holder"] for row in after["objectives"] if row["id"] in wanted},
        "order": lambda: [event["facts"]["unit"] for event in found.events if event["kind"] == "activated"],
        "asks": lambda: [_plain(row["value"], want) for row, want in zip(found.json["answers"], wanted, strict=True)],
        "events": lambda: {kind: sum(event["kind"] == kind for event in found.events) for kind in wanted},
        "pending": lambda: found.pending and {name: found.pending[name] for name in wanted},
    }
    return table[key]()


def judge(moment: Moment) -> None:
    """Rule on a moment, and compare what its row names."""
    case: Json = {"edition": EDITION, "round": 2, "active": "A", "units": moment.units, "answers": moment.answers}
    if moment.do is not None:
        case |= {"do": moment.do, "dice": moment.dice if isinstance(moment.dice, dict) else list(moment.dice)}
    found = Ruling(adjudicate(json.dumps(case | moment.more).encode()))
    plain = moment.do is not None and "verdict" not in moment.expect
    expect = {"refused": None, **moment.expect} if plain else moment.expect
    for key, given in expect.items():
        wanted = {unit: set(some) for unit, some in given.items()} if key in ("marked", "unmarked") else given
        assert _seen(found, key, wanted) == wanted, (key, found.refusal)
