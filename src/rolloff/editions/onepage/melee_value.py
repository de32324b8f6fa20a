"""What an assault promises, for opponents that look one step ahead: by the law of the fight that would be played."""

from __future__ import annotations

import struct

from msgspec.structs import replace

from rolloff.editions.onepage.attack import MELEE, wounds_left
from rolloff.editions.onepage.fight import Fight, resolve
from rolloff.editions.onepage.lookups import index_of
from rolloff.editions.onepage.morale import PINS
from rolloff.rules.attack import AttackForm
from rolloff.rules.play import Play
from rolloff.table.state import NOWHERE, Clock, State

PINNED_SHARE = 0.3
"""How much of a unit is as good as lost while it is pinned."""
RARE = 0.01
"""Numbers of wounds that come up less often are left out: nobody assaults for them."""
_OFF = struct.pack("<2i", NOWHERE, 0)


def expected_losses(play: Play, unit: int, other: int) -> tuple[float, float]:
    """Wounds the enemy and the unit lose on average if every model strikes: all if it routs, a share if it is pinned."""
    from rolloff.rules.laws import cut_out  # numpy is loaded only when odds are wanted

    lookups = index_of(play.game)
    state = _anywhere(cut_out(play.state, (unit, other)))
    key = unit, other, state
    found = lookups.melees.get(key)
    if found is None:
        found = lookups.melees[key] = _computed(play, unit, other, state)
    return found


def _anywhere(state: State) -> State:
    """The same units wherever and whenever they meet, so that like melees are computed once."""
    units = tuple(replace(unit, done=False) for unit in state.units)
    blank = bytes(len(state.facing))
    return replace(state, xy=_OFF * (len(state.xy) // 8), facing=blank, units=units, sides=((), ()), clock=Clock(""))


def _computed(play: Play, unit: int, other: int, state: State) -> tuple[float, float]:
    from rolloff.oracle.calculator import Calculator
    from rolloff.rules.laws import StepLaws

    lookups = index_of(play.game)
    if lookups.quick is None:
        lookups.quick = Calculator(floor=RARE)
    assert isinstance(lookups.quick, Calculator)
    form = AttackForm(unit, other, MELEE, charged=True, everyone=True)
    ends = StepLaws(play.game, lookups.quick, {}).ends(resolve, state, -1, (Fight(unit, other, forms=(form,)),))
    begun = [wounds_left(Play(play.game, state, play.oracle), k) for k in (other, unit)]
    done = suffered = 0.0
    for (end, clash), chance in ends.items():
        left = [wounds_left(Play(play.game, end, play.oracle), k) for k in (other, unit)]
        broken = [PINNED_SHARE * n if word == PINS else 0.0 for n, word in zip(left, (clash.theirs, clash.ours), strict=True)]
        done += chance * (begun[0] - left[0] + broken[0])
        suffered += chance * (begun[1] - left[1] + broken[1])
    return done, suffered
