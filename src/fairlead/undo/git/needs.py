"""What a subcommand of git may change, by the name of its effect or by its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from fairlead.shell.arguments import read_arguments
from fairlead.shell.effects.effect import Effect
from fairlead.shell.effects.git.discarded_files import discarded_files
from fairlead.shell.effects.git.subcommand_options import GLOBAL_VALUED, LONG_OPTIONS, VALUED
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names
from fairlead.undo.git.record import GitNeed

_HEADS, _TAGS = "refs/heads/", "refs/tags/"
_TREE = names("reset-hard reset-merge read-tree-reset checkout-force switch-discard")
_PATHS = names("checkout-paths restore checkout-index rm-forced apply-reverse")
_CLEAN = names("clean clean-ignored")
_STASH = names("stash-drop stash-clear")
_BRANCHES = names("branch-delete branch-move branch-reset update-ref")
_EVERYTHING = GitNeed(tracked=True, untracked=True, ignored=True, index=True, head=True)
WHOLE_STATE = GitNeed(tracked=True, untracked=True, index=True, head=True, all_refs=(_HEADS,), stash=True)
_ONLY_LOOKING = names(
    """
    status diff log show blame ls-files rev-parse describe shortlog ls-tree cat-file rev-list merge-base grep
    fetch push remote version help count-objects
    """
)


def need_of_effect(effect: Effect, top: str) -> GitNeed | None:
    """None for what leaves this repository, or what cannot be kept: remotes, other trees, recovery points."""
    name, command = effect.name, effect.command
    if name in _STASH:
        return GitNeed(stash=True)
    if name in _BRANCHES:
        tree = _EVERYTHING if name == "branch-reset" else GitNeed()
        return tree.joined(GitNeed(head=True, refs=_deleted(effect), all_refs=(_HEADS,)))
    if name == "tag-delete":
        return GitNeed(all_refs=(_TAGS,))
    if name not in _TREE | _PATHS | _CLEAN:
        return None
    found = discarded_files(command)
    if found is None:
        return _EVERYTHING if command.name == "git" else None
    paths = tuple(os.path.relpath(os.path.realpath(path), top) for path in found.paths)
    if any(path.startswith("..") for path in paths):
        return None
    paths = () if "." in paths else paths
    if name in _CLEAN:
        return GitNeed(paths, untracked=found.untracked, ignored=found.ignored)
    elsewhere = found.untracked
    heads = (_HEADS,) if name in ("checkout-force", "switch-discard") else ()  # -B makes or moves one
    return GitNeed(
        paths,
        tracked=True,
        untracked=elsewhere,
        ignored=elsewhere,
        index=True,
        head=name in _TREE,
        all_refs=heads,
    )


def _deleted(effect: Effect) -> tuple[str, ...]:
    """Branches by their names: git deletes what it knows of their past with them."""
    if effect.name != "branch-delete" or "?" in effect.detail.split():
        return ()
    return tuple(f"{_HEADS}{name}" for name in effect.detail.split())


def changes_repository(command: Command) -> bool:
    """Whether it is a git that may do more than to look."""
    outer = read_arguments(command.argv[1:], valued=GLOBAL_VALUED, until_operand=True)
    return command.name == "git" and bool(outer.operands) and outer.operands[0].text not in _ONLY_LOOKING


def need_of_command(command: Command) -> GitNeed | None:
    """What no rule objects to, and yet takes a commit, an index or a stash away. None for the rest."""
    outer = read_arguments(command.argv[1:], valued=GLOBAL_VALUED, until_operand=True)
    if command.name != "git" or not outer.operands:
        return None
    name = outer.operands[0].text
    given = read_arguments(outer.operands[1:], valued=VALUED.get(name, ()), long=LONG_OPTIONS.get(name, ()))
    first = given.operands[0].text if given.operands else ""
    reader = _QUIET.get(name)
    return reader(given.has, first) if reader is not None else None


_Has = Callable[..., bool]
_TREE_STATE = GitNeed(tracked=True, index=True, head=True)
_ALL_BRANCHES = GitNeed(head=True, all_refs=(_HEADS,))


def _amended(has: _Has, first: str) -> GitNeed | None:
    return GitNeed(index=True, head=True) if has("--amend") else None


def _rebased(has: _Has, first: str) -> GitNeed | None:
    return _TREE_STATE.joined(GitNeed(all_refs=(_HEADS,), stash=True))


def _reset(has: _Has, first: str) -> GitNeed | None:
    return GitNeed(index=True, head=True)


def _stashed(has: _Has, first: str) -> GitNeed | None:
    if first not in ("pop", "apply", "branch", "drop", "clear"):
        return None
    return _TREE_STATE.joined(GitNeed(untracked=True, stash=True))


def _ended(has: _Has, first: str) -> GitNeed | None:
    """Of a merge or the like: how conflicts were resolved so far goes with it."""
    return _TREE_STATE if has("--abort", "--skip", "--quit") else None


def _branched(has: _Has, first: str) -> GitNeed | None:
    changes = has("-d", "-D", "-m", "-M", "-C", "-f", "--delete", "--move", "--force")
    return _ALL_BRANCHES if changes else None


def _checked_out(has: _Has, first: str) -> GitNeed | None:
    if has("--ours", "--theirs", "-2", "-3"):
        return GitNeed(tracked=True, index=True)
    return _ALL_BRANCHES if has("-B", "-C", "--force-create") else None


_QUIET: Mapping[str, Callable[[_Has, str], GitNeed | None]] = {
    "commit": _amended,
    "rebase": _rebased,
    "reset": _reset,
    "stash": _stashed,
    **dict.fromkeys(("merge", "cherry-pick", "revert", "am"), _ended),
    "branch": _branched,
    **dict.fromkeys(("checkout", "switch"), _checked_out),
    "update-ref": lambda has, first: _ALL_BRANCHES,
    "tag": lambda has, first: GitNeed(all_refs=(_TAGS,)) if has("-d", "-f", "--delete", "--force") else None,
    **dict.fromkeys(("rm", "mv", "read-tree", "update-index"), lambda has, first: GitNeed(index=True)),
    "restore": lambda has, first: GitNeed(index=True) if has("-S", "--staged") else None,
    "symbolic-ref": lambda has, first: GitNeed(head=True),
}
