"""A folder as a source: on a disk that machines share, or for a first try."""

from __future__ import annotations

import asyncio
import os
import stat

from fairlead.doors.fleet.sources.source import MAX_POINTER, MAX_ROLES, SourceError

_PAUSE = 1.0
Mark = tuple[int, ...]


class FolderSource:
    def __init__(self, folder: str, group: str) -> None:
        self._folder = folder
        self._path = os.path.join(folder, "groups", f"{group}.json")
        self._seen: Mark = ()

    @property
    def shown(self) -> str:
        return self._folder

    async def pointer(self) -> bytes | None:
        self._seen = _mark(self._path)
        return self._read(self._path, MAX_POINTER)

    async def news(self) -> None:
        while _mark(self._path) == self._seen:
            await asyncio.sleep(_PAUSE)

    async def roles(self, version: int) -> bytes | None:
        return self._read(os.path.join(self._folder, "roles", f"{version}.json"), MAX_ROLES)

    async def body(self, sha256: str, size: int) -> bytes:
        path = os.path.join(self._folder, "bundles", f"{sha256}.fairlead")
        body = await asyncio.to_thread(self._read, path, size)
        if body is None:
            raise SourceError(f"there is no bundle {path}")
        return body

    def _read(self, path: str, limit: int) -> bytes | None:
        if not os.path.isdir(self._folder):
            raise SourceError(f"there is no folder {self._folder}", hint="is it mounted?")
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise SourceError(f"{path} cannot be read: {error.strerror}") from error
        with open(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise SourceError(f"{path} is no file")
            content = file.read(limit + 1)
        if len(content) > limit:
            raise SourceError(f"{path} is larger than {limit} bytes")
        return content


def _mark(path: str) -> Mark:
    try:
        found = os.stat(path)
    except OSError:
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
