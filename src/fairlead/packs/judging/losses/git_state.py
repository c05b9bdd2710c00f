"""Whether git could bring a path back. Asked only when a command is about to lose something.

Git itself is never run: `fairlead.packs.repository` says why, and reads what is needed.
"""

from __future__ import annotations

import os.path
from collections.abc import Iterator, Sequence

from fairlead.packs.repository.states import CLEAN, IGNORED, LOST, MISSING, OUTSIDE, UNKNOWN, UNTRACKED
from fairlead.sessions.memory import NO_MEMORY, Memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fairlead.packs.repository.limits import Budget
    from fairlead.packs.repository.work_tree import WorkTree


class Inquiry:
    """The questions of one judgement, which share what was read, and the time that it may take. What is the
    session's own counts as if git could bring it back."""

    def __init__(self, budget: Budget | None = None, *, memory: Memory = NO_MEMORY) -> None:
        self._memory = memory
        self._budget = budget
        self._known: dict[tuple[str, tuple[str, ...], frozenset[str]], str] = {}
        self._trees: dict[str, WorkTree | None] = {}

    def __call__(self, root: str, paths: Sequence[str], lost: frozenset[str] = LOST) -> str:
        """What would be lost first among `paths`, which may be glob patterns; without any, in the work tree."""
        key = (root, tuple(paths), lost)
        if key not in self._known:
            self._known[key] = self._asked(root, paths, lost)
        return self._known[key]

    def tracks(self, root: str, paths: Sequence[str]) -> bool:
        """Whether git knows a file at each of the paths, though it may be gone."""
        from fairlead.packs.repository.limits import CannotTell

        try:
            tree = self._tree(root) if os.path.isdir(root) else None
            return tree is not None and bool(paths) and all(map(tree.tracks, paths))
        except (CannotTell, OSError, ValueError, RecursionError):
            return False

    def set_to(self, root: str, revisions: Sequence[str]) -> str:
        """The first state of what would be lost if the work tree became what one of these commits holds: a file
        that git does not know only if the commit has one of its name."""
        from fairlead.packs.repository.limits import CannotTell

        try:
            return self._state_of(root, revisions) if os.path.isdir(root) else OUTSIDE
        except (CannotTell, OSError, ValueError, RecursionError):
            return UNKNOWN

    def _state_of(self, root: str, revisions: Sequence[str]) -> str:
        from fairlead.packs.judging.losses.own_files import owned_by
        from fairlead.packs.repository.branches import is_in_none, revision_commit
        from fairlead.packs.repository.git_folder import find_repository
        from fairlead.packs.repository.work_tree import WorkTree

        repository = find_repository(root, self._spent())
        commits = (
            [revision_commit(repository, each, self._spent()) for each in revisions] if repository else []
        )
        if repository is None or not all(commits):
            return UNKNOWN
        own, absent = owned_by(self._memory), is_in_none(repository, commits)
        tree = WorkTree(
            repository,
            self._spent(),
            owned=lambda path, status, entry: (
                (entry is None and absent(path)) or (own is not None and own(path, status, entry))
            ),
        )
        try:
            return next((state for state in tree.states(tree.top) if state in LOST), CLEAN)
        finally:
            tree.close()

    def _asked(self, root: str, paths: Sequence[str], lost: frozenset[str]) -> str:
        if not os.path.isdir(root):
            return OUTSIDE
        from fairlead.packs.repository.limits import CannotTell  # rare: most calls lose nothing

        try:
            return self._state(root, paths, lost)
        except (CannotTell, OSError, ValueError, RecursionError):
            return UNKNOWN

    def _state(self, root: str, paths: Sequence[str], lost: frozenset[str]) -> str:
        found = MISSING
        for path in self._present(paths) if paths else self._top(root):
            for state in self._states(root, path):
                if state in lost or state == OUTSIDE:
                    return state
                found = IGNORED if IGNORED in (found, state) else CLEAN
        return found

    def _present(self, paths: Sequence[str]) -> Iterator[str]:
        """What is there; of folders that a pattern matches only those that it takes with everything below."""
        from fairlead.packs.repository.disk_matches import is_pattern, matching

        for path in paths:
            whole = path.endswith("/**") or not is_pattern(path)
            for found in matching(path, self._spent()):
                if whole or os.path.islink(found) or not os.path.isdir(found):
                    yield found

    def _top(self, root: str) -> Iterator[str]:
        tree = self._tree(root)
        yield tree.top if tree is not None else root

    def _states(self, root: str, path: str) -> Iterator[str]:
        tree = self._tree(root)
        if path != root and os.path.lexists(os.path.join(path, ".git")) and not (tree and path == tree.top):
            yield UNTRACKED
            return
        if tree is None:
            yield OUTSIDE
            return
        try:
            yield CLEAN
            yield from tree.states(path)
        finally:
            tree.close()

    def _tree(self, root: str) -> WorkTree | None:
        from fairlead.packs.judging.losses.own_files import owned_by
        from fairlead.packs.repository.git_folder import find_repository
        from fairlead.packs.repository.work_tree import WorkTree

        if root not in self._trees:
            repository = find_repository(root, self._spent())
            owned = owned_by(self._memory)
            self._trees[root] = WorkTree(repository, self._spent(), owned=owned) if repository else None
        return self._trees[root]

    def _spent(self) -> Budget:
        if self._budget is None:
            from fairlead.packs.repository.limits import Budget

            self._budget = Budget()
        return self._budget
