"""What a page may say, read strictly: anything else is refused with one clear sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from rolloff.armies.forms import ListForm
from rolloff.errors import BadInput, IllegalCommand, RolloffError
from rolloff.typed import read_json

LARGEST = 256 * 1024
"""No message or body is longer, in bytes."""

LONGEST_SENTENCE = 500

T = TypeVar("T")


class Sit(Struct, tag="sit", forbid_unknown_fields=True):
    """The first message of a page: the token of its seat; if it comes back, how many events and take-backs it has seen."""

    token: str = ""
    seen: int | None = None
    cuts: int = 0


class Promise(Struct, tag="promise", forbid_unknown_fields=True):
    """The hash of a number that is to be mixed into the dice."""

    hash: str


class Number(Struct, tag="number", forbid_unknown_fields=True):
    """The number that was promised."""

    number: str


class TakeBack(Struct, tag="take-back", forbid_unknown_fields=True):
    """Take the last answer back."""


class Answer(Struct, tag="answer", forbid_unknown_fields=True):
    """The answer to the open request; ``serial`` says to which, so that a late one meets no other."""

    value: Any
    serial: int | None = None


class Talk(Struct, tag="talk", forbid_unknown_fields=True):
    """Something said instead of an answer (a dispute, an override, conceding); who has both seats says for which."""

    name: str
    said: dict[str, Any]
    by: str = ""


class Judge(Struct, tag="judge", forbid_unknown_fields=True):
    """Would this answer be legal? Nothing happens."""

    id: int
    value: Any


class Odds(Struct, tag="odds", forbid_unknown_fields=True):
    """What would come of this option?"""

    id: int
    option: Any


class Look(Struct, tag="look", forbid_unknown_fields=True):
    """Where would this move lead: whom could the unit attack from there, who would see it?"""

    id: int
    value: Any


class Reach(Struct, tag="reach", forbid_unknown_fields=True):
    """How far can the unit that is asked to move go, all round?"""

    id: int


class Survey(Struct, tag="survey", forbid_unknown_fields=True):
    """The questions of the screen that is open, answered as planned."""

    id: int
    plan: dict[str, str | int | bool]


class Suggest(Struct, tag="suggest", forbid_unknown_fields=True):
    """What would a player do well to answer?"""

    id: int


Message = Sit | Promise | Number | TakeBack | Answer | Talk | Judge | Odds | Look | Reach | Survey | Suggest


class GameForm(Struct, forbid_unknown_fields=True):
    """A game somebody wants to play; what is left empty is the first that the catalogue offers.

    Armies are named from the catalogue, or brought along as lists: as a list file holds them, or as its text. ``points`` is the
    size of the battle; without it the armies decide.
    """

    edition: str = ""
    army_a: str = ""
    army_b: str = ""
    table: str = ""
    mission: str = ""
    opponent: str = ""
    seat: str = "A"
    seed: int | None = None
    listed: bool = False
    list_a: ListForm | str | None = None
    list_b: ListForm | str | None = None
    points: int = 0


class Invitation(Struct, forbid_unknown_fields=True):
    """The token of an invitation, to be exchanged for that of its seat."""

    invite: str


class Tokens(Struct, forbid_unknown_fields=True):
    """The tokens somebody holds."""

    tokens: list[str]


class Sharing(Struct, forbid_unknown_fields=True):
    """Whether anybody may find and watch a battle."""

    listed: bool


def read(raw: bytes | str, form: type[T]) -> T:
    """Decode JSON as the form, or `BadInput` that says what does not fit and where."""
    if len(raw) > LARGEST:
        raise BadInput("too-large", "this message is too long", allowed=f"{LARGEST} bytes")
    try:
        return read_json(raw, form)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput("bad-message", f"this message cannot be read: {error}") from None


def read_message(raw: str) -> Message:
    """A message from a page, or `BadInput`."""
    found: Message = read(raw, Message)  # type: ignore[arg-type]  # a union of structs is as good a form as one
    return found


def short(text: str, most: int = LONGEST_SENTENCE) -> str:
    """A sentence, cut where what somebody sent has made it long."""
    return text if len(text) <= most else f"{text[:most]}…"


def error_json(error: RolloffError) -> dict[str, Any]:
    """An error as programs read it."""
    shown = {
        "code": error.code,
        "message": short(error.message),
        "where": error.where and short(error.where),
        "allowed": error.allowed and short(error.allowed, 4 * LONGEST_SENTENCE),
        "clause": error.clause,
    }
    return {"schema": "rolloff.error/1", "error": shown}


def refusal_json(error: RolloffError, say: Callable[[str], str] = str) -> dict[str, Any]:
    """A refusal as pages show it; ``say`` puts names for ids."""
    value = error.value if isinstance(error, IllegalCommand) else None
    plain = value if isinstance(value, str | int | float | bool | None) else repr(value)[:80]
    return {"code": error.code, "clause": error.clause, "message": say(short(error.message)), "value": plain}
