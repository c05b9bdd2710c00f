"""Files of build tools with a syntax of their own, as the shell commands that they come to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from fairlead.shell.lazy_pattern import lazy

_MAX_COMMANDS = 200
_CMAKE_CALL = lazy(r"\b(file|execute_process|exec_program)\s*\(\s*([^()]*)\)", re.I)
_CMAKE_VARIABLE = lazy(r"\$ENV\{(\w+)\}")
_CMAKE_OWN = {
    "CMAKE_COMMAND": "cmake",
    "CMAKE_SOURCE_DIR": ".",
    "CMAKE_CURRENT_SOURCE_DIR": ".",
    "CMAKE_CURRENT_LIST_DIR": ".",
    "PROJECT_SOURCE_DIR": ".",
    "CMAKE_BINARY_DIR": "build",
    "CMAKE_CURRENT_BINARY_DIR": "build",
    "PROJECT_BINARY_DIR": "build",
}
"""Variables that every script of cmake finds, and what they stand for in most projects."""
_CMAKE_END = lazy(
    r"\s(?:WORKING_DIRECTORY|TIMEOUT|RESULT_VARIABLE|OUTPUT_VARIABLE|ERROR_VARIABLE|OUTPUT_QUIET|ERROR_QUIET"
    r"|COMMAND_ECHO|COMMAND_ERROR_IS_FATAL|OUTPUT_STRIP_TRAILING_WHITESPACE)\b"
)
_ANT_DELETE = lazy(r"<delete\s[^<>]{0,200}?\b(?:dir|file)\s*=\s*[\"']([^\"']+)[\"']")
_ANT_EXEC = lazy(
    r"<exec\s[^<>]{0,200}?\bexecutable\s*=\s*[\"']([^\"'<>]+)[\"'][^<>]{0,200}>(.{0,500}?)</exec>", re.S
)
_ANT_ARGUMENT = lazy(r"<arg\s[^<>]{0,200}?\b(?:value|line|path)\s*=\s*[\"']([^\"']*)[\"']")


def _cmake(text: str) -> Iterator[str]:
    text = _CMAKE_VARIABLE.sub(r"$\1", text)
    for name, value in _CMAKE_OWN.items():
        text = text.replace(f"${{{name}}}", value)
    for match in _CMAKE_CALL.finditer(text):
        name, inside = match[1].lower(), " ".join(match[2].split())
        operation, _, rest = inside.partition(" ")
        if name == "file" and operation in ("REMOVE", "REMOVE_RECURSE") and "${" not in rest:
            yield f"rm -rf {rest}"
        elif name == "execute_process":
            yield from (_CMAKE_END.split(each)[0] for each in re.split(r"(?:^|\s)COMMAND\s", inside)[1:])
        elif name == "exec_program":
            yield inside.replace(" ARGS ", " ", 1)


def _ant(text: str) -> Iterator[str]:
    text = text.replace("${user.home}", "$HOME").replace("${env.HOME}", "$HOME")
    yield from (f"rm -rf {match[1]}" for match in _ANT_DELETE.finditer(text))
    for match in _ANT_EXEC.finditer(text):
        yield " ".join((match[1], *_ANT_ARGUMENT.findall(match[2])))


_READERS: Mapping[str, Callable[[str], Iterator[str]]] = MappingProxyType(
    {"cmake": _cmake, "ctest": _cmake, "ant": _ant}
)


def commands_in(program: str, text: str) -> list[str]:
    """What the program would run or delete when it is given this file."""
    reader = _READERS.get(program)
    return list(reader(text))[:_MAX_COMMANDS] if reader is not None else []
