"""A change of a settings file as people read it."""

from __future__ import annotations

import difflib

from fairlead.doors.cli.output import say
from fairlead.settings import files
from fairlead.settings.change import Change, applied


def show_change(agent: str, change: Change) -> None:
    before = files.read(change.path) or b""
    after = applied(change, before or None)
    say(f"# {agent}: {change.path}{'' if before else ' (new)'}")
    lines = difflib.unified_diff(
        before.decode(errors="replace").splitlines(), after.decode(errors="replace").splitlines(), lineterm=""
    )
    for line in list(lines)[2:]:
        say(line)
