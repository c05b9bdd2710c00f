"""The files that one reading may look at, for commands that are found only when its code is understood."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from fairlead.shell.script import FileReader, FileRun, FileUnread, Script

_MOST, _DEEPEST = 60, 6
"""Commands of code whose files are followed in one reading, and how many of them run one another."""


class FilesAtHand:
    """What reads files and lists folders for one reading, and what was found through it besides."""

    __slots__ = ("_begun", "_depth", "_runs", "_unread", "folders", "read", "top")

    def __init__(
        self, read: FileReader, folders: Callable[[str], Iterable[str]] | None, top: str | Callable[[], str]
    ) -> None:
        self.read = read
        self.folders = folders
        self.top = top
        self._begun: set[object] = set()
        self._depth = 0
        self._runs: dict[FileRun, None] = {}
        self._unread: dict[FileUnread, None] = {}

    def begin(self, what: object) -> bool:
        """Whether the files of this command are followed: once, and not without end. `end` comes after it."""
        if what in self._begun or len(self._begun) >= _MOST or self._depth >= _DEEPEST:
            return False
        self._begun.add(what)
        self._depth += 1
        return True

    def end(self) -> None:
        self._depth -= 1

    def note(self, script: Script) -> None:
        self._runs.update(dict.fromkeys(script.files))
        self._unread.update(dict.fromkeys(script.unread))

    def noted_in(self, script: Script) -> Script:
        """The script that was read at first, with the files that its code runs."""
        if not self._runs and not self._unread:
            return script
        return script.replace(
            files=tuple(dict.fromkeys((*script.files, *self._runs))),
            unread=tuple(dict.fromkeys((*script.unread, *self._unread))),
        )
