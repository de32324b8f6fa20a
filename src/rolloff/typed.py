"""Data read into forms, safely from any thread.

msgspec works out what it must know of a form when the form is first used. Threads that first use one at the same moment
would find it half worked out, and the process would die of it; so a form is made ready under a lock, once.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

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


class Misfit(Struct, frozen=True):
    """What of some data does not fit: its place, a name that is unknown there if it is that, and what may stand there."""

    place: str
    name: str
    allowed: tuple[str, ...]


def misfit(value: Any, form: Any, place: str = "") -> Misfit:
    """The innermost place at which data that does not fit a form does not, with the names of tables and numbers of rows."""
    hint = next((kind for kind in _within(form) if get_origin(kind) is not None or _is_form(kind)), form)
    fields = get_type_hints(hint) if _is_form(hint) else {}
    if fields and isinstance(value, dict):
        unknown = next((name for name in value if name not in fields), None)
        if unknown is not None:
            return Misfit(place, str(unknown), tuple(fields))
    words = tuple(str(word) for kind in _within(form) if get_origin(kind) is Literal for word in get_args(kind))
    if words and isinstance(value, str):
        return Misfit(place, value, words)
    for name, part, kind in _parts(value, hint, fields):
        try:
            convert(part, kind)
        except msgspec.ValidationError:
            return misfit(part, kind, f"{place}{name}" if name.startswith("[") else f"{place}.{name}".removeprefix("."))
    return Misfit(place, "", ())


def _parts(value: Any, hint: Any, fields: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """The parts of a table or a list with their names and what each has to be."""
    if isinstance(value, dict):
        inner = get_args(hint)[1] if get_origin(hint) is dict else None
        yield from ((str(name), part, fields.get(name, inner)) for name, part in value.items() if name in fields or inner)
    elif isinstance(value, list) and get_origin(hint) in (list, tuple):
        yield from ((f"[{number}]", part, get_args(hint)[0]) for number, part in enumerate(value))


def _is_form(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Struct)


def _within(hint: Any) -> Iterator[Any]:
    """A type, and those it may be instead."""
    yield from (kind for part in get_args(hint) for kind in _within(part)) if _is_union(hint) else (hint,)


def _is_union(hint: Any) -> bool:
    return isinstance(hint, UnionType) or get_origin(hint) is Union
