"""The psychic rules of 2.21 and Apocalypse: pools, tests by counted dice, and backlash, by scripted dice."""

from __future__ import annotations

import json

import pytest

from rolloff.editions.onepage.book import book_of
from rolloff.editions.onepage.psychic import succeeds
from rolloff.oracle.dice import EnteredDice
from rolloff.oracle.oracle import Defaults, Oracle
from rolloff.rules.play import Play
from rolloff.rules.powers import fill_pool, pool_of
from rolloff.situations.forms import SituationForm, decode
from rolloff.situations.situation import read_situation
from tests.onepage.desk import unit

clause = pytest.mark.clause


def play_of(edition: str, dice: list[int], rules: tuple[str, ...]) -> Play:
    """Two lone models, the first with these rules."""
    units = [unit("a1", "A", [(20, 20)], rules=rules, keywords=["power:Dread"]), unit("b1", "B", [(30, 20)])]
    table = {"size": [72, 48], "terrain": []}
    written = {"edition": edition, "round": 1, "active": "A", "table": table, "units": units}
    found = read_situation(decode(json.dumps(written).encode(), SituationForm))
    return Play(found.game, found.state, Oracle(EnteredDice(tuple(dice)), Defaults()))


@clause("onepage-2.21", "RULE-PSYKER-1")
@pytest.mark.parametrize(("level", "face", "pool"), [(2, 5, 5), (4, 6, 6)])
def test_tv_r53_the_pool_is_a_d3_and_the_levels(level: int, face: int, pool: int) -> None:
    """D3 and the levels of all own Psykers, six dice at the most."""
    play = play_of("onepage-2.21", [face], (f"Psyker({level})",))
    fill_pool(play, 0)
    assert pool_of(play, 0) == pool
    fill_pool(play, 1)
    assert pool_of(play, 1) == 0


@clause("onepage-2.21", "RULE-PSYKER-5")
@pytest.mark.parametrize(("faces", "works"), [((4, 6, 2), True), ((6, 6, 1), True), ((5, 3), False)])
def test_tv_r54_dice_that_show_four_or_more_are_counted(faces: tuple[int, ...], works: bool) -> None:
    """A power of number 2 needs two dice of four or more, whatever the Psyker's level."""
    play = play_of("onepage-2.21", [], ("Psyker(6)",))
    power = next(power for power in book_of(play.game).powers.values() if power.number == 2)
    assert succeeds(play, 0, power, faces) is works


@clause("apocalypse-3.3", "RULE-PSYKER-1")
def test_every_player_of_apocalypse_has_dice() -> None:
    """Players without a Psyker roll for their pool too."""
    play = play_of("apocalypse-3.3", [4, 3], ())
    fill_pool(play, 0)
    fill_pool(play, 1)
    assert (pool_of(play, 0), pool_of(play, 1)) == (4, 3)
