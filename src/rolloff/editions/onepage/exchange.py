"""A whole melee for odds: fear, the assaulter's strikes, the survivors' strikes back, who won, the loser's morale.

The same order as in play (`melee.fight`), in direct style over any dice; nobody moves. Who strikes back follows from the
casualties: everyone left, or where models have positions everyone left in reach.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from rolloff.editions.onepage.lore import has, quality, start_size, tough
from rolloff.editions.onepage.morale import NONE, PASSED, PINS, ROUTS, at_half, test_stage
from rolloff.errors import IllegalCommand
from rolloff.oracle.flow import WOUNDS
from rolloff.oracle.roll import Dice, Spent
from rolloff.rules.attack import AttackForm, Clash, Plan
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.table.event import Event, Patch, Removed, Wounded, apply
from rolloff.table.state import State

if TYPE_CHECKING:
    from rolloff.editions.onepage.form import Sequence

Struck = tuple[State, int]


class Brawl:
    """One melee between two units, opened by the strikes given."""

    def __init__(
        self, sequence: Sequence, game: Game, state: State, forms: tuple[AttackForm, ...], policies: Mapping[str, str]
    ) -> None:
        """The forms are strikes of one unit at one other, made one after the other."""
        self.sequence, self.game, self.state, self.forms, self.policies = sequence, game, state, forms, policies
        self.assaulter, self.defender = forms[0].attacker, forms[0].target
        self._plans: dict[tuple[AttackForm, State], Plan | None] = {}

    def fight(self, dice: Dice) -> Clash:
        """MELEE-18: strikes with their casualties, then the survivors strike back, then the result."""
        afraid = self._fears(dice, self.assaulter, self.defender), self._fears(dice, self.defender, self.assaulter)
        state, ours = dice.run(self._charge, afraid[0])
        state, theirs = dice.run(self._back, state, afraid[1])
        fallen = [
            len(self.state.units[unit].living) - len(state.units[unit].living) for unit in (self.defender, self.assaulter)
        ]
        edge = (ours > theirs) - (ours < theirs)
        words = [NONE, NONE]
        if edge:
            loser = self.defender if edge > 0 else self.assaulter
            words[edge > 0] = self._lost(dice, state, loser)
        return Clash(fallen[0], fallen[1], edge, words[0], words[1])

    @cites("RULE-FEAR-1", "MELEE-8", off=lambda self, dice, unit, other: False)
    def _fears(self, dice: Dice, unit: int, other: int) -> bool:
        """RULE-FEAR-1: a unit without Fear that fights one with it tests; failed, it is hampered for this melee."""
        if not has(self.game, self.state, other, "Fear") or has(self.game, self.state, unit, "Fear"):
            return False
        return not self._tests(dice, self.state, unit)

    def _tests(self, dice: Dice, state: State, unit: int) -> bool:
        return dice.ask(test_stage(quality(self.game, unit), has(self.game, state, unit, "Fearless")))

    def _charge(self, dice: Dice, afraid: bool) -> Struck:
        """MELEE-9: everything the assaulter strikes with; the wounds it caused."""
        state, caused = self.state, 0
        for form in self.forms:
            if state.units[self.defender].living:
                state, more = self._strikes(dice, state, replace(form, afraid=afraid))
                caused += more
        return state, caused

    def _back(self, dice: Dice, state: State, afraid: bool) -> Struck:
        """MELEE-14: who is left strikes back with everything, hampered as before the first strike."""
        if not state.units[self.defender].living:
            return state, 0
        first = self.forms[0]
        form = AttackForm(self.defender, self.assaulter, first.kind, everyone=first.everyone, afraid=afraid, charged=False)
        return self._strikes(dice, state, form)

    def _strikes(self, dice: Dice, state: State, form: AttackForm) -> Struck:
        """One side's strikes; RES-11: every wound counts as caused, also beyond the last model."""
        plan = self._plan(form, state)
        if plan is None:
            return state, 0
        spent: Spent[int, int] = dice.volley(plan.volleys, plan.target, plan.start, WOUNDS)
        return self._bereft(state, form.target, plan, spent.state), spent.counts[0]

    def _plan(self, form: AttackForm, state: State) -> Plan | None:
        """The strikes of a form from a state; None where nobody is in reach."""
        key = form, state
        if key not in self._plans:
            try:
                self._plans[key] = self.sequence.plan(self.game, state, form, self.policies)
            except IllegalCommand:
                if form.attacker == self.assaulter:
                    raise
                self._plans[key] = None
        return self._plans[key]

    def _bereft(self, state: State, unit: int, plan: Plan, end: int) -> State:
        """CAS-7: the state without the fallen, and with the wounds of who is next."""
        kills, lost = plan.target.kills(end), plan.target.lost_on_next(end)
        patches: list[Patch] = [Removed(slot, unit) for slot in plan.order[:kills]]
        if lost:
            slot = plan.order[kills]
            patches.append(Wounded(slot, state.wounds_on(slot) + lost))
        return apply(state, Event("odds", (), tuple(patches))) if patches else state

    @cites("MORALE-9", "MORALE-10", "MELEE-20", off=lambda self, dice, state, loser: NONE)
    def _lost(self, dice: Dice, state: State, loser: int) -> str:
        """MELEE-20: the loser, if it lives, tests; MORALE-10: failed at half or less it routs, else it is Pinned."""
        living = state.units[loser].living
        if not living:
            return NONE
        if self._tests(dice, state, loser):
            return PASSED
        size = start_size(self.game, state, loser)
        left, whole = len(living), size
        if size == 1:
            whole = tough(self.game, living[0])
            left = whole - state.wounds_on(living[0])
        return ROUTS if at_half(left, whole) else PINS
