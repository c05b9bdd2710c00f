"""A gate between a client and a server that a test plays, and a judge that says what the test wants."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fairlead.doors.mcp.calls import Choice, McpCall, Ruling
from fairlead.doors.mcp.protocol.gate import Gate
from fairlead.model.decision import Decision
from fairlead.model.value import Value

MODERN = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
CAN_ASK = {"io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}}
OWN = "fairlead:test:"
GO = Ruling(Decision.CONTINUE)


class PlayedJudge:
    """Rules by the name of a tool, or by the method; all else may pass."""

    def __init__(self, rulings: Mapping[str, Ruling] | None = None, *, quick: bool = True) -> None:
        self.quick = quick
        self.rulings = dict(rulings or {})
        self.results: dict[str, Mapping[str, object]] = {}
        """What is sent instead of a result, by the name of the tool or the method."""
        self.words: Mapping[str, object] | None = None
        """What is sent instead of an error, of progress or a log message."""
        self.told_messages: list[Mapping[str, object]] = []
        self.clients: list[str] = []
        self.roots: list[Sequence[str]] = []
        self.drops: list[Ruling] = []
        self.before_calls: list[McpCall] = []
        self.answers: list[tuple[McpCall, Choice]] = []
        self.held: list[tuple[McpCall, str]] = []
        self.after_calls: list[tuple[McpCall, Mapping[str, object], Mapping[str, object] | None]] = []

    def before(self, call: McpCall) -> Ruling:
        self.before_calls.append(call)
        return self.rulings.get(call.name or call.method, GO)

    def held_back(self, call: McpCall, why: str) -> None:
        self.held.append((call, why))

    def answered(self, call: McpCall, ruling: Ruling, choice: Choice) -> Ruling:
        self.answers.append((call, choice))
        words = ruling.text if choice is None else "Blocked by Fairlead: you said no."
        return GO if choice else Ruling(Decision.BLOCK, words)

    def after(
        self,
        call: McpCall,
        ruling: Ruling,
        result: Mapping[str, object],
        *,
        schema: Mapping[str, object] | None,
    ) -> Mapping[str, object] | None:
        self.after_calls.append((call, result, schema))
        return self.results.get(call.name or call.method)

    def told(self, call: McpCall | None, message: Mapping[str, object]) -> Mapping[str, object] | None:
        self.told_messages.append(message)
        return self.words

    def met(self, name: str) -> None:
        self.clients.append(name)

    def rooted(self, uris: Sequence[str]) -> None:
        self.roots.append(uris)

    def dropped(self, ruling: Ruling) -> None:
        self.drops.append(ruling)

    def close(self) -> None:
        pass


class Told(Value):
    text: str


class PlayedReport(Value):
    notices: tuple[Told, ...] = ()
    blocked: Mapping[str, str] = {}


class PlayedPins:
    """`why` says by name what is held back."""

    def __init__(self, **why: str) -> None:
        self.why = why
        self.lists: list[tuple[list[str], bool]] = []
        self.instead: str | None = None
        self.notices: tuple[Told, ...] = ()

    def seen(self, found: Sequence[Mapping[str, object]], *, complete: bool) -> PlayedReport:
        names = [str(each.get("name", each.get("uri", each.get("uriTemplate")))) for each in found]
        self.lists.append((names, complete))
        return PlayedReport(self.notices, {name: self.why[name] for name in names if name in self.why})

    prompts = resources = templates = seen

    def blocked(self, tool: str) -> str:
        return self.why.get(tool, "")

    blocked_prompt = blocked

    def instructions(self, text: str) -> str | None:
        return self.instead


class Stage:
    """`client` and `server` say something; `at_client` and `at_server` are what arrived since then."""

    def __init__(
        self, judge: PlayedJudge | None = None, pins: PlayedPins | None = None, *, listed: bool = True
    ) -> None:
        self.judge = judge or PlayedJudge()
        self.pins = pins or PlayedPins()
        self.clock = 1000.0
        self.notes: list[str] = []
        self.jobs: list[tuple[Callable[[], Any], Callable[[Any], None]]] = []
        self._client_lines: list[bytes] = []
        self._server_lines: list[bytes] = []
        self.gate = Gate(self, server="s", judge=self.judge, pins=self.pins, own=OWN)
        if listed:
            self.client(method="tools/list", id="first-list")
            self.server(id="first-list", result={"tools": [{"name": "t"}]})
            self.at_client, self.at_server  # noqa: B018 - looked at, so the test begins afresh

    # --- as a wire ---

    def to_client(self, line: bytes) -> None:
        self._client_lines.append(line)

    def to_server(self, line: bytes) -> None:
        self._server_lines.append(line)

    def work(self, job: Callable[[], Any], then: Callable[[Any], None]) -> None:
        self.jobs.append((job, then))

    def note(self, text: str) -> None:
        self.notes.append(text)

    def now(self) -> float:
        return self.clock

    # --- for tests ---

    def client(self, **message: object) -> None:
        self.client_line(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def server(self, **message: object) -> None:
        self.server_line(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def client_line(self, line: bytes) -> None:
        self.gate.from_client(line)

    def server_line(self, line: bytes) -> None:
        self.gate.from_server(line)

    def call(
        self, tool: str, *, id: str | int = 1, meta: Mapping[str, object] | None = None, **args: object
    ) -> None:
        params: dict[str, object] = {"name": tool, "arguments": args}
        if meta is not None:
            params["_meta"] = meta
        self.client(id=id, method="tools/call", params=params)

    def open(self, **capabilities: object) -> None:
        """A session of the older kind."""
        info = {"name": "c", "version": "1"}
        params = {"protocolVersion": "2025-06-18", "capabilities": capabilities, "clientInfo": info}
        self.client(id="open", method="initialize", params=params)
        self.server(id="open", result={"protocolVersion": "2025-06-18", "capabilities": {}})
        self.at_client, self.at_server  # noqa: B018 - as above

    def finish(self, place: int = 0) -> None:
        """A job that takes time has come to its end."""
        job, then = self.jobs.pop(place)
        then(job())

    @property
    def lines_at_client(self) -> list[bytes]:
        lines, self._client_lines = self._client_lines, []
        return lines

    @property
    def lines_at_server(self) -> list[bytes]:
        lines, self._server_lines = self._server_lines, []
        return lines

    @property
    def at_client(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.lines_at_client]

    @property
    def at_server(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.lines_at_server]


def text_of(message: Mapping[str, Any]) -> str:
    """Of a tool's result."""
    text: str = message["result"]["content"][0]["text"]
    return text
