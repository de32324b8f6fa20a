"""The judge of moves: each reason to refuse, each fact it reports, with both twins."""

from __future__ import annotations

import struct

import pytest
from msgspec.structs import replace

from rolloff.geometry.field import DANGEROUS, DIFFICULT, IMPASSABLE, Piece
from rolloff.geometry.moves import (
    ALWAYS,
    CLEAR,
    FREE,
    NEARER,
    NEVER,
    STRICTLY_NEARER,
    TOUCH,
    Code,
    Coherency,
    Hull,
    March,
    Order,
    Permit,
    Shift,
    Stay,
    gaps,
    over,
)
from rolloff.geometry.paths import judge, settled, slots_of
from tests.geometry.path_scenes import RIDER, TANK, Model, assault, scene_of, walk
from tests.geometry.twin import twin

__all__ = ["twin"]
EDITION = "onepage-3.0"
pytestmark = pytest.mark.usefixtures("twin")


def lone(x: int = 20_000, y: int = 20_000, unit: int = 0, **more: object) -> Model:
    """One infantry model."""
    return Model(unit, x, y, **more)  # type: ignore[arg-type]


def went(points: list[tuple[int, ...]], slot: int = 0, slots: tuple[int, ...] = (0,)) -> March:
    """A march of one model."""
    return March.of(slots, {slot: points})


@pytest.mark.clause(EDITION, "MOVE-7")
def test_a_path_is_as_long_as_its_legs_together() -> None:
    """A bent path of 3 and 4 inches is legal with 7, and too long with 6.9."""
    scene, path = scene_of([lone()]), went([(23_000, 20_000), (23_000, 24_000)])
    verdict = judge(scene, walk(0, 7000), path)
    assert (verdict.code, verdict.longest) == (Code.LEGAL, 7000)
    assert judge(scene, walk(0, 6900), path).code == Code.TOO_LONG


@pytest.mark.clause(EDITION, "MEAS-5")
def test_a_hundredth_of_an_inch_is_forgiven() -> None:
    """A move of 6.01 inches is legal, one of 6.011 is not."""
    scene = scene_of([lone()])
    assert judge(scene, walk(0), Shift(6010, 0)).legal
    assert judge(scene, walk(0), Shift(6011, 0)).code == Code.TOO_LONG


def test_bases_stay_on_the_table() -> None:
    """A base may touch the edge with its rim, not cross it."""
    scene = scene_of([lone(5000, 20_000)])
    assert judge(scene, walk(0), Shift(630 - 5000, 0)).legal
    assert judge(scene, walk(0), Shift(600 - 5000, 0)).code == Code.OFF_TABLE


@pytest.mark.parametrize(("gap", "code"), [(1000, Code.LEGAL), (990, Code.LEGAL), (985, Code.GAP_UNIT)])
@pytest.mark.clause(EDITION, "MEAS-5")
def test_the_least_gap_holds_where_a_move_ends(gap: int, code: Code) -> None:
    """A gap of exactly an inch is legal, less than 0.99 is refused and names the unit."""
    scene = scene_of([lone(), lone(25_000, 20_000, 3)])
    verdict = judge(scene, walk(0), Shift(5000 - 1260 - gap, 0))
    assert verdict.code == code
    assert verdict.what == (3 if code else -1)


@pytest.mark.clause(EDITION, "MOVE-7")
def test_the_least_gap_holds_along_the_whole_way() -> None:
    """A path that passes another unit at half an inch is refused though it ends far away; around it is fine."""
    scene = scene_of([lone(), lone(23_000, 21_700, 3)])
    assert judge(scene, walk(0), Shift(6000, 0)).code == Code.GAP_UNIT
    around = went([(22_000, 19_000), (24_000, 19_000), (25_000, 20_000)])
    assert judge(scene, walk(0), around).legal


