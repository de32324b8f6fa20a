"""Units, Leaders and terrain written down in a line, for moments at the corners of the rules."""

from __future__ import annotations

from typing import Any

from tests.commentary.desk import Json, squad


def line(n: int, x: float = 10, y: float = 10, apart: float = 1.5) -> list[tuple[float, float]]:
    """Places in a row along y."""
    return [(x, y + apart * k) for k in range(n)]


def one(id: str, x: float, y: float = 10, *weapons: Json, **more: Any) -> Json:
    """A unit of one model, of the side its name begins with."""
    return squad(id, id[0].upper(), 1, *weapons, at=[(x, y)], **{"M": 6, "W": 3, **more})


def leader(id: str, side: str, of: str, x: float, y: float, *weapons: Json, **more: Any) -> Json:
    """A Leader of a unit."""
    words = {"keywords": ["INFANTRY", "CHARACTER"], "M": 6, "W": 4, **more}
    return squad(id, side, 1, *weapons, at=[(x, y)], leading=of, **words)


def led(n: int, **more: Any) -> list[Json]:
    """So many of five Bodyguards of A, with two Leaders."""
    guard = squad("a1", "A", n, at=line(n), start_size=5, M=6, **{"Ld": 8, **more})
    return [guard, leader("x", "A", "a1", 8.8, 10, Ld=7), leader("y", "A", "a1", 8.8, 11.2, Ld=6)]


def ask(*questions: Json) -> Json:
    """Questions about a moment in which nothing is done."""
    return {"ask": list(questions)}


def box(id: str, kind: str, x0: float, y0: float, x1: float, y1: float, height: float, **more: Any) -> Json:
    """A rectangular piece of terrain."""
    return {"id": id, "types": [kind], "polygon": [[x0, y0], [x1, y0], [x1, y1], [x0, y1]], "height": height, **more}
