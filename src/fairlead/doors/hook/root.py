"""Which project a call belongs to. Agents move their cwd, so the cwd alone never decides."""

from __future__ import annotations

import os

from fairlead.doors.hook.canaries import Canaries
from fairlead.model.digest import sha256_hex
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.sessions.note_files import ENDING

_REMEMBERED = 1024
"""How many sessions are kept in memory, and how many files on disk before the oldest go."""


class Sessions:
    """The root that each session had when it was first seen, kept on disk for calls without a daemon."""

    def __init__(self, directory: str, canaries: Canaries) -> None:
        self._directory = directory
        self._canaries = canaries
        self._known: dict[str, str] = {}

    def root_of(self, event: Event) -> str:
        """The dialect's own word, else what was stored for the session, else the git root of the cwd."""
        if event.root:
            return os.path.normpath(event.root)
        if not event.session or self._canaries.has_session(event.session):
            return git_root(event.cwd)
        key = sha256_hex(f"{event.agent}\0{event.session}".encode())[:32]
        stored = None if event.name is EventName.SESSION_START else self._known.get(key) or self._read(key)
        if stored:
            return stored
        root = git_root(event.cwd)
        if not self._canaries.has_project(root):
            self._store(key, root)
        return root

    def _read(self, key: str) -> str | None:
        try:
            with open(os.path.join(self._directory, key), encoding="utf-8") as file:
                root = file.read(4096)
        except OSError:
            return None
        self._remember(key, root)
        return root

    def _store(self, key: str, root: str) -> None:
        self._remember(key, root)
        path = os.path.join(self._directory, key)
        try:
            os.makedirs(self._directory, mode=0o700, exist_ok=True)
            with open(f"{path}.{os.getpid()}", "w", encoding="utf-8") as file:
                file.write(root)
            os.replace(f"{path}.{os.getpid()}", path)
            self._forget_oldest()
        except OSError:
            return  # the root is found again from the cwd at the next call: weaker, but never a lost answer

    def _remember(self, key: str, root: str) -> None:
        if len(self._known) >= _REMEMBERED:
            self._known = {}
        self._known[key] = root

    def _forget_oldest(self) -> None:
        with os.scandir(self._directory) as entries:
            files = [(entry.stat().st_mtime, entry.path) for entry in entries if ENDING not in entry.name]
        if len(files) > _REMEMBERED:
            for _, path in sorted(files)[: len(files) - _REMEMBERED // 2]:
                os.unlink(path)


def git_root(cwd: str) -> str:
    """The nearest directory upwards that holds `.git` (a folder, or a worktree's file); else `cwd`."""
    directory = os.path.normpath(cwd or "/")
    while True:
        if os.path.lexists(os.path.join(directory, ".git")):
            return directory
        parent = os.path.dirname(directory)
        if parent == directory:
            return os.path.normpath(cwd or "/")
        directory = parent
