"""Consolidation moves to a marker (CONSOL-2), where no enemy can be reached."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from msgspec.structs import replace

from rolloff.editions.commentary import places
from rolloff.editions.commentary.ascents import Storey, lawful, lifted, storey_at
from rolloff.editions.commentary.closing_in import CONSOLIDATE, PAIRS, alone, can_move, free_models, moved_models, steps
from rolloff.editions.commentary.ground import spots
from rolloff.editions.commentary.lookups import index_of
from rolloff.editions.commentary.moving import ENGAGEMENT
from rolloff.editions.commentary.storeys import ended, z_of
from rolloff.errors import IllegalCommand
from rolloff.geometry.measure import slots_of
from rolloff.geometry.moves import ANY, March, Order, Verdict, Wish
from rolloff.geometry.paths import advance, judge
from rolloff.rules.citing import cites
from rolloff.rules.movement import make
from rolloff.rules.play import Play


@cites("CONSOL-2")
def to_marker(play: Play, unit: int, slot: int = -1) -> None:
    """CONSOL-2: where no enemy can be reached, toward the closest marker, if it ends within range of it; or one model does."""
    if can_move(play, unit):
        make(play, unit, TO_MARKER if slot < 0 else alone(TO_MARKER, slot))


def _closest_marker(play: Play, unit: int) -> int | None:
    """The terrain piece that is the marker closest to a unit."""
    lookups = index_of(play.game)
    near = {lookups.pieces[spot.id]: 0.0 for spot in spots(play.game)}
    for piece in near:
        near[piece] = min([places.marker_gap(play.scene, slot, piece) for slot in play.state.units[unit].living])
    return min(near, key=lambda piece: (near[piece], piece)) if near else None


def toward_marker(play: Play, order: Order) -> Wish | None:
    """The way to the closest marker, if the unit ends within range of it and every model that moves ends nearer."""
    marker = _closest_marker(play, order.unit)
    if marker is None:
        return None
    left, bottom, right, top = play.game.field.ground.places[marker].box
    middle, flat = ((left + right) // 2, (bottom + top) // 2), places.level(play.state.z)
    own = max(z_of(play, slot) for slot in slots_of(play.scene, order.unit))
    at = Storey(0, play.scene, order) if flat else storey_at(play, order, own)
    ways: list[Wish] = [] if at is None else [advance(at.scene, at.order, *middle)]
    if at is not None and not flat:
        ways = [lifted(play, order.unit, way, at.z) for way in ways]
    for wish in chain(ways, _to_range(play, order.whole(), marker, middle)):
        verdict = judge(play.scene, order, wish) if flat else lawful(play, order, wish)
        if verdict is not None and verdict.legal and not _why_no_marker(play, order, verdict, marker):
            return wish
    return None


def _to_range(play: Play, order: Order, marker: int, middle: tuple[int, int]) -> Iterator[March]:
    """Everybody who may move by one step, by which one of them comes within range of a marker; else that model alone."""
    free = free_models(play, order)
    near = sorted((places.piece_gap(play.scene, slot, marker), slot) for slot in free)
    close = [(gap, slot) for gap, slot in near[:PAIRS] if places.within(gap, order.allowance + places.MARKER_RANGE)]
    for gap, slot in close:
        yield from steps(play, order, slot, middle, (gap - places.MARKER_RANGE, gap), free)
    for gap, slot in close:
        yield from steps(play, order, slot, middle, (gap - places.MARKER_RANGE, gap), (slot,))


def _why_no_marker(play: Play, order: Order, verdict: Verdict, marker: int) -> str:
    after = ended(play, order.unit, verdict)
    if not verdict.coherent:
        return "the unit would not end coherent"
    if not any(places.in_range(after, slot, marker) for slot in slots_of(after, order.unit)):
        return "the unit would not end within range of the closest marker"
    for slot in moved_models(play, order, verdict):
        if not places.closer(places.marker_gap(after, slot, marker), places.marker_gap(play.scene, slot, marker)):
            return f"{play.game.models[slot].id} would not end nearer to the closest marker"
    return ""


def must_reach_marker(play: Play, order: Order, verdict: Verdict) -> None:
    """CONSOL-2: whoever moves ends nearer to the closest marker, and the unit within range of it."""
    marker = _closest_marker(play, order.unit)
    why = "there is no marker" if marker is None else _why_no_marker(play, order, verdict, marker)
    if verdict.longest and why:
        raise IllegalCommand("no-marker", "CONSOL-2", why, None)


TO_MARKER = replace(
    CONSOLIDATE,
    enemies=ENGAGEMENT,
    way_enemies=ENGAGEMENT,
    closing=ANY,
    propose=toward_marker,
    best=None,
    also=must_reach_marker,
    cites=("CONSOL-2",),
)
