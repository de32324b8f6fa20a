"""A decision request as a page puts it: when it arises, which models it is about, where they may go."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any

from rolloff.editions.clauses import FAMILIES, clause_book
from rolloff.errors import BadInput
from rolloff.geometry.moves import Order, Rectangle
from rolloff.lengths import to_inches
from rolloff.rules.answers import MOVE, PLACE, movers, placing, write_answer
from rolloff.rules.edition import Edition
from rolloff.rules.game import Game
from rolloff.rules.moves import Setting
from rolloff.rules.play import Play
from rolloff.rules.templates import Aim
from rolloff.rules.windows import REACT, Reaction
from rolloff.rules.words import Explained
from rolloff.server.deploying import place_for
from rolloff.situations.naming import named, names_of, replaced
from rolloff.situations.wire import request_json
from rolloff.table.clause import Clause
from rolloff.table.request import Request
from rolloff.table.state import State

Json = dict[str, Any]
GIST = 170
"""How long the gist of a clause may be."""
NO_DICE = "no die can do it"
NOTHING_SAID = Explained("")


def clauses_of(edition: Edition) -> Mapping[str, Any]:
    """The clauses of an edition by id: those it brings along, else those of the rulebook files, else none."""
    if edition.clauses:
        return edition.clauses
    return clause_book(edition.id) if edition.id in FAMILIES else {}


def clause_json(edition: Edition, id_: str) -> dict[str, Any]:
    """The words of one clause, or `BadInput`."""
    found = clauses_of(edition).get(id_) or _explained(edition, id_).text
    if not found:
        raise BadInput("unknown-clause", f"{edition.name} has no clause {id_!r}", where="clause")
    if not isinstance(found, Clause):
        return {"id": id_, "edition": edition.id, "text": str(found), "rulings": []}
    return {
        "id": id_,
        "edition": edition.id,
        "text": found.text,
        "rulings": list(found.rulings),
        "topic": found.topic,
        "kind": found.kind,
    }


def _explained(edition: Edition, id_: str) -> Explained:
    """What the edition says of a rule of this id, in a sentence."""
    known = edition.words.explained() if edition.words.explained else {}
    return known.get(id_, NOTHING_SAID)


def rules_in(edition: Edition, text: str) -> list[str]:
    """The clauses of a rule as a card prints it, with its rating and what it gives: `Scouts 6`, `Aura 6: Feel No Pain 6+`."""
    known = edition.words.explained() if edition.words.explained else {}
    found = [id_ for id_, one in known.items() if one.rule and (text + " ").startswith((f"{one.rule} ", f"{one.rule}("))]
    for part in text.split(": "):
        words = part.partition("(")[0].split()
        names = (" ".join(words[:count]) for count in range(len(words), 0, -1))
        rule = next((edition.specials[name] for name in names if name in edition.specials), None)
        found += filter(None, rule.clauses) if rule else ()
    return list(dict.fromkeys(found))


def does(edition: Edition, id_: str) -> str:
    """What a rule does for whoever uses it: in the edition's own sentence, else the gist of its clause."""
    return _explained(edition, id_).gist or gist(edition, id_)


def gist(edition: Edition, id_: str) -> str:
    """The first sentence of a clause, cut to a line or two; empty if the edition has no such clause."""
    found = clauses_of(edition).get(id_)
    text = " ".join((found.text if isinstance(found, Clause) else str(found or "")).split())
    first = text.split(". ")[0] if len(text) > GIST else text
    cut = textwrap.shorten(first.rstrip("."), GIST, placeholder="…")
    return cut if cut.endswith("…") or not cut else f"{cut}."


def _inches(box: Rectangle) -> list[float]:
    return [to_inches(length) for length in box]


def _filled(template: str, facts: Mapping[str, Any]) -> str:
    """A template with its facts; what is missing is left out."""
    return " ".join(template.format_map(_Facts(facts)).split())


class _Facts(dict[str, Any]):
    """Facts for a sentence; one that is missing is empty."""

    def __missing__(self, key: str) -> str:
        return ""


def _facts(game: Game, message: Json) -> Json:
    """The facts of a request as people read them."""
    names = names_of(game)
    said = {"about": message["about"], **message["facts"]}
    if "faces" in said:
        need = said.get("need")
        said["roll"] = f"{said.get('purpose', '')} {need}+" if need else said.get("purpose", "")
        said["faces"] = said["faces"] or NO_DICE
    return {name: _plain(names, value) for name, value in said.items() if not isinstance(value, dict)}


def _plain(names: Mapping[str, str], value: Any) -> Any:
    if isinstance(value, list):
        return ", ".join(str(_plain(names, item)) for item in value)
    if isinstance(value, str):
        return replaced(names, value)
    return f"{value:g}" if isinstance(value, float) else value


