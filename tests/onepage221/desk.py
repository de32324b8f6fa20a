"""A desk for attacks of 2.21: two units without positions unless stated, one attack, scripted dice."""

from __future__ import annotations

from typing import Any

from tests.onepage.desk import Desk, Json, Ruling, unit

EDITION = "onepage-2.21"
NOWHERE = [None]


def squad(id: str, size: int = 1, **more: Any) -> Json:
    """So many models that stand nowhere in particular; side A for ids in a, else B."""
    return unit(id, "A" if id.startswith("a") else "B", NOWHERE * size, **more)


def attack(ours: Json, theirs: Json, kind: str = "shooting", dice: Any = (), edition: str = EDITION, **form: Any) -> Ruling:
    """One unit attacks another; shots in the open at ten inches unless stated."""
    if kind == "shooting":
        form = {"range": 10, "visible": True, "cover": False, **form}
    return Desk([ours, theirs], edition=edition).attack(ours["id"], theirs["id"], kind, dice, **form)
