"""Reading the contract of the One Page family: three editions in one text.

Words of single editions stand on lines of their own (``- 3.0, Apoc: …``), run on in the text
(``… 2.21: 1. 3.0: 2.``) or sit in brackets (``(Apoc: the leader)``). Each becomes
a `Wording` of those editions.
"""

from __future__ import annotations

import re

from rolloff.table.clause import ClauseRecord, DecisionPoint, RuleBook, Switch, Wording
from tools.contract_definitions import DEFINITIONS
from tools.contract_text import ID, between, plain, sentence, table_rows, topic_of

EDITIONS = {"2.21": "onepage-2.21", "3.0": "onepage-3.0", "Apoc": "apocalypse-3.3"}
ALL = tuple(EDITIONS.values())
_SHORT = r"(?:2\.21|3\.0|Apoc)"
_LABEL = re.compile(rf"(?:^|(?<=[.:] ))({_SHORT}(?: \([^)]*\))?(?:, {_SHORT}(?: \([^)]*\))?)*): ")
_BRACKET = re.compile(rf" \(({_SHORT}(?:, {_SHORT})*): ([^()]*)\)")
_CLAUSE = re.compile(rf"- \*\*({ID})\*\* \{{([^}}]*)\}}( \(engine\))? ?(.*)")
_RULING = re.compile(rf"Ruling(?: \(?({_SHORT}(?:, {_SHORT})*)\)?)?: (.*)")

# Where words for all editions come again after words for some.
_ALL_AGAIN = {
    "RULE-PIERCING-3": " Switch:",
    "RULE-SCOUT-1": " If no such spot",
    "RULE-TRANSPORT-8": " Survivors are",
}
# Figures that make no sentence by themselves, and a reference to another part of the contract.
_CLEARER = {
    "ARMY-1": (
        ("2.21: 750 or", "2.21: the limit is 750 or"),
        ("3.0: 750", "3.0: the limit is 750"),
        ("Apoc: 3000", "Apoc: the limit is 3000"),
    ),
    "RULE-PSYKER-8": ((" (section 8.2)", ""),),
}
_DECISION_EDITIONS = {
    "DP-6": ("Apoc",),
    "DP-20": ("Apoc",),
    "DP-22": ("2.21", "3.0"),
    "DP-23": ("3.0", "Apoc"),
    "DP-25": ("Apoc",),
}
_SWITCH_EDITIONS = {"apoc_melee_half_test": ("Apoc",)}


def _editions(label: str) -> tuple[str, ...]:
    return tuple(EDITIONS[short] for short in re.findall(_SHORT, label))


def _brackets(text: str, editions: tuple[str, ...] = (), line: bool = False) -> list[Wording]:
    """Split off what stands in brackets for some editions only."""
    parts: list[Wording] = []
    at = 0
    for found in _BRACKET.finditer(text):
        parts.append(Wording(text[at : found.start()], editions, line and not parts))
        parts.append(Wording(f" ({found[2]})", _editions(found[1])))
        at = found.end()
    if text[at:]:
        parts.append(Wording(text[at:], editions, line and not parts))
    return parts


def _running(id_: str, text: str, scope: tuple[str, ...], line: bool = False) -> list[Wording]:
    """Split text in which single editions are named as it runs."""
    tail = ""
    again = _ALL_AGAIN.get(id_)
    if again and again in text:
        text, tail = text[: text.index(again)], text[text.index(again) :]
    marks = list(_LABEL.finditer(text))
    if not marks:
        return _brackets(text + tail, (), line)
    head = text[: marks[0].start()].rstrip()
    named = {edition for mark in marks for edition in _editions(mark[1])}
    whole = named.issuperset(scope) and bool(head)
    if whole and head.endswith("."):
        head = head[:-1] + ":"
    parts = _brackets(head, (), line) if head else []
    for mark, following in zip(marks, [*marks[1:], None], strict=True):
        words = text[mark.end() : following.start() if following else len(text)].strip()
        words = words if whole else sentence(words)
        # A lone line of variants: each begins the line in its own edition.
        parts.extend(_brackets((" " if head else "") + words, _editions(mark[1]), line and not head))
    return parts + (_brackets(tail) if tail else [])


