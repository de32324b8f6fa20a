"""One attack event (RES-1): its groups rolled, wounds allocated, wrecks with them, the vehicle table, then morale."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from rolloff.editions.onepage.book import book_of
from rolloff.editions.onepage.casualties import Casualties, aimed_first, allocate
from rolloff.editions.onepage.lookups import guards_of, has, index_of, quality, tough
from rolloff.editions.onepage.matchup import (
    AUTOMATIC,
    BLOCK,
    HIT,
    IGNORE,
    REGENERATION,
    Figures,
    Registry,
    Strike,
    count_stage,
    flow_of,
    forking,
    pierces,
    registry,
    stopping,
    with_mode,
)
from rolloff.editions.onepage.morale import NONE, check_heavy_loss, strength
from rolloff.editions.onepage.tally import Sums, sums_of
from rolloff.editions.onepage.vehicles import UNSURE, damage_roll
from rolloff.editions.onepage.watching import made
from rolloff.oracle.draft import Draft
from rolloff.oracle.flow import HITS, Flow, Volley
from rolloff.rules.citing import cites
from rolloff.rules.effects import DID
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.table.profile import DiceRoll, Rule, Weapon
from rolloff.table.request import Request
from rolloff.table.state import State

MELEE, SHOOTING, POWER, DANGER, WRECK = "melee", "shooting", "power", "danger", "wreck"


class Group(Struct, frozen=True):
    """Like attacks rolled together (RES-3): their rules, how many, and by what weapons."""

    rules: tuple[Rule, ...]
    attacks: int = 0
    rolls: tuple[DiceRoll, ...] = ()
    weapons: int = 1
    enters: str = HIT
    hampered: tuple[str, ...] = ()
    shaken: bool = False
    cover: tuple[str, ...] = ()
    name: str = ""
    quality: int = 0
    aim: int = -1
    step: int = 0


@cites("SHOOT-8", "WPN-8")
def pooled(
    rows: dict[tuple[object, ...], Group], key: tuple[object, ...], start: Group, roll: DiceRoll, extra: int = 0
) -> None:
    """RES-3, SHOOT-8: add a weapon to the group of its like; a random value is rolled for each weapon.

    Attacks rolled with another kind of die than the group's are a group of their own, so that one roll gives the number.
    """
    held = rows.get(key)
    if held and held.rolls and not roll.fixed and held.rolls[0].sides != roll.sides:
        key = (*key, roll.sides)
    group = rows.get(key) or start
    rolls = group.rolls if roll.fixed else (*group.rolls, roll)
    attacks = group.attacks + extra + (roll.plus if roll.fixed else 0)
    rows[key] = replace(group, attacks=attacks, rolls=rolls, weapons=group.weapons + 1)


@cites("RES-3")
def alone(weapon: Weapon) -> bool:
    """RES-3: whether every such weapon is a group of its own: its wounds go to one model."""
    return weapon.has("Single") or weapon.has("Sniper")


class Outcome(Struct, frozen=True):
    """What came of an event: the sums of its stages, wounds caused (RES-11), who fell, and the morale of it."""

    sums: Sums
    caused: int
    toll: Casualties
    morale: str = NONE


def figures(game: Game) -> Figures:
    """The book's numbers for the stages."""
    found: Figures = index_of(game).figures
    return found


@cites("JOIN-6")
def strike_of(game: Game, state: State, group: Group, target: int, kind: str) -> Strike:
    """The match-up of a group: the target's rules as they hold for the whole event (JOIN-6)."""
    return Strike(
        kind=kind,
        quality=group.quality or 4,
        block=quality(game, target),
        rules=group.rules,
        enters=group.enters,
        hampered=group.hampered,
        shaken=group.shaken,
        armored=has(game, state, target, "Armored"),
        cover=group.cover,
        regeneration=has(game, state, target, "Regeneration"),
        type=game.cards[target].type,
        aim=group.aim,
        guards=guards_of(game, state, target),
        did=tuple(name.removeprefix(DID) for name, _ in state.units[target].marks if name.startswith(DID)),
    )


