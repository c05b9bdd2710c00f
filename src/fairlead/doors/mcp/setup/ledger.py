"""Which files the door was put into, how each was before, and which servers got it."""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Mapping
from typing import Any

from fairlead.errors import SettingsError
from fairlead.model.value import Value
from fairlead.policy.places import Places, write_private

_VERSION = 1


class Kept(Value):
    """One file: without the door, and the mark of what we left."""

    path: str
    client: str
    scope: str
    before: bytes
    after: str
    servers: tuple[tuple[str, ...], ...]
    """Where the wrapped ones stand in the file."""

    def is_untouched(self, current: bytes) -> bool:
        """Whether nobody has changed the file since."""
        return self.after == mark_of(current)


class ServerLedger:
    """One JSON file in Fairlead's own state."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.files = _read(path)

    def keep(self, kept: Kept) -> None:
        if self.files.get(kept.path) != kept:
            self.files[kept.path] = kept
            self._write()

    def forget(self, path: str) -> None:
        if self.files.pop(path, None) is not None:
            self._write()

    def _write(self) -> None:
        rows = [_as_json(kept) for kept in self.files.values()]
        write_private(self._path, json.dumps({"version": _VERSION, "files": rows}, indent=1).encode())


def ledger_at(places: Places) -> ServerLedger:
    return ServerLedger(places.wrapped)


def mark_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _as_json(kept: Kept) -> dict[str, object]:
    return {
        "path": kept.path,
        "client": kept.client,
        "scope": kept.scope,
        "before": base64.b64encode(kept.before).decode(),
        "after": kept.after,
        "servers": [list(pointer) for pointer in kept.servers],
    }


def _read(path: str) -> dict[str, Kept]:
    try:
        with open(path, "rb") as file:
            rows = json.load(file)["files"]
        return {row["path"]: _kept(row) for row in rows}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError) as error:
        hint = f"mv {path} {os.path.basename(path)}.aside: servers are then found by what stands in the files"
        raise SettingsError(f"{path} cannot be read: {error}", hint=hint) from None


def _kept(row: Mapping[str, Any]) -> Kept:
    return Kept(
        str(row["path"]),
        str(row["client"]),
        str(row["scope"]),
        base64.b64decode(row["before"]),
        str(row["after"]),
        tuple(tuple(map(str, pointer)) for pointer in row["servers"]),
    )