@pytest.mark.clause(EDITION, "MOVE-6")
def test_models_pass_through_their_own_unit_but_do_not_end_on_it() -> None:
    """A model walks across a fellow; ending on it is an overlap; across another unit's model it may not."""
    scene = scene_of([lone(), lone(22_000, 20_000)])
    both = (0, 1)
    assert judge(scene, walk(0), went([(24_000, 20_000)], 0, both)).legal
    refused = judge(scene, walk(0), went([(22_500, 20_000)], 0, both))
    assert (refused.code, refused.slot, refused.what) == (Code.OVERLAP, 0, 1)
    other = scene_of([lone(), lone(22_000, 20_000, 2)])
    touching = Order(0, 6000, gaps(4, TOUCH), gaps(4, TOUCH), Coherency(2000, 12_000))
    assert judge(other, touching, Shift(4000, 0)).code == Code.GAP_UNIT


@pytest.mark.clause(EDITION, "MOVE-5")
def test_a_model_too_close_at_the_start_may_only_go_away() -> None:
    """Half an inch from an enemy: staying and leaving are legal, coming nearer and ending too near are not."""
    scene = scene_of([lone(), lone(21_760, 20_000, 1)])
    order = walk(0)
    assert judge(scene, order, Stay()).legal
    assert judge(scene, order, Shift(-1000, 0)).legal
    assert judge(scene, order, Shift(-200, 0)).code == Code.GAP_UNIT
    nearer_first = went([(20_200, 20_000), (18_000, 20_000)])
    assert judge(scene, order, nearer_first).code == Code.GAP_UNIT
    sidewards = went([(20_000, 23_000)])
    assert judge(scene, order, sidewards).legal


@pytest.mark.clause(EDITION, "MELEE-26")
def test_a_tolerant_order_lets_a_gap_stay_too_small_but_not_shrink() -> None:
    """Moving a fifth of an inch away from contact is legal when that is tolerated; toward it never."""
    scene = scene_of([lone(), lone(21_262, 20_000, 1)])
    order = replace(walk(0), tolerant=True)
    assert judge(scene, order, Shift(-200, 0)).legal
    assert judge(scene, order, Shift(20, 0)).code == Code.GAP_UNIT


def test_flyers_pass_over_units_and_rocks_but_keep_their_distance_at_the_end() -> None:
    """With no gap asked on the way the end alone is judged."""
    rock = Piece("rock", outline=((22_000, 18_000), (23_000, 18_000), (23_000, 22_000), (22_000, 22_000)), kinds=IMPASSABLE)
    scene = scene_of([lone(), lone(25_000, 20_000, 1)], [rock])
    order = Order(0, 12_000, gaps(4, FREE), gaps(4, 1000), Coherency(2000), through_impassable=True)
    assert judge(scene, order, Shift(8000, 0)).legal
    assert judge(scene, order, Shift(2500, 0)).code == Code.IMPASSABLE
    assert judge(scene, order, Shift(5500, 0)).code == Code.GAP_UNIT


def test_impassable_ground_is_neither_entered_nor_crossed() -> None:
    """A rim may touch a wall; a swept base may not cut its corner."""
    wall = Piece("wall", outline=((22_000, 10_000), (23_000, 10_000), (23_000, 20_000), (22_000, 20_000)), kinds=IMPASSABLE)
    scene = scene_of([lone(20_000, 15_000)], [wall])
    assert judge(scene, walk(0), Shift(2000 - 630, 0)).legal
    refused = judge(scene, walk(0), Shift(1400, 0))
    assert (refused.code, refused.what) == (Code.IMPASSABLE, 0)
    corner = scene_of([lone(21_000, 20_500)], [wall])
    assert judge(corner, walk(0), Shift(3000, 0)).code == Code.IMPASSABLE
    assert judge(corner, walk(0), went([(21_000, 20_630), (24_000, 20_630)])).legal


def test_barred_pieces_are_impassable_for_one_order_and_opened_ones_are_not() -> None:
    """A byte for each piece bars an open one or opens an impassable one."""
    piece = Piece("field", disc=(23_000, 20_000, 1000))
    rock = Piece("rock", disc=(23_000, 30_000, 1000), kinds=IMPASSABLE)
    scene = scene_of([lone(), lone(20_000, 30_000, 2)], [piece, rock])
    assert judge(scene, walk(0), Shift(3000, 0)).legal
    assert judge(scene, walk(0, barred=b"\1"), Shift(3000, 0)).code == Code.IMPASSABLE
    assert judge(scene, walk(2), Shift(3000, 0)).code == Code.IMPASSABLE
    assert judge(scene, walk(2, barred=b"\0\2"), Shift(3000, 0)).legal


