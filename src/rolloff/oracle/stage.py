"""A stage is one roll of the dice, written out as a table.

The table is read by the number rolled. An entry is what happens, or another stage to roll instead: the twin of this
one without that edge, so that no die can be re-rolled twice; or an `Offer` of the two. The clauses that made an
entry what it is sit beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from enum import Enum
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import product
from math import lcm
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from msgspec import Struct

from rolloff.oracle.offers import Offer

if TYPE_CHECKING:
    from rolloff.oracle.flow import Leads
    from rolloff.oracle.roll import Roll

T_co = TypeVar("T_co", covariant=True)
R = TypeVar("R")

AGAIN = ">"
"""What the label of a re-roll carries after the label of its first roll."""

FACES = (1, 2, 3, 4, 5, 6)

MOST_POOLED = 255
"""Dice of more sides are read one by one: a handful is kept as bytes."""


class Name(Enum):
    """An enumeration whose members hash by identity, which is all they need and much quicker."""

    __hash__ = object.__hash__


class Keep(Name):
    """How several dice make the one number a table is read by."""

    SUM = "sum"
    HIGHEST = "highest"
    LOWEST = "lowest"
    DIGITS = "digits"  # read one after the other, as a D66 is


def die_of(sides: int) -> int:
    """The sides of the die that is rolled: a D2 and a D3 are read off a six-sided one."""
    return 6 if sides in (2, 3) else sides


@lru_cache(maxsize=256)
def chances(dice: int, keep: Keep, sides: int) -> tuple[int, ...]:
    """How many of the `die_of(sides)` ** dice rolls give each number, from the lowest number up."""
    if dice == 0:
        return (1,)
    die = die_of(sides)
    values = [-(-face * sides // die) for face in range(1, die + 1)]
    if keep is Keep.DIGITS:
        size: int = sides**dice
        return (die**dice // size,) * size
    if keep is Keep.SUM:
        ways = [1]
        for _ in range(dice):
            longer = [0] * (len(ways) + sides - 1)
            for so_far, count in enumerate(ways):
                for value in values:
                    longer[so_far + value - 1] += count
            ways = longer
        return tuple(ways)
    best = max if keep is Keep.HIGHEST else min
    ways = [0] * sides
    for faces in product(values, repeat=dice):
        ways[best(faces) - 1] += 1
    return tuple(ways)


class Change(Struct, frozen=True):
    """One line of the audit: what a rule changed, from what to what, and the clauses that say so."""

    what: str
    before: object
    after: object
    clauses: tuple[str, ...]


class Stage(Generic[T_co]):
    """One roll, tabulated; equal and hashable by value, never changed once made.

    ``audit`` explains its need line by line for whoever asks why; it decides nothing, so it is no part of the value.
    """

    __slots__ = (
        "_hash",
        "_law",
        "_plan",
        "_settled",
        "_success",
        "audit",
        "dice",
        "die",
        "good",
        "keep",
        "known_by",
        "label",
        "leads",
        "need",
        "offers",
        "plain",
        "read",
        "shown",
        "sides",
        "signs",
        "simple",
        "why",
    )

    def __init__(
        self,
        label: str,
        read: Iterable[T_co | Stage[T_co] | Offer[T_co]],
        *,
        why: Iterable[tuple[str, ...]] = (),
        good: Iterable[bool] = (),
        need: int | None = None,
        dice: int = 1,
        keep: Keep = Keep.SUM,
        sides: int = 6,
        audit: tuple[Change, ...] = (),
        signs: tuple[str, ...] = (),
    ) -> None:
        """Write the table down; raises ValueError if its size does not match its dice."""
        if sides < 2 or dice < 0:
            raise ValueError(f"stage {label!r}: dice have two sides or more and are at least none, not {dice}D{sides}")
        self.label = label
        self.read: tuple[T_co | Stage[T_co], ...] = cast("tuple[T_co | Stage[T_co], ...]", tuple(read))
        self.offers: tuple[Offer[T_co], ...] = tuple(dict.fromkeys([one for one in self.read if isinstance(one, Offer)]))
        """What the table leaves to a player; a table that has any is settled before it is read."""
        size = len(chances(dice, keep, sides))
        self.why: tuple[tuple[str, ...], ...] = tuple(why) or ((),) * size
        self.good: tuple[bool, ...] = tuple(good) or tuple(
            [not isinstance(entry, Stage) and bool(entry) for entry in self.read]
        )
        self.need = need
        self.dice = dice
        self.keep = keep
        self.sides = sides
        self.audit = audit
        self.signs = signs
        self.known_by = self.why[0] + signs if signs else self.why[0]
        """What whoever reacts to dice knows the roll by: its clauses, and signs that are cited nowhere."""
        self.die = die_of(sides)
        self.simple = dice == 1 and self.die == sides <= MOST_POOLED
        self.plain = self.simple and not self.offers and Stage not in map(type, self.read)
        """Whether one die tells the result: nothing is rolled again, nothing left to a player."""
        if not len(self.read) == len(self.why) == len(self.good) == size:
            raise ValueError(f"stage {label!r}: {dice}D{sides} needs {size} entries, not {len(self.read)}")
        self._hash = hash((label, self.read, self.why, self.good, need, dice, keep, sides, signs))
        self._law: tuple[tuple[tuple[T_co, int], ...], int] | None = None
        self._plan: object = None
        self._success: Fraction | None = None
        self._settled: dict[frozenset[str], Stage[T_co]] = {}
        self.leads: Leads | None = None
        """Kept here by flows, which know what the results of a stage lead to."""
        self.shown: dict[int, Roll] = {}
        """Kept here by rollers: what a single die is to the log, by its face."""

    def __hash__(self) -> int:
        """The hash of the whole table, computed once."""
        return self._hash

    def __eq__(self, other: object) -> bool:
        """Equal by value."""
        if self is other:
            return True
        if not isinstance(other, Stage) or self._hash != other._hash:
            return False
        return self._key() == other._key()

    def _key(self) -> tuple[object, ...]:
        """Everything that makes this stage what it is."""
        return (self.label, self.read, self.why, self.good, self.need, self.dice, self.keep, self.sides, self.signs)

    def __repr__(self) -> str:
        """Short: the label, the dice and the need."""
        need = "" if self.need is None else f" {self.need}+"
        return f"<Stage {self.label}: {self.dice}D{self.sides}{need}>"

    def settled(self, taken: frozenset[str] | None = None) -> Stage[T_co]:
        """The table without offers: those named are taken, the others not; None takes each as its default says."""
        if not self.offers:
            return self
        if taken is None:
            taken = frozenset(offer.name for offer in self.offers if offer.default)
        found = self._settled.get(taken)
        if found is None:
            chosen = {offer: offer.again if offer.name in taken else offer.keep for offer in self.offers}
            read = [chosen[one] if isinstance(one, Offer) else one for one in self.read]
            found = Stage(
                self.label,
                read,
                why=self.why,
                good=self.good,
                need=self.need,
                dice=self.dice,
                keep=self.keep,
                sides=self.sides,
                audit=self.audit,
                signs=self.signs,
            )
            self._settled[taken] = found
        return found

    @property
    def whole(self) -> int:
        """What the weights of `law` sum to."""
        known = self._law
        return self._resolve()[1] if known is None else known[1]

    def index(self, faces: Sequence[int]) -> int:
        """Which entry these faces read."""
        if self.sides != self.die:
            faces = [-(-face * self.sides // self.die) for face in faces]
        if self.keep is Keep.SUM:
            return sum(faces) - self.dice
        if self.keep is Keep.DIGITS:
            return reduce(lambda read, face: read * self.sides + face - 1, faces, 0)
        return (max(faces) if self.keep is Keep.HIGHEST else min(faces)) - 1

    def law(self) -> tuple[tuple[T_co, int], ...]:
        """The distinct results with their whole weights out of `whole`, re-rolls resolved."""
        known = self._law
        return self._resolve()[0] if known is None else known[0]

    def _resolve(self) -> tuple[tuple[tuple[T_co, int], ...], int]:
        """Weigh every entry, following the edges to other stages; kept once computed."""
        if self._law is None and self.offers:
            self._law = self.settled()._resolve()
        if self._law is None:
            again = [entry for entry in self.read if isinstance(entry, Stage)]
            deeper = lcm(*[entry.whole for entry in again]) if again else 1
            found: dict[T_co, int] = {}
            for entry, count in zip(self.read, chances(self.dice, self.keep, self.sides), strict=True):
                if not count:
                    continue
                if again and isinstance(entry, Stage):
                    scale = count * (deeper // entry.whole)
                    for result, weight in entry.law():
                        found[result] = found.get(result, 0) + scale * weight
                else:
                    plain = cast("T_co", entry)
                    found[plain] = found[plain] + count * deeper if plain in found else count * deeper
            self._law = (tuple(found.items()), self.die**self.dice * deeper)
        return self._law

    def chance(self, what: Callable[[T_co], bool] = bool) -> Fraction:
        """The exact chance of a result for which `what` holds."""
        return Fraction(sum(weight for result, weight in self.law() if what(result)), self.whole)

    def success(self) -> Fraction:
        """The exact chance of ending on an entry that counts as a success, re-rolls resolved."""
        if self._success is None:
            self._success = Fraction(*self._successes())
        return self._success

    def _successes(self) -> tuple[int, int]:
        """The whole weight of entries that count as a success, and of all."""
        if self.offers:
            return self.settled()._successes()
        ways = chances(self.dice, self.keep, self.sides)
        again = {entry: entry._successes() for entry in self.read if isinstance(entry, Stage)}
        if not again:
            return sum([count for good, count in zip(self.good, ways, strict=True) if good]), self.die**self.dice
        deeper = lcm(*[whole for _, whole in again.values()])
        total = 0
        for entry, good, count in zip(self.read, self.good, ways, strict=True):
            if isinstance(entry, Stage):
                hit, whole = again[entry]
                total += count * hit * (deeper // whole)
            elif good:
                total += count * deeper
        return total, self.die**self.dice * deeper

    def clauses(self) -> tuple[str, ...]:
        """Every clause cited anywhere in the table, in order of appearance, the re-roll's included."""
        cited: dict[str, None] = {}
        for entry, why in zip(self.settled().read, self.why, strict=True):
            for clause in why:
                cited[clause] = None
            if isinstance(entry, Stage):
                cited.update(dict.fromkeys(entry.clauses()))
        return tuple(cited)

    def plan(self) -> RollPlan[T_co]:
        """How to sort a handful of faces by this table; made once, for tables read by one plain die."""
        if self._plan is None:
            self._plan = RollPlan(self.settled())
        return cast("RollPlan[T_co]", self._plan)


