"""Sight and cover (VIS, RUIN, TER): who sees whom, how fully, past what, and who has the Benefit of Cover.

Sight is computed as VIS-6 says, from samples of both bodies. What blocks depends on the question: solid parts of terrain,
the bodies of other models, and the footprints of ruins; for full visibility those of woods too.
"""

from __future__ import annotations

from typing import NamedTuple

from rolloff.editions.commentary.ground import BARRICADE, CRATER, DEBRIS, HILL, RUIN, SEALED, WALL, WOODS
from rolloff.editions.commentary.lore import Host, Lore
from rolloff.geometry.measure import base_gap, wholly_within
from rolloff.geometry.samples import (
    ENDLESS,
    Prism,
    body_of,
    clear_pair,
    facing_samples,
    first_unseen,
    near,
    prisms_of,
    samples_of,
)
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


class Obstacle(NamedTuple):
    """A prism and what it is of: a terrain piece or a model."""

    prism: Prism
    piece: int = -1
    slot: int = -1


class Scenery:
    """The terrain of a table as sight meets it: solid parts, and footprints that act by themselves."""

    def __init__(self, game: Game) -> None:
        """Look at every piece once."""
        places = game.field.ground.places
        pieces = game.table.terrain
        self.features: list[tuple[int, int, tuple[Obstacle, ...]]] = []
        self.solids: list[Obstacle] = []
        self.ruins: list[tuple[int, tuple[Obstacle, ...]]] = []
        self.woods: list[tuple[int, tuple[Obstacle, ...]]] = []
        parents = {piece.id: k for k, piece in enumerate(pieces)}
        parts: dict[int, list[Obstacle]] = {}
        for k, (place, piece) in enumerate(zip(places, pieces, strict=True)):
            prisms = prisms_of(place, float(piece.bottom), float(piece.height))
            solid = tuple(Obstacle(prism, k) for prism in prisms) if piece.solid else ()
            self.solids += solid
            owner = parents.get(piece.id.partition(".")[0], k) if "." in piece.id else k
            parts.setdefault(owner, []).extend(solid)
            whole = tuple(Obstacle(prism, k) for prism in prisms_of(place, -ENDLESS, ENDLESS))
            if place.kinds & RUIN:
                self.ruins.append((k, whole))
            if place.kinds & WOODS:
                self.woods.append((k, whole))
        kinds = RUIN | WOODS | CRATER | BARRICADE | DEBRIS | HILL | SEALED
        self.features = [(k, place.kinds, tuple(parts.get(k, ()))) for k, place in enumerate(places) if place.kinds & kinds]
        self.walls = tuple(k for k, place in enumerate(places) if place.kinds & WALL)


@cites("VIS-7")
def one_way(observer: int, target: int) -> tuple[int, int]:
    """VIS-7: sight is asked from one to the other; the answer the other way may differ."""
    return observer, target


