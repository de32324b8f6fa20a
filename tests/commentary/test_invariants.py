"""The invariants of the contract's Part E over whole games of the commentary edition, and over values and places."""

from __future__ import annotations

import random

import pytest

from rolloff.editions.commentary.abilities import collapsed
from rolloff.editions.commentary.values import AP, ATTACKS, CONTROL, MOVE, SAVE, STRENGTH, TOUGHNESS, changed, evaluate
from rolloff.geometry import sampled
from rolloff.geometry.backdrop import Backdrop
from rolloff.lab.duel import Match
from rolloff.table.profile import Rule
from tests.commentary.watch import Invariants
from tests.geometry.test_sampled import scene
from tests.properties.games import game_of, walk
from tests.properties.watching import Broken, Ledger

EDITION = "commentary-10"
SIZES = {500: ("toll-crossing", "glass-quarter"), 1000: ("ledger-yard", "drowned-terraces")}
ARMIES = ("verdigris-mandate", "hollow-tide", "lantern-reach")
LOOKED = {
    *("INV-2", "INV-3", "INV-5", "INV-11", "INV-12", "INV-17", "INV-18", "INV-19", "INV-20", "INV-21", "INV-22", "INV-23"),
    *("INV-29", "INV-35", "INV-36", "INV-38", "INV-39", "INV-50", "INV-51", "INV-52"),
}
"""What must come up in any thirty games."""


def watched(agents: str, index: int, log: Ledger, points: int = 500, seed: int = 21) -> None:
    """One game held against the invariants, and played again to the same state (INV-1); `Broken` says which it was."""
    one, other = ARMIES[index % 3], ARMIES[(index // 3) % 3]
    table = SIZES[points][index % 2]
    match = Match(EDITION, (agents, agents), (f"{one}-{points}", f"{other}-{points}"), table, "", points, seed)
    game = game_of(match, index)
    try:
        state, refused = walk(match, index, Invariants(game, log).see, game)
        log.hold("INV-48", not refused, "an offer was refused")
        if index % 10 == 0:
            again, _ = walk(match, index, lambda before, play: None)
            log.hold("INV-1", again.digest() == state.digest(), "played again it ends otherwise")
    except AssertionError as broken:
        raise Broken(f"{agents} seed {seed} game {index}: {broken}") from broken


@pytest.mark.parametrize("part", range(10))
def test_random_games(part: int) -> None:
    """Three hundred games of 500 points answered by lot, thirty to a part: no invariant breaks, and each was looked at."""
    log = Ledger()
    for index in range(30 * part, 30 * part + 30):
        watched("random", index, log)
    assert set(log.looked) >= LOOKED


@pytest.mark.parametrize("agents", ["closing", "greedy"])
def test_games_that_meet(agents: str) -> None:
    """Games of armies that go for each other, so that charges, fights and wrecks come up: no invariant breaks."""
    log = Ledger()
    for index in range(6):
        watched(agents, index, log)
    assert log.looked["INV-27"] and log.looked["INV-5"]


LEAST = {STRENGTH: 1, TOUGHNESS: 1, ATTACKS: 1, MOVE: 1, CONTROL: 0, SAVE: 2}


@pytest.mark.parametrize("seed", range(20))
def test_values_whatever_the_order(seed: int) -> None:
    """INV-6 to INV-9: the order of changes does not matter, none changes nothing, limits hold, and a change can be undone."""
    rng = random.Random(seed)
    for kind, least in LEAST.items():
        printed = rng.randint(3, 6)
        effects = [changed(kind, rng.choice("+-x/"), rng.randint(1, 3)) for _ in range(rng.randint(1, 4))]
        value = evaluate(kind, printed, tuple(effects))
        rng.shuffle(effects)
        assert evaluate(kind, printed, tuple(effects)) == value
        assert evaluate(kind, printed, ()) == printed
        assert isinstance(value, int) and value >= least
        assert evaluate(kind, printed, (changed(kind, "+", 1), changed(kind, "-", 1))) == printed
    worse = evaluate(AP, 0, (changed(AP, "-", 2),))
    assert isinstance(worse, int) and worse <= 0


def test_two_instances_of_a_core_ability_are_the_better_one() -> None:
    """INV-43: whichever comes first."""
    better, worse = Rule("Sustained Hits", 2), Rule("Sustained Hits", 1)
    assert collapsed((better, worse)) == collapsed((worse, better)) == collapsed((better,))


@pytest.mark.parametrize("seed", range(12))
def test_what_is_taken_away_hides_nothing(seed: int) -> None:
    """INV-26: who is fully visible is visible; without its solid parts a table hides nobody whom it showed."""
    moment, drop = scene(random.Random(seed))
    own, their = tuple(range(6)), tuple(range(12, 18))
    closed = [bytes(drop.screens)] * 6
    seen = sampled.seen(drop, moment, True, own, closed, their, closed)
    bare = Backdrop(moment.field, drop.prisms[: drop.solids][::2], [], [])
    assert all(sampled.seen(bare, moment, True, own, [b""] * 6, their, [b""] * 6)[k] for k, one in enumerate(seen) if one)
    for k, observer in enumerate(own):
        for target in their:
            if sampled.whole(drop, moment, True, observer, closed[0], target, closed[0]):
                assert seen[k]
