"""No room but the editions' own knows a rulebook by its name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from rolloff.editions.registry import BUILT_IN

SOURCE = Path(__file__).parents[2] / "src/rolloff"
OWN = ("editions", "content")


def _docstrings(tree: ast.AST) -> set[int]:
    """Which constants are docstrings: examples in a help text name an edition and decide nothing."""
    found = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr):
            found.add(id(body[0].value))
    return found


def _named(path: Path, name: re.Pattern[str]) -> Iterator[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    shown = _docstrings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in shown and name.search(node.value):
            yield f"{path.relative_to(SOURCE)}:{node.lineno}: {node.value!r}"


def test_no_edition_is_named_outside_its_room() -> None:
    """No string of the code outside `editions/` and the content holds the id of a rulebook."""
    name = re.compile("|".join(rf"(?<![\w-]){re.escape(id_)}(?![\w-])" for id_ in BUILT_IN))
    files = [path for path in sorted(SOURCE.rglob("*.py")) if path.relative_to(SOURCE).parts[0] not in OWN]
    assert len(files) > 100
    assert [line for path in files for line in _named(path, name)] == []
