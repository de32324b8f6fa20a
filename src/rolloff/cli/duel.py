"""`rolloff duel`: two opponents play games, and the results are counted."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from rolloff.editions import USUAL

app = typer.Typer()

MOST_GAMES = 1_000_000
Row = dict[str, Any]


@contextmanager
def _progress(games: int) -> Iterator[Callable[[Row], None] | None]:
    """A bar on standard error, for people only."""
    if games < 2 or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("games", total=games)
        yield lambda row: bar.advance(task)


LOST = "models_removed"


def _say(report: Row) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False, markup=False, soft_wrap=not sys.stdout.isatty())
    a, b = report["agents"]
    armies = [f"{army['name']} ({army['points']})" for army in report["armies"]]
    console.print(f"{report['edition']}: {a} with {armies[0]} against {b} with {armies[1]}, seed {report['seed']}")
    table = Table("game", "winner", "score", "rounds", "end", "lost", box=None)
    for row in report["games"][:20]:
        score = f"{row['score'][0]}-{row['score'][1]}"
        table.add_row(*map(str, (row["index"], row["winner"], score, row["rounds"], row["end"], row["counts"][LOST])))
    console.print(table)
    if len(report["games"]) > 20:
        console.print(f"and {len(report['games']) - 20} more (--json shows all)")
    sums: Counter[str] = Counter()
    for row in report["games"]:
        sums.update(row["counts"])
    done = [f"{name} {times}" for name, times in sums.items() if times and name != LOST]
    if done:
        console.print(f"In all: {', '.join(done)}")
    total = report["totals"]
    console.print(f"{total['games']} games: A {total['A']}, B {total['B']}, drawn {total['draw']}")


@app.command()
def duel(
    agent_a: Annotated[str, typer.Argument(help="Who plays side A.")] = "random",
    agent_b: Annotated[str, typer.Argument(help="Who plays side B.")] = "random",
    army_a: Annotated[str, typer.Option(help="A's army: a name, a list file, or random.")] = "random",
    army_b: Annotated[str, typer.Option(help="B's army: a name, a list file, or random.")] = "random",
    edition: Annotated[str, typer.Option(help="The rulebook.")] = USUAL,
    points: Annotated[int, typer.Option(help="Points a side; 0: as the edition has it.", min=0)] = 0,
    table: Annotated[str, typer.Option(help="A table: a name, a file, or random.")] = "random",
    mission: Annotated[str, typer.Option(help="A mission by name.")] = "",
    games: Annotated[int, typer.Option(help="How many games.", min=1, max=MOST_GAMES)] = 1,
    first: Annotated[int, typer.Option(help="The number of the first game.", min=0)] = 0,
    seed: Annotated[int, typer.Option(help="The same seed gives the same games.")] = 1,
    jobs: Annotated[int, typer.Option(help="Processes to play in.", min=1, max=256)] = 1,
    record: Annotated[Path | None, typer.Option(help="A folder to write game records to.")] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object instead of text.")] = False,
) -> None:
    """Let two opponents play games, and count.

    Game number i depends only on the seed and i. Exit code 1 if a game did not finish or something that was
    offered was refused.

    \b
    Examples:
      rolloff duel random closing --games 20 --seed 1
      rolloff duel greedy greedy --games 200 --jobs 2 --record games --json
    """
    from rolloff.cli.common import print_json
    from rolloff.lab.duel import Match, done
    from rolloff.lab.duel import duel as play

    match = Match(edition, (agent_a, agent_b), (army_a, army_b), table, mission, points, seed, str(record) if record else None)
    with _progress(games) as watch:
        report = play(match, first, games, jobs, watch)
    if json:
        print_json(report)
    else:
        _say(report)
    raise typer.Exit(0 if done(report) else 1)
