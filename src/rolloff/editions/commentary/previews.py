"""The attack a target stands for while it is being chosen: its odds are shown beside it."""

from __future__ import annotations

from rolloff.editions.commentary.ability import MELEE, SHOOTING
from rolloff.editions.commentary.shooting import meant_for
from rolloff.rules.attack import AttackForm
from rolloff.rules.play import Play
from rolloff.table.request import Request


def form_of(play: Play, request: Request, option: object) -> AttackForm | None:
    """The weapons that would be used against a target if nothing else were said; None where an option is no target."""
    if request.kind != "choose-target" or not isinstance(request.order, dict) or option not in play.game.numbers:
        return None
    unit, target = request.about, play.game.numbers[str(option)]
    weapons = request.order[target]
    if request.point == "DP-48":
        return AttackForm(unit, target, MELEE, weapons=weapons)
    return AttackForm(unit, target, SHOOTING, weapons=meant_for(play, unit, target, weapons))
