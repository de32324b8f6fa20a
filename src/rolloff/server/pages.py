"""What the page asks over plain HTTP besides battles: armies, tables, rules, odds and records, all by the same engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from rolloff.armies import library
from rolloff.editions import registry
from rolloff.editions.clauses import clause_book, with_clauses
from rolloff.editions.languages import texts
from rolloff.errors import BadInput
from rolloff.odds.report import report_json
from rolloff.odds.scenarios import ScenarioForm
from rolloff.record.lines import parse
from rolloff.record.retelling import replay_json
from rolloff.rules.game import Game
from rolloff.server import forms
from rolloff.server.bodies import read_raw
from rolloff.server.exports import replay_page, report_page
from rolloff.server.hall import Hall
from rolloff.server.messages import error_json
from rolloff.server.openapi import Endpoint
from rolloff.server.prompts import rules_in, words_json
from rolloff.situations.depiction import write_situation, write_table
from rolloff.table.setup import Setup, Table

LARGEST_RECORD = 16 * 1024 * 1024
"""No record that is opened in the page is longer, in bytes."""
LARGEST_SCENARIO = 4 * 1024 * 1024
"""No scenario is longer, in bytes."""
MOST_HITS = 40
LEAST_ASKED, CERTAIN = 4, 100.0
"""Letters of a phrase that rules of the books are looked up by, and how well one fits that has it."""
JSONL = "application/jsonl"

Json = dict[str, Any]


def _reply(content: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(content), status, media_type="application/json")


async def _work(request: Request, task: Callable[..., Any], *given: Any) -> Response:
    """Let a worker do it, so that nobody else waits."""
    hall: Hall = request.app.state.hall
    return _reply(await hall.workers.run(task, *given))


async def _work_on(request: Request, task: Callable[..., Any], body: bytes) -> Response:
    """Let a process apart work on what somebody sent, for so long and no longer."""
    hall: Hall = request.app.state.hall
    return _reply(await hall.workers.errand(task, body))


def army_json(id_: str, name: str) -> Json:
    """An army as its cards show it: every unit with its models, weapons and rules."""
    edition = registry.edition(id_)
    army = library.army(edition, name, 0)
    game = Game(edition, Setup(edition.id, Table(), army.cards, armies=(army.name, "")))
    units = write_situation(game, game.start())["units"]
    return {"id": name, "name": army.name, "points": army.points, "units": units, "words": words_json(edition)}


def table_json(edition: str, name: str) -> Json:
    """A table as its picture shows it."""
    return write_table(library.table(edition, name, 0, 0)) | {"id": name}


async def army_cards(request: Request) -> Response:
    """The cards of a ready-made army."""
    edition, name = registry.edition(request.path_params["edition"]), request.path_params["name"]
    if name not in library.lists(edition):
        return _reply(error_json(BadInput("unknown-army", f"no army {name!r}", where="army")), 404)
    return await _work(request, army_json, edition.id, name)


async def table_plan(request: Request) -> Response:
    """The ground of a ready-made table."""
    edition, name = registry.edition(request.path_params["edition"]), request.path_params["name"]
    if name not in library.tables(edition):
        return _reply(error_json(BadInput("unknown-table", f"no table {name!r}", where="table")), 404)
    return await _work(request, table_json, edition.id, name)


async def special_rule(request: Request) -> Response:
    """The clauses of a special rule, by its name."""
    edition, name = registry.edition(request.path_params["edition"]), request.path_params["name"]
    found = rules_in(edition, name)
    if not found:
        return _reply(error_json(BadInput("unknown-rule", f"{edition.name} has no rule {name!r}", where="rule")), 404)
    return _reply({"name": name, "clauses": found})


async def words_spoken(request: Request) -> Response:
    """What an edition says to players, in another language: by each English template its counterpart."""
    edition, language = registry.edition(request.path_params["edition"]), request.path_params["language"]
    try:
        return _reply({"language": language, "texts": texts(edition.id, language)})
    except BadInput as error:
        return _reply(error_json(error), 404)


def search_rules(asked: str, edition: str) -> Json:
    """The clauses that answer a question, best first, in one edition or in all."""
    books = [clause_book(id_) for id_ in with_clauses() if edition in ("", id_)]
    if not books:
        raise BadInput("unknown-edition", f"no edition {edition!r}", where="edition", allowed=", ".join(with_clauses()))
    rows: list[Json] = []
    for book in books:
        for hit in book.search(asked, MOST_HITS):
            clause = book.found(hit.id)
            row = {"id": hit.id, "edition": book.edition, "score": hit.score, "topic": clause.topic, "text": clause.text}
            rows.append(row | {"status": clause.status, "rulings": list(clause.rulings)})
        rows += _of_content(book.edition, asked)
    return {"schema": "rolloff.rules/1", "hits": sorted(rows, key=lambda row: -row["score"])[:MOST_HITS]}


def _of_content(edition: str, asked: str) -> list[Json]:
    """The rules of an edition's content, such as Stratagems, that are called by a phrase, or by the id it is."""
    phrase = " ".join(asked.split()).casefold()
    explained = registry.edition(edition).words.explained if edition in registry.editions() else None
    if len(phrase) < LEAST_ASKED or explained is None:
        return []
    named = {id_: f"{id_} {one.rule}".casefold() for id_, one in explained().items() if one.text}
    found = [id_ for id_, name in named.items() if phrase in name or explained()[id_].text.casefold().startswith(phrase)]
    plain = {"edition": edition, "topic": "Of the books", "status": "in-force", "rulings": []}
    return [plain | {"id": id_, "score": CERTAIN, "text": explained()[id_].text} for id_ in found]


