"""What the server offers: the pages of its lists, the schemas of its tools, and what of it is held back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from fairlead.doors.mcp.protocol.asking import META
from fairlead.doors.mcp.protocol.header_places import places_in
from fairlead.doors.mcp.protocol.messages import Message, confused, encode
from fairlead.doors.mcp.protocol.parts import PinReport, Pins, Wire
from fairlead.model.value import Value

Members = Mapping[str, object]


class ListKind(Value):
    """`member` is the list in a result, `named_by` what tells its definitions apart."""

    member: str
    named_by: str


TOOLS = "tools/list"
LISTS = {
    TOOLS: ListKind("tools", "name"),
    "prompts/list": ListKind("prompts", "name"),
    "resources/list": ListKind("resources", "uri"),
    "resources/templates/list": ListKind("resourceTemplates", "uriTemplate"),
}
_KEYS = ("name", "title", "description", "inputSchema", "outputSchema", "annotations", "icons", "_meta")
_MORE_KEYS = ("uri", "uriTemplate", "mimeType", "arguments")
MOST_PAGES = 1_000
"""Of lists at a time, and of one that the door itself asks for."""


class Offers:
    def __init__(self, pins: Pins, wire: Wire, own: str) -> None:
        self._pins = pins
        self._wire = wire
        self._own = own
        self._pages: dict[tuple[str, str], list[Members]] = {}
        """By method and cursor: what the pages before it held."""
        self._schemas: dict[str, Members] = {}
        self._header_places: dict[str, Mapping[str, tuple[str, ...]]] = {}
        self._unclear: dict[str, str] = {}
        """Tools whose definition is read in one way by one reader and in another by the next."""
        self._listed = False
        self._own_list = OwnList(wire.to_server, own)

    def changed(self) -> None:
        """The server says that its list is another one now."""
        self._listed = False
        self._own_list.is_stale = True

    def schema(self, tool: str) -> Members | None:
        """Of what the tool answers."""
        return self._schemas.get(tool)

    def header_places(self, tool: str) -> Mapping[str, tuple[str, ...]]:
        """Which of its arguments the tool wants to see in headers, where there are headers."""
        return self._header_places.get(tool, {})

    def held_back(self, method: str, name: str) -> str:
        """Why a request is refused, because of what the server says of the tool, prompt or resource."""
        if method == "tools/call":
            return self._unclear.get(name) or self._pins.blocked(name)
        if method == "prompts/get":
            return self._pins.blocked_prompt(name)
        return ""

    # --- the client's own lists ---

    def page(self, method: str, cursor: object, result: Members) -> dict[str, object] | None:
        """What to send instead of a page; None if it may go as it is."""
        kind = LISTS[method]
        found = _definitions(result, kind)
        before = self._pages.pop((method, cursor), []) if isinstance(cursor, str) else []
        report = self._learn(method, before, found, _next(result))
        kept = [each for each in found if not self._is_held_back(method, kind, each, report)]
        return {**result, kind.member: kept} if len(kept) < len(found) else None

    def _is_held_back(self, method: str, kind: ListKind, members: Members, report: PinReport) -> bool:
        name = str(members.get(kind.named_by))
        if method == TOOLS:
            return bool(self.held_back("tools/call", name))
        return name in report.blocked or bool(confused(members, _KEYS + _MORE_KEYS))

    def _learn(self, method: str, before: list[Members], found: list[Members], following: str) -> PinReport:
        everything = [*before, *found]
        report = self._tell(method)(everything, complete=not following)
        for notice in report.notices:
            self._wire.note(notice.text)
        if method == TOOLS:
            self._learn_tools(found)
            self._listed = self._listed or not following
        if following:
            self._pages[method, following] = everything
            if len(self._pages) > MOST_PAGES:
                del self._pages[next(iter(self._pages))]
        return report

    def _tell(self, method: str) -> Callable[..., PinReport]:
        pins = self._pins
        return {
            TOOLS: pins.seen,
            "prompts/list": pins.prompts,
            "resources/list": pins.resources,
            "resources/templates/list": pins.templates,
        }[method]

    def _learn_tools(self, tools: Sequence[Members]) -> None:
        for tool in tools:
            name = str(tool.get("name"))
            self._schemas.pop(name, None)
            self._unclear.pop(name, None)
            self._header_places[name] = places_in(tool.get("inputSchema"))
            schema, key = tool.get("outputSchema"), confused(tool, _KEYS)
            if isinstance(schema, Mapping):
                self._schemas[name] = schema
            if key:
                why = f"the key {key!r} of its definition can be read in two ways"
                self._unclear[name] = f"Blocked by Fairlead: {name} is not called, because {why}."

    # --- the door's own ---

    def ready(self, meta: Members, then: Callable[[], None]) -> None:
        """Calls `then` once the definitions are known; the door asks for them if nobody else did."""
        if self._listed:
            then()
        else:
            self._own_list.ask(meta, then, learn=partial(self._learn, TOOLS))

    def asks(self, id: object) -> bool:
        """Whether the door's own request with this id has no answer yet."""
        return self._own_list.asks(id)

    def answer(self, message: Message) -> bool:
        """Whether it answers the door's own request. A server without a list has nothing to pin."""
        if not self._own_list.answers(message):
            return False
        waiting = self._own_list.go_on(message)
        if waiting is not None:
            self._listed = not self._own_list.is_stale
            for then in waiting:
                then()
        return True


Learn = Callable[[list[Members], list[Members], str], object]


class OwnList:
    """A list of tools that the door itself asks for, page by page."""

    def __init__(self, to_server: Callable[[bytes], None], own: str) -> None:
        self._to_server = to_server
        self._own = own
        self._count = self._left = 0
        self._asked = ""
        self._before: list[Members] = []
        self._meta: dict[str, object] = {}
        self._waiting: list[Callable[[], None]] = []
        self._learn: Learn
        self.is_stale = False
        """Whether the list changed while the door was asking for it."""

    def ask(self, meta: Members, then: Callable[[], None], *, learn: Learn) -> None:
        """In the words of the request that needs it."""
        self._waiting.append(then)
        if not self._asked:
            self._meta = {name: value for name, value in meta.items() if name.startswith(META)}
            self._before, self._left, self._learn, self.is_stale = [], MOST_PAGES, learn, False
            self._send("")

    def _send(self, cursor: str) -> None:
        self._count += 1
        self._left -= 1
        self._asked = f"{self._own}list-{self._count}"
        params: dict[str, object] = {"cursor": cursor} if cursor else {}
        if self._meta:
            params["_meta"] = self._meta
        self._to_server(encode({"jsonrpc": "2.0", "id": self._asked, "method": TOOLS, "params": params}))

    def asks(self, id: object) -> bool:
        return bool(self._asked) and id == self._asked

    def answers(self, message: Message) -> bool:
        return self.asks(message.id)

    def go_on(self, message: Message) -> list[Callable[[], None]] | None:
        """Who waited, once all pages are there."""
        result = message.result or {}
        unclear = confused(result, ("tools", "nextCursor"))
        found, following = ([], "") if unclear else (_definitions(result, LISTS[TOOLS]), _next(result))
        self._learn(self._before, found, following)
        if following and self._left:
            self._before += found
            self._send(following)
            return None
        self._asked = ""
        waiting, self._waiting = self._waiting, []
        return waiting


def _definitions(result: Members, kind: ListKind) -> list[Members]:
    listed = result.get(kind.member)
    return [each for each in listed if isinstance(each, Mapping)] if isinstance(listed, list) else []


def _next(result: Members) -> str:
    cursor = result.get("nextCursor")
    return cursor if isinstance(cursor, str) else ""
