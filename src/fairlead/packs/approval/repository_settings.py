"""Settings of a repository by which git runs programs, talks to something else than a remote, or shows a password."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from fairlead.model.value import Value
from fairlead.packs.repository.git_folder import common_folder, git_folder
from fairlead.packs.repository.limits import Budget, CannotTell
from fairlead.shell.following.git.git_config_text import settings_in
from fairlead.shell.places.world import Identity, identity_of, is_settled

_LARGEST = 256 * 1024
_MOST_KEPT = 32
_NAMES = ("config", "config.worktree")
_RUNS = frozenset(
    (
        "core.sshcommand", "core.pager", "core.editor", "core.askpass", "core.gitproxy", "core.alternaterefscommand",
        "sequence.editor", "diff.external", "diff.command", "diff.textconv", "filter.clean", "filter.smudge",
        "filter.process", "merge.driver", "remote.uploadpack", "remote.receivepack", "remote.vcs", "remote.proxy",
        "gpg.program", "gpg.defaultkeycommand", "gc.recentobjectshook", "trailer.command", "trailer.cmd",
        "url.insteadof", "include.path", "includeif.path", "interactive.difffilter", "uploadpack.packobjectshook",
        "http.proxy", "credential.helper", "protocol.allow", "fetch.bundleuri", "core.worktree",
    )
)  # fmt: skip
_BUILT_IN = ("true", "false", "yes", "no", "on", "off", "1", "0", "")
_OF_LFS = re.compile(r"git-lfs (?:clean|smudge|filter-process)\b[-\s%f]*")
_PASSWORD = re.compile(r"[a-z+]+://(?:[^/@]*:[^/@]+|[^/@]{20,})@", re.IGNORECASE)


class Found(Value):
    """`runs` is the first setting by which git may run something, `shown` one whose value holds a password,
    `hooks` the folder that has the hooks in place of its own."""

    runs: str = ""
    shown: str = ""
    hooks: str = ""


_read: dict[str, tuple[Identity | None, Found]] = {}
"""By file: what it was told by, and what was found."""
_UNREADABLE = Found(runs="what cannot be read")


def repository_settings(root: str) -> Found:
    """What the settings of the project's repository hold, also those that its work trees share."""
    try:
        *files, _ = settings_files(root)
    except CannotTell:
        return _UNREADABLE
    found = [_found(path) for path in files]
    return Found(
        _first(each.runs for each in found),
        _first(each.shown for each in found),
        _first(each.hooks for each in reversed(found)),
    )


def settings_files(root: str) -> Iterator[str]:
    """At last the folder that they lie in. Raises CannotTell where `.git` is a file that does not lead to a work tree of this folder."""
    folder = common = f"{root}/.git"
    if os.path.isfile(folder):
        budget = Budget()
        folder = os.path.realpath(git_folder(root, budget))
        common = os.path.realpath(common_folder(folder, budget))
        if not folder.startswith(f"{common}/worktrees/") or not _leads_back(folder, root):
            raise CannotTell(f"{root}/.git leads to another repository")
    yield from (f"{common}/{name}" for name in _NAMES)
    if folder != common:
        yield f"{folder}/{_NAMES[1]}"
    yield common


def _leads_back(folder: str, root: str) -> bool:
    try:
        with open(f"{folder}/gitdir", encoding="utf-8") as file:
            return os.path.realpath(file.read(4096).strip()) == os.path.realpath(f"{root}/.git")
    except (OSError, UnicodeDecodeError):
        return False


def _first(names: Iterator[str]) -> str:
    return next(filter(None, names), "")


def _found(path: str) -> Found:
    identity = identity_of(path)
    known = _read.get(path)
    if known is not None and known[0] == identity:
        return known[1]
    found = _look(path)
    if is_settled(identity):
        if len(_read) >= _MOST_KEPT:
            _read.clear()
        _read[path] = identity, found
    return found


def _look(path: str) -> Found:
    """A file that cannot be read may say anything."""
    try:
        if os.path.getsize(path) > _LARGEST:
            return Found(runs="much")
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
            settings = list(settings_in(file.read()))
    except FileNotFoundError:
        return Found()
    except OSError:
        return _UNREADABLE
    hooks = [value for name, value in settings if name == "core.hookspath"]
    return Found(_first(_running(settings)), _first(_revealing(settings)), hooks[-1] if hooks else "")


def _running(settings: Sequence[tuple[str, str]]) -> Iterator[str]:
    for name, value in settings:
        plain = f"{name.partition('.')[0]}.{name.rpartition('.')[2]}"
        if _runs(plain, value):
            yield plain


def _runs(name: str, value: str) -> bool:
    if name == "core.fsmonitor" or name.startswith("pager."):
        return value.lower() not in _BUILT_IN
    if name in ("remote.url", "remote.pushurl"):
        return "::" in value
    return name in _RUNS and not _OF_LFS.fullmatch(value)


def _revealing(settings: Sequence[tuple[str, str]]) -> Iterator[str]:
    return (name for name, value in settings if _PASSWORD.match(value))
