"""Data read into forms, safely from any thread.

msgspec works out what it must know of a form when the form is first used. Threads that first use one at the same moment
would find it half worked out, and the process would die of it; so a form is made ready under a lock, once.
"""

from __future__ import annotations

import threading
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")
_lock = threading.Lock()
_ready: set[Any] = set()


def ready(form: type[T]) -> type[T]:
    """The form, made ready for use by any number of threads."""
    if form not in _ready:
        with _lock:
            msgspec.json.Decoder(form)
            _ready.add(form)
    return form


def convert(value: Any, form: type[T]) -> T:
    """Fit decoded data into a form; `msgspec.ValidationError` if it does not fit."""
    return msgspec.convert(value, ready(form))


def read_json(raw: bytes | str, form: type[T]) -> T:
    """Read JSON as a form; `msgspec.MsgspecError` if it is none, or does not fit."""
    return msgspec.json.decode(raw, type=ready(form))
