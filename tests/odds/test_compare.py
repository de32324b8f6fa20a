"""Comparisons and pictures of odds."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from rolloff.errors import BadInput
from rolloff.odds import attack, unit
from rolloff.odds.compare import matrix, return_per_point, sweep
from rolloff.odds.plots import draw_kills, draw_matrix
from rolloff.odds.results import Distribution

RIFLES = unit(5, quality=4, weapons=['Rifle (24", A1)'])
GUNS = unit(2, quality=4, weapons=['Gun (36", A3, Linked)'])
MOB, SQUAD = unit(10, quality=5), unit(5, quality=4, rules=["Armored"])


def test_a_matrix_holds_every_pair() -> None:
    """Each cell is the odds of that pair by itself."""
    found = matrix({"rifles": RIFLES, "guns": GUNS}, {"mob": MOB, "squad": SQUAD}, exact=True)
    assert found["guns", "squad"] == attack(GUNS, SQUAD, exact=True).kills.mean
    assert found["rifles", "mob"] == Fraction(5, 3)


def test_a_sweep_follows_one_parameter() -> None:
    """More models kill more, and cover saves some; points come out in proportion."""
    models = sweep(range(1, 6), lambda n: attack(unit(n, weapons=['Rifle (24", A1)']), MOB))
    assert list(models.values()) == sorted(models.values()) and models[5] > models[1]
    covered = sweep([False, True], lambda cover: attack(RIFLES, MOB, cover=cover), return_per_point(10, 100))
    assert covered[False] == pytest.approx(5 / 3 / 10) and covered[True] == pytest.approx(covered[False] * 2 / 3)


def test_distributions_read_as_defined() -> None:
    """Quantiles take the least number that reaches them; bars show chances and tails."""
    law = Distribution([Fraction(1, 10), Fraction(4, 10), Fraction(5, 10), Fraction(0)])
    assert (law.quantile(0.1), law.median, law.quantile(0.9), len(law)) == (0, 1, 2, 3)
    assert law.tails() == [1, Fraction(9, 10), Fraction(1, 2)]
    assert "50.00%" in law.histogram() and law.at_least(7) == 0


def test_pictures(tmp_path: Path) -> None:
    """Kills and matrices can be drawn, twice to the same bytes; other kinds of files are refused."""
    pytest.importorskip("matplotlib")
    found = attack(RIFLES, MOB)
    files = [tmp_path / f"{k}.svg" for k in range(2)]
    for file in files:
        draw_kills(found, file)
    assert files[0].read_bytes() == files[1].read_bytes()
    draw_matrix(["a"], ["b", "c"], [[1.0, 2.0]], tmp_path / "map.png", "kills")
    assert (tmp_path / "map.png").stat().st_size > 1000
    with pytest.raises(BadInput, match="no picture"):
        draw_kills(found, tmp_path / "kills.txt")
