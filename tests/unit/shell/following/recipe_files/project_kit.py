"""A project of a few files, and what a line would run in it."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.shell.reader import read_script
from fairlead.shell.script import Script
from shell_kit import HOME, PROJECT


def read_in(files: Mapping[str, str], line: str, **environment: str) -> Script:
    """What the line would run in a project that has these files, by their paths in it."""
    contents = {path if path[:1] == "/" else f"{PROJECT}/{path}": text for path, text in files.items()}

    def content(path: str) -> bytes | None:
        return contents[path].encode("utf-8", "surrogateescape") if path in contents else None

    def names(folder: str) -> list[str]:
        inside = f"{folder}/"
        return [path[len(inside) :].partition("/")[0] for path in contents if path.startswith(inside)]

    return read_script(
        line, cwd=PROJECT, home=HOME, top=PROJECT, environment=environment, files=content, folders=names
    )


def commands_in(files: Mapping[str, str], line: str, **environment: str) -> list[str]:
    """Every command besides the line's own, as its words, joined."""
    found = read_in(files, line, **environment).commands
    return [" ".join(word.text for word in command.argv) for command in found if command.argv and command.via]


def places_in(files: Mapping[str, str], line: str) -> list[tuple[str, str]]:
    """Every such command with the folder, seen from the project, in which it runs."""
    found = [command for command in read_in(files, line).commands if command.argv and command.via]
    return [
        (" ".join(word.text for word in command.argv), (command.cwd or "?").removeprefix(PROJECT).lstrip("/"))
        for command in found
    ]


def code_in(files: Mapping[str, str], line: str) -> list[tuple[str, str]]:
    """Every piece of code in another language."""
    return [(code.language, code.text) for code in read_in(files, line).code]
