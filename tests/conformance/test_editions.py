"""What every edition that can be played must do, whatever its rules say."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from msgspec.structs import replace

from rolloff.errors import IllegalCommand
from rolloff.lab.duel import play_game
from rolloff.odds.ends import ends
from rolloff.oracle.calculator import Calculator
from rolloff.oracle.dice import SeededDice
from rolloff.oracle.flow import WOUNDS, Volley
from rolloff.oracle.oracle import Answers, Oracle
from rolloff.record.book import Recorder
from rolloff.record.lines import parse
from rolloff.record.verify import verify_lines
from rolloff.rules.attack import AttackForm, AttackSequence, ResolvedAttack
from rolloff.rules.effects import DID, USED
from rolloff.rules.game import Game
from rolloff.rules.play import OVER, Play, play_step
from rolloff.rules.windows import Moment, Reaction, Use
from rolloff.situations.depiction import write_situation
from rolloff.situations.forms import SituationForm, fill
from rolloff.situations.situation import read_situation
from rolloff.situations.wire import event_json, request_json, tell
from rolloff.table.event import apply
from rolloff.table.state import TABLE, State
from tests.conformance.fields import chairs, dice_of, digests, game_of, playable, walk
from tests.conformance.shown import compared

EDITIONS = playable()
AGENTS = ("random", "closing")
AWAY = "from tests.conformance.fields import digests; print(digests({id!r}, {agents!r}))"

every_edition = pytest.mark.parametrize("id", EDITIONS)
every_agent = pytest.mark.parametrize("agents", AGENTS)


@every_edition
@every_agent
def test_plays_to_an_end_by_its_own_account(id: str, agents: str) -> None:
    """A game starts and ends; every event is of a declared kind, cites what that kind may, and can be told."""
    game = game_of(id)
    steps = walk(game, agents)
    assert steps[-1][1].state.clock.phase == OVER
    for _, play, _ in steps:
        for n, event in enumerate(play.events):
            kind = game.edition.kinds.get(event.kind)
            assert kind is not None, f"the event {event.kind!r} is not among the edition's kinds"
            foreign = set(event.clauses) - kind.clauses
            assert event.clauses and not foreign, f"the event {event.kind!r} must cite clauses its kind names, not {foreign}"
            assert tell(game, event) and "{" not in tell(game, event)
            assert json.dumps(event_json(game, event, n))


@every_edition
@every_agent
def test_events_make_the_state(id: str, agents: str) -> None:
    """Applying a step's events to the state before it gives the state after it."""
    for before, play, _ in walk(game_of(id), agents):
        state = before
        for event in play.events:
            state = apply(state, event)
        assert state == play.state


@every_edition
@every_agent
def test_records_verify(id: str, agents: str) -> None:
    """A game that was written down verifies."""
    game, out = game_of(id), io.BytesIO()
    recorder = Recorder(out, game, dice_of(), (agents, agents))
    played = play_game(game, dice_of(), chairs(agents), recorder)
    assert played.finished and not played.offered_refused
    verdict = verify_lines(parse(out.getvalue(), id), id)
    assert verdict.verified and verdict.state == played.state.digest() == walk(game, agents)[-1][1].state.digest()


@every_edition
def test_the_same_answers_replay(id: str) -> None:
    """Every step again, from its state with its dice and answers, is the same step."""
    game = game_of(id)
    for before, play, drawn in walk(game, "random"):
        answers = [answer for _, answer in play.answers]
        again = play_step(game, before, Oracle(SeededDice(dice_of(), drawn), Answers(answers)))
        assert again.events == play.events and again.state == play.state


@every_edition
def test_what_is_offered_is_accepted(id: str) -> None:
    """Every option of every third decision, and every default, is taken without a refusal."""
    game, tried = game_of(id), 0
    for before, play, drawn in walk(game, "random"):
        given = [answer for _, answer in play.answers]
        for at, (request, _) in enumerate(play.answers):
            assert json.dumps(request_json(game, before, request)) if request.options is not None else True
            options = (request.default,) if request.options is None or (tried + at) % 3 else request.options
            for option in options:
                play_step(game, before, Oracle(SeededDice(dice_of(), drawn), Answers([*given[:at], option], stop=False)))
                tried += 1
    assert tried


@every_edition
def test_situations_go_through_json(id: str) -> None:
    """The table as JSON reads back as the same state, between any two steps of a game."""
    game = game_of(id)
    for before, _, _ in walk(game, "closing"):
        text = json.dumps(write_situation(game, before))
        assert read_situation(fill(json.loads(text), SituationForm)).state.digest() == before.digest()


def _elsewhere(id: str, agents: str, **settings: str) -> subprocess.Popen[str]:
    code = AWAY.format(id=id, agents=agents)
    path = os.pathsep.join(part for part in (os.getcwd(), os.environ.get("PYTHONPATH", "")) if part)
    env = os.environ | settings | {"PYTHONPATH": path}
    return subprocess.Popen([sys.executable, "-c", code], env=env, text=True, stdout=subprocess.PIPE)


