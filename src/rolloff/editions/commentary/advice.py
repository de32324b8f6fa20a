"""What the options of a decision are worth, for opponents that look one step ahead: expected damage by the exact evaluator.

Damage counts by what it takes from the enemy: the points of the unit it falls on, shared among its wounds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rolloff.editions.commentary import places
from rolloff.editions.commentary.ability import MELEE, SHOOTING
from rolloff.editions.commentary.attack import POLICIES, attack_of, policy_of, target_of, volleys_of
from rolloff.editions.commentary.attack_case import Case
from rolloff.editions.commentary.command import CP, LAST_ROUND, near_marker
from rolloff.editions.commentary.fighting import chargeable
from rolloff.editions.commentary.lookups import host_of, index_of, left_on
from rolloff.editions.commentary.moving import ADVANCE, FALL_BACK, NORMAL, STATIONARY, move_of
from rolloff.editions.commentary.roster import DEEP_STRIKE
from rolloff.editions.commentary.shooting import FireOrder, enemies
from rolloff.editions.commentary.shooting import targets_of as shot_targets
from rolloff.editions.commentary.travelling import DISEMBARK, STAY_IN
from rolloff.editions.commentary.values import DAMAGE
from rolloff.errors import RolloffError
from rolloff.lengths import INCH
from rolloff.rules.advice import Advisor, Worths, advised, rolled_damage, too_many_ends
from rolloff.rules.attack import AttackForm
from rolloff.rules.objectives import holder
from rolloff.rules.play import Play
from rolloff.rules.turns import on_table
from rolloff.table.profile import read_roll
from rolloff.table.request import PASS, Request
from rolloff.table.state import TABLE

CAUTION = 0.6
"""How much what the enemy would strike back weighs against one's own blows."""
CHARGE_REACH = 12 * INCH
THRIFT = 1.5
"""What a Command point is worth at the start of the battle, in tens of points; nothing is left of it at the end."""
SMALL_GAIN = 1.0
"""What a Stratagem whose effect is not computed is taken to be worth, in tens of points."""
CARRIED = 18 * INCH
"""From how far off passengers are carried on rather than set down."""


def advise(play: Play, request: Request) -> Mapping[object, float]:
    """The worth of each option that can be told apart; nothing for decisions left to their default."""
    return advised(_ADVISORS, play, request)


# what attacks are worth


def price(play: Play, unit: int) -> float:
    """What all that is left of a unit is worth, in tens of points."""
    game, lookups = play.game, index_of(play.game)
    cards = [game.cards[lookups.fighters[slot].card] for slot in play.state.units[unit].living]
    return sum(card.points / len(card.models) / 10 or 1.0 for card in cards)


def share(play: Play, form: AttackForm) -> float:
    """The share of a target's wounds that one unit's attack takes on average."""
    from rolloff.oracle.calculator import kept  # numpy is loaded only when odds are wanted

    try:
        attack = attack_of(Case(play.game, play.state, form))
    except RolloffError:
        return 0.0  # the rules know no such attack from here
    target, start, order = target_of(attack, policy_of({name: allowed[0] for name, allowed in POLICIES.items()}))
    volleys, wounds = volleys_of(attack, False), sum(left_on(play.game, play.state, slot) for slot in order)
    if too_many_ends(target, wounds):
        lost = rolled_damage(volleys, target, start)
    else:
        law = kept().after(volleys, target, start)
        lost = float(law.mean(lambda state: state if isinstance(state, int) else sum(state.lost)))
    return min(1.0, lost / max(wounds, 1))


def shot_worth(play: Play, unit: int, enemy: int, weapons: tuple[tuple[int, int], ...] | None = None) -> float:
    """What shooting a unit with some weapons is worth where everybody stands."""
    return share(play, AttackForm(unit, enemy, SHOOTING, weapons=weapons)) * price(play, enemy)


def blow_worth(play: Play, unit: int, enemy: int) -> float:
    """What a unit's blows are worth if all of it reaches an enemy."""
    return share(play, AttackForm(unit, enemy, MELEE, charged=True, everyone=True)) * price(play, enemy)


def melee_worth(play: Play, unit: int, enemy: int) -> float:
    """What a fight is worth: what the enemy loses, less what its survivors strike back."""
    done = share(play, AttackForm(unit, enemy, MELEE, charged=True, everyone=True))
    back = share(play, AttackForm(enemy, unit, MELEE, everyone=True))
    return done * price(play, enemy) - CAUTION * (1.0 - done) * back * price(play, unit)


def best_shot(play: Play, unit: int) -> float:
    """What the best target is worth to a unit that stands where it stands."""
    return max((shot_worth(play, unit, enemy) for enemy in shot_targets(play, FireOrder(unit))), default=0.0)


