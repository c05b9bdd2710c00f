"""Operators and formats on texts: `+`, `%`, `/` of paths, f-strings, `format`, slices."""

from __future__ import annotations

import ast
import os.path
import re
from collections.abc import Mapping, Sequence

from fairlead.shell.effects.code.python.running.thing import (
    HOLE,
    Thing,
    behind,
    combined,
    limited,
    origins_of,
    shown_as,
    unknown,
)

_REPEATED = 100
_ELEMENTS = 1024
_LARGEST = 2**63
_BASE, _EXPONENT = 2**16, 64
_HINT = 8
"""So much of the beginning of a text does not give it away."""
_SIGN = re.compile(r"%(?:\((\w+)\))?[-#0 +]?\d*(?:\.\d+)?[sdrifxoc]")
_BRACES = re.compile(r"\{\{|\}\}|\{([^{}!:\[\].]*)[^{}]*\}")


def operate(operator: ast.operator, left: Thing, right: Thing) -> Thing:
    origins = origins_of((left, right))
    if isinstance(operator, ast.Add):
        return _added(left, right)
    if isinstance(operator, ast.Div) and (left.texts or right.texts):
        return join_paths((left, right)).replace(name="pathlib.Path")
    if isinstance(operator, ast.Mod) and left.texts:
        return Thing(limited(_percent(each, right) for each in left.texts), origins=origins)
    if isinstance(operator, ast.Mult):
        return _multiplied(left, right)
    if left.number is not None and right.number is not None:
        return Thing(number=_bounded(_computed(operator, left.number, right.number)), origins=origins)
    if isinstance(operator, ast.BitOr) and left.fields is not None and right.fields is not None:
        return left.replace(fields={**left.fields, **right.fields})
    return unknown(origins=origins)


def _bounded(number: int | None) -> int | None:
    return number if number is not None and abs(number) < _LARGEST else None


def _computed(operator: ast.operator, left: int, right: int) -> int | None:
    if isinstance(operator, ast.Sub):
        return left - right
    if isinstance(operator, ast.Pow):
        return int(left**right) if 0 <= right <= _EXPONENT and abs(left) < _BASE else None
    if isinstance(operator, ast.BitXor):
        return left ^ right
    if isinstance(operator, ast.BitOr):
        return left | right
    if isinstance(operator, (ast.Mod, ast.FloorDiv)) and right:
        return left % right if isinstance(operator, ast.Mod) else left // right
    return None


def _added(left: Thing, right: Thing) -> Thing:
    origins = left.origins | right.origins
    if left.items is not None or right.items is not None:
        items = (*(left.items or ()), *(right.items or (unknown(),)))
        return Thing(items=items[:_ELEMENTS], origins=origins)
    if left.number is not None and right.number is not None:
        return Thing(number=_bounded(left.number + right.number), origins=origins)
    if not left.texts and not right.texts:
        return unknown(origins=origins)
    pairs = combined((shown_as(left), behind(right) if left.texts else shown_as(right)))
    return Thing(limited("".join(pair) for pair in pairs), origins=origins)


def _multiplied(left: Thing, right: Thing) -> Thing:
    if left.number is not None and right.number is not None:
        return Thing(number=_bounded(left.number * right.number), origins=left.origins | right.origins)
    repeated, number = (left, right.number) if right.number is not None else (right, left.number)
    if number is None or not repeated.texts:
        return unknown(origins=left.origins | right.origins)
    times = max(0, min(number, _REPEATED))
    return repeated.replace(texts=limited(each * times for each in repeated.texts))


def join_paths(parts: Sequence[Thing]) -> Thing:
    """`os.path.join`, `Path(a, b)`, `a / b`."""
    told = [shown_as(part) if not index else behind(part) for index, part in enumerate(parts)]
    made = limited(os.path.join(*each) if each else "" for each in combined(told))
    return Thing(made, origins=frozenset().union(*(part.origins for part in parts)))


def formatted(parts: Sequence[tuple[Thing, bool]]) -> Thing:
    """An f-string; each part with whether it is computed."""
    told: list[tuple[str, ...]] = []
    begun = False
    for part, computed in parts:
        told.append(behind(part) if computed and begun else shown_as(part))
        begun = begun or any(told[-1])
    made = limited("".join(each) for each in combined(told))
    return Thing(made or ("",), origins=frozenset().union(*(part.origins for part, _ in parts)))


def _percent(pattern: str, given: Thing) -> str:
    pieces = iter(given.items if given.items is not None else (given,))
    named = given.fields or {}

    def piece(match: re.Match[str]) -> str:
        part = named.get(match[1]) if match[1] else next(pieces, None)
        return shown_as(part)[0] if part is not None else HOLE

    return _SIGN.sub(piece, pattern).replace("%%", "%")


def formatted_by_name(pattern: str, given: Sequence[Thing], named: Mapping[str, Thing]) -> str:
    """`'{} -rf {1} {path}'.format(…)`."""
    pieces = iter(given)

    def piece(match: re.Match[str]) -> str:
        if match[1] is None:
            return match[0][0]
        if match[1].isdigit():
            part = given[int(match[1])] if int(match[1]) < len(given) else None
        else:
            part = named.get(match[1]) if match[1] else next(pieces, None)
        return shown_as(part)[0] if part is not None else HOLE

    return _BRACES.sub(piece, pattern)


def sliced(thing: Thing, part: ast.Slice) -> Thing:
    """`text[::-1]`, `words[1:]`."""
    nodes = (part.lower, part.upper, part.step)
    bounds = [_bound(node) for node in nodes]
    cut = slice(bounds[0], bounds[1], bounds[2] or None)
    if thing.items is None and bounds[0] is None and bounds[1] is not None and 0 <= bounds[1] <= _HINT:
        return thing.replace(texts=tuple(each[cut] for each in thing.texts), origins=frozenset(), entry=False)
    if any(bound is None and node is not None for bound, node in zip(bounds, nodes, strict=True)):
        return thing if thing.items is not None else unknown(thing.name, thing.origins)
    if thing.items is not None:
        return thing.replace(items=thing.items[cut])
    return thing.replace(texts=tuple(each[cut] for each in thing.texts), entry=False)


def _bound(node: ast.expr | None) -> int | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        number = _bound(node.operand)
        return None if number is None else -number
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, int) else None
