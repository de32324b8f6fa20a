"""The edition record: a rulebook as a value. It composes components; nobody asks for its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from rolloff.geometry.sight import Mode
from rolloff.table.profile import Card, Weapon
from rolloff.table.request import Request
from rolloff.table.setup import Setup
from rolloff.table.state import Clock, State

if TYPE_CHECKING:
    from rolloff.rules.attack import AttackForm, AttackSequence
    from rolloff.rules.game import Game
    from rolloff.rules.hooks import Special
    from rolloff.rules.play import Play

Step = Callable[["Play"], None]
Ask = Callable[["Game", State, Any], "Reply"]


class Reply(Struct, frozen=True):
    """The answer to a question about a situation, with its evidence."""

    value: object
    clauses: tuple[str, ...] = ()
    line: tuple[tuple[float, float], tuple[float, float]] | None = None
    blockers: tuple[str, ...] = ()


class EventKind(Struct, frozen=True):
    """What a kind of event may cite, and how the log tells it (``{unit}`` and other facts are filled in)."""

    clauses: frozenset[str]
    says: str = ""


class Edition(Struct, frozen=True):
    """One rulebook. ``steps`` maps a phase of the clock to the code that plays it; ``can`` says what it supports."""

    id: str
    name: str
    version: str
    opening: Clock
    steps: Mapping[str, Step]
    kinds: Mapping[str, EventKind]
    sight: Mode
    terrain: Mapping[str, int]
    specials: Mapping[str, Special]
    read_weapon: Callable[[object, str], Weapon]
    check_card: Callable[[Card], None]
    prepare: Callable[[Game], Any]
    score: Callable[[Game, State], tuple[int, int]]
    book: Any
    sequence: AttackSequence | None = None
    advice: Callable[[Play, Request], Mapping[object, float]] | None = None
    form_of: Callable[[Play, Request, object], AttackForm | None] | None = None
    talk: Mapping[str, Callable[[Play, Mapping[str, Any]], None]] = field(default_factory=dict)
    asks: Mapping[str, Ask] = field(default_factory=dict)
    switches: Mapping[str, bool] = field(default_factory=dict)
    table_size: tuple[int, int] = (72_000, 48_000)
    defender_rolls: frozenset[str] = frozenset()
    rounds: int = 4
    points: int = 750
    actions: tuple[str, ...] = ()
    check_setup: Callable[[Setup], None] | None = None
    check_state: Callable[[Game, State], None] | None = None
    defaults: Mapping[str, object] = field(default_factory=dict)
    can: frozenset[str] = frozenset({"play", "attack", "odds"})
