"""What a wrapper does besides running the command inside it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.script import Command
from fairlead.shell.tables import names
from fairlead.shell.targets import Surroundings

_ROOT = names("sudo doas pkexec su run0")
_SHELLS = names("bash sh zsh dash ksh fish")
_CONSOLES = names("tmux screen python python3 perl ruby node irb lua")
"""Without a script they wait for what is typed."""
_SHELL_OPTIONS = names("-i -l -il -li --login --interactive")


def wrapped(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`sudo bash` is a root shell; plain `sudo` is named for the strict level."""
    for wrapper in command.wrappers:
        if wrapper.name == "nsenter" and any(re.match(r"^(?:-t|--target=)?1$", w.text) for w in wrapper.argv):
            yield Effect(Action.GAIN_PRIVILEGE, "escape", command, what="nsenter into process 1")
    if not any(wrapper.name in _ROOT for wrapper in command.wrappers):
        return
    bare = all(word.text in _SHELL_OPTIONS for word in command.argv[1:])
    alone = (command.name in _SHELLS and bare) or (command.name in _CONSOLES and len(command.argv) == 1)
    alone = alone and command.stdin.kind == "inherit"
    name = "root-shell" if alone else "sudo"
    outer = " ".join(word.text for wrapper in command.wrappers for word in wrapper.argv)
    yield Effect(Action.GAIN_PRIVILEGE, name, command, what=f"{outer} {command.name}")
