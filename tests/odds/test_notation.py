"""Weapons and characteristics as catalogues and players write them: read as they stand, with notes of what was changed."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rolloff import odds
from rolloff.editions import registry
from rolloff.errors import BadInput
from rolloff.rules.reading import read_weapons
from rolloff.situations.adjudicate import adjudicate

Json = dict[str, Any]
TENTH, SEVENTH, PAGE = "commentary-10", "compendium", "onepage-3.0"
BODY = {"T": 4, "Sv": "3+", "W": 2, "Ld": "6+"}


def line(keywords: object, **more: object) -> Json:
    """A weapon as a catalogue has it."""
    return {
        "name": "Brass gun",
        "Range": '24"',
        "A": "2",
        "BS": "3+",
        "S": "4",
        "AP": "-1",
        "D": "1",
        "Keywords": keywords,
    } | more


def read(edition: str, weapon: object) -> tuple[Any, list[tuple[object, object]]]:
    """One weapon, and what in it was read otherwise, from what to what."""
    weapons, notes = read_weapons(registry.edition(edition), weapon, "weapon")
    return weapons[0], [(note.given, note.read) for note in notes]


@pytest.mark.parametrize("nothing", ["-", "\u2013", "\u2014", "", "N/A", "n/a", "none", None, [], ["-"]])
def test_no_keyword_is_written_in_many_ways(nothing: object) -> None:
    """A dash of any kind, an empty column or N/A is a weapon without abilities."""
    assert read(TENTH, line(nothing))[0].rules == ()


@pytest.mark.parametrize(
    ("written", "rules"),
    [
        ("Twin Linked", ["Twin-linked"]),
        ("TWIN-LINKED, [HEAVY]", ["Twin-linked", "Heavy"]),
        ("[RAPID FIRE D3] [ASSAULT]", ["Rapid Fire(D3)", "Assault"]),
        ("Rapid Fire D6+3; Blast", ["Rapid Fire(D6+3)", "Blast"]),
        ("anti-infantry 4+, ANTI-FLY 2+", ["Anti(INFANTRY 4+)", "Anti(FLY 2+)"]),
        ("Anti Vehicle 4+", ["Anti(VEHICLE 4+)"]),
        (["SUSTAINED HITS D3", "lethal hits", "-"], ["Sustained Hits(D3)", "Lethal Hits"]),
        ("Melta2", ["Melta(2)"]),
        ("Heavy / Blast", ["Heavy", "Blast"]),
        ("Heavy\nBlast", ["Heavy", "Blast"]),
        ("ignores_cover, Pistols, Devastating Wound", ["Ignores Cover", "Pistol", "Devastating Wounds"]),
        ("INDIRECT FIRE, LANCE, PRECISION, PSYCHIC, EXTRA ATTACKS, ONE SHOT, HAZARDOUS, TORRENT", None),
    ],
)
def test_keywords_are_read_however_they_are_written(written: object, rules: list[str] | None) -> None:
    """Case, dashes, spaces, brackets, plurals and a number stuck to its name make no difference."""
    found = [str(rule) for rule in read(TENTH, line(written))[0].rules]
    assert found == rules if rules is not None else len(found) == 8


@pytest.mark.parametrize(
    ("field", "written", "name", "expected"),
    [
        ("Range", "24\u201d", "reach", 24000),
        ("Range", "24''", "reach", 24000),
        ("Range", "24 in", "reach", 24000),
        ("Range", "24", "reach", 24000),
        ("A", "d6 + 3", "attacks", "D6+3"),
        ("A", "1D6", "attacks", "D6"),
        ("A", "A4", "attacks", "4"),
        ("BS", "BS 4+", "skill", 4),
        ("BS", 3, "skill", 3),
        ("S", "2D6", "S", "2D6"),
        ("S", "S5", "S", 5),
        ("AP", "\u22122", "AP", -2),
        ("AP", "2", "AP", -2),
        ("AP", 3, "AP", -3),
        ("AP", "AP-1", "AP", -1),
        ("AP", "-", "AP", 0),
        ("D", "d3+3", "D", "D3+3"),
        ("D", "D2", "D", "2"),
    ],
)
def test_columns_are_read_however_they_are_written(field: str, written: object, name: str, expected: object) -> None:
    """Inch marks, dice with spaces, labels before the number and an AP without its sign are understood."""
    weapon, _ = read(TENTH, line("-", **{field: written}))
    found = {"reach": weapon.reach, "attacks": str(weapon.attacks)}.get(name, weapon.stat(name))
    assert found == expected


@pytest.mark.parametrize("written", ["Melee", "melee", "M", "-", "N/A"])
def test_a_weapon_without_a_range_strikes(written: str) -> None:
    """Melee is written as a word, a letter, or no range at all."""
    weapon = {"name": "Claw", "range": written, "A": "4", "WS": "3+", "S": "5", "AP": "-2", "D": "2"}
    assert read(TENTH, weapon)[0].melee


@pytest.mark.parametrize(
    "text",
    [
        'Brass gun 24" 2 3+ 4 -1 1 [ASSAULT, HEAVY]',
        'Brass gun: Range 24", A 2, BS 3+, S 4, AP -1, D 1, Keywords: Assault, Heavy',
        'Brass gun (24", A2, BS3+, S4, AP-1, D1, Assault, Heavy)',
        'Brass gun | 24" | 2 | 3+ | 4 | 1 | 1 | Assault, Heavy',
        'Brass gun\t24"\t2\t3+\t4\t-1\t1\tAssault, Heavy',
    ],
)
def test_a_line_of_text_is_read_by_its_columns(text: str) -> None:
    """A row copied from a table is the weapon that the object is."""
    assert read(TENTH, text)[0] == read(TENTH, line("Assault, Heavy"))[0]


def test_copies_before_a_name_are_so_many_weapons() -> None:
    """2x before or behind a name gives two weapons, and is noted."""
    for written in ("2x Pistols", "Pistols x2"):
        weapons, notes = read_weapons(registry.edition(PAGE), written, "weapon")
        assert [weapon.name for weapon in weapons] == ["Pistol", "Pistol"]
        assert notes[0].given == written


def test_one_page_lines_are_read_with_other_marks_and_cases() -> None:
    """Inches in words, a small a, rules in any case and a dash among them are the weapon of the book."""
    assert read(PAGE, "Rifle (24 in, a1, linked, -)")[0] == read(PAGE, 'Rifle (24", A1, Linked)')[0]
    assert read(PAGE, {"name": "Rifle", "Range": '24"', "Attacks": "1", "Keywords": "linked"})[0].has("Linked")


@pytest.mark.clause("compendium", "CF-AP-2")
@pytest.mark.parametrize(("written", "ap"), [("1", -5), (2, -4), ("3", -3), ("4", -2), (5, -1), ("6", 0), ("-", 0), ("-2", -2)])
def test_an_ap_without_a_sign_is_of_the_older_scale_in_the_compendium(written: object, ap: int) -> None:
    """CF-AP-2: 1 to 6 become -5 to 0, a dash is none, and a sign is used as printed."""
    weapon = {"name": "Gun", "Range": '24"', "Strength": "4", "AP": written, "Type": "Assault 2, Rending"}
    found, _ = read(SEVENTH, weapon)
    assert found.stat("AP") == ap
    assert str(found.attacks) == "2"
    assert {rule.name for rule in found.rules} == {"Assault", "Rending"}


def test_characteristics_go_by_any_of_their_names_and_the_result_says_so() -> None:
    """SV, LD and BS as catalogues have them are read, and every change stands in the result."""
    target = odds.unit(5, stats={"t": "4", "SV": "3+", "W": "2", "LD": "6+", "M": '6"', "InSv": "N/A"})
    attacker = odds.unit(2, stats=BODY | {"BS": "3+"}, weapons=[line("-", BS="-")])
    plain = odds.attack(odds.unit(2, stats=BODY, weapons=[line([])]), odds.unit(5, stats=BODY), edition=TENTH, exact=True)
    found = odds.attack(attacker, target, edition=TENTH, exact=True)
    assert found.kills == plain.kills
    changed = {(note.where.rpartition(".")[2], note.read) for note in found.notes}
    assert {("SV", "Sv"), ("LD", "Ld"), ("M", 6), ("InSv", "-")} <= changed
    assert len([note for note in found.notes if note.where.endswith("Keywords[0]")]) == 1


def test_an_unknown_ability_is_refused_with_the_nearest_and_all_there_are() -> None:
    """A typo names what it may have meant; the allowed names follow."""
    with pytest.raises(BadInput, match="the nearest is Twin-linked") as caught:
        read(TENTH, line("Twin-linkd"))
    assert caught.value.allowed is not None
    assert caught.value.allowed.startswith("Twin-linked, ")
    assert "Sustained Hits" in caught.value.allowed


@pytest.mark.parametrize("edition", [TENTH, SEVENTH, PAGE])
def test_an_unknown_ability_may_be_ignored_and_is_named(edition: str) -> None:
    """With ignore_unknown the odds are those without it, and a note says what was left out."""
    stats: Json = {TENTH: BODY, SEVENTH: {"WS": 4, "BS": 4, "S": 4, "T": 4, "W": 1, "I": 4, "A": 1, "SV": "3+"}}.get(
        edition, {}
    )
    gun: Json = {"name": "Gun", "range": 24, "A": 2, "rules": ["Only Ours"]}
    if edition != PAGE:
        gun |= {"S": 4, "AP": -1, "D": 1} | ({"skill": "3+"} if edition == TENTH else {})
    asked = odds.written(odds.unit(3, stats=stats, weapons=[gun]), odds.unit(5, stats=stats), edition=edition, range=6)
    asked["attacks"][0] |= {"visible": True, "cover": False}
    with pytest.raises(BadInput, match="Only Ours"):
        odds.sweep(asked, "range", [6])
    found = odds.sweep(asked | {"ignore_unknown": True}, "range", [6]).rows[0].odds
    assert found is not None
    assert [note.given for note in found.notes if note.read is None] == ["Only Ours"]


@pytest.mark.clause("commentary-10", "WPN-2", "DICE-5")
def test_a_random_rapid_fire_adds_its_die_at_half_range() -> None:
    """RAPID FIRE D3 on one attack is 2 to 4 attacks at half range and one beyond; on D6 attacks both are rolled."""

    def attacks(a: object, distance: int) -> list[Any]:
        gun = line("Rapid Fire D3", A=a)
        found = odds.attack(odds.unit(1, stats=BODY, weapons=[gun]), odds.unit(5, stats=BODY), edition=TENTH, range=distance)
        return [round(chance * 18, 9) for chance in found.last.attacks]

    assert attacks("1", 12) == [0, 0, 6, 6, 6]
    assert attacks("1", 13) == [0, 18]
    assert attacks("D6", 12) == [0, 0, 1, 2, 3, 3, 3, 3, 2, 1]


@pytest.mark.clause("commentary-10", "DICE-5")
def test_a_random_strength_is_thrown_for_each_attack() -> None:
    """Strength D3 against Toughness 2 wounds on 6, 4+ and 3+, each a third of the time; scripted dice find the same."""
    gun = line("-", A="1", S="D3", AP="0")
    soft = {"T": 2, "Sv": "-", "W": 1}
    found = odds.attack(odds.unit(1, stats=BODY, weapons=[gun]), odds.unit(1, stats=soft), edition=TENTH, exact=True)
    assert str(found.kills.mean) == "8/27"
    case = odds.written(odds.unit(1, stats=BODY, weapons=[gun]), odds.unit(1, stats=soft), edition=TENTH)
    form = {"attacker": "attacker", "target": "target", "range": 6, "visible": True, "cover": False}
    situation = {"edition": TENTH, "units": case["units"], "do": {"attack": form}}
    for faces, fell in (([3, 6, 3], 1), ([3, 4, 3], 0), ([3, 4, 4], 1), ([3, 1, 5], 0), ([3, 1, 6], 1)):
        ruling = adjudicate(msgspec.json.encode(situation | {"dice": faces}))
        assert len(ruling["attacks"][0]["removed"]) == fell


@pytest.mark.parametrize(
    "written",
    [
        'Rifle 24" A2',
        'Rifle - 24", A2',
        'Rifle (A2, 24")',
        'Rifle (24"; A2)',
    ],
)
def test_a_gun_in_words_of_ones_own_is_the_line_of_the_edition(written: str) -> None:
    """Without brackets, with attacks first or with semicolons it is the same gun, and the note says how it was read."""
    found, notes = read(PAGE, written)
    assert (found.name, found.reach, found.attacks.plus) == ("Rifle", 24_000, 2)
    assert notes


@pytest.mark.parametrize("written", ["Sword (Melee, A2)", "Sword (-, A2)", "Sword (melee; A2)"])
def test_a_blade_may_say_that_it_has_no_range(written: str) -> None:
    """Melee or a dash in place of the range is a weapon for melee."""
    found, _ = read(PAGE, written)
    assert found.melee and found.attacks.plus == 2


@pytest.mark.parametrize(("written", "strength"), [("x2", "Userx2"), ("+1", "User+1"), ("User+2", "User+2"), ("6", 6)])
def test_a_strength_made_of_the_users_own(written: str, strength: object) -> None:
    """A sign before the Strength of a Melee weapon adds to the user's own or multiplies it."""
    found, _ = read(SEVENTH, {"name": "Maul", "range": "melee", "S": written, "AP": "-", "D": 1})
    assert found.stat("S") == strength


