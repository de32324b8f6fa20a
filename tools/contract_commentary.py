"""Reading the contract of the commentary edition: each clause has an origin and a tier."""

from __future__ import annotations

import re

from rolloff.table.clause import ClauseRecord, DecisionPoint, RuleBook, Switch, Wording
from tools.contract_definitions import DEFINITIONS
from tools.contract_text import ID, between, plain, table_rows, topic_of

EDITION = ("commentary-10",)
_CLAUSE = re.compile(rf"- \*\*({ID})\*\* \[(\w+)\] T(\d)(?: ([^:]*))?: (.*)")


def _record(found: re.Match[str], topic: str, rulings: list[str]) -> ClauseRecord:
    name = (found[4] or "").strip()
    text = f"{name}: {found[5]}" if name else found[5]
    return ClauseRecord(
        id=found[1],
        editions=EDITION,
        topic=topic,
        text=(Wording(text),),
        rulings=tuple(Wording(ruling) for ruling in rulings),
        kind="definition" if found[1] in DEFINITIONS["commentary"] else "rule",
        engine=found[2] == "engine",
        origin=found[2],
        rule=re.sub(r" \(.*", "", name),
        tier=int(found[3]),
    )


def _clauses(text: str) -> list[ClauseRecord]:
    drafts: list[tuple[re.Match[str], str, list[str]]] = []
    topic = ""
    for line in text.splitlines():
        found = _CLAUSE.fullmatch(line)
        if line.startswith("## "):
            topic = topic_of(line)
        elif found:
            drafts.append((found, topic, []))
        elif line.startswith("  - Ruling") and drafts:
            drafts[-1][2].append(re.sub(r"^  - Ruling(?: \([^)]*\))?: ", "", line))
    return [_record(*draft) for draft in drafts]


def read_commentary(text: str) -> RuleBook:
    """The rulebook of the commentary edition from its contract."""
    switches = [
        Switch(plain(name), plain(default), clause, EDITION)
        for name, default, clause in table_rows(between(text, "### 0.3 Edition flags", "# PART A."))
    ]
    decisions = [
        DecisionPoint(id_, who, when, options, default, EDITION, clauses)
        for id_, who, when, options, default, clauses in table_rows(between(text, "# PART D.", "# PART E."))
    ]
    return RuleBook(
        family="commentary",
        editions=EDITION,
        clauses=tuple(_clauses(between(text, "# PART A.", "# PART C."))),
        switches=tuple(switches),
        decisions=tuple(decisions),
    )
