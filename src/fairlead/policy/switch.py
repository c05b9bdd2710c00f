"""Turns an entry on or off by editing one line of a policy, and leaves every other line as it was."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from fairlead.errors import PolicyError
from fairlead.model.event_name import EventName
from fairlead.policy.find import FILE_NAME, read_file
from fairlead.policy.places import write_private
from fairlead.policy.reading.document import MAX_BYTES
from fairlead.policy.reading.entry import Entry
from fairlead.policy.reading.load import load_file

SWITCHES = "switches"
_HEADER = "# Written by `fairlead hooks enable` and `disable`. Edit it as you like.\n"


def switch(entries: Iterable[Entry], *, enabled: bool, config: str) -> list[str]:
    """Set `enabled` of these entries, each in the file that has the last word on it; the files changed.

    What the user cannot or should not edit (built-in, system, `--policy`) is overridden under `config`, the
    root of the user's own policy.
    """
    changed = []
    for entry in entries:
        own = entry.layer in ("user", "project")
        path = entry.file if own else _switches(config, entry.event)
        if not own and not os.path.exists(path):
            write_private(path, f"{_HEADER}event: {entry.event}\nmiddleware:\n".encode())
        text = _text(path)
        write_edited(path, text, set_enabled(text, path, entry, enabled=enabled))
        changed.append(path)
    return changed


def set_enabled(text: str, path: str, entry: Entry, *, enabled: bool) -> str:
    """The text with this entry switched. Raises PolicyError when one line cannot do it."""
    word = "true" if enabled else "false"
    written = _find(text, path, entry.id)
    if written is None:
        edited = f"{text.rstrip()}\n  - id: {entry.id}\n    enabled: {word}\n"
    else:
        edited = _edited(text, written, word)
    after = _find(edited, path, entry.id)
    if after is None or after.broken != (written.broken if written else None) or after.enabled is not enabled:
        raise PolicyError(
            f"{entry.id!r} cannot be switched in {path}", hint=f"write `enabled: {word}` there by hand"
        )
    return edited


def write_edited(path: str, before: str, after: str) -> None:
    """Replace the file, with the mode that it had, unless somebody else changed it meanwhile."""
    if _text(path) != before:
        raise PolicyError(f"{path} changed just now", hint="run the command again")
    mode = os.stat(path).st_mode & 0o777
    draft = f"{path}.{os.getpid()}.new"
    with open(draft, "w", encoding="utf-8") as file:
        file.write(after)
    os.chmod(draft, mode)
    os.replace(draft, path)


def _switches(config: str, event: EventName) -> str:
    return os.path.join(config, "hooks", SWITCHES, str(event).lower(), FILE_NAME)


def _text(path: str) -> str:
    try:
        return read_file(path, MAX_BYTES).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise PolicyError(f"{path} cannot be edited: {error}", hint="mend it first") from error


def _find(text: str, path: str, id_: str) -> Entry | None:
    entries = load_file(text.encode(), path, layer="user").entries
    return next((entry for entry in entries if entry.id == id_), None)


def _edited(text: str, entry: Entry, word: str) -> str:
    lines = text.split("\n")
    if "enabled" in entry.spots:
        number, column = entry.spots["enabled"]
        line = lines[number - 1]
        lines[number - 1] = line[: column - 1] + re.sub(
            r"^(enabled['\"]?\s*:\s*)[A-Za-z]+", rf"\g<1>{word}", line[column - 1 :]
        )
        return "\n".join(lines)
    number, column = entry.spots["id"]
    lines.insert(number, f"{' ' * (column - 1)}enabled: {word}")
    return "\n".join(lines)