GUN: Json = {
    "name": "Brass gun",
    "range": '24"',
    "A": "D6",
    "BS": "3+",
    "S": "9",
    "AP": "-3",
    "D": "D3",
    "rules": "Melta 2, Blast",
}


@pytest.mark.parametrize(
    "text",
    [
        '| Brass gun | 24" | D6 | 3+ | 9 | -3 | D3 | Melta 2, Blast |',
        "**Brass gun**\t24\u2033\tD6\t3+\t9\t\u22123\tD3\tMelta 2, Blast",
        '"Brass gun","24""","D6","3+","9","-3","D3","Melta 2, Blast"',
        'Brass gun,24",D6,3+,9,-3,D3,"Melta 2, Blast"',
        'Brass gun 24" D6 3+ 9 -3 D3 Melta 2 Blast',
        'Brass gun [MELTA 2, BLAST] 24" D6 3+ 9 -3 D3',
        '\u2022 Brass gun: R24" AD6 BS3+ S9 AP-3 DD3 Melta 2 & Blast',
        'Brass gun (24"; A: D6; BS: 3+; S: 9; AP: -3; D: D3; Melta 2; Blast)',
        'Brass gun (A:D6, BS:3+, S:9, AP:-3, D:D3, Range: 24", Melta 2, Blast)',
        'Name: Brass gun; Range: 24"; A: D6; Skill: 3+; S: 9; AP: -3; D: D3; Keywords: Melta 2, Blast',
        'Brass gun \u2013 24" / D6 shots / 3+ / S9 / AP 3 / D D3 / Melta2 / Blast',
        "Brass gun: 24 inch range, D6 attacks, hits on 3+, strength 9, AP -3, damage D3, melta 2, blast",
    ],
)
def test_a_weapon_is_the_same_in_every_export(text: str) -> None:
    """Markdown, tabs, quoted commas, texts to be shared and plain words are the weapon that the object is, dice included."""
    assert read(TENTH, text)[0] == read(TENTH, GUN)[0]


