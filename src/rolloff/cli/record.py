"""`rolloff record`: verify game records, show the table at any of their lines, and report what a battle came to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rolloff.record.verify import Verdict

app = typer.Typer(no_args_is_help=True, help="Verify a game record, show the table at one of its lines, or write a report.")


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
    from rolloff.cli.tabletalk import show_lines

    for line in show_lines(found):
        typer.echo(line)


@app.command()
def report(
    file: Annotated[Path, typer.Argument(help="A game record.", show_default=False)],
    html: Annotated[Path | None, typer.Option(help="Write a report to read or print.", show_default=False)] = None,
    pdf: Annotated[Path | None, typer.Option(help="Write it as a PDF.", show_default=False)] = None,
    replay: Annotated[Path | None, typer.Option(help="Write a page that replays the battle.", show_default=False)] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object instead of text.")] = False,
) -> None:
    """Say what a battle came to: score, luck, turning points, losses; as text, or as files to keep.

    \b
    Examples:
      rolloff record report games/game-000000.jsonl
      rolloff record report games/game-000000.jsonl --html report.html --pdf report.pdf --replay replay.html
    """
    from rolloff.cli.common import print_json, safe, write_output
    from rolloff.odds.report import report_json
    from rolloff.record.lines import load
    from rolloff.record.retelling import replay_json

    lines = load(file)
    found = report_json(lines)
    if html is not None or replay is not None:
        from rolloff.server.exports import replay_page, report_page

        if html is not None:
            write_output(html, report_page(lines))
        if replay is not None:
            write_output(replay, replay_page(lines))
    if pdf is not None:
        from rolloff.odds.paper import write_pdf

        write_pdf(replay_json(lines), found, pdf)
    if json:
        print_json(found)
        return
    for player in found["players"]:
        luck = "" if player["luck"] is None else f", luck {player['luck']:.0%}"
        expected = f"{player['expected_kills']:.1f} to be expected"
        typer.echo(safe(f"{player['side']} {player['name']}: felled {player['kills']} ({expected}){luck}"))
    for turn in found["turning"]:
        typer.echo(safe(f"  round {turn['round']}: {turn['text']}"))
