"""The opponent that closes in: it goes for the nearest enemy, shoots what it can, and assaults whenever it may."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from math import sqrt

from rolloff.agents.chance import SHIFTED, Chance, mends
from rolloff.geometry.field import Scene
from rolloff.geometry.measure import slots_of
from rolloff.geometry.moves import STAY, March, Order, Wish
from rolloff.geometry.paths import advance, disembark, heading_of, judge
from rolloff.geometry.place import muster
from rolloff.geometry.trig import FULL_TURN
from rolloff.lengths import INCH
from rolloff.rules.answers import Placement
from rolloff.rules.edition import Marker
from rolloff.rules.moves import Setting
from rolloff.rules.play import Play
from rolloff.rules.terms import Role
from rolloff.rules.windows import REACT, ROLLED, purse
from rolloff.table.request import PASS, Option, Request
from rolloff.table.state import TABLE

FAR = 400 * INCH
"""Longer than any way on a table."""
STEP = 6 * INCH
"""How much nearer a unit comes before it shoots."""
KEPT = 2
"""What it keeps of what reactions are paid from, for those that come once in a battle."""


def marker_gap(scene: Scene, unit: int, spot: Marker) -> float:
    """How far a unit's nearest model is from where a marker counts, in thou; 0 or less within it."""
    points = [struct.unpack_from("<2i", scene.xy, 8 * slot) for slot in slots_of(scene, unit)]
    if spot.box is None:
        return min((sqrt((x - spot.x) ** 2 + (y - spot.y) ** 2) for x, y in points), default=float(FAR)) - spot.reach
    left, bottom, right, top = spot.box
    away = ((max(left - x, x - right, 0), max(bottom - y, y - top, 0)) for x, y in points)
    return min((sqrt(dx * dx + dy * dy) for dx, dy in away), default=float(FAR))


