"""Settings of a repository by which git runs programs, or talks to something else than a remote."""

from __future__ import annotations

import os
import re

from fairlead.shell.places.world import Identity, identity_of, is_settled

_LARGEST = 256 * 1024
_SECTION = re.compile(r"\s*\[\s*([A-Za-z0-9.-]+)")
_KEY = re.compile(r"\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$")
_RUNS = frozenset(
    (
        "core.sshcommand", "core.pager", "core.editor", "core.askpass", "core.gitproxy", "core.alternaterefscommand",
        "sequence.editor", "diff.external", "diff.command", "diff.textconv", "filter.clean", "filter.smudge",
        "filter.process", "merge.driver", "remote.uploadpack", "remote.receivepack", "remote.vcs", "remote.proxy",
        "gpg.program", "url.insteadof", "include.path", "includeif.path", "interactive.difffilter",
        "uploadpack.packobjectshook", "http.proxy", "credential.helper", "protocol.allow",
    )
)  # fmt: skip
_OF_LFS = re.compile(r"git-lfs (?:clean|smudge|filter-process)\b[-\s%f]*")
_read: dict[str, tuple[Identity | None, str]] = {}
"""By file: what it was told by, and what was found."""


def running_setting(root: str) -> str:
    """The first of them in the project's repository; empty where there is none."""
    path = f"{root}/.git/config"
    identity = identity_of(path)
    known = _read.get(path)
    if known is not None and known[0] == identity:
        return known[1]
    found = _find(path)
    if is_settled(identity):
        if len(_read) > 32:
            _read.clear()
        _read[path] = identity, found
    return found


def _find(path: str) -> str:
    """A file that cannot be read, or is no settings as git writes them, is one that may say anything."""
    try:
        if os.path.getsize(path) > _LARGEST:
            return "much"
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            lines = file.read().splitlines()
    except FileNotFoundError:
        return ""
    except OSError:
        return "what cannot be read"
    section = ""
    for line in lines:
        if line.rstrip().endswith("\\") or (
            line.lstrip().startswith("[") and not line.rstrip().endswith("]")
        ):
            return "a line that goes on"
        if heading := _SECTION.match(line):
            section = heading.group(1).partition(".")[0].lower()
        elif setting := _KEY.match(line):
            name, value = f"{section}.{setting.group(1).lower()}", (setting.group(2) or "").strip()
            if _runs(name, value):
                return name
    return ""


def _runs(name: str, value: str) -> bool:
    if name == "core.fsmonitor":
        return value.lower() not in ("true", "false", "")
    if name in ("remote.url", "remote.pushurl"):
        return "::" in value
    return name in _RUNS and not _OF_LFS.fullmatch(value)
