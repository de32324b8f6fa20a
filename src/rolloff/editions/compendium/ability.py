"""What a special rule may do in an attack: the hooks of this edition, beside those every special rule has.

A rule stands on a weapon, on a model or on a unit (CF-PROF-6). ``samples`` are ratings to try it with: the tests that
compare odds and dice go through the registry, so a new rule is tried by existing.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from msgspec import Struct

from rolloff.errors import BadInput
from rolloff.rules.hooks import Special
from rolloff.table.profile import DiceRoll, Rating, Rule, read_roll

if TYPE_CHECKING:
    from rolloff.editions.compendium.matchup import Enemy, Strike
    from rolloff.editions.compendium.resolve import Group
    from rolloff.editions.compendium.rolls import HitRoll, WoundRoll

SHOOTING, MELEE = "shooting", "melee"
BOTH = (SHOOTING, MELEE)


class Scope(Enum):
    """Whom a rule covers (CF-PROF-6)."""

    WEAPON = "weapon"
    MODEL = "model"
    UNIT_ANY = "unit-any"
    UNIT_ALL = "unit-all"
    MODEL_OR_WEAPON = "model-or-weapon"
    MELEE_MODEL_OR_WEAPON = "melee-model-or-weapon"
    VEHICLE = "vehicle"
    TYPE = "type"


ON_WEAPONS = (Scope.WEAPON, Scope.MODEL_OR_WEAPON, Scope.MELEE_MODEL_OR_WEAPON)


class Volume(Struct):
    """How many attacks a weapon makes, for rules to edit: a roll, and attacks on top of it.

    ``arms`` is what fighting with more than one Melee weapon is worth.
    """

    dice: DiceRoll
    bonus: int = 0
    two_weapons: bool = False
    paired: bool = False
    arms: int = 1
    charge: int = 0

    def total(self) -> DiceRoll:
        """All attacks: the roll, and everything on top."""
        extra = self.bonus + self.charge
        if self.two_weapons or self.paired:
            extra += self.arms
        return DiceRoll(self.dice.count, self.dice.sides, self.dice.plus + extra)


class Circumstance(Struct, frozen=True):
    """What decides the number of attacks: distance, movement, what else the model carries and touches."""

    kind: str = SHOOTING
    charged: bool = False
    disordered: bool = False
    stationary: bool = True
    half_range: bool = False
    was_charged: bool = False
    touching: int = 0
    specialists: int = 0


class Aim(Struct, frozen=True):
    """What decides whether a weapon may be fired at a target: distances in thou, movement, combat, use."""

    distance: int | None = None
    half_range: bool = False
    visible: bool = True
    stationary: bool = True
    vehicle: bool = False
    engaged: bool = False
    spent: bool = False
    snap: bool = False


class Bearing(Struct, frozen=True):
    """Whose weapon it is: its place in the unit, the Wounds it started with, whether a use for this turn is gone."""

    at: int = 0
    wounds: int = 1
    used: bool = False


Refusal = tuple[str, str, str]
"""Why a weapon may not be fired: a code, the clause, a sentence."""


class Wards(Struct):
    """What a model of the target brings against a wound, for rules to edit; 7 is none."""

    armour: int = 7
    invulnerable: int = 7
    cover: int = 7
    shift: int = 0
    pain: int = 7
    eternal: bool = False
    swarm: bool = False
    ground: frozenset[str] = frozenset()


class Ability(Special):
    """A rule without effect of its own; rules derive from it."""

    scope: Scope = Scope.WEAPON
    kinds: tuple[str, ...] = BOTH
    also_on_weapons: bool = False
    samples: tuple[Rating, ...] = (None,)

    def read(self, rating: str, where: str) -> Rating:
        """A rating as it is written; most rules have none."""
        if rating:
            raise bad_rating(rating, where, "nothing behind the name")
        return None

    def worth(self, rating: Rating) -> float:
        """How good an instance is, to choose among several (CF-DICE-9)."""
        return 0

    def same_as(self, rating: Rating) -> str:
        """What two instances must share, beside the name, to be the same rule."""
        return ""

    def stands_on_weapons(self) -> bool:
        """Whether it may be printed on a weapon."""
        return self.scope in ON_WEAPONS or self.also_on_weapons

    def stands_on_models(self) -> bool:
        """Whether it may be printed on a unit or a model."""
        return self.scope is not Scope.WEAPON

    # the attacker's side

    def strength(self, rule: Rule, strike: Strike) -> int:
        """What it adds to the Strength of the attack."""
        return 0

    def profile(self, rule: Rule, strike: Strike) -> Strike:
        """The match-up with its numbers changed."""
        return strike

    def bars(self, rule: Rule, aim: Aim) -> Refusal | None:
        """Why a weapon with it may not be fired, if it may not."""
        return None

    def snaps(self, rule: Rule, enemy: Enemy) -> bool:
        """Whether it leaves nothing but Snap Shots at a target."""
        return False

    def volume(self, rule: Rule, volume: Volume, at: Circumstance) -> None:
        """Change the number of attacks."""

    def hits(self, rule: Rule, roll: HitRoll, strike: Strike) -> None:
        """Edit the To Hit roll."""

    def wounds(self, rule: Rule, roll: WoundRoll, strike: Strike) -> None:
        """Edit the To Wound roll, or the armour roll if the target is a vehicle (CF-VEH-2)."""

    def traits(self, rule: Rule, strike: Strike) -> tuple[str, ...]:
        """What a wound made with it carries to whoever bears it."""
        return ()

    def grouped(self, rule: Rule, group: Group, bearing: Bearing) -> Group:
        """The group of attacks with what the rule adds to it; a group so marked is rolled for its bearer alone."""
        return group

    def step(self, rule: Rule, step: int, types: frozenset[str]) -> int:
        """The Initiative step at which its user strikes."""
        return step

    def serves(self, types: frozenset[str]) -> bool:
        """Whether a model of these types can use a weapon with it."""
        return True

    def clears(self, rule: Rule) -> bool:
        """Whether charging through difficult terrain does not slow the blows of a model with it."""
        return False

    # the target's side

    def breaks_charge(self, rule: Rule) -> bool:
        """Whether who charges a unit with it gains no Attacks for charging."""
        return False

    def shields(self, rule: Rule, aim: Aim) -> Refusal | None:
        """Why a weapon may not be fired at a unit with it, if it may not."""
        return None

    def ward(self, rule: Rule, wards: Wards) -> None:
        """Edit what a model with it brings against a wound."""


def bad_rating(rating: object, where: str, allowed: str) -> BadInput:
    """The sentence for a rating that does not fit."""
    return BadInput("bad-rating", f"{where}: {rating!r} does not fit here", where=where, allowed=allowed)


class Numbered(Ability):
    """A rule with a number behind its name."""

    rated = True
    lowest, highest = 1, 20
    usual: int | None = None
    fewer_is_better = False
    samples: tuple[Rating, ...] = (1, 2)

    def read(self, rating: str, where: str) -> Rating:
        """A whole number; a plus behind it is left out. Without one the usual number stands, if there is one."""
        text = rating.strip().removesuffix("+").strip()
        if not text and self.usual is not None:
            return self.usual
        if not text.isdecimal() or len(text) > 4 or not self.lowest <= int(text) <= self.highest:
            raise bad_rating(rating, where, f"a number from {self.lowest} to {self.highest}")
        return int(text)

    def worth(self, rating: Rating) -> float:
        """The higher number, or the lower one, is better."""
        found = rating if isinstance(rating, int) else 0
        return -found if self.fewer_is_better else found


class Rolled(Ability):
    """A rule with a number or a die behind its name."""

    rated = True
    usual: Rating = 1
    samples: tuple[Rating, ...] = (1,)

    def read(self, rating: str, where: str) -> Rating:
        """A number, or a die such as D6."""
        if not rating.strip():
            return self.usual
        found = read_roll(rating.strip(), where)
        if found.mean < 1:
            raise bad_rating(rating, where, "at least 1, or D3, D6 and the like")
        return found.plus if found.fixed else str(found)

    def worth(self, rating: Rating) -> float:
        """More is better."""
        return read_roll(rating).mean if rating is not None else 0


class Worded(Ability):
    """A rule about something named behind it; without a name it is about everything, if that is allowed."""

    rated = True
    about_everything = True
    samples: tuple[Rating, ...] = (None,)

    def read(self, rating: str, where: str) -> Rating:
        """A word or two."""
        text = " ".join(rating.split())
        if text.casefold() in ("", "all", "everyone"):
            if not self.about_everything:
                raise bad_rating(rating, where, "what it is about, as in Anti(Monster)")
            return None
        if len(text) > 64:
            raise bad_rating(rating, where, "at most 64 characters")
        return text

    def same_as(self, rating: Rating) -> str:
        """Two are the same if they are about the same."""
        return str(rating or "").casefold()

    def about(self, rule: Rule, strike: Strike) -> bool:
        """Whether the target is what the rule is about."""
        return rule.rating is None or strike.enemy.is_a(str(rule.rating))


class Noted(Ability):
    """A rule other parts of the book ask for by name; it edits no roll itself."""

    def __init__(self, *clauses: str, scope: Scope = Scope.TYPE) -> None:
        """Say whom it covers."""
        super().__init__(*clauses)
        self.scope = scope

    def read(self, rating: str, where: str) -> Rating:
        """Anything may stand behind it: what it means is asked elsewhere."""
        if len(rating) > 64:
            raise bad_rating(rating, where, "at most 64 characters")
        return int(rating) if rating.isdecimal() and len(rating) < 5 else rating or None


class Planned(Noted):
    """A rule of the book that is not in force yet: whoever says it is refused (CF-PROF-9)."""
