"""Words about several dice of one roll: doubles and triples, the highest and the lowest, dice that are discarded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rolloff.rules.citing import cites

if TYPE_CHECKING:
    from rolloff.rules.play import Play

HIGHEST, LOWEST = "highest", "lowest"


@cites("DOUBLE-1")
def is_double(faces: Sequence[int]) -> bool:
    """DOUBLE-1: two of the dice show the same."""
    return max(Counter(faces).values(), default=0) >= 2


@cites("TRIPLE-1")
def is_triple(faces: Sequence[int]) -> bool:
    """TRIPLE-1: three of the dice show the same."""
    return max(Counter(faces).values(), default=0) >= 3


def designated(play: Play, faces: Sequence[int], which: str, clause: str) -> int:
    """The place of the die that is the highest (or the lowest); if several tie the active player designates one of them."""
    best = max(faces) if which == HIGHEST else min(faces)
    tied = tuple(str(place + 1) for place, face in enumerate(faces) if face == best)
    active = play.state.clock.active
    answer = play.choose(active, "choose-option", clause, tied, tied[0], play.rolled_by, "DP-39", purpose=f"{which} die")
    return int(str(answer)) - 1


def highest(play: Play, faces: Sequence[int]) -> int:
    """HILO-1: the place of the highest die."""
    return designated(play, faces, HIGHEST, "HILO-1")


def lowest(play: Play, faces: Sequence[int]) -> int:
    """HILO-2: the place of the lowest die."""
    return designated(play, faces, LOWEST, "HILO-2")


@cites("DISCARD-1")
def discarding(play: Play, faces: Sequence[int], discards: Sequence[str]) -> tuple[int, ...]:
    """DISCARD-1: the dice that remain after each of some rules has removed the highest or the lowest, as the roller orders."""
    left, rules = list(faces), list(discards)
    owner = play.game.side_of(play.rolled_by) if play.rolled_by >= 0 else play.state.clock.active
    while rules and left:
        options = tuple(dict.fromkeys(rules))
        which = str(play.choose(owner, "order", "DISCARD-1", options, options[0], play.rolled_by, "DP-40", purpose="discard"))
        rules.remove(which)
        del left[highest(play, left) if which == HIGHEST else lowest(play, left)]
    return tuple(left)
