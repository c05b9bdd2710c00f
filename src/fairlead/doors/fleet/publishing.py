"""What is published for a group, step by step: a bundle, how far it goes, and the word that it is current.

Each step reads the pointer, makes the next one and puts it in its place only if nobody else did meanwhile.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable

from fairlead.doors.fleet.shelves.shelf import Lying, Shelf, ShelfError
from fairlead.fleet.bundles.building import open_unchecked
from fairlead.fleet.bundles.freshness import Release, Rollout, Statement, read_statement
from fairlead.fleet.bundles.signatures import Signed
from fairlead.fleet.bundles.signing import FOR_FRESHNESS, PrivateKey
from fairlead.fleet.pointer import Pointer, read_pointer

HOURS = 24
"""How long a statement holds. It is signed anew every hour, so a day may pass without anybody noticing."""
Change = Callable[[Pointer], Rollout]


class Publisher:
    """`key` is the online one; it vouches for what is current, never for what is in a bundle."""

    def __init__(
        self, shelf: Shelf, key: PrivateKey, *, hours: int = HOURS, clock: Callable[[], float] = time.time
    ) -> None:
        self._shelf = shelf
        self._key = key
        self._seconds = hours * 3600
        self._clock = clock

    async def publish(self, content: bytes, *, percent: int = 100, roles_version: int = 1) -> Pointer:
        """Put a bundle there, and point to it. Raises ShelfError where a newer one, or another one of the same
        version, is there."""
        bundle, _ = open_unchecked(content)
        manifest = bundle.manifest
        sha256 = hashlib.sha256(content).hexdigest()
        release = Release(manifest.version, bundle.sha256, sha256, len(content))
        lying = await self._shelf.pointer(manifest.group)
        now = read_pointer(lying.content) if lying.content is not None else None
        rollout = _rollout_of(release, now, percent)
        await self._shelf.put_bundle(manifest.group, sha256, content)
        made = self._pointer(
            manifest.group, release, rollout, now, max(roles_version, now.roles_version if now else 1)
        )
        await self._shelf.put_pointer(manifest.group, made.written(), lying.revision)
        return made

    async def read(self, group: str) -> Pointer:
        """Raises ShelfError where nothing is published."""
        return (await self._read(group))[0]

    async def change(self, group: str, change: Change) -> Pointer:
        """Sign anew, with the rollout that `change` makes of what is there."""
        now, lying = await self._read(group)
        made = self._pointer(group, now.release, change(now), now, now.roles_version)
        await self._shelf.put_pointer(group, made.written(), lying.revision)
        return made

    async def _read(self, group: str) -> tuple[Pointer, Lying]:
        lying = await self._shelf.pointer(group)
        if lying.content is None:
            raise ShelfError(f"nothing is published for the group {group} on {self._shelf.shown}")
        return read_pointer(lying.content), lying

    def _pointer(
        self, group: str, release: Release, rollout: Rollout, now: Pointer | None, roles_version: int
    ) -> Pointer:
        at = int(self._clock())
        if now is not None:
            at = max(at, statement_of(now).at + 1)  # machines believe the latest, whatever our clock says
        statement = Statement(
            group, release.version, release.manifest_sha256, at, at + self._seconds, rollout
        )
        content = statement.written()
        signed = Signed(content, (self._key.sign(content, purpose=FOR_FRESHNESS),))
        same = now is not None and now.release == release
        published = now.published if same and now is not None else at
        return Pointer(group, release, published, roles_version, signed, rollout)


def statement_of(pointer: Pointer) -> Statement:
    """Raises RefusedError. Its signature is for machines to check."""
    return read_statement(pointer.freshness.content)


def _rollout_of(release: Release, now: Pointer | None, percent: int) -> Rollout:
    if now is None:
        return Rollout(percent)
    if now.release.version > release.version:
        message = f"version {now.release.version} is published already, and this is {release.version}"
        raise ShelfError(message, hint="build it again with a higher version")
    rollout = statement_of(now).rollout
    if now.release.version == release.version:
        if now.release.manifest_sha256 != release.manifest_sha256:
            message = f"another bundle of version {release.version} is published already"
            raise ShelfError(message, hint="build it again with a higher version")
        return rollout
    return Rollout(percent, now.release if _is_complete(rollout) else rollout.previous)


def _is_complete(rollout: Rollout) -> bool:
    """Whether it is what the machines of the group have, or are about to."""
    return rollout.percent == 100 and not rollout.halted
