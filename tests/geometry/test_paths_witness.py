"""Witnesses: what they propose passes the judge, and they find what there is to be found."""

from __future__ import annotations

import random
import struct

import pytest
from msgspec.structs import replace

from rolloff.geometry import kernels, paths
from rolloff.geometry.field import DANGEROUS, DIFFICULT, IMPASSABLE, NOWHERE, Piece, Scene
from rolloff.geometry.moves import (
    ALWAYS,
    NEARER,
    TOUCH,
    Code,
    Coherency,
    Hull,
    March,
    Order,
    Shift,
    Stay,
    gaps,
)
from rolloff.geometry.place import standing
from tests.geometry.battles import UNITS, battle, hull_of, off, pile_in_order, separation_order
from tests.geometry.path_scenes import LOOSE, RIDER, TANK, Model, assault, scene_of, walk
from tests.geometry.twin import needs_both, twin

__all__ = ["twin"]
EDITION = "onepage-3.0"
pytestmark = pytest.mark.usefixtures("twin")


def squad(unit: int, x: int, y: int, count: int = 5, step: int = 1500) -> list[Model]:
    """A row of infantry."""
    return [Model(unit, x + k * step, y) for k in range(count)]


def spot(scene: Scene, slot: int) -> tuple[int, int]:
    """Where a model stands."""
    x, y = struct.unpack_from("<2i", scene.xy, 8 * slot)
    return x, y


def test_a_slide_goes_as_far_as_it_may() -> None:
    """It stops at the allowance, an inch before another unit, at a wall, and at the table's edge."""
    wall = Piece("wall", outline=((30_000, 0), (31_000, 0), (31_000, 12_000), (30_000, 12_000)), kinds=IMPASSABLE)
    scene = scene_of([*squad(0, 20_000, 20_000), *squad(1, 20_000, 24_000), *squad(2, 20_000, 10_000)], [wall])
    assert paths.slide(scene, walk(0), -9000, 0) == Shift(-6000, 0)
    up = paths.slide(scene, walk(0), 0, 6000)
    assert isinstance(up, Shift)
    assert 4000 - 2260 <= up.dy <= 4000 - 2260 + 10
    right = paths.slide(scene, walk(2), 9000, 0)
    assert isinstance(right, Shift)
    assert 4000 - 630 <= right.dx <= 4000 - 630 + 10
    assert paths.slide(scene, walk(0), 0, 0) == Stay()


@pytest.mark.clause(EDITION, "TERR-DIFF-2")
def test_a_slide_takes_the_better_of_the_cap_and_dry_feet() -> None:
    """Woods five inches ahead: to the cap if that is further; woods eight inches ahead: up to their rim."""
    near = Piece("woods", disc=(20_000, 27_000, 1000), kinds=DIFFICULT)
    far = Piece("woods", disc=(20_000, 30_000, 1000), kinds=DIFFICULT)
    for woods, length in ((near, 6000), (far, 10_000 - 1630)):
        scene = scene_of([Model(0, 20_000, 20_000)], [woods])
        wish = paths.slide(scene, walk(0, 12_000), 0, 12_000)
        assert isinstance(wish, Shift)
        assert abs(wish.dy - length) <= 1


@pytest.mark.clause(EDITION, "MELEE-2")
def test_an_assault_finds_its_way_around_a_screen() -> None:
    """A target behind a wall of impassable ground is reached around it, or not at all if the way is too long."""
    wall = Piece("wall", outline=((18_000, 23_000), (26_000, 23_000), (26_000, 23_500), (18_000, 23_500)), kinds=IMPASSABLE)
    scene = scene_of([*squad(0, 20_000, 21_000, 3), Model(1, 22_000, 26_000)], [wall])
    found = paths.reachable_contact(scene, assault(0, 1))
    assert found is not None
    slot, path = found
    assert len(path) >= 2
    lone = replace(assault(0, 1), cohere=0)
    assert paths.judge(scene, lone, March.of((0, 1, 2), {slot: path})).legal
    assert paths.reachable_contact(scene, assault(0, 1, 7000)) is None
    march = paths.engage(scene, assault(0, 1))
    assert march is not None
    assert paths.judge(scene, assault(0, 1), march).legal


