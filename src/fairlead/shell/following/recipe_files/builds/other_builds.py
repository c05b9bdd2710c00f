"""Commands in the files of cmake and meson, as far as they are written out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from shlex import quote

from fairlead.shell.following.line_files.build_files import commands_in
from fairlead.shell.following.line_files.command_lines import command_lines
from fairlead.shell.following.recipe_files.project import File, Project
from fairlead.shell.following.recipe_files.step import Step
from fairlead.shell.lazy_pattern import lazy

_TEXT = lazy(r"""'''(.*?)'''|\"\"\"(.*?)\"\"\"|'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)\"""", re.S)
_CMAKE_MORE = lazy(r"(?i)\b(?:include|add_subdirectory)\s*\(\s*([^\s()]{1,300})")
_MESON = lazy(r"\b(?:run_command\s*\(|command\s*:\s*\[)([^)\]]{0,2000})")
_MOST_COMMANDS = 100
_MOST_FILES = 30


def read_cmake(project: Project) -> Iterator[Step]:
    """What it is given, with all that that includes."""
    if project.given.has("-E", "--build", "--install", "--version", "--help"):
        return
    waiting = list(project.named_files())
    folders = [f"{word.text}/" for word in project.operands if word.known] or [""]
    for folder in folders if not project.given.has("-P") else ():
        file = project.file(f"{folder}CMakeLists.txt")
        waiting += [file] if file is not None else []
    seen: set[str] = set()
    while waiting and len(seen) < _MOST_FILES:
        file = waiting.pop(0)
        if file.path in seen:
            continue
        seen.add(file.path)
        yield from _found(file, "cmake", iter([*commands_in("cmake", file.text), *command_lines(file.text)]))
        for match in list(_CMAKE_MORE.finditer(file.text))[:_MOST_FILES]:
            path = match[1].strip('"').replace("${CMAKE_CURRENT_SOURCE_DIR}/", "")
            for name in (path, f"{path}/CMakeLists.txt", f"cmake/{path}.cmake"):
                found = project.file(f"{file.folder}/{name}")
                waiting += [found] if found is not None else []


def read_meson(project: Project) -> Iterator[Step]:
    file = project.recipe()
    if file is not None:
        yield from _found(file, "meson", (_joined(match[1]) for match in _MESON.finditer(file.text)))


def _found(file: File, via: str, texts: Iterator[str]) -> Iterator[Step]:
    for text, _ in zip(texts, range(_MOST_COMMANDS), strict=False):
        if text.strip():
            yield Step(text, via, folder=file.folder, path=file.path, line=1)


def _joined(text: str) -> str:
    """The texts of a list, as words."""
    found = [next(filter(None, match.groups()), "") for match in _TEXT.finditer(text)]
    return found[0] if len(found) == 1 else " ".join(map(quote, found))
