"""The attack form of the family (`rules.attack`): the same groups and stages as in play, stated apart from a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Sequence as SequenceOf

from rolloff.editions.onepage.attack import (
    DANGER,
    MELEE,
    POWER,
    SHOOTING,
    Group,
    attack_event,
    danger_event,
    danger_flow,
    pooled,
    strike_of,
    volley_for,
)
from rolloff.editions.onepage.casualties import ORDINARY_FIRST, TOUGH_FIRST
from rolloff.editions.onepage.lore import Lore, has, quality, start_size, tough
from rolloff.editions.onepage.melee import hampering, melee_groups, strikers
from rolloff.editions.onepage.morale import NONE, PASSED, PINS, at_half, test_stage
from rolloff.editions.onepage.shooting import Shot, default_shots, fire, groups_of_shots, shots_at, spent
from rolloff.editions.onepage.strike import AUTOMATIC, PIERCE_ARMOR, PIERCE_BLOCKS, with_mode
from rolloff.editions.onepage.vehicles import attack_facing
from rolloff.errors import BadInput, IllegalCommand
from rolloff.geometry.measure import nearest
from rolloff.oracle.dice import EnteredDice
from rolloff.oracle.flow import Volley
from rolloff.oracle.oracle import Defaults, Oracle
from rolloff.oracle.roll import Dice
from rolloff.oracle.target import Ladder, Rung
from rolloff.rules.attack import AttackForm, Change, Clash, Plan
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.table.request import Request
from rolloff.table.state import NOWHERE, State

KINDS = (SHOOTING, MELEE, DANGER)


class Sequence:
    """One Page attacks: shooting, one side's strikes in a melee, or dangerous ground."""

    policies: Mapping[str, tuple[str, ...]] = {
        "piercing": ("best", PIERCE_ARMOR, PIERCE_BLOCKS),
        "allocation": ("book", ORDINARY_FIRST, TOUGH_FIRST),
        "rerolls": ("failures",),
    }

    def run(self, play: Play, form: AttackForm) -> None:
        """Roll it, with casualties, the vehicle table, wrecks and morale."""
        if form.kind == DANGER:
            danger_event(play, form.target, len(play.state.units[form.target].living))
        elif form.kind == SHOOTING:
            shots = shots_of(play, form)
            if form.cover is None and form.facing is None and _placed(play, form):
                fire(play, form.attacker, form.target, shots)
                return
            groups = shooting(play, form, shots)
            facing = form.facing or "side"
            attack_event(play, form.attacker, form.target, groups, SHOOTING, "SHOOT-9", "SHOOT-10", "SHOOT-14", facing=facing)
        elif form.kind == POWER:
            groups, facing = power(play, form), form.facing or "side"  # VDMG-11: powers come from nowhere in particular
            attack_event(play, form.attacker, form.target, groups, POWER, "RULE-PSYKER-8", facing=facing)
        else:
            groups = melee(play, form)
            facing = form.facing or attack_facing(play, form.target, _who(play, form))
            attack_event(play, form.attacker, form.target, groups, MELEE, "MELEE-13", facing=facing)

    def plan(self, game: Game, state: State, form: AttackForm, policies: Mapping[str, str]) -> Plan:
        """The same groups as volleys, the target as a ladder in its owner's casualty order."""
        play = Play(game, state, Oracle(EnteredDice(()), Defaults()))
        if form.kind == DANGER:
            heals = has(game, state, form.target, "Regeneration")
            flow = danger_flow(game.edition.book.regeneration if heals else None)
            volleys: tuple[Volley, ...] = (Volley(flow, len(state.units[form.target].living), 1),)
            groups: list[Group] = []
        else:
            groups = stated_groups(play, form)
            volleys = tuple(_volley(game, state, group, form, policies) for group in groups)
        order = casualty_order(game, state, form.target, policies)
        ladder = ladder_of(game, state, order)
        after = None if form.kind == MELEE else heavy_loss_step(game, state, form.target, ladder)
        return Plan(volleys, ladder, ladder.start(), after, order, audit(groups), policies)

    def exchange(
        self, game: Game, state: State, forms: SequenceOf[AttackForm], policies: Mapping[str, str]
    ) -> Callable[[Dice], Clash]:
        """Strikes and strikes back, with the result and the loser's morale."""
        from rolloff.editions.onepage.exchange import Brawl

        return Brawl(self, game, state, tuple(forms), policies).fight