@pytest.mark.parametrize(
    ("written", "attacks", "damage"),
    [
        ('Gun 24" 2 3+ 4 -1 D3', "2", "D3"),
        ('Gun 24" A2 BS3+ S4 AP-1 D3', "2", "3"),
        ('Gun, 24", 2 attacks, 3+, S4, AP -1, D3 damage', "2", "D3"),
        ('Gun, 24", 2 shots, BS3+, S4, AP-1, D6+1 dmg, pistol', "2", "D6+1"),
    ],
)
def test_a_d_before_a_number_is_a_label_only_among_labels(written: str, attacks: str, damage: str) -> None:
    """D3 in a row of bare numbers, or before the word damage, is a die; behind S4 and AP-1 it is Damage 3."""
    gun = read(TENTH, written)[0]
    assert (str(gun.attacks), gun.stat("D")) == (attacks, damage)


@pytest.mark.parametrize(
    "written",
    [
        "Sword: A4, WS 3+, S5, AP-2, D1",
        "Sword (Melee) A4 WS3+ S5 AP-2 D1",
        "Sword - melee - 4 3+ 5 -2 1",
        "| Sword | - | 4 | 3+ | 5 | -2 | 1 | |",
        {"name": "Sword", "type": "Melee", "a": 4, "ws": "3+", "s": 5, "ap": -2, "d": 1, "id": "ab12"},
        {"name": "Sword", "range": 0, "attacks": "4 attacks", "weaponSkill": "3+", "strength": "5", "ap": "(2)", "dmg": "1"},
    ],
)
def test_a_blade_without_a_range_is_for_melee(written: object) -> None:
    """No range, a dash, or only WS and attacks is a weapon for melee; what says nothing of attacks is left out and noted."""
    sword = read(TENTH, {"name": "Sword", "range": "melee", "A": 4, "skill": "3+", "S": 5, "AP": -2, "D": 1})[0]
    assert read(TENTH, written)[0] == sword