@pytest.mark.clause(EDITION, "MELEE-2")
def test_a_target_shut_in_cannot_be_reached() -> None:
    """A ring of another enemy unit, too close to slip through without touching, keeps the assaulter out."""
    around = ((2000, 0), (1414, 1414), (0, 2000), (-1414, 1414), (-2000, 0), (-1414, -1414), (0, -2000), (1414, -1414))
    ring = [Model(3, 26_000 + dx, 20_000 + dy) for dx, dy in around]
    scene = scene_of([*squad(0, 15_000, 20_000, 3), Model(1, 26_000, 20_000), *ring])
    assert paths.reachable_contact(scene, assault(0, 1)) is None
    assert paths.engage(scene, assault(0, 1)) is None
    assert paths.engage(scene, assault(0, 3)) is not None


@pytest.mark.clause(EDITION, "MELEE-3")
def test_everyone_who_can_ends_in_contact_or_nearer() -> None:
    """In the open a row of ten against a row of ten puts at least six in contact and nobody further away."""
    scene = scene_of([*squad(0, 20_000, 20_000, 10, 1300), *squad(1, 20_000, 28_000, 10, 1300)])
    order = assault(0, 1)
    march = paths.engage(scene, order)
    assert march is not None
    verdict = paths.judge(scene, order, march)
    assert verdict.legal
    before, after = paths.target_gaps(scene, order), paths.target_gaps(paths.settled(scene, 0, verdict), order)
    assert sum(gap <= 10 for gap in after) >= 6
    assert all(b >= a for a, b in zip(after, before, strict=True))


def test_a_long_file_charges_without_breaking() -> None:
    """A file of ten whose tail cannot come near still ends coherent with its head in contact."""
    file = [Model(0, 20_000, 8000 + 2500 * k) for k in range(5)]
    scene = scene_of([*file, *squad(1, 17_000, 28_500)])
    order = assault(0, 1)
    march = paths.engage(scene, order)
    assert march is not None
    assert paths.judge(scene, order, march).legal


@pytest.mark.clause(EDITION, "TERR-DIFF-2")
def test_an_assault_keeps_out_of_the_woods_where_the_cap_would_stop_it() -> None:
    """Ten inches with woods in the straight way: the assault goes around them."""
    woods = Piece("woods", disc=(21_500, 25_000, 1500), kinds=DIFFICULT)
    scene = scene_of([*squad(0, 20_000, 20_000, 3), *squad(1, 20_000, 30_500, 3)], [woods])
    order = assault(0, 1)
    march = paths.engage(scene, order)
    assert march is not None
    verdict = paths.judge(scene, order, march)
    assert verdict.legal
    assert not verdict.difficult


def test_witnesses_on_battlefields_are_lawful() -> None:
    """On six crowded tables every advance, slide, assault, pile-in and separation passes the judge."""
    assaults = 0
    for seed in range(6):
        scene, luck = battle(seed, seed % 3 > 0), random.Random(seed)
        for unit in range(UNITS):
            slots = paths.slots_of(scene, unit)
            hull = hull_of(scene, slots)
            order = walk(unit, luck.choice((6000, 12_000)), UNITS, hull=hull)
            x, y = luck.randint(1000, 71_000), luck.randint(1000, 47_000)
            for wish in (paths.advance(scene, order, x, y), paths.slide(scene, order, x - 36_000, y - 24_000)):
                assert paths.judge(scene, order, wish).legal
            for enemy in range(1 - unit % 2, UNITS, 2):
                assaults += _fought(scene, unit, enemy, hull)
    assert assaults > 15


