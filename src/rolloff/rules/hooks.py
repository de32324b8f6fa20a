"""What a special rule may do: one small class for each rule, implementing only the hooks it needs.

A rule's numbers and its clause come from the edition that lists it. Hooks are called with something to edit: the pace of
a move, the passage through terrain and units, or the draft of one stage of an attack.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol
from weakref import WeakKeyDictionary

from rolloff.oracle.draft import Draft
from rolloff.rules.effects import DID
from rolloff.table.event import Marked, Patch
from rolloff.table.state import State

if TYPE_CHECKING:
    from rolloff.rules.windows import Reaction


class Spread(Enum):
    """How a rule of single models carries over to a mixed unit."""

    ALL = "all"
    HALF = "half"
    ANY = "any"
    OWN = "own"


class Pace:
    """How far a unit may go, in thou, before terrain has its say: by what the move is for (`rolloff.rules.terms.Role`)."""

    __slots__ = ("close", "rush", "steady")

    def __init__(self, steady: int, rush: int, close: int) -> None:
        """Start from the printed allowances."""
        self.steady, self.rush, self.close = steady, rush, close


class Passage:
    """What hinders a unit on its way."""

    __slots__ = ("dangerous", "difficult", "through_impassable", "through_units")

    def __init__(self) -> None:
        """By default everything does."""
        self.difficult = True
        self.dangerous = True
        self.through_units = False
        self.through_impassable = False


class Matchup(Protocol):
    """What rules of several editions ask an attack: its kind, and the type of its target. An edition's own says more."""

    @property
    def kind(self) -> str:
        """Shooting, melee or whatever the edition calls it."""
        ...

    @property
    def type(self) -> str:
        """What the target is."""
        ...


class Special:
    """A special rule with no effect of its own; rules derive from it."""

    spread: Spread = Spread.OWN
    rated: bool = False
    by_dice: bool = False
    on_weapon: bool = False
    on_unit: bool = True
    reactions: tuple[Reaction, ...] = ()
    remembers: tuple[str, ...] = ()
    """Actions of its unit that the rule asks about later: the unit bears the mark ``did:ACTION`` until it acts again."""

    def __init__(self, *clauses: str) -> None:
        """Remember the clauses this edition gives the rule."""
        self.clauses = clauses

    def pace(self, pace: Pace) -> None:
        """Change how far the unit may go."""

    def passage(self, passage: Passage) -> None:
        """Change what hinders the unit on its way."""

    def alter(self, stage: str, draft: Draft, strike: Any) -> None:
        """Change one stage of an attack made with this rule."""

    def defend(self, stage: str, draft: Draft, strike: Any) -> None:
        """Change one stage of an attack on a unit with this rule."""

    def pierces(self, strike: Any) -> bool:
        """Whether the rule is Piercing against this target, or counts as it."""
        return False

    def lends(self, assaulting: bool) -> bool:
        """Whether the melee attacks of a striking model with the rule carry it."""
        return False

    def extra_attacks(self, assaulting: bool) -> int:
        """Attacks a striking model with the rule adds."""
        return 0


HOOKS = tuple(name for name, value in vars(Special).items() if callable(value) and not name.startswith("_"))
"""The names of all hooks."""


def overridden(special: Special) -> frozenset[str]:
    """The hooks a rule implements."""
    kind = type(special)
    found = _hooks.get(kind)
    if found is None:
        found = _hooks[kind] = frozenset(name for name in HOOKS if getattr(kind, name) is not getattr(Special, name))
    return found


_hooks: WeakKeyDictionary[type[Special], frozenset[str]] = WeakKeyDictionary()


def noted(state: State, unit: int, action: str, rules: Iterable[Special]) -> list[Patch]:
    """The patches that remember a unit's action for the rules that ask about it, and forget the one before."""
    old = [Marked(unit, name, None) for name, _ in state.units[unit].marks if name.startswith(DID)]
    asked = any(action in rule.remembers for rule in rules)
    return [*old, Marked(unit, DID + action, 1)] if asked else [*old]
