"""Whom the models of a unit strike, with what and how often (DP-48): targets, weapons, and attacks divided among units."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from rolloff.editions.commentary import places
from rolloff.editions.commentary.ability import MELEE
from rolloff.editions.commentary.aiming import Weapons
from rolloff.editions.commentary.assigning import Held, assigned, attacks_at
from rolloff.editions.commentary.attack_case import Case
from rolloff.editions.commentary.barricades import enemies_across
from rolloff.editions.commentary.choosing import uses_of
from rolloff.editions.commentary.closing_in import may_attack
from rolloff.editions.commentary.lookups import host_of, index_of
from rolloff.editions.commentary.target import NOBODY
from rolloff.errors import IllegalCommand
from rolloff.rules.attack import AttackForm
from rolloff.rules.citing import cites
from rolloff.rules.play import Play


def reachable(play: Play, unit: int) -> list[int]:
    """The enemy units within Engagement Range, or across a barricade, that a unit may attack (AIR-5)."""
    host = host_of(play.game, play.state, unit)
    found = (*places.enemies_engaged(play.game, play.state, host), *enemies_across(play.game, play.state, host))
    return [k for k in dict.fromkeys(found) if may_attack(play, unit, k)]


def choose_strikes(play: Play, unit: int, only: tuple[int, ...] | None) -> dict[int, AttackForm]:
    """DP-48: target by target the models that strike it, with which weapons; by default each strikes the nearest."""
    plan: dict[int, AttackForm] = {}
    owner, state, near = play.game.sides[unit], play.state, reachable(play, unit)
    while True:
        found = {}
        if state is not play.state:
            state, near = play.state, reachable(play, unit)
        for enemy in near:
            blades = left_for(play, plan, unit, enemy) if enemy not in plan else ()
            if only is not None:
                blades = tuple(blade for blade in blades if blade[0] in only)
            if blades:
                found[enemy] = blades
        if not found:
            return plan
        far = places.gaps_from(play.game, play.state, unit)
        names = tuple(play.game.names[k] for k in sorted(found, key=lambda k: (far[k], k)))
        answer = play.choose(owner, "choose-target", "FGT-6", names, names[0], unit, "DP-48", found, purpose="strike")
        target = play.game.numbers[str(answer)]
        form = AttackForm(unit, target, MELEE, weapons=found.pop(target))
        plan[target] = strikes_at(play, plan, form, found)


def left_for(play: Play, plan: Mapping[int, AttackForm], unit: int, enemy: int) -> Weapons:
    """FGT-6: what the models of a unit strike an enemy with by default, of what they have not sent at others yet."""
    blades = blades_at(play, unit, enemy)
    if not plan or not blades:
        return blades
    drawn = drawn_in(play, plan)
    usual = dict.fromkeys((blade[0], drawn.get(_choice(play, blade), blade[1])) for blade in blades)
    whole = {blade for form in plan.values() for blade in form.weapons or ()} - {share[:2] for share in shares_of(plan)}
    return tuple(blade for blade in usual if blade not in whole and attacks_left(play, plan, unit, enemy, blade) != 0)


def drawn_in(play: Play, plan: Mapping[int, AttackForm]) -> dict[Held, int]:
    """The weapons that strike in a plan, by the choice they were made for."""
    return {_choice(play, blade): blade[1] for form in plan.values() for blade in form.weapons or ()}


def _choice(play: Play, blade: Held) -> Held:
    """FGT-6, UNIT-3: a model uses one of its melee weapons, and of each with Extra Attacks one profile."""
    fighter = index_of(play.game).fighters[blade[0]]
    return blade[0], fighter.wholes[blade[1]] if fighter.weapons[blade[1]].has("Extra Attacks") else NOBODY


def shares_of(plan: Mapping[int, AttackForm]) -> list[tuple[int, int, int]]:
    """The weapons of a plan whose attacks are divided, with how many go at each target."""
    return [share for form in plan.values() for share in form.shares]


def attacks_left(play: Play, plan: Mapping[int, AttackForm], unit: int, enemy: int, blade: Held) -> int | None:
    """How many attacks of a weapon are left for an enemy; None where all are, or it is not known before they are rolled."""
    sent = sum(count for *share, count in shares_of(plan) if tuple(share) == blade)
    if not sent:
        return None
    made = attacks_at(play, AttackForm(unit, enemy, MELEE, weapons=(blade,)))
    return max(made - sent, 0) if made is not None else 0


@cites("FGT-6")
def strikes_at(play: Play, plan: Mapping[int, AttackForm], form: AttackForm, others: Mapping[int, Weapons]) -> AttackForm:
    """FGT-6: which models strike a target, with what and how often; without a choice nobody is asked.

    Who could strike one of the ``others`` as well may divide the attacks of a weapon.
    """
    lookups, default = index_of(play.game), form.weapons or ()
    drawn = drawn_in(play, plan) if plan else {}
    able = [
        (slot, k)
        for slot in dict.fromkeys([slot for slot, _ in default])
        for k, weapon in enumerate(lookups.fighters[slot].weapons)
        if weapon.melee and ((slot, k) in default or _choice(play, (slot, k)) not in drawn)
    ]
    left = {blade: attacks_left(play, plan, form.attacker, form.target, blade) for blade in able} if plan else {}
    whole = replace(form, shares=tuple((*blade, count) for blade, count in left.items() if count is not None))
    if not others and len(able) == len(default):
        if not play.oracle.strict:
            return whole
        play.alone = True
    elsewhere = {slot for blades in others.values() for slot, _ in blades}
    divisible = {blade: printed(play, blade) for blade in able if blade[0] in elsewhere}
    return assigned(play, replace(whole, weapons=tuple(able)), default, "FGT-6", "DP-48", bool(others), divisible)


def printed(play: Play, blade: Held) -> int:
    """The attacks of a weapon as printed; 0 where they are rolled, and so are not divided."""
    roll = index_of(play.game).fighters[blade[0]].weapons[blade[1]].attacks
    return roll.plus if roll.fixed else 0


def blades_at(play: Play, unit: int, enemy: int) -> Weapons:
    """FGT-5: the weapons the models of a unit use against an enemy, by default."""
    try:
        uses = uses_of(Case(play.game, play.state, AttackForm(unit, enemy, MELEE)))
    except IllegalCommand:
        return ()
    return tuple([(use.slot, use.index) for use in uses])
