"""`fairlead mcp diff`: what changed in what a server says of itself."""

from __future__ import annotations

import click

from fairlead.doors.cli.given.servers import SERVER
from fairlead.doors.cli.mcp.pinned_servers import IN, key_named, waiting_lines
from fairlead.doors.cli.output import Session, note, show_json, tell
from fairlead.doors.mcp.pins.approval import items_named
from fairlead.doors.mcp.pins.difference import changes_of
from fairlead.doors.mcp.pins.item import Item
from fairlead.doors.mcp.pins.server_record import ServerRecord
from fairlead.doors.mcp.pins.server_start import spelled
from fairlead.doors.mcp.pins.store import PinStore


@click.command(name="diff")
@click.argument("server", type=SERVER, required=False)
@click.argument("tools", metavar="[TOOL]...", nargs=-1)
@IN
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
@click.pass_obj
def command(
    session: Session, *, server: str | None, tools: tuple[str, ...], scope: str | None, as_json: bool
) -> int:
    """Show what waits for you: of all servers, of SERVER, or of its TOOLs alone.

    Letters that nobody sees are spelled out. What is pinned stands behind -, what the server says now behind
    +, and what no definition needs behind !.

    \b
    Examples:
      fairlead mcp diff
      fairlead mcp diff github create_issue
    """
    store = PinStore(session.places)
    keys = store.servers() if server is None else [key_named(store, server, scope)]
    found = [(record, items_of(record, tools)) for record in map(store.read, keys)]
    if as_json:
        show_json([_as_json(record, items) for record, items in found if items or record.waiting])
        return 0
    lines = [line for record, items in found for line in waiting_lines(record, items)]
    for line in lines:
        tell(line)
    if not lines:
        note("nothing waits: everything is as it was pinned")
    return 0


def items_of(record: ServerRecord, tools: tuple[str, ...]) -> list[Item]:
    """Those that wait, of these names or of all."""
    named = items_named(record, tools) if tools else record.waiting_items
    return [item for item in named if item.waiting is not None]


def _as_json(record: ServerRecord, items: list[Item]) -> dict[str, object]:
    return {
        "name": record.key.name,
        "project": record.key.scope,
        "waiting_command": spelled(record.waiting) if record.waiting else "",
        "commands": [spelled(known.identity) for known in record.servers],
        "items": [
            {
                "kind": str(item.kind),
                "name": item.name,
                "why": list(map(str, item.waiting.why)),
                "since": item.waiting.since,
                "changes": [
                    {"where": each.where, "before": each.before, "after": each.after}
                    for each in changes_of(item)
                ],
                "findings": [
                    {"shape": each.shape, "why": each.why, "where": each.where, "text": each.text}
                    for each in item.waiting.findings
                ],
            }
            for item in items
            if item.waiting is not None
        ],
    }
