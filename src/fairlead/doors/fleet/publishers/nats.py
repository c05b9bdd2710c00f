"""A broker: `nats://...` or `tls://...`, with the rights of a publisher or a watcher.

Its word on the last number of a subject is what makes compare-and-set: a pointer is replaced only while the
one that was read lies there.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection, Coroutine, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from fairlead.doors.bus.connection import Broker
from fairlead.doors.fleet.link import Link, LinkError
from fairlead.doors.fleet.publishers import Target, changed_meanwhile
from fairlead.doors.fleet.subjects import (
    BUNDLE_BUCKET,
    CHUNK,
    POLICY_BUCKET,
    chunk_subject,
    direct_get,
    group_key,
    policy_subject,
    roles_key,
    stream_of,
)
from fairlead.errors import FairleadError

_NOTHING = "0"
_EXPECTED = "Nats-Expected-Last-Subject-Sequence"
_WRONG_SEQUENCE = "wrong last sequence"
_SET_UP = "`fairlead fleet broker-setup` makes what a fleet needs there"


class NatsPublisher:
    def __init__(self, link: Link, runner: asyncio.Runner) -> None:
        self._link = link
        self._runner = runner
        self._read: dict[str, str] = {}
        """By group, the number of the pointer that was read."""

    def pointer(self, group: str) -> bytes | None:
        answer = self._run(self._link.request(direct_get(POLICY_BUCKET, policy_subject(group_key(group)))))
        headers: Mapping[str, str] = answer.headers or {}
        if headers.get("Status") == "404":
            self._read[group] = _NOTHING
            return None
        number = headers.get("Nats-Sequence", "")
        if not number.isdigit():
            raise FairleadError(f"{self._link.shown} does not say what lies there", hint=_SET_UP)
        self._read[group] = number
        content: bytes = answer.data
        return None if "KV-Operation" in headers else content

    def put_bundle(self, group: str, bundle_sha256: str, content: bytes) -> None:
        for number, start in enumerate(range(0, len(content), CHUNK)):
            self._put(chunk_subject(group, bundle_sha256, number), content[start : start + CHUNK])

    def put_roles(self, version: int, content: bytes) -> None:
        self._put(policy_subject(roles_key(version)), content)

    def put_pointer(self, group: str, content: bytes) -> None:
        headers = {_EXPECTED: self._read[group]}
        try:
            self._put(policy_subject(group_key(group)), content, headers)
        except LinkError as error:
            if _WRONG_SEQUENCE in error.message:
                raise changed_meanwhile(group) from error
            raise

    def prune(self, group: str, keep: Collection[str]) -> int:
        """Each is taken away with all its parts at once."""
        old = {parts[3] for parts in self._parts(group) if len(parts) == 5} - set(keep)
        for sha256 in sorted(old):
            self._ask("PURGE", filter=chunk_subject(group, sha256, "*"))
        return len(old)

    def _parts(self, group: str) -> Iterator[list[str]]:
        """The subject of each part that lies there, word by word."""
        offset, total = 0, 1
        while offset < total:
            pattern = chunk_subject(group, "*", "*")
            told = self._ask("INFO", subjects_filter=pattern, offset=offset)
            found = (told.get("state") or {}).get("subjects") or {}
            yield from (subject.split(".") for subject in found)
            offset, total = offset + max(len(found), 1), int(told.get("total") or 0)

    def _ask(self, act: str, **what: object) -> dict[str, Any]:
        """Of the stream that holds the bundles. Raises LinkError."""
        subject = f"$JS.API.STREAM.{act}.{stream_of(BUNDLE_BUCKET)}"
        answer = self._run(self._link.request(subject, json.dumps(what).encode()))
        told = json.loads(answer.data)
        if "error" in told:
            raise LinkError(f"{self._link.shown}: {told['error'].get('description')}", hint=_SET_UP)
        return dict(told)

    def _put(self, subject: str, content: bytes, headers: Mapping[str, str] | None = None) -> None:
        self._run(self._link.publish(subject, content, headers=headers))

    def _run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self._runner.run(work)


@contextmanager
def open_publisher(target: Target) -> Iterator[NatsPublisher]:
    """Raises FairleadError for an address or credentials that cannot be used."""
    broker = Broker(target.address, target.credentials, target.tls_ca, name="fairlead publisher").checked()
    link = Link(broker)
    with asyncio.Runner() as runner:
        keeping = runner.get_loop().create_task(link.keep())
        try:
            yield NatsPublisher(link, runner)
        finally:
            keeping.cancel()
            with suppress(asyncio.CancelledError):
                runner.run(_ended(keeping))


async def _ended(task: asyncio.Task[None]) -> None:
    await asyncio.gather(task, return_exceptions=True)