def volley_for(game: Game, strike: Strike, group: Group) -> Volley:
    """A group as a volley: its attacks are one number or one roll (DICE-12: rolled before the to-hit dice)."""
    flow = flow_of(strike, figures(game), game.edition.specials)
    return Volley(flow, count_stage(group.attacks, group.rolls, *_counting(game, strike)), 1)


def _counting(game: Game, strike: Strike) -> tuple[str, ...]:
    """What says how many attacks there are: the weapon, or the rule automatic hits and wounds come from."""
    if strike.kind == MELEE:
        return game.edition.specials["Impact"].clauses if strike.enters == AUTOMATIC else ("MELEE-10", "WPN-2")
    return {POWER: ("RULE-PSYKER-8",), WRECK: ("RULE-TRANSPORT-8",)}.get(strike.kind, ("SHOOT-8", "WPN-2"))


def attack_event(
    play: Play,
    attacker: int,
    target: int,
    groups: list[Group],
    kind: str,
    *clauses: str,
    facing: str = UNSURE,
) -> Outcome:
    """Resolve one event of weapons, powers or automatic hits to its end."""
    sums = roll_groups(play, attacker, target, groups, kind)
    return settle_attack(play, attacker, target, sums, kind, clauses, facing)


def rolls(play: Play, attacker: int, target: int) -> None:
    """Whose dice are rolled now."""
    play.rolled_by = attacker if attacker >= 0 else target
    play.receiver = target


def settle_attack(
    play: Play, attacker: int, target: int, sums: Sums, kind: str, clauses: tuple[str, ...], facing: str
) -> Outcome:
    """What comes of the dice of an event: casualties, vehicle table, morale.

    Melee (MORALE-6) and wrecks leave morale to their own last step.
    """
    before = strength(play, target)
    at, stood = len(play.events), play.state
    play.emit(
        "attacked",
        clauses,
        attacker=attacker,
        target=target,
        by=kind,
        attacks=sums.attacks,
        hits=sums.hits,
        ignored=sums.ignored,
        blocked=sums.blocked,
        wounds=sums.wounds,
        **({"packets": sums.packets} if sums.packets else {}),
    )
    toll = aimed_first(play, target, sums.aimed, kind) if sums.aimed else Casualties()
    pooled = sums.pooled if play.logged else min(sums.pooled, play.once(wounds_left, target))  # RES-13: the rest finds nobody
    toll = toll.and_then(play.run(allocate, target, sums.packets, pooled, kind))
    extra = damage_roll(play, target, toll, facing)
    if play.watch is not None:
        play.watch(made(play, stood, (attacker, target, kind), sums.volleys, toll, facing, at))
    return Outcome(sums, wounds_caused(sums, toll, extra), toll, after_losses(play, target, before, kind))


def wounds_left(play: Play, unit: int) -> int:
    """All wounds a unit can still bear."""
    return sum(tough(play.game, slot) - play.state.wounds_on(slot) for slot in play.state.units[unit].living)


@cites("RES-11")
def wounds_caused(sums: Sums, toll: Casualties, extra: int) -> int:
    """RES-11: wounds left after Regeneration, overkill and all, and what the vehicle table added."""
    return sums.wounds + extra


@cites("MORALE-5", "MORALE-12", "RES-1", "SHOOT-14")
def after_losses(play: Play, target: int, before: tuple[int, int], kind: str) -> str:
    """MORALE-5, MORALE-12: one test an event at the most, whatever caused the losses."""
    return NONE if tested_later(play.game, kind) else check_heavy_loss(play, target, before)


@cites("MORALE-6")
def tested_later(game: Game, kind: str) -> bool:
    """MORALE-6: a melee tests its loser once, at its end; a wreck tests when its survivors stand.

    Where the players agreed so (and their edition lets them) losses in a melee test as well, each side's as they fall.
    """
    return kind == WRECK or (kind == MELEE and not game.switches.get("apoc_melee_half_test", False))


@cites("RES-12")
def at_once(groups: list[Group]) -> list[Group]:
    """RES-12: a unit's fire is simultaneous: all groups are rolled, whatever the first of them would have felled."""
    return groups


