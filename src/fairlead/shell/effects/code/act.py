"""What code was found to do, before paths are resolved: the same for every language."""

from __future__ import annotations

from fairlead.model.value import Value
from fairlead.shell.effects.effect import Action


class Act(Value):
    """One thing that code does.

    `kind` is an action's value, or `shell` (`text` is a command line), `argv` (`words` are a command),
    `sql`, `code` (`text` is more code in the same language).
    """

    kind: str
    text: str = ""
    words: tuple[str, ...] = ()
    recursive: bool = False
    glob: bool = False
    name: str = ""
    detail: str = ""


def on_path(action: Action, path: str, *, name: str, recursive: bool = False, detail: str = "") -> Act:
    wild = any(sign in path for sign in "*?[")
    return Act(str(action), path, recursive=recursive, glob=wild, name=name, detail=detail)
