"""New files in the folder for temporary ones: a line may put there what its commands say, and read it again.

Nothing runs them by itself, and no later line that does is approved: they are the session's own.
"""

from __future__ import annotations

import os
import re

from fairlead.sessions.memory import Memory
from fairlead.shell.script import Redirect

_PLACE = re.compile(r"/tmp/[A-Za-z0-9_][A-Za-z0-9_.+-]*")  # noqa: S108 - it is read in lines, not used
_WRITES = (">", ">>", "&>", "&>>")
_READ_BY_NOTHING = (".txt", ".log", ".out", ".err", ".patch", ".diff", ".csv")
"""Endings of files that no program takes for its settings, where it looks for these above the project."""
_STICKY = 0o1000


def writes_new_file(redirect: Redirect, memory: Memory, root: str) -> bool:
    """Whether the file is not there yet, or this session made it, and no link stands in its place."""
    return redirect.operator in _WRITES and is_sessions_own(redirect.target.text, memory, root, new=True)


def is_sessions_own(path: str, memory: Memory, root: str, *, new: bool = False) -> bool:
    if not _PLACE.fullmatch(path) or not _is_safe_folder(os.path.dirname(path)):
        return False
    if root.startswith(f"{os.path.dirname(path)}/") and not path.endswith(_READ_BY_NOTHING):
        return False
    if not os.path.lexists(path):
        return new
    ordinary = os.path.isfile(path) and not os.path.islink(path)
    return ordinary and memory.made(path) is not None and memory.fetched(path) is None


def _is_safe_folder(folder: str) -> bool:
    """Where nobody else can exchange a file."""
    try:
        return bool(os.lstat(folder).st_mode & _STICKY)
    except OSError:
        return False
