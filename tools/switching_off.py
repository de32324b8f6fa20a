"""Edits of a syntax tree that switch one thing off; each is made ready first and carried out later."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from rolloff.rules.citing_scan import is_clause_id

Edit = Callable[[], None]
Function = ast.FunctionDef | ast.AsyncFunctionDef

_HELPERS = """
def __mutant_inert__(thing):
    kind = type(thing)
    bases = [base for base in kind.__mro__[1:] if base is not object]
    hooks = {}
    for base in bases:
        for name, method in vars(base).items():
            if callable(method) and not name.startswith("__"):
                hooks[name] = method
    thing.__class__ = type(kind.__name__, (kind,), hooks)
    return thing
"""


def add_code(tree: ast.Module, code: str = _HELPERS) -> None:
    """Put what mutated code may call or use behind the docstring and the future imports."""
    at = 0
    for at, stmt in enumerate(tree.body):  # noqa: B007
        future = isinstance(stmt, ast.ImportFrom) and stmt.module == "__future__"
        if not future and not (isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Constant)):
            break
    tree.body[at:at] = ast.parse(code).body


def target_name(stmt: ast.stmt) -> str:
    """The single name an assignment gives a value to."""
    targets = stmt.targets if isinstance(stmt, ast.Assign) else [getattr(stmt, "target", None)]
    first = targets[0]
    return first.id if isinstance(first, ast.Name) else ""


def never(stmt: ast.If | ast.While) -> Edit:
    """A condition that never holds."""

    def edit() -> None:
        stmt.test = ast.copy_location(ast.Constant(False), stmt.test)

    return edit


def over_nothing(stmt: ast.For) -> Edit:
    """A loop without a turn."""

    def edit() -> None:
        stmt.iter = ast.copy_location(ast.Tuple([], ast.Load()), stmt.iter)

    return edit


def leave_out(owner: ast.AST, stmt: ast.stmt) -> Edit:
    """A statement that is not there."""

    def edit() -> None:
        for name in ("body", "orelse", "finalbody"):
            block = getattr(owner, name, None)
            if isinstance(block, list) and stmt in block:
                block[block.index(stmt)] = ast.copy_location(ast.Pass(), stmt)

    return edit


def drop(literal: ast.List | ast.Set | ast.Tuple, element: ast.expr) -> Edit:
    """A list without one of its elements."""
    return lambda: literal.elts.remove(element)


def drop_entry(table: ast.Dict, value: ast.AST) -> Edit:
    """A table without one of its entries."""

    def edit() -> None:
        at = [entry is value for entry in table.values].index(True)
        del table.keys[at], table.values[at]

    return edit


def drop_filter(comprehension: ast.comprehension, test: ast.AST) -> Edit:
    """A comprehension that lets everything pass."""

    def edit() -> None:
        comprehension.ifs = [other for other in comprehension.ifs if other is not test]

    return edit


def replace(parents: dict[ast.AST, ast.AST], old: ast.expr, new: ast.expr) -> Edit:
    """One expression in the place of another."""

    def edit() -> None:
        parent = parents[old]
        ast.copy_location(new, old)
        for name, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, name, new)
            elif isinstance(value, list) and old in value:
                value[value.index(old)] = new

    return edit


def other_arm(parents: dict[ast.AST, ast.AST], choice: ast.IfExp, cited: ast.AST) -> Edit:
    """The arm of a conditional expression that does not cite."""
    return replace(parents, choice, choice.body if cited is choice.orelse else choice.orelse)


def inert(tree: ast.Module, table: ast.Dict, value: ast.expr) -> Edit:
    """A thing in a table whose hooks are those of its base class."""

    def edit() -> None:
        wrapped = ast.Call(ast.Name("__mutant_inert__", ast.Load()), [value], [])
        table.values[table.values.index(value)] = ast.copy_location(wrapped, value)
        add_code(tree)

    return edit


def empty_values(annotation: ast.expr | None) -> list[ast.expr]:
    """What a function of a declared type answers when it has nothing to say; a yes or no may be either."""
    if annotation is None:
        return []
    text = ast.unparse(annotation).strip("\"'")
    if text == "None" or text.endswith("| None") or text.startswith("Optional["):
        return [ast.Constant(None)]
    empty: dict[str, list[str]] = {
        "bool": ["False", "True"],
        "int": ["0"],
        "float": ["0.0"],
        "str": ["''"],
        "tuple": ["()"],
        "list": ["[]"],
        "dict": ["{}"],
        "set": ["set()"],
        "frozenset": ["frozenset()"],
        "Sequence": ["()"],
        "Iterable": ["()"],
        "Mapping": ["{}"],
    }
    # A tuple of fixed length has no empty value.
    if text.startswith("tuple[") and not text.endswith("...]"):
        return []
    sources = empty.get(text.partition("[")[0], [])
    return [ast.parse(source, mode="eval").body for source in sources]


def return_value(stmt: ast.Return, value: ast.expr) -> Edit:
    """A return of something else."""

    def edit() -> None:
        stmt.value = ast.copy_location(value, stmt)

    return edit


def return_at_once(function: Function, value: ast.expr) -> Edit:
    """A function that does nothing but return a value; one that yields, yields nothing."""

    def edit() -> None:
        body: list[ast.stmt] = [ast.Return(value)]
        if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(function)):
            body = [ast.Return(None), ast.Expr(ast.Yield(None))]
        function.body = [ast.copy_location(stmt, function.body[0]) for stmt in body]

    return edit


def return_off(function: Function, stated: ast.expr) -> Edit:
    """A function that returns what is stated, or what that returns for the same arguments."""

    def edit() -> None:
        given = function.args
        positional: list[ast.expr] = [_load(argument) for argument in (*given.posonlyargs, *given.args)]
        if given.vararg:
            positional.append(ast.Starred(_load(given.vararg), ast.Load()))
        named = [ast.keyword(argument.arg, _load(argument)) for argument in given.kwonlyargs]
        if given.kwarg:
            named.append(ast.keyword(None, _load(given.kwarg)))
        helper = ast.parse(_INLINE_OFF, mode="eval").body
        call = ast.Call(helper, [stated, *positional], named)
        function.body = [ast.copy_location(ast.Return(call), function.body[0])]

    return edit


# Spelled out where it is used, so that what is stated needs no helper in scope.
_INLINE_OFF = "lambda off, /, *given, **named: off(*given, **named) if callable(off) else off"


def _load(argument: ast.arg) -> ast.Name:
    return ast.Name(argument.arg, ast.Load())


@dataclass(frozen=True)
class Verdict:
    """A condition settled once and for all."""

    value: bool
    edit: Edit


def conditions(function: Function) -> Iterator[tuple[ast.expr, Verdict]]:
    """Each condition of a function, settled as never and as always true; endless loops are left alone."""
    for node in ast.walk(function):
        if isinstance(node, ast.If | ast.IfExp):
            yield node.test, Verdict(False, _settle(node, False))
            yield node.test, Verdict(True, _settle(node, True))
        elif isinstance(node, ast.comprehension):
            for test in node.ifs:
                yield test, Verdict(True, drop_filter(node, test))


def _settle(node: ast.If | ast.IfExp, value: bool) -> Edit:
    def edit() -> None:
        node.test = ast.copy_location(ast.Constant(value), node.test)

    return edit


def hooks(owner: ast.ClassDef, clause: str) -> Edit:
    """A class without its public methods, but for those that cite other clauses."""

    def edit() -> None:
        kept: list[ast.stmt] = []
        for stmt in owner.body:
            if not isinstance(stmt, Function) or stmt.name.startswith("_") or _cites_others(stmt, clause):
                kept.append(stmt)
            elif not owner.bases:
                empty = [*empty_values(stmt.returns), ast.Constant(None)]
                return_at_once(stmt, empty[0])()
                kept.append(stmt)
        owner.body = kept or [ast.copy_location(ast.Pass(), owner.body[0])]

    return edit


def _cites_others(function: Function, clause: str) -> bool:
    cited = {
        node.value
        for decorator in function.decorator_list
        for node in ast.walk(decorator)
        if isinstance(node, ast.Constant) and is_clause_id(node.value)
    }
    return bool(cited) and clause not in cited


def figures(parents: dict[ast.AST, ast.AST], value: ast.expr) -> list[tuple[str, Edit]]:
    """A figure made nothing and made vast; for a value made by a call, each of its figures in turn."""
    if isinstance(value, ast.Constant) and isinstance(value.value, bool):
        turned = ast.Constant(not value.value)
        return [(f"{value.value} becomes {not value.value}", replace(parents, value, turned))]
    if isinstance(value, ast.Call):
        inner = [*value.args, *(keyword.value for keyword in value.keywords)]
        return [change for argument in inner for change in figures(parents, argument)]
    if isinstance(value, ast.Tuple | ast.List):
        return [change for element in value.elts for change in figures(parents, element)]
    if not _is_number(value):
        return []
    text = ast.unparse(value)
    vast = ast.parse(f"({text}) * 4 + 1", mode="eval").body
    return [
        (f"{text} becomes 0", replace(parents, value, ast.Constant(0))),
        (f"{text} becomes vast", replace(parents, value, vast)),
    ]


def _is_number(value: ast.AST) -> bool:
    if isinstance(value, ast.Constant):
        return isinstance(value.value, int | float) and not isinstance(value.value, bool)
    if isinstance(value, ast.UnaryOp):
        return _is_number(value.operand)
    if isinstance(value, ast.BinOp):
        return (_is_number(value.left) or isinstance(value.left, ast.Name)) and (
            _is_number(value.right) or isinstance(value.right, ast.Name)
        )
    return False


def compiled(tree: ast.Module, filename: str) -> Any:
    """The code of an edited tree, with the lines of the original."""
    return compile(ast.fix_missing_locations(tree), filename, "exec", dont_inherit=True)
