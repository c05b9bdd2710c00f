"""Where a script's hooks are heard: the caller's own stdout and stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from fairlead.doors.scripts.implementations import Implementation
from fairlead.doors.scripts.running import Ran
from fairlead.model.timeline import Stream


class Console:
    """Writes bytes to whatever the caller has for its streams at that moment."""

    def __init__(self) -> None:
        self.warnings: list[str] = []
        self.lost: set[Stream] = set()
        """Streams that could not be written."""

    def begin(self, implementation: Implementation) -> None:
        """Told before an implementation runs."""

    def end(self, ran: Ran | None) -> None:
        """Told when it has run and its output was read; without `ran` if that was interrupted."""

    def know(self, variables: Mapping[str, str]) -> None:
        """Told what contracts have set, before anything could show it."""

    def hide(self, lines: bytes) -> None:
        """Told of contract lines that are not shown."""

    def write(self, stream: Stream, data: bytes) -> None:
        """A hook goes on when nobody can read it any more: that is said, and `lost`."""
        target: Any = sys.stdout if stream is Stream.STDOUT else sys.stderr
        if target is None or stream in self.lost or not data:
            return
        try:
            _put(target, data)
        except OSError as error:
            self.lost.add(stream)
            _throw_away(target)
            self.warn(f"{stream.name.lower()} cannot be written ({error.strerror}): what hooks print is lost")

    def warn(self, message: str) -> None:
        self.warnings.append(message)
        self.show_warning(message)

    def show_warning(self, message: str) -> None:
        self.write(Stream.STDERR, f"fairlead: {message}\n".encode("utf-8", "backslashreplace"))


def _put(target: Any, data: bytes) -> None:
    binary = getattr(target, "buffer", None)
    target.flush()
    if binary is None:
        target.write(data.decode("utf-8", "replace"))
        target.flush()
        return
    binary.write(data)
    binary.flush()


def _throw_away(target: Any) -> None:
    """What is left in the stream goes nowhere, or the interpreter would fail over it at its end."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, target.fileno())
        os.close(nowhere)
