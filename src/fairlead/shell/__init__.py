"""Reads shell text into what would run. Knows no hooks, runs nothing, and is usable alone."""

from __future__ import annotations

TYPE_CHECKING = False  # what type checkers take for True; a hook call imports this package
if TYPE_CHECKING:
    from fairlead.shell.reader import read_script as read_script
    from fairlead.shell.script import Script as Script
    from fairlead.shell.script_view import as_data as as_data
    from fairlead.shell.script_view import as_text as as_text

__all__ = ["Script", "as_data", "as_text", "read_script"]

_PLACES = {
    "Script": "fairlead.shell.script",
    "as_data": "fairlead.shell.script_view",
    "as_text": "fairlead.shell.script_view",
    "read_script": "fairlead.shell.reader",
}


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"fairlead.shell has no {name!r}")
    from importlib import import_module

    return getattr(import_module(_PLACES[name]), name)
