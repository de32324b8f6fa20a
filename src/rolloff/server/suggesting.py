"""What the page suggests: who should act, how, and where to go, so that a player who knows nothing yet does something useful.

Rules offer any lawful answer as the default. Here the step under way is run on with each likely answer, by defaults and
without a die, until the unit is asked for a target; the edition's own advice says what that target is worth.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from math import inf

from rolloff.errors import IllegalCommand
from rolloff.geometry.measure import nearest, slots_of
from rolloff.geometry.moves import Order, Stay, Wish
from rolloff.geometry.paths import advance, judge
from rolloff.oracle.oracle import Answers, Question
from rolloff.record.session import Session
from rolloff.rules.answers import write_answer
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.server.trial import Tried, run_ahead, verdict_on
from rolloff.table.request import Option, Request
from rolloff.table.state import State

UNIT, ACTION, TARGET, MOVE = "choose-unit", "choose-action", "choose-target", "move"
FURTHER = 6
"""So many questions on the way to a target are answered for a trial."""
MOST_UNITS = 8
"""So many units are tried, those first that are nearest to having a target."""
MOST_ENEMIES = 3
"""A move is tried toward so many enemies, the nearest first."""
LEAST = 250
"""A shorter way is no suggestion, in thou."""


class _Ahead:
    """The answers so far, then those that are tried; then moves toward the enemy and defaults, up to a target.

    An action that is not among what is tried ends the trial: its options are kept, to be tried one by one.
    """

    def __init__(self, session: Session, tried: list[object]) -> None:
        self.given = Answers([*session.answers, *tried])
        self.left = FURTHER
        self.worth = 0.0
        self.actions: tuple[object, ...] = ()

    def choose(self, request: Question, play: object) -> object:
        """Stop at the choice of a target with what the best of them is worth."""
        if self.given.used < len(self.given.answers):
            return self.given.choose(request, play)
        assert isinstance(request, Request) and isinstance(play, Play)
        if request.kind == TARGET:
            self.worth = best_worth(play, request)
            raise Tried(None)
        if request.kind == ACTION:
            self.actions = request.options or ()
        if self.actions or self.left == 0:
            raise Tried(None)
        self.left -= 1
        return next(ways(play.game, play.state, request), request.default) if request.kind == MOVE else request.default

    def refused(self, request: Question, answer: object, error: Exception) -> bool:
        """Let a refusal stand."""
        return False


def advised(play: Play, request: Request) -> Mapping[object, float]:
    """What the edition makes of the options."""
    advice = play.game.edition.advice
    return advice(play, request) if advice else {}


def best_worth(play: Play, request: Request) -> float:
    """What the best target is worth; where an edition has no advice any target is worth something."""
    worths = advised(play, request)
    enemies = [option for option in request.options or () if option in play.game.numbers]
    return max((worths.get(option, 1.0) for option in enemies), default=0.0)


def enemies_by_gap(game: Game, state: State, unit: int) -> list[tuple[float, int]]:
    """How far off each enemy on the table is, and where its nearest model is found; the nearest first."""
    scene = game.scene(state)
    if not slots_of(scene, unit):
        return []
    near = (nearest(scene, unit, enemy) for enemy in game.units_of[1 - game.side_of(unit)] if slots_of(scene, enemy))
    return sorted((found.gap, found.b) for found in near)


def ways(game: Game, state: State, request: Request) -> Iterator[Wish]:
    """Moves worth a try: toward the nearest enemies, as far as is legal, not dangerous and worth the trouble."""
    order = request.order
    if not isinstance(order, Order) or not order.allowance or order.leaving >= 0 or not isinstance(request.fallback, Stay):
        return
    scene = game.scene(state)
    for _, slot in enemies_by_gap(game, state, order.unit)[:MOST_ENEMIES]:
        wish = advance(scene, order, *state.at(slot))
        verdict = judge(scene, order, wish)
        if verdict.legal and not verdict.dangerous and verdict.longest >= LEAST and not isinstance(wish, Stay):
            yield wish


def prospect(session: Session, *tried: object) -> float:
    """What the best target is worth that these answers lead to; 0 if they lead to none."""
    ahead = _Ahead(session, list(tried))
    with suppress(IllegalCommand):
        run_ahead(session, ahead)
    return max((prospect(session, *tried, action) for action in ahead.actions), default=ahead.worth)


def _slack(game: Game, state: State, unit: int) -> float:
    """How much the nearest enemy is out of a unit's reach, in thou; less is better."""
    weapons = (weapon for slot in state.units[unit].living for weapon in game.models[slot].weapons)
    reach = max((weapon.reach or 0 for weapon in weapons), default=0)
    return min((gap for gap, _ in enemies_by_gap(game, state, unit)), default=inf) - reach


def _choice(session: Session, play: Play, request: Request) -> object | None:
    """The option of the most worth by the edition's advice; where that leads to no target, the one that leads to the best."""
    options = request.options or ()
    worths = advised(play, request)
    useful = max((option for option in options if option in worths), key=lambda option: worths[option], default=None)
    if request.kind == TARGET or (useful is not None and prospect(session, useful) > 0):
        return useful
    likely = list(options)
    if request.kind == UNIT:
        numbers, state = session.game.numbers, session.now
        units: list[Option] = [option for option in options if str(option) in numbers]
        likely = sorted(units, key=lambda name: _slack(session.game, state, numbers[str(name)]))[:MOST_UNITS]
    found = [(prospect(session, option), option) for option in likely]
    worth, best = max(found, key=lambda pair: pair[0], default=(0.0, None))
    return best if worth > 0 else useful


def _way(session: Session, request: Request) -> Wish | None:
    """The move that leads to the best target, else the one toward the nearest enemy; none the rules of this move refuse."""
    found = [(prospect(session, wish), wish) for wish in ways(session.game, session.now, request)]
    found.sort(key=lambda pair: -pair[0])
    return next((wish for _, wish in found if _lawful(session, request, wish)), None)


def _lawful(session: Session, request: Request, wish: Wish) -> bool:
    """Whether the judge of the question takes a move; the ground alone knows nothing of where this kind of move must end."""
    with suppress(IllegalCommand):
        verdict_on(session, write_answer(session.game, session.now, request, wish))
        return True
    return False


def suggestion(session: Session) -> object | None:
    """The answer a player may be suggested to the open request; None if the rules' default is as good."""
    request, play = session.request, session.play
    if request is None or play is None:
        return None
    if request.kind == MOVE:
        return _way(session, request)
    if request.kind in (UNIT, ACTION, TARGET) and request.options and len(request.options) > 1:
        return _choice(session, play, request)
    return None
