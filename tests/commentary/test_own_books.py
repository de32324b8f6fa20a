"""A faction of one's own, as data files in a content folder: its detachment is fielded, and what is misspelt is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rolloff.armies import content_files
from rolloff.editions.commentary import detachments
from rolloff.editions.commentary.abilities import SPECIALS
from rolloff.errors import RolloffError
from rolloff.lab.duel import Match, duel
from rolloff.record.verify import verify
from rolloff.situations.adjudicate import adjudicate
from tests.commentary.desk import EDITION, Json, Ruling, gun, squad
from tests.commentary.referee import part, react
from tests.docs.pages import ROOT, blocks


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A content folder with the faction that the page on army books writes down."""
    for text in blocks("docs/how-to-add-an-army-book.md", "toml"):
        path = tmp_path / "caravans" / text.splitlines()[0].removeprefix("# ")
        if EDITION in text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    content_files.book.cache_clear()
    detachments._others.cache_clear()
    monkeypatch.setenv("ROLLOFF_CONTENT", str(tmp_path))
    return tmp_path / "caravans"


def played(own: Path, records: str = "") -> dict[str, Any]:
    """A battle of the faction's list."""
    lists = (str(own / "lists" / "ember-caravan.toml"), "hollow-tide-500")
    match = Match(EDITION, ("greedy", "random"), lists, "toll-crossing", "", 500, 3, records)
    return duel(match, 0, 1)


@pytest.mark.clause("commentary-10", "ARMY-2")
def test_a_faction_of_ones_own_is_played(own: Path, tmp_path: Path) -> None:
    """Its list with its detachment plays a battle to its end, Stratagems are used, and the record verifies."""
    (row,) = played(own, records=str(tmp_path))["games"]
    assert row["finished"] and not row["offered_refused"]
    record = tmp_path / str(row["record"])
    assert "STR-E" in record.read_text("utf-8") and verify(record).verified


def ruled(units: list[Json], dice: list[int], *answers: str, unit: str = "a1") -> Ruling:
    """What comes of a unit's part of the Shooting phase."""
    case = {"edition": EDITION, "units": units, "active": "A", "sides": {side: {"cp": 2} for side in "AB"}, "dice": dice}
    case |= {"do": part("shooting", unit, "shoot"), "answers": [react(name) for name in answers]}
    return Ruling(adjudicate(json.dumps(case).encode()))


def walkers() -> list[Json]:
    """Two of the faction, who face each other."""
    words = ["INFANTRY", "CARAVAN", "detachment:high-road"]
    shooter = squad("a1", "A", 1, gun(skill=4, name="fire pot"), keywords=words, at=[(10, 10)], M=6)
    return [shooter, squad("b1", "B", 1, keywords=words, at=[(10, 20)], Sv=4, M=6)]


@pytest.mark.usefixtures("own")
@pytest.mark.clause("commentary-10", "ARMY-2", "KEYW-5")
def test_its_detachment_counts_in_a_situation() -> None:
    """Its rule is in force for an army that names it, and its Stratagems are used; one out of its time is refused by its id."""
    assert ruled(walkers(), [4, 4, 4]).needs("save") == [5]  # an AP of 1 at a single target
    spoilt = ruled(walkers(), [4], "Bank the Fires b1")
    assert spoilt.needs("hit") == [5]
    assert ["STR-E1"] in [event["clauses"] for event in spoilt.events if event["kind"] == "stratagem"]
    stoked = ruled(walkers(), [4, 3, 4], "Stoke Up a1")
    assert stoked.needs("wound") == [3]
    refused = ruled(walkers(), [4, 4, 4], "Hurry Along a1")
    assert refused.refusal is not None and refused.refusal["clause"] == "STR-E3"


def test_a_detachment_nobody_knows_is_refused_in_a_situation() -> None:
    """A misspelt detachment of a situation is told, not left out."""
    units = walkers()
    units[0]["keywords"][-1] = "detachment:foundry-colum"
    with pytest.raises(RolloffError, match="no detachment 'foundry-colum'") as refusal:
        ruled(units, [4, 4, 4])
    assert "foundry-column" in str(refusal.value.allowed)


@pytest.mark.clause("commentary-10", "PERSIST-1")
def test_slowing_goes_by_its_number() -> None:
    """Who is hit by a unit that slows by 3 has 3" less Move."""
    units = walkers()
    units[0]["rules"] = ["Slows 3"]
    units[0]["keywords"] = units[1]["keywords"] = ["INFANTRY"]
    found = ruled(units, [4, 1])
    assert "grant:Move(-3)" in str(found.unit("b1")["marks"])


