"""Weapons as players write them: the tables, the line, the object, and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rolloff.editions.onepage.vehicles import MOUNTS as ARCS
from rolloff.editions.onepage.weapons import (
    DEFAULT_MELEE,
    MOUNTS,
    RANGED,
    STRENGTHS,
    TABLES,
    TYPES,
    collapsed,
    read_weapon,
    write_weapon,
)
from rolloff.errors import BadInput
from rolloff.lengths import INCH
from rolloff.table.profile import DiceRoll, Rule, Weapon

EDITION = "onepage-3.0"
PIERCING, SINGLE, UNWIELDY = Rule("Piercing"), Rule("Single"), Rule("Unwieldy")


def names(weapon: Weapon) -> list[str]:
    """The rules of a weapon, by name."""
    return [rule.name for rule in weapon.rules]


@pytest.mark.clause(EDITION, "WPN-7", "WPN-2")
def test_a_line_gives_range_attacks_and_rules() -> None:
    """A weapon outside the tables is read from its line (TV-D26)."""
    weapon = read_weapon('Chem Cannon (18", A6, Poison)')
    assert weapon == Weapon("Chem Cannon", 18 * INCH, DiceRoll(plus=6), (Rule("Poison"),))


@pytest.mark.clause(EDITION, "WPN-6", "GEN-3")
def test_the_suffix_x_and_piercing_are_one_piercing() -> None:
    """The suffix x brings Piercing and the single model; the same rule printed again adds nothing (TV-D27)."""
    weapon = read_weapon('Sniper Rifle (36", A3x, Piercing)')
    assert weapon.rules == (PIERCING, SINGLE)
    assert weapon.attacks == DiceRoll(plus=3)


@pytest.mark.clause(EDITION, "WPN-5")
def test_the_suffix_p_is_piercing() -> None:
    """The suffix p brings Piercing and nothing else, on a number and on a die."""
    assert read_weapon('Gun (24", A2p)').rules == (PIERCING,)
    assert read_weapon('Gun (24", AD3p)') == Weapon("Gun", 24 * INCH, DiceRoll(1, 3), (PIERCING,))
    assert read_weapon('Gun (24", A2)').rules == ()


@pytest.mark.clause(EDITION, "WPN-7")
@pytest.mark.parametrize("mark", ['"', "“", "”", "″", "''", "’’"])
def test_every_inch_mark_is_read(mark: str) -> None:
    """Straight and typographic inch marks mean the same."""
    assert read_weapon(f"Gun (18{mark}, A6)").reach == 18 * INCH


@pytest.mark.clause(EDITION, "WPN-7")
def test_the_look_alike_of_p_is_read_as_p() -> None:
    """The Cyrillic letter that looks like p is the suffix p."""
    assert read_weapon('Gun (24", AD3\u0440)') == read_weapon('Gun (24", AD3p)')


@pytest.mark.clause(EDITION, "WPN-1")
def test_a_weapon_without_a_range_is_for_melee() -> None:
    """No range means melee, a range means shooting."""
    assert read_weapon("Bite (A2, Rending)").melee
    assert not read_weapon('Spit (12", A2)').melee


@pytest.mark.clause(EDITION, "WPN-4")
def test_melee_weapons_are_strength_times_type() -> None:
    """Strength gives the attacks and type gives the rules, for all five strengths and all types."""
    attacks = {"Light": 1, "Medium": 2, "Heavy": 3, "Master": 4, "Force": 5}
    rules = {"CCW": (), "Claws": (), "Powersword": (PIERCING,), "Powerfist": (PIERCING, UNWIELDY)}
    for strength, count in attacks.items():
        for kind, brings in rules.items():
            weapon = read_weapon(f"{strength} {kind}")
            assert (weapon.reach, weapon.attacks, weapon.rules) == (None, DiceRoll(plus=count), brings)
    assert set(STRENGTHS) == set(attacks) and set(TYPES) == set(rules)


@pytest.mark.clause(EDITION, "WPN-2")
@pytest.mark.parametrize(
    ("name", "reach", "attacks", "rules"),
    [
        ("Pistol", 12, DiceRoll(plus=1), []),
        ("Shotgun", 12, DiceRoll(plus=2), []),
        ("Flamer", 12, DiceRoll(plus=6), []),
        ("Heavy Flamer", 12, DiceRoll(plus=6), ["Piercing"]),
        ("Plasma Pistol", 12, DiceRoll(plus=3), ["Piercing", "Single"]),
        ("Meltagun", 12, DiceRoll(plus=6), ["Piercing", "Single"]),
        ("Carbine", 18, DiceRoll(plus=1), []),
        ("Assault Rifle", 24, DiceRoll(plus=1), []),
        ("Minigun", 24, DiceRoll(plus=3), []),
        ("Grenade Launcher", 24, DiceRoll(1, 3), ["Piercing"]),
        ("Plasmagun", 24, DiceRoll(plus=3), ["Piercing", "Single"]),
        ("Multi-Melta", 24, DiceRoll(plus=6), ["Piercing", "Single"]),
        ("Rifle", 30, DiceRoll(plus=1), []),
        ("Machinegun", 36, DiceRoll(plus=3), []),
        ("Plasma Cannon", 36, DiceRoll(plus=3), ["Piercing"]),
        ("Autocannon", 48, DiceRoll(plus=2), ["Piercing"]),
        ("Missile Launcher", 48, DiceRoll(1, 3), ["Piercing"]),
        ("Battle Cannon", 48, DiceRoll(plus=9), ["Piercing"]),
        ("Lascannon", 48, DiceRoll(plus=6), ["Piercing", "Single"]),
    ],
)
def test_the_printed_table(name: str, reach: int, attacks: DiceRoll, rules: list[str]) -> None:
    """Each row of the table of ranged weapons is found by its printed name."""
    weapon = read_weapon(name)
    assert (weapon.reach, weapon.attacks, names(weapon)) == (reach * INCH, attacks, rules)


def test_the_table_has_no_other_rows() -> None:
    """Nineteen ranged weapons and twenty names of melee weapons, and no more."""
    assert len(RANGED) == 19 and len(TABLES) == 19 + 20


def test_neutral_names_stand_for_printed_ones() -> None:
    """Weapons shown under a plainer name are found by both names and show the plainer one."""
    for printed, shown in (("Meltagun", "Fusion Gun"), ("Multi-Melta", "Heavy Fusion Gun"), ("Lascannon", "Laser Cannon")):
        assert read_weapon(printed) == read_weapon(shown)
        assert read_weapon(printed).name == shown


@pytest.mark.clause(EDITION, "WPN-3")
def test_the_default_melee_weapon() -> None:
    """A model with no melee weapon strikes with a Light CCW: one attack and no rules."""
    assert (DEFAULT_MELEE.reach, DEFAULT_MELEE.attacks, DEFAULT_MELEE.rules) == (None, DiceRoll(plus=1), ())
    assert read_weapon("Light CCW/Claws") == DEFAULT_MELEE


def test_mount_and_barrel_of_a_vehicle_weapon() -> None:
    """A line may say where on a hull a weapon sits and where its barrel is; an object says the same."""
    line = read_weapon('Hull Gun (24", A3, Linked, Mount(front), Barrel(2, -0.5))')
    given = {"name": "Hull Gun", "range": 24, "A": 3, "rules": ["Linked"], "mount": "front", "barrel": [2, -0.5]}
    assert line == read_weapon(given)
    assert (line.mount, line.barrel) == ("front", (2000, -500))


def test_mounts_are_those_that_have_arcs() -> None:
    """Every mount a weapon may name has an arc."""
    assert set(MOUNTS) == set(ARCS)


def test_an_object_may_carry_a_suffix_and_a_die() -> None:
    """The object form reads attacks like the line does."""
    weapon = read_weapon({"name": "Lobber", "range": 24, "A": "D3p"})
    assert weapon == read_weapon('Lobber (24", AD3p)')
    assert read_weapon({"name": "Maul", "range": "melee", "A": 2}).melee


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Foo",
        "Foo ()",
        "Foo (A)",
        'Foo (12", A0)',
        "Foo (12, A1)",
        'Foo (12", A1, )',
        'Foo (12", A1',
        'Foo (12", A1, Single)',
        "Foo (A1, Mount(sky))",
        "Foo (A1, Barrel(1))",
        'Foo (2000", A1)',
        'Foo (0", A1)',
        "Foo (A1, (a)))",
        "Foo (A99999999999999)",
        "(A1)",
        "Foo (A" + "9" * 5000 + ")",
        "Foo (A1, Tough(²))x",
        3,
        None,
        ["Rifle"],
        {"name": "x"},
        {"name": "x", "range": float("nan"), "A": 1},
        {"name": "x", "range": 12, "A": True},
        {"name": "x", "range": 12, "A": 1, "S": 4},
        {"name": "", "range": 12, "A": 1},
        {"name": "x", "range": 12, "A": 1, "rules": "Poison"},
        {"name": "x", "range": 12, "A": 1, "rules": [3]},
        {"name": "x", "range": 12, "A": 1, "barrel": [1, None]},
    ],
)
def test_what_is_no_weapon_is_refused(text: object) -> None:
    """Anything else is bad input that says where and what; nothing else is ever raised."""
    with pytest.raises(BadInput) as caught:
        read_weapon(text, "a1.1.weapons[0]")
    assert "a1.1.weapons[0]" in caught.value.message


@pytest.mark.clause(EDITION, "GEN-3")
def test_the_higher_rating_counts() -> None:
    """Of two ratings of one rule the higher counts, a die as its average."""
    assert collapsed([Rule("Impact", 3), Rule("Impact", "D6")]) == (Rule("Impact", "D6"),)
    assert collapsed([Rule("Impact", "D6"), Rule("Impact", 4)]) == (Rule("Impact", 4),)


@pytest.mark.parametrize("name", sorted(TABLES))
def test_table_weapons_are_written_by_name(name: str) -> None:
    """A weapon of the tables is written as its name and read back as the same."""
    assert write_weapon(TABLES[name]) == name
    assert read_weapon(write_weapon(TABLES[name])) == TABLES[name]


RULES = ("Indirect", "Limited", "Linked", "Piercing", "Poison", "Precise", "Rending", "Unwieldy")


@given(
    name=st.text("abc DEF-'", min_size=1, max_size=20).filter(lambda name: name.strip()),
    reach=st.none() | st.integers(1, 100_000),
    attacks=st.sampled_from(["1", "9", "D3", "2D6", "D6+1"]),
    suffix=st.sampled_from(["", "p", "x"]),
    rules=st.lists(st.sampled_from(RULES), max_size=4),
    mount=st.sampled_from(["", *MOUNTS]),
    barrel=st.tuples(st.integers(-9999, 9999), st.integers(-9999, 9999)),
)
def test_whatever_is_read_is_written_and_read_back(
    name: str,
    reach: int | None,
    attacks: str,
    suffix: str,
    rules: list[str],
    mount: str,
    barrel: tuple[int, int],
) -> None:
    """Writing and reading are inverse for every weapon the object form can describe."""
    inches = "melee" if reach is None else reach / 1000
    hull = [barrel[0] / 1000, barrel[1] / 1000]
    given = {"name": name, "range": inches, "A": attacks + suffix, "rules": rules, "mount": mount, "barrel": hull}
    weapon = read_weapon(given)
    assert read_weapon(write_weapon(weapon)) == weapon


def test_what_no_line_can_hold_is_not_written() -> None:
    """A weapon with the numbers of another family has no line."""
    with pytest.raises(BadInput):
        write_weapon(Weapon("Bolt", 24 * INCH, DiceRoll(plus=1), (), (("S", 4),)))
    with pytest.raises(BadInput):
        write_weapon(Weapon("Bolt", 24 * INCH, DiceRoll(plus=1), (SINGLE,)))