def compare_rules(id_: str) -> Json:
    """One clause in every edition that has it."""
    found = {edition: clause_book(edition).get(id_) for edition in with_clauses()}
    texts = {edition: None if clause is None else clause.text for edition, clause in found.items()}
    if not any(texts.values()):
        raise BadInput("unknown-clause", f"no edition has a clause {id_!r}", where="id")
    differs = len({text for text in texts.values() if text is not None}) > 1
    return {"schema": "rolloff.compare/1", "id": id_, "editions": texts, "differs": differs}


async def rules_found(request: Request) -> Response:
    """Search the rulebooks, or compare a clause across editions."""
    query = request.query_params
    if "compare" in query:
        return await _work(request, compare_rules, query["compare"][:80])
    return await _work(request, search_rules, query.get("q", "")[:400], query.get("edition", "")[:80])


def scenario_odds(body: bytes) -> Json:
    """The exact odds of a scenario, as `rolloff odds --json` says them."""
    from rolloff.odds.compute import odds_of
    from rolloff.odds.scenarios import read_scenario
    from rolloff.odds.wire import odds_json

    found: Json = msgspec.to_builtins(odds_json(odds_of(read_scenario(body), False)))
    return found


async def odds_of_scenario(request: Request) -> Response:
    """The odds of a scenario."""
    return await _work_on(request, scenario_odds, await read_raw(request, "application/json", LARGEST_SCENARIO))


def read_record(body: bytes) -> Json:
    """A record, verified and ready to be replayed."""
    found: Json = msgspec.to_builtins(replay_json(parse(body, "record")))
    return found


async def record_replayed(request: Request) -> Response:
    """A record somebody opened: verified, and ready to be replayed."""
    return await _work_on(request, read_record, await read_raw(request, JSONL, LARGEST_RECORD))


def read_report(body: bytes) -> Json:
    """What a battle came to, from its record."""
    found: Json = msgspec.to_builtins(report_json(parse(body, "record")))
    return found


def write_page(body: bytes, report: bool) -> str | bytes:
    """A record as one HTML file."""
    return (report_page if report else replay_page)(parse(body, "record"))


async def record_report(request: Request) -> Response:
    """What a battle came to, from its record."""
    return await _work_on(request, read_report, await read_raw(request, JSONL, LARGEST_RECORD))


async def record_page(request: Request) -> Response:
    """A record as one HTML file: the page that replays it, or a report to print."""
    body = await read_raw(request, JSONL, LARGEST_RECORD)
    hall: Hall = request.app.state.hall
    text = await hall.workers.errand(write_page, body, request.query_params.get("as") == "report")
    name = {"Content-Disposition": 'attachment; filename="battle.html"'}
    return Response(text, media_type="application/octet-stream", headers=name)


PAGES = (
    Endpoint("GET", "/api/armies/{edition}/{name}", army_cards, reply=forms.ArmyCards),
    Endpoint("GET", "/api/tables/{edition}/{name}", table_plan, reply=forms.TablePlan),
    Endpoint("GET", "/api/specials/{edition}/{name}", special_rule, reply=forms.SpecialRule),
    Endpoint("GET", "/api/words/{edition}/{language}", words_spoken, reply=forms.Spoken),
    Endpoint("GET", "/api/rules", rules_found, reply=forms.RulesFound, query=("q", "edition", "compare")),
    Endpoint("POST", "/api/odds", odds_of_scenario, ScenarioForm, forms.OddsFound),
    Endpoint("POST", "/api/records", record_replayed, reply=forms.Replayed, sends=JSONL),
    Endpoint("POST", "/api/records/report", record_report, reply=forms.Reported, sends=JSONL),
    Endpoint("POST", "/api/records/export", record_page, media="application/octet-stream", query=("as",), sends=JSONL),
)
"""What the page asks besides battles."""
