"""`adjudicate`: a case in, the ruling on it out, both as JSON by the interface."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rolloff.errors import BadInput, IllegalCommand
from rolloff.rules.game import Game
from rolloff.rules.objectives import holder
from rolloff.rules.play import SIDES
from rolloff.rules.terms import NONE
from rolloff.situations.asks import answer_ask
from rolloff.situations.depiction import write_situation
from rolloff.situations.forms import SITUATION_FIELDS, CaseForm, ObjectiveForm, decode, decode_json
from rolloff.situations.ruling import Ruling, rule_on
from rolloff.situations.situation import Situation, read_situation
from rolloff.situations.wire import event_json, fact_json, request_json
from rolloff.table.event import Event, Removed
from rolloff.table.state import State

SCHEMA = "rolloff.adjudicate/1"
ROLLED, ATTACKED, LATE = "rolled", "attacked", "attacked-late"
_SUMS = ("attacks", "hits", "ignored", "blocked", "wounds", "damage", "mortal")
_ROLL = ("purpose", "unit", "need", "faces", "rerolls", "successes")

Json = dict[str, Any]


def rolls_json(game: Game, events: Iterable[Event]) -> list[Json]:
    """Every handful of dice, in the order rolled."""
    found = []
    for event in events:
        if event.kind == ROLLED:
            facts = dict(event.facts)
            row = {name: fact_json(game, name, facts.get(name)) for name in _ROLL}
            found.append({**row, "clauses": list(event.clauses)})
    return found


def _attack(game: Game, event: Event) -> Json:
    facts = dict(event.facts)
    if facts.get("damage") is None:
        facts["damage"] = facts.get("wounds")
    row: Json = {name: fact_json(game, name, facts.get(name)) for name in ("attacker", "target")}
    row |= {name: facts.get(name) or 0 for name in _SUMS}
    return row | {"removed": [], "morale": NONE.word}


def attacks_json(game: Game, events: Iterable[Event]) -> list[Json]:
    """Every attack with its sums, the models it removed and the morale that came of it."""
    found: list[Json] = []

    def against(unit: object) -> Json | None:
        name = game.names[unit] if isinstance(unit, int) and unit >= 0 else None
        return next((row for row in reversed(found) if row["target"] == name), None)

    for event in events:
        if event.kind == ATTACKED:
            found.append(_attack(game, event))
        row = against(event.fact("target")) if event.kind == LATE else None
        if row is not None:
            row |= {name: row[name] + (event.fact(name) or 0) for name in _SUMS}
        for patch in event.patches:
            row = against(patch.unit) if isinstance(patch, Removed) else None
            if row is not None and isinstance(patch, Removed):
                name = game.models[patch.slot].id
                row["removed"] += [name] if name not in row["removed"] else []  # who acts after death is removed again
        word = game.edition.outcomes.of_event(event.kind)
        row = against(event.fact("unit")) if word is not None else None
        if row is not None:
            row["morale"] = word
    return found


def refusal_json(error: IllegalCommand | None) -> Json | None:
    """A refusal as the interface words it."""
    if error is None:
        return None
    return {"code": error.code, "clause": error.cited, "message": error.message, "value": error.value}


def _after(game: Game, state: State, situation: Situation, case: CaseForm) -> Json:
    """The situation afterwards, in the words it was given in: markers that were named, points to spend and points scored."""
    found = write_situation(game, state, situation.weapons)
    law = game.edition.situation
    for number, side in enumerate(SIDES):
        for name, mark in (("cp", law.purse), ("score", law.score)):
            if mark:
                found["sides"][side][name] = state.side_mark(number, mark) or 0
    if case.objectives:
        named = {marker.id for marker in case.objectives}
        found["table"]["terrain"] = [piece for piece in found["table"]["terrain"] if piece["id"] not in named]
        found["objectives"] = [_marker(state, marker) for marker in case.objectives]
    return found


def _marker(state: State, marker: ObjectiveForm) -> Json:
    side = holder(state, marker.id)
    return {"id": marker.id, "at": list(marker.at), "holder": None if side < 0 else SIDES[side]}


def ruling_json(ruling: Ruling, situation: Situation, case: CaseForm, given: Json) -> Json:
    """The whole output. A refused case leaves the situation exactly as it was given."""
    game = situation.game
    refused = ruling.refusal is not None
    after = (
        {name: given[name] for name in SITUATION_FIELDS if name in given and name != "schema"}
        if refused
        else _after(game, ruling.after, situation, case)
    )
    pending = None if ruling.pending is None else request_json(game, ruling.after, ruling.pending)
    return {
        "schema": SCHEMA,
        "edition": game.edition.id,
        "verdict": ruling.verdict,
        "refusal": refusal_json(ruling.refusal),
        "pending": pending,
        "rolls": rolls_json(game, ruling.events),
        "attacks": attacks_json(game, ruling.events),
        "events": [event_json(game, event, n) for n, event in enumerate(ruling.events)],
        "answers": [answer_ask(game, ruling.after, situation.unplaced, ask, k) for k, ask in enumerate(case.ask)],
        "after": after,
        "state": ruling.after.digest(),
        "dice_used": ruling.dice_used,
    }


def adjudicate(raw: bytes) -> Json:
    """Rule on a case given as JSON.

    Raises:
        BadInput: the input is unusable: malformed, unknown, out of bounds or impossible.
    """
    case = decode(raw, CaseForm)
    given = decode_json(raw)
    if not isinstance(given, dict):
        raise BadInput("bad-json", "a case is a JSON object")
    situation = read_situation(case)
    return ruling_json(rule_on(case, situation), situation, case, given)
