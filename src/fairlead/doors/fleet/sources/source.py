"""What a source is, and what all of them have in common."""

from __future__ import annotations

from typing import Protocol

from fairlead.errors import FairleadError

MAX_POINTER = 8 * 1024
MAX_ROLES = 128 * 1024
MAX_BODY = 16 * 1024 * 1024


class SourceError(FairleadError):
    """It is away, refuses, or gives something else than was asked for. It can be asked again."""

    code = "FLEET_SOURCE"


class Source(Protocol):
    """Of one group. What it gives is bytes, bounded in number and in time."""

    @property
    def shown(self) -> str:
        """Its address, without anything secret."""

    async def pointer(self) -> bytes | None:
        """As it is now; None if nothing is published. Raises SourceError."""

    async def news(self) -> None:
        """Until the pointer is another one, or may be."""

    async def roles(self, version: int) -> bytes | None:
        """The document of this version; None if there is none. Raises SourceError."""

    async def body(self, sha256: str, size: int) -> bytes:
        """As many bytes, whatever they are. Raises SourceError."""
