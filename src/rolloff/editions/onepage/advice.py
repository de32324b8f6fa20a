"""What the options of a decision are worth, for opponents that look one step ahead: expected wounds by the exact evaluator.

A wound counts by what it takes from the enemy: the points of the unit it falls on, shared among its wounds.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from math import ceil

from rolloff.editions.onepage.attack import wounds_left
from rolloff.editions.onepage.casualties import worth
from rolloff.editions.onepage.leading import LEADER
from rolloff.editions.onepage.lookups import has, index_of, start_size, tough
from rolloff.editions.onepage.melee_value import expected_losses
from rolloff.editions.onepage.morale import pinned
from rolloff.editions.onepage.moving import ASSAULT, HOLD, RUN, WALK, allowance, in_its_state
from rolloff.editions.onepage.powers import Power
from rolloff.editions.onepage.promise import dice_worth, promise, succeeding
from rolloff.editions.onepage.psychic import known, psykers
from rolloff.editions.onepage.rounds import points_of
from rolloff.editions.onepage.shooting import target_worth, targets_of
from rolloff.editions.onepage.vehicles import FRONT, REAR, SIDE, attack_facing
from rolloff.geometry.measure import nearest
from rolloff.geometry.moves import ALWAYS, NEARER, March, Order
from rolloff.geometry.paths import advance, heading_of, judge, slide
from rolloff.geometry.trig import FULL_TURN, turned
from rolloff.lengths import INCH
from rolloff.rules.advice import Advisor, Worths, advised
from rolloff.rules.fire import HOLD_FIRE, enemies
from rolloff.rules.movement import kind_of, order_for
from rolloff.rules.play import Play
from rolloff.rules.powers import choices, pool_of, tried
from rolloff.table.event import Placed
from rolloff.table.request import Request
from rolloff.table.state import TABLE

USUAL_WOUND = 10.0
"""Points that a wound takes from an ordinary soldier's unit: the measure of all the others."""

CAUTION = 0.8
"""How much one's own wounds weigh against the enemy's."""
EXPOSED = {FRONT: 0.0, SIDE: 0.1, REAR: 0.2}
"""What it costs a hull to turn a side or its rear to the nearest enemy."""
PATIENCE = 0.5
"""How much of what a power promises is left when it takes one walk more to come into its range."""
MOST_WALKS = 2
"""How many walks a Psyker looks ahead."""
CHARACTER, LEADS = 3.0, 1.0
"""What a Hero or Psyker, and a leader, count for beside their attacks."""
LEAST = INCH // 4
"""A shorter move leads nowhere."""
NEAR = 18 * INCH
"""Weapons of no more reach than this are carried to the enemy."""


def advise(play: Play, request: Request) -> Mapping[object, float]:
    """The worth of each option that can be told apart; nothing for decisions left to their default."""
    return advised(_ADVISORS, play, request)


def price(play: Play, unit: int) -> float:
    """What a wound on a unit counts for; a unit without a price counts as soldiers do."""
    living, points = play.state.units[unit].living, points_of(play.game, play.state, unit)
    if not living or not points:
        return 1.0
    wounds: int = sum(index_of(play.game).fighters[slot].tough for slot in living)
    whole = wounds * max(1.0, start_size(play.game, play.state, unit) / len(living))
    return points / whole / USUAL_WOUND


def melee_worth(play: Play, unit: int, other: int) -> float:
    """What an assault is worth by the law of the fight: what the enemy loses, less what the unit does."""
    done, suffered = expected_losses(play, unit, other)
    return done * price(play, other) - CAUTION * suffered * price(play, unit)


def _best_shot(play: Play, unit: int, walked: bool = False) -> float:
    targets = targets_of(play, unit)
    return max((target_worth(play, unit, k, shots, walked) * price(play, k) for k, shots in targets.items()), default=0.0)


def _nearing(play: Play, unit: int) -> tuple[float, int] | None:
    """What a power promises whose target walks would bring into range, and that target; None while one can be tried here."""
    pool = pool_of(play, play.game.side_of(unit))
    if not pool or choices(play, unit):
        return None
    walk, gaps = allowance(play.game, play.state, unit, WALK), play.gaps_from(unit)
    found = [
        (succeeding(play, unit, power, pool) * promise(play, power, enemy) * PATIENCE ** (walks - 1), enemy)
        for slot in psykers(play, unit)
        for power in known(play, slot)
        if power.target == "enemy" and not tried(play, play.game.side_of(unit), power.name)
        for enemy in enemies(play, unit)
        if (walks := ceil((gaps[enemy] - power.range * INCH) / walk)) <= MOST_WALKS
    ]
    return max(found, default=None)


