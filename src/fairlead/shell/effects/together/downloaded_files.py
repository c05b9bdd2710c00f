"""The files that a downloader leaves, by its options and its addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fairlead.model.value import Value
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import resolve
from fairlead.shell.script import Command, Word


class _Options(Value):
    """Short options that name a file and a folder, alone or behind such as take no value."""

    output: re.Pattern[str]
    folder: re.Pattern[str]
    always: bool = False
    """Whether it keeps what it fetches without being told to."""


_NONE = lazy(r"(?!)")
_CURL = _Options(lazy(r"^-[fsSLkgGIijJnNqRvaZ#\d]*o(.*)$"), _NONE)
_WGET = _Options(lazy(r"^-[qncNrSvbxpkmH46]*O(.*)$"), lazy(r"^-[qncNrSvbxpkmH46]*P(.*)$"), always=True)
_ARIA = _Options(lazy(r"^-[cqV]*o(.*)$"), lazy(r"^-[cqV]*d(.*)$"), always=True)
_BY_PROGRAM = {"wget": _WGET, "wget2": _WGET, "aria2c": _ARIA, "axel": _ARIA}
_LONG_OUTPUT = lazy(r"^--(?:output|output-document|out)(?:=(.*))?$")
_LONG_FOLDER = lazy(r"^--(?:output-dir|directory-prefix|dir)(?:=(.*))?$")
_REMOTE_NAME = lazy(r"^-[fsSLkgGIijJnNqRvaZ#\d]*O[fsSLkgGIijJnNqRvaZ#\d]*$|^--remote-name(?:-all)?$")


def written_by(command: Command, where: Surroundings) -> Iterator[str]:
    words = command.argv[1:]
    options = _BY_PROGRAM.get(command.name, _CURL)
    outputs = list(_values(words, options.output, _LONG_OUTPUT))
    folder = next(_values(words, options.folder, _LONG_FOLDER), None)
    place = resolve(folder, command, where).path if folder is not None else command.cwd
    for word in outputs:
        inside = folder is not None and not word.text.startswith("/")
        if word.text != "-":
            yield f"{place}/{word.text}" if inside else resolve(word, command, where).path
    for redirect in command.redirects:
        if ">" in redirect.operator:
            yield resolve(redirect.target, command, where).path
    if command.name == "tftp":
        yield from (f"{command.cwd}/{word.text}" for word in words if not word.text.startswith("-"))
    by_name = options is _CURL and any(_REMOTE_NAME.match(word.text) for word in words)
    if by_name or (options.always and not outputs):
        yield from (f"{place}/{name}" for name in _names_of(words))


def _values(words: Sequence[Word], short: re.Pattern[str], long: re.Pattern[str]) -> Iterator[Word]:
    for index, word in enumerate(words):
        found = long.match(word.text) if word.text.startswith("--") else short.match(word.text)
        if found is None:
            continue
        if found[1]:
            yield word.replace(text=found[1])
        elif index + 1 < len(words):
            yield words[index + 1]


def _names_of(words: Sequence[Word]) -> Iterator[str]:
    """The file names that addresses end with."""
    for word in words:
        if "://" in word.text:
            yield word.text.split("?")[0].rstrip("/").rsplit("/", 1)[-1]
