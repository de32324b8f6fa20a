"""What a psychic power promises, for opponents that look one step ahead: wounds, or what comes to the same."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from rolloff.editions.onepage.attack import MELEE, POWER, SHOOTING, Group, strike_of, wounds_left
from rolloff.editions.onepage.blows import melee_groups
from rolloff.editions.onepage.book import book_of
from rolloff.editions.onepage.lookups import has, index_of, quality
from rolloff.editions.onepage.matchup import AUTOMATIC, REGENERATION
from rolloff.editions.onepage.morale import pinned, test_stage
from rolloff.editions.onepage.moving import ASSAULT, allowance
from rolloff.editions.onepage.powers import Effect, Power
from rolloff.editions.onepage.psychic import added, chance_of, known, psykers
from rolloff.editions.onepage.shooting import target_worth, targets_of, weapon_rules, wounds_an_attack
from rolloff.editions.onepage.vehicles import broken
from rolloff.editions.onepage.weapons import collapsed
from rolloff.geometry.measure import nearest
from rolloff.oracle.stage import Stage
from rolloff.rules.fire import enemies
from rolloff.rules.play import Play
from rolloff.table.profile import Rule, Weapon, read_roll, read_rule

LATER = 0.5
"""How much of a blessing is left for a unit that has already acted."""
SHARE = 0.3
"""How much of all fire that could reach a unit it must expect."""
PER_DIE = 0.02
"""What a power die is worth that is kept for another power."""


def passing(stage: Stage[bool]) -> float:
    """How often a test is passed."""
    return sum(weight for passed, weight in stage.law() if passed) / stage.whole


def strikes_worth(play: Play, unit: int, other: int, assaulting: bool) -> float:
    """Expected wounds if every model of a unit strikes another."""
    groups, _ = melee_groups(play, unit, other, play.state.units[unit].living, assaulting, (), None)
    return sum(_mean(group) * wounds_an_attack(strike_of(play.game, play.state, group, other, MELEE), play) for group in groups)


def best_shot(play: Play, unit: int, walked: bool) -> float:
    """Expected wounds of a unit's fire at the target it hurts most."""
    targets = targets_of(play, unit)
    return max((target_worth(play, unit, k, shots, walked) for k, shots in targets.items()), default=0.0)


def succeeding(play: Play, unit: int, power: Power, dice: int) -> float:
    """How often so many dice are enough, rolled by the ablest Psyker of a unit that knows the power."""
    slots = [slot for slot in psykers(play, unit) if power in known(play, slot)]
    helped = max((added(play, slot) for slot in slots), default=0)
    return chance_of(book_of(play.game).power_scores, power.number - helped, dice)


def dice_worth(play: Play, unit: int, power: Power, dice: int) -> float:
    """What a roll of so many dice is worth: success, less the dice and two sixes that strike back."""
    sixes: float = 1.0 - (5**dice + dice * 5 ** (dice - 1)) / 6**dice
    return succeeding(play, unit, power, dice) - PER_DIE * dice - 0.3 * sixes


def promise(play: Play, power: Power, target: int) -> float:
    """What a power does to a target if it takes hold."""
    return sum(_effect(play, power, effect, target) for effect in power.effects)


def _effect(play: Play, power: Power, effect: Effect, target: int) -> float:
    if effect.grant_rule:
        return _blessing(play, effect, target)
    if effect.heal:
        hurt = max((play.state.wounds_on(slot) for slot in play.state.units[target].living), default=0)
        return min(float(hurt), read_roll(effect.heal).mean)
    if effect.morale_test:
        return _dread(play, target)
    if effect.repair:
        return float(bool(broken(play, target)))
    if effect.hits or effect.wounds:
        return _damage(play, power, effect, target)
    return 0.0


def _mean(group: Group) -> float:
    return group.attacks + sum(roll.mean for roll in group.rolls)


