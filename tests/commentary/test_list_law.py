"""What lists written by hand may not say: no or foreign detachments, starts nobody may make, wargear taken too often."""

from __future__ import annotations

from pathlib import Path

import pytest

from rolloff.armies import library
from rolloff.editions import registry
from rolloff.errors import RolloffError
from rolloff.lab.duel import Match, setup_of
from rolloff.rules.game import Game
from tests.commentary.desk import EDITION, gun, shoot, squad

MANDATE, TIDE, REACH = "verdigris-mandate", "hollow-tide", "lantern-reach"
CAMPS = {MANDATE: "foundry-column", TIDE: "rising-undertow", REACH: "lamplit-vigil"}


def refusal(path: Path, book: str, units: list[str], points: int = 500, camp: str | None = None) -> tuple[str | None, str]:
    """The clause and the sentence a list is refused with; nothing where it is legal. ``unit|field = value|...``."""
    detachment = CAMPS[book] if camp is None else camp
    lines = [f'name = "Own"\nedition = "{EDITION}"\npoints = {points}\nbook = "{book}"\ndetachment = "{detachment}"']
    for k, said in enumerate(units):
        unit, *fields = said.split("|")
        lines += [f'[[units]]\nunit = "{unit}"', *fields, *(["warlord = true"] if not k else [])]
    file = path / "own.toml"
    file.write_text("\n".join(lines), encoding="utf-8")
    table = "toll-crossing" if points == 500 else "ledger-yard"
    match = Match(EDITION, ("random", "random"), (str(file), f"hollow-tide-{points}"), table, "", points, 2)
    try:
        Game(registry.edition(EDITION), setup_of(match, 0))
    except RolloffError as error:
        return error.clause, str(error)
    return None, ""


@pytest.mark.clause("commentary-10", "ARMY-2", "KEYW-5")
def test_the_detachment_is_one_of_the_faction(tmp_path: Path) -> None:
    """A list without one, with one of another faction or with one nobody knows is no army."""
    units = ["brood-whisperer", "skitterlings"]
    assert refusal(tmp_path, TIDE, units) == (None, "")
    for camp, word in (("", "not none"), ("foundry-column", "MANDATE"), ("moonlit", "no detachment")):
        clause, sentence = refusal(tmp_path, TIDE, units, camp=camp)
        assert clause == "ARMY-2" and word in sentence, sentence


STRATEGIC, DEEP = 'starts = "strategic reserves"', 'starts = "deep strike"'


@pytest.mark.clause("commentary-10", "RSV-2", "RSV-6")
@pytest.mark.parametrize(
    ("book", "units", "points", "clause"),
    [
        pytest.param(MANDATE, ["tally-marshal", f"rivet-bearers|{STRATEGIC}", *["ledger-guard"] * 2], 500, "RSV-2", id="200"),
        pytest.param(MANDATE, ["tally-marshal", f"rivet-bearers|{STRATEGIC}", *["ledger-guard"] * 3], 1000, None, id="of 1000"),
        pytest.param(
            TIDE,
            ["brood-whisperer|leads = 2", f"skitterlings|{STRATEGIC}", *["rendstalkers"] * 2],
            500,
            "RSV-2",
            id="Leaders",
        ),
        pytest.param(TIDE, ["brood-whisperer", f"skitterlings|{STRATEGIC}", *["rendstalkers"] * 2], 500, None, id="110 of 500"),
        pytest.param(
            MANDATE,
            ["tally-marshal", *[f"rivet-bearers|{DEEP}"] * 2, *["ledger-guard"] * 2],
            1000,
            "RSV-6",
            id="points",
        ),
        pytest.param(
            MANDATE, ["tally-marshal", f"rivet-bearers|{DEEP}", "ledger-guard", "furnace-proctor"], 500, None, id="half"
        ),
        pytest.param(TIDE, ["deep-matron", *[f"burrow-maw|{DEEP}"] * 2], 1000, "RSV-6", id="units"),
    ],
)
def test_reserves_of_a_list(tmp_path: Path, book: str, units: list[str], points: int, clause: str | None) -> None:
    """A quarter of the size in Strategic Reserves, half of the units and points in Reserves; Leaders count with their unit."""
    assert refusal(tmp_path, book, units, points)[0] == clause


@pytest.mark.clause("commentary-10", "ABIL-7", "ABIL-11", "ABIL-6", "ABIL-2", "AIR-1")
def test_starts_ask_for_their_ability(tmp_path: Path) -> None:
    """Who starts in a way of its own has the ability for it, and a Leader starts where its unit does."""
    for how, clause in (
        ("hover", "ABIL-11"),
        ("infiltrators", "ABIL-6"),
        ("aircraft", "AIR-1"),
        ("moon", "MIS-2"),
        ("zone", None),
    ):
        assert refusal(tmp_path, MANDATE, ["tally-marshal", f'ledger-guard|starts = "{how}"'])[0] == clause, how
    squad = ["wick-sentinels|size = 5", "skiff-of-hours", "gyre-riders"]
    assert refusal(tmp_path, REACH, ['lamp-sovereign|leads = 2|starts = "in 3"', *squad])[0] == "ABIL-7"
    squad[0] += '|starts = "in 3"'
    assert refusal(tmp_path, REACH, ['lamp-sovereign|leads = 2|starts = "in 3"', *squad])[0] is None
    led = ["tally-marshal|leads = 2", f"rivet-bearers|{DEEP}", *["ledger-guard"] * 2]
    assert refusal(tmp_path, MANDATE, led, 1000)[0] == "ABIL-2"


