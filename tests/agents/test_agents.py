"""Opponents: they finish games without a refusal, repeat themselves exactly, and do what their name says."""

from __future__ import annotations

import ast
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import pytest

import rolloff.agents
from rolloff.agents import AGENTS, make
from rolloff.errors import BadInput, IllegalCommand
from rolloff.geometry.moves import Order, Verdict
from rolloff.geometry.place import lawful_place
from rolloff.lab.duel import Match, play_row
from rolloff.oracle.dice import Stream
from rolloff.rules import moves
from rolloff.rules.answers import Placement
from rolloff.rules.moves import Setting
from rolloff.rules.play import Play
from rolloff.table.request import Request
from tests.agents.games import play

ARMIES = ("aegis-compact", "ashen-levy", "gearwright-synod", "thornkin-brood")
PATROLS = ("levy-patrol", "compact-patrol")
PAIRS = list(combinations_with_replacement(ARMIES, 2))


@pytest.mark.parametrize("armies", PAIRS)
def test_random_games_end_without_a_refusal(armies: tuple[str, str]) -> None:
    """Every answer by lot is legal, and the game comes to its end."""
    report = play(("random", "random"), armies, seed=len(armies[0]) + len(armies[1]))
    assert [agent.refusals for agent in report.agents] == [0, 0]
    assert report.events[-1].kind == "game-ended"


@pytest.mark.parametrize("name", sorted(AGENTS))
def test_the_same_seed_gives_the_same_game(name: str) -> None:
    """Opponents draw from their stream and from nothing else."""
    one, two = (play((name, name), PATROLS, seed=4) for _ in range(2))
    assert one.state.digest() == two.state.digest()
    assert one.events == two.events
    assert one.events != play((name, name), PATROLS, seed=5).events


