"""What the server offers: the pages of its lists, the schemas of its tools, and which tools are blocked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from fairlead.doors.mcp.protocol.asking import META
from fairlead.doors.mcp.protocol.messages import Message, confused, encode
from fairlead.doors.mcp.protocol.parts import Pins

Tool = Mapping[str, object]
_KEYS = ("name", "title", "description", "inputSchema", "outputSchema", "annotations", "icons", "_meta")
MOST_PAGES = 1_000
"""Of a list that the door itself asks for."""


class Tools:
    def __init__(self, pins: Pins, to_server: Callable[[bytes], None], own: str) -> None:
        self._pins = pins
        self._to_server = to_server
        self._own = own
        self._count = 0
        self._left = 0
        self._pages: dict[str, list[Tool]] = {}
        """By cursor: what the pages before it held."""
        self._listed = False
        self._stale = False
        """Whether the list changed while the door was asking for it."""
        self._asked = ""
        """The id of the door's own request."""
        self._before: list[Tool] = []
        self._meta: dict[str, object] = {}
        self._waiting: list[Callable[[], None]] = []
        self._schemas: dict[str, Mapping[str, object]] = {}
        self._unclear: dict[str, str] = {}
        """Tools whose definition is read in one way by one reader and in another by the next."""

    def changed(self) -> None:
        """The server says that its list is another one now."""
        self._listed = False
        self._stale = True

    def schema(self, tool: str) -> Mapping[str, object] | None:
        """Of what the tool answers."""
        return self._schemas.get(tool)

    def blocked(self, tool: str) -> str:
        return self._unclear.get(tool) or self._pins.blocked(tool)

    # --- the client's own lists ---

    def page(self, cursor: object, result: Mapping[str, object]) -> dict[str, object] | None:
        """What to send instead of a page; None if it may go as it is."""
        tools = _tools(result)
        before = self._pages.pop(cursor, []) if isinstance(cursor, str) else []
        self._learn(before, tools, _next(result))
        return self._without_blocked(result, tools)

    def _learn(self, before: list[Tool], tools: list[Tool], following: str) -> None:
        everything = [*before, *tools]
        self._pins.seen(everything, complete=not following)
        for tool in tools:
            name = str(tool.get("name"))
            self._schemas.pop(name, None)
            self._unclear.pop(name, None)
            schema, key = tool.get("outputSchema"), confused(tool, _KEYS)
            if isinstance(schema, Mapping):
                self._schemas[name] = schema
            if key:
                why = f"the key {key!r} of its definition can be read in two ways"
                self._unclear[name] = f"Blocked by Fairlead: {name} is not called, because {why}."
        if not following:
            self._listed = True
            return
        self._pages[following] = everything
        if len(self._pages) > MOST_PAGES:
            del self._pages[next(iter(self._pages))]

    def _without_blocked(
        self, result: Mapping[str, object], tools: Sequence[Tool]
    ) -> dict[str, object] | None:
        kept = [tool for tool in tools if not self.blocked(str(tool.get("name")))]
        return {**result, "tools": kept} if len(kept) < len(tools) else None

    # --- the door's own ---

    def ready(self, meta: Mapping[str, object], then: Callable[[], None]) -> None:
        """Calls `then` once the definitions are known; the door asks for them if nobody else did."""
        if self._listed:
            then()
            return
        self._waiting.append(then)
        if not self._asked:
            self._meta = {name: value for name, value in meta.items() if name.startswith(META)}
            self._before, self._left, self._stale = [], MOST_PAGES, False
            self._ask("")

    def _ask(self, cursor: str) -> None:
        self._count += 1
        self._left -= 1
        self._asked = f"{self._own}list-{self._count}"
        params: dict[str, object] = {"cursor": cursor} if cursor else {}
        if self._meta:
            params["_meta"] = self._meta
        self._to_server(
            encode({"jsonrpc": "2.0", "id": self._asked, "method": "tools/list", "params": params})
        )

    def answer(self, message: Message) -> bool:
        """Whether it answers the door's own request. A server without a list has nothing to pin."""
        if not self._asked or message.id != self._asked:
            return False
        self._asked = ""
        result = message.result or {}
        tools, following = _tools(result), _next(result)
        self._learn(self._before, tools, following)
        if following and self._left:
            self._before += tools
            self._ask(following)
            return True
        self._listed = not self._stale
        waiting, self._waiting = self._waiting, []
        for then in waiting:
            then()
        return True


def _tools(result: Mapping[str, object]) -> list[Tool]:
    tools = result.get("tools")
    return [tool for tool in tools if isinstance(tool, Mapping)] if isinstance(tools, list) else []


def _next(result: Mapping[str, object]) -> str:
    cursor = result.get("nextCursor")
    return cursor if isinstance(cursor, str) else ""
