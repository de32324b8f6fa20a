"""The rules of an edition as a document to read: every clause under its topic."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rolloff.table.clause import Clause, ClauseBook


def _entry(clause: Clause) -> list[str]:
    """A clause as a list item; its further lines and rulings below it, tables by themselves."""
    first, *rest = clause.text.split("\n") if clause.text else [f"*Ruling:* {clause.rulings[0]}"]
    marks = [mark for mark, holds in (("engine", clause.engine), ("planned", clause.status == "planned")) if holds]
    shown = f" *({', '.join(marks)})*" if marks else ""
    lines = [f"- **{clause.id}**{shown} {first}"]
    table = False
    for line in rest:
        if line.startswith("|") and not table:
            lines.append("")
        table = line.startswith("|")
        lines.append(f"  {line}" if table or line.startswith("- ") else f"  - {line}")
    if table:
        lines.append("")
    rulings = clause.rulings if clause.text else clause.rulings[1:]
    lines.extend(f"  - *Ruling:* {ruling}" for ruling in rulings)
    if clause.note:
        lines.append(f"  - *Note:* {clause.note}")
    return lines


def _topics(book: ClauseBook, without: Collection[str]) -> dict[str, list[Clause]]:
    found: dict[str, list[Clause]] = {}
    for clause in (clause for id_, clause in book.items() if id_ not in without):
        found.setdefault(clause.topic, []).append(clause)
    return found


def _table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> list[str]:
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return [*lines, *("| " + " | ".join(row) + " |" for row in rows), ""]


def document(book: ClauseBook, without: Collection[str] = ()) -> str:
    """The whole reference in Markdown, but for some clauses; the same book always gives the same text."""
    lines = [
        f"# Rules reference: {book.edition}",
        "",
        "A ruling settles what the rulebook leaves open; *engine* marks a clause that exists because a "
        "program must decide, *planned* one that is not in force yet. "
        "This page is written by `python -m tools.rules_reference`.",
        "",
    ]
    for topic, clauses in _topics(book, without).items():
        lines += [f"## {topic}", ""]
        rule = ""
        for clause in clauses:
            if clause.rule and clause.rule not in (rule, topic):
                lines += ["", f"### {clause.rule}", ""]
            rule = clause.rule
            lines += _entry(clause)
        lines.append("")
    if book.interactions:
        lines += ["## Where rules meet", ""]
        lines += _table(("id", "meeting", "outcome"), [(m.id, m.meeting, m.outcome) for m in book.interactions])
    if book.switches:
        lines += ["## Switches", ""]
        lines += _table(("switch", "default", "clause"), [(s.id, s.default, s.clause) for s in book.switches])
    lines += ["## Decision points", ""]
    decisions = [(d.id, d.who, d.when, d.options, d.default) for d in book.decisions]
    lines += _table(("id", "who", "when", "options", "default"), decisions)
    text = "\n".join(lines)
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return text.rstrip("\n") + "\n"
