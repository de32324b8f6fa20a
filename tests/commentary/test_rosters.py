"""Army law of the commentary edition, and what its books bring: detachments, Stratagems, conditions of abilities."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from rolloff.armies import library
from rolloff.editions.commentary.detachments import detachments
from rolloff.editions.commentary.law import problems
from rolloff.errors import ArmyError
from rolloff.table.profile import Card
from tests.commentary.desk import EDITION, Json, gun, shoot, squad
from tests.commentary.referee import names
from tests.commentary.test_phases import rule

SHIPPED = ("verdigris-mandate-2000", "hollow-tide-2000", "lantern-reach-2000")


def cards(name: str) -> list[Card]:
    """The units of a shipped list."""
    return list(library.army(EDITION, name, 0).cards)


def broken(found: list[Card], size: int = 2000) -> list[str]:
    """The clauses a roster breaks."""
    return [clause for clause, _ in problems(found, size)]


def without(card: Card, *words: str) -> Card:
    """A card less some of its words."""
    return replace(card, keywords=tuple(word for word in card.keywords if word not in words))


def also(card: Card, *words: str) -> Card:
    """A card with further words."""
    return replace(card, keywords=(*card.keywords, *words))


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_lists_are_legal(name: str) -> None:
    """Every shipped list passes the law."""
    assert broken(cards(name)) == []


@pytest.mark.clause("commentary-10", "ARMY-1", "POINTS-1")
def test_points() -> None:
    """Exactly at the size is legal, one point more is not, and only four sizes are played."""
    army = cards("verdigris-mandate-2000")
    assert broken(army) == []
    assert broken([replace(army[0], points=army[0].points + 1), *army[1:]]) == ["ARMY-1"]
    assert broken(army, 1999) == ["ARMY-1"]


@pytest.mark.clause("commentary-10", "ARMY-2")
def test_one_faction_and_one_detachment() -> None:
    """Units of two factions, or two detachments, make no army."""
    army = cards("hollow-tide-500")
    assert broken([*army, cards("lantern-reach-500")[3]], 1000) == ["ARMY-2"]
    assert broken([*army[:-1], also(army[-1], "detachment:other")], 500) == ["ARMY-2"]


@pytest.mark.clause("commentary-10", "ARMY-3", "BLINE-1")
def test_copies() -> None:
    """Three of one datasheet, six of a line unit; the Matron makes Rendstalkers one; of an EPIC HERO there is one."""
    army = cards("hollow-tide-2000")
    stalkers = next(card for card in army if card.name == "Rendstalkers")
    assert broken([*army, *[stalkers] * 2], 3000) == []
    assert broken([*army, *[stalkers] * 3], 3000) == ["ARMY-3"]
    assert "ARMY-3" in broken([card for card in army if card.name != "Deep Matron"], 3000)
    matron = next(card for card in army if card.name == "Deep Matron")
    assert "ARMY-3" in broken([*army, without(matron, "WARLORD")], 3000)
    reaper = next(card for card in army if card.name == "Veil Reaper")
    assert broken([*army, *[reaper] * 2], 3000) == [] and broken([*army, *[reaper] * 3], 3000) == ["ARMY-3"]


@pytest.mark.clause("commentary-10", "ARMY-4")
def test_enhancements() -> None:
    """Three different ones at the most, each on a CHARACTER that may bear it."""
    army = cards("hollow-tide-500")
    swarm = next(card for card in army if card.name == "Skitterlings")
    word = "enhancement:ENH-T2 TIDE CHARACTER with Leader"
    assert broken([also(card, word) if card is swarm else card for card in army], 500) == ["ARMY-4"]
    assert broken([also(army[0], "enhancement:ENH-T1 TIDE CHARACTER"), *army[1:]], 500) == ["ARMY-4"]


@pytest.mark.clause("commentary-10", "ARMY-5", "WARLORD-1", "WARLORD-2")
def test_the_warlord() -> None:
    """One CHARACTER; the Matron must be, the Duelist cannot."""
    army = cards("hollow-tide-1000")
    assert broken([without(card, "WARLORD") for card in army], 1000) == ["ARMY-5"]
    swapped = [without(army[0], "WARLORD"), also(army[1], "WARLORD"), *army[2:]]
    assert broken(swapped, 1000) == ["WARLORD-1"]
    reach = cards("lantern-reach-1000")
    duel = [without(reach[0], "WARLORD"), also(reach[1], "WARLORD"), *reach[2:]]
    assert broken(duel, 1000) == ["WARLORD-2"]


def test_an_illegal_army_is_refused_with_its_clause() -> None:
    """A list over the size never becomes a battle."""
    with pytest.raises(ArmyError) as caught:
        library.setup_for(EDITION, "hollow-tide-1000", "hollow-tide-500", "toll-crossing", "", 500)
    assert caught.value.clause == "ARMY-1"


@pytest.mark.clause("commentary-10", "LABEL-1")
def test_each_detachment_has_six_stratagems_of_all_categories() -> None:
    """Battle Tactic, Epic Deed, Strategic Ploy and Wargear; one has two labels, the detachment's name among them."""
    for detachment in detachments().values():
        labels = [stratagem.labels for stratagem in detachment.stratagems]
        assert len(labels) == 6
        assert {"Battle Tactic", "Epic Deed", "Strategic Ploy", "Wargear"} <= {label for row in labels for label in row}
        assert [row for row in labels if len(row) == 2] == [(detachment.name, "Wargear")]


