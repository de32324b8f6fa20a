"""The general lane of the calculator: attack by attack over whatever states there are.

It follows the roller step for step (order of harm, waves, packets, both sides), but carries the law of all dice along
instead of one throw. Slow beside the folds of `fold`, and right for everything they are not made for.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeAlias

from rolloff.errors import BadInput
from rolloff.oracle.flow import LATE, Exit, Harm, Side, Tally, Volley, Wave, harm_of
from rolloff.oracle.target import packet
from rolloff.oracle.words import Counts, Word, added

Taken: TypeAlias = Sequence[tuple[tuple[Any, Counts], Any]]
"""The law of one take: where it leaves the state, what it counted, the chance."""

Pool: TypeAlias = tuple[tuple[Exit, int], ...]
"""Harm that waits, in order, like kinds run together."""

LIMIT = 2_000_000
"""How many branches one event may open before it is refused."""


class Walker:
    """Carries the law of (target, firer, waiting harm, counts) through one attack event."""

    def __init__(
        self,
        take: Callable[[Side, Hashable, Exit], Taken],
        gone: Callable[[Side, Hashable], bool],
        tallies: tuple[Tally, ...],
        one: Any,
    ) -> None:
        """`take` gives the law of one harm on one side."""
        self._take = take
        self._gone = gone
        self._none: Counts = (0,) * len(tallies)
        self._one = one
        self._opened = 0

    def event(
        self,
        volleys: Sequence[tuple[Volley, dict[Word, Any], dict[int, Any]]],
        state: Hashable,
        firer_state: Hashable,
    ) -> dict[tuple[Any, Any, Counts], Any]:
        """The law after all volleys; each comes with its words and the law of its number of attacks."""
        front: dict[Any, Any] = {((state, firer_state), (), self._none): self._one}
        for _, spoken, number in volleys:
            front = self._volley(front, spoken, number)
        found: dict[Any, Any] = {}
        for wave in (wave for wave in Wave if wave >= LATE):
            front = self._drained(front, wave)
        for ((target, firer), _, counts), chance in front.items():
            key = (target, firer, counts)
            found[key] = found.get(key, 0) + chance
        return found

    def _volley(self, front: dict[Any, Any], spoken: dict[Word, Any], number: dict[int, Any]) -> dict[Any, Any]:
        """One volley: attack after attack, then the harm that waited for its end."""
        steps: dict[Any, list[tuple[Any, Any]]] = {}
        current: dict[Any, Any] = {(key, (), ()): chance for key, chance in front.items()}
        ended: dict[Any, Any] = {}
        for attack in range(max(number) + 1):
            share = number.get(attack)
            if share:
                for key, chance in current.items():
                    ended[key] = ended.get(key, 0) + chance * share
            if attack == max(number):
                break
            further: dict[Any, Any] = {}
            for ((states, late, counts), soon, packs), chance in current.items():
                if states not in steps:
                    steps[states] = self._attack(states, spoken)
                self._open(len(steps[states]))
                for (after, more_late, more_soon, more_packs, extra), other in steps[states]:
                    key = (
                        (after, run_on(late, more_late), added(counts, extra)),
                        run_on(soon, more_soon),
                        gathered(packs, more_packs),
                    )
                    further[key] = further.get(key, 0) + chance * other
            current = further
        return self._closed(ended)

    def _attack(self, states: Any, spoken: dict[Word, Any]) -> list[tuple[Any, Any]]:
        """One attack on these states: every word spoken, and what it does at once and what it leaves waiting."""
        found: dict[Any, Any] = {}
        for (exits, counts), chance in spoken.items():
            line: dict[Any, Any] = {(states, counts): chance}
            late: Pool = ()
            soon: Pool = ()
            packs: Pool = ()
            for leaving in exits:
                harm = harm_of(leaving)
                if isinstance(leaving, Harm) and leaving.packet:
                    packs = gathered(packs, ((leaving, 1),))
                elif harm.wave >= LATE:
                    late = run_on(late, ((leaving, 1),))
                elif harm.wave is Wave.AFTER_GROUP:
                    soon = run_on(soon, ((leaving, 1),))
                else:
                    line = self._borne(line, leaving)
            for (after, total), other in line.items():
                key = (after, late, soon, packs, total)
                found[key] = found.get(key, 0) + other
        return list(found.items())

    def _borne(self, line: dict[Any, Any], leaving: Exit) -> dict[Any, Any]:
        """Let one harm reach whom it is for."""
        side = harm_of(leaving).on
        place = 0 if side is Side.TARGET else 1
        found: dict[Any, Any] = {}
        for (states, counts), chance in line.items():
            if states[place] is None or self._gone(side, states[place]):
                found[states, counts] = found.get((states, counts), 0) + chance
                continue
            taken = self._take(side, states[place], leaving)
            self._open(len(taken))
            for (state, extra), other in taken:
                after = (state, states[1]) if place == 0 else (states[0], state)
                key = (after, added(counts, extra))
                found[key] = found.get(key, 0) + chance * other
        return found

    def _closed(self, ended: dict[Any, Any]) -> dict[Any, Any]:
        """The end of a volley: packets are tied, and what waited for the end arrives."""
        found: dict[Any, Any] = {}
        for ((states, late, counts), soon, packs), chance in ended.items():
            for leaving, count in packs:
                assert isinstance(leaving, Harm)
                tied = packet(leaving, count)
                if tied.wave >= LATE:
                    late = run_on(late, ((tied, 1),))
                else:
                    soon = run_on(soon, ((tied, 1),))
            line = {(states, counts): chance}
            for leaving, count in sorted(soon, key=_wave_of):
                for _ in range(count):
                    line = self._borne(line, leaving)
            for (after, total), other in line.items():
                key = (after, late, total)
                found[key] = found.get(key, 0) + other
        return found

    def _drained(self, front: dict[Any, Any], wave: Wave) -> dict[Any, Any]:
        """Let all harm of one late wave arrive, the fullest pools first so that equal rests merge."""
        done: dict[Any, Any] = {}
        waiting: dict[int, dict[Any, Any]] = {}

        def file(states: Any, late: Pool, counts: Counts, chance: Any) -> None:
            due = sum(count for leaving, count in late if harm_of(leaving).wave is wave)
            shelf = waiting.setdefault(due, {}) if due else done
            key = (states, late, counts)
            shelf[key] = shelf.get(key, 0) + chance

        for (states, late, counts), chance in front.items():
            file(states, late, counts, chance)
        while waiting:
            for (states, late, counts), chance in waiting.pop(max(waiting)).items():
                leaving, rest = _next_due(late, wave)
                for (after, total), other in self._borne({(states, counts): chance}, leaving).items():
                    file(after, rest, total, other)
        return done

    def _open(self, branches: int) -> None:
        """Keep count of the work, and refuse what would take too long."""
        self._opened += branches
        if self._opened > LIMIT:
            raise BadInput(
                "too-large",
                f"these odds open more than {LIMIT:,} branches; fewer attacks or simpler ones can be reckoned",
                where="attacks",
                allowed=f"{LIMIT:,} branches",
            )


def _wave_of(item: tuple[Exit, int]) -> Wave:
    return harm_of(item[0]).wave


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
