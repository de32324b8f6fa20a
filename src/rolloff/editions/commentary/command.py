"""The Command phase, Battle-shock, control of markers, the score, and the end of the battle (CMD, BSHOCK, OC, MIS-4)."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import compress
from operator import attrgetter, is_not
from typing import Any

from rolloff.editions.commentary import places
from rolloff.editions.commentary.aftermath import shock_test
from rolloff.editions.commentary.lookups import GRANT, UnitIndex, host_of, index_of
from rolloff.editions.commentary.missions import FIRST_SCORED, MISSIONS, POINTS, Scoring, zone_of
from rolloff.editions.commentary.unit_values import auras_for, control_auras, effects_on, is_below_half, leadership
from rolloff.editions.commentary.values import CONTROL, Effect, Op, evaluate
from rolloff.errors import IllegalCommand
from rolloff.geometry.field import Scene
from rolloff.geometry.moves import Rectangle
from rolloff.geometry.shapes import core
from rolloff.lengths import INCH
from rolloff.oracle.stage import Stage
from rolloff.rules.answers import speaker
from rolloff.rules.citing import cites
from rolloff.rules.effects import lasting
from rolloff.rules.game import Game
from rolloff.rules.morale import PASSED, Failure, MoraleTest, take_test
from rolloff.rules.objectives import Objectives, Spot, held_by
from rolloff.rules.play import SIDES, Play
from rolloff.rules.turns import end_game, on_table
from rolloff.rules.windows import Moment, window
from rolloff.table.event import Done, SideMarked
from rolloff.table.state import RESERVE, Marks, State, Unit

CP, SHOCKED, OWN_COMMAND = "cp", "battle-shocked", "own-command"
GAINED = "gained-cp"
AWAY_IN_COMMAND, REPOSITIONED = "away-in-command", "repositioned"
HALVES = "Halves Control"
LAST_ROUND = 5


@cites("CMD-1")
def gain(play: Play) -> None:
    """CMD-1: both players gain 1 CP."""
    both = [SideMarked(side, CP, int(play.state.side_mark(side, CP) or 0) + 1) for side in (0, 1)]
    play.emit("command-points", ("CMD-1",), *both)


def note_away(play: Play) -> None:
    """REPOS-4: who was removed from the battlefield and is not back in its owner's Command phase."""
    units = play.state.units
    if REPOSITIONED not in play.game.words(play.state):
        return
    gone = [k for k in play.game.units_of[play.state.clock.active] if units[k].where == RESERVE and units[k].mark(REPOSITIONED)]
    if gone:
        play.emit("away", ("REPOS-4",), *(lasting(play.game, k, AWAY_IN_COMMAND, OWN_COMMAND) for k in gone))


def gain_more(play: Play, side: int, clause: str) -> None:
    """A player gains a point by another rule than CMD-1, if it may."""
    if may_gain(play, side):
        total = int(play.state.side_mark(side, CP) or 0) + 1
        marks = SideMarked(side, CP, total), SideMarked(side, f"did:{GAINED}", "end-round")
        play.emit("gained-point", ("CMD-2", clause), *marks, side=side)


@cites("CMD-2")
def may_gain(play: Play, side: int) -> bool:
    """CMD-2: besides CMD-1 a player gains at most 1 CP in a battle round."""
    return play.state.side_mark(side, f"did:{GAINED}") is None


@cites("CMD-3")
def command_step(play: Play) -> None:
    """CMD-3: other rules of the Command phase."""
    window(play, Moment("command-step"))


# -- Battle-shock ----------------------------------------------------------------------------------


@cites("CMD-4")
def must_test(play: Play, side: int) -> list[int]:
    """CMD-4: the units on the battlefield that are Below Half-strength."""
    game, state = play.game, play.state
    units = state.units
    return [
        unit for unit in on_table(play, side) if not units[unit].done and is_below_half(game, state, host_of(game, state, unit))
    ]


