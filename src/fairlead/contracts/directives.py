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

import json
import re
from collections.abc import Iterator

from fairlead.model.timeline import Stream, Timeline
from fairlead.model.value import Value

PREFIX = "contract:"
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ENV = re.compile(rf"env:({NAME.pattern})(\+=|\^=|-=|=)(.*)", re.DOTALL)
_EXPORT = re.compile(rf"export\s+({NAME.pattern})=(.*)", re.DOTALL)
_PAIR = re.compile(rf"({NAME.pattern})=(.*)", re.DOTALL)
_BARE = re.compile(r"[A-Za-z0-9_@%+=:,./*?!#^~\[\]{}-]*")


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
    for line in timeline.lines:
        if line.stream is not Stream.STDOUT:
            continue
        number += 1
        if line.data.startswith(b"contract:"):
            yield number, line.text.removesuffix("\r")[len(PREFIX) :]


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
    kinds = {"=": "set", "+=": "append", "^=": "prepend", "-=": "remove"}
    return Directive(kinds[operator], name, value)


def _export(name: str, value: str) -> Directive | str:
    plain = unquoted(value)
    if plain is None:
        return "only plain or quoted words can be exported: nothing is evaluated"
    return Directive("set", name, plain)


def _exit(code: str) -> Directive | str:
    if not re.fullmatch(r"\d{1,3}", code) or int(code) > 255:
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
    try:
        said = json.loads(text)
    except (ValueError, RecursionError) as error:
        return [Malformed(text, f"it is not JSON: {error}", line)]
    return [_from_pair(str(name), value, text, line) for name, value in said.items()]


def _from_pair(name: str, value: object, text: str, line: int) -> Directive | Malformed:
    if name == "mode" and isinstance(value, str):
        return Directive("mode", value=value, line=line)
    if not NAME.fullmatch(name):
        return Malformed(text, f"{name!r} is not the name of a variable", line)
    if isinstance(value, bool):
        return Directive("set", name, str(value).lower(), line)
    if isinstance(value, str | int | float):
        return Directive("set", name, str(value), line)
    return Malformed(text, f"{name!r} has to be a text, a number, true or false", line)
