"""A name for the code of one copy of this package: two copies of the same name behave alike."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator

import fairlead

_VERSION = re.compile(r'^__version__ = "(.+)"$', re.M)
_UNKNOWN = "unknown"
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
    return f"{_version_of(package)}-{digest.hexdigest()[:12]}" if count else ""


def _version_of(package: str) -> str:
    """As another copy says it in its text: it is not imported."""
    if package == PACKAGE:
        return fairlead.__version__
    try:
        with open(os.path.join(package, "__init__.py"), encoding="utf-8") as file:
            said = _VERSION.search(file.read())
    except OSError:
        return _UNKNOWN
    return said[1] if said else _UNKNOWN


def package_files(package: str) -> Iterator[str]:
    """Without what Python makes of them."""
    for folder, inner, files in os.walk(package):
        inner[:] = sorted(name for name in inner if name != "__pycache__")
        yield from (os.path.join(folder, name) for name in sorted(files))
