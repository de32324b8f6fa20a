"""Pictures of odds: a histogram with the curve of P(at least), heat maps, sweeps. They need the extra `plots`."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rolloff.errors import BadInput
from rolloff.json_value import Json
from rolloff.odds.results import Odds
from rolloff.oracle.law import Number

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

    from rolloff.odds.lineup import Lineup
    from rolloff.odds.sweeps import Sweep

KINDS = (".png", ".svg")
BARS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377")
"""Colours for targets, told apart by most eyes."""

STYLE: Any = {
    "svg.hashsalt": "rolloff",  # the same odds give the same bytes
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "font.size": 10,
}
MOST_TICKS = 25


def _style(path: Path) -> AbstractContextManager[None]:
    """The look of all pictures, for a `with`.

    Raises:
        BadInput: the file is of no kind that can be drawn, or matplotlib is not there.
    """
    if path.suffix.lower() not in KINDS:
        raise BadInput("bad-plot", f"--plot: {path.name} is no picture", where="--plot", allowed=" or ".join(KINDS))
    try:
        import matplotlib as mpl
    except ImportError:
        message = "--plot: pictures need matplotlib: pip install 'rolloff[plots]'"
        raise BadInput("no-plots", message, where="--plot", allowed="the extra plots") from None
    return mpl.rc_context(STYLE)


def _figure(width: float, height: float) -> Figure:
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), dpi=120, layout="constrained")


def _save(figure: Figure, path: Path) -> None:
    metadata = {"Date": None} if path.suffix.lower() == ".svg" else {"Software": None}
    try:
        figure.savefig(path, metadata=metadata)
    except OSError as error:
        raise BadInput("unwritable", f"--plot: {path.name} cannot be written: {error.strerror}", where="--plot") from None


def _percent(axis: Axis) -> None:
    from matplotlib.ticker import PercentFormatter

    axis.set_major_formatter(PercentFormatter(1.0, decimals=0))


def _whole(axis: Axis) -> None:
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(MOST_TICKS, integer=True, min_n_ticks=1))


def draw_kills(found: Odds, path: Path) -> None:
    """The kills on each target: bars for exactly k, a curve for k or more, and where the mean lies."""
    with _style(path):
        figure = _figure(7.5, 4.2)
        axes = figure.add_subplot()
        share = 0.8 / len(found.targets)
        for at, (name, target) in enumerate(found.targets.items()):
            colour, most = BARS[at % len(BARS)], len(target.kills)
            chances, tails = [float(chance) for chance in target.kills], [float(tail) for tail in target.kills.tails()]
            places = [k + (at - (len(found.targets) - 1) / 2) * share for k in range(most)]
            axes.bar(places, chances, share * 0.92, color=colour, alpha=0.75, label=f"{name}: exactly so many")
            _number_bars(axes, places, chances, len(found.targets) == 1 and most <= 16)
            style: Json = {"color": colour, "linewidth": 1.4, "markersize": 4, "markeredgecolor": "white"}
            axes.plot(range(most), tails, marker="o", label=f"{name}: so many or more", **style)
            axes.axvline(float(target.kills.mean), color=colour, linestyle=":", linewidth=1.2)
        longest = max(len(target.kills) for target in found.targets.values())
        axes.set(xlabel="models lost", ylabel="chance", xlim=(-0.6, longest - 0.4), ylim=(0, 1.05), title=_title(found))
        axes.grid(visible=False, axis="x")
        _whole(axes.xaxis)
        _percent(axes.yaxis)
        axes.legend(frameon=False)
        _save(figure, path)


def _number_bars(axes: Axes, places: Sequence[float], chances: Sequence[float], wanted: bool) -> None:
    """The chance above each bar, where there is room."""
    for place, chance in zip(places, chances, strict=True):
        if wanted and chance >= 0.0005:
            halo = {"boxstyle": "square,pad=0.08", "facecolor": "white", "edgecolor": "none", "alpha": 0.8}
            text = f"{chance:.1%}"
            axes.text(place, chance + 0.012, text, ha="center", va="bottom", fontsize=7.5, color="#333333", bbox=halo, zorder=5)


def _title(found: Odds) -> str:
    lines = [f"{float(t.kills.mean):.2f} on average, destroyed {float(t.destroyed):.1%}" for t in found.targets.values()]
    return "; ".join(f"{name}: {words}" for name, words in zip(found.targets, lines, strict=True))


def draw_matrix(
    rows: Sequence[str], columns: Sequence[str], values: Sequence[Sequence[Number | None]], path: Path, what: str
) -> None:
    """A heat map of one number for each pair."""
    with _style(path):
        figure = _figure(2.5 + 0.85 * len(columns), 1.8 + 0.45 * len(rows))
        _map(figure, figure.add_subplot(), rows, columns, values, what)
        _save(figure, path)


def draw_lineup(found: Lineup, path: Path) -> None:
    """Heat maps of a line-up: models felled, the chance that nobody is left, points felled for each point."""
    rows, columns = [[entry.name for entry in side] for side in (found.attackers, found.targets)]
    maps = [(found.kills.values, "models felled on average"), (found.destroyed.values, "chance that nobody is left")]
    if any(value is not None for row in found.returns.values for value in row):
        maps.append((found.returns.values, "points felled for each point"))
    with _style(path):
        figure = _figure(2.5 + 0.85 * len(columns), (1.8 + 0.4 * len(rows)) * len(maps))
        for at, (values, what) in enumerate(maps, 1):
            _map(figure, figure.add_subplot(len(maps), 1, at), rows, columns, values, what)
        _save(figure, path)


def _map(
    figure: Figure,
    axes: Axes,
    rows: Sequence[str],
    columns: Sequence[str],
    values: Sequence[Sequence[Number | None]],
    what: str,
) -> None:
    """One heat map; pairs without an attack stay grey."""
    numbers = [[nan if value is None else float(value) for value in row] for row in values]
    chances = what.startswith("chance")
    picture = axes.imshow(numbers, cmap="viridis", aspect="auto", vmin=0, vmax=1 if chances else None)
    shade = picture.get_cmap()
    top = 1.0 if chances else max((one for line in numbers for one in line if one == one), default=0.0)
    axes.set_facecolor("#eeeeee")
    axes.grid(visible=False)
    axes.set_title(what)
    axes.set_xticks(range(len(columns)), columns, rotation=30, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(rows)), rows)
    for y, line in enumerate(numbers):
        for x, value in enumerate(line):
            if value == value:  # a number, and not the lack of one
                red, green, blue, _ = shade(value / top if top else 0.0)
                ink = "black" if 2 * red + 3 * green + blue > 6 * 0.45 else "white"
                axes.text(x, y, f"{value:.0%}" if chances else f"{value:.2f}", ha="center", va="center", color=ink, fontsize=9)
    bar = figure.colorbar(picture, ax=axes)
    bar.outline.set_visible(False)
    if chances:
        _percent(bar.ax.yaxis)


def draw_sweep(found: Sweep, path: Path) -> None:
    """Mean kills with the likely range, and the chance that nobody is left, over the values of a parameter."""
    rows = [(at, row.odds) for at, row in enumerate(found.rows) if row.odds is not None]
    values = [row.value for row in found.rows]
    numbers = not any(isinstance(value, bool) for value in values)
    places: list[float] = [values[at] if numbers else at for at, _ in rows]
    with _style(path):
        figure = _figure(7.5, 4.2)
        axes = figure.add_subplot()
        likely = [(odds.kills.quantile(0.1), odds.kills.quantile(0.9)) for _, odds in rows]
        means = [float(odds.kills.mean) for _, odds in rows]
        band: Json = {"color": BARS[0], "alpha": 0.18, "label": "kills, 80% likely"}
        if numbers:
            lows, highs = [low for low, _ in likely], [high for _, high in likely]
            axes.fill_between(places, lows, highs, step="mid", linewidth=0, **band)
            if all(isinstance(value, int) for value in values):
                _whole(axes.xaxis)
        else:
            axes.bar(places, [high - low for low, high in likely], 0.12, [low for low, _ in likely], **band)
            axes.set_xticks(range(len(values)), ["yes" if value else "no" for value in values])
            axes.set_xlim(-0.5, len(values) - 0.5)
        axes.plot(places, means, color=BARS[0], marker="o", markersize=4, label="kills on average")
        axes.set(xlabel=found.over, ylabel="models lost")
        axes.set_ylim(bottom=0)
        other = axes.twinx()
        other.spines["right"].set_visible(True)
        gone = [float(odds.destroyed) for _, odds in rows]
        other.plot(places, gone, color=BARS[1], marker="s", markersize=4, linestyle="--", label="destroyed")
        other.set(ylabel="chance that nobody is left", ylim=(0, 1.02))
        other.grid(visible=False)
        _percent(other.yaxis)
        figure.legend(loc="outside upper center", ncols=3, frameon=False)
        _save(figure, path)
