"""What positions say about an attack: distances, Engagement Range, sight. Without positions a form must say it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from itertools import chain, compress, count, islice
from math import hypot, inf
from struct import pack
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from rolloff.editions.commentary.lookups import Host, UnitIndex, index_of
from rolloff.geometry.field import Field, Scene
from rolloff.geometry.measure import base_gap, close_units, near_pieces
from rolloff.geometry.shapes import Base
from rolloff.geometry.spans import NEAR, TOUCHES, Bodies, Limits, spans
from rolloff.identity_cache import FormCache
from rolloff.lengths import half, millimetres
from rolloff.rules.citing import cites
from rolloff.rules.game import Game, gaps_in
from rolloff.table.profile import Rule
from rolloff.table.state import NOWHERE, TABLE, Marks, State, Unit

if TYPE_CHECKING:
    from rolloff.editions.commentary.sight import Sight

INCH = 1000
EPSILON = 1  # GEO-5
"""How much longer than stated a distance may be and still be within it, in thou."""
CONTACT = 10
ENGAGED = "engaged"
MARKER_RANGE, MARKER_RISE = 3 * INCH, 5 * INCH
RISE = 5 * INCH
"""How far up or down Engagement Range reaches."""
LIMITS = Limits(INCH + EPSILON, RISE + EPSILON, CONTACT)


NOBODY: frozenset[int] = frozenset()
ACROSS = 2 * INCH
"""TER-4: how far across a barricade models charge and fight."""
CLOSE = ACROSS + EPSILON
"""As far apart as enemy units are asked about that stand close to each other."""
Close = dict[int, list[tuple[int, float]]]


class Apart(Struct, frozen=True):
    """Of some models: how far each is from the nearest of others, and who is in Engagement Range or base contact of any."""

    nearest: dict[int, float]
    engaged: frozenset[int]
    touching: frozenset[int]


Contenders = tuple[tuple[int, tuple[int, ...]], ...]
"""Units, each with some of its models."""


class Contest(Struct, frozen=True):
    """Who could matter at the markers (`command`): the models of each side near each, and the units that are asked about.

    ``scene`` is there where it matters how everybody stands.
    """

    near: dict[str, tuple[Contenders, Contenders]]
    units: tuple[int, ...]
    scene: Scene | None


class Aims:
    """The weapons units may fire at others, and who has any, by the marks of the unit: as far as it was asked in a moment.

    ``state`` is the one they were last asked for, of which no more counts than ``moment``.
    """

    def __init__(self, moment: tuple[object, ...]) -> None:
        """Nothing was asked yet."""
        self.moment = moment
        self.state: State | None = None
        self.weapons: dict[tuple[int, Marks], dict[int, tuple[tuple[int, int], ...]]] = {}  # of a unit, by enemy
        self.shooters: dict[int, tuple[Marks, bool]] = {}  # who was asked with which marks last, and has any
        self.odd: tuple[Collection[int] | None] | None = None  # of whom more is to be known (`at_ease`), once somebody asked
        self.hosts: dict[int, tuple[Host, bool]] = {}  # whole units, and whether nothing bothers them (`aiming`)
        self.plain: set[int] = set()  # units of which distance and sight alone said who may fire at them
        self.arms: dict[tuple[int, Marks], Any] = {}  # the weapons of units that nothing bothers, by marks that tell which
        self.sight: Sight | None = None  # what is seen from where (`sight`), once somebody asked


class Measured:
    """Distances measured while everybody stands as now."""

    def __init__(self, game: Game, state: State) -> None:
        """Remember for which positions."""
        self.state, (self.scene, self.gaps) = state, game.measured(state)
        self.xy, self.owner, self.z, self.facing = state.xy, state.owner, state.z, state.facing
        self.close: Close | None = None
        self.sight: Sight | None = None  # what is seen from where (`sight`)
        self.near: dict[str, list[int]] | None = None  # who is near which marker
        self.contest: Contest | None = None
        self.aims: Aims | None = None  # what may be fired at whom (`aiming`)
        self.calm: tuple[Unit, ...] | None = None  # the units of which nobody was found to be engaged
        self.raised: frozenset[int] | None = None  # of whom somebody stands above the ground
        self.apart: dict[tuple[tuple[int, ...], tuple[int, ...]], Apart] = {}
        self.within: dict[int, Close] = {}  # who is no further from whom than how much, in plan
        self.engaged: dict[Host, tuple[int, ...]] = {}
        self.across: dict[Host, tuple[int, ...]] = {}
        self.strikers: dict[tuple[Host, Host], tuple[int, ...]] = {}  # who of a unit may strike another
        self.auras: dict[Host, tuple[Rule, ...]] = {}  # the Auras units stand in (`unit_values`)
        self.units: dict[int, list[float]] = {}  # how far units are from each other
        self.least: dict[int, list[float]] = {}  # and how far at least
        self.storeys: dict[object, Scene] = {}  # who is near in height (`storeys`)


@cites("WITHIN-1")
def within(distance: float, limit: int) -> bool:
    """GEO-5, WITHIN-1: a distance of exactly the limit is within it."""
    return distance <= limit + EPSILON


def at_least(distance: float, limit: int) -> bool:
    """GEO-5: "X or more"."""
    return distance >= limit - EPSILON


def closer(distance: float, before: float) -> bool:
    """GEO-5: a distance is truly smaller than another."""
    return distance < before - EPSILON


def placed(state: State, *hosts: Host) -> bool:
    """Whether every model of these units stands somewhere; attached models without a place do not count."""
    here = on_table(state.xy)
    for host in hosts:
        if not here.issuperset(host.slots):
            own = [slot for slot in host.slots if slot not in host.guests]
            if here.isdisjoint(host.slots) or not here.issuperset(own):
                return False
        elif not host.slots:
            return False
    return True


def stands(state: State, slot: int) -> bool:
    """Whether a model is on the table."""
    return slot in on_table(state.xy)


_HIGHEST = pack("<i", NOWHERE)[3]
_STANDING = bytes([byte != _HIGHEST for byte in range(256)])


@lru_cache(maxsize=16)
def on_table(xy: bytes) -> frozenset[int]:
    """The models that stand on the table, read at once: no place but `NOWHERE` has such a highest byte."""
    return frozenset(compress(count(), xy[3::8].translate(_STANDING)))


@cites("GEO-3")
def distance(game: Game, state: State, one: int, other: int) -> float:
    """GEO-3: the distance of two models, between the nearest points of their bases or hulls."""
    return apart(game, state, (one,), (other,)).nearest[one]


_NEAR, _TOUCHES = (bytes([mark & bit > 0 for mark in range(256)]) for bit in (NEAR, TOUCHES))
"""Which marks of `spans` say that somebody is near, and that somebody touches."""


@cites("HV-1")
def apart(game: Game, state: State, ours: tuple[int, ...], theirs: tuple[int, ...]) -> Apart:
    """HV-1: how far some models are from others horizontally, seen from above, and vertically; kept while nobody moves."""
    lookups: UnitIndex = game.lookups
    kept: Measured | None = lookups.measured
    if kept is None or kept.state is not state:
        kept = measured(game, state)
    found = kept.apart.get((ours, theirs))
    if found is None:
        rows = spans(kept.scene, lookups.bodies or bodies_of(game), ours, theirs, LIMITS)
        near = contact = NOBODY
        if any(rows.marks):
            near = frozenset(compress(ours, rows.marks.translate(_NEAR)))
            contact = frozenset(compress(ours, rows.marks.translate(_TOUCHES)))
        found = kept.apart[ours, theirs] = Apart(dict(zip(ours, rows.nearest, strict=True)), near, contact)
    return found


def bodies_of(game: Game) -> Bodies:
    """What the height of a model says about distances: where its hull hangs, how tall it is, and if it stands on its body."""
    lookups: UnitIndex = game.lookups
    found = lookups.bodies
    if found is None:
        wide, over = overhanging(game) or (NOBODY, game.field)
        found = _bodies.get(game.field, wide)
        if found is None:
            heights = [
                from_hull(model.height) if model.base.kind == RECT or slot in wide else model.height  # as `is_hull` says
                for slot, model in enumerate(game.models)
            ]
            found = _bodies.put(game.field, wide, Bodies(over, pack(f"<{len(heights)}i", *heights)))
        lookups.bodies = found
    return found


_bodies: FormCache[Field, Bodies] = FormCache()
"""What heights say about distances on fields lately met, by whose hulls hang over their bases."""
_hung: FormCache[Field, Field] = FormCache()
"""The fields on which those stand on their hulls."""


@cites("B2B-2")
def overhanging(game: Game) -> tuple[frozenset[int], Field] | None:
    """B2B-2, GEO-2: the models whose hull hangs over their base, and a field in which they stand on it; None without any."""
    lookups = index_of(game)
    if not lookups.aircraft:
        return None
    found = lookups.flown.get("hulls")
    if not isinstance(found, tuple):
        bases, starts, fighters = game.field.bases, game.starts, lookups.fighters
        flyers = chain.from_iterable([range(starts[k], starts[k + 1]) for k in lookups.aircraft])
        aloft = [s for s in flyers if "AIRCRAFT" in fighters[s].keywords and bases[s][:3] == (0, 0, FLYING_BASE)]
        over = frozenset(aloft)
        found = lookups.flown["hulls"] = over, _hung.get(game.field, over) or _hung.put(game.field, over, _on_hulls(game, over))
    return found if found[0] else None


def _on_hulls(game: Game, over: frozenset[int]) -> Field:
    """The field of a game on which some models stand on their hulls."""
    bases = list(game.field.bases)
    for slot in over:
        bases[slot] = Base.rect(*HULL, bases[slot].height)
    return Field(game.field.ground, bases)


RECT = "rect"
"""The kind of base that is a body."""
FLYING_BASE, HULL = half(millimetres(60)), (millimetres(120), millimetres(150))
"""GEO-2: the radius of the base AIRCRAFT have that carry a hull of 150 by 120 mm."""
OVERHANG = sum(HULL)
"""By more than two such hulls together hang over their bases toward each other."""


GROUND = 500
"""GROUND-2: how high the ground floor of a terrain piece may lie and still be ground level."""


@cites("GROUND-1")
@cites("GROUND-2")
def at_ground(state: State, slot: int) -> bool:
    """GROUND-1, GROUND-2: on the battlefield's surface, in terrain or not, or on the ground floor of a piece."""
    return memoryview(state.z).cast("i")[slot] <= GROUND