class _Draft:
    """A clause being read, line by line."""

    def __init__(self, found: re.Match[str], topic: str, rule: str) -> None:
        self.id = found[1]
        self.scope = ALL if found[2] == "all" else _editions(found[2])
        self.engine = bool(found[3])
        self.topic = topic
        self.rule = rule
        self.text = _running(self.id, self._clear(found[4]), self.scope)
        self.rulings: list[Wording] = []

    def _clear(self, text: str) -> str:
        for old, new in _CLEARER.get(self.id, ()):
            text = text.replace(old, new)
        return text

    def add(self, line: str) -> None:
        """Take a line that is indented under the clause."""
        body = self._clear(line.strip())
        if body.startswith("|"):
            self.text.append(Wording(body, (), True))
            return
        body = body.removeprefix("- ")
        ruling = _RULING.fullmatch(body)
        if ruling is None:
            shown = body if _LABEL.match(body) else f"- {body}"
            self.text.extend(_running(self.id, shown, self.scope, line=True))
        else:
            self.rulings.extend(self._ruling(ruling[1] or "", ruling[2]))

    def _ruling(self, label: str, body: str) -> list[Wording]:
        editions = _editions(label)
        parts = _running(self.id, body, self.scope)
        if editions or len(parts) == 1:
            return [Wording(parts[0].text, editions)] if len(parts) == 1 else [Wording(body, editions)]
        # Each edition gets the ruling in one piece.
        whole: dict[str, list[str]] = {}
        for edition in self.scope:
            words = "".join(part.text for part in parts if part.holds_in(edition))
            whole.setdefault(words, []).append(edition)
        return [Wording(words, tuple(names)) for words, names in whole.items()]

    def record(self) -> ClauseRecord:
        """The clause as the rulebook file holds it."""
        return ClauseRecord(
            id=self.id,
            editions=self.scope,
            topic=self.topic,
            text=tuple(self.text),
            rulings=tuple(self.rulings),
            kind="definition" if self.id in DEFINITIONS["onepage"] else "rule",
            engine=self.engine,
            rule=self.rule,
        )


def _clauses(text: str) -> list[ClauseRecord]:
    drafts: list[_Draft] = []
    topic = rule = ""
    open_ = False
    for line in text.splitlines():
        found = _CLAUSE.fullmatch(line)
        if line.startswith("### "):
            topic, rule, open_ = topic_of(line).partition(": ")[0], "", False
        elif found:
            drafts.append(_Draft(found, topic, rule))
            open_ = True
        elif line.startswith("  ") and open_:
            drafts[-1].add(line)
        elif line.strip():
            heading = re.fullmatch(r"\*\*([^*:]+)\*\*", line)
            rule, open_ = heading[1] if heading else rule, False
    return [draft.record() for draft in drafts]


def read_onepage(text: str) -> RuleBook:
    """The rulebook of the One Page family from its contract."""
    clauses = _clauses(between(text, "## 3. Clauses", "### 3.27"))
    scope = {clause.id: clause.editions for clause in clauses}
    switches = [
        Switch(plain(name), default, clause, _named(_SWITCH_EDITIONS.get(plain(name))) or scope[clause])
        for name, default, clause in table_rows(between(text, "## 2. Policy", "## 3. Clauses"))
    ]
    decisions = [
        DecisionPoint(id_, who, when, options, plain(default), _named(_DECISION_EDITIONS.get(id_)) or ALL)
        for id_, who, when, options, default in table_rows(between(text, "## 5. Decision", "## 6. Inv"))
    ]
    return RuleBook(
        family="onepage",
        editions=ALL,
        clauses=tuple(clauses),
        switches=tuple(switches),
        decisions=tuple(decisions),
    )


def _named(shorts: tuple[str, ...] | None) -> tuple[str, ...]:
    return tuple(EDITIONS[short] for short in shorts or ())
