"""What a page shows besides models: lines of sight, markers with who holds them, and where the number of a roll came from."""

from __future__ import annotations

from typing import Any

from rolloff.errors import RolloffError
from rolloff.oracle.stage import Change
from rolloff.rules.edition import Edition
from rolloff.rules.game import Game
from rolloff.situations.asks import answer_ask
from rolloff.table.event import Event
from rolloff.table.request import Request
from rolloff.table.state import State

TARGET = "choose-target"

Json = dict[str, Any]


def _line(game: Game, state: State, unit: str, target: str) -> Any:
    """A clear line from one unit to another, by the edition's own answer; None if there is none."""
    try:
        return answer_ask(game, state, (), {"sight": [unit, target]}, 0)["evidence"]["line"]
    except RolloffError:
        return None


def with_line(game: Game, state: State, event: Event, message: Json) -> Json:
    """An event as viewers are told it, with the line along which its unit sees its target, if that is its kind."""
    kind = game.edition.kinds.get(event.kind)
    unit, target = event.fact("unit"), event.fact("target")
    if kind is None or not kind.sight or not isinstance(unit, int) or not isinstance(target, int):
        return message
    line = _line(game, state, game.names[unit], game.names[target])
    return message if line is None else message | {"facts": {**message["facts"], "line": line}}


def line_to(game: Game, state: State, request: Request, option: object) -> Any:
    """The line from the unit that is asked about to a target it may choose."""
    if request.kind != TARGET or request.about < 0 or option not in game.numbers:
        return None
    return _line(game, state, game.names[request.about], str(option))


def line_json(edition: Edition, line: Change) -> list[Any]:
    """A line of an audit for viewers: what, from, to, the clauses, and the special rule they belong to, if to any."""
    cited = {*line.clauses}
    rule = next((name for name, special in edition.specials.items() if cited & {*special.clauses}), None)
    return [line.what, line.before, line.after, list(line.clauses), rule]