def words_json(edition: Edition) -> Json:
    """What an edition calls its statistics, marks and phases."""
    words = edition.words
    stats = [[name, label, template] for name, (label, template) in words.stats.items()]
    spent = {rule.pay: f"{{value}} {rule.pay}" for rule in edition.reactions if rule.pay}
    plain = {
        "marks": {**spent, **words.marks},
        "phases": dict(words.phases),
        "rolls": dict(words.rolls),
        "keywords": dict(words.keywords),
    }
    return {"stats": stats, **plain, "by_hand": list(words.by_hand)}


def _said(game: Game, request: Request, message: Json, play: Play | None) -> Json:
    """The request in the edition's words for players."""
    words = game.edition.words
    prompt = words.prompt(request)
    notes = words.notes(play, request) if words.notes and play else {}
    missing = words.missing(play, request) if words.missing and play else {}
    labels = dict(prompt.options) if prompt else {}
    plain = {option: labels.get(str(option)) for option in (*(request.options or ()), *missing)}
    offered = _reactions(game, request)
    said: Json = {
        "words": {str(option): label or named(game, str(option)) for option, label in plain.items() if label or _ids(option)}
        | {option: _offer(game, rule, option) for option, rule in offered.items()},
        "notes": {option: rule.about or does(game.edition, rule.clause) for option, rule in offered.items()}
        | {str(option): note for option, note in notes.items()},
        "costs": _costs(words.marks, request, offered),
        "missing": [{"option": option, "why": named(game, why)} for option, why in missing.items()],
    }
    if prompt is None:
        return said
    facts = _facts(game, message)
    return said | {
        "title": _filled(prompt.title, facts),
        "text": _filled(prompt.text, facts),
        "group": prompt.group,
        "row": prompt.row,
    }


def _reactions(game: Game, request: Request) -> dict[str, Reaction]:
    """The rule behind each option of a window."""
    facts = dict(request.facts)
    names, known = facts.get("reactions"), game.reactions.get(str(facts.get("moment")), ())
    if request.kind != REACT or not isinstance(names, tuple):
        return {}
    rules = {rule.name: rule for rule in known}
    return {str(option): rules[str(name)] for option, name in zip(request.options or (), names, strict=False)}


def _costs(marks: Mapping[str, str], request: Request, offered: Mapping[str, Reaction]) -> dict[str, str]:
    """What the options of a window cost, in what they are paid in; those that are free are left out."""
    costs = dict(request.facts).get("costs")
    if not isinstance(costs, tuple):
        return {}
    paid = zip(offered.items(), costs, strict=False)
    return {option: marks.get(rule.pay, f"{{value}} {rule.pay}").format(value=cost) for (option, rule), cost in paid if cost}


def _offer(game: Game, rule: Reaction, option: str) -> str:
    """A use of a reaction in words: its name, then who with whom, then what with."""
    names = names_of(game)
    parts = option.removeprefix(rule.name).split()
    who, rest = [names[part] for part in parts if part in names], " ".join(part for part in parts if part not in names)
    said = ", ".join(filter(None, (" → ".join(who), rest)))
    return f"{rule.name}: {said}" if said else rule.name


def asked_about(game: Game) -> list[str]:
    """The reactions somebody in this game may be asked about, by name."""
    return sorted({rule.name for rules in game.reactions.values() for rule in rules if not rule.must})


def _ids(option: object) -> bool:
    """Whether an option is a phrase, in which ids may stand."""
    return isinstance(option, str) and " " in option


def key_of(game: Game, request: Request) -> str:
    """What a question is about, the same whenever it comes up in one step: point, purpose and unit."""
    purpose = dict(request.facts).get("purpose", "")
    return f"{request.point}:{purpose}:{game.names[request.about] if request.about >= 0 else ''}"


def prompt_json(game: Game, state: State, request: Request, serial: int, play: Play | None = None) -> Json:
    """The request as a page shows it."""
    message = request_json(game, state, request)
    message["serial"] = serial
    message["key"] = key_of(game, request)
    message["text"] = message["rule"] = gist(game.edition, request.clause)
    message |= _said(game, request, message, play)
    if request.kind == MOVE:
        message["models"] = [game.models[slot].id for slot in movers(state, request)]
        message["axial"] = isinstance(request.order, Order) and request.order.hull is not None
    if request.kind == PLACE:
        message["models"] = [game.models[slot].id for slot in placing(state, request)]
        better = place_for(game, state, request)
        if better is not None:
            message["default"] = write_answer(game, state, request, better)
    if isinstance(request.order, Aim):
        message["spots"] = [[to_inches(spot.x), to_inches(spot.y)] for spot in request.order.spots]
        message["areas"] = [[[to_inches(n) for n in disc] for disc in (area.near, area.far)] for area in request.order.areas]
    if isinstance(request.order, Setting):
        message["zone"] = [_inches(box) for box in request.order.zone.inside]
    return message
