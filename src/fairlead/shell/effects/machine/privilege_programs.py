"""Accounts that are given power, and commands that open a shell with more of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.arguments import read_arguments
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import resolve
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_SHELLS = names("sh bash zsh dash ksh fish tcsh csh")
_ROOT_GROUPS = frozenset(("sudo", "wheel", "root", "admin", "docker", "adm", "lxd", "disk", "shadow"))


def _only_looks(command: Command) -> bool:
    """Help, or the defaults: `useradd -D` alone prints them."""
    texts = [word.text for word in command.argv[1:]]
    return bool({"--help", "-h", "--version"} & set(texts)) or texts in (["-D"], ["--defaults"])


def read_usermod(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    if _only_looks(command):
        return
    texts = [part for word in command.argv[1:] for part in word.text.split(",")]
    name = "join-root-group" if _ROOT_GROUPS & set(texts) else "change-account"
    yield Effect(Action.CHANGE_ACCOUNTS, name, command, what=shown(command))


def read_useradd(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """`adduser NAME sudo` joins a group; `useradd -ou 0` makes another root."""
    if _only_looks(command):
        return
    texts = {part for word in command.argv[1:] for part in word.text.split(",")}
    zero = "0" in texts and {"-u", "-ou", "-g", "--uid", "--gid"} & texts
    risky = _ROOT_GROUPS & texts or zero or {"-u0", "-ou0", "-g0", "--uid=0", "--gid=0"} & texts
    name = "join-root-group" if risky else "add-account"
    yield Effect(Action.CHANGE_ACCOUNTS, name, command, what=shown(command))


def read_sudo(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    given = read_arguments(
        command.argv[1:], valued=("-u", "-g", "-h", "-p", "-C", "-r", "-t"), until_operand=True
    )
    fed = given.has("-S", "--stdin") and command.stdin.kind != "inherit"
    if fed or (given.has("-i", "-s", "--login", "--shell") and not given.operands):
        yield Effect(Action.GAIN_PRIVILEGE, "root-shell", command, what=shown(command))
    elif given.has("-e", "--edit") or command.name == "sudoedit":
        for word in given.operands:
            yield Effect(
                Action.WRITE, "sudoedit", command, resolve(word, command, where), what=shown(command)
            )


def read_shell_opening(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """As another user or group: with no command, or with a shell and nothing more."""
    given = read_arguments(command.argv[1:], until_operand=True)
    if given.has("--help", "--version", "-V"):
        return
    if (
        command.name == "newgrp"
        or not given.operands
        or any(word.text.rsplit("/", 1)[-1] in _SHELLS for word in given.operands)
    ):
        yield Effect(Action.GAIN_PRIVILEGE, "root-shell", command, what=shown(command))


def read_entering(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """`chroot DIR`, `unshare -r`, `systemd-run --shell`: with no command, a shell."""
    texts = [word.text for word in command.argv[1:]]
    if any(text in ("--help", "--version", "-h", "-V") for text in texts):
        return
    opens = command.name in ("chroot", "systemd-nspawn") or any(text in ("--shell", "-S") for text in texts)
    rooted = command.name == "unshare" and any(re.match(r"^-\w*[rU]|^--map-root", text) for text in texts)
    if texts and (opens or rooted):
        yield Effect(Action.GAIN_PRIVILEGE, "root-shell", command, what=shown(command))
