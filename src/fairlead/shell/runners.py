"""Programs with a way of their own to run commands: find, xargs, ssh, parallel."""

from __future__ import annotations

from collections.abc import Callable

from fairlead.shell.reading import Call, Frame, Reading
from fairlead.shell.remote import run_ssh
from fairlead.shell.script import Word
from fairlead.shell.searching import run_fd, run_find, run_parallel, run_xargs
from fairlead.shell.state import State
from fairlead.shell.subcommands import PROGRAMS
from fairlead.shell.values import Scalar
from fairlead.shell.wrapping import run_subcommand

Runner = Callable[[Reading, list[Word], Call, State, Frame], Scalar]

RUNNERS: dict[str, Runner] = {
    **dict.fromkeys(PROGRAMS, run_subcommand),
    "find": run_find, "gfind": run_find, "fd": run_fd, "fdfind": run_fd, "xargs": run_xargs,
    "gxargs": run_xargs, "parallel": run_parallel, "ssh": run_ssh,
    "mosh": run_ssh, "autossh": run_ssh, "rsh": run_ssh,
}  # fmt: skip
