"""Sight and cover (VIS, RUIN, TER): who sees whom, how fully, past what, and who has the Benefit of Cover.

Sight is computed as VIS-6 says, from samples of both bodies. What blocks depends on the question: solid parts of terrain,
the bodies of other models, and the footprints of ruins; for full visibility those of woods too.
"""

from __future__ import annotations

from itertools import compress
from math import inf
from operator import attrgetter
from typing import NamedTuple

from msgspec.structs import replace

from rolloff.editions.commentary.ground import BARRICADE, CRATER, DEBRIS, HILL, RUIN, SEALED, WOODS
from rolloff.editions.commentary.lookups import Host, index_of
from rolloff.editions.commentary.places import Measured, measured, on_table, overhanging
from rolloff.editions.commentary.stances import SORTS, said, sort_number
from rolloff.geometry import sampled
from rolloff.geometry.field import Ground, Scene
from rolloff.geometry.measure import wholly_within
from rolloff.geometry.sampled import Reaches, Shots
from rolloff.geometry.samples import ENDLESS, Prism, clear_pair, prisms_of, samples_of
from rolloff.geometry.spans import Bodies
from rolloff.geometry.stances import StanceTable, Stood, stances
from rolloff.identity_cache import IdentityCache
from rolloff.lengths import INCH
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.table.state import NOWHERE, State

NONE, VISIBLE, FULLY = "none", "visible", "fully"


class Look(NamedTuple):
    """What one model sees of another: a clear line, or the pieces and models in the way."""

    seen: bool
    line: tuple[tuple[float, float], tuple[float, float]] | None = None
    piece: int = -1
    slot: int = -1


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
        by_screen = [self.pieces.index(k) for k, _ in self.screens]
        self.about = (*by_screen, *by_screen, *range(len(self.features)))
        self.says = said([woody for _, woody in self.screens], [kinds for _, kinds in self.features])
        """What the places of models say by how they stand to features (`stances`)."""


_terrains: IdentityCache[Ground, Terrain] = IdentityCache(64)
"""The terrain of tables met lately, by their ground, which says all about it; games on a table share one."""


_keywords_of = attrgetter("keywords")


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
        sorts = map(sort_number, map(_keywords_of, index_of(game).fighters))
        self.table = StanceTable(terrain.pieces, terrain.limits, DEPTH, terrain.about, terrain.says, bytes(sorts))
        self.stood: Stood | None = None  # where everybody stood when it was asked last, and what that said

    def rows(self, scene: Scene) -> bytes:
        """What the places of all models say (`sampled`): of those that moved since it was asked last it is found out."""
        found = self.stood = stances(self.table, scene, self.stood)
        return found.rows

    def piece_of(self, prism: int) -> int:
        """The terrain piece a prism is of."""
        return self.terrain.solid_piece[prism] if prism < self.drop.solids else self.screens[self.drop.screen[prism]][0]


