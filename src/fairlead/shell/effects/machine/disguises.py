"""Programs that are made to look like something else, or to be overlooked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairlead.shell.arguments import read_arguments
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command, Script
from fairlead.shell.word_sets import names

OVERLOOKED = ("/tmp/", "/var/tmp/", "/dev/shm/", "/private/tmp/", "/Users/Shared/")  # noqa: S108
"""Folders in which anyone may leave a program."""
_HIDDEN = lazy(
    r"^(?:/private)?/(?:(?:var/)?tmp|Users/Shared)/\.(?!venv|tox|nox|bin/|cargo|local|pyenv|mount_|cache|nvm|bun|deno|git/|npm)"
    r"|^/dev/shm/|/\.\.\.+/|/\.{1,2}\s+/|/\[\w+(?:/\d+)?\]$"
)
_SHELL = lazy(r"^(?:/usr(?:/local)?)?/s?bin/(?:(?:ba|z|da|k|a|c|tc|fi)?sh|busybox)$")
_INTERPRETER = lazy(r"^(?:/usr(?:/local)?)?/s?bin/(?:python[\d.]*|perl|ruby|php)$")
_USUAL_NAME = lazy(
    r"(?:^|/)(?:(?:ba|z|da|k|a|c|tc|fi)?sh|busybox|env|python[\d.]*|perl|ruby|node|s?bin|\.|\.\.)?/?$"
)
COPYING = names("cp ln install ditto mv")
CLIPBOARDS = names("pbpaste xclip xsel wl-paste")
DELETING = names("rm shred unlink srm")
DISGUISING = COPYING | CLIPBOARDS | DELETING
_IN_LOOP = lazy(
    r"(?s)\b(?:while|until)\b.{1,200}?\bdo\b.{0,400}?\b(?:pbpaste|xclip|xsel|wl-paste)\b.{0,400}?\bdone\b|\bwatch\s.{0,80}\b(?:pbpaste|wl-paste)\b"
)


def overlooked(command: Command) -> Iterator[Effect]:
    """A program that is started from where nobody looks: `/dev/shm/x`, `/tmp/.x/y`, `/tmp/[kworker]`."""
    if _HIDDEN.search(command.argv[0].text):
        reason = "a program that lies where nobody looks"
        yield Effect(Action.RUN_UNKNOWN_CODE, "executed", command, what=shown(command), detail=reason)


def renamed_shells(commands: Sequence[Command]) -> Iterator[Effect]:
    """`cp /bin/sh /tmp/helper`: what is started by that name is a shell all the same."""
    for command in commands:
        if command.name not in COPYING:
            continue
        operands = [word.text for word in read_arguments(command.argv[1:]).operands]
        if len(operands) != 2 or _USUAL_NAME.search(operands[1]):
            continue
        if _NAMED_TO_HIDE.search(operands[1]):
            yield Effect(Action.CHANGE_SYSTEM, "hide-tracks", command, what=shown(command))
            continue
        left_about = operands[1].startswith(OVERLOOKED) and _INTERPRETER.match(operands[0])
        if left_about or _SHELL.match(operands[0]):
            yield Effect(Action.CHANGE_SYSTEM, "hide-tracks", command, what=shown(command))


def watched_clipboard(script: Script) -> Iterator[Effect]:
    """What is copied is written down again and again."""
    if _IN_LOOP.search(script.text[:65536]):
        command = next(each for each in script.commands if each.name in CLIPBOARDS)
        yield Effect(Action.READ_SECRET, "watch", command, what=shown(command))


_NAMED_TO_HIDE = lazy(
    r"/\.{3,}(?:/|$)|/[^/]*\s/?$|/\[?k(?:worker|swapd|softirqd|threadd)(?:[/:\d\]]|$)|^/(?:tmp|var/tmp|dev/shm)/\.?(?:systemd|dbus|sshd|cron|udevd)(?:-\w+)?$"
)
"""Names of parts of the system, and names that nobody sees in a listing."""
_OWN_NAME = lazy(
    r"\b(?:rm|shred|unlink|srm)(?:\s+-[\w-]+)*\s+\"?\$(?:0|\{0\}|BASH_SOURCE|\{BASH_SOURCE(?:\[0\])?\})\"?\s*(?:$|[;&|\n)'])"
)


def self_deleting(script: Script) -> Iterator[Effect]:
    """`rm -- "$0"`: a script that leaves nothing behind."""
    if _OWN_NAME.search(script.text[:65536]):
        command = next(each for each in script.commands if each.name in DELETING)
        yield Effect(Action.CHANGE_SYSTEM, "hide-tracks", command, what=shown(command))
