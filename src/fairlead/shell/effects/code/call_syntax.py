"""Calls in languages that write them alike: a name, then arguments. Enough for one-liners, no more."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fairlead.model.value import Value, derived
from fairlead.shell.effects.code.text.expressions import (
    LITERAL,
    list_of,
    split_top,
    value_of,
    without_literals,
)
from fairlead.shell.lazy_pattern import lazy

_CALL = lazy(
    r"(?<![\w\"'$@])(?<!\w\.)(?<!\w->)(?<!\w::)(?P<name>[A-Za-z_$@][\w$]*(?:(?:::|\.|->|\?\.)[A-Za-z_$!?]\w*[!?]?)*[!?]?)"
    r"(?:\s*(?P<open>\()|\s+(?=[\"'])|(?=`)|(?<=system)(?=[\"'])|(?<=exec)(?=[\"']))"
)
_LISP_CALL = lazy(
    r"\(\s*(?P<name>[A-Za-z][\w.*/:!?+-]*)(?P<rest>(?:\s+(?:\"(?:\\.|[^\"\\])*\"|'?[\w:.*+-]+|\([^()]*\)))*)\s*\)"
)
_ASSIGNED = lazy(
    r"(?<!\w)(?:(?:const|let|var|my|local|val|def|our)\s{1,40})?[$@]?(?P<name>[A-Za-z_]\w{0,80})\s{0,40}:?=(?![=>~])\s*"
)
_LABEL = lazy(r"^\s*\w+:\s*(?=[\"'])")
_SPREAD = lazy(r"^\s*(?:\*|\.\.\.|@)(?=\s*(?:%[wWi]|qw|\[))")
_LISTED = lazy(r"\bargs?\s*[:=]\s*\[|\.args\(\s*&?\[|\.arg\(")
_BRACKETS = lazy(r"[\"'`()\[\]{}]")
_STATEMENT_ENDS = lazy(r"[;\n()\[\]{}]|\s(?:if|unless|and|or|end)(?:\s|\Z)")
_VALUE_ENDS = lazy(r"[;\n]|,\s*\w+\s*=|&&|\|\|")
_SEPARATOR = lazy(r"::|\.|->|/")
_LIMIT = 400
_LONGEST = 1500
_EFFORT = 48 * 1024
"""Characters of arguments that are looked at altogether: calls inside calls count again for each."""


class TooLongError(Exception):
    """The code has more calls than can be looked at: what is left of it is unknown."""


def _last(call: Call) -> str:
    return _SEPARATOR.split(call.name)[-1]


class Call(Value):
    """`arguments`: the text of each argument that is a literal or can be computed, None for others."""

    name: str
    arguments: tuple[str | None, ...]
    source: str
    lists: tuple[tuple[str, ...], ...] = ()
    last: str = derived(_last)
    """The name without what it belongs to."""


def called(text: str) -> list[tuple[str, str]]:
    """The name of each call, and what stands between its parentheses."""
    found: list[tuple[str, str]] = []
    effort = 0
    for match in _CALL.finditer(text):
        inside = _inside(text, match.end()) if match["open"] else _until_end(text, match.end())
        effort += len(inside)
        if len(found) >= _LIMIT or effort > _EFFORT:
            raise TooLongError
        found.append((match["name"], inside))
    return found


def make_calls(found: Sequence[tuple[str, str]], constants: dict[str, str]) -> Iterator[Call]:
    """`constants` are names and expressions whose value is known, such as `process.cwd()`."""
    for name, inside in found:
        yield make_call(name, inside, constants)


def make_call(name: str, inside: str, constants: dict[str, str]) -> Call:
    parts = [_SPREAD.sub("", _LABEL.sub("", part)) for part in split_top(inside, ",;")]
    lists = [list_of(part, constants) for part in parts if part.strip().startswith(("[", "qw", "%w"))]
    named = _LISTED.search(inside)
    if named and not lists and inside[named.end() - 1 : named.end()] == "[":
        lists.append(list_of("[" + _inside(inside, named.end()) + "]", constants))
    return Call(name, tuple(value_of(part, constants) for part in parts), inside, tuple(lists))


def find_lisp_calls(text: str) -> Iterator[Call]:
    """`(name "argument" …)`: only literals count."""
    for count, match in enumerate(_LISP_CALL.finditer(text)):
        if count >= _LIMIT:
            raise TooLongError
        yield _lisp_call(match)
        yield from map(_lisp_call, _LISP_CALL.finditer(match["rest"]))


def _lisp_call(match: re.Match[str]) -> Call:
    literals = re.findall(r'"((?:\\.|[^"\\])*)"', match["rest"])
    return Call(match["name"], tuple(literal.replace('\\"', '"') for literal in literals), match["rest"])


def constants_of(text: str, known: dict[str, str]) -> dict[str, str]:
    """The names that are given a value which can be told, and what was known before."""
    found = dict(known)
    for count, match in enumerate(_ASSIGNED.finditer(text)):
        if count >= _LIMIT:
            break
        literal = LITERAL.match(text, match.end())
        end = literal.end() if literal else match.end()
        rest = _VALUE_ENDS.search(without_literals(text[end : end + 300]))
        expression = text[match.end() : end + (rest.start() if rest else 300)]
        value = value_of(expression, found)
        if value is None and literal:
            value = value_of(literal[0], found)
        if value is not None:
            found[match["name"]] = value
    return found


def _inside(text: str, start: int) -> str:
    """The text up to the parenthesis that closes the one before `start`; not more than anyone writes there,
    or calls nested in calls would cost the square of their number."""
    depth, index = 1, start
    end = min(len(text), start + _LONGEST)
    while match := _BRACKETS.search(text, index, end):
        index = match.end()
        character = match.group()
        if character in "\"'`":
            literal = LITERAL.match(text, match.start())
            index = max(index, literal.end()) if literal else index
        else:
            depth += 1 if character in "([{" else -1
            if depth == 0:
                return text[start : match.start()]
    return text[start:end]


def _until_end(text: str, start: int) -> str:
    """The arguments of a call without parentheses: up to where the statement ends."""
    depth, rest = 0, text[start : start + _LONGEST]
    for match in _STATEMENT_ENDS.finditer(without_literals(rest)):
        sign = match.group()
        depth += 1 if sign in "([{" else -1 if sign in ")]}" else 0
        if depth < 0 or (depth == 0 and sign not in "([{)]}"):
            return rest[: match.start()]
    return rest
