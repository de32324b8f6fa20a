"""The attack sequence of an edition that gives an `Attacks`: stated attacks are rolled, and have exact odds.

Odds run the code that plays: the volleys, what follows from the losses (a test of morale, say), and blows with blows back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import field

from rolloff.errors import IllegalCommand
from rolloff.rules.attack import MELEE, SHOOTING, AttackForm, AttackSequence, FightResult, Plan
from rolloff.rules.attacks import Attacking, Attacks, attacking, fallen, fired_by, follow, ladder_of, resolve, strike
from rolloff.rules.component import Component
from rolloff.rules.terms import NONE
from rolloff.table.event import Event, Removed, apply
from rolloff.table.state import State

if TYPE_CHECKING:
    from rolloff.oracle.roll import Dice
    from rolloff.oracle.target import Ladder
    from rolloff.rules.game import Game
    from rolloff.rules.play import Play


class WeaponAttacks(Component, AttackSequence, frozen=True):
    """The attack sequence of an `Attacks`. ``policies`` are the offers of its tables that odds can be asked under.

    A policy has its words, the usual one first; ``"no"`` declines an offer.
    """

    law: Attacks
    policies: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def kinds(self) -> tuple[str, ...]:
        """The words of this law, and those that every edition knows."""
        return (SHOOTING, MELEE, *self.law.ranged, *self.law.close, *self.law.others)

    def run(self, play: Play, form: AttackForm) -> None:
        """Roll it, with all that follows."""
        resolve(play, self.law, form, _weapons(play.game, play.state, self.law, form))

    def plan(self, game: Game, state: State, form: AttackForm, policies: Mapping[str, str]) -> Plan:
        """The same for exact odds."""
        ladder, order = ladder_of(game, state, self.law, form.target)
        fired = fired_by(game, state, self.law, form, _weapons(game, state, self.law, form))
        after = self._after(game, state, form, policies, ladder, order) if self.law.after else None
        return Plan(fired, ladder, ladder.start(), after, order=order, policies=policies)

    def exchange(
        self, game: Game, state: State, forms: Sequence[AttackForm], policies: Mapping[str, str]
    ) -> Callable[[Dice], FightResult]:
        """Blows, then the blows of what is left."""
        from rolloff.rules.laws import over_any_dice  # numpy is loaded only when odds are wanted

        for form in forms:
            _weapons(game, state, self.law, form)
        return over_any_dice(game, state, policies, blows, self.law, tuple(forms))

    def _after(
        self,
        game: Game,
        state: State,
        form: AttackForm,
        policies: Mapping[str, str],
        ladder: Ladder,
        order: tuple[int, ...],
    ) -> Callable[[Dice, int, int], str]:
        """What losses lead to, from where the dice have left the target."""
        from rolloff.rules.laws import over_any_dice

        def word(dice: Dice, start: int, end: int) -> str:
            kills, patches = fallen(state, ladder, order, end)
            patches += [Removed(slot, form.target) for slot in order[:kills]]
            left = apply(state, Event("casualties", (), tuple(patches))) if patches else state
            return over_any_dice(game, left, policies, follow, self.law, form, kills)(dice)

        return word


def _weapons(game: Game, state: State, law: Attacks, form: AttackForm) -> Attacking:
    """The weapons of a stated attack; nobody attacks with none, but for attacks that need none."""
    if form.kind in law.others:
        return ()
    found = attacking(game, state, law, form)
    if not found:
        message = f"{game.names[form.attacker]} has nothing to attack {game.names[form.target]} with ({form.kind})"
        raise IllegalCommand("no-weapon", law.clauses[0], message, form.kind)
    return found


def blows(play: Play, law: Attacks, forms: tuple[AttackForm, ...]) -> FightResult:
    """Strikes at an enemy and the strikes back of what is left; whoever fells more models has the better of it."""
    worse = play.game.edition.outcomes.worse
    attacker, target = forms[0].attacker, forms[0].target
    felled, words = [0, 0], [NONE.word, NONE.word]
    back = AttackForm(target, attacker, MELEE, range=forms[0].range, everyone=forms[0].everyone)
    for k, form in (*((0, form) for form in forms), (1, back)):
        if play.state.units[form.attacker].living and play.state.units[form.target].living:
            kills, word = play.run(strike, law, form)
            felled[k], words[k] = felled[k] + kills, worse(words[k], word)
    edge = (felled[0] > felled[1]) - (felled[0] < felled[1])
    return FightResult(felled[0], felled[1], edge, words[1], words[0])
