"""Hooks of others that Cline runs for the same event as ours.

It runs every file of an event, each with the call as the model made it, and the last one that gives another
input wins: a refusal that is nothing but another input does not hold beside such a file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from fairlead.errors import SettingsError
from fairlead.settings import files
from fairlead.settings.change import is_ours

_OF_USER = ("Documents/Cline/Hooks", ".cline/hooks")
_OF_PROJECT = (".clinerules/hooks", ".cline/hooks")
_ENDINGS = frozenset(
    {"", ".sh", ".bash", ".zsh", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".py", ".ps1"}
)


def gates_of_others(home: str, *projects: str) -> Iterator[str]:
    """Paths of the files that are asked before a tool runs and are not ours; any folder may be left empty."""
    home = home or os.path.expanduser("~")
    folders = [os.path.join(home, name) for name in _OF_USER]
    folders += [os.path.join(project, name) for project in projects if project for name in _OF_PROJECT]
    for folder in dict.fromkeys(folders):
        for name in _names_in(folder):
            path = os.path.join(folder, name)
            if _is_gate(name) and os.path.isfile(path) and not _holds_ours(path):
                yield path


def _names_in(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _is_gate(name: str) -> bool:
    stem, ending = os.path.splitext(name)
    return ending.lower() in _ENDINGS and stem.strip().lower() == "pretooluse"


def _holds_ours(path: str) -> bool:
    try:
        return is_ours(files.read(path) or b"")
    except SettingsError:
        return False
