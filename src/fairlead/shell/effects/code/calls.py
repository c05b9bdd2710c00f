"""Calls in languages that write them alike: a name, then arguments. Enough for one-liners, no more."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.model.value import Value
from fairlead.shell.effects.code.expressions import LITERAL, list_of, split_top, value_of, without_literals

_CALL = re.compile(
    r"(?P<name>[A-Za-z_$@][\w$]*(?:(?:::|\.|->|\?\.)[A-Za-z_$!?]\w*[!?]?)*[!?]?)\s*(?P<open>\(|(?=[\"'`]))"
)
_LISP_CALL = re.compile(
    r"\(\s*(?P<name>[A-Za-z][\w.*/:!?+-]*)(?P<rest>(?:\s+(?:\"(?:\\.|[^\"\\])*\"|'?[\w:.*+-]+|\([^()]*\)))*)\s*\)"
)
_ASSIGNED = re.compile(
    r"(?:\b(?:const|let|var|my|local|val|def|our)\s+)?[$@]?(?P<name>[A-Za-z_]\w*)\s*:?=(?![=>~])\s*"
)
_LABEL = re.compile(r"^\s*\w+:\s*(?=[\"'])")
_LISTED = re.compile(r"\bargs?\s*[:=]\s*\[|\.args\(\s*&?\[|\.arg\(")
_LIMIT = 400
_LONGEST = 4096
"""Calls that are looked at: a one-liner has a handful."""


_SEPARATORS = re.compile(r"::|\.|->|/")


class Call(Value):
    """`arguments`: the text of each argument that is a literal or can be computed, None for others."""

    name: str
    arguments: tuple[str | None, ...]
    source: str
    lists: tuple[tuple[str, ...], ...] = ()

    @property
    def last(self) -> str:
        return _SEPARATORS.split(self.name)[-1]


def find_calls(text: str, known: dict[str, str]) -> Iterator[Call]:
    """`known` are expressions whose value is known beforehand, such as `process.cwd()`."""
    constants = known | constants_of(text, known)
    for count, match in enumerate(_CALL.finditer(text)):
        if count >= _LIMIT:
            return
        parenthesised = match["open"] == "("
        inside = _inside(text, match.end()) if parenthesised else _until_end(text, match.end())
        yield make_call(match["name"], inside, constants)


def make_call(name: str, inside: str, constants: dict[str, str]) -> Call:
    parts = [_LABEL.sub("", part) for part in split_top(inside, ",")]
    lists = [list_of(part, constants) for part in parts if part.strip().startswith(("[", "qw", "%w"))]
    named = _LISTED.search(inside)
    if named and not lists and inside[named.end() - 1 : named.end()] == "[":
        lists.append(list_of("[" + _inside(inside, named.end()) + "]", constants))
    return Call(name, tuple(value_of(part, constants) for part in parts), inside, tuple(lists))


def find_lisp_calls(text: str) -> Iterator[Call]:
    """`(name "argument" …)`: only literals count."""
    for count, match in enumerate(_LISP_CALL.finditer(text)):
        if count >= _LIMIT:
            return
        literals = re.findall(r'"((?:\\.|[^"\\])*)"', match["rest"])
        arguments = tuple(literal.replace('\\"', '"') for literal in literals)
        yield Call(match["name"], arguments, match["rest"])


def constants_of(text: str, known: dict[str, str]) -> dict[str, str]:
    """Names that are given a value which can be told."""
    found: dict[str, str] = {}
    for count, match in enumerate(_ASSIGNED.finditer(text)):
        if count >= _LIMIT:
            break
        literal = LITERAL.match(text, match.end())
        end = literal.end() if literal else match.end()
        rest = re.search(r"[;\n]|,\s*\w+\s*=|&&|\|\|", without_literals(text[end : end + _LONGEST]))
        expression = text[match.end() : end + rest.start()] if rest else text[match.end() : end + _LONGEST]
        value = value_of(expression, known | found)
        if value is None and literal:
            value = value_of(literal[0], known | found)
        if value is not None:
            found[match["name"]] = value
    return found


def _inside(text: str, start: int) -> str:
    """The text up to the parenthesis that closes the one before `start`; not more than anyone writes there,
    or calls nested in calls would cost the square of their number."""
    depth, index = 1, start
    end = min(len(text), start + _LONGEST)
    while index < end and depth:
        character = text[index]
        if character in "\"'`":
            literal = LITERAL.match(text, index)
            index = literal.end() - 1 if literal and literal.end() > index + 1 else index
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        index += 1
    return text[start : index - 1 if depth == 0 else index]


def _until_end(text: str, start: int) -> str:
    end = re.search(r"[;\n})]|\s(?:if|unless|and|or)\s", without_literals(text[start : start + _LONGEST]))
    return text[start : start + end.start()] if end else text[start : start + _LONGEST]
