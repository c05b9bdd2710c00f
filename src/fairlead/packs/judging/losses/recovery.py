"""Whether what a command loses could be had again: from git, or because the script itself made it."""

from __future__ import annotations

import re

from fairlead.packs.repository import states
from fairlead.packs.rule import Scene
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.targets import resolve
from fairlead.shell.script import Command, stands_before

_FILE_NAME = lazy(r"[^/]\.[A-Za-z0-9]{1,6}$")
_ZERO = lazy(r"(?:-s|--size)?=?0|(?:if=)?/dev/null")
_MAKING_GIT = ("clone", "init")


def unrecoverable(effect: Effect, scene: Scene) -> bool:
    """Whether git could not bring it back. Without an answer, a file may go, a directory may not."""
    state = _state(effect, scene)
    if state in (states.UNKNOWN, states.OUTSIDE):
        return (_takes_a_folder(effect) and not _was_made_here(effect, scene)) or _destroys(effect)
    return state in states.LOST


def undecided(effect: Effect, scene: Scene) -> bool:
    """Whether there is a repository that cannot be read: then the work counts as uncommitted."""
    return _state(effect, scene) == states.UNKNOWN and not _was_made_here(effect, scene)


def _state(effect: Effect, scene: Scene) -> str:
    target = effect.target
    if target is None or effect.name in ("rmdir", "git-rm"):
        return states.CLEAN
    from fairlead.packs.repository.disk_matches import literal  # rare: most calls lose nothing

    path = literal(target.path) + (f"/{target.pattern}" if target.pattern else "")
    below = (f"{path}/**",) if target.pattern and effect.recursive else ()
    return scene.git_state(scene.where.root, (path, *below))


def _takes_a_folder(effect: Effect) -> bool:
    target = effect.target
    if target is None or not effect.recursive:
        return False
    return bool(target.pattern) or not _FILE_NAME.search(target.path)


def _destroys(effect: Effect) -> bool:
    """Whether it has no other use than to lose a file that is there."""
    if effect.name in ("truncate", "cp", "dd"):
        emptied = any(_ZERO.fullmatch(word.text) for word in effect.command.argv[1:])
        return effect.action is Action.TRUNCATE and emptied
    return effect.name == "shred"


def _was_made_here(effect: Effect, scene: Scene) -> bool:
    """Whether an earlier command of the script made the target, and would have failed had it been there."""
    path = effect.target.path if effect.target is not None else ""
    if not path:
        return False
    for command in scene.script.commands:
        if not stands_before(command, effect.command):
            continue
        if _makes(command) and any(resolve(w, command, scene.where).path == path for w in command.argv[1:]):
            return True
    return False


def _makes(command: Command) -> bool:
    if command.name == "mkdir":
        return not any(re.match(r"^-\w*p|^--parents$", word.text) for word in command.argv[1:])
    return command.name == "git" and any(word.text in _MAKING_GIT for word in command.argv[1:3])
