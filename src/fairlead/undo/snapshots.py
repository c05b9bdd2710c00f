"""Saves the work of a project that no commit has."""

from __future__ import annotations

import os

from fairlead.packs.repository.git_folder import find_repository
from fairlead.packs.repository.limits import Budget, CannotTell
from fairlead.undo.gathering import Wanted
from fairlead.undo.git.record import GitNeed
from fairlead.undo.saving import Losses, Measured, Purpose, save
from fairlead.undo.store import Store

WHEN_ASKED = 60.0
"""Seconds that a person waits who asked for it."""


def snapshot(store: Store, purpose: Purpose, *, seconds: float) -> Measured:
    """Changed and new files, the index, where the branch stands, the stashes. Raises NotSavedError."""
    root = os.path.realpath(purpose.root)
    limits = store.limits.replace(seconds=seconds)
    try:
        repository = find_repository(root, Budget(seconds=seconds))
    except CannotTell:
        repository = None
    if repository is None or repository.top != root:
        losses = Losses((Wanted(root, whole=True, without_git=True),), strict=False)
    else:
        need = GitNeed(tracked=True, untracked=True, index=True, head=True, stash=True)
        losses = Losses((), root, need, strict=False)
    return save(store, purpose.replace(root=root), losses, limits)
