"""Psykers (RULE-PSYKER): power dice, when powers may be tried, the test, what they do, and the backlash."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from rolloff.editions.onepage.attack import POWER, Group, attack_event, automatic_wounds
from rolloff.editions.onepage.book import book_of
from rolloff.editions.onepage.casualties import hurt
from rolloff.editions.onepage.lookups import has, index_of
from rolloff.editions.onepage.matchup import AUTOMATIC
from rolloff.editions.onepage.morale import check_heavy_loss, morale_roll, pin, strength
from rolloff.editions.onepage.powers import Effect, Power, known_to
from rolloff.editions.onepage.vehicles import UNSURE, broken, damage_roll, repair
from rolloff.geometry.measure import reach
from rolloff.lengths import INCH
from rolloff.oracle.stage import check, number
from rolloff.rules.citing import cites
from rolloff.rules.play import Play
from rolloff.rules.powers import Cast, PowerClauses, Powers
from rolloff.table.event import Marked, Wounded
from rolloff.table.profile import read_roll, read_rule
from rolloff.table.state import GONE, MERGED, TABLE

MOST_DICE = 6


def psykers(play: Play, unit: int) -> list[int]:
    """The living Psykers of a unit."""
    lookups = index_of(play.game)
    return lookups.having("Psyker", play.state.units[unit].living)


def living_psykers(play: Play, side: int) -> list[int]:
    """The living Psykers of a player, wherever they are."""
    units = play.state.units
    there = [unit for unit in play.game.units_of[side] if units[unit].where not in (GONE, MERGED)]
    return [slot for unit in there for slot in psykers(play, unit)]


def level(play: Play, slot: int) -> int:
    """The X of Psyker(X)."""
    return int(index_of(play.game).fighters[slot].rules["Psyker"].rating or 0)


@cites("RULE-PSYKER-1")
def one_die(play: Play, side: int) -> int | None:
    """RULE-PSYKER-1: a player with a living Psyker, wherever it is, gets D6 power dice."""
    return for_everybody(play, side) if living_psykers(play, side) else None


@cites("RULE-PSYKER-1")
def for_everybody(play: Play, side: int) -> int | None:
    """RULE-PSYKER-1: every player gets D6 power dice."""
    return play.dice.ask(number("power-dice", clauses=("RULE-PSYKER-1",)))


@cites("RULE-PSYKER-1")
def by_levels(play: Play, side: int) -> int | None:
    """RULE-PSYKER-1: a player with a living Psyker gets D3 and the levels of all own Psykers, six dice at the most."""
    slots = living_psykers(play, side)
    if not slots:
        return None
    rolled = play.dice.ask(number("power-dice", 1, 3, clauses=("RULE-PSYKER-1",)))
    return min(MOST_DICE, rolled + sum(level(play, slot) for slot in slots))


def known(play: Play, slot: int) -> list[Power]:
    """RULE-PSYKER-9: the powers on the Psyker's card."""
    lookups = index_of(play.game)
    card = play.game.cards[lookups.fighters[slot].card]
    powers = book_of(play.game).powers
    return [powers[name] for name in known_to(card)]


@cites("RULE-PSYKER-3", "RULE-PSYKER-2")
def casters(play: Play, unit: int) -> list[int]:
    """RULE-PSYKER-3: the Psykers of a unit, once it is on the table; RULE-PSYKER-2: each draws on its player's pool."""
    return psykers(play, unit) if play.state.units[unit].where == TABLE else []


@cites("RULE-PSYKER-4")
def targets_for(play: Play, slot: int, unit: int, power: Power) -> tuple[int, ...]:
    """RULE-PSYKER-4: units of the right side within the power's range of the Psyker; no sight is needed."""
    side = play.game.side_of(unit)
    if power.target == "self":
        return (unit,)
    candidates = play.game.units_of[side if power.target == "friend" else 1 - side]
    return tuple(
        k
        for k in candidates
        if play.state.units[k].where == TABLE and _useful(play, power, k) and _near(play, slot, unit, power, k)
    )


def _near(play: Play, slot: int, unit: int, power: Power, target: int) -> bool:
    if target == unit:
        return True
    furthest: int = power.range * INCH + book_of(play.game).within
    return play.gaps_from(unit)[target] <= furthest and reach(play.scene, unit, target)[slot] <= furthest


def _useful(play: Play, power: Power, target: int) -> bool:
    """A power that only heals or repairs needs something to heal or repair."""
    if all(effect.heal for effect in power.effects):
        return any(play.state.wounds_on(slot) for slot in play.state.units[target].living)
    if all(effect.repair for effect in power.effects):
        return bool(broken(play, target))
    return True


def scored(play: Play, faces: Iterable[int]) -> int:
    """RULE-PSYKER-5: what dice count for: their sum, or how many show 4 or more."""
    scores: tuple[int, ...] = book_of(play.game).power_scores
    return sum(scores[face - 1] for face in faces)


def added(play: Play, slot: int) -> int:
    """RULE-PSYKER-5: what the Psyker's level adds, where it does."""
    return level(play, slot) if book_of(play.game).power_levels else 0


@cites("RULE-PSYKER-5")
def succeeds(play: Play, slot: int, power: Power, faces: Iterable[int]) -> bool:
    """RULE-PSYKER-5: what the dice count for, and where the book says so the Psyker's level, reaches the power's number."""
    return scored(play, faces) + added(play, slot) >= power.number


