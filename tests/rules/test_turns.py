"""Turns: the order of rows, who picks, where a game ends, and what is skipped."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from rolloff.oracle.dice import SeededDice
from rolloff.oracle.oracle import Defaults, Oracle
from rolloff.rules.effects import Boundary
from rolloff.rules.fights import AlternatePicks
from rolloff.rules.game import Game
from rolloff.rules.play import OVER, Play
from rolloff.rules.rows import ACTIVE, Activations, Alternate, Chain, Drawn, Each, Ends, Once
from rolloff.rules.turns import COMMAND, TURN, Crossing, Step, end_game, goes_on, leading, pick_next
from rolloff.table.event import Done, Ticked
from rolloff.table.state import Clock, State
from tests.rules.drill import TURNS, acted, drill, everybody, log, rows, step


def walk(game: Game, state: State) -> list[tuple[str, int, int]]:
    """The clocks of a whole game played by default."""
    found: list[tuple[str, int, int]] = []
    while state.clock.phase != OVER:
        clock = state.clock
        found.append((clock.phase, clock.round, clock.active))
        state = step(game, state, "pass").state
    return found


def each(name: str, phase: str = "") -> Step:
    """A row in which each unit acts."""
    return Step(name, Each(everybody, acted, "DR-1", picked="picked"), phase)


def nothing(play: Play) -> None:
    """No work."""


def test_rows_come_in_their_order() -> None:
    """Once before, every row for the first player and the second, once after, for as many rounds as there are."""
    turns = rows(TURNS, before=(Step("dawn", Once((nothing,))),), turn=(each("move"), each("shoot")), after=(each("dusk"),))
    game = drill(turns)
    one = [("dawn", 0), ("move", 0), ("shoot", 0), ("move", 1), ("shoot", 1), ("dusk", 0)]
    assert walk(game, game.start()) == [(name, number, side) for number in (1, 2) for name, side in one]


def test_each_unit_acts_once_and_the_player_may_stop() -> None:
    """A unit that has acted is not offered again; the flags are cleared with the next row; passing ends the row."""
    game = drill(rows(TURNS, turn=(each("move"), each("shoot"))), units=(2, 1))
    play = step(game, game.start(), "a2")
    assert log(play.events) == ["picked 1", "acted 1"] and play.state.units[1].done
    after = step(game, play.state, "pass")
    assert after.answers[0][0].options == ("a1", "pass")
    assert after.state.clock.phase == "shoot" and not any(held.done for held in after.state.units)


def test_a_row_that_is_not_fresh_keeps_who_has_acted() -> None:
    """Who acted in the row before cannot act in a row that goes on with it."""
    second = Step("late", Each(everybody, acted, "DR-1", picked="picked"), fresh=False)
    game = drill(rows(TURNS, turn=(each("early"), second)), units=(2, 1))
    state = step(game, step(game, game.start(), "a1").state, "pass").state
    assert state.clock.phase == "late" and state.units[0].done
    assert step(game, state).answers[0][0].options == ("a2", "pass")


def test_players_alternate_inside_a_turn() -> None:
    """The other player picks first where the row says so; who has none left is passed over; the clock's side stands."""
    game = drill(rows(TURNS, turn=(Step("fight", Alternate(everybody, acted, "DR-1")),)), units=(2, 1))
    state, report = game.start(), []
    for _ in range(3):
        play = step(game, state)
        report += log(play.events)
        state = play.state
        assert state.clock.active == 0
    assert report == ["picked 2", "acted 2", "picked 0", "acted 0", "picked 1", "acted 1"]
    assert step(game, state).state.clock.active == 1


def fast(play: Play, side: int) -> list[int]:
    """Every second unit belongs to the first of two rows."""
    return [unit for unit in everybody(play, side) if unit % 2 == 0]


def due(play: Play, side: int, step: int, fought: tuple[int, ...]) -> tuple[int, ...]:
    """The same as a fight asks for it: who of a step has not fought."""
    return tuple(unit for unit in (fast, everybody)[step](play, side) if unit not in fought)


def second() -> int:
    """Who picks first."""
    return 1


