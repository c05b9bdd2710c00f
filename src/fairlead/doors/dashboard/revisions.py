"""The policy of a project as a commit has it.

Git's objects are read by our own reader, so that no program and no setting of the repository runs.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory

from fairlead.errors import UsageError
from fairlead.packs.repository.branches import branch_names, revision_commit
from fairlead.packs.repository.commit_trees import files_below, object_at, store_of
from fairlead.packs.repository.git_folder import Repository, find_repository
from fairlead.packs.repository.limits import Budget, CannotTell
from fairlead.policy.places import PROJECT_FOLDER

_MOST_FILES = 2_000
_MOST_NAMES = 30
_EARLIER = ("HEAD", "HEAD~1", "HEAD~2", "HEAD~5", "HEAD~10")


def revisions(root: str) -> list[str]:
    """Those that have a policy for this project: the last commits and the branches."""
    try:
        repository = _repository(root)
        names = [*_EARLIER, *sorted(branch_names(repository, Budget()))[:_MOST_NAMES]]
        return [name for name in names if _has_policy(repository, root, name)]
    except (CannotTell, UsageError, OSError):
        return []


@contextmanager
def policy_at(root: str, revision: str) -> Iterator[str]:
    """A folder that holds it for as long as it is looked at."""
    try:
        repository = _repository(root)
        commit = revision_commit(repository, revision, Budget())
        if not commit or not _policy_in(repository, root, commit):
            raise UsageError(
                f"there is no policy of this project in {revision!r}",
                hint="name a branch, a whole commit, or HEAD~1; it must have the folder .fairlead",
            )
        with TemporaryDirectory(prefix="fairlead-revision-") as folder:
            for name, content in files_below(
                store_of(repository), commit, _folder(repository, root), most=_MOST_FILES
            ):
                path = os.path.join(folder, os.fsdecode(name))
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "xb") as file:
                    file.write(content)
            os.makedirs(os.path.join(folder, "hooks"), exist_ok=True)
            yield folder
    except CannotTell as error:
        raise UsageError(f"{revision!r} of {root} cannot be read: {error}") from None


def _repository(root: str) -> Repository:
    repository = find_repository(root, Budget())
    if repository is None:
        raise UsageError(f"{root} is in no git repository")
    return repository


def _has_policy(repository: Repository, root: str, revision: str) -> bool:
    commit = revision_commit(repository, revision, Budget())
    return bool(commit and _policy_in(repository, root, commit))


def _policy_in(repository: Repository, root: str, commit: bytes) -> bytes:
    return object_at(store_of(repository), commit, _folder(repository, root))


def _folder(repository: Repository, root: str) -> bytes:
    below = os.path.relpath(os.path.realpath(root), os.path.realpath(repository.top))
    return os.fsencode(PROJECT_FOLDER if below == "." else os.path.join(below, PROJECT_FOLDER))
