"""Whether a file is exactly what the last commit has at its path.

Neither the index nor what a file looks like on the disk is asked: staged is not committed, and marks can be
forged or switched off. The content that was read is compared with the name that the commit's tree gives it.
"""

from __future__ import annotations

import os
from functools import cached_property

from fairlead.packs.repository.commit_trees import Store, blob_name, object_at, store_of
from fairlead.packs.repository.git_folder import Repository, find_repository
from fairlead.packs.repository.last_commit import head_commit
from fairlead.packs.repository.limits import Budget, CannotTell

_TEMPORARY = ("/tmp/", "/var/tmp/", "/private/tmp/", "/private/var/", "/dev/shm/", "/var/folders/")  # noqa: S108
_MOST_LINKS = 40

Head = tuple[str, str, bytes]
"""A repository by its folders, and the commit that it stands at."""


class CommittedFiles:
    """The questions of one call; they share what was read. `heads` are the commits that they went by."""

    def __init__(self, project: str) -> None:
        self._given = project
        self._budget = Budget()
        self._found: dict[str, tuple[Store, bytes, str] | None] = {}
        self.heads: dict[str, Head] = {}

    @cached_property
    def _project(self) -> str:
        return os.path.realpath(self._given) if self._given else ""

    def has(self, path: str, real: str, data: bytes) -> bool:
        """Whether `data`, which was read at `path`, is committed there; `real` has the links followed."""
        try:
            return (path == real or self._has_links(path)) and self._has_content(real, data)
        except (CannotTell, OSError, ValueError, RecursionError):
            return False

    def _has_content(self, path: str, data: bytes) -> bool:
        found = self._commit_for(os.path.dirname(path))
        if found is None:
            return False
        store, commit, top = found
        name = object_at(store, commit, os.fsencode(os.path.relpath(path, top)))
        if not name or blob_name(data, store.hash_size) == name:
            return bool(name)
        return b"\r\n" in data and blob_name(data.replace(b"\r\n", b"\n"), store.hash_size) == name

    def _has_links(self, path: str) -> bool:
        """Whether each link on the way that lies in a repository is committed, too."""
        folder, left = "/", [name for name in path.split("/") if name]
        for _ in range(_MOST_LINKS):
            while left and not os.path.islink(os.path.join(folder, left[0])):
                folder = os.path.join(folder, left.pop(0))
            if not left:
                return True
            link = os.path.join(folder, left.pop(0))
            target = os.readlink(link)
            if self._commit_for(folder) is not None and not self._has_content(link, os.fsencode(target)):
                return False
            whole = os.path.normpath(os.path.join(os.path.realpath(folder), target))
            folder, left = "/", [name for name in whole.split("/") if name] + left
        return False

    def _commit_for(self, folder: str) -> tuple[Store, bytes, str] | None:
        """The commit that says what files of a folder should be; None where there is none to go by."""
        if folder not in self._found:
            repository = find_repository(folder, self._budget)
            self._found[folder] = None if repository is None else self._vouched(repository)
        return self._found[folder]

    def _vouched(self, repository: Repository) -> tuple[Store, bytes, str] | None:
        """A repository that anybody could have made a moment ago vouches for nothing: one inside the project
        must be a module of it, at the commit that the project has of it; one in a temporary folder must be
        the project itself."""
        top = repository.top
        if repository.has_reftable:
            return None
        if top.startswith(f"{self._project}/") and self._project:
            commit = self._module_commit(repository)
        elif f"{self._project}/".startswith(f"{top}/") or not top.startswith(_TEMPORARY):
            commit = self._head(repository)
        else:
            return None
        return (store_of(repository), commit, top) if commit else None

    def _module_commit(self, repository: Repository) -> bytes:
        outer = self._commit_for(os.path.dirname(repository.top))
        if outer is None:
            return b""
        store, commit, top = outer
        if store.common == repository.common:
            return self._head(repository)
        return object_at(store, commit, os.fsencode(os.path.relpath(repository.top, top)))

    def _head(self, repository: Repository) -> bytes:
        commit = head_commit(repository, self._budget)
        self.heads[repository.folder] = (repository.folder, repository.common, commit)
        return commit


def still_at(head: Head) -> bool:
    """Whether a repository stands at the same commit as before."""
    folder, common, commit = head
    try:
        return head_commit(Repository("", folder, common, {}, len(commit)), Budget()) == commit
    except (CannotTell, OSError, ValueError):
        return False
