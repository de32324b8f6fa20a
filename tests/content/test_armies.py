"""The shipped armies: legal, of full size, and together using everything the edition has."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rolloff.armies import library
from rolloff.armies.build import Workshop, from_book
from rolloff.armies.census import Census, census
from rolloff.armies.forms import EntryForm
from rolloff.editions import registry
from rolloff.editions.onepage.army_rules import list_problems as problems
from rolloff.editions.onepage.army_rules import may_join, may_merge
from rolloff.editions.onepage.powers import powers
from rolloff.editions.onepage.v30 import LAW as LAW_30
from rolloff.editions.onepage.weapons import RANGED, STRENGTHS, TYPES
from rolloff.errors import ArmyError, BadInput
from rolloff.rules.game import Game

EDITION = "onepage-3.0"
ARMIES = ("aegis-compact", "ashen-levy", "gearwright-synod", "thornkin-brood")
PATROLS = ("compact-patrol", "levy-patrol")
SHOP = Workshop.of(registry.edition("onepage-3.0"))


def counted() -> Census:
    """What the four armies carry between them."""
    return census([card for name in ARMIES for card in library.army(EDITION, name, 0).cards])


def test_four_books_of_six_to_eight_units_and_upgrade_lists() -> None:
    """Each faction has its book with every role and at least two upgrade lists."""
    assert library.books(EDITION) == ARMIES
    for name in ARMIES:
        book = library.book(name)
        assert 6 <= len(book.units) <= 8
        assert len(book.upgrades) >= 2
        roles = {unit.role for unit in book.units.values()}
        assert {"hero", "psyker", "line", "heavy weapons", "fast", "elite melee", "transport"} <= roles
        assert roles & {"gun vehicle", "monster"}


@pytest.mark.parametrize("name", ARMIES)
def test_every_unit_and_upgrade_of_a_book_can_be_built(name: str) -> None:
    """Each unit at its least and greatest size, and with each of its upgrades, is a card the edition accepts."""
    book = library.book(name)
    for id, unit in book.units.items():
        sizes = {unit.size} if isinstance(unit.size, int) else set(unit.size)
        wanted: list[list[str]] = [[]] + [
            [f"{letter}.{option.id}"] for letter in unit.upgrades for option in book.upgrades[letter].options
        ]
        for size in sizes:
            for upgrades in wanted:
                kit = from_book(book, EntryForm(unit=id, size=size, upgrades=upgrades), SHOP, id)
                registry.edition(EDITION).check_card(kit.card("a1", 0))


@pytest.mark.parametrize("name", ARMIES)
def test_ready_made_lists_are_legal_and_cost_exactly_750(name: str) -> None:
    """Each army is a whole game's worth of points and breaks no rule of army building."""
    army = library.army(EDITION, name, 0)
    assert army.points == 750
    assert problems(LAW_30, army.cards, 750, one_faction=True) == ()


def test_every_special_rule_is_carried() -> None:
    """Together the armies use every special rule of the edition."""
    assert set(counted().rules) == {*LAW_30.on_units, *LAW_30.on_weapons}


def test_every_weapon_is_carried() -> None:
    """Every row of the table of ranged weapons, and every strength of every type of melee weapon."""
    weapons = set(counted().weapons)
    assert set(RANGED) <= weapons
    assert {f"{strength} {kind}" for strength in STRENGTHS for kind in TYPES} <= weapons


def test_every_power_is_known_to_somebody() -> None:
    """All eight powers are on a card of the ready-made lists."""
    assert set(counted().powers) == set(powers(EDITION))


def test_somebody_can_merge_join_ride_and_storm_out() -> None:
    """The lists give occasion for what needs two units: copies that merge, guests with hosts, passengers."""
    merges = joins = 0
    for name in ARMIES:
        cards = library.army(EDITION, name, 0).cards
        merges += any(may_merge(a, b) is None for a in cards for b in cards)
        joins += any(may_join(a, b) is None for a in cards for b in cards)
        assert any(card.has("Transport") for card in cards)
        assert any(card.type == "infantry" and len(card.models) <= 10 for card in cards)
    assert merges >= 1 and joins == 4
    levy, brood = (library.army(EDITION, name, 0).cards for name in ("ashen-levy", "thornkin-brood"))
    assert any(card.has("Furious") for card in levy) and any(card.has("Furious") for card in brood)