class Sight:
    """Questions about one moment; answers are kept as long as nobody moves."""

    def __init__(self, game: Game, state: State) -> None:
        """Look at a state."""
        lookups = index_of(game)
        self.state, self.stood, self.fighters = state, game.scene(state), lookups.fighters  # not the game, which holds this
        scenery = lookups.flown.get("scenery")
        if not isinstance(scenery, Scenery):
            scenery = lookups.flown["scenery"] = Scenery(game)
        self.scenery = scenery
        self.scene = self._bodily(game)
        self.rows = scenery.rows(self.stood)
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
        blocks = sampled.between(self.scenery.drop, self.scene, OPAQUE, self.rows, observer, target)
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
            sees = sampled.seen(self.scenery.drop, self.scene, OPAQUE, self.rows, observers, targets)
            found = self._seers[key] = tuple(compress(observers, sees))
        return found

    @cites("VIS-1")
    def in_aim(self, bodies: Bodies, observers: tuple[int, ...], groups: list[tuple[int, ...]], shots: Shots) -> list[bytes]:
        """VIS-1: by group of others, of weapons of some models 1 for each that reaches one and, where it must, sees it."""
        return sampled.in_aim(self.scenery.drop, self.scene, OPAQUE, bodies, self.rows, observers, groups, shots)

    @cites("VIS-1")
    def aiming(
        self,
        bodies: Bodies,
        reaches: Reaches,
        shooters: list[tuple[int, ...]],
        kinds: list[int],
        groups: list[tuple[int, ...]],
        sure: int,
    ) -> bytes:
        """VIS-1: of groups of models which have a weapon that reaches one of others and, where it must, sees it: 2 or 1."""
        drop, scene = self.scenery.drop, self.scene
        return sampled.aiming(drop, scene, OPAQUE, bodies, self.rows, reaches, shooters, kinds, groups, sure)

    def aims(self, bodies: Bodies, observers: tuple[int, ...], host: Host, reach: int) -> bool:
        """Whether any of some models sees one of a unit that is no further away than a weapon reaches."""
        shots = Shots(tuple(range(len(observers))), (reach,) * len(observers), bytes(len(observers)))
        return any(self.in_aim(bodies, observers, [self._standing(host)], shots)[0])

    def seers(self, observers: tuple[int, ...], host: Host) -> tuple[int, ...]:
        """The models among some that see a unit."""
        return self.watchers(observers, self._standing(host))

    def _standing(self, host: Host) -> tuple[int, ...]:
        """The models of a unit that are looked at and on the table."""
        seen = looked_at(host)
        return seen if on_table(self.state.xy).issuperset(seen) else tuple(slot for slot in seen if self.stands(slot))

    def sees_unit(self, observer: int, host: Host) -> bool:
        """Whether a model sees a unit."""
        return bool(self.seers((observer,), host))

    # full visibility

    @cites("VIS-3")
    def fully(self, observer: int, target: int) -> bool:
        """VIS-3: whether every part of a model that faces another can be seen from some part of it."""
        if not self._in_the_open(observer, target):
            return False
        return sampled.whole(self.scenery.drop, self.scene, OPAQUE, self.rows, observer, target)

    @cites("TER-7")
    def _in_the_open(self, observer: int, target: int) -> bool:
        """TER-7: a model wholly within woods is never fully visible."""
        if self._lofty(observer) or self._lofty(target):
            return True
        return not any(wholly_within(self.stood, target, piece) for piece in self.scenery.woods)

    def _lofty(self, slot: int) -> bool:
        """Whether a model is seen over everything."""
        return SORTS[sort_number(self.fighters[slot].keywords)].lofty

    # cover

    def covers(self, observers: tuple[int, ...], targets: tuple[int, ...]) -> dict[int, int]:
        """The feature that gives each of some models the Benefit of Cover against a unit; -1 for none."""
        key = observers, targets
        found = self._covers.get(key)
        if found is None:
            features = sampled.cover(self.scenery.drop, self.scene, self.rows, observers, targets)
            found = self._covers[key] = dict(zip(targets, features, strict=True))
        return found

    def covered(self, observers: tuple[int, ...], target: int) -> tuple[str, int] | None:
        """Why a model has the Benefit of Cover by its place against a unit: the clause and the piece; None if it has none."""
        feature = self.covers(observers, (target,))[target]
        if feature < 0:
            return None
        piece, kinds = self.scenery.features[feature]
        return ("TER-3" if kinds & CRATER else _clause_of(kinds)), piece


@cites("VIS-2")
def looked_at(host: Host) -> tuple[int, ...]:
    """VIS-2: a unit is visible to a model if one of its models is."""
    return host.slots


def _clause_of(kinds: int) -> str:
    names = ((RUIN, "TER-9"), (WOODS, "TER-7"), (BARRICADE, "TER-4"), (DEBRIS, "TER-5"), (HILL | SEALED, "TER-6"))
    return next(clause for bit, clause in names if kinds & bit)


def sight_of(game: Game, state: State) -> Sight:
    """The sight of a state; kept while nobody has moved or fallen."""
    kept: Measured | None = game.lookups.measured
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
