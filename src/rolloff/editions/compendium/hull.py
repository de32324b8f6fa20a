"""Vehicles as targets: saves against glancing and penetrating hits, Hull Points, the Vehicle Damage table (CF-VEH).

The armour roll is the To Wound roll and lies before (CF-VEH-1); what arrives here glances, penetrates, or is read off a table
of its own (Destroyer, Haywire), or is a mortal wound.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

from msgspec import Struct
from msgspec.structs import replace

from rolloff.editions.compendium.ability import SHOOTING
from rolloff.editions.compendium.harm import (
    EXTRA,
    UNHARMED,
    drunk,
    extra_damage,
    extra_wounds,
    tainting,
    unsaved_fate,
    wounds_by_table,
)
from rolloff.editions.compendium.saves import NONE, save_against
from rolloff.editions.compendium.traits import (
    DESTROYER,
    DISTORTED,
    HAYWIRE,
    LEECH,
    LUMINAGEN,
    MOONSILVER,
    ON_MODEL,
    PENETRATE,
    REACH,
    Nature,
    nature,
)
from rolloff.editions.compendium.traits import MORTAL as MORTAL_WORD
from rolloff.oracle.flow import DAMAGE, MORTAL, UNSAVED, WASTED, WOUNDS, Exit, Harm, Wound, harm_of
from rolloff.oracle.roll import Dice
from rolloff.oracle.stage import Stage, check, number, table
from rolloff.oracle.target import UnitTarget
from rolloff.rules.citing import cites

SHAKEN, STUNNED, DISARMED, IMMOBILISED, EXPLODES = "shaken", "stunned", "disarmed", "immobilised", "explodes"
RESULTS = (*(SHAKEN,) * 3, STUNNED, DISARMED, IMMOBILISED, EXPLODES)
NOTHING, SOME, MUCH = "nothing", "some", "much"
GRID = table("haywire", (NOTHING, *(SOME,) * 4, MUCH), "SR-HAYWIRE-1")
JOLTED = check("haywire", 2, "SR-HAYWIRE-1")
JOLT = number("wounds", sides=3, clauses=("SR-HAYWIRE-1",))
BIG_JOLT = number("wounds", sides=3, plus=3, clauses=("SR-HAYWIRE-1",))


FELT = frozenset({MORTAL_WORD, ON_MODEL, LUMINAGEN, LEECH, HAYWIRE, DESTROYER, DISTORTED, MOONSILVER, PENETRATE, REACH, *EXTRA})
"""What of the words on a harm is anything to a vehicle."""


class Hull(Struct, frozen=True, cache_hash=True):
    """One vehicle as harm finds it; ``arms`` is how many weapons it can still lose."""

    points: int
    armour: int = NONE
    invulnerable: int = NONE
    cover: int = NONE
    shift: int = 0
    open_topped: bool = False
    tainted: bool = False
    arms: int = 1
    immobile: bool = False
    slot: int = 0


class Wreck(NamedTuple):
    """How one vehicle stands: Hull Points left, weapons left, cannot move, the worst crew result, torn apart."""

    left: int
    arms: int
    immobile: bool = False
    crew: int = 0
    exploded: bool = False


class Fleet(NamedTuple):
    """How a unit of vehicles stands, in roster order; what luminagen and leeching weapons did besides."""

    wrecks: tuple[Wreck, ...]
    lit: bool = False
    drunk: tuple[tuple[int, int], ...] = ()


class Draw(Protocol):
    """Whoever draws which weapon is lost."""

    def __hash__(self) -> int:
        """Steps are remembered by who draws."""
        ...

    def weapon(self, dice: Dice, hull: Hull, arms: int) -> None:
        """One of so many weapons is lost."""
        ...


class NoDraw(Struct, frozen=True, cache_hash=True):
    """For odds it does not matter which weapon is lost."""

    def weapon(self, dice: Dice, hull: Hull, arms: int) -> None:
        """Nothing is drawn."""


NO_DRAW = NoDraw()


@lru_cache(maxsize=256)
def damage_table(ap: int, open_topped: bool) -> Stage[str]:
    """CF-VEH-6: a die, +1 at AP -4, +2 at AP -5 or better, +1 if Open-topped."""
    plus, why = damage_bonus(ap, open_topped)
    results = [RESULTS[min(face + plus, 7) - 1] for face in range(1, 7)]
    return table("vehicle damage", results, "CF-VEH-4", "CF-VEH-6", *why)


def _table_ap(ap: int) -> int:
    """The AP that adds as much on the table as this."""
    return next((one for one in (0, -4) if damage_bonus(one, False) == damage_bonus(ap, False)), -5)


@cites("CF-VEH-6")
def damage_bonus(ap: int, open_topped: bool) -> tuple[int, tuple[str, ...]]:
    """CF-VEH-6: what is added to the die on the table, and what says so besides."""
    plus = 2 if ap <= -5 else 1 if ap == -4 else 0
    if open_topped:  # SR-OPEN-TOPPED-1
        return plus + 1, ("SR-OPEN-TOPPED-1",)
    return plus, ()


class Squadron(Struct, UnitTarget[Fleet], frozen=True, cache_hash=True):
    """A unit of vehicles as a target; ``order`` is who is hit, the closest first."""

    hulls: tuple[Hull, ...]
    order: tuple[int, ...]
    kind: str = SHOOTING
    draw: Draw = NO_DRAW

    def start(self, *left: int, lit: bool = False) -> Fleet:
        """The state with these Hull Points left, or whole."""
        points = left or tuple(hull.points for hull in self.hulls)
        wrecks = [Wreck(n, hull.arms, hull.immobile) for n, hull in zip(points, self.hulls, strict=True)]
        return Fleet(tuple(wrecks), lit)

    @property
    def models(self) -> int:
        """How many vehicles there are at first."""
        return len(self.hulls)

    @property
    def whole(self) -> int:
        """All Hull Points."""
        return sum(hull.points for hull in self.hulls)

    def kills(self, state: Fleet) -> int:
        """How many vehicles are wrecked or exploded."""
        return sum(not wreck.left for wreck in state.wrecks)

    def gone(self, state: Fleet, /) -> bool:
        """Whether none is left."""
        return all(not wreck.left for wreck in state.wrecks)

    def lost_on_next(self, state: Fleet) -> int:
        """How many Hull Points the next vehicle to be hit has lost."""
        at = next((at for at in self.order if state.wrecks[at].left), -1)
        return 0 if at < 0 else self.hulls[at].points - state.wrecks[at].left

    def losses(self, start: Fleet, end: Fleet, order: Sequence[int], /) -> Iterator[tuple[int, int, int]]:
        """Slot, Hull Points lost since a state and those left in it, for each vehicle, those that can be reached first.

        ``order`` are the slots in that order where the vehicles have none themselves.
        """
        for k, at in enumerate(self.places()):
            before = start.wrecks[at].left
            yield order[k] if order else self.hulls[at].slot, before - end.wrecks[at].left, before

    def places(self) -> tuple[int, ...]:
        """All vehicles by their places, those that can be reached first."""
        return (*self.order, *(at for at in range(len(self.hulls)) if at not in self.order))

    def take(self, dice: Dice, state: Fleet, leaving: Exit, times: int = 1, /) -> Fleet:
        """Bear a hit or harm so many times over, the closest vehicle first."""
        harm = harm_of(leaving)
        read = nature(harm.traits)
        for _ in range(times):
            at = self._next(state, read.reach or self.order)
            if at < 0:
                break
            if read.haywire:
                state = self._jolted(dice, state, at, read)
            elif read.mortal:
                state = self._mortals(dice, state, harm, read)
            else:
                state = self._hit(dice, state, at, leaving, read)
        return state

    @cites("SR-SQUADRON-4", "SR-SQUADRON-6")
    def _next(self, state: Fleet, order: tuple[int, ...]) -> int:
        """SR-SQUADRON-4, SR-SQUADRON-6: hits fall on the closest member that still stands; -1 if none does."""
        return next((at for at in order if state.wrecks[at].left), -1)

    def _hit(self, dice: Dice, state: Fleet, at: int, leaving: Exit, read: Nature) -> Fleet:
        fate = unsaved_fate(dice, leaving, read, lambda wound: self.save(self.hulls[at], wound, state.lit))
        if fate == UNHARMED:
            return state
        hull, wreck = self.hulls[at], state.wrecks[at]
        after = dice.run(_struck, hull, wreck, _blow(leaving, read, hull), fate, self.draw)
        return _with(state, at, after, read)

    def as_borne(self, leaving: Exit) -> Exit:
        """The same hit without the words and the AP that say nothing to these vehicles."""
        return _as_borne(self, leaving)

    def plainly(self, leaving: Exit) -> Exit:
        """The same, worked out: where no vehicle has a save, AP matters on the Vehicle Damage table alone (CF-VEH-6)."""
        harm = harm_of(leaving)
        kept = tuple([word for word in harm.traits if word.partition(":")[0] in FELT])
        plain = harm if kept == harm.traits else replace(harm, traits=kept)
        if isinstance(leaving, Harm):
            return plain
        bare = Wound(plain, _table_ap(leaving.ap) if PENETRATE in kept else 0)
        return Wound(plain, leaving.ap, leaving.traits) if self._saves(leaving) or self._saves(bare) else bare

    def _saves(self, wound: Wound) -> bool:
        """Whether any vehicle can have a save against a wound, lit up or not."""
        return any(self.save(hull, wound, lit) is not None for hull in self.hulls for lit in (False, True))

    def verdict(self, leaving: Exit) -> Stage[bool] | None:
        """The die by which the vehicle hit learns whether that is a wound, where it is not settled before."""
        read = nature(harm_of(leaving).traits)
        if read.haywire:
            return JOLTED
        return wounds_by_table(read) if read.destroyer else None

    def rolls(self, wounds: Iterable[Wound]) -> Iterator[Stage[bool]]:
        """The saves these hits may come to, for tables of odds."""
        saves = (self.save(hull, wound, False) for wound in wounds for hull in self.hulls)
        return (save for save in saves if save is not None)

    @cites("CF-VEH-5")
    def save(self, hull: Hull, wound: Wound, lit: bool) -> Stage[bool] | None:
        """CF-VEH-5: cover or invulnerable, or Sv if the profile has one."""
        shift = hull.shift - lit  # SR-LUMINAGEN-1
        shooting = self.kind == SHOOTING
        return save_against(hull.armour, hull.invulnerable, hull.cover, shift, wound.ap, wound.traits, shooting)

    def _jolted(self, dice: Dice, state: Fleet, at: int, read: Nature) -> Fleet:
        """SR-HAYWIRE-2: mortal wounds on the vehicle hit, and no further."""
        found = dice.ask(GRID)
        if found == NOTHING:
            return state
        dice.note(WOUNDS)
        for _ in range(dice.ask(JOLT if found == SOME else BIG_JOLT)):
            state = _mortal(dice, state, at, read)
        return state

    def _mortals(self, dice: Dice, state: Fleet, harm: Harm, read: Nature) -> Fleet:
        """CF-DMG-2, CF-DMG-3: each costs 1 HP; on a unit they carry over, a vehicle short of HP first."""
        first = next((at for at in self.order if state.wrecks[at].left), -1)
        for _ in range(harm.damage if isinstance(harm.damage, int) else dice.ask(harm.damage)):
            at = first if read.on_model else self._next_mortal(state)
            state = _mortal(dice, state, at, read)
        return state

    def _next_mortal(self, state: Fleet) -> int:
        rest = (at for at in range(len(self.hulls)) if at not in self.order)
        alive = [at for at in (*self.order, *rest) if state.wrecks[at].left]
        short = [at for at in alive if state.wrecks[at].left < self.hulls[at].points]
        return (short or alive or [-1])[0]


@lru_cache(maxsize=4096)
def _as_borne(squadron: Squadron, leaving: Exit) -> Exit:
    return squadron.plainly(leaving)


def _with(state: Fleet, at: int, wreck: Wreck, read: Nature) -> Fleet:
    wrecks = (*state.wrecks[:at], wreck, *state.wrecks[at + 1 :])
    return Fleet(wrecks, state.lit or read.luminagen, drunk(state.drunk, read))


def _mortal(dice: Dice, state: Fleet, at: int, read: Nature) -> Fleet:
    wreck = state.wrecks[at]
    if at < 0 or not wreck.left:
        dice.note(WASTED)
        return state
    dice.note(MORTAL)
    dice.note(DAMAGE)
    return _with(state, at, wreck._replace(left=wreck.left - 1), read)


class Blow(NamedTuple):
    """What of an unsaved hit a vehicle feels: its Damage, how often it counts, and the table a penetrating one is read off."""

    damage: int | Stage[int]
    more: tuple[str, ...]
    times: int
    destroyer: bool
    table: Stage[str] | None


def _blow(leaving: Exit, read: Nature, hull: Hull) -> Blow:
    """CF-VEH-4: a penetrating hit rolls on the table besides; whatever else differs between weapons is nothing to the hull."""
    ap = leaving.ap if isinstance(leaving, Wound) else 0
    rows = damage_table(ap, hull.open_topped) if read.penetrates else None
    return Blow(harm_of(leaving).damage, read.dice, tainting(hull.tainted, read), read.destroyer, rows)


def _struck(dice: Dice, hull: Hull, wreck: Wreck, blow: Blow, fate: str, draw: Draw) -> Wreck:
    """CF-VEH-3: an unsaved hit removes HP equal to its Damage; a penetrating one rolls on the table besides (CF-VEH-4)."""
    for event in range(blow.times):
        if not wreck.left:
            break
        dice.note(UNSAVED)
        lost = blow.damage if isinstance(blow.damage, int) else dice.ask(blow.damage)
        lost += extra_damage(dice, blow.destroyer, blow.more)
        if blow.destroyer and not event:
            lost += extra_wounds(dice, fate)  # SR-DESTROYER-8
        wreck = _loses(dice, wreck, lost)
    if blow.table is not None:  # CF-VEH-4
        wreck = _suffers(dice, hull, wreck, dice.ask(blow.table), draw)
    return wreck


def _loses(dice: Dice, wreck: Wreck, lost: int) -> Wreck:
    taken = min(lost, wreck.left)
    dice.note(DAMAGE, taken)
    if lost > taken:
        dice.note(WASTED, lost - taken)
    return wreck._replace(left=wreck.left - taken)


def _suffers(dice: Dice, hull: Hull, wreck: Wreck, result: str, draw: Draw) -> Wreck:
    """The rows of the Vehicle Damage table. CF-VEH-7: Explodes! replaces Wrecked, so a lost hull still reads it."""
    if result == EXPLODES:
        dice.note(DAMAGE, wreck.left)
        return wreck._replace(left=0, exploded=True)
    if result == DISARMED and wreck.arms:
        if wreck.arms > 1 and wreck.left:
            draw.weapon(dice, hull, wreck.arms)
        return wreck._replace(arms=wreck.arms - 1)
    if result in (DISARMED, IMMOBILISED):
        return _loses(dice, wreck, 1) if wreck.immobile else wreck._replace(immobile=True)
    return wreck._replace(crew=max(wreck.crew, 1 if result == SHAKEN else 2))
