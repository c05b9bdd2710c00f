"""What Fairlead keeps: can it be written, how much of it is there, and was it switched off?"""

from __future__ import annotations

import os
import stat
import tempfile
import time
from collections.abc import Iterator

from fairlead.doors.cli.checkup.finding import Finding, bad, note
from fairlead.doors.cli.output import Session
from fairlead.journal.ids import time_of
from fairlead.journal.reader import read_segment, segment_paths
from fairlead.journal.rotation import CURRENT
from fairlead.policy.off import ignored_marker, read_off
from fairlead.sessions.note_files import note_files, unread_lines

_ENOUGH = 64 << 20
"""Bytes that should be free: a journal segment has as many."""
_MUCH = 4 << 30
_OVERFULL = 256 << 20
"""A segment is full at a quarter of it: one that is larger was not written by us."""
_AHEAD = 300.0


def look_at_off(session: Session) -> Iterator[Finding]:
    marker = session.places.off_marker
    try:
        mode = os.lstat(marker).st_mode
    except OSError:
        return
    off = read_off(session.places)
    if off is not None:
        yield bad(
            "off",
            f"Fairlead is off {off.words()}",
            why="it was switched off, so nothing is refused",
            fix="fairlead on",
        )
    elif not stat.S_ISREG(mode):
        aside = f"{marker}.aside"
        yield bad(
            "off",
            f"{marker} is {_kind(mode)}, and not a file that switches Fairlead off",
            why="somebody else put it there; it cannot be told what it was meant to say",
            fix=f"mv {marker} {aside}",
            repair=lambda: os.rename(marker, f"{aside}.{os.urandom(4).hex()}"),
        )
    else:
        ignored = ignored_marker(session.places)
        yield note("off", ignored or f"{marker} has run out", why="Fairlead is on", fix="fairlead on")


def _kind(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "a folder"
    return "a link" if stat.S_ISLNK(mode) else "something else"


def look_at_disk(session: Session) -> Iterator[Finding]:
    """By writing: what a mode says is neither the whole truth for root nor on a disk that is read-only."""
    state = _nearest(session.places.state)
    problem = _write_problem(state)
    if problem:
        yield bad(
            "state",
            f"{state} cannot be written: {problem}",
            why="no call can be put on record, and what was approved is asked about again",
            fix=_fix_of(state),
        )
        return
    disk = os.statvfs(state)
    free = disk.f_bavail * disk.f_frsize
    if free < _ENOUGH or (disk.f_files and not disk.f_favail):
        left = f"{free >> 20} MiB" if free < _ENOUGH else "no room for another file"
        yield bad(
            "disk",
            f"the disk of {state} has {left} left",
            why="calls that cannot be put on record are answered more strictly",
            fix="fairlead log prune --older-than 30d",
        )
    else:
        yield Finding("state", f"{state} can be written, {free >> 20} MiB are free")


def _nearest(path: str) -> str:
    while not os.path.isdir(path) and path != "/":
        path = os.path.dirname(path)
    return path


def _write_problem(folder: str) -> str:
    try:
        descriptor, path = tempfile.mkstemp(prefix=".doctor-", dir=folder)
    except OSError as error:
        return error.strerror or str(error)
    try:
        os.write(descriptor, b"x" * 4096)
    except OSError as error:
        return error.strerror or str(error)
    finally:
        os.close(descriptor)
        os.unlink(path)
    return ""


def _fix_of(folder: str) -> str:
    mine = os.stat(folder).st_uid == os.getuid()
    return f"chmod u+rwx {folder}" if mine else f"sudo chown -R {os.getuid()} {folder}"


def look_at_journal(session: Session) -> Iterator[Finding]:
    folder = os.path.join(session.places.state, "journal")
    current = os.path.join(folder, CURRENT)
    if os.path.lexists(folder) and not os.path.isdir(folder):
        why = "no call can be put on record"
        yield bad(
            "journal", f"the journal {folder} is not a folder", why=why, fix=f"mv {folder} {folder}.aside"
        )
        return
    problem = _journal_problem(folder, current)
    if problem:
        yield bad(
            "journal",
            f"the journal cannot be written: {problem}",
            why="calls are answered, but there is no record of them",
            fix=_fix_of(folder) if os.path.isdir(folder) else f"mkdir -p {folder}",
        )
        return
    total = sum(os.path.getsize(path) for path in segment_paths(folder))
    newest = os.path.getsize(current) if os.path.exists(current) else 0
    if newest > _OVERFULL:
        yield bad(
            "journal",
            f"{current} has {newest >> 20} MiB, more than Fairlead ever writes into one file",
            why="each writer looks at its end, and readers read all of it",
            fix=f"mv {current} {current}.aside",
        )
    elif total > _MUCH:
        fix = "fairlead log prune --older-than 90d"
        yield note("journal", f"the journal has {total >> 30} GiB", why="it is never cut unasked", fix=fix)
    else:
        yield Finding("journal", f"journal {folder}, {total >> 20} MiB")
    yield from _clock(current)


def _journal_problem(folder: str, current: str) -> str:
    if not os.path.isdir(folder):
        return ""  # the first call makes it
    try:
        mode = os.lstat(current).st_mode
    except FileNotFoundError:
        return _write_problem(folder)
    if not stat.S_ISREG(mode):
        return f"{current} is {_kind(mode)}"
    try:
        os.close(os.open(current, os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC))
    except OSError as error:
        return f"{current}: {error.strerror}"
    return ""


def _clock(current: str) -> Iterator[Finding]:
    """Exceptions and questions end by the clock, and lines are found by it."""
    try:
        start = max(0, os.path.getsize(current) - (1 << 16))
    except OSError:
        return
    newest = 0.0
    for line in read_segment(current, start):
        try:
            newest = max(newest, time_of(str((line.record or {}).get("id"))))
        except ValueError:
            continue
    if newest > time.time() + _AHEAD:
        ahead = time.strftime("%Y-%m-%d %H:%M", time.localtime(newest))
        yield note(
            "clock",
            f"the journal has a line of {ahead}, which is still to come",
            why="the clock was set back: exceptions last longer, and `--since` finds other lines",
            fix="timedatectl",
        )


def look_at_memory(session: Session) -> Iterator[Finding]:
    """Quiet where all is well: that no session has left anything is no news."""
    folder = os.path.join(session.places.state, "sessions")
    if not os.path.lexists(folder):
        return
    why = "calls are judged without what their session did before"
    problem = "it is not a folder" if not os.path.isdir(folder) else _write_problem(folder)
    if problem:
        fix = _fix_of(folder) if os.path.isdir(folder) else f"mv {folder} {folder}.aside"
        yield bad("memory", f"the memory of sessions {folder} cannot be kept: {problem}", why=why, fix=fix)
        return
    broken = [path for path in note_files(folder) if unread_lines(path)]
    if broken:
        text = f"{broken[0]} has lines that cannot be read" + (
            f", and {len(broken) - 1} more" if broken[1:] else ""
        )
        yield note(
            "memory", text, why="what they said is forgotten; all other lines count", fix=f"rm {broken[0]}"
        )
