"""The files that stand at the places of a row, as far as they are there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

from fairlead.shell.arguments import option_values
from fairlead.shell.following.recipe_files.project import File, Project
from fairlead.shell.language.lexer import UNREAD_OPEN
from fairlead.shell.script import Word

_MOST_PATHS = 8
_MOST_FILES = 30
_INPUT = "/dev/stdin"


def files_at(project: Project, place: str) -> Iterator[File]:
    if place.startswith("./*"):
        names = [name for name in project.names(".") if fnmatchcase(name, place[2:])]
        yield from filter(None, map(project.file, names[:_MOST_FILES]))
        return
    if "*" in place and place[0] != "~":
        folder, _, pattern = place.rpartition("/")
        for each in _paths(project, folder) if folder[:1] in ("$", "-") else [folder]:
            yield from project.collected(each, (pattern,))
        return
    for path in _paths(project, place):
        above = path == place and place[0] != "."
        found = project.nearest((path,)) if above else project.file(path)
        if found is not None and found.path != _INPUT:  # what the line itself feeds is read as its own text
            yield found


def _paths(project: Project, place: str) -> Iterator[str]:
    if place == "<":
        yield from [_INPUT] if project.is_fed else []
    elif place[0] == "-":
        option, _, below = place.partition("/")
        yield from (_joined(word.text, below) for word in _option_values(project.words, option) if word.known)
    elif place[0] == "$":
        yield from _named_by_variable(project, place[1:])
    elif place[0] == "@":
        yield from (word.text for word in project.words[1:] if place[1:] and word.text.endswith(place[1:]))
    elif place[0] == "~":
        found = (re.search(place[1:], word.text) for word in project.words[1:])
        yield from (match[1].strip("'\"") for match in found if match)
    else:
        yield place


def _option_values(words: list[Word], option: str) -> Iterator[Word]:
    """Also behind other letters: `curl -sKrc`."""
    yield from option_values(words, option)
    if len(option) != 2:
        return
    for index, word in enumerate(words[1:], 1):
        letters, letter, value = word.text.partition(option[1])
        if letter and re.fullmatch(r"-[A-Za-z0-9]+", letters) and word.known:
            yield Word(value) if value else words[min(index + 1, len(words) - 1)]


def _named_by_variable(project: Project, place: str) -> Iterator[str]:
    name, _, below = place.partition("/")
    name, dot, ending = name.partition(".")
    value = project.variable(name)
    if not value or UNREAD_OPEN in value or value == project.run.home:
        return
    for path in re.split(r"[:,]" if dot else ":", value)[:_MOST_PATHS]:
        yield f"{path}{dot}{ending}" if not below else _joined(path or ".", below)


def _joined(folder: str, name: str) -> str:
    return f"{folder.rstrip('/')}/{name}" if name else folder
