"""`rolloff rules`: look the rules up, ask a question, or see what the tests cover."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Annotated

import typer

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
    limit: Annotated[int, typer.Option(help="How many answers at most.", min=1, max=100)] = 10,
    json: Annotated[bool, typer.Option("--json", help="One JSON object instead of text.")] = False,
) -> None:
    """Look up the rules: ask a question, name a clause, or list an edition.

    \b
    Examples:
      rolloff rules "may I shoot after running?"
      rolloff rules --edition onepage-3.0 SHOOT-6
      rolloff rules --edition onepage-3.0 --coverage
    """
    raise typer.Exit(_answer(" ".join(words or ()), edition, coverage, markdown, limit, json))


def _answer(asked: str, edition: str | None, coverage: bool, markdown: bool, limit: int, json: bool) -> int:
    from rolloff.editions.clauses import DEFAULT_EDITION, FAMILIES, clause_book

    if len(asked) > 1000:
        raise BadInput("too-long", "the question is too long", where="words", allowed="1000 characters")
    if coverage or markdown:
        if asked or (coverage and markdown):
            raise BadInput("too-much", "ask for one thing at a time", where="words", allowed="--coverage alone")
        chosen = edition or DEFAULT_EDITION
        return _show_coverage(chosen, json) if coverage else _show_document(chosen)
    books = [clause_book(edition)] if edition else [clause_book(name) for name in FAMILIES]
    if not asked:
        return _list(books, edition, json)
    if _ID.fullmatch(asked) and (found := _by_id(books, asked.upper())):
        return _show_hits([(1.0, clause) for clause in found], json, whole=True)
    return _show_hits(_search(books, asked, limit), json)


def _by_id(books: list[ClauseBook], id_: str) -> list[Clause]:
    return [book[id_] for book in books if id_ in book]


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


def _print_clause(clause: Clause, whole: bool) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=not sys.stdout.isatty())
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
