"""How large each file is, and the programs in it."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path


def table(folder: Path) -> Iterator[str]:
    for path in sorted(folder.iterdir()):
        yield f"{path.stat().st_size / 1024:8.0f} KiB  {path.name}"
        if path.suffix == ".whl":
            for program, size in programs_in(path):
                yield f"{size / 1024:16.0f} KiB  {program}"


def programs_in(wheel: Path) -> Iterator[tuple[str, int]]:
    with zipfile.ZipFile(wheel) as archive:
        for entry in archive.infolist():
            if ".data/scripts/" in entry.filename:
                yield entry.filename.rpartition("/")[2], entry.file_size