def is_hull(game: Game, slot: int) -> bool:
    """GEO-2: whether a model stands on its body instead of a base, or its hull hangs over that."""
    if game.models[slot].base.kind == RECT:
        return True
    hulls = overhanging(game)
    return hulls is not None and slot in hulls[0]


@cites("HULL-1")
def from_hull(height: int) -> int:
    """HULL-1: where one of two has no base, from the part of the lower body that is nearest: its top (see `Bodies`)."""
    return -1 - height


@cites("WITHIN-2")
def range_to(game: Game, state: State, slot: int, host: Host) -> float:
    """WITHIN-2: how far a model is from a unit: from the model of it that is nearest."""
    return apart(game, state, (slot,), host.slots).nearest[slot]


@cites("GEO-3")
def gaps_from(game: Game, state: State, unit: int) -> list[float]:
    """GEO-3: how far a unit is from each unit, by number, heights and hulls included; infinitely from whom is not there."""
    kept: Measured | None = game.lookups.measured
    if kept is None or kept.state is not state:
        kept = measured(game, state)
    found = kept.units.get(unit)
    if found is None:
        found = kept.units[unit] = _gaps_from(game, state, kept.scene, unit)
    return found


def _gaps_from(game: Game, state: State, scene: Scene, unit: int) -> list[float]:
    """The same, measured anew: in plan, and with heights and hulls where somebody is raised or hangs over his base."""
    flat = game.gaps_from(state, unit)
    if level(state.z) and not index_of(game).aircraft:
        return flat
    odd, found = measured_apart(game, state), list(flat)
    others = [k for k in (range(len(flat)) if unit in odd else odd) if flat[k] < inf and k != unit]
    for k, gap in zip(others, _true_gaps(game, state, scene, unit, others), strict=True):
        found[k] = gap
    return found


