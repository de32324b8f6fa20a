"""The odds shown before each attack of a game are the law of the dice then rolled: the same volleys, the same stages."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rolloff.editions import registry
from rolloff.editions.commentary import resolving
from rolloff.editions.commentary.attack import Attack
from rolloff.editions.commentary.matchup import precise
from rolloff.editions.commentary.target import TargetState
from rolloff.lab.duel import Match, chairs_of, setup_of
from rolloff.odds.ends import ends
from rolloff.oracle.calculator import Calculator
from rolloff.oracle.dice import SeededDice, seed_bytes
from rolloff.oracle.oracle import Chooser, Oracle, Question, Seats
from rolloff.rules.attack import AttackForm, Plan, ResolvedAttack
from rolloff.rules.game import Game
from rolloff.rules.play import OVER, Play, play_step
from rolloff.table.request import PASS, Request

EDITION = "commentary-10"
ARMIES = ("verdigris-mandate-500", "hollow-tide-500", "lantern-reach-500")
OFTEN = 15
"""Of so many attacks one is also held against the law of its ends."""

resolve = resolving.resolve


class Shown:
    """Plans every attack of a game before it is rolled, and holds what is rolled against that."""

    def __init__(self) -> None:
        """Nothing was planned yet."""
        self.plan: Plan | None = None
        self.compared = self.possible = 0

    def resolve(self, play: Play, form: AttackForm, attack: Attack, waits: bool = False) -> tuple[resolving.Pool, ...]:
        """What odds say of the attack as it stands now; then it is rolled."""
        sequence = play.game.edition.sequence
        assert sequence is not None
        first = not waits and not any(precise(strike) for strike in attack.strikes)
        self.plan = sequence.plan(play.game, play.state, form, {}) if first else None
        return resolve(play, form, attack, waits)

    def see(self, made: ResolvedAttack) -> None:
        """The volleys that were rolled are those that were planned, and their end is one the plan knows."""
        if self.plan is None:
            return
        assert made.plan.volleys == self.plan.volleys, (made.attacker, made.target, made.kind)
        self.compared += 1
        if self.compared % OFTEN == 0:
            law = ends(Calculator(), made.plan, made.plan.start)
            assert any(lost(end) == lost(made.end) and chance > 0 for end, chance in law.items()), (made.attacker, made.target)
            self.possible += 1


def lost(end: object) -> object:
    """An end without who saved and is next to bear (ATK-4): the law does not tell models apart that save alike."""
    return end._replace(touched=0) if isinstance(end, TargetState) else end


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
    monkeypatch.setattr(resolving, "resolve", shown.resolve)
    play_games(shown, "closing", range(3))
    assert shown.compared > 20 and shown.possible


@pytest.mark.soak
@pytest.mark.parametrize("part", range(5))
def test_odds_of_fifty_games(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same over fifty games."""
    shown = Shown()
    monkeypatch.setattr(resolving, "resolve", shown.resolve)
    play_games(shown, "closing", range(10 * part, 10 * part + 10))
    assert shown.compared > 100


class Beside:
    """A player who looks at the odds beside each target before naming it, uses the weapons meant for it, and never reacts."""

    def __init__(self, chair: Chooser) -> None:
        """Answers as another would, but for that."""
        self.chair = chair
        self.beside: dict[tuple[int, int], Plan] = {}

    def choose(self, request: Question, play: object) -> object:
        """Remember what was shown."""
        assert isinstance(request, Request) and isinstance(play, Play)
        edition = play.game.edition
        assert edition.form_of is not None and edition.sequence is not None
        if request.kind == "react":
            return PASS
        if request.kind == "assign-weapons":
            return request.default
        answer = self.chair.choose(request, play)
        form = edition.form_of(play, request, answer)
        if form is not None:
            self.beside[form.attacker, form.target] = edition.sequence.plan(play.game, play.state, form, {})
        return answer

    def refused(self, request: Question, answer: object, error: Exception) -> bool:
        """As the other does."""
        return self.chair.refused(request, answer, error)


def test_the_odds_beside_a_target_are_those_of_the_attack() -> None:
    """What the table shows while a target is chosen, for shooting and for fights, is planned as it is then rolled."""
    compared = {"shooting": 0, "melee": 0}
    for index in range(12):
        match = Match(EDITION, ("closing", "closing"), (ARMIES[index % 3], ARMIES[1]), "toll-crossing", "", 500, 7)
        game = Game(registry.edition(EDITION), setup_of(match, index))
        players = [Beside(chair) for chair in chairs_of(match, index)]
        oracle = Oracle(SeededDice(seed_bytes(match.seed, index, "dice")), Seats(players))
        state = game.start()
        while state.clock.phase != OVER:
            seen: list[ResolvedAttack] = []
            state = play_step(game, state, oracle, seen.append).state
            for made in seen[:1]:
                beside = players[game.side_of(made.attacker)].beside
                plan = beside.get((made.attacker, made.target))
                if plan is not None and len(beside) == 1:  # whoever splits its fire may hit otherwise
                    assert made.plan.volleys == plan.volleys, (game.names[made.attacker], game.names[made.target])
                    compared[made.kind] += 1
            for player in players:
                player.beside.clear()
    assert min(compared.values()) > 5
