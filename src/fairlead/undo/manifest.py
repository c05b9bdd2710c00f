"""What one save holds: a record for each path, what git had, and what was left out."""

from __future__ import annotations

import json
from typing import Any

from fairlead.model.value import Value

VERSION = 1
FILE, LINK, FOLDER, ABSENT = "file", "link", "folder", "absent"
"""What was at a path. Nothing was: then what the call puts there goes when it is undone."""


class BadManifestError(Exception):
    """A save that cannot be read."""


class Entry(Value):
    """One path as it was. A file has its content in `data`, or in git as `blob`, or none: only what may be
    done with it would change."""

    path: str
    kind: str
    mode: int = 0
    mtime: int = 0
    uid: int = 0
    gid: int = 0
    size: int = 0
    data: str = ""
    blob: str = ""
    link: str = ""
    xattrs: tuple[tuple[str, str], ...] = ()
    """Names, and values in hex."""
    listed: bool = False
    """Of a folder: all that was in it is named here, or was left out."""

    @property
    def has_content(self) -> bool:
        return bool(self.data or self.blob)


class StagedObject(Value):
    """Content that only the index knew: git may drop it once the index forgets it."""

    name: str
    data: str


class GitRecord(Value):
    """What git knew. Names of refs are whole; an empty value says that there was none."""

    top: str
    folder: str
    common: str
    hash_size: int
    head: str = ""
    """What `HEAD` says; empty where it cannot change."""
    refs: tuple[tuple[str, str], ...] = ()
    below: tuple[str, ...] = ()
    """All refs below these are named above: what else is there came later."""
    logs: tuple[tuple[str, str], ...] = ()
    """Histories of refs that are deleted with them, by the name of the ref; their content is data."""
    stash: str = ""
    """The data that holds the list of stashes; empty where it cannot change."""
    has_stash: bool = False
    index: str = ""
    had_index: bool = False
    staged: tuple[StagedObject, ...] = ()
    whole: bool = False
    """Tracked files without changes come back from the index."""
    paths: tuple[str, ...] = ()
    """Only those at these paths, from the top; all where there are none."""
    usual: tuple[int, int] = (0, 0)
    """The mode of most tracked files, and of most of those that may be run."""
    modes: tuple[tuple[str, int], ...] = ()
    """Of tracked files that have another."""
    keep: tuple[str, ...] = ()
    """Commits that a private ref keeps alive."""


class Manifest(Value):
    id: str
    at: int
    """When it was saved, in nanoseconds."""
    root: str
    what: str
    agent: str = ""
    session: str = ""
    call: str = ""
    rules: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = ()
    git: GitRecord | None = None
    left_out: tuple[tuple[str, str], ...] = ()
    """Paths, and why nothing of them was saved."""
    undoes: str = ""
    """The save that was brought back when this was made."""
    unasked: bool = False
    """Taken when a session started: nothing was lost then, so that only its id or a path names it."""


def to_json(manifest: Manifest) -> bytes:
    return json.dumps({"v": VERSION, **_plain(manifest)}, separators=(",", ":")).encode()


def _plain(value: Any) -> Any:
    """Defaults are left out: most entries have few fields."""
    if isinstance(value, Value):
        fields = ((name, getattr(value, name)) for name in value._fields)
        return {name: _plain(each) for name, each in fields if each != value._defaults.get(name, Value)}
    return [_plain(each) for each in value] if isinstance(value, tuple) else value


def from_json(text: bytes) -> Manifest:
    try:
        found = json.loads(text)
        if found.pop("v") != VERSION:
            raise BadManifestError("it was written by another version")
        found["entries"] = tuple(Entry(**_fields(each)) for each in found.get("entries", ()))
        if found.get("git") is not None:
            record = _fields(found["git"])
            record["staged"] = tuple(StagedObject(**each) for each in found["git"].get("staged", ()))
            found["git"] = GitRecord(**record)
        return Manifest(**_fields(found))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise BadManifestError(f"it is damaged: {error}") from error


def _fields(found: dict[str, Any]) -> dict[str, Any]:
    return {name: _frozen(value) for name, value in found.items()}


def _frozen(value: Any) -> Any:
    return tuple(_frozen(each) for each in value) if isinstance(value, list | tuple) else value
