"""Losses in the old directory: after `cd missing;` a command runs where the shell was before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.world import is_folder
from fairlead.shell.script import Command, Script, stands_before
from fairlead.shell.word_sets import names

_LOSSES = (Action.DELETE, Action.TRUNCATE, Action.MOVE_AWAY)
_MAKES_NOTHING = names("cd pushd popd rm rmdir echo printf ls test [ true : set export")


def where_a_move_failed(
    effects: Sequence[Effect],
    script: Script,
    where: Surroundings,
    read: Callable[[Command, Surroundings], Sequence[Effect]],
) -> Iterator[Effect]:
    """What the command of `effects` would lose in each directory where an unchecked `cd` may have left it."""
    if not any(effect.action in _LOSSES for effect in effects):
        return
    command = effects[0].command
    if _is_there(command, script):
        return
    for folder in command.cwd_else:
        if is_folder(folder):
            stayed = command.replace(cwd=folder, cwd_else=())
            yield from (effect for effect in read(stayed, where) if effect.action in _LOSSES)


def _is_there(command: Command, script: Script) -> bool:
    """Whether the directory is on the disk, or named by an earlier command that may have made it."""
    folder = command.cwd
    if folder is None:
        return False
    if is_folder(folder):
        return True
    name = folder.rpartition("/")[2]
    return any(
        name in word.text
        for other in script.commands
        if stands_before(other, command) and other.name not in _MAKES_NOTHING
        for word in other.argv[1:]
    )
