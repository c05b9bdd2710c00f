"""Contract lines: whole lines of stdout that begin with `contract:` and ask something of the caller.

contract:KEY=VALUE              a variable
contract:export NAME=VALUE      the same, as a shell would write it; parsed, never evaluated
contract:env:NAME=VALUE         the same; += appends, ^= prepends, -= removes, all separated by colons
contract:{"KEY": VALUE, ...}    several at once
contract:mode=MODE[:ARGUMENT]   dry, ok, error:CODE, skip, timeout:SECONDS, test:FILE
contract:exit:CODE              end the calling script
contract:route:FILE             go on with another script instead
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.contracts.grammar import BARE, NAME, OPERATORS
from fairlead.contracts.json_lines import members
from fairlead.contracts.modes import is_code
from fairlead.model.timeline import CONTRACT, Stream, Timeline
from fairlead.model.value import Value

PREFIX = CONTRACT.decode()
NAMED = re.compile(NAME)
_ENV = re.compile(rf"env:({NAME})({'|'.join(map(re.escape, OPERATORS))})(.*)", re.DOTALL)
_EXPORT = re.compile(rf"export[ \t]+({NAME})=(.*)", re.DOTALL)
_PAIR = re.compile(rf"({NAME})=(.*)", re.DOTALL)
_BARE = re.compile(BARE)


class Directive(Value):
    """One thing that a contract line asks for. `kind`: set, append, prepend, remove, exit, route, mode."""

    kind: str
    name: str = ""
    value: str = ""
    line: int = 0


class Malformed(Value):
    """A contract line that nobody can read, and why."""

    text: str
    why: str
    line: int = 0


def contract_lines(timeline: Timeline) -> Iterator[tuple[int, str]]:
    """The number among the lines of stdout, from 1, and the text after `contract:` of each such line."""
    number = 0
    for stream, _, block in timeline.blocks():
        if stream != Stream.STDOUT:
            continue
        block = block.replace(b"\0", b"")  # no variable can hold it, and no shell would see it
        if CONTRACT not in block:
            number += block.count(b"\n")
            continue
        for data in block.removesuffix(b"\n").split(b"\n"):
            number += 1
            if data.startswith(CONTRACT):
                yield number, data.decode("utf-8", "surrogateescape").removesuffix("\r")[len(PREFIX) :]


def directives(timeline: Timeline) -> list[Directive | Malformed]:
    """Everything that the lines ask for, in their order."""
    return [asked for number, text in contract_lines(timeline) for asked in parse(text, number)]


def parse(text: str, line: int = 0) -> list[Directive | Malformed]:
    """What follows `contract:` on one line."""
    if text.startswith("{"):
        return _from_json(text, line)
    for shape, read in _SHAPES:
        found = shape.fullmatch(text)
        if found:
            return [_placed(read(*found.groups()), text, line)]
    return [Malformed(text, "it is none of the known contracts", line)]


def _placed(asked: Directive | str, text: str, line: int) -> Directive | Malformed:
    if isinstance(asked, str):
        return Malformed(text, asked, line)
    return asked.replace(line=line)


def _env(name: str, operator: str, value: str) -> Directive | str:
    return Directive(OPERATORS[operator], name, value)


def _export(name: str, value: str) -> Directive | str:
    plain = unquoted(value)
    if plain is None:
        return "only plain or quoted words can be exported: nothing is evaluated"
    return Directive("set", name, plain)


def _exit(code: str) -> Directive | str:
    if not is_code(code):
        return f"{code!r} is not an exit code (0 to 255)"
    return Directive("exit", value=code)


def _route(path: str) -> Directive | str:
    return Directive("route", value=path) if path else "the file is missing"


def _mode(mode: str) -> Directive | str:
    return Directive("mode", value=mode) if mode else "the mode is missing"


def _pair(name: str, value: str) -> Directive | str:
    return Directive("set", name, value)


_SHAPES = (
    (_ENV, _env),
    (_EXPORT, _export),
    (re.compile(r"exit:(.*)", re.DOTALL), _exit),
    (re.compile(r"route:(.*)", re.DOTALL), _route),
    (re.compile(r"mode=(.*)", re.DOTALL), _mode),
    (_PAIR, _pair),
)


def unquoted(value: str) -> str | None:
    """A shell word that is plain, or quoted as a whole; None for what a shell would have to evaluate."""
    if len(value) >= 2 and value[0] == value[-1] == "'" and "'" not in value[1:-1]:
        return value[1:-1]
    if len(value) >= 2 and value[0] == value[-1] == '"':
        inner = value[1:-1]
        return None if re.search(r'[$`"\\]', inner) else inner
    return value if _BARE.fullmatch(value) else None


def _from_json(text: str, line: int) -> list[Directive | Malformed]:
    said = members(text)
    if isinstance(said, str):
        return [Malformed(text, said, line)]
    return [_from_member(name, value, line) for name, value in said]


def _from_member(name: str, value: str | None, line: int) -> Directive | Malformed:
    if value is None:
        return Malformed(f'{{"{name}": null}}', "null is no value", line)
    if name == "mode":
        return Directive("mode", value=value, line=line)
    return Directive("set", name, value, line)
