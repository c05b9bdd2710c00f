"""Writes to a pipe, a socket or a file without ever waiting for who reads."""

from __future__ import annotations

import os
import socket
import stat
from collections import deque

from fairlead.platforms import here


class Outlet:
    """`descriptor` is what `poll` is to watch while `waiting` is not 0."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.waiting = 0
        self.broken = False
        self._left: deque[memoryview] = deque()
        self._socket: socket.socket | None = None

    @classmethod
    def of_standard(cls, descriptor: int) -> Outlet:
        """Of a stream that was inherited, and whose flags are shared with whoever else has it."""
        mode = os.fstat(descriptor).st_mode
        outlet = cls(descriptor)
        if stat.S_ISSOCK(mode):
            outlet._socket = socket.socket(fileno=os.dup(descriptor))
        elif stat.S_ISFIFO(mode) or stat.S_ISCHR(mode):
            try:
                flags = os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
                outlet.descriptor = here.opened_anew(descriptor, flags)
            except OSError:
                os.set_blocking(descriptor, False)  # no such folder here, or somebody else's pipe
        return outlet

    def send(self, data: bytes) -> None:
        if self.broken:
            return
        if self._left:
            self._left.append(memoryview(data))
            self.waiting += len(data)
            return
        written = self._write(data)
        if written < len(data) and not self.broken:
            rest = memoryview(data)[written:]
            self._left.append(rest)
            self.waiting += len(rest)

    def flush(self) -> None:
        """As much as fits now."""
        while self._left and not self.broken:
            part = self._left[0]
            written = self._write(part)
            self.waiting -= written
            if written < len(part):
                self._left[0] = part[written:]
                return
            self._left.popleft()

    def close(self) -> None:
        """What waits is lost."""
        self._lose()
        if self._socket is not None:
            self._socket.close()
        else:
            os.close(self.descriptor)

    def _lose(self) -> None:
        self.broken = True
        self._left.clear()
        self.waiting = 0

    def _write(self, data: bytes | memoryview) -> int:
        try:
            if self._socket is not None:
                return self._socket.send(data, socket.MSG_DONTWAIT)
            return os.write(self.descriptor, data)
        except BlockingIOError:
            return 0
        except OSError:
            self._lose()
            return 0
