"""Reads the journal back: every segment in order, torn lines set aside, calls folded into one record each."""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import BinaryIO, NamedTuple

from fairlead.journal.line import MAX_LINE, Record
from fairlead.journal.rotation import CURRENT, full_segments

_BLOCK = 1024 * 1024
_decode = json.JSONDecoder().decode
_SHOWN = 256
_LINE_STARTS = b'{"v":'
"""No text inside a line can hold this: its quotes would be escaped."""


class Line(NamedTuple):
    """One line with its place. `record` is None for what cannot be read: a line that was cut short.

    A tuple and not a `Value`: a journal has a million lines, and this is made for each of them.
    """

    segment: str
    offset: int
    data: bytes
    record: Record | None
    end: int
    """Where the next one starts."""


def segment_paths(directory: str) -> list[str]:
    """All segments, oldest first. Taken so that a rotation in between neither hides nor doubles one."""
    current = os.path.join(directory, CURRENT)
    inode = _inode(current)
    try:
        full = [os.path.join(directory, name) for name in full_segments(directory)]
    except (FileNotFoundError, NotADirectoryError):
        return []
    if full and inode is not None and _inode(full[-1]) == inode:
        return [*full, current] if _inode(current) is not None else full
    return full if inode is None else [*full, current]


def read_lines(directory: str) -> Iterator[Line]:
    """Every line that is there, in the order of the file."""
    for path in segment_paths(directory):
        yield from read_segment(path)


def open_segment(path: str, owner: int | None = None) -> BinaryIO:
    """With an `owner`, a plain file of that user and nothing else: since anybody looked, the name may lead
    elsewhere. Raises FileNotFoundError for all that is none."""
    if owner is None:
        return open(path, "rb")
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
    try:
        descriptor = os.open(path, flags)
    except OSError as error:
        raise FileNotFoundError(error.errno, error.strerror, path) from None
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode) or found.st_uid != owner:
        os.close(descriptor)
        raise FileNotFoundError(errno.ENOENT, "no journal of its user", path)
    return os.fdopen(descriptor, "rb")


def read_segment(path: str, offset: int = 0, *, owner: int | None = None) -> Iterator[Line]:
    """The lines of one segment from `offset` on. A last line without its end is left for later."""
    name = os.path.basename(path)
    with suppress(FileNotFoundError), open_segment(path, owner) as segment:
        segment.seek(offset)
        for data in _pieces(segment):
            if not data.endswith(b"\n"):
                if len(data) < MAX_LINE:
                    return
                yield Line(name, offset, data[:_SHOWN], None, offset + len(data))
                offset += len(data)
                continue
            parts = _parts(data[:-1])
            for start, part in parts:
                end = offset + (len(data) if part is parts[-1][1] else start + len(part))
                yield Line(name, offset + start, part, _record(part), end)
            offset += len(data)


def _pieces(segment: BinaryIO) -> Iterator[bytes]:
    """Lines; what is too long to be one comes in pieces, so that no file fills the memory."""
    return iter(lambda: segment.readline(MAX_LINE), b"")


def read_line(path: str, offset: int, length: int) -> Record | None:
    """One line whose place is known."""
    try:
        with open(path, "rb") as segment:
            segment.seek(offset)
            return _record(segment.read(length))
    except FileNotFoundError:
        return None


def read_records(directory: str) -> Iterator[Record]:
    """Every record that can be read, unfolded."""
    return (line.record for line in read_lines(directory) if line.record is not None)


def fold(records: Iterable[Mapping[str, object]]) -> list[Record]:
    """One record per call, oldest first.

    A call that was answered twice, after a crash, counts once, with the answer that left last; `attempts`
    tells how often it was answered. What observers said afterwards joins the outcomes.
    """
    calls: dict[object, Record] = {}
    for record in records:
        key = record.get("request") or record.get("observes") or record.get("id")
        known = calls.get(key)
        calls[key] = dict(record) if known is None else _joined(known, record)
    return [call for call in calls.values() if "observes" not in call]


def _joined(known: Record, record: Mapping[str, object]) -> Record:
    if "observes" in known:  # its call was written by another writer, and stands behind it
        return _observed(dict(record), known)
    if "observes" in record:
        return _observed(known, record)
    attempts = known.get("attempts", 1)
    assert isinstance(attempts, int)
    return {**record, "attempts": attempts + 1}


def _observed(call: Record, observation: Mapping[str, object]) -> Record:
    if "observes" in call:
        return {**call, "outcomes": [*_outcomes(call), *_outcomes(observation)]}
    return {
        **call,
        "outcomes": [*_outcomes(call), *_outcomes(observation)],
        "observed": [*_ids(call), observation.get("id")],
    }


def _outcomes(record: Mapping[str, object]) -> list[object]:
    outcomes = record.get("outcomes")
    return outcomes if isinstance(outcomes, list) else []


def _ids(record: Mapping[str, object]) -> list[object]:
    observed = record.get("observed")
    return observed if isinstance(observed, list) else []


def find(directory: str, wanted: str) -> Record | None:
    """The call with this id, or with an id that begins or ends with it, or with this request id."""
    needle = wanted.encode("ascii", "replace")
    if not needle:
        return None
    for path in reversed(segment_paths(directory)):
        for line in _lines_backwards(path):
            if needle in line and (record := _record(line)) is not None and _is_called(record, wanted):
                return _whole(directory, record)
    return None


def last(directory: str) -> Record | None:
    """The call that was answered last."""
    for path in reversed(segment_paths(directory)):
        for line in _lines_backwards(path):
            record = _record(line)
            if record is not None and "observes" not in record:
                return _whole(directory, record)
    return None


def _is_called(record: Record, wanted: str) -> bool:
    if "observes" in record:
        return False
    line_id = str(record.get("id", ""))
    return line_id.startswith(wanted) or line_id.endswith(wanted) or record.get("request") == wanted


def _whole(directory: str, record: Record) -> Record:
    """The call of this line, folded with all lines of the same request."""
    request = str(record.get("request") or "")
    if not request:
        return record
    needle = json.dumps(request).encode("ascii")
    lines = (
        found
        for path in segment_paths(directory)
        for line in read_segment(path)
        if needle in line.data and (found := line.record) is not None and found.get("request") == request
    )
    folded = fold(lines)
    return folded[0] if folded else record


def _lines_backwards(path: str) -> Iterator[bytes]:
    with suppress(FileNotFoundError), open(path, "rb") as segment:
        end = segment.seek(0, os.SEEK_END)
        rest = b""
        while end > 0:
            start = max(end - _BLOCK, 0)
            segment.seek(start)
            lines = (segment.read(end - start) + rest).split(b"\n")
            rest = lines[0] if len(lines[0]) <= MAX_LINE else b""
            for data in reversed(lines[1:]):
                yield from (part for _, part in reversed(_parts(data)))
            end = start
        yield from (part for _, part in reversed(_parts(rest)))


def _parts(data: bytes) -> list[tuple[int, bytes]]:
    """A line, or the piece of one that was cut short and the line that was written right behind it."""
    start = data.rfind(_LINE_STARTS)
    if start <= 0:
        return [(0, data)] if data else []
    return [(0, data[:start]), (start, data[start:])]


def _record(data: bytes) -> Record | None:
    try:
        record = _decode(data.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) and "id" in record else None


def _inode(path: str) -> int | None:
    try:
        return os.stat(path).st_ino
    except (FileNotFoundError, NotADirectoryError):
        return None
