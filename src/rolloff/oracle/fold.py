"""The quick lane of the calculator: count the harms of a volley, then fold the counts through the target's states.

It serves every event in which each wave of each volley holds one kind of harm (kinds the target cannot tell apart
are one), and at most two waves of a volley depend on each other. Anything else says None and is walked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from rolloff.errors import BadInput
from rolloff.oracle.counting import Attacks, FlowPlan, Slot, attacks_of, parted
from rolloff.oracle.flow import LATE, Flow, Harm, Volley, Wave
from rolloff.oracle.powers import Array, multiplied, product, slanted
from rolloff.oracle.space import Kind, Space
from rolloff.oracle.windows import pairs

SHORT = 1_000
"""The longest law of two counts that is raised in one go; a longer one is raised to half the attacks, twice used."""

LONG = 12_000
"""The longest law of two counts that is raised; of longer ones what is likely is marched through attack by attack."""

MARCH = 1_000
"""How many attacks are marched through before they are refused."""


class Late(NamedTuple):
    """Harm that waits for the end of the event and depends on nothing else in it."""

    wave: Wave
    kind: Kind | None
    counts: Array
    packets: Harm | None


class Fold:
    """One attack event folded through the states of a target."""

    def __init__(self, space: Space, plan: Callable[[Flow, bool], FlowPlan | None]) -> None:
        """`plan` remembers how each flow meets this target."""
        self.space = space
        self._plan = plan
        self._gather = True
        self._late: list[Late] = []
        self._pool: Slot | None = None
        self._at: int | None = None

    def event(self, volleys: Sequence[Volley], start: Array | None, at: int | None) -> Array | None:
        """The chances of each state after the event, from chances or one state; None if it must be walked."""
        found = self._folded(volleys, start, at)
        if found is None and self._pool is not None and isinstance(self._pool.kind, Flow):
            self._gather = False
            found = self._folded(volleys, start, at)
        return found

    def _folded(self, volleys: Sequence[Volley], start: Array | None, at: int | None) -> Array | None:
        """Volley after volley, then the harm that waited."""
        self._at, self._pool, self._late = at, None, []
        front = start if start is not None else self.space.certain(at or 0)
        for volley in volleys:
            attacks = attacks_of(volley, self.space.exact)
            plan = self._plan(volley.flow, self._gather)
            if plan is None:
                return None
            if not plan.slots or attacks.most == 0:
                continue
            further = self._volley(front, volley.flow, plan, attacks)
            if further is None:
                return None
            front = further
        return self._ended(front)

    def _volley(self, front: Array, flow: Flow, plan: FlowPlan, attacks: Attacks) -> Array | None:
        """One volley: fold what arrives with it, keep what waits."""
        if len(plan.slots) == 2:
            return None if flow.packets else self._coupled(front, plan, attacks)
        counts = plan.counts(attacks, self.space.exact)
        wave, kind = plan.slots[0]
        packets = kind if isinstance(kind, Harm) and kind.packet else None
        item = Late(wave, None if packets else kind, counts, packets)
        if wave >= LATE:
            self._late.append(item)
            return front
        return self._borne(front, item)

    def _coupled(self, front: Array, plan: FlowPlan, attacks: Attacks) -> Array | None:
        """A volley with two slots that depend on each other: fold the first, and carry the second along."""
        first, second = plan.slots
        if first.wave >= LATE:
            return None
        if second.wave >= LATE and self._pool is not None and self._pool != second:
            return None
        after = self._split(front, plan, attacks)
        self._at = None
        if second.wave < LATE:
            return np.concatenate([self.space.drained(rows, second.kind) for rows in after])
        self._pool = second
        if len(after) == 1:
            return after[0]
        total = self.space.blank(len(front) + len(after[0]) - 1)
        for at, rows in enumerate(after):
            total[at : at + len(rows)] += rows
        return total

    def _split(self, front: Array, plan: FlowPlan, attacks: Attacks) -> list[Array]:
        """Every row of chances after the first slot, by the count of the second."""
        kind = plan.slots[0].kind
        size = 0 if self.space.exact else plan.size(attacks.most)
        if plan.marches or (size > LONG and self._at is None):
            return [self._marched(row, plan, attacks) for row in front]
        if size > LONG and self._at is not None:
            _marchable(max(attacks.law(False)))
            often = pairs(plan, attacks)
            return [multiplied(often, self.space.rows(kind, self._at, often.shape[1] - 1))]
        if size > SHORT and len(attacks.each) == 1 and attacks.weapons == 1:
            halved = self._halved(front, plan, attacks.most)
            if halved is not None:
                return halved
        counts = plan.counts(attacks, self.space.exact)
        if self._at is not None:
            return [product(counts, self.space.rows(kind, self._at, counts.shape[1] - 1))]
        lines = ([self.space.folded(row[None, :], kind, line) for line in counts] for row in front)
        return [np.concatenate(rows) for rows in lines]

    def _halved(self, front: Array, plan: FlowPlan, attacks: int) -> list[Array] | None:
        """One half of the attacks after the other, so that their law is raised to half their number only.

        None if there are too many states to keep what so many harms do to each.
        """
        kind, size = plan.slots[0].kind, len(self.space.states)
        fewer, more = plan.halves(attacks)
        table = self.space.powers(kind, more.shape[1] - 1)
        if table is None:
            return None
        powers = table.reshape(more.shape[1], size * size)
        steps = multiplied(more, powers).reshape(len(more), size, size).transpose(1, 0, 2).reshape(size, len(more) * size)
        found = []
        for row in front:
            if self._at is not None:
                first = multiplied(fewer, self.space.rows(kind, self._at, more.shape[1] - 1))
            else:
                first = multiplied(fewer, row @ table)
            found.append(slanted(multiplied(first, steps).reshape(len(first), len(more), size)))
        return found

    def _marched(self, row: Array, plan: FlowPlan, attacks: Attacks) -> Array:
        """The same attack by attack, which is quicker for very many than to raise their law."""
        number = attacks.law(False)
        last, size = max(number), len(self.space.states)
        _marchable(last)
        step, reach = self._attack(plan), plan.reach + 1
        total, front = np.zeros((last * (reach - 1) + 1, size)), row[None, :]
        for attack in range(last + 1):
            total[: len(front)] += front * number.get(attack, 0.0)
            moved = multiplied(front, step.reshape(size, reach * size)).reshape(len(front), reach, size)
            front = np.zeros((len(front) + reach - 1, size))
            for second in range(reach):
                front[second : second + len(moved)] += moved[:, second]
        return total

    def _attack(self, plan: FlowPlan) -> Array:
        """What one attack does: from state to state, by how often it fills the second slot."""
        first, second = plan.slots
        size = len(self.space.states)
        step = np.zeros((size, plan.reach + 1, size))
        if isinstance(first.kind, Flow) and plan.marches:
            for exits, waiting, chance in parted(first.kind, second.wave):
                line = self.space.one()
                for leaving in exits:
                    line = multiplied(line, self.space.matrix(leaving))
                step[:, waiting] += chance * line
            return step
        matrix = self.space.matrix(first.kind)
        for chance, often, then in zip(plan.law, plan.first, plan.second, strict=True):
            step[:, then] += chance * np.linalg.matrix_power(matrix, int(often))
        return step

    def _borne(self, front: Array, item: Late) -> Array:
        """Let a counted harm, or a packet of that size, arrive on every row."""
        at, self._at = self._at, None
        return borne(self.space, front, at, item)

    def _ended(self, front: Array) -> Array | None:
        """The harm that waited, wave by wave."""
        pool = self._pool
        if pool is None and not self._late:
            return front
        for wave in sorted({item.wave for item in self._late} | ({pool.wave} if pool else set())):
            due = [item for item in self._late if item.wave is wave]
            if pool is not None and pool.wave is wave:
                if any(item.kind != pool.kind for item in due):
                    return None
                front = self.space.drained(front, pool.kind)
            for item in due:
                front = self._borne(front, item)
        return front


def borne(space: Space, front: Array, at: int | None, item: Late) -> Array:
    """A counted harm, or a packet of that size, arrives on every row; `at` is the state if the front is certain."""
    if item.packets is not None:
        return product(front, space.packets(item.packets, item.counts))
    if item.kind is None:
        unmoved: Array = front * item.counts.sum()
        return unmoved
    if at is not None:
        return product(item.counts[None, :], space.rows(item.kind, at, len(item.counts) - 1))
    return space.folded(front, item.kind, item.counts)


def _marchable(last: int) -> None:
    """Refuse so many attacks that one after the other they would take too long."""
    if last > MARCH:
        raise BadInput(
            "too-large",
            f"{last:,} such attacks are too many; up to {MARCH:,} can be computed in good time",
            where="attacks",
            allowed=f"{MARCH:,} attacks",
        )
