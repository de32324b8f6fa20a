"""`rolloff list`: every name another command takes."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import typer

app = typer.Typer()

Json = dict[str, Any]


class What(StrEnum):
    """What can be listed."""

    EDITIONS = "editions"
    ARMIES = "armies"
    TABLES = "tables"
    MISSIONS = "missions"
    OPPONENTS = "opponents"
    BOOKS = "books"


def _row(id_: str, name: str, edition: str | None, points: int | None = None, note: str = "") -> Json:
    return {"id": id_, "name": name, "edition": edition, "points": points, "note": note}


def _of_edition(what: What, edition: str) -> list[Json]:
    """The rows of one edition."""
    from rolloff.armies import library

    if what is What.ARMIES:
        armies = [(name, library.army(edition, name, 0)) for name in library.lists(edition)]
        return [_row(name, army.name, edition, army.points, f"{len(army.cards)} units") for name, army in armies]
    if what is What.TABLES:
        laid = [(name, library.table(edition, name, 0, 0)) for name in library.tables(edition)]
        return [_row(name, table.name or name, edition, None, f"{len(table.terrain)} pieces") for name, table in laid]
    if what is What.MISSIONS:
        missions = [(name, library.mission(edition, name)) for name in library.missions(edition)]
        return [_row(name, str(one["name"]), edition, None, str(one.get("about", ""))) for name, one in missions]
    books = [(name, library.book(name)) for name in library.books(edition)]
    return [_row(name, book.faction, edition, None, book.about or f"{len(book.units)} units") for name, book in books]


def rows_of(what: What, edition: str = "") -> list[Json]:
    """Everything of a kind, in one edition or in all."""
    from rolloff.editions import registry

    if what is What.OPPONENTS:
        from rolloff import agents

        notes = {name: (kind.__doc__ or "").strip().partition("\n")[0] for name, kind in agents.AGENTS.items()}
        return [_row(name, name.capitalize(), None, None, note) for name, note in notes.items()]
    ids = [registry.edition(edition).id] if edition else sorted(registry.editions())
    if what is What.EDITIONS:
        found = [registry.edition(id_) for id_ in ids]
        return [_row(one.id, one.name, one.id, one.points, ", ".join(sorted(one.can))) for one in found]
    return [row for id_ in ids for row in _of_edition(what, id_)]


@app.command(name="list")
def list_(
    what: Annotated[What, typer.Argument(help="What to list.", show_default=False)],
    edition: Annotated[str, typer.Option(help="Only what belongs to this edition.")] = "",
    json: Annotated[bool, typer.Option("--json", help="One JSON object instead of text.")] = False,
) -> None:
    """List editions, armies, tables, missions, opponents or books: every name another command takes.

    \b
    Examples:
      rolloff list armies --edition onepage-3.0
      rolloff list opponents --json
    """
    from rolloff.cli.common import print_json, safe

    rows = rows_of(what, edition)
    if json:
        print_json({"schema": "rolloff.list/1", "what": what.value, "rows": rows})
        return
    widest = max((len(row["id"]) for row in rows), default=0)
    for row in rows:
        points = "" if row["points"] is None else f"{row['points']} points"
        more = ", ".join(filter(None, (row["name"], row["edition"] if not edition else "", points, row["note"])))
        typer.echo(f"{safe(row['id']):<{widest}}  {safe(more)}")
    if not rows:
        typer.echo(f"No {what.value} for {edition or 'any edition'}.", err=True)
