"""Rolls in the making: what special rules edit before a roll to hit, to wound or against armour becomes a table.

A die is rolled again at most once, on a second table of its own (CF-DICE-3); everything that reads a die reads its
final face before modifiers (CF-DICE-2, CF-DICE-4). Re-rolls are compulsory unless their rule says that the owner may.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeAlias

from msgspec import Struct

from rolloff.oracle.flow import Nodes
from rolloff.oracle.offers import Offer
from rolloff.oracle.stage import AGAIN, FACES, Change, Keep, Stage
from rolloff.rules.citing import cites

ONES, FAILURES = "ones", "failures"
NEVER = 7
"""A face no die shows."""

Result: TypeAlias = tuple[Nodes, tuple[str, ...]]
"""Where a final face leads, and the clauses beyond the plain ones that say so."""


class Again(Struct, frozen=True):
    """A rule that rolls failed dice again: ones or all of them, and the second roll's own number if it has one.

    ``may`` names it if its owner may: then it is offered, and by default not for a die that does something though it failed.
    """

    which: str
    clauses: tuple[str, ...]
    need: int | None = None
    may: str = ""


class Roll:
    """One kind of roll: the number needed, modifiers, faces that always fail or succeed, what is rolled again."""

    label = "roll"

    def __init__(self, need: int | None, *clauses: str) -> None:
        """Start from the plain rule; None cannot succeed but by a face that always does."""
        self.need = need
        self.clauses = clauses
        self.modifier = 0
        self.dice = 1
        self.fails: frozenset[int] = frozenset()
        self.succeeds: frozenset[int] = frozenset()
        self.permissions: tuple[Again, ...] = ()
        self.audit: list[Change] = []

    def key(self) -> Hashable:
        """All that its table depends on: everything about it but the audit."""
        values = self.__dict__.copy()
        del values["audit"]
        return self.label, tuple(values.values())

    def mark(self, what: str, before: object, after: object, *clauses: str) -> None:
        """Add a line to the audit."""
        self.audit.append(Change(what, before, after, clauses))

    def set_need(self, need: int | None, *clauses: str, what: str = "need") -> None:
        """Replace the number needed."""
        self.mark(what, self.need, need, *clauses)
        self.need = need
        self.clauses += clauses

    def modify(self, by: int, *clauses: str, what: str = "modifier") -> None:
        """Add to the die; a plus is good for whoever rolls it."""
        self.mark(what, self.modifier, self.modifier + by, *clauses)
        self.modifier += by
        self.clauses += clauses

    def again(self, which: str, *clauses: str, need: int | None = None, may: str = "") -> None:
        """Have failed dice rolled again, ones or all of them; what several rules say unites (CF-DICE-3)."""
        self.mark("re-roll", None, which, *clauses)
        self.permissions += (Again(which, clauses, need, may),)

    def passes(self, face: int, need: int | None) -> bool:
        """Whether a natural face succeeds."""
        if face in self.succeeds:
            return True
        return face not in self.fails and need is not None and face + self.modifier >= need

    def acts(self, face: int) -> bool:
        """Whether a natural face does something even where it does not succeed."""
        return False

    @cites("CF-DICE-3")
    def _permitted(self, face: int) -> list[Again]:
        """CF-DICE-3: what rolls a failed first face again."""
        if self.passes(face, self.need):
            return []
        return [one for one in self.permissions if one.which == FAILURES or face == 1]

    def table(self, result: Callable[[int, bool], Result]) -> Stage[Nodes]:
        """The roll as a table; ``result`` says where a final face leads."""
        return self._written(self.label, self.need, result, first=True)

    def second(self, result: Callable[[int, bool], Result], need: int | None = None) -> Stage[Nodes]:
        """The table of a die rolled again."""
        return self._written(self.label + AGAIN, self.need if need is None else need, result, first=False)

    def _rerolled(self, face: int, result: Callable[[int, bool], Result], need: int | None) -> Stage[Nodes]:
        """The second roll of a die that failed; of two dice the lower alone, where the higher does something."""
        if self.dice > 1 and self.acts(face):
            return self._lower(face, result)
        return self.second(result, need)

    def _offered(self, face: int, granted: list[Again], kept: Nodes, again: Stage[Nodes]) -> Stage[Nodes] | Offer[Nodes]:
        """A second roll, or the offer of one where every rule that grants it says may (CF-DICE-3)."""
        if not all(one.may for one in granted):
            return again
        acts, first = self.acts(face), granted[0]
        name = f"{first.may}: {face}" if acts else first.may
        return Offer(kept, again, name, first.clauses[0], not acts, "DP-20")

    @cites("SR-ORDNANCE-5")
    def _lower(self, face: int, result: Callable[[int, bool], Result]) -> Stage[Nodes]:
        """SR-ORDNANCE-5: the lower of two dice is rolled again beside the one that is kept; the higher of both counts."""
        read, why, good = [], [], []
        for other in FACES:
            final = max(face, other)
            nodes, cited = result(final, self.passes(final, self.need))
            read.append(nodes)
            why.append(tuple(dict.fromkeys(self.clauses + cited)))
            good.append(self.passes(final, self.need))
        return Stage(self.label + AGAIN, read, why=why, good=good, need=None)

    def _written(self, label: str, need: int | None, result: Callable[[int, bool], Result], *, first: bool) -> Stage[Nodes]:
        read: list[Nodes | Stage[Nodes] | Offer[Nodes]] = []
        why: list[tuple[str, ...]] = []
        plain = tuple(dict.fromkeys(self.clauses))
        good = [self.passes(face, need) for face in FACES]
        for face, passed in zip(FACES, good, strict=True):
            granted = self._permitted(face) if first and self.permissions else ()
            if granted:
                again = self._rerolled(face, result, _best(granted, self.need))
                read.append(self._offered(face, granted, result(face, passed)[0], again))
                cited = tuple(clause for one in granted for clause in one.clauses)
            else:
                nodes, cited = result(face, passed)
                read.append(nodes)
            why.append(tuple(dict.fromkeys(self.clauses + cited)) if cited else plain)
        shown = None if need is None else need - self.modifier
        keep = Keep.HIGHEST if self.dice > 1 else Keep.SUM
        return Stage(label, read, why=why, good=good, need=shown, dice=self.dice, keep=keep)


def _best(granted: list[Again], need: int | None) -> int | None:
    """Of several permissions for one die, the second number that is easiest."""
    found = [need if one.need is None else one.need for one in granted]
    known = [number for number in found if number is not None]
    return min(known) if known else None


_tables: dict[Hashable, Stage[Nodes]] = {}
"""Tables lately written, by all they depend on."""
MOST_TABLES = 4096


def kept_table(key: Hashable, write: Callable[[], Stage[Nodes]]) -> Stage[Nodes]:
    """The table kept under a key that says all it depends on, written if there is none."""
    found = _tables.get(key)
    if found is None:
        if len(_tables) >= MOST_TABLES:
            _tables.clear()
        found = _tables[key] = write()
    return found


class HitRoll(Roll):
    """A To Hit roll, and what its natural faces do besides hitting."""

    label = "hit"

    def __init__(self, need: int | None, *clauses: str) -> None:
        """Natural 1 misses, natural 6 hits."""
        super().__init__(need, *clauses)
        self.fails, self.succeeds = frozenset({1}), frozenset({6})
        self.automatic: tuple[str, ...] = ()
        self.lethal: tuple[str, ...] = ()
        self.sustained = 0
        self.sustained_by: tuple[str, ...] = ()
        self.precise_from = NEVER
        self.precise_by: tuple[str, ...] = ()
        self.hot: tuple[str, ...] = ()

    def precise(self, face: int, *clauses: str) -> None:
        """Let natural faces from ``face`` on be allocated by the attacker; the widest of several counts."""
        if face < self.precise_from:
            self.mark("precision", None if self.precise_from == NEVER else self.precise_from, face, *clauses)
            self.precise_from, self.precise_by = face, clauses

    def sustain(self, extra: int, *clauses: str) -> None:
        """Score more hits on a natural 6; the better of two counts (CF-DICE-9)."""
        if extra > self.sustained:
            self.mark("extra hits", self.sustained, extra, *clauses)
            self.sustained, self.sustained_by = extra, clauses


class WoundRoll(Roll):
    """A To Wound roll or an armour roll, and what its natural faces do besides wounding."""

    label = "wound"

    def __init__(self, need: int | None, *clauses: str) -> None:
        """Rules may name numbers that replace the table's, and effects of a natural 6."""
        super().__init__(need, *clauses)
        self.fixed: tuple[tuple[int, tuple[str, ...], bool], ...] = ()
        self.devastating_from = NEVER
        self.devastating_by: tuple[str, ...] = ()
        self.mortal: tuple[str, ...] = ()
        self.extra: tuple[str, ...] = ()
        self.instant: tuple[str, ...] = ()
        self.ap_on_six = 0
        self.ap_by: tuple[str, ...] = ()
        self.only_glances: tuple[str, ...] = ()

    def fix(self, need: int, *clauses: str, or_table: bool = False) -> None:
        """Name a number that takes the place of the table's; ``or_table``: only where the table asks for no less."""
        self.fixed += ((need, clauses, or_table),)

    def fixed_need(self) -> tuple[int, tuple[str, ...]] | None:
        """CF-WOUND-2: the number the attacker takes of those named: the lowest (DP-24)."""
        found = [(min(need, self.need or need) if or_table else need, why) for need, why, or_table in self.fixed]
        return min(found) if found else None

    def devastate(self, face: int, *clauses: str) -> None:
        """Turn natural faces from ``face`` on into mortal wounds; the widest of several counts."""
        if face < self.devastating_from:
            self.mark("mortal wounds", None if self.devastating_from == NEVER else self.devastating_from, face, *clauses)
            self.devastating_from, self.devastating_by = face, clauses

    def pierce(self, ap: int, *clauses: str) -> None:
        """Resolve a natural 6 at an AP, unless a better one is printed (CF-AP-4)."""
        if ap < self.ap_on_six:
            self.mark("AP on a 6", None, ap, *clauses)
            self.ap_on_six, self.ap_by = ap, clauses

    def acts(self, face: int) -> bool:
        """A die may become mortal wounds, or a 6 bring one, though it does not wound."""
        return face >= self.devastating_from or (face == 6 and bool(self.mortal))