@pytest.mark.parametrize(
    "written", ["Gun 2 5 3", 'Gun (24", A2, BS3+)', "Gun A4 BS3+ S5 AP-2 D1", 'Gun 24" 2 5 3 Rapid Fire', "", "Gun"]
)
def test_a_line_that_could_mean_two_things_or_lacks_a_column_is_refused(written: str) -> None:
    """No column is guessed: the message names what cannot be told, and the form that can be read."""
    for edition in (TENTH, SEVENTH):
        if edition == SEVENTH and "BS" in written:
            continue
        with pytest.raises(BadInput) as caught:
            read(edition, written)
        assert caught.value.code in ("bad-weapon", "bad-number")


@pytest.mark.parametrize(
    "written",
    [
        'Fire gun 24" S7 AP2 Assault 2, Gets Hot',
        'Fire gun (Range 24", S 7, AP 2, Assault 2, Gets Hot)',
        '| Fire gun | 24" | 7 | 2 | Assault 2, Gets Hot |',
        'Fire gun 24" Assault 2 7 -4 1 Gets Hot',
        'Fire gun | 24" | Assault 2 | 7 | -4 | 1 | Gets Hot',
        {"name": "Fire gun", "Range": '24"', "Type": "Assault 2", "S": "7", "AP": "-4", "D": "1", "Abilities": "Gets Hot"},
    ],
)
def test_the_classic_profiles_of_the_compendium(written: object) -> None:
    """Attacks behind the type, Damage left out, an AP of the older scale: all are one gun (CF-PROF-4, CF-AP-2)."""
    gun = {"name": "Fire gun", "range": 24, "A": 2, "S": 7, "AP": -4, "D": 1, "rules": ["Assault", "Gets Hot"]}
    assert read(SEVENTH, written)[0] == read(SEVENTH, gun)[0]


