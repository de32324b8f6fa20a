"""Flows: how the tokens of an attack pass from stage to stage, and what leaves them at last.

A flow knows no target. What harm does when it arrives (who bears it, who saves, what is lost) is direct-style code over
a small state; see `target`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import IntEnum
from typing import NamedTuple, TypeAlias

from msgspec import Struct

from rolloff.oracle.stage import Name, Stage


class Side(Name):
    """Whom harm befalls."""

    TARGET = "target"
    FIRER = "firer"


class Wave(IntEnum):
    """When harm that left the flow arrives.

    AT_ONCE: right after the dice of the stage that caused it. IN_TURN: attack by attack. AFTER_GROUP: after the last
    attack of its volley. AIMED, PACKETS, AFTER_UNIT: after the last volley of the event, in that order.
    """

    AT_ONCE = 0
    IN_TURN = 1
    AFTER_GROUP = 2
    AIMED = 3
    PACKETS = 4
    AFTER_UNIT = 5


LATE = Wave.AIMED
"""The first wave that waits for the end of the event."""


class Order(Name):
    """The order of the dice; harm always arrives in the order of the attacks that caused it."""

    BY_STAGE = "by stage"
    BY_ATTACK = "by attack"


class Tally(Struct, frozen=True, cache_hash=True):
    """Something counted on the way; it does nothing else."""

    name: str


ATTACKS = Tally("attacks")
HITS = Tally("hits")
IGNORED = Tally("ignored")
BLOCKED = Tally("blocked")
WOUNDS = Tally("wounds")
UNSAVED = Tally("unsaved")
DAMAGE = Tally("damage")
MORTAL = Tally("mortal")
WASTED = Tally("wasted")


class Harm(Struct, frozen=True, cache_hash=True):
    """Harm that nothing in the flow can stop any more.

    packet: all such harms of one weapon arrive as a single harm of their sum. spills: what a model does not need goes
    on to the next. aim: which ladder of several it must go to.
    """

    damage: int | Stage[int] = 1
    traits: tuple[str, ...] = ()
    wave: Wave = Wave.IN_TURN
    on: Side = Side.TARGET
    spills: bool = False
    packet: bool = False
    aim: int | None = None

    def __post_init__(self) -> None:
        """Refuse a packet whose parts are not whole numbers."""
        if self.packet and not isinstance(self.damage, int):
            raise ValueError("a packet is counted, so its damage is a number and not a roll")


class Wound(Struct, frozen=True, cache_hash=True):
    """A wound still to be saved by whoever bears it."""

    harm: Harm
    ap: int = 0
    traits: tuple[str, ...] = ()


Exit: TypeAlias = Wound | Harm
Node: TypeAlias = str | Wound | Harm | Tally
Nodes: TypeAlias = tuple[Node, ...]
Onward: TypeAlias = tuple[tuple["Tally", ...], Nodes]
"""Where a face leads: what it counts, and the other nodes, the next one last."""
NOWHERE: Onward = (), ()


class Leads(NamedTuple):
    """What the results of a stage lead to: the nodes that move or harm, with their weights; and each kind of node.

    ``told``: every result tells of as many wounds as it sends out.
    """

    results: tuple[tuple[tuple[str | Wound | Harm, ...], int], ...]
    labels: tuple[str, ...]
    exits: tuple[Exit, ...]
    tallies: frozenset[Tally]
    told: bool
    whole: int
    """What the weights sum to."""


def leads_of(stage: Stage[Nodes]) -> Leads:
    """What a stage leads to, found once."""
    found: Leads | None = stage.leads
    if found is None:
        bare: dict[tuple[str | Wound | Harm, ...], int] = {}
        tallies: set[Tally] = set()
        told = not stage.offers
        for result, weight in stage.law():
            nodes = tuple([node for node in result if not isinstance(node, Tally)]) if result else ()
            bare[nodes] = bare[nodes] + weight if nodes in bare else weight
            if len(nodes) < len(result):
                tallies.update([node for node in result if isinstance(node, Tally)])
            if result:
                told = told and result.count(WOUNDS) == len([node for node in nodes if not isinstance(node, str)])
        every = dict.fromkeys([node for nodes in bare for node in nodes])
        for offer in stage.offers:  # what a player may keep leads somewhere too
            every.update(dict.fromkeys(node for node in offer.keep if not isinstance(node, Tally)))
            tallies.update(node for node in offer.keep if isinstance(node, Tally))
        labels = tuple([node for node in every if isinstance(node, str)])
        exits = tuple([node for node in every if not isinstance(node, str)])
        found = stage.leads = Leads(tuple(bare.items()), labels, exits, frozenset(tallies), told, stage.whole)
    return found


def harm_of(leaving: Exit) -> Harm:
    """The harm a wound carries, or the harm itself."""
    return leaving.harm if isinstance(leaving, Wound) else leaving


class Fork(Struct, frozen=True):
    """A choice made when attacks arrive at a stage, with their number on the table: which of some flows they go on by.

    The flows differ only from that stage on. In play whoever rolls is asked; odds take the flow that carries the fork.
    """

    at: str
    flows: tuple[tuple[str, Flow], ...]
    default: str
    clause: str
    point: str = ""


_joined: dict[Flow, Flow] = {}
"""Flows once checked, so that an equal one need not be checked again."""

MEMO = 8192


class Flow:
    """Stages in the order they are rolled; a token only ever moves forward. Equal and hashable by value."""

    __slots__ = (
        "_hash",
        "_reach",
        "aim",
        "counts",
        "fork",
        "harms",
        "leaving",
        "names",
        "onward",
        "order",
        "ordered",
        "packets",
        "places",
        "stages",
        "start",
        "told",
    )

    def __init__(
        self,
        stages: Iterable[Stage[Nodes]],
        order: Order = Order.BY_STAGE,
        start: str | None = None,
        fork: Fork | None = None,
    ) -> None:
        """Join the stages by their labels; raises ValueError for an edge that leads nowhere or back.

        ``fork``: a choice on the way, of dice that are rolled stage by stage.
        """
        self.fork = fork
        self.stages: tuple[Stage[Nodes], ...] = tuple(stages)
        self.order = order
        self.names: tuple[str, ...] = tuple([stage.label for stage in self.stages])
        self.start = start if start is not None else self.names[0] if self.names else ""
        self._hash = hash((self.stages, order, self.start, fork))
        self.places: dict[str, Stage[Nodes]]
        self._reach: dict[str, tuple[Exit, ...]]
        self.leaving: tuple[Exit, ...]
        """Every kind of wound or harm that can leave it."""
        self.harms: tuple[Harm, ...]
        """The harm of each."""
        self.packets: bool
        self.ordered: bool
        self.aim: int | None
        self.told: bool
        self.counts: Mapping[Tally, int]
        """What it counts, each with the number of stages up to the last that does: those behind it add nothing."""
        self.onward: dict[str, tuple[Onward, ...]]
        """Kept here for rollers: where each face of a stage leads (`onward_from`)."""
        self.places = dict(zip(self.names, self.stages, strict=True))  # its own: equal stages may differ in their trails
        twin = _joined.get(self)
        if twin is not None:
            self._reach, self.onward = twin._reach, twin.onward
            self.packets, self.ordered, self.aim, self.counts = twin.packets, twin.ordered, twin.aim, twin.counts
            self.told, self.leaving, self.harms = twin.told, twin.leaving, twin.harms
        else:
            self._join()

    def _join(self) -> None:
        """Check the edges, and see what can leave the flow from each stage."""
        size = len(self.stages)
        if len(self.places) < size or not size:
            raise ValueError(f"a flow needs stages with labels of their own, not {self.names}")
        if self.start not in self.places:
            raise ValueError(f"a flow of {self.names} cannot start at {self.start!r}")
        self._reach, self.onward = {}, {}
        counts: dict[Tally, int] = {}
        self.told = True
        """Whether it tells of a wound wherever it sends one out, and nowhere else."""
        for at in range(size, 0, -1):
            stage = self.stages[at - 1]
            leads = stage.leads or leads_of(stage)
            self.told = self.told and leads.told
            self._reach[stage.label] = self._reachable(stage.label, leads) if leads.labels else leads.exits
            for tally in leads.tallies:
                if tally not in counts:
                    counts[tally] = at
        self.counts = counts
        self.leaving = self._reach[self.start]
        self.harms = tuple([harm_of(leaving) for leaving in self.leaving])
        self._look_at_harm(self.harms)
        if len(_joined) >= MEMO:
            _joined.clear()
        _joined[self] = self

    def _look_at_harm(self, harms: tuple[Harm, ...]) -> None:
        """See how the harm that can leave the flow is told apart, and check it."""
        if len(harms) == 1 and self.fork is None:  # as most have it
            self.packets, self.ordered = harms[0].packet, False
            self.aim = harms[0].aim if harms[0].on is Side.TARGET else None
            return
        waves = [(harm.on, harm.wave) for harm in harms]
        self.packets = any(harm.packet for harm in harms)
        self.ordered = len(set(waves)) < len(waves)
        """Whether the order of the attacks shows: some wave holds more than one kind of harm."""
        aims = {harm.aim if harm.on is Side.TARGET else None for harm in harms}
        self.aim = aims.pop() if len(aims) == 1 else None
        """The ladder all harm of the flow must go to, if it is one and the same."""
        self._checked(waves)

    def _checked(self, waves: list[tuple[Side, Wave]]) -> None:
        """Refuse harm whose place among other harm to the same side would depend on the order of the dice."""
        if self.order is Order.BY_ATTACK:
            if self.fork is not None:
                raise ValueError("a fork needs all attacks of a stage together")
            return
        for side in (Side.TARGET, Side.FIRER):
            at_once = waves.count((side, Wave.AT_ONCE))
            if at_once and (at_once > 1 or (side, Wave.IN_TURN) in waves):
                raise ValueError(f"harm at once to the {side.value} can only be of one kind, and alone in its turn")

    def _reachable(self, label: str, leads: Leads) -> tuple[Exit, ...]:
        """Every way out of the flow from a stage, in order of appearance."""
        found = leads.exits
        for further in leads.labels:
            if further not in self._reach:
                raise ValueError(f"stage {label!r} leads to {further!r}, which does not follow it")
            more = self._reach[further]
            if found is not more:
                found = tuple(dict.fromkeys(found + more)) if found else more
        return found

    def onward_from(self, label: str) -> tuple[Onward, ...]:
        """Where each face of a plain stage leads, the first at 1; kept."""
        read = [nodes for nodes in self.places[label].read if not isinstance(nodes, Stage)]
        known = {nodes: self._parted(nodes) for nodes in dict.fromkeys(read)}
        found = self.onward[label] = (NOWHERE, *map(known.__getitem__, read))
        return found

    def _parted(self, nodes: Nodes) -> Onward:
        """What some nodes count, and the others."""
        if not nodes:
            return NOWHERE
        nodes = self._without_fixed(nodes)
        tallies = tuple([node for node in nodes if isinstance(node, Tally)])
        return tallies, tuple([node for node in nodes if not isinstance(node, Tally)])[::-1]

    def _without_fixed(self, nodes: Nodes) -> Nodes:
        """Some nodes, the first of which is put by what it comes to as long as that is a stage for which no die is rolled."""
        while nodes and isinstance(nodes[0], str):
            stage = self.places[nodes[0]]
            if stage.dice or isinstance(stage.read[0], Stage):
                break
            nodes = (*stage.read[0], *nodes[1:])
        return nodes

    def settled(self, taken: frozenset[str] | None = None) -> Flow:
        """The flow with every offer of its tables taken or not, by name; None: by their defaults."""
        return Flow([stage.settled(taken) for stage in self.stages], self.order, self.start)

    def chosen(self, option: str) -> Flow:
        """The flow a choice of the fork leads to, from the start on."""
        assert self.fork is not None
        return dict(self.fork.flows)[option]

    def exits(self, label: str | None = None) -> tuple[Exit, ...]:
        """Every kind of harm that can leave the flow from a stage on."""
        return self.leaving if label is None else self._reach[label]

    def __hash__(self) -> int:
        """The hash of the stages, computed once."""
        return self._hash

    def __eq__(self, other: object) -> bool:
        """Equal by value."""
        if self is other:
            return True
        if not isinstance(other, Flow) or self._hash != other._hash:
            return False
        same = (self.stages, self.order, self.start) == (other.stages, other.order, other.start)
        return same and self.fork == other.fork

    def __repr__(self) -> str:
        """The labels, from the start on."""
        return f"<Flow {' > '.join(self.names[self.names.index(self.start) :])}, {self.order.value}>"


class Volley(Struct, frozen=True, cache_hash=True):
    """Like attacks made together: a number for each weapon, fixed or rolled, and how many weapons.

    ``turned`` is the flow of those attacks that begin when the target says it has turned, if that changes their dice.
    """

    flow: Flow
    count: int | Stage[int] = 1
    weapons: int = 1
    turned: Flow | None = None
