"""Whether what git is told to put away is really lost: of a clean work tree nothing is."""

from __future__ import annotations

import os.path

from fairlead.packs.repository import states
from fairlead.packs.rule import Scene
from fairlead.shell.effects.effect import Effect
from fairlead.shell.effects.git.discarded_files import Discarded, discarded_files
from fairlead.shell.effects.git.scratch_repositories import TRANSPARENT, points_elsewhere
from fairlead.shell.places.targets import resolve
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_AT_ONCE = names("$() eval") | {"bash -c", "sh -c", "zsh -c", "dash -c"}
_ADDING_PATHS = names("xargs")
"""Behind `--`, all that it adds are paths: of which files, the work tree as a whole answers for."""
_CHANGING = names("mv sleep wait")
"""After them, the disk is no longer what it was when the call was judged."""
_BRINGING_BACK = names("pop apply branch")


_KEPT = frozenset((states.CLEAN, states.IGNORED))


def loses_work(effect: Effect, scene: Scene) -> bool:
    """Whatever cannot be told counts as a loss."""
    command = effect.command
    if effect.name == "worktree-remove":
        return _loses_tree(command, scene)
    found = discarded_files(command) if _runs_here(command, scene) else None
    if found is None or command.cwd is None:
        return True
    if found.revision and found.untracked and _becomes_without_loss(command, found.revision, scene):
        return False
    lost = _that_matter(found)
    state = scene.git_state(command.cwd, found.paths, lost)
    if state == states.MISSING and found.tracked:
        return not scene.git_state.tracks(command.cwd, found.paths)
    return state not in _KEPT - lost


def _becomes_without_loss(command: Command, revision: str, scene: Scene) -> bool:
    if command.cwd is None or _brings_commits(command, scene):
        return False
    return scene.git_state.set_to(command.cwd, (revision, "HEAD")) in _KEPT


_BRINGING = names(
    "fetch pull merge rebase am cherry-pick clone remote update-ref checkout switch branch bisect"
)


def _brings_commits(command: Command, scene: Scene) -> bool:
    """Whether the line itself may change what a name stands for. A revert brings no file that is new."""
    others = (c for c in scene.script.commands if c.name == "git" and c is not command)
    return any(not _BRINGING.isdisjoint([word.text for word in c.argv[1:4]]) for c in others)


def _loses_tree(command: Command, scene: Scene) -> bool:
    """Whether a work tree that is taken away holds what no commit does, and was there before the session."""
    if not command.argv:
        return True
    target = resolve(command.argv[-1], command, scene.where)
    if not command.argv[-1].known or target.pattern or not _runs_here(command, scene):
        return True
    if scene.memory.made(target.real or target.path) is not None:
        return False
    is_tree = os.path.lexists(os.path.join(target.path, ".git"))
    return not is_tree or scene.git_state(target.path, ()) not in _KEPT


def _that_matter(found: Discarded) -> frozenset[str]:
    chosen = {
        states.MODIFIED: found.tracked,
        states.UNTRACKED: found.untracked,
        states.IGNORED: found.ignored,
    }
    return frozenset(state for state, matters in chosen.items() if matters)


def _runs_here(command: Command, scene: Scene) -> bool:
    """Whether it runs at once, in this work tree, as that is now."""
    if command.cwd is None or "*" in command.cwd or command.cwd_else or points_elsewhere(scene.script):
        return False
    passes_on = TRANSPARENT | _ADDING_PATHS if "--" in [word.text for word in command.argv] else TRANSPARENT
    if any(wrapper.name not in passes_on or wrapper.place for wrapper in command.wrappers):
        return False
    if not all(way in _ADDING_PATHS or way in _AT_ONCE or way.startswith("function ") for way in command.via):
        return False
    return not any(_changes(other) for other in scene.script.commands if other is not command)


def _changes(command: Command) -> bool:
    """What was put aside is nowhere else once it is taken out."""
    if command.name == "git":
        texts = [word.text for word in command.argv[1:]]
        return "stash" in texts and not _BRINGING_BACK.isdisjoint(texts)
    return command.name in _CHANGING
