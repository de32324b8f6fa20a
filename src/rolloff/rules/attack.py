"""The attack form: one attack stated apart from a game, and what an edition does with it, rolled or exact.

What a form leaves out (None) comes from positions; an edition refuses a form that neither states nor shows what it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct, field

from rolloff.oracle.flow import Tally, Volley
from rolloff.oracle.roll import Dice, Spent
from rolloff.oracle.target import UnitTarget
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.table.state import State

SHOOTING, MELEE = "shooting", "melee"
"""Kinds of attack that every edition knows by these words."""
KINDS = (SHOOTING, MELEE, "power", "danger")
"""Kinds of attack that can be written down, unless the sequence of an edition says otherwise."""
NO_POLICIES: Mapping[str, tuple[str, ...]] = {}
"""The choices of an edition that names none of its own."""


class AttackForm(Struct, frozen=True):
    """One attack: who, whom, how, with what, and the circumstances. Lengths in thou.

    ``everyone`` lets every model strike wherever it stands now: for odds before a charge has brought them there.
    ``afraid``: the attacker has failed a test that hampers its strikes for this melee. ``shares``: model, weapon and
    how many attacks, of those weapons that send the others elsewhere.
    """

    attacker: int
    target: int
    kind: str
    weapons: tuple[tuple[int, int], ...] | None = None
    range: int | None = None
    visible: bool | None = None
    cover: bool | None = None
    facing: str | None = None
    moved: bool | None = None
    charged: bool | None = None
    stationary: bool | None = None
    half_range: bool | None = None
    everyone: bool = False
    afraid: bool = False
    shares: tuple[tuple[int, int, int], ...] = ()


class Change(Struct, frozen=True):
    """One line of an audit: what was altered, from what to what, by which clause."""

    what: str
    before: object
    after: object
    clause: str


class Toll(Struct, frozen=True):
    """What an attack costs whoever makes it, so that the unit's later attacks can be made by those who are left.

    ``alone(dice)`` is what the attacker is left with, where that depends on nothing that befalls the target. Else
    ``along(dice, start, tallies, onto)`` is the whole attack in direct style: the end of the target, and as ``firer`` that of
    the attacker; ``onto`` may stand for the target, and goes on counting when nobody is left. ``paid`` writes it into a state.
    """

    paid: Callable[[State, Any], State]
    alone: Callable[[Dice], Any] | None = None
    along: Callable[[Dice, Any, tuple[Tally, ...], Any], Spent[Any, Any]] | None = None


class Plan(Struct, frozen=True):
    """An attack ready for exact odds: its volleys, the target as a ladder of wounds, and the tests that follow it.

    ``after(dice, start, end)`` is direct-style code for what the losses lead to; it gives a word such as ``pinned``.
    ``order`` names the target's models in the order they are taken; ``stages`` and ``audit`` explain the numbers.
    ``shielded`` are those of them that nothing reaches by itself while others stand.
    ``step(dice, start, tallies)`` is the whole event in direct style where volleys cannot tell it: then it stands in their
    place, and odds are the law of it. ``parts`` is that step once more, in two: a plan of plain volleys, and what is rolled
    when it has ended, from its end to the end of this plan. Odds take it, where there is one, as the quicker way.
    ``tested_by`` reads off an end all that the tests depend on: ends that agree in it are tested alike. ``tests_kept``: both
    equal any others that give the same, so that it is kept for the next question. ``mortal`` says that
    the edition tells mortal wounds apart; ``own_losses(dice)`` is how many models the attacker loses to its own weapons; where
    ``shielded`` names models, what befalls them is told apart from the others. ``left`` says where an end leaves the game,
    if the wounds lost by each model do not say all; ``toll`` what the attack costs the attacker, if it may.
    """

    volleys: tuple[Volley, ...]
    target: UnitTarget[Any]
    start: Any
    after: Callable[[Dice, Any, Any], str] | None = None
    order: tuple[int, ...] = ()
    audit: tuple[Change, ...] = ()
    policies: Mapping[str, str] = field(default_factory=dict)
    step: Callable[[Dice, Any, tuple[Tally, ...]], Spent[Any, Any]] | None = None
    parts: tuple[Plan, Callable[[Dice, Any], Any]] | None = None
    shielded: tuple[int, ...] = ()
    tested_by: Callable[[Any], Hashable] | None = None
    mortal: bool = False
    own_losses: Callable[[Dice], int] | None = None
    left: Left | None = None
    tests_kept: bool = False
    toll: Toll | None = None


class ResolvedAttack(Struct, frozen=True):
    """An attack as play resolved it: who and whom, the plan whose dice were rolled, and where they left the target.

    What a play's ``watch`` is told. Choices are in the plan as they were made: modes, re-rolls, who falls first. ``attacker``
    is -1 where nobody attacks, ``event`` the place of the attack among the events of its step, ``round`` when it was.
    """

    attacker: int
    target: int
    kind: str
    plan: Plan
    end: Any
    event: int
    round: int


class AttackSequence:
    """What an edition does with an attack form.

    ``policies`` are the choices odds can be asked under, the default of each first. ``exchange`` is a melee with strikes
    back, ``tests`` the one test that all attacks on a unit lead to, for an edition that has them.
    """

    policies: Mapping[str, tuple[str, ...]] = NO_POLICIES
    exchange: Exchange | None = None
    tests: Tests | None = None

    def kinds(self) -> tuple[str, ...]:
        """The words for the kind of a written attack."""
        return KINDS

    def run(self, play: Play, form: AttackForm) -> None:
        """Roll the attack with all that follows from it."""
        raise NotImplementedError

    def plan(self, game: Game, state: State, form: AttackForm, policies: Mapping[str, str]) -> Plan:
        """The same attack for exact odds."""
        raise NotImplementedError


class FightResult(Struct, frozen=True):
    """How one exchange of blows ended: models each side felled, who caused more, and what became of the loser.

    ``edge``: 1 the attacker won, -1 it lost, 0 a tie. ``ours`` and ``theirs`` are words such as ``pinned``.
    """

    kills: int
    losses: int
    edge: int
    ours: str
    theirs: str


class Exchange(Protocol):
    """Strikes and strikes back, as a step in direct style."""

    def __call__(
        self, game: Game, state: State, forms: Sequence[AttackForm], policies: Mapping[str, str]
    ) -> Callable[[Dice], FightResult]:
        """The exchange these strikes open, from a state."""
        ...


class Left(Protocol):
    """Where an attack planned from a state leaves the game, if wounds lost do not say all."""

    def __call__(self, game: Game, state: State, plan: Plan, end: Any) -> State:
        """The state with what the target's end of the plan means for it."""
        ...


class Tests(Protocol):
    """The one test that all attacks on a unit lead to, taken only after the last."""

    def __call__(self, game: Game, before: State, unit: int) -> Callable[[Dice, State], str]:
        """What the losses since a state lead to, told by where the game stands then."""
        ...
