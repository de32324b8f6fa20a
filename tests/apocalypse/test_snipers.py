"""Snipers of Apocalypse 3.3: whom they name, what cover and toughness are worth against them, and their odds."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rolloff.odds import odds_of
from rolloff.odds import unit as plain
from tests.odds.scenes import scene
from tests.onepage.desk import Desk, answer
from tests.onepage221.desk import squad

EDITION = "apocalypse-3.3"
clause = pytest.mark.clause
GUN = 'Gun (30", A1)'
SNIPER = 'Long Rifle (36", A3, Sniper)'


@clause(EDITION, "RULE-SNIPER-1", "RES-4", "RULE-SNIPER-2", "CAS-4", "RES-3")
def test_a_sniper_hits_whom_it_names() -> None:
    """2+ whoever shoots, no cover die, all wounds on the model it named, and what is too much is lost."""
    desk = Desk([squad("a1", q=6, weapons=[SNIPER]), squad("b1", 4)], edition=EDITION)
    form = {"attacker": "a1", "target": "b1", "range": 10, "cover": True}
    found = desk.rule(do={"attack": form}, dice=[2, 2, 2, 1, 1, 1], answers=[answer("choose-model", "b1.3")])
    assert (found.attacks[0]["wounds"], found.attacks[0]["removed"]) == (3, ["b1.3"])
    assert [(roll["purpose"], roll["need"]) for roll in found.rolls] == [("hit", 2), ("block", 4)]


@clause(EDITION, "RULE-SNIPER-2", "RULE-TOUGH-3")
def test_a_sniper_overrides_who_is_next() -> None:
    """A Hero is shot although ordinary models stand by, and being wounded it is next for the rest."""
    ours = squad("a1", 2, q=2, models=[{"weapons": ['Long (36", A1, Sniper)']}, {"weapons": [GUN]}])
    desk = Desk([ours, squad("b1", 4, models=[{}, {"rules": ["Tough(3)", "Hero"]}])], edition=EDITION)
    form = {"attacker": "a1", "target": "b1", "range": 10, "cover": False}
    found = desk.rule(do={"attack": form}, dice=[2, 1, 2, 1], answers=[answer("choose-model", "b1.2")])
    assert found.attacks[0]["removed"] == [] and found.unit("b1")["models"][1]["wounds"] == 2


@clause(EDITION, "RULE-SNIPER-2")
def test_snipers_with_one_mark_waste_what_is_too_much() -> None:
    """Two weapons that name the same model kill one; by default each names another."""
    desk = Desk([squad("a1", 2, q=2, weapons=['Long (36", A1, Sniper)']), squad("b1", 6)], edition=EDITION)
    form = {"attacker": "a1", "target": "b1", "range": 10, "cover": False}
    same = [answer("choose-model", "b1.3"), answer("choose-model", "b1.3")]
    assert desk.rule(do={"attack": form}, dice=[2, 1, 2, 1], answers=same).attacks[0]["removed"] == ["b1.3"]
    assert len(desk.rule(do={"attack": form}, dice=[2, 1, 2, 1]).attacks[0]["removed"]) == 2


@clause(EDITION, "RULE-SNIPER-2")
def test_the_odds_of_a_sniper_kill_one_at_most() -> None:
    """Three attacks at one of four models: 5/6 to hit, 1/2 not to be blocked; the policy may name the Hero."""
    case = scene(plain(1, weapons=[SNIPER]), plain(4), {"cover": True}, edition=EDITION)
    found = odds_of(case, exact=True)
    assert list(found.kills) == [Fraction(7, 12) ** 3, 1 - Fraction(7, 12) ** 3]
    hero = plain([{}, {"rules": ["Hero", "Tough(4)"]}, {}])
    found = odds_of(scene(plain(1, weapons=[SNIPER]), hero, {}, edition=EDITION, policies={"sniper": "character"}), exact=True)
    assert found.kills.mean == 0 and found.last.damage.mean == Fraction(3 * 5, 12)
