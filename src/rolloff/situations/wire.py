"""What goes over the wire: events with patches a viewer applies without knowing any rule, and requests.

A patch is ``[id, field, value]``. Ids: a model's (``at``, ``z``, ``facing``, ``wounds``, ``removed``, ``unit``,
``mark:NAME``), a unit's (``where``, ``activated``, ``joined``, ``mark:NAME``), a side's ``A``/``B``
(``mark:NAME``), and ``clock`` (``phase``, ``round``, ``active``, ``first``, ``marks``).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from typing import Any

from rolloff.lengths import to_degrees, to_inches
from rolloff.rules.answers import write_answer
from rolloff.rules.edition import Edition
from rolloff.rules.game import Game
from rolloff.rules.play import SIDES
from rolloff.table.event import (
    Done,
    Event,
    Fact,
    Joined,
    Marked,
    ModelMarked,
    Parted,
    Patch,
    Placed,
    Removed,
    Returned,
    SideMarked,
    Ticked,
    Went,
    Wounded,
)
from rolloff.table.profile import Card
from rolloff.table.request import Request
from rolloff.table.state import WHERE_NAMES, Clock, State

JsonPatch = list[Any]
NOBODY = "–"
_UNIT_FACTS = frozenset({"unit", "target", "attacker", "into", "aboard", "host", "transport"})
_MODEL_FACTS = frozenset({"model"})
_SIDE_FACTS = frozenset({"side", "winner_side"})
_LENGTH_FACTS = frozenset({"distance", "gap", "longest"})


def where_name(game: Game, where: int) -> str:
    """Where a unit is, in words, or the id of the unit it is aboard."""
    return game.names[where] if where >= 0 else WHERE_NAMES[where]


def _clock_patches(clock: Clock) -> Iterator[JsonPatch]:
    yield ["clock", "phase", clock.phase]
    yield ["clock", "round", clock.round]
    yield ["clock", "active", SIDES[clock.active]]
    yield ["clock", "first", SIDES[clock.first]]
    yield ["clock", "marks", dict(clock.marks)]


def _placed(game: Game, patch: Placed) -> Iterator[JsonPatch]:
    for k, slot in enumerate(patch.slots):
        x, y = struct.unpack_from("<2i", patch.xy, 8 * k)
        name = game.models[slot].id
        yield [name, "at", [to_inches(x), to_inches(y)]]
        yield [name, "z", to_inches(struct.unpack_from("<i", patch.z, 4 * k)[0])]
        yield [name, "facing", to_degrees(struct.unpack_from("<h", patch.facing, 2 * k)[0])]


def patches_json(game: Game, patch: Patch) -> Iterator[JsonPatch]:
    """One patch as viewers apply it."""
    match patch:
        case Placed():
            yield from _placed(game, patch)
        case Removed(slot=slot):
            yield [game.models[slot].id, "removed", True]
        case Wounded(slot=slot, total=total):
            yield [game.models[slot].id, "wounds", total]
        case Marked(unit=unit, name=name, value=value):
            yield [game.names[unit], f"mark:{name}", value]
        case ModelMarked(slot=slot, name=name, value=value):
            yield [game.models[slot].id, f"mark:{name}", value]
        case SideMarked(side=side, name=name, value=value):
            yield [SIDES[side], f"mark:{name}", value]
        case Went(unit=unit, where=where):
            yield [game.names[unit], "where", where_name(game, where)]
        case Done(unit=unit, done=done):
            yield [game.names[unit], "activated", done]
        case Joined(unit=unit, into=into):
            yield [game.names[unit], "joined", game.names[into]]
        case Parted(slots=slots, into=into):
            for slot in slots:
                yield [game.models[slot].id, "unit", game.names[into]]
        case Returned(slots=slots, unit=unit, fresh=fresh):
            for slot in slots:
                yield [game.models[slot].id, "removed", False]
                if fresh:
                    yield [game.models[slot].id, "wounds", 0]
                yield [game.models[slot].id, "unit", game.names[unit]]
        case Ticked(clock=clock):
            yield from _clock_patches(clock)


def fact_json(game: Game, name: str, value: Fact) -> Any:
    """A fact with numbers turned into the ids and inches people read."""
    if isinstance(value, tuple):
        return [fact_json(game, name.removesuffix("s"), item) for item in value]
    if isinstance(value, bool) or not isinstance(value, int):
        return value
    if name in _UNIT_FACTS:
        return game.names[value] if value >= 0 else None
    if name in _MODEL_FACTS:
        return game.models[value].id
    if name in _SIDE_FACTS:
        return SIDES[value]
    if name in _LENGTH_FACTS:
        return to_inches(value)
    return value


def event_json(game: Game, event: Event, n: int) -> dict[str, Any]:
    """An event as records and viewers know it."""
    facts = {name: fact_json(game, name, value) for name, value in event.facts}
    return {
        "n": n,
        "kind": event.kind,
        "clauses": list(event.clauses),
        "set": [row for patch in event.patches for row in patches_json(game, patch)],
        "facts": facts,
    }


def tell(game: Game, event: Event) -> str:
    """An event as a sentence for the log."""
    facts = {name: fact_json(game, name, value) for name, value in event.facts}
    return sentence(game.edition, {card.id: called(game, card) for card in game.cards}, event.kind, facts)


def sentence(edition: Edition, names: Mapping[str, str], kind: str, facts: dict[str, Any]) -> str:
    """An event, given by its kind and its facts as JSON, as a sentence for the log; units by their names."""
    shown = {k: names.get(v, v) if k in _UNIT_FACTS and isinstance(v, str) else _said(v) for k, v in facts.items()}
    if kind == "rolled":
        shown |= _rolled(facts)
    template = edition.kinds[kind].says or kind
    if "side" in facts and facts.get("unit", "") is None and template.startswith("{unit} "):
        shown["unit"] = facts["side"]  # what no unit in particular did, its side did
    said = template.format_map(_Shown(shown)).removeprefix(f"{NOBODY} ")
    return said[:1].upper() + said[1:]


def called(game: Game, card: Card) -> str:
    """A unit's name; with its id, where another bears the same."""
    alike = sum(other.name == card.name for other in game.cards)
    return f"{card.name} ({card.id})" if card.name and alike > 1 else card.name or card.id


