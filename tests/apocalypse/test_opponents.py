"""What the opponent that weighs its options does with the rules of Apocalypse."""

from __future__ import annotations

from rolloff.editions import registry
from rolloff.editions.onepage.advice import advise
from rolloff.editions.onepage.moving import HOLD, RUN, WALK
from rolloff.oracle.dice import SeededDice
from rolloff.oracle.oracle import Defaults, Oracle
from rolloff.rules.play import Play
from rolloff.situations.forms import SituationForm, fill
from rolloff.situations.situation import read_situation
from rolloff.table.request import Request
from tests.apocalypse.test_play import desk
from tests.onepage.desk import Desk, Json, box, unit

GUN = 'Gun (30", A1)'


def play_of(case: Desk) -> Play:
    """A situation to ask for advice in."""
    found = read_situation(fill(case.situation, SituationForm))
    return Play(found.game, found.state, Oracle(SeededDice(b"x" * 32), Defaults()))


def test_a_sniper_picks_out_who_matters() -> None:
    """Of a squad with a gunner, a leader and a frail hero the hero is worth most, and a hero hard to kill less."""
    assert registry.edition("apocalypse-3.3").advice is advise
    rows: list[Json] = [{}, {"marks": {"leader": 1}}, {"rules": ["Hero"]}, {"rules": ["Hero", "Tough(6)"]}]
    theirs = unit("b1", "B", [(30, 20), (31.5, 20), (33, 20), (34.5, 20)], weapons=[GUN], models=rows)
    play = play_of(desk(unit("a1", "A", [(10, 20)], weapons=['Gun (30", A1, Sniper)']), theirs))
    names = tuple(f"b1.{k}" for k in range(1, 5))
    worths = advise(play, Request(0, "choose-model", "RULE-SNIPER-2", names, names[0], 0, "DP-20"))
    assert sorted(worths, key=lambda name: worths[name], reverse=True) == ["b1.3", "b1.2", "b1.1", "b1.4"]


def test_who_is_hemmed_in_does_not_run_on_the_spot() -> None:
    """A squad between walls that can go nowhere holds; with a wall less it runs."""
    walls = [box("w", 18.9, 19, 19.5, 21, "impassable"), box("e", 20.5, 19, 21.1, 21, "impassable")]
    walls += [box("s", 18, 18.9, 22, 19.5, "impassable"), box("n", 18, 20.5, 22, 21.1, "impassable")]
    units = unit("a1", "A", [(20, 20)]), unit("b1", "B", [(60, 40)])
    for shut, best in ((walls, HOLD), (walls[:1] + walls[2:], RUN)):
        play = play_of(desk(*units, terrain=shut))
        worths = advise(play, Request(0, "choose-action", "ACT-7", (HOLD, WALK, RUN), HOLD, 0, "DP-14"))
        assert max(worths, key=lambda action: worths[action]) == best
