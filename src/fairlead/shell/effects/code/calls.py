"""Calls in languages that write them alike: a name, then arguments. Enough for one-liners, no more."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.model.value import Value

_LITERAL = re.compile(
    r"""\s*(?:[bfrqsu]?)(?P<quote>["'`])(?P<text>(?:\\.|(?!(?P=quote))[^\\])*)(?P=quote)\s*""", re.DOTALL
)
_CALL = re.compile(
    r"(?P<name>[A-Za-z_$@][\w$]*(?:(?:::|\.|->|\?\.)[A-Za-z_$!?]\w*[!?]?)*[!?]?)\s*(?P<open>\(|(?=[\"'`]))"
)
_ASSIGNED = re.compile(
    r"(?:\b(?:const|let|var|my|local|val|def)\s+)?[$@]?(?P<name>[A-Za-z_]\w*)\s*(?:=|:=)\s*(?=[\"'`])"
)
_LIMIT = 400
_LONGEST = 4096
"""Calls that are looked at: a one-liner has a handful."""


class Call(Value):
    """`arguments`: the text of each argument that is a literal or a known name, None for others."""

    name: str
    arguments: tuple[str | None, ...]
    source: str
    lists: tuple[tuple[str, ...], ...] = ()

    @property
    def last(self) -> str:
        return re.split(r"::|\.|->", self.name)[-1]


def find_calls(text: str, known: dict[str, str]) -> Iterator[Call]:
    """`known` are expressions whose value is known beforehand, such as `process.cwd()`."""
    constants = known | _constants(text)
    for count, match in enumerate(_CALL.finditer(text)):
        if count >= _LIMIT:
            return
        parenthesised = match["open"] == "("
        inside = _inside(text, match.end()) if parenthesised else _until_end(text, match.end())
        parts = list(_parts(inside))
        yield Call(
            match["name"],
            tuple(_value(part, constants) for part in parts),
            inside,
            tuple(_list(part, constants) for part in parts if part.strip().startswith("[")),
        )


def _constants(text: str) -> dict[str, str]:
    found = {}
    for match in _ASSIGNED.finditer(text):
        literal = _LITERAL.match(text, match.end())
        if literal:
            found[match["name"]] = _plain(literal["text"])
    return found


def _inside(text: str, start: int) -> str:
    """The text up to the parenthesis that closes the one before `start`; not more than anyone writes there,
    or calls nested in calls would cost the square of their number."""
    depth, index = 1, start
    end = min(len(text), start + _LONGEST)
    while index < end and depth:
        character = text[index]
        if character in "\"'`":
            literal = _LITERAL.match(text, index)
            index = literal.end() - 1 if literal and literal.end() > index + 1 else index
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        index += 1
    return text[start : index - 1 if depth == 0 else index]


def _until_end(text: str, start: int) -> str:
    end = re.search(r"[;\n})]|\s(?:if|unless|and|or)\s", _without_literals(text[start : start + _LONGEST]))
    return text[start : start + end.start()] if end else text[start : start + _LONGEST]


def _without_literals(text: str) -> str:
    return re.sub(r"""(["'`])(?:\\.|(?!\1)[^\\])*\1""", lambda m: "x" * len(m[0]), text, flags=re.DOTALL)


def _parts(inside: str) -> Iterator[str]:
    depth, begin = 0, 0
    bare = _without_literals(inside)
    for index, character in enumerate(bare):
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character == "," and depth == 0:
            yield inside[begin:index]
            begin = index + 1
    if inside[begin:].strip():
        yield inside[begin:]


def _value(part: str, constants: dict[str, str]) -> str | None:
    """A literal, a known name, or several of them added."""
    part = re.sub(r"^\s*\w+:\s+(?=[\"'])", "", part)
    texts = []
    for piece in (
        re.split(r"(?<!\+)\+(?!\+)|\s\.\s|\.\.|<>", part)
        if _LITERAL.match(part) is None or "+" in part
        else [part]
    ):
        literal = _LITERAL.fullmatch(piece)
        if literal:
            texts.append(_filled(_plain(literal["text"]), constants))
        elif piece.strip().lstrip("$@&") in constants:
            texts.append(constants[piece.strip().lstrip("$@&")])
        else:
            return None
    return "".join(texts)


def _filled(text: str, constants: dict[str, str]) -> str:
    return re.sub(r"[$#]\{?(\w+)\}?", lambda m: constants.get(m[1], m[0]), text)


def _list(part: str, constants: dict[str, str]) -> tuple[str, ...]:
    inner = part.strip()[1:].rsplit("]", 1)[0]
    return tuple(_value(piece, constants) or "$UNKNOWN" for piece in _parts(inner))


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m[1], m[1]), text)
