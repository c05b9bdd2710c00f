"""Fetches a bundle so that a thousand machines do not ask at once, and one failure is not the last word."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from hashlib import sha256 as digest_of
from random import uniform

from fairlead.doors.fleet.sources.source import MAX_BODY, Source, SourceError

ATTEMPTS = 4
_FIRST_PAUSE = 1.0
Pause = Callable[[float], Awaitable[bool]]


async def fetch(source: Source, sha256: str, size: int, *, spread: float, pause: Pause) -> bytes:
    """The body with this digest. `spread` is over how many seconds machines scatter; `pause` is False when
    there is no time left. Raises SourceError."""
    if not 0 < size <= MAX_BODY:
        raise SourceError(f"the bundle would have {size} bytes; {MAX_BODY} are allowed")
    wait = uniform(0, spread)  # noqa: S311 - spreads machines, hides nothing
    trouble: SourceError | None = None
    for attempt in range(ATTEMPTS):
        if wait and not await pause(wait):
            break
        try:
            return _checked(await source.body(sha256, size), sha256)
        except SourceError as error:
            trouble = error
        wait = uniform(0.5, 1.0) * _FIRST_PAUSE * 2**attempt  # noqa: S311 - as above
    raise trouble or SourceError("there was no time left to fetch the bundle")


def _checked(body: bytes, sha256: str) -> bytes:
    found = digest_of(body).hexdigest()
    if found != sha256:
        raise SourceError(
            f"the bundle that came is not the one that was announced: its digest is {found[:16]}"
        )
    return body
