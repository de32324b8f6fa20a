"""A desk to lay out an attack of the commentary edition and have it adjudicated with scripted dice and answers.

``squad("b1", "B", 5, T=4, Sv=3, W=2)`` writes a unit of five models down; ``gun(A=2, S=4)`` writes a weapon;
``shoot(attacker, target, dice=[...])`` rules on the attack of the first unit on the second.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from rolloff.editions import registry
from rolloff.editions.clauses import clause_book
from rolloff.situations.adjudicate import adjudicate
from rolloff.situations.forms import CaseForm, decode
from rolloff.situations.situation import Situation, read_situation

EDITION = "commentary-10"
KINDS = registry.edition(EDITION).kinds
CLAUSES = frozenset(clause_book(EDITION))
Json = dict[str, Any]


def gun(
    *rules: str, range: Any = 24, A: Any = 1, skill: Any = 3, S: Any = 4, AP: Any = 0, D: Any = 1, name: str = "gun"
) -> Json:
    """A ranged weapon, plain unless stated."""
    return {"name": name, "range": range, "A": A, "skill": skill, "S": S, "AP": AP, "D": D, "rules": list(rules)}


def blade(*rules: str, name: str = "blade", **more: Any) -> Json:
    """A melee weapon, plain unless stated."""
    return gun(*rules, range="melee", name=name, **more)


def squad(
    id: str,
    side: str,
    models: int = 1,
    *weapons: Json,
    rules: Any = (),
    keywords: Any = ("INFANTRY",),
    wounds: Any = (),
    at: Any = (),
    own: Any = (),
    marks: Any = (),
    **more: Any,
) -> Json:
    """A unit of like models; capitals are characteristics, ``own`` gives fields that differ from model to model."""
    rows: list[Json] = []
    for k in range(models):
        row: Json = {"id": f"{id}.{k + 1}", "base": {"circle": 1.0}, "weapons": list(weapons)}
        if k < len(wounds):
            row["wounds"] = wounds[k]
        if k < len(at):
            row["at"] = list(at[k])
        rows.append({**row, **(own[k] if k < len(own) else {})})
    stats = {"T": 4, "Sv": 7, "W": 1, "Ld": 7}
    stats |= {name: value for name, value in more.items() if name in ("M", "T", "Sv", "W", "Ld", "OC", "Inv", "FNP")}
    rest = {name: value for name, value in more.items() if name not in stats}
    unit: Json = {"id": id, "side": side, "stats": stats, "rules": list(rules), "keywords": list(keywords)}
    return unit | {"marks": list(marks), "models": rows} | rest


class Ruling:
    """What came of a case, with shortcuts to what tests look at; every event of it cites what its kind may cite."""

    def __init__(self, found: Json) -> None:
        """Hold the whole output."""
        self.json = found
        self.verdict: str = found["verdict"]
        self.refusal: Json | None = found["refusal"]
        self.pending: Json | None = found["pending"]
        self.events: list[Json] = found["events"]
        for event in self.events if found["edition"] == EDITION else ():
            others = set(event["clauses"]) - KINDS[event["kind"]].clauses  # of a book of one's own, if any
            assert event["clauses"] and others.isdisjoint(CLAUSES), event
        self.dice_used: int = found["dice_used"]

    @property
    def attack(self) -> Json:
        """The sums of the only attack."""
        (row,) = self.json["attacks"]
        found: Json = row
        return found

    def faces(self, purpose: str) -> list[int]:
        """All faces rolled for a purpose, in order (re-rolls apart)."""
        return [face for roll in self.json["rolls"] if roll["purpose"] == purpose for face in roll["faces"]]

    def event(self, kind: str) -> Json:
        """The first event of a kind."""
        return next(event for event in self.events if event["kind"] == kind)

    def purposes(self) -> list[str]:
        """What each die was rolled for, in order."""
        return [roll["purpose"] for roll in self.json["rolls"]]

    def needs(self, purpose: str) -> list[int]:
        """The numbers needed on the natural die for a purpose, in order."""
        return [roll["need"] for roll in self.json["rolls"] if roll["purpose"] == purpose]

    def unit(self, id: str) -> Json:
        """A unit as it is afterwards."""
        return next(row for row in self.json["after"]["units"] if row["id"] == id)

    def model(self, id: str) -> Json:
        """A model as it is afterwards."""
        return next(model for unit in self.json["after"]["units"] for model in unit["models"] if model["id"] == id)

    def dead(self) -> list[str]:
        """The models removed by anything."""
        return [row[0] for event in self.events for row in event["set"] if row[1:] == ["removed", True]]

    def wounds(self, id: str) -> list[int]:
        """The wounds lost by the models of a unit that are left."""
        return [model["wounds"] for model in self.unit(id)["models"] if not model.get("removed")]


def case(
    units: Sequence[Json],
    kind: str = "shooting",
    dice: Any = (),
    answers: Sequence[Json] = (),
    unanswered: str = "default",
    switches: Json | None = None,
    table: Json | None = None,
    do: Json | None = None,
    **form: Any,
) -> Json:
    """A case: the first unit attacks the second."""
    attack = {"attacker": units[0]["id"], "target": units[1]["id"], "kind": kind, **form}
    if kind == "shooting" and not any("at" in model for model in units[0]["models"]):
        attack = {"range": 20, "visible": True, **attack}
    attack = {name: value for name, value in attack.items() if value is not None}
    found: Json = {"edition": EDITION, "units": list(units), "do": do or {"attack": attack}, "answers": list(answers)}
    found |= {"dice": list(dice) if isinstance(dice, list | tuple) else dice, "unanswered": unanswered}
    return found | ({"switches": switches} if switches else {}) | ({"table": table} if table else {})


def shoot(units: Sequence[Json], dice: Any = (), kind: str = "shooting", **more: Any) -> Ruling:
    """The first unit shoots at the second."""
    return Ruling(adjudicate(json.dumps(case(units, kind, dice, **more)).encode()))


def fight(units: Sequence[Json], dice: Any = (), **more: Any) -> Ruling:
    """The first unit makes its melee attacks against the second."""
    return Ruling(adjudicate(json.dumps(case(units, "melee", dice, **more)).encode()))


def situation(units: Sequence[Json]) -> Situation:
    """The game and the state these units make, without anything done."""
    return read_situation(decode(json.dumps({"edition": EDITION, "units": list(units)}).encode(), CaseForm))
