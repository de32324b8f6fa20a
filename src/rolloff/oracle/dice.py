"""Where dice come from: a counter-mode hash stream addressable by index, or faces somebody entered.

A die has six sides unless somebody asks for others; a uniform draw from n is a die of n sides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from operator import length_hint
from struct import Struct
from typing import Protocol, TypeVar

from rolloff.errors import DiceError

T = TypeVar("T")

BLOCK = 256
_DRAWN = 640  # bytes drawn for a block: far more than 256 survive the fairness cut below
_FAIR = 252  # the largest multiple of six in a byte; larger bytes are rolled away so that every face is as likely
_FACES = bytes(byte % 6 + 1 for byte in range(256))
_UNFAIR = bytes(range(_FAIR, 256))


class DiceSource(Protocol):
    """Anything that gives faces: ``label`` names the roll for sources that are scripted by name."""

    def faces(self, n: int, label: str, sides: int = 6) -> Sequence[int]:
        """The next ``n`` faces of dice with so many sides."""
        ...


def block_of(seed: bytes, number: int) -> bytes:
    """The faces of one block of the stream: a pure function of seed and block number."""
    import hashlib  # where it is used: odds roll no dice

    raw = hashlib.shake_128(seed + number.to_bytes(8, "little")).digest(_DRAWN)
    fair = raw.translate(_FACES, _UNFAIR)
    if len(fair) < BLOCK:  # about as likely as a meteor; the next domain of the same hash fills up
        fair += block_of(seed + b"more", number)
    return fair[:BLOCK]


def seed_bytes(seed: int, *path: int | str) -> bytes:
    """A seed for one stream of one game: a hash of the seed and the path to it."""
    text = "/".join(["rolloff", str(seed), *map(str, path)])
    import hashlib

    return hashlib.sha256(text.encode()).digest()


def stream_seed(secret: bytes, *path: int | str) -> bytes:
    """The seed of a stream of its own below a secret: it tells nothing of the secret, nor of any other stream."""
    import hashlib

    return hashlib.sha256(b"rolloff/stream/" + secret + "/".join(map(str, path)).encode()).digest()


class SeededDice:
    """Dice from a seed. ``drawn`` is how many came so far, which with the seed is the whole state."""

    __slots__ = ("_ends", "_left", "seed")

    def __init__(self, seed: bytes, drawn: int = 0) -> None:
        """Start at any die of the stream."""
        self.seed = seed
        self._ends = drawn  # how many will have come when none is left of the block
        self._left = iter(b"")  # a block is drawn with its first die: many a fork rolls none

    @property
    def drawn(self) -> int:
        """How many dice came so far."""
        return self._ends - length_hint(self._left)

    def apart(self, *path: int | str) -> SeededDice:
        """Dice of a stream of their own: rolling them moves none of the game's."""
        return SeededDice(stream_seed(self.seed, *path))

    def left(self) -> Iterator[int]:
        """The next six-sided dice, to be taken one by one; after the last of a block there are none until `faces` drew more."""
        return self._left

    def faces(self, n: int, label: str, sides: int = 6) -> Sequence[int]:
        """The next ``n`` faces; of six-sided dice as bytes 1 to 6."""
        if sides != 6:
            return [self._other(sides, label) for _ in range(n)]
        found = bytes(islice(self._left, n))
        while len(found) < n:
            number, at = divmod(self._ends, BLOCK)
            self._ends, self._left = (number + 1) * BLOCK, iter(block_of(self.seed, number)[at:])
            found += bytes(islice(self._left, n - len(found)))
        return found

    def _other(self, sides: int, label: str) -> int:
        """A die of other sides, from as few dice of the stream as can show it; what stands for no side is drawn again."""
        count, whole = 1, 6
        while whole < sides:
            count, whole = count + 1, whole * 6
        share = whole // sides
        while True:
            read = 0
            for face in self.faces(count, label):
                read = read * 6 + face - 1
            if read // share < sides:
                return read // share + 1


Entry = tuple[int, int]
"""A face somebody entered and the sides of its die, 0 where that is for the roll to say."""

MOST_SIDES = 10_000
_DIRECTED = re.compile(r"^(hit|arrow)@(\d{1,3})$")
_DRAWN_FROM = re.compile(r"^(\d{1,5})/(\d{1,5})$")
HIT_FACES, CIRCLE = 2, 360
"""How many faces of a scatter die are hits (they come first), and the sides of the die that gives its direction."""


def read_faces(faces: Sequence[object], where: str) -> list[Entry]:
    """Faces a person entered, or `DiceError` for what is on no die.

    A number is a face; ``"arrow@90"`` or ``"hit@90"`` a scatter die with its direction; ``"3/8"`` the third of eight.
    """
    found: list[Entry] = []
    for face in faces:
        found += _entries(face, where)
    return found


