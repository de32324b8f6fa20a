"""Sight and cover (VIS, RUIN, TER): who sees whom, how fully, past what, and who has the Benefit of Cover.

Sight is computed as VIS-6 says, from samples of both bodies. What blocks depends on the question: solid parts of terrain,
the bodies of other models, and the footprints of ruins; for full visibility those of woods too.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import compress
from math import inf
from typing import NamedTuple

from msgspec.structs import replace

from rolloff.editions.commentary.ground import BARRICADE, CRATER, DEBRIS, HILL, RUIN, SEALED, WOODS
from rolloff.editions.commentary.lookups import Host, index_of
from rolloff.editions.commentary.places import Measured, measured, on_table, overhanging
from rolloff.geometry import sampled
from rolloff.geometry.field import Ground, Scene
from rolloff.geometry.measure import BESIDE, INSIDE, WHOLLY, footings, wholly_within
from rolloff.geometry.sampled import Shots
from rolloff.geometry.samples import ENDLESS, Prism, clear_pair, prisms_of, samples_of
from rolloff.geometry.shapes import Base
from rolloff.geometry.spans import Bodies
from rolloff.identity_cache import IdentityCache
from rolloff.lengths import INCH
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.table.state import NOWHERE, State

ABOVE = frozenset({"AIRCRAFT", "TOWERING"})  # RUIN-5
"""RUIN-5, TER-7: to and from these sight is normal."""
NONE, VISIBLE, FULLY = "none", "visible", "fully"


class Look(NamedTuple):
    """What one model sees of another: a clear line, or the pieces and models in the way."""

    seen: bool
    line: tuple[tuple[float, float], tuple[float, float]] | None = None
    piece: int = -1
    slot: int = -1


class Stance(NamedTuple):
    """What the place of a model says, by screen and by feature: which it sees out of, is seen into, and what covers it."""

    out_of: bytes
    into: bytes
    cover: bytes


class Stances(NamedTuple):
    """The same of several models, each list in their order."""

    out_of: tuple[bytes, ...] = ()
    into: tuple[bytes, ...] = ()
    cover: tuple[bytes, ...] = ()


class Sort(NamedTuple):
    """What sight and cover ask of a model besides its place: is it seen over everything, and is it INFANTRY."""

    lofty: bool
    infantry: bool


DEPTH = 1.0
"""How deep a base reaches into a footprint it is in, and does not merely touch."""
BY = 3 * INCH + 1
"""TER-4: how near to a barricade all of a model is that it may cover."""


OPAQUE = True  # VIS-5
"""VIS-5: solid terrain blocks, and bodies but those of the observer's unit (and the target's, for full visibility)."""


@cites("RUIN-1", "RUIN-6")
def ruins_of(game: Game) -> list[int]:
    """RUIN-1, RUIN-6: the footprints of ruins block, each judged by itself."""
    return [k for k, place in enumerate(game.field.ground.places) if place.kinds & RUIN]


@cites("TER-7")
def woods_of(game: Game) -> list[int]:
    """TER-7: through or over woods nobody outside sees fully what lies beyond."""
    return [k for k, place in enumerate(game.field.ground.places) if place.kinds & WOODS]


class Terrain:
    """The terrain of a table as sight meets it: solid parts, footprints that act by themselves, features that cover."""

    def __init__(self, game: Game) -> None:
        """Look at every piece once."""
        places, pieces = game.field.ground.places, game.table.terrain
        parents = {piece.id: k for k, piece in enumerate(pieces)}
        solids: list[Prism] = []
        self.solid_piece: list[int] = []
        parts: dict[int, list[int]] = {}
        for k, (place, piece) in enumerate(zip(places, pieces, strict=True)):
            if piece.solid:
                owner = parents.get(piece.id.partition(".")[0], k) if "." in piece.id else k
                prisms = prisms_of(place, float(piece.bottom), float(piece.height))
                parts.setdefault(owner, []).extend(range(len(solids), len(solids) + len(prisms)))
                solids += prisms
                self.solid_piece += [k] * len(prisms)
        self.woods = woods_of(game)
        self.screens = [(k, False) for k in ruins_of(game)] + [(k, True) for k in self.woods]
        kinds = RUIN | WOODS | CRATER | BARRICADE | DEBRIS | HILL | SEALED
        self.features = [(k, place.kinds) for k, place in enumerate(places) if place.kinds & kinds]
        screens = [(woody, prisms_of(places[k], -ENDLESS, ENDLESS)) for k, woody in self.screens]
        of_piece = [
            (parts.get(k, ()), [n for n, (piece, _) in enumerate(self.screens) if piece == k]) for k, _ in self.features
        ]
        self.drop = sampled.Backdrop(game.field, solids, screens, of_piece)
        self.pieces = tuple(k for k, _ in self.features)
        self.limits = tuple(float(BY) if kinds & BARRICADE else -inf for _, kinds in self.features)
        self.stances: dict[tuple[bytes, Sort], Stance] = {}
        """What places say, by how a model stands there to each feature and of what sort it is: nothing else counts."""


MOST_STANCES = 8192
"""How many are kept; then all are let go."""
_terrains: IdentityCache[Ground, Terrain] = IdentityCache(64)
"""The terrain of tables met lately, by their ground, which says all about it; games on a table share one."""


class Scenery:
    """The terrain of a table before the models of a game."""

    def __init__(self, game: Game) -> None:
        """Look at the terrain, or remember it."""
        ground = game.field.ground
        terrain = self.terrain = _terrains.get(ground) or _terrains.put(ground, Terrain(game))
        self.screens, self.features, self.woods = terrain.screens, terrain.features, terrain.woods
        hulls = overhanging(game)
        self.field = game.field if hulls is None else hulls[1]
        self.drop = terrain.drop.before(self.field)
        self.looks: dict[tuple[int, ...], tuple[tuple[float, ...], tuple[Sort, ...]]] = {}
        self.rows: dict[tuple[tuple[int, ...], bytes, bytes, bytes], Stances] = {}
        self.cuts: dict[tuple[int, ...], tuple[slice, ...]] = {}  # what of xy, z and facing is about some models

    def piece_of(self, prism: int) -> int:
        """The terrain piece a prism is of."""
        return self.terrain.solid_piece[prism] if prism < self.drop.solids else self.screens[self.drop.screen[prism]][0]


@cites("VIS-7")
def looking_out(into: bool, out: bool) -> bool:
    """VIS-7: an observer lifts a screen otherwise than a target: the answer the other way may differ."""
    return out


class Sight:
    """Questions about one moment; answers are kept as long as nobody moves."""

    def __init__(self, game: Game, state: State) -> None:
        """Look at a state."""
        self.state, self.stood, self.bases = state, game.scene(state), game.field.bases  # not the game, which holds this
        lookups = index_of(game)
        self.fighters = lookups.fighters
        scenery = lookups.flown.get("scenery")
        if not isinstance(scenery, Scenery):
            scenery = lookups.flown["scenery"] = Scenery(game)
        self.scenery = scenery
        self.scene = self._bodily(game)
        self._rows: dict[tuple[int, ...], Stances] = {(): Stances()}
        self._seers: dict[tuple[tuple[int, ...], tuple[int, ...]], tuple[int, ...]] = {}
        self._covers: dict[tuple[tuple[int, ...], tuple[int, ...]], dict[int, int]] = {}

    @cites("GEO-2")
    def _bodily(self, game: Game) -> Scene:
        """GEO-2: everybody as he is seen: the hull of AIRCRAFT is part of the body, though it stands on its base."""
        field = self.scenery.field
        return self.stood if field is game.field else replace(self.stood, field=field)

    def stands(self, slot: int) -> bool:
        """Whether a model is on the table."""
        return self.state.at(slot)[0] != NOWHERE

    # plain visibility

    @cites("VIS-1")
    def look(self, observer: int, target: int) -> Look:
        """VIS-1: whether any part of a model can be seen from any part of another, with the line or what is in the way."""
        out, into = self.stance(observer).out_of, self.stance(target).into
        blocks = sampled.between(self.scenery.drop, self.scene, OPAQUE, observer, out, target, into)
        a, b = samples_of(self.scene, observer), samples_of(self.scene, target)
        found = clear_pair([prism for prism, _, _ in blocks], a, b)
        if isinstance(found, tuple):
            p, q = a[found[0]], b[found[1]]
            return Look(True, ((p[0], p[1]), (q[0], q[1])))
        _, prism, slot = blocks[found]
        return Look(False, None, self.scenery.piece_of(prism) if prism >= 0 else -1, slot)

    @cites("VIS-1")
    def watchers(self, observers: tuple[int, ...], targets: tuple[int, ...]) -> tuple[int, ...]:
        """VIS-1: those of some models that see any part of any of others; what `look` says of each pair, asked at once."""
        key = observers, targets
        found = self._seers.get(key)
        if found is None:
            out_of, into = self.stances(observers).out_of, self.stances(targets).into
            sees = sampled.seen(self.scenery.drop, self.scene, OPAQUE, observers, out_of, targets, into)
            found = self._seers[key] = tuple(compress(observers, sees))
        return found

    @cites("VIS-1")
    def in_aim(self, bodies: Bodies, observers: tuple[int, ...], targets: tuple[int, ...], shots: Shots) -> bytes:
        """VIS-1: of weapons of some models 1 for each that reaches any of others and, where it must, has sight of one."""
        rows = self._rows
        out_of = (rows.get(observers) or self.stances(observers)).out_of
        into = (rows.get(targets) or self.stances(targets)).into
        return sampled.in_aim(self.scenery.drop, self.scene, OPAQUE, bodies, observers, out_of, targets, into, shots)

    def seers(self, observers: tuple[int, ...], host: Host) -> tuple[int, ...]:
        """The models among some that see a unit."""
        seen = looked_at(host)
        here = seen if on_table(self.state.xy).issuperset(seen) else tuple(slot for slot in seen if self.stands(slot))
        return self.watchers(observers, here)

    def sees_unit(self, observer: int, host: Host) -> bool:
        """Whether a model sees a unit."""
        return bool(self.seers((observer,), host))

    # full visibility

    @cites("VIS-3")
    def fully(self, observer: int, target: int) -> bool:
        """VIS-3: whether every part of a model that faces another can be seen from some part of it."""
        if not self._in_the_open(observer, target):
            return False
        out, into = self.stance(observer).out_of, self.stance(target).into
        return sampled.whole(self.scenery.drop, self.scene, OPAQUE, observer, out, target, into)

    @cites("TER-7")
    def _in_the_open(self, observer: int, target: int) -> bool:
        """TER-7: a model wholly within woods is never fully visible."""
        if self._lofty(observer) or self._lofty(target):
            return True
        return not any(wholly_within(self.stood, target, piece) for piece in self.scenery.woods)

    # where each model stands

    def stances(self, slots: tuple[int, ...]) -> Stances:
        """What the places of some models say; kept while everybody between the first and the last of them stands there."""
        known = self._rows.get(slots)
        if known is not None:
            return known
        state, cuts = self.state, self.scenery.cuts.get(slots)
        if cuts is None:
            first, after = min(slots), max(slots) + 1
            cuts = self.scenery.cuts[slots] = tuple([slice(size * first, size * after) for size in (8, 4, 2)])
        xy, z, facing = cuts
        key = slots, state.xy[xy], state.z[z], state.facing[facing]
        found = self.scenery.rows.get(key)
        if found is None:
            found = self.scenery.rows[key] = self._stances(slots)
        self._rows[slots] = found
        return found

    def stance(self, slot: int) -> Stance:
        """What the place of a model says."""
        (out_of,), (into,), (cover,) = self.stances((slot,))
        return Stance(out_of, into, cover)

    def _stances(self, slots: tuple[int, ...]) -> Stances:
        """The same, found out: by how each stands to the features, and what sort of model it is."""
        terrain, looks = self.scenery.terrain, self.scenery.looks.get(slots)
        if looks is None:
            wide = tuple([_across(self.bases[slot]) for slot in slots])
            looks = self.scenery.looks[slots] = wide, tuple([_sort(self.fighters[slot].keywords) for slot in slots])
        wide, sorts = looks
        known, rows = terrain.stances, footings(self.stood, slots, wide, terrain.pieces, terrain.limits, DEPTH)
        keys = list(zip(rows, sorts, strict=True))
        found = list(map(known.get, keys))
        if None in found:
            if len(known) >= MOST_STANCES:
                known.clear()
            found = [known.get(key) or known.setdefault(key, self._stance(*key)) for key in keys]
        return Stances(*zip(*found, strict=True))

    def _stance(self, row: bytes, sort: Sort) -> Stance:
        """What a place says to a sort of models, by how they stand there to each feature."""
        terrain = self.scenery.terrain
        cover = bytes([self._cover(kinds, at, sort) for (_, kinds), at in zip(terrain.features, row, strict=True)])
        if sort.lofty:
            lifted = bytes([True]) * len(terrain.screens)
            return Stance(lifted, lifted, cover)
        at = dict(zip(terrain.pieces, row, strict=True))
        out_of, into = [], []
        for piece, woody in terrain.screens:
            within, out = self._into(at[piece]), self._out_of(at[piece])
            out_of.append(out if woody else looking_out(within, out))
            into.append(not woody and within)
        return Stance(bytes(out_of), bytes(into), cover)

    def _lofty(self, slot: int) -> bool:
        return _sort(self.fighters[slot].keywords).lofty

    @cites("RUIN-2", "RUIN-4")
    def _into(self, footing: int) -> bool:
        """RUIN-2, RUIN-4: models see into a ruin, and inside it."""
        return footing & INSIDE > 0

    @cites("RUIN-3")
    def _out_of(self, footing: int) -> bool:
        """RUIN-3: models see out of a ruin if they are wholly within."""
        return footing & WHOLLY > 0

    # cover

    def covers(self, observers: tuple[int, ...], targets: tuple[int, ...]) -> dict[int, int]:
        """The feature that gives each of some models the Benefit of Cover against a unit; -1 for none."""
        key = observers, targets
        found = self._covers.get(key)
        if found is None:
            out_of, (_, into, rows) = self.stances(observers).out_of, self.stances(targets)
            features = sampled.cover(self.scenery.drop, self.scene, observers, out_of, targets, into, rows)
            found = self._covers[key] = dict(zip(targets, features, strict=True))
        return found

    def covered(self, observers: tuple[int, ...], target: int) -> tuple[str, int] | None:
        """Why a model has the Benefit of Cover by its place against a unit: the clause and the piece; None if it has none."""
        feature = self.covers(observers, (target,))[target]
        if feature < 0:
            return None
        piece, kinds = self.scenery.features[feature]
        return ("TER-3" if kinds & CRATER else _clause_of(kinds)), piece

    def _cover(self, kinds: int, footing: int, sort: Sort) -> int:
        """What a feature is to a model that stands to it like this."""
        if kinds & CRATER:
            return self._in_crater(footing) if sort.infantry else sampled.OPEN
        if kinds & (RUIN | WOODS) and footing & WHOLLY:
            return sampled.COVERED
        if kinds & BARRICADE and not (sort.infantry and self._by_barricade(footing)):
            return sampled.OPEN
        return partly_hidden()

    @cites("TER-3", "CRATER-1")
    def _in_crater(self, footing: int) -> int:
        """TER-3, CRATER-1: INFANTRY wholly on top of a crater."""
        return sampled.COVERED if footing & WHOLLY else sampled.OPEN

    @cites("TER-4")
    def _by_barricade(self, footing: int) -> bool:
        """TER-4: wholly within 3" of a barricade."""
        return footing & BESIDE > 0


