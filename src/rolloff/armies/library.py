"""The library: armies, tables and missions by name, and the setup of a game made from them.

An edition that comes without a content folder may bring lists of its own: ``lists``, by name, each as a
list file would hold it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from rolloff.armies.build import Workshop, from_book, said, written_out
from rolloff.armies.content_files import (
    book,
    books,
    family_file,
    plain_file,
    shelf,
    stored_list,
    stored_lists,
    stored_tables,
    tables_for,
)
from rolloff.armies.forms import MOST_BYTES, BookForm, EntryForm, ListForm, decode, fit, read_list
from rolloff.armies.limits import check_models, check_sizes
from rolloff.armies.tables import Kind, Kit, fortified, generate, read_kit, read_table
from rolloff.editions import registry
from rolloff.errors import ArmyError, BadInput, RolloffError
from rolloff.identity_cache import IdentityCache
from rolloff.oracle.dice import Stream, seed_bytes
from rolloff.rules.edition import Edition
from rolloff.rules.game import Game, check_cards, check_setup
from rolloff.table.profile import Card
from rolloff.table.setup import Setup, Table

RANDOM: Final = "random"
"""The name of an army or a table drawn by seed and game number."""
SIDE_LETTERS: Final = "ab"

__all__ = [
    "RANDOM",
    "Army",
    "army",
    "book",
    "books",
    "find_list",
    "lists",
    "mission",
    "missions",
    "setup_for",
    "table",
    "tables",
]


class Army(Struct, frozen=True):
    """A list made into cards: its name, what it costs, and a hash that is the same in either seat."""

    name: str
    cards: tuple[Card, ...]
    points: int
    hash: str


def _edition(edition: Edition | str) -> Edition:
    return registry.edition(edition) if isinstance(edition, str) else edition


def _brought(edition: Edition) -> Mapping[str, Any]:
    """The lists an edition brings itself."""
    return edition.lists


def lists(edition: Edition | str) -> tuple[str, ...]:
    """The names of the ready-made lists for an edition."""
    rules = _edition(edition)
    return (*stored_lists(rules.id), *(name for name in _brought(rules) if name not in stored_lists(rules.id)))


def tables(edition: Edition | str) -> tuple[str, ...]:
    """The names of the fixed tables for an edition."""
    return tuple(stored_tables(_edition(edition).id))


@cache
def _missions(edition: str) -> dict[str, dict[str, Any]]:
    raw = family_file(edition, "missions.toml")
    return {} if raw is None else dict(decode(raw, "missions"))


def missions(edition: Edition | str) -> tuple[str, ...]:
    """The ids of the missions for an edition; the first is the one by the book."""
    return tuple(_missions(_edition(edition).id))


def mission(edition: Edition | str, name: str) -> Mapping[str, Any]:
    """What a mission's file says of it: its name, what it is about, and its figures."""
    known = _missions(_edition(edition).id)
    if name not in known:
        raise BadInput("unknown-mission", f"no mission {name!r}", where="mission", allowed=", ".join(known))
    return known[name]


def _read_file(name: str, what: str, allowed: tuple[str, ...]) -> bytes:
    path = Path(name)
    try:
        if path.is_file() and path.stat().st_size <= MOST_BYTES:
            return path.read_bytes()
    except (OSError, ValueError):
        pass  # a name that is no file is told below like one that is not there
    known = ", ".join((*allowed, RANDOM)) + ", or a file"
    raise ArmyError(f"unknown-{what}", f"no {what} {name!r}", where=what, allowed=known)


def find_list(edition: Edition | str, name: str) -> ListForm:
    """A ready-made list by its name, or the list in a file.

    Raises:
        ArmyError: there is neither, or the file is no list, or is one for another edition.
    """
    rules = _edition(edition)
    if name in stored_lists(rules.id):
        return stored_list(name)
    if name in _brought(rules):
        return fit(_brought(rules)[name], ListForm, name)
    if name in shelf("lists"):
        return _of_edition(rules, stored_list(name), name)
    return _of_edition(rules, read_list(_read_file(name, "army", lists(rules)), name), name)


def _of_edition(rules: Edition, found: ListForm, name: str) -> ListForm:
    """A list of this edition; else `ArmyError` with the first thing in it that this edition lacks, and what is nearest."""
    if found.edition == rules.id:
        return found
    if found.edition not in (installed := registry.editions()):
        message = f"{name}: edition: no edition {found.edition[:80]!r} is installed"
        raise ArmyError("unknown-edition", message, where="edition", allowed=", ".join(installed))
    lacks = _lacks(rules, found)
    why, clause = (f": {lacks.message}", lacks.clause) if lacks else ("", None)
    message = f"{name}: the list is legal in {found.edition[:80]}, not in {rules.id}{why}"
    raise ArmyError("wrong-edition", message, where="edition", allowed=rules.id, clause=clause or rules.engine.edition or None)


