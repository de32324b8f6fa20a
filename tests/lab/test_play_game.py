"""One game of a match: it depends on its seed alone, counts what happens, and ends even if an opponent is stubborn."""

from __future__ import annotations

import io

from rolloff.lab.duel import Played, Watched, play_game
from rolloff.oracle.dice import Stream
from rolloff.oracle.oracle import Chooser, Defaults, Question
from rolloff.record.book import Recorder
from rolloff.record.lines import parse
from rolloff.record.verify import verify_lines
from rolloff.rules.game import Game
from rolloff.table.event import Fact
from tests.record.coin import COIN, coin_setup
from tests.record.conftest import SEED, Fickle


class Stubborn:
    """Always gives the same answer, and gives up when it is refused."""

    def __init__(self, answer: Fact) -> None:
        """Insist on that."""
        self.answer = answer

    def choose(self, request: Question, play: object) -> object:
        """The one answer."""
        return self.answer

    def refused(self, request: Question, answer: object, error: Exception) -> bool:
        """Give up."""
        return False


def played(one: Chooser, two: Chooser, recorder: Recorder | None = None) -> Played:
    """A toy game between the two."""
    return play_game(Game(COIN, coin_setup()), SEED, (one, two), recorder)


def fickle() -> Chooser:
    """An opponent that picks any option."""
    return Fickle(Stream(b"choices"))


def test_the_same_seed_gives_the_same_game() -> None:
    """Events, state, dice and counts are equal; other choices give other events."""
    one, two = played(fickle(), fickle()), played(fickle(), fickle())
    assert one.tally.events == two.tally.events
    assert one.state == two.state
    assert (one.dice, one.tally.counts) == (two.dice, two.tally.counts)
    assert one.tally.events != played(Defaults(), Defaults()).tally.events


def test_what_happened_is_counted() -> None:
    """Every activation is an action, and models that fell are counted."""
    found = played(Defaults(), Defaults())
    assert found.tally.activations == 8
    assert found.tally.decisions > found.tally.activations
    assert found.finished
    lost = sum(found.result.score)
    assert found.tally.counts["models_removed"] == lost


def test_whoever_gives_up_takes_the_default() -> None:
    """An opponent whose answers are all refused plays by defaults, and nothing that was offered was refused."""
    stubborn, usual = played(Stubborn("no"), Stubborn("no")), played(Defaults(), Defaults())
    assert stubborn.tally.events == usual.tally.events
    assert stubborn.offered_refused == 0


def test_a_refused_offer_is_counted() -> None:
    """An option that is refused although it was offered counts, and is not asked again as the default."""
    from rolloff.errors import IllegalCommand
    from rolloff.table.request import Request

    seats = Watched([Defaults(), Defaults()])
    request = Request(0, "choose-unit", "COIN-1", ("a1", "a2"), "a1")
    error = IllegalCommand("no", "COIN-1", "no")
    assert seats.refused(request, "a2", error)
    assert seats.offered_refused == 1
    assert seats.choose(request, None) == "a1"
    assert not seats.refused(request, "a1", error)
    assert seats.offered_refused == 2
    assert seats.refused(request, "a9", error)
    assert seats.offered_refused == 2


def test_a_recorded_game_verifies() -> None:
    """What a match writes down is true."""
    out = io.BytesIO()
    recorder = Recorder(out, Game(COIN, coin_setup()), SEED, ("fickle", "usual"))
    found = played(fickle(), Defaults(), recorder)
    verdict = verify_lines(parse(out.getvalue(), "x"), "x")
    assert verdict.verified
    assert verdict.state == found.state.digest()