@pytest.mark.parametrize(
    ("written", "line"),
    [
        ("Claws: A2, Rending", "Claws (A2, Rending)"),
        ("Claws A2 Rending", "Claws (A2, Rending)"),
        ("Claws (2 attacks, rending)", "Claws (A2, Rending)"),
        ('| Rifle | 24" | 1 | Linked |', 'Rifle (24", A1, Linked)'),
        ('Rifle 24", A1 (Linked)', 'Rifle (24", A1, Linked)'),
        ("Rifle (24, 1A, Linked)", 'Rifle (24", A1, Linked)'),
        ('Rifle 24"/A3x', 'Rifle (24", A3x)'),
        (
            {"name": "Rifle", "range": 24, "attacks": 1, "specialRules": [{"name": "Linked", "rating": None}]},
            'Rifle (24", A1, Linked)',
        ),
        ("CCW", "Light CCW"),
        ("Plasma-Pistol", "Plasma Pistol"),
        ("Battlecannon", "Battle Cannon"),
    ],
)
def test_lines_of_the_one_page_family_in_other_forms(written: object, line: str) -> None:
    """Tables, words without brackets, rules as objects and joined names are the weapon of the line (WPN-7)."""
    assert read(PAGE, written)[0] == read(PAGE, line)[0]


def test_a_number_before_a_plural_counts_copies() -> None:
    """2 Pistols are two; a number before a name in the singular belongs to the name."""
    edition = registry.edition(TENTH)
    rest = '12" 1 3+ 4 0 1 [PISTOL]'
    assert len(read_weapons(edition, f"2 Hand guns {rest}", "weapon")[0]) == 2
    assert len(read_weapons(edition, f"Hand guns (x2) {rest}", "weapon")[0]) == 2
    assert read_weapons(edition, f"4 barrel gun {rest}", "weapon")[0][0].name == "4 barrel gun"


