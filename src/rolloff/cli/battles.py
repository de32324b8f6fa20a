"""`rolloff battles`: the battles a server keeps."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(no_args_is_help=True, help="List, export, import, delete, back up and restore the battles that are kept.")

Data = Annotated[Path | None, typer.Option(help="The folder battles are kept in.", show_default="the user's data")]
Database = Annotated[str, typer.Option(help="A PostgreSQL address battles are kept at instead.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object instead of text.")]
Id = Annotated[str, typer.Argument(help="A battle, as `list` names it.", show_default=False)]


def _folder(data: Path | None) -> Path:
    from rolloff.server.folder import usual_folder

    return data or usual_folder()


@app.command("list")
def list_(data: Data = None, database: Database = "", json: AsJson = False) -> None:
    """List every battle, the newest first.

    \b
    Example:
      rolloff battles list
    """
    from rolloff.cli.common import print_json
    from rolloff.server.keeping import rows, storage_of

    with storage_of(_folder(data), database) as storage:
        found = rows(storage)
    if json:
        print_json({"schema": "rolloff.battles/1", "rows": found})
        return
    for row in found:
        result = f", {row.result['winner']} {row.result['score'][0]}-{row.result['score'][1]}" if row.result else ""
        typer.echo(f"{row.id}  {row.title}  ({row.status}{result}, {row.answers} answers)")
    if not found:
        typer.echo("No battles are kept here.")


@app.command()
def export(
    id_: Id,
    out: Annotated[Path | None, typer.Option(help="Where to write the record.", show_default="ID.jsonl")] = None,
    data: Data = None,
    database: Database = "",
) -> None:
    """Write the record of a battle, as far as it has come.

    \b
    Example:
      rolloff battles export f3Kd0aQ1x2Yz --out game.jsonl
    """
    from rolloff.record.book import RecordFile
    from rolloff.server.keeping import export as exported
    from rolloff.server.keeping import storage_of

    folder = _folder(data)
    with storage_of(folder, database) as storage:
        record = exported(storage, folder, id_)
    path = out or Path(f"{id_}.jsonl")
    with RecordFile(path) as file:
        file.write(record)
    typer.echo(f"{path.name}: {len(record.splitlines())} lines")


@app.command("import")
def import_(
    files: Annotated[list[Path], typer.Argument(help="Records of finished games.", show_default=False)],
    data: Data = None,
    database: Database = "",
) -> None:
    """Keep finished games from their records; each must verify.

    \b
    Example:
      rolloff battles import games/*.jsonl
    """
    from rolloff.server.keeping import import_record, storage_of

    with storage_of(_folder(data), database) as storage:
        for file in files:
            typer.echo(f"{file.name}: kept as {import_record(storage, file)}")


@app.command()
def delete(
    ids: Annotated[list[str], typer.Argument(help="Battles, as `list` names them.", show_default=False)],
    data: Data = None,
    database: Database = "",
) -> None:
    """Delete battles for good; no server may be using them.

    \b
    Example:
      rolloff battles delete f3Kd0aQ1x2Yz
    """
    from rolloff.server.keeping import delete as deleted
    from rolloff.server.keeping import storage_of

    with storage_of(_folder(data), database, alone=True) as storage:
        for id_ in ids:
            deleted(storage, id_)
            typer.echo(f"{id_}: deleted")


@app.command()
def link(
    id_: Id,
    seat: Annotated[str, typer.Option(help="A, B, both, or watch.")] = "watch",
    data: Data = None,
    database: Database = "",
) -> None:
    """Make a new link to a seat, for whoever lost theirs; the old one opens nothing any more.

    \b
    Example:
      rolloff battles link f3Kd0aQ1x2Yz --seat A
    """
    from rolloff.server.keeping import link as linked
    from rolloff.server.keeping import storage_of

    with storage_of(_folder(data), database) as storage:
        typer.echo(f"Put this behind the address of the table: {linked(storage, id_, seat)}")


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="Where to write the backup.", show_default=False)],
    data: Data = None,
    database: Database = "",
) -> None:
    """Write every battle and the signing key into one file; a server may go on meanwhile.

    \b
    Example:
      rolloff battles backup battles.backup.gz
    """
    from rolloff.server.keeping import back_up, storage_of

    folder = _folder(data)
    with storage_of(folder, database) as storage:
        count = back_up(storage, folder, file)
    typer.echo(f"{file.name}: {count} battles")


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="A backup.", show_default=False)],
    data: Data = None,
    database: Database = "",
) -> None:
    """Put a backup back into an empty folder, all of it or nothing.

    \b
    Example:
      rolloff battles restore battles.backup.gz --data fresh
    """
    from rolloff.server.keeping import restore as restored
    from rolloff.server.keeping import storage_of

    folder = _folder(data)
    with storage_of(folder, database, alone=True) as storage:
        count = restored(storage, folder, file)
    typer.echo(f"{count} battles are back")