class Closing(Chance):
    """Approaches enemies and markers, shoots, assaults. What it has no opinion on it leaves at the default."""

    def answer(self, request: Request, play: Play) -> object:
        """By the kind of the request."""
        if request.options is None:
            return self.moved(request, play)
        if request.kind == "choose-action":
            return self.action(request, play)
        if request.kind == "choose-target":
            return self.target(request, play)
        if request.kind == "choose-unit":
            return self.unit(request, play)
        if dict(request.facts).get("purpose") == "power":
            return self.stream.pick(request.options)
        return self.reaction(request, play) if request.kind == REACT else request.default

    def reaction(self, request: Request, play: Play) -> object:
        """What comes once in a battle whenever it may; else the first for which it can pay and keep some. No die again."""
        facts = dict(request.facts)
        names, costs = facts["reactions"], facts["costs"]
        assert isinstance(names, tuple) and isinstance(costs, tuple)
        known = {rule.name: rule for rule in play.game.reactions[str(facts["moment"])]}
        for option, name, cost in zip(request.options or (), names, costs, strict=False):
            rule = known[str(name)]
            rare = rule.limit is not None and rule.limit.until == "game"
            if cost and facts["moment"] != ROLLED and (rare or purse(play, self.side, rule.pay) >= int(str(cost)) + KEPT):
                return option
        return request.default

    def action(self, request: Request, play: Play) -> Option:
        """Keep a marker; else close with the enemy if that is offered, shoot what is in reach after a move, or go on."""
        options, roles = request.options or (), play.game.roles
        near = self.gap(play, request.about) <= self.reach(play, request.about) + STEP
        ranked = (Role.CLOSE, Role.STEADY if near else Role.RUSH, Role.STEADY, Role.RUSH)
        for wanted in (Role.HOLD, *ranked) if self.guards(play, request.about) else ranked:
            for option in options:
                if roles.get(str(option)) is wanted:
                    return option
        return options[0]

    def reach(self, play: Play, unit: int) -> int:
        """The longest reach of a unit's weapons, in thou."""
        models = play.game.models
        weapons = [weapon for slot in play.state.units[unit].living for weapon in models[slot].weapons]
        return max((weapon.reach or 0 for weapon in weapons), default=0)

    def enemies(self, play: Play) -> list[int]:
        """The enemy's units that stand on the table."""
        units = play.state.units
        return [k for k in play.game.units_of[1 - self.side] if (held := units[k]).living and held.where == TABLE]

    def gap(self, play: Play, unit: int) -> float:
        """How far off the nearest enemy is."""
        gaps = play.gaps_from(unit)
        return min([gaps[enemy] for enemy in self.enemies(play)], default=0.0)

    def target(self, request: Request, play: Play) -> Option:
        """The nearest of the enemies that are offered; another word if there is none, and no second one to charge."""
        if dict(request.facts).get("purpose") == "charge" and request.default == PASS:
            return PASS
        named = [option for option in request.options or () if option in play.game.numbers]
        if not named:
            return (request.options or ())[0]
        numbers, gaps = play.game.numbers, list(play.gaps_from(request.about))
        gaps[request.about] = -1.0  # a power on itself
        return min(named, key=lambda name: gaps[numbers[str(name)]])

    def unit(self, request: Request, play: Play) -> Option:
        """Any of the units that may act."""
        return self.stream.pick(request.options or ())

    def markers(self, play: Play) -> Sequence[Marker]:
        """What the mission has to be held."""
        found = play.game.edition.markers
        return found(play.game, play.state) if found else ()

    def guards(self, play: Play, unit: int) -> bool:
        """Whether a unit stands by a marker that no other of its side stands by."""
        spots = self.markers(play)
        if not spots:
            return False
        own = [k for k in play.game.units_of[self.side] if play.state.units[k].where == TABLE]
        for spot in spots:
            near = [k for k in own if spot.box is None and marker_gap(play.scene, k, spot) <= 0]
            if near == [unit]:
                return True
        return False

    def goal(self, play: Play, x: int, y: int) -> tuple[int, int] | None:
        """What is nearest to a point: an enemy, or a marker its side does not hold."""
        spots = [(spot.x, spot.y) for spot in self.markers(play) if spot.holder != self.side and spot.box is None]
        enemy = self.prey(play, x, y)
        spots += [] if enemy is None else [enemy]
        return min(spots, key=lambda at: (at[0] - x) ** 2 + (at[1] - y) ** 2, default=None)

    def prey(self, play: Play, x: int, y: int) -> tuple[int, int] | None:
        """Where the enemy model nearest to a point stands."""
        state = play.state
        xy = struct.unpack(f"<{len(state.xy) // 4}i", state.xy)
        slots = [slot for enemy in self.enemies(play) for slot in state.units[enemy].living]
        nearest = min([((xy[2 * k] - x) ** 2 + (xy[2 * k + 1] - y) ** 2, n) for n, k in enumerate(slots)], default=None)
        return None if nearest is None else state.at(slots[nearest[1]])

    def start(self, play: Play, order: Order) -> tuple[int, int]:
        """Where a unit's move begins: its first model, or the hull it leaves."""
        slot = order.leaving if order.leaving >= 0 else play.state.units[order.unit].living[0]
        return play.state.at(slot)

    def move(self, request: Request, play: Play, order: Order) -> object:
        """Toward the nearest enemy, round what is in the way."""
        if order.contact or order.targets or mends(play, order):
            return request.default
        goal = self.goal(play, *self.start(play, order))
        if goal is None:
            return request.default
        if order.leaving >= 0:
            return disembark(play.scene, order, *goal) or request.default
        if order.hull is not None and not order.allowance:
            return face(play, order, goal)
        return advance(play.scene, order, *goal)

    def place(self, request: Request, play: Play, setting: Setting) -> object:
        """At the front of the zone, somewhere along it."""
        if dict(request.facts).get("purpose") == SHIFTED:
            return request.default
        for _ in range(3):
            x, y = self.front(play, *self.spot(play, setting.zone), setting)
            found = muster(play.scene, setting.slots, setting.zone, x, y, setting.facing)
            if found is not None:
                return Placement(setting.slots, found, struct.pack("<h", setting.facing) * len(setting.slots))
        return request.default

    def front(self, play: Play, x: int, y: int, setting: Setting) -> tuple[int, int]:
        """The spot of a strip that is nearest to the middle of the table, going straight inward."""
        if not setting.zone.inside:
            return x, y
        x0, y0, x1, y1 = setting.zone.inside[0]
        middle = (play.game.field.width // 2, play.game.field.height // 2)
        if x1 - x0 >= y1 - y0:
            return x, min(max(middle[1], y0 + 2 * INCH), y1 - 2 * INCH)
        return min(max(middle[0], x0 + 2 * INCH), x1 - 2 * INCH), y


def face(play: Play, order: Order, goal: tuple[int, int]) -> Wish:
    """A hull that holds turns toward a point, as far as it may."""
    assert order.hull is not None
    slots = tuple(sorted(play.state.units[order.unit].living))
    turns = {}
    for slot in (slot for slot in slots if slot not in order.still):
        x, y = play.state.at(slot)
        ahead = play.state.facing_of(slot)
        swing = (heading_of(goal[0] - x, goal[1] - y) - ahead + FULL_TURN // 2) % FULL_TURN - FULL_TURN // 2
        swing = min(max(swing, -order.hull.pivot), order.hull.pivot)
        turns[slot] = [(x, y, (ahead + swing) % FULL_TURN)]
    wish = March.of(slots, turns)
    return wish if judge(play.scene, order, wish).legal else STAY