@pytest.mark.clause("commentary-10", "AIR-1", "ABIL-11")
@pytest.mark.parametrize(
    ("how", "clause"), [("zone", "AIR-1"), ("aircraft", None), ("hover", None), ("strategic reserves", None)]
)
def test_a_plane_starts_in_reserves(tmp_path: Path, how: str, clause: str | None) -> None:
    """A list that sets AIRCRAFT up in its zone is refused; one that lets it hover or wait is not."""
    units = ["lamp-sovereign", "wick-sentinels", "mirror-scouts", f'dusk-kestrel|starts = "{how}"']
    assert refusal(tmp_path, REACH, units, 1000)[0] == clause


@pytest.mark.clause("commentary-10", "ARMY-1")
@pytest.mark.parametrize(("said", "clause"), [(274, "ARMY-1"), (275, None), (0, None)])
def test_a_list_keeps_to_the_size_it_names(tmp_path: Path, said: int, clause: str | None) -> None:
    """A list that costs more than the points it says it is for is refused, though the battle has room for it."""
    file = tmp_path / "own.toml"
    rows = ['unit = "brood-whisperer"\nwarlord = true', 'unit = "skitterlings"', 'unit = "rendstalkers"']
    head = f'name = "Own"\nedition = "{EDITION}"\npoints = {said}\nbook = "{TIDE}"\ndetachment = "{CAMPS[TIDE]}"'
    file.write_text("\n[[units]]\n".join([head, *rows]), encoding="utf-8")
    match = Match(EDITION, ("random", "random"), (str(file), "hollow-tide-500"), "toll-crossing", "", 500, 2)
    if clause is None:
        assert library.army(EDITION, str(file), 0).points == 275
        assert setup_of(match, 0).points == 500
        return
    with pytest.raises(RolloffError, match="more than 274, which") as refused:
        setup_of(match, 0)
    assert refused.value.clause == clause


@pytest.mark.clause("commentary-10", "ARMY-5", "ARMY-4", "WARG-1", "WARG-2")
def test_sentences_say_what_is_wrong(tmp_path: Path) -> None:
    """A WARLORD that is no CHARACTER, an Enhancement taken twice, a unit that leads nobody, and wargear taken too often."""
    guard = ["ledger-guard", "tally-marshal"]
    assert refusal(tmp_path, MANDATE, guard) == ("ARMY-5", "Own: the WARLORD is a CHARACTER, and Ledger Guard is none")
    audit = 'enhancement = "standing-audit"'
    twice = [f"tally-marshal|{audit}", f"furnace-proctor|{audit}", "ledger-guard"]
    assert refusal(tmp_path, MANDATE, twice)[1].startswith("Own: ENH-M2 is taken twice")
    assert refusal(tmp_path, TIDE, ["veil-reaper|leads = 2", "skitterlings"]) == ("ABIL-7", "Own: Veil Reaper leads no unit")
    for unit, option, count, clause in (
        ("rivet-bearers", "hammers", 2, "WARG-1"),
        ("ledger-guard", "shock-carbine", 11, "WARG-2"),
    ):
        wargear = f"{unit}|upgrades = {[option] * count}"
        assert refusal(tmp_path, MANDATE, ["tally-marshal", wargear])[0] == clause


@pytest.mark.clause("commentary-10", "UNIT-1", "ARMY-2", "ARMY-4", "WARG-2")
@pytest.mark.parametrize(
    ("unit", "clause", "words"),
    [
        ("ledger-guard|size = 9", "UNIT-1", "Ledger Guard has 10 models, not 9"),
        ("skitterlings", "ARMY-2", "has no unit 'skitterlings'"),
        ('furnace-proctor|enhancement = "second-birth"', "ARMY-4", "has no enhancement 'second-birth'"),
        ('ledger-guard|upgrades = ["hammers"]', "WARG-2", "'hammers' is no upgrade of Ledger Guard"),
    ],
)
def test_what_the_book_does_not_have_is_refused_by_a_clause(tmp_path: Path, unit: str, clause: str, words: str) -> None:
    """Sizes no datasheet gives, and units, Enhancements and wargear of another faction's book, are refused by their clause."""
    found = refusal(tmp_path, MANDATE, ["tally-marshal", unit])
    assert found[0] == clause and words in found[1]


@pytest.mark.clause("commentary-10", "IGN-1", "IGN-2")
def test_the_colossus_ignores_what_harms_its_skill() -> None:
    """AB-R7: modifiers to its Hit rolls, and to BS and WS; with both against it it hits as printed."""
    card = next(card for card in library.army(EDITION, "lantern-reach-2000", 0).cards if card.name == "Prism Colossus")
    rules = [str(rule) for rule in card.rules if rule.name == "Ignore Modifiers"]
    lens = squad("a1", "A", 1, gun(skill="3+"), rules=[*rules, "BS(-1)", "To Hit(-1)"])
    assert shoot([lens, squad("b1", "B", 1)], [2]).needs("hit") == [3]
