"""Where a script's hooks are heard: the caller's own stdout and stderr."""

from __future__ import annotations

import sys
from typing import Any

from fairlead.model.timeline import Stream


class Console:
    """Writes bytes to whatever the caller has for its streams at that moment."""

    def write(self, stream: Stream, data: bytes) -> None:
        target: Any = sys.stdout if stream is Stream.STDOUT else sys.stderr
        binary = getattr(target, "buffer", None)
        target.flush()
        if binary is None:
            target.write(data.decode("utf-8", "replace"))
            target.flush()
            return
        binary.write(data)
        binary.flush()

    def warn(self, message: str) -> None:
        self.write(Stream.STDERR, f"fairlead: {message}\n".encode())
