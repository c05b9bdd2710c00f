"""What a shelf is: a pointer on it is replaced only by who has seen the one that lies there."""

from __future__ import annotations

from typing import Protocol

from fairlead.errors import FairleadError
from fairlead.model.value import Value


class ShelfError(FairleadError):
    """It cannot be reached, or does not take what is put there."""

    code = "FLEET_SHELF"


class ChangedError(ShelfError):
    """Somebody else has put another pointer there meanwhile."""

    code = "FLEET_CHANGED"

    def __init__(self, group: str) -> None:
        super().__init__(
            f"the pointer of the group {group} was changed by somebody else meanwhile",
            hint="look at what is there now, and try again",
        )


class Lying(Value):
    """What lies there: no content where nothing does. `revision` names this very state of it."""

    content: bytes | None
    revision: str


class Shelf(Protocol):
    @property
    def shown(self) -> str:
        """Its address, without anything secret."""

    async def pointer(self, group: str) -> Lying:
        """Raises ShelfError."""

    async def put_pointer(self, group: str, content: bytes, revision: str) -> None:
        """In the place of the one with this revision. Raises ChangedError where another lies there."""

    async def put_bundle(self, group: str, sha256: str, content: bytes) -> None:
        """Whole, before it returns. Raises ShelfError."""

    async def put_roles(self, version: int, content: bytes) -> None:
        """Raises ShelfError."""
