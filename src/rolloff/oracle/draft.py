"""A draft is a stage in the making: the rules edit it, each naming its clause, and then it is frozen into a table."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, TypeAlias

from rolloff.oracle.flow import Nodes
from rolloff.oracle.offers import Offer
from rolloff.oracle.stage import AGAIN, Change, Keep, Name, Stage, numbers

NO_CRITICAL = 99
"""A face that no die shows."""

BASE = "base"
"""What the first line of an audit is about: the number the plain rule asks for."""

LIMIT, LEAST = "limit", "least"
"""What its last lines are about: modifiers beyond their bounds, and a number better than dice may need."""

MEMO = 8192
"""How many frozen drafts are remembered before the shelf is cleared."""


class When(Name):
    """What a reaction answers to, besides a natural face or a set of them."""

    SUCCESS = "success"
    FAILURE = "failure"
    CRITICAL = "critical"
    ALWAYS = "always"


class Reroll(Name):
    """Which first results may or must be rolled again, besides a set of natural faces."""

    ONES = "ones"
    FAILURES = "failures"
    SUCCESSES = "successes"
    NOT_CRITICAL = "all but criticals"
    OUTDONE = "successes that a critical one would outdo"


Trigger: TypeAlias = When | int | frozenset[int]
Again: TypeAlias = Reroll | frozenset[int]
Terms: TypeAlias = tuple[str, bool, str, bool]
"""Of an offer its name, what is done by default, the decision it is, and whether the answer lasts."""


Reaction: TypeAlias = tuple[Trigger, tuple[str, ...], Nodes, "Nodes | None", "bool | None"]
"""When, the clauses, the nodes it adds, the nodes it puts in their place, and whether it asks for success."""


def _fires(when: Trigger, passing: bool | None, face: int, passed: bool, critical: bool) -> bool:
    """Whether the final result sets a reaction off."""
    if passing is not None and passed is not passing:
        return False
    if isinstance(when, When):
        return {
            When.SUCCESS: passed,
            When.FAILURE: not passed,
            When.CRITICAL: critical,
            When.ALWAYS: True,
        }[when]
    return face == when if isinstance(when, int) else face in when


def _named(when: Name | int | frozenset[int]) -> str:
    """A trigger or a set of results in words."""
    if isinstance(when, Name):
        return str(when.value)
    return str(when) if isinstance(when, int) else ", ".join(map(str, sorted(when)))


def _shown(value: object) -> object:
    """A value of the audit as it is shown."""
    return _named(value) if isinstance(value, Name | frozenset) else value


def _line(what: str | tuple[Trigger], before: object, after: object, clauses: tuple[str, ...]) -> Change:
    """One line of the audit."""
    return Change(f"on {_named(what[0])}" if isinstance(what, tuple) else what, before, _shown(after), clauses)


def _once(clauses: tuple[str, ...]) -> tuple[str, ...]:
    """Clauses without those that are cited again."""
    return tuple(dict.fromkeys(clauses))


_shelf: dict[Hashable, Stage[object]] = {}


class Draft:
    """What rules edit: need, modifiers, re-rolls, criticals and reactions. Every edit returns the draft."""

    modifier = 0
    low: int | None = None
    high: int | None = None
    critical_on = NO_CRITICAL
    _limit_why: tuple[str, ...] = ()
    _natural: tuple[frozenset[int], frozenset[int], tuple[str, ...]] = (frozenset(), frozenset(), ())
    _critical_why: tuple[str, ...] = ()
    _again: tuple[tuple[Again, tuple[str, ...], int | None], ...] = ()
    _asking: tuple[str, tuple[str, ...], str] | None = None
    _offered: tuple[tuple[Again, tuple[str, ...], Terms], ...] = ()
    _reactions: tuple[Reaction, ...] = ()
    _automatic: tuple[str, ...] | None = None
    _treated: tuple[tuple[int, int, tuple[str, ...]], ...] = ()
    signs: tuple[str, ...] = ()
    """What whoever reacts to its dice knows it by, besides its clauses; cited nowhere."""

    def __init__(
        self,
        label: str,
        need: int | None,
        *clauses: str,
        then: Nodes = (),
        otherwise: Nodes = (),
        dice: int = 1,
        keep: Keep = Keep.SUM,
        sides: int = 6,
    ) -> None:
        """Start from the plain rule; `need` None can only succeed by a natural or a critical result."""
        self.label = label
        self.need = need
        self._plain = need, clauses
        self.then = then
        self.otherwise = otherwise
        self.dice = dice
        self.keep = keep
        self.sides = sides
        self.clauses: tuple[str, ...] = clauses
        self._lines: list[tuple[str | tuple[Trigger], object, object, tuple[str, ...]]] = []

    def mark(self, what: str, before: object, after: object, *clauses: str) -> Draft:
        """Add a line to the audit."""
        self._lines.append((what, before, after, clauses))
        return self

    @property
    def audit(self) -> list[Change]:
        """What the rules changed so far, line by line."""
        return [_line(*line) for line in self._lines]

    def audit_but(self, what: str, after: int) -> list[Change]:
        """The same without the lines by which something came to such a number."""
        return [_line(*line) for line in self._lines if line[0] != what or line[2] != after]

    def set_need(self, need: int | None, *clauses: str, what: str = "need") -> Draft:
        """Replace the number needed; the last one to speak wins."""
        self.mark(what, self.need, need, *clauses)
        self.need = need
        self.clauses += clauses
        return self

    def modify(self, by: int, *clauses: str, what: str = "modifier") -> Draft:
        """Add to the roll; a plus is good for whoever rolls. Modifiers sum before they are limited."""
        self.mark(what, self.modifier, self.modifier + by, *clauses)
        self.modifier += by
        self.clauses += clauses
        return self

    def limit(self, low: int | None, high: int | None, *clauses: str) -> Draft:
        """Keep the sum of the modifiers between two numbers; None leaves that side open."""
        self.low, self.high, self._limit_why = low, high, clauses
        return self

    def natural(self, fails: tuple[int, ...] = (1,), succeeds: tuple[int, ...] = (6,), *clauses: str) -> Draft:
        """Name the unmodified results that always fail and always succeed."""
        self._natural = (frozenset(fails), frozenset(succeeds), clauses)
        return self

    def critical(self, on: int = 6, *clauses: str) -> Draft:
        """Make an unmodified `on` or more a critical success; of several the widest counts."""
        if on < self.critical_on:
            before = None if self.critical_on == NO_CRITICAL else self.critical_on
            self.mark("critical", before, on, *clauses)
            self.critical_on, self._critical_why = on, clauses
        return self

    def only_critical(self, on: int, *clauses: str) -> Draft:
        """Make exactly an unmodified `on` or more critical, whatever was said before; 7 makes none."""
        before = None if self.critical_on == NO_CRITICAL else self.critical_on
        self.mark("critical", before, on, *clauses)
        self.critical_on, self._critical_why = on, clauses
        return self

    def reroll(self, which: Again, *clauses: str, need: int | None = None) -> Draft:
        """Roll some first results again, once; permissions unite. `need` is the second roll's own number."""
        if self._asking is not None:
            name, first, point = self._asking
            return self.offer(which, name, *first, *clauses, point=point)
        self._lines.append(("re-roll", None, which, clauses))
        self._again += ((which, clauses, need),)
        return self

    def offering(self, name: str, *clauses: str, point: str = "") -> Draft:
        """From now on make offers of that name of what rules roll again; without a name no more."""
        self._asking = (name, clauses, point) if name else None
        return self

    def offer(
        self, which: Again, name: str, *clauses: str, default: bool = True, point: str = "", lasting: bool = False
    ) -> Draft:
        """Let whoever rolls choose whether some first results are rolled again, once; odds go by the policy of that name.

        What must be rolled again anyway is not asked about.
        """
        if default or not lasting:  # the trail tells what is done unless somebody says otherwise
            self._lines.append(("re-roll" if lasting else "offered", None, which, clauses))
        self._offered += ((which, clauses, (name, default, point, lasting)),)
        return self

    def react(
        self,
        when: Trigger,
        *clauses: str,
        add: Nodes = (),
        become: Nodes | None = None,
        passing: bool | None = None,
    ) -> Draft:
        """On the final result, add nodes or lead elsewhere; `passing` asks for a success or a failure besides."""
        self._lines.append(((when,), None, "besides" if become is None else "instead", clauses))
        self._reactions += ((when, clauses, add, become, passing),)
        return self

    def automatic(self, *clauses: str) -> Draft:
        """Let the success come without a die, so that nothing that reads a die can react."""
        self.mark("automatic", None, True, *clauses)
        self._automatic = clauses
        return self

    def treat(self, face: int, as_face: int, *clauses: str) -> Draft:
        """Let an unmodified final result count as another; a die that then succeeds is not rolled again."""
        self._lines.append(("treated", face, as_face, clauses))
        self._treated += ((face, as_face, clauses),)
        return self

    def clipped(self) -> int:
        """The sum of the modifiers within its limits."""
        found = self.modifier
        if self.low is not None:
            found = max(found, self.low)
        return found if self.high is None else min(found, self.high)

    def judged(self, face: int) -> int:
        """What a permission to roll some results again looks at: the unmodified result."""
        return face

    def is_critical(self, face: int) -> bool:
        """Whether an unmodified result is critical."""
        return face >= self.critical_on

    def passes(self, face: int, need: int | None) -> bool:
        """Whether an unmodified result succeeds."""
        if self.is_critical(face) or face in self._natural[1]:
            return True
        return face not in self._natural[0] and need is not None and self.value(face) >= need

    def value(self, face: int) -> int:
        """What an unmodified result comes to."""
        return face + self.clipped()

    def shown(self, need: int | None) -> int | None:
        """What a die has to show, as the log says it."""
        return None if need is None else need - self.clipped()

    def stage(self) -> Stage[Nodes]:
        """The table as it now stands; equal drafts give the same stage."""
        return self._frozen(False)

    def check(self) -> Stage[bool]:
        """The same table, telling only success from failure."""
        return self._frozen(True)

    def _frozen(self, plain: bool) -> Stage[Any]:
        """Look the draft up by value, or write its table."""
        key = (
            type(self),
            tuple(self._lines),
            plain,
            self.label,
            self._plain,
            self.need,
            self.then,
            self.otherwise,
            self.dice,
            self.keep,
            self.sides,
            self.clauses,
            self.modifier,
            self.low,
            self.high,
            self.critical_on,
            self._limit_why,
            self._natural,
            self._critical_why,
            self._again,
            self._offered,
            self._reactions,
            self._automatic,
            self._treated,
            self.signs,
        )
        found = _shelf.get(key)
        if found is None:
            if len(_shelf) >= MEMO:
                _shelf.clear()
            found = _shelf[key] = self._write(plain)
        return found

    def _write(self, plain: bool) -> Stage[object]:
        """Write the table, and the table of the second roll before it."""
        if self._automatic is not None:
            result: object = True if plain else self.then
            why = (self.clauses + self._automatic,)
            return Stage(self.label, (result,), why=why, good=(True,), dice=0, need=None)
        if not (self._again or self._offered):
            return self._table(self.label, self.need, plain, {})
        needs = [need for _, _, need in self._again if need is not None]
        twin = self._table(self.label + AGAIN, min(needs) if needs else self.need, plain, {})
        edges: dict[int, tuple[str, ...]] = {}
        for face in self._numbers():
            cited = [why for which, why, _ in self._again if self._rerolled(face, which)]
            if cited:
                edges[face] = tuple(clause for why in cited for clause in why)
        offers: dict[int, tuple[tuple[str, ...], Terms]] = {}
        for face in self._numbers():
            if face not in edges:
                found = [entry for entry in self._offered if self._rerolled(face, entry[0])]
                offers.update((face, (why, terms)) for _, why, terms in found)
        return self._table(self.label, self.need, plain, edges, twin, offers)

    def _numbers(self) -> Sequence[int]:
        """The unmodified results the dice can show."""
        return numbers(self.dice, self.keep, self.sides)

    def _rerolled(self, face: int, which: Again) -> bool:
        """Whether one permission covers a first result."""
        if isinstance(which, frozenset):
            return face in which
        seen, treated = self._seen(face)
        passed = self.passes(seen, self.need)
        if treated and passed and which is not Reroll.SUCCESSES:
            return False
        if which is Reroll.OUTDONE:
            return passed and not self.is_critical(seen) and self._outdone(seen)
        return {
            Reroll.ONES: self.judged(face) == 1,
            Reroll.FAILURES: not passed,
            Reroll.SUCCESSES: passed,
            Reroll.NOT_CRITICAL: not self.is_critical(face),
        }[which]

    def _outdone(self, face: int) -> bool:
        """Whether a critical result leads elsewhere than a success that is none."""
        own = self._result(face, True)[0]
        return any(self.is_critical(other) and self._result(other, True)[0] != own for other in self._numbers())

    def _table(
        self,
        label: str,
        need: int | None,
        plain: bool,
        edges: dict[int, tuple[str, ...]],
        twin: Stage[object] | None = None,
        offers: Mapping[int, tuple[tuple[str, ...], Terms]] = {},
    ) -> Stage[object]:
        """One table, by unmodified result."""
        base = self.clauses + (self._limit_why if self.clipped() != self.modifier else ())
        read: list[object] = []
        why: list[tuple[str, ...]] = []
        good: list[bool] = []
        for face in self._numbers():
            seen, treated = self._seen(face)
            passed = self.passes(seen, need)
            result, cited = self._result(seen, passed)
            cited += treated
            good.append(passed)
            if face in edges:
                read.append(twin)
                why.append(_once(base + edges[face]))
            elif face in offers and twin is not None:
                clauses, (name, default, point, lasting) = offers[face]
                kept, clause = passed if plain else result, (*clauses, *base)[0]
                read.append(Offer(kept, twin, name, clause, default, point, lasting))
                why.append(_once(base + cited + clauses))
            else:
                read.append(passed if plain else result)
                why.append(_once(base + cited))
        return Stage(
            label,
            read,
            why=why,
            good=good,
            need=self.shown(need),
            dice=self.dice,
            keep=self.keep,
            sides=self.sides,
            audit=self._trail(need),
            signs=self.signs,
        )

    def _trail(self, need: int | None) -> tuple[Change, ...]:
        """How the number came about: the plain one, what each rule did, and the bounds where they cut something off."""
        lines = [Change(BASE, None, *self._plain), *self.audit]
        clipped, shown = self.clipped(), self.shown(need)
        if clipped != self.modifier:
            lines.append(Change(LIMIT, self.modifier, clipped, self._limit_why))
        if need is not None and shown is not None and shown != need - clipped:
            lines.append(Change(LEAST, need - clipped, shown, self._plain[1]))
        return tuple(lines)

    def _seen(self, face: int) -> tuple[int, tuple[str, ...]]:
        """What a result counts as, and the clauses that say so."""
        return next(((other, why) for one, other, why in self._treated if one == face), (face, ()))

    def _result(self, face: int, passed: bool) -> tuple[Nodes, tuple[str, ...]]:
        """Where a final result leads, and the clauses beyond the plain ones that say so."""
        critical = self.is_critical(face)
        result = self.then if passed else self.otherwise
        cited: tuple[str, ...] = self._critical_why if critical else ()
        if face in self._natural[0] or face in self._natural[1]:
            cited += self._natural[2]
        added: Nodes = ()
        for when, clauses, add, become, passing in self._reactions:
            if _fires(when, passing, face, passed, critical):
                cited += clauses
                added += add
                if become is not None:
                    result = become
        return result + added, cited
