"""A folder as a source gives files, and nothing that only looks like one."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from fairlead.doors.fleet.sources.folder import FolderSource
from fairlead.doors.fleet.sources.source import SourceError


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo, lambda path: os.symlink("/dev/zero", path)])
def test_what_is_no_file_is_refused_and_nothing_stays_open(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    pointer = tmp_path / "groups" / "web.json"
    pointer.parent.mkdir()
    make(pointer)
    for _ in range(3):
        with pytest.raises(SourceError, match="is no file"):
            asyncio.run(FolderSource(str(tmp_path), "web").pointer())
    assert str(pointer) not in _open_files()


def _open_files() -> list[str]:
    """Of this process, where the system tells."""
    found = []
    for descriptor in Path("/proc/self/fd").glob("*"):
        with suppress(OSError):  # the one that this looks through
            found.append(os.readlink(descriptor))
    return found
