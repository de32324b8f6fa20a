"""One attack event (RES-1): its groups rolled, wounds allocated, the vehicle table, wrecks, then morale."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from rolloff.editions.onepage.byhand import rolled_by_hand
from rolloff.editions.onepage.casualties import Toll, allocate
from rolloff.editions.onepage.lore import has, quality
from rolloff.editions.onepage.morale import NONE, check_heavy_loss, strength
from rolloff.editions.onepage.strike import (
    AUTOMATIC,
    BLOCK,
    HIT,
    IGNORE,
    REGENERATION,
    Figures,
    Strike,
    count_stage,
    flow_of,
)
from rolloff.editions.onepage.tally import Sums, sums_of
from rolloff.editions.onepage.transport import wrecked
from rolloff.editions.onepage.vehicles import UNSURE, damage_roll
from rolloff.editions.onepage.watching import made
from rolloff.oracle.draft import Draft
from rolloff.oracle.flow import HITS, WOUNDS, Flow, Harm, Volley, Wave
from rolloff.oracle.stage import fixed
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.table.profile import Rule, Throw
from rolloff.table.state import State

MELEE, SHOOTING, POWER, DANGER, WRECK = "melee", "shooting", "power", "danger", "wreck"


class Group(Struct, frozen=True):
    """Like attacks rolled together (RES-3): their rules, how many, and by what weapons."""

    rules: tuple[Rule, ...]
    attacks: int = 0
    throws: tuple[Throw, ...] = ()
    weapons: int = 1
    enters: str = HIT
    hampered: tuple[str, ...] = ()
    shaken: bool = False
    cover: tuple[str, ...] = ()
    name: str = ""
    quality: int = 0


@cites("SHOOT-8", "WPN-8")
def pooled(rows: dict[tuple[object, ...], Group], key: tuple[object, ...], start: Group, throw: Throw, extra: int = 0) -> None:
    """RES-3, SHOOT-8: add a weapon to the group of its like; a random value is thrown for each weapon.

    Attacks thrown with another kind of die than the group's are a group of their own, so that one throw gives the number.
    """
    held = rows.get(key)
    if held and held.throws and not throw.fixed and held.throws[0].sides != throw.sides:
        key = (*key, throw.sides)
    group = rows.get(key) or start
    throws = group.throws if throw.fixed else (*group.throws, throw)
    attacks = group.attacks + extra + (throw.plus if throw.fixed else 0)
    rows[key] = replace(group, attacks=attacks, throws=throws, weapons=group.weapons + 1)


class Outcome(Struct, frozen=True):
    """What came of an event: the sums of its stages, wounds caused (RES-11), who fell, and the morale of it."""

    sums: Sums
    caused: int
    toll: Toll
    morale: str = NONE


def figures(game: Game) -> Figures:
    """The book's numbers for the stages."""
    found: Figures = game.lore.figures
    return found


@cites("JOIN-6", "UNIT-3")
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
    )


def volley_for(game: Game, strike: Strike, group: Group) -> Volley:
    """A group as a volley: its attacks are one number or one throw (DICE-12: thrown before the to-hit dice)."""
    flow = flow_of(strike, figures(game), game.edition.specials)
    return Volley(flow, count_stage(group.attacks, group.throws, *_counting(strike)), 1)


def _counting(strike: Strike) -> tuple[str, ...]:
    """What says how many attacks there are: the weapon, or the rule automatic hits and wounds come from."""
    if strike.kind == MELEE:
        return ("RULE-IMPACT-1",) if strike.enters == AUTOMATIC else ("MELEE-10", "WPN-2")
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
    return _event(play, attacker, target, lambda: _roll(play, attacker, target, groups, kind), kind, clauses, facing)


def _event(
    play: Play, attacker: int, target: int, roll: Callable[[], Sums], kind: str, clauses: tuple[str, ...], facing: str
) -> Outcome:
    """Roll, allocate, vehicle table, wreck, morale. Melee (MORALE-6) and wrecks leave morale to their own last step."""
    before = strength(play, target)
    hulls = _hulls(play, target)
    play.thrower = attacker if attacker >= 0 else target
    play.receiver = target
    sums = roll()
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
    toll = allocate(play, target, sums.packets, sums.pooled, kind)
    if play.watch is not None:
        play.watch(made(play, stood, (attacker, target, kind), sums.volleys, toll, at))
    extra = damage_roll(play, target, toll, before, facing)
    wrecked(play, target, hulls)
    return Outcome(sums, wounds_caused(sums, toll, extra), toll, after_losses(play, target, before, kind))


