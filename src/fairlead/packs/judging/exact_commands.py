"""The one command that an objection is about, where an exception can name it and mean nothing else."""

from __future__ import annotations

import os

from fairlead.model.excuse import ExactCommand
from fairlead.shell.normal_form import command_text
from fairlead.shell.places.world import real_path
from fairlead.shell.script import Command, Script

_LONGEST = 1000
_MORE_THAN_WORDS = frozenset(
    ("self-protection", "opaque", "sessions", "network-code", "exfiltration", "secrets")
)
"""Packs that object to what the words of one command do not tell: what a page, a file, an earlier call or
another command put there. The same words may mean something else the next time."""
_SET_THE_STAGE = frozenset(
    (
        "", ".", "source", "eval", "exec", "export", "declare", "typeset", "readonly", "unset", "alias", "set",
        "shopt", "hash", "enable", "trap", "builtin", "command",
    )
)  # fmt: skip
"""Commands after which the words of another one may mean something else; one without a name only assigns."""


def exact_command_of(rule: str, command: Command, script: Script, root: str) -> ExactCommand | None:
    """None where the words do not tell all of it: unknown parts, wrappers, variables, input, another folder, a
    file. The folder is named by what it really is, so that a link in its place is another one."""
    if rule.partition("/")[0] in _MORE_THAN_WORDS or command.cwd is None or command.cwd_else:
        return None
    if command.wrappers or command.via or command.assignments or command.origin is not None:
        return None
    words = (*command.argv, *(redirect.target for redirect in command.redirects))
    if not command.argv or command.stdin.kind != "inherit":
        return None
    if [word for word in words if word.glob or word.opaque is not None]:
        return None
    if script.assigned or any(other.name in _SET_THE_STAGE for other in script.commands):
        return None
    cwd, text = _real(command.cwd), command_text(command)
    if not _within(cwd, cwd if root == command.cwd else _real(root)):
        return None
    return ExactCommand(text, cwd) if len(text) <= _LONGEST and text.isprintable() else None


def _real(folder: str) -> str:
    """With its links followed; one that is written plainly and has none is asked about in few steps."""
    plain = folder[:1] == "/" and folder[-1:] != "/" and "//" not in folder and "/." not in folder
    return real_path(folder) if plain else os.path.realpath(folder)


def _within(folder: str, root: str) -> bool:
    return folder == root or folder.startswith(root.rstrip("/") + "/")
