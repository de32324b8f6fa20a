"""The roller: rolls real dice through stages and flows, in the edition's order, and keeps the log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import Any, Protocol, TypeVar

from rolloff.oracle.flow import (
    ATTACKS,
    LATE,
    Exit,
    Flow,
    Fork,
    Harm,
    Node,
    Nodes,
    Onward,
    Order,
    Side,
    Tally,
    Volley,
    Wave,
    Wound,
    harm_of,
)
from rolloff.oracle.handfuls import send_together
from rolloff.oracle.offers import Again, Offer, Treat
from rolloff.oracle.roll import Dice, Lying, Roll, Spent, together
from rolloff.oracle.stage import AGAIN, RollPlan, Stage
from rolloff.oracle.target import Target, packet

T = TypeVar("T")
R = TypeVar("R")
S = TypeVar("S", bound=Hashable)
F = TypeVar("F", bound=Hashable)


TARGET, IN_TURN = Side.TARGET, Wave.IN_TURN
"""Looked up once: of an enumeration that takes a while."""


class Source(Protocol):
    """Gives so many faces for the roll of that label, of dice with six sides or others."""

    def __call__(self, n: int, label: str, sides: int = 6, /) -> Sequence[int]:
        """The faces."""
        ...


Lines = tuple[Mapping[int, object], list[Any], dict[int, Any]]
"""How single dice of a plain table are written down as long as nothing happens: a line for each face, into which log.

There is no line for a face to which somebody could say something. The third are trails, which get the table's audit, by number
of line.
"""


_Table = tuple[
    Stage[Nodes], "Iterator[int]", "tuple[Onward, ...]", "Mapping[int, object] | None", "list[Any]", "dict[int, Any]"
]
"""A stage of one die that is read at once: the dice that lie ready for it, by face where it leads, and its `Lines`.