def with_enemies_within(game: Game, state: State, units: Sequence[int], limit: int) -> list[int]:
    """Those of some units that have an enemy unit on the table within a distance, heights and hulls included, in order.

    All are asked at once who is near them in plan; only those are measured truly, where it may be further.
    """
    close = perhaps_within(game, state, limit)
    if not close:
        return []
    standing, sides, odd = game.standing(state), game.sides, measured_apart(game, state)
    found = []
    for unit in close.keys() & units:
        foes, plain, unsure = standing[1 - sides[unit]], unit not in odd, []
        for k, gap in close[unit]:
            if k in foes:
                if not plain or k in odd:
                    unsure.append(k)
                elif gap <= limit + EPSILON:  # as near as in plan
                    found.append(unit)
                    break
        else:
            if unsure and units_within(game, state, unit, unsure, limit):
                found.append(unit)
    return sorted(found)


def perhaps_within(game: Game, state: State, limit: int) -> Close:
    """The enemies each unit may have within a distance, and the gaps in plan; found for all at once while nobody moves."""
    kept: Measured | None = game.lookups.measured
    if kept is None or kept.state is not state:
        kept = measured(game, state)
    found = kept.within.get(limit)
    if found is None:
        far = limit + (EPSILON if level(state.z) else 2 * EPSILON) + (OVERHANG if overhung(game) else 0)
        found = kept.within[limit] = close_units(kept.scene, far)
    return found


