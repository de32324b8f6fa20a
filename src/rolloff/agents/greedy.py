"""The opponent that weighs its options one step ahead: by the edition's exact advice, and by where a move leaves it."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from msgspec.structs import replace

from rolloff.agents.chance import SHIFTED, mends
from rolloff.agents.closing import FAR, Closing, face, marker_gap
from rolloff.agents.prospects import Prospects
from rolloff.geometry.field import COVER, DANGEROUS, Scene
from rolloff.geometry.measure import nearest, pieces_at, slots_of
from rolloff.geometry.moves import NEVER, STAY, March, Order, Shift, Wish
from rolloff.geometry.paths import advance, disembark, judge, route, settled, slide
from rolloff.geometry.place import drift, muster
from rolloff.geometry.trig import turned
from rolloff.lengths import INCH
from rolloff.oracle.dice import Stream
from rolloff.rules.answers import Placement
from rolloff.rules.deeds import attack_shown
from rolloff.rules.moves import Setting
from rolloff.rules.play import Play
from rolloff.table.request import Request
from rolloff.table.state import TABLE

HEADINGS = range(0, 3600, 600)
PLACE_TRIES = 4
DANGER = 3.0
"""What a model's step onto dangerous ground costs it, in tens of points."""
COVERED = 0.7
"""How much of the enemy's fire reaches a unit in cover."""
DREAD = 0.25
"""How much the enemy's fire weighs against one's own."""
HASTE = 0.15
"""What an inch nearer is worth to a unit that has nothing to shoot at, strikes better than it shoots, or carries others."""
HOLDING = 3.0
"""What it is worth to stand where a marker counts."""
CLAIMING = 3.0
"""What it is worth to be near a marker that the own side does not hold; less the further off."""
FAR_OFF = 48 * INCH
"""From so far off no marker draws anybody."""
CHARGE = 12 * INCH
"""From how far off a unit hopes to assault."""
STANDOFF = 6 * INCH
"""How near to an enemy a way round a wall has to lead."""
NOWHERE = 1000.0
"""What it costs to spend an action on a move that leads nowhere."""
BOLDNESS = 0.2
"""How much of that fire weighs with those who want to get through it."""


