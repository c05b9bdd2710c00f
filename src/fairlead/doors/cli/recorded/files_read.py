"""The files that a recorded call would have run, as `explain` shows them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from fairlead.model.digest import sha256_hex
from fairlead.packs.project_files.ordinary_files import read_ordinary
from fairlead.shell.bounds import MAX_FILE

_WHY = {
    "too-big": "too big",
    "too-many": "one of too many",
    "binary": "no text",
    "unreadable": "not readable",
}


def file_lines(metrics: Mapping[str, Any], root: str) -> Iterator[str]:
    """Each file that was read, by its digest, with a word where it is another one now; then those unread."""
    for file in _mappings(metrics.get("files")):
        changed = _changed(os.path.join(root, str(file.get("path"))), str(file.get("sha256")))
        yield f"read {file.get('path')} ({file.get('owner')}, sha256 {file.get('sha256')}…){changed}"
    for file in _mappings(metrics.get("unread")):
        yield f"did not read {file.get('path')}: {_WHY.get(str(file.get('why')), file.get('why'))}"
    if metrics.get("more_files"):
        yield f"and {metrics['more_files']} more files"


def _changed(path: str, digest: str) -> str:
    content = read_ordinary(os.path.realpath(path), MAX_FILE)
    if content is None:
        return "; it is gone by now" if not os.path.lexists(path) else ""
    return "" if sha256_hex(content.data).startswith(digest) else "; it has changed since"


def _mappings(value: object) -> list[Mapping[str, Any]]:
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []
