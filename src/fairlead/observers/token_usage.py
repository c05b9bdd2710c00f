"""`track-token-usage`: what a session has cost so far, read from the agent's own transcript.

A transcript grows with every turn, so it is read from where the last call stopped, and never more than
a few megabytes at once. What was counted is kept in a small state file per transcript.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import stat
from collections.abc import Mapping, Sequence

from fairlead.errors import FairleadError
from fairlead.journal.files import expand, private_directory
from fairlead.model.event import Event
from fairlead.model.hook import Outcome
from fairlead.observers.report import failed, seen
from fairlead.observers.transcripts import Usage, read_lines, read_whole

DEFAULT_STATE = "~/.local/state/fairlead/usage"
_AT_ONCE = 4 * 1024 * 1024


def track_token_usage(
    event: Event, config: Mapping[str, object], previous: Sequence[Outcome], /
) -> Outcome | None:
    """Config: `state_dir`. The metrics are totals of the session; `behind` is what is still to be read."""
    if not event.transcript_path:
        return None
    state_dir = expand(str(config.get("state_dir") or DEFAULT_STATE))
    name = hashlib.sha256(event.transcript_path.encode("utf-8", "replace")).hexdigest()[:32]
    try:
        private_directory(state_dir)
        with _Ledger(os.path.join(state_dir, f"{name}.json")) as ledger:
            usage = _catch_up(ledger, event.transcript_path)
    except FairleadError as error:
        return failed(error.message, {})
    except OSError as error:
        return failed(f"{event.transcript_path}: {error.strerror or error}", {})
    return seen(f"{usage.total} tokens so far", usage.metrics() | {"behind": ledger.behind})


class _Ledger:
    """The state of one transcript, held by one reader at a time."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.offset = 0
        self.inode = 0
        self.behind = 0
        self.usage = Usage()
        self._lock = -1

    def __enter__(self) -> _Ledger:
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        self._lock = os.open(self.path + ".lock", flags, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        try:
            with open(self.path, "rb") as file:
                state = json.load(file)
            self.offset, self.inode = int(state["offset"]), int(state["inode"])
            self.usage = Usage.from_state(state["usage"])
        except (FileNotFoundError, ValueError, KeyError, TypeError, AttributeError):
            self.offset, self.inode, self.usage = 0, 0, Usage()  # count again from the start
        return self

    def save(self) -> None:
        state = {"offset": self.offset, "inode": self.inode, "usage": self.usage.state()}
        new = f"{self.path}.new"
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        with open(descriptor, "wb") as file:
            file.write(json.dumps(state).encode("ascii"))
        os.replace(new, self.path)

    def __exit__(self, *_: object) -> None:
        os.close(self._lock)


def _catch_up(ledger: _Ledger, transcript: str) -> Usage:
    descriptor = os.open(transcript, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    with open(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(22, "the transcript is not a file")
        if found.st_ino != ledger.inode or found.st_size < ledger.offset:
            ledger.offset, ledger.usage = 0, Usage()  # another transcript has this name now
        ledger.inode = found.st_ino
        if transcript.endswith(".json"):
            ledger.usage = read_whole(file.read(_AT_ONCE * 4))
            ledger.offset = 0
            return ledger.usage
        file.seek(ledger.offset)
        data = file.read(_AT_ONCE)
    whole = _whole_lines(data, at_once=_AT_ONCE)
    read_lines(data[:whole].splitlines(), ledger.usage)
    ledger.offset += whole
    ledger.behind = found.st_size - ledger.offset
    ledger.save()
    return ledger.usage


def _whole_lines(data: bytes, *, at_once: int) -> int:
    """How much of the data is whole lines; a line longer than a read is passed over."""
    end = data.rfind(b"\n") + 1
    return end or (len(data) if len(data) == at_once else 0)
