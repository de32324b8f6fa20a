"""What is written of input that cannot be used, on the shell and by the server."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Fault(Struct):
    """What was wrong with the input, where, and what would be right."""

    code: str
    message: str
    where: str | None
    allowed: str | None
    clause: str | None


class Error(Struct):
    """What is printed when the input is unusable."""

    schema: Literal["rolloff.error/1"]
    error: Fault
