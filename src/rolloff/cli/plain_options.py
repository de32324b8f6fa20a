"""Options of a command that is asked plainly, read without Typer, which takes long to start.

Plainly means: every option is written out, once, with a value of its kind and within its bounds. For everything else,
help and mistakes above all, `read_plain` gives nothing, and Typer reads the same declarations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import NoneType
from typing import Any, NamedTuple, get_args, get_type_hints

from rolloff.cli.attacking import Option


class _Parameter(NamedTuple):
    """A parameter, the kind of its values and its option."""

    name: str
    kind: object
    option: Option


def _parameters(function: Callable[..., None]) -> dict[str, _Parameter]:
    """The parameters of a command by the options that set them."""
    found = {}
    for name, hint in get_type_hints(function, include_extras=True).items():
        _, *options = get_args(hint) or (None,)
        if options and isinstance(options[0], Option):
            kind = next(one for one in (*get_args(hint.__origin__), hint.__origin__) if one is not NoneType)
            found[options[0].name or f"--{name.replace('_', '-')}"] = _Parameter(name, kind, options[0])
    return found


def _value(text: str, parameter: _Parameter) -> object:
    """What a text means for a parameter; nothing if that is not plain."""
    option = parameter.option
    if parameter.kind in (int, float):
        digits = text.replace(".", "", 1) if parameter.kind is float else text
        if not (digits.isascii() and digits.isdecimal()):
            return None
        number = int(text) if parameter.kind is int else float(text)
        least, most = option.min, option.max
        return None if (least is not None and number < least) or (most is not None and number > most) else number
    return None if text.startswith("-") and text != "-" else text


def read_plain(function: Callable[..., None], args: Sequence[str]) -> dict[str, Any] | None:
    """The arguments of a command whose parameters all are options with defaults; nothing unless it is asked plainly."""
    known = _parameters(function)
    given: dict[str, object] = {}
    words = iter(args)
    for word in words:
        parameter = known.get(word)
        if parameter is None or parameter.name in given:
            return None
        value = True if parameter.kind is bool else _value(next(words, "--"), parameter)
        if value is None:
            return None
        given[parameter.name] = value
    return {**(function.__kwdefaults__ or {}), **given} if given else None
