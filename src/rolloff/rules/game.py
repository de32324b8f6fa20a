"""A game to be played: an edition and a setup compiled once, with the names and numbers everything else looks up."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from rolloff.errors import BadInput
from rolloff.geometry.field import Ground, Piece, Scene
from rolloff.geometry.measure import unit_gaps
from rolloff.geometry.moves import Order
from rolloff.geometry.shapes import ShapeError
from rolloff.identity_cache import IdentityCache
from rolloff.lazy import lazy
from rolloff.oracle.dice import seed_bytes
from rolloff.rules.edition import Edition
from rolloff.rules.muster import field_of, muster, rank_of
from rolloff.rules.terms import Role
from rolloff.rules.windows import Listening, Reaction, Timely, Timing, absences, listeners
from rolloff.table.event import Done, Marked, ModelMarked, Patch, Placed, SideMarked, Ticked, Wounded
from rolloff.table.profile import Card, Model
from rolloff.table.setup import Setup, Table
from rolloff.table.state import NOWHERE, TABLE, Clock, Marks, State, Unit, Value

if TYPE_CHECKING:
    from rolloff.rules.objectives import Judged
    from rolloff.rules.position import Legal, Position
    from rolloff.rules.turns import Ahead

MOST_MODELS = 1000
MOST_PIECES = 200
MOST_LETTERS = 64
"""How long an id may be."""


def _ground(edition: Edition, table: Table) -> Ground:
    if not table.terrain:
        return _bare(table.size)
    return _compiled(table, tuple(edition.terrain.items()), not edition.situation.tops)


@lru_cache(maxsize=64)
def _compiled(table: Table, terrain: tuple[tuple[str, int], ...], lifts: bool) -> Ground:
    """A table with terrain, compiled once for all games on it; the kinds of terrain are those an edition knows.

    With ``lifts`` a piece lifts whoever is on it by its elevation.
    """
    known = dict(terrain)
    pieces = []
    for piece in table.terrain:
        kinds = 0
        for name in piece.types:
            if name not in known:
                allowed = ", ".join(sorted(known))
                raise BadInput("bad-terrain", f"{piece.id}: no terrain type {name!r}", where=piece.id, allowed=allowed)
            kinds |= known[name]
        lifted = piece.elevation if lifts else 0
        pieces.append(
            Piece(piece.id, piece.polygon, piece.disc, lifted, piece.height, piece.solid, kinds, piece.bottom)
        )  # LOS-1, LOS-4
    return Ground.of(table.size, pieces)


@lru_cache(maxsize=64)
def _bare(size: tuple[int, int]) -> Ground:
    """A table without terrain."""
    return Ground.of(size)


_sound: IdentityCache[Card, Edition] = IdentityCache()
"""Cards that passed lately: those of ready-made armies are asked about before every game."""


def check_cards(edition: Edition, cards: Iterable[Card]) -> None:
    """Refuse a card the edition cannot use; the edition's own error says which and why."""
    for card in cards:
        if _sound.get(card) is not edition:
            edition.check_card(card)
            ids = card.id, *rank_of(card).models
            if not all(ids) or max(map(len, ids)) > MOST_LETTERS:
                bad = next(one for one in ids if not one or len(one) > MOST_LETTERS)
                raise BadInput("bad-id", f"{bad!r} is no id", where="units", allowed=f"1 to {MOST_LETTERS} characters")
            _sound.put(card, edition)


_agreed: IdentityCache[Setup, Edition] = IdentityCache(64)
"""Setups that passed lately: who lays a game out checks it, and the game made of it does."""


def check_setup(edition: Edition, setup: Setup) -> None:
    """Refuse what the edition refuses of a setup: its cards, and how they go together."""
    if _agreed.get(setup) is not edition:
        check_cards(edition, setup.cards)
        if edition.check_setup:
            edition.check_setup(setup)
        _agreed.put(setup, edition)


def gaps_in(scene: Scene, measured: dict[object, Any], unit: int) -> list[float]:
    """The gap of a unit to each unit in a moment, from what was measured in it or measured now."""
    found: list[float] | None = measured.get(unit)
    if found is None:
        found = measured[unit] = unit_gaps(scene, unit)
    return found


