"""`rolloff record`: verify game records, and show the table at any of their lines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rolloff.record.verify import Verdict

app = typer.Typer(no_args_is_help=True, help="Verify a game record, or show the table at one of its lines.")


def _say(verdict: Verdict) -> None:
    if verdict.difference is None:
        typer.echo(f"{verdict.file}: verified, {verdict.lines} lines, {verdict.activations} activations: {verdict.statement}")
    else:
        typer.echo(f"{verdict.file}: {verdict.difference.kind}: {verdict.difference.message}")


@app.command()
def verify(
    files: Annotated[list[Path], typer.Argument(help="Game records.", show_default=False)],
    signer: Annotated[str, typer.Option(help="They must be signed with this key, ed25519:…")] = "",
    json: Annotated[bool, typer.Option("--json", help="One JSON object instead of text.")] = False,
) -> None:
    """Play records again and name the first difference in each; a true one says what it proves.

    Exit code 0: all are true; 1: one is not; 2: one is no record.

    \b
    Example:
      rolloff record verify games/*.jsonl
    """
    from rolloff.errors import BadInput
    from rolloff.record.signing import is_key
    from rolloff.record.verify import verify as verified

    if signer and not is_key(signer):
        raise BadInput("bad-key", f"{signer[:80]!r} is no key", where="--signer", allowed="ed25519: and 64 hex digits")
    verdicts = []
    for file in files:
        verdicts.append(verified(file, signer or None))
        if not json:
            _say(verdicts[-1])
    if json:
        from rolloff.cli.common import print_json

        print_json({"schema": "rolloff.verify/1", "files": verdicts})
    raise typer.Exit(0 if all(verdict.verified for verdict in verdicts) else 1)


@app.command()
def show(
    file: Annotated[Path, typer.Argument(help="A game record.", show_default=False)],
    at: Annotated[int, typer.Option("--at", help="A line of the record, from 1 on.", show_default=False)],
    json: Annotated[bool, typer.Option("--json", help="One JSON object instead of text.")] = False,
) -> None:
    """Show the table at a line: a situation that `adjudicate` takes, and the decision that stands there.

    \b
    Example:
      rolloff record show games/game-000000.jsonl --at 120 --json
    """
    from rolloff.cli.common import print_json
    from rolloff.record.lines import load
    from rolloff.record.show import show as shown

    found = shown(load(file), at)
    if json:
        print_json(found)
        return
    decision = found["decision"]
    typer.echo(f"round {found['round']}, {found['active']} is active, {found['clock']['phase']}")
    for unit in found["units"]:
        models = sum(not model.get("removed") for model in unit["models"])
        marks = " ".join(str(mark) for mark in unit["marks"])
        typer.echo(f"  {unit['side']} {unit['id']}: {models} models, {unit['where']} {marks}".rstrip())
    if decision is not None:
        options = ", ".join(str(option) for option in decision["options"] or ())
        typer.echo(f"{decision['who']} must answer {decision['kind']} ({decision['clause']}): {options}")
