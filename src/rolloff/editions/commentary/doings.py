"""What Stratagems and abilities do besides granting abilities: shooting back, slipping away, setting up again, and the like."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from msgspec.structs import replace

from rolloff.editions.commentary.afterlife import may_fight_yet
from rolloff.editions.commentary.attack_case import STATIONARY
from rolloff.editions.commentary.deploying import inward, zone
from rolloff.editions.commentary.formations import CHAMPION, MUST_ARRIVE, REPOSITIONED, WAITS
from rolloff.editions.commentary.lookups import GRANT, host_of, index_of
from rolloff.editions.commentary.missions import zone_of
from rolloff.editions.commentary.moving import KINDS, NO_CHARGE, NORMAL, REFUSALS, has_move
from rolloff.editions.commentary.recovery import without_effects
from rolloff.editions.commentary.roster import STRATEGIC
from rolloff.editions.commentary.shooters import eligible
from rolloff.editions.commentary.shooting import FireOrder, may_again, shoot, targets_of, weapon_again, weapons_at
from rolloff.editions.commentary.travelling import TOO_NEAR, arrived, late_enough, reinforcement_gaps, strategic
from rolloff.geometry.field import Scene
from rolloff.geometry.moves import Code
from rolloff.geometry.place import muster
from rolloff.rules.citing import cites
from rolloff.rules.deployment import SetUp, find_place, set_down
from rolloff.rules.effects import USED, lasting
from rolloff.rules.movement import make, rolled
from rolloff.rules.play import Play
from rolloff.rules.windows import Moment, Use, window
from rolloff.table.event import Marked, Patch, Returned, Went, Wounded, patched
from rolloff.table.profile import DiceRoll
from rolloff.table.state import RESERVE, TABLE, WAITING

May = Callable[[Play, Moment, Use], bool]
Doing = Callable[[Play, Moment, Use], object]


def can_shoot(play: Play, moment: Moment, use: Use) -> bool:
    """Whether the unit would be eligible to shoot the one that acted, if that is still there."""
    there = play.state.units[use.target].where == TABLE
    return there and eligible(play, use.unit) and bool(weapons_at(play, FireOrder(use.unit, use.target), use.target))


def shoot_back(play: Play, moment: Moment, use: Use) -> None:
    """OOP-1: it shoots that unit only, out of phase."""
    shoot(play, FireOrder(use.unit, use.target, oop=True))


def is_arrival(play: Play, moment: Moment, use: Use) -> bool:
    """ARRIVE-1: the unit was set up as Reinforcements, and can be shot."""
    return play.state.units[moment.unit].mark("arrived") is not None and can_shoot(play, moment, use)


def may_charge_now(play: Play, moment: Moment, use: Use) -> bool:
    """TRANS-6: it got out of a TRANSPORT that moved, so it could not charge."""
    return play.state.units[use.unit].mark(NO_CHARGE) is not None


def allow_charge(play: Play, moment: Moment, use: Use) -> None:
    """It may declare a charge this turn."""
    play.emit("granted", ("TRANS-6",), Marked(use.unit, NO_CHARGE, None), unit=use.unit)


def can_move(play: Play, moment: Moment, use: Use) -> bool:
    """UNIT-2: it can move at all."""
    return has_move(play.game, play.state, use.unit)


def slip_away(play: Play, moment: Moment, use: Use) -> None:
    """A Normal move of up to D6", out of phase."""
    far = rolled(play, use.unit, DiceRoll(1, 6), "slip away", "OOP-1")
    make(play, use.unit, replace(KINDS[NORMAL], further=None), allowed=far, oop=True)


def alone(play: Play, moment: Moment, use: Use) -> bool:
    """Not an Attached unit."""
    return not host_of(play.game, play.state, use.unit).attached


def sink_away(play: Play, moment: Moment, use: Use) -> None:
    """REPOS-2: into Strategic Reserves."""
    names = ((WAITS, STRATEGIC), (REPOSITIONED, 1), (MUST_ARRIVE, 1))
    marks = [Marked(use.unit, name, value) for name, value in names]
    play.emit("reserved", ("REPOS-2",), Went(use.unit, RESERVE), *marks, unit=use.unit, how=STRATEGIC)


def steady(play: Play, moment: Moment, use: Use) -> None:
    """AUTO-4: it passes the test of this step without a roll."""
    play.emit("granted", ("AUTO-4",), lasting(play.game, use.unit, "steady", "end-phase"), unit=use.unit)