def _rolled(facts: dict[str, Any]) -> dict[str, str]:
    """A handful of dice as people read it: what was needed, and after an arrow what a die showed when rolled again."""
    again = dict(facts.get("rerolls") or ())
    faces = [f"{face}→{again[at]}" if at in again else str(face) for at, face in enumerate(facts.get("faces") or ())]
    need, sides = facts.get("need"), facts.get("sides")
    purpose = f"{facts.get('purpose')}{'' if sides is None else f' (D{sides})'}{'' if need is None else f' {need}+'}"
    return {"faces": ", ".join(faces), "purpose": purpose}


def _said(value: Any) -> Any:
    """A fact as people say it."""
    if isinstance(value, list):
        return ", ".join(str(_said(item)) for item in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    return NOBODY if value is None else value


class _Shown(dict[str, Any]):
    """Facts for a sentence; one that is missing shows as a dash."""

    def __missing__(self, key: str) -> str:
        return NOBODY


def request_json(game: Game, state: State, request: Request) -> dict[str, Any]:
    """A decision request as interface, network and records know it."""
    return {
        "who": SIDES[request.who],
        "kind": request.kind,
        "options": None if request.options is None else list(request.options),
        "default": write_answer(game, state, request, request.default),
        "clause": request.clause,
        "point": game.edition.words.point(request),
        "about": game.names[request.about] if request.about >= 0 else None,
        "facts": {name: fact_json(game, name, value) for name, value in request.facts},
    }
