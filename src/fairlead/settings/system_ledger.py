"""What `install --system` did to which file of the machine, so that every byte, mode and owner can be given
back. Only root reads it: a file may have been closed to others before."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
from collections.abc import Sequence

from fairlead.errors import SettingsError
from fairlead.model.value import Value
from fairlead.settings import files, system_files
from fairlead.settings.change import Change, OwnFile, applied, is_ours, taken_back
from fairlead.settings.formats import json_edit, toml_values
from fairlead.settings.formats.json_edit import Forced, Included
from fairlead.settings.system_files import ROOT, Standing

Lock = Forced | Included
LEDGER = "/var/lib/fairlead/managed.json"


class SystemEntry(Value):
    """One file as it was before, and the mark of what was left there."""

    path: str
    agent: str
    before: Standing
    after: str
    folders: tuple[str, ...] = ()


class SystemLedger:
    def __init__(self, path: str = LEDGER, *, owner: int = ROOT) -> None:
        self._path, self._owner = path, owner
        self.entries = _read(path)

    def install(self, change: Change, *, agent: str, forced: Sequence[Lock] = ()) -> bool:
        """Makes the change; false when there was nothing to do. `forced` are all values that a change of this
        agent may have forced: an earlier one may have forced more of them.

        What was there before is on the disk before the file is touched: whatever ends this between two steps,
        a further install or uninstall finds it.
        """
        standing, known = system_files.look(change.path), self.entries.get(change.path)
        before = self._origin(change, standing, known, forced)
        after = applied(change, before.content)
        as_it_should = standing.content == after and not system_files.fault(change.path, owner=self._owner)
        if as_it_should and known is not None:
            return False
        folders = system_files.missing_folders(os.path.dirname(change.path))
        folders = folders or (known.folders if known is not None else ())
        self._note(change.path, SystemEntry(change.path, agent, before, _mark(after), folders))
        try:
            system_files.put(change.path, standing, after, owner=self._owner)
        except SettingsError:
            self._note(change.path, known)
            raise
        return standing.content != after

    def _note(self, path: str, entry: SystemEntry | None) -> None:
        self.entries.pop(path, None)
        if entry is not None:
            self.entries[path] = entry
        self._write()

    def uninstall(self, path: str, *, forced: Sequence[Lock] = ()) -> None:
        """Gives back every byte if nobody has touched the file since; else takes out what is ours."""
        entry = self.entries[path]
        system_files.remove_drafts(path)
        now = system_files.look(path)
        if now.content is not None:
            before = entry.before
            if entry.after != _mark(now.content):
                before = now.replace(content=without_ours(path, now.content, entry.before.content, forced))
            system_files.give_back(path, now, before)
        del self.entries[path]
        files.remove_folders(entry.folders)
        self._write()

    def _origin(
        self, change: Change, now: Standing, known: SystemEntry | None, forced: Sequence[Lock]
    ) -> Standing:
        """The file without us. After a change by somebody else that is not the one that we first saw."""
        if now.content is None:
            return now
        if known is not None and known.after == _mark(now.content):
            return known.before
        if isinstance(change, OwnFile):
            return Standing(None) if is_ours(now.content) else now
        if not is_ours(now.content):
            return now
        before = known.before if known is not None else now.replace(content=None)
        return before.replace(content=without_ours(change.path, now.content, before.content, forced))

    def _write(self) -> None:
        rows = [_as_json(entry) for entry in self.entries.values()]
        folder = os.path.dirname(self._path)
        draft = f"{self._path}.{os.getpid()}.new"
        try:
            os.makedirs(folder, mode=0o755, exist_ok=True)
            system_files.remove_drafts(self._path)
            with open(draft, "w", encoding="utf-8", opener=_private) as file:
                json.dump({"version": 1, "files": rows}, file, indent=1)
                file.flush()
                os.fsync(file.fileno())
            os.replace(draft, self._path)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.unlink(draft)
            raise SettingsError(
                f"{self._path} cannot be written: {error.strerror}", hint="make room, and run it again"
            ) from None


def without_ours(path: str, now: bytes, before: bytes | None, forced: Sequence[Lock]) -> bytes | None:
    """Without our entries, and with the values that were forced as they were; None when nothing is left."""
    kept = taken_back(path, now)
    if kept is None:
        return None
    text = files.text_of(kept, path)
    for each in forced:
        text = _as_before(path, text, files.text_of(before or b"", path), each)
    return text.encode() if text.strip() not in ("", "{}") else None


def _as_before(path: str, text: str, before: str, forced: Lock) -> str:
    """Somebody else may have changed it since: then it is theirs."""
    if isinstance(forced, Included):
        return json_edit.without_included(text, before, forced)
    is_toml = path.endswith(".toml")
    value_at = toml_values.value_in if is_toml else json_edit.value_in
    if not json_edit.is_same(value_at(text, forced.pointer), forced.value):
        return text
    old = value_at(before, forced.pointer)
    if old is not None:
        then = Forced(forced.pointer, old)
        return toml_values.with_value(text, then) if is_toml else json_edit.with_entries(text, [then])
    if is_toml:
        return toml_values.without_value(text, forced.pointer)
    return json_edit.without_new_member(text, before, forced.pointer)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW, 0o600)


def _mark(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _as_json(entry: SystemEntry) -> dict[str, object]:
    content = entry.before.content
    return {
        "path": entry.path,
        "agent": entry.agent,
        "before": None if content is None else base64.b64encode(content).decode(),
        "mode": entry.before.mode,
        "owner": [entry.before.owner, entry.before.group],
        "after": entry.after,
        "folders": list(entry.folders),
    }


def _read(path: str) -> dict[str, SystemEntry]:
    try:
        with open(path, "rb") as file:
            rows = json.load(file)["files"]
        return {row["path"]: _as_entry(row) for row in rows}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError) as error:
        hint = "only root reads it; where it is damaged, remove it and the files by hand"
        raise SettingsError(f"{path} cannot be read: {error}", hint=hint) from None


def _as_entry(row: dict[str, object]) -> SystemEntry:
    before, owner = row["before"], row["owner"]
    assert isinstance(owner, list)
    content = None if before is None else base64.b64decode(str(before))
    standing = Standing(content, int(str(row["mode"])), int(owner[0]), int(owner[1]))
    folders = row["folders"]
    assert isinstance(folders, list)
    return SystemEntry(str(row["path"]), str(row["agent"]), standing, str(row["after"]), tuple(folders))
