"""The roller: throws real dice through stages and flows, in the edition's order, and keeps the log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Protocol, TypeVar

from rolloff.oracle.flow import (
    ATTACKS,
    LATE,
    Exit,
    Flow,
    Harm,
    Nodes,
    Order,
    Side,
    Tally,
    Volley,
    Wave,
    harm_of,
)
from rolloff.oracle.roll import Dice, Roll, Spent, together
from rolloff.oracle.stage import AGAIN, Plan, Stage
from rolloff.oracle.target import Target, packet

T = TypeVar("T")
R = TypeVar("R")
S = TypeVar("S", bound=Hashable)
F = TypeVar("F", bound=Hashable)


class Source(Protocol):
    """Gives so many faces for the roll of that label, of dice with six sides or others."""

    def __call__(self, n: int, label: str, sides: int = 6, /) -> Sequence[int]:
        """The faces."""
        ...


class Roller(Dice):
    """Dice from a source, in the order of the flow. Every handful goes to the log, if there is one.

    to_the_end: go on rolling attacks at a target that is already gone, as odds count them.
    """

    __slots__ = ("_counts", "log", "source", "to_the_end")

    def __init__(self, source: Source, log: Callable[[Roll], None] | None = None, *, to_the_end: bool = False) -> None:
        """Take the dice from `source`, which is asked for a number of faces and told the label of the roll."""
        self.source = source
        self.log = log
        self.to_the_end = to_the_end
        self._counts: dict[Tally, int] = {}

    def ask(self, stage: Stage[T]) -> T:
        """Throw one stage, its re-roll included, and read the result."""
        if stage.simple and self.log is None:
            found = stage.read[self.source(1, stage.label, stage.die)[0] - 1]
            return self.ask(found) if isinstance(found, Stage) else found
        return self._one(stage)

    def _one(self, stage: Stage[T]) -> T:
        """One throw of any dice, logged together with its re-roll."""
        if not stage.dice:
            found = stage.read[0]
            return self._one(found) if isinstance(found, Stage) else found
        faces = tuple(self.source(stage.dice, stage.label, stage.die))
        at = stage.index(faces)
        found = stage.read[at]
        good, why = stage.good[at], stage.why[at]
        rerolls: tuple[tuple[int, int], ...] = ()
        if isinstance(found, Stage) and found.label == stage.label + AGAIN and found.dice:
            again = tuple(self.source(found.dice, found.label, found.die))
            at = found.index(again)
            rerolls = tuple(enumerate(again))
            good, why = found.good[at], tuple(dict.fromkeys(why + found.why[at]))
            found = found.read[at]
        if self.log is not None:
            self.log(Roll(stage.label, stage.need, faces, rerolls, int(good), why, stage.die))
        return self._one(found) if isinstance(found, Stage) else found

    def faces(self, n: int, label: str, *clauses: str, sides: int = 6) -> tuple[int, ...]:
        """Throw `n` plain dice and read them in order."""
        found = tuple(self.source(n, label, sides))
        if self.log is not None:
            self.log(Roll(label, None, found, (), n, clauses, sides))
        return found

    def note(self, tally: Tally, n: int = 1) -> None:
        """Count something that happened."""
        counts = self._counts
        counts[tally] = counts.get(tally, 0) + n

    def run(self, step: Callable[..., R], *args: Hashable) -> R:
        """Carry out `step(dice, *args)`."""
        return step(self, *args)

    def tallies(self, volley: Volley, *tallies: Tally) -> tuple[int, ...]:
        """Send a volley through its flow without a target, and read the counts."""
        outer, self._counts = self._counts, {}
        for one in together(volley):
            self._send(one, {}, [])
        found = tuple(self._counts.get(tally, 0) for tally in tallies)
        self._counts = outer
        return found

    def volley(
        self,
        volleys: Volley | Sequence[Volley],
        target: Target[S],
        state: S,
        *tallies: Tally,
        firer: Target[F] | None = None,
        firer_state: F | None = None,
    ) -> Spent[S, F]:
        """Resolve one attack event: the volleys in order, and the harm in its waves."""
        outer, self._counts = self._counts, {}
        sinks: dict[Side, _Sink] = {Side.TARGET: _Sink(target, state)}
        if firer is not None:
            sinks[Side.FIRER] = _Sink(firer, firer_state)
        late: list[tuple[Wave, Exit, int]] = []
        for one in together(volleys):
            if self.to_the_end or not sinks[Side.TARGET].gone():
                self._send(one, sinks, late)
        late.sort(key=_wave_of)
        for _, leaving, times in late:
            self._deal(sinks, leaving, times)
        found = tuple(self._counts.get(tally, 0) for tally in tallies)
        self._counts = outer
        return Spent(sinks[Side.TARGET].state, found, sinks[Side.FIRER].state if firer is not None else None)

    def _send(self, volley: Volley, sinks: dict[Side, _Sink], late: list[tuple[Wave, Exit, int]]) -> None:
        """One volley: its number of attacks, its dice, the harm that does not wait for the end of the event."""
        if isinstance(volley.count, int):
            attacks = volley.count * volley.weapons
        else:
            attacks = sum(self._thrown(volley.count, volley.weapons))
        if attacks <= 0:
            return
        flow = volley.flow
        if flow.order is Order.BY_ATTACK:
            exits = self._by_attack(flow, attacks, sinks)
        else:
            self.note(ATTACKS, attacks)
            exits = self._by_stage(flow, attacks, sinks)
        if flow.packets:
            exits = _packed(exits)
        soon = [(leaving, times) for leaving, times in exits if harm_of(leaving).wave < LATE]
        soon.sort(key=lambda pair: harm_of(pair[0]).wave)
        for leaving, times in soon:
            self._deal(sinks, leaving, times)
        late += [(harm_of(one).wave, one, times) for one, times in exits if harm_of(one).wave >= LATE]

    def _deal(self, sinks: dict[Side, _Sink], leaving: Exit, times: int = 1) -> None:
        """Let harm reach whom it is for, if anybody is there to bear it."""
        sink = sinks.get(harm_of(leaving).on)
        if sink is not None and not sink.gone():
            sink.state = sink.who.take(self, sink.state, leaving, times)

    def _by_stage(self, flow: Flow, attacks: int, sinks: dict[Side, _Sink]) -> list[tuple[Exit, int]]:
        """All dice of one stage, then all of the next; what comes out, in the order of the attacks if that shows."""
        if flow.ordered:
            return self._in_order(flow, attacks, sinks)
        waiting = {flow.start: attacks}
        out: dict[Exit, int] = {}
        counts = self._counts
        for stage in flow.stages:
            tokens = waiting.pop(stage.label, 0)
            if not tokens:
                continue
            at_once: list[tuple[Exit, int]] = []
            for result, times in self._sorted(stage, tokens):
                for node in result:
                    if isinstance(node, str):
                        waiting[node] = waiting.get(node, 0) + times
                    elif isinstance(node, Tally):
                        counts[node] = counts.get(node, 0) + times
                    elif harm_of(node).wave is Wave.AT_ONCE:
                        at_once.append((node, times))
                    else:
                        out[node] = out.get(node, 0) + times
            for leaving, times in at_once:
                self._deal(sinks, leaving, times)
        return list(out.items())

    def _in_order(self, flow: Flow, attacks: int, sinks: dict[Side, _Sink]) -> list[tuple[Exit, int]]:
        """As by stage, remembering which attack each token came from."""
        waiting: dict[str, list[int]] = {flow.start: list(range(attacks))}
        out: list[tuple[int, Exit]] = []
        for stage in flow.stages:
            tokens = sorted(waiting.pop(stage.label, ()))
            if not tokens:
                continue
            at_once: list[Exit] = []
            for origin, result in zip(tokens, self._thrown(stage, len(tokens)), strict=True):
                for node in result:
                    if isinstance(node, str):
                        waiting.setdefault(node, []).append(origin)
                    elif isinstance(node, Tally):
                        self.note(node)
                    elif harm_of(node).wave is Wave.AT_ONCE:
                        at_once.append(node)
                    else:
                        out.append((origin, node))
            for leaving in at_once:
                self._deal(sinks, leaving)
        out.sort(key=_origin_of)
        return [(leaving, 1) for _, leaving in out]

    def _by_attack(self, flow: Flow, attacks: int, sinks: dict[Side, _Sink]) -> list[tuple[Exit, int]]:
        """One attack at a time to its end; none is rolled at a target that is gone."""
        kept: list[tuple[Exit, int]] = []
        sink = sinks.get(Side.TARGET)
        places = flow.places
        start = [flow.start]
        for _ in range(attacks):
            if sink is not None and sink.gone() and not self.to_the_end:
                break
            self.note(ATTACKS)
            todo: list[Any] = list(start)
            while todo:
                node = todo.pop()
                if isinstance(node, str):
                    if sink is not None and sink.gone() and not self.to_the_end:
                        continue
                    todo.extend(reversed(self.ask(places[node])))
                elif isinstance(node, Tally):
                    self.note(node)
                elif harm_of(node).wave <= Wave.IN_TURN and not harm_of(node).packet:
                    self._deal(sinks, node)
                else:
                    kept.append((node, 1))
        return kept

    def _sorted(self, stage: Stage[Nodes], n: int) -> list[tuple[Nodes, int]]:
        """Throw a stage for `n` tokens at once: the results that lead anywhere, and how many came to each."""
        if not stage.dice:
            found = stage.read[0]
            return self._sorted(found, n) if isinstance(found, Stage) else [(found, n)]
        plan = stage.plan() if stage.simple else None
        if plan is None or (plan.again and not plan.plain):
            return list(Counter(self._thrown(stage, n)).items())
        faces = bytes(self.source(n, stage.label, stage.die))
        out = [(result, times) for result, group in plan.groups if (times := n - len(faces.translate(None, group)))]
        twin, seconds = plan.twin, b""
        if twin is not None:
            again = n - len(faces.translate(None, plan.again))
            if again:
                seconds = bytes(self.source(again, twin.label, twin.die))
                for result, group in twin.plan().groups:
                    times = again - len(seconds.translate(None, group))
                    if times:
                        out.append((result, times))
        if self.log is not None:
            self._write(stage, plan, faces, seconds)
        return out

    def _thrown(self, stage: Stage[T], n: int) -> list[T]:
        """Throw a stage for `n` tokens: all first throws, then the re-rolls in die order; the results in order."""
        if not stage.simple:
            return [self._one(stage) for _ in range(n)]
        plan = stage.plan()
        faces = bytes(self.source(n, stage.label, stage.die))
        results: list[Any] = [stage.read[face - 1] for face in faces]
        again = [at for at, face in enumerate(faces) if face in plan.again]
        if plan.plain and plan.twin is not None and again:
            seconds = bytes(self.source(len(again), plan.twin.label, stage.die))
            for at, face in zip(again, seconds, strict=True):
                results[at] = plan.twin.read[face - 1]
        else:
            seconds = b""
        if self.log is not None:
            self._write(stage, plan, faces, seconds)
        if again and not seconds:
            for at in again:
                results[at] = self._one(results[at])
        return results

    def _write(self, stage: Stage[Any], plan: Plan[Any], faces: bytes, seconds: bytes) -> None:
        """Log a handful, with what was thrown again and the clauses of every face that came up."""
        successes = len(faces) - len(faces.translate(None, plan.good))
        cited = plan.cited(faces)
        rerolls: tuple[tuple[int, int], ...] = ()
        if seconds and plan.twin is not None:
            other = plan.twin.plan()
            successes += len(seconds) - len(seconds.translate(None, other.good))
            cited = tuple(dict.fromkeys(cited + other.cited(seconds)))
            at = [place for place, face in enumerate(faces) if face in plan.again]
            rerolls = tuple(zip(at, seconds, strict=True))
        assert self.log is not None
        self.log(Roll(stage.label, stage.need, tuple(faces), rerolls, successes, cited, stage.die))


class _Sink:
    """Somebody harm can reach, and the state that leaves them in."""

    __slots__ = ("state", "who")

    def __init__(self, who: Target[Any], state: Any) -> None:
        self.who = who
        self.state = state

    def gone(self) -> bool:
        return self.who.gone(self.state)


def _wave_of(item: tuple[Wave, Exit, int]) -> Wave:
    return item[0]


def _origin_of(item: tuple[int, Exit]) -> int:
    return item[0]


def _packed(exits: list[tuple[Exit, int]]) -> list[tuple[Exit, int]]:
    """All packets of one kind from one weapon as a single harm of their sum."""
    sums: dict[Harm, int] = {}
    rest: list[tuple[Exit, int]] = []
    for leaving, times in exits:
        if isinstance(leaving, Harm) and leaving.packet:
            sums[leaving] = sums.get(leaving, 0) + times
        else:
            rest.append((leaving, times))
    return rest + [(packet(harm, times), 1) for harm, times in sums.items()]
