"""What a bundle says of itself: for whom, which version, until when, and every file by its hash."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from fairlead.fleet.documents import HASH, MAX_NUMBER, NAME, Fields, read_document, write_document
from fairlead.fleet.moments import write_moment
from fairlead.fleet.refusal import RefusalCode, RefusedError
from fairlead.model.failure import NOTHING
from fairlead.model.value import Value

MAX_MANIFEST = 1024 * 1024
MAX_FILES = 2_000
MAX_UNPACKED = 64 * 1024 * 1024
MAX_POLICY = 4 * 1024 * 1024
"""Bytes of policies and programs: a machine reads a mebibyte of them in about a second."""
DEFAULT_FRESHNESS_DAYS = 30
_POLICY_ENDS = (".yaml", ".yml", ".toml")
SECTIONS = ("privacy", "rollout", "break_glass", "approvals")
"""Parts of the manifest that other rooms read; here they are only objects."""


class FileMark(Value):
    """A file of the bundle, as it must be."""

    sha256: str
    size: int


class Manifest(Value):
    """`created` and `expires` are in epoch seconds. `stale` is what gating calls of agents are answered once
    no word of freshness came for `freshness_days`: `ask`, or empty for nothing but being told."""

    group: str
    version: int
    created: int
    expires: int
    files: Mapping[str, FileMark]
    privacy: Mapping[str, object] = NOTHING
    rollout: Mapping[str, object] = NOTHING
    break_glass: Mapping[str, object] = NOTHING
    approvals: Mapping[str, object] = NOTHING
    freshness_days: int = DEFAULT_FRESHNESS_DAYS
    stale: str = ""

    def as_json(self) -> dict[str, object]:
        return {
            "format": 1,
            "group": self.group,
            "version": self.version,
            "created": write_moment(self.created),
            "expires": write_moment(self.expires),
            "files": {path: {"sha256": m.sha256, "size": m.size} for path, m in self.files.items()},
            **{name: dict(getattr(self, name)) for name in SECTIONS},
            "freshness_days": self.freshness_days,
            **({"stale": self.stale} if self.stale else {}),
        }

    def written(self) -> bytes:
        """What is signed, for who makes it. Who reads it signs and hashes the bytes that came."""
        return write_document(self.as_json())


def require_readable(files: Mapping[str, FileMark]) -> None:
    """Raises RefusedError for more policy than a call could wait for."""
    policy = sum(mark.size for path, mark in files.items() if path.endswith(_POLICY_ENDS))
    if policy > MAX_POLICY:
        message = f"its policies and programs have {policy} bytes, where {MAX_POLICY} are read"
        raise RefusedError(RefusalCode.TOO_LARGE, message, hint="say it in fewer rules, or in two groups")


def manifest_hash(content: bytes) -> str:
    """By which everything else names a manifest: that of its bytes as they came."""
    return hashlib.sha256(content).hexdigest()


def read_manifest(content: bytes) -> Manifest:
    """Raises RefusedError. Ask `signing` first whether anybody who may has signed these bytes."""
    fields = read_document(content, "the manifest", limit=MAX_MANIFEST)
    fields.format()
    made = Manifest(
        group=fields.text("group", NAME),
        version=fields.number("version", low=1, high=MAX_NUMBER),
        created=fields.moment("created"),
        expires=fields.moment("expires"),
        files=_files(fields),
        freshness_days=fields.number("freshness_days", low=1, high=3650),
        stale=fields.text("stale") if fields.has("stale") else "",
        **{name: fields.mapping(name) for name in SECTIONS if fields.has(name)},
    )
    if made.stale not in ("", "ask"):
        raise fields.wrong("stale", "can only be 'ask'")
    fields.finish()
    return made


def _files(fields: Fields) -> Mapping[str, FileMark]:
    below = fields.below("files")
    names = fields.mapping("files")
    if len(names) > MAX_FILES:
        raise fields.wrong("files", f"are more than {MAX_FILES}")
    return {name: _mark(below.below(name)) for name in names}


def _mark(fields: Fields) -> FileMark:
    mark = FileMark(fields.text("sha256", HASH), fields.number("size", high=MAX_UNPACKED))
    fields.finish()
    return mark
