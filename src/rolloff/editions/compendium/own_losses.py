"""What attacks cost whoever makes them: Gets Hot, Hazardous and Soul-leech, for odds.

Mostly one attacker after the other rolls its dice, and like attackers who end alike are one case; what depends on more
(Master-crafted, Soul-leech, a model with several such weapons) is followed as the attack is rolled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from rolloff.editions.compendium.crew import Crew, CrewState, Hand, hazard
from rolloff.editions.compendium.losses import losses
from rolloff.editions.compendium.places import Places
from rolloff.editions.compendium.resolve import Assault, Group, reaches_firers, resolve, volley_of
from rolloff.editions.compendium.sequence import flow_of
from rolloff.editions.compendium.targets import crew_of
from rolloff.editions.compendium.traits import BEARERS, LEECH, borne_by
from rolloff.oracle.flow import Tally, Volley
from rolloff.oracle.roll import Dice, Spent
from rolloff.rules.attack import Toll
from rolloff.table.event import Event, apply
from rolloff.table.state import NOWHERE, State

Left = tuple[tuple[int, int], ...]
"""How attackers end: the kind of each and the Wounds or Hull Points it has left, in order; who of a kind is all the same."""


def no_losses(dice: Dice) -> int:
    """No weapon endangers who uses it."""
    return 0


def endangers(groups: Sequence[Group], assault: Assault) -> bool:
    """Whether groups of an attack may change how the attackers stand."""
    parts = [part for group in groups for part in group.parts]
    return bool([part for part in parts if _leeches(part) or _risky(part, assault)])


def _risky(part: Group, assault: Assault) -> bool:
    return part.hazardous or reaches_firers(flow_of(part.strike, assault.book))


def _leeches(part: Group) -> bool:
    """Whether blows give Wounds back to who strikes them (SR-SOUL-LEECH-1)."""
    return bool([mark for mark in part.strike.marks if mark.partition(":")[0] == LEECH])


# as it is rolled


class AsRolled(Struct, frozen=True, cache_hash=True):
    """An attack with all that befalls its attackers, followed as it is rolled."""

    assault: Assault
    start: Any
    muster: CrewState

    def __call__(self, dice: Dice) -> int:
        """How many attackers are lost."""
        firers = self.along(dice, self.start, (), self.assault.target).firer
        assert firers is not None
        return sum(before > 0 and not now for before, now in zip(self.muster.left, firers.left, strict=True))

    def along(self, dice: Dice, start: Any, tallies: tuple[Tally, ...], onto: Any) -> Spent[Any, Any]:
        """How both sides end; what finds nobody left is not counted here."""
        return resolve(dice, self.assault, start, self.muster, tallies)


# attacker by attacker


class Turn(Struct, frozen=True, cache_hash=True):
    """The dice of one part of a group: who rolls them, of which kind that is, and the Hazardous weapons among them.

    ``hand`` is None for weapons that endanger nobody. ``opens``: with it a group begins, which is not rolled at nobody.
    """

    volley: Volley
    hand: Hand | None = None
    kind: int = 0
    left: int = 0
    hazards: int = 0
    opens: bool = False


class OneByOne(Struct, frozen=True, cache_hash=True):
    """An attack in which each attacker's risk is its own."""

    turns: tuple[Turn, ...]
    target: Any
    start: Any

    def __call__(self, dice: Dice) -> int:
        """How many attackers are lost."""
        if not _later(self.turns):
            return dice.run(_lost_before, self, len(self.turns))
        found = self.along(dice, self.start, (), self.target).firer
        assert found is not None
        return sum(not left for _, left in found)

    def along(self, dice: Dice, start: Any, tallies: tuple[Tally, ...], onto: Any) -> Spent[Any, Left]:
        """How both sides end."""
        turns = [(turn, self.target, onto, tallies) for turn in self.turns]
        found = dice.chain(_turned, turns, Onward(start, (0,) * len(tallies)))
        return Spent(found.state, found.counts, found.done)


def _later(turns: tuple[Turn, ...]) -> bool:
    """Whether somebody is in danger after the first group, which may not be rolled."""
    second = next((at for at, turn in enumerate(turns) if at and turn.opens), len(turns))
    return any(turn.hand is not None for turn in turns[second:])


class Onward(NamedTuple):
    """An attack after some of its turns; like attackers that end alike are one case. ``over``: nobody is left to roll at."""

    state: Any
    counts: tuple[int, ...]
    done: Left = ()
    over: bool = False


def _turned(dice: Dice, given: tuple[Turn, Any, Any, tuple[Tally, ...]], now: Onward) -> Onward:
    """One turn more; those of a group that finds nobody left, and of all after it, are idle."""
    turn, target, onto, tallies = given
    if now.over or (turn.opens and target.gone(now.state)):
        return now._replace(done=_with(now.done, turn, turn.left), over=True)
    spent: Spent[Any, int] = dice.run(_rolled, turn, onto, now.state, tallies)
    counts = tuple(one + other for one, other in zip(now.counts, spent.counts, strict=True))
    return Onward(spent.state, counts, _with(now.done, turn, int(spent.firer or 0)))


