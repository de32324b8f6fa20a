"""`rolloff play`: the table in the browser."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer()

PORT = 8642


@app.command()
def play(
    port: Annotated[int, typer.Option(help="Where to listen; 0 takes any free port.", min=0, max=65535)] = PORT,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page.")] = True,
    edition: Annotated[str, typer.Option(help="The rulebook.")] = "",
    army_a: Annotated[str, typer.Option(help="A's army: a name or a list file.")] = "",
    army_b: Annotated[str, typer.Option(help="B's army: a name or a list file.")] = "",
    table: Annotated[str, typer.Option(help="A table by name.")] = "",
    mission: Annotated[str, typer.Option(help="A mission by name.")] = "",
    opponent: Annotated[str, typer.Option(help="An opponent's name, person, or self for both sides.")] = "",
    seat: Annotated[str, typer.Option(help="The side you play: A or B.")] = "A",
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same dice.")] = None,
) -> None:
    """Start the table in the browser.

    The server listens on this machine alone. Without an army, an opponent or a seed the page asks what to play.

    \b
    Examples:
      rolloff play
      rolloff play --opponent greedy --seed 7
      rolloff play --opponent self --no-browser --port 0
    """
    import asyncio
    import webbrowser

    from rolloff.server.app import create_app
    from rolloff.server.catalogue import Library
    from rolloff.server.hall import Hall
    from rolloff.server.messages import GameForm
    from rolloff.server.serve import address_of, serve, take_port

    hall = Hall(Library())
    query = ""
    if any((edition, army_a, army_b, table, mission, opponent)) or seed is not None or seat != "A":
        form = GameForm(edition, army_a, army_b, table, mission, opponent, seat, seed)
        battle, sits = asyncio.run(hall.open(form, files=True))
        query = f"?game={battle.id}&seat={sits}"
    listening = take_port(port)
    address = address_of(listening) + query
    typer.echo(f"The table is at {address} (Ctrl-C ends it)")
    serve(create_app(hall), listening, (lambda: webbrowser.open(address)) if browser else None)