def arriving(gap: float) -> float:
    """The chance that 2D6 inches lead within Engagement Range."""
    need = max(0, -int(-(gap - INCH) // INCH))
    return sum(a + b >= need for a in range(1, 7) for b in range(1, 7)) / 36


def charge_worth(play: Play, unit: int, enemy: int) -> float:
    """What a charge is worth, as often as it arrives; a marker the enemy stands on counts too."""
    return arriving(play.gaps_from(unit)[enemy]) * (melee_worth(play, unit, enemy) + 2.0 * on_marker(play, enemy))


def on_marker(play: Play, unit: int) -> bool:
    """Whether a unit stands within range of a marker."""
    lookups = index_of(play.game)
    living = play.state.units[unit].living
    return any(near_marker(play.game, play.state, slot, spot) for spot in lookups.spots for slot in living)


def needed_here(play: Play, unit: int) -> bool:
    """Whether a marker its side holds would be lost, or stay contested, without a unit."""
    lookups = index_of(play.game)
    side = play.game.side_of(unit)
    for spot in lookups.spots:
        near = [k for k in on_table(play, side) if any(near_marker(play.game, play.state, s, spot) for s in _living(play, k))]
        if unit in near and (near == [unit] or holder(play.state, spot.id) != side):
            return True
    return False


def _living(play: Play, unit: int) -> tuple[int, ...]:
    return play.state.units[unit].living


# the decisions


def _actions(play: Play, request: Request) -> Worths:
    """Hold where a marker needs it, else walk; run where there is nothing to shoot or charge; get out of a lost fight."""
    unit = request.about
    options = request.options or ()
    if DISEMBARK in options:
        return _aboard(play, unit)
    if FALL_BACK in options and NORMAL not in options:
        engaged = places.enemies_engaged(play.game, play.state, host_of(play.game, play.state, unit))
        return {STATIONARY: max((melee_worth(play, unit, enemy) for enemy in engaged), default=0.0), FALL_BACK: -2.0}
    lookups = index_of(play.game)
    gap = min((play.gaps_from(unit)[enemy] for enemy in enemies(play, unit)), default=0.0)
    step = move_of(play.game, play.state, unit)
    idle = gap > lookups.reach(_living(play, unit)) + step and gap > CHARGE_REACH + step
    holds = needed_here(play, unit)
    return {STATIONARY: 3.0 if holds else 0.0, NORMAL: 1.0, ADVANCE: 2.0 if idle else 0.5}


def _aboard(play: Play, unit: int) -> Worths:
    """Passengers get out where an enemy or a marker not yet held is near; until then they are carried."""
    lookups = index_of(play.game)
    hull = play.state.units[unit].where
    gap = min((play.gaps_from(hull)[enemy] for enemy in enemies(play, unit)), default=0.0)
    x, y = play.state.at(_living(play, hull)[0])
    wanted = [spot for spot in lookups.spots if holder(play.state, spot.id) != play.game.side_of(unit)]
    near = any((spot.x - x) ** 2 + (spot.y - y) ** 2 <= (9 * INCH) ** 2 for spot in wanted)
    return {STAY_IN: 0.5, DISEMBARK: 1.0 if near or gap <= CARRIED else 0.0}


def _units(play: Play, request: Request) -> Worths:
    """Shoot and arrive with everybody; charge only where that is worth it."""
    found: Worths = dict.fromkeys(request.options or (), 1.0)
    if request.clause == "CHG-1":
        for name in request.options or ():
            unit = play.game.numbers.get(str(name), -1)
            found[name] = max((charge_worth(play, unit, k) for k in chargeable(play, unit)), default=-1.0) if unit >= 0 else 0.0
    elif request.clause == "SHOOT-1":
        found = {name: best_shot(play, play.game.numbers[str(name)]) for name in request.options or () if name != PASS}
    if PASS in found and request.clause != "CHG-1":
        found[PASS] = -1.0
    return found


def _targets(play: Play, request: Request) -> Worths:
    """The target that loses most; a charge at several only if each is worth it."""
    found: Worths = {}
    order = FireOrder(request.about)
    for name in request.options or ():
        enemy = play.game.numbers.get(str(name), -1)
        if enemy < 0:
            found[name] = 0.0
        elif request.clause == "CHG-2":
            found[name] = charge_worth(play, request.about, enemy) - (100.0 if PASS in (request.options or ()) else 0.0)
        elif request.clause in ("SHOOT-2", "ELIG-1"):
            found[name] = 0.01 + shot_worth(play, order.unit, enemy)
        else:
            found[name] = 0.01 + blow_worth(play, request.about, enemy)
    return found


def _options(play: Play, request: Request) -> Worths:
    """Who may strike from anywhere waits for it; everybody else stands on the table."""
    found: Worths = dict.fromkeys(request.options or (), 0.0)
    found[request.default] = 0.5
    if DEEP_STRIKE in found:
        found[DEEP_STRIKE] = 1.0
    return found


# reactions


def _reactions(play: Play, request: Request) -> Worths:
    """Each use by what it does, less what its Command points are worth now."""
    facts = dict(request.facts)
    names, units, costs = facts["reactions"], facts["units"], facts["costs"]
    assert isinstance(names, tuple) and isinstance(units, tuple) and isinstance(costs, tuple)
    found: Worths = {PASS: 0.0}
    options = [option for option in request.options or () if option != PASS]
    for option, name, unit, cost in zip(options, names, units, costs, strict=True):
        worth = _GAINS.get(str(name), _some)(play, str(option), int(str(unit)), request)
        found[option] = worth - _purse(play, request.who, int(str(cost)))
    return found


def _purse(play: Play, side: int, cost: int) -> float:
    """What Command points are worth that are spent now: less the later it is, and the more there are; most the last one."""
    held = int(play.state.side_mark(side, CP) or 0)
    late = play.state.clock.round / LAST_ROUND
    return cost * THRIFT * (1.0 - late) * (0.5 if held > 2 else 1.0 if held > cost else 1.5)


def _enemy_of(play: Play, option: str) -> int:
    """The target a use names, the last unit of its label; -1 without one."""
    named = [play.game.numbers[word] for word in option.split() if word in play.game.numbers]
    return named[-1] if len(named) > 1 else -1


def _some(play: Play, option: str, unit: int, request: Request) -> float:
    return SMALL_GAIN


def _overwatch(play: Play, option: str, unit: int, request: Request) -> float:
    """A sixth of the attacks hit, whatever they need."""
    enemy = _enemy_of(play, option)
    return 0.4 * shot_worth(play, unit, enemy) if enemy >= 0 else 0.0


def _grenade(play: Play, option: str, unit: int, request: Request) -> float:
    """Six dice, half of them a mortal wound each."""
    enemy = _enemy_of(play, option)
    wounds = sum(left_on(play.game, play.state, slot) for slot in _living(play, enemy)) if enemy >= 0 else 0
    return min(1.0, 3 / wounds) * price(play, enemy) if wounds else 0.0


def _sheltering(play: Play, option: str, unit: int, request: Request) -> float:
    """A part of what the enemy that has chosen its targets would take."""
    enemy = dict(request.facts).get("unit")
    return 0.25 * shot_worth(play, enemy, unit) if isinstance(enemy, int) and enemy >= 0 else 0.0


def _heroic(play: Play, option: str, unit: int, request: Request) -> float:
    enemy = _enemy_of(play, option)
    return arriving(play.gaps_from(unit)[enemy]) * melee_worth(play, unit, enemy) if enemy >= 0 else 0.0


def _steady(play: Play, option: str, unit: int, request: Request) -> float:
    """A shaken unit holds no marker."""
    return 3.0 if on_marker(play, unit) else 0.5


def _fights_next(play: Play, option: str, unit: int, request: Request) -> float:
    engaged = places.enemies_engaged(play.game, play.state, host_of(play.game, play.state, unit))
    return max((blow_worth(play, unit, enemy) for enemy in engaged), default=0.0) / 2


def _last_blows(play: Play, option: str, unit: int, request: Request) -> float:
    """The blows of a CHARACTER who falls and is lost anyway: more than most Stratagems bring."""
    return 2 * SMALL_GAIN


def _waits(play: Play, option: str, unit: int, request: Request) -> float:
    """Who stands on the table leaves it only from where it does nothing."""
    return -1.0 if play.state.units[unit].where == TABLE and (on_marker(play, unit) or best_shot(play, unit)) else 0.5


def _shoots(play: Play, option: str, unit: int, request: Request) -> float:
    """What the shots of a unit are worth that answers an enemy."""
    enemy = _enemy_of(play, option)
    return shot_worth(play, unit, enemy) if enemy >= 0 else 0.0


def _rams(play: Play, option: str, unit: int, request: Request) -> float:
    """A mortal wound for a third of about ten dice."""
    enemy = _enemy_of(play, option)
    wounds = sum(left_on(play.game, play.state, slot) for slot in _living(play, enemy)) if enemy >= 0 else 0
    return min(1.0, 3 / wounds) * price(play, enemy) if wounds else 0.0


def _damage_again(play: Play, option: str, unit: int, request: Request) -> float:
    """Damage that is not rolled cannot be rolled again."""
    lookups = index_of(play.game)
    arms = [weapon for slot in _living(play, unit) for weapon in lookups.fighters[slot].weapons if not weapon.melee]
    return SMALL_GAIN if any(not read_roll(weapon.stat(DAMAGE)).fixed for weapon in arms) else 0.0


def _reroll(play: Play, option: str, unit: int, request: Request) -> float:
    """One roll among many: less than what else a Command point buys."""
    return SMALL_GAIN / 2


Gain = Callable[[Play, str, int, Request], float]
_GAINS: dict[str, Gain] = {
    "Fire Overwatch": _overwatch,
    "Grenade": _grenade,
    "Go to Ground": _sheltering,
    "Smokescreen": _sheltering,
    "Heroic Intervention": _heroic,
    "Insane Bravery": _steady,
    "Breech Discipline": _damage_again,
    "Command Re-roll": _reroll,
    "Counter-offensive": _fights_next,
    "The Entry Stands": _last_blows,
    "Counted Reply": _shoots,
    "Answering Light": _shoots,
    "Tank Shock": _rams,
    "Burrows": _waits,
    "Sink Away": _waits,
    "Fold the Hour": _waits,
}
_ADVISORS: dict[str, Advisor] = {
    "choose-action": _actions,
    "choose-unit": _units,
    "choose-target": _targets,
    "choose-option": _options,
    "react": _reactions,
}
