"""The invariants of the contract over whole games of the One Page family."""

from __future__ import annotations

import pytest

from rolloff.armies import library
from rolloff.editions import registry
from rolloff.rules.game import Game
from tests.properties.games import EDITION, match_of, walk, watched_game
from tests.properties.invariants import IN_FORCE, Broken, Invariants, Ledger, in_force

SEED = 3
SWITCHES = registry.edition(EDITION).switches
SCORING = ("score_joined_separately", "unarrived_counts_destroyed")
RARE = {"INV-8", "INV-32"}
"""What may not come up in a few dozen games."""


@pytest.mark.parametrize("part", range(10))
def test_random_games(part: int) -> None:
    """Three hundred games answered by lot, thirty to a part: no invariant breaks, and each was looked at."""
    log = Ledger()
    for index in range(30 * part, 30 * part + 30):
        watched_game("random", SEED, index, log)
    assert set(IN_FORCE) - set(log.looked) <= RARE


@pytest.mark.parametrize("part", range(4))
def test_closing_games(part: int) -> None:
    """Forty games of armies that close in, so that melees, wrecks and routs come up: no invariant breaks."""
    log = Ledger()
    for index in range(10 * part, 10 * part + 10):
        watched_game("closing", SEED, index, log)
    assert set(IN_FORCE) - set(log.looked) <= RARE | {"INV-27", "INV-30", "INV-31"}


def test_greedy_games() -> None:
    """Ten games of the opponent that weighs its options: no invariant breaks."""
    log = Ledger()
    for index in range(10):
        watched_game("greedy", SEED, index, log)
    assert log.looked["INV-5"]


def test_a_step_back_from_bases_outside_the_ground_a_unit_occupies() -> None:
    """Found among five thousand: a leader falls, the next stands in a forest, and one outside it is still stepped back from."""
    log = Ledger()
    watched_game("random", 1, 4075, log, "apocalypse-3.3", 1000)
    assert log.looked["INV-23"]


SMALL = {"onepage-2.21": 750, "apocalypse-3.3": 1000}
"""Points at which three hundred games are played in a few minutes, and four lists use every rule of the edition."""
SELDOM = RARE | {"INV-22", "INV-23", "INV-27", "INV-30", "INV-31", "INV-33"}
"""What may not come up in fifty games of small armies that act by lot."""


@pytest.mark.parametrize("part", range(6))
@pytest.mark.parametrize("edition", sorted(SMALL))
def test_random_games_of_the_relatives(edition: str, part: int) -> None:
    """Three hundred games of each answered by lot: no invariant breaks, and each was looked at."""
    log = Ledger()
    for index in range(50 * part, 50 * part + 50):
        watched_game("random", SEED, index, log, edition, SMALL[edition])
    assert in_force(edition) - set(log.looked) <= SELDOM


@pytest.mark.parametrize(
    ("edition", "points", "games"), [("onepage-2.21", 0, 12), ("onepage-2.21", 1500, 4), ("apocalypse-3.3", 0, 3)]
)
def test_closing_games_of_the_relatives(edition: str, points: int, games: int) -> None:
    """Games of armies that close in, large ones too, so that melees come up: no invariant breaks, and each was looked at."""
    log = Ledger()
    for index in range(games):
        watched_game("closing", SEED, index, log, edition, points)
    assert in_force(edition) - set(log.looked) <= RARE | {"INV-27", "INV-28", "INV-30", "INV-31", "INV-33"}


@pytest.mark.parametrize("switch", sorted(SWITCHES))
def test_games_with_a_switch_turned(switch: str) -> None:
    """Whatever the players agreed, the invariants hold; only the score may be counted otherwise."""
    for agents in ("random", "closing"):
        match = match_of(agents, SEED, 1)
        switches = {switch: not SWITCHES[switch]}
        setup = library.setup_for(EDITION, library.RANDOM, library.RANDOM, match.table, seed=SEED, index=1, switches=switches)
        game = Game(registry.edition(EDITION), setup)
        invariants = Invariants(game, scored=switch not in SCORING)
        _, refused = walk(match, 1, invariants.see, game)
        assert not refused


def test_a_broken_game_is_noticed() -> None:
    """The watch is awake: a game whose steps it is shown twice does not pass."""
    match = match_of("random", SEED, 0)
    seen: list[Invariants] = []

    def look(before: object, play: object) -> None:
        if not seen:
            seen.append(Invariants(play.game))  # type: ignore[attr-defined]
        for _ in range(2):
            seen[0].see(before, play)  # type: ignore[arg-type]

    with pytest.raises(Broken, match="INV-"):
        walk(match, 0, look)
