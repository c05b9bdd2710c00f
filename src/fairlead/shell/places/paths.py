"""Paths as the shell would see them, by their text alone."""

from __future__ import annotations

import os.path


def absolute(path: str, cwd: str | None) -> str | None:
    """`path` seen from `cwd`, without `.` and `..`; None when the directory is not known."""
    if path.startswith("/"):
        return normal(path)
    return None if cwd is None else normal(f"{cwd}/{path}")


def normal(path: str) -> str:
    """Without empty, `.` and `..` components; symbolic links are not followed."""
    if path[:1] == "/" and path[-1] != "/" and "//" not in path and "/." not in path:
        return path
    found = os.path.normpath(path)
    return found[1:] if found.startswith("//") else found
