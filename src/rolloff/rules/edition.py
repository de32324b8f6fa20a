"""The edition record: a rulebook as a value. It composes components; nobody asks for its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from rolloff.geometry.field import COVER, DANGEROUS, DIFFICULT, ELEVATION, IMPASSABLE
from rolloff.geometry.moves import Rectangle
from rolloff.geometry.sight import Mode
from rolloff.rules.cards import any_card, no_lookups, read_weapon
from rolloff.rules.component import Component
from rolloff.rules.effects import Effects
from rolloff.rules.fire import Fire
from rolloff.rules.hooks import overridden
from rolloff.rules.losses import Losses
from rolloff.rules.notation import Notation
from rolloff.rules.notes import Note
from rolloff.rules.powers import Powers
from rolloff.rules.terms import Action, EngineClauses, Outcomes, SituationDefaults
from rolloff.rules.words import Words
from rolloff.table.profile import Card, Model, Rule, Weapon
from rolloff.table.request import Request
from rolloff.table.setup import Setup, Table
from rolloff.table.state import Clock, State

if TYPE_CHECKING:
    from rolloff.rules.attack import AttackForm, AttackSequence
    from rolloff.rules.game import Game
    from rolloff.rules.hooks import Special
    from rolloff.rules.movement import Movement
    from rolloff.rules.objectives import Objectives
    from rolloff.rules.play import Play
    from rolloff.rules.transports import Transports
    from rolloff.rules.turns import Part, Turns
    from rolloff.rules.windows import Reaction

Step = Callable[["Play"], None]
Price = Callable[[Sequence[Model], tuple[Rule, ...], int, str], Fraction]
"""The exact price of models with their common rules, the unit's basic figure and its type."""
Ask = Callable[["Game", State, object], "Reply"]


TERRAIN = {
    "open": 0,
    "cover": COVER,
    "difficult": DIFFICULT,
    "dangerous": DANGEROUS,
    "impassable": IMPASSABLE,
    "elevation": ELEVATION,
}
"""Types of terrain every edition knows unless it has its own."""


class Reply(Struct, frozen=True):
    """The answer to a question about a situation, with its evidence, and what was read otherwise than written.

    ``seen`` is further evidence, by name.
    """

    value: object
    clauses: tuple[str, ...] = ()
    line: tuple[tuple[float, float], tuple[float, float]] | None = None
    blockers: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    seen: tuple[tuple[str, object], ...] = ()


class EventKind(Struct, frozen=True):
    """What a kind of event may cite, and how the log tells it (``{unit}`` and other facts are filled in).

    With ``sight`` its unit looks at its target: a picture may show the line.
    """

    clauses: frozenset[str]
    says: str = ""
    sight: bool = False


class Marker(Struct, frozen=True):
    """Something on the table to be held: its place and how far it reaches, in thou, and the side that holds it, or -1.

    With a ``box`` (left, bottom, right, top) it is a stretch of ground that counts for its holder.
    """

    x: int
    y: int
    reach: int
    holder: int = -1
    box: Rectangle | None = None


def single_wound(game: Game, slot: int) -> int:
    """A model that one wound removes."""
    return 1


class Edition(Component, frozen=True):
    """One rulebook. ``steps`` maps a phase of the clock to the code that plays it; ``can`` says what it supports.

    Needed: an id, a name, a version, the clock a game opens with, the steps, the kinds of events with what they may
    cite, and the score. Everything else has a plain default: ``sight`` and ``terrain`` for geometry, ``specials`` by
    name, with the ``hooks`` of them that are called, how a weapon is read and a card checked, ``prepare`` (what is
    looked up all game, kept as ``game.lookups``), ``sequence`` (attacks stated apart from a game, for adjudication and odds),
    ``fire`` (how units shoot), ``powers`` (what psykers do), ``losses`` (what follows when the last model of a unit is gone),
    ``markers`` (what is to be held, and who holds it now), ``advice`` (what options are worth, for opponents),
    ``form_of`` (the attack a target option stands for, for odds on the table), ``talk`` (what players may do at any
    time), ``asks`` (questions about a situation), ``switches`` with their defaults, ``defender_rolls`` (labels of
    dice the target rolls), ``turns`` (the table of rows, whose commands are among the steps), ``effects`` (how long
    marks last), ``moments`` (at which somebody may react), ``reactions`` (who may, besides those of special rules),
    ``brought`` (those a game brings with its armies, the same objects for the same armies), ``words`` (what players are told
    and asked), ``notation`` (other ways in which its owners write). ``actions`` and ``outcomes`` are the
    words for what units do and what becomes of them, ``deeds`` further events that are counted, by
    their kind, with the name of the count; ``situation`` is what a written situation means where it is silent, ``lists``
    ready-made armies by name, ``engine`` the clauses behind what every game does by itself, and with ``asks_single`` a
    question with one answer is put all the same.
    ``clauses`` are its texts by id, for an edition whose clauses lie in no file of this package.
    ``movement`` is what all moves share, ``objectives`` the markers that are held, ``transports`` who carries whom,
    ``furnish`` gives the table of a setup with what its mission lays on it, ``footprints`` what models stand on by keyword,
    ``larger`` the rules whose bearers on foot have the larger base,
    ``scenery`` the clause by which terrain is nobody's target,
    ``wounds`` how many wounds a model has, ``price`` what models cost where a book does not print it; ``parts`` are the
    phases as situations name them, each with its rows.
    """

    id: str
    name: str
    version: str
    opening: Clock
    steps: Mapping[str, Step]
    kinds: Mapping[str, EventKind]
    score: Callable[[Game, State], tuple[int, int]]
    sight: Mode = Mode()
    terrain: Mapping[str, int] = field(default_factory=lambda: dict(TERRAIN))
    specials: Mapping[str, Special] = field(default_factory=dict)
    hooks: frozenset[str] = frozenset()
    read_weapon: Callable[[object, str], Weapon] = read_weapon
    check_card: Callable[[Card], None] = any_card
    prepare: Callable[[Game], object] = no_lookups
    sequence: AttackSequence | None = None
    losses: Losses = Losses()
    fire: Fire | None = None
    powers: Powers[Any] | None = None
    markers: Callable[[Game, State], Sequence[Marker]] | None = None
    advice: Callable[[Play, Request], Mapping[object, float]] | None = None
    form_of: Callable[[Play, Request, object], AttackForm | None] | None = None
    talk: Mapping[str, Callable[[Play, Mapping[str, object]], None]] = field(default_factory=dict)
    asks: Mapping[str, Ask] = field(default_factory=dict)
    switches: Mapping[str, bool] = field(default_factory=dict)
    table_size: tuple[int, int] = (72_000, 48_000)
    defender_rolls: frozenset[str] = frozenset()
    rounds: int = 4
    points: int = 750
    sizes: tuple[int, ...] = ()
    actions: tuple[Action, ...] = ()
    outcomes: Outcomes = Outcomes()
    deeds: Mapping[str, str] = field(default_factory=dict)
    check_setup: Callable[[Setup], None] | None = None
    check_state: Callable[[Game, State], None] | None = None
    situation: SituationDefaults = SituationDefaults()
    lists: Mapping[str, object] = field(default_factory=dict)
    engine: EngineClauses = EngineClauses()
    asks_single: bool = False
    wounds: Callable[[Game, int], int] = single_wound
    price: Price | None = None
    can: frozenset[str] = frozenset({"play", "attack", "odds"})
    turns: Turns | None = None
    effects: Effects = Effects()
    clauses: Mapping[str, str] = field(default_factory=dict)
    moments: tuple[str, ...] = ()
    reactions: tuple[Reaction, ...] = ()
    brought: Callable[[Game], tuple[Reaction, ...]] | None = None
    words: Words = Words()
    notation: Notation = Notation()
    movement: Movement | None = None
    objectives: Objectives | None = None
    transports: Transports | None = None
    furnish: Callable[[Setup], Table] | None = None
    footprints: tuple[tuple[str, str, float], ...] = ()
    larger: frozenset[str] = frozenset()
    scenery: str | None = None
    parts: Mapping[str, tuple[Part, ...]] = field(default_factory=dict)

    @property
    def figures(self) -> Component | None:
        """What an edition of a class of its own adds to these fields; it counts among its rules in the hash of a record."""
        return None

    def __post_init__(self) -> None:
        """Refuse what could never work: a rule whose hooks nobody calls, a reaction at a moment nobody opens, no first step."""
        if self.steps and self.opening.phase not in self.steps:
            steps = ", ".join(self.steps)
            raise ValueError(f"{self.id}: a game opens with {self.opening.phase!r}, which is none of its steps ({steps})")
        for name, special in self.specials.items():
            unused = overridden(special) - self.hooks
            if unused:
                called = ", ".join(sorted(self.hooks)) or "none"
                raise ValueError(
                    f"{self.id}: {name} has the hook {min(unused)!r}, which this edition never calls (hooks: {called})"
                )
        for reaction in (*self.reactions, *(one for special in self.specials.values() for one in special.reactions)):
            unknown = reaction.at.difference(self.moments)
            if unknown:
                opened = ", ".join(self.moments) or "none"
                raise ValueError(f"{self.id}: {reaction.name} reacts at {min(unknown)!r}, which is no moment of it ({opened})")
