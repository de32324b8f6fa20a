"""The general lane of the calculator: attack by attack over whatever states there are.

It follows the roller step for step (order of harm, waves, packets, both sides), but carries the law of all dice
along instead of one roll. Slow beside the folds of `fold`, and right for everything they are not made for.

States and waiting harm are numbered as they turn up, so that the law is carried over small whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import TypeAlias

from rolloff.errors import BadInput
from rolloff.oracle.flow import LATE, Exit, Harm, Side, Wave, harm_of
from rolloff.oracle.law import Number
from rolloff.oracle.target import packet
from rolloff.oracle.words import DIGIT, Counts, Word

Taken: TypeAlias = Sequence[tuple[tuple[Hashable, Counts], Number]]
"""The law of one take: where it leaves the state, what it counted, the chance."""

Pool: TypeAlias = tuple[tuple[Exit, int], ...]
"""Harm that waits, in order, like kinds run together."""

Waiting: TypeAlias = tuple[Pool, Pool, Pool]
"""What waits for the end of the event, for the end of the volley, and to be tied into packets."""

Front: TypeAlias = dict[tuple[int, int, int], Number]
"""The law so far: by the number of the states, the number of what waits, and the packed counts."""

LIMIT = 2_000_000
"""How many branches one event may open before it is refused; in rationals each weighs more the longer its numbers are."""

RATIONAL, LONG = 4, 100
"""What a branch in rationals weighs beside one in floats, and so many bits of its numbers weigh as much as one again."""


Ways: TypeAlias = tuple[dict[Word, Number], dict[Word, Number]]
"""The words of one attack at first, and once the target has turned; the same where that changes nothing."""


def never(state: Hashable) -> bool:
    """A target that does not turn."""
    return False


class Walker:
    """Carries the law of (target, firer, waiting harm, counts) through one attack event."""

    def __init__(
        self,
        take: Callable[[Side, Hashable, Exit], Taken],
        gone: Callable[[Side, Hashable], bool],
        tallies: int,
        one: Number,
        turned: Callable[[Hashable], bool] = never,
    ) -> None:
        """`take` gives the law of one harm on one side; `tallies` is how many counts are kept.

        ``turned`` says of a state of the target whether attacks on it are made by their other words.
        """
        self._turned = turned
        self._take = take
        self._gone = gone
        self._tallies = tallies
        self._one = one
        self._opened = 0
        self._weight = 1 if isinstance(one, float) else RATIONAL
        self._pairs: list[tuple[Hashable, Hashable]] = []
        self._numbers: dict[tuple[Hashable, Hashable], int] = {}
        self._lines: list[Waiting] = []
        self._line_numbers: dict[Waiting, int] = {}
        self._joins: dict[tuple[int, int], int] = {}
        self._borne: dict[tuple[int, Exit], list[tuple[int, int, Number]]] = {}

    def event(
        self, volleys: Sequence[tuple[Ways, dict[int, Number]]], state: Hashable, firer_state: Hashable
    ) -> dict[tuple[Hashable, Hashable, Counts], Number]:
        """The law after all volleys; each is its words and the law of its number of attacks."""
        nothing = self._line(((), (), ()))
        front: Front = {(self._pair((state, firer_state)), nothing, 0): self._one}
        for spoken, number in volleys:
            front = self._closed(self._volley(front, spoken, number))
        for wave in (wave for wave in Wave if wave >= LATE):
            front = self._drained(front, wave)
        found: dict[tuple[Hashable, Hashable, Counts], Number] = {}
        for (pair, _, counts), chance in front.items():
            key = (*self._pairs[pair], unpacked(counts, self._tallies))
            found[key] = found.get(key, 0) + chance
        return found

    def _pair(self, states: tuple[Hashable, Hashable]) -> int:
        """The number of a pair of states."""
        found = self._numbers.setdefault(states, len(self._pairs))
        if found == len(self._pairs):
            self._pairs.append(states)
        return found

    def _line(self, waiting: Waiting) -> int:
        """The number of a line of waiting harm."""
        found = self._line_numbers.setdefault(waiting, len(self._lines))
        if found == len(self._lines):
            self._lines.append(waiting)
        return found

    def _joined(self, line: int, more: int) -> int:
        """The number of a line with another behind it."""
        found = self._joins.get((line, more))
        if found is None:
            (late, soon, packs), (later, sooner, further) = self._lines[line], self._lines[more]
            found = self._line((run_on(late, later), run_on(soon, sooner), gathered(packs, further)))
            self._joins[line, more] = found
        return found

    def _volley(self, front: Front, spoken: Ways, number: dict[int, Number]) -> Front:
        """One volley, attack after attack."""
        steps: dict[int, list[tuple[tuple[int, int, int], Number]]] = {}
        ended: Front = {}
        last = max(number)
        for attack in range(last + 1):
            share = number.get(attack)
            if share:
                for key, chance in front.items():
                    ended[key] = ended.get(key, 0) + chance * share
            if attack < last:
                front = self._attacked(front, spoken, steps)
        return ended

    def _attacked(self, front: Front, spoken: Ways, steps: dict[int, list[tuple[tuple[int, int, int], Number]]]) -> Front:
        """The law after one more attack."""
        further: Front = {}
        if self._weight > 1:
            self._weight = RATIONAL + Fraction(next(iter(front.values()))).denominator.bit_length() // LONG
        for (pair, line, counts), chance in front.items():
            step = steps.get(pair)
            if step is None:
                step = steps[pair] = self._attack(pair, spoken)
            self._open(len(step))
            for (after, more, extra), other in step:
                key = (after, self._joined(line, more) if more else line, counts + extra)
                further[key] = further.get(key, 0) + chance * other
        return further

    def _attack(self, pair: int, spoken: Ways) -> list[tuple[tuple[int, int, int], Number]]:
        """One attack on these states: every word, what it does at once and what it leaves waiting."""
        found: Front = {}
        first, turned = spoken
        said = turned if turned is not first and self._turned(self._pairs[pair][0]) else first
        for (exits, counts), chance in said.items():
            now: dict[tuple[int, int], Number] = {(pair, packed(counts)): chance}
            late: Pool = ()
            soon: Pool = ()
            packs: Pool = ()
            for leaving in exits:
                wave = harm_of(leaving).wave
                if isinstance(leaving, Harm) and leaving.packet:
                    packs = gathered(packs, ((leaving, 1),))
                elif wave >= LATE:
                    late = run_on(late, ((leaving, 1),))
                elif wave is Wave.AFTER_GROUP:
                    soon = run_on(soon, ((leaving, 1),))
                else:
                    now = self._struck(now, leaving)
            more = self._line((late, soon, packs))
            for (after, total), other in now.items():
                found[after, more, total] = found.get((after, more, total), 0) + other
        return list(found.items())

    def _struck(self, now: dict[tuple[int, int], Number], leaving: Exit) -> dict[tuple[int, int], Number]:
        """Let one harm reach whom it is for."""
        found: dict[tuple[int, int], Number] = {}
        for (pair, counts), chance in now.items():
            for after, extra, other in self._law(pair, leaving):
                key = (after, counts + extra)
                found[key] = found.get(key, 0) + chance * other
        return found

    def _law(self, pair: int, leaving: Exit) -> list[tuple[int, int, Number]]:
        """What one harm does to a pair of states: the pair after it, what it counted, the chance."""
        known = self._borne.get((pair, leaving))
        if known is None:
            target, firer = self._pairs[pair]
            side = harm_of(leaving).on
            state = target if side is Side.TARGET else firer
            if state is None or self._gone(side, state):
                known = [(pair, 0, 1)]
            else:
                known = [
                    (self._pair((after, firer) if side is Side.TARGET else (target, after)), packed(extra), chance)
                    for (after, extra), chance in self._take(side, state, leaving)
                ]
            self._borne[pair, leaving] = known
        self._open(len(known))
        return known

    def _closed(self, ended: Front) -> Front:
        """The end of a volley: packets are tied, and what waited for the end arrives."""
        found: Front = {}
        for (pair, line, counts), chance in ended.items():
            late, soon, packs = self._lines[line]
            due = soon
            for leaving, count in packs:
                assert isinstance(leaving, Harm)
                tied = packet(leaving, count)
                if tied.wave >= LATE:
                    late = run_on(late, ((tied, 1),))
                else:
                    due = run_on(due, ((tied, 1),))
            now = {(pair, counts): chance}
            for leaving, count in due:
                for _ in range(count):
                    now = self._struck(now, leaving)
            rest = self._line((late, (), ()))
            for (after, total), other in now.items():
                found[after, rest, total] = found.get((after, rest, total), 0) + other
        return found

    def _drained(self, front: Front, wave: Wave) -> Front:
        """Let all harm of one late wave arrive, the fullest pools first so that equal rests merge."""
        done: Front = {}
        waiting: dict[int, Front] = {}

        def file(key: tuple[int, int, int], chance: Number) -> None:
            due = sum(count for leaving, count in self._lines[key[1]][0] if harm_of(leaving).wave is wave)
            shelf = waiting.setdefault(due, {}) if due else done
            shelf[key] = shelf.get(key, 0) + chance

        for key, chance in front.items():
            file(key, chance)
        while waiting:
            for (pair, line, counts), chance in waiting.pop(max(waiting)).items():
                leaving, rest = _next_due(self._lines[line][0], wave)
                further = self._line((rest, (), ()))
                for after, extra, other in self._law(pair, leaving):
                    file((after, further, counts + extra), chance * other)
        return done

    def _open(self, branches: int) -> None:
        """Keep count of the work, and refuse what would take too long."""
        self._opened += branches * self._weight
        if self._opened > LIMIT:
            most = LIMIT // self._weight
            how = "" if self._weight == 1 else ", or without --exact"
            raise BadInput(
                "too-large",
                f"these odds open more than {most:,} branches; ask for fewer attacks, or fewer counts at once{how}",
                where="attacks",
                allowed=f"{most:,} branches",
            )


def packed(counts: Counts) -> int:
    """A line of counts as one whole number."""
    return sum(count << DIGIT * place for place, count in enumerate(counts) if count)


def unpacked(counts: int, size: int) -> Counts:
    """The line of counts a whole number stands for."""
    return tuple([counts >> DIGIT * place & (1 << DIGIT) - 1 for place in range(size)])


def _next_due(late: Pool, wave: Wave) -> tuple[Exit, Pool]:
    """The first harm of a wave, and the pool without it."""
    for at, (leaving, count) in enumerate(late):
        if harm_of(leaving).wave is wave:
            rest = ((leaving, count - 1),) if count > 1 else ()
            return leaving, late[:at] + rest + late[at + 1 :]
    raise LookupError(f"nothing of {wave.name} waits")


def run_on(pool: Pool, more: Pool) -> Pool:
    """A pool with more harm behind it: in the order of the waves, and in each wave in the order it came."""
    for leaving, count in more:
        wave = harm_of(leaving).wave
        at = len(pool)
        while at and harm_of(pool[at - 1][0]).wave > wave:
            at -= 1
        if at and pool[at - 1][0] == leaving:
            pool = (*pool[: at - 1], (leaving, pool[at - 1][1] + count), *pool[at:])
        else:
            pool = (*pool[:at], (leaving, count), *pool[at:])
    return pool


def gathered(pool: Pool, more: Pool) -> Pool:
    """A pool in which every kind stands once, in the order it first came."""
    for leaving, count in more:
        for at, (known, so_far) in enumerate(pool):
            if known == leaving:
                pool = (*pool[:at], (leaving, so_far + count), *pool[at + 1 :])
                break
        else:
            pool = (*pool, (leaving, count))
    return pool
