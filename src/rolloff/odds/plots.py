"""Pictures of odds: a histogram with the curve of P(at least), and a heat map. They need the extra `plots`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rolloff.errors import BadInput
from rolloff.odds.results import Odds

KINDS = (".png", ".svg")


def _figure(path: Path, width: float = 7, height: float = 4) -> tuple[Any, Any]:
    """An empty figure and its axes.

    Raises:
        BadInput: the file is of no kind that can be drawn, or matplotlib is not there.
    """
    if path.suffix.lower() not in KINDS:
        raise BadInput("bad-plot", f"--plot: {path.name} is no picture", where="--plot", allowed=" or ".join(KINDS))
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError:
        message = "--plot: pictures need matplotlib: pip install 'rolloff[plots]'"
        raise BadInput("no-plots", message, where="--plot", allowed="the extra plots") from None
    mpl.rcParams["svg.hashsalt"] = "rolloff"  # the same odds give the same bytes
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.add_subplot()


def _save(figure: Any, path: Path) -> None:
    metadata = {"Date": None} if path.suffix.lower() == ".svg" else {"Software": None}
    try:
        figure.savefig(path, metadata=metadata)
    except OSError as error:
        raise BadInput("unwritable", f"--plot: {path.name} cannot be written: {error.strerror}", where="--plot") from None


def draw_kills(found: Odds, path: Path) -> None:
    """The kills on each target: bars for exactly k, a curve for k or more."""
    figure, axes = _figure(path)
    for name, target in found.targets.items():
        chances = [float(chance) for chance in target.kills]
        axes.bar(range(len(chances)), chances, alpha=0.6, label=f"{name}: exactly")
        axes.plot(range(len(chances)), [float(tail) for tail in target.kills.tails()], marker="o", label=f"{name}: at least")
    axes.set(xlabel="models lost", ylabel="chance", ylim=(0, 1.02))
    axes.legend()
    _save(figure, path)


def draw_matrix(rows: Sequence[str], columns: Sequence[str], values: Sequence[Sequence[float]], path: Path, what: str) -> None:
    """A heat map of one number for each pair."""
    figure, axes = _figure(path, 2 + len(columns), 1.5 + 0.6 * len(rows))
    picture = axes.imshow(values, cmap="viridis")
    axes.set_xticks(range(len(columns)), columns, rotation=30, ha="right")
    axes.set_yticks(range(len(rows)), rows)
    for y, line in enumerate(values):
        for x, value in enumerate(line):
            axes.text(x, y, f"{value:.2f}", ha="center", va="center", color="white")
    figure.colorbar(picture, label=what)
    _save(figure, path)
