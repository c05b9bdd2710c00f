"""Another Fairlead on this machine: on the path, or in an agent's settings beside this one."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator

from fairlead.doors.cli.checkup.finding import Finding, note
from fairlead.doors.cli.checkup.installation import Installation
from fairlead.policy.installed import CLIENT

_CLIENTS = re.compile(rf"/[^\s\"'`;|&<>()]*/{CLIENT}\b")


def look_at_path(found: Installation) -> Iterator[Finding]:
    """The first `fairlead` on the path is the one that a person runs."""
    first = next(_on_path(os.environ.get("PATH", "")), "")
    facts = found.facts
    programs = (facts.interpreter, facts.record.get("origin", ""), sys.executable, facts.client)
    ours = {os.path.dirname(program) for program in programs if program}
    if first and os.path.realpath(first) not in {os.path.realpath(f"{folder}/fairlead") for folder in ours}:
        yield note(
            "path",
            f"`fairlead` on the path is {first}, another one than what agents are answered by",
            why="what you type and what your agents run may differ in version",
            fix=f"{first} install",
        )


def _on_path(path: str) -> Iterator[str]:
    for folder in path.split(os.pathsep):
        program = os.path.join(folder, "fairlead")
        if folder and os.path.isfile(program) and os.access(program, os.X_OK):
            yield program


def other_clients(content: bytes, ours: str) -> list[str]:
    """Every client but ours that a settings file names by its path.

    The end of our own path is ours: a path with a blank in it is found in pieces.
    """
    found = _CLIENTS.findall(content.decode("utf-8", "replace"))
    return sorted({path for path in found if not ours.endswith(path)})
