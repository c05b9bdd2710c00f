"""`with` blocks: what they are given, and in which folder they run."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from fairlead.shell.effects.code.python.running.thing import UNKNOWN, Thing, paths_of

if TYPE_CHECKING:
    from fairlead.shell.effects.code.python.running.run import Run


def run_with(node: ast.With | ast.AsyncWith, run: Run) -> None:
    outer, stood_in = run.folder, run.stood_in
    managers: list[Thing] = []
    for item in node.items:
        before, run.went_to = run.folder, ""
        managers.append(run.evaluate(item.context_expr))
        run.stood_in |= _stood_in(item.context_expr, run)
        value = _entered(managers[-1], before, run)
        if item.optional_vars is not None:
            run.assign(item.optional_vars, value)
    run.block(node.body)
    for manager in managers:
        if manager.instance is not None:
            run.invoke(run.attribute(manager, "__exit__"), (UNKNOWN,) * 3, {})
    run.folder, run.stood_in = outer, stood_in


_MOCKING = ("return_value", "autospec", "side_effect")


def _stood_in(manager: ast.expr, run: Run) -> frozenset[str]:
    """The function in whose place `mock.patch` puts one that does nothing, for as long as the block runs."""
    if not isinstance(manager, ast.Call) or len(manager.args) != 1:
        return frozenset()
    plain = all(
        each.arg in _MOCKING and isinstance(each.value, (ast.Constant, ast.Attribute))
        for each in manager.keywords
    )
    if not plain or run.evaluate(manager.func).name != "unittest.mock.patch":
        return frozenset()
    return frozenset(run.evaluate(manager.args[0]).texts or ())


def _entered(manager: Thing, before: str, run: Run) -> Thing:
    """What the block is given; while it runs, the folder is the one that was entered for it, although a
    function that yields has been followed to its end, where it goes back."""
    value = manager
    if manager.name == "contextlib.chdir":
        run.folder = (paths_of(manager) or [""])[0]
    elif manager.instance is not None:
        given = run.invoke(run.attribute(manager, "__enter__"), (), {})
        value = given if given is not UNKNOWN else manager
    if run.went_to and run.folder in (before, run.world.cwd):
        run.folder = run.went_to
    return value
