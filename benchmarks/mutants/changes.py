"""The faults that are put into a module: one change, at one place, of its syntax tree."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType

_OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_BOUNDARIES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
}
_FOR_TYPES_ALONE = {"cast", "TypeVar", "ParamSpec", "NewType"}
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class Mutant:
    """`name` says the change in words that survive an edit elsewhere in the file."""

    name: str
    ordinal: int
    lines: range


@dataclass(frozen=True)
class _Place:
    """Where a node hangs in the tree, and what is around it."""

    node: ast.AST
    parent: ast.AST
    field: str
    index: int | None
    scope: tuple[str, ...]
    statement: ast.stmt

    def put(self, node: ast.AST) -> None:
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


def mutants(source: str) -> list[Mutant]:
    """Every mutant of a module, in the order of its text."""
    seen: Counter[str] = Counter()
    made = []
    for ordinal, (place, kind, replacement) in enumerate(_changes(ast.parse(source))):
        scope = ".".join(place.scope) or "<module>"
        name = f"{scope}: {kind}: {_text(place.node)} -> {_text(replacement)}"
        seen[name] += 1
        if seen[name] > 1:
            name += f" #{seen[name]}"
        made.append(Mutant(name, ordinal, _lines(place)))
    return made


def mutated(source: str, ordinal: int, path: str) -> CodeType:
    """The module's code with the change of that number made."""
    tree = ast.parse(source)
    for number, (place, _, replacement) in enumerate(_changes(tree)):
        if number == ordinal:
            place.put(ast.fix_missing_locations(ast.copy_location(replacement, place.node)))
            return compile(tree, path, "exec", dont_inherit=True)
    raise ValueError(f"{path} has no change {ordinal}")


def _text(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 100 else text[:97] + "..."


def _lines(place: _Place) -> range:
    """The lines that run when the changed code runs: the whole of a simple statement, the head of a block."""
    node = place.statement if not hasattr(place.statement, "body") else place.node
    first = getattr(node, "lineno", place.statement.lineno)
    last = getattr(node, "end_lineno", None) or first
    return range(first, last + 1)


def _changes(tree: ast.Module) -> Iterator[tuple[_Place, str, ast.AST]]:
    for place in _places(tree, (), None):
        for kind, replacement in _of(place):
            yield place, kind, replacement


def _places(parent: ast.AST, scope: tuple[str, ...], statement: ast.stmt | None) -> Iterator[_Place]:
    for field, value in ast.iter_fields(parent):
        if field in ("annotation", "returns", "type_params"):
            continue
        nodes = value if isinstance(value, list) else [value]
        for index, node in enumerate(nodes):
            if not isinstance(node, ast.AST) or _means_nothing_at_run_time(node, parent, field):
                continue
            around = node if isinstance(node, ast.stmt) else statement
            assert around is not None
            yield _Place(node, parent, field, index if isinstance(value, list) else None, scope, around)
            inner = (*scope, node.name) if isinstance(node, _SCOPES) else scope
            yield from _places(node, inner, around)


def _means_nothing_at_run_time(node: ast.AST, parent: ast.AST, field: str) -> bool:
    """Imports, docstrings, messages of exceptions, what is there for type checkers and public names."""
    match node:
        case ast.Import() | ast.ImportFrom() | ast.Raise() | ast.JoinedStr() | ast.Assert():
            return True
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Call(func=ast.Name(id=name)) if name in _FOR_TYPES_ALONE:
            return name != "cast"
        case ast.Assign(targets=[ast.Name(id=name)]) if name.startswith("__"):
            return True
    return (
        isinstance(parent, ast.Call) and _text(parent.func) == "cast" and field == "args" and _is_text(node)
    )


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _of(place: _Place) -> Iterator[tuple[str, ast.AST]]:
    node = place.node
    match node:
        case ast.Compare():
            yield from _compared(node)
        case ast.BoolOp():
            other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield "and/or", ast.BoolOp(other, node.values)
        case ast.UnaryOp(op=ast.Not()):
            yield "not", node.operand
        case ast.BinOp() if type(node.op) in _ARITHMETIC:
            yield "arithmetic", ast.BinOp(node.left, _ARITHMETIC[type(node.op)](), node.right)
        case ast.Constant():
            yield from _constant(node)
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield "return", ast.Return(ast.Constant(None))
        case ast.Break():
            yield "loop", ast.Continue()
        case ast.Continue():
            yield "loop", ast.Break()
        case ast.Expr():
            yield "removed", ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]) | ast.AugAssign():
            yield "removed", ast.Pass()
    if isinstance(node, ast.expr) and _is_condition(place):
        yield from _condition(node, place)


def _is_condition(place: _Place) -> bool:
    return place.field == "test" or (isinstance(place.parent, ast.comprehension) and place.field == "ifs")


def _condition(node: ast.expr, place: _Place) -> Iterator[tuple[str, ast.AST]]:
    flipped_already = isinstance(node, ast.UnaryOp) or (
        isinstance(node, ast.Compare) and type(node.ops[0]) in _OPPOSITES
    )
    if not flipped_already:
        yield "condition", ast.UnaryOp(ast.Not(), node)
    if not isinstance(place.parent, ast.While):
        yield "condition", ast.Constant(True)
    if not isinstance(node, ast.Constant):
        yield "condition", ast.Constant(False)


def _compared(node: ast.Compare) -> Iterator[tuple[str, ast.AST]]:
    for index, old in enumerate(node.ops):
        new = _OPPOSITES.get(type(old)) or _BOUNDARIES[type(old)]
        ops = [*node.ops[:index], new(), *node.ops[index + 1 :]]
        yield "comparison", ast.Compare(node.left, ops, node.comparators)


def _constant(node: ast.Constant) -> Iterator[tuple[str, ast.AST]]:
    match node.value:
        case bool() as truth:
            yield "constant", ast.Constant(not truth)
        case int() | float() as number:
            yield "constant", ast.Constant(number + 1)
        case str() as text if text and " " not in text:
            yield "constant", ast.Constant("")
