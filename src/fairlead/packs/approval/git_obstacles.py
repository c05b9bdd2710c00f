"""Why git may do more in a repository than its words say: settings, hooks, and another repository on the way."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from fairlead.packs.approval.repository_settings import repository_settings, settings_files
from fairlead.packs.judging.call_effects import Call
from fairlead.sessions.memory import Memory

_UNREAD_HOOKS = ("post-index-change", "reference-transaction")


def git_obstacles(words: Sequence[str], directory: str, call: Call, memory: Memory) -> Iterator[str]:
    """What may make git run more than it is told to, or show more."""
    if _in_other_repository(directory, call.where.root):
        yield "it runs in another repository, which has settings of its own"
    root = call.where.root
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
