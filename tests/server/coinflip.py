"""A toy edition for the server's tests: each turn a side calls a coin, one die decides, and its runner may run."""

from __future__ import annotations

import struct
from typing import Any

from rolloff.editions import registry
from rolloff.errors import BadInput, IllegalCommand
from rolloff.geometry.moves import Shift, Stay
from rolloff.geometry.sight import Mode
from rolloff.oracle.oracle import Chooser, Defaults
from rolloff.rules.edition import Edition, EventKind
from rolloff.rules.game import Game
from rolloff.rules.play import OVER, Play
from rolloff.server.messages import GameForm
from rolloff.table.event import Placed, SideMarked, Went
from rolloff.table.profile import Base, Card, DiceRoll, Model, Weapon
from rolloff.table.request import Request
from rolloff.table.setup import Setup, Table
from rolloff.table.state import TABLE, Clock, State

FAR = 6000
ROUNDS = 2


def _stand(slot: int, x: int, y: int) -> Placed:
    return Placed((slot,), struct.pack("<2i", x, y), bytes(4), bytes(2))


def lay_out(play: Play) -> None:
    """Both runners are set down."""
    for unit in (0, 1):
        play.emit("set", ("FLIP-1",), Went(unit, TABLE), _stand(unit, 10_000, 10_000 + 20_000 * unit), unit=unit)
    play.tick(Clock("toss", 1), "next", "FLIP-1", side=0)


def toss(play: Play) -> None:
    """The active side calls the coin, one die falls, and its runner may run."""
    clock = play.state.clock
    side = clock.active
    call = play.choose(side, "choose-option", "FLIP-2", ("heads", "tails"), "heads", about=side, purpose="call")
    if play.game.setup.mission == "two-calls":
        play.emit("called", ("FLIP-2",), SideMarked(side, "call", str(call)), side=side)
        play.choose(side, "choose-option", "FLIP-2", ("sure", "unsure"), "sure", about=side, purpose="confirm")
    if call == "tails" and side == 0 and clock.round == ROUNDS and play.game.setup.mission == "broken":
        raise ZeroDivisionError("a fault of the rules")
    play.rolled_by = side
    won = (play.dice.faces(1, "toss", "FLIP-2")[0] > 3) == (call == "heads")
    points = int(play.state.side_mark(side, "points") or 0) + won
    play.emit("tossed", ("FLIP-2",), SideMarked(side, "points", points), side=side, won=won)
    request = Request(side, "move", "FLIP-3", None, Shift(3000, 0), side, "", None, (("allowance", FAR / 1000),))
    dx, dy = play.ask(request, run)
    x, y = play.state.at(side)
    play.emit("ran", ("FLIP-3",), _stand(side, x + dx, y + dy), unit=side)
    last = side == 1 and clock.round == ROUNDS
    after = Clock(OVER, clock.round) if last else Clock("toss", clock.round + side, 1 - side)
    play.tick(after, "next", "FLIP-4", side=1 - side)


def run(answer: object) -> tuple[int, int]:
    """FLIP-3: no further than six inches."""
    if isinstance(answer, Stay):
        return 0, 0
    if isinstance(answer, Shift) and answer.dx**2 + answer.dy**2 <= FAR**2:
        return answer.dx, answer.dy
    raise IllegalCommand("too-long", "FLIP-3", "the runner goes too far", None)


def _read_weapon(value: object, where: str) -> Weapon:
    return Weapon(str(value), None, DiceRoll(plus=1))


def _accept(card: Card) -> None:
    """Any card will do."""


def _score(game: Game, state: State) -> tuple[int, int]:
    points = [int(state.side_mark(side, "points") or 0) for side in (0, 1)]
    return points[0], points[1]


EDITION = Edition(
    id="coin-flip",
    name="Coin flip",
    version="1",
    opening=Clock("lay-out"),
    steps={"lay-out": lay_out, "toss": toss},
    kinds={
        "set": EventKind(frozenset({"FLIP-1"}), "{unit} is set down"),
        "next": EventKind(frozenset({"FLIP-1", "FLIP-4"}), "Side {side} is next"),
        "tossed": EventKind(frozenset({"FLIP-2"}), "Side {side} called right: {won}"),
        "called": EventKind(frozenset({"FLIP-2"}), "Side {side} calls"),
        "ran": EventKind(frozenset({"FLIP-3"}), "{unit} runs"),
        "rolled": EventKind(frozenset({"FLIP-2"}), "{unit} tosses: {faces}"),
    },
    sight=Mode(),
    terrain={},
    specials={},
    read_weapon=_read_weapon,
    check_card=_accept,
    prepare=lambda game: None,
    score=_score,
    clauses={"FLIP-2": "Call the coin; one die decides.", "FLIP-3": "A runner goes no further than six inches."},
)


class Coins:
    """A catalogue of one game."""

    def offers(self) -> dict[str, Any]:
        """One edition, one machine."""
        armies = [{"id": "reds", "name": "Reds"}, {"id": "greens", "name": "Greens"}]
        only = {
            "id": "coin-flip",
            "name": "Coin flip",
            "armies": armies,
            "tables": [],
            "missions": [{"id": "broken", "name": "Broken"}, {"id": "two-calls", "name": "Two calls"}],
            "points": 0,
        }
        return {"editions": [only], "opponents": [{"id": "default", "name": "Default"}]}

    def lay_out(self, form: GameForm, seed: int) -> Game:
        """Two runners on an empty table."""
        if form.edition not in ("", "coin-flip"):
            raise BadInput("unknown-edition", f"no edition {form.edition!r} is installed", where="edition")
        cards = tuple(
            Card(name, side, (Model(f"{name}.1", base=Base("circle", (1000,))),), name=name.title())
            for side, name in enumerate(("red", "green"))
        )
        return Game(EDITION, Setup("coin-flip", Table(), cards, mission=form.mission, armies=("Reds", "Greens")))

    def install(self) -> None:
        """Make the edition known."""
        registry.register(EDITION)

    def opponent(self, name: str, seed: bytes, side: int) -> Chooser:
        """The machine that takes every default."""
        if name != "default":
            raise BadInput("unknown-agent", f"there is no opponent {name!r}", where="opponent", allowed="default")
        return Defaults()