def why_no_test(play: Play, unit: int) -> IllegalCommand | None:
    """CMD-4: why a unit takes no test in the Battle-shock step; None if it does."""
    side, name = play.game.sides[unit], play.game.names[unit]
    if side == play.state.clock.active and unit in must_test(play, side):
        return None
    who = "is not Below Half-strength on the battlefield" if side == play.state.clock.active else "is not the active player's"
    return IllegalCommand("no-test", "CMD-4", f"{name} takes no Battle-shock test: it {who}", name)


def open_shock_step(play: Play) -> None:
    """The start of the Battle-shock step."""
    window(play, Moment("battle-shock-step"))


def test_unit(play: Play, unit: int) -> None:
    """BSHOCK-1: a unit takes the test of the Battle-shock step."""
    play.emit("activated", ("CMD-4",), Done(unit, True), unit=unit, action="battle-shock")
    if play.state.units[unit].mark("steady") is not None:
        play.emit("shock-passed", ("AUTO-4",), unit=unit)  # no die is rolled
        return
    shock(play, unit)


def shock(play: Play, unit: int, *clauses: str) -> bool:
    """BSHOCK-1, BSHOCK-3: a Battle-shock test; whether it was passed. Who is Battle-shocked already stays so as before."""
    return not takes_test(play, unit) or take_test(play, BATTLE_SHOCK, unit, *clauses) == PASSED


def shock_dice(play: Play, unit: int) -> Stage[bool] | None:
    """BSHOCK-1: 2D6 against the Leadership; a unit without one passes."""
    need = leadership(play.game, play.state, host_of(play.game, play.state, unit))
    if need is None:
        return None
    return shock_test(need + 1, "ENH-R2") if dread(play, unit) else shock_test(need)


def shakes(play: Play, unit: int, clauses: tuple[str, ...]) -> None:
    """BSHOCK-1: who fails is Battle-shocked."""
    shake(play, unit, *clauses)


BATTLE_SHOCK = MoraleTest(
    shock_dice,
    ("BSHOCK-1",),
    (Failure("battle-shocked", shakes, ("BSHOCK-1",)),),
    "shock-passed",
    turned="shock-failed",
    turning=("CSTR-4",),
)


@cites("BSHOCK-4")
def takes_test(play: Play, unit: int) -> bool:
    """BSHOCK-4: a unit that is Battle-shocked already takes a further test all the same, for what else it brings."""
    return True


def dread(play: Play, unit: int) -> bool:
    """ENH-R2: whether a unit stands in an enemy Aura that subtracts 1 from its Battle-shock tests, once (UNIT-8)."""
    lookups = index_of(play.game)
    if "Dread Aura" not in lookups.abilities[1 - play.game.sides[unit]]:
        return False
    host = host_of(play.game, play.state, unit)
    for slot, fighter in enumerate(lookups.fighters):
        reach = fighter.rating("Dread Aura")
        owner = play.state.owner_of(slot)
        if reach is None or play.game.sides[owner] == play.game.sides[unit] or not places.stands(play.state, slot):
            continue
        if places.within(places.range_to(play.game, play.state, slot, host), int(reach) * INCH):
            return True
    return False


@cites("BSHOCK-2", "BSHOCK-5")
def shake(play: Play, unit: int, *clauses: str) -> None:
    """BSHOCK-2: Battle-shocked until the start of its owner's next Command phase; a second time changes nothing (BSHOCK-5)."""
    if play.state.units[unit].mark(SHOCKED) is None:
        play.emit("battle-shocked", clauses, lasting(play.game, unit, SHOCKED, OWN_COMMAND), unit=unit)


# -- markers ---------------------------------------------------------------------------------------