Both = tuple[tuple[int, ...], tuple[int, ...]]
"""Units of each side."""
Purses = tuple[Mapping[str, Value], Mapping[str, Value]]
"""The marks of each player, by name."""
_STAYING = frozenset({Placed, Ticked, SideMarked, ModelMarked, Wounded})
"""Patches after which units are what they were: nobody goes anywhere, acts or is marked."""


class Census:
    """What was found out about the units of a state: who has acted, the words of their marks, who stands on the table."""

    __slots__ = ("acted", "standing", "units", "words")

    def __init__(self, units: tuple[Unit, ...]) -> None:
        """Nothing yet."""
        self.units = units
        self.acted: set[int] | None = None
        self.words: frozenset[Value] | None = None
        self.standing: Both | None = None

    def follow(self, units: tuple[Unit, ...], patches: tuple[Patch, ...]) -> None:
        """The units are others now by these patches: what those cannot have changed is known of them as well."""
        before, self.units = self.units, units
        marked = False
        for patch in patches:
            if type(patch) is Marked:
                marked = True
            elif type(patch) is Done:
                if not patch.done:
                    self.acted = None
                elif self.acted is not None:
                    self.acted.add(patch.unit)
            elif type(patch) not in _STAYING:
                self.standing = None
        if marked and self.words is not None:
            self.words = _with_words(self.words, before, units, patches)


def _with_words(
    words: frozenset[Value], before: tuple[Unit, ...], units: tuple[Unit, ...], patches: tuple[Patch, ...]
) -> frozenset[Value] | None:
    """The words of marks with those of new ones; None where a mark was lifted or changed: a word may be nobody's then."""
    added, changed = set[Value](), -1
    for patch in patches:
        if type(patch) is not Marked:
            continue
        unit, value = patch.unit, patch.value
        if unit <= changed or value is None or len(units[unit].marks) == len(before[unit].marks):
            return None  # and of units that are marked twice not all is known
        changed = unit
        added.add(patch.name)
        added.add(value)
    return words if added <= words else words | added