@pytest.mark.clause(EDITION, "TERR-GEN-2", "TERR-DIFF-2")
def test_difficult_ground_touched_by_one_model_caps_everyone() -> None:
    """The rim of one swept base in the woods holds the whole unit to six inches; beside the woods there is no cap."""
    woods = Piece("woods", disc=(25_000, 22_000, 1500), kinds=DIFFICULT)
    scene = scene_of([lone(), lone(20_000, 21_500), lone(20_000, 18_500)], [woods])
    order = walk(0, 12_000)
    refused = judge(scene, order, Shift(7000, 0))
    assert (refused.code, refused.difficult, refused.what) == (Code.TOO_LONG, True, 6000)
    assert judge(scene, order, Shift(6000, 0)).legal
    dry = March.of((0, 1, 2), {2: [(32_000, 18_500)], 0: [(31_000, 17_000)], 1: [(24_000, 19_000), (30_500, 18_500)]})
    verdict = judge(scene, replace(order, cohere=NEVER), dry)
    assert (verdict.code, verdict.difficult) == (Code.LEGAL, False)
    assert not judge(scene, replace(order, difficult=0), Shift(7000, 0)).difficult


@pytest.mark.clause(EDITION, "TERR-DIFF-2")
def test_starting_in_the_woods_counts_for_those_who_move() -> None:
    """A model that stands in the woods and moves is capped; one that stays there caps nobody."""
    woods = Piece("woods", disc=(20_000, 20_000, 1500), kinds=DIFFICULT)
    scene = scene_of([lone(), lone(23_000, 20_000)], [woods])
    order = replace(walk(0, 12_000), cohere=NEVER)
    assert judge(scene, order, went([(29_000, 20_000)], 0, (0, 1))).code == Code.TOO_LONG
    assert judge(scene, order, went([(32_000, 20_000)], 1, (0, 1))).legal


@pytest.mark.clause(EDITION, "TERR-DANG-3")
def test_dangerous_pieces_are_reported_once_a_model_and_piece() -> None:
    """Crossing a swamp twice gives one pair; two swamps give two; a model beside them gives none."""
    swamps = [Piece("a", disc=(22_000, 20_000, 500), kinds=DANGEROUS), Piece("b", disc=(24_000, 20_000, 500), kinds=DANGEROUS)]
    scene = scene_of([lone(), lone(20_000, 22_500)], swamps)
    march = March.of((0, 1), {0: [(23_000, 20_000), (21_900, 20_000), (26_000, 20_000)], 1: [(25_000, 22_500)]})
    verdict = judge(scene, replace(walk(0, 12_000), cohere=NEVER), march)
    assert verdict.legal
    assert verdict.dangerous == ((0, 0), (0, 1))
    assert judge(scene, walk(0, 12_000, dangerous=0), Shift(3000, 0)).dangerous == ()


def test_a_verdict_carries_where_everyone_stands() -> None:
    """Ends and facings are those of the unit's slots, ascending, and settle into the next scene."""
    scene = scene_of([lone(), lone(10_000, 10_000, 1), lone(21_500, 20_000)])
    verdict = judge(scene, walk(0), Shift(100, -200))
    assert struct.unpack("<4i", verdict.ends) == (20_100, 19_800, 21_600, 19_800)
    after = settled(scene, 0, verdict)
    assert struct.unpack("<6i", after.xy) == (20_100, 19_800, 10_000, 10_000, 21_600, 19_800)
    assert slots_of(after, 0) == (0, 2)


@pytest.mark.clause(EDITION, "COH-1", "COH-2", "COH-5")
def test_a_coherent_unit_ends_coherent() -> None:
    """A model left 2.1 inches behind, or twelve and more from another, makes the move illegal."""
    scene = scene_of([lone(), lone(22_000, 20_000)])
    left = judge(scene, walk(0), went([(20_000 - 2100 + 740, 20_000)], 0, (0, 1)))
    assert (left.code, left.was_coherent, left.coherent) == (Code.INCOHERENT, True, False)
    chain = scene_of([lone(20_000 + 2500 * k) for k in range(6)])
    assert judge(chain, walk(0), Stay()).coherent
    stretched = judge(chain, walk(0), went([(20_000 - 1300, 20_000)], 0, tuple(range(6))))
    assert stretched.code == Code.INCOHERENT