def stated_groups(play: Play, form: AttackForm) -> list[Group]:
    """The groups of a form with attacks of its own."""
    if form.kind == SHOOTING:
        return shooting(play, form, shots_of(play, form))
    return power(play, form) if form.kind == POWER else melee(play, form)


def power(play: Play, form: AttackForm) -> list[Group]:
    """RULE-PSYKER-8: hits from a power follow the stages after the to-hit roll, without cover; weapons stand for them."""
    lore: Lore = play.game.lore
    living = play.state.units[form.attacker].living
    chosen = form.weapons or tuple((slot, k) for slot in living for k in range(len(play.game.models[slot].weapons)))
    rows: dict[tuple[object, ...], Group] = {}
    for slot, index in chosen:
        weapon = lore.fighters[slot].weapons[index]
        start = Group(weapon.rules, weapons=0, enters=AUTOMATIC, name=weapon.name)
        pooled(rows, (weapon.rules, (slot, index) if weapon.has("Single") else ()), start, weapon.attacks)
    if not rows:
        raise IllegalCommand("no-power", "RULE-PSYKER-8", "the attacker has nothing to strike with", None)
    return list(rows.values())


def _volley(game: Game, state: State, group: Group, form: AttackForm, policies: Mapping[str, str]) -> Volley:
    """A group as a volley, its Piercing as the policy says."""
    strike = strike_of(game, state, group, form.target, form.kind)
    mode = policies.get("piercing", "best")
    if mode != "best" and strike.has("Piercing"):
        strike = with_mode(strike, mode)
    return volley_for(game, strike, group)


def _placed(play: Play, form: AttackForm) -> bool:
    units = play.state.units
    return all(play.state.at(slot)[0] != NOWHERE for k in (form.attacker, form.target) for slot in units[k].living)


def _needs(what: str) -> BadInput:
    return BadInput(
        "attack-incomplete",
        f"do.attack: {what} is neither given nor to be had from positions",
        where=f"do.attack.{what}",
        allowed="a value, or models with positions",
    )


def shots_of(play: Play, form: AttackForm) -> list[Shot]:
    """The weapons that fire: those named, in range and in sight as the form or the positions say."""
    lore: Lore = play.game.lore
    chosen = form.weapons
    if chosen is None:
        living = play.state.units[form.attacker].living
        chosen = tuple((slot, index) for slot in living for index in lore.fighters[slot].ranged)
    for slot, index in chosen:
        if index not in lore.fighters[slot].ranged:
            raise IllegalCommand(
                "not-ranged", "WPN-1", f"weapon {index} of {play.game.models[slot].id} is no ranged weapon", index
            )
    chosen = tuple(pair for pair in chosen if not spent(play.state, pair[0], lore.fighters[pair[0]].weapons[pair[1]], pair[1]))
    if form.range is None and form.visible is None:
        if not _placed(play, form):
            raise _needs("range")
        found = {(shot.slot, shot.weapon): shot for shot in shots_at(play, form.attacker, form.target)}
        shots = [found[pair] for pair in chosen if pair in found]
    else:
        shots = [shot for shot in (_stated(play, form, pair) for pair in chosen) if shot]
    if not shots:
        raise IllegalCommand("no-shot", "SHOOT-2", "no weapon that may fire has the target in range and in sight", None)
    if form.moved:
        _one_each(play, shots)
    return shots


def _stated(play: Play, form: AttackForm, pair: tuple[int, int]) -> Shot | None:
    """A weapon against the range and sight the form states."""
    lore: Lore = play.game.lore
    weapon = lore.fighters[pair[0]].weapons[pair[1]]
    far = form.range
    if far is None:
        if not _placed(play, form):
            far = 0
        else:
            far = int(nearest(play.scene, form.attacker, form.target).gap)
    seen = form.visible if form.visible is not None else True
    if far > (weapon.reach or 0) + play.game.edition.book.within or not (seen or weapon.has("Indirect")):
        return None
    return Shot(pair[0], pair[1], seen)


def _one_each(play: Play, shots: list[Shot]) -> None:
    if len({shot.slot for shot in shots}) < len(shots):
        raise IllegalCommand("one-weapon", "SHOOT-6", "a model that walked fires one weapon only", None)


