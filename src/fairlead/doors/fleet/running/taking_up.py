"""One look at what is published, and what comes of it. Whatever goes wrong, what was in force still is."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from fairlead.doors.fleet.sources.fetching import Pause, fetch
from fairlead.doors.fleet.sources.source import Source
from fairlead.fleet.bundles.archive import Archive
from fairlead.fleet.bundles.freshness import Release, Statement, read_statement
from fairlead.fleet.bundles.manifest import manifest_hash
from fairlead.fleet.bundles.rotation import read_signed_roles
from fairlead.fleet.bundles.store import Loads, Store
from fairlead.fleet.enrolment import Enrolment
from fairlead.fleet.publishing.pointer import Pointer, read_pointer
from fairlead.fleet.publishing.rollout import place_of, wanted
from fairlead.fleet.refusal import Refusal, RefusalCode, RefusedError
from fairlead.model.value import Value

_MAY_PASS = frozenset((RefusalCode.NO_ROOM, RefusalCode.EXPIRED))
"""A disk gets room and a clock is set: the same pointer is worth another look."""
_MOST_ROTATIONS = 100
State = tuple[str, tuple[str, ...]]


class Look(Value):
    """What came of it: the release that was taken, what was refused, or neither."""

    took: Release | None = None
    refusal: Refusal | None = None
    published: bool = True


class TakingUp:
    """`spread` is over how many seconds the machines of a group scatter when a bundle is published."""

    def __init__(
        self, source: Source, store: Store, enrolment: Enrolment, *, loads: Loads, pause: Pause, spread: float
    ) -> None:
        self._source = source
        self._store = store
        self._enrolment = enrolment
        self._loads = loads
        self._pause = pause
        self._spread = spread
        self._judged: tuple[bytes, Look] | None = None
        self._left: State = ("", ())
        """What the last look found in force or put there, and what was damaged of it all the same."""
        self._statement: Statement | None = None

    async def look(self) -> Look:
        """Raises SourceError."""
        await self.mend()
        content = await self._source.pointer()
        if content is None:
            await asyncio.to_thread(self._store.touch)
            return Look(published=False)
        now = await asyncio.to_thread(self._state)
        if self._judged is not None and self._judged[0] == content and now == (self._left[0], ()):
            await asyncio.to_thread(self._store.touch)
            return self._judged[1].replace(took=None)
        self._judged = None
        look = await self._judge(content)
        if look.refusal is None or look.refusal.code not in _MAY_PASS:
            self._judged = (content, look)
        return look

    def is_disturbed(self) -> bool:
        """Whether what is in force is not what the last look left, because somebody changed or removed it."""
        return self._judged is not None and self._state() != self._left

    def _state(self) -> State:
        now = self._store.in_force()
        return (now.sha256 if now is not None else "", tuple(self._store.damage()))

    async def mend(self) -> None:
        """What somebody took away of the folder's files. Raises OSError."""
        await asyncio.to_thread(self._store.mend)

    async def _judge(self, content: bytes) -> Look:
        try:
            pointer = read_pointer(content)
            await self._rotate(pointer.roles_version)
            statement = await self._heard(pointer)
            release = self._wanted(pointer, statement)
            if release is None:
                return Look()
            await self._take(release)
            self._left = (release.manifest_sha256, ())
        except RefusedError as error:
            return Look(refusal=error.refusal)
        return Look(took=release)

    async def _rotate(self, version: int) -> None:
        """To the version of the roles that the pointer names, or that was believed here before; each vouches
        for the next."""
        anchor = self._enrolment.roles
        version = max(version, self._store.seen().roles_floor(anchor))
        for _ in range(_MOST_ROTATIONS):
            believed = await asyncio.to_thread(self._store.roles, anchor)
            if believed.version >= version:
                return
            content = await self._source.roles(believed.version + 1)
            if content is None:
                message = f"version {believed.version + 1} of the roles is not published"
                raise RefusedError(RefusalCode.UNREADABLE, message, hint="publish it beside the pointer")
            _raise(await asyncio.to_thread(self._store.rotate, read_signed_roles(content), anchor=anchor))

    async def _heard(self, pointer: Pointer) -> Statement:
        """What the online key says; the pointer around it is nobody's word."""
        enrolment, release = self._enrolment, pointer.release
        hear = self._store.hear
        _raise(
            await asyncio.to_thread(hear, pointer.freshness, group=enrolment.group, anchor=enrolment.roles)
        )
        self._statement = statement = read_statement(pointer.freshness.content)
        if (statement.version, statement.manifest_sha256) != (release.version, release.manifest_sha256):
            message = f"the pointer is to version {release.version}, its statement about {statement.version}"
            raise RefusedError(RefusalCode.FORGED, message)
        return statement

    def _wanted(self, pointer: Pointer, statement: Statement) -> Release | None:
        self._left = self._state()
        now = self._store.in_force()
        has = (now.manifest.version, now.sha256) if now is not None else None
        if has is not None and now is not None and now.manifest.group != self._enrolment.group:
            has = None  # it moved from another group, whose versions are not ours
        release = wanted(pointer.release, statement, self._enrolment.machine, has)
        if release is None and self._left[1]:
            return _same(has, pointer.release, statement.rollout.previous)
        return release

    async def _take(self, release: Release) -> None:
        first = self._store.in_force() is None
        content = await fetch(
            self._source,
            release.bundle_sha256,
            release.size,
            spread=0 if first else self._spread,
            pause=self._pause,
        )
        if manifest_hash(Archive(content).manifest) != release.manifest_sha256:
            message = f"the bundle that came is not version {release.version} that was announced"
            raise RefusedError(RefusalCode.FORGED, message)
        enrolment = self._enrolment
        take = self._store.take
        _raise(
            await asyncio.to_thread(
                take, content, group=enrolment.group, anchor=enrolment.roles, loads=self._loads
            )
        )

    def facts(self, look: Look | None) -> Mapping[str, object]:
        """For status.json: what is in force, since when, and what was refused last."""
        now, seen = self._store.in_force(), self._store.seen()
        group = seen.of(self._enrolment.group)
        standing = self._store.standing(self._enrolment.group)
        refused = look.refusal if look is not None else None
        return {
            "version": now.manifest.version if now else 0,
            "sha256": now.sha256 if now else "",
            "state": "refused" if refused else str(standing.state),
            "standing": str(standing.state),
            "since": standing.since,
            "taken": group.taken,
            "stated": group.stated,
            "rollout": self._rollout(),
            "refusal": refused.as_json() if refused else None,
            "published": look.published if look is not None else None,
            "troubles": list(self.troubles()),
        }

    def troubles(self) -> tuple[str, ...]:
        """With what was lost lately."""
        lost = self._store.lost()
        return (*self._store.troubles(self._enrolment.roles), *((lost,) if lost else ()))

    def _rollout(self) -> Mapping[str, object] | None:
        """How far the version has gone that was heard of last, and where this machine stands in its queue."""
        said = self._statement
        if said is None:
            return None
        return {
            "version": said.version,
            "percent": said.rollout.percent,
            "halted": said.rollout.halted,
            "place": place_of(self._enrolment.machine, said.group, said.version),
        }


def _raise(refusal: Refusal | None) -> None:
    if refusal is not None:
        raise RefusedError(refusal.code, refusal.message, hint=refusal.hint)


def _same(has: tuple[int, str] | None, *releases: Release | None) -> Release | None:
    return next(
        (each for each in releases if each is not None and has == (each.version, each.manifest_sha256)), None
    )