class RollPlan(Generic[T_co]):
    """A one-die table turned round: which faces lead to each entry, so that faces are counted and not read one by one."""

    __slots__ = ("_cited", "_why", "again", "good", "groups", "plain", "twin")

    def __init__(self, stage: Stage[T_co]) -> None:
        """Group the faces of `stage` by what they do."""
        results: dict[T_co, list[int]] = {}
        edges: dict[Stage[T_co], list[int]] = {}
        faces = range(1, stage.die + 1)
        for face, entry in zip(faces, stage.read, strict=True):
            if isinstance(entry, Stage):
                edges.setdefault(entry, []).append(face)
            elif entry != ():
                results.setdefault(entry, []).append(face)
        self.groups = tuple((entry, bytes(shown)) for entry, shown in results.items())
        self.again = bytes(sorted(face for shown in edges.values() for face in shown))
        self.twin: Stage[T_co] | None = next(iter(edges)) if len(edges) == 1 else None
        self.plain = self.twin is not None and self.twin.simple and self.twin.die == stage.die and not self.twin.plan().again
        """Whether all dice rolled again read one other table, and are then done."""
        goods = (face for face, good in zip(faces, stage.good, strict=True) if good)
        self.good = bytes(face for face in goods if face not in self.again or not self.plain)
        self._why = stage.why
        self._cited: dict[frozenset[int], tuple[str, ...]] = {}

    def cited(self, faces: bytes) -> tuple[str, ...]:
        """The clauses of every face that came up."""
        shown = frozenset(faces)
        found = self._cited.get(shown)
        if found is None:
            found = tuple(dict.fromkeys(clause for face in sorted(shown) for clause in self._why[face - 1]))
            self._cited[shown] = found
        return found


