"""A desk to lay out small situations of One Page 3.0 and have them adjudicated with scripted dice and answers.

``unit("a1", "A", [(10, 10), (12, 10)], q=3, rules=["Fear"], weapons=['Rifle (30", A1)'])`` writes a unit down;
``Desk(units, terrain=[...])`` puts it on a table; ``desk.activate("a1", "walk", answers=[...], dice=[...])`` rules on it.
Bases are circles one inch across unless stated, as in the contract's vectors.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest

from rolloff.situations.adjudicate import adjudicate

EDITION = "onepage-3.0"
Json = dict[str, Any]
Spot = tuple[float, float]


def unit(
    id: str,
    side: str,
    at: Sequence[Spot | None],
    *,
    q: int = 4,
    type: str = "infantry",
    rules: Sequence[str] = (),
    weapons: Sequence[str | Json] = (),
    marks: Sequence[Any] = (),
    points: int = 100,
    start_size: int | None = None,
    where: str = "table",
    base: Json | None = None,
    height: float | None = None,
    facing: float = 0,
    wounds: int = 0,
    keywords: Sequence[str] = (),
    models: Sequence[Json] = (),
) -> Json:
    """One unit; ``models`` gives fields that differ from model to model, in order (rules, weapons, wounds, ...)."""
    rows = []
    for k, spot in enumerate(at):
        row: Json = {"id": f"{id}.{k + 1}", "facing": facing, "wounds": wounds, "weapons": list(weapons)}
        row["base"] = base or ({"circle": 1.0} if type == "infantry" else {"rect": [3, 5]})
        if height is not None:
            row["height"] = height
        if spot is not None:
            row["at"] = list(spot)
        rows.append({**row, **(models[k] if k < len(models) else {})})
    found: Json = {"id": id, "side": side, "type": type, "quality": q, "points": points, "rules": list(rules)}
    found |= {"keywords": list(keywords), "where": where, "marks": list(marks), "models": rows}
    return found | ({} if start_size is None else {"start_size": start_size})


def box(id: str, x0: float, y0: float, x1: float, y1: float, *types: str, **more: Any) -> Json:
    """A rectangular piece of terrain."""
    corners = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]
    return {"id": id, "types": list(types), "polygon": corners, "height": 0, "elevation": 0, "solid": False, **more}


def disc(id: str, x: float, y: float, r: float, *types: str, **more: Any) -> Json:
    """A round piece of terrain."""
    return {"id": id, "types": list(types), "disc": [x, y, r], "height": 0, "elevation": 0, "solid": False, **more}


def answer(kind: str, value: Any) -> Json:
    """One answer to a request of that kind."""
    return {"kind": kind, "value": value}


class Ruling:
    """What came of a case, with shortcuts to what tests look at."""

    def __init__(self, found: Json) -> None:
        """Hold the whole output."""
        self.json = found
        self.verdict: str = found["verdict"]
        self.refusal: Json | None = found["refusal"]
        self.pending: Json | None = found["pending"]
        self.rolls: list[Json] = found["rolls"]
        self.attacks: list[Json] = found["attacks"]
        self.events: list[Json] = found["events"]
        self.dice_used: int = found["dice_used"]

    def kinds(self) -> list[str]:
        """The kinds of events in order, rolls left out."""
        return [event["kind"] for event in self.events if event["kind"] != "rolled"]

    def event(self, kind: str) -> Json:
        """The first event of a kind."""
        return next(event for event in self.events if event["kind"] == kind)

    def rolled(self, purpose: str) -> list[int]:
        """All faces rolled for a purpose, in order (re-rolls apart)."""
        return [face for roll in self.rolls if roll["purpose"] == purpose for face in roll["faces"]]

    def unit(self, id: str) -> Json:
        """A unit as it is afterwards."""
        return next(row for row in self.json["after"]["units"] if row["id"] == id)

    def marks(self, id: str) -> set[str]:
        """The names of a unit's marks afterwards."""
        found: set[str] = set()
        for mark in self.unit(id).get("marks", []):
            found |= {mark} if isinstance(mark, str) else set(mark)
        return found

    def refused_asks(self) -> list[str | None]:
        """The clauses of the questions that could not be answered."""
        return [answer["error"]["clause"] for answer in self.json["answers"] if "error" in answer]

    def answers(self) -> list[Any]:
        """The values of what was asked."""
        return [row["value"] for row in self.json["answers"]]

    def alive(self, id: str) -> list[str]:
        """The models of a unit that stand on the table afterwards."""
        return [model["id"] for model in self.unit(id)["models"] if not model.get("removed") and model.get("at")]


class Desk:
    """A situation to be ruled on as often as a test likes."""

    def __init__(self, units: Sequence[Json], terrain: Sequence[Json] = (), **more: Any) -> None:
        """Lay the units out; ``more`` are further fields of a situation (round, active, switches, clock, ...)."""
        table = {"size": [72, 48], "terrain": list(terrain)}
        self.situation: Json = {"edition": EDITION, "round": 1, "active": "A", "table": table, "units": list(units), **more}

    def rule(self, **fields: Any) -> Ruling:
        """Adjudicate the situation with these fields added."""
        return Ruling(adjudicate(json.dumps({**self.situation, **fields}).encode()))

    def activate(
        self, id: str, action: str, answers: Sequence[Json] = (), dice: Any = (), unanswered: str = "default", **more: Any
    ) -> Ruling:
        """Activate a unit with an action."""
        do = {"activate": id, "action": action}
        faces = list(dice) if isinstance(dice, list | tuple) else dice
        return self.rule(do=do, answers=list(answers), dice=faces, unanswered=unanswered, **more)

    def step(
        self, phase: str, answers: Sequence[Json] = (), dice: Any = (), unanswered: str = "default", **more: Any
    ) -> Ruling:
        """Run any other step of the game."""
        faces = list(dice) if isinstance(dice, list | tuple) else dice
        return self.rule(do={"step": phase}, answers=list(answers), dice=faces, unanswered=unanswered, **more)

    def attack(self, attacker: str, target: str, kind: str = "shooting", dice: Any = (), **form: Any) -> Ruling:
        """One attack by the attack form; positions are used where the form is silent."""
        given = {"attacker": attacker, "target": target, "kind": kind, "weapons": "all", **form}
        faces = list(dice) if isinstance(dice, list | tuple) else dice
        return self.rule(do={"attack": given}, dice=faces)

    def ask(self, **question: Any) -> Any:
        """One question; its value."""
        return self.rule(ask=[question]).answers()[0]


FAR_FOE = unit("b1", "B", [(60, 40)])
"""An enemy far from everything that is tried."""
EDGES = {"A": {"marks": {"edge": "bottom"}}, "B": {"marks": {"edge": "top"}}}
"""Both players have chosen their edges."""
FACINGS = (
    (10, 0, "front"),
    (10, 9, "front"),
    (10, 10, "side"),
    (0, 10, "side"),
    (-10, 10, "side"),
    (-10, 9, "rear"),
    (-10, 0, "rear"),
)
"""TV-R27: where an attacker stands from a hull that looks along x, and the side it sees."""


def desk_of(edition: str) -> Callable[..., Desk]:
    """Situations of one edition: units, and terrain by name."""

    def desk(*units: Json, terrain: Sequence[Json] | None = None, **more: object) -> Desk:
        return Desk(units, terrain or [], edition=edition, **more)

    return desk


def clause_of(edition: str) -> Callable[..., pytest.MarkDecorator]:
    """Marks for clauses of one edition."""
    return partial(pytest.mark.clause, edition)
