"""The files that git is told to ignore: `.gitignore` at every level, `info/exclude`, and the person's own list."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from fairlead.packs.repository.git_folder import Repository, read_settings
from fairlead.packs.repository.limits import Budget, CannotTell
from fairlead.packs.repository.regular_files import read_regular
from fairlead.packs.repository.wildcards import Matcher, name_matcher, path_matches

_LARGEST = 1 << 20
_LONGEST = 4096


class _Pattern(NamedTuple):
    negated: bool
    only_folders: bool
    anchored: bool
    matchers: tuple[Matcher | None, ...]


class Ignored:
    """Tells whether git would ignore a path if it were not tracked."""

    def __init__(self, repository: Repository, budget: Budget) -> None:
        self._repository = repository
        self._budget = budget
        self._lists: dict[str, tuple[_Pattern, ...]] = {}
        self._folders: dict[str, bool] = {}
        self._general: tuple[tuple[_Pattern, ...], ...] | None = None

    def __call__(self, path: str, *, is_folder: bool) -> bool:
        """Whether a path is ignored, or a folder on the way to it, and with it all that is below."""
        folder = path.rpartition("/")[0]
        return (bool(folder) and self._is_folder_ignored(folder)) or self._is_named(path, is_folder)

    def _is_folder_ignored(self, folder: str) -> bool:
        known = self._folders.get(folder)
        if known is None:
            known = self._folders[folder] = self(folder, is_folder=True)
        return known

    def _is_named(self, path: str, is_folder: bool) -> bool:
        """The nearest list that has a matching pattern decides, and in it the last one."""
        names = path.split("/")
        asked = _as_bytes(path).split("/")
        for depth in range(len(names) - 1, -1, -1):
            found = self._decided(self._list_of("/".join(names[:depth])), asked[depth:], is_folder)
            if found is not None:
                return found
        for patterns in self._general_lists():
            found = self._decided(patterns, asked, is_folder)
            if found is not None:
                return found
        return False

    def _decided(self, patterns: tuple[_Pattern, ...], names: list[str], is_folder: bool) -> bool | None:
        for pattern in reversed(patterns):
            if pattern.only_folders and not is_folder:
                continue
            asked = names if pattern.anchored else names[-1:]
            if path_matches(pattern.matchers, asked, self._budget):
                return not pattern.negated
        return None

    def _list_of(self, folder: str) -> tuple[_Pattern, ...]:
        known = self._lists.get(folder)
        if known is None:
            path = os.path.join(self._repository.top, folder, ".gitignore")
            known = self._lists[folder] = self._read(path, follow=False)
        return known

    def _general_lists(self) -> tuple[tuple[_Pattern, ...], ...]:
        if self._general is None:
            exclude = os.path.join(self._repository.common, "info/exclude")
            lists = [exclude, *self._own_list()]
            self._general = tuple(self._read(path, follow=True) for path in lists)
        return self._general

    def _own_list(self) -> Iterator[str]:
        """The person's list: the one that a setting names, else the usual one."""
        home = os.path.expanduser("~")
        usual = os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
        path = ""
        for file in ("/etc/gitconfig", os.path.join(usual, "git/config"), os.path.join(home, ".gitconfig")):
            path = read_settings(file, self._budget).get("core.excludesfile", path)
        path = self._repository.settings.get("core.excludesfile", path)
        yield os.path.join(
            self._repository.top, os.path.expanduser(path or os.path.join(usual, "git/ignore"))
        )

    def _read(self, path: str, *, follow: bool) -> tuple[_Pattern, ...]:
        """A link in the work tree is no list, as for git."""
        if not follow and os.path.islink(path):
            return ()
        text = read_regular(path, self._budget, limit=_LARGEST, follow=follow) or b""
        lines = text.removeprefix(b"\xef\xbb\xbf").decode("latin-1").split("\n")
        return tuple(pattern for line in lines for pattern in self._pattern(line.removesuffix("\r")))

    def _pattern(self, line: str) -> Iterator[_Pattern]:
        if not line or line.startswith("#"):
            return
        self._budget.step()
        if len(line) > _LONGEST:
            raise CannotTell("an ignore list has a line that is too long")
        negated = line.startswith("!")
        text = _without_blanks(line[negated:])
        only_folders = text.endswith("/")
        text = text.removesuffix("/")
        anchored = "/" in text
        names = text.removeprefix("/").split("/")
        if text and all(names):
            yield _Pattern(negated, only_folders, anchored, tuple(map(name_matcher, names)))


def _as_bytes(path: str) -> str:
    """One sign for each byte: that is how git's wildcards count."""
    return path if path.isascii() else os.fsencode(path).decode("latin-1")


def _without_blanks(text: str) -> str:
    """Blanks at the end count only behind a backslash."""
    short = text.rstrip(" ")
    escaped = (len(short) - len(short.rstrip("\\"))) % 2 == 1
    return short + " " if escaped and len(short) < len(text) else short