class Greedy(Closing):
    """Takes the option of the most worth; moves to where its fire counts for most and the enemy's for least."""

    def __init__(self, stream: Stream, side: int) -> None:
        """Take a seat."""
        super().__init__(stream, side)
        self.prospects = Prospects()

    def answer(self, request: Request, play: Play) -> object:
        """By advice, where the edition has some; by looking at where it would stand."""
        if request.options is None:
            return self.moved(request, play)
        return self.best(request, play)

    def best(self, request: Request, play: Play) -> object:
        """The option of the most worth; among equals the default, then the first."""
        advice = play.game.edition.advice
        if advice is None and request.kind == "choose-action":
            return self.action(request, play)
        worths = advice(play, request) if advice else self.promises(request, play)
        if not worths:
            return request.default
        lowest = min(worths.values())

        def worth(option: object) -> tuple[float, bool]:
            return worths.get(option, lowest - 1.0), option == request.default

        return max(request.options or (), key=worth)

    def promises(self, request: Request, play: Play) -> dict[object, float]:
        """Without advice options are worth what the attacks take that they stand for; one that is none nothing."""
        forms = {option: attack_shown(play, request, option) for option in request.options or ()}
        worths = {option: self.prospects.promised(play, form) for option, form in forms.items() if form is not None}
        return {option: worths.get(option, 0.0) for option in forms} if worths else {}

    def move(self, request: Request, play: Play, order: Order) -> object:
        """The best of a handful of moves; none onto dangerous ground that can be avoided."""
        if order.contact or order.targets or mends(play, order):
            return request.default
        goal = self.prey(play, *self.start(play, order))
        if goal is None:
            return request.default
        if order.leaving >= 0:
            return disembark(play.scene, wary(play, order), *goal) or request.default
        advised = self.advised(request, play, order)
        if advised is not None:
            return advised
        if order.hull is not None and not order.allowance:
            return face(play, order, goal)
        acts = dict(request.facts).get("action") in play.game.roles
        found = max(self.weighed(play, order, goal, acts), key=lambda pair: pair[0], default=None)
        return request.default if found is None else found[1]

    def advised(self, request: Request, play: Play, order: Order) -> Wish | None:
        """The best move the edition has advice on."""
        advice = play.game.edition.advice
        worths = advice(play, request) if advice else {}
        moves = [wish for wish in worths if isinstance(wish, March | Shift) and judge(play.scene, order, wish).legal]
        return max(moves, key=lambda wish: worths[wish], default=None)

    def weighed(self, play: Play, order: Order, goal: tuple[int, int], acts: bool) -> Iterator[tuple[float, Wish]]:
        """Moves and what each is worth; one that is the unit's whole action and leads nowhere is worth the least."""
        careful = wary(play, order)
        for wish in self.wishes(play, careful, goal):
            verdict = judge(play.scene, order, wish)
            if verdict.legal:
                after = settled(play.scene, order.unit, verdict)
                idle = NOWHERE if acts and not verdict.longest else 0.0
                yield self.worth(play, after, order.unit) - DANGER * len(verdict.dangerous) - idle, wish

    def wishes(self, play: Play, order: Order, goal: tuple[int, int]) -> Iterator[Wish]:
        """A stay, the way to the nearest enemy, and steps to all sides; a hull that stands before a wall drives round it."""
        ahead = advance(play.scene, order, *goal)
        if order.hull is not None and 4 * judge(play.scene, order, ahead).longest < order.allowance:
            round_it = list(self.detours(play, order, goal))
            if round_it:
                yield from round_it
                return
        yield STAY
        yield ahead
        x, y = self.start(play, order)
        for heading in HEADINGS:
            dx, dy = turned(order.allowance, 0, heading)
            if order.hull is not None:
                yield advance(play.scene, order, x + dx, y + dy)
            else:
                yield slide(play.scene, order, dx, dy)

    def detours(self, play: Play, order: Order, goal: tuple[int, int]) -> Iterator[Wish]:
        """A drive to the first corner of the way round what is ahead."""
        slot = play.state.units[order.unit].living[0]
        free = replace(order, allowance=FAR, difficult_cap=-1, hull=None, cohere=NEVER)
        spots = [(goal[0] + dx, goal[1] + dy) for dx, dy in (turned(STANDOFF, 0, heading) for heading in HEADINGS)]
        way = route(play.scene, free, slot, spots) or ()
        for px, py in way[:-1]:
            drive = advance(play.scene, order, px, py)
            if 8 * judge(play.scene, order, drive).longest > order.allowance:
                yield drive
                return

    def worth(self, play: Play, scene: Scene, unit: int) -> float:
        """What a unit could do from where it stands, less what could be done to it there, and what it would hold."""
        ours = theirs = 0.0
        closest, near = float(200 * INCH), -1
        for enemy in self.enemies(play):
            gap = nearest(scene, unit, enemy).gap
            if gap < closest:
                closest, near = gap, enemy
            ours = max(ours, self.prospects.fire(play, unit, enemy, gap))
            theirs += self.prospects.fire(play, enemy, unit, gap)
        strikes = self.prospects.strikes(play, unit, near) if near >= 0 else 0.0
        bold = carries(play, unit) or (near >= 0 and strikes > self.prospects.fire(play, unit, near, 0.0))
        haste = HASTE * closest / INCH if bold or not ours else 0.0
        ours = max(ours, strikes if closest <= CHARGE else 0.0)
        dread = (BOLDNESS if bold or not ours else 1.0) * DREAD
        safety = dread * theirs * (COVERED if sheltered(play, scene, unit) else 1.0)
        return ours - safety - haste + self.holds(play, scene, unit)

    def holds(self, play: Play, scene: Scene, unit: int) -> float:
        """What a unit does for the markers of the mission: it holds one, or is on its way to one not yet held."""
        markers = play.game.edition.markers
        worth = 0.0
        for spot in markers(play.game, play.state) if markers else ():
            gap = marker_gap(scene, unit, spot)
            pull = HOLDING if gap <= 0 else 0.0
            if spot.holder != self.side:
                pull += CLAIMING * max(0.0, 1.0 - gap / FAR_OFF)
            worth = max(worth, pull)
        return worth

    def place(self, request: Request, play: Play, setting: Setting) -> object:
        """The best of a few places in the zone."""
        still = request.default
        if dict(request.facts).get("purpose") == SHIFTED:
            return self.push(request, play, setting)
        found: list[tuple[float, Placement]] = []
        if isinstance(still, Placement):
            found.append((self.place_worth(play, request.about, still), still))
        for k in range(PLACE_TRIES):
            x, y = self.spot(play, setting.zone)
            if k % 2:
                x, y = self.front(play, x, y, setting)
            xy = muster(play.scene, setting.slots, setting.zone, x, y, setting.facing)
            if xy is not None:
                spot = Placement(setting.slots, xy, struct.pack("<h", setting.facing) * len(setting.slots))
                found.append((self.place_worth(play, request.about, spot), spot))
        return max(found, key=lambda pair: pair[0])[1] if found else still

    def push(self, request: Request, play: Play, setting: Setting) -> object:
        """The enemy's formation shifted to where it is furthest from one's own units."""
        far, still = dict(request.facts).get("allowance"), request.default
        if not isinstance(far, int | float) or not isinstance(still, Placement):
            return still
        found = [still]
        for heading in HEADINGS:
            dx, dy = turned(int(far * INCH), 0, heading)
            moved = drift(play.scene, setting.slots, setting.zone, still.xy, dx, dy)
            found.append(Placement(setting.slots, moved, still.facings))
        return max(found, key=lambda spot: self.clearance(play, request.about, spot))

    def clearance(self, play: Play, unit: int, spot: Placement) -> float:
        """How far a unit set down there would be from the nearest of one's own."""
        scene = set_down(play, spot)
        own = [k for k in play.game.units_of[self.side] if play.state.units[k].where == TABLE]
        return min((nearest(scene, unit, friend).gap for friend in own), default=0.0)

    def place_worth(self, play: Play, unit: int, spot: Placement) -> float:
        """What a unit set down there could do; before there are enemies, how near the middle it is."""
        scene = set_down(play, spot)
        if self.enemies(play):
            return self.worth(play, scene, unit)
        x, y = struct.unpack_from("<2i", spot.xy, 0)
        field = play.game.field
        away: int = abs(2 * x - field.width) + abs(2 * y - field.height)
        mined = DANGER * (standing_on(play, scene, unit, DANGEROUS) > 0)
        return (1.0 if sheltered(play, scene, unit) else 0.0) - away / (100 * INCH) - mined


