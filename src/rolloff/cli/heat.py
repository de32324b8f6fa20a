"""Numbers as a terminal shows them: cells coloured by their size, and a line of small bars."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from rolloff.oracle.law import Number

RAMP = ((68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (253, 231, 37))
"""From little to much: dark violet by way of green to yellow, which also tells apart without colours seen as red or green."""

BARS = "▁▂▃▄▅▆▇█"
NOTHING = "-"


def colour(share: float) -> tuple[int, int, int]:
    """The colour for a share of the most there is."""
    at = min(max(share, 0.0), 1.0) * (len(RAMP) - 1)
    low = min(int(at), len(RAMP) - 2)
    red, green, blue = (round(a + (b - a) * (at - low)) for a, b in zip(RAMP[low], RAMP[low + 1], strict=True))
    return red, green, blue


def _cell(value: Number | None, most: float, shown: Callable[[float], str]) -> Text:
    from rich.text import Text

    if value is None:
        return Text(NOTHING)
    red, green, blue = colour(float(value) / most if most else 0.0)
    ink = "black" if 2 * red + 3 * green + blue > 6 * 110 else "white"
    return Text(f" {shown(float(value))} ", f"{ink} on rgb({red},{green},{blue})")


def heat_table(
    rows: Sequence[str],
    columns: Sequence[str],
    values: Sequence[Sequence[Number | None]],
    shown: Callable[[float], str],
    most: float | None = None,
) -> Table:
    """Numbers for pairs, coloured by their size where there are colours."""
    from rich.table import Table
    from rich.text import Text

    top = most if most is not None else max((float(value) for row in values for value in row if value is not None), default=0.0)
    table = Table(box=None, padding=(0, 1, 0, 0))
    table.add_column("", no_wrap=True, min_width=10)
    for name in columns:
        table.add_column(Text(name), justify="right", min_width=6)
    for name, row in zip(rows, values, strict=True):
        table.add_row(Text(name), *(_cell(value, top, shown) for value in row))
    return table


def sparkline(values: Sequence[float | None], most: float | None = None) -> str:
    """A small bar for each number; a blank where there is none."""
    top = most if most is not None else max((value for value in values if value is not None), default=0.0)
    steps = len(BARS) - 1
    return "".join(" " if value is None else BARS[round(value / top * steps) if top else 0] for value in values)


def bar(value: float, most: float, width: int = 30) -> str:
    """A bar of text to eighths of a character."""
    eighths = round(value / most * width * 8) if most else 0
    return "█" * (eighths // 8) + (" ▏▎▍▌▋▊▉"[eighths % 8] if eighths % 8 else "")
