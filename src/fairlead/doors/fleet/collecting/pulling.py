"""Batches of messages from a consumer of the broker.

The client's own way makes a task and a timer for each message, and that costs as much as all that is done
with it here.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.aio.msg import Msg

_NOTHING_NOW = ("404", "408", "409")
"""No messages, the time is over, or others have too many in their hands."""
_LOST = 5.0
"""Seconds after which an answer no longer comes: the connection was lost meanwhile."""
_MOST_BYTES = 512 * 1024 * 1024


class Pull:
    """For one who asks at a time."""

    def __init__(self, client: Client, stream: str, consumer: str) -> None:
        self._client = client
        self._subject = f"$JS.API.CONSUMER.MSG.NEXT.{stream}.{consumer}"
        self._inbox = client.new_inbox()
        self._came: list[Msg] = []
        self._wanted = 0
        self._status = ""
        self._ready = asyncio.Event()

    async def start(self) -> None:
        await self._client.subscribe(
            self._inbox, cb=self._hear, pending_msgs_limit=-1, pending_bytes_limit=_MOST_BYTES
        )

    async def fetch(self, most: int, *, seconds: float) -> list[Msg]:
        """What is there, or else the first that comes within the time. Raises Error of the client."""
        found = await self._asked(most, {"no_wait": True}, _LOST)
        if found:
            return found
        return await self._asked(1, {"expires": int(seconds * 1e9)}, seconds + _LOST)

    async def _asked(self, most: int, how: dict[str, object], patience: float) -> list[Msg]:
        from nats.errors import Error

        self._wanted, self._status = most, ""
        self._ready.clear()
        if len(self._came) < most:
            asked = json.dumps({"batch": most - len(self._came), **how}).encode()
            await self._client.publish(self._subject, asked, reply=self._inbox)
            try:
                async with asyncio.timeout(patience):
                    await self._ready.wait()
            except TimeoutError:
                self._status = "408"
        found, self._came = self._came[:most], self._came[most:]
        if self._status not in ("", *_NOTHING_NOW) and not found:
            raise Error(f"the broker gives no messages ({self._status})")
        return found

    async def _hear(self, message: Msg) -> None:
        if message.headers and not message.data and "Status" in message.headers:
            self._status = message.headers["Status"]
            self._ready.set()
            return
        self._came.append(message)
        if len(self._came) >= self._wanted:
            self._ready.set()
