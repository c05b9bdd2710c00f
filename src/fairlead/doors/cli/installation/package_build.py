"""A name for the code of one copy of this package: two copies of the same name behave alike."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator

import fairlead

PACKAGE = os.path.dirname(os.path.abspath(fairlead.__file__))


def build_of(package: str = PACKAGE) -> str:
    """The version, and a mark of every file; empty when there is no such package."""
    digest = hashlib.sha256()
    count = 0
    for path in package_files(package):
        with open(path, "rb") as file:
            content = file.read()
        digest.update(f"{os.path.relpath(path, package)}\0{len(content)}\0".encode() + content)
        count += 1
    return f"{fairlead.__version__}-{digest.hexdigest()[:12]}" if count else ""


def package_files(package: str) -> Iterator[str]:
    """Without what Python makes of them."""
    for folder, inner, files in os.walk(package):
        inner[:] = sorted(name for name in inner if name != "__pycache__")
        yield from (os.path.join(folder, name) for name in sorted(files))
