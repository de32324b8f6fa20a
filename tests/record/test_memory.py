"""Memory: what a game or a replay made is gone when it is over."""

from __future__ import annotations

import gc
import io

from rolloff.editions import registry
from rolloff.lab.duel import Match, chairs_of, play_game, setup_of
from rolloff.oracle.dice import seed_bytes
from rolloff.record.book import Recorder
from rolloff.record.lines import parse
from rolloff.record.verify import verify_lines
from rolloff.rules.game import Game
from rolloff.rules.play import Play

MATCH = Match("onepage-3.0", ("greedy", "closing"), ("compact-patrol", "levy-patrol"), "crossing")


def plays() -> int:
    """How many plays are alive, once nothing but what is in use is left."""
    gc.collect()
    return sum(isinstance(one, Play) for one in gc.get_objects())


def recorded() -> bytes:
    """The record of a game in which both sides shoot."""
    game, out, seed = Game(registry.edition(MATCH.edition), setup_of(MATCH, 0)), io.BytesIO(), seed_bytes(0, "memory")
    play_game(game, seed, chairs_of(MATCH, 0), Recorder(out, game, seed))
    return out.getvalue()


def test_a_game_and_its_replay_leave_nothing_behind() -> None:
    """After a game and after its verification no step of it is alive: requests that wait for no answer are let go."""
    before = plays()
    record = recorded()
    assert plays() == before
    assert b'"kind":"shot"' in record
    assert verify_lines(parse(record, "x"), "x").verified
    assert plays() == before
