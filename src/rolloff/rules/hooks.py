"""What a special rule may do: one small class for each rule, implementing only the hooks it needs.

A rule's numbers and its clause come from the edition that lists it. Hooks are called with something to edit: the pace of
a move, the passage through terrain and units, or the draft of one stage of an attack.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

from rolloff.oracle.draft import Draft

if TYPE_CHECKING:
    from rolloff.rules.windows import Reaction


class Spread(Enum):
    """How a rule of single models carries over to a mixed unit."""

    ALL = "all"
    HALF = "half"
    ANY = "any"
    OWN = "own"


class Pace:
    """How far a unit may go, in thou, before terrain has its say."""

    __slots__ = ("assault", "run", "walk")

    def __init__(self, walk: int, run: int, assault: int) -> None:
        """Start from the printed allowances."""
        self.walk, self.run, self.assault = walk, run, assault


class Passage:
    """What hinders a unit on its way."""

    __slots__ = ("dangerous", "difficult", "through_impassable", "through_units")

    def __init__(self) -> None:
        """By default everything does."""
        self.difficult = True
        self.dangerous = True
        self.through_units = False
        self.through_impassable = False


class Special:
    """A special rule with no effect of its own; rules derive from it."""

    spread: Spread = Spread.OWN
    rated: bool = False
    by_dice: bool = False
    on_weapon: bool = False
    on_unit: bool = True
    reactions: tuple[Reaction, ...] = ()

    def __init__(self, *clauses: str) -> None:
        """Remember the clauses this edition gives the rule."""
        self.clauses = clauses

    def pace(self, pace: Pace) -> None:
        """Change how far the unit may go."""

    def passage(self, passage: Passage) -> None:
        """Change what hinders the unit on its way."""

    def alter(self, stage: str, draft: Draft, strike: Any) -> None:
        """Change one stage of an attack this rule has a part in."""

    def pierces(self, strike: Any) -> bool:
        """Whether the rule is Piercing against this target, or counts as it."""
        return False

    def lends(self, assaulting: bool) -> bool:
        """Whether the melee attacks of a striking model with the rule carry it."""
        return False

    def extra_attacks(self, assaulting: bool) -> int:
        """Attacks a striking model with the rule adds."""
        return 0
