"""Invariants on where models stand and how they move (INV-10 to INV-13, INV-23, INV-27, INV-33, INV-34)."""

from __future__ import annotations

import itertools
from math import hypot

from rolloff.geometry.field import DIFFICULT, IMPASSABLE, Scene
from rolloff.geometry.measure import base_gap, coherent, gap, pieces_at
from rolloff.geometry.moves import March, Shift
from rolloff.geometry.shapes import core
from rolloff.geometry.sight import sees
from rolloff.table.event import Placed
from rolloff.table.state import NOWHERE, State
from tests.properties.watching import INCH, LEEWAY, Ledger, Moment, Step, apart, on_table

GAP = INCH - LEEWAY
SETTING = ("deployed-unit", "arrived", "shifted", "placed")
"""Events that set a unit down without a move."""
PACES = {"walk": (6, 12), "run": (12, 18), "assault": (12, 18), "consolidate": (3, 3), "pivot": (0, 0)}
"""Inches an infantry unit and a vehicle may go."""
FASTER = {"walk": 3, "run": 6, "assault": 6}


def _placed(moment: Moment) -> list[int]:
    return [slot for patch in moment.event.patches if isinstance(patch, Placed) for slot in patch.slots]


def _inside(step: Step, state: State, slot: int) -> bool:
    base = step.game.field.bases[slot]
    low = base.r - LEEWAY
    width, height = step.game.field.width - low, step.game.field.height - low
    corners = core(*state.at(slot), state.facing_of(slot), base.hl, base.hw)
    return all(low <= x <= width and low <= y <= height for x, y in corners)


def _size(step: Step, slot: int) -> int:
    base = step.game.field.bases[slot]
    return base.hl + base.hw + base.r


def check_standing(log: Ledger, step: Step) -> None:
    """INV-10: whoever was set down stands on the table, on nobody, in nothing impassable."""
    for moment in step.moments:
        slots = _placed(moment)
        if not slots:
            continue
        scene, state = step.game.scene(moment.after), moment.after
        walls = [k for k, place in enumerate(step.game.field.ground.places) if place.kinds & IMPASSABLE]
        others = [(slot, *state.at(slot)) for slot in range(len(step.game.models)) if state.at(slot)[0] != NOWHERE]
        for slot in slots:
            name, (x, y) = step.game.models[slot].id, state.at(slot)
            log.hold("INV-10", _inside(step, state, slot), name, "is off the table", (x, y), moment.event.kind)
            reach = _size(step, slot)
            for other, ox, oy in others:
                far = reach + _size(step, other)
                if other != slot and abs(ox - x) < far and abs(oy - y) < far:
                    free = gap(scene, slot, other) >= -LEEWAY
                    log.hold("INV-10", free, name, "stands on", step.game.models[other].id, moment.event.kind)
            for wall in walls:
                free = base_gap(scene, slot, wall) >= -LEEWAY
                log.hold("INV-10", free, name, "stands in impassable ground", moment.event.kind)


def check_gaps(log: Ledger, step: Step) -> None:
    """INV-11: no unit comes closer than an inch to another, but where an assault or what it left allows it."""
    for moment in step.moments:
        unit = moment.unit()
        if not _placed(moment) or unit < 0:
            continue
        then, now = step.game.scene(moment.before), step.game.scene(moment.after)
        for other in on_table(moment.after):
            if other != unit and apart(now, unit, other) < GAP:
                log.hold("INV-11", _may_be_near(step, moment, then, now, other), step.game.names[other], moment.event)
            else:
                log.looked["INV-11"] += 1


def _may_be_near(step: Step, moment: Moment, then: Scene, now: Scene, other: int) -> bool:
    unit, kind = moment.unit(), moment.event.kind
    enemy = step.game.side_of(unit) != step.game.side_of(other)
    storms = kind == "moved" and moment.event.fact("action") == "assault"
    storms = storms or (kind == "disembarked" and step.action == "assault")
    if storms and enemy:  # MELEE-4
        return True
    if kind == "moved" and _boards(step, unit, other):  # RULE-TRANSPORT-3
        return True
    if kind == "piled-in" and other == step.acting:  # MELEE-7
        return True
    if kind == "stepped-back" and enemy:  # MELEE-26
        return True
    if step.chart.terms.leads and _by_outlines(step, moment, unit, other, storms, enemy):
        return True
    return _no_nearer(unit, other, then, now)  # MOVE-5


def _by_outlines(step: Step, moment: Moment, unit: int, other: int, storms: bool, enemy: bool) -> bool:
    """Whether outlines or an assault of this book let two units be near: friends an assaulter passes, and who is within."""
    if storms and not enemy:  # MELEE-4: waived toward friends as well
        return True
    inside = any(_pieces_led_into(step, moment.after, one) for one in (unit, other))
    return inside and (enemy or kind_of_melee(moment))  # TERR-FOOT-3: at the outline, whoever is drawn behind it


def kind_of_melee(moment: Moment) -> bool:
    """Whether a move belongs to a melee."""
    return moment.event.kind in ("piled-in", "stepped-back")


