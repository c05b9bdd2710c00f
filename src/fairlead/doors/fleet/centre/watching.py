"""Watches a group from beside the online key: signs every hour that its bundle is current, and stops a
rollout when things get worse where the version has arrived."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from fairlead.doors.fleet.centre.publishing import require_said, rollout_of, say_anew, stopped
from fairlead.doors.fleet.centre.roll_call import LATE, Heard
from fairlead.doors.fleet.centre.watch_memory import Memory, Watched
from fairlead.doors.fleet.publishers import changed_meanwhile
from fairlead.errors import FairleadError
from fairlead.fleet.bundles.freshness import Rollout, read_statement
from fairlead.fleet.bundles.signing import PrivateKey
from fairlead.fleet.publishing.jump import Seen, jump
from fairlead.fleet.publishing.pointer import Pointer
from fairlead.fleet.publishing.publication import Publisher
from fairlead.fleet.telling.heartbeat import Counts

SIGNS_EVERY = 3600.0
WATCHES = 86_400.0
"""Seconds for which a version is watched after it went to everybody."""
_EVERYBODY = 100
_MOST_MACHINES = 200_000


class Watch:
    """Of one group. `back`: machines are to leave the version when it is stopped, instead of keeping it.
    `memory` is what another one knew that ended. `expected` is the group by machine; where it is empty, each
    machine is believed about its own."""

    def __init__(
        self,
        group: str,
        key: PrivateKey,
        *,
        back: bool = False,
        memory: Memory | None = None,
        watches: float = WATCHES,
        expected: Callable[[], Mapping[str, str]] = dict,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._group = group
        self._key = key
        self._back = back
        self._watches = watches
        self._expected = expected
        self._clock = clock
        known = memory or Memory()
        self._machines: dict[str, Watched] = dict(known.machines)
        self._said = known.replace(machines={})
        self._signed = float("-inf")
        self._listens = clock()

    @property
    def memory(self) -> Memory:
        return self._said.replace(machines=dict(self._machines))

    def listens(self) -> None:
        """From now on, again: nobody fell silent while nobody listened."""
        self._listens = self._clock()

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
            before = known.counts if known is not None and known.version < version else Counts()
            self._machines[heard.machine] = Watched(version, heard.at, before=before)
        elif heard.at > known.heard:
            counts = known.counts.plus(heartbeat.counts)
            self._machines[heard.machine] = known.replace(heard=heard.at, counts=counts)

    def look(self, publisher: Publisher) -> str:
        """What was done, in words; empty for nothing. Raises FairleadError."""
        pointer = require_said(publisher, self._group, self._key)
        self._refuse_older(pointer)
        version, rollout = pointer.release.version, rollout_of(pointer)
        self._note(version, rollout)
        why = self.why_to_stop(version, rollout)
        if not why and self._clock() - self._signed < SIGNS_EVERY:
            return ""
        if why:
            back = self._back and rollout.previous is not None
            rollout = stopped(rollout, back=back, why=why)

        def unless_changed(now: Pointer) -> Rollout:
            if now != pointer:
                raise changed_meanwhile(self._group)
            return rollout

        said = say_anew(publisher, self._group, unless_changed, key=self._key)
        at = read_statement(said.freshness.content).at
        self._signed, self._said = self._clock(), self._said.replace(at=at, halted=rollout.halted)
        if why:
            return f"stopped version {version}: {why}"
        return f"version {version} is {'still stopped' if rollout.halted else 'current'}"

    def _refuse_older(self, pointer: Pointer) -> None:
        """Nobody brings an old version back by putting the pointer of that time there to be signed anew."""
        at = read_statement(pointer.freshness.content).at
        if pointer.release.version < self._said.version or at < self._said.at:
            message = f"what is published for {self._group} is older than what was there before"
            raise FairleadError(message, hint="publish the current bundle again, and find out who did this")
        self._said = self._said.replace(at=at)

    def _note(self, version: int, rollout: Rollout) -> None:
        """When the version began to go to everybody; and that a person let it go on, who knew the figures."""
        said = self._said
        if version == said.version and said.halted and not rollout.halted:
            fresh = {name: each.replace(counts=Counts()) for name, each in self._machines.items()}
            self._machines.update(fresh)
        same = version == said.version and rollout.percent == _EVERYBODY
        complete = (said.complete if same else 0.0) or self._clock()
        self._said = said.replace(
            version=version,
            complete=complete if rollout.percent == _EVERYBODY else 0.0,
            halted=rollout.halted,
        )

    def why_to_stop(self, version: int, rollout: Rollout) -> str:
        """Empty unless things get worse while it is under way, or in the day after it went to everybody."""
        complete = rollout.percent == _EVERYBODY
        if rollout.halted or (complete and self._clock() - self._said.complete > self._watches):
            return ""
        new = [each for each in self._machines.values() if each.version == version]
        others = [self._seen(each) for each in self._machines.values() if each.version != version]
        earlier = [Seen(each.before) for each in new if each.before.calls]
        if complete:  # nobody is left whose silence could be compared, and in the evening all fall silent
            return jump([Seen(each.counts) for each in new], [*others, *earlier])
        return jump([self._seen(each) for each in new], others or earlier)

    def _seen(self, watched: Watched) -> Seen:
        return Seen(watched.counts, self._clock() - max(watched.heard, self._listens) > LATE)
