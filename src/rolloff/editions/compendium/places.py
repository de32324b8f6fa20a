"""What positions say about an attack where its form is silent: distances, sight, cover, contact, facing, who is closest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil

from rolloff.editions.compendium.lookups import Fighter, index_of
from rolloff.editions.compendium.matchup import singular
from rolloff.editions.compendium.weapons import whole
from rolloff.errors import BadInput
from rolloff.geometry.measure import crosses, gap, in_frame, pieces_at
from rolloff.geometry.sight import sees
from rolloff.lazy import lazy
from rolloff.lengths import INCH
from rolloff.rules.attack import AttackForm
from rolloff.rules.citing import cites
from rolloff.rules.play import Play
from rolloff.table.state import NOWHERE

SOFT, HARD, FORTIFIED = 32, 64, 128
COVERS = {FORTIFIED: 3, HARD: 4, SOFT: 5}
USUAL_COVER = 5
NO_COVER = 7
TOUCH = INCH // 10  # CF-MOVE-11
ENGAGEMENT = INCH  # CF-MOVE-11
NEAR_FELLOW = 6 * INCH  # CF-ALLOC-2
SUPPORT = 2 * INCH  # CF-ASLT-6
FRONT, SIDE, REAR = "front", "side", "rear"


def thou_of(distance: float) -> int:
    """A gap as whole thou, the book's tolerance of a millionth of an inch allowed for (CF-GEO-1)."""
    return max(0, ceil(distance - 0.001))


def needs(what: str) -> BadInput:
    """The sentence for a form that neither states nor shows what an attack needs."""
    return BadInput(
        "attack-incomplete",
        f"do.attack: {what} is neither given nor to be had from positions",
        where=f"do.attack.{what}",
        allowed="a value, or models with positions",
    )


def marked_cover(given: object) -> int:
    """The cover a mark gives: a number such as 4 or ``4+``; the mark alone is soft cover (CF-MOVE-9)."""
    if given is None or given is False:
        return NO_COVER
    if given is True or given == 1:
        return USUAL_COVER
    return whole(given.strip().removesuffix("+") if isinstance(given, str) else given, "marks.cover", 2, 6)