def _fought(scene: Scene, unit: int, enemy: int, hull: Hull | None) -> bool:
    """Carry one assault through to separation, if the foe is near; whether there was one."""
    order = assault(unit, enemy, 8000, UNITS, hull=hull)
    if min(paths.target_gaps(scene, order)) > 8000:
        return False
    march = paths.engage(scene, order)
    if march is None:
        return False
    verdict = paths.judge(scene, order, march)
    assert verdict.legal
    scene = paths.settled(scene, unit, verdict)
    if hull_of(scene, paths.slots_of(scene, enemy)) is None:
        order = pile_in_order(enemy, unit)
        before, verdict = paths.target_gaps(scene, order), paths.judge(scene, order, paths.pile_in(scene, order))
        assert verdict.legal
        assert verdict.coherent or not verdict.was_coherent
        scene = paths.settled(scene, enemy, verdict)
        assert all(a <= b + 10 for a, b in zip(paths.target_gaps(scene, order), before, strict=True))
    order = separation_order(unit, enemy)
    before, verdict = paths.target_gaps(scene, order), paths.judge(scene, order, paths.separate(scene, order))
    assert verdict.legal
    assert verdict.longest <= 1010
    after = paths.target_gaps(paths.settled(scene, unit, verdict), order)
    assert min(after) >= min(before) - 10
    return True


@pytest.mark.clause(EDITION, "MELEE-7")
def test_defenders_pile_in_up_to_three_inches() -> None:
    """Those in contact stand, those behind come into contact or nearer, and the unit stays coherent."""
    scene = scene_of([*squad(0, 20_000, 20_000, 3), *squad(1, 20_000, 21_262, 3), *squad(1, 20_000, 23_000, 3)])
    order = pile_in_order(1, 0, 8)
    wish = paths.pile_in(scene, order)
    verdict = paths.judge(scene, order, wish)
    assert verdict.legal
    assert verdict.coherent
    assert 0 < verdict.longest <= 3010
    after = paths.settled(scene, 1, verdict)
    assert [spot(after, k) for k in (3, 4, 5)] == [spot(scene, k) for k in (3, 4, 5)]
    assert sum(paths.target_gaps(after, order)) < sum(paths.target_gaps(scene, order))


@pytest.mark.clause(EDITION, "MELEE-26")
def test_the_rear_makes_room_for_those_in_contact() -> None:
    """Two tight ranks in contact with a line: afterwards everyone is an inch clear of it."""
    front, rear = squad(0, 20_000, 20_000, 5, 1262), squad(0, 20_000, 18_738, 5, 1262)
    scene = scene_of([*front, *rear, *squad(1, 20_000, 21_262, 5, 1262)])
    order = separation_order(0, 1, 8)
    verdict = paths.judge(scene, order, paths.separate(scene, order))
    assert verdict.legal
    assert verdict.longest <= 1010
    assert min(paths.target_gaps(paths.settled(scene, 0, verdict), order)) >= 990


@pytest.mark.clause(EDITION, "MELEE-26")
def test_a_blocked_model_goes_as_far_as_it_can() -> None:
    """With a wall a third of an inch behind, the model steps back that far and no further."""
    wall = Piece("wall", outline=((10_000, 18_000), (30_000, 18_000), (30_000, 19_040), (10_000, 19_040)), kinds=IMPASSABLE)
    scene = scene_of([Model(0, 20_000, 20_000), Model(1, 20_000, 21_262)], [wall])
    order = separation_order(0, 1, 8)
    verdict = paths.judge(scene, order, paths.separate(scene, order))
    gap = paths.target_gaps(paths.settled(scene, 0, verdict), order)[0]
    assert verdict.legal
    assert 250 <= gap < 990


@pytest.mark.clause(EDITION, "COH-6")
def test_a_broken_unit_comes_together_where_it_can() -> None:
    """A stray six inches off is brought back; one thirty inches off cannot be, and comes nearer instead."""
    order = walk(0, 6000, cohere=ALWAYS)
    near = scene_of([*squad(0, 20_000, 20_000, 4), Model(0, 20_000, 27_000)])
    wish = paths.regroup(near, order)
    assert wish is not None
    assert paths.judge(near, order, wish).legal
    far = scene_of([*squad(0, 20_000, 20_000, 4), Model(0, 50_000, 27_000)])
    assert paths.regroup(far, order) is None
    closer = replace(order, cohere=NEARER)
    drawn = paths.draw_in(far, closer)
    assert paths.judge(far, closer, drawn).legal
    assert paths.judge(far, closer, drawn).longest >= 5900
    whole = scene_of(squad(0, 20_000, 20_000, 4))
    assert paths.regroup(whole, order) == Stay()