@pytest.mark.clause(EDITION, "COH-3")
def test_two_pairs_are_coherent_unless_one_group_is_asked_for() -> None:
    """Read literally, separate pairs are legal; with `connected` they are not."""
    scene = scene_of([lone(), lone(21_500, 20_000), lone(27_000, 20_000), lone(28_500, 20_000)])
    assert judge(scene, walk(0), Stay()).coherent
    order = replace(walk(0), coherency=Coherency(2000, 12_000, connected=True))
    assert not judge(scene, order, Stay()).coherent


def test_some_units_need_two_neighbours() -> None:
    """With `need` 2 the ends of a row are strays."""
    row = scene_of([lone(20_000 + 2200 * k) for k in range(7)])
    assert judge(row, walk(0), Stay()).coherent
    order = replace(walk(0), coherency=Coherency(2000, need=2, connected=True))
    assert not judge(row, order, Stay()).coherent


@pytest.mark.clause(EDITION, "COH-6")
def test_an_incoherent_unit_must_come_back_or_close_up() -> None:
    """The order may ask for coherency whatever the start, or only that strays come nearer."""
    scene = scene_of([lone(), lone(40_000, 20_000)])
    assert judge(scene, walk(0), Shift(100, 0)).legal
    assert judge(scene, replace(walk(0), cohere=ALWAYS), Shift(100, 0)).code == Code.INCOHERENT
    nearer = March.of((0, 1), {0: [(21_000, 20_000)]})
    assert judge(scene, replace(walk(0), cohere=NEARER), nearer).legal
    assert judge(scene, replace(walk(0), cohere=NEARER), Shift(100, 0)).code == Code.INCOHERENT


@pytest.mark.clause(EDITION, "MELEE-3", "MELEE-4")
def test_an_assault_needs_contact_and_nobody_goes_back() -> None:
    """One model in contact is enough; others end no further away; other enemies are not touched."""
    scene = scene_of([lone(), lone(20_000, 21_500), lone(26_000, 20_000, 1), lone(26_000, 22_000, 3)])
    order, both = assault(0, 1), (0, 1)
    charge = {0: [(24_740, 20_000)], 1: [(23_000, 21_500)]}
    assert judge(scene, order, March.of(both, charge)).legal
    short = {0: [(24_700, 20_000)], 1: [(23_000, 21_500)]}
    assert judge(scene, order, March.of(both, short)).code == Code.NO_CONTACT
    back = judge(scene, replace(order, cohere=NEVER), March.of(both, {0: [(24_740, 20_000)], 1: [(19_900, 21_500)]}))
    assert (back.code, back.slot) == (Code.FURTHER, 1)
    both_touched = {0: [(24_740, 20_000)], 1: [(24_740, 22_000)]}
    refused = judge(scene, order, March.of(both, both_touched))
    assert (refused.code, refused.what) == (Code.GAP_UNIT, 3)
    near = {0: [(24_740, 20_000)], 1: [(24_700, 22_000)]}
    assert judge(scene, order, March.of(both, near)).legal


def test_an_order_may_ask_for_several_targets_within_reach_and_strictly_nearer() -> None:
    """Every target must be reached; whoever reaches none must come nearer."""
    scene = scene_of([lone(), lone(25_000, 20_000, 1), lone(20_000, 26_000, 3)])
    order = replace(assault(0, 1), targets=(1, 3), reach=1000)
    refused = judge(scene, order, Shift(3000, 0))
    assert (refused.code, refused.what) == (Code.NO_CONTACT, 3)
    nearer = replace(order, contact=False, closing=STRICTLY_NEARER)
    assert judge(scene, nearer, Shift(0, 0)).code == Code.FURTHER
    assert judge(scene, nearer, Shift(500, 0)).legal
    assert judge(scene, nearer, Shift(-500, 500)).legal  # nearer to the one that is further away
    assert judge(scene, nearer, Shift(-500, -500)).code == Code.FURTHER


