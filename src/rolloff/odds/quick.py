"""The odds of one option before it is chosen: what the table shows beside a target."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from rolloff.errors import IllegalCommand
from rolloff.json_value import Json
from rolloff.odds.ends import ends
from rolloff.odds.results import Distribution, capped
from rolloff.oracle.calculator import Calculator, kept
from rolloff.oracle.law import Law, Number
from rolloff.rules.attack import AttackForm, Plan
from rolloff.rules.deeds import attack_shown
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.table.request import Request
from rolloff.table.state import State


def preview(play: Play, request: Request, option: object) -> Json | None:
    """The exact odds of an attack an option stands for; None where an option is no attack."""
    form = attack_shown(play, request, option)
    return None if form is None else odds_of(play.game, play.state, form)


def odds_of(game: Game, state: State, form: AttackForm) -> Json | None:
    """Kills, destruction and morale of one attack, under the default policies; None where the rules know no such attack."""
    if game.edition.sequence is None:
        return None
    try:
        plan = game.edition.sequence.plan(game, state, form, {})
    except IllegalCommand:
        return None  # the rules know no such attack from here
    calculator = kept()
    law = Law(ends(calculator, plan, plan.start))
    kills = Distribution(law.spread(plan.target.kills))
    return {
        "target": game.names[form.target],
        "kills": [float(chance) for chance in kills],
        "at_least": [float(chance) for chance in kills.tails()],
        "mean": float(kills.mean),
        "destroyed": capped(float(law.chance(plan.target.gone))),
        "morale": morale_of(calculator, plan, law),
    }


def morale_of(calculator: Calculator, plan: Plan, law: Mapping[Hashable, Number]) -> dict[str, float]:
    """What the losses lead to, added up over where the target may end."""
    if plan.after is None:
        return {}
    found: dict[str, float] = {}
    for end, chance in law.items():
        for word, share in calculator.law(plan.after, plan.start, end).items():
            found[word] = min(found.get(word, 0.0) + float(chance) * float(share), 1.0)
    return found
