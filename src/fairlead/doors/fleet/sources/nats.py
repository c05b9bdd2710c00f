"""A broker as a source, with the rights of a single machine: no watcher and no consumer is made for it.

A change of the pointer is heard on a plain subscription. What is published while nobody listens is not heard,
so the pointer is read again after each connection, and now and then anyway.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from random import uniform

from fairlead.doors.fleet.link import Link, LinkError
from fairlead.doors.fleet.sources.source import MAX_POINTER, MAX_ROLES, SourceError
from fairlead.doors.fleet.subjects import (
    BUNDLE_BUCKET,
    CHUNK,
    POLICY_BUCKET,
    chunk_subject,
    direct_get,
    group_key,
    policy_subject,
    roles_key,
)
from fairlead.fleet.publishing.pointer import read_pointer
from fairlead.fleet.refusal import RefusedError

_LOOK_AGAIN = 900.0
"""Seconds after which the pointer is read though nothing was heard."""


class NatsSource:
    def __init__(self, link: Link, group: str) -> None:
        self._link = link
        self._group = group
        self._heard: bytes | None = None
        self._news = asyncio.Event()
        self._follows = False
        link.came_up.append(self._look_again)

    @property
    def shown(self) -> str:
        return self._link.shown

    async def pointer(self) -> bytes | None:
        self._news.clear()
        heard, self._heard = self._heard, None
        if heard is not None:
            return heard
        subject = policy_subject(group_key(self._group))
        if not self._follows:
            await self._follow(subject)
        return await self._last(POLICY_BUCKET, subject, MAX_POINTER)

    async def news(self) -> None:
        try:
            await asyncio.wait_for(self._news.wait(), uniform(_LOOK_AGAIN / 2, _LOOK_AGAIN))  # noqa: S311
        except TimeoutError:
            return

    async def roles(self, version: int) -> bytes | None:
        return await self._last(POLICY_BUCKET, policy_subject(roles_key(version)), MAX_ROLES)

    async def body(self, sha256: str, size: int) -> bytes:
        body = bytearray()
        for number in range(-(-size // CHUNK)):
            chunk = await self._last(BUNDLE_BUCKET, chunk_subject(self._group, sha256, number), CHUNK)
            if chunk is None:
                raise SourceError(f"{self.shown} lacks part {number} of bundle {sha256[:16]}")
            if len(chunk) != min(CHUNK, size - len(body)):
                raise SourceError(f"{self.shown} has another bundle {sha256[:16]} than was announced")
            body += chunk
        return bytes(body)

    async def _follow(self, subject: str) -> None:
        try:
            await self._link.follow(subject, self._on_pointer)
        except LinkError as error:
            raise SourceError(error.message, hint=error.hint) from error
        self._follows = True

    async def _on_pointer(self, data: bytes, headers: Mapping[str, str]) -> None:
        """Any machine can have an answer of the broker sent here: what is no pointer was never heard. That
        the key was deleted is no news: what is in force stays."""
        if "KV-Operation" in headers:
            return
        try:
            read_pointer(data)
        except RefusedError:
            return
        self._heard = data
        self._news.set()

    def _look_again(self) -> None:
        self._heard = None
        self._news.set()

    async def _last(self, bucket: str, subject: str, limit: int) -> bytes | None:
        try:
            answer = await self._link.request(direct_get(bucket, subject))
        except LinkError as error:
            raise SourceError(error.message, hint=error.hint) from error
        headers: Mapping[str, str] = answer.headers or {}
        if headers.get("Status") == "404" or "KV-Operation" in headers:
            return None
        if "Status" in headers:
            raise SourceError(f"{self.shown} cannot give it: {headers.get('Description', headers['Status'])}")
        if headers.get("Nats-Subject") != subject:
            raise SourceError(f"{self.shown} gave something else than was asked for")
        if len(answer.data) > limit:
            raise SourceError(f"{self.shown} gave {len(answer.data)} bytes, where {limit} are allowed")
        return answer.data
