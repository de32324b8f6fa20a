"""A desk for attacks of the compendium: the contract's fixtures, and attacks ruled on with scripted dice.

``unit("a1", "A", "TRP", 2, weapons=[weapon("gun", A=2, rules=["Rending"])])`` writes a unit down; ``attack([...], dice=[...])``
rules on an attack of ``a1`` on ``b1``. Models have no positions unless they are given some.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from rolloff.situations.adjudicate import adjudicate

EDITION = "compendium"
Json = dict[str, Any]

PROFILES: dict[str, tuple[str, tuple[Any, ...]]] = {
    "TRP": ("infantry", (6, 4, 4, 4, 4, 1, 4, 1, 8, "3+")),
    "GRT": ("infantry", (6, 3, 3, 3, 3, 1, 3, 1, 7, "5+")),
    "CAP": ("infantry, independent character", (6, 5, 5, 4, 4, 3, 5, 3, 9, "3+")),
    "PSY": ("infantry, character, psyker", (6, 4, 4, 3, 3, 2, 4, 1, 9, "4+")),
    "BST": ("monster", (8, 4, 3, 6, 6, 8, 3, 4, 8, "3+")),
    "SWM": ("infantry, swarms", (6, 3, 3, 3, 3, 3, 3, 4, 10, "6+")),
}
NAMES = ("M", "WS", "CT", "S", "T", "W", "I", "A", "Ld", "Sv")
HULLS: dict[str, tuple[str, Json]] = {
    "APC": ("vehicle", {"M": 12, "CT": 3, "AV": [11, 11, 10], "HP": 9}),
    "MBT": ("vehicle, tank", {"M": 10, "CT": 4, "AV": [14, 13, 10], "HP": 12}),
    "WLK": ("vehicle, walker", {"M": 7, "CT": 4, "AV": [12, 12, 10], "HP": 8, "WS": 4, "S": 6, "I": 4, "A": 2}),
    "SKM": ("vehicle, fast, skimmer", {"M": 14, "CT": 4, "AV": [11, 10, 10], "HP": 7}),
}
WEAPONS: dict[str, Json] = {
    "gun": {"range": 24, "A": 1, "S": 4, "AP": 0, "D": 1, "rules": ["Primary"]},
    "blade": {"range": "melee", "A": "-", "S": "User", "AP": 0, "D": 1, "rules": ["Melee"]},
    "cannon": {"range": 48, "A": 1, "S": 9, "AP": -3, "D": 3, "rules": ["Heavy"]},
    "mortar": {"range": 48, "A": 1, "S": 5, "AP": -1, "D": 1, "rules": ["Blast"]},
    "flamer": {"range": "template", "A": 1, "S": 4, "AP": -1, "D": 1, "rules": ["Assault", "Template"]},
}


def clause(*ids: str) -> pytest.MarkDecorator:
    """Mark the clauses of the compendium a test covers."""
    return pytest.mark.clause(EDITION, *ids)


def weapon(base: str, *, rules: Sequence[str] = (), **fields: Any) -> Json:
    """A weapon of the fixtures with fields changed and rules added."""
    found = {"name": base, **WEAPONS[base], **fields}
    return found | {"rules": [*WEAPONS[base]["rules"], *rules]}


def unit(
    id: str,
    side: str,
    fixture: str,
    n: int = 1,
    *,
    rules: Sequence[str] = (),
    weapons: Sequence[Json] = (),
    stats: Json | None = None,
    at: Sequence[tuple[float, float]] = (),
    wounds: Sequence[int] = (),
    joined: str | None = None,
    **more: Any,
) -> Json:
    """A unit of a fixture; ``stats`` changes its profile, ``joined`` makes its models part of another unit."""
    type_, profile = PROFILES[fixture] if fixture in PROFILES else HULLS[fixture]
    numbers: Json = dict(zip(NAMES, profile, strict=True)) if isinstance(profile, tuple) else dict(profile)
    models = []
    for k in range(n):
        model: Json = {"id": f"{id}.{k + 1}", "weapons": list(weapons), "wounds": wounds[k] if k < len(wounds) else 0}
        if k < len(at):
            model["at"] = list(at[k])
        if joined:
            model["unit"] = joined
        models.append(model)
    found = {"id": id, "side": side, "type": type_, "stats": numbers | (stats or {}), "rules": list(rules), "models": models}
    return found | {"name": fixture} | more


class Ruling:
    """What came of an attack, with shortcuts to what tests look at."""

    def __init__(self, found: Json) -> None:
        """Hold the whole output."""
        self.json = found
        self.verdict: str = found["verdict"]
        self.refusal: Json | None = found["refusal"]
        self.rolls: list[Json] = found["rolls"]
        self.events: list[Json] = found["events"]
        self.row: Json = found["attacks"][0] if found["attacks"] else {}

    @property
    def slain(self) -> int:
        """How many models of the target were removed."""
        return len(self.row["removed"])

    @property
    def lost(self) -> int:
        """The Wounds or Hull Points lost."""
        return int(self.row["damage"])

    @property
    def unsaved(self) -> int:
        """The unsaved wounds, mortal ones apart."""
        return int(self.event("attacked")["facts"]["unsaved"])

    def kinds(self) -> list[str]:
        """The kinds of events in order, rolls left out."""
        return [event["kind"] for event in self.events if event["kind"] != "rolled"]

    def event(self, kind: str) -> Json:
        """The first event of a kind."""
        return next(event for event in self.events if event["kind"] == kind)

    def rolled(self, purpose: str) -> list[int]:
        """All faces rolled for a purpose, in order (re-rolls apart)."""
        return [face for roll in self.rolls if roll["purpose"] == purpose for face in roll["faces"]]

    def cited(self) -> set[str]:
        """Every clause a roll cites."""
        return {clause for roll in self.rolls for clause in roll["clauses"]}

    def model(self, id: str) -> Json:
        """A model as it is afterwards."""
        units = self.json["after"]["units"]
        found: Json = next(model for row in units for model in row["models"] if model["id"] == id)
        return found

    def taken(self, id: str) -> int:
        """The Wounds a model has taken afterwards."""
        return int(self.model(id).get("wounds", 0))

    def removed(self, id: str) -> bool:
        """Whether a model is out of the game."""
        return bool(self.model(id).get("removed", False))

    def marks(self, id: str) -> set[str]:
        """The names of the marks on a model or a unit afterwards."""
        units = self.json["after"]["units"]
        row = next((row for row in units if row["id"] == id), None) or self.model(id)
        found: set[str] = set()
        for mark in row.get("marks", []):
            found |= {mark} if isinstance(mark, str) else set(mark)
        return found


def case(units: Sequence[Json], *, kind: str = "shooting", dice: Any = (), answers: Sequence[Json] = (), **form: Any) -> Json:
    """A case for `adjudicate`: ``a1`` attacks ``b1``, twelve inches off and in sight unless stated or placed."""
    placed = any("at" in model for row in units for model in row["models"])
    stated: Json = {} if placed or kind == "melee" else {"range": 12, "visible": True}
    fields: Json = {name: form.pop(name) for name in ("table", "switches", "unanswered") if name in form}
    given = {"attacker": "a1", "target": "b1", "kind": kind, **stated, **form}
    faces = list(dice) if isinstance(dice, list | tuple) else dice
    return {
        "edition": EDITION,
        "units": list(units),
        "do": {"attack": given},
        "dice": faces,
        "answers": list(answers),
        **fields,
    }


def attack(units: Sequence[Json], **form: Any) -> Ruling:
    """Rule on an attack of ``a1`` on ``b1``."""
    return Ruling(adjudicate(json.dumps(case(units, **form)).encode()))


def shoot(gun: Json, target: Json, *dice: int, by: Json | None = None, **form: Any) -> Ruling:
    """A trooper with a weapon shoots at ``b1``; ``by`` is another attacker, which brings its own weapons."""
    return attack([by or unit("a1", "A", "TRP", weapons=[gun]), target], **{"dice": dice, **form})


def fight(blade: Json, target: Json, *dice: int, by: Json | None = None, **form: Any) -> Ruling:
    """A trooper with a weapon strikes ``b1``."""
    return attack([by or unit("a1", "A", "TRP", weapons=[blade]), target], kind="melee", dice=dice, **form)


def enemy(fixture: str, n: int = 1, **more: Any) -> Json:
    """The target ``b1``."""
    return unit("b1", "B", fixture, n, **more)