@pytest.mark.clause(EDITION, "COH-6")
def test_two_halves_meet() -> None:
    """Two groups nine inches apart: neither can stay where it is with everyone in reach, together they can."""
    scene = scene_of([*squad(0, 20_000, 20_000, 2), *squad(0, 32_000, 20_000, 2)])
    order = replace(walk(0, 6000, cohere=ALWAYS), coherency=Coherency(1000, 12_000, connected=True))
    wish = paths.regroup(scene, order)
    assert wish is not None
    assert paths.judge(scene, order, wish).legal


def test_thinned_units_regroup() -> None:
    """On eight tables with half of each unit gone nearly every broken unit finds together with a walk."""
    broken = mended = 0
    for seed in range(8):
        scene, luck = battle(seed, False), random.Random(seed)
        for unit in range(UNITS):
            gone = [slot for slot in paths.slots_of(scene, unit) if luck.random() < 0.6]
            thinned, order = standing(scene, gone, off(gone)), walk(unit, 6000, UNITS, cohere=ALWAYS)
            if not paths.slots_of(thinned, unit) or paths.judge(thinned, order, Stay()).legal:
                continue
            broken += 1
            wish = paths.regroup(thinned, order)
            mended += wish is not None
            assert wish is None or paths.judge(thinned, order, wish).legal
    assert broken > 10
    assert mended >= broken - 2


@pytest.mark.clause(EDITION, "TYPE-VEH-7")
def test_a_hull_drives_toward_a_point() -> None:
    """Forward is straight, behind is a pivot and a part, and what is in the way is gone around as far as parts allow."""
    scene = scene_of([Model(0, 20_000, 20_000, 0, TANK)])
    order = walk(0, 12_000, hull=Hull())
    ahead = paths.advance(scene, order, 40_000, 20_000)
    assert struct.unpack("<2i", paths.judge(scene, order, ahead).ends) == (32_000, 20_000)
    aside = paths.judge(scene, order, paths.advance(scene, order, 20_000, 40_000))
    assert aside.legal
    assert struct.unpack("<2i", aside.ends) == (20_000, 32_000)
    rock = Piece("rock", disc=(27_000, 20_000, 1500), kinds=IMPASSABLE)
    blocked = scene_of([Model(0, 20_000, 20_000, 0, TANK)], [rock])
    around = paths.judge(blocked, order, paths.advance(blocked, order, 34_000, 20_000))
    assert around.legal
    assert struct.unpack("<2i", around.ends)[0] > 24_000


def test_a_hull_charges_into_contact() -> None:
    """A tank reaches infantry ahead, and infantry at its side after a pivot; not infantry behind it."""
    order = assault(0, 1, 18_000, hull=Hull())
    for x, y in ((34_000, 21_000), (22_000, 32_000)):
        scene = scene_of([Model(0, 20_000, 20_000, 0, TANK), *squad(1, x, y, 3)])
        march = paths.engage(scene, order)
        assert march is not None
        assert paths.judge(scene, order, march).legal
        assert paths.reachable_contact(scene, order) is not None
    no_turn = replace(order, hull=Hull(pivots=0, reverse=0))
    scene = scene_of([Model(0, 20_000, 20_000, 0, TANK), *squad(1, 5000, 20_000, 3)])
    assert paths.engage(scene, no_turn) is None


def boarding(unit: int, transport: int) -> Order:
    """A walk into contact with a transport."""
    keep = gaps(8, 1000, {transport: TOUCH})
    return Order(unit, 6000, keep, keep, LOOSE, targets=(transport,), contact=True)


@pytest.mark.clause(EDITION, "RULE-TRANSPORT-3")
def test_a_unit_walks_into_contact_with_its_transport() -> None:
    """One model at the hull is enough, and the unit is coherent then."""
    scene = scene_of([*squad(0, 20_000, 20_000, 4), Model(2, 24_000, 26_000, 0, TANK)])
    march = paths.engage(scene, boarding(0, 2))
    assert march is not None
    verdict = paths.judge(scene, boarding(0, 2), march)
    assert verdict.legal
    assert verdict.coherent