def surge(play: Play, moment: Moment, use: Use) -> None:
    """DISCARD-1: the Charge roll of this charge is 3D6, less the lowest."""
    play.emit("granted", ("DISCARD-1",), lasting(play.game, use.unit, "surging", "end-phase"), unit=use.unit)


BURROWS = "Burrows"
"""The ability of who may be set up again without a Stratagem (AB-T6)."""


@cites("REPOS-2")
def again_at(play: Play, unit: int) -> SetUp:
    """REPOS-2: where a unit that is set up again may stand: more than 9" from enemies, and what limits Reinforcements."""
    x, y = play.state.at(play.state.units[unit].living[0])
    where = zone(play, unit, reinforcement_gaps(play, unit))
    box = zone_of(play.game, play.state, play.game.side_of(unit))
    rule = "AB-T6" if index_of(play.game).having(play.state.units[unit].living, BURROWS) else "STR-R5"
    words = {Code.GAP_UNIT: (rule, TOO_NEAR)}
    return SetUp(where, x, y, "REPOS-2", inward(play, box), "DP-54", "set-up-again", refusals=words)


def finds_room(play: Play, moment: Moment, use: Use) -> bool:
    """REPOS-2: there is room for it somewhere, and it is not round one."""
    return play.state.clock.round > 1 and find_place(play, use.unit, again_at(play, use.unit)) is not None


@cites("REPOS-1")
def set_up_again(play: Play, moment: Moment, use: Use) -> None:
    """REPOS-1: a unit is removed and set up again, also if it arrived or moved before in this phase."""
    where = again_at(play, use.unit)
    play.emit("taken-up", ("REPOS-1",), Went(use.unit, WAITING), *carried_over(play, use.unit), unit=use.unit)
    set_down(play, use.unit, where, REFUSALS)
    arrived(play, use.unit, "again", "REPOS-3")


@cites("REPOS-5")
@cites("REPOS-6")
def carried_over(play: Play, unit: int) -> tuple[Patch, ...]:
    """REPOS-5, REPOS-6: it gets back neither models nor wounds, and effects go on as long as their circumstances do.

    That it Remained Stationary does not: it counts as having made a Normal move (REPOS-3).
    """
    return (Marked(unit, STATIONARY, None),) if play.state.units[unit].mark(STATIONARY) is not None else ()


def after_set_up(play: Play, moment: Moment, use: Use) -> None:
    """A unit is set up again, and everybody may react to that."""
    set_up_again(play, moment, use)
    window(play, Moment("set-up", use.unit, facts=(("how", "again"),)))


def can_shoot_one_again(play: Play, moment: Moment, use: Use) -> bool:
    """STR-R1: some weapon that has shot may be shot once more."""
    return may_again(play, use.unit, weapon_again(moment))


def one_weapon_again(play: Play, moment: Moment, use: Use) -> None:
    """STR-R1, SHOOTAGAIN-4: one weapon shoots once more; until that is resolved it has IGNORES COVER."""
    lookups = index_of(play.game)
    able = [pair for pair in weapon_again(moment) if targets_of(play, FireOrder(use.unit, weapons=(pair,)))]
    rows = {
        f"{play.game.models[slot].id} {lookups.fighters[slot].weapons[index].name} {index}": (slot, index)
        for slot, index in able
    }
    names = tuple(rows)
    owner = play.game.side_of(use.unit)
    answer = play.choose(owner, "choose-option", "SHOOTAGAIN-4", names, names[0], use.unit, "DP-9", purpose="weapon")
    mark = lasting(play.game, use.unit, f"{GRANT}Ignores Cover", "end-attacks")
    play.emit("granted", ("STR-R1", "WPN-3"), mark, unit=use.unit)
    shoot(play, FireOrder(use.unit, weapons=(rows[str(answer)],)))


def may_still_fight(play: Play, moment: Moment, use: Use) -> bool:
    """STR-M3: the model falls to a melee attack and has not fought in this phase."""
    return may_fight_yet(play, use.unit, str(dict(moment.facts)["cause"]))


def fight_before_removal(play: Play, moment: Moment, use: Use) -> None:
    """FIGHTDEATH-3, STR-M3: it has the right to fight, without a roll, and does when the attacks are resolved."""