def _with(done: Left, turn: Turn, left: int) -> Left:
    """How attackers end, with whoever has a turn."""
    return done if turn.hand is None else tuple(sorted((*done, (turn.kind, left))))


def _lost_before(dice: Dice, own: OneByOne, at: int) -> int:
    """The same up to a turn, where every turn comes whatever befalls the target."""
    if not at:
        return 0
    lost: int = dice.run(_lost_before, own, at - 1)
    turn = own.turns[at - 1]
    return lost + (0 if turn.hand is None else dice.run(_falls, turn, own.target, own.start))


def _falls(dice: Dice, turn: Turn, target: Any, state: Any) -> int:
    """One turn, of which only the end of its roller counts: 1 if it is lost."""
    return int(not dice.run(_rolled, turn, target, state, ()).firer)


def _rolled(dice: Dice, turn: Turn, target: Any, state: Any, tallies: tuple[Tally, ...]) -> Spent[Any, int]:
    """One turn: how the target stands, and what its roller has left."""
    if turn.hand is None:
        plain: Spent[Any, Any] = dice.volley(turn.volley, target, state, *tallies)
        return Spent(plain.state, plain.counts, 0)
    crew, firers = Crew((turn.hand,)), CrewState((turn.left,))
    spent: Spent[Any, CrewState] = dice.volley(turn.volley, target, state, *tallies, firer=crew, firer_state=firers)
    firers = spent.firer or firers
    if turn.hazards:
        risks = (hazard(0),) * turn.hazards
        firers = dice.volley(risks, target, state, firer=crew, firer_state=firers, pooled=True).firer or firers
    return Spent(spent.state, spent.counts, firers.left[0])


# which of them


def own_losses(places: Places, assault: Assault, start: Any) -> tuple[AsRolled | OneByOne, Toll] | None:
    """How an attack is followed for what it costs, and what that leaves to later attacks; None if it costs nothing.

    SR-GETS-HOT-1, SR-HAZARDOUS-1, SR-SOUL-LEECH-1.
    """
    if not endangers(assault.groups, assault):
        return None
    crew, muster = crew_of(places)
    assault = replace(assault, crew=crew)
    kinds = _kinds(places)
    turns = _turns(assault, muster, kinds)
    if turns is None:
        rolled = AsRolled(assault, start, muster)
        return rolled, Toll(lambda state, end: _written(state, places.attackers, muster.left, end.left), along=rolled.along)
    one = OneByOne(turns, assault.target, start)

    def paid(state: State, end: Left) -> State:
        """Those of a kind that come last in the roster have lost most."""
        left = list(muster.left)
        for kind in dict.fromkeys(kind for kind, _ in end):
            who = [at for at, other in enumerate(kinds) if other == kind and muster.left[at]]
            for at, now in zip(who, sorted((now for other, now in end if other == kind), reverse=True), strict=True):
                left[at] = now
        return _written(state, places.attackers, muster.left, tuple(left))

    return one, Toll(paid, along=one.along)


def _written(state: State, attackers: Sequence[int], before: Sequence[int], after: Sequence[int]) -> State:
    patches = losses(state, zip(attackers, before, after, strict=True))
    return apply(state, Event("odds", (), tuple(patches))) if patches else state


def _kinds(places: Places) -> tuple[int, ...]:
    """A number for each attacker; those who are alike in everything have the same."""
    state, known = places.play.state, places.lookups.fighters
    found: list[object] = []
    kinds = []
    for slot in places.attackers:
        marks = tuple(row[1:] for row in state.models if row[0] == slot)
        like = slot if state.at(slot)[0] != NOWHERE else (known[slot], state.wounds_on(slot), marks)
        if like not in found:
            found.append(like)
        kinds.append(found.index(like))
    return tuple(kinds)


def _turns(assault: Assault, muster: CrewState, kinds: tuple[int, ...]) -> tuple[Turn, ...] | None:
    """The attack attacker by attacker; None if risks hang together, or not every one of a kind has its turn."""
    found: list[Turn] = []
    seen: list[int] = []
    if not assault.plain or assault.crew is None or not assault.stops:
        return None
    for group in assault.groups:
        opens = True
        for part in group.parts:
            if _leeches(part):
                return None
            if not _risky(part, assault):
                found.append(Turn(volley_of(part, assault.book), opens=opens))
                opens = False
                continue
            if part.weapons != len(part.bearers):
                return None
            for at in part.bearers:
                alone = _alone(replace(part, weapons=1), assault)
                hazards = int(part.hazardous)
                found.append(Turn(alone, assault.crew.hands[at], kinds[at], muster.left[at], hazards, opens))
                opens = False
                seen.append(at)
    rest = [at for at, left in enumerate(muster.left) if left and at not in seen and kinds[at] in {kinds[one] for one in seen}]
    return None if rest or len(set(seen)) < len(seen) else tuple(found)


def _alone(part: Group, assault: Assault) -> Volley:
    """The dice of a weapon as if its bearer were the only one, so that like ones are the same."""
    marks = tuple(borne_by(0) if mark.partition(":")[0] == BEARERS else mark for mark in part.strike.marks)
    return volley_of(replace(part, strike=replace(part.strike, marks=marks)), assault.book)
