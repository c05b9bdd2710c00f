"""Bytes as they arrive, cut into lines."""

from __future__ import annotations

import re

LONGEST = 64 << 20
"""Bytes of a line; of a longer one, only its ends are kept."""
_END = 4096

_ID = rb'"id"\s*:\s*(-?\d{1,16}|"[^"\\]{0,200}")\s*'
_ID_FIRST = re.compile(rb'\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?' + _ID + rb",")
_ID_LAST = re.compile(rb",\s*" + _ID + rb"\}\s*\Z")


class TooLong:
    """What is left of a line that nobody can judge."""

    def __init__(self, head: bytes, tail: bytes, size: int) -> None:
        self.size = size
        found = _ID_FIRST.match(head) or _ID_LAST.search(tail)
        self.id = _id(found[1]) if found else None


def _id(text: bytes) -> str | int:
    return text[1:-1].decode("utf-8", "replace") if text.startswith(b'"') else int(text)


class Lines:
    """Of one side. A line keeps its end."""

    def __init__(self, longest: int = LONGEST) -> None:
        self._longest = longest
        self._parts: list[bytes] = []
        self._size = 0

    def feed(self, chunk: bytes) -> list[bytes | TooLong]:
        end = chunk.find(b"\n")
        if end == len(chunk) - 1 and end >= 0 and not self._parts:
            return [chunk]
        if end < 0:
            self._keep(chunk)
            return []
        lines = chunk.split(b"\n")
        rest = lines.pop()
        self._keep(lines[0])
        whole = [self._taken(), *(line + b"\n" for line in lines[1:])]
        if rest:
            self._keep(rest)
        return whole

    def end(self) -> list[bytes | TooLong]:
        """What came without an end before nothing came any more."""
        return [self._taken()] if self._parts else []

    def _keep(self, part: bytes) -> None:
        self._size += len(part)
        self._parts.append(part)
        if self._size > self._longest:
            whole = b"".join(self._parts)
            self._parts = [whole[:_END], whole[-_END:]]

    def _taken(self) -> bytes | TooLong:
        parts, size = self._parts, self._size
        self._parts, self._size = [], 0
        if size > self._longest:
            return TooLong(parts[0], b"".join(parts[1:])[-_END:], size)
        parts.append(b"\n")
        return b"".join(parts)
