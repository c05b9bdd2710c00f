"""Checks the chain: what was changed, removed or moved since it was written, as far as the lines can tell."""

from __future__ import annotations

import hashlib
import os
from collections import deque
from collections.abc import Iterator

from fairlead.journal.line import Record
from fairlead.journal.reader import Line, read_segment, segment_paths
from fairlead.journal.rotation import segment_number
from fairlead.model.value import Value

_WINDOW = 200_000
"""How many lines may be written between a writer's look at the last line and its own first line."""


class Finding(Value):
    """`kind` is one of changed, missing, reordered, removed, torn, gap; the last two are no tampering."""

    kind: str
    segment: str
    offset: int
    message: str

    @property
    def is_tampering(self) -> bool:
        return self.kind not in ("torn", "gap")


class Chain:
    """Follows every writer's chain through the lines, in the order of the journal."""

    def __init__(self, *, oldest: str, begins_late: bool) -> None:
        self.lines = 0
        self._oldest = oldest
        self._begins_late = begins_late
        self._writers: dict[str, tuple[int, bytes, str, int]] = {}
        self._recent: deque[bytes] = deque(maxlen=_WINDOW)
        self._known: set[bytes] = set()
        self._unseen: dict[bytes, Finding] = {}

    def follow(self, line: Line) -> Iterator[Finding]:
        digest = hashlib.sha256(line.data).digest()
        self._remember(digest)
        if line.record is None:
            yield Finding("torn", line.segment, line.offset, "a line was cut short")
            return
        self.lines += 1
        yield from self._place(line, line.record)
        yield from self._link(line, line.record)
        writer, sequence = str(line.record.get("writer")), _number(line.record.get("seq"))
        self._writers[writer] = (sequence, digest, line.segment, line.offset)

    def _remember(self, digest: bytes) -> None:
        if len(self._recent) == _WINDOW:
            self._known.discard(self._recent[0])
        self._recent.append(digest)
        self._known.add(digest)
        self._unseen.pop(digest, None)

    def _place(self, line: Line, record: Record) -> Iterator[Finding]:
        before = _number(record.get("at")) - line.offset
        if before > 0:
            message = f"{before} bytes before this line were removed"
            yield Finding("removed", line.segment, line.offset, message)

    def _link(self, line: Line, record: Record) -> Iterator[Finding]:
        writer, sequence = str(record.get("writer")), _number(record.get("seq"))
        lost = record.get("lost")
        gap = _number(lost.get("lines")) if isinstance(lost, dict) else 0
        if gap and isinstance(lost, dict):
            message = f"writer {writer} could not write {gap} lines: {lost.get('why')}"
            yield Finding("gap", line.segment, line.offset, message)
        self._neighbour(line, _digest(record.get("after")))
        known = self._writers.get(writer)
        if known is not None:
            yield from self._next(line, sequence - gap, _digest(record.get("prev")), known)
        elif sequence - gap > 1 and not self._begins_late:
            message = f"{sequence - gap - 1} earlier lines of its writer are missing"
            yield Finding("missing", line.segment, line.offset, message)

    def _neighbour(self, line: Line, after: bytes) -> None:
        """A line that came late to a renamed segment may name one that stands in a later segment."""
        if after and after not in self._known and not (self._begins_late and line.segment == self._oldest):
            message = "the line that this one was written after was changed or removed"
            self._unseen[after] = Finding("changed", line.segment, line.offset, message)

    def end(self) -> Iterator[Finding]:
        """What can be said only when every line has been read."""
        yield from self._unseen.values()

    def _next(
        self, line: Line, sequence: int, previous: bytes, known: tuple[int, bytes, str, int]
    ) -> Iterator[Finding]:
        last, digest, segment, offset = known
        if sequence <= last:
            message = f"number {sequence} of its writer stands after number {last}"
            yield Finding("reordered", line.segment, line.offset, message)
        elif sequence > last + 1:
            message = f"{sequence - last - 1} lines of its writer before this one are missing"
            yield Finding("missing", line.segment, line.offset, message)
        elif previous != digest:
            yield Finding("changed", segment, offset, "the line was changed after it was written")


def verify(directory: str) -> Iterator[Finding | Chain]:
    """Everything that is wrong, and at last the chain itself, with the number of lines that it read."""
    paths = segment_paths(directory)
    numbers = [number for path in paths if (number := segment_number(os.path.basename(path))) is not None]
    oldest = os.path.basename(paths[0]) if paths else ""
    chain = Chain(oldest=oldest, begins_late=bool(numbers) and numbers[0] > 1)
    expected = numbers[0] if numbers else 0
    for path in paths:
        name = os.path.basename(path)
        number = segment_number(name)
        if number is not None and number != expected:
            yield Finding("missing", name, 0, f"{number - expected} segments before this one are missing")
        expected = (number or 0) + 1
        for line in read_segment(path):
            yield from chain.follow(line)
    yield from chain.end()
    yield chain


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _digest(value: object) -> bytes:
    try:
        return bytes.fromhex(value) if isinstance(value, str) else b""
    except ValueError:
        return b"?"
