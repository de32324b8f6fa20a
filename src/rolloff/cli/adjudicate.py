"""`rolloff adjudicate`: a situation in, the ruling on it out."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

app = typer.Typer()


@app.command()
def adjudicate(
    file: Annotated[str, typer.Argument(help="A situation as JSON; - reads standard input.", show_default=False)],
    json: Annotated[bool, typer.Option("--json", help="JSON at a terminal too.")] = False,
) -> None:
    """Rule on a situation: what is legal, what happens, what is seen.

    The answer is one JSON object: the verdict, dice, events with their clauses, answers to what was asked, and the
    situation after. A person at a terminal is told in sentences, unless --json asks for the object.
    Exit code 0: legal or pending; 1: refused; 2: the input is unusable.

    \b
    Examples:
      rolloff adjudicate situation.json
      rolloff record show game.jsonl --at 40 --json | rolloff adjudicate -
    """
    from rolloff.cli.common import print_json, read_input
    from rolloff.situations.adjudicate import adjudicate as ruling_on

    found = ruling_on(read_input(file))
    if json or not sys.stdout.isatty():
        print_json(found)
    else:
        from rolloff.cli.tabletalk import ruling_lines

        for line in ruling_lines(found):
            typer.echo(line)
    raise typer.Exit(1 if found["verdict"] == "refused" else 0)
