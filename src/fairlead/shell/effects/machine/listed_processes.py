"""Whose processes a command or a file lists: those of a service, or everybody's."""

from __future__ import annotations

from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import program_name
from fairlead.shell.unknown import Stage, Unknown

_SERVICES = ("sshd", "systemd", "init", "dockerd", "Xorg", "cron")
_KEPT = ("/run/", "/var/run/")
"""Where services keep the numbers of their processes."""
_PICKING = ("-p", "-C", "--ppid", "--pid", "-q", "--quick-pid")
_BY_USER = lazy(r"(?:-u|-U|--euid)=?(.*)")


def is_service(part: Unknown) -> bool:
    """`$(cat /run/x.pid)`, `$(pidof sshd)`."""
    return part.name.startswith(_KEPT) or any(map(_names_service, part.stages))


def _names_service(stage: Stage) -> bool:
    program, *words = stage
    if program_name(program) == "pidof":
        return any(word.startswith(_SERVICES) for word in words)
    return program_name(program) == "cat" and any(word.startswith(_KEPT) for word in words)


def is_everyone(part: Unknown) -> bool:
    """`$(ps -eo pid)`, `$(pgrep -u me)`: what is printed as it is, with nothing that picks some."""
    shows_all = _READERS.get(program_name(part.program))
    return shows_all is not None and shows_all(list(part.stages[-1][1:]))


def _shown_by_ps(words: list[str]) -> bool:
    return not any(word.startswith(_PICKING) for word in words)


def _shown_by_pgrep(words: list[str]) -> bool:
    if words and _BY_USER.fullmatch(words[0]):
        return len(words) == (1 if words[0] not in ("-u", "-U", "--euid") else 2)
    return [word for word in words if word != "-f"] in (["."], [".*"])


def _shown_by_lsof(words: list[str]) -> bool:
    listed = [word for word in words[1:] if word != "+D"]
    return words[:1] == ["-t"] and len(listed) == 1 and listed[0] in _WHOLE_TREES


_WHOLE_TREES = frozenset(("/", "/usr", "/home", "/var", "/etc"))


_READERS = {"ps": _shown_by_ps, "pgrep": _shown_by_pgrep, "lsof": _shown_by_lsof}
