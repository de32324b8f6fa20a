"""A melee (MELEE-8 to MELEE-23), once for play and for odds: fear, the blows in their order, who won, the loser's morale.

Nobody moves in it: piling in comes before, consolidating and stepping back come after (`melee`). Rolled it is a game's melee;
on a quiet play (`rules.laws`) the same steps give its law.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from rolloff.editions.onepage.attack import MELEE, Group, roll_groups, settle_attack
from rolloff.editions.onepage.blows import (
    attackers,
    goes_uphill,
    hampering,
    melee_groups,
    reasons_for,
    schedule_of,
    strikers,
)
from rolloff.editions.onepage.book import book_of
from rolloff.editions.onepage.lookups import has
from rolloff.editions.onepage.morale import NONE, lost_melee, morale_roll
from rolloff.editions.onepage.sniping import named
from rolloff.editions.onepage.timing import FIRST, LAST, ORDINARY, Schedule, compared, higher_of, out_of_turn, steps_of
from rolloff.editions.onepage.vehicles import UNSURE, attack_facing
from rolloff.rules.attack import AttackForm, FightResult
from rolloff.rules.citing import cites
from rolloff.rules.fights import InOrder, Scores, Turn, in_steps, in_turn
from rolloff.rules.play import Play
from rolloff.table.event import Patch
from rolloff.table.state import NOWHERE


class Fight(Struct, frozen=True, cache_hash=True):
    """One melee: who, and what holds for all of it. ``forms`` state the first strikes, where odds are asked for.

    ``uphill`` and ``higher`` (who strikes first from above) are as before the assault move; None: as the units stand.
    ``afraid`` are those who failed their test of fear; ``schedules`` (assaulter's, defender's) where a melee has steps.
    """

    assaulter: int
    defender: int
    uphill: bool = False
    higher: int | None = None
    forms: tuple[AttackForm, ...] = ()
    afraid: tuple[int, ...] = ()
    schedules: tuple[Schedule, Schedule] | None = None


Side = tuple[int, int, int]
"""Who strikes whom, and which of the forms of the fight says how; -1 for none."""


class Blows(Struct, frozen=True):
    """One side's strikes from a state, before a die is rolled: what was chosen included."""

    unit: int
    other: int
    who: tuple[int, ...]
    groups: tuple[Group, ...]
    used: tuple[Patch, ...]
    assaulting: bool
    facing: str


def about_to_assault(play: Play, unit: int, target: int) -> Fight:
    """ELEV-3: the melee to come, with the levels as they are before the assault move."""
    higher = higher_of(play, unit, target) if book_of(play.game).melee_steps else None
    return Fight(unit, target, goes_uphill(play, unit, target), higher)


def resolve(play: Play, fight: Fight) -> FightResult:
    """MELEE-8 to MELEE-23: fear, the blows, who won."""
    ours, theirs = fight.assaulter, fight.defender
    fight = replace(fight, afraid=tuple(unit for unit, other in ((ours, theirs), (theirs, ours)) if fears(play, unit, other)))
    if book_of(play.game).melee_steps:
        fight = replace(fight, schedules=play.once(schedules, fight))
    began = [len(play.state.units[unit].living) for unit in (theirs, ours)]
    caused = (IN_STEPS if book_of(play.game).melee_steps else IN_TURN)(play, fight)
    kills, losses = (n - len(play.state.units[unit].living) for n, unit in zip(began, (theirs, ours), strict=True))
    edge, word = result(play, ours, theirs, *caused)
    return FightResult(kills, losses, edge, word if edge < 0 else NONE, word if edge > 0 else NONE)


@cites("RULE-FEAR-1", "RULE-FEAR-2", "MELEE-8")
def fears(play: Play, unit: int, other: int) -> bool:
    """RULE-FEAR-1: a unit without Fear that fights one with it tests; failed, it is hampered for this melee."""
    game, state = play.game, play.state
    if not has(game, state, other, "Fear") or has(game, state, unit, "Fear"):
        return False
    passed = morale_roll(play, unit)
    play.emit("fear-tested", ("MELEE-8", "RULE-FEAR-1", "MORALE-13"), unit=unit, passed=passed)
    return not passed


# the order of the blows


@cites("MELEE-14", "MELEE-15", "PIN-6")
def strike_back(fight: Fight) -> tuple[Side, ...]:
    """MELEE-14, MELEE-15, PIN-6: the defender strikes back, in whatever state it is."""
    return ((fight.defender, fight.assaulter, -1),)


def first_strikes(fight: Fight) -> tuple[Side, ...]:
    """The assaulter's strikes: as the forms state them one after the other, or all."""
    return tuple((fight.assaulter, fight.defender, at) for at in range(len(fight.forms)) or (-1,))


@cites("MELEE-18")
def side_after_side(play: Play, fight: Fight) -> tuple[Turn[Side], ...]:
    """MELEE-18: the assaulter's strikes with their casualties, then those of the survivors."""
    return in_turn((*first_strikes(fight), *strike_back(fight)))


@cites("MELEE-16", "MELEE-17")
def step_by_step(play: Play, fight: Fight) -> tuple[Turn[Side], ...]:
    """MELEE-17: Strikes First, then ordinary attacks, then Strikes Last, of both sides; MELEE-16: nobody falls within one."""
    return in_steps((*first_strikes(fight), *strike_back(fight)), (FIRST, ORDINARY, LAST))


