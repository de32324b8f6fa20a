"""Attributes computed when they are first asked for."""

from __future__ import annotations

from functools import cached_property
from typing import Any, TypeVar, overload

T = TypeVar("T")


class lazy(cached_property[T]):
    """A cached property without the lock Python 3.11 takes for each; two threads may compute the same, and no harm is done."""

    def __set_name__(self, owner: type[Any], name: str) -> None:
        """Remember which attribute it is."""
        super().__set_name__(owner, name)
        self.name = name
        self._settable = not any("__setattr__" in vars(kind) for kind in owner.__mro__[:-1])  # frozen structs have one

    @overload
    def __get__(self, instance: None, owner: type[Any] | None = None) -> lazy[T]: ...
    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> T: ...
    def __get__(self, instance: object | None, owner: type[Any] | None = None) -> lazy[T] | T:
        """The value, from now on an attribute of the object itself."""
        if instance is None:
            return self
        found: T = self.func(instance)
        if self._settable:
            setattr(instance, self.name, found)  # which spares the object a dictionary of its own
        else:
            instance.__dict__[self.name] = found
        return found
