"""`rolloff bench`: measure the numbers the design holds."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

app = typer.Typer()

Row = dict[str, Any]


def _line(row: Row) -> str:
    hold = "" if row["hold"] is None else f"  hold {row['hold']:g} {'held' if row['held'] else 'NOT HELD'}"
    work = ", ".join(f"{name} {value}" for name, value in row["workload"].items())
    return f"{row['name']:32} {row['median']:>12g} {row['unit']:4}{hold}\n{'':8}{work}"


@app.command()
def bench(
    only: Annotated[list[str] | None, typer.Option(help="Measure this row alone; may be repeated.")] = None,
    hold: Annotated[bool, typer.Option("--hold", help="Exit 1 if a row does not hold its number.")] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object instead of text.")] = False,
) -> None:
    """Measure the numbers the design holds.

    Every row tells what was measured on what; nothing is read from a cache of results.

    \b
    Examples:
      rolloff bench
      rolloff bench --only games_per_second --only sight_us --json
      rolloff bench --only games_per_second@commentary-10@1000
      rolloff bench --hold
    """
    from rolloff.cli.common import print_json
    from rolloff.lab.bench import chosen, missing, report

    rows = []
    for row in chosen(only or ()):
        rows.append(row)
        if not json:
            typer.echo(_line(row.json()))
            sys.stdout.flush()
    found = report(rows)
    if json:
        print_json(found)
    absent = missing(only or (), rows)
    if absent:
        typer.echo("not measured, no bench for it here: " + ", ".join(absent), err=True)
    missed = [row["name"] for row in found["rows"] if row["held"] is False]
    if missed and not json:
        typer.echo("not held: " + ", ".join(missed), err=True)
    raise typer.Exit(1 if hold and missed else 0)
