"""Seats: who may act for which side is who holds its token. Tokens are given once and kept only as hashes."""

from __future__ import annotations

import hashlib
import secrets

from rolloff.rules.play import SIDES

BOTH, WATCH = "both", "watch"
SELF, PERSON = "self", "person"
"""Opponents that are no machine: the same player with both hands, or somebody at another page."""
INVITE = "invite-"
"""A seat that is offered to whoever brings its token: it is exchanged for the seat's own, once."""


def new_token() -> str:
    """A token nobody guesses."""
    return secrets.token_urlsafe(24)


def new_id() -> str:
    """The name of a battle: hard to guess, and never like an option of a command line (a leading dash)."""
    return secrets.token_hex(9)


def hash_of(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def sides_of(seat: str) -> tuple[str, ...]:
    """The sides a seat may act for."""
    return SIDES if seat == BOTH else (seat,) if seat in SIDES else ()
