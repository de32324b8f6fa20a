"""Reading the contract of the compendium: base frame, special rules with their tables, and how they meet."""

from __future__ import annotations

import re

from rolloff.table.clause import (
    ClauseRecord,
    DecisionPoint,
    Interaction,
    RuleBook,
    SpecialEntry,
    Switch,
    Wording,
)
from tools.contract_definitions import DEFINITIONS
from tools.contract_text import ID, between, plain, table_rows, topic_of

EDITION = ("compendium",)
_CLAUSE = re.compile(rf"- \*\*((?:CF|SR)-{ID})\*\* (.*)")
_RULING = re.compile(r"\*\*Ruling(?: \(([^)]*)\))?:\*\* (.*)")
_RULE = re.compile(r"### SR-([A-Z0-9-]+) — (.*)")
_HEADER = re.compile(r"Source name: .* · slug: `([^`]+)` · scope: (.*) · params: (.*) · tier: (\d) · hooks: (.*)")
# Pointers to other parts of the contract, said in a way that needs no contract.
_CLEARER = (
    (" used in every Part B header", " named by every special rule"),
    ("Armies, table, deployment, missions and the end of the game: A.18.", ""),
    ("from one force (Part H or a user's own book)", "from one force (a shipped book or a user's own)"),
    (" Points and roles: H.6.", " Points and roles are the book's."),
    (
        "with the equipment of H.6; a model has exactly the weapons listed for it there",
        "with the equipment the book lists; a model has exactly those weapons",
    ),
    ("of the list in H.4", "of the shipped list"),
    ("Both missions of H.4", "Both shipped missions"),
)


class _Draft:
    """A clause being read, line by line."""

    def __init__(self, found: re.Match[str], topic: str, entry: SpecialEntry | None) -> None:
        self.id = found[1]
        self.topic = topic
        self.entry = entry
        ruling = _RULING.fullmatch(found[2])
        self.ruling = ruling is not None
        body = ruling[2] if ruling else found[2]
        for old, new in _CLEARER:
            body = body.replace(old, new)
        self.text = [Wording(body.strip())]

    def record(self) -> ClauseRecord:
        """The clause as the rulebook file holds it."""
        frame = self.id.startswith("CF-")
        return ClauseRecord(
            id=self.id,
            editions=EDITION,
            topic=self.topic,
            text=() if self.ruling else tuple(self.text),
            rulings=(Wording("\n".join(part.text for part in self.text)),) if self.ruling else (),
            kind="definition" if self.id in DEFINITIONS["compendium"] else "rule",
            origin="ruling" if self.ruling else "frame" if frame else "source",
            rule=self.entry.name if self.entry else "",
            tier=self.entry.tier if self.entry else 0,
        )


def _entry(token: str, name: str, line: str) -> SpecialEntry:
    found = _HEADER.fullmatch(line)
    if found is None:
        raise ValueError(f"no header below {token}: {line[:80]}")
    hooks = tuple(re.findall(r"`([a-z_]+)`", found[5]))
    return SpecialEntry(found[1], name, token, plain(found[2]), plain(found[3]), int(found[4]), hooks)


def _parts(text: str) -> tuple[list[ClauseRecord], list[SpecialEntry]]:
    drafts: list[_Draft] = []
    entries: list[SpecialEntry] = []
    heading: tuple[str, str] | None = None
    topic, open_ = "", False
    for line in text.splitlines():
        found = _CLAUSE.fullmatch(line)
        rule = _RULE.fullmatch(line)
        if found:
            special = entries[-1] if found[1].startswith("SR-") else None
            drafts.append(_Draft(found, special.name if special else topic, special))
            open_ = True
        elif rule:
            heading, open_ = (rule[1], rule[2]), False
        elif line.startswith("## "):
            topic, open_ = topic_of(line), False
        elif heading and line.startswith("Source name:"):
            entries.append(_entry(*heading, line))
        elif line.startswith("|") and open_:
            drafts[-1].text.append(Wording(line, (), True))
        elif line.strip():
            open_ = False
    return [draft.record() for draft in drafts], entries


def read_compendium(text: str) -> RuleBook:
    """The rulebook of the compendium from its contract."""
    clauses, entries = _parts(between(text, "# PART A", "# PART B2"))
    switches = [
        Switch(plain(name), plain(default), clause, EDITION, plain(other))
        for name, default, other, clause in table_rows(between(text, "## G.1", "## G.2"))
    ]
    decisions = [
        DecisionPoint(id_, who, plain(when), options, default, EDITION)
        for id_, who, when, options, default in table_rows(between(text, "# PART D", "# PART E"))
    ]
    meetings = [Interaction(*row) for row in table_rows(between(text, "# PART B2", "# PART C"))]
    return RuleBook(
        family="compendium",
        editions=EDITION,
        clauses=tuple(clauses),
        switches=tuple(switches),
        decisions=tuple(decisions),
        interactions=tuple(meetings),
        specials=tuple(entries),
    )
