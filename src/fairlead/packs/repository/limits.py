"""What one judgement may spend on looking at a repository, and what is said when that is not enough."""

from __future__ import annotations

from time import monotonic

_SECONDS = 1.0
_STEPS = 2_000_000
_BYTES = 512 * 1024 * 1024
_STEPS_BETWEEN_CLOCKS = 256


class CannotTell(Exception):  # noqa: N818 - an answer, not a fault
    """The repository is in a state that this code does not understand, or not within its bounds."""


class Budget:
    """Steps, bytes and time that are left; shared by all questions of one judgement."""

    def __init__(self, *, seconds: float = _SECONDS, steps: int = _STEPS, size: int = _BYTES) -> None:
        self._until = monotonic() + seconds
        self._steps = steps
        self._bytes = size

    def step(self) -> None:
        """One file, entry or pattern more."""
        self._steps -= 1
        if self._steps < 0:
            raise CannotTell("too many files")
        if not self._steps % _STEPS_BETWEEN_CLOCKS:
            self.check_time()

    def spend(self, size: int) -> None:
        """So many bytes more will be read."""
        self._bytes -= size
        if self._bytes < 0:
            raise CannotTell("too much to read")
        self.check_time()

    def check_time(self) -> None:
        if monotonic() > self._until:
            raise CannotTell("too slow")
