"""Which editions are installed: the built-in ones, those of other packages, and those a program registers.

An edition is imported when it is first asked for. Other packages offer theirs through entry points of the
group ``rolloff.editions`` whose name is the edition's id and whose value is ``module:EDITION``.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Final

from rolloff.errors import UnknownEdition
from rolloff.rules.edition import Edition

GROUP: Final = "rolloff.editions"
"""The entry-point group under which other packages offer editions."""

BUILT_IN: Final[dict[str, str]] = {
    "apocalypse-3.3": "rolloff.editions.onepage.apocalypse:EDITION",
    "compendium": "rolloff.editions.compendium.edition:EDITION",
    "commentary-10": "rolloff.editions.commentary.v10:EDITION",
    "onepage-2.21": "rolloff.editions.onepage.v221:EDITION",
    "onepage-3.0": "rolloff.editions.onepage.v30:EDITION",
}

_registered: dict[str, Edition] = {}


@cache
def _offered() -> dict[str, str]:
    """Editions of other packages: where each is to be found, by id."""
    from importlib.metadata import entry_points

    return {point.name: point.value for point in entry_points(group=GROUP)}


def foreign_packages() -> frozenset[str]:
    """The packages that offer editions, by the first part of their names."""
    return frozenset(path.partition(":")[0].partition(".")[0] for path in _offered().values())


@cache
def _imported(path: str) -> object:
    module, _, name = path.partition(":")
    return getattr(import_module(module), name or "EDITION")


def register(edition: Edition) -> Edition:
    """Make an edition known for the rest of this program; one of the same id is replaced."""
    _registered[edition.id] = edition
    return edition


def registered(id: str) -> bool:
    """Whether the edition is known to this program alone, so that another process could not import it."""
    return id in _registered


def editions() -> tuple[str, ...]:
    """The ids of all editions that can be played, sorted."""
    return tuple(sorted({*BUILT_IN, *_offered(), *_registered}))


def edition(id: str) -> Edition:
    """The edition of that id.

    Raises:
        UnknownEdition: none is installed under that id, or what is installed there is no edition.
    """
    if id in _registered:
        return _registered[id]
    path = BUILT_IN.get(id) or _offered().get(id)
    if path is None:
        allowed = ", ".join(editions())
        raise UnknownEdition("unknown-edition", f"no edition {id!r} is installed", where="edition", allowed=allowed)
    found = _imported(path)
    if not isinstance(found, Edition):
        raise UnknownEdition("unknown-edition", f"{path} is not an edition", where="edition")
    return found