@pytest.mark.clause("commentary-10", "TCOND-1", "REROLL-3", "REROLL-6")
def test_rerolls_near_markers() -> None:
    """AB-R3: against a unit within range of a marker a Hit roll of 1 is rolled again; elsewhere it is not."""
    rules = ["Near Markers: Re-roll Hits(ones)"]
    for x, dice in ((22, [1, 1]), (40, [1])):
        marker = {"terrain": [{"id": "o1", "types": ["objective"], "disc": [x, 10, 0.787]}]}
        units = [squad("a1", "A", 1, gun(), at=[(10, 10)], rules=rules), squad("b1", "B", 1, at=[(20, 10)])]
        assert shoot(units, dice=dice, table=marker).verdict == "legal"


@pytest.mark.clause("commentary-10", "SINGLE-2")
def test_who_shoots_at_a_single_target() -> None:
    """DET-M: 1 more to hit for a unit that shoots at a single target, not for one that splits its fire."""
    enemy = squad("b1", "B", 1)
    for marks, hits in (((), 1), (("split-fire",), 0)):
        units = [squad("a1", "A", 1, gun(skill=4), rules=["Single Target: To Hit(+1)"], marks=marks), enemy]
        assert shoot(units, dice=[3, 1] if hits else [3]).attack["hits"] == hits


@pytest.mark.clause("commentary-10", "AGAINST-3")
def test_against_strong_attacks() -> None:
    """STR-R2: 1 less to wound for attacks whose Strength exceeds the Toughness, as printed for others."""
    for strength, faces, wounds in ((5, [3, 3], 0), (4, [3, 4], 1)):
        target = squad("b1", "B", 1, T=4, rules=["Against Strong Attacks: To Be Wounded(-1)"])
        assert shoot([squad("a1", "A", 1, gun(S=strength)), target], dice=faces).attack["wounds"] == wounds


@pytest.mark.clause("commentary-10", "AGAINST-3")
@pytest.mark.parametrize(
    ("weapon", "own", "theirs", "need"),
    [
        (gun(S=4), ["Strength(+1)"], [], 4),
        (gun(S=5), ["Strength(-1)"], [], 4),
        (gun(S=6), [], ["Toughness(+1)"], 4),
        (gun(S=5), [], ["Toughness(+1)"], 4),
        (gun(S="-"), [], [], 4),
        (gun(S="D6"), [], [], 3),
    ],
)
def test_strong_attacks_are_strong_as_modified(weapon: Json, own: list[str], theirs: list[str], need: int) -> None:
    """STR-R2: Strength and Toughness are compared as modified, or as stood in for (NULL-1); one yet to be rolled is none."""
    target = squad("b1", "B", 1, T=4, rules=["Against Strong Attacks: To Be Wounded(-1)", *theirs])
    dice = [3, 6, 4] if weapon["S"] == "D6" else [3, 4]
    found = shoot([squad("a1", "A", 1, weapon, T=5, rules=own), target], dice=dice)
    assert [row["need"] for row in found.json["rolls"] if row["purpose"].startswith("wound")] == [need]


