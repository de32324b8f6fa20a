"""A whole melee for odds: fear, strikes and strikes back, who won, the loser's morale.

The same order as in play (`melee.fight`), in direct style over any dice; nobody moves. Who strikes back follows from the
casualties: everyone left, or where models have positions everyone left in reach. Side after side, or in steps in which both
sides strike before either removes its casualties: that is for the edition to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from rolloff.editions.onepage.lore import has, quality
from rolloff.editions.onepage.morale import NONE, PASSED, PINS, ROUTS, breaks, test_stage
from rolloff.editions.onepage.settling import rolled, settled
from rolloff.editions.onepage.timing import FIRST, LAST, ORDINARY, Steps, compared, steps_of, when
from rolloff.errors import IllegalCommand
from rolloff.oracle.dice import EnteredDice
from rolloff.oracle.flow import WOUNDS
from rolloff.oracle.oracle import Defaults, Oracle
from rolloff.oracle.roll import Dice
from rolloff.rules.attack import AttackForm, Clash, Plan
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.table.state import State

if TYPE_CHECKING:
    from rolloff.editions.onepage.form import Sequence

Afraid = tuple[bool, bool]
"""Whether the assaulter and the defender have failed a test of fear."""


class Blows(NamedTuple):
    """How a melee stands: the state, and how many wounds more the assaulter has caused than the defender (RES-11)."""

    state: State
    lead: int = 0

    def and_then(self, more: Blows) -> Blows:
        """This and the blows that followed it."""
        return Blows(more.state, self.lead + more.lead)


class Turn(NamedTuple):
    """Strikes whose casualties fall together; those of one step of a melee, or all."""

    forms: tuple[AttackForm, ...]
    step: int | None = None


class Brawl:
    """One melee between two units, opened by the strikes given."""

    def __init__(
        self, sequence: Sequence, game: Game, state: State, forms: tuple[AttackForm, ...], policies: Mapping[str, str]
    ) -> None:
        """The forms are strikes of one unit at one other, made one after the other."""
        self.sequence, self.game, self.state, self.forms, self.policies = sequence, game, state, forms, policies
        self.assaulter, self.defender = forms[0].attacker, forms[0].target
        first = forms[0]
        self.back = AttackForm(self.defender, self.assaulter, first.kind, everyone=first.everyone, charged=False)
        self._plans: dict[tuple[AttackForm, State, int | None, Afraid], Plan | None] = {}
        self._steps: dict[Afraid, tuple[Steps, Steps]] = {}

    def fought(self, dice: Dice) -> Clash:
        """The whole melee: fear first, then blows as the edition has them, then the result."""
        afraid = self._fears(dice, self.assaulter, self.defender), self._fears(dice, self.defender, self.assaulter)
        turns = in_steps(self) if self.game.edition.book.melee_steps else in_turn(self)
        return self._ended(dice, dice.run(self._through, turns, afraid))

    def _through(self, dice: Dice, turns: tuple[Turn, ...], afraid: Afraid) -> Blows:
        """One turn of blows after the other; those before are kept as one law, whatever way led to a state."""
        if not turns:
            return Blows(self.state)
        blows: Blows = dice.run(self._through, turns[:-1], afraid)
        return blows.and_then(dice.run(self._turn, turns[-1], blows.state, afraid))

    def _turn(self, dice: Dice, turn: Turn, state: State, afraid: Afraid) -> Blows:
        """MELEE-16: all dice of a turn, then all casualties, then what the table of damage does (VDMG-12)."""
        plans = [self.plan(form, state, turn.step, afraid) for form in turn.forms]
        struck = [(plan, *rolled(dice, plan, (WOUNDS,))) for plan in plans if plan is not None]
        lead = 0
        for plan, end, counts in struck:
            unit = state.owner_of(plan.order[0])
            state, more = settled(dice, state, unit, plan, end)
            lead += caused(counts[WOUNDS], more) * (1 if unit == self.defender else -1)
        return Blows(state, lead)

    def _ended(self, dice: Dice, blows: Blows) -> Clash:
        """MELEE-20: whoever caused more wounds has won."""
        fallen = [
            len(self.state.units[unit].living) - len(blows.state.units[unit].living) for unit in (self.defender, self.assaulter)
        ]
        edge = edge_of(blows.lead)
        words = [NONE, NONE]
        if edge:
            loser = self.defender if edge > 0 else self.assaulter
            words[edge > 0] = self._lost(dice, blows.state, loser)
        return Clash(fallen[0], fallen[1], edge, words[0], words[1])

    @cites("RULE-FEAR-1", "RULE-FEAR-2", "MELEE-8", off=lambda self, dice, unit, other: False)
    def _fears(self, dice: Dice, unit: int, other: int) -> bool:
        """RULE-FEAR-1: a unit without Fear that fights one with it tests; failed, it is hampered for this melee."""
        if not has(self.game, self.state, other, "Fear") or has(self.game, self.state, unit, "Fear"):
            return False
        return not self._tests(dice, self.state, unit)

    def _tests(self, dice: Dice, state: State, unit: int) -> bool:
        return dice.ask(test_stage(quality(self.game, unit), has(self.game, state, unit, "Fearless")))

    @cites("MORALE-9", "MORALE-10", "MELEE-20", off=lambda self, dice, state, loser: NONE)
    def _lost(self, dice: Dice, state: State, loser: int) -> str:
        """MELEE-20: the loser, if it lives, tests; MORALE-10: failed at half or less it routs, else it is Pinned."""
        if not state.units[loser].living:
            return NONE  # MELEE-23
        if self._tests(dice, state, loser):
            return PASSED
        return ROUTS if breaks(self.game, state, loser) else PINS

    # one side's strikes

    def plan(self, form: AttackForm, state: State, step: int | None, afraid: Afraid) -> Plan | None:
        """The strikes of a form from a state, those of one step or all; None where nobody strikes or is struck."""
        key = form, state, step, afraid
        if key not in self._plans:
            self._plans[key] = self._planned(form, state, step, afraid)
        return self._plans[key]

    def _planned(self, form: AttackForm, state: State, step: int | None, afraid: Afraid) -> Plan | None:
        from rolloff.editions.onepage.form import melee

        if not state.units[form.attacker].living or not state.units[form.target].living:
            return None
        ours = form.attacker == self.assaulter
        form = replace(form, afraid=afraid[not ours], weapons=self._held(form, state))
        play = Play(self.game, state, Oracle(EnteredDice(()), Defaults()))
        try:
            groups = melee(play, form, None if step is None else when(self.steps(afraid)[not ours]))
        except IllegalCommand:
            if ours and state == self.state:
                raise
            return None
        groups = [group for group in groups if step is None or group.step == step]
        return self.sequence.planned(play, form, groups, self.policies) if groups else None

    def _held(self, form: AttackForm, state: State) -> tuple[tuple[int, int], ...] | None:
        """The weapons a form names without those of models that fell in this melee; None: every weapon of everyone."""
        if form.weapons is None:
            return None
        fallen = set(self.state.units[form.attacker].living) - set(state.units[form.attacker].living)
        return tuple(pair for pair in form.weapons if pair[0] not in fallen)

    def steps(self, afraid: Afraid) -> tuple[Steps, Steps]:
        """In which step everything of both sides strikes, settled when the melee begins."""
        if afraid not in self._steps:
            from rolloff.editions.onepage.form import who_strikes

            play = Play(self.game, self.state, Oracle(EnteredDice(()), Defaults()))
            ours = steps_of(play, self.assaulter, self.defender, who_strikes(play, self.forms[0]), afraid[0])
            theirs = steps_of(play, self.defender, self.assaulter, who_strikes(play, self.back), afraid[1])
            self._steps[afraid] = compared(ours, theirs)
        return self._steps[afraid]


@cites("MELEE-21", off=lambda lead: 1 if lead >= 0 else -1)
def edge_of(lead: int) -> int:
    """MELEE-21: who has caused more wounds has won, 1 the assaulter and -1 the defender; equal wounds are a tie."""
    return (lead > 0) - (lead < 0)


@cites("RES-11", off=lambda wounds, more: min(wounds, 1))
def caused(wounds: int, more: int) -> int:
    """RES-11: wounds of the dice, also those beyond the last model, and what the table of damage added."""
    return wounds + more


def in_turn(brawl: Brawl) -> tuple[Turn, ...]:
    """MELEE-18: strikes with their casualties, then the survivors strike back with everything."""
    return (*(Turn((form,)) for form in brawl.forms), *answered(brawl))


@cites("MELEE-14", "MELEE-18")
def answered(brawl: Brawl) -> tuple[Turn, ...]:
    """MELEE-14: who is left strikes back, hampered as before the first strike."""
    return (Turn((brawl.back,)),)


@cites("MELEE-16", "MELEE-17", off=in_turn)
def in_steps(brawl: Brawl) -> tuple[Turn, ...]:
    """MELEE-17: Strikes First, then ordinary attacks, then Strikes Last, by both sides; who strikes is settled at once."""
    forms = (*brawl.forms, *(form for turn in answered(brawl) for form in turn.forms))
    return tuple(Turn(forms, step) for step in (FIRST, ORDINARY, LAST))
