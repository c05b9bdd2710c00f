"""Everything that is pinned for one configured name, and its form as JSON, which a person can read."""

from __future__ import annotations

import json
from collections.abc import Mapping

from fairlead.doors.mcp.pins.definition import Definition, Hints, Kind
from fairlead.doors.mcp.pins.item import Item, Waiting, Why
from fairlead.doors.mcp.pins.poison.search import Finding
from fairlead.doors.mcp.pins.server_identity import FileContent, ServerIdentity
from fairlead.model.failure import NOTHING
from fairlead.model.value import Value

VERSION = 1
MOST_ITEMS = 4096
MOST_IDENTITIES = 8
_MOST_HISTORY = 200
_MOST_CONTENT = 4 << 20
"""Characters of all definitions of a server that are kept; of those beyond there are digests alone."""


class ServerKey(Value):
    """A configured name, and the project whose configuration has it; "" for the user's own."""

    name: str
    scope: str = ""


class KnownServer(Value):
    """A server that may answer to the name. `contents` are those of its files, by their paths."""

    identity: ServerIdentity
    by: str
    at: str
    contents: Mapping[str, FileContent] = NOTHING  # type: ignore[assignment]


class HistoryLine(Value):
    at: str
    by: str
    what: str


class ServerRecord(Value):
    key: ServerKey
    servers: tuple[KnownServer, ...] = ()
    waiting: ServerIdentity | None = None
    """What started under the name and is none of the `servers`."""
    items: Mapping[str, Item] = NOTHING  # type: ignore[assignment]
    """By kind and name, as `tool/search`."""
    listed: tuple[str, ...] = ()
    """The kinds of which a whole list was seen: what appears from then on is new."""
    history: tuple[HistoryLine, ...] = ()

    def item(self, kind: Kind, name: str) -> Item | None:
        return self.items.get(item_id(kind, name))

    def with_item(self, item: Item) -> ServerRecord:
        return self.replace(items={**self.items, item_id(item.kind, item.name): item})

    def noted(self, *lines: HistoryLine) -> ServerRecord:
        return self.replace(history=(*self.history, *lines)[-_MOST_HISTORY:]) if lines else self

    def known(self, identity: ServerIdentity) -> KnownServer | None:
        return next((each for each in self.servers if each.identity == identity), None)

    @property
    def waiting_items(self) -> tuple[Item, ...]:
        return tuple(item for item in self.items.values() if item.waiting is not None)

    @property
    def tool_names(self) -> frozenset[str]:
        return frozenset(item.name for item in self.items.values() if item.kind is Kind.TOOL)


def item_id(kind: Kind, name: str) -> str:
    return f"{kind}/{name}"


def to_json(record: ServerRecord) -> bytes:
    """Text that no file can hold is written as it is escaped in JSON."""
    data = {
        "v": VERSION,
        "name": record.key.name,
        "scope": record.key.scope,
        "servers": [_known_as_json(each) for each in record.servers],
        "waiting": _fields(record.waiting) if record.waiting else None,
        "listed": list(record.listed),
        "history": [_fields(line) for line in record.history],
        "items": _items_as_json(record),
    }
    return json.dumps(data, indent=1).encode()


def _known_as_json(known: KnownServer) -> dict[str, object]:
    contents = {path: _fields(content) for path, content in known.contents.items()}
    return {"identity": _fields(known.identity), "by": known.by, "at": known.at, "contents": contents}


def _items_as_json(record: ServerRecord) -> list[dict[str, object]]:
    left = _MOST_CONTENT
    found: list[dict[str, object]] = []
    for item in record.items.values():
        one: dict[str, object] = {"kind": str(item.kind), "name": item.name, "by": item.by, "at": item.at}
        if item.restless:
            one["restless"] = True
        if item.pinned:
            one["pinned"], left = _definition_as_json(item.pinned, left)
        if item.waiting:
            definition, left = _definition_as_json(item.waiting.definition, left)
            one["waiting"] = {
                "definition": definition,
                "why": [str(why) for why in item.waiting.why],
                "since": item.waiting.since,
                "findings": [_fields(finding) for finding in item.waiting.findings],
                "milder": list(item.waiting.milder),
            }
        found.append(one)
    return found


def _definition_as_json(definition: Definition, left: int) -> tuple[dict[str, object], int]:
    kept = definition.content if len(definition.content) <= left else ""
    fields = _fields(definition) | {"hints": _fields(definition.hints), "content": kept}
    return fields, left - len(kept)


def _fields(value: Value) -> dict[str, object]:
    found = {name: getattr(value, name) for name in value._fields}
    return {name: list(each) if isinstance(each, tuple) else each for name, each in found.items()}


def from_json(content: bytes, key: ServerKey) -> ServerRecord:
    """Raises ValueError, TypeError or KeyError for anything that `to_json` did not write for this key."""
    data = json.loads(content)
    if data["v"] != VERSION or (data["name"], data["scope"]) != (key.name, key.scope):
        raise ValueError("it is a record of something else")
    items = [_item(each) for each in data["items"]]
    return ServerRecord(
        key,
        tuple(_known(each) for each in data["servers"]),
        _identity(data["waiting"]) if data["waiting"] else None,
        {item_id(item.kind, item.name): item for item in items},
        tuple(map(str, data["listed"])),
        tuple(HistoryLine(**each) for each in data["history"]),
    )


def key_in(content: bytes) -> ServerKey:
    """Raises as `from_json` does."""
    data = json.loads(content)
    return ServerKey(str(data["name"]), str(data["scope"]))


def _known(data: Mapping[str, object]) -> KnownServer:
    contents = data["contents"]
    if not isinstance(contents, dict):
        raise TypeError("contents")
    read = {str(path): FileContent(**content) for path, content in contents.items()}
    return KnownServer(_identity(data["identity"]), str(data["by"]), str(data["at"]), read)


def _identity(data: object) -> ServerIdentity:
    if not isinstance(data, dict):
        raise TypeError("identity")
    return ServerIdentity(**{**data, "command": tuple(data["command"])})


def _item(data: Mapping[str, object]) -> Item:
    pinned, waiting = data.get("pinned"), data.get("waiting")
    return Item(
        Kind(str(data["kind"])),
        str(data["name"]),
        _definition(pinned) if pinned else None,
        str(data["by"]),
        str(data["at"]),
        _waiting(waiting) if waiting else None,
        data.get("restless") is True,
    )


def _waiting(data: object) -> Waiting:
    if not isinstance(data, dict):
        raise TypeError("waiting")
    findings = tuple(Finding(**each) for each in data["findings"])
    why = tuple(map(Why, data["why"]))
    definition = _definition(data["definition"])
    return Waiting(definition, why, str(data["since"]), findings, tuple(map(str, data["milder"])))


def _definition(data: object) -> Definition:
    if not isinstance(data, dict):
        raise TypeError("definition")
    return Definition(**{**data, "hints": Hints(**data["hints"])})
