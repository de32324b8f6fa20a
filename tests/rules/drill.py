"""Drill: an edition with nothing but a table of turns, to look at turns, effects and windows without a battle around them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from rolloff.oracle.dice import SeededDice
from rolloff.oracle.oracle import Answers, Oracle
from rolloff.rules.edition import Edition, EventKind
from rolloff.rules.effects import Effects
from rolloff.rules.game import Game
from rolloff.rules.play import Play, play_step
from rolloff.rules.turns import Step, Turns
from rolloff.rules.windows import Reaction
from rolloff.table.event import Event
from rolloff.table.profile import Card, Model
from rolloff.table.setup import Setup, Table
from rolloff.table.state import State

KIND = EventKind(frozenset({"DR-1"}), "Something happens")
UNTIMED = Effects()
KINDS = ("next", "acted", "picked", "picks-next", "reacted", "game-ended", "ended", "chain", "drawn", "rolled", "passed")


def everybody(play: Play, side: int) -> Sequence[int]:
    """All units of a side."""
    return play.game.units_of[side]


def never(play: Play) -> str:
    """The game goes on."""
    return ""


def nil(game: Game, state: State) -> tuple[int, int]:
    """Nobody scores."""
    return 0, 0


def acted(play: Play, unit: int) -> None:
    """A unit does something that can be seen in the log."""
    play.emit("acted", ("DR-1",), unit=unit)


TURNS = Turns(never, "DR-1", {"rounds": ("DR-1",), "wipeout": ("DR-1",)}, rounds=2)


def drill(
    turns: Turns, reactions: tuple[Reaction, ...] = (), effects: Effects = UNTIMED, units: tuple[int, int] = (1, 1)
) -> Game:
    """A game of some units a side by a table of turns."""
    cards = tuple(
        Card(f"{letter}{k}", side, (Model(f"{letter}{k}.1"),))
        for side, letter in enumerate("ab")
        for k in range(1, units[side] + 1)
    )
    edition = Edition(
        id="drill",
        name="Drill",
        version="1",
        opening=turns.opening(0),
        steps=turns.steps(),
        kinds=dict.fromkeys(KINDS, KIND),
        score=nil,
        turns=turns,
        effects=effects,
        moments=tuple(sorted({name for rule in reactions for name in rule.at})),
        reactions=reactions,
    )
    return Game(edition, Setup(edition.id, Table((24_000, 24_000), ()), cards))


def rows(turns: Turns, **parts: tuple[Step, ...]) -> Turns:
    """The table with other rows."""
    return replace(turns, **parts)


def step(game: Game, state: State, *answers: object) -> Play:
    """One command; without an answer the default."""
    return play_step(game, state, Oracle(SeededDice(b"drill"), Answers(answers, stop=False)))


def log(events: Sequence[Event]) -> list[str]:
    """Events as short words: their kind and their unit."""
    return [event.kind if event.fact("unit") is None else f"{event.kind} {event.fact('unit')}" for event in events]
