"""Marks and citations name clauses that exist: a mistyped id would cover nothing, silently."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from rolloff.editions.clauses import FAMILIES, clause_book
from rolloff.rules.citing_scan import package_citations, package_sources
from tools.citing_places import Module, switches_of

ROOT = Path(__file__).parents[2]


def marks(path: Path) -> Iterator[tuple[int, list[object]]]:
    """The literal arguments of the clause marks in a test file, with their lines."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "clause":
            words: list[object] = [word.value for word in node.args if isinstance(word, ast.Constant)]
            if words and words[0] in FAMILIES:
                yield node.lineno, words


def test_marks_name_clauses_of_their_edition() -> None:
    """Every id in a mark is a clause of the edition named before it."""
    wrong = [
        f"{path.relative_to(ROOT)}:{line} {words[0]} has no {id_}"
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        for line, words in marks(path)
        for id_ in words[1:]
        if id_ not in clause_book(str(words[0]))
    ]
    assert not wrong


def test_code_cites_clauses_that_exist() -> None:
    """Every id cited in the engine is a clause; in an edition's own code, one of its family."""
    families: dict[str, set[str]] = {}
    for edition, family in FAMILIES.items():
        families.setdefault(family, set()).update(clause_book(edition))
    every = set().union(*families.values())
    stems = {id_.split("-")[0] for id_ in every}
    wrong = []
    for citation in package_citations(ROOT / "src"):
        parts = citation.where.partition(":")[0].split(".")
        known = families.get(parts[2], every) if parts[1] == "editions" and len(parts) > 2 else every
        if citation.clause not in known and citation.clause.split("-")[0] in stems:
            wrong.append(f"{citation.where} line {citation.line} cites {citation.clause}")
    assert not wrong


def test_switches_name_what_cites() -> None:
    """Every entry of `tools/switches.toml` stands for a function or a line that cites a clause."""
    sources = dict(package_sources(ROOT / "src", "rolloff"))
    stale: list[str] = []
    for name, switches in switches_of(ROOT).items():
        module = Module(sources[name].read_text(encoding="utf-8")) if name in sources else Module("")
        known = set(module.switchable())
        stale.extend(f"{name}: {key}" for key in switches if key != "import" and key not in known)
    assert not stale