WRONG = [
    ('keyword = "CARAVAN"', 'keywrod = "CARAVAN"', "'keywrod' is not known here", "keyword"),
    ("size = [5, 10]", "sizes = [5, 10]", "units.wagon-guard: 'sizes' is not known here", "size"),
    ('Ld = "6+"', 'Lb = "6+"', "Fire Reeve.stats: no characteristic 'Lb'", "Ld"),
    ('"Leader", ', '"Leder", ', "Fire Reeve.rules: there is no ability 'Leder'", "Leader"),
    ("Leading: Re-roll Hits", "Leading: Re-rol Hits", "there is no ability 'Re-rol Hits ones'", "Re-roll Hits"),
    ('leads = ["wagon-guard"]', 'leads = ["wagon-gard"]', "Ember Caravan has no unit 'wagon-gard'", "wagon-guard"),
    ('upgrades = ["A"]', 'upgrades = ["B"]', "no upgrade list 'B'", "A"),
    ('remove = ["long gun"]', 'remove = ["long gnu"]', "no model carries 'long gnu', which an upgrade removes", "long gun"),
    ('points = 15\nbearer = "CARAVAN', 'points = 15\nbearer = "CARAVANN', "cannot bear ENH-E1, which is for CARAVANN", ""),
    ('keyword = "CARAVAN"\nabout = "A unit', 'keyword = "CARVAN"\nabout = "A unit', "keyword 'CARVAN' is not known", "CARAVAN"),
    ("Single Target: Pen", "Single Target: Pem", "rules[0]: there is no ability 'Pemetration +1'", "Penetration"),
    ('["Single Target: Penetration(+1)"]', '["Stealth"]', "'Stealth' is no rule for attacks", ""),
    ('at = ["targets-chosen"]', 'at = ["target-chosen"]', "Bank the Fires: at 'target-chosen' is not known", "targets-chosen"),
    ('turn = "enemy"', 'turn = "enmy"', "turn: 'enmy' is not known here", "enemy"),
    ('["shooting"]\ntarget = "targ', '["shoting"]\ntarget = "targ', "phases 'shoting' is not known", "shooting"),
    ('target = "targeted"', 'target = "targetted"', "target 'targetted' is not known", "targeted"),
    ('target = "targeted"', 'target = "fallen"', "at 'targets-chosen' is no moment for target 'fallen'", ""),
    ('until = "end-attacks"', 'until = "end-atacks"', "until 'end-atacks' is not known", "end-attacks"),
    ('"CARAVAN INFANTRY"\ngives', '"CARAVAN INFANTY"\ngives', "keywords 'INFANTY' is not known", "INFANTRY"),
    ('["To Be Hit(-1)"]', '["To Be Hitt(-1)"]', "gives[0]: there is no ability 'To Be Hitt(-1)'", "To Be Hit"),
    ('["To Be Hit(-1)"]', '["Deep Strike"]', "'Deep Strike' cannot be given for a while", ""),
    ("Weapon fire pot: St", "Weapon fire pit: St", "gives: Weapon 'fire pit' is not known", "fire pot"),
    ('equipment = "fire pot"', 'equipment = "fire pit"', "equipment 'fire pit' is not known", "fire pot"),
    ('does = "surge"', 'does = "surges"', "does 'surges' is not known", "surge"),
    ('does = "surge"', 'does = "sure-demise"', "does 'sure-demise' is not done at 'charge-declared'", ""),
    ('name = "Stoke Up"', 'name = "Grenade"', "there is another Stratagem of that name", ""),
    ('cost = 1\nat', 'costs = 1\nat', "stratagems[0]: 'costs' is not known here", "cost"),
]  # fmt: skip


@pytest.mark.parametrize(("right", "wrong", "said", "allowed"), WRONG, ids=[said for _, _, said, _ in WRONG])
def test_what_is_misspelt_in_a_book_is_told(own: Path, right: str, wrong: str, said: str, allowed: str) -> None:
    """Each misspelt word of a book is refused in a sentence that names it, with what may stand there."""
    book = own / "books" / "ember-caravan.toml"
    text = book.read_text("utf-8")
    assert right in text
    book.write_text(text.replace(right, wrong, 1), encoding="utf-8")
    with pytest.raises(RolloffError) as refusal:
        played(own)
    assert said in refusal.value.message
    assert not allowed or allowed in str(refusal.value.allowed).split(", ")


def test_a_folder_that_is_none_is_told(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable that names no folder, or one too deep, is told in a sentence; nothing is passed over."""
    for folder, said in ((own / "nowhere", "which is no folder"), (own, "name the folder around it")):
        monkeypatch.setenv("ROLLOFF_CONTENT", str(folder))
        with pytest.raises(RolloffError, match=said):
            content_files.shelf("lists")


def test_the_page_names_every_ability() -> None:
    """What a book may write among the rules of a unit or a weapon stands on the page of the edition."""
    page = (ROOT / "docs" / "commentary.md").read_text("utf-8")
    assert [name for name in SPECIALS if f"`{name}" not in page and f" {name}" not in page] == []
