"""How each edition is put on a table for the suite: a setup for a game number, by the edition's id.

An edition with ready-made lists needs nothing here: the library knows its armies and tables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from rolloff.agents import make
from rolloff.armies import library
from rolloff.editions import registry
from rolloff.oracle.dice import SeededDice, Stream, seed_bytes
from rolloff.oracle.oracle import Chooser, Oracle, Seats
from rolloff.rules.attack import ResolvedAttack
from rolloff.rules.game import Game
from rolloff.rules.play import OVER, Play, play_step
from rolloff.table.profile import Base, Card, Model, read_rule
from rolloff.table.setup import Setup, Table, Terrain
from rolloff.table.state import State
from tests.toy.skirmish import EDITION as SKIRMISH

SEED = 17
MOST_STEPS = 3_000
GUN = {"name": "Gun", "range": 18, "A": 2, "skill": 3, "S": 4, "AP": 1, "D": 1, "rules": ["Linked"]}
MORTAR = {"name": "Mortar", "range": 30, "A": 1, "skill": 4, "S": 5, "AP": 1, "D": 1, "rules": ["Blast"]}
AXE = {"name": "Axe", "range": "melee", "A": "D3", "skill": 4, "S": 5, "AP": 0, "D": 2, "rules": ["Cleave"]}


def _card(id: str, side: int, size: int, kit: Sequence[dict[str, Any]], *rules: str) -> Card:
    weapons = tuple(SKIRMISH.read_weapon(weapon, id) for weapon in kit)
    model = Model("", base=Base("circle", (1000,)), weapons=weapons)
    models = tuple(replace(model, id=f"{id}.{k}") for k in range(1, size + 1))
    own = tuple(read_rule(rule) for rule in rules)
    return Card(id, side, models, f"Squad {id}", stats={"M": 6, "T": 4, "Sv": 5, "W": 2}, points=50, rules=own)


def _skirmish() -> Setup:
    rock = Terrain("rock", ("impassable",), disc=(18_000, 12_000, 2_000), height=3_000, solid=True, name="Rock")
    wood = Terrain("wood", ("difficult", "cover"), polygon=((10_000, 2_000), (16_000, 2_000), (16_000, 7_000), (10_000, 7_000)))
    wall = Terrain("wall", ("impassable",), polygon=((20_000, 16_000), (24_000, 16_000), (24_000, 17_000), (20_000, 17_000)))
    cards = [
        card
        for side, letter in enumerate("ab")
        for card in (
            _card(f"{letter}1", side, 4, (GUN, AXE), "Frenzied"),
            _card(f"{letter}2", side, 4, (GUN, AXE)),
            _card(f"{letter}3", side, 2, (MORTAR, AXE)),
            _card(f"{letter}4", side, 3, (GUN, AXE), "Ambush"),
        )
    ]
    return Setup(SKIRMISH.id, Table(SKIRMISH.table_size, (rock, wood, wall)), tuple(cards), armies=("Hill", "Dale"))


def playable() -> list[str]:
    """Every edition of the registry that says it can be played and has armies to play with, and the toy one."""
    found = [id for id in registry.editions() if "play" in registry.edition(id).can and library.lists(id)]
    return [*(id for id in found if id != SKIRMISH.id), SKIRMISH.id]


def game_of(id: str, index: int = 0) -> Game:
    """A game of an edition."""
    if id == SKIRMISH.id:
        return Game(registry.register(SKIRMISH), _skirmish())
    return Game(
        registry.edition(id), library.setup_for(id, library.RANDOM, library.RANDOM, library.RANDOM, seed=SEED, index=index)
    )


def dice_of(index: int = 0) -> bytes:
    """The seed of a game's dice."""
    return seed_bytes(SEED, index, "dice")


def chairs(agents: str, index: int = 0) -> list[Chooser]:
    """Two opponents."""
    return [make(agents, Stream(seed_bytes(SEED, index, "choices", side)), side) for side in (0, 1)]


def walk(
    game: Game, agents: str, index: int = 0, watch: Callable[[ResolvedAttack], None] | None = None
) -> list[tuple[State, Play, int]]:
    """Play a game: every step with the state and the die it began from; ``watch`` is shown every attack."""
    dice = SeededDice(dice_of(index))
    oracle, state, steps = Oracle(dice, Seats(chairs(agents, index))), game.start(), []
    while state.clock.phase != OVER:
        drawn = dice.drawn
        play = play_step(game, state, oracle, watch)
        steps.append((state, play, drawn))
        state = play.state
        assert len(steps) < MOST_STEPS
    return steps


def digests(id: str, agents: str, games: int = 2) -> list[str]:
    """The last states of some games, as another process or thread would compare them."""
    return [walk(game_of(id, index), agents, index)[-1][1].state.digest() for index in range(games)]
