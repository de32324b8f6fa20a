"""CHG-4, PILEIN-3, CONSOL-3: ways that are proposed bring everybody into base contact who can be."""

from __future__ import annotations

from math import dist
from typing import Any

import pytest

from rolloff import agents
from rolloff.editions import registry
from rolloff.editions.commentary import places
from rolloff.editions.commentary.closing_in import consolidated_lawfully, piled_in_lawfully
from rolloff.editions.commentary.fighting import must_touch
from rolloff.errors import IllegalCommand
from rolloff.geometry.judging import judge
from rolloff.geometry.moves import March, Order, Shift
from rolloff.lab.duel import Match, play_game, setup_of
from rolloff.oracle.dice import Stream, seed_bytes
from rolloff.oracle.oracle import Chooser, Question
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.table.request import Request
from tests.commentary.desk import Json, Ruling, blade, squad
from tests.commentary.test_phases import rule

BASE = 1.0
CHARGE = {"phase": "charge", "unit": "a1"}
FIGHT = {"phase": "fight", "unit": "a1"}


def proposed(found: Ruling) -> dict[str, list[list[float]]]:
    """The way that a pending move proposes."""
    assert found.pending is not None, found.events
    assert found.pending["kind"] == "move"
    value = found.pending["default"]
    assert isinstance(value, dict)
    return value


def touching(ends: dict[str, list[list[float]]], *enemies: tuple[float, float]) -> int:
    """How many models would end in base contact with an enemy."""
    return sum(any(dist(path[-1][:2], enemy) - BASE < 0.01 for enemy in enemies) for path in ends.values())


@pytest.mark.clause("commentary-10", "CHG-4")
@pytest.mark.parametrize("count", [2, 3])
def test_a_charge_is_proposed_with_everybody_in_contact(count: int) -> None:
    """Two or three models that charge one are all brought to its base; the same way with one left off it is refused."""
    own = [(10 + 1.3 * k, 10.0) for k in range(count)]
    units = [squad("a1", "A", count, blade(), at=own, M=6), squad("b1", "B", 1, at=[(12, 17)], M=6)]
    found = rule(units, CHARGE, [6, 5], unanswered="stop")
    ends = proposed(found)
    assert touching(ends, (12, 17)) == count
    assert rule(units, CHARGE, [6, 5], answers=[{"kind": "move", "value": ends}]).verdict == "legal"
    name, path = next(iter(ends.items()))
    x, y = path[-1][:2]
    off = {**ends, name: [*path[:-1], [round(x + (x - 12) * 0.1, 3), round(y + (y - 17) * 0.1, 3)]]}
    refused = rule(units, CHARGE, [6, 5], answers=[{"kind": "move", "value": off}])
    assert refused.refusal and refused.refusal["clause"] == "CHG-4"


def behind_a_friend(x: float) -> list[Json]:
    """One model, and a friend between it and an enemy whom he touches."""
    return [
        squad("a1", "A", 1, blade(), at=[(10, x)], M=6),
        squad("a2", "A", 1, at=[(10, 20 - BASE - 0.001)], M=6),
        squad("b1", "B", 1, at=[(10, 20)], M=6),
    ]


@pytest.mark.clause("commentary-10", "CHG-3", "CHG-4")
def test_a_charge_goes_round_a_friend_to_a_free_side_of_the_base() -> None:
    """Where a friend stands on the straight way to an enemy, a place beside him is found."""
    found = rule(behind_a_friend(13), CHARGE, [4, 3], unanswered="stop")
    assert touching(proposed(found), (10, 20)) == 1


@pytest.mark.clause("commentary-10", "CONSOL-1", "CONSOL-3")
def test_a_consolidation_goes_round_a_friend_as_well() -> None:
    """Having destroyed its enemy a model may consolidate to another past a friend, and is asked."""
    near = squad("b2", "B", 1, at=[(8.6, 17)], M=6, W=1, Sv=7)
    units = [*behind_a_friend(17), near]
    stay: Any = {"kind": "move", "value": "stay"}
    found = rule(units, FIGHT, [6, 6], answers=[stay], unanswered="stop")
    assert touching(proposed(found), (10, 20)) == 1, found.events


@pytest.mark.clause("commentary-10", "CONSOL-1")
def test_a_consolidation_into_engagement_range_past_a_friend() -> None:
    """Where a friend keeps a model out of base contact a place beside him within Engagement Range is found, and it is asked."""
    own: Any = {"own": [{"base": {"circle": 1.575}}]}
    small: Any = {"own": [{"base": {"circle": 1.26}}], "M": 6}
    units = [
        squad("a1", "A", 1, blade(), at=[(20, 20)], M=6, **own),
        squad("b1", "B", 1, at=[(21.4195, 20)], **small),
        squad("b2", "B", 1, at=[(21.844, 15.776)], **small),
        squad("a5", "A", 1, at=[(20.989, 17.293)], **small),
    ]
    stay: Any = {"kind": "move", "value": "stay"}
    ends = proposed(rule(units, FIGHT, [6, 6], answers=[stay], unanswered="stop"))
    assert dist(ends["a1.1"][-1], (21.844, 15.776)) - (1.575 + 1.26) / 2 <= 1


LAWS = {"DP-42": must_touch, "DP-47": piled_in_lawfully, "DP-50": consolidated_lawfully}


class Looking:
    """A chooser who looks at the ways that are proposed to an opponent."""

    def __init__(self, other: Chooser, seen: list[str], wrong: list[str]) -> None:
        """Stand behind the opponent."""
        self._other, self._seen, self._wrong, self.refused = other, seen, wrong, other.refused

    def choose(self, request: Question, play: object) -> object:
        """What the opponent says, after a look."""
        assert isinstance(request, Request)
        assert isinstance(play, Play)
        law, order, default = LAWS.get(request.point), request.order, request.default
        moves = isinstance(order, Order) and order.targets and isinstance(default, Shift | March)  # not to a marker
        if law is not None and moves and places.level(play.state.z):
            assert isinstance(order, Order)
            assert isinstance(default, Shift | March)
            self._seen.append(request.point)
            try:
                law(play, order, judge(play.scene, order, default))
            except IllegalCommand as error:  # a game would take it for its own
                self._wrong.append(f"{request.point}: {error}")
        return self._other.choose(request, play)


@pytest.mark.clause("commentary-10", "CHG-4", "PILEIN-3", "CONSOL-3")
def test_ways_that_games_propose_keep_their_own_law() -> None:
    """In games of opponents who close in, no proposed charge, Pile-in or Consolidation would be refused to a player."""
    seen, wrong = list[str](), list[str]()
    match = Match("commentary-10", ("closing", "closing"), points=500, seed=4)
    for index in range(3):
        game = Game(registry.edition(match.edition), setup_of(match, index))
        chairs = [Looking(agents.make("closing", Stream(seed_bytes(4, index, side)), side), seen, wrong) for side in (0, 1)]
        play_game(game, seed_bytes(4, index, "dice"), chairs)
    assert not wrong
    assert {"DP-42", "DP-47", "DP-50"} <= set(seen)
