"""Units that are not coherent at the end of a turn (COH-4): who is removed, by default as few as will do (DP-51)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations

from rolloff.editions.commentary import places
from rolloff.editions.commentary.footing import hold_together
from rolloff.editions.commentary.moving import coherency_for
from rolloff.geometry.measure import scattered
from rolloff.lengths import INCH
from rolloff.rules.citing import cites
from rolloff.rules.losses import lose, split_into
from rolloff.rules.play import Play
from rolloff.rules.turns import on_table
from rolloff.table.request import Later

LARGE = 7  # COH-2
EVERYWHERE = 1000 * INCH


@cites("COH-4")
def keep_together(play: Play) -> None:
    """COH-4: models are removed from units that are not coherent until one group is left, the active player's first."""
    whole = _standing_together(play)
    if whole is None:
        return
    active = play.state.clock.active
    for side in (active, 1 - active):
        for unit in on_table(play, side):
            if play.state.units[unit].living in whole:
                continue  # nobody of it has gone meanwhile
            _shed(play, unit)
            for part in split_into(play, unit):
                _shed(play, part)


def _standing_together(play: Play) -> set[tuple[int, ...]] | None:
    """The models of those units that stand in one coherent group; None if all do. In plan they are asked all at once."""
    units, standing = play.state.units, [*on_table(play, 0), *on_table(play, 1)]
    groups = [units[unit].living for unit in standing if len(units[unit].living) > 1]
    apart = _scattered(play, groups)
    tall = not places.level(play.state.z) and any(not together(play, living) for living in groups if _on_storeys(play, living))
    if not apart and not tall:
        return None
    return {living for k, living in enumerate(groups) if k not in apart and not _on_storeys(play, living)}


def _scattered(play: Play, groups: Sequence[tuple[int, ...]]) -> list[int]:
    """COH-1, COH-2: the numbers of those groups of models that do not stand in one coherent group in plan."""
    rules = [coherency_for(len(living)) for living in groups]
    needs = [rule.need for rule in rules]
    return scattered(play.scene, groups, needs, rules[0].link, EVERYWHERE, places.EPSILON) if groups else []


def _on_storeys(play: Play, living: tuple[int, ...]) -> bool:
    """Whether some models stand at several heights."""
    if places.level(play.state.z):
        return False
    levels = memoryview(play.state.z).cast("i")
    return len({levels[slot] for slot in living}) > 1


def _shed(play: Play, unit: int) -> None:
    while True:
        living = play.state.units[unit].living
        if len(living) < 2 or together(play, living):
            return
        options = tuple([play.game.models[slot].id for slot in living])
        default = Later(partial(_furthest, play.aside(), living))
        owner = play.game.sides[unit]
        answer = play.choose(owner, "allocate", "COH-4", options, default, unit, "DP-51", purpose="coherency")
        slot = play.game.slots[str(answer)]
        lose(play, "out-of-coherency", ("COH-4", "DEST-4"), unit, [slot], models=(slot,))


def _furthest(now: Callable[[], Play], living: tuple[int, ...]) -> str:
    """The id of the model that is removed unless its player says otherwise; looked for when somebody wants to know."""
    play = now()
    return play.game.models[_astray(play, living)].id


def together(play: Play, living: tuple[int, ...]) -> bool:
    """COH-1, COH-2: whether models stand in one coherent group."""
    if not _on_storeys(play, living):
        return not _scattered(play, [living])
    levels = memoryview(play.state.z).cast("i")
    rule, heights = coherency_for(len(living)), [levels[slot] for slot in living]
    return hold_together(play.scene, living, heights, rule, places.EPSILON)


def strays(play: Play, living: tuple[int, ...]) -> list[int]:
    """The models without whom the rest would stand together, one after the other."""
    left, found = living, list[int]()
    while len(left) > 1 and not together(play, left):
        found.append(_astray(play, left))
        left = tuple(slot for slot in left if slot != found[-1])
    return found


def _astray(play: Play, living: tuple[int, ...]) -> int:
    """DP-51: of those who are not in the largest group that could stay, the one furthest from the middle of all."""
    kept = largest_group(play, living)
    places_at = {slot: play.state.at(slot) for slot in living}
    mx, my = (sum(v[k] for v in places_at.values()) // len(living) for k in (0, 1))
    others = [slot for slot in living if slot not in kept]
    return max(others, key=lambda s: ((places_at[s][0] - mx) ** 2 + (places_at[s][1] - my) ** 2, s))


def largest_group(play: Play, living: tuple[int, ...]) -> tuple[int, ...]:
    """COH-1, COH-2: as many models as could stand together without the others; of equal groups the first in the roster.

    A large group is one in which everybody has two near him; without one, up to six that hang together will do.
    """
    near = _near_each_other(play, living)
    groups = [group for part in _linked(near, living) for group in _groups_in(near, part)]
    return max(groups, key=lambda group: (len(group), [-slot for slot in group]))


def _near_each_other(play: Play, living: tuple[int, ...]) -> dict[int, set[int]]:
    """For each of some models those it would stand together with as a pair; in plan all pairs are asked at once."""
    pairs = list(combinations(living, 2))
    apart = frozenset(_scattered(play, pairs))
    near: dict[int, set[int]] = {slot: set() for slot in living}
    for k, pair in enumerate(pairs):
        if k not in apart and (not _on_storeys(play, pair) or together(play, pair)):
            near[pair[0]].add(pair[1])
            near[pair[1]].add(pair[0])
    return near


def _groups_in(near: dict[int, set[int]], part: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The largest coherent groups of models that hang together somehow."""
    core = set(part)
    while lone := {slot for slot in core if len(near[slot] & core) < 2}:
        core -= lone
    yield from (group for group in _linked(near, tuple(sorted(core))) if len(group) >= LARGE)
    few = [part[0]]
    for slot in few:
        few += sorted(near[slot] - set(few))
    yield tuple(sorted(few[: LARGE - 1]))


def _linked(near: dict[int, set[int]], slots: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Models in groups that hang together, link by link."""
    left, found = list(slots), list[tuple[int, ...]]()
    while left:
        group = [left[0]]
        for slot in group:
            group += sorted((near[slot] & set(left)) - set(group))
        found.append(tuple(sorted(group)))
        left = [slot for slot in left if slot not in group]
    return found