def carries(play: Play, unit: int) -> bool:
    """Whether somebody is aboard a unit."""
    return any(held.where == unit and held.living for held in play.state.units)


def set_down(play: Play, spot: Placement) -> Scene:
    """The scene with some models placed."""
    xy = bytearray(play.scene.xy)
    for k, slot in enumerate(spot.slots):
        xy[8 * slot : 8 * slot + 8] = spot.xy[8 * k : 8 * k + 8]
    return replace(play.scene, xy=bytes(xy))


def wary(play: Play, order: Order) -> Order:
    """The same order with dangerous ground barred, but for what the unit stands on."""
    places = play.game.field.ground.places
    if not order.dangerous or not any(place.kinds & order.dangerous for place in places):
        return order
    on_table = play.state.units[order.unit].where == TABLE
    stood_on = {piece for _, piece in judge(play.scene, order, Shift(1, 0)).dangerous} if on_table else set()
    barred = bytearray(order.barred or bytes(len(places)))
    for k, place in enumerate(places):
        if place.kinds & order.dangerous and k not in stood_on:
            barred[k] = 1
    return replace(order, barred=bytes(barred))


def sheltered(play: Play, scene: Scene, unit: int) -> bool:
    """Whether more than half of a unit's models stand within cover."""
    return 2 * standing_on(play, scene, unit, COVER) > len(slots_of(scene, unit))


def standing_on(play: Play, scene: Scene, unit: int, kinds: int) -> int:
    """How many models of a unit stand within terrain of some kinds."""
    ground = play.game.field.ground
    spots = (struct.unpack_from("<2i", scene.xy, 8 * slot) for slot in slots_of(scene, unit))
    return sum(any(ground.places[k].kinds & kinds for k in pieces_at(ground, x, y)) for x, y in spots)
