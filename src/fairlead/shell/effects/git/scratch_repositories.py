"""Repositories in temporary places: what is only there may go, as all that is there."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.paths import absolute
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import Place, resolve
from fairlead.shell.script import Command, Script, Word
from fairlead.shell.word_sets import names

_OWN_TREE = names(
    """
    reset-hard reset-merge read-tree-reset clean clean-ignored checkout-force checkout-paths checkout-index
    switch-discard restore rm-forced
    """
)
"""What touches the files of one working tree, and nothing that other trees of the repository share."""
_OWN_REPOSITORY = names(
    """
    stash-drop stash-clear branch-delete branch-reset branch-move tag-delete reflog-expire prune update-ref
    filter-branch
    """
)
"""What touches one repository and no remote."""
DISCARDING = frozenset((Action.DISCARD_GIT_WORK, Action.REWRITE_HISTORY))
TRANSPARENT = names("timeout nice time nohup ionice stdbuf command taskset chrt setsid unbuffer")
"""They run a command where they stand."""
_ELSEWHERE = lazy(r"GIT_DIR|GIT_WORK_TREE|--git-dir|--work-tree|core\.worktree")
_TELLING = names("export declare env git")


def in_scratch_tree(effect: Effect, script: Script, where: Surroundings) -> bool:
    """Whether what git would discard stands in a temporary place."""
    command = effect.command
    if effect.name == "worktree-remove":
        target = resolve(command.argv[-1], command, where)
        return target.place is Place.TEMPORARY and _is_added_here(command, script)
    if effect.name not in _OWN_TREE and not (
        effect.name in _OWN_REPOSITORY and _was_made_here(command, script)
    ):
        return False
    wrapped = any(wrapper.name not in TRANSPARENT for wrapper in command.wrappers)
    if command.cwd is None or "*" in command.cwd or wrapped or points_elsewhere(script):
        return False
    places = (resolve(Word(path), command, where).place for path in (command.cwd, *command.cwd_else))
    return all(place is Place.TEMPORARY for place in places)


def _is_added_here(command: Command, script: Script) -> bool:
    """Whether the script made the working tree itself that it takes away again."""
    removed = absolute(command.argv[-1].text, command.cwd) if command.argv[-1].known else None
    for other in script.commands:
        if other is command or removed is None:
            return False
        words = [word for word in other.argv[1:] if not word.text.startswith("-") and word.known]
        adds = other.name == "git" and [word.text for word in words[:2]] == ["worktree", "add"]
        if adds and any(absolute(word.text, other.cwd) == removed for word in words[2:]):
            return True
    return False


def _was_made_here(command: Command, script: Script) -> bool:
    """Whether the script began this repository itself: `git init` in the same folder, further up."""
    for other in script.commands:
        if other is command:
            return False
        texts = [word.text for word in other.argv[:6]]
        if (
            other.name == "git"
            and "init" in texts[1:]
            and _folder(other) == command.cwd
            and not other.cwd_else
        ):
            return True
    return False


def _folder(command: Command) -> str | None:
    """Where `git init` makes its repository: the only operand, or here."""
    operands = [word for word in command.argv[1:] if not word.text.startswith("-") and word.text != "init"]
    if not operands or operands[0].text == ".":
        return command.cwd
    return absolute(operands[0].text, command.cwd) if operands[0].known else None


def _before_paths(command: Command) -> Iterable[Word]:
    """Git's words up to `--`: what stands behind it are paths of this tree."""
    if command.name != "git":
        return command.argv
    return takewhile(lambda word: word.opaque or word.text != "--", command.argv)


def points_elsewhere(script: Script) -> bool:
    """Whether any part of the script tells git of another tree than the one around it."""
    for command in script.commands:
        if command.name in _TELLING and any(word.opaque for word in _before_paths(command)):
            return True
        if _ELSEWHERE.search("\n".join([*[word.text for word in command.argv], *command.assignments])):
            return True
    return False
