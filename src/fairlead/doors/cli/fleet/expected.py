"""The list of machines that there should be: a line each with its name, its group, and its key."""

from __future__ import annotations

from fairlead.doors.cli.bundle.files import bytes_of
from fairlead.doors.fleet.centre.broker_config import Machine
from fairlead.errors import UsageError


def machines_in(path: str, *, keys: bool = True) -> list[Machine]:
    """`keys`: each line needs one. Raises UsageError with the line that is wrong."""
    found = []
    for number, line in enumerate(bytes_of(path).decode("utf-8", "replace").splitlines(), start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if len(words) != 3 and (keys or len(words) != 2):
            hint = "machine, group and key, as `fairlead fleet enrol` prints them"
            raise UsageError(f"{path}:{number}: {line[:60]!r} is no machine", hint=hint)
        found.append(Machine(words[0], words[1], words[2] if len(words) == 3 else ""))
    return found