class Game:
    """Edition and setup, compiled. Holds nothing that changes: states are passed in and come out."""

    def __init__(self, edition: Edition, setup: Setup) -> None:
        """Compile; raises `BadInput` for a table or cards the edition cannot use."""
        self.edition = edition
        self.setup = setup
        self.cards: tuple[Card, ...] = setup.cards
        self.models: tuple[Model, ...] = tuple(chain.from_iterable([card.models for card in setup.cards]))
        if len(self.models) > MOST_MODELS or len(setup.table.terrain) > MOST_PIECES:
            allowed = f"{MOST_MODELS} models, {MOST_PIECES} pieces of terrain"
            raise BadInput("too-many", f"over the cap of {allowed}", where="units", allowed=allowed)
        check_setup(edition, setup)
        self.table: Table = edition.furnish(setup) if edition.furnish else setup.table
        self.switches = {**edition.switches, **setup.switches}
        ranks = tuple([rank_of(card) for card in setup.cards])
        placed = muster(ranks)
        self.starts: tuple[int, ...] = placed.starts
        self.names: tuple[str, ...] = placed.names
        self.numbers: Mapping[str, int] = placed.numbers
        self.slots: Mapping[str, int] = placed.slots
        self.sides = placed.sides
        try:
            self.field = field_of(_ground(edition, self.table), ranks)
        except ShapeError as error:
            raise BadInput("bad-shape", str(error), where="table", allowed="simple outlines and bases with a size") from None
        self._measured: tuple[State, tuple[Scene, dict[object, Any]]] | None = None
        self.gap_codes: dict[object, bytes] = {}  # how near units may come to each other (`rules.deployment`)
        self.keeping: dict[object, tuple[bytes, bytes]] = {}  # the same of kinds of move: at the end, and on the way
        self.census = Census(())
        self._stood: dict[tuple[int, ...], Both] = {}  # who stands on the table, by where all units are
        self._inside: tuple[Both | None, Both] = (None, ((), ()))  # who stands on the table, and who is inside others then
        self.purses: tuple[tuple[Marks, Marks], Purses] = (((), ()), ({}, {}))  # the players' marks, and by name
        self._others: tuple[object, object, frozenset[object]] = (
            (),
            (),
            frozenset(),
        )  # marks of players and models, their words
        self.timely: dict[Timing, Timely] = {}  # `listening.timely` from when it was first needed (`rules.windows`)
        self.ways: dict[Clock, Ahead] = {}  # from one row of the table of turns to the next, as far as gone (`rules.turns`)
        self.strongest: tuple[object, Judged] | None = None  # at each marker, and by what (`rules.objectives`)
        self.judged: dict[tuple[int, ...], Judged] = {}  # what that makes of the markers, by who is
        self.orders: dict[object, Order] = {}  # what units may do with a move, as far as it was asked (`rules.movement`)
        self.lookups: Any = edition.prepare(self)  # whose type the edition knows

    @lazy
    def units_of(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The unit numbers of each side, in roster order."""
        by_side = [tuple(n for n, card in enumerate(self.cards) if card.side == side) for side in (0, 1)]
        return by_side[0], by_side[1]

    @lazy
    def card_of(self) -> tuple[Card, ...]:
        """The card each model stands on, by slot."""
        return tuple(card for card in self.cards for _ in card.models)

    @lazy
    def absent(self) -> tuple[frozenset[int], frozenset[int]]:
        """The reactions each side could never use, by identity."""
        return absences(self)

    @lazy
    def listening(self) -> Listening:
        """Who may react at which moment, and what was found out about it."""
        return listeners(self)

    @lazy
    def reactions(self) -> Mapping[str, tuple[Reaction, ...]]:
        """Who may react at which moment; a moment without an entry costs nothing."""
        return self.listening.reactions

    @lazy
    def silent_rows(self) -> frozenset[str]:
        """The rows of the table of turns that can never do anything in this game."""
        turns = self.edition.turns
        return frozenset([name for name, step in turns.named.items() if step.run.silent(self)] if turns else ())

    @lazy
    def roles(self) -> dict[str, Role]:
        """What each action of the edition is for, by its name."""
        return {action.name: action.role for action in self.edition.actions}

    def side_of(self, unit: int) -> int:
        """The side a unit fights for."""
        return self.sides[unit]

    def start(self) -> State:
        """The state before anything has happened: every unit waits off the table."""
        n = len(self.models)
        owner = b"".join(struct.pack("<h", number) * len(card.models) for number, card in enumerate(self.cards))
        units = tuple(Unit(living=tuple(range(self.starts[k], self.starts[k + 1]))) for k in range(len(self.cards)))
        return State(
            xy=struct.pack("<2i", NOWHERE, 0) * n,
            z=bytes(4 * n),
            facing=bytes(2 * n),
            wounds=bytes(2 * n),
            owner=owner,
            units=units,
            sides=((), ()),
            models=(),
            clock=self.edition.opening,
        )

    def begin(self, seed: int | bytes = 0, state: State | None = None) -> Position:
        """The first open question of a game with these dice, from its beginning or from a state between commands."""
        from rolloff.rules.position import Position

        return Position(self, seed_bytes(seed, 0, "dice") if isinstance(seed, int) else seed, state)

    def legal(self, position: Position | State) -> Legal:
        """What may be answered at a position, or at the first question after a state between commands."""
        found = self.begin(state=position) if isinstance(position, State) else position
        return found.legal

    def scene(self, state: State) -> Scene:
        """The moment as geometry sees it."""
        return self.measured(state)[0]

    def measured(self, state: State) -> tuple[Scene, dict[object, Any]]:
        """The moment as geometry sees it, and what was measured in it: kept until somebody stands otherwise."""
        known = self._measured
        if known is not None:
            at, kept = known
            if at is state:
                return kept
            scene = kept[0]
            if (
                scene.xy is state.xy
                and scene.facing is state.facing
                and scene.owner is state.owner
                and scene.z is state.z
            ):  # fmt: skip
                self._measured = state, kept
                return kept
        kept = Scene(self.field, state.xy, state.z, state.facing, state.owner, self.sides), {}
        self._measured = state, kept
        return kept

    def rest(self, before: State, after: State, lifted: bool) -> None:
        """A state became another in which nobody has acted; marks of units were ``lifted`` or changed, or else none was."""
        census = self.census
        if census.units is before.units:
            census.units, census.acted = after.units, set()
            if lifted:
                census.words = None

    def acted(self, state: State) -> Sequence[int]:
        """Who has acted, in order; kept while no unit acts."""
        census = self.census
        if census.units is not state.units:
            census = self.census = Census(state.units)
        acted = census.acted
        if acted is None:
            acted = census.acted = {k for k, unit in enumerate(state.units) if unit.done}
        return sorted(acted) if acted else ()

    def words(self, state: State) -> frozenset[Value]:
        """The names and values of all marks of units, kept while those are the same."""
        census = self.census
        if census.units is not state.units:
            census = self.census = Census(state.units)
        words = census.words
        if words is None:
            marks = [unit.marks for unit in state.units]
            words = census.words = frozenset(chain.from_iterable(chain.from_iterable(filter(None, marks))))
        return words

    def other_words(self, state: State) -> frozenset[object]:
        """The names and values of all marks of players and single models, kept while those are the same."""
        sides, models, words = self._others
        if sides is not state.sides or models is not state.models:
            words = frozenset(chain.from_iterable(chain(*state.sides, state.models)))
            self._others = state.sides, state.models, words
        return words

    def standing(self, state: State) -> Both:
        """Who of each side stands on the table: the same thing again while no unit goes anywhere."""
        census = self.census
        if census.units is not state.units:
            census = self.census = Census(state.units)
        standing = census.standing
        if standing is None:
            standing = census.standing = self._at(tuple([unit.where for unit in state.units]))
        return standing

    def _at(self, where: tuple[int, ...]) -> Both:
        """Who of each side stands on the table, by where all units are: the same thing again for the same."""
        found = self._stood.get(where)
        if found is None:
            first, second = self.units_of
            here = tuple([k for k in first if where[k] == TABLE])
            found = self._stood[where] = here, tuple([k for k in second if where[k] == TABLE])
        return found

    def inside(self, state: State) -> Both:
        """Who of each side is inside another unit, kept while no unit goes anywhere."""
        kept, here = self._inside, self.standing(state)  # which is the same thing again for the same whereabouts
        if kept[0] is not here:
            first, second = [tuple([k for k in own if state.units[k].where >= 0]) for own in self.units_of]
            kept = self._inside = here, (first, second)
        return kept[1]

    def players(self, state: State) -> Purses:
        """The marks of each player by name, kept while those are the same."""
        known, sides = self.purses, state.sides
        before, kept = known
        if before is not sides:
            first, second = sides
            one = kept[0] if before[0] is first else dict(first)
            kept = one, kept[1] if before[1] is second else dict(second)
            self.purses = sides, kept
        return kept

    def gaps_from(self, state: State, unit: int) -> list[float]:
        """The gap of a unit to each unit, by number; infinite to whom has nobody on the table."""
        scene, kept = self.measured(state)
        found: list[float] | None = kept.get(unit)
        return gaps_in(scene, kept, unit) if found is None else found

    def unit_number(self, name: object, where: str = "unit") -> int:
        """The number of a unit by its id, or `BadInput`."""
        if isinstance(name, str) and name in self.numbers:
            return self.numbers[name]
        if any(name == piece.id for piece in self.table.terrain):
            message = f"{where}: {name} is a terrain feature, no unit"
            raise BadInput("not-a-unit", message, where=where, allowed=", ".join(self.names[:20]), clause=self.edition.scenery)
        raise BadInput("unknown-unit", f"{where}: no unit {name!r}", where=where, allowed=", ".join(self.names[:20]))

    def slot_number(self, name: object, where: str = "model") -> int:
        """The roster slot of a model by its id, or `BadInput`."""
        if isinstance(name, str) and name in self.slots:
            return self.slots[name]
        raise BadInput("unknown-model", f"{where}: no model {name!r}", where=where, allowed="a model's id, as a1.1")
