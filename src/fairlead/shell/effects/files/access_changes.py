"""Who may use a file: modes, owners, attributes and lists of access."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.arguments import read_arguments
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import resolve
from fairlead.shell.script import Command, Word
from fairlead.shell.word_sets import names

_SET_ID_PROGRAMS = names("sudo su passwd mount umount ping newgrp chsh chfn gpasswd pkexec at crontab doas")
"""They run as root whoever starts them, and what gets their mode does so, too."""


def read_chmod(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    given = read_arguments([_mode_word(word) for word in command.argv[1:]], valued=("--reference",))
    recursive = given.has("-R", "--recursive")
    mode = given.operands[0].text.lstrip("\0") if given.operands else ""
    model = given.text("--reference").rsplit("/", 1)[-1]
    if model:
        mode = "u+s" if model in _SET_ID_PROGRAMS else "as another file"
    for word in given.operands[0 if model else 1 :]:
        target = resolve(word.replace(text=word.text.lstrip("\0")), command, where)
        yield Effect(
            Action.CHANGE_PERMISSIONS, "chmod", command, target, recursive, what=shown(command), detail=mode
        )


def _mode_word(word: Word) -> Word:
    """`-x` and `-rwx` are modes, not options; only -R, -c, -v and -f are."""
    text = word.text
    is_mode = text.startswith("-") and not text.startswith("--") and not set(text[1:]) <= set("Rcvf")
    return word.replace(text="\0" + text) if is_mode else word


def read_chown(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=("--from", "--reference"))
    recursive = given.has("-R", "--recursive")
    owner = given.operands[0].text if given.operands else ""
    for word in given.operands[0 if given.has("--reference") else 1 :]:
        target = resolve(word, command, where)
        yield Effect(
            Action.CHANGE_OWNER, command.name, command, target, recursive, what=shown(command), detail=owner
        )


def read_chattr(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    given = read_arguments([_mode_word(word) for word in command.argv[1:]])
    recursive = given.has("-R")
    mode = given.operands[0].text.lstrip("\0") if given.operands else ""
    for word in given.operands[1:]:
        target = resolve(word, command, where)
        yield Effect(
            Action.CHANGE_PERMISSIONS,
            command.name,
            command,
            target,
            recursive,
            what=shown(command),
            detail=mode,
        )


def read_setfacl(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=("-m", "-x", "-M", "-X", "--modify"))
    recursive = given.has("-R", "--recursive")
    for word in given.operands:
        target = resolve(word, command, where)
        mode = given.text("-m", "--modify")
        yield Effect(
            Action.CHANGE_PERMISSIONS, "setfacl", command, target, recursive, what=shown(command), detail=mode
        )
