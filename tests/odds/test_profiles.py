"""Profiles by name: the shipped ones of every edition, one's own file, and help whose lines work when they are copied."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from rolloff import odds
from rolloff.cli import run
from rolloff.cli.odds import odds as command
from rolloff.editions.registry import BUILT_IN
from rolloff.errors import BadInput
from rolloff.odds.compare import matrix

LINES = [line.strip() for line in (command.__doc__ or "").splitlines() if line.strip().startswith("rolloff odds")]


@pytest.mark.parametrize("edition", BUILT_IN)
def test_every_profile_of_every_edition_can_shoot_or_be_shot(edition: str) -> None:
    """Each shipped profile is a unit of its edition, as a target and, with guns in range, as an attacker."""
    for name in odds.profiles(edition):
        target = odds.attack("line guard", name, edition=edition, range=6, facing="front")
        attacker = odds.attack(name, "line guard", edition=edition, range=6)
        assert sum(target.kills) == pytest.approx(1)
        assert attacker.kills.mean > 0


@pytest.mark.parametrize("line", [line for line in LINES if "--scenario" not in line])
def test_help_shows_lines_that_work(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A line copied from the help ends well and says odds."""
    assert run(shlex.split(line)[1:]) == 0
    assert "destroyed" in capsys.readouterr().out


def test_help_has_a_line_for_each_edition() -> None:
    """Every built-in edition has its example; the default one needs no name."""
    text = " ".join(LINES)
    assert all(edition in text for edition in BUILT_IN if edition != "onepage-3.0")


def test_own_profiles_come_first_and_unknown_ones_name_the_nearest(tmp_path: Path) -> None:
    """A file adds units by name or by edition and name; a typo is answered with what it may have meant."""
    plain, sorted_ = tmp_path / "plain.json", tmp_path / "sorted.json"
    heroes = {"Our Heroes": {"models": 2, "quality": 2}}
    plain.write_text(json.dumps(heroes), "utf-8")
    sorted_.write_text(json.dumps({"onepage-3.0": heroes}), "utf-8")
    for file in (plain, sorted_):
        assert len(odds.profile("our-heroes", file=file)["models"]) == 2
    with pytest.raises(BadInput, match="the nearest is line guard") as caught:
        odds.profile("line gard")
    assert "great beast" in str(caught.value.allowed)
    assert "Our Heroes" not in odds.profiles("compendium", sorted_)


def test_comparisons_take_names() -> None:
    """A matrix of profiles by name: more fall where they are softer."""
    found = matrix(["line guard"], ["levy rifles", "great beast"], edition="commentary-10", range=6)
    assert found["line guard", "levy rifles"] > found["line guard", "great beast"]


def test_a_file_of_profiles_is_read_with_a_limit(tmp_path: Path) -> None:
    """A file that is too large, or has no end, is refused before it is read."""
    for name in ("/dev/zero", str(tmp_path / "large.json")):
        (tmp_path / "large.json").write_bytes(b" " * (4 * 2**20 + 1))
        with pytest.raises(BadInput, match="larger than 4 MiB"):
            odds.profile("line guard", file=name)
