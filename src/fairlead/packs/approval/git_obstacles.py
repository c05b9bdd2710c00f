"""Why git may do more in a repository than its words say: settings, hooks, and another repository on the way."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from fairlead.packs.approval.repository_settings import repository_settings, settings_files
from fairlead.packs.judging.call_effects import Call
from fairlead.packs.places.secret_paths import is_secret
from fairlead.packs.repository.git_folder import find_repository
from fairlead.packs.repository.index import read_index
from fairlead.packs.repository.limits import Budget, CannotTell
from fairlead.sessions.memory import Memory

_UNREAD_HOOKS = ("post-index-change", "reference-transaction")


def git_obstacles(words: Sequence[str], directory: str, call: Call, memory: Memory) -> Iterator[str]:
    """What may make git run more than it is told to, or show more."""
    if _in_other_repository(directory, call.where.root):
        yield "it runs in another repository, which has settings of its own"
    root = call.where.root
    if _shows_contents(words) and (secret := _tracked_secret(words, root)):
        yield f"it would show what {secret} holds, which is committed"
    found = repository_settings(root)
    if found.runs:
        yield f".git/config sets {found.runs}, by which git can run programs"
        return
    if found.shown and "remote" in words:
        yield f".git/config has a password in {found.shown}"
    *files, common = settings_files(root)
    for path in (*files, f"{common}/info/attributes"):
        if memory.wrote(path):
            yield f"this session wrote {path}, which can make git run programs"
    hooks = os.path.normpath(os.path.join(root, found.hooks)) if found.hooks else f"{common}/hooks"
    for note in memory.written_within(hooks):
        yield f"this session wrote {note.subject}, which git may run"
    if found.hooks and any(os.path.lexists(f"{hooks}/{name}") for name in _UNREAD_HOOKS):
        yield f"git may run a hook in {found.hooks} that was not read"


_SHOWING = ("show", "log", "whatchanged", "reflog", "diff", "stash", "range-diff")
_PATCHED = ("-p", "-u", "--patch", "--patch-with-stat", "--patch-with-raw", "-c", "--cc", "-m", "-W")
_WITHOUT_PATCH = (
    *("-s", "--no-patch", "--quiet", "--stat", "--shortstat", "--numstat", "--name-only", "--name-status"),
    *("--summary", "--dirstat", "--raw"),
)
_OF_PATHS = "--"


def _shows_contents(words: Sequence[str]) -> bool:
    """Whether git prints lines of files that no word names: all that it tracks, or all that ever changed."""
    told = [word for word in words[1:] if not word.startswith("--no-pager")]
    if not told:
        return False
    if told[0] == "grep":
        return True
    patched = any(word in _PATCHED or word.startswith(("-U", "--unified", "-L")) for word in told[1:])
    if told[0] in ("show", "diff", "range-diff"):
        one_file = any(":" in word for word in told[1:] if not word.startswith("-"))
        return patched or not (one_file or any(word.startswith(_WITHOUT_PATCH) for word in told[1:]))
    return told[0] in _SHOWING and patched


def _tracked_secret(words: Sequence[str], root: str) -> str:
    """The first tracked file of secrets that the paths of the command do not leave out."""
    try:
        budget = Budget()
        repository = find_repository(root, budget)
        tracked = read_index(repository, budget).entries() if repository is not None else ()
        names = (os.fsdecode(name) for name, _ in tracked)
        secrets = (name for name in names if is_secret(f"{root}/{name}"))
        return next((name for name in secrets if _is_among(name, words)), "")
    except (CannotTell, OSError, ValueError):
        return "some file"


def _is_among(name: str, words: Sequence[str]) -> bool:
    paths = words[words.index(_OF_PATHS) + 1 :] if _OF_PATHS in words else ()
    plain = [os.path.normpath(path) for path in paths if not path.startswith((":", "..", "/"))]
    if not paths or len(plain) < len(paths) or any(set(path) & set("*?[") for path in plain):
        return True
    return any(path == "." or f"{name}/".startswith(f"{path}/") for path in plain)


def _in_other_repository(directory: str, root: str) -> bool:
    """Whether git would find another repository on its way up to the project's: also one without a work tree,
    which is only a folder with the right files in it, and can come with a clone."""
    while directory.startswith(f"{root.rstrip('/')}/"):
        if os.path.lexists(f"{directory}/.git"):
            return True
        if all(os.path.lexists(f"{directory}/{name}") for name in ("HEAD", "objects", "refs")):
            return True
        directory = os.path.dirname(directory)
    return False
