"""Charging and fighting across barricades (TER-4, ACAP): 2" instead of 1", for those on either side of one."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, inf

from msgspec.structs import replace

from rolloff.editions.commentary import places
from rolloff.editions.commentary.ground import BARRICADE
from rolloff.editions.commentary.lookups import Host, index_of
from rolloff.editions.commentary.places import ACROSS, CLOSE
from rolloff.editions.commentary.storeys import body_below, engaged_in, standing_heights, tall, z_of
from rolloff.geometry.field import Ground, Scene
from rolloff.geometry.measure import gap, near_piece, nearest, slots_of
from rolloff.geometry.moves import ANY, STAY, Code, Order, Shift, Verdict, Wish
from rolloff.geometry.paths import judge, settled
from rolloff.geometry.shifting import shifts_with
from rolloff.geometry.spans import first_across, gaps_between
from rolloff.identity_cache import IdentityCache
from rolloff.lengths import INCH
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.table.state import TABLE, State

NEARLY = INCH // 10
"""ACAP-1: how much further than the best end found still counts as being as close as possible."""
FORGIVEN = INCH // 10
"""More than all that leeway and rounding may add to a way."""
ROUNDING = 3
"""How much a shift in whole thou may be longer than it was meant to be, and a gap shorter."""


def barricades(game: Game) -> tuple[int, ...]:
    """The barricades of a table."""
    ground = game.field.ground
    found = _barricades.get(ground)
    if found is None:
        found = _barricades.put(ground, tuple([k for k, place in enumerate(ground.places) if place.kinds & BARRICADE]))
    return found


_barricades: IdentityCache[Ground, tuple[int, ...]] = IdentityCache(64)
"""Those of tables lately met."""


@cites("TER-4")
def between(scene: Scene, pieces: tuple[int, ...], one: int, other: int) -> int:
    """TER-4: the barricade on whose far sides two models within 2" stand; -1 without one."""
    return first_across(scene, pieces, (one,), (other,), CLOSE, places.RISE) if pieces else -1


@cites("TER-4")
def shielding(scene: Scene, pieces: tuple[int, ...], theirs: tuple[int, ...]) -> tuple[int, ...]:
    """TER-4: the barricades that a target of a charge is within 1" of: only across those a charge may end within 2" of it."""
    target = frozenset(theirs)
    return tuple([k for k in pieces if not target.isdisjoint(near_piece(scene, k, INCH + places.EPSILON))])


def enemies_across(game: Game, state: State, host: Host) -> tuple[int, ...]:
    """The enemy units a unit may fight across a barricade; kept while nobody moves."""
    if places.by_itself(game, state, host):
        return ()
    kept = places.measured(game, state).across
    found = kept.get(host)
    if found is None:
        found = kept[host] = _enemies_across(game, state, host)
    return found


def _enemies_across(game: Game, state: State, host: Host) -> tuple[int, ...]:
    """The same, measured anew."""
    pieces = barricades(game)
    if not pieces:
        return ()
    if places.whole(state, host):
        near = places.close_by(game, state, host.unit)
        enemies = [k for k, gap in near if gap <= ACROSS + places.EPSILON and state.units[k].where == TABLE] if near else []
    else:
        enemies = list(game.standing(state)[1 - game.sides[host.unit]])
    if not enemies:
        return ()
    scene = game.scene(state)
    return tuple([k for k in enemies if any_across(scene, pieces, host.slots, state.units[k].living)])


def among(scene: Scene, pieces: tuple[int, ...], slots: tuple[int, ...]) -> tuple[int, ...]:
    """Those of some pieces that a straight line between two of some models could run through: it stays among the models."""
    xy, ground = memoryview(scene.xy).cast("i"), scene.field.ground.places
    across, along = [xy[2 * slot] for slot in slots], [xy[2 * slot + 1] for slot in slots]
    left, right, low, high = min(across), max(across), min(along), max(along)
    boxes = [(k, ground[k].box) for k in pieces]
    return tuple([k for k, (x0, y0, x1, y1) in boxes if x0 <= right and x1 >= left and y0 <= high and y1 >= low])


