"""The opponent that answers by lot: uniform over what is offered, and over the places it can reach."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from math import isqrt

from rolloff.agents.agent import Agent
from rolloff.geometry.moves import ALWAYS, NEARER, STAY, March, Order, Wish, Zone
from rolloff.geometry.paths import advance, disembark, drive, judge, slide
from rolloff.geometry.place import drift
from rolloff.geometry.trig import FULL_TURN, turned
from rolloff.lengths import INCH
from rolloff.rules.answers import Placement
from rolloff.rules.deployment import room_at
from rolloff.rules.moves import Setting
from rolloff.rules.play import Play
from rolloff.rules.templates import Aim
from rolloff.table.event import Fact
from rolloff.table.request import Request

LUCK = 1 << 20
"""Into so many parts a chance is cut."""
PLACE_TRIES = 3
SHIFTED = "shift"
"""The purpose of a placing that shifts a whole formation by one vector."""


def mends(play: Play, order: Order) -> bool:
    """Whether a move must bring a unit together that is not: then the rules know the way better."""
    return order.cohere in (ALWAYS, NEARER) and not judge(play.scene, order, STAY).legal


class Chance(Agent):
    """Answers every request by lot."""

    def answer(self, request: Request, play: Play) -> object:
        """One of the options; a place it can reach; some of the weapons."""
        if request.options is not None:
            return self.stream.pick(request.options)
        if isinstance(request.order, Order):
            return self.move(request, play, request.order)
        if isinstance(request.order, Setting):
            return self.place(request, play, request.order)
        if isinstance(request.order, Aim):
            return self.stream.pick(request.order.spots)
        if request.kind == "assign-weapons":
            return self.weapons(request)
        return request.default

    def moved(self, request: Request, play: Play) -> object:
        """Where models go or are set up; the default for anything else."""
        if isinstance(request.order, Order):
            return self.move(request, play, request.order)
        if isinstance(request.order, Setting):
            return self.place(request, play, request.order)
        return request.default

    def once_in(self, n: int) -> bool:
        """Whether a chance of one in ``n`` comes true."""
        return self.stream.below(n) == 0

    def vector(self, far: int) -> tuple[int, int]:
        """A step no longer than ``far``, every spot of the disc as likely."""
        length = isqrt(far * far * self.stream.below(LUCK + 1) // LUCK)
        return turned(length, 0, self.stream.below(FULL_TURN))

    def move(self, request: Request, play: Play, order: Order) -> object:
        """Somewhere by a random step; now and then the default, a stay, or a march round what is in the way."""
        if order.contact or order.targets or mends(play, order) or self.once_in(12):
            return request.default
        if order.leaving >= 0:
            return request.default if self.stream.below(4) else self.leave(play, order) or request.default
        slots = tuple(sorted(play.state.units[order.unit].living))
        if not slots or self.once_in(10):
            return STAY
        x, y = play.state.at(self.stream.pick(slots))
        dx, dy = self.vector(order.allowance)
        if order.hull is not None:
            return self.steer(play, order, slots, x + dx, y + dy)
        if self.once_in(16):
            return advance(play.scene, order, x + dx, y + dy)
        return slide(play.scene, order, dx, dy)

    def steer(self, play: Play, order: Order, slots: Sequence[int], x: int, y: int) -> Wish:
        """A hull drives toward a spot; one that may only turn turns by some angle."""
        assert order.hull is not None
        if order.allowance:
            return drive(play.scene, order, x, y)
        turns = {}
        for slot in (slot for slot in slots if slot not in order.still):
            swing = self.stream.between(-order.hull.pivot, order.hull.pivot)
            turns[slot] = [(*play.state.at(slot), (play.state.facing_of(slot) + swing) % FULL_TURN)]
        wish = March.of(slots, turns)
        return wish if judge(play.scene, order, wish).legal else STAY

    def leave(self, play: Play, order: Order) -> Wish | None:
        """Out of a transport toward some spot around it."""
        x, y = play.state.at(order.leaving)
        dx, dy = self.vector(order.allowance + 3 * INCH)
        return disembark(play.scene, order, x + dx, y + dy)

    def place(self, request: Request, play: Play, setting: Setting) -> object:
        """Somewhere in the zone; a formation that is shifted goes by one vector."""
        facts = dict(request.facts)
        if facts.get("purpose") == SHIFTED:
            return self.shift(request, play, setting, facts)
        for _ in range(PLACE_TRIES):
            x, y = self.spot(play, setting.zone)
            facing = self.facing(play, setting)
            found = room_at(play, setting.slots, setting.zone, (x, y), facing)
            if found is not None:
                return Placement(setting.slots, found, struct.pack("<h", facing) * len(setting.slots))
        return request.default

    def facing(self, play: Play, setting: Setting) -> int:
        """Any facing for what is not round, the usual one for what is."""
        base = play.game.field.bases[setting.slots[0]]
        return self.stream.below(FULL_TURN) if base.hl or base.hw else setting.facing

    def shift(self, request: Request, play: Play, setting: Setting, facts: dict[str, Fact]) -> object:
        """A formation shifted by a random vector as far as that is lawful."""
        far, still = facts.get("allowance"), request.default
        if not isinstance(far, int | float) or not isinstance(still, Placement):
            return still
        dx, dy = self.vector(int(far * INCH))
        moved = drift(play.scene, setting.slots, setting.zone, still.xy, dx, dy)
        return Placement(setting.slots, moved, still.facings)

    def spot(self, play: Play, zone: Zone) -> tuple[int, int]:
        """Any point of a zone."""
        if zone.hub is not None:
            dx, dy = self.vector(zone.hub.distance + zone.hub.base.hl + zone.hub.base.r)
            return zone.hub.x + dx, zone.hub.y + dy
        whole = (0, 0, play.game.field.width, play.game.field.height)
        x0, y0, x1, y1 = self.stream.pick(zone.inside or (whole,))
        return self.stream.between(x0, x1), self.stream.between(y0, y1)

    def weapons(self, request: Request) -> object:
        """Some of the weapons that may fire, at least one, and no more of a model's than it may use."""
        facts = dict(request.facts)
        weapons, most = facts.get("weapons"), facts.get("most")
        if not isinstance(weapons, tuple) or not weapons:
            return request.default
        rows = [(row[0], row[1]) for row in weapons if isinstance(row, tuple)]
        if most:
            rows = self.one_each(rows, int(most) if isinstance(most, int) else 1)
        kept = tuple(row for row in rows if not self.once_in(4)) or (self.stream.pick(rows),)
        most_of = {(row[0], row[1]): row[3] for row in weapons if isinstance(row, tuple) and len(row) > 3}
        return tuple(self.some_of(row, most_of[row]) if row in most_of else row for row in kept) if most_of else kept

    def some_of(self, row: tuple[Fact, Fact], attacks: Fact) -> tuple[Fact, ...]:
        """A weapon with all of its attacks, or with some of them."""
        return row if not isinstance(attacks, int) or self.once_in(2) else (*row, self.stream.between(1, attacks))

    def one_each(self, rows: list[tuple[Fact, Fact]], most: int) -> list[tuple[Fact, Fact]]:
        """At most so many weapons of each model, by lot, in the order they are told in."""
        kept: list[tuple[Fact, Fact]] = []
        for model in dict.fromkeys(row[0] for row in rows):
            own = [row for row in rows if row[0] == model]
            while len(own) > most:
                own.pop(self.stream.below(len(own)))
            kept += own
        return kept