def _furthest(play: Play, unit: int) -> int:
    lookups = index_of(play.game)
    living = play.state.units[unit].living
    return max(
        (lookups.fighters[slot].weapons[k].reach or 0 for slot in living for k in lookups.fighters[slot].ranged), default=0
    )


def _actions(play: Play, request: Request) -> Worths:
    unit = request.about
    if play.state.units[unit].where != TABLE:
        return _aboard(play, unit)
    here = _best_shot(play, unit)
    gaps = [nearest(play.scene, unit, enemy).gap for enemy in enemies(play, unit)]
    closest = min(gaps, default=0.0)
    reach = _furthest(play, unit)
    worths: Worths = {HOLD: here, WALK: 0.1, RUN: 0.05}
    if reach and closest > reach:
        worths[WALK], worths[RUN] = 0.3, 0.5
    elif reach and here == 0.0:
        worths[WALK] = 0.8
    elif not reach:
        worths[RUN] = 0.6
    if closest > NEAR and any(held.where == unit and held.living for held in play.state.units):
        worths[WALK] = here + 0.5  # passengers are carried forward
    spell = _nearing(play, unit)
    if spell is not None:
        worths[WALK] = spell[0] + _best_shot(play, unit, walked=True)
    targets = request.order if isinstance(request.order, dict) else {}
    if targets:
        worths[RUN] = 0.05
        worths[ASSAULT] = max(melee_worth(play, unit, enemy) for enemy in targets)
    for action in (RUN, WALK):
        if worths[action] == max(worths.values()) and not leads_anywhere(play, unit, action):
            worths[action] = -1.0
    return worths


