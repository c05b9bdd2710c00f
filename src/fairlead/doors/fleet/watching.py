"""Watches a group from beside the online key: signs every hour that its bundle is current, and stops a
rollout when things get worse where the version has arrived."""

from __future__ import annotations

from collections.abc import Callable

from fairlead.doors.fleet.publishing import Publisher, statement_of
from fairlead.doors.fleet.roll_call import LATE, Heard
from fairlead.fleet.bundles.freshness import Rollout
from fairlead.fleet.heartbeat import Counts
from fairlead.fleet.jump import Seen, jump
from fairlead.fleet.pointer import Pointer
from fairlead.model.value import Value

SIGNS_EVERY = 3600.0
_MOST_MACHINES = 200_000


class _Watched(Value):
    """A machine since it has this version: the calls before that are not counted to it."""

    version: int
    heard: float
    counts: Counts = Counts()


class Watch:
    """Of one group. `back`: machines are to leave the version when it is stopped, instead of keeping it."""

    def __init__(self, group: str, publisher: Publisher, *, back: bool, clock: Callable[[], float]) -> None:
        self._group = group
        self._publisher = publisher
        self._back = back
        self._clock = clock
        self._machines: dict[str, _Watched] = {}
        self._signed = float("-inf")

    def hear(self, heard: Heard) -> None:
        """What cannot be read, or is from another group, changes nothing here."""
        heartbeat = heard.heartbeat
        if heartbeat is None or heartbeat.group != self._group:
            return
        known = self._machines.get(heard.machine)
        if known is None and len(self._machines) >= _MOST_MACHINES:
            return
        version = heartbeat.bundle.version
        if known is None or known.version != version:
            self._machines[heard.machine] = _Watched(version, heard.at)
        elif heard.at > known.heard:
            counts = known.counts.plus(heartbeat.counts)
            self._machines[heard.machine] = known.replace(heard=heard.at, counts=counts)

    async def look(self) -> str:
        """What was done, in words; empty for nothing. Raises ShelfError."""
        done = ""

        def change(pointer: Pointer) -> Rollout:
            nonlocal done
            rollout = statement_of(pointer).rollout
            why = self.why_to_stop(pointer.release.version, rollout)
            if why:
                done = f"stopped the rollout of version {pointer.release.version}: {why}"
                return rollout.replace(halted=True, percent=0 if self._back else rollout.percent)
            done = f"signed that version {pointer.release.version} is current"
            return rollout

        now = self._clock()
        if now - self._signed < SIGNS_EVERY and not await self._must_stop():
            return ""
        await self._publisher.change(self._group, change)
        self._signed = now
        return done

    async def _must_stop(self) -> bool:
        pointer = await self._publisher.read(self._group)
        return bool(self.why_to_stop(pointer.release.version, statement_of(pointer).rollout))

    def why_to_stop(self, version: int, rollout: Rollout) -> str:
        """Empty unless it is under way and things get worse."""
        if rollout.halted or rollout.percent == 100:
            return ""
        new = [self._seen(each) for each in self._machines.values() if each.version == version]
        old = [self._seen(each) for each in self._machines.values() if each.version != version]
        return jump(new, old)

    def _seen(self, watched: _Watched) -> Seen:
        return Seen(watched.counts, self._clock() - watched.heard > LATE)
