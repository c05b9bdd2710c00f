"""Variables that a line may set without changing what its programs do, and those that hold no secret."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from fairlead.shell.script import Command, Script
from fairlead.shell.unknown import Kind, Unknown

_OWN = re.compile(r"[a-z][a-z0-9_]*")
_NOT_OWN = re.compile(r"(?:cd|f|man|mail|module_)?path|fignore|psvar|prompt|argv|status|npm_.*|.*_proxy")
"""Some shells tie `path` to PATH; programs read the others."""
_HARMLESS = {
    **dict.fromkeys(("CI", "NO_COLOR", "FORCE_COLOR", "RUST_BACKTRACE"), re.compile(r".*", re.DOTALL)),
    **dict.fromkeys(("PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "CGO_ENABLED"), re.compile(r"[0-9]*")),
    **dict.fromkeys(("GOOS", "GOARCH", "LANG", "LC_ALL"), re.compile(r"[A-Za-z0-9_.-]*")),
    "NODE_ENV": re.compile(r"test"),
    "RUST_LOG": re.compile(r"[A-Za-z0-9_:=,-]*"),
    "TZ": re.compile(r"[A-Z][A-Za-z0-9_+-]*(?:/[A-Za-z_]+)?"),
}
"""By name, what they may be set to."""
_COUNTS = frozenset(
    (
        ("nproc",),
        ("date", "+%s"),
        *((name, flag) for name in ("wc", "/usr/bin/wc") for flag in ("-l", "-c", "-w")),
    )
)
"""Commands that print a number and no name beside it."""
_SHOWN = frozenset(
    (
        "HOME", "PATH", "PWD", "OLDPWD", "USER", "LOGNAME", "SHELL", "LANG", "TERM", "TMPDIR", "HOSTNAME", "EDITOR",
        "NODE_ENV", "VIRTUAL_ENV", "GOPATH", "GOROOT", "JAVA_HOME", "CARGO_HOME", "NVM_DIR", "PYTHONPATH", "CI",
    )
)  # fmt: skip


def strange_settings(command: Command) -> Iterator[str]:
    """Those before a command, or that are all of it, by which something else might run."""
    for name, value in command.assignments.items():
        expected = _HARMLESS.get(name)
        if expected is not None and value.known and expected.fullmatch(value.text):
            continue
        if command.argv or not is_own(name):
            yield name


def settings_elsewhere(script: Script, own: Mapping[str, object]) -> Iterator[str]:
    """What is set otherwise: by a loop, in arithmetic, by `${NAME:=…}`."""
    for name in sorted(script.assigned):
        if name not in own and not is_own(name):
            yield name


def is_number(unknown: Unknown) -> bool:
    """Whether it can be nothing else: how a command ended, or what is counted."""
    if unknown.kind in (Kind.PER_RUN, Kind.ARITHMETIC, Kind.COUNTER):
        return True
    counting = unknown.stages[-1] if unknown.kind == Kind.OUTPUT and unknown.stages else ()
    return counting in _COUNTS or counting[:3] == ("git", "rev-list", "--count")


def is_own(name: str) -> bool:
    """Whether it is one that only the line itself reads."""
    return _OWN.fullmatch(name) is not None and _NOT_OWN.fullmatch(name) is None


def holds_no_secret(unknown: Unknown) -> bool:
    return unknown.kind in (Kind.UNSET, Kind.ENVIRONMENT) and unknown.name.strip("${}") in _SHOWN