def leader_of(step: Step, state: State, unit: int) -> int:
    """UNIT-6 read off the marks: the model marked as leader; before anybody is marked, the first."""
    living = state.units[unit].living
    return next((slot for slot in living if state.model_mark(slot, "leader") is not None), living[0])


def _pieces_led_into(step: Step, state: State, unit: int) -> list[int]:
    """TERR-FOOT-2: the pieces a unit's leader stands in."""
    ground = step.game.field.ground
    found = pieces_at(ground, *state.at(leader_of(step, state, unit)))
    return [piece for piece in found if not ground.places[piece].kinds & IMPASSABLE]


def _boards(step: Step, unit: int, transport: int) -> bool:
    """Whether a unit moved to board a transport: it did, or its last model died on the way."""
    names = step.game.names
    asked = any(request.point == "DP-16" and answer == names[transport] for request, answer in step.play.answers)
    return asked and (step.has("boarded") or not step.after.units[unit].living)


def _no_nearer(unit: int, other: int, then: Scene, now: Scene) -> bool:
    """Units that were near already may be near still; whoever is too near has not come nearer."""
    return apart(then, unit, other) - LEEWAY <= apart(now, unit, other)


def _lengths(step: Step, moment: Moment) -> dict[int, float]:
    """How far each model's centre went, in a straight line."""
    found = {}
    for slot in _placed(moment):
        (x0, y0), (x1, y1) = moment.before.at(slot), moment.after.at(slot)
        if x0 != NOWHERE:
            found[slot] = hypot(x1 - x0, y1 - y0)
    return found


def _way(step: Step, moment: Moment) -> float:
    """The longest way that was answered for this move; where units have leaders, the leader's."""
    at = step.moments.index(moment)
    for (request, answer), when in zip(reversed(step.play.answers), reversed(step.play.when), strict=True):
        if when <= at and request.kind == "move" and request.about == moment.unit():
            leader = leader_of(step, moment.before, moment.unit()) if step.chart.terms.leads else -1
            return _length(moment, answer, leader)
    return 0.0


def _length(moment: Moment, answer: object, leader: int) -> float:
    """The longest path of a move; where there is a leader, its own."""
    if isinstance(answer, Shift):
        return hypot(answer.dx, answer.dy)
    longest = 0.0
    if isinstance(answer, March):
        slots = tuple(sorted(_placed(moment)))
        for slot, path in answer.paths(slots).items():
            spots = [moment.before.at(slot), *((pose[0], pose[1]) for pose in path)]
            if spots[0][0] != NOWHERE and leader in (-1, slot):
                longest = max(longest, sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise(spots)))
    return longest


def check_moves(log: Ledger, step: Step) -> None:
    """INV-12: nobody goes further than the action allows, nor than six inches through difficult ground."""
    for moment in step.of("moved", "piled-in", "stepped-back"):
        unit, lengths = moment.unit(), _lengths(step, moment)
        action = str(moment.event.fact("action"))
        if moment.event.kind == "moved":
            allowed = PACES[action][step.chart.vehicle(unit)]
            allowed += FASTER.get(action, 0) if step.chart.all_have(moment.before, unit, "Fast") else 0
            log.hold("INV-12", _way(step, moment) <= allowed * INCH + 2 * LEEWAY, "the way", moment.event)
        else:
            allowed = 3 if moment.event.kind == "piled-in" else 1
        if moment.event.kind == "moved" and _hindered(step, moment):
            allowed = min(allowed, _cap(step, moment))
        if step.chart.terms.leads and moment.event.kind != "piled-in":  # MOVE-12: the others are set down around the leader
            lengths = {slot: far for slot, far in lengths.items() if slot == leader_of(step, moment.before, unit)}
        for slot, length in lengths.items():
            log.hold("INV-12", length <= allowed * INCH + 2 * LEEWAY, step.game.models[slot].id, length, moment.event)


def _cap(step: Step, moment: Moment) -> int:
    """TERR-DIFF-1: six inches, or what the unit walks."""
    if step.chart.terms.difficult is not None:
        return step.chart.terms.difficult
    unit = moment.unit()
    faster = step.chart.all_have(moment.before, unit, "Fast")
    return PACES["walk"][step.chart.vehicle(unit)] + (FASTER["walk"] if faster else 0)


def _hindered(step: Step, moment: Moment) -> bool:
    """Whether a model that moved began or ended in difficult ground that matters to the unit."""
    unit, ground = moment.unit(), step.game.field.ground
    if any(step.chart.all_have(moment.before, unit, rule) for rule in ("Strider", "Flying")):
        return False
    if step.chart.terms.leads:  # TERR-DIFF-2: the leader entered a piece or left it
        old, new = (set(_pieces_led_into(step, state, unit)) for state in (moment.before, moment.after))
        return any(ground.places[piece].kinds & DIFFICULT for piece in old ^ new)
    return any(
        ground.places[piece].kinds & DIFFICULT
        for slot, length in _lengths(step, moment).items()
        if length
        for state in (moment.before, moment.after)
        for piece in pieces_at(ground, *state.at(slot))
    )


