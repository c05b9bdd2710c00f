"""Any web server with files as a source. The pointer is asked for with the mark (ETag) of the last one."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from random import uniform

from fairlead.doors.bus.connection import secret_in
from fairlead.doors.fleet.sources.exchange import SECONDS, Answer, Web, get
from fairlead.doors.fleet.sources.source import MAX_POINTER, MAX_ROLES, SourceError

_EVERY = 60.0
_BODY_SECONDS = 120.0
_MISSING, _UNCHANGED = 404, 304


class HttpSource:
    """`every` is how many seconds go by between two looks, on average."""

    def __init__(
        self,
        web: Web,
        group: str,
        *,
        every: float = _EVERY,
        seconds: float = SECONDS,
        body_seconds: float = _BODY_SECONDS,
    ) -> None:
        self._web = web.checked()
        self._group = group
        self._every = every
        self._seconds = seconds
        self._body_seconds = body_seconds
        self._last: Answer | None = None

    @property
    def shown(self) -> str:
        return self._web.shown

    async def pointer(self) -> bytes | None:
        known = {"If-None-Match": self._last.etag} if self._last is not None and self._last.etag else {}
        path = f"groups/{self._group}.json"
        answer = await get(self._web, path, limit=MAX_POINTER, headers=known, seconds=self._seconds)
        if answer.status == _UNCHANGED:
            if self._last is None or not known:
                raise SourceError(f"{self.shown} says that nothing changed, and gave nothing before")
            return self._last.body
        self._last = answer if answer.status != _MISSING else None
        return self._last.body if self._last is not None else None

    async def news(self) -> None:
        await asyncio.sleep(uniform(0.75, 1.25) * self._every)  # noqa: S311 - spreads machines, hides nothing

    async def roles(self, version: int) -> bytes | None:
        answer = await get(self._web, f"roles/{version}.json", limit=MAX_ROLES, seconds=self._seconds)
        if answer.status not in (200, _MISSING):
            raise SourceError(f"{self.shown} answered {answer.status} for the roles")
        return None if answer.status == _MISSING else answer.body

    async def body(self, sha256: str, size: int) -> bytes:
        path = f"bundles/{sha256}.fairlead"
        answer = await get(self._web, path, limit=size, seconds=self._body_seconds)
        if answer.status != 200:
            raise SourceError(f"{self.shown} has no bundle {sha256[:16]}")
        return answer.body


def authorization_in(path: str) -> str:
    """The header that a credentials file stands for: `name:password`, or a token. Raises SourceError."""
    try:
        found = secret_in(path)
    except (OSError, ValueError) as error:
        raise SourceError(f"the credentials cannot be used: {error}") from error
    if "token" in found:
        return f"Bearer {found['token']}"
    if "user" in found:
        pair = f"{found['user']}:{found['password']}"
        return f"Basic {b64encode(pair.encode()).decode()}"
    raise SourceError(f"{path} is for a broker", hint="a web server takes `name:password` or a token")
