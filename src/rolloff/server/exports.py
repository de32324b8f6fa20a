"""A battle as one file: the page that replays it without a server, and a report to read or print."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

import msgspec

from rolloff.editions import registry
from rolloff.editions.languages import LANGUAGES, texts
from rolloff.errors import BadInput
from rolloff.odds.report import report_json
from rolloff.record.lines import Line
from rolloff.record.retelling import replay_json
from rolloff.server.prompts import clauses_of
from rolloff.situations.pictures import draw_svg
from rolloff.table.clause import Clause

PAGE = Path(__file__).parent / "page"
Json = dict[str, Any]


def whole_replay(lines: list[Line]) -> Json:
    """A replay with its report, the clauses it cites and what the rules say in other languages: nothing has to be asked for."""
    replay = replay_json(lines)
    edition = registry.edition(replay["edition"])
    book = clauses_of(edition)
    cited = sorted({clause for event in replay["events"] for clause in event["clauses"]})
    words = {id_: found.text if isinstance(found := book.get(id_), Clause) else str(found or "") for id_ in cited}
    spoken = {language: texts(edition.id, language) for language in LANGUAGES}
    return replay | {"report": report_json(lines) if replay["verified"] else None, "clauses": words, "texts": spoken}


def replay_page(lines: list[Line]) -> str:
    """One HTML file that replays a battle in any browser, by itself."""
    index = PAGE / "index.html"
    if not index.exists():
        raise BadInput("no-page", "the page is not built", where="page", allowed="make page")
    text = index.read_text("utf-8")
    scripts = "".join(path.read_text("utf-8") for path in sorted((PAGE / "assets").glob("*.js")))
    styles = "".join(path.read_text("utf-8") for path in sorted((PAGE / "assets").glob("*.css")))
    text = re.sub(r'<script type="module"[^>]*></script>|<link rel="(stylesheet|modulepreload)"[^>]*>', "", text)
    data = msgspec.json.encode(whole_replay(lines)).decode().replace("<", "\\u003c")
    scripts, styles = scripts.replace("</script", "<\\/script"), styles.replace("</", "<\\/")
    carried = f'<script type="application/json" id="battle">{data}</script><script type="module">{scripts}</script>'
    head, _, rest = text.partition("</head>")
    body, _, end = rest.rpartition("</body>")
    return f"{head}<style>{styles}</style></head>{body}{carried}</body>{end}"


def _moments(replay: Json) -> list[tuple[str, str]]:
    """The table at the beginning of every round and at the end."""
    found = []
    table = msgspec.json.decode(msgspec.json.encode(replay["opening"]))
    models = {model["id"]: model for unit in table["units"] for model in unit["models"]}
    units = {unit["id"]: unit for unit in table["units"]}
    number = 0
    for event in replay["events"]:
        rounds = [value for id_, field, value in event["set"] if id_ == "clock" and field == "round"]
        if rounds and rounds[-1] != number:
            number = rounds[-1]
            found.append((f"Round {number}", draw_svg(table)))
        for id_, field, value in event["set"]:
            if id_ in models and field in ("at", "facing", "removed"):
                models[id_][field] = value
            elif id_ in units and field == "where" and value != "table":
                for model in units[id_]["models"]:
                    model["at"] = None
    return [*found, ("The end", draw_svg(table))]


def _plot(rows: list[list[int]], height: int = 150) -> str:
    """Two lines over the events of a battle."""
    last, most = max(1, rows[-1][0]), max(1, *(max(row[1:]) for row in rows))

    def line(at: int, colour: str) -> str:
        points = " ".join(f"{700 * row[0] / last:.1f},{height - height * row[at] / most:.1f}" for row in rows)
        return f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2.5"/>'

    return (
        f'<svg viewBox="-6 -6 712 {height + 12}" width="712" role="img">'
        f'<path d="M0 0V{height}H700" fill="none" stroke="#999"/>{line(1, "#0067a5")}{line(2, "#b84300")}</svg>'
    )


def _cell(value: object) -> str:
    return f"<td>{escape('' if value is None else str(value))}</td>"


def _table(heads: tuple[str, ...], rows: Sequence[tuple[object, ...]]) -> str:
    head = "".join(f"<th>{escape(one)}</th>" for one in heads)
    body = "".join("<tr>" + "".join(map(_cell, row)) + "</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"


_PAPER = """body{font:15px/1.5 system-ui,sans-serif;max-width:760px;margin:2rem auto;padding:0 1rem;color:#1d2226}
table{border-collapse:collapse;margin:.6rem 0;width:100%}td,th{border:1px solid #cfcbbf;padding:.25rem .5rem;text-align:left}
svg{max-width:100%;height:auto}h2{margin-top:1.8rem}.a{color:#0067a5}.b{color:#b84300}@media print{h2{break-after:avoid}}"""


def report_page(lines: list[Line]) -> str:
    """A battle report to read or print: score, luck, turning points, losses, and a picture of every round."""
    replay = replay_json(lines)
    report, armies, result = report_json(lines), replay["armies"], replay["result"]
    winner = result["winner"]
    verdict = "A draw" if winner == "draw" else f"{armies['AB'.index(winner)]} wins"
    players = [
        (armies[k], one["kills"], f"{one['expected_kills']:.1f}", "" if one["luck"] is None else f"{one['luck']:.0%}")
        for k, one in enumerate(report["players"])
    ]
    units = [
        (one["name"], one["points"], one["kills"], one["value"], f"{one['lost']} of {one['size']}") for one in report["units"]
    ]
    turning = "".join(f"<li>Round {one['round']}: {escape(one['text'])}</li>" for one in report["turning"])
    pictures = "".join(f"<h2>{escape(title)}</h2>{picture}" for title, picture in _moments(replay))
    parts = (
        f"<h1>{escape(replay['title'])}</h1>",
        f"<p><b>{escape(verdict)}</b>, {result['score'][0]} to {result['score'][1]}, after {result['rounds']} rounds.</p>",
        "<h2>Luck</h2>",
        _table(("Army", "Models felled", "To be expected", "Luck (50% is even)"), players),
        f"<h2>Where it turned</h2><ol>{turning}</ol>",
        f'<h2>Models left</h2><p><span class="a">{escape(armies[0])}</span>, <span class="b">{escape(armies[1])}</span></p>',
        _plot(report["strength"]),
        "<h2>Units</h2>",
        _table(("Unit", "Points", "Felled", "Worth", "Lost"), units),
        pictures,
    )
    head = f'<meta charset="utf-8"><title>{escape(replay["title"])}</title><style>{_PAPER}</style>'
    return f'<!doctype html><html lang="en">{head}{"".join(parts)}</html>\n'
