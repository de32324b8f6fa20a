"""Components: the frozen parts an edition is composed of. Their signatures can be shown whatever their fields are typed as."""

from __future__ import annotations

import inspect

from msgspec import NODEFAULT, Struct, StructMeta


class Shown(StructMeta):
    """Structs whose signature is told by the names of types, which need not be loaded for it."""

    @property
    def __signature__(cls) -> inspect.Signature:
        """The fields with their defaults, as they were written."""
        return inspect.Signature([_parameter(cls, name, default) for name, default in _fields(cls)])


def _fields(cls: Shown) -> list[tuple[str, object]]:
    names, defaults = cls.__struct_fields__, cls.__struct_defaults__
    without: list[object] = [inspect.Parameter.empty] * (len(names) - len(defaults))
    return list(zip(names, (*without, *defaults), strict=True))


def _parameter(cls: Shown, name: str, default: object) -> inspect.Parameter:
    typed = next((kind.__annotations__[name] for kind in cls.__mro__ if name in vars(kind).get("__annotations__", {})), None)
    given = ... if default is NODEFAULT else default
    empty = inspect.Parameter.empty
    return inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=given, annotation=typed or empty)


class Component(Struct, frozen=True, metaclass=Shown):
    """A part of an edition."""
