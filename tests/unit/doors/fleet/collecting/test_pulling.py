from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from nats.errors import Error

from fairlead.doors.fleet.collecting.pulling import Pull


class FakeClient:
    """A broker's side of a consumer: `waiting` is what it gives to who asks, `status` what it says then."""

    def __init__(self, waiting: list[bytes], status: str = "404") -> None:
        self.waiting, self.status = waiting, status
        self.asked: list[dict[str, Any]] = []

    def new_inbox(self) -> str:
        return "_INBOX.one"

    async def subscribe(self, subject: str, *, cb: Callable[[Any], Any], **more: int) -> None:
        self.hear = cb

    async def publish(self, subject: str, body: bytes, *, reply: str) -> None:
        assert (subject, reply) == ("$JS.API.CONSUMER.MSG.NEXT.STREAM.us", "_INBOX.one")
        asked = json.loads(body)
        self.asked.append(asked)
        given, self.waiting = self.waiting[: asked["batch"]], self.waiting[asked["batch"] :]
        for each in given:
            await self.hear(message(each))
        if len(given) < asked["batch"]:
            await self.hear(message(b"", {"Status": self.status}))


def message(data: bytes, headers: dict[str, str] | None = None) -> Any:
    return SimpleNamespace(data=data, headers=headers)


def fetched(client: FakeClient, *most: int) -> list[list[bytes]]:
    async def run() -> list[list[bytes]]:
        pull = Pull(client, "STREAM", "us")  # type: ignore[arg-type]
        await pull.start()
        return [[each.data for each in await pull.fetch(number, seconds=1)] for number in most]

    return asyncio.run(run())


def test_a_batch_ends_with_what_is_there() -> None:
    assert fetched(FakeClient([b"1", b"2", b"3"]), 2, 2) == [[b"1", b"2"], [b"3"]]


def test_whoever_finds_nothing_waits_for_the_first_message() -> None:
    client = FakeClient([])
    assert fetched(client, 5) == [[]]
    assert client.asked == [{"batch": 5, "no_wait": True}, {"batch": 1, "expires": 1_000_000_000}]


@pytest.mark.parametrize("status", ["404", "408", "409"])
def test_a_word_that_there_is_nothing_now_is_no_trouble(status: str) -> None:
    assert fetched(FakeClient([], status), 5) == [[]]


def test_a_consumer_that_is_gone_is_an_error_once_its_messages_are_taken() -> None:
    client = FakeClient([b"1"], "503")
    assert fetched(client, 2) == [[b"1"]]
    with pytest.raises(Error, match="503"):
        fetched(client, 2)


def test_what_comes_late_is_in_the_next_batch() -> None:
    async def run() -> list[list[bytes]]:
        client = FakeClient([b"2"])
        pull = Pull(client, "STREAM", "us")  # type: ignore[arg-type]
        await pull.start()
        await client.hear(message(b"1"))
        first = await pull.fetch(1, seconds=1)
        second = await pull.fetch(1, seconds=1)
        return [[each.data for each in batch] for batch in (first, second)]

    assert asyncio.run(run()) == [[b"1"], [b"2"]]
