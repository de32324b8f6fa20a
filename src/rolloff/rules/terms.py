"""The words an edition declares so that others need not know it: what actions are for, and what becomes of units.

Opponents, counts, odds and pages read these; none of them tests for an edition's own words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum

from msgspec import Struct, field

from rolloff.table.profile import Card, Model


class Role(StrEnum):
    """What an action is for."""

    HOLD = "hold"
    """stay, and do what staying allows"""
    STEADY = "steady"
    """move, and still shoot"""
    RUSH = "rush"
    """go further, and do no more"""
    CLOSE = "close"
    """get into contact and fight"""
    REST = "rest"
    """do nothing, or nothing of the sort"""


class Action(Struct, frozen=True):
    """Something a unit may do with its turn, by the edition's word for it; with ``counted`` off no report counts it."""

    name: str
    role: Role = Role.REST
    counted: bool = True


class Outcome(Struct, frozen=True):
    """What becomes of a unit's nerve, by the edition's word for it.

    ``event`` is the kind of event that brings it about in a game; with ``marks`` the unit bears it afterwards, and
    ``breaks`` means that it is gone or flees.
    """

    word: str
    event: str = ""
    marks: bool = False
    breaks: bool = False


NONE = Outcome("none")
"""Nothing was tested."""
PASSED = Outcome("passed", event="morale-passed")
UNTOUCHED = (NONE, PASSED)
"""The outcomes of every edition that says nothing of its own."""


class Outcomes(Struct, frozen=True):
    """All outcomes of an edition, the mildest first; the first two are no test, and a test that was passed."""

    ranked: tuple[Outcome, ...] = UNTOUCHED

    def worse(self, one: str, other: str) -> str:
        """The worse of two words."""
        return max(one, other, key=self.words.index)

    @property
    def words(self) -> tuple[str, ...]:
        """Every word, the mildest first."""
        return tuple(outcome.word for outcome in self.ranked)

    @property
    def untested(self) -> str:
        """The word for no test at all."""
        return self.ranked[0].word

    @property
    def passed(self) -> str:
        """The word for a test that was passed."""
        return self.ranked[1].word

    @property
    def breaking(self) -> tuple[str, ...]:
        """The words of units that are gone or flee."""
        return tuple(outcome.word for outcome in self.ranked if outcome.breaks)

    @property
    def marking(self) -> tuple[str, ...]:
        """The words that a unit bears afterwards."""
        return tuple(outcome.word for outcome in self.ranked if outcome.marks)

    def of_event(self, kind: str) -> str | None:
        """The word that a kind of event stands for, if it is one of nerve."""
        return next((outcome.word for outcome in self.ranked if outcome.event == kind), None)


class Bars(Struct, frozen=True):
    """The clauses that bar a reaction which is paid for, for whoever is told why it was refused.

    ``cost``: its player has too few points. ``limits``: it was used before, by the word for how long that bars it (else its
    own clause). ``marks``: no such reaction affects a unit with the mark.
    """

    cost: str = ""
    limits: Mapping[str, str] = field(default_factory=dict)
    marks: Mapping[str, str] = field(default_factory=dict)


class SituationDefaults(Struct, frozen=True):
    """What a written situation means where it is silent.

    ``phase``: the phase of the clock (empty: the one a game opens with). ``models``: what a model is like, by the type of
    its unit. ``marks`` and ``model_marks``: the marks that may be written on units and models, ``*`` for any ending
    (None: any); ``synonyms``: other words for some of them. ``clause``: what an attack that is stated apart from a game is
    asked under. ``purse`` and ``score``: the marks of a player that hold points to spend and points scored; ``marker``: the
    terrain type and radius of a marker to be held. ``wider``: a switch under which reactions are offered that players are
    not asked about otherwise; a case that uses one is ruled on under it. ``returning``: how rules
    begin by which destroyed models of a unit, or of one that is led, come back. ``tops``: the terrain types on whose top models
    stand, where the rules themselves find out how high somebody stands; the ``elevation`` of a piece is then that of its top.
    ``leads``: whether a unit (first) that is written to be inside another leads it and does not ride in it, where Leaders
    are part of whom they lead and yet units that are destroyed by themselves. ``bars``: why a reaction is refused.
    """

    phase: str = ""
    models: Mapping[str, Model] = field(default_factory=dict)
    marks: tuple[str, ...] | None = None
    model_marks: tuple[str, ...] = ()
    clause: str = ""
    purse: str = ""
    score: str = ""
    marker: tuple[str, int] = ("", 0)
    synonyms: Mapping[str, Mapping[str, int | str]] = field(default_factory=dict)
    wider: str = ""
    returning: tuple[str, ...] = ()
    tops: frozenset[str] = frozenset()
    leads: Callable[[Card, Card], bool] | None = None
    bars: Bars = Bars()


class EngineClauses(Struct, frozen=True):
    """The clauses behind what every game does by itself; empty where the rulebook says nothing.

    ``choice``: what is not open is not asked. ``edition``: an army is of one edition. ``profiles``: a unit has the models its
    profile gives. ``upgrades``: upgrades come from the lists a profile names, and add their cost;
    ``for_all`` and ``for_each`` (else ``upgrades``): how often an option for all models, or for single ones, is taken.
    ``size``: an army costs no more than its game has points. ``faction``: its units are of its faction's book, and
    ``enhancements`` those of that book.
    """

    choice: str = ""
    edition: str = ""
    profiles: str = ""
    upgrades: str = ""
    for_all: str = ""
    for_each: str = ""
    size: str = ""
    faction: str = ""
    enhancements: str = ""
