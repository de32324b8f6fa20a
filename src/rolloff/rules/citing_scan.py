"""Finding citations in source code, without running it."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

_ID = r"[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-\d+"
_IS_ID = re.compile(_ID)
_COMMENT = re.compile(rf"#\s*({_ID}(?:,\s*{_ID})*)(?![\w-])")


class Citation(Struct, frozen=True, order=True):
    """A place in the code that cites a clause: ``where`` is ``module:function``."""

    clause: str
    where: str
    line: int


def is_clause_id(text: object) -> bool:
    """Whether something has the form of a clause id."""
    return isinstance(text, str) and _IS_ID.fullmatch(text) is not None


def comment_citations(source: str) -> dict[int, tuple[str, ...]]:
    """The ids that comments at the end of lines begin with, by line; a comment on its own cites nothing."""
    found: dict[int, tuple[str, ...]] = {}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and token.line[: token.start[1]].strip():
            cited = _COMMENT.match(token.string)
            if cited:
                found[token.start[0]] = tuple(re.findall(_ID, cited[1]))
    return found


def _named(node: ast.AST) -> str:
    """The name a definition or an assignment gives."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return node.name
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    first = targets[0]
    return first.id if isinstance(first, ast.Name) else ""


def _walk(node: ast.AST, path: tuple[str, ...], inside: bool) -> Iterator[tuple[ast.AST, tuple[str, ...]]]:
    """Every node with the names it stands under; assignments name a place only outside functions."""
    for child in ast.iter_child_nodes(node):
        function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
        names = function or isinstance(child, ast.ClassDef)
        if not inside:
            names = names or isinstance(child, ast.Assign | ast.AnnAssign)
        under = (*path, _named(child)) if names and _named(child) else path
        yield child, under
        yield from _walk(child, under, inside or function)


def read_citations(source: str, module: str) -> list[Citation]:
    """All citations of one module, in the order of its lines."""
    comments = comment_citations(source)
    found: set[Citation] = set()
    for node, path in _walk(ast.parse(source), (), False):
        where = f"{module}:{'.'.join(path)}" if path else module
        if isinstance(node, ast.Constant) and is_clause_id(node.value):
            found.add(Citation(str(node.value), where, node.lineno))
        elif isinstance(node, ast.stmt):
            line = node.lineno
            found.update(Citation(id_, where, line) for id_ in comments.pop(line, ()))
    # What is left stands behind a part of a statement that goes over several lines.
    for line, ids in comments.items():
        found.update(Citation(id_, _enclosing(source, module, line), line) for id_ in ids)
    return sorted(found, key=lambda citation: (citation.line, citation.clause))


def _enclosing(source: str, module: str, line: int) -> str:
    best: tuple[str, ...] = ()
    for node, path in _walk(ast.parse(source), (), False):
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno):
            best = max(best, path, key=len)
    return f"{module}:{'.'.join(best)}" if best else module


def module_name(path: Path, root: Path) -> str:
    """The dotted name of a source file under the folder that holds its package."""
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def package_sources(root: Path, package: str) -> Iterator[tuple[str, Path]]:
    """The modules of a package and their files, in order of name."""
    for path in sorted((root / package).rglob("*.py")):
        yield module_name(path, root), path


def package_citations(root: Path, package: str = "rolloff") -> list[Citation]:
    """Every citation in a package; ``root`` is the folder the package lies in."""
    found: list[Citation] = []
    for module, path in package_sources(root, package):
        source = path.read_text(encoding="utf-8")
        if _IS_ID.search(source):
            found.extend(read_citations(source, module))
    return found