@pytest.mark.clause(EDITION, "TYPE-VEH-5")
@pytest.mark.parametrize(("back", "code"), [(3000, Code.LEGAL), (4000, Code.TOO_LONG)])
def test_a_hull_pays_double_for_reversing(back: int, code: Code) -> None:
    """Six inches forward and three back cost twelve; four back cost fourteen."""
    scene = scene_of([lone(base=TANK)])
    path = went([(26_000, 20_000), (26_000 - back, 20_000)])
    verdict = judge(scene, walk(0, 12_000, hull=Hull()), path)
    assert (verdict.code, verdict.longest) == (code, 6000 + 2 * back)


@pytest.mark.clause(EDITION, "TYPE-VEH-4", "TYPE-VEH-7")
def test_a_hull_goes_straight_and_turns_once_by_at_most_a_quarter() -> None:
    """No sideways part, no curve, one pivot of ninety degrees anywhere; a second or wider one is refused."""
    scene = scene_of([lone(base=TANK)])
    order = walk(0, 12_000, hull=Hull())
    assert judge(scene, order, Shift(0, 2000)).code == Code.SIDEWAYS
    assert judge(scene, order, Shift(2000, 500)).code == Code.SIDEWAYS
    bent = [(24_000, 20_000, 900), (24_000, 25_000)]
    assert judge(scene, order, went(bent)).legal
    assert judge(scene, order, went([(24_000, 20_000, 901), (24_000, 20_000)])).code == Code.PIVOT
    assert judge(scene, order, went([*bent, (24_000, 25_000, 950)])).code == Code.PIVOT
    turn = went([(20_000, 20_000, 1800)])
    assert judge(scene, replace(order, hull=Hull(pivot=1800), allowance=0), turn).legal


@pytest.mark.clause("apocalypse-3.3", "TYPE-VEH-6")
def test_a_hull_may_go_sideways_where_that_has_a_price() -> None:
    """Six inches sideways cost twelve; without a price they are refused."""
    scene = scene_of([lone(base=TANK)])
    assert judge(scene, walk(0, 12_000, hull=Hull(sideways=2)), Shift(0, 6000)).legal
    assert judge(scene, walk(0, 12_000, hull=Hull(sideways=2)), Shift(0, 6100)).code == Code.TOO_LONG
    assert judge(scene, walk(0, 12_000, hull=Hull(reverse=0)), Shift(-2000, 0)).code == Code.SIDEWAYS


@pytest.mark.clause(EDITION, "TYPE-VEH-4")
def test_a_pivot_needs_room_before_and_after() -> None:
    """A hull beside a wall may not turn into it; the sweep between is not judged."""
    wall = Piece("wall", outline=((15_000, 21_700), (25_000, 21_700), (25_000, 22_500), (15_000, 22_500)), kinds=IMPASSABLE)
    scene = scene_of([lone(base=TANK)], [wall])
    order = walk(0, 12_000, hull=Hull(pivot=1800))
    assert judge(scene, order, went([(20_000, 20_000, 900)])).code == Code.IMPASSABLE
    assert judge(scene, order, went([(20_000, 20_000, 1800)])).legal


@pytest.mark.clause(EDITION, "TYPE-VEH-4", "MOVE-5")
def test_a_pivot_toward_a_neighbour_is_no_start_too_close() -> None:
    """A hull an inch and a fifth beside a friend may not turn its nose into it and drive off; it may drive off."""
    scene = scene_of([lone(base=TANK), lone(20_000, 23_330, 2)])
    order = walk(0, 12_000, hull=Hull())
    assert judge(scene, order, Shift(5000, 0)).legal
    into = went([(20_000, 20_000, 900), (20_000, 15_000)])
    refused = judge(scene, order, into)
    assert (refused.code, refused.what) == (Code.GAP_UNIT, 2)


@pytest.mark.clause(EDITION, "MEAS-4")
def test_no_part_of_an_oval_base_travels_further_than_allowed() -> None:
    """An oval that turns right round in place moves its tips by its length; a hull or a disc turns for nothing."""
    scene = scene_of([lone(base=RIDER)])
    about = went([(20_000, 20_000, 1800)])
    assert judge(scene, walk(0), about).longest == 2756
    assert judge(scene, walk(0, 2700), about).code == Code.TOO_LONG
    assert judge(scene, walk(0), Shift(3000, 0)).longest == 3000
    turning = judge(scene, walk(0), went([(23_000, 20_000, 1800)]))
    assert turning.longest == 3000 + 2756
    assert judge(scene, walk(0, rim=0), about).longest == 0
    assert judge(scene_of([lone()]), walk(0), about).longest == 0