@pytest.mark.parametrize("units", [(1, 1), (3, 1), (1, 4), (4, 3)])
def test_a_row_of_a_game_and_a_fight_of_odds_pick_alike(units: tuple[int, int]) -> None:
    """Two rows of `Alternate`, one unit a command, take units in the order of `AlternatePicks` in two steps."""
    table = (Step("fast", Alternate(fast, acted, "DR-1")), Step("all", Alternate(everybody, acted, "DR-1"), fresh=False))
    game = drill(rows(TURNS, turn=table), units=units)
    state, picked = game.start(), []
    for _ in range(sum(units) + 1):
        play = step(game, state)
        state = play.state
        picked += [event.fact("unit") for event in play.events if event.kind == "acted"]
    fight = Play(game, game.start(), Oracle(SeededDice(b"drill"), Defaults()))
    AlternatePicks(second, due, acted, "DR-1", steps=2)(fight)
    assert picked == [event.fact("unit") for event in fight.events] and len(picked) == sum(units)


def test_a_player_who_alternates_may_have_enough() -> None:
    """With ``may_stop`` a player may pass: his other units have had their part, and the other player goes on alone."""
    row = Alternate(everybody, acted, "DR-1", starts=ACTIVE, may_stop=True)
    game = drill(rows(TURNS, turn=(Step("fight", row),)), units=(2, 2))
    first = step(game, game.start(), "a1")
    passed = step(game, first.state, "pass")
    assert log(passed.events) == ["passed"] and passed.answers[0][0].options == ("b1", "b2", "pass")
    last = step(game, passed.state, "a2")
    assert log(last.events)[-1] == "acted 1" and step(game, last.state).state.clock.active == 1


def test_who_leads_is_settled_in_a_row_before_the_turns() -> None:
    """After `leading` the rows and turns of this round begin with that player, and not with whoever was first."""
    led = Step("lead", Once((lambda play: play.emit("acted", ("DR-1",), leading(play, 1)),)))
    game = drill(
        rows(TURNS, before=(led, Step("both", Alternate(everybody, acted, "DR-1", starts=ACTIVE))), turn=(each("own"),))
    )
    assert walk(game, game.start())[:5] == [("lead", 1, 0), *[("both", 1, 1)] * 3, ("own", 1, 1)]


def test_a_unit_named_to_go_next_goes_next() -> None:
    """`pick_next` takes the pick away from whoever would have had it, once."""

    def first_calls(play: Play, unit: int) -> None:
        acted(play, unit)
        if unit == 0:
            pick_next(play, 1, "DR-1")

    game = drill(rows(TURNS, turn=(Step("fight", Alternate(everybody, first_calls, "DR-1", starts=ACTIVE)),)), units=(2, 2))
    play = step(game, game.start(), "a1")
    second = step(game, play.state)
    assert log(second.events)[-1] == "acted 1" and not second.answers
    assert step(game, second.state).answers[0][0].who == 1


def test_activations_pass_the_turn() -> None:
    """A turn is one unit's; it passes to the other player, or stays where only one has units left; then the row is over."""

    def act(play: Play, unit: int) -> None:
        play.emit("acted", ("DR-1",), Done(unit, True), unit=unit)

    def passes(play: Play, side: int, following: int) -> None:
        if following != side:
            play.tick(Clock("act", play.state.clock.round, following), "next", "DR-1")

    game = drill(rows(TURNS, before=(Step("act", Activations(everybody, act, "DR-1", passes)),)), units=(3, 1))
    state, sides = game.start(), []
    while state.clock.round == 1:
        sides.append(state.clock.active)
        state = step(game, state).state
    assert sides == [0, 1, 0, 0]


def test_units_are_drawn_by_lot() -> None:
    """Whoever's unit is drawn has the turn; each is drawn once a round, and the last without a die."""
    game = drill(rows(TURNS, before=(Step("act", Drawn(everybody, acted, "DR-1")),)), units=(1, 2))
    state, rolls = game.start(), list[list[object]]()
    seen: list[tuple[Any, int]] = []
    for _ in range(3):
        play = step(game, state)
        rolls.append([event.fact("sides") for event in play.events if event.kind == "rolled"])
        seen.append((play.events[-1].fact("unit"), play.state.clock.active))
        state = play.state
    assert sorted(unit for unit, _ in seen) == [0, 1, 2] and all(side == (unit > 0) for unit, side in seen)
    assert rolls == [[3], [2], []] and step(game, state).state.clock.round == 2


