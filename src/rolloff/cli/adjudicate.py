"""`rolloff adjudicate`: a situation in, the ruling on it out."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer()


@app.command()
def adjudicate(
    file: Annotated[str, typer.Argument(help="A situation as JSON; - reads standard input.", show_default=False)],
    json: Annotated[bool, typer.Option("--json", help="JSON, which it always is.", hidden=True)] = False,
) -> None:
    """Rule on a situation: what is legal, what happens, what is seen.

    The answer is always one JSON object: the verdict, dice, events with their clauses, answers to what was
    asked, and the situation after. Exit code 0: legal or pending; 1: refused; 2: the input is unusable.

    \b
    Examples:
      rolloff adjudicate situation.json
      rolloff record show game.jsonl --at 40 --json | rolloff adjudicate -
    """
    from rolloff.cli.common import print_json, read_input
    from rolloff.record.adjudicate import adjudicate as ruling_on

    found = ruling_on(read_input(file))
    print_json(found)
    raise typer.Exit(1 if found["verdict"] == "refused" else 0)