class Sight:
    """Questions about one moment; answers are kept as long as nobody moves."""

    def __init__(self, game: Game, state: State) -> None:
        """Look at a state."""
        self.game, self.state, self.scene = game, state, game.scene(state)
        self.lore: Lore = game.lore
        scenery = self.lore.flown.get("scenery")
        if not isinstance(scenery, Scenery):
            scenery = self.lore.flown["scenery"] = Scenery(game)
        self.scenery = scenery
        self.bodies = {
            slot: body_of(self.scene, slot) for unit in state.units for slot in unit.living if state.at(slot)[0] != NOWHERE
        }
        self._seen: dict[tuple[int, int], Look] = {}
        self._fully: dict[tuple[int, int], bool] = {}

    # plain visibility

    @cites("VIS-1")
    def look(self, observer: int, target: int) -> Look:
        """VIS-1: whether any part of a model can be seen from any part of another, with the line or what is in the way."""
        key = one_way(observer, target)
        if key not in self._seen:
            self._seen[key] = self._looked(observer, target)
        return self._seen[key]

    def _looked(self, observer: int, target: int) -> Look:
        blockers = self._between(observer, target, self._unit(observer), frozenset())
        blockers += self._ruins(observer, target)
        a, b = samples_of(self.scene, observer), samples_of(self.scene, target)
        found = clear_pair([blocker.prism for blocker in blockers], a, b)
        if isinstance(found, tuple):
            p, q = a[found[0]], b[found[1]]
            return Look(True, ((p[0], p[1]), (q[0], q[1])))
        return Look(False, None, blockers[found].piece, blockers[found].slot)

    @cites("VIS-2")
    def sees_unit(self, observer: int, host: Host) -> bool:
        """VIS-2: a unit is visible to a model if one of its models is."""
        return any(self.look(observer, slot).seen for slot in host.slots if slot in self.bodies)

    # full visibility

    @cites("VIS-3")
    def fully(self, observer: int, target: int) -> bool:
        """VIS-3: whether every part of a model that faces another can be seen from some part of it."""
        key = observer, target
        if key not in self._fully:
            blockers = self._between(observer, target, self._unit(observer), self._unit(target))
            blockers += self._ruins(observer, target)
            self._fully[key] = self._in_the_open(observer, target) and self._whole(
                observer, target, blockers + self._woods(observer, target)
            )
        return self._fully[key]

    def _whole(self, observer: int, target: int, blockers: list[Obstacle]) -> bool:
        corners = self.bodies[observer].corners
        axis = sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)
        prisms = [blocker.prism for blocker in blockers]
        return first_unseen(prisms, samples_of(self.scene, observer), facing_samples(self.scene, target, axis)) < 0

    @cites("TER-2")
    def hidden_by(self, feature: tuple[int, int, tuple[Obstacle, ...]], observer: int, target: int) -> bool:
        """TER-2: whether a model is not fully visible to another in a scene of that feature and the two alone."""
        piece, kinds, parts = feature
        blockers = [parts[k] for k in near([part.prism for part in parts], self.bodies[observer], self.bodies[target])]
        if kinds & RUIN:
            blockers += [block for block in self._ruins(observer, target) if block.piece == piece]
        if kinds & WOODS:
            blockers += [block for block in self._woods(observer, target) if block.piece == piece]
        return bool(blockers) and not self._whole(observer, target, blockers)

    # what is in the way

    def _unit(self, slot: int) -> frozenset[int]:
        return frozenset(self.state.units[self.state.owner_of(slot)].living)

    @cites("VIS-5")
    def _between(self, observer: int, target: int, own: frozenset[int], theirs: frozenset[int]) -> list[Obstacle]:
        """VIS-5: solid terrain, and bodies but those of the observer's unit (and the target's, for full visibility)."""
        a, b = self.bodies[observer], self.bodies[target]
        solids = self.scenery.solids
        found = [solids[k] for k in near([solid.prism for solid in solids], a, b)]
        others = [slot for slot in self.bodies if slot not in own and slot not in theirs and slot != target]
        found += [Obstacle(self.bodies[others[k]], slot=others[k]) for k in near([self.bodies[s] for s in others], a, b)]
        return found

    def _lofty(self, *slots: int) -> bool:
        return any(ABOVE & set(self.lore.fighters[slot].keywords) for slot in slots)

    @cites("RUIN-1", "RUIN-6")
    def _ruins(self, observer: int, target: int) -> list[Obstacle]:
        """RUIN-1, RUIN-6: the footprints of ruins between two models, each judged by itself."""
        if not self.scenery.ruins or self._lofty(observer, target):
            return []
        found: list[Obstacle] = []
        for piece, blocks in self.scenery.ruins:
            between = near([block.prism for block in blocks], self.bodies[observer], self.bodies[target])
            if between and not self._lifted(piece, observer, target):
                found += [blocks[k] for k in between]
        return found

    def _lifted(self, piece: int, observer: int, target: int) -> bool:
        """RUIN-2, RUIN-3, RUIN-4: models see into a ruin, inside it, and out of it if they are wholly within."""
        return self._into(piece, target) or self._out_of(piece, observer)

    @cites("RUIN-2", "RUIN-4")
    def _into(self, piece: int, target: int) -> bool:
        return base_gap(self.scene, target, piece) < -1.0

    @cites("RUIN-3")
    def _out_of(self, piece: int, observer: int) -> bool:
        return wholly_within(self.scene, observer, piece)

    @cites("TER-7")
    def _woods(self, observer: int, target: int) -> list[Obstacle]:
        """TER-7: through or over woods nobody outside sees fully what lies beyond."""
        if not self.scenery.woods or self._lofty(observer, target):
            return []
        found: list[Obstacle] = []
        for piece, blocks in self.scenery.woods:
            between = near([block.prism for block in blocks], self.bodies[observer], self.bodies[target])
            if between and not wholly_within(self.scene, observer, piece):
                found += [blocks[k] for k in between]
        return found

    @cites("TER-7")
    def _in_the_open(self, observer: int, target: int) -> bool:
        """TER-7: a model wholly within woods is never fully visible."""
        if self._lofty(observer, target):
            return True
        return not any(wholly_within(self.scene, target, piece) for piece, _ in self.scenery.woods)

    # cover

    def covered(self, observers: tuple[int, ...], target: int) -> tuple[str, int] | None:
        """Why a model has the Benefit of Cover by its place against a unit: the clause and the piece; None if it has none."""
        for feature in self.scenery.features:
            clause = self._cover(feature, observers, target)
            if clause:
                return clause, feature[0]
        return None

    def _cover(self, feature: tuple[int, int, tuple[Obstacle, ...]], observers: tuple[int, ...], target: int) -> str:
        piece, kinds, _ = feature
        infantry = "INFANTRY" in self.lore.fighters[target].keywords
        if kinds & CRATER:
            return self._in_crater(piece, target) if infantry else ""
        if kinds & (RUIN | WOODS) and wholly_within(self.scene, target, piece):
            return "TER-9" if kinds & RUIN else "TER-7"
        if kinds & BARRICADE and not (infantry and self._by_barricade(piece, target)):
            return ""
        hidden = any(self.hidden_by(feature, observer, target) for observer in observers if observer in self.bodies)
        return _clause_of(kinds) if hidden else ""

    @cites("TER-3", "CRATER-1")
    def _in_crater(self, piece: int, target: int) -> str:
        """TER-3, CRATER-1: INFANTRY wholly on top of a crater."""
        return "TER-3" if wholly_within(self.scene, target, piece) else ""

    @cites("TER-4")
    def _by_barricade(self, piece: int, target: int) -> bool:
        """TER-4: wholly within 3" of a barricade."""
        base = self.game.field.bases[target]
        across = 2 * (base.r + max(base.hl, base.hw))
        return base_gap(self.scene, target, piece) + across <= 3 * INCH + 1


def _clause_of(kinds: int) -> str:
    names = ((RUIN, "TER-9"), (WOODS, "TER-7"), (BARRICADE, "TER-4"), (DEBRIS, "TER-5"), (HILL | SEALED, "TER-6"))
    return next(clause for bit, clause in names if kinds & bit)


def sight_of(game: Game, state: State) -> Sight:
    """The sight of a state; kept while nobody has moved or fallen."""
    lore: Lore = game.lore
    kept = lore.flown.get("sight")
    if isinstance(kept, Sight) and kept.state.xy is state.xy and kept.state.owner is state.owner and kept.state.z is state.z:
        return kept
    made = lore.flown["sight"] = Sight(game, state)
    return made


def visibility(game: Game, state: State, observer: int, target: int) -> str:
    """What one model sees of another: nothing, some of it, or all that faces it."""
    sight = sight_of(game, state)
    if not sight.look(observer, target).seen:
        return NONE
    return FULLY if sight.fully(observer, target) else VISIBLE
