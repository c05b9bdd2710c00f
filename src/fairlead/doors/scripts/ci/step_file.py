"""A file through which a step speaks to the runner that started it."""

from __future__ import annotations

import fcntl
import os

from fairlead.errors import FairleadError


class StepFile:
    """Opened before any hook runs: what is written to it in the meantime is not ours."""

    def __init__(self, path: str) -> None:
        self.path = path
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK
        try:
            self._descriptor = os.open(path, flags, 0o600)
            fcntl.flock(
                self._descriptor, fcntl.LOCK_EX
            )  # another step that runs hooks writes before or after us
        except OSError as error:
            raise FairleadError(f"{path} cannot be written: {error.strerror}") from error
        self._state = os.fstat(self._descriptor)

    def was_replaced(self) -> bool:
        try:
            return not os.path.samestat(self._state, os.stat(self.path))
        except OSError:
            return True

    def restore(self) -> bool:
        """Takes out what others have written since; whether they did."""
        size = os.fstat(self._descriptor).st_size
        if size == self._state.st_size:
            return False
        os.truncate(self._descriptor, self._state.st_size)
        return True

    def append(self, text: str) -> None:
        data = text.encode("utf-8", "surrogateescape")
        try:
            while data:
                data = data[os.write(self._descriptor, data) :]
        except OSError as error:
            raise FairleadError(f"{self.path} cannot be written: {error.strerror}") from error
