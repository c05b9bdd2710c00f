"""What sessions have used so far: read from the agents' transcripts, from where the last reader stopped.

A transcript grows with every turn, so it is never read twice, and never more than a few megabytes at once.
What was counted is kept in a small file per transcript, with the tokens of each day.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager

from fairlead.journal.files import expand, private_directory
from fairlead.platforms import here
from fairlead.store.transcripts import Counts, Usage, read_lines, read_whole

DEFAULT_STATE = "~/.local/state/fairlead/usage"
_AT_ONCE = 4 * 1024 * 1024
_DAYS = 8  # that a ledger remembers


class Ledger:
    """The account of one transcript, held by one reader at a time."""

    def __init__(self) -> None:
        self.offset = 0
        self.inode = 0
        self.behind = 0
        self.usage = Usage()
        self.days: dict[str, dict[str, Counts]] = {}
        """What was added on each day, by model."""


def read_usage(transcript: str, *, state_dir: str = "", day: str = "") -> Ledger:
    """The account of a transcript, brought up to date. Raises OSError for what is no file."""
    folder = expand(state_dir or DEFAULT_STATE)
    private_directory(folder)
    name = hashlib.sha256(transcript.encode("utf-8", "replace")).hexdigest()[:32]
    with _held(os.path.join(folder, f"{name}.json")) as ledger:
        before = dict(ledger.usage.totals)
        _catch_up(ledger, transcript)
        _note_day(ledger, before, day)
    return ledger


def usage_of_day(day: str, *, state_dir: str = "") -> Iterator[tuple[str, Counts]]:
    """What every session used on one day, by model."""
    folder = expand(state_dir or DEFAULT_STATE)
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return
    for name in names:
        if name.endswith(".json"):
            yield from _load(os.path.join(folder, name)).days.get(day, {}).items()


@contextmanager
def _held(path: str) -> Iterator[Ledger]:
    """What is kept in the file, then kept there again; nobody else has it in between."""
    lock = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        here.lock(lock)
        ledger = _load(path)
        before = _state(ledger)
        yield ledger
        if _state(ledger) != before:
            _save(ledger, path)
    finally:
        os.close(lock)


def _load(path: str) -> Ledger:
    ledger = Ledger()
    try:
        with open(path, "rb") as file:
            state = json.load(file)
        usage = Usage.from_state(state["usage"])
        days = {str(day): {str(k): dict(v) for k, v in used.items()} for day, used in state["days"].items()}
        ledger.offset, ledger.inode = int(state["offset"]), int(state["inode"])
        ledger.usage, ledger.days = usage, days
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Ledger()  # count again from the start
    return ledger


def _state(ledger: Ledger) -> str:
    state = {
        "offset": ledger.offset,
        "inode": ledger.inode,
        "usage": ledger.usage.state(),
        "days": ledger.days,
    }
    return json.dumps(state)


def _save(ledger: Ledger, path: str) -> None:
    draft = f"{path}.new"
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW
    with open(os.open(draft, flags, 0o600), "wb") as file:
        file.write(_state(ledger).encode("ascii"))
    os.replace(draft, path)


def _catch_up(ledger: Ledger, transcript: str) -> None:
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
            return
        file.seek(ledger.offset)
        data = file.read(_AT_ONCE)
    whole = _whole_lines(data, at_once=_AT_ONCE)
    read_lines(data[:whole].splitlines(), ledger.usage)
    ledger.offset += whole
    ledger.behind = found.st_size - ledger.offset


def _whole_lines(data: bytes, *, at_once: int) -> int:
    """How much of the data is whole lines; a line longer than a read is passed over."""
    end = data.rfind(b"\n") + 1
    return end or (len(data) if len(data) == at_once else 0)


def _note_day(ledger: Ledger, before: Counts, day: str) -> None:
    """What is new counts for the day on which it was read."""
    added = {field: max(n - before.get(field, 0), 0) for field, n in ledger.usage.totals.items()}
    if not day or not any(added.values()):
        return
    used = ledger.days.setdefault(day, {}).setdefault(ledger.usage.model, {})
    for field, number in added.items():
        used[field] = used.get(field, 0) + number
    for old in sorted(ledger.days)[:-_DAYS]:
        del ledger.days[old]
