"""How a worker and its owner talk: frames of JSON, each with a piece of bytes beside it."""

from __future__ import annotations

import json
import struct

_HEAD = struct.Struct(">II")
LONGEST = 64 << 20


def packed(message: object, blob: bytes = b"") -> bytes:
    text = json.dumps(message, default=str).encode()
    return _HEAD.pack(len(text), len(blob)) + text + blob


class Frames:
    """Puts frames together from the pieces in which they arrive."""

    def __init__(self) -> None:
        self._data = bytearray()

    def add(self, data: bytes) -> None:
        self._data += data

    def next(self) -> tuple[dict[str, object], bytes] | None:
        """The next whole frame, if it is here. Raises ValueError for what is none."""
        if len(self._data) < _HEAD.size:
            return None
        text, blob = _HEAD.unpack_from(self._data)
        if text + blob > LONGEST:
            raise ValueError(f"a message of {text + blob} bytes is too long")
        end = _HEAD.size + text + blob
        if len(self._data) < end:
            return None
        message = json.loads(bytes(self._data[_HEAD.size : _HEAD.size + text]))
        piece = bytes(self._data[_HEAD.size + text : end])
        del self._data[:end]
        if not isinstance(message, dict):
            raise ValueError("a message has to be an object")
        return message, piece
