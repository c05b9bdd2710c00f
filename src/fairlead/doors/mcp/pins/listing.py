"""A list that a server gave, held against its record. Nothing here is I/O."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from fairlead.doors.mcp.pins.definition import Definition, Kind
from fairlead.doors.mcp.pins.item import Event, Item, Sight, Why, fits, look_at
from fairlead.doors.mcp.pins.poison.search import Finding, poison_in
from fairlead.doors.mcp.pins.report import Notice, NoticeKind, command_words, refusal, shapes_of, shown
from fairlead.doors.mcp.pins.same_names import taken_by
from fairlead.doors.mcp.pins.server_record import MOST_ITEMS, HistoryLine, ServerRecord
from fairlead.model.value import Value

_NAMED = 6
"""Names in one notice."""
Others = Callable[[], Iterable[ServerRecord]]
Kin = Callable[[], tuple[ServerRecord, ...]]
"""The same server as it was seen in other projects."""


class Seen(Value):
    """One definition of the list; `fault` is why it can be no pin at all."""

    members: Mapping[str, object]
    definition: Definition | None
    fault: Why | None = None


class Listing(Value):
    kind: Kind
    seen: Mapping[str, Seen]
    complete: bool
    asks_first: bool
    absorbs: bool
    at: str

    @property
    def changes_alone(self) -> bool:
        """Whether the names of the kind are data: then only what is poisoned is kept."""
        return self.kind in (Kind.RESOURCE, Kind.TEMPLATE)


def look_through(
    record: ServerRecord, listing: Listing, others: Others, kin: Kin
) -> tuple[ServerRecord, list[Notice]]:
    """The record after this list, and what is to be told. What is gone from the list is no alarm, and stays
    pinned: it may come back as something else."""
    told: dict[Event, list[Item]] = {}
    items = dict(record.items)
    first = listing.kind not in record.listed
    own = frozenset((*record.tool_names, *(listing.seen if listing.kind is Kind.TOOL else ())))
    for name, seen in listing.seen.items():
        known = record.item(listing.kind, name)
        if seen.fault or (known is None and len(items) >= MOST_ITEMS):
            continue
        sight = Sight(
            seen.members,
            listing.at,
            first,
            listing.asks_first and not listing.changes_alone,
            listing.absorbs or listing.changes_alone,
        )
        before = known or _known_elsewhere(listing, name, kin) or Item(listing.kind, name)
        item, event = look_at(before, sight, _poison(own))
        if item.waiting is not None and listing.absorbs:
            item, event = _let_through_elsewhere(item, event, kin)
        if _is_kept(listing, known, item):
            items[f"{listing.kind}/{name}"] = item
            if event is not None:
                told.setdefault(event, []).append(item)
    changed = items != dict(record.items)
    record = record.replace(items=items) if changed else record
    if first and listing.complete and listing.seen and not listing.changes_alone and listing.absorbs:
        record = record.replace(listed=(*record.listed, str(listing.kind)))
    if not told:
        return record, []
    record = record.noted(*_history(told, listing.at))
    return record, [*_notices(record, told), *_same_names(record, told, others)]


def _known_elsewhere(listing: Listing, name: str, kin: Kin) -> Item | None:
    """A server that is new in a project may be long known in others: what is pinned there counts here."""
    for other in kin():
        item = other.item(listing.kind, name)
        if item is not None and item.pinned is not None:
            return item.replace(waiting=None)
    return None


def _let_through_elsewhere(item: Item, event: Event | None, kin: Kin) -> tuple[Item, Event | None]:
    """What a person let through for one project holds for the same server in others."""
    assert item.waiting is not None
    for other in kin():
        known = other.item(item.kind, item.name)
        if known is not None and known.pinned is not None and fits(known, item.waiting.definition):
            return known.replace(waiting=None), None
    return item, event


def _is_kept(listing: Listing, known: Item | None, item: Item) -> bool:
    return not listing.changes_alone or known is not None or item.waiting is not None


def _poison(own: frozenset[str]) -> Callable[[Mapping[str, object]], tuple[Finding, ...]]:
    return lambda members: poison_in(members, own)


_SAID = {
    Event.FIRST: "pinned at first sight",
    Event.NEW: "new, and pinned",
    Event.REST: "changed in what no model reads",
    Event.BACK: "as it was pinned again",
}


def _history(told: Mapping[Event, list[Item]], at: str) -> list[HistoryLine]:
    lines: list[HistoryLine] = []
    for event, items in told.items():
        for item in items[:_NAMED] if event is Event.FIRST else items:
            why = ", ".join(item.waiting.why) if item.waiting else ""
            what = f"held back: {why}" if event is Event.WAITS else _SAID[event]
            lines.append(HistoryLine(at, "the door", f"{item.kind} {item.name}: {what}"))
        if event is Event.FIRST and len(items) > _NAMED:
            lines.append(HistoryLine(at, "the door", f"and {len(items) - _NAMED} more: {_SAID[event]}"))
    return lines


def _notices(record: ServerRecord, told: Mapping[Event, list[Item]]) -> list[Notice]:
    key, found = record.key, []
    for event, kind in (
        (Event.FIRST, NoticeKind.FIRST_SIGHT),
        (Event.NEW, NoticeKind.NEW),
        (Event.REST, NoticeKind.REST_CHANGED),
        (Event.BACK, NoticeKind.BACK),
    ):
        items = told.get(event, [])
        if items:
            text = f"MCP server {shown(key.name)}: {_names(items)} {_is(items)} {_SAID[event]}"
            look = f"; `fairlead mcp pins {command_words(key)}` shows what is pinned"
            text += look if event in (Event.FIRST, Event.NEW) else ""
            found.append(Notice(kind, key.name, text, tuple(item.name for item in items)))
    for item in told.get(Event.WAITS, []):
        assert item.waiting is not None
        text = refusal(key, item.kind, item.name, item.waiting.why, shapes_of(item.waiting.findings))
        found.append(Notice(NoticeKind.WAITS, key.name, text, (item.name,), blocks=True))
    return found


def _names(items: list[Item]) -> str:
    named = ", ".join(
        "its text to models" if item.kind is Kind.INSTRUCTIONS else f"the {item.kind} {shown(item.name)}"
        for item in items[:_NAMED]
    )
    return f"{named} and {len(items) - _NAMED} more" if len(items) > _NAMED else named


def _is(items: list[Item]) -> str:
    return "is" if len(items) == 1 else "are"


def _same_names(record: ServerRecord, told: Mapping[Event, list[Item]], others: Others) -> list[Notice]:
    """Told once: when a tool is first seen."""
    fresh = [
        item.name
        for event in (Event.FIRST, Event.NEW)
        for item in told.get(event, [])
        if item.kind is Kind.TOOL
    ]
    fresh += [
        item.name for item in told.get(Event.WAITS, []) if item.kind is Kind.TOOL and item.pinned is None
    ]
    if not fresh:
        return []
    found = list(taken_by(fresh, others()))
    return [_same_name(record, found)] if found else []


def _same_name(record: ServerRecord, found: list[tuple[str, str, str]]) -> Notice:
    pairs = [
        f"{shown(name)} is also a tool of {shown(server)}"
        if name == theirs
        else f"{shown(name)} looks like {shown(theirs)} of {shown(server)}"
        for name, theirs, server in found[:_NAMED]
    ]
    more = f", and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    text = f"MCP server {shown(record.key.name)}: {'; '.join(pairs)}{more}"
    return Notice(NoticeKind.SAME_NAME, record.key.name, text, tuple(name for name, _, _ in found))
