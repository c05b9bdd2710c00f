"""Password stores whose words are names of passwords, or subcommands."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.arguments import read_arguments
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_OWN_WORDS = names(
    """
    ls list find search grep insert add edit generate git init help version rm remove delete mv rename cp copy
    create audit sync setup recipients mounts config env show cat otp totp history otp-code clone fsck link
    """
)
"""Subcommands of password stores; any other word is the name of a password, and shows it."""


def read_password_store(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], until_operand=True)
    first = given.operands[0].text if given.operands else ""
    if not first or given.has("--help", "--version"):
        return
    if first in ("rm", "remove", "delete"):
        yield Effect(Action.CHANGE_CLOUD, "delete", command, what=shown(command))
    elif first in ("show", "cat", "otp", "totp", "copy") or first not in _OWN_WORDS:
        yield Effect(Action.READ_SECRET, "read-secret", command, what=shown(command))