def roll_groups(play: Play, attacker: int, target: int, groups: list[Group], kind: str) -> Sums:
    """RES-12: every group is rolled before any wound is allocated."""
    rolls(play, attacker, target)
    switches, groups = play.game.switches, at_once(groups)
    if play.logged and not (switches["auto_piercing"] and switches["auto_optional_rerolls"]):
        return rolled_by_hand(play, target, groups, kind)
    return sums_of(play.dice, play.once(volleys_at, target, tuple(groups), kind), play.logged)


def rolled_by_hand(play: Play, target: int, groups: list[Group], kind: str) -> Sums:
    """The same with the choices players usually leave to habit: each group is rolled and asked about by itself."""
    switches, found = play.game.switches, Sums()
    for group in groups:
        strike = strike_of(play.game, play.state, group, target, kind)
        strike = replace(strike, asks=not switches["auto_optional_rerolls"])
        build = flow_of if switches["auto_piercing"] else forking
        flow, count = build(strike, figures(play.game), play.game.edition.specials), volley_for(play.game, strike, group).count
        before = len(play.answers)
        sums = sums_of(play.dice, [Volley(flow, count, 1)])
        as_chosen = Volley(_as_chosen(flow, play.answers[before:]), count, 1)
        found = found.plus(replace(sums, volleys=(as_chosen,)))
    return found


def _as_chosen(flow: Flow, answers: list[tuple[Request, object]]) -> Flow:
    """A flow with the choices that were made while it was rolled."""
    for request, answer in answers:
        if request.point == "DP-22":
            flow = flow.chosen(str(answer))
    declined = any(answer is False for request, answer in answers if request.point == "DP-21")
    return flow.settled(frozenset() if declined else None)


def volleys_at(play: Play, target: int, groups: tuple[Group, ...], kind: str) -> tuple[Volley, ...]:
    """Groups as volleys, their Piercing as odds are asked for it, else the best (RULE-PIERCING-3)."""
    mode, found = play.policies.get("piercing", "best"), list[Volley]()
    for group in groups:
        strike = strike_of(play.game, play.state, group, target, kind)
        if mode != "best" and pierces(strike, play.game.edition.specials):
            strike = with_mode(strike, mode)
        found.append(volley_for(play.game, strike, group))
    return tuple(found)


@lru_cache(maxsize=64)
@cites("TERR-DANG-2", "RULE-ARMORED-3")
def danger_flow(strike: Strike, figures: Figures, hits: bool, book: Registry) -> Flow:
    """TERR-DANG-2: each 1 is one automatic wound, or one automatic hit where the book says so (RES-5)."""
    stages = stopping(strike, figures, book.specials)
    ground = Draft("dangerous", 2, "TERR-DANG-1", otherwise=(HITS, IGNORE if hits else REGENERATION))
    return Flow((ground.stage(), *(stages if hits else stages[-1:])))


def danger_volley(game: Game, state: State, unit: int, dice: int) -> Volley:
    """The rolls of a unit on dangerous ground; cover is no help (TERR-COVER-7)."""
    strike = strike_of(game, state, Group(()), unit, DANGER)
    book = registry(game.edition.specials)
    return Volley(danger_flow(strike, figures(game), book_of(game).dangerous_hits, book), dice, 1)


def danger_event(play: Play, unit: int, dice: int, *clauses: str) -> Outcome:
    """One unit's test for dangerous ground: an event of its own."""
    volley = danger_volley(play.game, play.state, unit, dice)
    kind = WRECK if clauses else DANGER
    rolls(play, -1, unit)
    sums = sums_of(play.dice, (volley,), play.logged)
    return settle_attack(play, -1, unit, sums, kind, ("TERR-DANG-1", "TERR-DANG-2", *clauses), UNSURE)


def automatic_wounds(
    play: Play, attacker: int, unit: int, count: int, rolls: tuple[DiceRoll, ...], kind: str, *clauses: str
) -> Outcome:
    """RES-5: wounds that skip the ignore roll and the block; only Regeneration applies."""
    group = Group((), count, rolls, enters=REGENERATION, name=kind)
    return attack_event(play, attacker, unit, [group], kind, *clauses)


__all__ = ["BLOCK", "DANGER", "IGNORE", "MELEE", "POWER", "SHOOTING", "WRECK", "Group", "Outcome", "attack_event"]
