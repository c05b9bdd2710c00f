"""What a server gets of the environment: what every program needs, and what its entry lists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

BASE = (
    "HOME",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "LOGNAME",
    "PATH",
    "SHELL",
    "TERM",
    "TMPDIR",
    "TZ",
    "USER",
)
"""What the official libraries give a server, and what makes its texts and times right."""


def least(environment: Mapping[str, str], listed: Iterable[str] = ()) -> dict[str, str]:
    """The names are listed, never the values: a command line can be seen by everybody. A function of a shell
    is no value."""
    names = {*BASE, *listed}
    return {
        name: value for name, value in environment.items() if name in names and not value.startswith("() {")
    }
