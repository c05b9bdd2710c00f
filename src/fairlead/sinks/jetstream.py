"""Records into a stream of NATS JetStream: each acknowledged by the broker, which knows its id again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from fairlead.errors import FairleadError

if TYPE_CHECKING:
    from nats.aio.client import Client

_SECONDS = 10.0
Record = Mapping[str, object]
Open = Callable[[], Awaitable["Client"]]
Shape = Callable[[Record], Mapping[str, object]]


class JetstreamSink:
    """`connect` makes the connection, `shape` what is sent of a record. The stream must be there, and take
    `subject`.

    Raises FairleadError when the broker did not take a batch, so that it can be sent again: the broker knows
    ids for as long as its duplicate window says. Close it, or use it as a context, when done.
    """

    def __init__(self, connect: Open, subject: str, *, shape: Shape = dict) -> None:
        self._connect, self._subject, self._shape = connect, subject, shape
        self._runner = asyncio.Runner()
        self._client: Client | None = None
        self._closed = False

    def send(self, records: Sequence[Record]) -> None:
        if self._closed:
            raise FairleadError("this sink is closed", hint="make another one")
        self._runner.run(self._sent(records))

    async def _sent(self, records: Sequence[Record]) -> None:
        from nats.errors import Error

        if self._client is None or self._client.is_closed:
            self._client = await self._connect()
        stream = self._client.jetstream()
        work = [self._publish(stream, record) for record in records]
        for each in await asyncio.gather(*work, return_exceptions=True):
            if isinstance(each, Error | OSError | TimeoutError):
                why = self._client.last_error or each
                raise FairleadError(
                    f"the broker did not take {self._subject}: {type(why).__name__}",
                    hint="is there a stream for this subject, and may this user publish to it?",
                ) from each
            if isinstance(each, BaseException):
                raise each

    async def _publish(self, stream: Any, record: Record) -> None:
        body = json.dumps(self._shape(record), separators=(",", ":"), default=str).encode("ascii")
        headers = {"Nats-Msg-Id": str(record.get("id"))}
        await stream.publish(self._subject, body, timeout=_SECONDS, headers=headers)

    def close(self) -> None:
        """Twice is no harm."""
        if self._closed:
            return
        self._closed = True
        if self._client is not None and not self._client.is_closed:
            self._runner.run(self._client.close())
        self._runner.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