def sure_demise(play: Play, moment: Moment, use: Use) -> bool:
    """STR-T4, AUTO-4: Deadly Demise takes effect without the D6."""
    return True


# -- replaced units (AB-T3) ------------------------------------------------------------------------


def renewed(play: Play, unit: int) -> list[Patch]:
    """REPLACE-1: the unit is removed, and a new one of all its models takes its place, unhurt, without effects or uses."""
    game, state = play.game, play.state
    living, first, after = state.units[unit].living, game.starts[unit], game.starts[unit + 1]
    patches: list[Patch] = [Marked(unit, name, None) for name, _ in state.units[unit].marks if name != USED + REPLACED]
    wounds = memoryview(state.wounds).cast("h")
    patches += [Wounded(slot, 0) for slot in living if wounds[slot]]
    patches += without_effects(state, range(first, after), (CHAMPION,))
    dead = tuple([slot for slot in range(first, after) if slot not in living])
    if dead:
        patches += [Returned(dead, unit, False), *(Wounded(slot, 0) for slot in dead)]
    return [*patches, Went(unit, WAITING)]


def replaced_at(play: Play, unit: int) -> SetUp | None:
    """REPLACE-2: where the new unit may be set up, by the rules of Strategic Reserves; None without room for all of it."""
    if not late_enough(play):
        return None  # as `strategic` would say of the new unit
    _, kept = play.scene, play.measured  # the scene first: what was measured goes by it
    key = REPLACED, unit, play.state.units[unit].living, play.state.sides, play.state.clock.round
    if key not in kept:
        kept[key] = _replaced_at(play, unit)
    found: SetUp | None = kept[key]
    return found


def _replaced_at(play: Play, unit: int) -> SetUp | None:
    """The same, looked for."""
    game = play.game
    new = patched(play.state, *[patch for patch in renewed(play, unit) if not isinstance(patch, Wounded)])
    where = strategic(Play(game, new, play.oracle), unit)
    if where is None:
        return None
    scene = Scene(game.field, new.xy, new.z, new.facing, new.owner, game.sides)
    slots = tuple(sorted(new.units[unit].living))
    return where if muster(scene, slots, where.zone, where.x, where.y, where.facing) is not None else None


@cites("REPLACE-1")
def replace_uses(play: Play, moment: Moment, side: int) -> Iterable[Use]:
    """AB-T3, REPLACE-1: a unit on the battlefield without a Leader, also if it moved or arrived; if all of it can be placed."""
    lookups = index_of(play.game)
    for unit in lookups.holders(play.state, side, REPLACED):
        held = play.state.units[unit]
        able = held.where == TABLE and lookups.having(held.living, REPLACED) and held.mark(USED + REPLACED) is None
        if able and not host_of(play.game, play.state, unit).guests and replaced_at(play, unit) is not None:
            yield Use(unit)


def replace_unit(play: Play, moment: Moment, use: Use) -> None:
    """REPLACE-1, REPLACE-2: the new unit is set up, and counts as having arrived and made a Normal move."""
    where = replaced_at(play, use.unit)
    assert where is not None
    play.emit("replaced", ("REPLACE-1", "AB-T3"), *renewed(play, use.unit), unit=use.unit)
    set_down(play, use.unit, replace(where, clause="REPLACE-2", kind="set-up-again", point="DP-54"), REFUSALS)
    arrived(play, use.unit, "replaced", "REPLACE-2", "RESV-2")
    window(play, Moment("set-up", use.unit, facts=(("how", "replaced"),)))


REPLACED = "Replaced Once"

MAY: Mapping[str, May] = {
    "shoot-back": can_shoot,
    "shoot-arrivals": is_arrival,
    "may-charge": may_charge_now,
    "slip-away": can_move,
    "sink-away": alone,
    "set-up-again": finds_room,
    "weapon-again": can_shoot_one_again,
    "fight-on-death": may_still_fight,
}
DOINGS: Mapping[str, Doing] = {
    "shoot-back": shoot_back,
    "shoot-arrivals": shoot_back,
    "may-charge": allow_charge,
    "slip-away": slip_away,
    "sink-away": sink_away,
    "steady": steady,
    "surge": surge,
    "set-up-again": after_set_up,
    "weapon-again": one_weapon_again,
    "fight-on-death": fight_before_removal,
    "sure-demise": sure_demise,
}
