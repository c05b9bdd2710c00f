"""A search of whole folders that would show what stands in files of secrets: its pattern fits a line of one."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch

from fairlead.model.value import Value
from fairlead.packs.approval.line_words import leads_outside
from fairlead.packs.approval.search_options import Search, search_of
from fairlead.packs.places.secret_paths import is_secret

_PASSED_OVER = frozenset((".git", "node_modules", ".venv", "venv", "target", "dist", "build"))
_MOST_FOLDERS = 200
_LARGEST = 64 * 1024
_LONGEST_LINE = 400
_HARD = re.compile(r"\[[^\]]*(?:\[|--|&&|~~|\|\|)|\\[0-9]|\(\?")
_REPEATS = re.compile(r"[*+?{]")
_MOST_REPEATS = 3
_PATTERN = re.compile(r"[*?\[{]")
_SWAPPED = re.compile(r"\\?[+?|(){}]")


class _Expressions(Value):
    """Ways to read a pattern; nobody knows how where `doubtful`."""

    ways: tuple[re.Pattern[str], ...] = ()
    doubtful: bool = False

    def fits(self, line: str) -> bool:
        return any(way.search(line) for way in self.ways)


def shows_secrets(words: Sequence[str], directory: str) -> bool:
    search = search_of(words)
    if search is None:
        return False
    expressions = [_read(pattern, fixed=search.fixed) for pattern in search.patterns]
    everything = search.everything or any(each.doubtful for each in expressions)
    for folder in search.folders:
        for path in _secrets_below(os.path.join(directory, _before_pattern(folder)), search):
            if everything or _shown(path, expressions):
                return True
    return False


def follows_outside(words: Sequence[str], directory: str, root: str) -> bool:
    """Whether the search goes through a link to what lies out of the project."""
    search = search_of(words)
    if search is None or not search.follows:
        return False
    return any(
        _links_outside_below(os.path.join(directory, _before_pattern(folder)), root)
        for folder in search.folders
    )


def _links_outside_below(top: str, root: str) -> bool:
    """Also where there are too many folders to look."""
    for number, (folder, folders, files) in enumerate(os.walk(top)):
        if number >= _MOST_FOLDERS:
            return True
        entries = (os.path.join(folder, name) for name in (*folders, *files))
        if any(os.path.islink(entry) and leads_outside(entry, root) for entry in entries):
            return True
        folders[:] = [name for name in folders if name not in _PASSED_OVER]
    return False


def _before_pattern(folder: str) -> str:
    found = _PATTERN.search(folder)
    return folder if found is None else os.path.dirname(folder[: found.start()])


def _secrets_below(top: str, search: Search) -> Iterator[str]:
    """Those that the search opens. Where there are too many folders to look, there may be some: it ends with
    the folder itself."""
    for number, (folder, folders, files) in enumerate(os.walk(top)):
        if number >= _MOST_FOLDERS:
            yield folder
            return
        for name in files:
            path = os.path.join(folder, name)
            if is_secret(path) and _opens(name, search):
                yield path
        folders[:] = [
            name
            for name in folders
            if name not in _PASSED_OVER and not (name.startswith(".") and search.passes_hidden)
        ]


def _opens(name: str, search: Search) -> bool:
    if search.names:
        return any("{" in each or "[" in each or _has_name(each, name) for each in search.names)
    return not (search.passes_hidden and name.startswith("."))


def _has_name(pattern: str, name: str) -> bool:
    return fnmatch(name.lower(), pattern.rpartition("/")[2].lower())


def _shown(path: str, expressions: Sequence[_Expressions]) -> bool:
    """What cannot be read, or is not text as such files have it, may fit."""
    try:
        if os.path.getsize(path) > _LARGEST:
            return True
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError:
        return True
    return any(len(line) > _LONGEST_LINE or any(each.fits(line) for each in expressions) for line in lines)


def _read(pattern: str, *, fixed: bool) -> _Expressions:
    """As a basic and as an extended expression; in doubt it may fit anything."""
    if fixed:
        return _Expressions(tuple(re.compile(re.escape(each), re.I) for each in pattern.split("\n")))
    if _HARD.search(pattern) or len(_REPEATS.findall(pattern)) > _MOST_REPEATS or "\n" in pattern:
        return _Expressions(doubtful=True)
    extended = re.sub(r"\\[<>]", r"\\b", pattern)
    basic = _SWAPPED.sub(lambda found: found[0][1:] if found[0][0] == "\\" else f"\\{found[0]}", extended)
    try:
        return _Expressions(tuple(re.compile(each, re.IGNORECASE) for each in {extended, basic}))
    except re.error:
        return _Expressions(doubtful=True)
