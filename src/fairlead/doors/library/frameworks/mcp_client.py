"""A client of the official MCP library: the door between it and its transport, in the same process.

    async with Client(guard_mcp_client(stdio_client(parameters), name="files")) as client:
    async with guard_mcp_client(streamable_http_client(url), name="files") as (read, write):

It is the gate of `fairlead mcp`, so it judges, asks, rewrites, redacts and pins as that does.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from time import monotonic
from typing import Any, TypeVar

import anyio
from anyio.to_thread import run_sync
from mcp.shared.message import ClientMessageMetadata, SessionMessage
from mcp_types import jsonrpc_message_adapter

from fairlead.assembly import policy_for
from fairlead.doors.hook.root import git_root
from fairlead.doors.mcp.http.headers import PARAMETER, modern_headers, version_of
from fairlead.doors.mcp.http.remote_session import object_in
from fairlead.doors.mcp.judging import AGENT, Judge
from fairlead.doors.mcp.pins.door_pins import pins_of_command, pins_of_url
from fairlead.doors.mcp.pins.pins import Pins
from fairlead.doors.mcp.protocol.gate import Gate
from fairlead.policy.places import Places, find_places

T = TypeVar("T")
_TICK = 1.0


def guard_mcp_client(
    transport: Any, *, name: str, server: str | Sequence[str] = "", home: str = ""
) -> AbstractAsyncContextManager[tuple[Any, Any]]:
    """A transport. A policy knows the server's tools as `mcp__NAME__TOOL`; `server` is its address or its
    command, which its pins belong to besides the name."""
    return _guarded(transport, name, server, find_places(home))


@asynccontextmanager
async def _guarded(
    transport: Any, name: str, server: str | Sequence[str], places: Places
) -> AsyncIterator[tuple[Any, Any]]:
    judge = Judge(places, name)
    try:
        async with transport as (theirs_in, theirs_out), anyio.create_task_group() as tasks:
            wire = AsyncWire(name, tasks)
            pins = _pins(places, name, server)
            for notice in pins.opening.notices:
                wire.note(notice.text)
            wire.gate = Gate(wire, server=name, judge=judge, pins=pins)
            from_client, to_us = anyio.create_memory_object_stream[Any](0)
            tasks.start_soon(wire.read_client, to_us)
            tasks.start_soon(wire.read_server, theirs_in)
            tasks.start_soon(wire.write_server, theirs_out)
            tasks.start_soon(wire.keep_time)
            async with from_client, wire.client_reads:
                yield wire.client_reads, from_client
            tasks.cancel_scope.cancel()
    finally:
        judge.close()


def _pins(places: Places, name: str, server: str | Sequence[str]) -> Pins:
    cwd = os.getcwd()
    mode = policy_for(places, git_root(cwd), AGENT).mode
    if isinstance(server, str):
        return pins_of_url(places, name, server or f"client:{name}", cwd=cwd, mode=mode)
    return pins_of_command(places, name, server, cwd=cwd, environment=os.environ, mode=mode)


class AsyncWire:
    """Messages of the library as lines, and lines as its messages."""

    gate: Gate

    def __init__(self, name: str, tasks: Any) -> None:
        self._name = name
        self._tasks = tasks
        self._to_client, self.client_reads = anyio.create_memory_object_stream[Any](math.inf)
        self._to_server, self._server_gets = anyio.create_memory_object_stream[Any](math.inf)
        self._metadata: Any = None

    # --- as a wire ---

    def to_client(self, line: bytes) -> None:
        self._send(self._to_client, SessionMessage(jsonrpc_message_adapter.validate_json(line)))

    def to_server(self, line: bytes) -> None:
        message = jsonrpc_message_adapter.validate_json(line)
        self._send(self._to_server, SessionMessage(message, self._with_headers(line, self._metadata)))

    def work(self, job: Callable[[], T], then: Callable[[T], None]) -> None:
        metadata = self._metadata

        async def run() -> None:
            result = await run_sync(job, abandon_on_cancel=True)
            self._metadata = metadata
            then(result)
            self._metadata = None

        self._tasks.start_soon(run)

    def note(self, text: str) -> None:
        sys.stderr.write(f"fairlead mcp {self._name}: {text}\n")

    def now(self) -> float:
        return monotonic()

    def _send(self, stream: Any, message: object) -> None:
        try:
            stream.send_nowait(message)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            return  # nobody listens any more

    def _with_headers(self, line: bytes, metadata: Any) -> Any:
        """A server of the later era compares them with the message, which may have been rewritten."""
        message = object_in(line)
        version = version_of(message)
        if not version:
            return metadata
        params = message.get("params")
        name = params.get("name") if isinstance(params, dict) else None
        places = self.gate.header_places(name) if isinstance(name, str) else {}
        made = {name.lower(): value for name, value in modern_headers(message, version, places).items()}
        given = metadata if isinstance(metadata, ClientMessageMetadata) else ClientMessageMetadata()
        kept = {
            name.lower(): value
            for name, value in (given.headers or {}).items()
            if not name.lower().startswith(PARAMETER.lower())
        }
        return replace(given, headers={**kept, **made})

    # --- what runs beside each other ---

    async def read_client(self, stream: Any) -> None:
        async with stream, self._to_server:
            async for message in stream:
                self._metadata = message.metadata
                self.gate.from_client(_line(message))
                self._metadata = None

    async def read_server(self, stream: Any) -> None:
        async with stream, self._to_client:
            async for message in stream:
                if isinstance(message, Exception):
                    self._send(self._to_client, message)
                else:
                    self.gate.from_server(_line(message))

    async def write_server(self, stream: Any) -> None:
        async with stream, self._server_gets:
            async for message in self._server_gets:
                await stream.send(message)

    async def keep_time(self) -> None:
        while True:
            await anyio.sleep(_TICK)
            self.gate.tick()


def _line(message: Any) -> bytes:
    text: str = message.message.model_dump_json(by_alias=True, exclude_unset=True)
    return text.encode() + b"\n"