def aboard(count: int = 5, **more: object) -> tuple[Scene, Order]:
    """Passengers in a tank, and their order to walk out of it."""
    crew = [Model(0, NOWHERE, 0) for _ in range(count)]
    scene = scene_of([*crew, Model(2, 30_000, 24_000, 300, TANK), *squad(1, 30_000, 32_000, 3)], **more)  # type: ignore[arg-type]
    return scene, walk(0, 6000, leaving=count, slots=tuple(range(count)), cohere=ALWAYS)


@pytest.mark.clause(EDITION, "RULE-TRANSPORT-5")
def test_passengers_walk_out_from_the_hulls_outline() -> None:
    """Each path begins in contact with the hull, ends an inch from it, and the unit is coherent."""
    scene, order = aboard()
    march = paths.disembark(scene, order, 20_000, 20_000)
    assert march is not None
    verdict = paths.judge(scene, order, march)
    assert verdict.legal
    assert verdict.coherent
    starts = {slot: path[:1] for slot, path in march.paths(order.slots).items()}
    stuck = paths.judge(scene, order, March.of(order.slots, starts))
    assert (stuck.code, stuck.what) == (Code.GAP_UNIT, 2)
    adrift = {slot: [(x + 4000, y, f), *path[1:]] for slot, ((x, y, f), *path) in march.paths(order.slots).items()}
    assert paths.judge(scene, order, March.of(order.slots, adrift)).code == Code.BAD_START
    assert paths.judge(scene, order, Stay()).code == Code.NO_SUCH_MODEL


@needs_both
def test_both_twins_find_the_same_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Toward twelve goals, hemmed in by ruins and enemies, passengers take the same way out with and without kernels."""
    wall = Piece("wall", outline=((26_000, 20_000), (29_000, 20_000), (29_000, 29_000), (26_000, 29_000)), kinds=IMPASSABLE)
    scene, order = aboard(pieces=[wall])
    goals = [(30_000 + 9000 * dx, 24_000 + 9000 * dy) for dx in (-2, -1, 1, 2) for dy in (-1, 0, 1)]
    compiled = [paths.disembark(scene, order, x, y) for x, y in goals]
    monkeypatch.setattr(kernels, "COMPILED", False)
    assert compiled == [paths.disembark(scene, order, x, y) for x, y in goals]
    assert any(compiled)


@pytest.mark.clause(EDITION, "RULE-TRANSPORT-5")
def test_nobody_leaves_a_hull_that_is_walled_in() -> None:
    """With impassable ground all around the hull there is no start."""
    rock = Piece("rock", outline=((24_000, 18_000), (36_000, 18_000), (36_000, 30_000), (24_000, 30_000)), kinds=IMPASSABLE)
    scene, order = aboard(pieces=[rock])
    assert paths.disembark(scene, order, 20_000, 20_000) is None


@pytest.mark.clause("apocalypse-3.3", "MOVE-12", "MOVE-13", "TERR-DIFF-2", "TERR-DANG-3")
def test_only_the_leaders_path_counts_where_others_are_arranged() -> None:
    """Followers are set down beyond their own reach; terrain acts where the leader's centre crosses an outline."""
    woods = Piece("woods", disc=(25_000, 20_000, 2000), kinds=DIFFICULT)
    mire = Piece("mire", disc=(25_000, 26_000, 1000), kinds=DANGEROUS)
    scene = scene_of(squad(0, 20_000, 20_000, 3), [woods, mire])
    rule = Coherency(2000, 12_000, leader=0)
    order = replace(walk(0, 12_000), coherency=rule, arranged=True)
    placed = {0: [(20_000, 31_000)], 1: [(21_500, 31_000)], 2: [(20_000, 32_500)]}
    assert paths.judge(scene, replace(order, allowance=11_000), March.of((0, 1, 2), placed)).legal
    through = {0: [(28_000, 20_000)], 1: [(29_500, 20_000)], 2: [(28_000, 21_500)]}
    refused = paths.judge(scene, order, March.of((0, 1, 2), through))
    assert (refused.code, refused.difficult) == (Code.TOO_LONG, True)
    inside = {0: [(25_000, 20_000)], 1: [(26_500, 20_000)], 2: [(25_000, 21_500)]}
    verdict = paths.judge(scene, order, March.of((0, 1, 2), inside))
    assert (verdict.code, verdict.difficult) == (Code.LEGAL, True)
    across = {0: [(25_000, 24_000), (25_000, 28_000)], 1: [(26_500, 28_000)], 2: [(25_000, 29_500)]}
    marshy = paths.judge(scene, replace(order, difficult_cap=-1), March.of((0, 1, 2), across))
    assert marshy.dangerous == ((0, 1), (1, 1), (2, 1)) * 2


