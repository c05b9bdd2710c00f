"""What a name must be where a condition holds: `if name in ("a", "b")`, `if name.endswith(".pem")`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from fairlead.shell.effects.code.python.running.thing import Thing, elements_of

if TYPE_CHECKING:
    from fairlead.shell.effects.code.python.running.run import Run

_ENDS = {"endswith": "*{}", "startswith": "{}*"}


def refined(test: ast.expr, run: Run) -> dict[str, Thing]:
    """Entries of listings of which the condition says more than that they are there."""
    if isinstance(test, ast.BoolOp):
        parts = [refined(value, run) for value in test.values]
        if isinstance(test.op, ast.And):
            return {name: thing for part in parts for name, thing in part.items()}
        common = set.intersection(*map(set, parts))
        return {name: _either([part[name] for part in parts]) for name in common}
    found = _patterns(test, run)
    if found is None:
        return {}
    name, texts = found
    before = run.scope.find(name)
    if before is None or not before.entry or not texts:
        return {}
    folders = [path.rpartition("/") for path in before.texts]
    made = (f"{folder}{slash}{text}" for folder, slash, last in folders if last == "*" for text in texts)
    return {name: before.replace(texts=tuple(made) or before.texts)}


def _either(things: list[Thing]) -> Thing:
    return things[0].replace(texts=tuple(dict.fromkeys(text for each in things for text in each.texts)))


def _patterns(test: ast.expr, run: Run) -> tuple[str, list[str]] | None:
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.left, ast.Name):
        if not isinstance(test.ops[0], (ast.Eq, ast.In)):
            return None
        sides = run.evaluate(test.comparators[0])
        items = (
            [sides] if isinstance(test.ops[0], ast.Eq) else elements_of(sides) if not sides.texts else None
        )
        return (test.left.id, [text for item in items or () for text in item.texts])
    if isinstance(test, ast.Call) and isinstance(test.func, ast.Attribute) and test.args:
        shape = _ENDS.get(test.func.attr)
        owner = test.func.value
        owner = (
            owner.func.value
            if isinstance(owner, ast.Call) and isinstance(owner.func, ast.Attribute)
            else owner
        )
        if shape is not None and isinstance(owner, ast.Name):
            told = run.evaluate(test.args[0])
            texts = told.texts or tuple(text for item in told.items or () for text in item.texts)
            return (owner.id, [shape.format(text) for text in texts])
    return None
