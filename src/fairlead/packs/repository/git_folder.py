"""Finds the repository that a folder belongs to, and reads what its settings say about its format."""

from __future__ import annotations

import os
from stat import S_ISDIR, S_ISREG

from fairlead.model.value import Value
from fairlead.packs.repository.limits import Budget, CannotTell
from fairlead.packs.repository.regular_files import read_regular
from fairlead.shell.following.git.git_config_text import settings_in
from fairlead.shell.word_sets import names

_SHORT, _CONFIG = 4096, 1 << 20
_HASHES = {"sha1": 20, "sha256": 32}
_EXTENSIONS = names(
    "noop preciousobjects partialclone worktreeconfig objectformat compatobjectformat refstorage relativeworktrees"
)
"""Those that change nothing about the index, or are read below."""


class Repository(Value):
    """Where its parts are. `folder` is its own, `common` the one that its work trees share."""

    top: str
    folder: str
    common: str
    settings: dict[str, str]
    hash_size: int

    @property
    def has_reftable(self) -> bool:
        return self.settings.get("extensions.refstorage", "files") != "files"


def find_repository(start: str, budget: Budget) -> Repository | None:
    """The nearest one upwards that has a `.git`: never a folder that only looks like a bare repository."""
    top = os.path.realpath(start)
    while True:
        folder = git_folder(top, budget)
        if folder:
            return _repository(top, folder, budget)
        if top == os.path.dirname(top):
            return None
        top = os.path.dirname(top)


def git_folder(top: str, budget: Budget) -> str:
    """What the `.git` of a folder stands for; empty where it is none, as for git."""
    path = os.path.join(top, ".git")
    try:
        mode = os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError as error:
        raise CannotTell(f"{path} cannot be read") from error
    if S_ISDIR(mode):
        return path if os.path.lexists(os.path.join(path, "HEAD")) else ""
    if not S_ISREG(mode):
        raise CannotTell(f"{path} is neither a folder nor a file")
    return os.path.realpath(os.path.join(top, _pointed(path, budget, "gitdir: ")))


def _pointed(path: str, budget: Budget, prefix: str = "") -> str:
    """The path that a file of one line holds; empty where there is no such file."""
    text = os.fsdecode(read_regular(path, budget, limit=_SHORT) or b"")
    if not text.startswith(prefix) or "\0" in text:
        raise CannotTell(f"{path} names no folder")
    return text.removeprefix(prefix).rstrip("\r\n")


def common_folder(folder: str, budget: Budget) -> str:
    """What the work trees of a repository share; the folder itself where it is the only one."""
    linked = _pointed(os.path.join(folder, "commondir"), budget)
    return os.path.normpath(os.path.join(folder, linked)) if linked else folder


def _repository(top: str, folder: str, budget: Budget) -> Repository:
    common = common_folder(folder, budget)
    settings = read_settings(os.path.join(common, "config"), budget)
    if settings.get("extensions.worktreeconfig", "").lower() in ("true", "yes", "on", "1"):
        settings |= read_settings(os.path.join(folder, "config.worktree"), budget)
    _check(settings, top, folder, is_linked=common != folder)
    size = _HASHES.get(settings.get("extensions.objectformat", "sha1").lower())
    if size is None:
        raise CannotTell("objects are named in an unknown way")
    return Repository(top, folder, common, settings, size)


def read_settings(path: str, budget: Budget) -> dict[str, str]:
    """What one file says itself; files that it includes are left alone."""
    text = read_regular(path, budget, limit=_CONFIG) or b""
    return dict(settings_in(text.decode("utf-8", "replace")))


def _check(settings: dict[str, str], top: str, folder: str, *, is_linked: bool) -> None:
    if settings.get("core.repositoryformatversion", "0").strip() not in ("0", "1"):
        raise CannotTell("the repository has an unknown format")
    unknown = {key[11:] for key in settings if key.startswith("extensions.")} - _EXTENSIONS
    if unknown:
        raise CannotTell(f"the repository has unknown extensions: {', '.join(sorted(unknown))}")
    if settings.get("core.bare", "false").lower() in ("true", "yes", "on", "1") and not is_linked:
        raise CannotTell("the repository says that it has no work tree")
    tree = settings.get("core.worktree")
    if tree is not None and not is_linked and os.path.realpath(os.path.join(folder, tree)) != top:
        raise CannotTell("the repository says that its work tree is elsewhere")