Of another stage there are none.
"""


def none_ready() -> Iterator[int]:
    """The dice that lie ready where each is asked for."""
    return iter(())


class Roller(Dice):
    """Dice from a source, in the order of the flow. Every handful goes to the log, if there is one.

    to_the_end: go on rolling attacks at a target that is already gone, as odds count them.
    offered: asked whether an offer of a table is taken, with how many dice show it; without it each is as its default says.
    forked: asked which way so many attacks go on where a flow forks; without it by its default.
    lying: shown every handful before it is read, with the dice rolled again already; says what to roll again or change. Only
    there while somebody might: dice are then looked at one by one.
    heeded: whether anybody could say anything to a roll that reads an entry of a table; without it, yes.
    quietly: how single dice of a plain table are logged to which nobody could say anything, as things stand.
    moment: the same thing as long as nothing happens that could change that.
    ready: six-sided dice of the source that it would give next, to be taken one by one; without any it is asked for each.
    """

    __slots__ = (
        "_ahead",
        "_counts",
        "bearer",
        "forked",
        "heeded",
        "log",
        "lying",
        "moment",
        "offered",
        "quietly",
        "ready",
        "source",
        "to_the_end",
    )

    def __init__(
        self,
        source: Source,
        log: Callable[[Roll], None] | None = None,
        *,
        to_the_end: bool = False,
        offered: Callable[[str, Offer[object], int], bool] | None = None,
        lying: Callable[[Lying], Sequence[Again | Treat]] | None = None,
        forked: Callable[[Fork, int], str] | None = None,
        heeded: Callable[[Stage[Any], int], bool] | None = None,
        quietly: Callable[[Stage[Any]], Lines] | None = None,
        moment: Callable[[], object] = bool,
        ready: Callable[[], Iterator[int]] = none_ready,
    ) -> None:
        """Take the dice from `source`, which is asked for a number of faces and told the label of the roll."""
        self.source = source
        self.log = log
        self.offered = offered
        self.lying = lying
        self.forked = forked
        self.heeded = heeded
        self.quietly = quietly
        self.moment = moment
        self.ready = ready
        self.to_the_end = to_the_end
        self._counts: dict[Tally, int] = {}
        self._ahead: list[tuple[Volley, dict[Tally, int]]] = []
        self.bearer = TARGET
        """Whom the harm befalls that is being dealt: whose saves are rolled."""

    def ask(self, stage: Stage[T]) -> T:
        """Roll one stage, its re-roll included, and read the result."""
        if not stage.plain:
            return self._one(stage)
        face = self.source(1, stage.label, stage.die)[0]
        if self.lying is None:
            if self.log is not None:
                self.log(stage.shown.get(face) or shown_by(stage, face))
            return stage.read[face - 1]  # type: ignore[return-value]  # a plain table leads to no other
        if self.quietly is None:
            return self._heard(stage, face)
        by_face, log, trails = self.quietly(stage)
        line = by_face[face]
        if line is None:
            return self._heard(stage, face)
        if stage.audit:
            trails[len(log)] = stage.audit
        log.append(line)
        return stage.read[face - 1]  # type: ignore[return-value]

    def _one(self, stage: Stage[T]) -> T:
        """One roll of any dice, logged together with its re-roll."""
        if not stage.dice:
            found = stage.read[0]
            return self.ask(found) if isinstance(found, Stage) else found
        return self._read(stage, tuple(self.source(stage.dice, stage.label, stage.die)))

    def _read(self, stage: Stage[T], faces: tuple[int, ...]) -> T:
        """The result of faces that were rolled by a table, its re-roll included."""
        at = stage.index(faces)
        if stage.offers:
            stage = self.settled(stage, [at])
        found = stage.read[at]
        if self.lying is not None:
            again = isinstance(found, Stage)  # which are dice nobody has seen yet
            if again or self.heeded is None or self.heeded(stage, at):
                return self._changed(stage, faces, self.lying)
        good, why = stage.good[at], stage.why[at]
        rerolls: tuple[tuple[int, int], ...] = ()
        if isinstance(found, Stage) and found.label == stage.label + AGAIN and found.dice:
            seconds = tuple(self.source(found.dice, found.label, found.die))
            at = found.index(seconds)
            rerolls = tuple(enumerate(seconds))
            good, why = found.good[at], tuple(dict.fromkeys(why + found.why[at]))
            found = found.read[at]
        if self.log is not None:
            self.log(Roll(stage.label, stage.need, faces, rerolls, int(good), why, stage.die, (), stage.audit))
        return self.ask(found) if isinstance(found, Stage) else found

    def faces(self, n: int, label: str, *clauses: str, sides: int = 6) -> tuple[int, ...]:
        """Roll `n` plain dice and read them in order."""
        found = tuple(self.source(n, label, sides))
        if self.log is not None:
            self.log(Roll(label, None, found, (), n, clauses, sides))
        return found

    def note(self, tally: Tally, n: int = 1) -> None:
        """Count something that happened."""
        counts = self._counts
        counts[tally] = counts.get(tally, 0) + n

    def aside(self, step: Callable[[], R]) -> R:
        """Carry out what counts for itself."""
        outer, self._counts = self._counts, {}
        try:
            return step()
        finally:
            self._counts = outer

    def run(self, step: Callable[..., R], *args: Hashable) -> R:
        """Carry out `step(dice, *args)`."""
        return step(self, *args)

    def tallies(self, volley: Volley, *tallies: Tally) -> tuple[int, ...]:
        """Send a volley through its flow without a target, and read the counts."""
        if self._ahead and self._ahead[0][0] == volley:
            _, known = self._ahead.pop(0)
            return tuple(known.get(tally, 0) for tally in tallies)
        outer, self._counts = self._counts, {}
        for one in together(volley):
            self._send(one, {}, [])
        found = tuple(self._counts.get(tally, 0) for tally in tallies)
        self._counts = outer
        return found

    def ahead(self, volleys: Sequence[Volley]) -> None:
        """Roll some volleys as one handful; their tallies are asked for next, in this order."""
        counts: list[dict[Tally, int]] = [{} for _ in volleys]

        def note(at: int, tally: Tally, n: int) -> None:
            counts[at][tally] = counts[at].get(tally, 0) + n

        send_together(self, volleys, note, lambda leaving: None)
        self._ahead = list(zip(volleys, counts, strict=True))

    def volley(
        self,
        volleys: Volley | Sequence[Volley],
        target: Target[S],
        state: S,
        *tallies: Tally,
        firer: Target[F] | None = None,
        firer_state: F | None = None,
        pooled: bool = False,
    ) -> Spent[S, F]:
        """Resolve one attack event: the volleys in order, or as one handful, and the harm in its waves."""
        outer, self._counts = self._counts, {}
        struck = _Sink(target, state)
        sinks: dict[Side, _Sink] = {TARGET: struck}
        if firer is not None:
            sinks[Side.FIRER] = _Sink(firer, firer_state)
        late: list[tuple[Wave, Exit, int]] = []
        event = together(volleys)
        if pooled:
            exits = send_together(self, event, lambda at, tally, n: self.note(tally, n), lambda one: self._deal(sinks, one))
            self._arrive([(leaving, 1) for leaving in exits], sinks, late)
        else:
            for one in event:
                if self.to_the_end or not struck.gone():
                    self._send(one, sinks, late)
        if late:
            late.sort(key=_wave_of)
            for _, leaving, times in late:
                self._deal(sinks, leaving, times)
        counts, self._counts = self._counts, outer
        found = tuple(map(counts.get, tallies, repeat(0)))
        return Spent(struck.state, found, sinks[Side.FIRER].state if firer is not None else None)

    def _send(self, volley: Volley, sinks: dict[Side, _Sink], late: list[tuple[Wave, Exit, int]]) -> None:
        """One volley: its number of attacks, its dice, the harm that does not wait for the end of the event."""
        if isinstance(volley.count, int):
            attacks = volley.count * volley.weapons
        else:
            attacks = sum(self._rolled(volley.count, volley.weapons))
        if attacks <= 0:
            return
        flow = volley.flow if volley.turned is None else self._way_now(volley, sinks)
        if flow.order is Order.BY_ATTACK:
            exits = self._by_attack(flow, attacks, sinks) if volley.turned is None else self._turning(volley, attacks, sinks)
        else:
            self.note(ATTACKS, attacks)
            exits = self._by_stage(flow, attacks, sinks)
        if flow.packets:
            exits = _packed(exits)
        if exits:
            self._arrive(exits, sinks, late)

    def _arrive(self, exits: list[tuple[Exit, int]], sinks: dict[Side, _Sink], late: list[tuple[Wave, Exit, int]]) -> None:
        """Deal the harm that does not wait for the end of the event, in its waves; note what waits."""
        soon = [(leaving, times) for leaving, times in exits if harm_of(leaving).wave < LATE]
        soon.sort(key=lambda pair: harm_of(pair[0]).wave)
        for leaving, times in soon:
            self._deal(sinks, leaving, times)
        late += [(harm_of(one).wave, one, times) for one, times in exits if harm_of(one).wave >= LATE]

    def _deal(self, sinks: dict[Side, _Sink], leaving: Exit, times: int = 1) -> None:
        """Let harm reach whom it is for, if anybody is there to bear it."""
        side = leaving.harm.on if isinstance(leaving, Wound) else leaving.on
        sink = sinks.get(side)
        if sink is not None and not sink.who.gone(sink.state):
            self.bearer = side
            sink.state = sink.who.take(self, sink.state, leaving, times)
            self.bearer = TARGET

    def _by_stage(self, flow: Flow, attacks: int, sinks: dict[Side, _Sink]) -> list[tuple[Exit, int]]:
        """All dice of one stage, then all of the next; what comes out, in the order of the attacks if that shows."""
        if flow.ordered:
            return self._in_order(flow, attacks, sinks)
        waiting = {flow.start: attacks}
        out: dict[Exit, int] = {}
        counts, fork = self._counts, flow.fork
        for written in flow.stages:
            tokens = waiting.pop(written.label, 0)
            if not tokens:
                continue
            if fork is not None:
                flow = self._way(flow, written.label, tokens)
            stage = written if fork is None else flow.places[written.label]
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

    def _way(self, flow: Flow, label: str, tokens: int) -> Flow:
        """The flow attacks go on by from a stage: where it forks, the one that is chosen."""
        fork = flow.fork
        if fork is None or fork.at != label:
            return flow
        return flow.chosen(fork.default if self.forked is None else self.forked(fork, tokens))

    def _in_order(self, flow: Flow, attacks: int, sinks: dict[Side, _Sink]) -> list[tuple[Exit, int]]:
        """As by stage, remembering which attack each token came from."""
        waiting: dict[str, list[int]] = {flow.start: list(range(attacks))}
        out: list[tuple[int, Exit]] = []
        fork = flow.fork
        for written in flow.stages:
            tokens = sorted(waiting.pop(written.label, ()))
            if not tokens:
                continue
            if fork is not None:
                flow = self._way(flow, written.label, len(tokens))
            stage = written if fork is None else flow.places[written.label]
            at_once: list[Exit] = []
            for origin, result in zip(tokens, self._rolled(stage, len(tokens)), strict=True):
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
        counts, source, start = self._counts, self.source, flow.start
        tables: dict[str, _Table] = {}  # of the stages, as their dice are rolled while nothing happens
        moment = self.moment()
        heeded = sinks.get(TARGET) if not self.to_the_end else None
        gone = heeded is not None and heeded.gone()
        todo: list[Node] = []  # of the attack that is made, what comes next last
        made = 0
        while todo or (made < attacks and not gone):
            if todo:
                node = todo.pop()
            else:
                node, made = start, made + 1
            if isinstance(node, str):
                if gone:
                    continue
                stage, ready, onward, by_face, log, trails = tables.get(node) or self._table(flow, node, tables)
                if by_face is not None:
                    face = next(ready, 0) or source(1, node, stage.die)[0]
                    line = by_face[face]
                    if line is not None:  # as most
                        if stage.audit:
                            trails[len(log)] = stage.audit
                        log.append(line)
                        tallies, nodes = onward[face]
                        for tally in tallies:
                            counts[tally] = counts.get(tally, 0) + 1
                        todo += nodes
                        continue
                    todo += self._heard(stage, face)[::-1]
                else:
                    todo += self.ask(stage)[::-1]
                moment = self._still(moment, tables)
            elif isinstance(node, Tally):
                counts[node] = counts.get(node, 0) + 1
            elif (harm := node.harm if isinstance(node, Wound) else node).wave <= IN_TURN and not harm.packet:
                self._deal(sinks, node)
                moment = self._still(moment, tables)
                gone = heeded is not None and heeded.who.gone(heeded.state)
            else:
                kept.append((node, 1))
        if made:
            counts[ATTACKS] = counts.get(ATTACKS, 0) + made
        return kept

    def _turning(self, volley: Volley, attacks: int, sinks: dict[Side, _Sink]) -> list[tuple[Exit, int]]:
        """The same, each by the dice of how the target stands when it begins."""
        kept: list[tuple[Exit, int]] = []
        for _ in range(attacks):
            kept += self._by_attack(self._way_now(volley, sinks), 1, sinks)
        return kept

    def _way_now(self, volley: Volley, sinks: dict[Side, _Sink]) -> Flow:
        """The flow of attacks that begin now."""
        struck = sinks.get(TARGET)
        return volley.turned if volley.turned and struck is not None and struck.who.turned(struck.state) else volley.flow

    def _still(self, moment: object, tables: dict[str, _Table]) -> object:
        """The moment it is now; what was kept of another is forgotten."""
        now = self.moment()
        if now is not moment:
            tables.clear()
        return now

    def _table(self, flow: Flow, node: str, tables: dict[str, _Table]) -> _Table:
        """A stage of a flow as its dice are rolled while nothing happens, kept among the others."""
        stage = flow.places[node]
        if self.quietly is None or not stage.plain:
            found: _Table = stage, iter(()), (), None, [], {}
        else:
            ready = self.ready() if stage.die == 6 else iter(())
            found = stage, ready, flow.onward.get(node) or flow.onward_from(node), *self.quietly(stage)
        tables[node] = found
        return found

    def _sorted(self, stage: Stage[Nodes], n: int) -> list[tuple[Nodes, int]]:
        """Roll a stage for `n` tokens at once: the results that lead anywhere, and how many came to each."""
        if not stage.dice:
            found = stage.read[0]
            return self._sorted(found, n) if isinstance(found, Stage) else [(found, n)]
        plan = stage.plan() if stage.simple and self.lying is None and not stage.offers else None
        if plan is None or (plan.again and not plan.plain):
            return list(Counter(self._rolled(stage, n)).items())
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

    def _rolled(self, stage: Stage[T], n: int) -> list[T]:
        """Roll a stage for `n` tokens: all first rolls, then the re-rolls in die order; the results in order."""
        if not stage.simple or (n == 1 and stage.plain):
            return [self.ask(stage) for _ in range(n)]
        faces = bytes(self.source(n, stage.label, stage.die))
        if stage.offers:
            stage = self.settled(stage, [face - 1 for face in faces])
        if self.lying is not None:
            return self._looked_at(stage, faces, self.lying)
        plan = stage.plan()
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

    def settled(self, stage: Stage[T], shown: Sequence[int]) -> Stage[T]:
        """The table without offers, each put to whoever rolls if some of the dice show it."""
        if self.offered is None:
            return stage.settled()
        taken = set()
        for offer in stage.offers:
            dice = sum(stage.read[at] == offer for at in shown)
            if dice and self.offered(stage.label, offer, dice):
                taken.add(offer.name)
        return stage.settled(frozenset(taken))

    def _looked_at(self, stage: Stage[T], faces: bytes, lying: Callable[[Lying], Sequence[Again | Treat]]) -> list[T]:
        """A handful of single dice that somebody may change before it is read."""
        twins: list[Stage[T]] = [stage] * len(faces)
        rerolls: dict[int, int] = {}
        for at, face in enumerate(faces):
            edge = stage.read[face - 1]
            if isinstance(edge, Stage) and edge.label == stage.label + AGAIN and edge.simple:
                twins[at], rerolls[at] = edge, self.source(1, edge.label, edge.die)[0]
        final = [rerolls.get(at, face) for at, face in enumerate(faces)]
        treated = self._change(stage, final, rerolls, lying)
        for at in (*rerolls, *treated):
            if twins[at] is stage:
                twins[at] = _twin_of(stage)
        results, good = [], 0
        why: dict[str, None] = {}
        for twin, face in zip(twins, final, strict=True):
            results.append(twin.read[face - 1])
            good += twin.good[face - 1]
            why.update(dict.fromkeys(twin.why[face - 1]))
        if self.log is not None:
            pairs, changed = tuple(sorted(rerolls.items())), tuple(treated.items())
            self.log(Roll(stage.label, stage.need, tuple(faces), pairs, good, tuple(why), stage.die, changed, stage.audit))
        return [self._one(found) if isinstance(found, Stage) else found for found in results]

    def _heard(self, stage: Stage[T], face: int) -> T:
        """A single die of a plain table to which somebody could say something."""
        assert self.lying is not None
        return self._changed(stage, (face,), self.lying)

    def _changed(self, stage: Stage[T], faces: tuple[int, ...], lying: Callable[[Lying], Sequence[Again | Treat]]) -> T:
        """One roll of several dice that somebody may change before it is read; a re-roll of the table comes first."""
        at = stage.index(faces)
        edge, said = stage.read[at], None
        if not isinstance(edge, Stage):  # nothing is rolled again by itself
            said = lying(Lying(stage.label, stage.need, faces, (), stage.die, stage.known_by, not stage.good[at]))
            if not said:
                if self.log is not None:
                    good, why = int(stage.good[at]), stage.why[at]
                    self.log(Roll(stage.label, stage.need, faces, (), good, why, stage.die, (), stage.audit))
                return edge
        table, final, rerolls = stage, [*faces], {}
        if isinstance(edge, Stage) and edge.label == stage.label + AGAIN and edge.dice:
            table, final = edge, list(self.source(edge.dice, edge.label, edge.die))
            rerolls = dict(enumerate(final))
        treated = self._change(table, final, rerolls, lying, said)
        if rerolls or treated:
            table = _twin_of(stage) if table is stage else table
            at = table.index(final)
        if self.log is not None:
            pairs, changed = tuple(sorted(rerolls.items())) if rerolls else (), tuple(treated.items()) if treated else ()
            good, why = int(table.good[at]), table.why[at]
            self.log(Roll(stage.label, stage.need, faces, pairs, good, why, stage.die, changed, stage.audit))
        found = table.read[at]
        return self._one(found) if isinstance(found, Stage) else found

    def _change(
        self,
        stage: Stage[object],
        final: list[int],
        rerolls: dict[int, int],
        lying: Callable[[Lying], Sequence[Again | Treat]],
        said: Sequence[Again | Treat] | None = None,
    ) -> dict[int, int]:
        """Ask, and carry out what is said, until nothing is; dice rolled again are noted, those treated given back.

        What was ``said`` already comes first.
        """
        treated: dict[int, int] = {}
        label = stage.label.removesuffix(AGAIN)
        while True:
            if said is None:
                again = tuple(sorted({*rerolls, *treated})) if rerolls or treated else ()
                said = lying(
                    Lying(label, stage.need, tuple(final), again, stage.die, stage.known_by, _falls_short(stage, final))
                )
            if not said:
                return treated
            for change in said:
                if isinstance(change, Treat):
                    final[change.die] = treated[change.die] = change.face
                elif change.die not in rerolls and change.die not in treated:
                    final[change.die] = rerolls[change.die] = self.source(1, label + AGAIN, stage.die)[0]
            said = None

    def _write(self, stage: Stage[object], plan: RollPlan[object], faces: bytes, seconds: bytes) -> None:
        """Log a handful, with what was rolled again and the clauses of every face that came up."""
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
        self.log(Roll(stage.label, stage.need, tuple(faces), rerolls, successes, cited, stage.die, (), stage.audit))


def shown_by(stage: Stage[object], face: int) -> Roll:
    """A single die as the log has it; the same for every one of this table that shows the face."""
    good, why = stage.good[face - 1], stage.why[face - 1]
    found = stage.shown[face] = Roll(stage.label, stage.need, (face,), (), int(good), why, stage.die, (), stage.audit)
    return found


def _falls_short(stage: Stage[object], faces: Sequence[int]) -> bool:
    """Whether nothing succeeds of single dice, or of one roll of several, as a table reads them."""
    if stage.simple:
        return not any(stage.good[face - 1] for face in faces)
    return not stage.good[stage.index(faces)]


def _twin_of(stage: Stage[T]) -> Stage[T]:
    """The table of a die that is not rolled again any more: the one its re-rolls lead to, or the same where it has none."""
    edges = [entry for entry in stage.read if isinstance(entry, Stage) and entry.label == stage.label + AGAIN]
    return edges[0] if edges and edges[0].die == stage.die else stage


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