def measured_apart(game: Game, state: State) -> frozenset[int]:
    """The units of which somebody is raised or hangs over his base: how far they are, plan alone does not say."""
    return raised(game, state).union(overhung(game))


def least_gaps(game: Game, state: State, unit: int) -> list[float]:
    """How far a unit is from each unit at least: in plan, which heights add to, and as far as hulls may hang over bases."""
    kept: Measured | None = game.lookups.measured
    if kept is None or kept.state is not state:
        kept = measured(game, state)
    found = kept.least.get(unit)
    if found is None:
        found = gaps_in(kept.scene, kept.gaps, unit)
        found = kept.least[unit] = _overhanging_gaps(game, unit, found) if game.lookups.aircraft else found
    return found


def _overhanging_gaps(game: Game, unit: int, flat: list[float]) -> list[float]:
    """The gaps of a unit in plan, shorter where hulls may hang over their bases."""
    wide, found = overhung(game), list(flat)
    for k in range(len(flat)) if unit in wide else wide:
        found[k] -= OVERHANG
    return found


def units_within(game: Game, state: State, unit: int, others: Sequence[int], limit: int) -> list[int]:
    """Those of some units within a distance of a unit, heights and hulls included; who is too far in plan is not measured."""
    least, most = least_gaps(game, state, unit), limit + EPSILON + EPSILON
    near = [k for k in others if least[k] <= most]
    if not near:
        return near
    if level(state.z) and not game.lookups.aircraft:
        return [k for k in near if within(least[k], limit)]
    odd, true = measured_apart(game, state), dict[int, float]()
    unsure = near if unit in odd else [k for k in near if k in odd]
    if unsure:
        true = dict(zip(unsure, _true_gaps(game, state, game.scene(state), unit, unsure), strict=True))
    return [k for k in near if within(true.get(k, least[k]), limit)]


def _true_gaps(game: Game, state: State, scene: Scene, unit: int, others: Sequence[int]) -> list[float]:
    """How far a unit is from each of others, measured model by model."""
    slots = [state.units[k].living for k in others]
    far = iter(spans(scene, bodies_of(game), tuple(chain.from_iterable(slots)), state.units[unit].living, LIMITS).nearest)
    return [min(islice(far, len(theirs))) for theirs in slots]


def raised(game: Game, state: State) -> frozenset[int]:
    """The units of which somebody stands above the ground."""
    if level(state.z):
        return NOBODY
    kept = measured(game, state)
    if kept.raised is None:
        kept.raised = frozenset([state.owner_of(slot) for slot, z in enumerate(memoryview(state.z).cast("i")) if z])
    return kept.raised


@lru_cache(maxsize=16)
def level(z: bytes) -> bool:
    """Whether everybody stands on the ground."""
    return not any(z)


def whole(state: State, host: Host) -> bool:
    """Whether all parts of a unit stand together on the table, and none of it on paper alone."""
    living = state.units[host.unit].living
    return host.slots == living or set(host.slots) == set(living)


@cites("ER-1")
def engaged(game: Game, state: State, ours: tuple[int, ...], theirs: tuple[int, ...]) -> frozenset[int]:
    """ER-1: those of some models within 1" horizontally and 5" vertically of any of others."""
    return apart(game, state, ours, theirs).engaged


@cites("B2B-1")
def touching(game: Game, state: State, ours: tuple[int, ...], theirs: tuple[int, ...]) -> frozenset[int]:
    """B2B-1: those of some models in base contact: bases touch in plan, and bodies overlap or touch in height."""
    return apart(game, state, ours, theirs).touching


def enemies_engaged(game: Game, state: State, host: Host) -> tuple[int, ...]:
    """The enemy units within Engagement Range of a unit, by number."""
    kept: Measured | None = game.lookups.measured
    if kept is None or kept.state is not state:
        kept = measured(game, state)
    found = kept.engaged.get(host)
    if found is None:
        found = kept.engaged[host] = tuple(_enemies_engaged(game, state, host))
    return found