@lru_cache(maxsize=512)
def chance_of(scores: tuple[int, ...], need: int, dice: int) -> float:
    """How often so many dice count for enough."""
    front = {0: 1.0}
    for _ in range(dice):
        further: dict[int, float] = {}
        for total, chance in front.items():
            for score in scores:
                further[total + score] = further.get(total + score, 0.0) + chance / len(scores)
        front = further
    return sum(chance for total, chance in front.items() if total >= need)


def manifest(play: Play, cast: Cast[Power]) -> None:
    """RULE-PSYKER-8: everything a power does."""
    for effect in cast.power.effects:
        take_effect(play, cast.unit, cast.target, cast.power, effect)


def take_effect(play: Play, unit: int, target: int, power: Power, effect: Effect) -> None:
    """RULE-PSYKER-8: powers are data; this is the closed set of what they can do."""
    if effect.grant_rule:
        prefix = "grant-weapons:" if effect.to == "weapons" else "grant:"
        until = lasts(play, target, power)
        play.emit(
            "granted",
            ("RULE-PSYKER-8",),
            Marked(target, prefix + effect.grant_rule, until),
            unit=target,
            rule=effect.grant_rule,
        )
    elif effect.hits:
        roll = read_roll(effect.hits)
        rules = tuple(sorted(read_rule(name) for name in effect.rules))
        group = Group(rules, roll.plus if roll.fixed else 0, () if roll.fixed else (roll,), enters=AUTOMATIC, name=power.name)
        attack_event(play, unit, target, [group], POWER, "RULE-PSYKER-8")
    elif effect.wounds:
        roll = read_roll(effect.wounds)
        automatic_wounds(
            play, unit, target, roll.plus if roll.fixed else 0, () if roll.fixed else (roll,), POWER, "RULE-PSYKER-8"
        )
    elif effect.heal:
        heal(play, unit, target, effect)
    elif effect.morale_test:
        dread(play, target)
    elif effect.repair:
        repair(play, target, "RULE-PSYKER-8")


def lasts(play: Play, target: int, power: Power) -> str:
    """How long a grant lasts; a unit's own activation under way is not its next one."""
    if power.duration == "target_next_activation":
        return "following-activation" if play.acting == target else "next-activation"
    return {"end_of_round": "end-of-round", "this_activation": "this-activation"}[power.duration]


def heal(play: Play, unit: int, target: int, effect: Effect) -> None:
    """Restore wounds on one model."""
    wounded = [slot for slot in play.state.units[target].living if play.state.wounds_on(slot)]
    if not wounded:
        return
    models = play.game.models
    options = tuple(models[slot].id for slot in wounded)
    answer = play.choose(
        play.game.side_of(unit), "choose-model", "RULE-PSYKER-8", options, options[0], target, "DP-17", purpose="heal"
    )
    slot = play.game.slots[str(answer)]
    roll = read_roll(effect.heal)
    count = (
        roll.plus
        if roll.fixed
        else play.dice.ask(number("heal", roll.count, roll.sides, roll.plus, clauses=("RULE-PSYKER-8",)))
    )
    left = max(0, play.state.wounds_on(slot) - count)
    play.emit("healed", ("RULE-PSYKER-8",), Wounded(slot, left), unit=target, model=slot, count=count)


def dread(play: Play, target: int) -> None:
    """A morale test as for heavy loss."""
    if morale_roll(play, target):
        play.emit("morale-passed", ("RULE-PSYKER-8", "MORALE-7"), unit=target)
    else:
        pin(play, target, "RULE-PSYKER-8", "MORALE-8")


@cites("RULE-PSYKER-7")
def backlash(play: Play, cast: Cast[Power], faces: Iterable[int]) -> None:
    """RULE-PSYKER-7: two or more sixes wound the Psyker itself, D3 times, past ignore roll and block.

    That is an event like others: a hull that lives rolls on the table of damage (VDMG-2), and heavy loss is tested.
    """
    unit, slot = cast.unit, cast.slot
    if sum(1 for face in faces if face == 6) < 2 or slot not in play.state.units[unit].living:
        return
    before = strength(play, unit)
    wounds = play.dice.ask(number("backlash", 1, 3, clauses=("RULE-PSYKER-7",)))
    if has(play.game, play.state, unit, "Regeneration"):
        shrug = check("regeneration", book_of(play.game).regeneration, "RULE-REGEN-1", "RULE-PSYKER-7")
        wounds = sum(1 for _ in range(wounds) if not play.dice.ask(shrug))
    toll = hurt(play, "backlash", ("RULE-PSYKER-7",), unit, slot, wounds, wounds=wounds)
    damage_roll(play, unit, toll, UNSURE)
    check_heavy_loss(play, unit, before)


POWERS = Powers(
    one_die,
    casters,
    known,
    targets_for,
    succeeds,
    manifest,
    backlash,
    PowerClauses(
        pool="RULE-PSYKER-1",
        choose="RULE-PSYKER-3",
        target="RULE-PSYKER-8",
        dice="RULE-PSYKER-5",
        cast=("RULE-PSYKER-2", "RULE-PSYKER-5", "RULE-PSYKER-6"),
        works=("RULE-PSYKER-5", "RULE-PSYKER-8"),
        fails=("RULE-PSYKER-5",),
        point="DP-17",
    ),
    once=True,  # RULE-PSYKER-6
)
"""The powers of the third edition; others roll their pools differently."""
