"""`fairlead mcp unpin`: forget what was pinned."""

from __future__ import annotations

import click

from fairlead.doors.cli.given.servers import SERVER
from fairlead.doors.cli.mcp.pinned_servers import IN, called, key_named, now, person
from fairlead.doors.cli.output import Session, count, note
from fairlead.doors.mcp.pins.approval import forget, items_named
from fairlead.doors.mcp.pins.store import PinStore
from fairlead.policy.human import require_human


@click.command(name="unpin")
@click.argument("server", type=SERVER)
@click.argument("tools", metavar="[TOOL]...", nargs=-1)
@IN
@click.option("--yes", is_flag=True, help="Do not ask; a human must still be there.")
@click.pass_obj
def command(session: Session, *, server: str, tools: tuple[str, ...], scope: str | None, yes: bool) -> int:
    """Forget SERVER, or its TOOLs alone: the next sight is a first one. A human must be there.

    \b
    Examples:
      fairlead mcp unpin github
      fairlead mcp unpin github create_issue
    """
    store = PinStore(session.places)
    key = key_named(store, server, scope)
    items = items_named(store.read(key), tools) if tools else []
    what = f"{count(len(items), 'definition')} of {called(key)}" if items else f"all of {called(key)}"
    require_human(session.places, f"forget {what}", yes=yes)
    if items:
        forget(store, key, items, by=person(), at=now())
    else:
        store.forget(key)
    note(f"forgotten: {what}")
    return 0
