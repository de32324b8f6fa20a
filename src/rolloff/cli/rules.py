"""`rolloff rules`: look the rules up, ask a question, or see what the tests cover."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.text import Text

from rolloff.cli.common import print_json
from rolloff.errors import BadInput

if TYPE_CHECKING:
    from rolloff.table.clause import Clause, ClauseBook

_ID = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*-\d+")


app = typer.Typer(add_completion=False)


@app.command("rules")
def rules(
    words: Annotated[
        list[str] | None,
        typer.Argument(help="A question, some words, or the id of a clause.", show_default=False),
    ] = None,
    edition: Annotated[str | None, typer.Option(help="Keep to one edition.", show_default=False)] = None,
    coverage: Annotated[bool, typer.Option("--coverage", help="What the tests cover, clause by clause.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="The edition's clauses as a document.")] = False,
    compare: Annotated[bool, typer.Option("--compare", help="The clause in every edition of its family.")] = False,
    diff: Annotated[
        tuple[str, str] | None,
        typer.Option("--diff", metavar="EDITION EDITION", help="What changed between two editions.", show_default=False),
    ] = None,
    used_in: Annotated[
        Path | None, typer.Option("--used-in", metavar="RECORD", help="Where the clause acted in a game.", show_default=False)
    ] = None,
    limit: Annotated[int, typer.Option(help="How many answers at most.", min=1, max=100)] = 10,
    json: Annotated[bool, typer.Option("--json", help="One JSON object instead of text.")] = False,
) -> None:
    """Look up the rules: ask a question, name a clause, compare editions, or see where a clause acted.

    \b
    Examples:
      rolloff rules "may I shoot after running?"
      rolloff rules --edition onepage-3.0 SHOOT-6
      rolloff rules SHOOT-6 --compare
      rolloff rules --diff onepage-2.21 onepage-3.0
      rolloff rules SHOOT-6 --used-in games/game-000000.jsonl
      rolloff rules --edition onepage-3.0 --coverage
    """
    asked = " ".join(words or ())
    if len(asked) > 1000:
        raise BadInput("too-long", "the question is too long", where="words", allowed="1000 characters")
    if sum((coverage, markdown, compare, diff is not None, used_in is not None)) > 1 or (
        asked and (coverage or markdown or diff is not None)
    ):
        raise BadInput("too-much", "ask for one thing at a time", where="words", allowed="one option, a clause with --compare")
    if compare:
        raise typer.Exit(_show_comparison(asked, edition, json))
    if diff is not None:
        raise typer.Exit(_show_difference(*diff, json))
    if used_in is not None:
        raise typer.Exit(_show_uses(asked, used_in, json))
    raise typer.Exit(_answer(asked, edition, coverage, markdown, limit, json))


def _answer(asked: str, edition: str | None, coverage: bool, markdown: bool, limit: int, json: bool) -> int:
    from rolloff.editions.clauses import DEFAULT_EDITION, clause_book, with_clauses

    if coverage or markdown:
        chosen = edition or DEFAULT_EDITION
        return _show_coverage(chosen, json) if coverage else _show_document(chosen)
    books = [clause_book(edition)] if edition else [clause_book(name) for name in with_clauses()]
    if not asked:
        return _list(books, edition, json)
    if _ID.fullmatch(asked):
        from rolloff.editions.clauses.comparing import find_clause

        return _show_hits([(1.0, clause) for clause in find_clause(books, asked.upper())], json, whole=True)
    return _show_hits(_search(books, asked, limit), json)


def _search(books: list[ClauseBook], asked: str, limit: int) -> list[tuple[float, Clause]]:
    """The best of every book, what is in force first; a clause that editions of a family share comes once."""
    best: dict[tuple[str, str], tuple[float, Clause]] = {}
    for book in sorted(books, key=lambda book: not book.in_force):
        for hit in book.search(asked, limit):
            clause = book.found(hit.id)
            score = hit.score if clause.status == "in-force" or len(books) == 1 else round(hit.score / 2, 4)
            best.setdefault((book.family, hit.id), (score, clause))
    return sorted(best.values(), key=lambda pair: -pair[0])[:limit]


def _show_hits(hits: list[tuple[float, Clause]], json: bool, whole: bool = False) -> int:
    if json:
        print_json(
            {
                "schema": "rolloff.rules/1",
                "hits": [
                    {
                        "id": clause.id,
                        "edition": clause.edition,
                        "score": score,
                        "kind": clause.kind,
                        "status": clause.status,
                        "topic": clause.topic,
                        "text": clause.wording,
                    }
                    for score, clause in hits
                ],
            }
        )
    elif not hits:
        typer.echo("No clause says anything like that.", err=True)
    else:
        for _, clause in hits:
            _print_clause(clause, whole)
    return 0 if hits else 1


def _console() -> Console:
    return Console(highlight=False, soft_wrap=not sys.stdout.isatty())


def _print_clause(clause: Clause, whole: bool) -> None:
    console = _console()
    console.print(Text.assemble((clause.id, "bold"), f"  {clause.edition}  ", (clause.topic, "dim")))
    console.print(Text(clause.wording if whole else clause.wording.partition("\nRuling:")[0]))
    if whole and clause.status == "planned":
        console.print(Text("Planned: the engine does not play by it yet.", "italic"))
    console.print()


def _list(books: list[ClauseBook], edition: str | None, json: bool) -> int:
    if edition:
        return _show_hits([(1.0, clause) for clause in books[0].values()], json)
    rows = [
        {
            "edition": book.edition,
            "clauses": len(book),
            "in_force": len(book.in_force),
            "planned": len(book.planned),
        }
        for book in books
    ]
    if json:
        print_json({"schema": "rolloff.rules/1", "hits": [], "editions": rows})
    else:
        for row in rows:
            typer.echo(f"{row['edition']}: {row['in_force']} clauses in force, {row['planned']} planned")
    return 0


def _show_coverage(edition: str, json: bool) -> int:
    from rolloff.editions.clauses.coverage import coverage_of

    found = coverage_of(edition)
    if json:
        print_json(found)
    else:
        counts = found.counts
        shown = f"{counts.covered} of {counts.in_force} clauses in force covered, {counts.planned} planned"
        typer.echo(f"{edition}: {shown}")
        if found.uncovered:
            typer.echo("Not covered: " + " ".join(found.uncovered))
    return 1 if found.uncovered else 0


def _show_document(edition: str) -> int:
    from rolloff.editions.clauses import clause_book
    from rolloff.editions.clauses.document import document

    typer.echo(document(clause_book(edition)), nl=False)
    return 0


def _clause_id(asked: str, option: str) -> str:
    """The one clause that an option is about."""
    if not _ID.fullmatch(asked):
        message = f"{option} wants the id of a clause" + (f", and {asked!r} is none" if asked else "")
        raise BadInput("no-clause", message, where="words", allowed="an id such as SHOOT-6")
    return asked.upper()


def _show_comparison(asked: str, edition: str | None, json: bool) -> int:
    from rolloff.editions.clauses.comparing import compare

    found = compare(_clause_id(asked, "--compare"), edition)
    if json:
        print_json(found)
        return 0
    console = _console()
    console.print(Text.assemble((found.id, "bold"), "" if found.differs else "  the same in every edition"))
    first = next((text for text in found.editions.values() if text is not None), "")
    for name, text in found.editions.items():
        console.print(Text(f"\n{name}", "bold"))
        console.print(Text("(has no such clause)", "dim") if text is None else _marked(first, text))
    return 0


def _marked(before: str, after: str) -> Text:
    """A wording with its differences from another marked: [-gone-] and {+new+} where there are no colours."""
    from rolloff.editions.clauses.comparing import marked

    styles = {"same": ("", "", ""), "gone": ("red strike", "[-", "-]"), "new": ("green", "{+", "+}")}
    plain = not _console().is_terminal or _console().no_color
    text = Text()
    for kind, words in marked(before, after):
        style, opens, closes = styles[kind]
        text.append(f"{opens}{words}{closes}" if plain else words, style)
    return text


def _show_difference(first: str, second: str, json: bool) -> int:
    from rolloff.editions.clauses import clause_book
    from rolloff.editions.clauses.comparing import difference

    found = difference(first, second)
    if json:
        print_json(found)
        return 0
    console = _console()
    console.print(Text(f"From {first} to {second}: {len(found.changed)} clauses changed", "bold"))
    topic = ""
    for row in found.changed:
        if row.topic != topic:
            topic = row.topic
            console.print(Text(f"\n{topic}", "bold underline"))
        console.print(Text.assemble((f"\n{row.id}  ", "bold"), _marked(row.before, row.after)))
    for name, ids in found.only.items():
        console.print(Text(f"\nOnly in {name}: {len(ids)} clauses", "bold underline"))
        for id_ in ids:
            console.print(Text.assemble((f"\n{id_}  ", "bold"), clause_book(name)[id_].wording))
    return 0


def _show_uses(asked: str, record: Path, json: bool) -> int:
    from rolloff.editions.clauses import clause_book
    from rolloff.editions.clauses.comparing import find_clause
    from rolloff.record.lines import load
    from rolloff.record.uses import uses

    id_ = _clause_id(asked, "--used-in") if asked else None
    found = uses(load(record), id_)
    if id_ is not None:
        find_clause([clause_book(found.edition)], id_)
    if json:
        print_json(found)
    elif id_ is None:
        for clause, times in found.counts.items():
            typer.echo(f"{times:6}  {clause}")
    else:
        for use in found.uses:
            typer.echo(f"line {use.line}, round {use.round}: {use.text}")
        if not found.uses:
            typer.echo(f"{id_} did not act in this game.", err=True)
    return 0 if found.uses or found.counts else 1
