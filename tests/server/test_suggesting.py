"""What the page suggests: a player who only follows it shoots early, whatever the dice."""

from __future__ import annotations

import pytest

from rolloff.agents import make
from rolloff.errors import IllegalCommand
from rolloff.geometry.moves import Stay
from rolloff.oracle.dice import Stream, seed_bytes
from rolloff.oracle.oracle import Question, Suspended
from rolloff.record.session import Session
from rolloff.rules.answers import read_answer, write_answer
from rolloff.rules.play import Play
from rolloff.server.catalogue import Library
from rolloff.server.messages import GameForm
from rolloff.server.prompts import prompt_json
from rolloff.server.suggesting import suggestion, ways
from rolloff.server.trial import verdict_on
from rolloff.table.event import Event
from rolloff.table.request import Request

MOST_CLICKS = 10
"""From the front page to the first shot."""
ONE_SCREEN = ("muster", "deploy")
"""Questions of these groups are answered by one click together."""
FREE = ("assign-weapons", "allocate")
"""The page answers these by itself where all weapons or models are alike, as they are in the armies for beginners."""


def clicks_for(kind: str, options: list[object] | None, group: str, seen: set[str]) -> int:
    """What one question costs a player who follows the page: a move is laid on the table, then confirmed."""
    if kind in FREE or (options is not None and len(options) == 1):
        return 0
    if group in ONE_SCREEN:
        known = group in seen
        seen.add(group)
        return 0 if known else 1
    return 2 if kind == "move" else 1


def shoots(session: Session, events: list[Event]) -> bool:
    """Whether the player's side has shot."""
    return any(event.kind == "shot" and session.game.side_of(int(str(dict(event.facts)["unit"]))) == 0 for event in events)


def clicks_to_the_first_shot(seed: int, table: str) -> int:
    """Follow the page's suggestions from the click on Play now."""
    library = Library()
    shelf = library.offers()["editions"][0]
    first, second = (army["id"] for army in shelf["armies"][:2])
    game = library.lay_out(GameForm(edition=shelf["id"], army_a=first, army_b=second, table=table), seed)
    session = Session(game, seed_bytes(seed), (None, library.opponent("greedy", seed_bytes(seed + 1000), 1)))
    events, clicks, seen = session.advance(), 1, set[str]()
    while not shoots(session, events):
        request = session.request
        assert request is not None
        shown = prompt_json(game, session.now, request, 0, session.play)
        better = suggestion(session)
        clicks += clicks_for(request.kind, shown["options"], shown.get("group", ""), seen)
        assert clicks <= 40, "the player does not come to shoot"
        answer = read_answer(game, session.now, request, shown["default"]) if better is None else better
        events = session.answer(answer)
    return clicks


@pytest.mark.parametrize("table", ["broken-town", "crossing", "thornwood"])
@pytest.mark.parametrize("seed", [3, 6, 7, 44])
def test_who_follows_the_page_shoots_within_ten_clicks(seed: int, table: str) -> None:
    """On every table and with any dice the suggestions lead to the first shot in ten clicks or fewer."""
    assert clicks_to_the_first_shot(seed, table) <= MOST_CLICKS


def test_a_suggestion_changes_nothing() -> None:
    """Weighing answers leaves the session as it was, dice included."""
    library = Library()
    game = library.lay_out(GameForm(), 1)
    session = Session(game, seed_bytes(1), (None, None))
    session.advance()
    while session.request is not None and session.request.kind != "choose-action":
        session.answer(session.request.default)
    before = session.now, session.drawn, list(session.answers), session.shown
    assert suggestion(session) is not None
    assert (session.now, session.drawn, session.answers, session.shown) == before


class Waits:
    """A machine that waits, as a person would, where a unit that need not pile in could only do so against the rules."""

    def __init__(self, side: int) -> None:
        """Come at the enemy."""
        self.agent = make("closing", Stream(seed_bytes(0, f"c{side}")), side)

    def choose(self, request: Question, play: object) -> object:
        """Leave the question open, or answer it."""
        assert isinstance(request, Request) and isinstance(play, Play)
        pile_in = dict(request.facts).get("action") == "pile-in" and isinstance(request.fallback, Stay)
        if pile_in and next(ways(play.game, play.state, request), None) is not None:
            raise Suspended(request, play)
        return self.agent.choose(request, play)

    def refused(self, request: Question, answer: object, error: Exception) -> bool:
        """Think again."""
        return self.agent.refused(request, answer, error)


def test_no_move_is_suggested_that_its_rules_refuse() -> None:
    """A unit whose charged enemy has fallen is free to go, as far as the ground knows, and piles in only into contact."""
    form = GameForm("commentary-10", "hollow-tide-500", "hollow-tide-500", "toll-crossing")
    session = Session(Library().lay_out(form, 0), seed_bytes(0, "dice"), [Waits(0), Waits(1)])
    session.advance()
    request = session.request
    assert request is not None and request.kind == "move"
    for wish in ways(session.game, session.now, request):
        with pytest.raises(IllegalCommand):
            verdict_on(session, write_answer(session.game, session.now, request, wish))
    assert suggestion(session) is None
