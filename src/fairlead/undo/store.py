"""The folder of saves: one folder each, made under another name and renamed when it is whole.

`saves/ID.PROJECT.SIZE` holds `manifest.json`, `data/N` and, once the call is over, `after/`. The name says
all that a bound needs to know, so that nothing has to be opened to keep it. A save that was killed leaves a
draft that nobody holds, and a later one takes it away.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager

from fairlead.errors import FairleadError
from fairlead.model.digest import sha256_hex
from fairlead.model.value import Value
from fairlead.platforms import here
from fairlead.policy.places import make_private
from fairlead.undo.limits import Limits, NotSavedError
from fairlead.undo.manifest import BadManifestError, Manifest, from_json, to_json

_DRAFT, _GONE = ".draft-", ".gone-"
_MANIFEST = "manifest.json"
_LARGEST_MANIFEST = 64 * 1024 * 1024
_WAIT = 2.0
_JUST_BEGUN = 10.0
"""Seconds in which a draft may not be held yet."""


class Saved(Value):
    """One save, by what its name says."""

    id: str
    project: str
    size: int
    path: str

    def data(self, name: str) -> str:
        return os.path.join(self.path, "data", os.path.basename(name))


class Draft:
    """A save that is being made. It is held by a lock, which ends with the process."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        os.mkdir(folder, 0o700)
        os.mkdir(os.path.join(folder, "data"), 0o700)
        self._held = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
        here.lock(self._held)
        self._count = 0

    def next_name(self) -> str:
        self._count += 1
        return str(self._count)

    def place(self, name: str) -> str:
        return os.path.join(self.folder, "data", name)

    def put(self, content: bytes) -> str:
        """The name of a piece of data."""
        name = self.next_name()
        write_new(self.place(name), content)
        return name

    def close(self) -> None:
        if self._held >= 0:
            os.close(self._held)
            self._held = -1

    def abandon(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        self.close()


def write_new(path: str, content: bytes, mode: int = 0o600) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with open(os.open(path, flags, mode), "wb") as file:
        file.write(content)


class Store:
    def __init__(self, folder: str, limits: Limits | None = None) -> None:
        self.folder = folder
        self.limits = limits or Limits()
        self._saves = os.path.join(folder, "saves")

    def draft(self) -> Draft:
        make_private(self.folder)
        make_private(self._saves)
        return Draft(os.path.join(self._saves, f"{_DRAFT}{os.getpid()}-{secrets.token_hex(4)}"))

    def keep(self, draft: Draft, manifest: Manifest, size: int) -> Saved:
        """Make the draft a save, and room for it. Raises NotSavedError where there is none."""
        text = to_json(manifest)
        write_new(os.path.join(draft.folder, _MANIFEST), text)
        size += len(text)
        project = project_key(manifest.root)
        saved = Saved(manifest.id, project, size, self._place(manifest.id, project, size))
        with self._locked():
            self._sweep()
            self._make_room(project, size)
            os.rename(draft.folder, saved.path)
        draft.close()
        return saved

    def _place(self, id_: str, project: str, size: int) -> str:
        return os.path.join(self._saves, f"{id_}.{project}.{size}")

    def saves(self) -> list[Saved]:
        """The oldest first."""
        try:
            names = sorted(os.listdir(self._saves))
        except (FileNotFoundError, NotADirectoryError):
            return []
        found = []
        for name in names:
            id_, _, rest = name.partition(".")
            project, _, size = rest.partition(".")
            if id_ and size.isdecimal():
                found.append(Saved(id_, project, int(size), os.path.join(self._saves, name)))
        return found

    def load(self, saved: Saved) -> Manifest:
        try:
            with open(os.path.join(saved.path, _MANIFEST), "rb") as file:
                text = file.read(_LARGEST_MANIFEST)
        except OSError as error:
            raise BadManifestError(f"{_MANIFEST} cannot be read: {error.strerror}") from error
        return from_json(text)

    def remove(self, saved: Saved) -> None:
        """First out of sight in one step; then what git was told to keep for it, then the rest."""
        from fairlead.undo.git.refs import release  # only where something is taken away

        gone = os.path.join(self._saves, f"{_GONE}{os.path.basename(saved.path)}-{secrets.token_hex(2)}")
        with contextlib.suppress(BadManifestError, OSError):
            release(self.load(saved))
        with contextlib.suppress(FileNotFoundError):
            os.rename(saved.path, gone)
        shutil.rmtree(gone, ignore_errors=True)

    def prune(self, *, before: int | None = None) -> list[Saved]:
        """Take away what is older than a moment in nanoseconds, or all; and what was left by killed saves."""
        if not os.path.isdir(self._saves):
            return []
        with self._locked():
            self._sweep()
            old = [each for each in self.saves() if before is None or made_at(each) < before]
            gone = [each for each in old if not _is_held(each.path)]
            for each in gone:
                self.remove(each)
        return gone

    def _make_room(self, project: str, size: int) -> None:
        limits = self.limits
        if size > min(limits.project_bytes, limits.machine_bytes):
            raise NotSavedError("it is more than all saves may take together")
        saves = self.saves()
        total = size + sum(each.size for each in saves)
        own = size + sum(each.size for each in saves if each.project == project)
        count = len(saves) + 1
        for each in saves:
            ours = each.project == project
            if total > limits.machine_bytes or count > limits.machine_saves:
                pass
            elif own <= limits.project_bytes:
                break
            elif not ours:
                continue
            if _is_held(each.path):
                continue
            self.remove(each)
            total, count = total - each.size, count - 1
            own -= each.size if ours else 0

    def _sweep(self) -> None:
        """Take away drafts that nobody holds any more, and what was being taken away."""
        for name in os.listdir(self._saves):
            path = os.path.join(self._saves, name)
            if name.startswith(_GONE) or (name.startswith(_DRAFT) and _is_left(path)):
                shutil.rmtree(path, ignore_errors=True)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        descriptor = os.open(os.path.join(self.folder, "lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            _wait_for(descriptor)
            yield
        finally:
            os.close(descriptor)


def _wait_for(descriptor: int) -> None:
    until = time.monotonic() + _WAIT
    while True:
        try:
            here.lock(descriptor, wait=False)
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.EACCES) or time.monotonic() > until:
                raise NotSavedError("another save is being made") from error
            time.sleep(0.01)
        else:
            return


@contextmanager
def held(saved: Saved) -> Iterator[None]:
    """While it is brought back, it makes no room for another."""
    try:
        descriptor = os.open(saved.path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        raise FairleadError(f"the save {saved.id} is not there any more") from error
    try:
        here.lock(descriptor, shared=True)
        yield
    finally:
        os.close(descriptor)


def _is_left(path: str) -> bool:
    try:
        is_young = time.time() - os.lstat(path).st_mtime < _JUST_BEGUN
    except OSError:
        return False
    return not is_young and not _is_held(path)


def _is_held(path: str) -> bool:
    """Also where that cannot be told."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return True
    try:
        here.lock(descriptor, wait=False)
    except OSError:
        return True
    else:
        return False
    finally:
        os.close(descriptor)


def new_id(now: float) -> str:
    """Names in order of time, fine enough for saves that follow each other; the last part finds one, too."""
    day = time.strftime("%y%m%d-%H%M%S", time.gmtime(now))
    return f"{day}{int(now % 1 * 1_000_000):06d}-{secrets.token_hex(2)}"


def made_at(saved: Saved) -> int:
    """When, in nanoseconds, as the name says it; 0 where it does not."""
    import calendar

    try:
        day, clock, _ = saved.id.split("-")
        seconds = calendar.timegm(time.strptime(f"{day}{clock[:6]}", "%y%m%d%H%M%S"))
        return seconds * 1_000_000_000 + int(clock[6:12]) * 1_000
    except ValueError:
        return 0


def project_key(root: str) -> str:
    return sha256_hex(os.fsencode(root))[:8]
