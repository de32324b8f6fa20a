"""The questions of one screen: what a player would be asked one after the other, laid side by side.

The step under way is run with the answers chosen so far. Every question of the same group that comes up is a row; a
change in one row may bring or take away others, so the page asks anew after each.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rolloff.oracle.oracle import Answers, Question
from rolloff.record.session import Session
from rolloff.rules.play import Play
from rolloff.server.prompts import key_of, prompt_json
from rolloff.server.trial import Tried, open_request, run_ahead
from rolloff.table.request import Request

Json = dict[str, Any]
MOST_ROWS = 200
"""A screen has no more rows; no army comes near."""


class _Surveyor:
    """Answers the group's questions from a plan and writes them down; stops at the first of another kind."""

    def __init__(self, session: Session, plan: Mapping[str, Any]) -> None:
        first = open_request(session)
        self.given = Answers(session.answers)
        self.who, self.group = first.who, _group(session, first)
        self.session, self.plan = session, plan
        self.rows: list[Json] = []

    def choose(self, request: Question, play: object) -> object:
        """The tape first, then the plan."""
        if self.given.used < len(self.given.answers):
            return self.given.choose(request, play)
        assert isinstance(request, Request) and isinstance(play, Play)
        if request.who != self.who or _group(self.session, request) != self.group or len(self.rows) >= MOST_ROWS:
            raise Tried(None)
        wanted = self.plan.get(key_of(play.game, request))
        options = request.options or ()
        answer = next((one for one in options if one == wanted and type(one) is type(wanted)), request.default)
        self.rows.append(prompt_json(play.game, play.state, request, 0, play) | {"value": answer})
        return answer

    def refused(self, request: Question, answer: object, error: Exception) -> bool:
        """Let a refusal stand; nothing outside what is offered is ever answered here."""
        return False


def _group(session: Session, request: Request) -> str:
    prompt = session.game.edition.words.prompt(request)
    return prompt.group if prompt and prompt.row and request.options else f"{request.point} alone"


def survey(session: Session, plan: Mapping[str, Any]) -> list[Json]:
    """The rows of the screen the open request belongs to, answered as planned, else as suggested."""
    surveyor = _Surveyor(session, plan)
    run_ahead(session, surveyor)
    return surveyor.rows