def any_across(scene: Scene, pieces: tuple[int, ...], ours: tuple[int, ...], theirs: tuple[int, ...]) -> bool:
    """Whether some of these models stand across a barricade from some of those."""
    return bool(pieces) and first_across(scene, pieces, ours, theirs, CLOSE, places.RISE) >= 0


def charged_across(play: Play, scene: Scene, slot: int, targets: tuple[int, ...]) -> int:
    """The barricade across which a model that charged stands from a model of its targets; -1 without one."""
    for theirs in [play.state.units[k].living for k in targets]:
        pieces = shielding(scene, barricades(play.game), theirs)
        found = max([between(scene, pieces, slot, other) for other in theirs]) if pieces else -1
        if found >= 0:
            return found
    return -1


def meets(play: Play, scene: Scene, ours: tuple[int, ...], theirs: tuple[int, ...], charging: bool = False) -> bool:
    """Whether some models are in Engagement Range of others in a scene, or across a barricade from them."""
    if engaged_in(play.game, scene, ours, theirs):
        return True
    pieces = barricades(play.game)
    return any_across(scene, shielding(scene, pieces, theirs) if charging else pieces, ours, theirs)


def in_reach(play: Play, order: Order, across: bool = True) -> list[int]:
    """The targets of which a move could end within Engagement Range, or ``across`` a barricade, if nothing stood in its way.

    What turns a base that is not round gets further than its way is long: for such a unit these are all.
    """
    if not play.game.field.long.isdisjoint(play.state.units[order.unit].living):
        return list(order.targets)
    reach = ACROSS if across and barricades(play.game) else INCH
    if not places.level(play.state.z):
        return [target for target in order.targets if _least_way(play, order, target, reach) <= order.allowance + FORGIVEN]
    lookups = index_of(play.game)
    gaps = places.gaps_from(play.game, play.state, order.unit) if lookups.aircraft else play.gaps_from(order.unit)
    far = order.allowance + reach + FORGIVEN
    return [target for target in order.targets if gaps[target] <= far]


def too_far(play: Play, order: Order) -> list[int]:
    """The targets that a unit on the ground whose bases are not round cannot end near, however it goes and turns.

    A base stays within a circle around its middle, and a smaller one lies in it: turning brings it nearer by no more than
    these are apart.
    """
    field, units = play.game.field, play.state.units
    long = field.long.intersection(units[order.unit].living)
    if not long or not places.level(play.state.z) or order.unit in places.overhung(play.game):
        return []
    bases = [field.bases[slot] for slot in long]
    nearer = max([hypot(base.hl, base.hw) - min(base.hl, base.hw) for base in bases])
    gaps = places.gaps_from(play.game, play.state, order.unit)
    far = order.allowance + nearer + (ACROSS if barricades(play.game) else INCH) + FORGIVEN
    return [target for target in order.targets if gaps[target] > far]


def _least_way(play: Play, order: Order, target: int, reach: int) -> float:
    """How far some model of a unit has to go at least to be near enough to a target, in plan and to a height to stand at.

    What its allowance leaves out for climbing down is taken off.
    """
    game, ours, theirs = play.game, play.state.units[order.unit].living, play.state.units[target].living
    climbs: dict[tuple[int, ...], list[float]] = {}
    found = inf
    for slot, gaps in zip(ours, gaps_between(play.scene, ours, theirs), strict=True):
        flies = "FLY" in index_of(game).fighters[slot].keywords
        for enemy, apart in zip(theirs, gaps, strict=True):
            far, key = max(apart - reach, 0.0), (z_of(play, slot), z_of(play, enemy), body_below(game, slot, enemy))
            if key not in climbs:
                climbs[key] = _climbs(game, *key)
            for climb in climbs[key]:
                found = min(found, hypot(far, climb) if flies else far + climb)
    return found - order.kept_back


