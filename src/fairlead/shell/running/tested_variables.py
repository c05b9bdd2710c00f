"""What a condition tells about variables: after `[ -n "$X" ]`, X is not empty.

A script that asks first does not delete `/` where its variable is empty; every branch is read all the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairlead.shell.expansion.state import State
from fairlead.shell.expansion.values import Either, Reference, unknown
from fairlead.shell.language.syntax_tree import (
    Assignment,
    Compound,
    Literal,
    Parameter,
    Pipeline,
    Simple,
    WordNode,
)
from fairlead.shell.language.syntax_tree import Sequence as Statements
from fairlead.shell.unknown import Kind, Unknown

_OF_FILES = frozenset(("-d", "-f", "-e", "-x", "-r", "-w", "-s", "-L", "-h"))
"""Tests that fail for an empty name."""
_DIFFER, _SAME = frozenset(("!=",)), frozenset(("=", "=="))


def after(state: State, tested: Statements | Pipeline | None, *, holds: bool) -> None:
    """Let the variables be what they must be where the condition holds, or where it does not."""
    for name in set(_not_empty(tested, holds)) if tested is not None else ():
        value = state.variables.get(name, "…")
        if isinstance(value, Reference):
            continue
        options = value.options if isinstance(value, Either) else (value,)
        left = tuple(option for option in options if option not in ("", None))
        if len(left) == len(options):  # also where the text says nothing of it
            continue
        if not left:
            state.assign(name, unknown(f"${name}", Unknown(Kind.VARIABLE, f"${name}")))
        else:
            state.assign(name, left[0] if len(left) == 1 else Either(left))


def _not_empty(tested: Statements | Pipeline, holds: bool) -> Iterator[str]:
    """The variables that are not empty then. All parts of `a && b` hold where the whole holds, and none of
    those of `a || b` where it does not."""
    if isinstance(tested, Pipeline):
        yield from _of_pipeline(tested, holds)
        return
    if len(tested.items) != 1:
        return
    item = tested.items[0]
    connector = "&&" if holds else "||"
    if all(each == connector for each, _ in item.rest):
        for pipeline in (item.first, *(rest for _, rest in item.rest)):
            yield from _of_pipeline(pipeline, holds)


def _of_pipeline(pipeline: Pipeline, holds: bool) -> Iterator[str]:
    if len(pipeline.stages) != 1:
        return
    words = _words(pipeline.stages[0])
    if pipeline.negated:
        holds = not holds
    while words and _text(words[0]) == "!":
        words, holds = words[1:], not holds
    if words:
        yield from _of_test(words, holds)


def _words(stage: Simple | Compound) -> Sequence[WordNode]:
    """What stands between the brackets."""
    if isinstance(stage, Compound):
        return stage.words or () if stage.kind == "test" else ()
    words = [word for word in stage.words if not isinstance(word, Assignment)]
    name = _text(words[0]) if words else None
    if name == "[" and _text(words[-1]) == "]":
        return words[1:-1]
    return words[1:] if name == "test" else ()


def _of_test(words: Sequence[WordNode], holds: bool) -> Iterator[str]:
    operator = _text(words[0])
    if len(words) == 1 or operator == "-n" or operator in _OF_FILES:
        name = _variable(words[-1]) if len(words) <= 2 and holds else ""
    elif operator == "-z":
        name = _variable(words[1]) if len(words) == 2 and not holds else ""
    elif len(words) == 3:
        name = _compared(words, holds)
    else:
        name = ""
    if name:
        yield name


def _compared(words: Sequence[WordNode], holds: bool) -> str:
    """`"$X" != ""` and `"x$X" != x`."""
    operator = _text(words[1])
    if operator not in (_DIFFER if holds else _SAME):
        return ""
    first, second = words[0], words[2]
    sign, name = _sign(first), _variable(first)
    return name if _text(second) == sign else ""


def _sign(word: WordNode) -> str:
    parts = [part for part in word.parts if not isinstance(part, Literal) or part.text]
    return parts[0].text if len(parts) == 2 and isinstance(parts[0], Literal) else ""


def _text(word: WordNode) -> str | None:
    """The word where nothing in it is left to expand."""
    if word.plain is not None:
        return word.plain
    texts = [part.text for part in word.parts if isinstance(part, Literal)]
    return "".join(texts) if len(texts) == len(word.parts) else None


def _variable(word: WordNode) -> str:
    """The variable that is all of the word, or all but a sign before it."""
    found = [part for part in word.parts if isinstance(part, Parameter)]
    plain = [part for part in word.parts if isinstance(part, Literal) and part.text]
    if len(found) != 1 or len(found) + len(plain) != len(word.parts) or len(plain) > 1:
        return ""
    part = found[0]
    simple = not (part.indirect or part.length or part.index or part.operator not in ("", "-", ":-"))
    return part.name if simple and not (part.operator and part.argument) else ""
