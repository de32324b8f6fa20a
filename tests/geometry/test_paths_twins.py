"""Both twins of the judge, the planners, the driver and the placers give the same answers, to the last bit."""

from __future__ import annotations

import random
import struct
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from msgspec.structs import replace

from rolloff.geometry import kernels, paths
from rolloff.geometry.closing import pile_in_compiled, pile_in_plain
from rolloff.geometry.contacts import brought_compiled, brought_plain
from rolloff.geometry.driving import drive_compiled
from rolloff.geometry.field import NOWHERE, Scene
from rolloff.geometry.joining import Rings, place_in_rings_compiled, place_in_rings_plain
from rolloff.geometry.judging import first_step, judge, judge_compiled, judge_plain, slide_compiled
from rolloff.geometry.marching import led_compiled, led_plain
from rolloff.geometry.moves import (
    ALWAYS,
    CLEAR,
    KEEP,
    NEVER,
    STAY,
    TOUCH,
    Code,
    Coherency,
    Hub,
    Hull,
    March,
    Order,
    Shift,
    Stay,
    Wish,
    Zone,
    gaps,
    over,
)
from rolloff.geometry.packing import order_args, scene_args
from rolloff.geometry.place import judge_place_compiled, judge_place_plain, muster_compiled, muster_plain, order_of, standing
from rolloff.geometry.plain import drive as plain_drive
from rolloff.geometry.plain import search as plain_search
from rolloff.geometry.plain import settle as plain_settle
from rolloff.geometry.plain import slide as plain_slide
from rolloff.geometry.planning import find_way_compiled, settle_compiled
from rolloff.geometry.ringing import muster_around_compiled, muster_around_plain
from rolloff.geometry.shifting import shifts_with
from tests.geometry.battles import UNITS, battle, hull_of, off, pile_in_order, separation_order
from tests.geometry.path_scenes import (
    CLASSES,
    INFANTRY,
    RIDER,
    TANK,
    assault,
    random_order,
    random_scene,
    walk,
)
from tests.geometry.twin import needs_both

pytestmark = needs_both
SCENES = 25
"""Scenes of each of the seven classes; each has six units."""


def cases(kind: str, count: int = SCENES) -> Iterator[tuple[random.Random, Scene, Order, tuple[int, ...]]]:
    """Scenes of a class with an order for each of their units."""
    for seed in range(count):
        scene = random_scene(seed, kind)
        for unit in range(6):
            slots = paths.slots_of(scene, unit)
            if slots:
                yield random.Random(f"{kind}/{seed}/{unit}"), scene, random_order(seed, unit, scene), slots


def places(scene: Scene, slots: tuple[int, ...]) -> list[tuple[int, int]]:
    """Where models stand."""
    return [struct.unpack_from("<2i", scene.xy, 8 * slot) for slot in slots]


