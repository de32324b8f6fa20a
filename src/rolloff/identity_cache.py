"""What was worked out for an object that never changes, found again by the object's identity."""

from __future__ import annotations

from typing import Final, Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class IdentityCache(Generic[K, V]):
    """Answers about frozen objects: far cheaper to find than by value, where the same objects come again and again.

    Each object is kept alive beside its answer, so that no other can take its identity; when there are too many,
    all are let go. ``seek`` finds the object and its answer by the object's `id`, for who asks too often to call `get`.
    """

    __slots__ = ("_known", "_most", "seek")

    def __init__(self, most: int = 512) -> None:
        """Keep no more than so many."""
        self._known: dict[int, tuple[K, V]] = {}
        self._most = most
        self.seek: Final = self._known.get

    def get(self, key: K) -> V | None:
        """The answer kept for this very object, or None."""
        found = self._known.get(id(key))
        return None if found is None else found[1]

    def put(self, key: K, value: V) -> V:
        """Keep an answer, and give it back."""
        if len(self._known) >= self._most:
            self._known.clear()
        self._known[id(key)] = key, value
        return value


class FormCache(Generic[K, V]):
    """Answers about frozen objects in some form: found by the object's identity, then by the form, which is a value."""

    __slots__ = ("_known", "_most")

    def __init__(self, most: int = 32) -> None:
        """Keep no more than so many forms of an object."""
        self._known: IdentityCache[K, dict[object, V]] = IdentityCache()
        self._most = most

    def get(self, key: K, form: object) -> V | None:
        """The answer kept for this very object in this form, or None."""
        known = self._known.get(key)
        return None if known is None else known.get(form)

    def put(self, key: K, form: object, value: V) -> V:
        """Keep an answer, and give it back."""
        known = self._known.get(key)
        if known is None:
            known = self._known.put(key, {})
        elif len(known) >= self._most:
            known.clear()
        known[form] = value
        return value


class Recent(dict[K, V]):
    """Answers found again by value; when there are too many, all are let go."""

    __slots__ = ("_most",)

    def __init__(self, most: int = 512) -> None:
        """Keep no more than so many."""
        self._most = most

    def keep(self, key: K, value: V) -> V:
        """Keep an answer, and give it back."""
        if len(self) >= self._most:
            self.clear()
        self[key] = value
        return value