def _entries(face: object, where: str) -> list[Entry]:
    if isinstance(face, int) and not isinstance(face, bool) and 1 <= face <= MOST_SIDES:
        return [(face, 0)]
    if isinstance(face, str):
        directed, drawn = _DIRECTED.match(face), _DRAWN_FROM.match(face)
        if directed and int(directed[2]) < CIRCLE:
            return [(1 if directed[1] == "hit" else HIT_FACES + 1, 6), (int(directed[2]) or CIRCLE, CIRCLE)]
        if drawn and 1 <= int(drawn[1]) <= int(drawn[2]) <= MOST_SIDES:
            return [(int(drawn[1]), int(drawn[2]))]
    allowed = '1 to 6, "arrow@90", "hit@90", "3/8"'
    raise DiceError("bad-die", f"{where}: {face!r} is not a face of a die", where=where, allowed=allowed)


def fitting(entries: Sequence[Entry], label: str, sides: int) -> list[int]:
    """The faces of entries rolled as dice of so many sides; `DiceError` for one that this die does not show."""
    for face, of in entries:
        if face > sides or of not in (0, sides):
            shown = f"{face}/{of}" if of else face
            raise DiceError("bad-die", f"{label}: {shown} is not a face of a D{sides}", where=label, allowed=f"1 to {sides}")
    return [face for face, _ in entries]


def _short(label: str, n: int, left: int) -> DiceError:
    return DiceError("dice-short", f"{label} needs {n} dice, {left} are left", where=label, allowed=f"{n} dice")


class EnteredDice:
    """Faces entered by a person or a test, in the canonical order of the rolls."""

    __slots__ = ("_entries", "drawn", "given")

    def __init__(self, faces: Sequence[object]) -> None:
        """Take the faces, in order."""
        self.given = tuple(faces)
        """All that was entered, as it was."""
        self._entries = read_faces(faces, "dice")
        self.drawn = 0

    def faces(self, n: int, label: str, sides: int = 6) -> list[int]:
        """The next ``n`` faces; `DiceError` ``dice-short`` names the roll that lacks dice."""
        found = self._entries[self.drawn : self.drawn + n]
        if len(found) < n:
            raise _short(label, n, len(found))
        self.drawn += n
        return fitting(found, label, sides)

    def finish(self) -> None:
        """`DiceError` ``dice-left`` if some were not used."""
        left = len(self._entries) - self.drawn
        if left:
            raise DiceError(
                "dice-left", f"{left} dice were entered but never rolled", where="dice", allowed=f"{self.drawn} dice"
            )


_SHORT = {
    "hit>": "hrr",
    "ignore": "ign",
    "block": "blk",
    "block>": "brr",
    "regeneration": "reg",
    "damage": "dmg",
    "morale": "mor",
}  # the short labels players write beside their dice


def _names_of(label: str) -> Iterator[str]:
    """The names under which the dice of a roll may be entered, the surest first."""
    yield label
    if label in _SHORT:
        yield _SHORT[label]
    if label.endswith(">"):
        yield from _names_of(label[:-1])
    elif ":" in label:  # a handful of its own among the dice of one roll
        yield from _names_of(label.partition(":")[0])


class NamedDice:
    """Faces entered by the name of their roll: ``{"hit": [4, 5], "block": [2]}``."""

    __slots__ = ("_left", "drawn")

    def __init__(self, faces: Mapping[str, Sequence[object]]) -> None:
        """Take the faces of each named roll."""
        self._left = {name: read_faces(run, f"dice.{name}") for name, run in faces.items()}
        self.drawn = 0

    def faces(self, n: int, label: str, sides: int = 6) -> list[int]:
        """The next ``n`` faces of that roll; a re-roll (``hit>``) not named by itself goes on with its first roll's."""
        named = next((name for name in _names_of(label) if name in self._left), label)
        left = self._left.get(named, [])
        if len(left) < n:
            raise _short(label, n, len(left))
        self._left[named] = left[n:]
        self.drawn += n
        return fitting(left[:n], label, sides)

    def finish(self) -> None:
        """`DiceError` ``dice-left`` if some were not used."""
        for name, left in self._left.items():
            if left:
                raise DiceError("dice-left", f"{len(left)} dice of {name} were never rolled", where=name, allowed="fewer dice")


CHOICES = 256
"""How many numbers of a stream are made at once, of four bytes each."""
_words = Struct(f"<{CHOICES}I").unpack


class Stream:
    """Whole numbers for choices, apart from the dice: counter-mode too, so that no choice ever moves a die."""

    __slots__ = ("_left", "_number", "seed")

    def __init__(self, seed: bytes) -> None:
        """Start the stream of this seed."""
        self.seed = seed
        self._number = -1
        self._left: list[int] = []  # what was made and not yet used, the next one last

    def _fill(self) -> None:
        """The next block of the stream."""
        import hashlib

        self._number += 1
        block = hashlib.shake_128(self.seed + b"choice" + self._number.to_bytes(8, "little")).digest(4 * CHOICES)
        self._left = [*reversed(_words(block))]

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, each as likely to within one in 2**32."""
        if not self._left:
            self._fill()
        return (self._left.pop() * n) >> 32

    def between(self, low: int, high: int) -> int:
        """A number from low to high, both included."""
        return low + self.below(high - low + 1)

    def pick(self, options: Sequence[T]) -> T:
        """One of the options."""
        if not self._left:
            self._fill()
        return options[(self._left.pop() * len(options)) >> 32]  # as `below` draws
