"""A file through which a step speaks to the runner that started it."""

from __future__ import annotations

import os
import stat

from fairlead.errors import FairleadError
from fairlead.platforms import here


class StepFile:
    """Opened before any hook runs: what is written to it in the meantime is not ours."""

    def __init__(self, path: str) -> None:
        self.path = path
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK
        try:
            self._descriptor = os.open(path, flags, 0o600)
            here.lock(self._descriptor)  # another step that runs hooks writes before or after us
        except OSError as error:
            raise FairleadError(f"{path} cannot be written: {error.strerror}") from error
        self._state = os.fstat(self._descriptor)
        if stat.S_ISFIFO(self._state.st_mode):
            raise FairleadError(f"{path} cannot be written: it is a pipe, and who reads it is unknown")
        self._text = self._read()

    def was_replaced(self) -> bool:
        try:
            return not os.path.samestat(self._state, os.stat(self.path))
        except OSError:
            return True

    def restore(self) -> bool:
        """Takes out what others have written since; whether they did."""
        if self._read() == self._text:
            return False
        os.truncate(self._descriptor, 0)
        self.append(self._text)
        return True

    def _read(self) -> bytes:
        """All of it; nothing of what is no file, such as a terminal."""
        if not stat.S_ISREG(self._state.st_mode):
            return b""
        return os.pread(self._descriptor, os.fstat(self._descriptor).st_size, 0)

    def append(self, text: str | bytes) -> None:
        data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
        try:
            while data:
                data = data[os.write(self._descriptor, data) :]
        except OSError as error:
            raise FairleadError(f"{self.path} cannot be written: {error.strerror}") from error
