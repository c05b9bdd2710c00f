"""What one call would run from files: the `files` function of the shell reader."""

from __future__ import annotations

import os
import re
from functools import cached_property
from hashlib import sha256
from stat import S_ISDIR

from fairlead.model.value import Value
from fairlead.packs.places.secret_paths import is_secret
from fairlead.packs.project_files.committed_files import CommittedFiles
from fairlead.packs.project_files.ordinary_files import as_text, is_ordinary, read_ordinary
from fairlead.packs.project_files.owners import (
    COMMITTED,
    WRITTEN,
    Bounds,
    is_installed,
    is_system_file,
)
from fairlead.shell.bounds import MAX_FILE
from fairlead.shell.effects.own.own_programs import is_entry_script
from fairlead.shell.places.world import Identity, identity_of
from fairlead.shell.script import NoText, Why

_DIGEST = 16


class FileRead(Value):
    """A file that was read because the call would run it."""

    path: str
    digest: str
    """The beginning of its SHA-256."""
    owner: str
    real: str
    """Its path with all links followed."""


class Sight:
    """Reads what the reader asks for, which bounds how much that is, and keeps what it found out.

    `identities` are those of all files that were asked for, None where there is none; `left` are those that
    were left alone since they are the system's or came with a package, unless they are among `also`.
    """

    def __init__(self, bounds: Bounds, also: frozenset[str] = frozenset()) -> None:
        self._given = bounds
        self._also = also
        self.committed = CommittedFiles(bounds.project)
        self.identities: dict[str, Identity | None] = {}
        self.files: dict[str, FileRead] = {}
        self.left: list[str] = []

    @cached_property
    def _bounds(self) -> Bounds:
        """With all links followed; most files that are asked for are not there, and then nobody asks."""
        return Bounds(*(folder and os.path.realpath(folder) for folder in self._given))

    def __call__(self, path: str) -> bytes | NoText | None:
        """What a program that runs the file would read; None for what is not there or is not followed."""
        self.identities[path] = identity_of(path)
        if self.identities[path] is None:
            return None
        try:
            real = os.path.realpath(path)
            status = os.stat(real)
        except (OSError, ValueError):
            return NoText(Why.UNREADABLE)
        if S_ISDIR(status.st_mode):
            return None
        if path not in self._also and (
            is_system_file(real, status, self._bounds) or is_installed(real, self._bounds)
        ):
            self.left.append(path)
            return None
        if not is_ordinary(real, status.st_mode):
            return NoText(Why.UNREADABLE)
        if status.st_size > MAX_FILE:
            return NoText(Why.TOO_BIG)
        return self._read(path, real)

    def _read(self, path: str, real: str) -> bytes | NoText | None:
        content = read_ordinary(real, MAX_FILE)
        if content is None:
            return NoText(Why.UNREADABLE)
        self.identities[path] = content.identity
        text = as_text(content.data)
        if text is None:
            return NoText(Why.BINARY)
        if (is_secret(real) and _only_sets_values(text)) or is_entry_script(text.decode("utf-8", "replace")):
            return None
        owner = COMMITTED if self.committed.has(path, real, content.data) else WRITTEN
        self.files[path] = FileRead(path, sha256(content.data).hexdigest()[:_DIGEST], owner, real)
        return text


_SETS = re.compile(rb"\s*(?:#.*|(?:export\s+)?\w+\s*=[^$`]*)?")


def _only_sets_values(text: bytes) -> bool:
    """Whether it holds values alone. Those of a secret file are nothing that a reason should quote."""
    return all(_SETS.fullmatch(line) for line in text.split(b"\n"))