def test_rim_points_may_be_charged_leg_by_leg() -> None:
    """Turning there and back again costs nothing from start to end, but twice the turn leg by leg."""
    scene = scene_of([lone(base=RIDER)])
    wobble = went([(20_000, 20_000, 1800), (20_000, 20_000, 0)])
    assert judge(scene, walk(0), wobble).longest == 0
    assert judge(scene, walk(0, rim=16, rim_by_leg=True), wobble).longest == 2 * 2756


def test_nobody_ends_off_limits() -> None:
    """A base may not end with any part in a forbidden rectangle, but may pass it."""
    scene = scene_of([lone()])
    order = walk(0, off_limits=(22_000, 0, 24_000, 48_000))
    assert judge(scene, order, Shift(1370, 0)).legal
    assert judge(scene, order, Shift(1500, 0)).code == Code.OFF_LIMITS
    assert judge(scene, order, Shift(5000, 0)).legal


def test_strict_distances_have_no_leeway() -> None:
    """Exactly twelve inches is not over twelve; a touching base is not clear."""
    scene = scene_of([lone(), lone(34_000, 20_000, 1)])
    order = Order(0, 6000, gaps(4, FREE), gaps(4, over(12_000)), Coherency(2000))
    assert judge(scene, order, Shift(740, 0)).code == Code.GAP_UNIT
    assert judge(scene, order, Shift(739, 0)).legal
    clear = Order(0, 20_000, gaps(4, FREE), gaps(4, CLEAR), Coherency(2000))
    assert judge(scene, clear, Shift(12_730, 0)).code == Code.GAP_UNIT
    assert judge(scene, clear, Shift(12_729, 0)).legal


def test_a_wish_that_does_not_fit_the_unit_is_refused() -> None:
    """A march with too few paths or points is no march of this unit."""
    scene = scene_of([lone(), lone(21_500, 20_000)])
    assert judge(scene, walk(0), March(b"\0", b"")).code == Code.NO_SUCH_MODEL
    assert judge(scene, walk(0), March(b"\1\0", b"")).code == Code.NO_SUCH_MODEL


def test_some_models_pass_units_that_others_may_not() -> None:
    """By its permit the second of two models passes a unit or a model in its way, and does not end there; the first may not."""
    ours, order = [lone(), lone(20_000, 23_000)], walk(0, 7000)
    for permit in (Permit((1,), gaps(8, FREE), b""), Permit((1,), order.way, b"", over=(2,))):
        lenient = replace(order, permits=(permit,))
        above, below = (scene_of([*ours, lone(23_000, y, unit=1)]) for y in (23_000, 20_000))
        assert judge(above, order, Shift(6000, 0)).code == Code.GAP_UNIT
        assert judge(above, lenient, Shift(6000, 0)) == judge(scene_of(ours), order, Shift(6000, 0))
        assert judge(above, lenient, Shift(3000, 0)).code == Code.GAP_UNIT
        assert judge(below, lenient, Shift(6000, 0)).slot == 0


def test_some_models_pass_pieces_that_others_may_not() -> None:
    """By its permit the second of two models passes a wall but does not end in it; the first does not pass it."""
    ours, order = [lone(), lone(20_000, 23_000)], walk(0, 7000, barred=b"\1")
    lenient = replace(order, permits=(Permit((1,), order.way, b"\3"),))
    above, below = (scene_of(ours, [Piece("wall", disc=(23_000, y, 500))]) for y in (23_000, 20_000))
    assert judge(above, order, Shift(6000, 0)).code == Code.IMPASSABLE
    assert judge(above, lenient, Shift(6000, 0)).legal
    assert judge(above, lenient, Shift(3000, 0)).code == Code.IMPASSABLE
    assert judge(below, lenient, Shift(6000, 0)).slot == 0
