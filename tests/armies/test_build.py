"""Units built from a book: sizes, bases, upgrades and what they add."""

from __future__ import annotations

import pytest

from rolloff.armies.bodies import BODIES, read_base
from rolloff.armies.build import Workshop, from_book, written_out
from rolloff.armies.forms import BookForm, EntryForm, ModelsForm, read_book
from rolloff.editions import registry
from rolloff.errors import ArmyError
from rolloff.table.profile import Base

EDITION = "onepage-3.0"
TEXT = b"""
faction = "Testers"
editions = ["onepage-3.0"]

[units.squad]
name = "Squad"
quality = 4
size = [5, 10]
weapons = ["Rifle", "Light CCW"]
upgrades = ["A"]

[units.chief]
name = "Chief"
quality = 4
rules = ["Hero", "Tough(3)"]
weapons = ["Pistol"]

[units.riders]
name = "Riders"
quality = 4
size = 3
body = "mounted"
upgrades = ["A"]

[units.tank]
name = "Tank"
quality = 4
type = "vehicle"
rules = ["Tough(6)"]

[units.seer]
name = "Seer"
quality = 4
rules = ["Psyker(1)"]
powers = ["Ward"]
base = "50 mm"
height = 2

[upgrades.A]
title = "Weapons"
[[upgrades.A.options]]
id = "flamer"
text = "Replace one Rifle: Flamer"
most = 2
remove = ["Rifle"]
add = ["Flamer"]
[[upgrades.A.options]]
id = "fusion"
text = "Replace one Rifle: Meltagun"
remove = ["Rifle"]
add = ["Meltagun"]
cost = 7
[[upgrades.A.options]]
id = "leader"
text = "Replace the first Light CCW: Medium Powersword"
models = "first"
remove = ["Light CCW"]
add = ["Medium Powersword"]
[[upgrades.A.options]]
id = "plate"
text = "Armored for all"
models = "all"
rules = ["Armored"]

[upgrades.B]
title = "Nobody's"
[[upgrades.B.options]]
id = "wings"
text = "Wings"
rules = ["Flying"]
"""

SHOP = Workshop.of(registry.edition("onepage-3.0"))


@pytest.fixture(scope="module")
def book() -> BookForm:
    """A small book."""
    return read_book(TEXT, "testers")


def kits(book: BookForm, **entry: object) -> list[list[str]]:
    """The weapons of each model of a unit."""
    kit = from_book(book, EntryForm(**entry), SHOP, "units[0]")  # type: ignore[arg-type]
    return [[weapon.name for weapon in model.weapons] for model in kit.models]


@pytest.mark.clause(EDITION, "UNIT-2")
def test_a_profile_gives_models_quality_equipment_rules_and_points(book: BookForm) -> None:
    """A unit has the number of models, the Quality, the kit and the cost of its profile."""
    kit = from_book(book, EntryForm(unit="squad", size=6), SHOP, "x")
    card = kit.card("b3", 1)
    assert (card.id, card.side, card.name, card.quality, card.start_size) == ("b3", 1, "Squad", 4, 6)
    assert [model.id for model in card.models] == [f"b3.{k}" for k in range(1, 7)]
    assert {weapon.name for model in card.models for weapon in model.weapons} == {"Rifle", "Light CCW"}
    assert card.points == 75  # six times 4 x 2 + 6 x (0.55 + 0.25), rounded to five
    assert "faction:Testers" in card.keywords


@pytest.mark.clause(EDITION, "UNIT-2")
@pytest.mark.parametrize("size", [4, 11, 0, -1])
def test_sizes_outside_the_profile_are_refused(book: BookForm, size: int) -> None:
    """A squad of five to ten is not four nor eleven."""
    with pytest.raises(ArmyError) as caught:
        kits(book, unit="squad", size=size)
    assert (caught.value.clause, caught.value.allowed) == ("UNIT-2", "5 to 10")


@pytest.mark.clause(EDITION, "BASE-1", "BASE-2")
def test_bases_by_kind(book: BookForm) -> None:
    """Infantry 32 mm, heroes 40 mm, riders on a 25 by 70 oval, hulls 3 by 5 inches; a book may say otherwise."""

    def body(unit: str) -> tuple[Base, int]:
        model = from_book(book, EntryForm(unit=unit), SHOP, "x").models[0]
        return model.base, model.height

    assert body("squad") == (Base("circle", (1260,)), 1000)
    assert body("chief") == (Base("circle", (1575,)), 1000)
    assert body("riders") == (Base("oval", (984, 2756)), 1500)
    assert body("tank") == (Base("rect", (3000, 5000)), 2500)
    assert body("seer") == (Base("circle", (1969,)), 2000)
    assert BODIES["monster"] == (Base("circle", (2362,)), 2500)


@pytest.mark.parametrize("text", ["", "mm", "32", "3x mm", "32 mm oval", "0 mm", "99999 in"])
def test_what_is_no_base_is_refused(text: str) -> None:
    """A base is written in millimetres or inches."""
    with pytest.raises(ArmyError):
        read_base(text, "x")


