"""A change to one settings file: how it is made, and how it is taken back."""

from __future__ import annotations

import os.path

from fairlead.errors import SettingsError
from fairlead.model.value import Value
from fairlead.settings import files
from fairlead.settings.formats import json_edit, toml_text, toml_values
from fairlead.settings.formats.json_edit import MARK, Edit, Forced


class OwnFile(Value):
    """A file that is ours alone. Somebody else's file of that name is not touched."""

    path: str
    content: bytes
    mode: int = 0o644


class JsonEntries(Value):
    """Entries in a JSON file that belongs to the agent or to the user."""

    path: str
    edits: tuple[Edit, ...]


class TomlBlock(Value):
    """Tables of ours at the end, and values that have to stand in tables of others."""

    path: str
    block: str
    forced: tuple[Forced, ...] = ()


Change = OwnFile | JsonEntries | TomlBlock


def applied(change: Change, before: bytes | None) -> bytes:
    """What the file has to be. Applying twice is applying once."""
    if isinstance(change, OwnFile):
        if before is not None and MARK.encode() not in before:
            raise SettingsError(f"{change.path} is there and is not ours", hint="move it away, and try again")
        return change.content
    text = files.text_of(before or b"", change.path)
    try:
        if isinstance(change, TomlBlock):
            return _with_block(change, text).encode()
        return _with_entries(change, text).encode()
    except SettingsError as error:
        raise SettingsError(
            f"{change.path}:{error.message}", hint=error.hint or "nothing was changed"
        ) from None


def _with_block(change: TomlBlock, text: str) -> str:
    if not change.forced:
        return toml_text.with_block(text, change.block)
    kept = toml_text.without_block(text)
    for value in change.forced:
        kept = toml_values.with_value(kept, value)
    return toml_text.with_block(kept, change.block)


def _with_entries(change: JsonEntries, text: str) -> str:
    """Entries that are there as they should be stay where they are; other ones of ours are replaced."""
    if text.strip():
        in_place = json_edit.with_entries(text, change.edits)
        if in_place == text:
            return text
    return json_edit.with_entries(json_edit.without_entries(text), change.edits)


def taken_back(path: str, current: bytes) -> bytes | None:
    """The file without what is ours; None when nothing else is left in it."""
    if os.path.basename(path).startswith("fairlead"):
        return None if is_ours(current) else current
    if path.endswith(".toml"):
        kept = toml_text.without_block(files.text_of(current, path))
    elif path.endswith(".json"):
        kept = json_edit.without_entries(files.text_of(current, path))
    else:
        return None if is_ours(current) else current
    return kept.encode() if kept.strip() not in ("", "{}") else None


def is_ours(current: bytes) -> bool:
    """Whether the file holds anything of ours."""
    return MARK.encode() in current
