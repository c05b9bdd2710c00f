"""What a person says of definitions that wait. Callers ask `require_human` first."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from fairlead.doors.mcp.pins.item import Item, approved
from fairlead.doors.mcp.pins.server_record import HistoryLine, ServerKey, ServerRecord, item_id
from fairlead.doors.mcp.pins.server_start import spelled, with_server
from fairlead.doors.mcp.pins.store import PinStore
from fairlead.errors import TrustError, UsageError
from fairlead.policy.reading.schema import suggestion


def items_named(record: ServerRecord, names: Sequence[str]) -> list[Item]:
    """By name, or by kind and name: `search`, `prompt/search`. Raises UsageError for one that is nobody's."""
    found: list[Item] = []
    for name in names:
        fit = [item for id_, item in record.items.items() if name in (item.name, id_)]
        if not fit:
            known = [item.name for item in record.items.values()]
            hint = suggestion(name, known, otherwise=f"`fairlead mcp pins {record.key.name}` lists them")
            raise UsageError(f"nothing of {record.key.name!r} is called {name!r}", hint=hint)
        found += fit
    return found


def approve(
    store: PinStore, reviewed: ServerRecord, items: Collection[Item], *, server: bool, by: str, at: str
) -> ServerRecord:
    """Pins what waits, as it was reviewed; refuses if it has changed since. `server`: the command, too."""

    def step(record: ServerRecord) -> ServerRecord:
        for item in items:
            if record.item(item.kind, item.name) != item:
                raise _moved(record.key)
            record = record.with_item(approved(item, by=by, at=at))
            record = record.noted(HistoryLine(at, by, f"{item.kind} {item.name}: approved"))
        if server:
            if record.waiting is None or record.waiting != reviewed.waiting:
                raise _moved(record.key)
            line = HistoryLine(at, by, f"{spelled(record.waiting)}: approved")
            record = with_server(record, record.waiting, by=by, at=at).noted(line)
        return record

    return store.change(reviewed.key, step)


def forget(store: PinStore, key: ServerKey, items: Collection[Item], *, by: str, at: str) -> None:
    """As if they had never been seen."""
    gone = {item_id(item.kind, item.name) for item in items}

    def step(record: ServerRecord) -> ServerRecord:
        kept = {id_: item for id_, item in record.items.items() if id_ not in gone}
        lines = [HistoryLine(at, by, f"{id_}: forgotten") for id_ in sorted(gone)]
        return record.replace(items=kept).noted(*lines)

    store.change(key, step)


def _moved(key: ServerKey) -> TrustError:
    return TrustError(
        f"what {key.name!r} offers changed while it was reviewed",
        hint=f"look again: fairlead mcp diff {key.name}",
    )
