"""`fairlead mcp pin`: let through what waits, after a look at it."""

from __future__ import annotations

import click

from fairlead.doors.cli.given.servers import SERVER
from fairlead.doors.cli.mcp.diff import items_of
from fairlead.doors.cli.mcp.pinned_servers import IN, called, key_named, now, person, waiting_lines
from fairlead.doors.cli.output import Session, count, note, tell
from fairlead.doors.mcp.pins.approval import approve
from fairlead.doors.mcp.pins.item import Item
from fairlead.doors.mcp.pins.server_record import ServerRecord
from fairlead.doors.mcp.pins.store import PinStore
from fairlead.policy.human import require_human


@click.command(name="pin")
@click.argument("server", type=SERVER)
@click.argument("tools", metavar="[TOOL]...", nargs=-1)
@IN
@click.option("--yes", is_flag=True, help="Do not ask; a human must still be there.")
@click.pass_obj
def command(session: Session, *, server: str, tools: tuple[str, ...], scope: str | None, yes: bool) -> int:
    """Let through what waits of SERVER, or of its TOOLs alone. This loosens, so a human must be there.

    What is shown is what is pinned: if the server says something else by then, nothing is. Without a TOOL
    another command or program counts from then on, too.

    \b
    Examples:
      fairlead mcp pin github
      fairlead mcp pin github create_issue
    """
    store = PinStore(session.places)
    record = store.read(key_named(store, server, scope))
    items = items_of(record, tools)
    other = record.waiting is not None and not tools
    if not items and not other:
        note(f"nothing of {called(record.key)} waits")
        return 0
    for line in waiting_lines(record if other else record.replace(waiting=None), items):
        tell(line)
    what = _what(record, items, other=other)
    require_human(session.places, f"let through {what}", yes=yes)
    approve(store, record, items, server=other, by=person(), at=now())
    note(f"pinned: {what}")
    return 0


def _what(record: ServerRecord, items: list[Item], *, other: bool) -> str:
    parts = [*(["another command"] if other else []), *([count(len(items), "definition")] if items else [])]
    return f"{' and '.join(parts)} of {called(record.key)}"
