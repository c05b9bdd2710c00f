"""The client that agents start, and the lines beside it that tell it who answers without a daemon.

`interpreter`, `home` and `timeout` are read by the client itself; `build` and `origin` are for people and for
`status`: which build of the package answers, and which interpreter it was made from.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping

from fairlead.policy.places import Places, write_private

CLIENT = "fairlead-hook"
_BOUND = 16384


def client_path(places: Places) -> str:
    return os.path.join(places.share, "bin", CLIENT)


def record_path(places: Places) -> str:
    return f"{client_path(places)}.record"


def environments_folder(places: Places) -> str:
    """Where the environments that belong to Fairlead alone are kept."""
    return os.path.join(places.share, "env")


def is_private(interpreter: str, places: Places) -> bool:
    """Whether it is one of the environments that belong to Fairlead alone."""
    return interpreter.startswith(f"{environments_folder(places)}/")


def read_record(places: Places) -> dict[str, str]:
    """Empty when there is none, or when somebody else could have written it: so the client sees it, too."""
    try:
        descriptor = os.open(record_path(places), os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return {}
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        others_write = stat.S_IMODE(found.st_mode) & 0o022
        if not stat.S_ISREG(found.st_mode) or others_write or found.st_uid not in (os.getuid(), 0):
            return {}
        lines = os.fsdecode(file.read(_BOUND)).split("\n")
    return {key: value for key, given, value in (line.partition("=") for line in lines) if given}


def write_record(places: Places, values: Mapping[str, str]) -> None:
    """In one step, and only if it changes: the daemon takes another record for another installation."""
    if values != read_record(places):
        lines = "".join(f"{key}={value}\n" for key, value in values.items())
        write_private(record_path(places), os.fsencode(lines))


def recorded_interpreter(places: Places) -> str:
    """The one that answers for the agents, if it can be run; else empty."""
    interpreter = read_record(places).get("interpreter", "")
    return interpreter if interpreter and os.access(interpreter, os.X_OK) else ""
