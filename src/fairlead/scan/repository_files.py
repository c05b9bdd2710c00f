"""The files of a repository that a scan may see: ordinary ones inside it, within bounds, each read once."""

from __future__ import annotations

import os
from collections.abc import Mapping

from fairlead.packs.project_files.ordinary_files import as_text, is_ordinary, read_ordinary
from fairlead.packs.project_files.owners import Bounds, is_installed
from fairlead.shell.bounds import MAX_FILE
from fairlead.shell.script import FileReader, NoText, Why

_MOST_BYTES = 128 * MAX_FILE
_LOOKED_AT = 8192
"""Bytes at the start of a file that tell whether it is a program for the machine."""


class RepositoryFiles:
    """Nothing is read that lies outside, though a link leads there, nor what came with a package."""

    def __init__(self, root: str) -> None:
        self._root = os.path.realpath(root)
        self._bounds = Bounds(self._root, "")
        self._known: dict[str, bytes | NoText | None] = {}
        self._left = _MOST_BYTES

    def __call__(self, path: str) -> bytes | NoText | None:
        """As a reader of files answers; None for what is not there or is none of the repository's."""
        if path not in self._known:
            self._known[path] = self._read(path)
        return self._known[path]

    def named(self, path: str) -> str:
        """The path as a text that can be written down, by which the file is found as well: a name may be any
        bytes, and a command is text."""
        text = os.fsencode(path).decode("utf-8", "replace")
        if text != path:
            self._known[text] = self(path)
        return text

    def is_inside(self, path: str) -> bool:
        """Whether the file itself lies in the repository, with all links followed."""
        return f"{os.path.realpath(path)}/".startswith(f"{self._root.rstrip('/')}/")

    def with_shadows(self, shadows: Mapping[str, str]) -> FileReader:
        """The same, with other texts for some of the files."""
        if not shadows:
            return self
        return lambda path: shadows[path] if path in shadows else self(path)

    def _read(self, path: str) -> bytes | NoText | None:
        try:
            real = os.path.realpath(path)
            if not self.is_inside(path) or not os.path.lexists(real) or os.path.isdir(real):
                return None
            if is_installed(real, self._bounds):
                return None
            status = os.stat(real)
        except (OSError, ValueError):
            return NoText(Why.UNREADABLE)
        if not is_ordinary(real, status.st_mode):
            return NoText(Why.UNREADABLE)
        if status.st_size > MAX_FILE:
            return NoText(Why.TOO_BIG)
        return self._text(real)

    def _text(self, real: str) -> bytes | NoText:
        if self._left <= 0:
            return NoText(Why.TOO_MANY)
        content = read_ordinary(real, MAX_FILE)
        if content is None:
            return NoText(Why.UNREADABLE)
        self._left -= len(content.data)
        if b"\0" in content.data[:_LOOKED_AT] and not content.data.startswith((b"\xff\xfe", b"\xfe\xff")):
            return NoText(Why.BINARY)
        text = as_text(content.data)
        return NoText(Why.BINARY) if text is None else text
