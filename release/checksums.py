"""The sums of all files of a release, as `sha256sum --check` reads them."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

NAME = "SHA256SUMS"


def checksums_text(folder: Path) -> str:
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name != NAME)
    return "".join(f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)
