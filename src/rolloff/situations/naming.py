"""Names instead of ids: what units, models and terrain are called where people read of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from weakref import WeakKeyDictionary

from rolloff.rules.game import Game
from rolloff.rules.play import SIDES
from rolloff.situations.wire import tell
from rolloff.table.event import Event

_WORD = re.compile(r"\(([\w.#-]*\w)\)|[\w.#-]*\w")
_ONE = re.compile(r"(?<![\d.,])1 (attack|hit|wound|model|unit|point)s\b")
_WITH = re.compile(r"(?<= with )[^()]+$")
MARKER = "objective"
"""What a piece is that is nothing but a marker; it has no name but its number."""
_LENGTH = re.compile(r'(\d+\.\d+)"')
_known: WeakKeyDictionary[Game, Mapping[str, str]] = WeakKeyDictionary()


def tags_of(game: Game) -> list[str]:
    """Side and number of every unit, as its tokens wear it: A3."""
    count = [0, 0]
    found = []
    for card in game.cards:
        count[card.side] += 1
        found.append(f"{SIDES[card.side]}{count[card.side]}")
    return found


def names_of(game: Game) -> Mapping[str, str]:
    """What each id stands for: a unit with its tag, a model with its place in the unit, a piece of terrain."""
    found = _known.get(game)
    if found is None:
        names: dict[str, str] = {piece.id: piece.name or "the terrain" for piece in game.table.terrain}
        markers = [piece.id for piece in game.table.terrain if MARKER in piece.types and not piece.name]
        names |= {id_: f"marker {k}" for k, id_ in enumerate(markers, 1)}
        for card, tag in zip(game.cards, tags_of(game), strict=True):
            names[card.id] = f"{card.name or card.id} ({tag})"
            for place, model in enumerate(card.models, 1):
                names[model.id] = f"{model.name or card.name or card.id} {tag}.{place}"
        found = _known[game] = names
    return found


def _of_terrain(names: Mapping[str, str], word: str) -> str | None:
    """A part of a piece, whose id goes on after a dot, is called as the piece."""
    whole = word.split(".", 1)[0]
    return names.get(whole) if whole != word else None


def named(game: Game, text: str) -> str:
    """A sentence with every id in it replaced by a name."""
    return replaced(names_of(game), text)


def replaced(names: Mapping[str, str], text: str) -> str:
    """A sentence with names for the ids in it."""

    def said(found: re.Match[str]) -> str:
        if found[1] is not None:
            name = names.get(found[1], "")
            return name[name.rfind("(") :] if name.endswith(")") else f"({names.get(found[1], found[1])})"
        word = found[0]
        return names.get(word) or _of_terrain(names, word) or word

    return _WORD.sub(said, text)


def _counted(found: re.Match[str]) -> str:
    """A list in which what comes several times is counted."""
    items = found[0].split(", ")
    count = {item: items.count(item) for item in items}
    return ", ".join(item if n == 1 else f"{n} × {item}" for item, n in count.items())


def singular(text: str) -> str:
    """A text in which one of a thing is one: 1 hit, not 1 hits."""
    return _ONE.sub(r"1 \1", text)


def sentence(game: Game, event: Event) -> str:
    """An event as people read it in a log: names for ids, one of a thing is one, lengths to a tenth of an inch."""
    text = tell(game, event)
    first = text.split(maxsplit=1)[:1]
    known = first and "." in first[0] and first[0].rstrip(",:").lower() in names_of(game)
    said = singular(named(game, text[:1].lower() + text[1:] if known else text).removesuffix(" with –"))
    said = _WITH.sub(_counted, said[:1].upper() + said[1:])
    return _LENGTH.sub(lambda found: f'{round(float(found[1]), 1):g}"', said)
