"""Whether a file will still be there next month: what agents call must not hang on one that goes."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator, Mapping

_CACHES = frozenset({".cache", "Caches"})
_CACHE_VARIABLES = ("XDG_CACHE_HOME", "UV_CACHE_DIR", "PIP_CACHE_DIR")
_TEMPORARY = ("/tmp", "/var/tmp", "/dev/shm")  # noqa: S108 - nothing is made there


def why_it_goes(path: str, environment: Mapping[str, str] = os.environ) -> str:
    """In words; empty when it is likely to stay."""
    real = os.path.realpath(path)
    if any(_inside(real, folder) for folder in (*_TEMPORARY, tempfile.gettempdir())):
        return "it is in a temporary folder"
    caches = [environment[name] for name in _CACHE_VARIABLES if environment.get(name)]
    if not _CACHES.isdisjoint(real.split("/")) or any(_inside(real, cache) for cache in caches):
        return "it is in a cache"
    clone = _clone_around(real)
    if clone:
        return f"it is inside the clone {clone}"
    return ""


def who_else_writes(path: str) -> str:
    """The file or folder on the way to it that everybody can write; empty when there is none."""
    for one in (os.path.realpath(path), *_folders_above(os.path.realpath(path))):
        try:
            mode = os.stat(one).st_mode
        except OSError:
            continue
        if mode & 0o002 and not (stat.S_ISDIR(mode) and mode & stat.S_ISVTX):
            return one
    return ""


def _inside(path: str, folder: str) -> bool:
    return path.startswith(f"{os.path.realpath(folder).rstrip('/')}/")


def _folders_above(path: str) -> Iterator[str]:
    while path != (above := os.path.dirname(path)):
        yield above
        path = above


def _clone_around(path: str) -> str:
    """A project's work tree. A home that is kept in git, and tools that live in a hidden clone such as
    ~/.pyenv, stay where they are."""
    home = os.path.realpath(os.path.expanduser("~"))
    for folder in _folders_above(path):
        if os.path.lexists(os.path.join(folder, ".git")):
            hidden = os.path.basename(folder).startswith(".")
            return "" if hidden or folder in (home, "/") else folder
    return ""
