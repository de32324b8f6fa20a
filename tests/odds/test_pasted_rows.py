"""Rows as they are copied from tables, exports and posts: with headings, in brackets, several columns in a cell."""

from __future__ import annotations

import pytest

from rolloff.editions import registry
from rolloff.errors import BadInput
from rolloff.rules.reading import read_weapons
from rolloff.table.profile import Weapon

TENTH, SEVENTH = "commentary-10", "compendium"


def read(edition: str, text: str) -> list[Weapon]:
    """The weapons of a text."""
    return list(read_weapons(registry.edition(edition), text, "weapon")[0])


@pytest.mark.parametrize(
    "text",
    [
        'Weapon | Range | A | BS | S | AP | D | Keywords\nCarbine | 24" | 2 | 3+ | 4 | -1 | D3 | Assault, Heavy',
        "| Name | Range | A | BS | S | AP | D | Abilities |\n|---|---|---|---|---|---|---|---|\n"
        '| Carbine | 24" | 2 | 3+ | 4 | -1 | D3 | Assault, Heavy |',
        'Name,Range,A,BS,S,AP,D,Keywords\nCarbine,24",2,3+,4,-1,D3,"Assault, Heavy"',
        'Name\tKeywords\tDamage\tAP\tStrength\tSkill\tAttacks\tRange\nCarbine\tAssault, Heavy\tD3\t-1\t4\t3+\t2\t24"',
        'Carbine (24" | A2 | 3+ | S4 | AP-1 | DD3 | Assault, Heavy)',
        'Carbine | 24" | A2 BS3+ S4 AP-1 DD3 | Assault, Heavy',
        'Carbine - 24" - 2 attacks - 3+ to hit - S4 AP-1 - D3 damage - Assault, Heavy',
        'Carbine (Assault, Heavy): 24", A2, BS3+, S4, AP-1, DD3',
        'Carbine 24" A:2 BS:3+ S:4 AP:-1 D:D3 KW: Assault, Heavy!',
    ],
)
def test_a_pasted_row_is_the_weapon_it_shows(text: str) -> None:
    """Headings say which column is which, in any order; brackets and labels within a cell make no difference."""
    (found,) = read(TENTH, text)
    assert (found.name, found.reach, str(found.attacks)) == ("Carbine", 24_000, "2")
    assert dict(found.stats) == {"skill": 3, "S": 4, "AP": -1, "D": "D3"}
    assert [str(rule) for rule in found.rules] == ["Assault", "Heavy"]


def test_a_row_without_a_name_is_read() -> None:
    """Nothing of the odds depends on a name."""
    assert read(TENTH, "Range: Melee, A: 4, WS: 3+, S: 5, AP: -2, D: 1")[0].melee


def test_copies_in_square_brackets_are_no_rule() -> None:
    """[x4] behind a name means four of them."""
    assert [weapon.name for weapon in read(TENTH, 'Carbine [x4] 24" 2 3+ 4 0 1')] == ["Carbine"] * 4


def test_a_colon_before_the_number_of_an_ability_is_no_part_of_its_keyword() -> None:
    """Anti-infantry: 4+ is against INFANTRY."""
    assert [str(rule) for rule in read(TENTH, 'Carbine 24" 2 3+ 4 0 1 Anti-infantry: 4+')[0].rules] == ["Anti(INFANTRY 4+)"]


def test_one_word_in_brackets_behind_a_name_is_the_name_of_a_profile() -> None:
    """Launcher (blast) is called so; what it does stands among its keywords."""
    assert read(TENTH, 'Launcher (blast) 24" D6 3+ 4 0 1')[0].rules == ()


@pytest.mark.parametrize(
    ("text", "strength", "ap"),
    [
        ("Power axe - +1 2 Melee, Unwieldy", "User+1", -4),
        ("Power fist - x2 2 Melee, Unwieldy", "Userx2", -4),
        ("Power sword - User 3 Melee, Unwieldy", "User", -3),
        ('Long rifle 36" X 6 Heavy 1, Sniper', "X", 0),
    ],
)
def test_classic_lines_with_a_dash_for_the_range_or_an_x_for_the_strength(text: str, strength: str, ap: int) -> None:
    """The dash before a Strength is the range of a blade, and X before an AP is no multiplication."""
    (found,) = read(SEVENTH, text)
    assert (found.stat("S"), found.stat("AP")) == (strength, ap)


def test_a_range_in_centimetres_is_refused() -> None:
    """It is neither a part of the name nor a blade."""
    with pytest.raises(BadInput, match="range cannot be told"):
        read(TENTH, "Carbine 60cm 2 3+ 4 0 1")
