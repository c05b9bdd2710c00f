"""The official client, as real ones are built on it: what a user of one notices of a door."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import AsyncExitStack
from time import perf_counter

import anyio
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client


class SdkClient:
    def __init__(self, command: Sequence[str]) -> None:
        parameters = StdioServerParameters(command=command[0], args=list(command[1:]), env=dict(os.environ))
        self._errors = open(os.devnull, "w")  # noqa: SIM115 - as long as the client
        self._client = Client(stdio_client(parameters, errlog=self._errors), mode="legacy")
        self._stack = AsyncExitStack()
        self.start_seconds = 0.0

    async def open(self) -> None:
        begun = perf_counter()
        await self._stack.enter_async_context(self._client)
        self.start_seconds = perf_counter() - begun
        await self._client.list_tools()

    async def call(self, **arguments: object) -> float:
        """Seconds until the answer is there."""
        begun = perf_counter()
        await self._client.call_tool("echo", arguments)
        return perf_counter() - begun

    async def many(self, count: int, flying: int, **arguments: object) -> float:
        """Seconds for so many calls, with so many of them at a time."""
        begun = perf_counter()
        async with anyio.create_task_group() as group:
            for _ in range(flying):
                group.start_soon(self._some, count // flying, arguments)
        return perf_counter() - begun

    async def _some(self, count: int, arguments: dict[str, object]) -> None:
        for _ in range(count):
            await self._client.call_tool("echo", arguments)

    async def close(self) -> None:
        await self._stack.aclose()
        self._errors.close()
