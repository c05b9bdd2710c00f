"""Whether the command line knows a call that a page shows."""

from __future__ import annotations

import re
from collections.abc import Sequence

import click

from fairlead.doors.cli.command_table import OTHER_WORDS
from fairlead.doors.cli.main import fairlead

_PLACEHOLDER = re.compile(r"[A-Z][A-Z_]*|.*(?:…|\.\.\.).*")
_OF_A_PLUGIN = "acme"
"""The command that the page about plugins adds."""


def fault_of(words: Sequence[str]) -> str:
    """What is wrong with `fairlead WORDS`: a command or an option that is not there; nothing is run."""
    if words[:1] == [_OF_A_PLUGIN] or (len(words) == 1 and words[0] in OTHER_WORDS):
        return ""  # the latter is answered with the right word, and a page may show that
    context = click.Context(fairlead, info_name="fairlead")
    command: click.Command = fairlead
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "--":
            return ""
        if word.startswith("-") and word != "-":
            fault, takes_next = _option(command, word)
            if fault:
                return f"{context.command_path}: {fault}"
            if takes_next and rest:
                rest.pop(0)
        elif isinstance(command, click.Group) and not _PLACEHOLDER.fullmatch(word):
            found = command.get_command(context, word)
            if found is None:
                return f"{context.command_path} has no command {word!r}"
            command, context = found, click.Context(found, info_name=word, parent=context)
    return ""


def _option(command: click.Command, word: str) -> tuple[str, bool]:
    """A fault, and whether the option takes the next word."""
    if word in ("--help", "-h") or command.context_settings.get("ignore_unknown_options"):
        return "", False
    name, equals, _ = word.partition("=")
    for param in command.params:
        if isinstance(param, click.Option) and name in (*param.opts, *param.secondary_opts):
            return "", not (param.is_flag or param.count or equals)
    if isinstance(command, click.Group) and command.name == "mcp":
        return _option(_serving(), word)
    return f"no option {name}", False


def _serving() -> click.Command:
    """`fairlead mcp -- SERVER` has no name of its own."""
    from fairlead.doors.cli.mcp.serve import command

    return command
