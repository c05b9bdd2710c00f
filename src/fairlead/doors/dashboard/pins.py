"""What waits for a person of what MCP servers say of themselves, and the person's yes from the dashboard."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping

from starlette.requests import Request

from fairlead.doors.dashboard.sources import Sources
from fairlead.doors.mcp.pins.approval import approve
from fairlead.doors.mcp.pins.difference import lines_of
from fairlead.doors.mcp.pins.item import Item
from fairlead.doors.mcp.pins.server_record import ServerKey, ServerRecord, item_id
from fairlead.doors.mcp.pins.server_start import spelled
from fairlead.doors.mcp.pins.store import PinError, PinStore
from fairlead.doors.mcp.pins.visible import in_one_line
from fairlead.errors import UsageError
from fairlead.platforms import here


def waiting_pins(sources: Sources, request: Request) -> list[dict[str, object]]:
    """Each with the lines that `fairlead mcp diff` shows, and what a yes has to name."""
    store = PinStore(sources.places)
    found: list[dict[str, object]] = []
    for key in store.servers():
        try:
            found += _of_server(store.read(key))
        except PinError as error:
            found.append({**_named(key), "id": "", "what": "", "lines": [f"{error.message}; {error.hint}"]})
    return found


def _of_server(record: ServerRecord) -> Iterator[dict[str, object]]:
    named = _named(record.key)
    if record.waiting is not None:
        lines = [*(f"- {spelled(each.identity)}" for each in record.servers), f"+ {spelled(record.waiting)}"]
        yield {**named, "id": "", "what": "another command or program", "lines": lines}
    for item in record.waiting_items:
        assert item.waiting is not None
        yield {
            **named,
            "id": item_id(item.kind, item.name),
            "what": f"{item.kind} {in_one_line(item.name)}",
            "why": list(map(str, item.waiting.why)),
            "since": item.waiting.since,
            "seen": _seen(item),
            "lines": lines_of(item),
        }


def _named(key: ServerKey) -> dict[str, object]:
    return {"server": key.name, "project": key.scope}


def _seen(item: Item) -> str:
    """Names the definition that was shown."""
    assert item.waiting is not None
    return f"{item.waiting.definition.words}.{item.waiting.definition.rest}"


def let_through(sources: Sources, request: Request, given: Mapping[str, object]) -> dict[str, object]:
    """One definition, if it still is the one that was shown. Another command is let through in a terminal."""
    store = PinStore(sources.places)
    record = store.read(ServerKey(str(given.get("server")), str(given.get("project"))))
    item = record.items.get(str(given.get("id")))
    if item is None or item.waiting is None or _seen(item) != given.get("seen"):
        raise UsageError("that does not wait any more, or it changed", hint="load the page again")
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    approve(store, record, [item], server=False, by=here.name_of_user() or f"user {os.getuid()}", at=at)
    return {"id": given.get("id")}
