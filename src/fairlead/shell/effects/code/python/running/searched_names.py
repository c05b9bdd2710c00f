"""Names that a condition looks for: `if p.name() == "vite"`, `if "mysqld" in line`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fairlead.shell.effects.code.python.running.thing import elements_of

if TYPE_CHECKING:
    from fairlead.shell.effects.code.python.running.run import Run

_LEAVING = (ast.Continue, ast.Return, ast.Break, ast.Raise)
_POSITIVE = (ast.Eq, ast.In, ast.Is)
_ASKING = ("startswith", "endswith", "search", "match", "fullmatch", "fnmatch", "find", "any")
_SHORTEST = 2
_SIGNS = re.compile(r"\||\.\*|[()^$]|\\b")
"""What stands between names in a pattern."""
OF_USER = "-u "
"""Before the name of a user, whose processes are all sought."""
PORT = ":"
"""Before a number."""


def names_sought(test: ast.expr, run: Run, *, otherwise: bool = False) -> list[tuple[str, ...]]:
    """The texts with which something is compared, in a tuple of its own; none where it must differ."""
    found = tuple(dict.fromkeys(_texts(test, run, is_so=not otherwise)))
    if found and "user" in ast.unparse(test):
        found = tuple(f"{OF_USER}{each}" for each in found)
    return [found] if found else []


def left_if_not(statement: ast.If, run: Run) -> list[tuple[str, ...]]:
    """`if name != "vite": continue`: behind it, the name is that."""
    leaves = bool(statement.body) and isinstance(statement.body[-1], _LEAVING) and not statement.orelse
    return names_sought(statement.test, run, otherwise=True) if leaves else []


def _texts(test: ast.expr, run: Run, *, is_so: bool) -> Iterator[str]:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _texts(test.operand, run, is_so=not is_so)
    elif isinstance(test, ast.BoolOp):
        for value in test.values:
            yield from _texts(value, run, is_so=is_so)
    elif isinstance(test, ast.Compare) and len(test.ops) == 1:
        if isinstance(test.ops[0], _POSITIVE) is is_so:
            for side in (test.left, test.comparators[0]):
                yield from _told(side, run)
    elif isinstance(test, ast.Call) and is_so:
        called = test.func.attr if isinstance(test.func, ast.Attribute) else getattr(test.func, "id", "")
        if called == "any" and test.args and isinstance(test.args[0], (ast.GeneratorExp, ast.ListComp)):
            made = test.args[0]
            yield from _told(made.generators[0].iter, run)
            yield from _texts(made.elt, run, is_so=True)
        elif called in _ASKING and test.args:
            yield from _told(test.args[0], run)


def _told(node: ast.expr, run: Run) -> Iterator[str]:
    if isinstance(node, (ast.Call, ast.Compare)) and not isinstance(node, ast.Name):
        inner = (
            node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
        )
        if not isinstance(inner, (ast.Constant, ast.Name)):
            return
        node = inner
    if isinstance(node, (ast.Constant, ast.Name, ast.Attribute, ast.List, ast.Tuple, ast.Set, ast.JoinedStr)):
        thing = run.evaluate(node)
        items = elements_of(thing) if thing.items is not None else None
        for each in [thing] if items is None else items:
            if each.number is not None:
                yield f"{PORT}{each.number}"
            if not each.origins:
                yield from (
                    name for said in each.texts for name in _SIGNS.split(said) if len(name) >= _SHORTEST
                )
