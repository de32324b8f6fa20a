"""What the invariants look at: one step of a game, event by event, and what is printed on the cards.

Everything here is read off the cards and the events by plain arithmetic; no rule of an edition is called.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property

from msgspec import Struct

from rolloff.geometry.field import Scene
from rolloff.geometry.measure import nearest
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.table.event import Event, Marked, Removed, Wounded, apply
from rolloff.table.profile import Rule, read_roll
from rolloff.table.state import GONE, MERGED, TABLE, State

INCH = 1000
LEEWAY = 10
ABOARD = 0
"""A unit whose place is at least this number is aboard the unit of that number."""


class Terms(Struct, frozen=True):
    """What the book of an edition says where the family differs, written down from the contract and not from the code.

    ``leads``: coherency, moves and the right to strike go by the leader and the unit, and outlines stand for units;
    ``steps``: the strikes of a step of a melee are rolled together; ``damage``: dice a wounded vehicle may roll.
    """

    types: tuple[str, ...] = ("infantry", "vehicle")
    leads: bool = False
    steps: bool = False
    link: int = 2
    difficult: int | None = 6
    arrival: int = 12
    late: bool = False
    """Whether units may wait in reserve to the end."""
    pool: int = 6
    damage: tuple[int, ...] = (1,)
    damaged: tuple[str, ...] = ("vehicle",)
    failures_again: tuple[str, ...] = ("RULE-LINKED-1",)


TERMS = {
    "onepage-2.21": Terms(
        types=("infantry", "monster", "walker", "vehicle"),
        steps=True,
        link=1,
        difficult=None,
        late=True,
        damage=(1, 2),
        damaged=("vehicle", "walker"),
        failures_again=("RULE-LINKED-1", "RULE-HATRED-1"),
    ),
    "apocalypse-3.3": Terms(leads=True, arrival=6, damage=(), damaged=()),
}


class Broken(AssertionError):
    """An invariant does not hold."""


class Moment(Struct, frozen=True):
    """One event with the states before and after it."""

    before: State
    event: Event
    after: State

    def unit(self, name: str = "unit") -> int:
        """The unit a fact names, or -1."""
        found = self.event.fact(name)
        return found if isinstance(found, int) and not isinstance(found, bool) else -1

    def number(self, name: str) -> int:
        """A count among the facts."""
        found = self.event.fact(name)
        assert isinstance(found, int), (self.event.kind, name)
        return found

    def slots(self, name: str = "models") -> tuple[int, ...]:
        """The models a fact names."""
        found = self.event.fact(name)
        return tuple(slot for slot in found if isinstance(slot, int)) if isinstance(found, tuple) else ()

    def removed(self) -> list[int]:
        """Models this event takes off."""
        return [patch.slot for patch in self.event.patches if isinstance(patch, Removed)]

    def wounded(self) -> list[int]:
        """Models whose wounds this event sets."""
        return [patch.slot for patch in self.event.patches if isinstance(patch, Wounded)]

    def marks(self, name: str) -> list[Marked]:
        """Marks of a name this event sets or lifts on units."""
        return [patch for patch in self.event.patches if isinstance(patch, Marked) and patch.name == name]


class Chart:
    """What the cards say of every roster slot."""

    def __init__(self, game: Game) -> None:
        """Read the cards."""
        self.game = game
        self.terms = TERMS.get(game.edition.id, Terms())
        self.card_of = tuple(number for number, card in enumerate(game.cards) for _ in card.models)
        self.rules = tuple(
            _rules((*game.cards[self.card_of[slot]].rules, *model.rules)) for slot, model in enumerate(game.models)
        )
        self.tough = tuple(int(rules.get("Tough") or 1) for rules in self.rules)
        self.places = tuple(int(rules.get("Transport") or 0) for rules in self.rules)

    def vehicle(self, unit: int) -> bool:
        """Whether a unit is a vehicle."""
        return self.game.cards[unit].type == "vehicle"

    def all_have(self, state: State, unit: int, rule: str) -> bool:
        """Whether every living model has a rule, or the unit was granted it."""
        held = state.units[unit]
        return held.mark(f"grant:{rule}") is not None or all(rule in self.rules[slot] for slot in held.living)

    def hurt(self, state: State, unit: int) -> list[int]:
        """Partly wounded models of a unit."""
        return [slot for slot in state.units[unit].living if state.wounds_on(slot)]


def _rules(rules: Iterable[Rule]) -> dict[str, float | None]:
    found: dict[str, float | None] = {}
    for rule in rules:
        value = None if rule.rating is None else read_roll(rule.rating).mean
        found[rule.name] = max(value or 0, found.get(rule.name) or 0) if value is not None else None
    return found


class Step:
    """One step of a game: the state it began from and every event with the states around it."""

    def __init__(self, chart: Chart, before: State, play: Play) -> None:
        """Go through the events once."""
        self.chart, self.game, self.before, self.play = chart, chart.game, before, play
        self.moments: list[Moment] = []
        state = before
        for event in play.events:
            after = apply(state, event) if event.patches else state
            self.moments.append(Moment(state, event, after))
            state = after
        self.after = play.state
        if state != play.state:
            raise Broken("the events of a step do not lead to its last state")

    def of(self, *kinds: str) -> Iterator[Moment]:
        """The moments of some kinds."""
        return (moment for moment in self.moments if moment.event.kind in kinds)

    def has(self, *kinds: str) -> bool:
        """Whether an event of some kind happened."""
        return any(True for _ in self.of(*kinds))

    @cached_property
    def activated(self) -> Moment | None:
        """The activation, if the step is one."""
        return next(self.of("activated"), None)

    @cached_property
    def acting(self) -> int:
        """The unit that acts, or -1."""
        return -1 if self.activated is None else self.activated.unit()

    @cached_property
    def action(self) -> str:
        """What it does."""
        return "" if self.activated is None else str(self.activated.event.fact("action"))

    @cached_property
    def final_scene(self) -> Scene:
        """The table after the step."""
        return self.game.scene(self.after)


class Ledger:
    """How often each invariant was looked at, so that none holds only because nothing ever came up."""

    def __init__(self) -> None:
        """Begin at nothing."""
        self.looked: Counter[str] = Counter()

    def hold(self, invariant: str, holds: bool, *why: object) -> None:
        """Note that an invariant was looked at; raise `Broken` if it does not hold."""
        self.looked[invariant] += 1
        if not holds:
            raise Broken(f"{invariant}: " + " ".join(str(part) for part in why))


def on_table(state: State) -> list[int]:
    """The units that stand on the table."""
    return [number for number, unit in enumerate(state.units) if unit.where == TABLE and unit.living]


def needs_turn(state: State, unit: int) -> bool:
    """TURN-7 read off the state: alive, and on the table or aboard."""
    held = state.units[unit]
    return bool(held.living) and (held.where == TABLE or held.where >= ABOARD)


def is_out(state: State, unit: int) -> bool:
    """Whether a unit is destroyed, or part of another."""
    return state.units[unit].where in (GONE, MERGED) or not state.units[unit].living


def apart(scene: Scene, one: int, other: int) -> float:
    """The gap between two units on the table."""
    return nearest(scene, one, other).gap
