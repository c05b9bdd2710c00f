"""Watches a group from beside the online key: signs every hour that its bundle is current, and stops a
rollout when things get worse where the version has arrived."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from fairlead.doors.fleet.centre.publishing import require_said, rollout_of, say_anew
from fairlead.doors.fleet.centre.roll_call import LATE, Heard
from fairlead.doors.fleet.publishers import changed_meanwhile
from fairlead.errors import FairleadError
from fairlead.fleet.bundles.freshness import WHY, Rollout, read_statement
from fairlead.fleet.bundles.signing import PrivateKey
from fairlead.fleet.heartbeat import Counts
from fairlead.fleet.jump import Seen, jump
from fairlead.fleet.pointer import Pointer
from fairlead.fleet.publication import Publisher
from fairlead.model.value import Value

SIGNS_EVERY = 3600.0
_MOST_MACHINES = 200_000


class _Watched(Value):
    """A machine since it has this version: the calls before that are not counted to it."""

    version: int
    heard: float
    counts: Counts = Counts()


class Watch:
    """Of one group. `back`: machines are to leave the version when it is stopped, instead of keeping it.
    `expected` is the group by machine; where it is empty, each machine is believed about its own."""

    def __init__(
        self,
        group: str,
        key: PrivateKey,
        *,
        back: bool = False,
        expected: Callable[[], Mapping[str, str]] = dict,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._group = group
        self._key = key
        self._back = back
        self._expected = expected
        self._clock = clock
        self._machines: dict[str, _Watched] = {}
        self._signed = float("-inf")
        self._version = 0
        self._at = 0

    def hear(self, heard: Heard) -> None:
        """What cannot be read, or is from another group, changes nothing here."""
        heartbeat = heard.heartbeat
        if heartbeat is None or heartbeat.group != self._group:
            return
        expected = self._expected()
        if expected and expected.get(heard.machine) != self._group:
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

    def look(self, publisher: Publisher) -> str:
        """What was done, in words; empty for nothing. Raises FairleadError."""
        pointer = require_said(publisher, self._group, self._key)
        self._refuse_older(pointer)
        version, rollout = pointer.release.version, rollout_of(pointer)
        why = self.why_to_stop(version, rollout)
        if not why and self._clock() - self._signed < SIGNS_EVERY:
            return ""
        if why:
            percent = 0 if self._back else rollout.percent
            rollout = rollout.replace(halted=True, percent=percent, why=why[:WHY])

        def unless_changed(now: Pointer) -> Rollout:
            if now != pointer:
                raise changed_meanwhile(self._group)
            return rollout

        said = say_anew(publisher, self._group, unless_changed, key=self._key)
        self._signed, self._at = self._clock(), read_statement(said.freshness.content).at
        return f"stopped the rollout of version {version}: {why}" if why else f"version {version} is current"

    def _refuse_older(self, pointer: Pointer) -> None:
        """Nobody brings an old version back by putting the pointer of that time there to be signed anew."""
        at = read_statement(pointer.freshness.content).at
        if pointer.release.version < self._version or at < self._at:
            message = f"what is published for {self._group} is older than what was there before"
            raise FairleadError(message, hint="publish the current bundle again, and find out who did this")
        self._version, self._at = pointer.release.version, at

    def why_to_stop(self, version: int, rollout: Rollout) -> str:
        """Empty unless it is under way and things get worse."""
        if rollout.halted or rollout.percent == 100:
            return ""
        new = [self._seen(each) for each in self._machines.values() if each.version == version]
        old = [self._seen(each) for each in self._machines.values() if each.version != version]
        return jump(new, old)

    def _seen(self, watched: _Watched) -> Seen:
        return Seen(watched.counts, self._clock() - watched.heard > LATE)
