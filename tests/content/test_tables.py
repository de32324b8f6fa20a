"""Tables: the kit, the fixed layouts and the generator keep what the contract asks of them."""

from __future__ import annotations

from itertools import combinations

import pytest

from rolloff.armies import library
from rolloff.armies.content_files import family_file, plain_file, stored_tables
from rolloff.armies.tables import count, fortified, generate, read_kit, read_table
from rolloff.editions import registry
from rolloff.editions.onepage.missions import check_table
from rolloff.errors import BadInput
from rolloff.geometry.field import Ground, Piece
from rolloff.geometry.measure import piece_gap
from rolloff.lengths import INCH
from rolloff.oracle.dice import Stream, seed_bytes
from rolloff.table.setup import Table, Terrain

EDITION = "onepage-3.0"
LAYOUTS = ("broken-town", "crossing", "thornwood")
KIT = read_kit(family_file(EDITION, "kit.toml") or b"")


def drawn(index: int) -> Table:
    """A generated table."""
    return library.table(EDITION, "random", 11, index)


def ground(table: Table) -> Ground:
    """A table as geometry sees it."""
    kinds = registry.edition(EDITION).terrain
    return Ground.of(
        table.size,
        [
            Piece(p.id, p.polygon, p.disc, p.elevation, p.height, p.solid, sum(kinds[name] for name in p.types))
            for p in table.terrain
        ],
    )


def whole(piece: Terrain) -> str:
    """The piece a part belongs to."""
    return piece.id.partition(".")[0]


def least_gap(table: Table) -> float:
    """How near two different pieces come."""
    laid = ground(table)
    numbered = list(enumerate(table.terrain))
    return min(piece_gap(laid, i, j) for (i, a), (j, b) in combinations(numbered, 2) if whole(a) != whole(b))


def turned(table: Table) -> set[tuple[object, ...]]:
    """Every piece after half a turn about the middle, without its id."""
    width, height = table.size
    found: set[tuple[object, ...]] = set()
    for p in table.terrain:
        polygon = None if p.polygon is None else frozenset((width - x, height - y) for x, y in p.polygon)
        disc = None if p.disc is None else (width - p.disc[0], height - p.disc[1], p.disc[2])
        found.add((polygon, disc, p.types, p.height, p.elevation, p.solid))
    return found


def as_laid(table: Table) -> set[tuple[object, ...]]:
    """Every piece without its id."""
    return {
        (None if p.polygon is None else frozenset(p.polygon), p.disc, p.types, p.height, p.elevation, p.solid)
        for p in table.terrain
    }


def on_table(table: Table) -> bool:
    """Whether all pieces lie wholly on the table."""
    width, height = table.size
    spots = [spot for p in table.terrain for spot in (p.polygon or ())]
    for p in table.terrain:
        if p.disc:
            x, y, r = p.disc
            spots += [(x - r, y - r), (x + r, y + r)]
    return all(0 <= x <= width and 0 <= y <= height for x, y in spots)


