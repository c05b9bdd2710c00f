"""What is put where machines look for it; the same names on a disk, at a web server and in a broker."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol


def pointer_name(group: str) -> str:
    return f"groups/{group}.json"


def roles_name(version: int) -> str:
    return f"roles/{version}.json"


def bundle_name(bundle_sha256: str) -> str:
    return f"bundles/{bundle_sha256}.fairlead"


class Publisher(Protocol):
    """One place to publish to. The bundle goes first and the pointer last: whoever follows the pointer finds
    the bundle. Methods raise FairleadError."""

    def pointer(self, group: str) -> bytes | None:
        """What is published for the group now."""

    def put_bundle(self, group: str, bundle_sha256: str, content: bytes) -> None: ...

    def put_roles(self, version: int, content: bytes) -> None: ...

    def put_pointer(self, group: str, content: bytes) -> None:
        """In the place of the one that `pointer` gave, and of no other: whoever else put one there meanwhile
        is not overwritten."""

    def prune(self, group: str, keep: Collection[str]) -> int:
        """Remove the bundles of the group but for those with these hashes; how many that were."""
