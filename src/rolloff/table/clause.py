"""Clauses: the rulebook in numbered sentences, and the book an edition makes of them.

A rulebook file holds the clauses of a family of editions once, with the words that differ marked by edition.
`ClauseBook.read` picks the words of one edition and adds which clauses are in force and which are planned.
Nothing here knows where the files lie or which editions exist.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Literal

import msgspec
from msgspec import Struct

from rolloff.errors import BadInput
from rolloff.table.clause_search import Hit, Index, Vocabulary
from rolloff.typed import convert, read_json

Kind = Literal["rule", "definition"]
Status = Literal["in-force", "planned"]


class Wording(Struct, frozen=True, omit_defaults=True):
    """Some words of a clause; with editions named, words of those alone. ``line`` begins a line."""

    text: str
    editions: tuple[str, ...] = ()
    line: bool = False

    def holds_in(self, edition: str) -> bool:
        """Whether the edition's clause has these words."""
        return not self.editions or edition in self.editions


class ClauseRecord(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A clause as the rulebook file holds it, for all editions of the family."""

    id: str
    editions: tuple[str, ...]
    topic: str
    text: tuple[Wording, ...]
    rulings: tuple[Wording, ...] = ()
    kind: Kind = "rule"
    engine: bool = False
    origin: str = ""
    rule: str = ""
    tier: int = 0
    note: str = ""


class Switch(Struct, frozen=True, omit_defaults=True):
    """A named toggle for a reading that tables dispute, with the default the clause states."""

    id: str
    default: str
    clause: str
    editions: tuple[str, ...]
    alternative: str = ""


class DecisionPoint(Struct, frozen=True, omit_defaults=True):
    """A place in the rules where somebody must choose."""

    id: str
    who: str
    when: str
    options: str
    default: str
    editions: tuple[str, ...]
    clauses: str = ""


class Interaction(Struct, frozen=True):
    """What follows when two special rules meet."""

    id: str
    meeting: str
    outcome: str


class SpecialEntry(Struct, frozen=True):
    """A special rule of the book: its names, whom it covers, what it takes and when it works."""

    slug: str
    name: str
    token: str
    scope: str
    params: str
    tier: int
    hooks: tuple[str, ...]


class RuleBook(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A rulebook file: one family of editions."""

    family: str
    editions: tuple[str, ...]
    clauses: tuple[ClauseRecord, ...]
    switches: tuple[Switch, ...] = ()
    decisions: tuple[DecisionPoint, ...] = ()
    interactions: tuple[Interaction, ...] = ()
    specials: tuple[SpecialEntry, ...] = ()


class Clause(Struct, frozen=True, kw_only=True):
    """A clause in the words of one edition."""

    id: str
    edition: str
    kind: Kind
    status: Status
    topic: str
    text: str
    rulings: tuple[str, ...]
    engine: bool
    origin: str
    rule: str
    tier: int
    note: str

    @property
    def wording(self) -> str:
        """All of it: the text, then the rulings, then the note, a line each."""
        lines = [self.text, *(f"Ruling: {ruling}" for ruling in self.rulings)]
        if self.note:
            lines.append(f"Note: {self.note}")
        return "\n".join(line for line in lines if line)


class _StatusFile(Struct, forbid_unknown_fields=True):
    """Which clauses are in force: patterns of ids, less the patterns of those still planned."""

    in_force: list[str]
    planned: list[str] = []

    def of(self, id_: str) -> Status:
        """The status of one clause."""
        listed = any(fnmatchcase(id_, pattern) for pattern in self.in_force)
        held_back = any(fnmatchcase(id_, pattern) for pattern in self.planned)
        return "in-force" if listed and not held_back else "planned"


def _words(parts: tuple[Wording, ...], edition: str) -> str:
    text = ""
    for part in parts:
        if part.holds_in(edition):
            text += ("\n" if part.line and text else "") + part.text
    return text


def _in_edition(record: ClauseRecord, edition: str, status: Status) -> Clause:
    return Clause(
        id=record.id,
        edition=edition,
        kind=record.kind,
        status=status,
        topic=record.topic,
        text=_words(record.text, edition),
        rulings=tuple(ruling.text for ruling in record.rulings if ruling.holds_in(edition)),
        engine=record.engine,
        origin=record.origin,
        rule=record.rule,
        tier=record.tier,
        note=record.note,
    )


class ClauseBook(Mapping[str, Clause]):
    """The clauses of one edition by id, in book order, with its switches and decision points."""

    def __init__(self, edition: str, book: RuleBook, clauses: dict[str, Clause], words: tuple[bytes, ...] = ()) -> None:
        """Bind an edition's clauses; `ClauseBook.read` makes them from the files."""
        self._words = words
        self.edition = edition
        self.family = book.family
        self._clauses = clauses
        self.switches = tuple(switch for switch in book.switches if edition in switch.editions)
        self.decisions = tuple(point for point in book.decisions if edition in point.editions)
        self.interactions = book.interactions
        self.specials = book.specials

    @classmethod
    def read(cls, book: bytes, status: bytes, edition: str, words: tuple[bytes, ...] = ()) -> ClauseBook:
        """Read an edition from a rulebook file (JSON), a status file and files of players' words (TOML); else `BadInput`."""
        try:
            rulebook = read_json(book, RuleBook)
            statuses = convert(tomllib.loads(status.decode()), _StatusFile)
        except (msgspec.MsgspecError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise BadInput("bad-clauses", f"the clause files of {edition} cannot be read: {error}") from error
        if edition not in rulebook.editions:
            allowed = ", ".join(rulebook.editions)
            raise BadInput("bad-clauses", f"the rulebook {rulebook.family} has no {edition}", allowed=allowed)
        clauses = {
            record.id: _in_edition(record, edition, statuses.of(record.id))
            for record in rulebook.clauses
            if edition in record.editions
        }
        return cls(edition, rulebook, clauses, words)

    @classmethod
    def plain(cls, edition: str, texts: Mapping[str, str]) -> ClauseBook:
        """The clauses an edition brings along as texts by id: all in force, nothing more said of them."""
        clauses = {
            id_: Clause(
                id=id_, edition=edition, kind="rule", status="in-force", topic="Rules", text=text, rulings=(), engine=False,
                origin="", rule="", tier=1, note="",
            )
            for id_, text in texts.items()
        }  # fmt: skip
        return cls(edition, RuleBook(family=edition, editions=(edition,), clauses=()), clauses)

    def __getitem__(self, id_: str) -> Clause:
        """The clause of that id; `KeyError` if the edition has none."""
        return self._clauses[id_]

    def __iter__(self) -> Iterator[str]:
        """The ids in book order."""
        return iter(self._clauses)

    def __len__(self) -> int:
        """How many clauses the edition has."""
        return len(self._clauses)

    @cached_property
    def in_force(self) -> tuple[Clause, ...]:
        """The clauses the engine plays by today."""
        return tuple(clause for clause in self._clauses.values() if clause.status == "in-force")

    @cached_property
    def planned(self) -> tuple[Clause, ...]:
        """The clauses it does not play by yet."""
        return tuple(clause for clause in self._clauses.values() if clause.status == "planned")

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """How players ask for these clauses."""
        return Vocabulary.read(*self._words)

    @cached_property
    def _index(self) -> Index:
        index, words = Index(self.vocabulary), self.vocabulary
        for clause in self._clauses.values():
            head = re.match(r"([^.:\n]{3,40})[.:]", clause.text)
            title = f"{clause.rule} {head[1] if head else ''}"
            # The first clauses of a subject say what it is; a definition does nothing by itself.
            prior = 1.0 + 0.25 / int(clause.id.rpartition("-")[2]) - 0.1 * (clause.kind == "definition")
            index.add(
                clause.id,
                title,
                f"{words.subject(clause.id)} {clause.text}",
                " ".join((clause.topic, *clause.rulings)),
                prior,
            )
        for meeting in self.interactions:
            index.add(meeting.id, meeting.meeting, meeting.outcome)
        return index

    def found(self, id_: str) -> Clause:
        """The clause of a hit; where two rules meet, that meeting told as a clause."""
        if id_ in self._clauses:
            return self._clauses[id_]
        meeting = next(meeting for meeting in self.interactions if meeting.id == id_)
        return Clause(
            id=id_,
            edition=self.edition,
            kind="rule",
            status="in-force" if self.in_force else "planned",
            topic="Where rules meet",
            text=f"{meeting.meeting}: {meeting.outcome}.",
            rulings=(),
            engine=False,
            origin="",
            rule="",
            tier=0,
            note="",
        )

    def search(self, words: str, limit: int = 10) -> list[Hit]:
        """The clauses that best answer a question or match some words, best first."""
        return self._index.search(words, limit)
