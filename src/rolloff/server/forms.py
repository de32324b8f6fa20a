"""What the server answers over HTTP, as structs: programs can rely on them, and the description of the API is made of them."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

Json = dict[str, Any]


class Choice(Struct):
    """Something that can be chosen."""

    id: str
    name: str
    note: str = ""


class EditionChoice(Struct):
    """An edition with what can be played by it."""

    id: str
    name: str
    points: int
    armies: list[Choice]
    tables: list[Choice]
    missions: list[Choice]


class Offers(Struct):
    """What can be played."""

    editions: list[EditionChoice]
    opponents: list[Choice]


class Present(Struct):
    """Who is at a battle."""

    A: bool
    B: bool
    watching: int


class GameRow(Struct):
    """A battle in a list."""

    id: str
    title: str
    over: bool
    waiting: bool
    listed: bool
    made: int
    changed: int
    result: Json | None
    seat: str
    owner: bool
    present: Present


class Games(Struct):
    """A list of battles."""

    games: list[GameRow]


class Seated(Struct):
    """A seat that was taken, and its token, given this once."""

    id: str
    seat: str
    token: str


class Hello(Struct):
    """A battle as a newcomer sees it; what the situation and the log hold depends on the edition."""

    type: Literal["hello"]
    seat: str
    seq: int
    title: str
    situation: Json
    log: list[Json]
    request: Json | None
    over: Json | None


class ClauseText(Struct):
    """The words of a clause."""

    id: str
    edition: str
    text: str
    rulings: list[str]


class Health(Struct):
    """How the server is."""

    status: Literal["ok"]
    version: str
    battles: int
    workers: int
    signer: str | None


class Fault(Struct):
    """What was wrong, where, and what would be right."""

    code: str
    message: str
    where: str | None
    allowed: str | None
    clause: str | None


class Error(Struct):
    """A refusal."""

    schema: Literal["rolloff.error/1"]
    error: Fault
