"""A folder as a shelf: for a web server with static files, a disk that machines share, or a first try."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256

from fairlead.doors.fleet.shelves.shelf import ChangedError, Lying, ShelfError
from fairlead.fleet.bundles.durable import write_file
from fairlead.platforms import here

_LIMIT = 64 * 1024
_LOCK = ".lock"


class FolderShelf:
    def __init__(self, folder: str) -> None:
        self._folder = folder

    @property
    def shown(self) -> str:
        return self._folder

    async def pointer(self, group: str) -> Lying:
        return self._lying(group)

    async def put_pointer(self, group: str, content: bytes, revision: str) -> None:
        with self._locked():
            if self._lying(group).revision != revision:
                raise ChangedError(group)
            self._put(os.path.join("groups", f"{group}.json"), content)

    async def put_bundle(self, group: str, sha256: str, content: bytes) -> None:
        with self._locked():
            self._put(os.path.join("bundles", f"{sha256}.fairlead"), content)

    async def put_roles(self, version: int, content: bytes) -> None:
        with self._locked():
            self._put(os.path.join("roles", f"{version}.json"), content)

    def _lying(self, group: str) -> Lying:
        path = os.path.join(self._folder, "groups", f"{group}.json")
        try:
            with open(path, "rb") as file:
                content = file.read(_LIMIT)
        except FileNotFoundError:
            return Lying(None, "")
        except OSError as error:
            raise ShelfError(f"{path} cannot be read: {error.strerror}") from error
        return Lying(content, sha256(content).hexdigest())

    def _put(self, name: str, content: bytes) -> None:
        path = os.path.join(self._folder, name)
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            write_file(path, content, mode=0o644)
        except OSError as error:
            raise ShelfError(f"{path} cannot be written: {error.strerror}") from error

    @contextmanager
    def _locked(self) -> Iterator[None]:
        try:
            os.makedirs(self._folder, exist_ok=True)
            descriptor = os.open(
                os.path.join(self._folder, _LOCK),
                os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW,
                0o600,
            )
        except OSError as error:
            raise ShelfError(f"{self._folder} cannot be written to: {error.strerror}") from error
        try:
            here.lock(descriptor)
            yield
        finally:
            os.close(descriptor)
