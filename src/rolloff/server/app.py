"""The application: the page, the catalogue, battles and clauses over HTTP; the battle itself over WebSocket."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.websockets import WebSocket

import rolloff
from rolloff.editions import registry
from rolloff.errors import BadInput, RolloffError
from rolloff.server import forms
from rolloff.server.assets import Assets, Zipped
from rolloff.server.bodies import read_body
from rolloff.server.guard import Guard, Leaving
from rolloff.server.hall import Hall, Pass, Started
from rolloff.server.messages import GameForm, Invitation, Sharing, Tokens, error_json
from rolloff.server.metrics import METRICS
from rolloff.server.openapi import Endpoint, openapi
from rolloff.server.pages import PAGES
from rolloff.server.prompts import clause_json
from rolloff.server.referee import EngineFault
from rolloff.server.storage import StorageError
from rolloff.server.talking import converse

PAGE = Path(__file__).parent / "page"
_STATUS = {
    "unknown-game": 404,
    "unknown-clause": 404,
    "unknown-edition": 404,
    "no-seat": 403,
    "no-invitation": 403,
    "not-owner": 403,
    "bad-type": 415,
    "too-large": 413,
    "too-slow": 408,
    "too-many": 429,
    "under-way": 409,
    "not-begun": 409,
    "damaged": 503,
}
"""What is not simply a bad request, by the code of the refusal."""


def _json(content: Any, status: int = 200) -> Response:
    raw = content if isinstance(content, bytes) else msgspec.json.encode(content)
    return Response(raw, status, media_type="application/json")


def hall_of(request: Request | WebSocket) -> Hall:
    """The hall the application stands over."""
    hall: Hall = request.app.state.hall
    return hall


def _token(request: Request) -> str:
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


async def _admitted(request: Request) -> Pass:
    """What the token of the request opens; `BadInput` if nothing."""
    return await hall_of(request).admit(request.path_params["id"], _token(request))


async def _owner(request: Request) -> str:
    """The battle of the request, if its token is the owner's."""
    found = await _admitted(request)
    if not found.owner:
        raise BadInput("not-owner", "only whoever started this battle may do that", where="token")
    return found.battle


async def _editions(request: Request) -> Response:
    """What can be played."""
    return _json(await asyncio.to_thread(hall_of(request).offers))


async def _games(request: Request) -> Response:
    """The battles that are shared with everybody."""
    return _json({"games": await hall_of(request).shared()})


async def _mine(request: Request) -> Response:
    """The battles somebody has seats at."""
    wanted = await read_body(request, Tokens)
    return _json({"games": await hall_of(request).mine(wanted.tokens)})


async def _start(request: Request) -> Response:
    """Start a battle; the tokens of its seats are given this once."""
    form = await read_body(request, GameForm)
    return _json(await hall_of(request).open(form), 201)


async def _join(request: Request) -> Response:
    """Take the seat an invitation offers; once."""
    wanted = await read_body(request, Invitation)
    found, token = await hall_of(request).join(request.path_params["id"], wanted.invite)
    return _json(forms.Seated(found.battle, found.seat, token), 201)


async def _game(request: Request) -> Response:
    """One battle: situation, open request and log."""
    found = await _admitted(request)
    battle = await hall_of(request).find(found.battle)
    return _json(await battle.situation(found.seat))


async def _record(request: Request) -> Response:
    """The record of a battle, as JSON Lines."""
    found = await _admitted(request)
    battle = await hall_of(request).find(found.battle)
    name = {"Content-Disposition": f'attachment; filename="{battle.id}.jsonl"'}
    return Response(await battle.record(), media_type="application/jsonl", headers=name)


async def _share(request: Request) -> Response:
    """Let anybody find and watch a battle, or nobody any more."""
    wanted = await read_body(request, Sharing)
    await hall_of(request).share(await _owner(request), wanted.listed)
    return _json(wanted)


async def _delete(request: Request) -> Response:
    """Delete a battle for good."""
    await hall_of(request).delete(await _owner(request))
    return Response(status_code=204)