@pytest.mark.parametrize("name", PATROLS)
def test_patrols_are_small_and_plain(name: str) -> None:
    """The patrols are 300 to 400 points of infantry with few rules, for a first battle."""
    army = library.army(EDITION, name, 0)
    assert 300 <= army.points <= 400
    assert {card.type for card in army.cards} == {"infantry"}
    assert set(census(army.cards).rules) <= {"Tough", "Armored", "Linked", "Rending", "Fear"}
    assert problems(LAW_30, army.cards, 750) == ()
    weapons = [weapon for card in army.cards for model in card.models for weapon in model.weapons]
    assert any(weapon.melee for weapon in weapons) and any(not weapon.melee for weapon in weapons)


def test_patrols_together_use_the_plain_rules() -> None:
    """Between them the patrols carry all five."""
    cards = [card for name in PATROLS for card in library.army(EDITION, name, 0).cards]
    assert set(census(cards).rules) == {"Tough", "Armored", "Linked", "Rending", "Fear"}


def test_ids_are_those_of_the_seat() -> None:
    """A list in either seat has the ids of its side, the same points and the same hash."""
    one, two = library.army(EDITION, "ashen-levy", 0), library.army(EDITION, "ashen-levy", 1)
    assert one.cards[0].id == "a1" and one.cards[2].models[9].id == "a3.10"
    assert two.cards[0].id == "b1" and two.cards[0].side == 1
    assert (one.hash, one.points) == (two.hash, two.points)
    assert one.hash != library.army(EDITION, "thornkin-brood", 0).hash


def test_a_setup_makes_a_game() -> None:
    """Two armies, a table and a mission make a game of 750 points."""
    setup = library.setup_for(EDITION, "aegis-compact", "thornkin-brood", "crossing", "by-the-book")
    game = Game(registry.edition(EDITION), setup)
    assert setup.points == 750 and setup.armies == ("Aegis Compact", "Thornkin Brood")
    assert {len(units) for units in game.units_of} == {7, 9}
    assert library.setup_for(registry.edition(EDITION), "aegis-compact", "thornkin-brood", "crossing", "by-the-book") == setup


def test_random_armies_and_tables_depend_on_seed_and_index_alone() -> None:
    """The same seed and game number give the same setup; other numbers give others; patrols are not drawn."""

    def drawn(seed: int, index: int) -> object:
        return library.setup_for(EDITION, "random", "random", "random", seed=seed, index=index)

    assert drawn(3, 5) == drawn(3, 5)
    assert drawn(3, 5) != drawn(3, 6) != drawn(4, 6)
    names = {name for index in range(40) for name in library.setup_for(EDITION, "random", "random", seed=1, index=index).armies}
    assert names == {"Aegis Compact", "Ashen Levy", "Gearwright Synod", "Thornkin Brood"}


def test_a_list_from_a_file(tmp_path: Path) -> None:
    """A player's own list is read from TOML or JSON."""
    rows = [{"unit": "marshal"}, {"unit": "conscripts", "book": "ashen-levy", "size": 9}]
    mine = {"name": "Mine", "edition": EDITION, "book": "aegis-compact", "units": rows}
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(mine))
    army = library.army(EDITION, str(file), 1)
    assert [len(card.models) for card in army.cards] == [1, 9]
    setup = library.setup_for(EDITION, "levy-patrol", str(file), "thornwood")
    assert setup.armies == ("Levy Patrol", "Mine")


@pytest.mark.clause(EDITION, "GEN-1")
def test_a_list_of_another_edition_is_refused(tmp_path: Path) -> None:
    """A list is legal in the edition it names and in no other."""
    file = tmp_path / "old.toml"
    file.write_text('name = "Old"\nedition = "onepage-2.21"\nunits = []\n')
    with pytest.raises(ArmyError) as caught:
        library.army(EDITION, str(file), 0)
    assert caught.value.clause == "GEN-1"


@pytest.mark.clause(EDITION, "ARMY-6")
def test_an_illegal_list_never_becomes_a_setup(tmp_path: Path) -> None:
    """A list over the limit, with two Heroes or with no units is refused before there is a game."""
    heroes = '[[units]]\nunit = "marshal"\n' * 2
    many = '[[units]]\nunit = "rampart"\n' * 4
    for units, clause in ((heroes, "ARMY-3"), (many, "ARMY-1"), ("units = []\n", "ARMY-2")):
        file = tmp_path / "list.toml"
        head = f'name = "X"\nedition = "{EDITION}"\nbook = "aegis-compact"\n'
        file.write_text(head + units)
        with pytest.raises(ArmyError) as caught:
            library.setup_for(EDITION, str(file), "levy-patrol")
        assert caught.value.clause == clause


@pytest.mark.clause(EDITION, "ARMY-1")
def test_no_more_than_the_edition_s_game_size() -> None:
    """3.0 is played with up to 750 points."""
    with pytest.raises(ArmyError) as caught:
        library.setup_for(EDITION, "levy-patrol", "compact-patrol", points=1000)
    assert caught.value.clause == "ARMY-1"


@pytest.mark.clause(EDITION, "ARMY-2")
def test_one_faction_is_a_switch(tmp_path: Path) -> None:
    """Mixed armies are legal unless the table agreed otherwise."""
    file = tmp_path / "mixed.toml"
    units = [("marshal", "aegis-compact"), ("spitters", "thornkin-brood")]
    rows = "".join(f'[[units]]\nunit = "{unit}"\nbook = "{book}"\n' for unit, book in units)
    file.write_text(f'name = "X"\nedition = "{EDITION}"\n{rows}')
    assert library.setup_for(EDITION, str(file), "levy-patrol").cards
    with pytest.raises(ArmyError) as caught:
        library.setup_for(EDITION, str(file), "levy-patrol", switches={"one_faction": True})
    assert caught.value.clause == "ARMY-2"


@pytest.mark.parametrize(
    ("field", "value"),
    [("army_a", "nobody"), ("army_b", "../../etc"), ("table", "nowhere"), ("mission", "nothing"), ("army_a", "\0")],
)
def test_names_nobody_knows_are_refused(field: str, value: str) -> None:
    """An unknown army, table or mission is bad input that says what there is."""
    with pytest.raises(BadInput) as caught:
        library.setup_for(EDITION, **{field: value})  # type: ignore[arg-type]
    assert caught.value.allowed


def test_an_edition_may_bring_its_own_lists() -> None:
    """An edition without a content folder is playable by the lists it brings, among plain terrain of types it knows."""
    from msgspec.structs import replace

    units = [{"name": "Pawn", "models": [{"weapons": ["Rifle"]}], "points": 10}]
    lists = {"pawns": {"name": "Pawns", "edition": "toy-lists", "units": units}}
    toy = replace(registry.edition(EDITION), id="toy-lists", lists=lists, check_setup=None)
    setup = library.setup_for(toy)
    assert setup.armies == ("Pawns", "Pawns") and [card.id for card in setup.cards] == ["a1", "b1"]
    types = {name for piece in setup.table.terrain for name in piece.types}
    assert types and types <= toy.terrain.keys()
    strange = replace(toy, terrain={"lava": 4})
    assert library.setup_for(strange).table.terrain == ()


def test_content_folders_of_one_s_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder named in ROLLOFF_CONTENT adds to what is shipped."""
    from rolloff.armies import content_files

    shelf = tmp_path / "house" / "lists"
    shelf.mkdir(parents=True)
    (shelf / "house-guard.toml").write_text(f'name = "House Guard"\nedition = "{EDITION}"\n[[units]]\nmodels = [{{}}]\n')
    monkeypatch.setenv("ROLLOFF_CONTENT", str(tmp_path))
    assert "house-guard" in content_files.shelf("lists") and "ashen-levy" in content_files.shelf("lists")
