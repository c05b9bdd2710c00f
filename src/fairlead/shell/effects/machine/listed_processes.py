"""Whose processes a command or a file lists: those of a service, or everybody's."""

from __future__ import annotations

from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import program_name
from fairlead.shell.unknown import Stage, Unknown
from fairlead.shell.word_sets import names

_SERVICES = ("sshd", "systemd", "init", "dockerd", "Xorg", "cron")
_KEPT = ("/run/", "/var/run/")
"""Where services keep the numbers of their processes."""
_PRINTING = names("cat head tail sed awk grep cut tr tac sort uniq xargs")
_PICKING = ("-p", "-C", "--ppid", "--pid", "-q", "--quick-pid")
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
    return bool(listed) and not any(map(picks, part.stages[listed[-1] + 1 :]))


def _lists_everyone(stage: Stage) -> bool:
    program, *words = stage
    shows_all = _READERS.get(program_name(program))
    return shows_all is not None and shows_all(words)


_SEARCHING = names("grep egrep fgrep rg fzf head")
_PICKING_OPTION = lazy(r"(?:-p|-C|-t|--ppid|--pid)\b")
_PICKING_PROGRAM = lazy(r"""(?:\A|~|&&|\|\|)\s*/[^/]*[A-Za-z0-9]{2}[^/]*/""")


def picks(stage: Stage) -> bool:
    """Whether a command lets only some of what it reads through."""
    name, *words = program_name(stage[0]), *stage[1:]
    if name in _SEARCHING:
        return "-v" not in words
    if name == "tail":
        return not any("+" in word for word in words)
    if name == "ps":
        return any(map(_PICKING_OPTION.match, words))
    told = next((word for word in words if not word.startswith("-")), "")
    return name in ("awk", "gawk", "mawk") and _PICKING_PROGRAM.search(told) is not None


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
