"""What `install` did to which file, so that `uninstall` can give every byte back."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os

from fairlead.errors import SettingsError
from fairlead.model.value import Value
from fairlead.settings import files
from fairlead.settings.change import Change, OwnFile, applied, is_ours, taken_back


class Entry(Value):
    """One file as it was before (None: it was not there), and the mark of what we left."""

    path: str
    agent: str
    scope: str
    before: bytes | None
    after: str
    folders: tuple[str, ...] = ()


class Ledger:
    """Kept as one JSON file in Fairlead's own state."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.entries = _read_entries(path)

    def of(self, agent: str, scope: str) -> list[Entry]:
        return [entry for entry in self.entries.values() if (entry.agent, entry.scope) == (agent, scope)]

    def install(self, change: Change, *, agent: str, scope: str) -> bool:
        """Makes the change on disk; false when there was nothing to do."""
        current = files.read(change.path)
        after = applied(change, current)
        known = self.entries.get(change.path)
        if after == current and known is not None:
            return False
        before = self._origin(change, current, known)
        if before is not None and not isinstance(change, OwnFile):
            files.keep_backup(change.path, before)
        mode = change.mode if isinstance(change, OwnFile) else 0o600
        folders = () if after == current else files.replace(change.path, current, after, mode=mode)
        if known is not None:
            folders = known.folders
        self.entries[change.path] = Entry(change.path, agent, scope, before, _mark(after), folders)
        self._write()
        return after != current

    def uninstall(self, path: str) -> bool:
        """Gives back every byte if nobody has touched the file since; else takes out what is ours."""
        entry, current = self.entries.get(path), files.read(path)
        if current is not None:
            untouched = entry is not None and entry.after == _mark(current)
            wanted = entry.before if untouched and entry is not None else taken_back(path, current)
            if wanted is None:
                files.remove(path, current)
            elif wanted != current:
                files.replace(path, current, wanted)
        files.drop_backup(path)
        if entry is not None:
            del self.entries[path]
            self._give_back(entry.folders)
            self._write()
        return current is not None

    def _give_back(self, folders: tuple[str, ...]) -> None:
        """Removes the folders that we made; one with another file of ours in it goes with that file."""
        files.remove_folders(folders)
        for folder in (folder for folder in folders if os.path.isdir(folder)):
            heirs = (entry for entry in self.entries.values() if entry.path.startswith(f"{folder}/"))
            heir = next(heirs, None)
            if heir is not None:
                kept = tuple(dict.fromkeys([folder, *heir.folders]))
                self.entries[heir.path] = heir.replace(folders=tuple(sorted(kept, key=len)))

    def touched(self, path: str) -> bool:
        """Whether somebody has changed the file since we did."""
        entry, current = self.entries.get(path), files.read(path)
        return entry is not None and (current is None or entry.after != _mark(current))

    def _origin(self, change: Change, current: bytes | None, known: Entry | None) -> bytes | None:
        """The file without us. After a change by somebody else that is not the file we first saw."""
        if current is None or isinstance(change, OwnFile):
            return None
        if known is not None and known.after == _mark(current):
            return known.before
        return taken_back(change.path, current) if is_ours(current) else current

    def _write(self) -> None:
        rows = [_as_json(entry) for entry in self.entries.values()]
        os.makedirs(os.path.dirname(self._path), mode=0o700, exist_ok=True)
        draft = f"{self._path}.{os.getpid()}.new"
        with open(draft, "w", encoding="utf-8", opener=_private) as file:
            json.dump({"version": 1, "files": rows}, file, indent=1)
        os.replace(draft, self._path)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW, 0o600)


def _mark(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _as_json(entry: Entry) -> dict[str, object]:
    before = None if entry.before is None else base64.b64encode(entry.before).decode()
    return {
        "path": entry.path,
        "agent": entry.agent,
        "scope": entry.scope,
        "before": before,
        "after": entry.after,
        "folders": list(entry.folders),
    }


def _read_entries(path: str) -> dict[str, Entry]:
    with contextlib.suppress(FileNotFoundError):
        try:
            with open(path, "rb") as file:
                rows = json.load(file)["files"]
            return {row["path"]: _as_entry(row) for row in rows}
        except (OSError, ValueError, KeyError, TypeError) as error:
            if isinstance(error, FileNotFoundError):
                raise
            hint = "remove it: `uninstall` then takes out what is marked as ours"
            raise SettingsError(f"{path} cannot be read: {error}", hint=hint) from None
    return {}


def _as_entry(row: dict[str, str | list[str] | None]) -> Entry:
    before = row["before"]
    return Entry(
        str(row["path"]),
        str(row["agent"]),
        str(row["scope"]),
        None if before is None else base64.b64decode(str(before)),
        str(row["after"]),
        tuple(row["folders"] or ()),
    )