def _lacks(rules: Edition, form: ListForm) -> RolloffError | None:
    """What keeps a list of another edition from being one of this: a rule, a weapon or a type that it does not have."""
    try:
        check_cards(rules, muster_list(rules, msgspec.structs.replace(form, edition=rules.id), 0).cards)
    except RolloffError as error:
        return error
    return None


def muster_list(edition: Edition, form: ListForm, side: int) -> Army:
    """The cards of a list for a side: a1, a2 and so on, with models a1.1, a1.2. `ArmyError` if it cannot be one."""
    check_sizes(form)
    shop = Workshop.of(edition)
    cards: list[Card] = []
    models = 0
    for number, entry in enumerate(form.units, 1):
        where = f"{form.name}: units[{number - 1}]"
        if entry.unit:
            kit = from_book(_book_of(form, entry, where), entry, shop, where)
        else:
            kit = written_out(entry, shop, where)
        models += len(kit.models)
        check_models(models, form.name)
        kit = msgspec.structs.replace(kit, words=(*kit.words, *said(entry, form.detachment)))
        cards.append(_sound(edition, kit.card(f"{SIDE_LETTERS[side]}{number}", side), where))
    points = sum(card.points for card in cards)
    if 0 < form.points < points:
        message = f"{form.name}: {points} points are more than {form.points}, which it is a list for"
        raise ArmyError("over-limit", message, where=form.name, clause=edition.engine.size or None)
    return Army(form.name, tuple(cards), points, _hash(form, cards))


def _book_of(form: ListForm, entry: EntryForm, where: str) -> BookForm:
    """The book a unit of a list is taken from: its own, or that of the whole list."""
    name = entry.book or form.book
    if not name:
        message = f"{where}: {entry.unit[:80]!r} is a unit of a book, and the list names none"
        raise ArmyError("no-book", message, where="book", allowed=", ".join(sorted(shelf("books"))))
    return book(name)


def _sound(edition: Edition, card: Card, where: str) -> Card:
    """A card its edition can use; what is wrong with one of a list is told by its name there."""
    try:
        edition.check_card(card)
    except BadInput as error:
        if error.message.startswith(f"{card.id}."):
            error.message = f"{where}: {card.name}{error.message.removeprefix(card.id)}"
        raise
    return card


def _hash(form: ListForm, cards: list[Card]) -> str:
    neutral = [msgspec.structs.replace(card, id=str(k), side=0, models=()) for k, card in enumerate(cards)]
    kits = [[(m.name, m.base, m.height, m.rules, m.weapons) for m in card.models] for card in cards]
    return "sha256:" + hashlib.sha256(msgspec.json.encode([form.edition, neutral, kits])).hexdigest()


_mustered: dict[tuple[str, str, int], tuple[Edition, Army]] = {}


def army(edition: Edition | str, name: str | ListForm, side: int) -> Army:
    """An army by the name of a ready-made list, by its file, or from the list itself; `ArmyError` says what is wrong."""
    rules = _edition(edition)
    if isinstance(name, ListForm):
        return muster_list(rules, _of_edition(rules, name, name.name), side)
    if name not in lists(rules):
        return muster_list(rules, find_list(rules, name), side)
    key = (rules.id, name, side)
    kept = _mustered.get(key)
    if kept is None or kept[0] is not rules:
        kept = _mustered[key] = (rules, muster_list(rules, find_list(rules, name), side))
    return kept[1]


_costs: IdentityCache[Edition, dict[str, int]] = IdentityCache(64)
"""What the ready-made lists for an edition cost: every game asks for all of them."""


def full_lists(edition: Edition, points: int) -> list[str]:
    """The ready-made lists that come within a fifth of a game's size and do not pass it; else smaller ones; else all."""
    costs = _costs.get(edition)
    if costs is None:
        costs = _costs.put(edition, {name: army(edition, name, 0).points for name in lists(edition)})
    full = [name for name, cost in costs.items() if 5 * cost >= 4 * points and cost <= points]
    return full or [name for name, cost in costs.items() if cost <= points] or list(costs)