@pytest.mark.clause("apocalypse-3.3", "MOVE-12", "MELEE-5", "COH-6")
def test_arranged_units_advance_assault_and_regroup_around_their_leader() -> None:
    """The leader goes around a wall, into contact, or stands; the others are set down near it, lawfully each time."""
    wall = Piece("wall", outline=((18_000, 24_000), (26_000, 24_000), (26_000, 24_500), (18_000, 24_500)), kinds=IMPASSABLE)
    scene = scene_of([*squad(0, 20_000, 21_000, 10, 1400), *squad(1, 22_000, 29_000, 3)], [wall])
    rule = Coherency(2000, 12_000, leader=2)
    order = replace(walk(0, 12_000), coherency=rule, arranged=True)
    wish = paths.advance(scene, order, 22_000, 40_000)
    verdict = paths.judge(scene, order, wish)
    assert verdict.legal
    assert verdict.longest > 5000
    charge = replace(assault(0, 1), coherency=rule, arranged=True, closing=0)
    march = paths.engage(scene, charge)
    assert march is not None
    assert paths.judge(scene, charge, march).legal
    assert paths.target_gaps(paths.settled(scene, 0, paths.judge(scene, charge, march)), charge)[2] <= 10
    broken = standing(scene, [9], struct.pack("<2i", 50_000, 40_000))
    mended = paths.regroup(broken, replace(order, cohere=ALWAYS))
    assert mended is not None
    assert paths.judge(broken, replace(order, cohere=ALWAYS), mended).legal


def test_crossings_count_entering_and_leaving() -> None:
    """A path through a concave piece enters and leaves it twice; one along its inside does neither."""
    horseshoe = ((20_000, 20_000), (30_000, 20_000), (30_000, 26_000), (27_000, 26_000), (27_000, 22_000), (23_000, 22_000),
                 (23_000, 26_000), (20_000, 26_000))  # fmt: skip
    scene = scene_of([Model(0, 1000, 1000)], [Piece("shoe", outline=horseshoe), Piece("pond", disc=(40_000, 24_000, 1000))])
    ground = scene.field.ground
    assert paths.crossings(ground, [(18_000, 24_000), (33_000, 24_000)]) == ((0, 2, 2),)
    assert paths.crossings(ground, [(21_000, 21_000), (29_000, 21_000)]) == ()
    assert paths.crossings(ground, [(21_000, 21_000), (25_000, 24_000), (40_000, 24_000)]) == ((0, 1, 2), (1, 1, 0))


def test_riders_keep_their_facing_on_the_way() -> None:
    """Oval bases advance and assault without turning, and lawfully."""
    riders = [Model(0, 20_000 + 1500 * k, 20_000, 900, RIDER) for k in range(4)]
    scene = scene_of([*riders, *squad(1, 20_000, 30_000)])
    order = assault(0, 1, 18_000)
    march = paths.engage(scene, order)
    assert march is not None
    verdict = paths.judge(scene, order, march)
    assert verdict.legal
    assert struct.unpack("<4h", verdict.facings) == (900,) * 4


def test_headings_point_along_vectors() -> None:
    """The heading of a vector is the nearest tenth of a degree."""
    assert [paths.heading_of(*v) for v in ((1, 0), (0, 5), (-3, 0), (0, -2), (1000, 1000), (-7, -7))] == [
        0, 900, 1800, 2700, 450, 2250,
    ]  # fmt: skip
    assert paths.heading_of(10_000, 17_321) == 600
