"""A broker as a shelf. Its word on the last number of a subject is what makes compare-and-set."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.doors.fleet.link import Link, LinkError
from fairlead.doors.fleet.shelves.shelf import ChangedError, Lying, ShelfError
from fairlead.doors.fleet.subjects import (
    CHUNK,
    POLICY_BUCKET,
    chunk_subject,
    direct_get,
    group_key,
    policy_subject,
    roles_key,
)

_NOTHING = "0"
_EXPECTED = "Nats-Expected-Last-Subject-Sequence"
_WRONG_SEQUENCE = "wrong last sequence"


class NatsShelf:
    """`link` is kept open by the caller, with the rights of a publisher or a watcher."""

    def __init__(self, link: Link) -> None:
        self._link = link

    @property
    def shown(self) -> str:
        return self._link.shown

    async def pointer(self, group: str) -> Lying:
        try:
            answer = await self._link.request(direct_get(POLICY_BUCKET, policy_subject(group_key(group))))
        except LinkError as error:
            raise ShelfError(error.message, hint=error.hint) from error
        headers: Mapping[str, str] = answer.headers or {}
        if headers.get("Status") == "404":
            return Lying(None, _NOTHING)
        number = headers.get("Nats-Sequence", "")
        if not number.isdigit():
            raise ShelfError(f"{self.shown} does not say what lies there", hint=_SET_UP)
        return Lying(None if "KV-Operation" in headers else answer.data, number)

    async def put_pointer(self, group: str, content: bytes, revision: str) -> None:
        try:
            await self._put(policy_subject(group_key(group)), content, {_EXPECTED: revision})
        except ShelfError as error:
            if _WRONG_SEQUENCE in error.message:
                raise ChangedError(group) from error
            raise

    async def put_bundle(self, group: str, sha256: str, content: bytes) -> None:
        for number, start in enumerate(range(0, len(content), CHUNK)):
            await self._put(chunk_subject(group, sha256, number), content[start : start + CHUNK])

    async def put_roles(self, version: int, content: bytes) -> None:
        await self._put(policy_subject(roles_key(version)), content)

    async def _put(self, subject: str, content: bytes, headers: Mapping[str, str] | None = None) -> None:
        try:
            await self._link.publish(subject, content, headers=headers)
        except LinkError as error:
            raise ShelfError(error.message, hint=error.hint or _SET_UP) from error


_SET_UP = "`fairlead fleet broker-setup` makes what a fleet needs there"