@lru_cache(maxsize=256)
def _across(base: Base) -> float:
    """How wide a base is at its widest."""
    return 2.0 * (base.r + max(base.hl, base.hw))


@lru_cache(maxsize=1024)
def _sort(keywords: tuple[str, ...]) -> Sort:
    """Of what sort a model with these keywords is."""
    return Sort(not ABOVE.isdisjoint(keywords), "INFANTRY" in keywords)


@cites("VIS-2")
def looked_at(host: Host) -> tuple[int, ...]:
    """VIS-2: a unit is visible to a model if one of its models is."""
    return host.slots


@cites("TER-2")
def partly_hidden() -> int:
    """TER-2: a feature covers a model that is not fully visible in a scene of that feature and the two models alone."""
    return sampled.HIDING


def _clause_of(kinds: int) -> str:
    names = ((RUIN, "TER-9"), (WOODS, "TER-7"), (BARRICADE, "TER-4"), (DEBRIS, "TER-5"), (HILL | SEALED, "TER-6"))
    return next(clause for bit, clause in names if kinds & bit)


def sight_of(game: Game, state: State) -> Sight:
    """The sight of a state; kept while nobody has moved or fallen."""
    kept: Measured | None = index_of(game).measured
    if kept is None or kept.state is not state:
        kept = measured(game, state)
    if kept.sight is None:
        kept.sight = Sight(game, state)
    return kept.sight


def visibility(game: Game, state: State, observer: int, target: int) -> str:
    """What one model sees of another: nothing, some of it, or all that faces it."""
    sight = sight_of(game, state)
    if not sight.look(observer, target).seen:
        return NONE
    return FULLY if sight.fully(observer, target) else VISIBLE