@pytest.mark.parametrize(
    ("written", "rules"),
    [
        ("Heavy Blast", ["Heavy", "Blast"]),
        ("Anti-Infantry 4+ and Lethal Hits", ["Anti(INFANTRY 4+)", "Lethal Hits"]),
        ("HEAVY \u2022 BLAST", ["Heavy", "Blast"]),
        ("Dev Wounds, Sustained 1, ignore cover", ["Devastating Wounds", "Sustained Hits(1)", "Ignores Cover"]),
        ("sustainedHits2, Twinlinked", ["Sustained Hits(2)", "Twin-linked"]),
        ([{"name": "Rapid Fire", "value": 1}], ["Rapid Fire(1)"]),
        ("Anti-Infantry4+", ["Anti(INFANTRY 4+)"]),
    ],
)
def test_rules_behind_one_another_and_in_short(written: object, rules: list[str]) -> None:
    """Rules with nothing but a space or a mark between them, shortened or joined words are the rules they can only mean."""
    assert [str(rule) for rule in read(TENTH, line(written))[0].rules] == rules


def test_armour_in_three_columns_is_one_characteristic() -> None:
    """Front, side and rear armour by themselves are AV, and the result says so."""
    gun = {"name": "Gun", "range": 24, "A": 2, "S": 8, "AP": -2}
    man = {"WS": 4, "BS": 4, "S": 4, "T": 4, "W": 1, "I": 4, "A": 1, "LD": 8, "SAV": "3+"}
    hull = odds.unit(1, stats={"BS": 4, "Front": "13", "Side Armour": 12, "RA": "10", "HP": 8})
    found = odds.attack(odds.unit(2, stats=man, weapons=[gun]), hull, edition=SEVENTH, range=6, facing="rear", exact=True)
    plain = odds.unit(1, stats={"CT": 4, "AV": [13, 12, 10], "HP": 8})
    asked = odds.attack(odds.unit(2, stats=man, weapons=[gun]), plain, edition=SEVENTH, range=6, facing="rear", exact=True)
    assert found.kills == asked.kills and found.last.damage == asked.last.damage
    assert [13, 12, 10] in [note.read for note in found.notes]
