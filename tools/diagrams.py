"""The two pictures of the architecture page, drawn: the rooms, and an activation's way through them.

python -m tools.diagrams   # writes docs/images/rooms.svg and docs/images/activation.svg
"""

from __future__ import annotations

from html import escape
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "images"
ROW, GAP, WIDE = 58, 14, 940
INK, PAPER, LINE = "#1d2733", "#ffffff", "#5b6b7c"
TINTS = ("#e8eef5", "#e3f0ea", "#f5efe2", "#f3e6ea", "#e9e6f4", "#e4f0f2", "#f1ece6")

ROOMS = (
    ("doors", (("server", "battles, seats, storage"), ("cli", "one module a command"))),
    ("players and crowds", (("agents", "opponents"), ("lab", "many games, benches"))),
    (
        "uses of a rulebook",
        (
            ("odds", "laws of attacks"),
            ("armies", "books, lists"),
            ("situations", "tables, rulings"),
            ("record", "games, verified"),
        ),
    ),
    ("rulebooks", (("editions", "onepage, commentary, compendium: values, tables, clauses"),)),
    ("verbs", (("rules", "turns, windows, moves, fire, fights, losses, powers, objectives; edition, play, hooks"),)),
    ("nouns", (("table", "cards, state, events, requests, clauses"),)),
    (
        "no rules at all",
        (("geometry", "shapes, sight, paths; kernels and twins"), ("oracle", "dice, stages, roller, calculator")),
    ),
)
"""The rooms, the doors first; each step may import what stands below it."""

WAY = (
    ("player or opponent", "answers a request", "choose"),
    ("Session, Position, duel", "play_step(game, state, oracle)", "run"),
    ("turns: a row of the table", "picks a unit; one pick is one command", "row"),
    ("verbs: move, fire, charge, fight", "ask a judge, open windows, roll", "verb"),
    ("windows", "who may react now? active player first", "react"),
    ("stages: hit, block, wound, save", "tables altered by special rules", "stage"),
    ("losses, morale", "models leave by one verb; outcomes by rank", "lose"),
    ("apply(state, event)", "the only writer; every event cites clauses", "write"),
    ("log, record, page, odds shown", "read the same events and citations", "read"),
)
"""An activation, from the answer to what everybody sees of it."""


def _svg(width: int, height: int, body: list[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    style = 'font-family="system-ui, sans-serif" font-size="14"'
    return "\n".join([f"{head} {style}>", f'<rect width="{width}" height="{height}" fill="{PAPER}"/>', *body, "</svg>", ""])


def _box(x: float, y: float, wide: float, title: str, note: str, tint: str) -> list[str]:
    return [
        f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{ROW}" rx="8" fill="{tint}" stroke="{LINE}"/>',
        f'<text x="{x + 14:g}" y="{y + 24:g}" font-weight="600" fill="{INK}">{escape(title)}</text>',
        f'<text x="{x + 14:g}" y="{y + 44:g}" font-size="12.5" fill="{INK}">{escape(note)}</text>',
    ]


def rooms() -> str:
    """The steps of the layers, the doors on top."""
    body: list[str] = []
    for k, (step, boxes) in enumerate(ROOMS):
        y = GAP + k * (ROW + GAP)
        body.append(f'<text x="{GAP}" y="{y + 34}" font-size="13" font-style="italic" fill="{LINE}">{escape(step)}</text>')
        left, wide = 170.0, (WIDE - 170 - GAP * len(boxes)) / len(boxes)
        for title, note in boxes:
            body += _box(left, y, wide, title, note, TINTS[k])
            left += wide + GAP
        if k:
            body.append(f'<path d="M 140 {y - GAP - 16} v {GAP + 10}" stroke="{LINE}" marker-end="url(#tip)"/>')
    tip = '<defs><marker id="tip" markerWidth="8" markerHeight="8" refX="4" refY="4" orient="auto">'
    tip += f'<path d="M0 0 L8 4 L0 8 z" fill="{LINE}"/></marker></defs>'
    return _svg(WIDE, GAP + len(ROOMS) * (ROW + GAP), [tip, *body])


def activation() -> str:
    """One activation, step by step; the refused answer goes back to whoever gave it."""
    body: list[str] = []
    left, wide = 60.0, 520.0
    for k, (title, note, _) in enumerate(WAY):
        y = GAP + k * (ROW + 22)
        body += _box(left, y, wide, title, note, TINTS[k % len(TINTS)])
        if k:
            body.append(f'<path d="M {left + 40:g} {y - 22} v 20" stroke="{LINE}" stroke-width="1.5"/>')
    judge = GAP + 3 * (ROW + 22) + ROW / 2
    asked = GAP + ROW / 2
    body.append(
        f'<path d="M {left + wide} {judge:g} h 60 V {asked:g} h -58" fill="none" stroke="#a33" stroke-width="1.5" '
        'stroke-dasharray="5 4"/>'
    )
    words = ("refused: the reason", "and its clause; the", "request stands")
    body += [
        f'<text x="{left + wide + 72:g}" y="{judge - 90 + 18 * n:g}" fill="#a33">{line}</text>' for n, line in enumerate(words)
    ]
    return _svg(820, int(GAP + len(WAY) * (ROW + 22)), body)


def main() -> None:
    """Write both."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "rooms.svg").write_text(rooms(), encoding="utf-8")
    (FOLDER / "activation.svg").write_text(activation(), encoding="utf-8")


if __name__ == "__main__":
    main()
