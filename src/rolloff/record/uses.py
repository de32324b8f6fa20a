"""Where clauses acted in a recorded game: the lines of a record whose events rest on them, told as in the log."""

from __future__ import annotations

from collections import Counter
from typing import Literal

from msgspec import Struct, field

from rolloff.editions.registry import edition as edition_of
from rolloff.record.lines import Line
from rolloff.rules.edition import Edition
from rolloff.situations.wire import sentence


class Use(Struct, frozen=True):
    """An event that rests on a clause: its line in the record, the round, its kind, and the sentence of the log."""

    line: int
    round: int
    kind: str
    text: str


class Used(Struct, frozen=True, kw_only=True):
    """What ``rolloff rules --used-in`` prints: for one clause its uses, else how often each clause acted."""

    schema: Literal["rolloff.used/1"] = "rolloff.used/1"
    edition: str
    id: str | None = None
    uses: list[Use] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)


def uses(lines: list[Line], id_: str | None = None) -> Used:
    """Where a clause acted in a record, or how often every clause did.

    Raises:
        UnknownEdition: the record is of an edition that is not installed.
    """
    header = lines[0]
    edition, names = edition_of(str(header.get("edition"))), _names(header)
    counts: Counter[str] = Counter()
    found: list[Use] = []
    now = 0
    for line in lines:
        if line.type == "step" and isinstance(line.get("round"), int):
            now = line.get("round")
        cited = line.get("clauses") if line.type in ("event", "roll") else None
        if isinstance(cited, list):
            counts.update(map(str, cited))
            if id_ in cited:
                found.append(_use(edition, names, line, now))
    if id_ is not None:
        return Used(edition=edition.id, id=id_, uses=found)
    return Used(edition=edition.id, counts=dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))))


def _names(header: Line) -> dict[str, str]:
    """The names of the units of a record, by id."""
    setup = header.get("setup")
    units = setup.get("units") if isinstance(setup, dict) else None
    rows = [unit for unit in units if isinstance(unit, dict)] if isinstance(units, list) else []
    return {str(unit["id"]): str(unit.get("name") or unit["id"]) for unit in rows if "id" in unit}


def _use(edition: Edition, names: dict[str, str], line: Line, now: int) -> Use:
    """A line as a use; a record that tells of kinds the edition does not know is read as far as it goes."""
    kind = "rolled" if line.type == "roll" else str(line.get("kind"))
    facts = line.found if line.type == "roll" else line.get("facts")
    known = kind in edition.kinds and isinstance(facts, dict)
    return Use(line.number, now, kind, sentence(edition, names, kind, facts or {}) if known else kind)
