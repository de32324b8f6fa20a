"""Lists written by hand in the documented format: played as the ready-made ones are, and refused with the clause."""

from __future__ import annotations

from pathlib import Path

import pytest

from rolloff.armies import library
from rolloff.editions import registry
from rolloff.errors import RolloffError
from rolloff.lab.duel import Match, duel, setup_of
from rolloff.record.verify import verify
from rolloff.rules.game import Game

EDITION = "commentary-10"
EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "examples" / "tide-list.toml"


@pytest.mark.clause("commentary-10", "POINTS-1")
def test_a_list_of_ones_own_is_played(tmp_path: Path) -> None:
    """The list of the docs costs what its units do, plays a battle to its end, and the record verifies."""
    assert library.army(EDITION, str(EXAMPLE), 0).points == 70 + 110 + 95 + 150
    match = Match(
        EDITION, ("greedy", "random"), (str(EXAMPLE), "lantern-reach-500"), "toll-crossing", "", 500, 2, str(tmp_path)
    )
    report = duel(match, 0, 1)
    (row,) = report["games"]
    assert row["finished"] and not row["offered_refused"]
    assert verify(tmp_path / str(row["record"])).verified


def test_a_list_that_breaks_the_law_is_refused(tmp_path: Path) -> None:
    """A list of more points than the battle has is refused in one sentence; nothing is played."""
    bad = tmp_path / "bad.toml"
    more = EXAMPLE.read_text("utf-8").replace("burrow-maw", "deep-matron").replace('starts = "deep strike"', "")
    bad.write_text(more, encoding="utf-8")
    with pytest.raises(RolloffError, match="points"):
        duel(Match(EDITION, ("random", "random"), (str(bad), "hollow-tide-500"), "toll-crossing", "", 500, 2), 0, 1)


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('"commentary-10"', '"commentary-1"', "no edition 'commentary-1' is installed"),
        ('book = "hollow-tide"', "", "'brood-whisperer' is a unit of a book, and the list names none"),
        ("points = 500", "points = -5", "no battle is of -5 points"),
    ],
)
def test_a_slip_in_a_list_is_named(tmp_path: Path, before: str, after: str, said: str) -> None:
    """An edition that does not exist, a book left out and points below nothing are refused by what they are."""
    file = tmp_path / "slip.toml"
    file.write_text(EXAMPLE.read_text("utf-8").replace(before, after), encoding="utf-8")
    with pytest.raises(RolloffError, match=said):
        library.army(EDITION, str(file), 0)


def test_a_list_that_is_no_text_is_named(tmp_path: Path) -> None:
    """A file that is something else altogether is refused as such."""
    file = tmp_path / "strange.toml"
    file.write_bytes(b"\x89PNG\r\n\x1a\n")
    with pytest.raises(RolloffError, match="no text: byte 0"):
        library.army(EDITION, str(file), 0)


@pytest.mark.clause("commentary-10", "ABIL-7", "ATTACH-1", "TRANS-1", "RSV-2", "ABIL-2")
@pytest.mark.parametrize(
    ("book", "units", "clause"),
    [
        pytest.param("hollow-tide", ["brood-whisperer leads 3", "skitterlings", "bile-lobbers"], "ABIL-7", id="no such unit"),
        pytest.param("hollow-tide", ["brood-whisperer leads 4", "skitterlings", "bile-lobbers"], "ABIL-7", id="nobody there"),
        pytest.param("hollow-tide", ["brood-whisperer leads 2", "skitterlings"], None, id="may lead"),
        pytest.param("verdigris-mandate", ["tally-marshal leads 3", "furnace-proctor leads 3", "ledger-guard"], None, id="two"),
        pytest.param(
            "verdigris-mandate",
            ["tally-marshal leads 3", "tally-marshal leads 3", "ledger-guard"],
            "ATTACH-1",
            id="two of a kind",
        ),
        pytest.param("verdigris-mandate", ["tally-marshal", "ledger-guard in 1"], "TRANS-1", id="no transport"),
        pytest.param(
            "verdigris-mandate", ["tally-marshal", "ore-hauler", "ledger-guard in 2", "ledger-guard in 2"], "TRANS-1", id="full"
        ),
        pytest.param("lantern-reach", ["lamp-sovereign", "skiff-of-hours", "gyre-riders in 2"], "TRANS-1", id="wrong kind"),
        pytest.param("verdigris-mandate", ["tally-marshal", "gate-bastion strategic reserves"], "RSV-2", id="fortification"),
        pytest.param("verdigris-mandate", ["tally-marshal", "ledger-guard deep strike"], "ABIL-2", id="no deep strike"),
    ],
)
def test_a_list_says_only_what_its_units_may(tmp_path: Path, book: str, units: list[str], clause: str | None) -> None:
    """Whom a list lets lead, ride or wait is held against the datasheets, and refused with the clause."""
    detachment = {"hollow-tide": "rising-undertow", "verdigris-mandate": "foundry-column", "lantern-reach": "lamplit-vigil"}[
        book
    ]
    lines = [f'name = "Own"\nedition = "{EDITION}"\npoints = 500\nbook = "{book}"\ndetachment = "{detachment}"']
    for k, said in enumerate(units):
        unit, _, how = said.partition(" ")
        lines.append(f'[[units]]\nunit = "{unit}"' + ("\nwarlord = true" if not k else ""))
        if how.startswith("leads"):
            lines.append(f"leads = {how.split()[1]}")
        elif how:
            lines.append(f'starts = "{how}"')
    file = tmp_path / "own.toml"
    file.write_text("\n".join(lines), encoding="utf-8")
    match = Match(EDITION, ("random", "random"), (str(file), "hollow-tide-500"), "toll-crossing", "", 500, 2)
    if clause is None:
        assert setup_of(match, 0).cards
        return
    with pytest.raises(RolloffError) as caught:
        Game(registry.edition(EDITION), setup_of(match, 0))
    assert caught.value.clause == clause


@pytest.mark.parametrize(
    ("said", "code"),
    [("points = -50", "bad-points"), ('enhancement = "standing-audit"', "not-of-a-book"), ("size = 3", "not-of-a-book")],
)
def test_a_unit_that_is_written_out_costs_what_it_says(tmp_path: Path, said: str, code: str) -> None:
    """A unit in full costs no less than nothing, and what only units of a book have is refused rather than passed over."""
    stats = 'stats = { M = 6, T = 4, Sv = "4+", W = 1, Ld = "7+", OC = 1 }'
    unit = f'[[units]]\nname = "Clerks"\nkeywords = ["MANDATE"]\n{stats}\n{said}\n[[units.models]]\ncount = 1\n'
    head = f'name = "Own"\nedition = "{EDITION}"\npoints = 500\nbook = "verdigris-mandate"\ndetachment = "foundry-column"\n'
    file = tmp_path / "own.toml"
    file.write_text(f'{head}[[units]]\nunit = "tally-marshal"\nwarlord = true\n{unit}', encoding="utf-8")
    with pytest.raises(RolloffError) as refused:
        library.army(EDITION, str(file), 0)
    assert refused.value.code == code