@pytest.mark.clause("commentary-10", "D66-1", "REGAIN-1", "DRES-1")
def test_mutations() -> None:
    """TV-8, TV-9: dice 3 then 6 are 36; each result has a row; some give nothing, one gives wounds back."""
    from rolloff.editions.commentary.mutations import MUTATION, table
    from rolloff.oracle.dice import EnteredDice
    from rolloff.oracle.roller import Roller

    assert Roller(EnteredDice([3, 6]).faces).ask(MUTATION) == 36
    assert Roller(EnteredDice([6, 3]).faces).ask(MUTATION) == 63
    rows = {k: row for row in table() for k in range(row.first, row.last + 1)}
    assert {10 * tens + units for tens in range(1, 7) for units in range(1, 7)} == set(rows)
    assert rows[15].gives == () and rows[15].heals == 0 and rows[52].heals == 1


@pytest.mark.clause("commentary-10", "D66-1", "REGAIN-1", "DRES-1")
def test_what_a_mutation_does() -> None:
    """At the end of a round a unit rolls two dice in order: 36 gives one thing, 63 another, 52 heals and 15 does nothing."""
    lobber = squad("a1", "A", 1, gun(), at=[(10, 10)], W=3, wounds=[2], rules=["Mutates"], M=6)
    units = [lobber, squad("b1", "B", 1, at=[(40, 30)])]
    clock = {"phase": "round-end", "first": "A"}
    for dice, row, given, lost in (
        ([3, 6], "MUT-6", ["grant:Penetration(+1)"], 2),
        ([6, 3], "MUT-11", ["grant:Anti-INFANTRY 4+"], 2),
        ([5, 2], "MUT-9", [], 1),
        ([1, 5], "MUT-2", [], 2),
    ):
        found = rule(units, {"step": "round-end"}, dice, active="B", clock=clock)
        assert found.event("mutated")["facts"]["row"] == row and found.wounds("a1") == [lost]
        assert [name for name in sorted(names(found, "a1")) if name.startswith("grant:")] == given


@pytest.mark.clause("commentary-10", "MODCH-7")
def test_a_range_that_is_changed() -> None:
    """MUT-3: a weapon of 24" with 6" more reaches 30", and not further."""
    for x, verdict in ((40.9, "legal"), (41.1, "refused")):
        units = [squad("a1", "A", 1, gun(), at=[(10, 10)], rules=["Range(+6)"]), squad("b1", "B", 1, at=[(x, 10)])]
        assert shoot(units, dice=[1] if verdict == "legal" else []).verdict == verdict


@pytest.mark.clause("commentary-10", "QUART-1", "NML-1", "WITHIN-3", "MIS-4")
def test_four_corners() -> None:
    """MSN-2: a point for each quarter with more units wholly within it, two for No Man's Land, one for the centre."""
    import json

    from rolloff.situations.adjudicate import adjudicate

    places = [(20.0, 10.0), (40.0, 10.0), (20.0, 35.0), (30.0, 22.0)]
    units = [squad(f"a{k}", "A", 1, at=[at], OC=1) for k, at in enumerate(places)]
    units[3]["models"][0]["at"] = [30, 24]
    units.append(squad("b1", "B", 1, at=[(40, 35)], OC=1))
    case = {
        "edition": EDITION,
        "units": units,
        "round": 2,
        "active": "A",
        "mission": "four-corners",
        "do": {"phase": "command"},
    }
    sides = {"A": {"marks": [{"role": "attacker"}]}, "B": {"marks": [{"role": "defender"}]}}
    found = adjudicate(json.dumps({**case, "sides": sides, "dice": []}).encode())
    scored = [event["facts"]["points"] for event in found["events"] if event["kind"] == "scored"]
    assert scored == [5]