def wishes(luck: random.Random, scene: Scene, slots: tuple[int, ...]) -> list[Wish]:
    """A stay, a long and a short shift, and a march of crooked paths."""
    crooked = {}
    for slot, at in zip(slots, places(scene, slots), strict=True):
        path = [(*at, -1)]
        for _ in range(luck.randint(0, 3)):
            x, y = path[-1][0] + luck.randint(-3000, 3000), path[-1][1] + luck.randint(-3000, 3000)
            path.append((x, y, luck.choice((-1, -1, luck.randrange(3600)))))
        crooked[slot] = path[1:]
    far, near = luck.randint(-6000, 6000), luck.randint(-600, 600)
    return [Stay(), Shift(far, luck.randint(-6000, 6000)), Shift(near, -near // 2), March.of(slots, crooked)]


@pytest.mark.parametrize("kind", CLASSES)
def test_the_judges_agree(kind: str) -> None:
    """Four wishes of each of about 150 units a class get equal verdicts, evidence and facts included."""
    for luck, scene, order, slots in cases(kind):
        for wish in wishes(luck, scene, slots):
            assert judge_compiled(scene, order, wish) == judge_plain(scene, order, wish)


@pytest.mark.parametrize("kind", CLASSES)
def test_the_first_lawful_step_is_the_judges(kind: str) -> None:
    """Of eight spots the compiled kernel finds the first that the judge lets a model go to, none where he lets it to none."""
    for luck, scene, order, slots in cases(kind):
        bare = replace(order, still=(), further=())
        if bare.arranged:
            continue
        slot, (x, y) = slots[-1], places(scene, slots)[-1]
        spots = [(x + luck.randint(-4000, 4000), y + luck.randint(-4000, 4000)) for _ in range(8)]
        legal = [k for k, spot in enumerate(spots) if judge_plain(scene, bare, March.of(slots, {slot: [spot]})).legal]
        assert first_step(scene, bare, slot, spots) == (legal[0] if legal else None)


@pytest.mark.parametrize("kind", CLASSES)
def test_units_are_led_alike(kind: str) -> None:
    """A unit led toward a point in one call goes as planners and judge lead it step by step, for about 150 units a class."""
    led = 0
    for luck, scene, order, slots in cases(kind):
        x, y = places(scene, slots)[0]
        if order.arranged:
            continue
        bare = replace(order, still=(), further=(), hull=None, cohere=luck.choice((NEVER, KEEP, ALWAYS)))
        goal = x + luck.randint(-9000, 9000), y + luck.randint(-9000, 9000)
        asked = scene, bare, slots, *goal, bare.allowance, luck.random() < 0.2
        found = led_compiled(*asked)
        led += found is not None
        assert found == led_plain(*asked)
    assert led


def melees(kind: str, count: int) -> Iterator[tuple[random.Random, Scene, Order, tuple[int, ...]]]:
    """The same scenes with moves of units toward their enemies, some of the models held where they stand."""
    for luck, scene, order, slots in cases(kind, count):
        foes = tuple(k for k in range(6) if (k ^ order.unit) & 1 and paths.slots_of(scene, k))
        if not foes or order.arranged:
            continue
        targets = tuple(sorted(luck.sample(foes, luck.randint(1, len(foes)))))
        keep = gaps(8, luck.choice((-1, 0, 1000)), dict.fromkeys(targets, TOUCH))
        still = tuple(slot for slot in slots if luck.random() < 0.2)
        going = replace(order, way=keep, end=keep, targets=targets, still=still, hull=None, contact=luck.random() < 0.3)
        asked = {"closing": luck.randrange(3), "cohere": luck.choice((NEVER, KEEP, ALWAYS))}
        yield luck, scene, replace(going, allowance=luck.choice((3000, 6000)), **asked), slots


@pytest.mark.parametrize("kind", CLASSES)
def test_the_pile_ins_agree(kind: str) -> None:
    """A whole pile-in in one call is the one that planners and judge make step by step, for about 150 units a class."""
    moved = 0
    for _, scene, order, _ in melees(kind, SCENES):
        found = pile_in_compiled(scene, order)
        moved += isinstance(found, March)
        assert found == pile_in_plain(scene, order)
    assert moved


@pytest.mark.parametrize("kind", CLASSES)
def test_the_searches_for_contact_agree(kind: str) -> None:
    """Those brought into contact in one call are those who are brought one by one, from no way, a shift and a pile-in."""
    better = 0
    for luck, scene, order, slots in melees(kind, SCENES):
        foes = [slot for k in order.targets for slot in paths.slots_of(scene, k)]
        enemies = {slot: luck.sample(foes, min(len(foes), 3)) for slot in slots if luck.random() < 0.8}
        for wish in (STAY, Shift(luck.randint(-900, 900), luck.randint(-900, 900)), pile_in_compiled(scene, order)):
            if isinstance(wish, Shift) and order.still:
                continue
            found = brought_compiled(scene, order, wish, enemies)
            better += found is not wish
            assert found == brought_plain(scene, order, wish, enemies)
    assert better


@pytest.mark.parametrize("kind", CLASSES)
def test_shifts_are_found_by_the_judges_verdicts(kind: str) -> None:
    """Of twelve shifts the compiled kernel finds those on which the judge's verdict has one of some codes, in their order."""
    for luck, scene, order, _ in cases(kind):
        bare = replace(order, still=(), further=(), arranged=False)
        shifts = [Shift(luck.randint(-4000, 4000), luck.randint(-4000, 4000)) for _ in range(12)]
        for codes in ((Code.LEGAL,), (Code.GAP_UNIT, Code.IMPASSABLE)):
            asked = [shift for shift in shifts if judge_plain(scene, bare, shift).code in codes]
            assert list(shifts_with(scene, bare, shifts, *codes)) == asked


@pytest.mark.parametrize("kind", CLASSES)
def test_the_longest_shifts_agree(kind: str) -> None:
    """The longest lawful part of a shift is the same in both twins for about 150 units a class."""
    for luck, scene, order, _ in cases(kind):
        dx, dy = luck.randint(-9000, 9000), luck.randint(-9000, 9000)
        out = kernels.ffi.new("int32_t[2]")
        far = kernels.lib.slide_shift(*scene_args(scene), *order_args(order), dx, dy, out)
        assert (far, out[0], out[1]) == plain_slide.slide_shift(scene, order, dx, dy)


@pytest.mark.parametrize("kind", CLASSES)
def test_slides_are_judged_as_they_are_found(kind: str) -> None:
    """The longest lawful shift with the judge's word on it, by one call, is what both say apart in the plain twin."""
    slid = 0
    for luck, scene, order, _ in cases(kind):
        bare, dx, dy = (
            replace(order, still=(), further=(), arranged=False),
            luck.randint(-9000, 9000),
            luck.randint(-9000, 9000),
        )
        far, sx, sy = plain_slide.slide_shift(scene, bare, dx, dy)
        verdict, found = judge_plain(scene, bare, Shift(sx, sy)), slide_compiled(scene, bare, dx, dy)
        assert found == (Shift(sx, sy) if far > 0 and verdict.legal else STAY)
        if isinstance(found, Shift):
            slid += 1
            assert judge(scene, bare, found) == verdict
    assert slid


@pytest.mark.parametrize("kind", CLASSES)
def test_the_pathfinders_agree(kind: str) -> None:
    """The same way, point for point, to goals and into contact, for about 36 units a class."""
    for luck, scene, order, slots in cases(kind, 6):
        x, y = places(scene, slots)[0]
        goals = [(x + luck.randint(-9000, 9000), y + luck.randint(-9000, 9000)) for _ in range(2)]
        for contact, most, avoid in ((False, 12_000, False), (False, 100_000, True), (True, 12_000, False)):
            asked = (scene, order, slots[:1], [] if contact else goals, contact, most, avoid)
            assert find_way_compiled(*asked) == plain_search.find_way(*asked)


@pytest.mark.parametrize("kind", CLASSES)
def test_the_settlers_agree(kind: str) -> None:
    """The same spots and paths for whole units under every rule and aim, for about 18 units a class."""
    for luck, scene, order, slots in cases(kind, 3):
        here = places(scene, slots)
        for aim in (plain_settle.TO_TARGETS, plain_settle.TO_POINT, plain_settle.AWAY):
            for rules in (0, 1, 3, 12, 17, 7):
                turns = list(range(len(slots)))
                luck.shuffle(turns)
                fixed = [(turns[0], *here[turns[0]])] if luck.random() < 0.5 else []
                hopes = [(px + luck.randint(-4000, 4000), py + 2000) for px, py in here]
                most = luck.choice((1000, 3000, 6000, 12_000))
                asked = (scene, order, aim, rules, most, turns[len(fixed) :], fixed, hopes)
                assert settle_compiled(*asked) == plain_settle.settle(*asked)


def test_the_drivers_agree() -> None:
    """Hulls take the same way toward points and into contact on 15 tables."""
    tried = 0
    for seed in range(15):
        scene, luck = battle(seed), random.Random(seed)
        for unit in range(UNITS):
            slots = paths.slots_of(scene, unit)
            if not slots or scene.field.bases[slots[0]] is not TANK:
                continue
            tried += 1
            goals = [(luck.randint(0, 72_000), luck.randint(0, 48_000)) for _ in range(2)]
            order = walk(unit, 12_000, UNITS, hull=luck.choice((Hull(), Hull(2, 2), Hull(0, 0, 1, 450), Hull(pivots=0))))
            asked = (scene, order, 12_000, goals, False, 0)
            assert drive_compiled(*asked) == plain_drive.drive_hull(*asked)
            order = assault(unit, unit ^ 1, 18_000, UNITS, hull=Hull())
            enemies = places(scene, paths.slots_of(scene, unit ^ 1))[:3]
            if enemies:
                asked = (scene, order, 18_000, enemies, True, 8000)
                assert drive_compiled(*asked) == plain_drive.drive_hull(*asked)
    assert tried > 12


def zones(luck: random.Random) -> Zone:
    """A zone of some kind: strips, hubs, strict gaps, tight and loose coherency."""
    hub = None
    if luck.random() < 0.4:
        base = luck.choice((TANK, RIDER, INFANTRY))
        at = (luck.randint(0, 72_000), luck.randint(0, 48_000), luck.randrange(3600))
        hub = Hub(*at, base, luck.choice((3000, 6000)), luck.random() < 0.3)
    code = luck.choice((1000, 1000, TOUCH, CLEAR, over(12_000), over(6000)))
    rule = Coherency(luck.choice((1000, 2000)), 12_000, luck.random() < 0.5, luck.choice((1, 1, 2)))
    strips = luck.choice(((), ((0, 0, 72_000, 12_000),), ((0, 0, 20_000, 48_000), (50_000, 0, 72_000, 48_000))))
    limits = luck.choice((None, (20_000, 10_000, 40_000, 30_000)))
    keep = gaps(UNITS, code, {3: 1000})
    return Zone(keep, rule, luck.choice((ALWAYS, ALWAYS, NEVER)), strips, hub, off_limits=limits)


def test_the_placers_agree() -> None:
    """Musters and verdicts on placings are equal for 120 units in zones of every kind."""
    found = 0
    for seed in range(30):
        scene, luck = battle(seed, seed % 3 > 0), random.Random(seed)
        owner = struct.unpack(f"<{scene.field.n}h", scene.owner)
        for _ in range(4):
            unit, zone = luck.randrange(UNITS), zones(luck)
            slots = [j for j, k in enumerate(owner) if k == unit]
            slots = slots[: len(slots) // 2 + 1] if luck.random() < 0.3 else slots
            lifted = standing(scene, slots, off(slots))
            order, facing = order_of(lifted, slots, zone), luck.choice((0, 450, 900))
            goal = (luck.randint(0, 72_000), luck.randint(0, 48_000))
            places = muster_compiled(lifted, slots, zone, *goal, facing)
            assert places == muster_plain(lifted, slots, zone, *goal, facing)
            for spread in (0, 800, 6000) if places else ():
                found += 1
                spots = struct.iter_unpack("<2i", places or b"")
                moved = [(x + luck.randint(-spread, spread), y + luck.randint(-spread, spread)) for x, y in spots]
                xy = struct.pack(f"<{2 * len(slots)}i", *(c for p in moved for c in p))
                there = standing(lifted, slots, xy, struct.pack("<h", facing) * len(slots))
                assert judge_place_compiled(there, order, zone, slots) == judge_place_plain(there, order, zone, slots)
    assert found > 150


def test_the_ring_searches_agree() -> None:
    """Spots beside others, and ranks around hulls and points, are equal for 30 units in zones of every kind."""
    joined = ringed = 0
    for seed in range(10):
        scene, luck = battle(seed, seed % 3 > 0), random.Random(seed)
        owner = struct.unpack(f"<{scene.field.n}h", scene.owner)
        for _ in range(3):
            unit, zone = luck.randrange(UNITS), zones(luck)
            slots = [j for j, k in enumerate(owner) if k == unit]
            lost, beside = slots[-1], tuple(slots[:-1])
            thinned = standing(scene, [lost], off([lost]))
            middles = b"".join(scene.xy[8 * slot : 8 * slot + 8] for slot in beside) or scene.xy[8 * lost : 8 * lost + 8]
            need, link = luck.choice((0, 1, min(2, len(beside)))), luck.choice((1000, 2000))
            rings = Rings(middles, luck.choice((0, 500)), 2000, 250, luck.choice((225, 450)), beside, need, link)
            asked = (thinned, order_of(thinned, (lost,), zone), zone, lost, rings)
            spot = place_in_rings_compiled(*asked)
            assert spot == place_in_rings_plain(*asked)
            joined += spot is not None
            lifted = standing(scene, slots, off(slots))
            around = zone.hub or Hub(36_000, 24_000, luck.randrange(3600), luck.choice((TANK, RIDER)), 3000)
            hubbed = replace(zone, hub=around, inside=())
            ranks = muster_around_compiled(lifted, slots, hubbed)
            assert ranks == muster_around_plain(lifted, slots, hubbed)
            ringed += ranks is not None
    assert joined > 5 and ringed > 5, (joined, ringed)


def _witnessed(seed: int) -> list[object]:
    """Everything the witnesses propose on one table."""
    scene, luck = battle(seed, seed % 2 > 0), random.Random(seed)
    said: list[object] = []
    for unit in range(UNITS):
        slots = paths.slots_of(scene, unit)
        if not slots:
            continue
        hull = hull_of(scene, slots)
        order = walk(unit, luck.choice((6000, 12_000)), UNITS, hull=hull)
        x, y = luck.randint(1000, 71_000), luck.randint(1000, 47_000)
        said += [paths.advance(scene, order, x, y), paths.slide(scene, order, x - 36_000, y - 24_000)]
        for enemy in range(1 - unit % 2, UNITS, 2):
            charge = assault(unit, enemy, 12_000, UNITS, hull=hull)
            if not paths.slots_of(scene, enemy) or min(paths.target_gaps(scene, charge)) > 8000:
                continue
            march = paths.engage(scene, charge)
            said += [march, paths.reachable_contact(scene, charge)]
            if march is not None:
                after = paths.settled(scene, unit, paths.judge(scene, charge, march))
                said.append(
                    paths.pile_in(after, pile_in_order(enemy, unit))
                    if not hull_of(scene, paths.slots_of(scene, enemy))
                    else None
                )
                said.append(paths.separate(after, separation_order(unit, enemy)))
            break
        if len(slots) > 4 and hull is None:
            gone = [slot for slot in slots if luck.random() < 0.5]
            thinned = standing(scene, gone, off(gone))
            if paths.slots_of(thinned, unit):
                broken = walk(unit, 6000, UNITS, cohere=ALWAYS)
                said += [paths.regroup(thinned, broken), paths.draw_in(thinned, broken)]
    return said


@pytest.mark.parametrize("seed", range(4))
def test_the_witnesses_agree(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Advances, slides, assaults, pile-ins, separations and regroupings of a whole table are the same."""
    compiled = _witnessed(seed)
    monkeypatch.setattr(kernels, "COMPILED", False)
    assert compiled == _witnessed(seed)


def test_models_off_the_table_do_nothing() -> None:
    """A unit of which nobody is on the table has nothing to judge, in either twin."""
    scene = battle(1)
    owner = struct.unpack(f"<{scene.field.n}h", scene.owner)
    slots = [j for j, k in enumerate(owner) if k == 2]
    gone = standing(scene, slots, struct.pack("<2i", NOWHERE, 0) * len(slots))
    for wish in (Stay(), Shift(100, 0)):
        assert judge_compiled(gone, walk(2, 6000, UNITS), wish) == judge_plain(gone, walk(2, 6000, UNITS), wish)


def test_two_threads_do_not_disturb_each_other() -> None:
    """Two tables asked about at once, with a short switch interval, give what they give one after the other."""
    quiet = [_witnessed(seed) for seed in (1, 2)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(2) as both:
            for _ in range(3):
                assert list(both.map(_witnessed, (1, 2))) == quiet
    finally:
        sys.setswitchinterval(interval)
