"""Fair dice: a secret promised before the first die and shown after the last, mixed with what both players add.

Whoever keeps the game draws 256 bits and publishes their hash, the commitment. In a game of two people each player
draws a number of their own, promises its hash, and shows it when both have promised: neither player nor keeper can
then steer a die. The seed of the dice is the secret, or the hash of the secret and both numbers.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import Any

from msgspec import Struct

from rolloff.errors import BadInput
from rolloff.rules.play import SIDES

BYTES = 32
_HASH = re.compile(r"sha256:[0-9a-f]{64}")
_NUMBER = re.compile(r"[0-9a-f]{64}")


def new_secret() -> bytes:
    """256 bits from the system."""
    return secrets.token_bytes(BYTES)


def commitment(secret: bytes) -> str:
    """What is published of a secret before the game: anybody can check it when the secret is shown."""
    return "sha256:" + hashlib.sha256(secret).hexdigest()


def mixed(secret: bytes, added: tuple[bytes, ...]) -> bytes:
    """The seed of the dice: the secret and what the players added."""
    return hashlib.sha256(b"rolloff/dice/" + secret + b"".join(added)).digest() if added else secret


class Fairness(Struct, frozen=True):
    """Where the dice of a game come from. A game whose seed is known beforehand is ``practice``."""

    secret: bytes
    added: tuple[bytes, ...] = ()
    practice: bool = False

    @property
    def dice(self) -> bytes:
        """The seed of the dice."""
        return mixed(self.secret, self.added)

    def json(self) -> dict[str, Any]:
        """What a header says of it; the secret itself only in practice."""
        shown = [{"commitment": commitment(number), "number": number.hex()} for number in self.added]
        return {
            "dice": "seeded",
            "practice": self.practice,
            "seed": self.secret.hex() if self.practice else None,
            "commitment": commitment(self.secret),
            "added": shown,
        }


ENTERED: dict[str, Any] = {"dice": "entered", "practice": False, "seed": None, "commitment": None, "added": []}
"""What a header says where people rolled the dice themselves."""


class Mixing:
    """The players' numbers as they come in: first both promises, then both numbers."""

    def __init__(self, promised: dict[str, str] | None = None, shown: dict[str, str] | None = None) -> None:
        """Begin with what came in before."""
        self.promised = dict(promised or {})
        self.shown = dict(shown or {})

    @property
    def stage(self) -> str:
        """What is awaited: ``promise``, ``number``, or nothing more: ``done``."""
        if len(self.promised) < len(SIDES):
            return "promise"
        return "number" if len(self.shown) < len(SIDES) else "done"

    @property
    def added(self) -> tuple[bytes, ...]:
        """The numbers in the order of the sides."""
        return tuple(bytes.fromhex(self.shown[side]) for side in SIDES)

    def promise(self, side: str, hashed: str) -> None:
        """A player promises a number by its hash; `BadInput` if it is none, the other player's, or a second one."""
        if not _HASH.fullmatch(hashed):
            raise BadInput("bad-promise", "this promises no number", where="promise", allowed="sha256: and 64 hex digits")
        if any(other != side and hashed == theirs for other, theirs in self.promised.items()):
            raise BadInput("promised-already", "the other player has promised this number", where="promise", allowed="another")
        if self.promised.setdefault(side, hashed) != hashed:
            raise BadInput("promised-already", f"side {side} has promised another number", where="promise")

    def show(self, side: str, number: str) -> None:
        """A player shows the number that was promised; `BadInput` if it is not, or not yet time."""
        if self.stage == "promise":
            raise BadInput("not-yet", "numbers are shown when both players have promised theirs", where="number")
        if not _NUMBER.fullmatch(number) or commitment(bytes.fromhex(number)) != self.promised[side]:
            raise BadInput("not-promised", "this is not the number that was promised", where="number", allowed="64 hex digits")
        self.shown[side] = number
