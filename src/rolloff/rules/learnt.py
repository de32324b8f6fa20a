"""What an edition's readers have learnt: what the names of fields mean, and how single values and rules were read before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from rolloff.identity_cache import Recent
from rolloff.rules.notes import Note
from rolloff.rules.weapon_lines import RULES, LineReader
from rolloff.rules.weapon_objects import COUNTS, DESCRIPTION, FIELDS, KINDS, NOT_OF_WEAPONS, TIMES, has_own_object, plain
from rolloff.table.profile import Rule

if TYPE_CHECKING:
    from rolloff.rules.notation import Notation

_SKILLS = ("ws", "bs", "weapon skill", "ballistic skill")


class Column(NamedTuple):
    """A field of a weapon: as it is written, as it is compared, and the edition's name for it.

    ``beside``: it says nothing about the attacks; ``skilled``: it tells a weapon that strikes from one that shoots.
    """

    key: str
    said: str
    name: str
    beside: bool
    skilled: bool


class Layout(NamedTuple):
    """What the names of a weapon's fields mean; ``nested``: some of its fields may stand in an object of their own.

    ``counts`` are the fields that say how many there are; ``described``: one is a description.
    """

    columns: tuple[Column, ...]
    counts: tuple[str, ...]
    nested: bool
    described: bool


class Learnt:
    """What readers of one edition share."""

    def __init__(self, notation: Notation) -> None:
        """Know nothing yet but the edition's notation."""
        self.notation = notation
        self.lines = LineReader(notation.columns, notation.optional, notation.shots)
        self.plainly: Recent[str, list[str]] = Recent(4096)
        self.values: Recent[tuple[str, int | str], tuple[object, Note | None]] = Recent(4096)
        self.single: Recent[Rule, bool] = Recent(1024)
        self._layouts: Recent[tuple[object, ...], Layout] = Recent()

    def layout(self, given: Mapping[str, Any], described: str | None = None) -> Layout:
        """What the fields of a weapon mean; ``described`` is the field of a description that holds its rules."""
        key = (described, *given)
        return self._layouts.get(key) or self._new_layout(key, described, given)

    def _new_layout(self, key: tuple[object, ...], described: str | None, given: Mapping[str, Any]) -> Layout:
        columns = tuple([self._column(name, described) for name in given])
        counts = tuple([column.key for column in columns if column.said in COUNTS])
        nested = not all(isinstance(name, str) for name in given) or any(has_own_object(column.said) for column in columns)
        found = Layout(columns, counts, nested, any(column.said == DESCRIPTION for column in columns))
        return found if nested else self._layouts.keep(key, found)

    def _column(self, key: str, described: str | None) -> Column:
        said = plain(str(key))
        name = self.notation.fields.get(said) or (RULES if said == described else FIELDS.get(said, key))
        beside = said in COUNTS or said in NOT_OF_WEAPONS or said in KINDS or said in TIMES
        return Column(key, said, name, name == key and beside, name != key and said in _SKILLS)