def schedules(play: Play, fight: Fight) -> tuple[Schedule, Schedule]:
    """MELEE-17: in which step everything of both sides strikes, settled when the melee begins."""
    ours, theirs = fight.assaulter, fight.defender
    who = {ours: who_strikes(play, fight, ours, theirs), theirs: who_strikes(play, fight, theirs, ours)}
    higher = higher_of(play, ours, theirs) if fight.higher is None else fight.higher
    found = compared(
        steps_of(play, ours, higher, who[ours], ours in fight.afraid),
        steps_of(play, theirs, higher, who[theirs], theirs in fight.afraid),
    )
    only = {pair for form in fight.forms for pair in form.weapons or ()}
    named = tuple(sorted(only)) if only and all(form.weapons is not None for form in fight.forms) else None
    return (
        schedule_of(play, ours, theirs, who[ours], charged(fight), found[0], named),
        schedule_of(play, theirs, ours, who[theirs], False, found[1], None),
    )


def charged(fight: Fight) -> bool:
    """Whether the first strikes are those of an assault; odds may state that they are not."""
    return all(bool(form.charged) for form in fight.forms)


# the blows


def strikes(play: Play, now: Turn[Side], fight: Fight) -> Scores:
    """All dice of a turn, then all its casualties; the wounds that the assaulter and the defender caused."""
    rolled = []
    for blows in [play.once(blows_of, side, now.step, fight) for side in now.sides]:
        if blows is not None:
            announce(play, blows, fight)
            rolled.append((blows, roll_groups(play, blows.unit, blows.other, list(blows.groups), MELEE)))
    caused = [0, 0]
    for blows, sums in rolled:
        found = settle_attack(play, blows.unit, blows.other, sums, MELEE, ("MELEE-13",), blows.facing)
        caused[blows.unit != fight.assaulter] += found.caused
    return caused[0], caused[1]


IN_TURN, IN_STEPS = InOrder(side_after_side, strikes), InOrder(step_by_step, strikes)
"""All that differs between the books: side after side, or in steps."""


def announce(play: Play, blows: Blows, fight: Fight) -> None:
    """Who strikes whom, out of turn for which reason, and what is used up by it."""
    if play.logged or blows.used:
        clause = "MELEE-9" if blows.assaulting else "MELEE-14"
        cited = clause, "MELEE-10", *reasons_for(play, blows.unit, blows.who, blows.assaulting, blows.used)
        if blows.groups[0].step != ORDINARY:
            why = out_of_turn(play, blows.unit, blows.groups[0].step, fight.higher, blows.unit in fight.afraid)
            cited = *cited, "RULE-STRIKES-1", *why
        play.emit("struck", cited, *blows.used, unit=blows.unit, target=blows.other, models=blows.who)


def blows_of(play: Play, side: Side, step: int | None, fight: Fight) -> Blows | None:
    """MELEE-19: what one side does in a turn, automatic hits first; None where nobody strikes or is struck."""
    unit, other, at = side
    if not play.state.units[unit].living or not play.state.units[other].living:
        return None
    form, first = fight.forms[at] if at >= 0 else None, unit == fight.assaulter
    assaulting = first and (form is None or bool(form.charged))
    placed = not fight.forms or stand(play, unit, other)
    uphill = assaulting and (fight.uphill if form is None else placed and goes_uphill(play, unit, other))
    who = who_strikes(play, fight, unit, other)
    schedule = None if fight.schedules is None else fight.schedules[not first]
    hampered = hampering(play, unit, unit in fight.afraid, uphill)
    only = None if form is None else form.weapons
    groups, used = melee_groups(play, unit, other, who, assaulting, hampered, only, schedule, step)
    groups = named(play, unit, other, groups)
    if not groups:
        return None
    facing = UNSURE if not placed else attack_facing(play, other, attackers(play, unit, who, assaulting))
    if form is not None and form.facing is not None:
        facing = form.facing
    return Blows(unit, other, who, tuple(groups), tuple(used), assaulting, facing)


def stand(play: Play, *units: int) -> bool:
    """Whether every model of some units has a position."""
    return all(play.state.at(slot)[0] != NOWHERE for unit in units for slot in play.state.units[unit].living)


def who_strikes(play: Play, fight: Fight, unit: int, other: int) -> tuple[int, ...]:
    """Whoever is in reach; everyone where there are no positions, or where a charge is still to come."""
    if fight.forms and (any(form.everyone for form in fight.forms) or not stand(play, unit, other)):
        return play.state.units[unit].living
    return strikers(play, unit, other)


# the result


@cites("MELEE-20", "MELEE-21", "MELEE-22", "MELEE-23")
def result(play: Play, assaulter: int, defender: int, ours: int, theirs: int) -> tuple[int, str]:
    """MELEE-20: more wounds caused wins; the loser, if it lives, tests. Equal is a tie (MELEE-21).

    1 the assaulter has won, -1 the defender, 0 neither; and what became of the loser.
    """
    if ours == theirs:
        play.emit("melee-tied", ("MELEE-21",), unit=assaulter, target=defender, wounds=ours)
        return 0, NONE
    winner, loser = (assaulter, defender) if ours > theirs else (defender, assaulter)
    play.emit(
        "melee-won",
        ("MELEE-20", "MORALE-6" if book_of(play.game).leads else "MELEE-22"),
        unit=winner,
        target=loser,
        wounds=max(ours, theirs),
        against=min(ours, theirs),
    )
    word = lost_melee(play, loser) if play.state.units[loser].living else NONE
    return (1 if winner == assaulter else -1), word
