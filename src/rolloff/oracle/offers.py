"""What a player may do about dice on the table: take an offer, roll one again, let one count as another face."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from msgspec import Struct

if TYPE_CHECKING:
    from rolloff.oracle.stage import Stage

T_co = TypeVar("T_co", covariant=True)


class Offer(Struct, Generic[T_co], frozen=True):
    """An entry of a table that leaves a choice: keep the result, or roll again.

    In play whoever rolls is asked, once for all dice of a handful that show it; odds take the policy of that name, or the
    default. ``point`` names the decision for players. With ``lasting`` the answer is kept to for all such dice of an attack.
    """

    keep: T_co
    again: Stage[T_co]
    name: str
    clause: str
    default: bool = True
    point: str = ""
    lasting: bool = False


class Again(Struct, frozen=True):
    """Roll one die of the handful again, by its place in it; no die is rolled again twice."""

    die: int


class Treat(Struct, frozen=True):
    """Let one die of the handful count as another face; after that it is not rolled again."""

    die: int
    face: int
