"""Words for players: what an edition calls its questions, options, statistics, marks and phases.

Rules ask by points and clauses; people want a sentence. Each edition declares its own here, as templates, and whoever
talks to people (the page, the command line) reads them. Ids never reach a person: ``{about}`` and other facts are names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct, field

from rolloff.rules.component import Component
from rolloff.table.request import Option, Request

if TYPE_CHECKING:
    from rolloff.rules.play import Play

Notes = Mapping[Option, str]


class Prompt(Struct, frozen=True):
    """One question as a player is asked it: a line, a sentence on what follows, and words for its plain options.

    Questions of one ``group`` that come one after the other to the same player may be answered on one screen;
    ``row`` is then the line of that screen.
    """

    title: str
    text: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    group: str = ""
    row: str = ""


class Explained(Struct, frozen=True):
    """What a rule does in a sentence; its words as a clause, if the rulebook has none of its id; the rule of a card it is."""

    gist: str
    text: str = ""
    rule: str = ""


class Words(Component, frozen=True):
    """All the words of an edition.

    ``prompts`` are found by a request's point and purpose (``DP-3:merge``), else by its point alone, else by its kind and its
    moment or clause (``react:rolled``, ``choose-unit:MOVE-1``), else by its kind. ``stats`` are the
    statistics a card shows, in order, each with a template for its value; ``marks`` what a mark is called, empty if a
    player need not see it (of the marks of players those are seen that have a name here, as in ``"{value} embers"``, and
    what reactions are paid from); ``phases`` what a phase of the clock is called; ``by_hand`` the marks players may agree to
    change; ``rolls`` what the plain number of a roll is, by its purpose; ``keywords`` how a keyword that is written for
    programs (``leads:Ledger Guard``) stands on a card, by the whole of it or by what is before the colon. ``notes`` says what
    each option means here and now, ``missing`` why an option is not offered, ``explained`` what rules do that may be used, by
    their ids. ``points`` names the decision point of a request that does not say it.
    """

    prompts: Mapping[str, Prompt] = field(default_factory=dict)
    stats: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    marks: Mapping[str, str] = field(default_factory=dict)
    phases: Mapping[str, str] = field(default_factory=dict)
    by_hand: tuple[str, ...] = ()
    rolls: Mapping[str, str] = field(default_factory=dict)
    keywords: Mapping[str, str] = field(default_factory=dict)
    notes: Callable[[Play, Request], Notes] | None = None
    missing: Callable[[Play, Request], Notes] | None = None
    points: Callable[[Request], str] | None = None
    explained: Callable[[], Mapping[str, Explained]] | None = None

    def point(self, request: Request) -> str:
        """The decision point of a request, as the edition's list has it; empty if it has none."""
        return request.point or (self.points(request) if self.points else "")

    def prompt(self, request: Request) -> Prompt | None:
        """What to say for a request, or None if the edition has no words for it."""
        facts = dict(request.facts)
        purpose = facts.get("purpose", facts.get("action", ""))
        exact = (f"{request.point}:{purpose}", request.point)
        plain = (f"{request.kind}:{facts.get('moment', request.clause)}", request.kind)
        return next((self.prompts[name] for name in (*exact, *plain) if name and name in self.prompts), None)