def shooting(play: Play, form: AttackForm, shots: list[Shot]) -> list[Group]:
    """The groups of a shooting form, with cover as stated or as the positions give it."""
    if form.cover is None and _placed(play, form):
        return groups_of_shots(play, form.attacker, form.target, shots, None)
    stealthy = has(play.game, play.state, form.target, "Stealth")
    cover = ("RULE-STEALTH-1",) if stealthy else ("TERR-COVER-3",) if form.cover else ()
    return groups_of_shots(play, form.attacker, form.target, shots, cover)


def _who(play: Play, form: AttackForm) -> tuple[int, ...]:
    if _placed(play, form) and not form.everyone:
        return strikers(play, form.attacker, form.target)
    return play.state.units[form.attacker].living


def melee(play: Play, form: AttackForm) -> list[Group]:
    """The groups of one side's strikes; everyone strikes unless positions say who is in reach."""
    hampered = hampering(play, form.attacker, {form.attacker: form.afraid}, False)
    groups, _ = melee_groups(play, form.attacker, form.target, _who(play, form), bool(form.charged), hampered, form.weapons)
    if not groups:
        raise IllegalCommand("no-strike", "MELEE-9", "no model of the attacker may strike", None)
    return groups


def casualty_order(game: Game, state: State, target: int, policies: Mapping[str, str]) -> tuple[int, ...]:
    """RULE-TOUGH-3: who goes first: a wounded model, then ordinary or Tough ones as the policy says (ordinary first)."""
    living = state.units[target].living
    hurt = [slot for slot in living if state.wounds_on(slot)]
    rest = [slot for slot in living if not state.wounds_on(slot)]
    tough_first = policies.get("allocation") == TOUGH_FIRST
    rest.sort(key=lambda slot: ((tough(game, slot) > 1) != tough_first, tough(game, slot)))
    return (*hurt, *rest)


def ladder_of(game: Game, state: State, order: tuple[int, ...]) -> Ladder:
    """A unit whose models fall in this order, each with the wounds it has left."""
    return Ladder(tuple(Rung(wounds=tough(game, slot) - state.wounds_on(slot)) for slot in order))


def heavy_loss_step(game: Game, state: State, target: int, ladder: Ladder) -> Callable[[Dice, int, int], str]:
    """MORALE-2: what the losses of an event lead to, as a step any dice can carry out."""
    size = start_size(game, state, target)
    stage = test_stage(quality(game, target), has(game, state, target, "Fearless"))

    def left(state_: int) -> tuple[int, int]:
        if size > 1:
            return ladder.models - ladder.kills(state_), size
        whole = ladder.whole
        return whole - state_, tough(game, state.units[target].living[0])

    def step(dice: Dice, start: int, end: int) -> str:
        if ladder.gone(end) or not at_half(*left(end)) or at_half(*left(start)) or start == end:
            return NONE
        return PASSED if dice.ask(stage) else PINS

    return step


def form_of(play: Play, request: Request, option: object) -> AttackForm | None:
    """The attack a target option stands for: the unit's default fire, or its strikes on an assault."""
    if request.kind != "choose-target" or option not in play.game.numbers or not isinstance(request.order, dict | None):
        return None
    unit, target = request.about, play.game.numbers[str(option)]
    if request.point == "DP-26":
        living = play.state.units[unit].living
        weapons = tuple((slot, index) for slot in living for index in play.game.lore.fighters[slot].melee)
        return AttackForm(unit, target, MELEE, weapons, charged=True, everyone=True)
    if not request.order:
        return None
    walked = bool(dict(request.facts).get("walked"))
    shots = default_shots(play, unit, target, request.order[target], walked)
    return AttackForm(unit, target, SHOOTING, tuple((shot.slot, shot.weapon) for shot in shots), moved=walked)


def audit(groups: list[Group]) -> tuple[Change, ...]:
    """What alters the plain numbers, line by line."""
    found: list[Change] = []
    for group in groups:
        for clause in group.cover:
            found.append(Change("cover", 0, 5, clause))
        for clause in group.hampered:
            found.append(Change("hampered", False, True, clause))
    return tuple(dict.fromkeys(found))