_shelf: dict[Hashable, Stage[object]] = {}

MEMO = 8192
"""How many plain stages are remembered before the shelf is cleared."""


def _kept(
    label: str, read: tuple[object, ...], clauses: tuple[str, ...], need: int | None, dice: int, keep: Keep, sides: int
) -> Stage[Any]:
    """A stage with the same clauses everywhere; equal ones are made once."""
    key = (label, read, tuple(map(type, read)), clauses, need, dice, keep, sides)  # 1 is no True, though they are equal
    found = _shelf.get(key)
    if found is None:
        if len(_shelf) >= MEMO:
            _shelf.clear()
        why = (clauses,) * len(read)
        found = Stage(label, read, why=why, need=need, dice=dice, keep=keep, sides=sides)
        _shelf[key] = found
    return found


def numbers(dice: int, keep: Keep, sides: int) -> Sequence[int]:
    """The numbers such a roll can give."""
    if keep is Keep.DIGITS:
        return [int("".join(map(str, faces))) for faces in product(range(1, sides + 1), repeat=dice)]
    lowest = dice if keep is Keep.SUM else min(dice, 1)
    return range(lowest, lowest + len(chances(dice, keep, sides)))


def number(
    label: str,
    dice: int = 1,
    sides: int = 6,
    plus: int = 0,
    times: int = 1,
    *,
    keep: Keep = Keep.SUM,
    clauses: tuple[str, ...] = (),
) -> Stage[int]:
    """A roll that gives a number; `times` multiplies it before `plus` is added. A D3 has sides=3."""
    read = tuple([rolled * times + plus for rolled in numbers(dice, keep, sides)])
    return _kept(label, read, clauses, None, dice, keep, sides)


def fixed(label: str, result: R, *clauses: str) -> Stage[R]:
    """A stage for which no die is rolled: the result stands."""
    return _kept(label, (result,), clauses, None, 0, Keep.SUM, 6)


def check(label: str, need: int, *clauses: str, dice: int = 1, keep: Keep = Keep.SUM, sides: int = 6) -> Stage[bool]:
    """A plain test: passed when the number rolled is `need` or more."""
    read = tuple([rolled >= need for rolled in numbers(dice, keep, sides)])
    return _kept(label, read, clauses, need, dice, keep, sides)


def table(
    label: str,
    results: Sequence[R | Stage[R]],
    *clauses: str,
    dice: int = 1,
    keep: Keep = Keep.SUM,
    sides: int = 6,
) -> Stage[R]:
    """A table of any results, from the lowest number the dice can show."""
    return _kept(label, tuple(results), clauses, None, dice, keep, sides)