def _army_named(edition: Edition, name: str | ListForm, seed: int, index: int, side: int, points: int) -> str | ListForm:
    """Nobody named: the first full list for A, the second for B. Random: one of them by lot."""
    if isinstance(name, ListForm):
        return name
    if name and (name != RANDOM or RANDOM in lists(edition)):
        return name
    names = full_lists(edition, points)
    if not names:
        raise ArmyError("no-lists", f"no ready-made list for {edition.id}", where="army", allowed="a list file")
    if not name:
        return names[min(side, len(names) - 1)]
    return Stream(seed_bytes(seed, index, "army", side)).pick(names)


def _kit(edition: Edition) -> Kit:
    """The kinds of terrain of the edition's family, or plain ones, whose types the edition knows."""
    kinds = read_kit(family_file(edition.id, "kit.toml") or plain_file("kit.toml"))
    return {id: kind for id, kind in kinds.items() if kind.types <= edition.terrain.keys()}


def lays_out(edition: Edition | str) -> bool:
    """Whether a fresh table is laid out for an edition from pieces of its kit."""
    return any(kind.solid for kind in _kit(_edition(edition)).values())


def table(edition: Edition | str, name: str, seed: int, index: int, points: int = 0) -> Table:
    """A fixed table by name, one from a file, or (random, or nothing named) one chosen for this game by its seed.

    It is generated from the edition's terrain kit, or from plain pieces. An edition that knows none of their types plays on
    one of its fixed tables for games of so many points, and if it has none on a bare one.
    """
    return _laid(_edition(edition), name, seed, index, points)


def _laid(rules: Edition, name: str, seed: int, index: int, points: int) -> Table:
    kit = _kit(rules)
    if name in stored_tables(rules.id):
        return _read(stored_tables(rules.id)[name], tuple(kit.items()), name)
    if name not in ("", RANDOM):
        return read_table(_read_file(name, "table", tables(rules)), kit, name)
    stream = Stream(seed_bytes(seed, index, "table"))
    if lays_out(rules):
        return generate(stream, kit, rules.table_size, f"{RANDOM} {seed}/{index}")
    fitting = tables_for(rules.id, points or rules.points)
    if not fitting:
        return Table(rules.table_size, (), "bare")
    return _laid(rules, stream.pick(fitting), seed, index, points)


@lru_cache(maxsize=64)
def _read(raw: bytes, kit: tuple[tuple[str, Kind], ...], name: str) -> Table:
    """A fixed table, read once for all games on it."""
    return read_table(raw, dict(kit), name)


def setup_for(
    edition: Edition | str,
    army_a: str | ListForm = "",
    army_b: str | ListForm = "",
    table: str = "",
    mission: str = "",
    points: int = 0,
    seed: int = 0,
    index: int = 0,
    switches: Mapping[str, bool] | None = None,
) -> Setup:
    """Everything fixed before the first die of game ``index`` of a run with ``seed``.

    Armies and tables are names, files or ``random``; an army may be a list itself. Without points the edition's usual game size
    holds.

    Raises:
        UnknownEdition, ArmyError, BadInput: a name nobody knows, or a list or table that cannot be used.
    """
    rules = _edition(edition)
    known = _missions(rules.id)
    if mission and known and mission not in known:
        raise BadInput("unknown-mission", f"no mission {mission!r}", where="mission", allowed=", ".join(known))
    limit = points or rules.points
    names = [_army_named(rules, name, seed, index, side, limit) for side, name in enumerate((army_a, army_b))]
    armies = [army(rules, name, side) for side, name in enumerate(names)]
    laid, chosen = _laid(rules, table, seed, index, limit), known.get(mission, {})
    if chosen.get("fortified"):
        laid = fortified(laid, _kit(rules))
    agreed = dict(switches or {})
    for name, value in chosen.get("switches", {}).items():
        agreed.setdefault(name, value)
    found = Setup(
        edition=rules.id,
        table=laid,
        cards=armies[0].cards + armies[1].cards,
        switches=agreed,
        mission=mission,
        points=limit,
        armies=(armies[0].name, armies[1].name),
    )
    check_setup(rules, found)
    return found


def new_game(
    edition: Edition | str,
    army_a: str = "",
    army_b: str = "",
    table: str = "",
    mission: str = "",
    points: int = 0,
    seed: int = 0,
) -> Game:
    """A game ready to begin: ``new_game("onepage-3.0", seed=7).begin(seed=7)``. What is left out is chosen by the seed.

    Raises:
        UnknownEdition, ArmyError, BadInput: as `setup_for`.
    """
    return Game(_edition(edition), setup_for(edition, army_a, army_b, table, mission, points, seed))
