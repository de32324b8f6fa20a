"""The odds a player is shown beside a target, held against the dice that are then rolled for it."""

from __future__ import annotations

from rolloff.odds.ends import ends
from rolloff.oracle.calculator import Calculator
from rolloff.oracle.dice import SeededDice
from rolloff.oracle.law import Law
from rolloff.oracle.oracle import Chooser, Oracle, Question, Seats
from rolloff.rules.attack import AttackForm, Plan, ResolvedAttack
from rolloff.rules.deeds import attack_shown
from rolloff.rules.game import Game
from rolloff.rules.play import OVER, Play, play_step
from rolloff.table.request import PASS, Request
from tests.conformance.fields import MOST_STEPS, chairs, dice_of

Beside = tuple[AttackForm, Plan]
"""An attack that was shown, and how its odds were planned."""
NEAR = 1e-9


class Looks:
    """A player who looks at the odds beside the target it names, leaves the rest to what is usual, and never reacts."""

    def __init__(self, chair: Chooser) -> None:
        """Answers as another would, but for that."""
        self.chair = chair
        self.shown: list[Beside] = []

    def choose(self, request: Question, play: object) -> object:
        """Remember what was shown beside the answer."""
        assert isinstance(request, Request) and isinstance(play, Play)
        edition = play.game.edition
        if request.kind == "react" and PASS in (request.options or ()):
            return PASS
        if self.shown and request.kind != "choose-target":
            return request.default
        answer = self.chair.choose(request, play)
        form = attack_shown(play, request, answer)
        if form is not None and edition.sequence is not None:
            self.shown.append((form, edition.sequence.plan(play.game, play.state, form, {})))
        return answer

    def refused(self, request: Question, answer: object, error: Exception) -> bool:
        """As the other does."""
        return self.chair.refused(request, answer, error)


def kills_of(plan: Plan) -> dict[object, float]:
    """How likely each number of models is to fall."""
    return {kills: float(chance) for kills, chance in Law(ends(Calculator(), plan, plan.start)).map(plan.target.kills).items()}


def agree(shown: Plan, rolled: Plan) -> bool:
    """Whether two plans are of the same dice, or at least fell as many models with the same chances."""
    if shown.volleys == rolled.volleys and shown.step is None and rolled.step is None:
        return True
    one, other = kills_of(shown), kills_of(rolled)
    return all(abs(one.get(kills, 0.0) - other.get(kills, 0.0)) < NEAR for kills in one.keys() | other.keys())


def compared(game: Game, agents: str, index: int) -> int:
    """Play a game; how many attacks had been shown. Each of them must have been rolled as it was shown.

    Not held against the dice are attacks of a unit that splits its fire, and what is shown before a charge of everyone, of
    whom some may not get there.
    """
    players = [Looks(chair) for chair in chairs(agents, index)]
    oracle, state, count = Oracle(SeededDice(dice_of(index)), Seats(players)), game.start(), 0
    for _ in range(MOST_STEPS):
        if state.clock.phase == OVER:
            return count
        made: list[ResolvedAttack] = []
        state = play_step(game, state, oracle, made.append).state
        for player in players:
            units = [form.attacker for form, _ in player.shown]
            count += sum(_held(game, beside, made) for beside in player.shown if units.count(beside[0].attacker) == 1)
            player.shown.clear()
    raise AssertionError("the game does not end")


def _held(game: Game, beside: Beside, made: list[ResolvedAttack]) -> bool:
    """Whether an attack came of what was shown; then one of those rolled must be the one that was shown."""
    form, plan = beside
    rolled = [one.plan for one in made if (one.attacker, one.target, one.kind) == (form.attacker, form.target, form.kind)]
    if not rolled or form.everyone:
        return False
    unit, target = game.names[form.attacker], game.names[form.target]
    report = f"the odds shown beside {target} are not those of the dice {unit} then rolled ({form.kind})"
    assert any(agree(plan, one) for one in rolled), f"{report}: {kills_of(plan)}, rolled {[kills_of(one) for one in rolled]}"
    return True