def control_together(game: Game, state: State, unit: int, slots: tuple[int, ...]) -> int:
    """The Objective Control of some models of a unit after everything that changes it.

    Where no single model has anything for a while, it is kept by all that it depends on: who belongs to them, their marks, the
    Auras they stand in, and who halves it.
    """
    lookups: UnitIndex = game.lookups
    units = state.units
    if state.models and lookups.singled(state):
        return sum([_control_of(game, state, slot) for slot in slots])
    host = host_of(game, state, unit)
    held = telling(units[unit].marks)
    led = held if host.unit == unit else telling(units[host.unit].marks)
    halved = len(_halved(game, state, unit)) if lookups.halvers and _contest(game, state).scene is not None else 0
    key = slots, host, held, led, auras_for(game, state, host, CONTROL), halved
    found = lookups.controls.get(key)
    if found is None:
        alike: dict[int, list[int]] = {}
        for slot in slots:
            alike.setdefault(id(lookups.fighters[slot]), []).append(slot)
        found = sum([len(same) * _control_of(game, state, same[-1]) for same in alike.values()])
        lookups.controls[key] = found
    return found


def _control_of(game: Game, state: State, slot: int) -> int:
    """The same of a single model, worked out."""
    lookups = index_of(game)
    value = evaluate(CONTROL, lookups.fighters[slot].profile.control, control_changes(game, state, slot))
    return value if isinstance(value, int) else 0


def control_changes(game: Game, state: State, slot: int) -> tuple[Effect, ...]:
    """What changes the OC of a model: Battle-shock, abilities, and enemies that halve it."""
    unit = state.owner_of(slot)
    host = host_of(game, state, unit)
    effects = effects_on(game, state, host, slot, CONTROL) + _halved(game, state, unit)
    return (*shocked_control(), *effects) if state.units[unit].mark(SHOCKED) is not None else effects


@cites("CMD-5")
def shocked_control() -> tuple[Effect, ...]:
    """CMD-5: the OC of a Battle-shocked unit's models is replaced by 0."""
    return (Effect(CONTROL, Op.SET, 0, ("CMD-5",)),)


def _halved(game: Game, state: State, unit: int) -> tuple[Effect, ...]:
    """AB-T4: each enemy unit within Engagement Range that halves Control."""
    lookups = index_of(game)
    if HALVES not in lookups.abilities[1 - game.sides[unit]]:
        return ()
    host = host_of(game, state, unit)
    enemies = [k for k in places.enemies_engaged(game, state, host) if lookups.having(state.units[k].living, HALVES)]
    return tuple(Effect(CONTROL, Op.DIVIDE, 2, ("MOD-3", "AB-T4")) for _ in enemies)


@cites("OC-1", "OC-2")
def level(game: Game, state: State, spot: Spot, side: int) -> int:
    """OC-1, OC-2: the OC of a side's models within 3" of a marker, and 5" up or down."""
    near = _contest(game, state).near.get(spot.id)
    return sum([control_together(game, state, unit, slots) for unit, slots in near[side]]) if near and near[side] else 0


def _contest(game: Game, state: State) -> places.Contest:
    """Who could matter at the markers, kept while nobody moves, and longer where the same models stay near them."""
    lookups: UnitIndex = game.lookups
    kept: places.Measured | None = lookups.measured
    if kept is None or kept.state is not state:
        kept = places.measured(game, state)
    found = kept.contest
    if found is None:
        near, known, halving = places.near_markers(game, state), lookups.contested, _may_halve(game, state)
        if known is not None and not halving and known[2].scene is None and known[0] == near and known[1] == state.owner:
            found = kept.contest = known[2]
        else:
            changing = halving or control_auras(game, 0) or control_auras(game, 1)
            found = kept.contest = _contest_of(game, near, state.owner, kept.scene if changing else None)
            lookups.contested = near, state.owner, found
    return found


def _may_halve(game: Game, state: State) -> bool:
    """Whether a unit that halves Control stands close to an enemy."""
    if not index_of(game).halvers or places.nobody_close(game, state):
        return False
    lookups = index_of(game)
    return any(places.close_by(game, state, unit) for side in (0, 1) for unit in lookups.holders(state, side, HALVES))