@cites("RES-11", off=lambda sums, toll, extra: len(toll.removed))
def wounds_caused(sums: Sums, toll: Toll, extra: int) -> int:
    """RES-11: wounds left after Regeneration, overkill and all, and what the vehicle table added."""
    return sums.wounds + extra


@cites("MORALE-5", "MORALE-12", "RES-1", "SHOOT-14", off=lambda play, target, before, kind: NONE)
def after_losses(play: Play, target: int, before: tuple[int, int], kind: str) -> str:
    """MORALE-5, MORALE-12: one test an event at the most, whatever caused the losses."""
    return NONE if tested_later(kind) else check_heavy_loss(play, target, before)


@cites("MORALE-6", off=lambda kind: False)
def tested_later(kind: str) -> bool:
    """MORALE-6: a melee tests its loser once, at its end; a wreck tests when its survivors stand."""
    return kind in (MELEE, WRECK)


def _hulls(play: Play, unit: int) -> tuple[tuple[int, tuple[int, int], int], ...]:
    state = play.state
    return tuple((slot, state.at(slot), state.facing_of(slot)) for slot in state.units[unit].living)


@cites("RES-12")
def _roll(play: Play, attacker: int, target: int, groups: list[Group], kind: str) -> Sums:
    """RES-12: every group is rolled before any wound is allocated."""
    switches = play.game.switches
    strikes = [strike_of(play.game, play.state, group, target, kind) for group in groups]
    if not (switches["auto_piercing"] and switches["auto_optional_rerolls"]):
        by_hand = [(s, volley_for(play.game, s, g)) for s, g in zip(strikes, groups, strict=True)]
        return rolled_by_hand(play, attacker, figures(play.game), by_hand)
    volleys = [volley_for(play.game, strike, group) for strike, group in zip(strikes, groups, strict=True)]
    return sums_of(play.dice, volleys)


@lru_cache(maxsize=64)
@cites("TERR-DANG-2", "RULE-ARMORED-3", off=lambda regeneration: Flow((fixed("dangerous", ()),)))
def danger_flow(regeneration: int | None) -> Flow:
    """TERR-DANG-2: each 1 is one automatic wound; of all that could stop it only Regeneration applies (RES-5)."""
    harm = Harm(wave=Wave.AFTER_UNIT)
    ground = Draft("dangerous", 2, "TERR-DANG-1", otherwise=(HITS, REGENERATION))
    last = (
        fixed(REGENERATION, (WOUNDS, harm))
        if regeneration is None
        else Draft(REGENERATION, regeneration, "RULE-REGEN-1", otherwise=(WOUNDS, harm)).stage()
    )
    return Flow((ground.stage(), last))


def danger_event(play: Play, unit: int, dice: int) -> Outcome:
    """One unit's test for dangerous ground: an event of its own."""
    heals = has(play.game, play.state, unit, "Regeneration")
    flow = danger_flow(play.game.edition.book.regeneration if heals else None)
    return _event(
        play, -1, unit, lambda: sums_of(play.dice, [Volley(flow, dice, 1)]), DANGER, ("TERR-DANG-1", "TERR-DANG-2"), UNSURE
    )


def automatic_wounds(
    play: Play, attacker: int, unit: int, count: int, throws: tuple[Throw, ...], kind: str, *clauses: str
) -> Outcome:
    """RES-5: wounds that skip the ignore roll and the block; only Regeneration applies."""
    group = Group((), count, throws, enters=REGENERATION, name=kind)
    return attack_event(play, attacker, unit, [group], kind, *clauses)


__all__ = ["BLOCK", "DANGER", "IGNORE", "MELEE", "POWER", "SHOOTING", "WRECK", "Group", "Outcome", "attack_event"]
