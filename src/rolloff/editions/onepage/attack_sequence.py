"""The attack form of the family (`rules.attack`): the same groups and stages as in play, stated apart from a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Sequence as SequenceOf
from itertools import groupby

from rolloff.editions.onepage.attack import (
    DANGER,
    MELEE,
    POWER,
    SHOOTING,
    Group,
    alone,
    attack_event,
    danger_event,
    danger_volley,
    pooled,
    strike_of,
    volley_for,
)
from rolloff.editions.onepage.blows import attackers, goes_uphill, hampering, melee_groups, schedule_of, strikers
from rolloff.editions.onepage.book import book_of
from rolloff.editions.onepage.casualties import ORDINARY_FIRST, TOUGH_FIRST
from rolloff.editions.onepage.fight import Fight, resolve
from rolloff.editions.onepage.firing import check_form, is_placed, shooting, shots_of
from rolloff.editions.onepage.lookups import index_of
from rolloff.editions.onepage.matchup import AUTOMATIC, PIERCE_ARMOR, PIERCE_BLOCKS, pierces, with_mode
from rolloff.editions.onepage.planning import audit_of, casualty_order, ladder_of, plan_of
from rolloff.editions.onepage.settling import stepwise
from rolloff.editions.onepage.shooting import default_shots, fire_at
from rolloff.editions.onepage.sniping import CHARACTER, SPREAD, named, named_by
from rolloff.editions.onepage.timing import Schedule, higher_of, steps_of
from rolloff.editions.onepage.vehicles import UNSURE, attack_facing, has_table
from rolloff.errors import IllegalCommand
from rolloff.oracle.dice import EnteredDice
from rolloff.oracle.flow import Volley
from rolloff.oracle.oracle import Defaults, Oracle
from rolloff.oracle.roll import Dice
from rolloff.rules.attack import AttackForm, AttackSequence, FightResult, Plan
from rolloff.rules.fire import FireOrder
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.table.request import Request
from rolloff.table.state import State

KINDS = (SHOOTING, MELEE, DANGER)
PIERCING = {"piercing": ("best", PIERCE_ARMOR, PIERCE_BLOCKS)}
SNIPER = {"sniper": (SPREAD, CHARACTER)}


class Sequence(AttackSequence):
    """One Page attacks: shooting, one side's strikes in a melee, or dangerous ground.

    ``policies`` are the choices odds can be asked under besides those of all editions of the family.
    """

    def __init__(self, policies: Mapping[str, tuple[str, ...]] = PIERCING) -> None:
        """What an edition has of its own."""
        usual = {"piercing": ("best",), "allocation": ("book", ORDINARY_FIRST, TOUGH_FIRST), "rerolls": ("failures",)}
        self.policies: Mapping[str, tuple[str, ...]] = {**usual, **policies}

    def run(self, play: Play, form: AttackForm) -> None:
        """Roll it, with casualties, the vehicle table, wrecks and morale."""
        if form.kind == DANGER:
            danger_event(play, form.target, len(play.state.units[form.target].living))
            return
        if form.kind == SHOOTING:
            shots = shots_of(play, form)
            if form.cover is None and form.facing is None and is_placed(play, form):
                fire_at(play, FireOrder(form.attacker), form.target, shots)
                return
            groups = shooting(play, form, shots)
        else:
            groups = power(play, form) if form.kind == POWER else melee(play, form, one_sided(play, form))
        facing, clauses = facing_of(play, form), CITED[form.kind]  # as it stands before the first strike
        groups = named(play, form.attacker, form.target, groups)
        for _, step in groupby(groups, key=lambda group: group.step):
            if play.state.units[form.target].living:
                attack_event(play, form.attacker, form.target, list(step), form.kind, *clauses, facing=facing)

    def plan(self, game: Game, state: State, form: AttackForm, policies: Mapping[str, str]) -> Plan:
        """The same groups as volleys, the target as a ladder in its owner's casualty order."""
        play = Play(game, state, Oracle(EnteredDice(()), Defaults()))
        if form.kind == DANGER:
            volley = danger_volley(game, state, form.target, len(state.units[form.target].living))
            return plan_of(game, state, form.target, (volley,), policies, facing=UNSURE, tests=True)
        if form.kind == SHOOTING:
            return self.planned(play, form, shooting(play, form, shots_of(play, form)), policies)
        groups = power(play, form) if form.kind == POWER else melee(play, form, one_sided(play, form))
        if len({group.step for group in groups}) > 1:
            return stepwise(self, play, form, groups, policies)
        return self.planned(play, form, groups, policies)

    def planned(self, play: Play, form: AttackForm, groups: list[Group], policies: Mapping[str, str]) -> Plan:
        """One event of these groups."""
        groups = named_by(play, form.target, groups, policies)
        volleys = tuple(_volley(play.game, play.state, group, form, policies) for group in groups)
        return plan_of(
            play.game,
            play.state,
            form.target,
            volleys,
            policies,
            facing=facing_of(play, form),
            tests=form.kind != MELEE,
            aimed=any(group.aim >= 0 for group in groups),
            audit=audit_of(play.game, groups),
        )

    def exchange(
        self, game: Game, state: State, forms: SequenceOf[AttackForm], policies: Mapping[str, str]
    ) -> Callable[[Dice], FightResult]:
        """Strikes and strikes back, with the result and the loser's morale."""
        from rolloff.rules.laws import cut_out, over_any_dice  # numpy is loaded only when odds are wanted

        play = Play(game, state, Oracle(EnteredDice(()), Defaults()))
        for form in forms:
            melee(play, form, one_sided(play, form))  # what cannot be is refused here
        fight = Fight(forms[0].attacker, forms[0].target, forms=tuple(forms))
        alone = cut_out(state, (fight.assaulter, fight.defender))  # passengers of a wreck are nobody's odds
        return over_any_dice(game, alone, policies, resolve, fight)