def _enemies_engaged(game: Game, state: State, host: Host) -> Sequence[int]:
    """The same, measured anew: unit by unit in plan, then model by model where that does not say it."""
    if whole(state, host):
        near = close_by(game, state, host.unit)
        if not near:
            return ()
        wide = overhung(game)
        own = OVERHANG if host.unit in wide else 0
        near = [(k, gap - (OVERHANG if k in wide else own)) for k, gap in near] if wide else near
        enemies = tuple([k for k, gap in near if gap <= LIMITS.flat and state.units[k].where == TABLE])
        if not enemies or (level(state.z) and not own and set(wide).isdisjoint(enemies)):
            return enemies
    elif on_table(state.xy).isdisjoint(host.slots):
        return ()
    else:
        enemies = game.standing(state)[1 - game.sides[host.unit]]
    return tuple([k for k in enemies if _anyone_engaged(game, state, host.slots, state.units[k].living)])


def close_by(game: Game, state: State, unit: int) -> Sequence[tuple[int, float]]:
    """The enemy units that stand close to a unit, with the gap to each."""
    return close_to(game, state).get(unit, ())


def close_to(game: Game, state: State) -> Close:
    """The same for all units that have any; found at once while nobody moves."""
    kept: Measured | None = game.lookups.measured
    if kept is None or kept.state is not state:
        kept = measured(game, state)
    if kept.close is None:
        kept.close = _close(game, kept)
    return kept.close


def _close(game: Game, kept: Measured) -> Close:
    """The enemies close to each unit; hulls that hang over their bases are close from further away."""
    found, wide = close_units(kept.scene, CLOSE), overhung(game)
    if wide:
        found = dict(found)
    for unit in wide:
        if kept.state.units[unit].where == TABLE:
            for k, gap in _close_by_hull(game, kept, unit):
                found[unit] = sorted({*found.get(unit, ()), (k, gap)})
                found[k] = sorted({*found.get(k, ()), (unit, gap)})
    return found


def _close_by_hull(game: Game, kept: Measured, unit: int) -> list[tuple[int, float]]:
    """The enemies of a unit whose bases are no longer close to it, but perhaps its hull is; on the ground that is measured."""
    gaps, far = gaps_in(kept.scene, kept.gaps, unit), CLOSE + OVERHANG
    near = [(k, gaps[k]) for k in game.units_of[1 - game.sides[unit]] if CLOSE < gaps[k] <= far]
    if not near or not level(kept.z):
        return near
    true = _true_gaps(game, kept.state, kept.scene, unit, [k for k, _ in near])
    return [one for one, gap in zip(near, true, strict=True) if gap <= CLOSE]


def overhung(game: Game) -> tuple[int, ...]:
    """The units whose hulls may hang over their bases; found once a game."""
    lookups: UnitIndex = game.lookups
    found = lookups.overhung
    if found is None:
        found = lookups.overhung = lookups.aircraft if overhanging(game) is not None else ()
    return found


def nobody_close(game: Game, state: State) -> bool:
    """Whether no unit at all stands close to an enemy."""
    return not close_to(game, state)


def nobody_engaged(game: Game, state: State) -> bool:
    """Whether no unit at all is within Engagement Range of an enemy, neither by positions nor by a mark."""
    kept: Measured | None = game.lookups.measured
    if kept is None or kept.state is not state:
        kept = measured(game, state)
    if kept.calm is state.units:
        return True
    if kept.close is None:
        kept.close = _close(game, kept)
    if kept.close or ENGAGED in game.words(state):
        return False
    kept.calm = state.units
    return True


def close_to_foes(game: Game, state: State) -> Collection[int] | None:
    """The units that stand close to an enemy; None where marks say that some are engaged, whoever is near them."""
    kept: Measured | None = game.lookups.measured
    if kept is None or kept.state is not state:
        kept = measured(game, state)
    if kept.close is None:
        kept.close = _close(game, kept)
    return None if kept.calm is not state.units and ENGAGED in game.words(state) else kept.close


def by_itself(game: Game, state: State, host: Host) -> bool:
    """Whether no enemy stands close to a unit, which then is neither in Engagement Range of one nor across a barricade."""
    kept: Measured | None = game.lookups.measured
    if kept is None or kept.state is not state:
        kept = measured(game, state)
    if kept.close is None:
        kept.close = _close(game, kept)
    return host.unit not in kept.close and (host.slots == state.units[host.unit].living or whole(state, host))