def _damage(play: Play, power: Power, effect: Effect, target: int) -> float:
    """Wounds by the exact evaluator, no more than the target has left."""
    roll = read_roll(effect.hits or effect.wounds)
    rules = tuple(sorted(read_rule(name) for name in effect.rules))
    group = Group(rules, enters=AUTOMATIC if effect.hits else REGENERATION, name=power.name)
    done = roll.mean * wounds_an_attack(strike_of(play.game, play.state, group, target, POWER), play)
    return min(done, float(wounds_left(play, target)))


def _dread(play: Play, target: int) -> float:
    """A unit that fails its nerve does nothing for one activation."""
    if pinned(play.state, target):
        return 0.0
    nerve = passing(test_stage(quality(play.game, target), has(play.game, play.state, target, "Fearless")))
    return (1.0 - nerve) * max(best_shot(play, target, walked=False), _strikes(play, target))


def _strikes(play: Play, unit: int) -> float:
    """What a unit would do in melee to the enemy nearest to it."""
    enemy = min(enemies(play, unit), key=lambda enemy: nearest(play.scene, unit, enemy).gap, default=None)
    return 0.0 if enemy is None else strikes_worth(play, unit, enemy, assaulting=True)


def _blessing(play: Play, effect: Effect, target: int) -> float:
    """What a rule lent to a friend is worth to it."""
    rule = effect.grant_rule
    if effect.to == "weapons":
        return _timely(play, target) * max((_lent(play, target, enemy, rule) for enemy in enemies(play, target)), default=0.0)
    if has(play.game, play.state, target, rule):
        return 0.0
    if rule == "Fast":
        return _timely(play, target) * _sooner(play, target)
    return _sheltered(play, target) if rule == "Armored" else 0.0


def _timely(play: Play, unit: int) -> float:
    """Who has acted has less of what lasts until its next activation; in the last round nothing."""
    if not play.state.units[unit].done:
        return 1.0
    return LATER if play.state.clock.round < play.game.edition.rounds else 0.0


def _lent(play: Play, unit: int, enemy: int, rule: str) -> float:
    """Wounds more that a unit's fire does to an enemy with a rule on all its weapons."""
    return fire_at(play, unit, enemy, (Rule(rule),)) - fire_at(play, unit, enemy)


def _sheltered(play: Play, unit: int) -> float:
    """Wounds less that enemies still to act do to a unit with armor by fire, as far as it must expect them."""
    waiting = [k for k in enemies(play, unit) if not play.state.units[k].done and not pinned(play.state, k)]
    spared = sum(fire_at(play, k, unit) - fire_at(play, k, unit, armored=True) for k in waiting)
    return min(SHARE * spared, float(wounds_left(play, unit)))


def _sooner(play: Play, unit: int) -> float:
    """Speed counts for most where it brings an enemy into reach of an assault, and for little beyond."""
    gap = min((nearest(play.scene, unit, enemy).gap for enemy in enemies(play, unit)), default=0.0)
    assault = allowance(play.game, play.state, unit, ASSAULT)
    if gap <= assault:
        return 0.0
    return (0.6 if gap <= assault + assault // 2 else 0.2) * _strikes(play, unit)


def fire_at(play: Play, unit: int, target: int, lent: tuple[Rule, ...] = (), armored: bool = False) -> float:
    """Expected wounds of all weapons of a unit that reach a target, seen or not; with a rule lent, or against armor."""
    gap, worth = nearest(play.scene, unit, target).gap, 0.0
    for weapon in _reaching(play, unit, gap):
        rules = collapsed((*weapon_rules(play, unit, weapon), *lent))
        strike = strike_of(play.game, play.state, Group(rules, quality=quality(play.game, unit)), target, SHOOTING)
        worth += weapon.attacks.mean * wounds_an_attack(replace(strike, armored=True) if armored else strike, play)
    return worth


def _reaching(play: Play, unit: int, gap: float) -> Iterable[Weapon]:
    lookups = index_of(play.game)
    for slot in play.state.units[unit].living:
        fighter = lookups.fighters[slot]
        yield from (fighter.weapons[k] for k in fighter.ranged if (fighter.weapons[k].reach or 0) >= gap)
