"""Opponents in the commentary edition: they play for the markers, and their advice comes from exact expectations."""

from __future__ import annotations

from pathlib import Path

import pytest

from rolloff.agents.closing import Closing
from rolloff.editions import registry
from rolloff.editions.commentary.advice import arriving, share
from rolloff.lab.duel import Match, Watched, chairs_of, duel, play_row, setup_of
from rolloff.oracle.calculator import Calculator
from rolloff.oracle.dice import EnteredDice, SeededDice, Stream, seed_bytes
from rolloff.oracle.oracle import Defaults, Oracle
from rolloff.rules import advice
from rolloff.rules.attack import AttackForm
from rolloff.rules.game import Game
from rolloff.rules.play import OVER, Play, play_step
from rolloff.table.event import Event, SideMarked, apply
from rolloff.table.request import PASS, Request
from tests.commentary.desk import gun, situation, squad

EDITION = "commentary-10"


@pytest.mark.parametrize("armies", [("verdigris-mandate-500", "hollow-tide-500"), ("lantern-reach-500", "hollow-tide-500")])
def test_the_greedy_opponent_beats_the_one_that_plays_by_lot(armies: tuple[str, str]) -> None:
    """In four games, sides swapped, it loses none and scores more; nothing offered is refused."""
    for agents in (("greedy", "random"), ("random", "greedy")):
        report = duel(Match(EDITION, agents, armies, "toll-crossing", "", 500, 11), 0, 2)
        assert report["totals"]["offered_refused"] == 0
        side = agents.index("greedy")
        scores = [row["score"] for row in report["games"]]
        assert sum(score[side] for score in scores) > sum(score[1 - side] for score in scores)


def test_the_closing_opponent_goes_for_markers() -> None:
    """Two armies that close in score from markers, and finish."""
    armies = "hollow-tide-500", "lantern-reach-500"
    report = duel(Match(EDITION, ("closing", "closing"), armies, "glass-quarter", "", 500, 3), 0, 2)
    assert all(row["finished"] for row in report["games"])
    assert sum(sum(row["score"]) for row in report["games"]) > 0


SIGNATORIES = str(Path(__file__).resolve().parents[2] / "docs" / "examples" / "mandate-list.toml")


@pytest.mark.parametrize(
    ("moment", "name", "points", "used"),
    [
        pytest.param("set-up", "Fire Overwatch", 3, True, id="more than is kept"),
        pytest.param("set-up", "Fire Overwatch", 2, False, id="two points are kept"),
        pytest.param("felled", "The Entry Stands", 1, True, id="once in a battle"),
        pytest.param("rolled", "Command Re-roll", 9, False, id="no die again"),
    ],
)
def test_what_the_closing_opponent_pays_for(moment: str, name: str, points: int, used: bool) -> None:
    """It keeps two points for what comes once in a battle, which it uses whenever it may, and rolls no die again."""
    armies = SIGNATORIES, "hollow-tide-500"
    game = Game(registry.edition(EDITION), setup_of(Match(EDITION, ("closing", "closing"), armies, "toll-crossing"), 0))
    state = apply(game.start(), Event("points", (), (SideMarked(0, "cp", points),)))
    facts = (("reactions", (name,)), ("costs", (1,)), ("moment", moment))
    request = Request(0, "react", "JUST-1", (f"{name} a1", PASS), PASS, facts=facts)
    found = Closing(Stream(b"x" * 32), 0).answer(request, Play(game, state, Oracle(EnteredDice(()), Defaults())))
    assert found == (f"{name} a1" if used else PASS)


def stratagems_of(match: Match, row: int) -> set[object]:
    """The names of the Stratagems used in a game."""
    game = Game(registry.edition(EDITION), setup_of(match, row))
    oracle, state = Oracle(SeededDice(seed_bytes(2, row, "dice")), Watched(chairs_of(match, row))), game.start()
    used = set[object]()
    while state.clock.phase != OVER:
        play = play_step(game, state, oracle)
        used |= {event.fact("reaction") for event in play.events if event.kind == "stratagem"}
        state = play.state
    return used


def test_a_leader_who_falls_may_fight_on_in_a_game() -> None:
    """Leaders who go to war without a squad fall in melee, and one of them uses The Entry Stands in one of thirty games."""
    match = Match(EDITION, ("closing", "closing"), (SIGNATORIES, "hollow-tide-500"), "toll-crossing", "", 500, 2)
    assert any("The Entry Stands" in stratagems_of(match, row) for row in range(30))


def test_the_chance_of_a_charge() -> None:
    """It is that of 2D6: certain up to 3", none beyond 13"."""
    assert [round(arriving(gap * 1000.0) * 36) for gap in (2, 3, 8, 13, 13.5)] == [36, 36, 21, 1, 0]


def led(models: int) -> Play:
    """Five precise rifles before a unit that a CHARACTER leads."""
    character = squad("x", "B", 1, W=4, Sv=3, keywords=["INFANTRY", "CHARACTER"], rules=["Leader"], where="b1")
    found = situation([squad("a1", "A", 5, gun("Precision", A=2, S=6, D=2)), squad("b1", "B", models, W=2, Sv=5), character])
    return Play(found.game, found.state, Oracle(EnteredDice(()), Defaults()))


FIRE = AttackForm(0, 1, "shooting", range=6000, visible=True, cover=False)


def test_trials_come_near_the_exact_expectation(monkeypatch: pytest.MonkeyPatch) -> None:
    """An attack rolled some dozen times promises about what is computed, and the same whenever it is asked."""
    exact = share(led(2), FIRE)
    monkeypatch.setattr(advice, "MOST_WOUNDS", 0)
    assert share(led(2), FIRE) == share(led(2), FIRE) == pytest.approx(exact, abs=0.06)


def test_ends_too_many_to_follow_are_rolled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A led unit of eleven models is weighed without listing every state it can be left in."""

    def asked(*given: object) -> None:
        raise AssertionError("every end is followed")

    monkeypatch.setattr(Calculator, "after", asked)
    assert 0 < share(led(11), FIRE) < 1


@pytest.mark.parametrize(
    ("points", "seed", "games"),
    [(1000, 77, (101, 144, 474, 479, 766)), (1000, 5, (94, 404)), (2000, 77, (69, 85)), (1000, 2026, tuple(range(30)))],
)
def test_nobody_is_refused_what_was_proposed(points: int, seed: int, games: tuple[int, ...]) -> None:
    """Random games end by their rules: no default way and no default place is refused, beside planes as elsewhere.

    The games named by number are some that ended early once.
    """
    match = Match(EDITION, ("random", "random"), points=points, seed=seed)
    rows = [play_row(match, index) for index in games]
    assert [row["index"] for row in rows if not row["finished"] or row["offered_refused"]] == []