def _contest_of(game: Game, near: Mapping[str, Sequence[int]], owner: bytes, scene: Scene | None) -> places.Contest:
    """Who could matter of models near markers, which belong to such units."""
    lookups, owners = index_of(game), memoryview(owner).cast("h")
    rows, units = {}, {*lookups.leaders, *lookups.halvers}
    for spot, slots in near.items():
        if slots:
            first, second = rows[spot] = _by_unit(game, slots, owners)
            units.update([unit for unit, _ in first + second])
    return places.Contest(rows, tuple(sorted(units)), scene)


def _by_unit(game: Game, slots: Iterable[int], owners: memoryview) -> tuple[places.Contenders, places.Contenders]:
    """Models of each side by their units."""
    found: tuple[dict[int, list[int]], dict[int, list[int]]] = ({}, {})
    for slot in slots:
        unit = owners[slot]
        found[game.sides[unit]].setdefault(unit, []).append(slot)
    first, second = found
    return tuple([(k, tuple(own)) for k, own in first.items()]), tuple([(k, tuple(own)) for k, own in second.items()])


def near_marker(game: Game, state: State, slot: int, spot: Spot) -> bool:
    """OC-2: whether a model is within range of a marker."""
    return slot in places.near_markers(game, state)[spot.id]


def contending(game: Game, state: State) -> object:
    """What the OC at all markers depends on: who is within range of each, and what is said of those units that could matter.

    They are those within range of a marker, who leads, and who halves; where somebody halves, or an Aura changes OC, it is
    also where everybody stands. The same thing again while nothing at all was said of them.
    """
    lookups: UnitIndex = game.lookups
    contest, models = _contest(game, state), state.models
    units, kept = tuple(map(state.units.__getitem__, contest.units)), lookups.contended
    if kept is not None and kept[0] is contest and kept[1] is models and _say_the_same(kept[2], units):
        lookups.contended = contest, models, units, kept[3]
        return kept[3]
    given = lookups.singled(state) if models else None
    living, told = [unit.living for unit in units], [unit.marks and telling(unit.marks) for unit in units]
    found = contest, given or None, living, [unit.where for unit in units], told
    lookups.contended = contest, models, units, found
    return found


def _say_the_same(before: tuple[Unit, ...], units: tuple[Unit, ...]) -> bool:
    """Whether nothing that may change OC was said of some units since; most are the very same."""
    for k in compress(range(len(units)), map(is_not, before, units)):
        was, now = before[k], units[k]
        if was.where != now.where or was.living != now.living:
            return False
        if was.marks is not now.marks and telling(was.marks) != telling(now.marks):
            return False
    return True


@lru_cache(maxsize=4096)
def telling(marks: Marks) -> Marks:
    """Those of a unit's marks that may change the OC of its models: Battle-shock, and abilities it was given."""
    return tuple([pair for pair in marks if pair[0] == SHOCKED or pair[0].startswith(GRANT)])


def manned(game: Game, state: State) -> Container[str]:
    """The markers within range of which any model is."""
    return _contest(game, state).near


OBJECTIVES = Objectives(
    lambda game: index_of(game).spots, level, 3 * INCH, "OC-3", same=contending, manned=manned, drawn="OC-4"
)

# -- the score -------------------------------------------------------------------------------------


@cites("MIS-4")
def scores_late(play: Play) -> bool:
    """MIS-4: in round five the player with the second turn scores at the end of that turn instead."""
    clock = play.state.clock
    return clock.round == LAST_ROUND and clock.active != clock.first


def score_command(play: Play) -> None:
    """MIS-4: at the end of each own Command phase from round two."""
    if play.state.clock.round >= FIRST_SCORED and not scores_late(play):
        score_mission(play)


def score_turn(play: Play) -> None:
    """MIS-4: at the end of the last turn of the battle."""
    if scores_late(play):
        score_mission(play)


def score_mission(play: Play) -> None:
    """The points the mission gives now, up to its limit a turn."""
    side = play.state.clock.active
    mission = MISSIONS.of(play.game.setup)
    rules = mission.scoring
    found = rules.marker * len(held_by(play.game, play.state, side)) + ground_points(play, side, rules)
    points = min(found, rules.most)
    if points:
        total = int(play.state.side_mark(side, POINTS) or 0) + points
        play.emit("scored", ("MIS-4", mission.id), SideMarked(side, POINTS, total), side=side, points=points, total=total)


