"""`fairlead mcp pins`: what is pinned of which server, and what waits for a person."""

from __future__ import annotations

import click

from fairlead.doors.cli.given.servers import SERVER
from fairlead.doors.cli.mcp.pinned_servers import IN, called, key_named, summary
from fairlead.doors.cli.output import Session, note, show_json, tell
from fairlead.doors.mcp.pins.item import Item
from fairlead.doors.mcp.pins.server_record import ServerRecord
from fairlead.doors.mcp.pins.server_start import spelled
from fairlead.doors.mcp.pins.store import PinError, PinStore
from fairlead.doors.mcp.pins.visible import in_one_line


@click.command(name="pins")
@click.argument("server", type=SERVER, required=False)
@IN
@click.option("--history", is_flag=True, help="What was pinned, held back and approved, by whom, and when.")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
@click.pass_obj
def command(session: Session, *, server: str | None, scope: str | None, history: bool, as_json: bool) -> int:
    """Show what is pinned of MCP servers, of all or of SERVER, and what waits for you.

    \b
    Examples:
      fairlead mcp pins
      fairlead mcp pins github --history
    """
    store = PinStore(session.places)
    if server is None:
        return _all(store, as_json=as_json)
    record = store.read(key_named(store, server, scope))
    if as_json:
        show_json(_as_json(record))
        return 0
    for line in [_history(record), _items(record)][not history]:
        tell(line)
    return 0


def _all(store: PinStore, *, as_json: bool) -> int:
    records: list[ServerRecord] = []
    for key in store.servers():
        try:
            records.append(store.read(key))
        except PinError as error:
            note(f"{error.message}; {error.hint}")
    for path in store.unreadable():
        note(f"{in_one_line(path)} is no file of pins any more: remove it, and look at its server again")
    if as_json:
        show_json([_as_json(record) for record in records])
        return 0
    for record in records:
        tell(f"{called(record.key)}  {summary(record)}")
    if not records:
        note("no MCP server was seen yet")
    return 0


def _items(record: ServerRecord) -> list[str]:
    lines = [f"  {spelled(known.identity)}  {known.by}, {known.at}" for known in record.servers]
    if record.waiting:
        lines.append(f"  {spelled(record.waiting)}  waits")
    for item in record.items.values():
        lines.append(f"  {item.kind} {in_one_line(item.name)}  {_state(item)}")
    return [f"{called(record.key)}  {summary(record)}", *lines]


def _state(item: Item) -> str:
    waits = f"waits: {', '.join(item.waiting.why)}, since {item.waiting.since}" if item.waiting else ""
    pinned = f"{item.by}, {item.at}" if item.pinned else ""
    return "; ".join(part for part in (pinned, waits) if part)


def _history(record: ServerRecord) -> list[str]:
    return [f"{line.at}  {in_one_line(line.by)}  {in_one_line(line.what)}" for line in record.history]


def _as_json(record: ServerRecord) -> dict[str, object]:
    return {
        "name": record.key.name,
        "project": record.key.scope,
        "commands": [spelled(known.identity) for known in record.servers],
        "waiting_command": spelled(record.waiting) if record.waiting else "",
        "items": [
            {
                "kind": str(item.kind),
                "name": item.name,
                "pinned": item.pinned is not None,
                "by": item.by,
                "at": item.at,
                "waits": list(map(str, item.waiting.why)) if item.waiting else [],
                "since": item.waiting.since if item.waiting else "",
            }
            for item in record.items.values()
        ],
        "history": [{"at": line.at, "by": line.by, "what": line.what} for line in record.history],
    }
