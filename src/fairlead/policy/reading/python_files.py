"""Whether a Python file can be a hook at all: it is compiled and looked through, and nothing of it runs."""

from __future__ import annotations

import ast

_ARGUMENTS = 3


def flaw_in_file(source: bytes, path: str) -> tuple[int, str] | None:
    """The line and what is wrong there; None for a file with a `process` that takes what it is given."""
    try:
        tree = ast.parse(source, path)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return getattr(error, "lineno", None) or 1, f"{type(error).__name__}: {getattr(error, 'msg', error)}"
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == "process":
            return _flaw_in_function(node)
        if "process" in _names_bound_by(node):
            return None
    return 1, "there is no function `process` in it"


def _flaw_in_function(node: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[int, str] | None:
    given = node.args
    places = len(given.posonlyargs) + len(given.args)
    needed = places - len(given.defaults)
    enough = places >= _ARGUMENTS or given.vararg is not None
    if isinstance(node, ast.AsyncFunctionDef):
        return node.lineno, "`process` is asynchronous, and nothing awaits it"
    if needed > _ARGUMENTS or not enough:
        return (
            node.lineno,
            f"`process` takes {places} arguments; it is given hook_input, config, previous_results",
        )
    return None


def _names_bound_by(node: ast.stmt) -> set[str]:
    """What an import or an assignment at the top of a file makes a name of."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).partition(".")[0] for alias in node.names} | (
            {"process"} if any(alias.name == "*" for alias in node.names) else set()
        )
    targets = node.targets if isinstance(node, ast.Assign) else []
    found = {target.id for target in targets if isinstance(target, ast.Name)}
    if isinstance(node, ast.If | ast.Try | ast.With):
        found |= {
            name for inner in ast.walk(node) if isinstance(inner, ast.FunctionDef) for name in [inner.name]
        }
    return found