def leads_anywhere(play: Play, unit: int, action: str) -> bool:
    """Whether a move of this action goes anywhere: toward the nearest enemy, or to one of eight sides."""
    allowed, others = allowance(play.game, play.state, unit, action), enemies(play, unit)
    order = order_for(play, unit, kind_of(play, in_its_state(play, unit, action)), allowed)
    if order.cohere in (ALWAYS, NEARER) or not others:
        return True
    near = min(others, key=lambda enemy: (play.gaps_from(unit)[enemy], enemy))
    ahead = advance(play.scene, order, *play.state.at(play.state.units[near].living[0]))
    if judge(play.scene, order, ahead).longest > LEAST or order.hull is not None:
        return True
    sides = (slide(play.scene, order, *turned(allowed, 0, FULL_TURN * k // 8)) for k in range(8))
    return any(judge(play.scene, order, way).longest > LEAST for way in sides)


def _aboard(play: Play, unit: int) -> Worths:
    """Passengers get out where they can do something; until then they are carried."""
    carrier = play.state.units[unit].where
    gap = min((nearest(play.scene, carrier, enemy).gap for enemy in enemies(play, unit)), default=0.0)
    near = gap <= max(_furthest(play, unit), 2 * allowance(play.game, play.state, unit, WALK))
    return {"stay": 0.5, WALK: 1.0 if near else 0.0, ASSAULT: 3.0}


def _units(play: Play, request: Request) -> Worths:
    """Activate first who can do most; passengers after what carries them, the pinned last."""
    return {name: _readiness(play, play.game.numbers[str(name)]) for name in request.options or ()}


def _readiness(play: Play, unit: int) -> float:
    if play.state.units[unit].where != TABLE:
        return 0.0
    if pinned(play.state, unit):
        return -1.0
    assault = allowance(play.game, play.state, unit, ASSAULT)
    near = [enemy for enemy in enemies(play, unit) if nearest(play.scene, unit, enemy).gap <= assault]
    charge = max((melee_worth(play, unit, enemy) for enemy in near), default=0.0)
    return max(_best_shot(play, unit), charge) + max(_powers(play, unit, choices(play, unit)).values(), default=0.0)


def _powers(play: Play, unit: int, found: Mapping[str, tuple[int, Power, tuple[int, ...]]]) -> dict[str, float]:
    """What each power that may be tried promises its best target, as often as it takes hold."""
    pool = pool_of(play, play.game.side_of(unit))
    return {
        name: succeeding(play, unit, power, pool) * max(promise(play, power, target) for target in targets)
        for name, (_, power, targets) in found.items()
    }


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
            found[name] = (worth + _finishing(play, enemy, worth)) * price(play, enemy)
        elif isinstance(order, Power):
            found[name] = promise(play, order, enemy)
        else:
            found[name] = melee_worth(play, request.about, enemy)
    return found


def _finishing(play: Play, enemy: int, worth: float) -> float:
    """A little more for a target that this could destroy."""
    return 0.5 if worth >= wounds_left(play, enemy) else 0.0


def _options(play: Play, request: Request) -> Worths:
    purpose = dict(request.facts).get("purpose")
    found: Worths = dict.fromkeys(request.options or (), 0.0)
    if purpose == "power" and isinstance(request.order, dict):
        found.update(_powers(play, request.about, request.order))
    elif purpose == "board" and play.state.units[request.about].where != TABLE:
        worth = 1.0 if _wants_a_ride(play, request.about) else -1.0
        found.update({option: worth for option in request.options or () if option != "none"})
    elif purpose in ("join",):
        found.update({option: 0.5 for option in request.options or () if option != "none"})
    return found


def _wants_a_ride(play: Play, unit: int) -> bool:
    """Who is slow, must come near to be of use, and has no better way to the front."""
    quick = any(has(play.game, play.state, unit, rule) for rule in ("Fast", "Scout", "Deep Strike"))
    return not quick and _furthest(play, unit) <= NEAR


def _numbers(play: Play, request: Request) -> Worths:
    """How many power dice: enough, and no more than enough."""
    if not isinstance(request.order, Power):
        return {}
    return {k: dice_worth(play, request.about, request.order, k) for k in request.options or () if isinstance(k, int)}


def _models(play: Play, request: Request) -> Worths:
    """Whom a Sniper picks out: who brings most for each wound it takes, leaders and characters before others."""
    if request.point != "DP-20":
        return {}
    slots = {name: play.game.slots[str(name)] for name in request.options or ()}
    return {name: _bringing(play, slot) / _life(play, slot) for name, slot in slots.items()}


def _bringing(play: Play, slot: int) -> float:
    """What a unit would miss with a model: its attacks, and more for a character or a leader."""
    named = {"Hero", "Psyker"} & set(index_of(play.game).fighters[slot].rules)
    leads = play.state.model_mark(slot, LEADER) is not None
    return worth(play.game, slot) + (CHARACTER if named else 0.0) + (LEADS if leads else 0.0)


def _life(play: Play, slot: int) -> int:
    return tough(play.game, slot) - play.state.wounds_on(slot)


def _yes_no(play: Play, request: Request) -> Worths:
    if dict(request.facts).get("purpose") == "reserve":
        return {True: 0.5, False: 0.0}
    return {}


def _moves(play: Play, request: Request) -> Worths:
    """A hull that holds turns; a Psyker walks to where it can try its powers."""
    action, order = dict(request.facts).get("action"), request.order
    if action == "pivot":
        return _pivots(play, request)
    spell = _nearing(play, request.about) if action == WALK and isinstance(order, Order) and order.leaving < 0 else None
    if spell is None or not isinstance(order, Order):
        return {}
    there = play.state.at(play.state.units[spell[1]].living[0])
    return {advance(play.scene, order, *there): spell[0]}


def _pivots(play: Play, request: Request) -> Worths:
    """Ways for a hull that holds to turn: by the best shot it then has, less what its sides and its rear invite."""
    others = enemies(play, request.about)
    if not others:
        return {}
    slot = play.state.units[request.about].living[0]
    x, y = play.state.at(slot)
    _, closest = min((nearest(play.scene, request.about, enemy).gap, enemy) for enemy in others)
    there = play.state.at(play.state.units[closest].living[0])
    ahead = heading_of(there[0] - x, there[1] - y)
    found: Worths = {}
    for facing in ((ahead + turn) % FULL_TURN for turn in range(0, FULL_TURN, FULL_TURN // 4)):
        turned = Play(play.game, play.state, play.oracle)
        spot, z = play.state.xy[8 * slot : 8 * slot + 8], play.state.z[4 * slot : 4 * slot + 4]
        turned.emit("moved", (), Placed((slot,), spot, z, struct.pack("<h", facing)))
        exposed = EXPOSED[attack_facing(turned, request.about, play.state.units[closest].living)]
        found[March.of((slot,), {slot: [(x, y, facing)]})] = _best_shot(turned, request.about) - exposed
    return found


_ADVISORS: dict[str, Advisor] = {
    "choose-unit": _units,
    "choose-action": _actions,
    "choose-target": _targets,
    "choose-model": _models,
    "choose-option": _options,
    "move": _moves,
    "number": _numbers,
    "yes-no": _yes_no,
}
