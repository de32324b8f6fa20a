"""Volleys that are rolled as one handful: all dice of a stage for all of them, then all of the next.

Like weapons make one pool of dice although something tells them apart: whose they are, how many shots each has, what a hit of
theirs carries. Every die knows its volley; harm arrives in the order of the dice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from rolloff.oracle.flow import ATTACKS, Exit, Nodes, Tally, Volley, Wave, harm_of
from rolloff.oracle.roll import Roll
from rolloff.oracle.stage import AGAIN, Stage

Token = tuple[int, int]
"""One attack: the place of its volley, and its own place among all attacks."""


class Thrower(Protocol):
    """What of a roller is needed here."""

    @property
    def log(self) -> Callable[[Roll], None] | None:
        """Told of every handful, if anybody is."""
        ...

    @property
    def source(self) -> Callable[[int, str, int], Sequence[int]]:
        """Gives faces."""
        ...

    def ask(self, stage: Stage[Nodes]) -> Nodes:
        """One roll by itself."""
        ...

    def settled(self, stage: Stage[Nodes], shown: Sequence[int]) -> Stage[Nodes]:
        """A table without offers, each put to whoever rolls."""
        ...


def send_together(
    roller: Thrower, volleys: Sequence[Volley], note: Callable[[int, Tally, int], None], at_once: Callable[[Exit], None]
) -> list[Exit]:
    """Roll some volleys as one handful; what leaves their flows, in the order of the dice.

    ``note`` is told what is counted, by the place of its volley; ``at_once`` deals harm that does not wait.
    """
    counts = [
        volley.count * volley.weapons
        if isinstance(volley.count, int)
        else sum(_number(roller, volley.count) for _ in range(volley.weapons))
        for volley in volleys
    ]
    waiting: dict[str, list[Token]] = {}
    place = 0
    for at, (volley, attacks) in enumerate(zip(volleys, counts, strict=True)):
        note(at, ATTACKS, attacks)
        waiting.setdefault(volley.flow.start, []).extend((at, place + k) for k in range(attacks))
        place += attacks
    out: list[tuple[int, Exit]] = []
    for label in _labels(volleys):
        tokens = sorted(waiting.pop(label, ()), key=lambda token: token[1])
        results = _handful(roller, [volleys[at].flow.places[label] for at, _ in tokens])
        soon: list[Exit] = []
        for token, result in zip(tokens, results, strict=True):
            for node in result:
                if isinstance(node, str):
                    waiting.setdefault(node, []).append(token)
                elif isinstance(node, Tally):
                    note(token[0], node, 1)
                elif harm_of(node).wave is Wave.AT_ONCE:
                    soon.append(node)
                else:
                    out.append((token[1], node))
        for leaving in soon:
            at_once(leaving)
    out.sort(key=lambda pair: pair[0])
    return [leaving for _, leaving in out]


def _number(roller: Thrower, count: Stage[int]) -> int:
    return roller.ask(count)  # type: ignore[arg-type, return-value]  # a number is asked for as anything else is


def _labels(volleys: Sequence[Volley]) -> list[str]:
    """The stages of all volleys, in an order that is right for each of them."""
    places: dict[str, int] = {}
    for volley in volleys:
        for at, name in enumerate(volley.flow.names):
            places[name] = max(at, places.get(name, 0))
    return sorted(places, key=lambda name: places[name])


def _handful(roller: Thrower, stages: Sequence[Stage[Nodes]]) -> list[Nodes]:
    """One die for each of some tables of one label: all first rolls, then the re-rolls in die order."""
    if not all(stage.simple for stage in stages):
        return [roller.ask(stage) for stage in stages]
    if not stages:
        return []
    faces = bytes(roller.source(len(stages), stages[0].label, stages[0].die))
    tables = _without_offers(roller, stages, faces)
    entries = [table.read[face - 1] for table, face in zip(tables, faces, strict=True)]
    final, finals = list(tables), list(faces)
    rerolls: list[tuple[int, int]] = []
    for at, entry in enumerate(entries):
        if isinstance(entry, Stage) and entry.label == stages[at].label + AGAIN and entry.simple:
            finals[at] = roller.source(1, entry.label, entry.die)[0]
            rerolls.append((at, finals[at]))
            final[at] = entry
    if roller.log is not None:
        roller.log(_written(tables, faces, final, finals, tuple(rerolls)))
    found = [table.read[face - 1] for table, face in zip(final, finals, strict=True)]
    return [roller.ask(entry) if isinstance(entry, Stage) else entry for entry in found]


def _without_offers(roller: Thrower, stages: Sequence[Stage[Nodes]], faces: bytes) -> list[Stage[Nodes]]:
    """The tables with their offers taken or left; one question for all dice of like tables."""
    known: dict[Stage[Nodes], Stage[Nodes]] = {}
    for stage in stages:
        if stage.offers and stage not in known:
            shown = [face - 1 for one, face in zip(stages, faces, strict=True) if one == stage]
            known[stage] = roller.settled(stage, shown)
    return [known.get(stage, stage) for stage in stages]


def _written(
    tables: Sequence[Stage[Nodes]],
    faces: bytes,
    final: Sequence[Stage[Nodes]],
    finals: Sequence[int],
    rerolls: tuple[tuple[int, int], ...],
) -> Roll:
    """The handful for the log: the need if all dice share one."""
    needs = {table.need for table in tables}
    cited = [clause for table, face in zip(tables, faces, strict=True) for clause in table.why[face - 1]]
    cited += [clause for at, face in rerolls for clause in final[at].why[face - 1]]
    good = sum(table.good[face - 1] for table, face in zip(final, finals, strict=True))
    need = needs.pop() if len(needs) == 1 else None
    first = tables[0]
    audit = first.audit if need is not None else ()
    return Roll(first.label, need, tuple(faces), rerolls, good, tuple(dict.fromkeys(cited)), first.die, (), audit)
