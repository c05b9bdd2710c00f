"""Hook execution over NATS: requests shared by a group of workers, decisions kept in a stream.

A worker puts its decision into the stream before it answers, under the request's id. A request that is asked
again, because a worker died with it, is decided again, and the stream keeps the first.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from inspect import isawaitable
from time import monotonic
from typing import TYPE_CHECKING, Any

from fairlead.doors.bus.connection import Broker, connect, why_not
from fairlead.doors.bus.messages import (
    HookExecutionRequest,
    HookExecutionResponse,
    encoded,
    recorded,
    sender_of,
)
from fairlead.errors import FairleadError
from fairlead.secrets.redact import redact_text

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.aio.msg import Msg
    from nats.aio.subscription import Subscription

REQUESTS = "fairlead.hooks.request"
DECISIONS = "fairlead.hooks.decisions"
STREAM = "FAIRLEAD_HOOK_DECISIONS"
WORKERS = "fairlead-workers"
MOST_BYTES = 16 * 1024 * 1024
DEDUPE_SECONDS = 120
_PAUSE = 0.05

Respond = Callable[[object], HookExecutionResponse | Awaitable[HookExecutionResponse]]


class Worker:
    """Answers requests that the broker hands to it; several share them."""

    def __init__(self, broker: Broker, respond: Respond, *, at_once: int = 8) -> None:
        self._broker = broker
        self._respond = respond
        self._free = asyncio.Semaphore(at_once)
        self._client: Client | None = None
        self._subscription: Subscription | None = None
        self._under_way: set[asyncio.Task[None]] = set()
        self.answered = 0
        self.lost = asyncio.Event()
        """Set when the broker has ended the connection for good; `start` begins anew."""

    async def start(self) -> None:
        """With the credentials as they are now. Raises FairleadError."""
        from nats.errors import Error

        self._client = client = await connect(self._broker, patience=10, closed=self._on_closed)
        self.lost.clear()
        try:
            self._subscription = await client.subscribe(REQUESTS, queue=WORKERS, cb=self._on_request)
            await client.flush()
            await ensure_stream(client)
        except (Error, OSError, TimeoutError) as error:
            await client.close()
            raise _no_stream(self._broker, client.last_error or error) from error
        if client.last_error is not None:
            await client.close()
            raise why_not(self._broker, client.last_error)

    async def _on_closed(self) -> None:
        self.lost.set()

    async def stop(self) -> None:
        """Finishes what it has begun, and takes nothing new."""
        if self._subscription is not None and self._client is not None and self._client.is_connected:
            await self._subscription.drain()  # type: ignore[no-untyped-call]  # it has no types
        self._subscription = None
        await asyncio.gather(*self._under_way, return_exceptions=True)
        if self._client is not None and not self._client.is_closed:
            await self._client.drain()

    async def _on_request(self, message: Msg) -> None:
        task = asyncio.get_running_loop().create_task(self._answer(message))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def _answer(self, message: Msg) -> None:
        async with self._free:
            request = _decoded(message.data)
            answer = await asyncio.to_thread(self._respond, request)
            response = await answer if isawaitable(answer) else answer
            body = encoded(response)
            if await self._recorded(response.correlation_id, recorded(body), sender_of(request)):
                await message.respond(body)
                self.answered += 1

    async def _recorded(self, request_id: str, body: bytes, sender: str) -> bool:
        """With who asked, and without secrets. What could not be put into the stream is not answered: the
        asker asks again, or falls back."""
        from nats.errors import Error

        assert self._client is not None
        headers = {"Nats-Msg-Id": request_id, "Fairlead-Sender": redact_text(sender)}
        try:
            await self._client.jetstream().publish(DECISIONS, body, timeout=2, headers=headers)
        except (Error, OSError, TimeoutError):
            return False
        return True


def _no_stream(broker: Broker, error: Exception) -> FairleadError:
    if any(word in str(error).lower() for word in ("permission", "auth")):
        return why_not(broker, error)
    return FairleadError(
        f"{broker.shown} keeps no stream of decisions: {type(error).__name__}",
        hint="does it run with JetStream, `nats-server -js`?",
    )


async def ensure_stream(client: Client) -> None:
    """The stream of decisions: on disk, and deaf to an id that it has heard lately."""
    from nats.js.api import StorageType, StreamConfig

    await client.jetstream().add_stream(
        StreamConfig(
            name=STREAM,
            subjects=[DECISIONS],
            storage=StorageType.FILE,
            duplicate_window=DEDUPE_SECONDS,
            max_msg_size=MOST_BYTES,
        )
    )


class Asker:
    """Sends requests, and asks again within the deadline while nobody answers."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._client: Client | None = None

    async def open(self, *, patience: float = 2.0) -> None:
        self._client = await connect(self._broker, patience=patience)

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()

    async def ask(self, request: HookExecutionRequest, *, seconds: float) -> dict[str, Any]:
        """The response with the request's own id. Raises FairleadError when the deadline passes."""
        body = json.dumps(request.as_json(), default=str).encode()
        if len(body) > MOST_BYTES:
            raise FairleadError(f"the request has {len(body)} bytes, more than the bus carries")
        deadline = monotonic() + seconds
        while (left := deadline - monotonic()) > 0:
            answer = await self._try(body, min(left, max(seconds / 3, 0.5)))
            if answer is not None and answer.get("correlationId") == request.correlation_id:
                return answer
            await asyncio.sleep(min(_PAUSE, max(deadline - monotonic(), 0)))
        trouble = self._client.last_error if self._client is not None else None
        if trouble is not None and "permission" in str(trouble).lower():
            raise why_not(self._broker, trouble)
        raise FairleadError(
            f"no worker on {self._broker.shown} answered within {seconds:g} s",
            hint="is `fairlead bus serve` running there?",
        )

    async def _try(self, body: bytes, seconds: float) -> dict[str, Any] | None:
        from nats.errors import Error

        assert self._client is not None
        try:
            reply = await self._client.request(REQUESTS, body, timeout=seconds)
        except (Error, OSError, TimeoutError):
            return None
        answer = _decoded(reply.data)
        return answer if isinstance(answer, dict) else None


def ask_once(broker: Broker, request: HookExecutionRequest, *, seconds: float) -> dict[str, Any]:
    """One question from code that is not asynchronous. Raises FairleadError."""

    async def run() -> dict[str, Any]:
        started = monotonic()
        asker = Asker(broker)
        await asker.open(patience=seconds)
        try:
            return await asker.ask(request, seconds=max(seconds - (monotonic() - started), 0.05))
        finally:
            await asker.close()

    async def bounded() -> dict[str, Any]:
        try:
            return await asyncio.wait_for(run(), seconds + 0.5)
        except TimeoutError:
            raise FairleadError(f"{broker.shown} did not answer within {seconds:g} s") from None

    return asyncio.run(bounded())


def _decoded(data: bytes) -> object:
    try:
        return json.loads(data)
    except ValueError:
        return None
