"""A folder, such as the one that a web server shows: `folder:/srv/fairlead`."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager

from fairlead.doors.fleet.publishers import Target, changed_meanwhile
from fairlead.errors import FairleadError, UsageError
from fairlead.fleet.bundles.archive import MAX_PACKED, Archive
from fairlead.fleet.bundles.durable import write_file
from fairlead.fleet.bundles.manifest import read_manifest
from fairlead.fleet.documents import HASH
from fairlead.fleet.publishing.pointer import MAX_POINTER, read_pointer
from fairlead.fleet.publishing.publication import bundle_name, pointer_name, roles_name
from fairlead.fleet.refusal import RefusedError
from fairlead.platforms import here
from fairlead.policy.find import read_file

_MODE = 0o644
"""Everybody may read what is published; whoever could change it could still forge nothing."""
_LOCK = ".lock"


class FolderPublisher:
    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._known: dict[str, bytes | None] = {}
        """By group, the pointer that was read."""

    def pointer(self, group: str) -> bytes | None:
        self._known[group] = self._read(group)
        return self._known[group]

    def _read(self, group: str) -> bytes | None:
        path = os.path.join(self._folder, pointer_name(group))
        try:
            return read_file(path, MAX_POINTER)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise FairleadError(f"{path} cannot be read: {error.strerror}") from error

    def put_bundle(self, group: str, bundle_sha256: str, content: bytes) -> None:
        self._put(bundle_name(bundle_sha256), content)

    def put_roles(self, version: int, content: bytes) -> None:
        self._put(roles_name(version), content)

    def put_pointer(self, group: str, content: bytes) -> None:
        with self._locked():
            if self._read(group) != self._known[group]:
                raise changed_meanwhile(group)
            self._put(pointer_name(group), content)

    def prune(self, group: str, keep: Collection[str]) -> int:
        """Bundles of all groups lie side by side: those that another one names stay, too."""
        with self._locked():
            named = {*keep, *self._named()}
            folder = os.path.join(self._folder, os.path.dirname(bundle_name("")))
            gone = 0
            for name in sorted(os.listdir(folder)):
                sha256, end = name[:64], name[64:]
                path = os.path.join(folder, name)
                if end == ".fairlead" and HASH.fullmatch(sha256) and sha256 not in named:
                    gone += _remove_if_of(group, path)
            return gone

    def _named(self) -> Iterator[str]:
        """By any pointer here. Raises FairleadError for one that cannot be read: it may name any of them."""
        folder = os.path.join(self._folder, os.path.dirname(pointer_name("")))
        for name in os.listdir(folder):
            if name.endswith(".json"):
                pointer = read_pointer(self._read(name.removesuffix(".json")) or b"")
                releases = (pointer.release, pointer.rollout.previous)
                yield from (each.bundle_sha256 for each in releases if each is not None)

    def _put(self, name: str, content: bytes) -> None:
        path = os.path.join(self._folder, name)
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            write_file(path, content, mode=_MODE)
        except OSError as error:
            raise FairleadError(f"{path} cannot be written: {error.strerror}") from error

    @contextmanager
    def _locked(self) -> Iterator[None]:
        path = os.path.join(self._folder, _LOCK)
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        except OSError as error:
            raise FairleadError(f"{path} cannot be written: {error.strerror}") from error
        try:
            here.lock(descriptor)
            yield
        finally:
            os.close(descriptor)


def _remove_if_of(group: str, path: str) -> bool:
    """What cannot be read is nobody's, and stays."""
    try:
        if read_manifest(Archive(read_file(path, MAX_PACKED)).manifest).group != group:
            return False
        os.unlink(path)
    except (OSError, RefusedError):
        return False
    return True


@contextmanager
def open_publisher(target: Target) -> Iterator[FolderPublisher]:
    folder = target.address.removeprefix("folder:")
    if not os.path.isdir(folder):
        raise UsageError(f"there is no folder {folder or target.address}", hint="write folder:/srv/fairlead")
    yield FolderPublisher(os.path.abspath(folder))