@pytest.mark.parametrize(("over_at", "rows_played"), [(COMMAND, 1), (TURN, 4)])
def test_where_the_game_may_end(over_at: str, rows_played: int) -> None:
    """A game that is over by its own rule ends after the command, or only with the turn, as the edition says."""
    turns = rows(TURNS, turn=(each("move"), each("shoot")))
    game = drill(replace(turns, over=lambda play: "wipeout", over_at=over_at))
    state, commands = game.start(), 0
    while state.clock.phase != OVER:
        state, commands = step(game, state).state, commands + 1
    assert commands == rows_played and state.clock.mark("end") == "wipeout"


def test_who_concedes_has_lost() -> None:
    """The other player wins whatever the score, and the clock keeps who gave up."""
    game = drill(rows(TURNS, turn=(each("move"),)))
    play = Play(game, game.start(), step(game, game.start()).oracle)
    end_game(play, "wipeout", conceded=0)
    assert play.events[-1].fact("winner") == "B" and play.state.clock.mark("conceded") == "A"


def test_an_end_with_nothing_to_do_takes_no_command() -> None:
    """The end of a phase is a row of its own only where somebody works or may react there."""
    work: list[str] = []
    idle, busy = Step("move-end", Ends("end-move")), Step("shoot-end", Ends("end-shoot", lambda play: work.append("control")))
    game = drill(rows(TURNS, turn=(each("move"), idle, each("shoot"), busy)))
    assert [name for name, number, side in walk(game, game.start()) if (number, side) == (1, 0)] == [
        "move",
        "shoot",
        "shoot-end",
    ]
    assert work == ["control"] * 4


def test_boundaries_are_crossed_in_order() -> None:
    """Phases of several rows end once; a turn and a round end and start around them; skipped rows count."""
    seen: list[list[Boundary]] = []

    def watched(play: Play, crossing: Crossing) -> None:
        seen.append(list(crossing.boundaries))
        goes_on(play, crossing)

    turn = (each("move"), Step("move-end", Ends("end-move"), "move"), each("shoot"))
    game = drill(replace(rows(TURNS, turn=(replace(turn[0], phase="move"), *turn[1:])), announce=watched))
    walk(game, game.start())
    names = [[boundary.name for boundary in row] for row in seen]
    assert names[0] == ["end-step-move", "end-step-move-end", "end-move", "end-phase", "start-shoot"]
    assert names[1] == ["end-step-shoot", "end-shoot", "end-phase", "end-turn", "start-turn", "start-move"]
    assert names[3][3:] == ["end-turn", "end-round", "start-round", "start-turn", "start-move"]
    assert [boundary.side for boundary in seen[1] if boundary.name.endswith("-turn")] == [0, 1]


def test_the_first_player_of_a_round_is_asked_for() -> None:
    """`first` says who begins the next round."""
    game = drill(replace(rows(TURNS, turn=(each("move"),)), first=lambda play: 1 - play.state.clock.first))
    assert walk(game, game.start()) == [("move", 1, 0), ("move", 1, 1), ("move", 2, 1), ("move", 2, 0)]


class Steps(Struct, frozen=True):
    """What the chain of the test carries."""

    left: int


def test_a_chain_is_one_iteration_a_command() -> None:
    """Each command is one iteration; what is carried is text on the clock, gone with the last; then the row is over."""
    seen: list[int] = []

    def start(play: Play) -> Steps | None:
        return Steps(3) if not seen else None

    def go(play: Play, carry: Steps) -> Steps | None:
        seen.append(carry.left)
        return Steps(carry.left - 1) if carry.left > 1 else None

    game = drill(rows(TURNS, turn=(Step("combat", Chain("chain", "DR-1", Steps, start, go)),)))
    state = game.start()
    for _ in range(3):
        play = step(game, state)
        state = play.state
        assert not any(isinstance(patch, Ticked) and patch.clock.phase != "combat" for e in play.events for patch in e.patches)
    assert seen == [3, 2, 1] and state.clock.marks == ()
    assert step(game, state).state.clock.active == 1


def test_a_table_one_could_get_lost_in_is_refused() -> None:
    """A row's name stands once, and a game that is played through has a clause to end by."""
    with pytest.raises(ValueError, match="'move' stands twice"):
        rows(TURNS, turn=(each("move"),), after=(each("move"),))
    with pytest.raises(ValueError, match="no clause"):
        replace(TURNS, ends={"wipeout": ("DR-1",)})
