"""What a move would lead to: whom the unit could attack from there and with what odds, and who would see it there.

The rules themselves say so: the step under way is run on with the move as its answer, by defaults, until the unit is
asked for a target. No die falls for it.
"""

from __future__ import annotations

import math
from typing import Any

from rolloff.errors import RolloffError
from rolloff.geometry.field import Scene
from rolloff.geometry.measure import nearest, slots_of
from rolloff.geometry.moves import Order, Shift, Verdict
from rolloff.geometry.paths import judge
from rolloff.lengths import to_inches
from rolloff.odds.quick import preview
from rolloff.oracle.oracle import Answers, Question
from rolloff.record.session import Session
from rolloff.rules.answers import Placement, movers, read_answer
from rolloff.rules.game import Game
from rolloff.rules.moves import heights
from rolloff.rules.play import Play
from rolloff.server.trial import Tried, open_request, run_ahead, verdict_on
from rolloff.situations.asks import answer_ask
from rolloff.table.event import Event, Patch, Placed, Went, apply
from rolloff.table.request import Request
from rolloff.table.state import TABLE, State

TARGET = "choose-target"
FURTHER = 4
"""So many questions on the way to a target are answered by default."""
MOST_ODDS = 8
"""The odds of so many targets are worked out, the nearest first."""

DIRECTIONS = 32
STEP = 250
"""The outline of where a unit can go: so many directions, to so many thou."""

Json = dict[str, Any]


class _Onward:
    """The answers so far, the move that is tried, then defaults until a target is to be chosen."""

    def __init__(self, answers: list[object], about: int) -> None:
        self.given = Answers(answers)
        self.about = about
        self.left = FURTHER
        self.request: Request | None = None

    def choose(self, request: Question, play: object) -> object:
        """Stop at the choice of a target."""
        if self.given.used < len(self.given.answers):
            return self.given.choose(request, play)
        assert isinstance(request, Request)
        if request.kind == TARGET and request.about == self.about:
            self.request = request
        if self.request is not None or self.left == 0:
            raise Tried(None)
        self.left -= 1
        return request.default

    def refused(self, request: Question, answer: object, error: Exception) -> bool:
        """Let a refusal stand."""
        return False


def look(session: Session, value: Any) -> Json:
    """The targets from where a move ends, with range, cover and odds, and the enemies that would see the unit there.

    Raises:
        IllegalCommand: the move would be refused.
    """
    request = open_request(session)
    found = verdict_on(session, value)
    onward = _Onward([*session.answers, read_answer(session.game, session.now, request, value)], request.about)
    play = run_ahead(session, onward)
    state = _moved(session, request, found)
    targets = _targets(play, onward.request) if onward.request is not None else []
    return {"targets": targets, "seen_by": _seen_by(session.game, state, request.about)}


def reach(session: Session) -> list[list[float]]:
    """How far the unit that is asked to move can shift as one, all round: the outline of where its middle may come."""
    request = open_request(session)
    order, game, state = request.order, session.game, session.now
    if not isinstance(order, Order) or not order.allowance or order.leaving >= 0 or order.hull is not None:
        return []
    scene = game.scene(state)
    spots = [state.at(slot) for slot in movers(state, request)]
    if not spots:
        return []
    x, y = (sum(column) / len(spots) for column in zip(*spots, strict=True))
    outline = []
    for k in range(DIRECTIONS):
        dx, dy = math.cos(math.tau * k / DIRECTIONS), math.sin(math.tau * k / DIRECTIONS)
        far = _furthest(scene, order, dx, dy)
        outline.append([to_inches(round(x + far * dx)), to_inches(round(y + far * dy))])
    return outline


def _furthest(scene: Scene, order: Order, dx: float, dy: float) -> int:
    """The longest legal way in a direction, to a quarter of an inch: from afar inward, for a short one may be barred."""
    ways = range(order.allowance, 0, -STEP)
    return next((way for way in ways if judge(scene, order, Shift(int(way * dx), int(way * dy))).legal), 0)


def _moved(session: Session, request: Request, found: object) -> State:
    """The state with the unit where the answer puts it."""
    state = session.now
    if isinstance(found, Verdict):
        slots, xy, facings = movers(state, request), found.ends, found.facings
    elif isinstance(found, Placement):
        slots, xy, facings = found.slots, found.xy, found.facings
    else:
        return state
    patches: list[Patch] = [Placed(slots, xy, heights(session.game, xy), facings)]
    if state.units[request.about].where != TABLE:
        patches.insert(0, Went(request.about, TABLE))
    return apply(state, Event("tried", (), tuple(patches), ()))


def _asked(game: Game, state: State, kind: str, one: str, other: str) -> Any:
    """The edition's own answer to a question about two units; None if it has none."""
    try:
        return answer_ask(game, state, (), {kind: [one, other]}, 0)
    except RolloffError:
        return None


def _targets(play: Play, request: Request) -> list[Json]:
    game, unit = play.game, request.about
    names = [name for name in request.options or () if isinstance(name, str) and name in game.numbers]
    gaps = {name: nearest(play.scene, unit, game.numbers[name]).gap for name in names}
    names.sort(key=lambda name: gaps[name])
    return [_target(play, request, name, gaps[name], k < MOST_ODDS) for k, name in enumerate(names)]


def _target(play: Play, request: Request, name: str, gap: float, wanted: bool) -> Json:
    game, own = play.game, play.game.names[request.about]
    sight, cover = (_asked(game, play.state, kind, own, name) for kind in ("sight", "cover"))
    try:
        odds = preview(play, request, name) if wanted else None
    except RolloffError:
        odds = None
    return {
        "unit": name,
        "range": to_inches(max(0, round(gap))),
        "cover": bool(cover and cover["value"]),
        "line": sight["evidence"]["line"] if sight else None,
        "odds": odds,
    }


def _seen_by(game: Game, state: State, unit: int) -> list[Json]:
    """The enemies that would see the unit, nearest first, and whether a weapon of theirs reaches it."""
    scene = game.scene(state)
    if not slots_of(scene, unit):
        return []
    found = []
    for enemy in game.units_of[1 - game.side_of(unit)]:
        if not slots_of(scene, enemy):
            continue
        sight = _asked(game, state, "sight", game.names[enemy], game.names[unit])
        if sight is None or not sight["value"]:
            continue
        gap = max(0.0, nearest(scene, enemy, unit).gap)
        reach = max(
            (weapon.reach or 0 for slot in state.units[enemy].living for weapon in game.models[slot].weapons), default=0
        )
        found.append({"unit": game.names[enemy], "range": to_inches(round(gap)), "reaches": reach >= gap > 0})
    return sorted(found, key=lambda row: float(str(row["range"])))
