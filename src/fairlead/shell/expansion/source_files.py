"""Files that would run: their text, where in them a reading stands, and what was asked for."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

from fairlead.shell.bounds import MAX_ASKED, MAX_FILE, MAX_FILES, MAX_FILES_TEXT
from fairlead.shell.script import Collected, FileReader, FileRun, FileUnread, NoText, Origin, Why


class FileText(str):
    """The text of a file that was read since it would run. Whatever is made of it is plain text again."""

    __slots__ = ("path",)
    path: str

    @classmethod
    def of(cls, path: str, text: str) -> FileText:
        made = cls(text)
        made.path = path
        return made


class SourceFile:
    """A file while it is read: from a place in its text to a line."""

    __slots__ = ("_last", "_starts", "by", "path", "text")

    def __init__(self, text: FileText, by: Origin | None) -> None:
        self.text = text
        self.path = text.path
        self.by = by
        self._starts: list[int] | None = None
        self._last: Origin | None = None

    def start_of(self, line: int) -> int:
        """The place where a line begins; lines count from 1."""
        if self._starts is None:
            self._starts = _line_starts(self.text)
        return self._starts[min(max(line, 1), len(self._starts)) - 1]

    def at(self, place: int) -> Origin:
        if self._starts is None:
            self._starts = _line_starts(self.text)
        line = bisect_right(self._starts, place)
        if self._last is None or self._last.line != line:
            self._last = Origin(self.path, line, self.by)
        return self._last


def _line_starts(text: str) -> list[int]:
    starts, place = [0], text.find("\n")
    while place >= 0:
        starts.append(place + 1)
        place = text.find("\n", place + 1)
    return starts


Standing = tuple[SourceFile | None, SourceFile | None, int]
"""The file that is read, the same where places in the text are places in the file, and the place."""


class Sources:
    """The files of one reading, and where in them it stands.

    `mapped` is the file whose text is walked; it is None in text that something in the file made, such as
    what it evals, which stands where that stands. All of it is None in the call's own text.
    """

    file: SourceFile | None = None
    mapped: SourceFile | None = None
    place = 0
    found = 0
    size = 0
    own: frozenset[str] = frozenset()
    """Files that are read where a runner takes all files of a folder."""
    collected: tuple[Collected, ...] = ()

    def __init__(self, read: FileReader | None) -> None:
        self._read = read

    @cached_property
    def _known(self) -> dict[str, tuple[FileText | None, str]]:
        return {}

    @cached_property
    def active(self) -> list[str]:
        """The files that run now, the innermost last."""
        return []

    @cached_property
    def runs(self) -> dict[FileRun, None]:
        return {}

    @cached_property
    def unread(self) -> dict[FileUnread, None]:
        return {}

    def seen(self) -> tuple[tuple[FileRun, ...], tuple[FileUnread, ...]]:
        """What was read, and what was not, though it would run."""
        return (tuple(self.runs), tuple(self.unread)) if "_known" in self.__dict__ else ((), ())

    @property
    def origin(self) -> Origin | None:
        return None if self.file is None else self.file.at(self.place)

    @property
    def standing(self) -> Standing:
        return self.file, self.mapped, self.place

    def stand(self, where: Standing) -> None:
        self.file, self.mapped, self.place = where

    def enter(self, text: FileText) -> None:
        """Walk the text of a file from here on; the caller goes back to where it stood."""
        self.file = self.mapped = SourceFile(text, self.note_run(text.path, "sh").by)
        self.place = 0

    @property
    def are_read(self) -> bool:
        return self._read is not None

    def note_run(self, path: str, language: str) -> Origin:
        """A file runs, called from here; where its first line stands."""
        by = self.origin
        self.note_loaded(path, language, by)
        return Origin(path, 1, by)

    def note_loaded(self, path: str, language: str, by: Origin | None) -> None:
        self.runs[FileRun(path, language, by)] = None

    def note_unread(self, path: str, why: str) -> None:
        self.unread[FileUnread(path, why, self.origin)] = None

    def collect(self, taken: Collected) -> list[str]:
        """The files of a folder that are worth a look, since a runner takes them all."""
        if taken not in self.collected:
            self.collected = (*self.collected, taken)
        return sorted(path for path in self.own if taken.has(path))

    def text(self, path: str, *, searched: bool = False) -> FileText | None:
        """What the file holds that would run; None where that is not known, which is noted. One that is only
        `searched` for may well be somewhere else."""
        if self._read is None:
            return None
        if path not in self._known:
            self._known[path] = self._fresh(path)
        text, why = self._known[path]
        if text is None and not (searched and why == Why.MISSING):
            self.note_unread(path, why)
        return text

    def _fresh(self, path: str) -> tuple[FileText | None, str]:
        assert self._read is not None
        if self.found >= MAX_FILES or len(self._known) >= MAX_ASKED or self.size >= MAX_FILES_TEXT:
            return None, Why.TOO_MANY
        found = self._read(path)
        if found is None:
            return None, Why.MISSING
        self.found += 1
        if isinstance(found, NoText):
            return None, found.why
        if len(found) > MAX_FILE:
            return None, Why.TOO_BIG
        self.size += len(found)
        text = found.decode("utf-8", "surrogateescape") if isinstance(found, bytes) else found
        if "\0" in text[:_LOOKED_AT]:
            return None, Why.BINARY
        return FileText.of(path, text.replace("\0", "")), ""


_LOOKED_AT = 8192
"""Characters at the start of a file that tell whether it is a program for the machine."""
