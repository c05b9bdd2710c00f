"""Fairlead's own programs under other names: recognised by where a path leads, and by what is in the file."""

from __future__ import annotations

import re

from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.paths import absolute
from fairlead.shell.places.world import beginning, real_path

_SCRIPT = lazy(
    r"^\s*(?:from|import)\s+fairlead\b|\bfairlead(?:-hook)?[\"']?\s+[\"']?\$[@*]"
    r"|^\"\"\"fairlead-hook \[--home",
    re.MULTILINE,
)
"""Our own scripts, and those that hand on what they are given."""
_BINARY = b"fairlead-hook: the command in the agent's settings"
_BINARIES = (b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")
_LONGEST_BINARY = 1 << 20
_LONGEST_SCRIPT = 4096
_LONGEST_PATH = 4096


def is_own_program(path: str) -> bool:
    """Whether this file is one of our programs: the installed one, a link to it, a copy, or a script that
    hands its words on to it."""
    if not path or len(path) > _LONGEST_PATH or "\0" in path:
        return False
    real = real_path(path)
    head = beginning(real, _LONGEST_SCRIPT)
    if head[:4] in _BINARIES:
        return _BINARY in beginning(real, _LONGEST_BINARY)
    return head[:2] == b"#!" and _SCRIPT.search(head.decode("utf-8", "replace")) is not None


def is_own_command(name: str, cwd: str | None, home: str, root: str) -> bool:
    """The same of a program by its bare name, in the folders where people and projects keep programs."""
    folders = (cwd or root, f"{home}/.local/bin", f"{home}/bin", f"{root}/.venv/bin", "/usr/local/bin")
    return any(is_own_program(absolute(name, folder) or "") for folder in folders if folder)
