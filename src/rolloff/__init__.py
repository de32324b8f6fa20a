"""Rolloff: a referee for tabletop miniature wargames.

>>> import rolloff
>>> match = rolloff.Match("onepage-3.0", ("closing", "closing"), seed=7)
>>> report = rolloff.duel(match, first=0, games=1)
>>> report["games"][0]["rounds"]
4

What is listed here is what a program needs to play, rule on, look up and verify games. Whoever writes an edition, a
special rule or an opponent imports the modules the guides in ``docs/`` name. Everything is imported when it is first
used, so that ``import rolloff`` itself costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rolloff.agents import make as opponent
    from rolloff.armies.library import army, lists, missions, new_game, setup_for, tables
    from rolloff.editions.clauses import clause_book
    from rolloff.editions.registry import edition, register
    from rolloff.editions.registry import editions as edition_ids
    from rolloff.errors import (
        ArmyError,
        BadInput,
        DiceError,
        IllegalCommand,
        RecordError,
        RolloffError,
        UnknownEdition,
    )
    from rolloff.geometry.moves import March, Shift, Stay
    from rolloff.lab.duel import Match, Played, duel, play_game
    from rolloff.oracle.dice import SeededDice, Stream, seed_bytes
    from rolloff.oracle.oracle import Defaults, Oracle
    from rolloff.record.book import Recorder
    from rolloff.record.session import Session
    from rolloff.record.verify import verify
    from rolloff.rules.answers import read_answer, write_answer
    from rolloff.rules.attack import AttackForm
    from rolloff.rules.edition import Edition, EventKind
    from rolloff.rules.game import Game
    from rolloff.rules.play import Play, play_step
    from rolloff.rules.position import Legal, Position
    from rolloff.situations.adjudicate import adjudicate
    from rolloff.situations.wire import tell
    from rolloff.table.event import Event
    from rolloff.table.request import Request
    from rolloff.table.setup import Setup, Table, Terrain
    from rolloff.table.state import State

__version__ = "0.1.0"

_HOMES = {
    "rolloff.agents": "make>opponent",
    "rolloff.armies.library": "army lists missions new_game setup_for tables",
    "rolloff.editions.clauses": "clause_book",
    "rolloff.editions.registry": "edition editions>edition_ids register",
    "rolloff.errors": "ArmyError BadInput DiceError IllegalCommand RecordError RolloffError UnknownEdition",
    "rolloff.geometry.moves": "March Shift Stay",
    "rolloff.lab.duel": "Match Played duel play_game",
    "rolloff.oracle.dice": "SeededDice Stream seed_bytes",
    "rolloff.oracle.oracle": "Defaults Oracle",
    "rolloff.situations.adjudicate": "adjudicate",
    "rolloff.record.book": "Recorder",
    "rolloff.record.session": "Session",
    "rolloff.record.verify": "verify",
    "rolloff.situations.wire": "tell",
    "rolloff.rules.answers": "read_answer write_answer",
    "rolloff.rules.attack": "AttackForm",
    "rolloff.rules.edition": "Edition EventKind",
    "rolloff.rules.game": "Game",
    "rolloff.rules.play": "Play play_step",
    "rolloff.rules.position": "Legal Position",
    "rolloff.table.event": "Event",
    "rolloff.table.request": "Request",
    "rolloff.table.setup": "Setup Table Terrain",
    "rolloff.table.state": "State",
}
"""Where each name lives; ``a>b`` is called ``b`` here, where ``a`` would hide a module or say too little."""

_WHERE = {
    name.rpartition(">")[2]: (module, name.partition(">")[0]) for module, names in _HOMES.items() for name in names.split()
}

__all__ = [
    "ArmyError",
    "AttackForm",
    "BadInput",
    "Defaults",
    "DiceError",
    "Edition",
    "Event",
    "EventKind",
    "Game",
    "IllegalCommand",
    "Legal",
    "March",
    "Match",
    "Oracle",
    "Play",
    "Played",
    "Position",
    "RecordError",
    "Recorder",
    "Request",
    "RolloffError",
    "SeededDice",
    "Session",
    "Setup",
    "Shift",
    "State",
    "Stay",
    "Stream",
    "Table",
    "Terrain",
    "UnknownEdition",
    "__version__",
    "adjudicate",
    "army",
    "clause_book",
    "duel",
    "edition",
    "edition_ids",
    "lists",
    "missions",
    "new_game",
    "opponent",
    "play_game",
    "play_step",
    "read_answer",
    "register",
    "seed_bytes",
    "setup_for",
    "tables",
    "tell",
    "verify",
    "write_answer",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name not in _WHERE:
        raise AttributeError(f"module 'rolloff' has no attribute {name!r}")
    module, inside = _WHERE[name]
    found = globals()[name] = getattr(import_module(module), inside)
    return found


def __dir__() -> list[str]:
    """The public names."""
    return sorted(__all__)