CITED = {SHOOTING: ("SHOOT-9", "SHOOT-10", "SHOOT-14"), POWER: ("RULE-PSYKER-8",), MELEE: ("MELEE-13",)}


def facing_of(play: Play, form: AttackForm) -> str:
    """The facing an attack comes from: as stated, by positions, else unsure; powers come from nowhere (VDMG-11)."""
    if form.facing is not None:
        return form.facing
    if form.kind == POWER or not has_table(play.game, form.target) or not is_placed(play, form):
        return UNSURE
    if form.kind == SHOOTING:
        return attack_facing(play, form.target, tuple(dict.fromkeys(shot.slot for shot in shots_of(play, form))))
    return attack_facing(play, form.target, attackers(play, form.attacker, who_strikes(play, form), bool(form.charged)))


def power(play: Play, form: AttackForm) -> list[Group]:
    """RULE-PSYKER-8: hits from a power follow the stages after the to-hit roll, without cover; weapons stand for them."""
    lookups = index_of(play.game)
    living = play.state.units[form.attacker].living
    chosen = form.weapons or tuple((slot, k) for slot in living for k in range(len(play.game.models[slot].weapons)))
    rows: dict[tuple[object, ...], Group] = {}
    for slot, index in chosen:
        weapon = lookups.fighters[slot].weapons[index]
        start = Group(weapon.rules, weapons=0, enters=AUTOMATIC, name=weapon.name)
        pooled(rows, (weapon.rules, (slot, index) if alone(weapon) else ()), start, weapon.attacks)
    if not rows:
        raise IllegalCommand("no-power", "RULE-PSYKER-8", "the attacker has nothing to strike with", None)
    return list(rows.values())


def _volley(game: Game, state: State, group: Group, form: AttackForm, policies: Mapping[str, str]) -> Volley:
    """A group as a volley, its Piercing as the policy says."""
    strike = strike_of(game, state, group, form.target, form.kind)
    mode = policies.get("piercing", "best")
    if mode != "best" and pierces(strike, game.edition.specials):
        strike = with_mode(strike, mode)
    return volley_for(game, strike, group)


def who_strikes(play: Play, form: AttackForm) -> tuple[int, ...]:
    """Everyone, unless positions say who is in reach."""
    if is_placed(play, form) and not form.everyone:
        return strikers(play, form.attacker, form.target)
    return play.state.units[form.attacker].living


def one_sided(play: Play, form: AttackForm) -> Schedule | None:
    """MELEE-17: the steps of one side's strikes if nobody strikes back; None where a melee has no steps."""
    if form.kind != MELEE or not book_of(play.game).melee_steps:
        return None
    who = who_strikes(play, form)
    steps = steps_of(play, form.attacker, higher_of(play, form.attacker, form.target), who, form.afraid)
    return schedule_of(play, form.attacker, form.target, who, bool(form.charged), steps, form.weapons)


def melee(play: Play, form: AttackForm, schedule: Schedule | None = None) -> list[Group]:
    """The groups of one side's strikes, step by step by a ``schedule``."""
    check_form(play, form)
    uphill = bool(form.charged) and is_placed(play, form) and goes_uphill(play, form.attacker, form.target)
    hampered = hampering(play, form.attacker, form.afraid, uphill)
    who, charged = who_strikes(play, form), bool(form.charged)
    groups, _ = melee_groups(play, form.attacker, form.target, who, charged, hampered, form.weapons, schedule)
    if not groups:
        raise IllegalCommand("no-strike", "MELEE-9", "no model of the attacker may strike", None)
    return sorted(groups, key=lambda group: group.step)


def form_of(play: Play, request: Request, option: object) -> AttackForm | None:
    """The attack a target option stands for: the unit's default fire, or its strikes on an assault."""
    if request.kind != "choose-target" or option not in play.game.numbers or not isinstance(request.order, dict | None):
        return None
    unit, target = request.about, play.game.numbers[str(option)]
    if request.point == "DP-26":
        living = play.state.units[unit].living
        weapons = tuple((slot, index) for slot in living for index in index_of(play.game).fighters[slot].melee)
        return AttackForm(unit, target, MELEE, weapons, charged=True, everyone=True)
    if not request.order:
        return None
    walked = bool(dict(request.facts).get("walked"))
    shots = default_shots(play, unit, target, request.order[target], walked)
    return AttackForm(unit, target, SHOOTING, tuple((shot.slot, shot.weapon) for shot in shots), moved=walked)


__all__ = ["KINDS", "Sequence", "casualty_order", "form_of", "ladder_of"]
