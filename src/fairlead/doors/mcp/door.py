"""`fairlead mcp -- COMMAND…`: starts the server, and stands before it.

A server takes longer to start than the judge takes to load, so it is started first, and meanwhile the rest of
the door is put together. Nothing is said to it before that.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from fairlead.doors.mcp.environment import least
from fairlead.doors.mcp.stdio.server_process import resolved, start
from fairlead.errors import UsageError
from fairlead.model.value import Value

GRACE = 2.0
"""Seconds that a server has to end after its stdin, then after SIGTERM. Clients give as much."""


class Entry(Value):
    """A server as its client is configured to start it."""

    name: str
    vector: tuple[str, ...]
    listed: tuple[str, ...] = ()
    """Names of variables that it gets besides the base."""
    grace: float = GRACE
    home: str = ""


def run(entry: Entry) -> int:
    """Until the server has ended; its exit code. Raises CannotStartError."""
    environment = least(os.environ, entry.listed)
    program = resolved(entry.vector[0], environment)
    server = start(program, entry.vector, environment)
    from fairlead.doors.mcp.assembled import stand_before  # while the server starts

    return stand_before(server, entry, environment)


def default_name(vector: Sequence[str]) -> str:
    """Where the configuration gives none."""
    return os.path.basename(vector[0])


def entry_of(words: Sequence[str]) -> Entry:
    """`[--home DIR] mcp [--name N] [--env NAME]... [--grace SECONDS] -- COMMAND...`, as the hidden command
    reads it, too; to load what reads all commands takes a fifth of the start. Raises UsageError."""
    before, _, vector = _halves(words)
    options: dict[str, list[str]] = {}
    rest = iter(before)
    for word in rest:
        name, given, value = word.partition("=")
        if name not in ("--home", "--name", "--env", "--grace", "mcp"):
            raise UsageError(f"{word!r} is no option of the door")
        if name != "mcp":
            options.setdefault(name, []).append(value if given else next(rest, ""))
    if not vector:
        raise UsageError("no server is given")
    return Entry(
        name=options.get("--name", [default_name(vector)])[-1],
        vector=tuple(vector),
        listed=tuple(options.get("--env", ())),
        grace=_seconds(options.get("--grace", [str(GRACE)])[-1]),
        home=options.get("--home", [os.environ.get("FAIRLEAD_HOME", "")])[-1],
    )


def _halves(words: Sequence[str]) -> tuple[Sequence[str], str, Sequence[str]]:
    place = words.index("--") if "--" in words else len(words)
    return words[:place], "--", words[place + 1 :]


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < float("inf"):
        raise UsageError(f"{text!r} is no number of seconds")
    return seconds