def test_no_opponent_draws_from_anywhere_else() -> None:
    """No module of the opponents imports a source of chance, a clock or an edition."""
    for file in Path(rolloff.agents.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not any(name.split(".")[0] in ("random", "secrets", "time", "os") for name in names)
            assert not any(name.startswith("rolloff.editions") for name in names)


def test_every_kind_of_decision_is_answered_in_its_own_way() -> None:
    """Over some games chance answers every kind of request it meets otherwise than by default at least once."""
    met: set[str] = set()
    strayed: set[str] = set()
    for seed, armies in enumerate(PAIRS[::2]):
        for request, answer in play(("random", "random"), armies, seed=seed).asked:
            met.add(request.kind)
            if answer != request.default:
                strayed.add(request.kind)
    assert {"choose-unit", "choose-action", "choose-target", "move", "place", "assign-weapons", "choose-option"} <= met
    assert met - strayed <= {"allocate", "choose-model", "number"}


def test_units_move_by_chance_to_many_places() -> None:
    """Moves by lot go near and far and in all directions."""
    report = play(("random", "random"), ("ashen-levy", "thornkin-brood"), seed=2)
    moves = [(r.order, answer) for r, answer in report.asked if isinstance(r.order, Order)]
    assert len({str(answer) for _, answer in moves}) > len(moves) // 2


def test_an_unknown_opponent_is_refused() -> None:
    """A name nobody has is bad input that says who there is."""
    with pytest.raises(BadInput) as caught:
        make("deep-thought", Stream(b"x"), 0)
    assert caught.value.allowed == "random, closing, greedy"


class FakePlay(Play):
    """A play nothing has happened in yet."""

    def __init__(self) -> None:
        """No game is needed where only options count."""


def test_a_refused_opponent_takes_the_default() -> None:
    """After a refusal the next answer is the default, and the one after that is its own again."""
    agent = make("random", Stream(b"x"), 0)
    request = Request(0, "choose-option", "GEN-8", tuple(range(1000)), 7)
    assert agent.refused(request, 3, IllegalCommand("no", "GEN-8", "no"))
    assert agent.refusals == 1
    assert agent.choose(request, FakePlay()) == 7
    assert len({agent.choose(request, FakePlay()) for _ in range(20)}) > 10


def test_options_are_equally_likely() -> None:
    """Over many draws each of six options comes about as often as the others."""
    agent = make("random", Stream(b"fair"), 0)
    request = Request(0, "choose-option", "GEN-8", tuple("abcdef"), "a")
    drawn = [agent.choose(request, FakePlay()) for _ in range(6000)]
    assert all(850 < drawn.count(option) < 1150 for option in "abcdef")


def test_some_of_the_weapons_fire() -> None:
    """Chance names some of the weapons told, at least one, each once, and one a model where only one may fire."""
    agent = make("random", Stream(b"guns"), 0)
    report = tuple((f"a1.{model}", weapon, "Gun") for model in (1, 2, 3) for weapon in (0, 1))
    seen = set()
    for most in (0, 1):
        request = Request(0, "assign-weapons", "SHOOT-6", None, (), 0, "DP-19", None, (("weapons", report), ("most", most)))
        for _ in range(300):
            answer = agent.choose(request, FakePlay())
            assert isinstance(answer, tuple) and answer
            assert set(answer) <= {row[:2] for row in report} and len(set(answer)) == len(answer)
            if most:
                assert len({model for model, _ in answer}) == len(answer)
            seen.add((most, len(answer)))
    assert {(1, 1), (1, 3), (0, 2), (0, 6)} <= seen


def test_closing_opponents_come_to_blows() -> None:
    """They assault whenever it is offered, and models fall."""
    report = play(("closing", "closing"), PATROLS, seed=3)
    for request, answer in report.asked:
        if request.kind == "choose-action" and "assault" in (request.options or ()):
            assert answer == "assault"
    assert report.count("struck") and report.count("shot") and report.count("casualties")
    assert [agent.refusals for agent in report.agents] == [0, 0]


@pytest.mark.parametrize("armies", PAIRS[1::3])
def test_greedy_games_end_without_a_refusal(armies: tuple[str, str]) -> None:
    """What greedy chooses is legal, and it uses what it has."""
    report = play(("greedy", "greedy"), armies, seed=6)
    assert [agent.refusals for agent in report.agents] == [0, 0]
    assert report.events[-1].kind == "game-ended"
    assert report.count("shot")


def test_greedy_beats_chance() -> None:
    """Of five battles with the same armies greedy wins most."""
    won = lost = 0
    for seed in range(5):
        report = play(("greedy", "random"), PATROLS[::-1], seed=seed)
        mine, theirs = report.game.edition.score(report.game, report.state)
        won += mine > theirs
        lost += mine < theirs
    assert won >= 3 and won > 2 * lost


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_the_enemy_s_deep_strike_is_shifted(name: str) -> None:
    """Over some games a unit out of the sky is shifted by its enemy, and lawfully."""
    shifted = 0
    for seed in range(40):
        report = play(("greedy", name), ("aegis-compact", "levy-patrol"), seed=seed, table="crossing")
        shifted += report.count("shifted")
        assert [agent.refusals for agent in report.agents] == [0, 0]
        if shifted:
            break
    assert shifted


def test_settings_and_orders_are_all_that_is_asked_without_options() -> None:
    """Every request without options is a move, a placing or an assignment of weapons, so every opponent knows it."""
    report = play(("random", "greedy"), ("gearwright-synod", "aegis-compact"), seed=9)
    for request, _ in report.asked:
        if request.options is None:
            assert isinstance(request.order, Order | Setting) or request.kind == "assign-weapons"


def test_greedy_spends_no_action_on_a_move_that_leads_nowhere() -> None:
    """In three games between greedy opponents every walk and every run goes somewhere."""
    for seed in (5, 19, 23):
        report = play(("greedy", "greedy"), ("random", "random"), seed)
        moves = [event for event in report.events if event.kind == "moved" and event.fact("action") in ("walk", "run")]
        assert moves and all(event.fact("longest") for event in moves)


def test_placings_that_the_search_found_stand_before_the_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most placings of some games are found by the search and not judged again, and the judge lets each of them stand."""
    judged, asked, real = list[Any](), list[bool](), moves.judge_place

    def watched(play: Play, setting: Setting, refusals: moves.Refusals, answer: object) -> Placement:
        """The judge of placings, beside the same without what was found before."""
        before = len(judged)
        placed = real(play, setting, refusals, answer)
        asked.append(len(judged) == before)
        if not placed.levels and not setting.standing:
            assert lawful_place(play.scene, setting.slots, setting.zone, placed.xy, placed.facings).legal
        return placed

    def counted(*args: Any) -> Verdict:
        """The plain judge, counted."""
        judged.append(args)
        return lawful_place(*args)

    monkeypatch.setattr(moves, "judge_place", watched)
    monkeypatch.setattr(moves, "lawful_place", counted)
    for number in range(2):
        play_row(Match("commentary-10", ("random", "random"), points=500, seed=3), number)
    assert len(asked) > 10 and 2 * sum(asked) > len(asked)
