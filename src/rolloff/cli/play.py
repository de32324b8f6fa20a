"""`rolloff play`: the table in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from socket import socket

    from rolloff.server.hall import Hall
    from rolloff.server.messages import GameForm

app = typer.Typer()

PORT = 8642
WARNING = (
    "Warning: everybody who can reach {listen} can start battles here, and who has a link can take its seat. "
    "Nothing is encrypted: play like this only on a network you trust."
)


@app.command()
def play(
    port: Annotated[int, typer.Option(help="Where to listen; 0 takes any free port.", min=0, max=65535)] = PORT,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page.")] = True,
    edition: Annotated[str, typer.Option(help="The rulebook.")] = "",
    army_a: Annotated[str, typer.Option(help="A's army: a name or a list file.")] = "",
    army_b: Annotated[str, typer.Option(help="B's army: a name or a list file.")] = "",
    table: Annotated[str, typer.Option(help="A table by name.")] = "",
    mission: Annotated[str, typer.Option(help="A mission by name.")] = "",
    points: Annotated[int, typer.Option(help="The size of the battle; the armies decide unless told.", min=0, max=10_000)] = 0,
    opponent: Annotated[str, typer.Option(help="An opponent's name, person, or self for both sides.")] = "",
    seat: Annotated[str, typer.Option(help="The side you play: A or B.")] = "A",
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same dice: a practice game.")] = None,
    data: Annotated[Path | None, typer.Option(help="The folder battles are kept in.", show_default="the user's data")] = None,
    database: Annotated[str, typer.Option(help="A PostgreSQL address to keep battles at instead.")] = "",
    listen: Annotated[str, typer.Option(help="The address to listen on; the usual is this machine alone.")] = "127.0.0.1",
    workers: Annotated[int | None, typer.Option(help="Processes that play.", min=0, max=64, show_default="one a core")] = None,
) -> None:
    """Start the table in the browser.

    The server listens on this machine alone unless told otherwise. Battles are kept, and found again after a restart. Without
    an army, an opponent or a seed the page asks what to play.

    \b
    Examples:
      rolloff play
      rolloff play --opponent greedy --seed 7
      rolloff play --opponent self --no-browser --port 0
      rolloff play --listen 192.168.1.20
    """
    from rolloff.server.catalogue import Library
    from rolloff.server.folder import usual_folder
    from rolloff.server.messages import GameForm
    from rolloff.server.opening import open_hall
    from rolloff.server.serve import run, take_port

    form = GameForm(edition, army_a, army_b, table, mission, opponent, seat, seed, points=points)
    wish = form if form != GameForm() else None
    with take_port(port, listen) as listening, open_hall(Library(), data or usual_folder(), database, workers) as hall:
        run(lambda: _serve(hall, listening, listen, wish, browser))


async def _serve(hall: Hall, listening: socket, listen: str, wish: GameForm | None, browser: bool) -> None:
    """Start the battle that was wished for, say where the table is, and serve it."""
    import webbrowser

    from rolloff.server.app import create_app
    from rolloff.server.serve import address_of, hosts_of, serve

    address, hosts = address_of(listening), hosts_of(listen)
    if wish is not None:
        started = await hall.open(wish, files=True)
        address += f"?game={started.id}#seat={started.token}"
    if hosts:
        typer.echo(WARNING.format(listen=listen), err=True)
    typer.echo(f"The table is at {address} (Ctrl-C ends it)")
    hall.workers.wake()
    await serve(create_app(hall, hosts), listening, (lambda: webbrowser.open(address)) if browser else None)