@pytest.mark.clause(EDITION, "ARMY-5")
def test_upgrades_change_kits_and_add_their_cost(book: BookForm) -> None:
    """Two flamers replace the rifles of the last models, a blade the leader's, and all three are paid for."""
    plain = from_book(book, EntryForm(unit="squad"), SHOP, "x")
    kit = from_book(book, EntryForm(unit="squad", upgrades=["flamer", "A.leader", "flamer"]), SHOP, "x")
    names = [[weapon.name for weapon in model.weapons] for model in kit.models]
    assert names[0] == ["Rifle", "Medium Powersword"]
    assert names[1:3] == [["Rifle", "Light CCW"]] * 2
    assert names[3:] == [["Light CCW", "Flamer"]] * 2
    one = from_book(book, EntryForm(unit="squad", upgrades=["flamer"]), SHOP, "x")
    assert one.points - plain.points == 10  # 6 x (1.8 - 0.55) is 7.5, rounded to five
    assert kit.points - plain.points == 25


@pytest.mark.clause(EDITION, "ARMY-5")
def test_a_book_may_set_the_cost_of_an_upgrade(book: BookForm) -> None:
    """A cost that is written down holds."""
    plain = from_book(book, EntryForm(unit="squad"), SHOP, "x").points
    assert from_book(book, EntryForm(unit="squad", upgrades=["fusion"]), SHOP, "x").points == plain + 7


@pytest.mark.clause(EDITION, "ARMY-5")
@pytest.mark.parametrize("wanted", ["wings", "B.wings", "nothing", "A."])
def test_upgrades_come_from_the_lists_of_the_profile(book: BookForm, wanted: str) -> None:
    """An upgrade of a list the profile does not name is refused."""
    with pytest.raises(ArmyError) as caught:
        kits(book, unit="squad", upgrades=[wanted])
    assert (caught.value.code, caught.value.clause) == ("unknown-upgrade", "ARMY-5")
    assert "A.flamer" in str(caught.value.allowed)


@pytest.mark.clause(EDITION, "ARMY-5")
@pytest.mark.parametrize("upgrades", [["flamer"] * 3, ["fusion", "fusion"], ["leader", "leader"], ["plate", "plate"]])
def test_nothing_is_taken_more_often_than_it_may(book: BookForm, upgrades: list[str]) -> None:
    """Each option has a number of times it may be taken."""
    with pytest.raises(ArmyError) as caught:
        kits(book, unit="squad", upgrades=upgrades)
    assert caught.value.clause == "ARMY-5"


@pytest.mark.clause(EDITION, "ARMY-5")
def test_nothing_is_replaced_that_nobody_carries(book: BookForm) -> None:
    """Riders without rifles cannot trade one for a flamer."""
    with pytest.raises(ArmyError) as caught:
        kits(book, unit="riders", upgrades=["flamer"])
    assert (caught.value.code, caught.value.clause) == ("no-bearer", "ARMY-5")


def test_a_profile_that_names_no_upgrade_list_of_its_book_is_refused() -> None:
    """A letter the book lacks is a fault of the book."""
    book = read_book(TEXT.replace(b'upgrades = ["A"]', b'upgrades = ["Z"]'), "x")
    with pytest.raises(ArmyError) as caught:
        kits(book, unit="squad", upgrades=["flamer"])
    assert caught.value.code == "unknown-upgrades"


def test_upgrades_for_all_are_marked_on_the_card(book: BookForm) -> None:
    """Merging looks at what was bought for all models."""
    kit = from_book(book, EntryForm(unit="squad", upgrades=["plate"]), SHOP, "x")
    assert "all:plate" in kit.words
    assert all(rule.name == "Armored" for model in kit.models for rule in model.rules)
    assert len([rule for model in kit.models for rule in model.rules]) == 5


def test_powers_are_marked_on_the_card(book: BookForm) -> None:
    """The powers of a profile become words of the card."""
    assert "power:Ward" in from_book(book, EntryForm(unit="seer"), SHOP, "x").words


def test_a_unit_written_out_in_full() -> None:
    """A list may hold a unit of no book, with different models, at its own price or at the formula's."""
    entry = EntryForm(
        name="Mixed",
        quality=4,
        models=[ModelsForm(count=2, weapons=["Rifle"]), ModelsForm(weapons=["Flamer"], rules=["Tough(3)"], body="heavy")],
    )
    kit = written_out(entry, SHOP, "x")
    assert [model.weapons[0].name for model in kit.models] == ["Rifle", "Rifle", "Flamer"]
    assert kit.models[2].base == Base("circle", (1575,))
    assert kit.points == 55  # 2 x 11.3 + 24 + 10.8, rounded to five
    assert written_out(EntryForm(name="M", points=3, models=[ModelsForm()]), SHOP, "x").points == 3


@pytest.mark.parametrize(
    "entry",
    [
        EntryForm(name="Nobody"),
        EntryForm(name="Many", models=[ModelsForm(count=10_000)]),
        EntryForm(name="None", models=[ModelsForm(count=0)]),
        EntryForm(name="Odd", models=[ModelsForm(body="cloud")]),
        EntryForm(name="Tall", models=[ModelsForm(height=1e9)]),
    ],
)
def test_what_cannot_be_built_is_refused(entry: EntryForm) -> None:
    """No models, too many, or a body nobody knows."""
    with pytest.raises(ArmyError):
        written_out(entry, SHOP, "x")


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"faction = 3",
        b'faction = "x"\neditions = []\nunits = {}\nspeed = 3',
        b"\xff\xfe",
        b"[" * 10_000,
        b'{"faction": ' + b"[" * 100_000,
        b'faction = "x"\neditions = []\n[units.a]\nname = "A"\nquality = "best"',
    ],
)
def test_a_file_that_is_no_book_is_refused(raw: bytes) -> None:
    """Whatever is wrong with a file is said in one sentence."""
    with pytest.raises(ArmyError):
        read_book(raw, "book")
