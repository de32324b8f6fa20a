"""The odds shown before each attack of a game are the law of the dice then rolled: the same volleys, the same stages."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rolloff.editions import registry
from rolloff.editions.commentary import attack_sequence
from rolloff.editions.commentary.attack import Attack
from rolloff.editions.commentary.lookups import Host
from rolloff.editions.commentary.matchup import precise
from rolloff.lab.duel import Match, chairs_of, setup_of
from rolloff.odds.ends import ends
from rolloff.oracle.calculator import Calculator
from rolloff.oracle.dice import SeededDice, seed_bytes
from rolloff.oracle.oracle import Oracle, Seats
from rolloff.rules.attack import AttackForm, Plan, ResolvedAttack
from rolloff.rules.game import Game
from rolloff.rules.play import OVER, Play, play_step

EDITION = "commentary-10"
ARMIES = ("verdigris-mandate-500", "hollow-tide-500", "lantern-reach-500")
OFTEN = 15
"""Of so many attacks one is also held against the law of its ends."""

resolve = attack_sequence.resolve


class Shown:
    """Plans every attack of a game before it is rolled, and holds what is rolled against that."""

    def __init__(self) -> None:
        """Nothing was planned yet."""
        self.plan: Plan | None = None
        self.compared = self.possible = 0

    def resolve(self, play: Play, form: AttackForm, attack: Attack, pools: list[attack_sequence.Pool] | None = None) -> Host:
        """What odds say of the attack as it stands now; then it is rolled."""
        sequence = play.game.edition.sequence
        assert sequence is not None
        first = not pools and not any(precise(strike) for strike in attack.strikes)
        self.plan = sequence.plan(play.game, play.state, form, {}) if first else None
        return resolve(play, form, attack, pools)

    def see(self, made: ResolvedAttack) -> None:
        """The volleys that were rolled are those that were planned, and their end is one the plan knows."""
        if self.plan is None:
            return
        assert made.plan.volleys == self.plan.volleys, (made.attacker, made.target, made.kind)
        self.compared += 1
        if self.compared % OFTEN == 0:
            law = ends(Calculator(), made.plan, made.plan.start)
            assert any(end == made.end and chance > 0 for end, chance in law.items()), (made.attacker, made.target)
            self.possible += 1


def play_games(shown: Shown, agents: str, indices: Sequence[int]) -> None:
    """Whole games, watched."""
    for index in indices:
        match = Match(EDITION, (agents, agents), (ARMIES[index % 3], ARMIES[(index // 3) % 3]), "toll-crossing", "", 500, 31)
        game = Game(registry.edition(EDITION), setup_of(match, index))
        oracle = Oracle(SeededDice(seed_bytes(match.seed, index, "dice")), Seats(chairs_of(match, index)))
        state = game.start()
        while state.clock.phase != OVER:
            state = play_step(game, state, oracle, shown.see).state


def test_odds_before_each_attack_are_those_of_its_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """In some games every first attack of a unit rolls the volleys its odds were shown with."""
    shown = Shown()
    monkeypatch.setattr(attack_sequence, "resolve", shown.resolve)
    play_games(shown, "closing", range(3))
    assert shown.compared > 20 and shown.possible


@pytest.mark.soak
@pytest.mark.parametrize("part", range(5))
def test_odds_of_fifty_games(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same over fifty games."""
    shown = Shown()
    monkeypatch.setattr(attack_sequence, "resolve", shown.resolve)
    play_games(shown, "closing", range(10 * part, 10 * part + 10))
    assert shown.compared > 100
