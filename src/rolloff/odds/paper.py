"""A battle report on paper: score, luck, models left and turning points. It needs the extra `plots`."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from rolloff.errors import BadInput
from rolloff.json_value import Json

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#0067a5", "#b84300")
SHEET = (8.27, 11.69)
"""A4, upright, in inches."""


def write_pdf(replay: Json, report: Json, path: Path) -> None:
    """Write the report of a battle as a PDF of one sheet.

    Raises:
        BadInput: matplotlib is not there, or the file cannot be written.
    """
    try:
        from matplotlib.backends.backend_pdf import FigureCanvasPdf
        from matplotlib.figure import Figure
    except ImportError:
        message = "--pdf: a PDF needs matplotlib: pip install 'rolloff[plots]'"
        raise BadInput("no-plots", message, where="--pdf", allowed="the extra plots") from None
    sheet = Figure(figsize=SHEET)
    FigureCanvasPdf(sheet)
    sheet.text(0.08, 0.95, _plain(replay["title"]), fontsize=15, weight="bold")
    sheet.text(0.08, 0.925, _verdict(replay), fontsize=11)
    _strength(sheet.add_axes((0.1, 0.68, 0.82, 0.2)), replay, report)
    _scores(sheet.add_axes((0.1, 0.44, 0.82, 0.17)), replay, report)
    sheet.text(0.08, 0.385, _luck(replay, report), fontsize=10, va="top")
    sheet.text(0.08, 0.3, _turning(report), fontsize=9, va="top")
    try:
        sheet.savefig(path, format="pdf", metadata={"CreationDate": None, "Producer": None, "Creator": "Rolloff"})
    except OSError as error:
        raise BadInput("not-written", f"{path.name}: {error.strerror or error}", where="--pdf") from None


def _plain(text: str) -> str:
    """A text in which no sign starts a formula, and none is beyond what the type can show."""
    text = "".join(sign if sign.isprintable() or sign == "\n" else "?" for sign in text)
    return text.replace("\\", "/").replace("$", "\\$")


def _verdict(replay: Json) -> str:
    result = replay["result"]
    who = "A draw" if result["winner"] == "draw" else f"{replay['armies']['AB'.index(result['winner'])]} wins"
    return _plain(f"{who}, {result['score'][0]} to {result['score'][1]}, after {result['rounds']} rounds")


def _lines(axes: Axes, replay: Json, rows: list[list[int]], title: str) -> None:
    for side, colour in enumerate(COLOURS):
        name = _plain(replay["armies"][side])
        axes.step([row[0] for row in rows], [row[1 + side] for row in rows], where="post", color=colour, label=name)
    axes.set_title(title, loc="left", fontsize=11)
    axes.set_xticks([])
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=9)


def _strength(axes: Axes, replay: Json, report: Json) -> None:
    _lines(axes, replay, report["strength"], "Models left")


def _scores(axes: Axes, replay: Json, report: Json) -> None:
    _lines(axes, replay, [[0, 0, 0], *report["scores"]], "Score")


def _luck(replay: Json, report: Json) -> str:
    rows = []
    for side, one in enumerate(report["players"]):
        share = "no attacks" if one["luck"] is None else f"luck {one['luck']:.0%}"
        rows.append(f"{replay['armies'][side]}: felled {one['kills']} ({one['expected_kills']:.1f} to be expected), {share}")
    return _plain("\n".join(rows))


def _turning(report: Json) -> str:
    rows = [f"Round {one['round']}: {one['text']}" for one in report["turning"]]
    return _plain("Where it turned\n" + "\n".join(textwrap.fill(row, 105) for row in rows))
