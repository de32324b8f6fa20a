"""What the command line says of tables and rulings to a person: a drawing, names, and sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rolloff.cli.common import safe
from rolloff.editions import registry
from rolloff.rules.game import Game
from rolloff.rules.windows import REACT
from rolloff.rules.words import Prompt
from rolloff.situations.forms import SituationForm, fill
from rolloff.situations.naming import named, singular
from rolloff.situations.pictures import draw_text, tags
from rolloff.situations.situation import read_situation

Json = dict[str, Any]


def _letter(tag: str) -> str:
    """The letter of a unit in the drawing: capitals for A, small ones for B."""
    number = int(tag[1:])
    return "?" if number > 26 else chr(ord("A" if tag[0] == "A" else "a") + number - 1)


def _marks(unit: Json, edition: str) -> str:
    """What a player must know of a unit besides its models."""
    labels = registry.edition(edition).words.marks
    found = []
    for mark in unit["marks"]:
        name = mark if isinstance(mark, str) else next(iter(mark))
        label = labels.get(name, labels.get(name.split(":")[0], name))
        found.append("has acted" if name == "activated" else label.replace("{name}", name.partition(":")[2]).lower())
    return ", ".join(filter(None, found))


def table_lines(situation: Json) -> Iterator[str]:
    """The table drawn, and every unit by its name, side by side with its letter."""
    edition = situation["edition"]
    yield f"Round {situation['round']}, side {situation['active']} is active"
    yield from draw_text(situation)
    for unit in situation["units"]:
        tag = tags(situation["units"])[unit["id"]]
        models = sum(not model.get("removed") for model in unit["models"])
        where = {"table": "", "destroyed": "destroyed"}.get(unit["where"], unit["where"])
        size = "" if not models else f"{models} {'model' if models == 1 else 'models'}"
        said = ", ".join(filter(None, (size, where, _marks(unit, edition) if models else "")))
        yield safe(f"  {_letter(tag)} {tag} {unit.get('name') or unit['id']}: {said}")


def _game(situation: Json) -> Game | None:
    """The game of a written situation, for the names in it; None if it cannot be read back."""
    known = {key: value for key, value in situation.items() if key in SituationForm.__struct_fields__}
    return read_situation(fill(known, SituationForm, "after")).game if known.get("units") else None


def _called(game: Game | None, text: str) -> str:
    return safe(named(game, text) if game else text)


def _words(game: Game, decision: Json) -> Prompt | None:
    """What a decision is called by its point; windows, and what is called by kind and clause, have no such name."""
    prompts = game.edition.words.prompts
    if decision["kind"] == REACT or f"{decision['kind']}:{decision['clause']}" in prompts:
        return None
    return prompts.get(decision.get("point") or "")


def decision_lines(decision: Json | None, game: Game | None) -> Iterator[str]:
    """Who must decide what, and among which options."""
    if decision is None:
        return
    words = _words(game, decision) if game else None
    about = f" for {_called(game, decision['about'])}" if decision.get("about") else ""
    title = words.title.replace("{about}", _called(game, decision.get("about") or "")) if words else decision["kind"] + about
    yield safe(f"Side {decision['who']} must decide: {title} ({decision['clause']})")
    labels = words.options if words else {}
    listed = decision.get("options") or ()
    options = [str(labels.get(str(one), _called(game, str(one)))) for one in listed if isinstance(one, str | int | bool)]
    if options:
        yield safe("  " + ", ".join(options))
    elif listed:
        yield f"  any lawful place; {len(listed)} are listed with --json"


def show_lines(found: Json) -> Iterator[str]:
    """A shown moment of a record."""
    yield from table_lines(found)
    yield from decision_lines(found["decision"], _game(found))


_VERDICTS = {"legal": "This is legal.", "refused": "This is not allowed.", "pending": "Somebody has to decide first."}


def _roll(row: Json, game: Game | None) -> str:
    need = f" ({row['need']}+ needed)" if row.get("need") else ""
    faces = ", ".join(map(str, row["faces"]))
    return f"{_called(game, row['unit'] or 'Somebody')} rolls {row['purpose']}{need}: {faces}; {row['successes']} succeed"


def ruling_lines(found: Json) -> Iterator[str]:
    """A ruling in sentences: what is legal and why, the dice, what happened, and the answers to what was asked."""
    game = _game(found.get("after") or {})
    yield _VERDICTS[found["verdict"]]
    refusal = found.get("refusal")
    if refusal:
        yield f"{_called(game, refusal['message'])} ({refusal['clause']})"
    yield from decision_lines(found.get("pending"), game)
    for row in found.get("rolls") or ():
        yield safe(_roll(row, game))
    for row in found.get("attacks") or ():
        fallen = ", ".join(_called(game, name) for name in row["removed"]) or "nobody"
        counts = f"{row['attacks']} attacks, {row['hits']} hits, {row['blocked']} blocked, {row['wounds']} wounds"
        who, whom = _called(game, row["attacker"] or "Somebody"), _called(game, row["target"])
        yield safe(f"{who} on {whom}: {singular(counts)}; {fallen} {'fall' if len(row['removed']) > 1 else 'falls'}")
    for row in found.get("answers") or ():
        asked, given = next(iter(row["ask"].items()))
        value = {True: "yes", False: "no"}.get(row["value"], row["value"]) if isinstance(row["value"], bool) else row["value"]
        about = " and ".join(_called(game, str(one)) for one in (given if isinstance(given, list) else [given]))
        why = f" ({', '.join(row['clauses'])})" if row["clauses"] else ""
        yield safe(f"{asked} of {about}: {value}{why}")
