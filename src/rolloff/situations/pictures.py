"""Pictures of a table: a written situation as an SVG that stands by itself, and as letters for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from math import hypot
from typing import Any

Json = dict[str, Any]
SIDES = {"A": "#0067a5", "B": "#b84300"}
GROUND = {
    "impassable": "#6b6660",
    "dangerous": "#c9605a",
    "difficult": "#a98556",
    "elevation": "#c2a878",
    "cover": "#6f9a72",
}
_STYLE = "font-family:sans-serif;text-anchor:middle"


def _look(types: list[str]) -> str:
    return next((fill for name, fill in GROUND.items() if name in types), "#8d7fb0")


def _piece(piece: Json, height: float) -> Iterator[str]:
    fill = f'fill="{_look(piece["types"])}" fill-opacity="0.6" stroke="#1d2226" stroke-opacity="0.5" stroke-width="0.08"'
    title = f"<title>{escape(piece.get('name') or piece['id'])}</title>"
    if piece.get("disc"):
        x, y, r = piece["disc"]
        yield f'<circle cx="{x}" cy="{height - y}" r="{r}" {fill}>{title}</circle>'
    else:
        points = " ".join(f"{x},{round(height - y, 3)}" for x, y in piece.get("polygon") or ())
        yield f'<polygon points="{points}" {fill}>{title}</polygon>'


def _base(base: Json) -> str:
    if "circle" in base:
        return f'<circle r="{base["circle"] / 2}"/>'
    w, length = base.get("oval") or base["rect"]
    round_ = w / 2 if "oval" in base else 0
    return f'<rect x="{-length / 2}" y="{-w / 2}" width="{length}" height="{w}" rx="{round_}"/>'


def tags(units: list[Json]) -> dict[str, str]:
    """Side and number of every unit: A3."""
    count = {"A": 0, "B": 0}
    found = {}
    for unit in units:
        count[unit["side"]] += 1
        found[unit["id"]] = f"{unit['side']}{count[unit['side']]}"
    return found


def _standing(situation: Json) -> Iterator[tuple[Json, list[Json]]]:
    """Every unit with its models on the table."""
    for unit in situation["units"]:
        models = [model for model in unit["models"] if model.get("at") and not model.get("removed")]
        if models:
            yield unit, models


def _unit(unit: Json, models: list[Json], tag: str, height: float) -> Iterator[str]:
    colour = SIDES[unit["side"]]
    name = escape(unit.get("name") or unit["id"])
    yield f'<g fill="{colour}" stroke="#14181b" stroke-width="0.06"><title>{name} {tag}</title>'
    for model in models:
        x, y = model["at"]
        turn = f"translate({x} {round(height - y, 3)}) rotate({-model.get('facing', 0)})"
        yield f'<g transform="{turn}">{_base(model["base"])}</g>'
    yield "</g>"
    x = sum(model["at"][0] for model in models) / len(models)
    top = max(model["at"][1] for model in models)
    place = f'x="{x:.2f}" y="{height - top - 0.9:.2f}"'
    yield f'<text {place} font-size="0.95" fill="{colour}" style="{_STYLE}">{name} {tag}</text>'


def draw_svg(situation: Json, width: int = 760) -> str:
    """The table as a picture; every name in it is text, whatever it holds."""
    across, height = situation["table"]["size"]
    marks = tags(situation["units"])
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" viewBox="-0.6 -0.6 {across + 1.2} {height + 1.2}">',
        f'<rect width="{across}" height="{height}" fill="#e4e0d3" stroke="#5a6268" stroke-width="0.2"/>',
    ]
    for piece in situation["table"].get("terrain") or ():
        parts += _piece(piece, height)
    for unit, models in _standing(situation):
        parts += _unit(unit, models, marks[unit["id"]], height)
    return "".join(parts) + "</svg>"


COLUMNS = 72
_LETTERS = {"impassable": "#", "dangerous": "x", "difficult": "~", "elevation": "^", "cover": "."}


def _covers(piece: Json, x: float, y: float) -> bool:
    if piece.get("disc"):
        cx, cy, r = piece["disc"]
        return bool(hypot(x - cx, y - cy) <= r)
    odd, corners = False, piece.get("polygon") or []
    for (ax, ay), (bx, by) in zip(corners, [*corners[1:], *corners[:1]], strict=True):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            odd = not odd
    return odd


def draw_text(situation: Json, columns: int = COLUMNS) -> list[str]:
    """The table in letters: terrain by its kind, models by the number of their unit, side B's in brackets."""
    across, height = situation["table"]["size"]
    step = across / columns
    rows = max(1, round(height / step / 2))
    grid = [[" "] * columns for _ in range(rows)]
    for piece in situation["table"].get("terrain") or ():
        letter = next((sign for name, sign in _LETTERS.items() if name in piece["types"]), ":")
        for r, c in ((r, c) for r in range(rows) for c in range(columns)):
            if _covers(piece, (c + 0.5) * step, height - (r + 0.5) * height / rows):
                grid[r][c] = letter
    marks = tags(situation["units"])
    for unit, models in _standing(situation):
        for model in models:
            c = min(columns - 1, max(0, int(model["at"][0] / step)))
            r = min(rows - 1, max(0, int((height - model["at"][1]) * rows / height)))
            number = int(marks[unit["id"]][1:])
            grid[r][c] = (
                (chr(ord("A") + number - 1) if unit["side"] == "A" else chr(ord("a") + number - 1)) if number <= 26 else "?"
            )
    edge = "+" + "-" * columns + "+"
    return [edge, *(f"|{''.join(row)}|" for row in grid), edge]
