"""What there was when a call was over: what differs from it later is somebody else's doing."""

from __future__ import annotations

import contextlib
import os
import shutil
import time

from fairlead.undo.manifest import BadManifestError, GitRecord
from fairlead.undo.store import Saved, Store, write_new

_FOLDER = "after"
_MOMENT, _INDEX, _STASH = "moment", "index", "stash"
_LARGEST = 64 * 1024 * 1024


def note_end(store: Store, saved: Saved) -> None:
    """Note the moment, the index and the list of stashes. Without it, times have to do."""
    draft = os.path.join(saved.path, f".{_FOLDER}-{os.getpid()}")
    try:
        record = store.load(saved).git
        os.mkdir(draft, 0o700)
        if record is not None:
            for name, path in ((_INDEX, index_of(record)), (_STASH, stash_of(record))):
                write_new(os.path.join(draft, name), read_or_nothing(path))
        write_new(os.path.join(draft, _MOMENT), str(time.time_ns()).encode())
        os.rename(draft, os.path.join(saved.path, _FOLDER))
    except (OSError, BadManifestError):
        shutil.rmtree(draft, ignore_errors=True)


def moment(saved: Saved) -> int:
    """When the call was over, in nanoseconds; 0 where nobody noted it."""
    try:
        return int(_noted(saved, _MOMENT) or b"0")
    except ValueError:
        return 0


def index_after(saved: Saved) -> bytes | None:
    return _noted(saved, _INDEX)


def stash_after(saved: Saved) -> bytes | None:
    return _noted(saved, _STASH)


def index_of(record: GitRecord) -> str:
    return os.path.join(record.folder, "index")


def stash_of(record: GitRecord) -> str:
    return os.path.join(record.common, "logs/refs/stash")


def read_or_nothing(path: str) -> bytes:
    with contextlib.suppress(FileNotFoundError), open(path, "rb") as file:
        return file.read(_LARGEST)
    return b""


def _noted(saved: Saved, name: str) -> bytes | None:
    try:
        with open(os.path.join(saved.path, _FOLDER, name), "rb") as file:
            return file.read(_LARGEST)
    except OSError:
        return None