@every_edition
def test_the_same_everywhere(id: str) -> None:
    """The same games come out without kernels, under any hash seed, and in two threads at once."""
    here = digests(id, "closing")
    ways = [{"ROLLOFF_KERNELS": "off", "PYTHONHASHSEED": "1"}, {"PYTHONHASHSEED": "2"}, {"PYTHONHASHSEED": "3"}]
    others = [_elsewhere(id, "closing", **way) for way in ways]
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda agents: digests(id, agents), ("closing", "closing")))
    assert found == [here, here]
    for other in others:
        out, _ = other.communicate()
        assert other.returncode == 0 and out.strip() == str(here)


@every_edition
def test_odds_of_attacks_sum_to_one(id: str) -> None:
    """Every attack a game's units could make at any fifth step has odds, and they sum to one exactly."""
    game, seen = game_of(id), 0
    sequence = game.edition.sequence
    if sequence is None:
        pytest.skip("no attacks apart from a game")
    for before, _, _ in walk(game, "closing")[::5]:
        for form in _forms(game.units_of, before):
            for volley in _volleys(sequence, game, before, form):
                spread = Calculator(exact=True).spread(volley, WOUNDS)
                assert sum(spread) == 1 and all(chance >= 0 for chance in spread)
                seen += 1
            if seen > 60:
                return
    assert seen


@every_edition
def test_dice_agree_with_the_odds_of_every_attack(id: str) -> None:
    """Every attack of some games ended as its odds allow, and all together no luckier than dice are."""
    made: list[ResolvedAttack] = []
    for index in range(3):
        if len(made) < 60:
            walk(game_of(id, index), "closing", index, made.append)
    off = spread = 0.0
    for attack in made:
        law = ends(Calculator(), attack.plan, attack.plan.start)
        assert law[attack.end] > 0, attack
        kills = attack.plan.target.kills
        mean = sum(float(chance) * kills(end) for end, chance in law.items())
        off += kills(attack.end) - mean
        spread += sum(float(chance) * (kills(end) - mean) ** 2 for end, chance in law.items())
    assert made, "its attacks are shown to nobody: tell play.watch of each"
    assert abs(off) <= 5 * max(spread, 0.01) ** 0.5


@every_edition
def test_odds_shown_are_those_of_the_dice(id: str) -> None:
    """Beside every target that is named stand the odds of the dice then rolled for it, and somebody looks at some."""
    if game_of(id).edition.sequence is None:
        pytest.skip("no attacks apart from a game")
    seen = sum(compared(game_of(id, index), "closing", index) for index in range(3))
    assert seen, "no attack of these games was shown before it was rolled: does form_of know its questions?"


@every_edition
def test_declared_moments_come_and_limits_end(id: str) -> None:
    """Each moment an edition declares opens in some game; a mark of a limit has a word for when it ends."""
    game, opened = game_of(id), set[str]()

    def listens(play: Play, moment: Moment, side: int) -> tuple[Use, ...]:
        opened.add(moment.name)
        return ()

    edition = game.edition
    probe = Reaction("probe", frozenset(edition.moments), "", listens, lambda *_: None)
    watched = replace(edition, reactions=(*edition.reactions, probe))
    for index in range(4):
        played = Game(watched, game_of(id, index).setup)
        for agents in AGENTS if edition.moments else ("closing",):
            for _, play, _ in walk(played, agents, index):
                marks = [pair for held in play.state.units for pair in held.marks]
                marks += [pair for side in play.state.sides for pair in side] + [row[1:] for row in play.state.models]
                for name, value in marks:
                    assert not name.startswith((USED, DID)) or edition.effects.known(str(value)), (name, value)
        if opened >= set(edition.moments):
            return
    never = set(edition.moments) - opened
    assert not never, f"declared as moments, and none of these games came to them: {', '.join(sorted(never))}"


@every_edition
def test_reactions_run_out(id: str) -> None:
    """Whatever may be used again and again costs something or is limited, and names a clause."""
    edition = game_of(id).edition
    for rule in (*edition.reactions, *(one for special in edition.specials.values() for one in special.reactions)):
        assert rule.clause, f"{rule.name} names no clause"
        assert rule.must or rule.limit is not None or rule.pay, f"{rule.name} could be used for ever: give it a limit or a cost"


def _volleys(sequence: AttackSequence, game: Game, state: State, form: AttackForm) -> tuple[Volley, ...]:
    """The volleys of an attack; none where the edition says that there is nothing to attack with."""
    try:
        return sequence.plan(game, state, form, {}).volleys
    except IllegalCommand:
        return ()


def _forms(units_of: tuple[tuple[int, ...], tuple[int, ...]], state: State) -> list[AttackForm]:
    ours, theirs = ([unit for unit in units if state.units[unit].where == TABLE] for units in units_of)
    return [
        AttackForm(one, other, kind, range=6_000, visible=True, cover=False, facing="front", everyone=True)
        for one in ours[:3]
        for other in theirs[:3]
        for kind in ("shooting", "melee")
    ]


def test_every_edition_is_here() -> None:
    """The suite takes in the whole registry: the editions that can be played, and the toy that shows another shape."""
    assert {"onepage-3.0", "skirmish"} <= set(EDITIONS) and len(chairs("random")) == 2
