"""What the options of a decision are worth, for opponents that look one step ahead: expected wounds by the exact evaluator."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rolloff.editions.onepage.attack import MELEE, strike_of
from rolloff.editions.onepage.lore import Lore, has
from rolloff.editions.onepage.melee import melee_groups
from rolloff.editions.onepage.morale import pinned
from rolloff.editions.onepage.moving import ASSAULT, HOLD, RUN, WALK
from rolloff.editions.onepage.powers import Power
from rolloff.editions.onepage.shooting import HOLD_FIRE, enemies, target_worth, targets_of, wounds_an_attack
from rolloff.geometry.measure import nearest
from rolloff.oracle.dice import EnteredDice
from rolloff.oracle.oracle import Defaults, Oracle
from rolloff.rules.play import Play
from rolloff.table.request import Request
from rolloff.table.state import TABLE

Worths = dict[object, float]


def advise(play: Play, request: Request) -> Mapping[object, float]:
    """The worth of each option that can be told apart; nothing for decisions left to their default."""
    advisor = _ADVISORS.get(request.kind)
    if advisor is None:
        return {}
    aside = Play(play.game, play.state, Oracle(EnteredDice(()), Defaults()))  # weighing asks nobody and throws no die
    aside.acting = play.acting
    return advisor(aside, request)


def strikes_worth(play: Play, unit: int, other: int, assaulting: bool) -> float:
    """Expected wounds if every model of a unit strikes another."""
    groups, _ = melee_groups(play, unit, other, play.state.units[unit].living, assaulting, (), None)
    worth = 0.0
    for group in groups:
        strike = strike_of(play.game, play.state, group, other, MELEE)
        worth += (group.attacks + sum(throw.mean for throw in group.throws)) * wounds_an_attack(strike, play)
    return worth


def melee_worth(play: Play, unit: int, other: int) -> float:
    """What an assault is worth: wounds done, less wounds suffered from what is left of the enemy."""
    done = strikes_worth(play, unit, other, assaulting=True)
    wounds: int = sum(play.game.lore.fighters[slot].tough for slot in play.state.units[other].living)
    left = max(0.0, 1.0 - done / max(1, wounds))
    return done - 0.8 * left * strikes_worth(play, other, unit, assaulting=False)


def _best_shot(play: Play, unit: int, walked: bool) -> float:
    targets = targets_of(play, unit)
    return max((target_worth(play, unit, k, shots, walked) for k, shots in targets.items()), default=0.0)


def _furthest(play: Play, unit: int) -> int:
    lore: Lore = play.game.lore
    living = play.state.units[unit].living
    return max((lore.fighters[slot].weapons[k].reach or 0 for slot in living for k in lore.fighters[slot].ranged), default=0)


def _actions(play: Play, request: Request) -> Worths:
    unit = request.about
    if play.state.units[unit].where != TABLE:
        return {"stay": 0.0, WALK: 1.0, ASSAULT: 3.0}
    here = _best_shot(play, unit, walked=False)
    foes = [nearest(play.scene, unit, enemy).gap for enemy in enemies(play, unit)]
    closest = min(foes, default=0.0)
    reach = _furthest(play, unit)
    worths: Worths = {HOLD: here, WALK: 0.1, RUN: 0.05}
    if reach and closest > reach:
        worths[WALK], worths[RUN] = 0.3, 0.5
    elif reach and here == 0.0:
        worths[WALK] = 0.8
    elif not reach:
        worths[RUN] = 0.6
    targets = request.order if isinstance(request.order, dict) else {}
    if targets:
        worths[ASSAULT] = max(melee_worth(play, unit, enemy) for enemy in targets)
    return worths


def _units(play: Play, request: Request) -> Worths:
    """Activate first who can do most; the pinned last."""
    found: Worths = {}
    for name in request.options or ():
        unit = play.game.numbers[str(name)]
        if play.state.units[unit].where != TABLE:
            found[name] = 0.2
        elif pinned(play.state, unit):
            found[name] = -1.0
        else:
            found[name] = _best_shot(play, unit, walked=False)
    return found


def _targets(play: Play, request: Request) -> Worths:
    found: Worths = {}
    order = request.order
    for name in request.options or ():
        if name == HOLD_FIRE:
            found[name] = -1.0
            continue
        enemy = play.game.numbers[str(name)]
        if isinstance(order, dict):
            walked = bool(dict(request.facts).get("walked"))
            worth = target_worth(play, request.about, enemy, order[enemy], walked)
            found[name] = worth + _finishing(play, enemy, worth)
        elif isinstance(order, Power):
            found[name] = float(len(play.state.units[enemy].living))
        else:
            found[name] = melee_worth(play, request.about, enemy)
    return found


def _finishing(play: Play, enemy: int, worth: float) -> float:
    """A little more for a target that this could destroy."""
    left = sum(play.game.lore.fighters[slot].tough - play.state.wounds_on(slot) for slot in play.state.units[enemy].living)
    return 0.5 if worth >= left else 0.0


def _options(play: Play, request: Request) -> Worths:
    purpose = dict(request.facts).get("purpose")
    found: Worths = dict.fromkeys(request.options or (), 0.0)
    if purpose == "power" and isinstance(request.order, dict):
        for name, (_, power, _targets) in request.order.items():
            found[name] = 1.0 + power.number / 20
    elif purpose == "board" and play.state.units[request.about].where != TABLE:
        slow = not has(play.game, play.state, request.about, "Fast")
        found.update({option: 1.0 if slow else -1.0 for option in request.options or () if option != "none"})
    elif purpose in ("join",):
        found.update({option: 0.5 for option in request.options or () if option != "none"})
    return found


def _yes_no(play: Play, request: Request) -> Worths:
    if dict(request.facts).get("purpose") == "reserve":
        return {True: 0.5, False: 0.0}
    return {}


_ADVISORS: dict[str, Callable[[Play, Request], Worths]] = {
    "choose-unit": _units,
    "choose-action": _actions,
    "choose-target": _targets,
    "choose-option": _options,
    "yes-no": _yes_no,
}