def piece_gap(scene: Scene, slot: int, piece: int) -> float:
    """How far a model of a scene is from a terrain piece in plan, 0 where they meet."""
    return max(base_gap(scene, slot, piece), 0.0)


@cites("OC-2")
def in_range(scene: Scene, slot: int, marker: int) -> bool:
    """OC-2: whether a model of a scene is within range of a marker: 3" in plan, and not more than 5" above it."""
    return within(piece_gap(scene, slot, marker), MARKER_RANGE) and _beside(scene.z, slot)


def marker_gap(scene: Scene, slot: int, marker: int) -> float:
    """How far a model of a scene is from a marker, heights included (GEO-3); those lie on the ground (MIS-9)."""
    return hypot(piece_gap(scene, slot, marker), memoryview(scene.z).cast("i")[slot])


@cites("UER-1")
def _anyone_engaged(game: Game, state: State, ours: tuple[int, ...], theirs: tuple[int, ...]) -> bool:
    """UER-1: the Engagement Range of a unit is that of all its models together."""
    return bool(engaged(game, state, ours, theirs))


def measured(game: Game, state: State) -> Measured:
    """What was measured while everybody stands as now."""
    kept: Measured | None = game.lookups.measured
    if kept is not None and kept.state is state:
        return kept
    if (
        kept is None
        or kept.xy is not state.xy
        or kept.owner is not state.owner
        or kept.z is not state.z
        or kept.facing is not state.facing
    ):
        kept = game.lookups.measured = Measured(game, state)
    kept.state = state
    return kept


@cites("OC-2")
def near_markers(game: Game, state: State) -> Mapping[str, Sequence[int]]:
    """OC-2: the models within range of each marker, in order; found at once for all, and kept while nobody moves."""
    kept = measured(game, state)
    if kept.near is None:
        lookups, hulls = index_of(game), overhanging(game)
        scene = kept.scene if hulls is None else replace(kept.scene, field=hulls[1])  # GEO-2: a hull is measured from
        near = near_pieces(scene, lookups.markers, MARKER_RANGE + EPSILON)
        if not level(state.z):
            near = [[slot for slot in slots if _beside(state.z, slot)] if slots else slots for slots in near]
        kept.near = dict(zip(lookups.marker_ids, near, strict=True))
    return kept.near


def _beside(z: bytes, slot: int) -> bool:
    """OC-2: not more than 5" above a marker; those lie on the ground (MIS-9)."""
    return within(memoryview(z).cast("i")[slot], MARKER_RISE)


def is_engaged(game: Game, state: State, host: Host) -> bool:
    """Whether a unit is within Engagement Range of an enemy: by its mark, or by positions."""
    held = state.units[host.unit]
    if held.marks and ENGAGED in dict(held.marks):
        return True
    return not by_itself(game, state, host) and bool(enemies_engaged(game, state, host))


@cites("FGT-5")
def strikers(game: Game, state: State, attacker: Host, target: Host) -> tuple[int, ...]:
    """FGT-5: models within Engagement Range (or across a barricade), and those touching a fellow that touches the enemy."""
    kept = measured(game, state).strikers
    found = kept.get((attacker, target))
    if found is None:
        found = kept[attacker, target] = _strikers(game, state, attacker, target)
    return found


def _strikers(game: Game, state: State, attacker: Host, target: Host) -> tuple[int, ...]:
    """The same, measured anew."""
    from rolloff.editions.commentary.barricades import among, barricades, between  # which measures between places

    here = on_table(state.xy)
    own = tuple([slot for slot in attacker.slots if slot in here])
    enemies = tuple([slot for slot in target.slots if slot in here])
    near, front = engaged(game, state, own, enemies), touching(game, state, own, enemies)
    pieces, scene, far = barricades(game), game.scene(state), apart(game, state, own, enemies).nearest
    rest = tuple([slot for slot in own if slot not in near and far[slot] <= CLOSE]) if pieces else ()
    if rest:
        pieces = among(scene, pieces, rest + enemies)
        near |= {slot for slot in rest if pieces and any(between(scene, pieces, slot, enemy) >= 0 for enemy in enemies)}
    others = tuple([slot for slot in own if slot not in near])
    second = {slot for slot in others if slot in front and touching(game, state, (slot,), tuple(front - {slot}))}
    if others and front:
        second |= touching(game, state, others, tuple(front)) - front
    return tuple([slot for slot in own if slot in near or slot in second])
