"""How the cost of a game grows with the armies: ``python -m bench.sizes --games 4 --write`` makes the table and the plot anew.

The armies are the ready-made ones of an edition, cut off after so many points, so that sizes between them can be measured. What
is measured is the processor time of whole games (setting up included), each with another seed; the least of three runs of a
workload is told, as other work on the machine only ever adds. Growth like models times neighbours is a straight line here: the
table is of one size, so a model meets more neighbours as armies grow, and the exponent of a power law is told beside it.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
from pathlib import Path
from time import process_time

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rolloff.armies import library
from rolloff.editions import registry
from rolloff.lab.duel import Match, chairs_of, play_game, setup_of
from rolloff.oracle.dice import seed_bytes
from rolloff.rules.edition import Edition
from rolloff.rules.game import Game

HERE = Path(__file__).parent
WORKLOADS = (
    ("onepage-3.0", (750,)),
    ("onepage-2.21", (750, 1500)),
    ("apocalypse-3.3", (750, 1500, 2250, 3000)),
)
RUNS = 3


class Row(Struct, frozen=True):
    """One size of one edition: points and models a side on average, and seconds a game."""

    edition: str
    agent: str
    points: int
    models: float
    seconds: float


def cut(edition: Edition, name: str, points: int, folder: Path) -> str:
    """A ready-made list cut off after so many points, as a file; the list itself if it is not larger."""
    form = library.find_list(edition, name)
    while library.muster_list(edition, form, 0).points > points:
        form = replace(form, units=form.units[:-1])
    path = folder / f"{name}-{points}.json"
    path.write_bytes(msgspec.json.encode(replace(form, points=points)))
    return str(path)


def measure(name: str, agent: str, points: int, games: int, folder: Path) -> Row:
    """The least time of a few runs of the same games."""
    edition = registry.edition(name)
    largest = library.full_lists(edition, max(size for id_, sizes in WORKLOADS if id_ == name for size in sizes))
    files = [cut(edition, list_, points, folder) for list_ in largest]
    pairs = [(files[k % len(files)], files[(k + 1) % len(files)]) for k in range(games)]
    models = 0
    times = []
    for _ in range(RUNS):
        begun, models = process_time(), 0
        for index, pair in enumerate(pairs):
            match = Match(name, (agent, agent), pair, seed=11, points=points)
            game = Game(edition, setup_of(match, index))
            models += len(game.models)
            play_game(game, seed_bytes(11, index, "dice"), chairs_of(match, index))
        times.append(process_time() - begun)
    return Row(name, agent, points, models / games / 2, min(times) / games)


def exponent(rows: list[Row]) -> float:
    """The exponent of seconds over models, fitted to the logarithms."""
    x, y = [math.log(row.models) for row in rows], [math.log(row.seconds) for row in rows]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y, strict=True)) / sum((a - mx) ** 2 for a in x)


def table(rows: list[Row]) -> str:
    """The rows as a table, with the exponents of what was measured in several sizes."""
    found = ["| edition | opponents | points | models a side | s a game | ms a model |", "|---|---|---|---|---|---|"]
    for row in rows:
        each = 1000 * row.seconds / row.models
        found.append(f"| {row.edition} | {row.agent} | {row.points} | {row.models:.0f} | {row.seconds:.2f} | {each:.0f} |")
    for key in dict.fromkeys((row.edition, row.agent) for row in rows):
        same = [row for row in rows if (row.edition, row.agent) == key]
        if len(same) > 2:
            found.append(f"\n{key[0]}, {key[1]}: time grows like models to the power of {exponent(same):.2f}.")
    return "\n".join(found) + "\n"


def plot(rows: list[Row], path: Path) -> None:
    """Seconds over models, one line an edition and opponent."""
    from matplotlib.figure import Figure

    figure = Figure((6.4, 4.0), layout="constrained")
    axes = figure.add_subplot()
    for edition, agent in dict.fromkeys((row.edition, row.agent) for row in rows):
        same = [row for row in rows if (row.edition, row.agent) == (edition, agent)]
        axes.plot([row.models for row in same], [row.seconds for row in same], marker="o", label=f"{edition}, {agent}")
    axes.set_xlabel("models a side")
    axes.set_ylabel("seconds a game (processor)")
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.legend()
    figure.savefig(path, metadata={"Date": None})


def main() -> int:
    """Measure, and print or keep what was found."""
    reader = argparse.ArgumentParser(prog="python -m bench.sizes", description="how the cost of a game grows")
    reader.add_argument("--games", type=int, default=4)
    reader.add_argument("--agents", nargs="+", default=["random", "closing"])
    reader.add_argument("--write", action="store_true", help="keep the table and the plot in bench/")
    asked = reader.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = [
            measure(edition, agent, points, asked.games, Path(folder))
            for agent in asked.agents
            for edition, sizes in WORKLOADS
            for points in sizes
        ]
    sys.stdout.write(table(rows))
    if asked.write:
        (HERE / "sizes.md").write_text(
            f"# How the cost of a game grows\n\n{__doc__.partition(chr(10))[2].strip()}\n\n{table(rows)}"
        )
        plot(rows, HERE / "sizes.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