def _climbs(game: Game, start: int, goal: int, body: int) -> list[float]:
    """What it costs a model to get from a height to each at which it could stand near one that stands at another."""
    near = [top for top in standing_heights(game) if abs(top - goal) - body <= places.RISE + places.EPSILON]
    return [float(abs(tall(top) - tall(start))) for top in near]


# -- charges ---------------------------------------------------------------------------------------


_eased: IdentityCache[Order, Order] = IdentityCache(16)
"""Charges lately eased: a search asks about many ways by one order."""


def eased(order: Order) -> Order:
    """A charge that need not end in contact, nor closer: what it has to do across a barricade is seen to apart."""
    return _eased.get(order) or _eased.put(order, replace(order, contact=False, closing=ANY))


def nearly_across(order: Order) -> Order:
    """A charge that ends within 2" of all its targets in plan: no other is one across a barricade."""
    return replace(eased(order), contact=True, reach=ACROSS + places.EPSILON + ROUNDING)


def charge_across(play: Play, order: Order, wish: Wish) -> Verdict | None:
    """TER-4: a charge that ends within 1" of its targets, or across a barricade and as close to it as possible; else None."""
    pieces = barricades(play.game)
    if not order.contact or not pieces:
        return None
    verdict = judge(play.scene, eased(order), wish)
    if not verdict.legal or not verdict.coherent:
        return None
    after = settled(play.scene, order.unit, verdict)
    slots = slots_of(after, order.unit)
    others = {k: play.state.units[k].living for k in order.targets}
    for enemy, theirs in others.items():
        far = nearest(after, order.unit, enemy).gap
        if far > ACROSS + places.EPSILON:
            return None
        if far > INCH + places.EPSILON and not any_across(after, shielding(after, pieces, theirs), slots, theirs):
            return None
    return verdict if all(_ends_well(play, order, after, slot, [*others.values()]) for slot in slots) else None


def _ends_well(play: Play, order: Order, after: Scene, slot: int, others: Sequence[Sequence[int]]) -> bool:
    """Whether a model ends as close as possible to the barricade it fights across, or closer to a target than it began."""
    if not any(gap(after, slot, enemy) <= INCH + places.EPSILON for theirs in others for enemy in theirs):
        piece = charged_across(play, after, slot, order.targets)
        if piece >= 0:
            return as_close_as_possible(play, order, after, slot, piece)
    return any(min(gap(after, slot, k) for k in theirs) < min(gap(play.scene, slot, k) for k in theirs) for theirs in others)


@cites("ACAP-1")
def as_close_as_possible(play: Play, order: Order, after: Scene, slot: int, piece: int) -> bool:
    """ACAP-1: it touches the thing if its move suffices, else it is within 0.1" of the nearest end; who was stays (ACAP-2)."""
    best = max(0.0, places.piece_gap(play.scene, slot, piece) - order.allowance)
    return places.piece_gap(after, slot, piece) <= best + NEARLY


@cites("ACAP-2")
def toward_barricade(play: Play, order: Order) -> Wish | None:
    """TER-4, ACAP-2: a way that ends as close as possible to a barricade; who is there already is not moved and has charged."""
    if not barricades(play.game):
        return None
    far, lead, enemy = nearest(play.scene, order.unit, order.targets[0])
    if far > order.allowance + ACROSS + places.EPSILON:
        return None
    shields = shielding(play.scene, barricades(play.game), play.state.units[order.targets[0]].living)
    reach = (ACROSS if shields else INCH) + places.EPSILON
    (ax, ay), (bx, by) = play.state.at(lead), play.state.at(enemy)
    span = max(1, round(((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5))
    least = max(0, int(far - reach) - ROUNDING)
    ways = [Shift((bx - ax) * d // span, (by - ay) * d // span) for d in range(order.allowance, least, -NEARLY // 2)]
    if not least and charge_across(play, order, STAY) is not None:
        return STAY
    lawful = shifts_with(play.scene, nearly_across(order), ways, Code.LEGAL)
    return next((way for way in lawful if charge_across(play, order, way) is not None), None)
