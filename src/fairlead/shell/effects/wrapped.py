"""What a wrapper does besides running the command inside it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.script import Command
from fairlead.shell.tables import names
from fairlead.shell.targets import Surroundings, resolve

_ROOT = names("sudo doas pkexec su run0")
_SHELLS = names("bash sh zsh dash ksh fish")
_CONSOLES = names("tmux screen python python3 perl ruby node irb lua")
"""Without a script they wait for what is typed."""
_SHELL_OPTIONS = names("-i -l -il -li --login --interactive")
_DUMPS = names("env printenv set export")


def _loaded_files(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`docker run --env-file .env app env`: what a wrapper loads is shown."""
    outside = command.replace(wrappers=(), cwd=command.cwd or where.root)
    for word in (word for wrapper in command.wrappers for word in wrapper.argv[1:]):
        path = word.text.rpartition("=")[2]
        if path and not path.startswith("-"):
            yield Effect(Action.READ, "loaded", command, resolve(word.replace(text=path), outside, where))


def wrapped(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`sudo bash` is a root shell; plain `sudo` is named for the strict level."""
    for wrapper in command.wrappers:
        if wrapper.name == "nsenter" and any(re.match(r"^(?:-t|--target=)?1$", w.text) for w in wrapper.argv):
            yield Effect(Action.GAIN_PRIVILEGE, "escape", command, what="nsenter into process 1")
    if command.name in _DUMPS and all(word.text.startswith("-") for word in command.argv[1:]):
        yield from _loaded_files(command, where)
    if not any(wrapper.name in _ROOT for wrapper in command.wrappers):
        return
    bare = all(word.text in _SHELL_OPTIONS for word in command.argv[1:])
    alone = (command.name in _SHELLS and bare) or (command.name in _CONSOLES and len(command.argv) == 1)
    alone = alone and command.stdin.kind == "inherit"
    name = "root-shell" if alone else "sudo"
    outer = " ".join(word.text for wrapper in command.wrappers for word in wrapper.argv)
    yield Effect(Action.GAIN_PRIVILEGE, name, command, what=f"{outer} {command.name}")
