"""Timed effects: marks that end by themselves. An edition says at which boundary; `ended` gives the patches of that boundary.

A boundary is a place in the game that is crossed: the end of a phase, the start of a player's turn, the end of a unit's
activation. Whatever lasts "until ..." is a mark whose value (or name) the edition's `Effects` knows as a word for such a place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from itertools import chain
from typing import TYPE_CHECKING

from msgspec import Struct, field

from rolloff.rules.component import Component
from rolloff.rules.losses import split_into
from rolloff.table.event import Marked, ModelMarked, SideMarked, patched
from rolloff.table.state import Marks, State, Value

if TYPE_CHECKING:
    from rolloff.rules.game import Game
    from rolloff.rules.play import Play

ANY, OWNER, OTHER, BEARER = "any", "owner", "other", "bearer"
USED, DID = "used:", "did:"
"""How marks begin that note a limited use (`windows.Limit`) and what a unit did; their values are words for how long."""
GAME = "game"
"""The word of an effect that lasts as long as the game."""


class Duration(Component, frozen=True):
    """When an effect ends: at which boundary, whose (seen from the mark's bearer), and what it becomes instead of ending.

    ``whose``: ANY boundary of that name; the OWNER's, or the OTHER player's; BEARER: the marked unit's own.
    ``then``: a word; the mark goes on with it ("until the end of the turn after this one").
    """

    at: str
    whose: str = ANY
    then: str = ""


class Effects(Component, frozen=True, dict=True):
    """Durations by word. A mark is timed if its name is in ``marks``, or begins with a prefix and its value is a word."""

    words: Mapping[str, Duration] = field(default_factory=dict)
    marks: Mapping[str, str] = field(default_factory=dict)
    prefixes: tuple[str, ...] = (USED, DID)

    def duration(self, name: str, value: Value) -> Duration | None:
        """How long a mark lasts; None: until somebody lifts it."""
        word = self.marks.get(name)
        if word is None and isinstance(value, str) and name.startswith(self.prefixes):
            word = value
        return None if word is None else self.words.get(word)

    @cached_property
    def ending(self) -> Mapping[str, frozenset[Value]]:
        """The words and the names of marks that may end at a boundary, by its name: most marks are none of them."""
        found: dict[str, set[Value]] = {}
        for word, lasts in self.words.items():
            found.setdefault(lasts.at, set()).update((word, *(name for name, of in self.marks.items() if of == word)))
        return {at: frozenset(names) for at, names in found.items()}

    @cached_property
    def bearers(self) -> frozenset[str]:
        """The boundaries at which only the marks of the unit whose they are may end."""
        whose: dict[str, set[str]] = {}
        for lasts in self.words.values():
            whose.setdefault(lasts.at, set()).add(lasts.whose)
        return frozenset(at for at, found in whose.items() if found == {BEARER})

    @cached_property
    def anybodys(self) -> frozenset[str]:
        """The boundaries at which it does not matter whose they are."""
        ends = [lasts for lasts in self.words.values() if lasts.whose != ANY]
        return frozenset(self.ending) - {lasts.at for lasts in ends}

    @cached_property
    def changes(self) -> Callable[[str, bool, bool, Marks], tuple[tuple[str, Value | None], ...]]:
        """Which of some marks a boundary ends or carries over, and to what: by the boundary's name, if it is the bearer's
        owner's, if it is the bearer's own, and the marks. The same for equal marks; the latest answers are kept.
        """
        return lru_cache(maxsize=4096)(partial(_changes, self))

    def known(self, word: str) -> bool:
        """Whether the word says how long something lasts."""
        return word == GAME or word in self.words


class Boundary(Struct, frozen=True):
    """A place where effects end: its name, the side whose it is (-1: nobody's), the unit if it is a unit's."""

    name: str
    side: int = -1
    unit: int = -1


Ending = tuple[Boundary, frozenset[Value]]
"""A boundary, and the words and names of marks that may end there."""
Timed = Marked | SideMarked | ModelMarked
NOTHING: frozenset[Value] = frozenset()


def ending_at(effects: Effects, boundaries: Iterable[Boundary]) -> tuple[Ending, ...]:
    """Those of some boundaries at which anything may end."""
    return tuple([(boundary, effects.ending[boundary.name]) for boundary in boundaries if boundary.name in effects.ending])


def ended(game: Game, state: State, *boundaries: Boundary) -> Sequence[Timed]:
    """The patches that end (or carry over) what lasts until these boundaries, crossed one after the other."""
    return ended_at(game, state, ending_at(game.edition.effects, boundaries))


def ended_at(game: Game, state: State, endings: Iterable[Ending]) -> Sequence[Timed]:
    """The same for boundaries at which anything may end, each with the words for that.

    What has ended at one of them is not looked for at another: only what goes on is, or all at a boundary of the same name.
    """
    bearers = game.edition.effects.bearers
    words = game.words(state)
    found: list[Timed] = []
    crossed: list[str] = []
    applied = 0
    for boundary, here in endings:
        name = boundary.name
        if applied < len(found):
            new = found[applied:]
            if name in crossed or any(patch.value is not None for patch in new):
                state, applied = patched(state, *new), len(found)
                words = game.words(state)
        if name in bearers or not here.isdisjoint(words):
            found += _ended_of_units(game, state, boundary)
        if not here.isdisjoint(game.other_words(state)):
            found += _ended_of_others(game, state, boundary, here)
        crossed.append(name)
    return found


def _ended_of_units(game: Game, state: State, boundary: Boundary) -> list[Timed]:
    """Of marks of units."""
    name, side, bearer, effects = boundary.name, boundary.side, boundary.unit, game.edition.effects
    sides, changes = game.sides, effects.changes
    if name in effects.bearers:
        rows = changes(name, side == sides[bearer], True, state.units[bearer].marks)
        return [Marked(bearer, mark, after) for mark, after in rows]
    found: list[Timed] = []
    anybodys = name in effects.anybodys
    for unit, held in enumerate(state.units):
        own = held.marks
        if own:
            rows = changes(name, False, False, own) if anybodys else changes(name, side == sides[unit], unit == bearer, own)
            for mark, after in rows:
                found.append(Marked(unit, mark, after))
    return found


def _ended_of_others(game: Game, state: State, boundary: Boundary, here: frozenset[Value]) -> list[Timed]:
    """Of marks of players and single models."""
    effects, name, side = game.edition.effects, boundary.name, boundary.side
    found: list[Timed] = []
    for owner, marks in enumerate(() if name in effects.bearers else state.sides):
        if not here.isdisjoint(chain.from_iterable(marks)):
            changed = _changes(effects, name, side == owner, False, marks)  # hardly ever the same twice
            found += [SideMarked(owner, mark, after) for mark, after in changed]
    if state.models and not here.isdisjoint(chain.from_iterable(state.models)):
        for slot, mark, value in state.models:
            if value in here or mark in here:
                unit = state.owner_of(slot)
                ending = effects.changes(name, side == game.sides[unit], unit == boundary.unit, ((mark, value),))
                found += [ModelMarked(slot, mark, after) for _, after in ending]
    return found


def _changes(
    effects: Effects, boundary: str, owners: bool, bearers: bool, marks: Marks
) -> tuple[tuple[str, Value | None], ...]:
    """The marks that end or go on otherwise at a boundary, and their values then."""
    here = effects.ending[boundary]
    found: list[tuple[str, Value | None]] = []
    for name, value in marks:
        if value not in here and name not in here:
            continue
        lasts = effects.duration(name, value)
        if lasts is None or lasts.at != boundary:
            continue
        if (
            (lasts.whose == OWNER and not owners)
            or (lasts.whose == OTHER and owners)
            or (lasts.whose == BEARER and not bearers)
        ):
            continue
        found.append((name, lasts.then or None))
    return tuple(found)


def lasting(game: Game, unit: int, name: str, word: str) -> Marked:
    """The patch that lays a timed mark on a unit. What more it must know goes into its name (``slow:2``).

    Raises:
        ValueError: the edition's `Effects` would never end it, which is a fault of the edition.
    """
    effects = game.edition.effects
    if not (effects.known(word) and (name in effects.marks or name.startswith(effects.prefixes))):
        raise ValueError(f"{game.edition.id}: nothing ends the mark {name!r} until {word!r}")
    return Marked(unit, name, word)


def cross(play: Play, boundary: Boundary, kind: str, *clauses: str) -> None:
    """A boundary that is no row's (the end of a unit's activation, of its attacks): what lasts until it ends, as one event.

    It is that of the units, too, which a unit has fallen into meanwhile: they took over what lay on it.
    """
    game, effects = play.game, play.game.edition.effects
    here, bearers = effects.ending.get(boundary.name, NOTHING), boundary.name in effects.bearers
    if not here:
        return
    for unit in (boundary.unit, *split_into(play, boundary.unit)):
        state = play.state
        borne = chain.from_iterable(state.units[unit].marks)
        if bearers and here.isdisjoint(borne) and here.isdisjoint(game.other_words(state)):
            continue  # as most: it bears nothing that could end
        crossed = boundary if unit == boundary.unit else Boundary(boundary.name, boundary.side, unit)
        patches = ended_at(game, state, ((crossed, here),))
        if patches:
            play.emit(kind, clauses, *patches, unit=unit)
