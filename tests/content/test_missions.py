"""Missions: the score by the book, and what the optional ones add to it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from rolloff.armies import library
from rolloff.editions import registry
from rolloff.editions.onepage.missions import MISSIONS, limits, score
from rolloff.errors import ArmyError, BadInput
from rolloff.rules.game import Game
from rolloff.situations.forms import SituationForm, fill
from rolloff.situations.situation import read_situation
from rolloff.table.setup import Setup
from rolloff.table.state import State

EDITION = "onepage-3.0"


def unit(id: str, at: list[list[float]], points: int = 100, **more: object) -> dict[str, object]:
    """One unit of round bases an inch across."""
    models = [{"id": f"{id}.{k}", "at": spot, "base": {"circle": 1.0}} for k, spot in enumerate(at, 1)]
    side = "A" if id.startswith("a") else "B"
    return {"id": id, "side": side, "points": points, "models": models, **more}


def scored(mission: str, *units: dict[str, object], **more: object) -> tuple[int, int]:
    """The score of a situation under a mission."""
    edges = {"A": {"marks": [{"edge": "bottom"}]}, "B": {"marks": [{"edge": "top"}]}}
    form = fill({"edition": EDITION, "mission": mission, "units": list(units), "sides": edges, **more}, SituationForm)
    found = read_situation(form)
    return score(found.game, found.state)


FAR = [[10.0, 5.0]], [[60.0, 43.0]]


@pytest.mark.clause(EDITION, "SCORE-1", "SCORE-3")
def test_by_the_book() -> None:
    """Each side scores the enemy units that are destroyed or Pinned, and nothing for wounded ones."""
    pinned = unit("b1", FAR[1], 150, marks=["pinned"])
    gone = unit("b2", [[30.0, 30.0]], 120, where="destroyed")
    assert scored("", unit("a1", FAR[0]), pinned, gone) == (270, 0)
    assert scored("by-the-book", unit("a1", FAR[0]), pinned, gone) == (270, 0)
    assert scored("", unit("a1", FAR[0]), unit("b1", FAR[1])) == (0, 0)


def test_hold_the_ground() -> None:
    """A marker counts a tenth of the game size for the side with the only unpinned unit within three inches."""
    ground = "hold-the-ground"
    assert scored(ground, unit("a1", [[39.5, 24.0]]), unit("b1", FAR[1])) == (75, 0)
    assert scored(ground, unit("a1", [[39.6, 24.0]]), unit("b1", FAR[1])) == (0, 0)
    assert scored(ground, unit("a1", [[36.0, 24.0]]), unit("b1", [[38.0, 24.0]])) == (0, 0)
    held = scored(ground, unit("a1", [[36.0, 24.0]]), unit("b1", [[38.0, 24.0]], marks=["pinned"]))
    assert held == (75 + 100, 0)
    assert scored(ground, unit("a1", FAR[0]), unit("b1", [[18.0, 24.0]]), unit("b2", [[54.0, 24.0]])) == (0, 150)


def test_breakthrough() -> None:
    """A unit wholly within twelve inches of the enemy's edge scores its own points."""
    through = "breakthrough"
    assert scored(through, unit("a1", [[36.0, 36.5]]), unit("b1", FAR[1])) == (100, 0)
    assert scored(through, unit("a1", [[36.0, 36.4]]), unit("b1", FAR[1])) == (0, 0)
    assert scored(through, unit("a1", [[36.0, 40.0], [36.0, 30.0]]), unit("b1", FAR[1])) == (0, 0)
    assert scored(through, unit("a1", FAR[0]), unit("b1", [[36.0, 11.5]], 80)) == (0, 80)


def test_last_stand() -> None:
    """B has three quarters of the points, barricades stand along both long edges, and no short edge is chosen."""
    setup = library.setup_for(EDITION, "aegis-compact", "levy-patrol", "crossing", "last-stand")
    assert limits(setup) == (750, 562)
    assert setup.switches["allow_short_edges"] is False
    assert any(piece.id.startswith("works") for piece in setup.table.terrain)
    with pytest.raises(ArmyError) as caught:
        library.setup_for(EDITION, "levy-patrol", "aegis-compact", "crossing", "last-stand")
    assert caught.value.clause == "ARMY-1"


def test_the_missions_by_name() -> None:
    """Four missions are shipped; the first is by the book, and an unknown one is refused."""
    names = ("by-the-book", "hold-the-ground", "breakthrough", "last-stand")
    assert library.missions(EDITION) == names == tuple(MISSIONS.all)
    assert library.mission(EDITION, "breakthrough")["name"] == "Breakthrough"
    setup = library.setup_for(EDITION, "levy-patrol", "compact-patrol")
    with pytest.raises(BadInput) as caught:
        Game(registry.edition(EDITION), replace(setup, mission="golf"))
    assert "breakthrough" in str(caught.value.allowed)


@pytest.mark.parametrize("mission", ["by-the-book", "hold-the-ground", "breakthrough"])
def test_nothing_is_scored_before_the_battle(mission: str) -> None:
    """Before anybody is on the table the score is nothing to nothing."""
    setup: Setup = library.setup_for(EDITION, "levy-patrol", "compact-patrol", mission=mission)
    game = Game(registry.edition(EDITION), setup)
    state: State = game.start()
    assert game.edition.score(game, state) == (0, 0)
