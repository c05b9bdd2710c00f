"""How much is saved of one call, of one project and on one machine."""

from __future__ import annotations

from time import monotonic

from fairlead.model.value import Value

_MEGABYTE = 1024 * 1024


class NotSavedError(Exception):
    """What stands in the way of a save, in words for a person."""


class Limits(Value):
    """The work of a person is small; a folder of thousands of files is a tool's, or a data set."""

    call_bytes: int = 64 * _MEGABYTE
    call_files: int = 2_000
    """Whose content is copied."""
    call_entries: int = 20_000
    """With folders, links and files that git has already."""
    project_bytes: int = 1024 * _MEGABYTE
    machine_bytes: int = 2048 * _MEGABYTE
    machine_saves: int = 2_000
    spare_bytes: int = 32 * _MEGABYTE
    """What is left free on the disk."""
    seconds: float = 4.0


FOR_A_PERSON = Limits(
    call_bytes=2048 * _MEGABYTE, call_files=200_000, call_entries=400_000, seconds=600.0, spare_bytes=0
)
"""What a person asked for themselves may take its time: what an undo replaces, a snapshot."""


class Allowance:
    """What is left of the limits while one call is saved."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._until = monotonic() + limits.seconds
        self.size = 0
        self.files = 0
        self.entries = 0

    def take_entry(self) -> None:
        self.entries += 1
        if self.entries > self._limits.call_entries:
            raise NotSavedError(f"more than {self._limits.call_entries:,} files and folders")
        self.check_time()

    def take_file(self, size: int) -> None:
        """One file more, of this size, whose content will be copied."""
        self.files += 1
        if self.files > self._limits.call_files:
            raise NotSavedError(f"more than {self._limits.call_files:,} files")
        self._check_size(self.size + size)

    def take_bytes(self, size: int) -> None:
        self.size += size
        self._check_size(self.size)
        self.check_time()

    def _check_size(self, size: int) -> None:
        if size > self._limits.call_bytes:
            raise NotSavedError(f"more than {self._limits.call_bytes // _MEGABYTE:,} MB")

    def check_time(self) -> None:
        if monotonic() > self._until:
            raise NotSavedError("it takes too long")