async def _clause(request: Request) -> Response:
    """The words of a clause."""
    edition = registry.edition(request.path_params["edition"])
    return _json(clause_json(edition, request.path_params["id"]))


async def _health(request: Request) -> Response:
    """Whether the server can keep what is played, and with which key it signs."""
    hall = hall_of(request)
    counts = await hall.counts()
    under_way = counts["battles_open"] + counts["battles_waiting"]
    return _json(forms.Health("ok", rolloff.__version__, under_way, len(hall.workers), hall.signer))


async def _metrics(request: Request) -> Response:
    """What the server counts, as Prometheus reads it."""
    return Response(METRICS.text(await hall_of(request).counts()), media_type="text/plain; version=0.0.4")


ENDPOINTS = (
    Endpoint("GET", "/api/editions", _editions, reply=forms.Offers),
    Endpoint("GET", "/api/games", _games, reply=forms.Games),
    Endpoint("POST", "/api/games", _start, GameForm, Started, 201),
    Endpoint("POST", "/api/games/mine", _mine, Tokens, forms.Games),
    Endpoint("GET", "/api/games/{id}", _game, reply=forms.Hello, token=True),
    Endpoint("DELETE", "/api/games/{id}", _delete, status=204, token=True),
    Endpoint("POST", "/api/games/{id}/join", _join, Invitation, forms.Seated, 201),
    Endpoint("POST", "/api/games/{id}/share", _share, Sharing, Sharing, token=True),
    Endpoint("GET", "/api/games/{id}/record", _record, token=True, media="application/jsonl"),
    Endpoint("GET", "/api/clauses/{edition}/{id}", _clause, reply=forms.ClauseText),
    Endpoint("GET", "/api/health", _health, reply=forms.Health),
    Endpoint("GET", "/metrics", _metrics, media="text/plain"),
    *PAGES,
)
"""What the server answers to over HTTP; its description is made from this very table."""


async def _openapi(request: Request) -> Response:
    return _json(request.app.state.openapi)


async def _refuse(request: Request, error: Exception) -> Response:
    assert isinstance(error, RolloffError)
    METRICS.count("refusals")
    usual = 500 if isinstance(error, EngineFault) else 503 if isinstance(error, StorageError) else 400
    return _json(error_json(error), _STATUS.get(error.code, usual))


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    found = BadInput("http", error.detail, where=request.url.path[:200])
    return Response(msgspec.json.encode(error_json(found)), error.status_code, error.headers, media_type="application/json")


async def _gone(request: Request, error: Exception) -> Response:
    """Whoever asked has left in the middle of it: nobody hears this."""
    return Response(status_code=400)


async def _fault(request: Request, error: Exception) -> Response:
    return _json(error_json(EngineFault("engine-fault", "the server stumbled over this")), 500)


async def _battle(socket: WebSocket) -> None:
    """One viewer of one battle."""
    await converse(socket, hall_of(socket))


def create_app(hall: Hall, hosts: frozenset[str] = frozenset()) -> Starlette:
    """The application over a hall of battles; beside loopback it answers to these hosts."""
    assets = Assets(PAGE)
    routes = [
        Route("/", assets.index),
        *(Route(one.path, one.answer, methods=[one.method]) for one in ENDPOINTS),
        Route("/api/openapi.json", _openapi),
        WebSocketRoute("/ws/{id}", _battle),
        Mount("/assets", assets),
        Route("/{path:path}", assets.lost),
    ]
    handlers: dict[Any, Any] = {
        RolloffError: _refuse,
        HTTPException: _http_error,
        ClientDisconnect: _gone,
        Exception: _fault,
    }

    middleware = [Middleware(Leaving), Middleware(Guard, hosts=hosts), Middleware(Zipped)]
    app = Starlette(routes=routes, middleware=middleware, exception_handlers=handlers)
    app.state.hall = hall
    app.state.openapi = openapi(ENDPOINTS)
    return app
