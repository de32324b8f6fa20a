"""What attacks promise, for opponents that look ahead: exact expectations from the edition's own attack sequence.

An expectation is what an attack takes from a unit on average, in tens of points. Opponents weigh hundreds of places, so a
match-up is computed once for each stretch of range in which the same weapons tell, and kept in proportion as models fall.
Where a target can be left in too many ways to follow them all, the same attack is rolled some dozen times instead.
"""

from __future__ import annotations

from bisect import bisect_left

from rolloff.errors import RolloffError
from rolloff.odds.ends import damage_of, ends
from rolloff.oracle.calculator import kept
from rolloff.rules.advice import rolled_damage, too_many_ends
from rolloff.rules.attack import MELEE, SHOOTING, AttackForm, Plan
from rolloff.rules.play import Play

TEN = 10.0
"""Points that count as one."""
MOST_KEPT = 20_000

Key = tuple[int, int, str, int]


class Prospects:
    """The expectations of one game, computed when they are first asked for."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._game: object = None
        self._known: dict[Key, tuple[float, int]] = {}
        self._stretches: dict[int, tuple[int, ...]] = {}

    def fire(self, play: Play, unit: int, target: int, gap: float) -> float:
        """What a unit's fire takes from a target in sight at a distance, in thou."""
        self._enter(play)
        stretches = self._reaches(play, unit)
        at = bisect_left(stretches, gap)
        return 0.0 if at == len(stretches) else self._worth(play, unit, target, SHOOTING, stretches[at])

    def strikes(self, play: Play, unit: int, target: int) -> float:
        """What a unit's blows take from a target it has charged."""
        self._enter(play)
        return self._worth(play, unit, target, MELEE, 0)

    def promised(self, play: Play, form: AttackForm) -> float:
        """What one attack as it is stated takes from its target."""
        return taken(play, form) * worth_of(play, form.target)

    def _enter(self, play: Play) -> None:
        """Begin anew with another game, or with too much known of this one."""
        if self._game is not play.game or len(self._known) > MOST_KEPT:
            self._game = play.game
            self._known.clear()
            self._stretches.clear()

    def _reaches(self, play: Play, unit: int) -> tuple[int, ...]:
        """The distances at which a unit's fire changes: the reach of each weapon, and half of it."""
        found = self._stretches.get(unit)
        if found is None:
            models = play.game.models
            slots = range(play.game.starts[unit], play.game.starts[unit + 1])
            far = {weapon.reach for slot in slots for weapon in models[slot].weapons if weapon.reach}
            found = self._stretches[unit] = tuple(sorted(far | {reach // 2 for reach in far}))
        return found

    def _worth(self, play: Play, unit: int, target: int, kind: str, gap: int) -> float:
        living = len(play.state.units[unit].living)
        if not living or not play.state.units[target].living:
            return 0.0
        key = unit, target, kind, gap
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = expected(play, unit, target, kind, gap), living
        share, then = known
        return share * living / then * worth_of(play, target)


def worth_of(play: Play, unit: int) -> float:
    """What is left of a unit, in tens of points; models without a price count as one."""
    game = play.game
    cards = [game.cards[_card(play, slot)] for slot in play.state.units[unit].living]
    return sum(card.points / len(card.models) / TEN if card.points else 1.0 for card in cards)


def _card(play: Play, slot: int) -> int:
    """The card a model came with, whatever unit it is in now."""
    starts = play.game.starts
    return next(k for k in range(len(starts) - 1) if slot < starts[k + 1])


def expected(play: Play, unit: int, target: int, kind: str, gap: int) -> float:
    """The share of a target that one attack takes on average, from 0 to 1, in the open and in plain sight."""
    strikes = kind == MELEE
    form = AttackForm(unit, target, kind, range=gap, visible=True, cover=False, charged=strikes, everyone=strikes)
    return taken(play, form)


def taken(play: Play, form: AttackForm) -> float:
    """The share of a target that an attack takes on average, from 0 to 1."""
    sequence, game = play.game.edition.sequence, play.game
    if sequence is None:
        return 0.0
    try:
        plan = sequence.plan(game, play.state, form, {})
        wounds = sum(game.edition.wounds(game, k) - play.state.wounds_on(k) for k in play.state.units[form.target].living)
        dear = plan.step is None and too_many_ends(plan.target, wounds)
        lost = rolled_damage(plan.volleys, plan.target, plan.start) if dear else _computed(plan)
    except RolloffError:
        return 0.0  # the rules know no such attack from here
    return min(1.0, lost / max(wounds, 1))


def _computed(plan: Plan) -> float:
    """The wounds an attack takes on average, every end followed."""
    return float(sum(chance * damage_of(plan, end) for end, chance in ends(kept(), plan, plan.start).items()))