def ground_points(play: Play, side: int, rules: Scoring) -> int:
    """MSN-2: for quarters and No Man's Land in which a side has more units wholly than the other, and the centre marker."""
    if not (rules.quarter or rules.no_mans_land or rules.centre):
        return 0
    width, height = play.game.field.width, play.game.field.height
    boxes = [(x, y, x + width // 2, y + height // 2) for x in (0, width // 2) for y in (0, height // 2)]
    points = rules.quarter * sum(_outnumbers(play, side, box) for box in boxes)
    points += rules.no_mans_land * _outnumbers(play, side, no_mans_land(play))
    middle = [spot for spot in held_by(play.game, play.state, side) if (2 * spot.x, 2 * spot.y) == (width, height)]
    return points + rules.centre * bool(middle)


@cites("NML-1")
def no_mans_land(play: Play) -> Rectangle:
    """NML-1: the part of the battlefield between the deployment zones."""
    width, height = play.game.field.width, play.game.field.height
    first, second = sorted(zone_of(play.game, play.state, side) for side in (0, 1))
    if first[2] < second[0]:
        return first[2], 0, second[0], height
    return 0, min(first[3], second[3]), width, max(first[1], second[1])


@cites("QUART-1", "WITHIN-3")
def _outnumbers(play: Play, side: int, box: Rectangle) -> bool:
    """QUART-1, WITHIN-3: whether a side has more units wholly within a part of the table than the other."""
    mine, theirs = (sum(counts_in(play, unit, box) for unit in on_table(play, k)) for k in (side, 1 - side))
    return mine > theirs


def counts_in(play: Play, unit: int, box: Rectangle) -> bool:
    """MSN-2, GEO-5: a unit wholly within a part of the table, neither Battle-shocked nor AIRCRAFT."""
    lookups = index_of(play.game)
    held = play.state.units[unit]
    if held.mark(SHOCKED) is not None or ("AIRCRAFT" in lookups.words(held.living) and held.mark("hovers") is None):
        return False
    x0, y0, x1, y1 = box
    for slot in held.living:
        base, (x, y) = play.game.field.bases[slot], play.state.at(slot)
        corners = core(x, y, play.state.facing_of(slot), base.hl, base.hw)
        r = base.r - places.EPSILON
        inside = all(x0 + r <= cx <= x1 - r and y0 + r <= cy <= y1 - r for cx, cy in corners)
        if not inside:
            return False
    return True


# -- the end of the battle -------------------------------------------------------------------------


_living = attrgetter("living")


def has_models(play: Play, side: int) -> bool:
    """MIS-4: whether an army has models on the battlefield, embarked or in Reserves."""
    return any(map(_living, map(play.state.units.__getitem__, play.game.units_of[side])))


def wiped_out(play: Play) -> str:
    """MIS-4, MIS-8: an army without models loses at once; one that never had any is none."""
    lookups: UnitIndex = play.game.lookups
    units = play.state.units
    kept = lookups.survivors
    if kept is not None and units[kept[0]].living and units[kept[1]].living:
        return ""
    armies = play.game.units_of
    left = [k for own in armies for k in own if units[k].living]
    if left and play.game.sides[left[0]] != play.game.sides[left[-1]]:
        lookups.survivors = left[0], left[-1]
        return ""
    return "wipeout" if any(own and not has_models(play, side) for side, own in enumerate(armies)) else ""


@cites("MIS-8")
def concede(play: Play, said: Mapping[str, Any]) -> None:
    """MIS-8, DP-60: a player gives the battle up and loses, whatever the points."""
    end_game(play, "concede", speaker(said))


def winner_of(play: Play, how: str) -> str:
    """MIS-4: who has models left wins whatever the points; if nobody has it is a draw."""
    if how != "wipeout":
        return ""
    left = [side for side in (0, 1) if has_models(play, side)]
    return SIDES[left[0]] if left else "draw"
