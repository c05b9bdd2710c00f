"""Repositories in temporary places: the files of such a tree may go, as all that is there."""

from __future__ import annotations

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.script import Script, Word
from fairlead.shell.tables import names
from fairlead.shell.targets import Place, Surroundings, resolve

_OWN_TREE = names(
    """
    reset-hard reset-merge read-tree-reset clean clean-ignored checkout-force checkout-paths checkout-index
    switch-discard restore rm-forced
    """
)
"""What touches the files of one working tree, and nothing that other trees of the repository share."""
_ELSEWHERE = ("GIT_DIR", "GIT_WORK_TREE", "--git-dir", "--work-tree", "core.worktree")


def in_scratch_tree(effect: Effect, script: Script, where: Surroundings) -> bool:
    """Whether git would discard only what stands in a temporary place."""
    command = effect.command
    if effect.action is not Action.DISCARD_GIT_WORK or effect.name not in _OWN_TREE:
        return False
    if command.cwd is None or command.wrappers or _points_elsewhere(script):
        return False
    places = (resolve(Word(path), command, where).place for path in (command.cwd, *command.cwd_else))
    return all(place is Place.TEMPORARY for place in places)


def _points_elsewhere(script: Script) -> bool:
    """Whether any part of the script tells git of another tree than the one around it."""
    return any(
        (not word.known and command.name in ("export", "declare", "env", "git"))
        or any(name in word.text for name in _ELSEWHERE)
        for command in script.commands
        for word in (*command.argv, *(Word(name) for name in command.assignments))
    )