def barred_share(table: Table, x0: int, y0: int, x1: int, y1: int) -> float:
    """How much of a strip is impassable, by a grid of points half an inch apart."""
    laid = ground(table)
    step = INCH // 2
    spots = [(x, y) for x in range(x0 + step // 2, x1, step) for y in range(y0 + step // 2, y1, step)]
    barred = [place for place in laid.places if place.kinds & 8]
    return sum(any(place.contains(x, y) for place in barred) for x, y in spots) / len(spots)


@pytest.mark.clause(EDITION, "TABLE-3", "TABLE-2", "TABLE-1")
@pytest.mark.parametrize("index", range(25))
def test_generated_tables_are_fair(index: int) -> None:
    """Point-symmetric, ten pieces or more, two inches apart, on a table of six by four feet, solid in the middle."""
    table = drawn(index)
    check_table(table, 10)
    assert table.size == (72 * INCH, 48 * INCH) and count(table) >= 10
    assert turned(table) == as_laid(table)
    assert least_gap(table) >= 2 * INCH
    assert on_table(table)
    middle = [p for p in table.terrain if p.solid and _near_middle(table, p)]
    assert len({whole(p) for p in middle}) >= 2


def _near_middle(table: Table, piece: Terrain) -> bool:
    """Whether some of a piece lies in the square of 24 inches about the middle."""
    spots = list(piece.polygon or ()) or [piece.disc[:2]] if piece.disc else list(piece.polygon or ())
    return any(abs(2 * x - table.size[0]) <= 24 * INCH and abs(2 * y - table.size[1]) <= 24 * INCH for x, y in spots)


@pytest.mark.parametrize("index", range(6))
def test_strips_stay_open(index: int) -> None:
    """No more than a third of any deployment strip is impassable."""
    table = drawn(index)
    width, height = table.size
    depth = 12 * INCH
    strips = (
        (0, 0, width, depth),
        (0, height - depth, width, height),
        (0, 0, depth, height),
        (width - depth, 0, width, height),
    )
    assert all(barred_share(table, *strip) <= 1 / 3 for strip in strips)


def test_generated_tables_vary_and_repeat() -> None:
    """The same seed and number lay the same table; all kinds of the kit turn up somewhere."""
    assert drawn(3) == drawn(3) and drawn(3) != drawn(4)
    names = {piece.name for index in range(40) for piece in drawn(index).terrain}
    assert names == {kind.name for kind in KIT.values()}


@pytest.mark.clause(EDITION, "TABLE-2", "TABLE-3")
@pytest.mark.parametrize("name", LAYOUTS)
def test_fixed_tables_are_fair(name: str) -> None:
    """The three layouts keep to the same."""
    table = library.table(EDITION, name, 0, 0)
    check_table(table, 10)
    assert turned(table) == as_laid(table)
    assert least_gap(table) >= 2 * INCH
    assert on_table(table)


def test_there_are_three_layouts_and_twelve_kinds() -> None:
    """What is shipped, by name."""
    assert library.tables(EDITION) == LAYOUTS
    assert len(KIT) == 12
    types = {"cover", "difficult", "dangerous", "impassable", "elevation"}
    assert {name for kind in KIT.values() for name in kind.types} == types


@pytest.mark.parametrize(
    ("points", "names"),
    [
        (500, {"Toll Crossing", "Glass Quarter"}),
        (0, {"Ledger Yard", "Drowned Terraces"}),
        (2000, {"Ledger Yard", "Drowned Terraces"}),
        (700, set()),
    ],
)
def test_without_a_kit_one_of_the_fixed_tables_for_that_size_of_game_is_drawn(points: int, names: set[str]) -> None:
    """The seed chooses among the tables that name the size; where none does, the table is bare."""
    laid = [library.table("commentary-10", name, 5, index, points) for index in range(12) for name in ("", "random")]
    assert {table.name for table in laid} == (names or {"bare"})
    assert laid[::2] == laid[1::2]


@pytest.mark.parametrize(
    "edition",
    [pytest.param(name, marks=pytest.mark.clause(name, "TABLE-4")) for name in (EDITION, "onepage-2.21", "apocalypse-3.3")],
)
def test_a_piece_may_have_several_types(edition: str) -> None:
    """A forest is cover and difficult ground at once, and the thicket of each edition's table dangerous as well."""
    forest = KIT["forest"]
    assert forest.types == {"cover", "difficult"}
    table = library.table(edition, "thornwood", 0, 0)
    place = next(place for place in ground(table).places if place.id == "thicket-4")
    assert place.kinds == 1 | 2 | 4


@pytest.mark.clause(EDITION, "TABLE-2")
def test_a_ruin_counts_once() -> None:
    """A floor and its walls are pieces of their own but count as one for the minimum."""
    ruin = b'name = "R"\npieces = [{ kit = "ruin", at = [20, 20] }]\n'
    table = read_table(ruin, KIT, "x")
    assert len(table.terrain) == 3 and count(table) == 1
    with pytest.raises(BadInput) as caught:
        check_table(table, 10)
    assert caught.value.clause == "TABLE-2"


def test_a_block_is_where_its_file_says() -> None:
    """A piece that is one block begins where that begins; a block that is part of a piece is a piece of its own."""

    def laid(polygon: str, z: str) -> list[tuple[str, int, int, bool]]:
        solids = f'solids = [{{ kind = "block", polygon = {polygon}, z = {z} }}]'
        square = "[[10, 10], [14, 10], [14, 14], [10, 14]]"
        text = f'name = "B"\n[[terrain]]\nid = "t"\ntypes = ["block"]\npolygon = {square}\nheight = 6\n{solids}\n'
        return [(one.id, one.bottom, one.height, one.solid) for one in read_table(text.encode(), {}, "x").terrain]

    whole = "[[10, 10], [14, 10], [14, 14], [10, 14]]"
    assert laid(whole, "[0, 6]") == [("t", 0, 6 * INCH, True)]
    assert laid(whole, "[3, 5]") == [("t", 3 * INCH, 5 * INCH, True)]
    part = "[[10, 10], [12, 10], [12, 14], [10, 14]]"
    assert laid(part, "[3, 6]") == [("t", 0, 6 * INCH, False), ("t.block-1", 3 * INCH, 6 * INCH, True)]


@pytest.mark.clause(EDITION, "TABLE-2")
def test_nine_pieces_are_too_few() -> None:
    """Ten pieces make a table, nine do not."""
    spots = [(5 + 6 * k, 24) for k in range(10)]

    def laid(n: int) -> Table:
        rows = ",".join(f'{{ kit = "crater", at = [{x}, {y}] }}' for x, y in spots[:n])
        return read_table(f'name = "T"\npieces = [{rows}]\n'.encode(), KIT, "x")

    check_table(laid(10), 10)
    with pytest.raises(BadInput):
        check_table(laid(9), 10)


@pytest.mark.clause(EDITION, "TABLE-1")
def test_another_size_is_no_table_of_the_book() -> None:
    """The table is 72 by 48 inches."""
    with pytest.raises(BadInput) as caught:
        check_table(Table((48_000, 48_000), drawn(1).terrain), 10)
    assert caught.value.clause == "TABLE-1"


def test_a_table_of_one_s_own() -> None:
    """A layout may hold outlines and discs of its own."""
    corners = "[[1,1],[5,1],[5,4]]"
    own = f'[{{"id": "t", "types": ["cover"], "polygon": {corners}}}, {{"id": "d", "disc": [9,9,2]}}]'
    raw = f'{{"name": "Mine", "terrain": {own}}}'.encode()
    table = read_table(raw, KIT, "mine")
    assert table.terrain[0].polygon == ((1000, 1000), (5000, 1000), (5000, 4000))
    assert table.terrain[1].disc == (9000, 9000, 2000)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"name = 3",
        b'name = "x"\npieces = [{ kit = "moon", at = [1, 1] }]',
        b'name = "x"\nsize = [9e9, 1]',
        b'{"name": NaN}',
    ],
)
def test_what_is_no_table_is_refused(raw: bytes) -> None:
    """A file that does not fit is bad input."""
    with pytest.raises(BadInput):
        read_table(raw, KIT, "x")


@pytest.mark.parametrize("name", LAYOUTS)
def test_fortified_tables(name: str) -> None:
    """Barricades are added along both long edges, clear of everything else."""
    plain = read_table(stored_tables(EDITION)[name], KIT, name)
    table = fortified(plain, KIT)
    works = [piece for piece in table.terrain if piece.id.startswith("works")]
    assert len(works) >= 2 and len(works) % 2 == 0
    assert turned(table) == as_laid(table)
    assert least_gap(table) >= 2 * INCH


@pytest.mark.parametrize("inches", [6, 12, 20, 24])
def test_a_small_table_has_fewer_pieces(inches: int) -> None:
    """Where not all pieces find room the generator takes what there is, and ends."""
    kit, size = read_kit(plain_file("kit.toml")), (inches * INCH, inches * INCH)
    tables = [generate(Stream(seed_bytes(seed, 0, "table")), kit, size, "small") for seed in range(4)]
    assert all(len(table.terrain) % 2 == 0 and on_table(table) for table in tables)
    assert any(table.terrain for table in tables) is (inches > 6)
