"""Whose processes a command or a file lists: those of a service, or everybody's."""

from __future__ import annotations

from fairlead.shell.effects.words.picking_stages import picks_few
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import program_name
from fairlead.shell.unknown import Stage, Unknown
from fairlead.shell.word_sets import names

_SERVICES = ("sshd", "systemd", "init", "dockerd", "Xorg", "cron")
_KEPT = ("/run/", "/var/run/")
"""Where services keep the numbers of their processes."""
_PRINTING = names("cat head tail sed awk grep cut tr tac sort uniq xargs")
_PICKING = lazy(r"-[pCtq]|--(?:ppid|pid|tty|quick-pid)\b")
_BY_USER = lazy(r"(?:-u|-U|--euid)=?(.*)")


def is_service(part: Unknown) -> bool:
    """`$(cat /run/x.pid)`, `$(pidof sshd)`."""
    return part.name.startswith(_KEPT) or any(map(_names_service, part.stages))


def _names_service(stage: Stage) -> bool:
    program, *words = stage
    if program_name(program) == "pidof":
        return any(word.startswith(_SERVICES) for word in words)
    return program_name(program) in _PRINTING and any(word.startswith(_KEPT) for word in words)


def is_everyone(part: Unknown) -> bool:
    """`$(ps -eo pid)`, `$(pgrep -u me)`: what is printed, with nothing behind it that picks some."""
    listed = [index for index, stage in enumerate(part.stages) if _lists_everyone(stage)]
    return bool(listed) and not any(map(picks_few, part.stages[listed[-1] + 1 :]))


def _lists_everyone(stage: Stage) -> bool:
    program, *words = stage
    shows_all = _READERS.get(program_name(program))
    return shows_all is not None and shows_all(words)


def picks_processes(stage: Stage) -> bool:
    """Whether a command of the pipe keeps some of the processes."""
    return picks_few(stage) or (program_name(stage[0]) == "ps" and any(map(_PICKING.match, stage[1:])))


def _shown_by_ps(words: list[str]) -> bool:
    return not any(map(_PICKING.match, words))


def _shown_by_pgrep(words: list[str]) -> bool:
    if words and _BY_USER.fullmatch(words[0]):
        return len(words) == (1 if words[0] not in ("-u", "-U", "--euid") else 2)
    return [word for word in words if word != "-f"] in (["."], [".*"])


def _shown_by_lsof(words: list[str]) -> bool:
    listed = [word for word in words[1:] if word != "+D"]
    return words[:1] == ["-t"] and len(listed) == 1 and listed[0] in _WHOLE_TREES


_WHOLE_TREES = frozenset(("/", "/usr", "/home", "/var", "/etc"))


_READERS = {"ps": _shown_by_ps, "pgrep": _shown_by_pgrep, "lsof": _shown_by_lsof}
