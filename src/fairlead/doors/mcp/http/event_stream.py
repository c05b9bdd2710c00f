"""Streams of events (`text/event-stream`), cut as they arrive."""

from __future__ import annotations

import re

from fairlead.doors.mcp.protocol.lines import LONGEST
from fairlead.model.value import Value

_END = re.compile(rb"\r\n|\r|\n")
_BOM = b"\xef\xbb\xbf"


class StreamEvent(Value):
    """`fields` are those besides the data, as they came and in their order."""

    data: bytes
    fields: tuple[tuple[bytes, bytes], ...] = ()

    @property
    def name(self) -> bytes:
        return self._last(b"event") or b"message"

    @property
    def id(self) -> bytes | None:
        found = self._last(b"id")
        return None if found is None or b"\0" in found else found

    @property
    def retry(self) -> float | None:
        """Seconds."""
        found = self._last(b"retry")
        return int(found) / 1000 if found and found.isdigit() and len(found) < 10 else None

    @property
    def line(self) -> bytes:
        """The message in it. Between the members of an object a line end is a blank."""
        return self.data.replace(b"\n", b" ") + b"\n"

    def _last(self, name: bytes) -> bytes | None:
        return next((value for field, value in reversed(self.fields) if field == name), None)


class Comment(Value):
    """Such as those that keep a connection open."""

    text: bytes


class EventTooLongError(Exception):
    """Nobody can judge it, and it must not fill the memory."""


class EventReader:
    def __init__(self, longest: int = LONGEST) -> None:
        self._longest = longest
        self._parts: list[bytes] = []
        self._size = 0
        self._data: list[bytes] = []
        self._fields: list[tuple[bytes, bytes]] = []
        self._begun = self._after_return = False

    def feed(self, chunk: bytes) -> list[StreamEvent | Comment]:
        """Raises EventTooLongError. An event that has no end when nothing comes any more is none."""
        if self._after_return and chunk:
            chunk = chunk.removeprefix(b"\n")
            self._after_return = False
        if not chunk:
            return []
        self._after_return = chunk.endswith(b"\r")
        found: list[StreamEvent | Comment] = []
        *whole, rest = _END.split(chunk)
        for piece in whole:
            self._keep(piece)
            self._take(found)
        self._keep(rest)
        return found

    def _keep(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size > self._longest:
            raise EventTooLongError(f"more than {self._longest} bytes")
        if piece:
            self._parts.append(piece)

    def _take(self, found: list[StreamEvent | Comment]) -> None:
        line, self._parts = b"".join(self._parts), []
        if not self._begun:
            line = line.removeprefix(_BOM)
            self._begun = True
        if not line:
            if self._data or self._fields:
                found.append(StreamEvent(b"\n".join(self._data), tuple(self._fields)))
            self._data, self._fields, self._size = [], [], 0
            return
        name, colon, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if colon and not name:
            found.append(Comment(value))
            self._size -= len(line)
        elif name == b"data":
            self._data.append(value)
        else:
            self._fields.append((name, value))


def written(event: StreamEvent, line: bytes) -> bytes:
    """The event with another message in it."""
    fields = b"".join(name + b": " + value + b"\n" for name, value in event.fields)
    return fields + b"data: " + line.rstrip(b"\r\n") + b"\n\n"


def written_comment(comment: Comment) -> bytes:
    return b": " + comment.text + b"\n\n"
