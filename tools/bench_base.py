"""Two commits measured in one run, turn by turn, with the base against itself beside them.

``make bench BASE=e49aedd`` (with ``ARGS="--only NAME"`` for other rows) lays the base out below ``build/``, then measures every
row there, here and there again, often enough for quartiles: the machine's swings hit all three alike, and a ratio that the
base has against itself proves nothing. The code that measures is this tree's in both.

``ARGS="--yardstick games_per_second --was 34 --only NAME"`` is for rows the base does not have: the base measures the yardstick
by its own code, this tree the named rows, in turn. A number the design holds was set on a machine on which the base
came to ``--was``, by the Python it was run with then (``--python``); on one that is slower today the rate is given as it would
be there.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median, quantiles

ROOT = Path(__file__).resolve().parent.parent
USUAL = ("games_per_second", "games_per_second_closing", "odds_warm_us", "odds_report_us")
REFERENCE = "reference_games"
"""Not a row of `rolloff bench` but the reference games, which trees too old for that row's code can play as well."""
GEOMETRY = Path("src") / "rolloff" / "geometry"


def laid_out(commit: str) -> Path:
    """A tree of that commit below ``build/``, its kernels compiled."""
    full = subprocess.run(
        ["git", "rev-parse", "--verify", f"{commit}^{{commit}}"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.strip()
    tree = ROOT / "build" / f"base-{full[:12]}"
    if not tree.exists():
        tree.mkdir(parents=True)
        archive = subprocess.Popen(["git", "archive", full], cwd=ROOT, stdout=subprocess.PIPE)
        subprocess.run(["tar", "-x", "-C", str(tree)], stdin=archive.stdout, check=True)
        archive.wait()
        build = [sys.executable, str(tree / GEOMETRY / "build_kernels.py")]
        kernels = subprocess.run(build, cwd=tree, capture_output=True, check=False)
        if kernels.returncode:
            print("the base runs without compiled kernels: they could not be built", file=sys.stderr)
    return tree


def measured(tree: Path, names: list[str]) -> dict[str, float]:
    """The rows of one tree, by this tree's measuring code."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tree / "src"), str(ROOT)])}
    usual = [name for name in names if name != REFERENCE]
    commands = [[str(ROOT / "src" / "rolloff" / "lab" / "bench.py"), *usual]] if usual else []
    if REFERENCE in names:
        commands.append(["-m", "bench.games_bench"])
    rows: dict[str, float] = {}
    for command in commands:
        done = subprocess.run([sys.executable, "-P", *command], check=True, stdout=subprocess.PIPE, env=environment)
        rows |= {row["name"]: median(row["runs"]) for row in json.loads(done.stdout)}
    return rows


def own_rate(tree: Path, name: str, python: str = sys.executable) -> float:
    """A row of a tree by its own `rolloff bench`."""
    command = [python, "-P", "-m", "rolloff", "bench", "--json", "--only", name]
    environment = {**os.environ, "PYTHONPATH": str(tree / "src")}
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment, cwd=tree)
    return float(next(row["median"] for row in json.loads(done.stdout)["rows"] if row["name"] == name))


def beside(base: Path, python: str, yardstick: str, was: float, names: list[str], rounds: int) -> None:
    """Print rates of this tree as they would be where the base comes to ``was`` by a yardstick, with what was measured."""
    for name in names:
        scaled = []
        for _ in range(rounds):
            first, ours, second = own_rate(base, yardstick, python), own_rate(ROOT, name), own_rate(base, yardstick, python)
            scaled.append(ours * was / ((first + second) / 2))
            print(f"{name:40} {ours:6.1f}  ({yardstick} of the base {first:.1f} before, {second:.1f} after)", flush=True)
        print(line(f"{name} where that is {was:g}", scaled))


def line(name: str, ratios: list[float]) -> str:
    """A row of ratios: the median and the quartiles."""
    low, middle, high = quantiles(ratios, n=4) if len(ratios) > 1 else ratios * 3
    return f"{name:40} {middle:6.3f}  ({low:.3f} to {high:.3f})"


def main() -> int:
    """Measure and print the ratios, this tree to the base."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base", help="the commit to compare with")
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        help="a row of `rolloff bench`, or reference_games for commits too old for those; may be repeated",
    )
    parser.add_argument("--rounds", type=int, default=5, help="how often every row is measured in each tree")
    parser.add_argument("--yardstick", default="", help="a row the base measures by its own code, for rows it does not have")
    parser.add_argument("--was", type=float, default=1, help="what the base came to by the yardstick where a hold was set")
    parser.add_argument(
        "--python", default=sys.executable, help="with --yardstick: the Python with which the base came to that"
    )
    given = parser.parse_args()
    names, base = given.only or list(USUAL), laid_out(given.base)
    if given.yardstick:
        beside(base, given.python, given.yardstick, given.was, names, given.rounds)
        return 0
    here: dict[str, list[float]] = {}
    itself: dict[str, list[float]] = {}
    for _ in range(given.rounds):
        first, ours, second = measured(base, names), measured(ROOT, names), measured(base, names)
        for name, value in ours.items():
            if name in first and name in second:
                here.setdefault(name, []).append(value / ((first[name] + second[name]) / 2))
                itself.setdefault(name, []).append(second[name] / first[name])
    print(f"ratios to {given.base}: median (quartiles) over {given.rounds} rounds; below, the base to itself")
    for name, ratios in here.items():
        print(line(name, ratios))
        print(line("    base to itself", itself[name]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
