"""Options declared apart from Typer, as Typer takes them."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer

from rolloff.cli.attacking import Option


def _typed(hint: Any) -> Any:
    """A hint of a parameter whose option is one of ours, with Typer's in its place."""
    if get_origin(hint) is not Annotated:
        return hint
    kind, option = get_args(hint)
    if not isinstance(option, Option):
        return hint
    names = (option.name,) if option.name else ()
    made: Any = typer.Option(
        *names, help=option.help, metavar=option.metavar, show_default=option.show_default, min=option.min, max=option.max
    )
    return Annotated[kind, made]


def with_options(command: Callable[..., None]) -> FunctionType:
    """The same command with options that are Typer's; its parameter ``ctx`` is given Typer's context."""
    assert isinstance(command, FunctionType)
    found = FunctionType(command.__code__, command.__globals__, command.__name__, command.__defaults__, command.__closure__)
    found.__kwdefaults__, found.__doc__ = command.__kwdefaults__, command.__doc__
    hints = get_type_hints(command, include_extras=True)
    found.__annotations__ = {name: typer.Context if name == "ctx" else _typed(hint) for name, hint in hints.items()}
    return found
