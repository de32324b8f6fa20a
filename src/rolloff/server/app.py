"""The application: the page, the catalogue, games and clauses over HTTP; the battle itself over WebSocket."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from rolloff.editions import registry
from rolloff.errors import BadInput, IllegalCommand, RolloffError
from rolloff.server.battle import Battle, EngineFault, Viewer, sentence
from rolloff.server.guard import POLICY_VIOLATION, Guard
from rolloff.server.hall import Hall
from rolloff.server.messages import (
    LARGEST,
    Answer,
    Judge,
    Look,
    Survey,
    Talk,
    error_json,
    read_game,
    read_message,
    refusal_json,
)
from rolloff.server.prompts import clause_json

PAGE = Path(__file__).parent / "page"
TRY_AGAIN_LATER = 1013
_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
_MISSING = frozenset({"unknown-game", "unknown-clause", "unknown-edition"})


def _json(content: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(content), status, media_type="application/json")


def _hall(request: Request | WebSocket) -> Hall:
    hall: Hall = request.app.state.hall
    return hall


async def _page(request: Request) -> Response:
    """The page itself."""
    index = PAGE / "index.html"
    if not index.exists():
        return Response("The page is not built yet: run `make page`.\n", 503, media_type="text/plain")
    return FileResponse(index, headers=_HEADERS)


async def _editions(request: Request) -> Response:
    """What can be played."""
    return _json(await asyncio.to_thread(_hall(request).offers))


async def _games(request: Request) -> Response:
    """The battles on this server."""
    battles = _hall(request).battles.values()
    rows = [{"id": one.id, "title": one.title, "over": one.over, "seats": list(one.people)} for one in battles]
    return _json({"games": rows[::-1]})


async def _body(request: Request) -> bytes:
    """The body, no longer than allowed, and surely JSON: no form of another site can send that."""
    if request.headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
        raise BadInput("bad-type", "send JSON", where="content-type", allowed="application/json")
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > LARGEST:
            raise BadInput("too-large", "this is too long", where="body", allowed=f"{LARGEST} bytes")
    return bytes(body)


async def _start(request: Request) -> Response:
    """Start a game."""
    form = read_game(await _body(request))
    battle, seat = await _hall(request).open(form)
    return _json({"id": battle.id, "seat": seat, "title": battle.title}, 201)


async def _game(request: Request) -> Response:
    """One battle: situation, open request and log."""
    return _json(await _hall(request).find(request.path_params["id"]).situation())


async def _record(request: Request) -> Response:
    """The record of a battle, as JSON Lines."""
    battle = _hall(request).find(request.path_params["id"])
    name = {"Content-Disposition": f'attachment; filename="{battle.id}.jsonl"'}
    return Response(await battle.record(), media_type="application/jsonl", headers=name)


async def _clause(request: Request) -> Response:
    """The words of a clause."""
    edition = registry.edition(request.path_params["edition"])
    return _json(clause_json(edition, request.path_params["id"]))


async def _refuse(request: Request, error: Exception) -> Response:
    assert isinstance(error, RolloffError)
    status = 500 if isinstance(error, EngineFault) else 404 if error.code in _MISSING else 400
    return _json(error_json(error), status)


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    told = BadInput("http", error.detail, where=request.url.path)
    return Response(msgspec.json.encode(error_json(told)), error.status_code, error.headers, media_type="application/json")


async def _fault(request: Request, error: Exception) -> Response:
    return _json(error_json(EngineFault("engine-fault", "the server stumbled over this")), 500)


async def _handle(battle: Battle, viewer: Viewer, raw: str) -> dict[str, Any] | None:
    """Carry out one message; the reply for this viewer alone, if there is one."""
    message = read_message(raw)
    if isinstance(message, Answer):
        try:
            await battle.answer(viewer.seat, message.value, message.serial)
        except IllegalCommand as error:
            return {"type": "refused", "refusal": refusal_json(error, battle.named)}
        return None
    if isinstance(message, Talk):
        try:
            await battle.talk(viewer.seat, message.name, message.said, message.by)
        except RolloffError as error:
            return {"type": "unsaid", "refusal": refusal_json(error, battle.named)}
        return None
    try:
        if isinstance(message, Judge):
            return {"type": "judged", "id": message.id, **await battle.judge(message.value)}
        if isinstance(message, Look):
            return {"type": "looked", "id": message.id, **await battle.look(message.value)}
        if isinstance(message, Survey):
            return {"type": "surveyed", "id": message.id, "rows": await battle.survey(message.plan)}
        odds = await battle.odds(message.option)
    except RolloffError as error:
        return {"type": "error", "id": message.id, "message": sentence(error)}
    return {"type": "odds", "id": message.id, "option": message.option, **odds}


async def _listen(socket: WebSocket, battle: Battle, viewer: Viewer) -> None:
    while True:
        received = await socket.receive()
        if received["type"] == "websocket.disconnect":
            return
        raw = received.get("text")
        try:
            if raw is None:
                raise BadInput("bad-message", "send text, not bytes")
            reply = await _handle(battle, viewer, raw)
        except RolloffError as error:
            reply = {"type": "error", "message": sentence(error)}
        if reply is not None:
            viewer.tell(msgspec.json.encode(reply))


async def _speak(socket: WebSocket, viewer: Viewer) -> None:
    while (message := await viewer.inbox.get()) is not None:
        await socket.send_text(message.decode())
    await socket.close(TRY_AGAIN_LATER, "too far behind")


async def _battle(socket: WebSocket) -> None:
    """One viewer of one battle."""
    await socket.accept()
    try:
        battle = _hall(socket).find(socket.path_params["id"])
        seat = socket.query_params.get("seat", "none")
        battle.check_seat(seat)
    except BadInput as error:
        await socket.send_text(msgspec.json.encode({"type": "error", "message": sentence(error)}).decode())
        await socket.close(POLICY_VIOLATION, error.message[:100])
        return
    viewer = Viewer(seat)
    await battle.join(viewer)
    tasks = {
        asyncio.create_task(_listen(socket, battle, viewer)),
        asyncio.create_task(_speak(socket, viewer)),
    }
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        battle.leave(viewer)
        for task in tasks:
            task.cancel()
    for task in done:
        with suppress(WebSocketDisconnect, asyncio.CancelledError, RuntimeError):
            task.result()
    if socket.application_state is WebSocketState.CONNECTED and socket.client_state is WebSocketState.CONNECTED:
        with suppress(RuntimeError, WebSocketDisconnect):
            await socket.close()


def create_app(hall: Hall) -> Starlette:
    """The application over a hall of battles."""
    routes = [
        Route("/", _page),
        Route("/api/editions", _editions),
        Route("/api/games", _games),
        Route("/api/games", _start, methods=["POST"]),
        Route("/api/games/{id}", _game),
        Route("/api/games/{id}/record", _record),
        Route("/api/clauses/{edition}/{id}", _clause),
        WebSocketRoute("/ws/{id}", _battle),
        Mount("/assets", StaticFiles(directory=PAGE / "assets", check_dir=False)),
    ]
    handlers: dict[Any, Any] = {RolloffError: _refuse, HTTPException: _http_error, Exception: _fault}
    app = Starlette(routes=routes, middleware=[Middleware(Guard)], exception_handlers=handlers)
    app.state.hall = hall
    return app