def _together(step: Step, state: State, unit: int) -> bool:
    living, terms = state.units[unit].living, step.chart.terms
    hub = leader_of(step, state, unit) if terms.leads else -1
    return coherent(step.game.scene(state), living, terms.link * INCH, 12 * INCH, hub=hub, tol=LEEWAY).ok


def check_coherency(log: Ledger, step: Step) -> None:
    """INV-13: what stood together stands together after its move, and whoever is set down does."""
    for moment in step.of("moved", *SETTING):
        unit = moment.unit()
        if moment.event.kind in SETTING or _together(step, moment.before, unit):
            log.hold("INV-13", _together(step, moment.after, unit), step.game.names[unit], moment.event.kind)


def check_parting(log: Ledger, step: Step) -> None:
    """INV-23: after a melee both survive, they touch no more, unless somebody is stuck."""
    result = next(step.of("melee-won", "melee-tied"), None)
    if result is None:
        return
    ours = step.acting
    theirs = result.unit("target") if result.unit() == ours else result.unit()
    if not all(side in on_table(step.after) for side in (ours, theirs)):
        return
    scene = step.final_scene
    if any(step.after.model_mark(slot, "immobile") is not None for slot in step.after.units[ours].living):
        return
    for slot in step.after.units[ours].living:
        if min(gap(scene, slot, other) for other in step.after.units[theirs].living) <= LEEWAY:
            log.looked["INV-23 stuck"] += 1
            log.hold("INV-23", _stuck(step, slot, theirs), step.game.models[slot].id, "still touches the enemy")
        else:
            log.looked["INV-23"] += 1


def _stuck(step: Step, slot: int, theirs: int) -> bool:
    """Whether an edge, a wall, a fellow or a third unit is near enough to be in the way of an inch back."""
    state, scene = step.after, step.final_scene
    (x, y), reach = state.at(slot), _size(step, slot) + INCH
    edge = min(x, y, step.game.field.width - x, step.game.field.height - y) < reach
    ground = step.game.field.ground
    walls = any(base_gap(scene, slot, k) < INCH for k, place in enumerate(ground.places) if place.kinds & IMPASSABLE)
    near = [other for unit in on_table(state) if unit != theirs for other in state.units[unit].living if other != slot]
    between = sum(1 for other in state.units[theirs].living if gap(scene, slot, other) <= INCH) > 1
    return edge or walls or between or any(gap(scene, slot, other) < 2 * INCH for other in near)


def check_immobile(log: Ledger, step: Step) -> None:
    """INV-27: Immobile lasts, and what is Immobile neither moves nor turns."""
    for slot, name, _ in step.before.models:
        if name == "immobile" and any(slot in unit.living for unit in step.after.units):
            log.hold("INV-27", step.after.model_mark(slot, "immobile") is not None, "it was lifted", slot)
            pose = [(state.at(slot), state.facing_of(slot)) for state in (step.before, step.after)]
            log.hold("INV-27", pose[0] == pose[1], "it moved", slot, pose)


def check_arrivals(log: Ledger, step: Step) -> None:
    """INV-32, INV-33: no arrival in round 1; arrivals and scouts stand strictly as far from every enemy as the book says."""
    for moment in step.of("arrived", "shifted", "deployed-unit"):
        unit = moment.unit()
        if moment.event.kind == "deployed-unit" and "RULE-SCOUT-1" not in moment.event.clauses:
            continue
        if moment.event.kind != "deployed-unit":
            began = next(step.of("round-began")).number("round")
            log.hold("INV-32", began > 1, "arrived in round", began)
        scene, side = step.game.scene(moment.after), step.game.side_of(unit)
        enemies = [other for other in on_table(moment.after) if step.game.side_of(other) != side]
        near = min((apart(scene, unit, other) for other in enemies), default=99.0 * INCH)
        apart_by = (12 if moment.event.kind == "deployed-unit" else step.chart.terms.arrival) * INCH
        if moment.event.kind == "deployed-unit" and near <= apart_by:
            log.looked["INV-33 strip"] += 1  # no room elsewhere: the own strip
            continue
        log.hold("INV-33", near > apart_by, step.game.names[unit], near, moment.event.kind)


def check_sight(log: Ledger, step: Step) -> None:
    """INV-34: two models that are no vehicles see each other or neither does (a sample of pairs)."""
    if step.chart.terms.leads:
        return
    units = [unit for unit in on_table(step.after) if not step.chart.vehicle(unit)]
    if step.activated is None or len(units) < 2:
        return
    one, other = units[len(step.moments) % len(units)], units[(len(step.moments) * 7 + 1) % len(units)]
    if one == other:
        return
    a, b = step.after.units[one].living[0], step.after.units[other].living[-1]
    mode = step.game.edition.sight
    there, back = sees(step.final_scene, mode, a, b), sees(step.final_scene, mode, b, a)
    log.hold("INV-34", there.visible == back.visible, step.game.models[a].id, step.game.models[b].id)
