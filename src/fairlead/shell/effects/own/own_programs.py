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
_ENTRY_LINE = lazy(
    r"#.*|import (?:re|sys)|from fairlead\.__main__ import main|if __name__ == ['\"]__main__['\"]:"
    r"|sys\.exit\(main\(\)\)"
    r"|sys\.argv\[0\] = re\.sub\(r?(['\"])[^'\"]*\1, (?:''|\"\"), sys\.argv\[0\]\)"
    r"|(?:el)?if sys\.argv\[0\]\.endswith\(['\"][\w.-]*['\"]\):|sys\.argv\[0\] = sys\.argv\[0\]\[:-\d+\]"
    r"|sys\.argv\[0\] = sys\.argv\[0\]\.removesuffix\(['\"][\w.-]*['\"]\)|"
)
"""What installers write into the program, line by line."""
_PLAIN_START = lazy(r"#!(?:/usr/bin/env )?\S+")
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


def is_entry_script(text: str) -> bool:
    """Whether all that a script does is to start us: what its words ask for is what counts."""
    if len(text) > _LONGEST_SCRIPT or "import main" not in text:
        return False
    first, *lines = text.splitlines()
    return _PLAIN_START.fullmatch(first) is not None and all(
        _ENTRY_LINE.fullmatch(line.strip()) for line in lines
    )


def is_own_command(name: str, cwd: str | None, home: str, root: str) -> bool:
    """The same of a program by its bare name, in the folders where people and projects keep programs."""
    folders = (cwd or root, f"{home}/.local/bin", f"{home}/bin", f"{root}/.venv/bin", "/usr/local/bin")
    return any(is_own_program(absolute(name, folder) or "") for folder in folders if folder)
