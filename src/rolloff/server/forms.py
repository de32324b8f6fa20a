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


class ArmyCards(Struct):
    """An army as its cards show it."""

    id: str
    name: str
    points: int
    units: list[Json]
    words: Json


class TablePlan(Struct):
    """A table as its picture shows it."""

    id: str
    size: list[float]
    terrain: list[Json]


class SpecialRule(Struct):
    """The clauses of a special rule."""

    name: str
    clauses: list[str]


class Spoken(Struct):
    """What an edition says to players in another language, by its English templates."""

    language: str
    texts: dict[str, str]


class RuleHit(Struct):
    """A clause that answers a question."""

    id: str
    edition: str
    score: float
    topic: str
    text: str
    status: str
    rulings: list[str]


class RulesFound(Struct):
    """The clauses that answer a question, best first; or one clause in every edition."""

    schema: Literal["rolloff.rules/1", "rolloff.compare/1"]
    hits: list[RuleHit] = []
    id: str = ""
    editions: dict[str, str | None] = {}
    differs: bool = False


class OddsFound(Struct):
    """The odds of a scenario."""

    schema: Literal["rolloff.odds/1"]
    edition: str
    exact: bool
    policies: Json
    results: list[Json]
    targets: Json
    exchange: Json | None


class Replayed(Struct):
    """A record, verified and ready to be shown again."""

    schema: str
    title: str
    edition: str
    armies: list[str]
    players: list[str]
    opening: Json
    events: list[Json]
    scores: list[list[int]]
    result: Json | None
    verified: bool
    difference: Json | None


class Reported(Struct):
    """What a battle came to, from its record."""

    schema: str
    players: list[Json]
    units: list[Json]
    turning: list[Json]


class Health(Struct):
    """How the server is."""

    status: Literal["ok"]
    version: str
    battles: int
    workers: int
    signer: str | None
