"""The server that a person means by a name, and how its pins are shown."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Sequence

import click

from fairlead.doors.cli.output import count
from fairlead.doors.mcp.pins.difference import lines_of
from fairlead.doors.mcp.pins.door_pins import scope_of
from fairlead.doors.mcp.pins.item import Item
from fairlead.doors.mcp.pins.server_record import ServerKey, ServerRecord
from fairlead.doors.mcp.pins.server_start import spelled
from fairlead.doors.mcp.pins.store import PinStore
from fairlead.doors.mcp.pins.visible import in_one_line
from fairlead.errors import UsageError
from fairlead.platforms import here
from fairlead.policy.reading.schema import suggestion

IN = click.option(
    "--in", "scope", type=click.Path(), metavar="PATH", help="The server of that name in the project at PATH."
)


def key_named(store: PinStore, name: str, scope: str | None) -> ServerKey:
    """Of this project, else the user's own, else the only one of that name. Raises UsageError."""
    if scope is not None:
        wanted = [ServerKey(name, os.path.realpath(scope))]
    else:
        wanted = [ServerKey(name, scope_of(os.getcwd())), ServerKey(name)]
    for key in wanted:
        if os.path.lexists(store.path(key)):
            return key
    known = store.servers()
    found = [key for key in known if key.name == name]
    if scope is None and len(found) == 1:
        return found[0]
    if scope is None and found:
        places = ", ".join(in_one_line(key.scope) for key in found)
        raise UsageError(f"{name!r} is pinned in {places}", hint="say which one: --in PATH")
    hint = suggestion(name, [key.name for key in known], otherwise="`fairlead mcp pins` lists what is pinned")
    raise UsageError(f"no server was seen under the name {name!r}", hint=hint)


def called(key: ServerKey) -> str:
    return f"{in_one_line(key.name)} in {in_one_line(key.scope)}" if key.scope else in_one_line(key.name)


def summary(record: ServerRecord) -> str:
    """`14 tools, 1 prompt; 2 wait`."""
    kinds = Counter(str(item.kind) for item in record.items.values() if item.pinned)
    parts = [count(number, kind.removesuffix("s")) for kind, number in kinds.items()]
    waiting = len(record.waiting_items)
    text = ", ".join(parts) or "nothing pinned"
    text += f"; {waiting} {'waits' if waiting == 1 else 'wait'}" if waiting else ""
    return f"{text}; another command waits" if record.waiting else text


def waiting_lines(record: ServerRecord, items: Sequence[Item]) -> list[str]:
    """Everything that a person has to see before saying yes to it."""
    lines: list[str] = []
    if record.waiting is not None:
        lines.append(f"{called(record.key)}  started by another command or program than was pinned")
        lines += [f"    - {spelled(known.identity)}" for known in record.servers]
        lines.append(f"    + {spelled(record.waiting)}")
    for item in items:
        if item.waiting is not None:
            why = ", ".join(item.waiting.why)
            named = f"{item.kind} {in_one_line(item.name)}"
            lines.append(f"{called(record.key)}  {named}  {why}, since {item.waiting.since}")
            lines += lines_of(item)
    return lines


def now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def person() -> str:
    return here.name_of_user() or f"user {os.getuid()}"
