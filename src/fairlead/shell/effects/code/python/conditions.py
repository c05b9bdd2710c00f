"""Conditions under which Python code does something with a name: `if f.endswith(".tmp"): os.remove(f)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from fairlead.shell.effects.code.act import Act
from fairlead.shell.effects.effect import Action

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp)


def conditions_in(nodes: Sequence[ast.AST]) -> Mapping[int, list[str]]:
    """The patterns that a name must fit, for each call under such a condition, by the call's identity."""
    found: dict[int, list[str]] = {}
    for node in nodes:
        if isinstance(node, ast.If):
            guarded: Sequence[ast.AST] = node.body
            patterns = _patterns(node.test)
        elif isinstance(node, _COMPREHENSIONS) and node.generators[-1].ifs:
            guarded, patterns = [node.elt], _patterns(node.generators[-1].ifs[0])
        else:
            continue
        calls = (c for each in guarded for c in ast.walk(each) if isinstance(c, ast.Call)) if patterns else ()
        found.update((id(call), patterns) for call in calls)
    return found


def narrowed(act: Act, patterns: Sequence[str], *, trees: bool) -> Iterator[Act]:
    """A deletion of whatever is in a folder, as one of what fits the condition there."""
    folder, slash, last = act.text.rpartition("/")
    if act.kind != Action.DELETE or last != "*" or not patterns:
        yield act
        return
    for pattern in patterns:
        yield act.replace(text=f"{folder}{slash}{pattern}", recursive=trees)


def _patterns(test: ast.expr) -> list[str]:
    if isinstance(test, ast.BoolOp):
        parts = [_patterns(part) for part in test.values]
        if isinstance(test.op, ast.And):
            return next((part for part in parts if part), [])
        return [pattern for part in parts for pattern in part] if all(parts) else []
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], (ast.Eq, ast.In)):
        if "suffix" in ast.unparse(test.left) or "splitext" in ast.unparse(test.left):
            return [f"*{text}" for text in _texts(test.comparators[0])]
        return []
    if not isinstance(test, ast.Call) or not isinstance(test.func, ast.Attribute) or not test.args:
        return []
    texts = _texts(test.args[-1])
    if test.func.attr == "endswith":
        return [f"*{text}" for text in texts]
    if test.func.attr == "startswith":
        return [f"{text}*" for text in texts]
    return texts if test.func.attr in ("fnmatch", "match") and all("*" in text for text in texts) else []


def _texts(node: ast.expr) -> list[str]:
    """A text, or several in a tuple; none of them empty."""
    elements = node.elts if isinstance(node, (ast.Tuple, ast.List, ast.Set)) else [node]
    texts = [e.value for e in elements if isinstance(e, ast.Constant) and isinstance(e.value, str)]
    return texts if len(texts) == len(elements) and all(texts) else []
