"""A machine on which nothing changes: one user, one project, a clock that stands, and no other file.

The guard looks at the disk through `os`, `io` and `glob`, wherever its modules lie. In a still machine they
find a prepared folder where the home of the corpus would be, and nothing else. Python's own imports do not go
that way. What the guard remembers of such a machine holds nowhere else, so that only a process that does
nothing else becomes one, and it stays one until its end.
"""

from __future__ import annotations

import builtins
import errno
import glob
import io
import os
import pwd
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.guard.lines import HOME, PROJECT
from benchmarks.guard.project import fill_project

UID = 1000
_ALWAYS = ("/", "/home")
_BY_PATH = ("stat", "lstat", "open", "scandir", "listdir", "readlink", "access")


@contextmanager
def prepared_disk() -> Iterator[str]:
    """A folder that holds the project of the corpus."""
    with tempfile.TemporaryDirectory(prefix="guard-golden-") as top:
        fill_project(Path(f"{top}{PROJECT}"))
        yield top


def become_still(top: str) -> None:
    """Turns this process into the machine whose disk is in the folder, before the guard is imported."""
    home = f"{top}{HOME}"
    user = pwd.struct_passwd(("user", "x", UID, UID, "", HOME, "/bin/bash"))
    os.environ.clear()
    os.environ.update({"HOME": HOME, "LANG": "C.UTF-8"})
    for module, name, value in (
        (pwd, "getpwuid", lambda _: user),
        (os, "getuid", lambda: UID),
        (time, "monotonic", lambda: 0.0),
        (glob, "iglob", _nothing),
        *((os, name, _moved(getattr(os, name), home)) for name in _BY_PATH),
        (io, "open", _moved(io.open, home)),
        (builtins, "open", _moved(builtins.open, home)),
    ):
        setattr(module, name, value)


def _moved(function: Callable[..., Any], home: str) -> Callable[..., Any]:
    """The function, for paths of this world alone."""

    def moved(path: Any = ".", *rest: Any, **named: Any) -> Any:
        if isinstance(path, int):
            return function(path, *rest, **named)
        return function(path_on_disk(os.fspath(path), home), *rest, **named)

    return moved


def path_on_disk(path: str | bytes, home: str) -> str:
    """Where the file really lies; only the home of the corpus has any."""
    text = os.fsdecode(path)
    if text in _ALWAYS:
        return text
    if text == HOME or text.startswith(HOME + "/"):
        return home + text[len(HOME) :]
    raise FileNotFoundError(errno.ENOENT, "nothing but the project is in this world", text)


def _nothing(*_: object, **__: object) -> Iterator[str]:
    return iter(())
