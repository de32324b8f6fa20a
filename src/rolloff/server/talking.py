"""One page and one battle over a WebSocket: it shows its token, is told what happens, and says what it wants."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from rolloff.errors import BadInput, IllegalCommand, RolloffError
from rolloff.server.battle import Battle, sentence
from rolloff.server.guard import POLICY_VIOLATION
from rolloff.server.hall import Hall
from rolloff.server.messages import (
    Answer,
    Judge,
    Look,
    Number,
    Odds,
    Promise,
    Reach,
    Sit,
    Suggest,
    Survey,
    TakeBack,
    Talk,
    read_message,
    refusal_json,
)
from rolloff.server.metrics import METRICS
from rolloff.server.viewer import Viewer

TRY_AGAIN_LATER = 1013
PATIENCE = 10.0
"""Seconds a page has to show its token, and to take a message."""

Json = dict[str, Any]


async def _answer(battle: Battle, seat: str, message: Answer) -> Json | None:
    try:
        await battle.answer(seat, message.value, message.serial)
    except IllegalCommand as error:
        return {"type": "refused", "refusal": refusal_json(error)}
    return None


async def _unsaid(work: Awaitable[None]) -> Json | None:
    try:
        await work
    except RolloffError as error:
        return {"type": "unsaid", "refusal": refusal_json(error)}
    return None


async def _asked(battle: Battle, id_: int, kind: str, type_: str, value: Any, **more: Any) -> Json:
    try:
        return {"type": type_, "id": id_, **more, **await battle.ask(kind, value)}
    except RolloffError as error:
        return {"type": "error", "id": id_, "message": sentence(error)}


async def _handle(battle: Battle, viewer: Viewer, raw: str) -> Json | None:
    """Carry out one message; the reply for this viewer alone, if there is one."""
    match read_message(raw):
        case Answer() as message:
            return await _answer(battle, viewer.seat, message)
        case Talk() as message:
            return await _unsaid(battle.talk(viewer.seat, message.name, message.said, message.by))
        case TakeBack():
            return await _unsaid(battle.take_back(viewer.seat))
        case Promise() as message:
            await battle.promise(viewer.seat, message.hash)
        case Number() as message:
            await battle.number(viewer.seat, message.number)
        case Judge() as message:
            return await _asked(battle, message.id, "judge", "judged", message.value)
        case Look() as message:
            return await _asked(battle, message.id, "look", "looked", message.value)
        case Reach() as message:
            return await _asked(battle, message.id, "reach", "reached", None)
        case Suggest() as message:
            return await _asked(battle, message.id, "suggest", "suggested", None)
        case Survey() as message:
            return await _asked(battle, message.id, "survey", "surveyed", message.plan)
        case Odds() as message:
            return await _asked(battle, message.id, "odds", "odds", message.option, option=message.option)
        case Sit():
            raise BadInput("seated", "this page has its seat already", where="sit")
    return None


async def _text(socket: WebSocket) -> str:
    """The next message of a page; `WebSocketDisconnect` when it is gone."""
    received = await socket.receive()
    if received["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(received.get("code", 1000))
    raw = received.get("text")
    if raw is None:
        raise BadInput("bad-message", "send text, not bytes")
    return str(raw)


async def _listen(socket: WebSocket, battle: Battle, viewer: Viewer) -> None:
    while True:
        try:
            reply = await _handle(battle, viewer, await _text(socket))
        except RolloffError as error:
            METRICS.count("bad_messages")
            reply = {"type": "error", "message": sentence(error)}
        if reply is not None:
            viewer.tell(msgspec.json.encode(reply))


async def _speak(socket: WebSocket, viewer: Viewer) -> None:
    while (message := await viewer.heard()) is not None:
        await socket.send_text(message.decode())
    await socket.close(TRY_AGAIN_LATER, "too far behind")


async def _seat(socket: WebSocket, hall: Hall) -> tuple[Battle, Viewer, Sit]:
    """Read a page's first message and find its seat; `BadInput` if it has none."""
    try:
        async with asyncio.timeout(PATIENCE):
            message = read_message(await _text(socket))
    except TimeoutError:
        raise BadInput("too-slow", "no seat was asked for", where="sit") from None
    if not isinstance(message, Sit):
        raise BadInput("not-seated", "ask for a seat first", where="sit", allowed='{"type":"sit","token":"…"}')
    found = await hall.admit(socket.path_params["id"], message.token)
    battle = await hall.find(found.battle)
    return battle, Viewer(found.seat, found.owner), message


async def _turn_away(socket: WebSocket, error: RolloffError) -> None:
    await socket.send_text(msgspec.json.encode({"type": "error", "message": sentence(error), "code": error.code}).decode())
    await socket.close(POLICY_VIOLATION, error.message[:100])


async def converse(socket: WebSocket, hall: Hall) -> None:
    """Serve one page until it leaves."""
    await socket.accept()
    with suppress(WebSocketDisconnect, RuntimeError):
        try:
            battle, viewer, sit = await _seat(socket, hall)
            await battle.join(viewer, sit.seen, sit.cuts)
        except RolloffError as error:
            await _turn_away(socket, error)
            return
        try:
            await _both(lambda: _listen(socket, battle, viewer), lambda: _speak(socket, viewer))
        finally:
            battle.leave(viewer)
        if socket.application_state is WebSocketState.CONNECTED and socket.client_state is WebSocketState.CONNECTED:
            await socket.close()


async def _both(*works: Callable[[], Awaitable[None]]) -> None:
    """Do both until one ends, and end the other with it."""
    tasks = {asyncio.ensure_future(work()) for work in works}
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
    for task in done:
        with suppress(WebSocketDisconnect, asyncio.CancelledError, RuntimeError):
            task.result()
