"""What of a module of Python runs when it is imported: not what only its functions do that nobody names."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

_Lines = tuple[int, int]
"""The first and the last."""
_NAME = re.compile(r"[^\W\d]\w*")


def imported_parts(modules: list[str], importing: list[str]) -> Iterator[str]:
    """What runs of each module, in which the code that imports them and the other modules name functions."""
    named = [names_in(text) for text in modules]
    around = frozenset().union(*map(names_in, importing))
    users = Counter(name for each in named for name in each)
    for text, own in zip(modules, named, strict=True):
        yield imported_part(text, around | {name for name in own if users[name] > 1})


def names_in(text: str) -> frozenset[str]:
    return frozenset(_NAME.findall(text))


def imported_part(text: str, named: frozenset[str]) -> str:
    """The code of a module on its own lines, without the bodies of functions that neither those who import it
    name nor what runs of it, and without what it does only as a program."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return text
    lines = text.split("\n")
    functions: dict[str, list[_Lines]] = {}
    left: list[_Lines] = []
    for node in tree.body:
        if isinstance(node, ast.If) and _is_program(node.test):
            left += _lines_of(node.body, lines)
        for name, body in _bodies(node):
            functions.setdefault(name, []).extend(_lines_of(body, lines))
    for name in _unnamed(functions, named, lines, left):
        left += functions[name]
    for first, last in left:
        start = lines[first - 1]
        indent = start[: len(start) - len(start.lstrip())]
        lines[first - 1 : last] = [f"{indent}pass", *[""] * (last - first)]
    return "\n".join(lines)


def _is_program(test: ast.expr) -> bool:
    """`__name__ == "__main__"`."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], ast.Eq):
        return False
    sides = (test.left, test.comparators[0])
    named = any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides)
    return named and any(isinstance(side, ast.Constant) and side.value == "__main__" for side in sides)


def _bodies(node: ast.stmt) -> Iterator[tuple[str, list[ast.stmt]]]:
    """Of the functions that it defines and that somebody has to call; those of a class go by its name. What
    decorates a function may call it, and Python calls those with underscores around their names itself."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        if not node.decorator_list and not node.name.startswith("__"):
            yield node.name, node.body
    elif isinstance(node, ast.ClassDef) and not node.decorator_list:
        for inner in node.body:
            if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)) and inner.name not in _AT_ONCE:
                yield node.name, inner.body


_AT_ONCE = frozenset(("__init_subclass__", "__set_name__", "__class_getitem__", "__prepare__"))


def _lines_of(body: list[ast.stmt], lines: list[str]) -> list[_Lines]:
    """The lines that are all its own; none where it begins on a line with something else."""
    decorators = getattr(body[0], "decorator_list", ())
    first = min([body[0].lineno, *(each.lineno for each in decorators)])
    start = lines[body[0].lineno - 1] if body[0].lineno <= len(lines) else ""
    if len(start) - len(start.lstrip()) != body[0].col_offset:
        return []
    return [(first, body[-1].end_lineno or body[-1].lineno)]


def _unnamed(
    functions: dict[str, list[_Lines]],
    named: frozenset[str],
    lines: list[str],
    left: list[_Lines],
) -> list[str]:
    """Functions that nothing names which runs; what they name themselves does not count."""
    inside = {
        number
        for spans in (*functions.values(), left)
        for first, last in spans
        for number in range(first, last + 1)
    }
    outside = [_DEFINES.sub("", line) for number, line in enumerate(lines, 1) if number not in inside]
    reached = set(named | names_in("\n".join(outside)))
    waiting = dict(functions)
    while found := [name for name in waiting if name in reached]:
        for name in found:
            for first, last in waiting.pop(name):
                reached |= names_in("\n".join(lines[first - 1 : last]))
    return list(waiting)


_DEFINES = re.compile(r"^\s*(?:async\s+)?(?:def|class)\s+\w+")
