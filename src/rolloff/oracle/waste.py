"""Damage that finds no wound to take, as arrays: states that stand by what was wasted so far, and one row for the gone.

What one harm does to every state is kept as a few moves: so many states further on, with so much wasted. The law of what so
many harms waste, beginning from one state, is kept for the next question with the same harm on the same target. Floats only.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from rolloff.oracle.blocks import Block, drained, in_order, waiting_laws
from rolloff.oracle.counting import parted
from rolloff.oracle.effects import BLOCK, NOTHING, Effect, Front, Move, added, beyond_all, block_of, both
from rolloff.oracle.flow import Exit, Flow, Harm, Side, Wave, harm_of
from rolloff.oracle.law import Number
from rolloff.oracle.powers import Array, multiplied
from rolloff.oracle.space import Kind, Space
from rolloff.oracle.target import packet
from rolloff.oracle.words import words

MOVES = 400
"""The most moves a harm may consist of for this lane."""

KEPT = 64
"""The most tables kept for one target."""

ROOM, SPARE = 600_000, 150_000
"""The most numbers in a table of harm that waits, and in all such tables kept for one target."""

Borne: TypeAlias = Callable[[Hashable, Exit], Sequence[tuple[tuple[Hashable, tuple[int, ...]], Number]]]
"""The law of one harm on one state, also one that is gone, with what it wasted."""


class Waste:
    """The tables of one target; they hold for the states it has now."""

    def __init__(self, space: Space, borne: Borne) -> None:
        """`borne` gives the law of one harm with what it wasted."""
        self.space, self._borne = space, borne
        self.size = len(space.states)
        self._ones = np.ones(self.size)
        self.gone = np.array([space.gone(state) for state in space.states], dtype=bool)
        self._effects: dict[Kind, Effect | None] = {}
        self._fronts: dict[tuple[Kind, int], list[Front]] = {}
        self._laws: dict[tuple[Kind, int], Array] = {}
        self._packets: dict[tuple[Harm, bytes], Effect | None] = {}
        self._blocks: dict[Kind, Block | None] = {}
        self._stacks: dict[tuple[Kind, int], tuple[Array, Array]] = {}
        self._waiting: dict[Kind, Array] = {}

    def start(self, at: int) -> Front:
        """The certainty of one state, and nothing wasted."""
        standing, gone = np.zeros((1, self.size)), np.zeros(1)
        if self.gone[at]:
            gone[0] = 1.0
        else:
            standing[0, at] = 1.0
        return Front(standing, gone)

    # what one harm does

    def effect(self, kind: Kind) -> Effect | None:
        """What one harm does; None if it would be too many moves."""
        if kind not in self._effects:
            self._effects[kind] = self._effect(kind)
        return self._effects[kind]

    def _effect(self, kind: Kind) -> Effect | None:
        rows: dict[tuple[int, int], Array] = {}
        beyond: dict[int, float] = {}
        known_beyond = False
        for at, state in enumerate(self.space.states):
            if self.gone[at]:
                if not known_beyond:  # whoever fell last, nobody is left to bear it
                    known_beyond = True
                    for (_, wasted), chance in self._once(kind, state):
                        beyond[wasted] = beyond.get(wasted, 0.0) + chance
                continue
            for (after, wasted), chance in self._once(kind, state):
                to = self.space.index.get(after)
                if to is None:
                    return None
                row = rows.setdefault((to - at, wasted), np.zeros(self.size))
                row[at] += chance
        if len(rows) > MOVES:
            return None
        return self._as_effect(rows, beyond)

    def _as_effect(self, rows: Mapping[tuple[int, int], Array], beyond: Mapping[int, float]) -> Effect:
        law = np.zeros(max(beyond, default=0) + 1)
        for wasted, chance in beyond.items():
            law[wasted] = chance
        return self._made(rows, law)

    def _made(self, rows: Mapping[tuple[int, int], Array], beyond: Array) -> Effect:
        moves = tuple([Move(along, wasted, chances) for (along, wasted), chances in rows.items()])
        most = max([move.wasted for move in moves], default=0)
        return Effect(moves, beyond, most, block_of(moves, most, self.gone))

    def block(self, kind: Kind) -> Block | None:
        """The same as a block; None where that would be too large."""
        if kind not in self._blocks:
            if len(self._blocks) > KEPT:
                self._blocks.clear()
            self._blocks[kind] = self._flowed(kind) if isinstance(kind, Flow) else self._as_block(kind)
        return self._blocks[kind]

    def _as_block(self, leaving: Exit) -> Block | None:
        effect = self.effect(leaving)
        if effect is None or effect.block is None:
            return None
        return Block(effect.block.reshape(self.size, effect.most + 1, self.size + 1), effect.beyond)

    def _flowed(self, flow: Flow) -> Block | None:
        """All the harm of one token of a flow, in the order it is sent."""
        lines: list[tuple[tuple[Exit, ...], Number]] = []
        single: dict[Exit, Block] = {}
        for (exits, _), chance in words(flow, (), False).items():
            line = tuple([self.space.borne_as(one) for one in exits if harm_of(one).on is Side.TARGET])
            lines.append((line, chance))
            for leaving in line:
                block = single.get(leaving) or self._as_block(leaving)
                if block is None:
                    return None
                single[leaving] = block
        most = max([sum([single[leaving].most for leaving in line]) for line, _ in lines])
        return None if self.size * self.size * (most + 1) > BLOCK else in_order(lines, single.__getitem__, self.size)

    def attack(self, flow: Flow, late: Wave) -> tuple[Effect, ...] | None:
        """What one attack does with its harm in order, by how often it sends what waits for a wave; None: too many moves."""
        rows: dict[int, dict[tuple[int, int], Array]] = {}
        beyond: dict[int, dict[int, float]] = {}
        fallen = next((state for at, state in enumerate(self.space.states) if self.gone[at]), None)
        for exits, waiting, chance in parted(flow, late):
            moves, wastes = rows.setdefault(waiting, {}), beyond.setdefault(waiting, {})
            for at, state in enumerate(self.space.states):
                if self.gone[at]:
                    continue
                for (after, wasted), share in self._sent(exits, state).items():
                    to = self.space.index.get(after)
                    if to is None:
                        return None
                    moves.setdefault((to - at, wasted), np.zeros(self.size))[at] += chance * share
            for (_, wasted), share in self._sent(exits, fallen).items():
                wastes[wasted] = wastes.get(wasted, 0.0) + chance * share
        if sum(map(len, rows.values())) > MOVES:
            return None
        return tuple(self._as_effect(rows.get(n, {}), beyond.get(n, {})) for n in range(max(rows) + 1))

    def _sent(self, exits: Sequence[Exit], state: Hashable) -> dict[tuple[Hashable, int], Number]:
        """The law of some harm in its order on one state."""
        line: dict[tuple[Hashable, int], Number] = {(state, 0): 1.0}
        for leaving in exits:
            line = self._further(line, leaving)
        return line

    def packets(self, harm: Harm, counts: Array) -> Effect | None:
        """What one packet does, of a size with these chances; None if it would be too many moves."""
        key = harm, counts.tobytes()
        if key not in self._packets:
            if len(self._packets) > KEPT:
                self._packets.clear()
            self._packets[key] = self._mixed(harm, counts.tolist())
        return self._packets[key]

    def _mixed(self, harm: Harm, counts: list[float]) -> Effect | None:
        rows: dict[tuple[int, int], Array] = {(0, 0): np.where(self.gone, 0.0, counts[0])}
        beyond = np.array(counts[:1])
        for size, chance in enumerate(counts[1:], start=1):
            effect = self.effect(packet(harm, size)) if chance else NOTHING
            if effect is None:
                return None
            for along, wasted, chances in effect.moves:
                known = rows.get((along, wasted))
                rows[along, wasted] = chances * chance if known is None else known + chances * chance
            beyond = added(beyond, effect.beyond * chance)
        if len(rows) > MOVES:
            return None
        return self._made(rows, beyond)

    def _once(self, kind: Kind, state: Hashable) -> list[tuple[tuple[Hashable, int], Number]]:
        """The law of one harm, or of all the harm of one token of a flow."""
        if not isinstance(kind, Flow):
            return [((after, counts[0]), chance) for (after, counts), chance in self._borne(state, kind)]
        total: dict[tuple[Hashable, int], Number] = {}
        for (exits, _), share in words(kind, (), False).items():
            line: dict[tuple[Hashable, int], Number] = {(state, 0): share}
            for leaving in exits:
                if harm_of(leaving).on is Side.TARGET:
                    line = self._further(line, leaving)
            for end, chance in line.items():
                total[end] = total.get(end, 0.0) + chance
        return list(total.items())

    def _further(self, line: dict[tuple[Hashable, int], Number], leaving: Exit) -> dict[tuple[Hashable, int], Number]:
        found: dict[tuple[Hashable, int], Number] = {}
        leaving = self.space.borne_as(leaving)
        for (at, wasted), chance in line.items():
            for (after, counts), part in self._borne(at, leaving):
                end = after, wasted + counts[0]
                found[end] = found.get(end, 0.0) + chance * part
        return found

    def step(self, front: Front, effect: Effect) -> Front:
        """One more harm on every state."""
        gone = beyond_all(front.gone, effect.beyond)
        if not len(front.standing):
            return Front(front.standing, gone)
        found, fallen = self.moved(front.standing, effect)
        if effect.most:
            end = len(found)
            while end and not found[end - 1].any():
                end -= 1
            found = found[:end]
        if len(gone) < len(fallen):
            gone, fallen = fallen.copy(), gone
        gone[: len(fallen)] += fallen
        return Front(found, gone)

    def moved(self, standing: Array, effect: Effect) -> tuple[Array, Array]:
        """Where standing states go by what was wasted (rows), and who falls by the same; before these more pages may lie."""
        *pages, height, size = standing.shape
        found = np.zeros((*pages, height + effect.most, size + 1))
        if effect.block is not None:
            parts = multiplied(standing.reshape(-1, size), effect.block)
            parts = parts.reshape(*pages, height, effect.most + 1, size + 1)
            for wasted in range(effect.most + 1):
                found[..., wasted : wasted + height, :] += parts[..., wasted, :]
            return found[..., :size], found[..., size]
        states = found[..., :size]
        for along, wasted, chances in effect.moves:
            to, of = slice(max(0, along), size + min(0, along)), slice(max(0, -along), size - max(0, along))
            states[..., wasted : wasted + height, to] += standing[..., of] * chances[of]
        fallen = states[..., self.gone].sum(axis=-1)
        states[..., self.gone] = 0.0
        return states, fallen

    # what many do

    def fronts(self, kind: Kind, effect: Effect, at: int, upto: int) -> list[Front]:
        """The front after 0, 1, 2 ... such harms, beginning from one state; kept."""
        if len(self._fronts) > KEPT:
            self._fronts.clear()
            self._laws.clear()
            self._stacks.clear()
        found = self._fronts.setdefault((kind, at), [self.start(at)])
        while len(found) <= upto:
            found.append(self.step(found[-1], effect))
        return found

    def laws(self, kind: Kind, at: int, upto: int) -> Array | None:
        """Row n: the chances of what n such harms waste; None if that would be too many moves."""
        known = self._laws.get((kind, at))
        if known is None or len(known) <= upto:
            effect = self.effect(kind)
            if effect is None:
                return None
            done = 0 if known is None else len(known)
            fronts = self.fronts(kind, effect, at, upto)[done:]
            width = max([max(len(standing), len(gone)) for standing, gone in fronts])
            longer = np.zeros((done + len(fronts), width))
            if known is not None:
                longer[:done, : known.shape[1]] = known
            for row, (standing, gone) in zip(longer[done:], fronts, strict=True):
                row[: len(standing)] = standing @ self._ones
                row[: len(gone)] += gone
            known = self._laws[kind, at] = longer
        return known[: upto + 1]

    def stacked(self, kind: Kind, effect: Effect, at: int, upto: int) -> tuple[Array, Array]:
        """The same as two arrays by number of harms: the standing by what was wasted and state, the gone by what was wasted."""
        known = self._stacks.get((kind, at))
        if known is None or len(known[0]) <= upto:
            fronts = self.fronts(kind, effect, at, upto)
            standing = np.zeros((len(fronts), max([len(front.standing) for front in fronts]), self.size))
            gone = np.zeros((len(fronts), max([len(front.gone) for front in fronts])))
            for page, row, front in zip(standing, gone, fronts, strict=True):
                page[: len(front.standing)] = front.standing
                row[: len(front.gone)] = front.gone
            known = self._stacks[kind, at] = standing, gone
        return known[0][: upto + 1], known[1][: upto + 1]

    def drained(self, standing: Array, gone: Array, kind: Kind) -> Array | None:
        """The law of what is wasted when page n of the standing, and row n of the gone, bear n more such harms; None: no way.

        A page has what was wasted so far as rows and states as columns; a row of the gone has what was wasted.
        """
        laws = self._waiting_laws(kind, len(standing) - 1)
        if laws is not None:
            return drained(standing, gone, laws)
        effect = self.effect(kind)
        if effect is None:
            return None
        total = Front(standing[-1], gone[-1])
        for n in range(len(standing) - 2, -1, -1):
            total = both(self.step(total, effect), Front(standing[n], gone[n]))
        return total.law()

    def _waiting_laws(self, kind: Kind, upto: int) -> Array | None:
        """What harms waste by state and by their number, kept; None where that would take too much room."""
        known = self._waiting.get(kind)
        if known is not None and known.shape[1] > upto:
            return known
        block = self.block(kind)
        if block is None or (self.size + 1) * (upto + 1) * (upto * block.most + 1) > ROOM:
            return None
        found = waiting_laws(block, upto, known)
        if found.size <= SPARE:
            if sum([table.size for table in self._waiting.values()]) + found.size > SPARE:
                self._waiting.clear()
            self._waiting[kind] = found
        return found
