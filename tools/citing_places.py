"""From a citation to the piece of code it stands for: the places where a clause can be switched off.

`rolloff.rules.citing` says what each kind of place means, ``switches.toml`` what a function or a figure is without
its clauses where that does not follow from its type. A place can be switched off in one or more ways; each way is
an edit of the syntax tree it was found in.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from rolloff.rules.citing_scan import comment_citations
from tools import switching_off as off

# Calls that only say which clauses belong to a thing.
INFORMING = frozenset({"EventKind", "frozenset", "Reply"})
# Class attributes that name the clauses of the class.
CLAUSE_ATTRIBUTES = frozenset({"clauses", "clause"})

LEFT_OUT_OF_TABLE = "left out of the table"

Function = ast.FunctionDef | ast.AsyncFunctionDef
Edit = Callable[[], None]


@dataclass(frozen=True)
class Way:
    """One way to switch a place off."""

    what: str
    line: int
    edit: Edit

    @property
    def rank(self) -> int:
        """What is tried first: things said outright, then figures, then hooks, then conditions one by one."""
        if self.what.startswith(("always:", "never:")):
            return 3
        if self.what.startswith("hooks"):
            return 2
        return 1 if " becomes " in self.what else 0


def switches_of(root: Path) -> dict[str, dict[str, str]]:
    """What a project says its functions and figures are without their clauses, by module."""
    file = root / "tools" / "switches.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


class Module:
    """The syntax tree of a module, with the way up from each node."""

    def __init__(self, source: str, switches: Mapping[str, str] | None = None) -> None:
        """Parse a source; ``switches`` are the entries of ``switches.toml`` for it."""
        self.tree = ast.parse(source)
        self.lines = source.splitlines()
        self.switches = switches or {}
        self.comments = comment_citations(source)
        self.parents: dict[ast.AST, ast.AST] = {
            child: parent for parent in ast.walk(self.tree) for child in ast.iter_child_nodes(parent)
        }

    def up(self, node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
        """Each (child, parent) from a node to the root."""
        while node in self.parents:
            parent = self.parents[node]
            yield node, parent
            node = parent

    def function_of(self, node: ast.AST) -> Function | None:
        """The function a node stands in."""
        return next((parent for _, parent in self.up(node) if isinstance(parent, Function)), None)

    def citing_nodes(self, clause: str) -> Iterator[ast.expr]:
        """The literals that are the clause, and the uses of names that hold it and nothing but ids."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Constant) and node.value == clause:
                name = self._holder(node)
                if name is None:
                    yield node
                else:
                    yield from self._uses(node, name)

    def _holder(self, literal: ast.Constant) -> str | None:
        """The name a citation is kept in, if it is assigned with nothing else."""
        for _, parent in self.up(literal):
            if isinstance(parent, ast.Assign) and not isinstance(self.parents[parent], ast.ClassDef):
                target = parent.targets[0]
                return target.id if isinstance(target, ast.Name) else None
            if not isinstance(parent, ast.Tuple | ast.List | ast.IfExp):
                return None
        return None

    def _uses(self, literal: ast.Constant, name: str) -> Iterator[ast.expr]:
        scope: ast.AST = self.function_of(literal) or self.tree
        for node in ast.walk(scope):
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
                yield node

    def ways(self, clause: str) -> list[Way]:
        """Every way to switch the clause off in this module, the plainest first; the same list each time."""
        found: list[Way] = []
        for node in self.citing_nodes(clause):
            found.extend(self._climb(node, clause))
        for line, ids in self.comments.items():
            if clause in ids:
                found.extend(self._beside(line, clause))
        unique: dict[tuple[int, str], Way] = {}
        for way in found:
            unique.setdefault((way.line, way.what), way)
        return sorted(unique.values(), key=lambda way: (way.rank, way.line, way.what))

    def _climb(self, literal: ast.expr, clause: str) -> list[Way]:
        """From a literal up to what it cites."""
        called = False
        for node, parent in self.up(literal):
            if isinstance(parent, ast.Call):
                if _callee(parent) in INFORMING:
                    return []
                called = True
            elif isinstance(parent, ast.List | ast.Set | ast.Tuple) and isinstance(node, ast.Call):
                if _of_calls(parent):
                    return [Way("left out of the list", node.lineno, off.drop(parent, node))]
            elif isinstance(parent, ast.Dict) and node in parent.values:
                return self._entry(parent, node)
            elif isinstance(parent, ast.IfExp) and called:
                return [Way("other arm", parent.lineno, off.other_arm(self.parents, parent, node))]
            elif isinstance(parent, ast.comprehension) and node in parent.ifs:
                return [Way("filter gone", node.lineno, off.drop_filter(parent, node))]
            elif isinstance(parent, ast.stmt):
                return self._statement(parent, node, called, clause)
        return []

    def _entry(self, table: ast.Dict, value: ast.AST) -> list[Way]:
        """What an entry of a table means: a rule has hooks, a refusal is looked up; the rest only informs."""
        if isinstance(value, ast.Call) and _callee(value).lstrip("_")[:1].isupper():
            return [Way("hooks do nothing", value.lineno, off.inert(self.tree, table, value))]
        if isinstance(value, ast.Tuple):
            return [Way(LEFT_OUT_OF_TABLE, value.lineno, off.drop_entry(table, value))]
        return []

    def _switch(self, key: str) -> ast.expr | None:
        """What ``switches.toml`` says under a key."""
        return ast.parse(self.switches[key], mode="eval").body if key in self.switches else None

    def switchable(self) -> Iterator[str]:
        """Every key ``switches.toml`` may have for this module."""
        for node in ast.walk(self.tree):
            if isinstance(node, Function):
                for decorator in node.decorator_list:
                    if isinstance(decorator, ast.Call) and _callee(decorator) == "cites":
                        yield self._name(node)
                        yield f"{self._name(node)} {_first_clause(decorator)}"
        yield from (self.lines[line - 1].strip() for line in self.comments)

    def _with_imports(self, edit: Edit) -> Edit:
        """An edit, and the imports that what it puts in needs."""

        def both() -> None:
            edit()
            off.add_code(self.tree, self.switches.get("import", ""))

        return both

    def _name(self, function: Function) -> str:
        """The name of a function with those of the classes and functions it stands in."""
        around = [parent.name for _, parent in self.up(function) if isinstance(parent, Function | ast.ClassDef)]
        return ".".join([*reversed(around), function.name])

    def _statement(self, stmt: ast.stmt, node: ast.AST, called: bool, clause: str) -> list[Way]:
        """What a statement with a citation in it means."""
        if isinstance(stmt, Function):
            decorator = node if node in stmt.decorator_list else None
            return self._decorated(stmt, decorator) if isinstance(decorator, ast.Call) else []
        if isinstance(stmt, ast.ClassDef):
            return [Way("hooks gone", stmt.lineno, off.hooks(stmt, clause))] if node in stmt.decorator_list else []
        owner = self.parents[stmt]
        if isinstance(owner, ast.ClassDef):
            named = isinstance(stmt, ast.Assign | ast.AnnAssign) and off.target_name(stmt) in CLAUSE_ATTRIBUTES
            return [Way("hooks gone", owner.lineno, off.hooks(owner, clause))] if named else []
        if isinstance(stmt, ast.If | ast.While) and node is stmt.test:
            return [Way("never true", stmt.lineno, off.never(stmt))]
        if isinstance(stmt, ast.For) and node is stmt.iter:
            return [Way("over nothing", stmt.lineno, off.over_nothing(stmt))]
        if not called and not isinstance(stmt, ast.Raise):
            return []
        return self._simple(stmt)

    def _simple(self, stmt: ast.stmt) -> list[Way]:
        """How to be without a simple statement of a function."""
        function = self.function_of(stmt)
        if function is None:
            return []
        owner = self.parents[stmt]
        if isinstance(owner, ast.If) and owner.body == [stmt]:
            return [Way("never true", owner.lineno, off.never(owner))]
        if isinstance(stmt, ast.Return):
            return [
                Way(f"returns {ast.unparse(empty)}", stmt.lineno, off.return_value(stmt, empty))
                for empty in off.empty_values(function.returns)
            ]
        if isinstance(stmt, ast.Assign | ast.AnnAssign) and not self._bound_before(stmt, function):
            return []
        return [Way("left out", stmt.lineno, off.leave_out(owner, stmt))]

    @staticmethod
    def _bound_before(stmt: ast.Assign | ast.AnnAssign, function: Function) -> bool:
        name = off.target_name(stmt)
        arguments = {argument.arg for argument in ast.walk(function.args) if isinstance(argument, ast.arg)}
        stored = {
            node.id
            for node in ast.walk(function)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.lineno < stmt.lineno
        }
        return name in arguments | stored

    def _decorated(self, function: Function, decorator: ast.Call) -> list[Way]:
        """What a function that cites as a whole can be without."""
        name = self._name(function)
        stated = self._switch(f"{name} {_first_clause(decorator)}") or self._switch(name)
        if stated is not None:
            what = f"returns {ast.unparse(stated)}"
            return [Way(what, function.lineno, self._with_imports(off.return_off(function, stated)))]
        ways = [
            Way(f"returns {ast.unparse(empty)}", function.lineno, off.return_at_once(function, empty))
            for empty in off.empty_values(function.returns)
        ]
        for condition, change in off.conditions(function):
            verdict = "always" if change.value else "never"
            ways.append(Way(f"{verdict}: {ast.unparse(condition)}", condition.lineno, change.edit))
        none = ast.Constant(None)
        return ways or [Way("returns None", function.lineno, off.return_at_once(function, none))]

    def _beside(self, line: int, clause: str) -> list[Way]:
        """What a comment at the end of a line cites."""
        stmt = self._statement_at(line)
        figures = [node for node in self._figures() if _alone_on(node, line, stmt)]
        stated = self._switch(self.lines[line - 1].strip())
        if stated is not None:
            value = figures[0] if figures else getattr(stmt, "value", None)
            assert isinstance(value, ast.expr), f"line {line} has a switch, but no figure"
            what = f"{ast.unparse(value)} becomes {ast.unparse(stated)}"
            return [Way(what, line, self._with_imports(off.replace(self.parents, value, stated)))]
        if isinstance(stmt, ast.Assign | ast.AnnAssign) and self.function_of(stmt) is None and stmt.value:
            figures = figures or [stmt.value]
        changes = [change for figure in figures for change in off.figures(self.parents, figure)]
        if changes or stmt is None:
            return [Way(what, line, edit) for what, edit in changes]
        if isinstance(stmt, Function):
            return self._decorated(stmt, ast.Call(ast.Name("cites"), [], []))
        if isinstance(stmt, ast.ClassDef):
            return [Way("hooks gone", line, off.hooks(stmt, clause))]
        if isinstance(stmt, ast.If | ast.While):
            return [Way("never true", line, off.never(stmt))]
        if isinstance(stmt, ast.For):
            return [Way("over nothing", line, off.over_nothing(stmt))]
        return self._line(stmt, line)

    def _line(self, stmt: ast.stmt, line: int) -> list[Way]:
        value = getattr(stmt, "value", None)
        if isinstance(value, ast.IfExp):
            return [Way("other arm", line, off.other_arm(self.parents, value, value.body))]
        ways = self._simple(stmt)
        if not ways and isinstance(value, ast.expr):
            return [Way(what, line, edit) for what, edit in off.figures(self.parents, value)]
        return ways

    def _figures(self) -> Iterator[ast.expr]:
        """Values that stand on lines of their own inside calls and tables."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call):
                yield from (argument.value for argument in node.keywords)
            elif isinstance(node, ast.Dict):
                yield from node.values

    def _statement_at(self, line: int) -> ast.stmt | None:
        """The statement that begins on a line, or the smallest around it."""
        around = [
            node
            for node in ast.walk(self.tree)
            if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno)
        ]
        return max(around, key=lambda node: (node.lineno, -(node.end_lineno or 0)), default=None)


def _callee(call: ast.Call) -> str:
    function = call.func
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


def _first_clause(citation: ast.Call) -> str:
    return next((str(argument.value) for argument in citation.args if isinstance(argument, ast.Constant)), "")


def _of_calls(node: ast.List | ast.Set | ast.Tuple) -> bool:
    """Whether a literal lists things made by calls, so that one of them can be missing."""
    if isinstance(node, ast.List | ast.Set):
        return True
    return all(isinstance(element, ast.Call | ast.Starred) for element in node.elts)


def _alone_on(node: ast.expr, line: int, stmt: ast.stmt | None) -> bool:
    """Whether a value stands on a line of its own inside a longer statement."""
    return stmt is not None and node.lineno == node.end_lineno == line and stmt.lineno < line