class Places:
    """One attack on the table; models without positions leave everything to the form."""

    def __init__(self, play: Play, form: AttackForm) -> None:
        """Look who stands where."""
        self.play = play
        self.form = form
        self.attackers = play.state.units[form.attacker].living
        self.targets = play.state.units[form.target].living
        across = memoryview(play.state.xy).cast("i")
        standing = [across[2 * slot] != NOWHERE for slot in (*self.attackers, *self.targets)]
        self.placed = all(standing)
        self.apart = any(standing) or bool(play.state.models)
        """Whether positions or marks of models may tell like models apart."""
        self.hurt = any(play.state.wounds)
        self.lookups = index_of(play.game)

    @lazy
    def bare(self) -> bool:
        """Whether cards and form say it all: two units by themselves, unhurt, unmarked and nowhere on an empty table."""
        game, state = self.play.game, self.play.state
        alone = len(state.units) == 2 and not (state.units[0].marks or state.units[1].marks or any(state.sides))
        whole = len(self.attackers) + len(self.targets) == len(game.models)
        return alone and whole and not self.apart and not self.hurt and not game.table.terrain

    def like(self, slot: int) -> tuple[int, int]:
        """Models of which the same is true: the very model where positions or marks of models tell them apart."""
        if self.apart:
            return slot, -1
        return id(self.lookups.fighters[slot]), self.play.state.wounds_on(slot) if self.hurt else 0

    def unlike(self, slots: Iterable[int]) -> list[Fighter]:
        """One of each run of like models among some: they mostly stand side by side in a roster."""
        found: list[Fighter] = []
        last: Fighter | None = None
        for slot in slots:
            fighter = self.lookups.fighters[slot]
            if fighter is not last:
                found.append(fighter)
                last = fighter
        return found

    def between(self, one: int, other: int) -> int:
        """The distance of two models in thou."""
        return thou_of(gap(self.play.scene, one, other))

    def distance(self, slot: int) -> int | None:
        """From a model to the closest of the target: as stated, else as it stands, else unknown."""
        if self.form.range is not None:
            return self.form.range
        return min(self.between(slot, other) for other in self.targets) if self.placed else None

    def sees_model(self, slot: int, other: int) -> bool:
        """Whether a model sees another."""
        if self.form.visible is not None or not self.placed:
            return self.form.visible is not False
        return sees(self.play.scene, self.play.game.edition.sight, slot, other).visible

    def sees(self, slot: int) -> bool:
        """Whether a model sees any of the target."""
        return any(self.sees_model(slot, other) for other in self.targets)

    def half_range(self, slot: int, reach: int) -> bool | None:
        """Whether the target is within half the reach of a weapon; None where nothing says."""
        if self.form.half_range is not None:
            return self.form.half_range
        distance = self.distance(slot)
        return None if distance is None else 2 * distance <= reach

    def engaged(self) -> bool:
        """Whether the attackers stand within Engagement Range of an enemy."""
        if not self.placed:
            return self.form.range is not None and self.form.range <= ENGAGEMENT
        return self._enemies_near(self.form.attacker, self.attackers, -1)

    def target_engaged(self) -> bool:
        """Whether the attackers themselves are within Engagement Range of the target."""
        near = [self.distance(slot) for slot in self.attackers]
        return any(distance is not None and distance <= ENGAGEMENT for distance in near)

    def target_locked(self) -> bool:
        """Whether somebody else of the attackers' side is in the target's Engagement Range."""
        return self.placed and self._enemies_near(self.form.target, self.targets, self.form.attacker)

    def _enemies_near(self, unit: int, slots: tuple[int, ...], but: int) -> bool:
        game, state = self.play.game, self.play.state
        enemies = [
            slot
            for number, other in enumerate(state.units)
            if game.side_of(number) != game.side_of(unit) and number != but
            for slot in other.living
            if state.at(slot)[0] != NOWHERE
        ]
        return any(self.between(slot, enemy) <= ENGAGEMENT for slot in slots for enemy in enemies)

    # close combat

    def touching(self, slot: int) -> int:
        """How many models of the target a model touches; unplaced ones touch one."""
        if not self.placed or self.form.everyone:
            return 1
        return sum(self.between(slot, other) <= TOUCH for other in self.targets)

    @cites("CF-ASLT-6")
    def strikers(self) -> tuple[int, ...]:
        """CF-ASLT-6: who is in base contact, or within 2" of a model of its unit that is."""
        if not self.placed or self.form.everyone:
            return self.attackers
        touching = [slot for slot in self.attackers if self.touching(slot)]
        return tuple(slot for slot in self.attackers if any(self.between(slot, one) <= SUPPORT for one in touching))

    @cites("SR-PRECISION-STRIKES-1")
    def engaged_targets(self) -> tuple[int, ...]:
        """CF-ASLT-6: the places of the target's models that are engaged, whom alone a Precision Strike finds."""
        places = tuple(range(len(self.targets)))
        if not self.placed or self.form.everyone:
            return places
        touched = [other for other in self.targets if any(self.between(slot, other) <= TOUCH for slot in self.attackers)]
        near = [at for at in places if any(self.between(self.targets[at], one) <= SUPPORT for one in touched)]
        return tuple(near)

    # the target's models

    def order(self, firing: Sequence[tuple[int, int]], scattered: bool = False) -> tuple[int, ...]:
        """CF-ALLOC-1: who is allocated wounds, closest first, as places in the unit; only who can be reached.

        ``firing`` are the slots with the reach of their weapons, 0 for close combat, where contact with a striker comes first.
        ``scattered``: the wounds of a Blast find models out of range and sight too (CF-ALLOC-3).
        """
        places = range(len(self.targets))
        if not self.placed and not self.hurt:
            return tuple(places)
        if not self.placed:
            hurt = {at: self.play.state.wounds_on(self.targets[at]) for at in places}
            return tuple(sorted(places, key=lambda at: (-hurt[at], at)))
        striking = any(not reach for _, reach in firing)
        slots = [slot for slot, _ in firing] if striking else self.attackers
        near = {at: min(self.between(slot, self.targets[at]) for slot in slots) for at in places}
        touching = {at: striking and near[at] <= TOUCH for at in places}
        reached = places if striking or scattered else self.aims(firing)
        return tuple(sorted(reached, key=lambda at: (not touching[at], near[at], -self._weak(at), at)))  # CF-ALLOC-1

    def aims(self, firing: Sequence[tuple[int, int]]) -> tuple[int, ...]:
        """The places of models that some slots, each with the reach of its weapon, have in range and sight."""
        places = range(len(self.targets))
        if not self.placed:
            return tuple(places)
        return tuple(at for at in places if any(self._reaches(slot, reach, self.targets[at]) for slot, reach in firing))

    def _weak(self, at: int) -> int:
        """SR-SWARMS-1: of Swarms equally close the one with the fewest Wounds comes first."""
        slot = self.targets[at]
        return self.play.state.wounds_on(slot) if self.lookups.fighters[slot].has("Swarms") else 0  # SR-SWARMS-1

    @cites("CF-ALLOC-3", "SR-DEFLAGRATE-2")
    def _reaches(self, slot: int, reach: int, other: int) -> bool:
        """CF-ALLOC-3: only models in range and sight of a firer can be harmed."""
        if self.form.range is not None or self.form.half_range is not None:
            return True
        return self.between(slot, other) <= reach and (self.sees_model(slot, other) or not self.sees(slot))

    def fellows(self, at: int) -> tuple[int, ...]:
        """The other models of the target within 6" of one, the closest first."""
        others = [one for one in range(len(self.targets)) if one != at]
        if not self.placed:
            return tuple(others)
        near = {one: self.between(self.targets[at], self.targets[one]) for one in others}
        return tuple(one for one in sorted(others, key=lambda one: (near[one], one)) if near[one] <= NEAR_FELLOW)

    # cover and facing

    def cover(self, slot: int) -> int:
        """The cover a model of the target has: as stated, else from the terrain it stands in or behind."""
        stated = marked_cover(self.play.state.units[self.form.target].mark("cover"))
        if self.form.cover is False:
            return NO_COVER
        found = min(stated, self._terrain(slot) if self.placed else NO_COVER)
        return USUAL_COVER if self.form.cover and found == NO_COVER else found

    def _terrain(self, slot: int) -> int:
        state, ground = self.play.state, self.play.game.field.ground
        x, y = state.at(slot)
        found = [_value(ground.places[piece].kinds) for piece in pieces_at(ground, x, y)]
        seeing = [one for one in self.attackers if self.sees_model(one, slot)] or list(self.attackers)
        firer = min(seeing, key=lambda one: (self.between(one, slot), one))
        fx, fy = state.at(firer)
        for piece, place in enumerate(ground.places):
            if crosses(ground, piece, fx, fy, x, y):
                found.append(_value(place.kinds))
        return min(found, default=NO_COVER)

    def ground(self, slot: int) -> frozenset[str]:
        """The types of terrain a model stands in."""
        if not self.placed:
            return frozenset()
        x, y = self.play.state.at(slot)
        pieces = self.play.game.setup.table.terrain
        return frozenset(singular(name) for k in pieces_at(self.play.game.field.ground, x, y) for name in pieces[k].types)

    @cites("CF-VEH-8")
    def facing(self, firer: int | None = None) -> str:
        """CF-VEH-8: the lines through opposite corners of the hull part front, sides and rear; which of them faces a model.

        Without one, the closest of the attackers.
        """
        if self.form.facing is not None:
            return self.form.facing
        if not self.placed:
            raise needs("facing")
        if firer is None:
            firer = min(self.attackers, key=lambda slot: (self.between(slot, self.targets[0]), slot))
        shown = {self._shown(hull, firer) for hull in self.targets}
        armour = {self.armour(hull, side) for hull in self.targets for side in shown}
        if len(armour) > 1 and len(self.targets) > 1 and len(shown) > 1:
            raise BadInput(
                "mixed-unit",
                "a squadron that shows different facings is not resolved by itself",
                where="do.attack.target",
                allowed="a facing stated for all, or hulls that show the same",
            )
        return self._shown(self.targets[0], firer)

    def armour(self, hull: int, side: str) -> int:
        """The Armour Value of a side of a hull."""
        values = self.lookups.fighters[hull].profile.hull or (0, 0, 0)
        return values[(FRONT, SIDE, REAR).index(side)]

    def _shown(self, hull: int, firer: int) -> str:
        x, y = self.play.state.at(hull)
        fx, fy = self.play.state.at(firer)
        along, across = in_frame(fx - x, fy - y, self.play.state.facing_of(hull))
        base = self.play.game.field.bases[hull]
        length, width = base.hl + base.r, base.hw + base.r
        if abs(along) * width < abs(across) * length:
            return SIDE
        return FRONT if along > 0 else REAR


def _value(kinds: int) -> int:
    """CF-MOVE-9: soft cover 5+, hard 4+, fortified 3+."""
    return min((value for bit, value in COVERS.items() if kinds & bit), default=NO_COVER)
