"""The same battle from the other side of the table: turned by half a circle, the seats swapped."""

from __future__ import annotations

import struct

from msgspec.structs import replace

from rolloff.geometry.moves import March, Shift
from rolloff.rules.answers import Placement
from rolloff.rules.game import Game
from rolloff.table.setup import Point, Setup, Terrain
from rolloff.table.state import NOWHERE, Clock, Marks, State

HALF = 1800
OPPOSITE = {"bottom": "top", "top": "bottom", "left": "right", "right": "left"}
FINISHED = {"finished-a": "finished-b", "finished-b": "finished-a"}


class Mirror:
    """Turns setups, states and answers of one game; twice is no change."""

    def __init__(self, game: Game) -> None:
        """Compile the mirrored game."""
        self.width, self.height = game.field.width, game.field.height
        self.game = Game(game.edition, self.setup(game.setup))

    def point(self, x: int, y: int) -> Point:
        """The spot across the middle."""
        return self.width - x, self.height - y

    def setup(self, setup: Setup) -> Setup:
        """The table turned, the cards in the other seat."""
        pieces = tuple(self.piece(piece) for piece in setup.table.terrain)
        cards = tuple(replace(card, side=1 - card.side) for card in setup.cards)
        table = replace(setup.table, terrain=pieces)
        return replace(setup, table=table, cards=cards, armies=(setup.armies[1], setup.armies[0]))

    def piece(self, piece: Terrain) -> Terrain:
        """A piece of terrain turned."""
        outline = None if piece.polygon is None else tuple(self.point(x, y) for x, y in piece.polygon)
        disc = None if piece.disc is None else (*self.point(*piece.disc[:2]), piece.disc[2])
        return replace(piece, polygon=outline, disc=disc)

    def spots(self, packed: bytes) -> bytes:
        """Packed positions turned; off the table stays off it."""
        pairs = [pair if pair[0] == NOWHERE else self.point(*pair) for pair in struct.iter_unpack("<2i", packed)]
        return b"".join(struct.pack("<2i", *pair) for pair in pairs)

    def facings(self, packed: bytes) -> bytes:
        """Packed facings turned."""
        return b"".join(struct.pack("<h", (facing + HALF) % 3600) for (facing,) in struct.iter_unpack("<h", packed))

    def clock(self, clock: Clock) -> Clock:
        """The other seat's turn."""
        marks = tuple(sorted((FINISHED.get(name, name), value) for name, value in clock.marks))
        return replace(clock, active=1 - clock.active, first=1 - clock.first, marks=marks)

    def marks(self, marks: Marks) -> Marks:
        """What a player holds; the edge is the one across."""
        return tuple((name, OPPOSITE.get(value, value) if isinstance(value, str) else value) for name, value in marks)

    def state(self, state: State) -> State:
        """The whole state."""
        return replace(
            state,
            xy=self.spots(state.xy),
            facing=self.facings(state.facing),
            sides=(self.marks(state.sides[1]), self.marks(state.sides[0])),
            clock=self.clock(state.clock),
        )

    def answer(self, answer: object) -> object:
        """An answer as the other player would give it."""
        if isinstance(answer, Shift):
            return Shift(-answer.dx, -answer.dy)
        if isinstance(answer, March):
            poses = [
                (*self.point(x, y), facing if facing < 0 else (facing + HALF) % 3600)
                for x, y, facing in struct.iter_unpack("<3i", answer.points)
            ]
            return March(answer.counts, b"".join(struct.pack("<3i", *pose) for pose in poses))
        if isinstance(answer, Placement):
            return Placement(answer.slots, self.spots(answer.xy), self.facings(answer.facings))
        return OPPOSITE.get(answer, answer) if isinstance(answer, str) else answer
