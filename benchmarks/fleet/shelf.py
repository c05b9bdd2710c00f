"""What a simulated machine keeps of bundles: checked as any machine checks them, and kept in memory alone.

The disk of ten thousand machines is not the disk of one; what is left out is writing the files, reading the
policy in them, and one rename. A real agent beside them does all of it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from fairlead.fleet.bundles.checking import Expected, open_bundle
from fairlead.fleet.bundles.roles import Roles
from fairlead.fleet.bundles.seen import Seen
from fairlead.fleet.bundles.signatures import Signed
from fairlead.fleet.bundles.standing import Standing, check_statement, standing
from fairlead.fleet.bundles.store import InForce, Loads, Store
from fairlead.fleet.refusal import Refusal, RefusedError
from fairlead.policy.reading.problem import Problem


def unread(folder: str) -> Sequence[Problem]:
    """The policy in a bundle, which a simulated machine does not read."""
    return ()


class Shelf(Store):
    def __init__(self) -> None:
        super().__init__("")
        self._in_force: InForce | None = None
        self._seen = Seen()

    def in_force(self) -> InForce | None:
        return self._in_force

    def seen(self) -> Seen:
        return self._seen

    def standing(self, group: str) -> Standing:
        now = self._in_force
        return standing(now.manifest if now else None, self._seen.of(group), time.time())

    def roles(self, anchor: Roles) -> Roles:
        return anchor

    def take(self, content: bytes, *, group: str, anchor: Roles, loads: Loads) -> Refusal | None:
        seen = self._seen.of(group)
        try:
            bundle = open_bundle(content, Expected(group, anchor, seen, time.time()))
        except RefusedError as error:
            return error.refusal
        took = seen.took(bundle.manifest.version, bundle.sha256, at=int(time.time()), before=seen.version)
        self._in_force = InForce(bundle.manifest, bundle.sha256, "")
        self._seen = self._seen.with_group(group, took)
        return None

    def hear(self, signed: Signed, *, group: str, anchor: Roles) -> Refusal | None:
        seen = self._seen.of(group)
        try:
            said = check_statement(signed, group=group, roles=anchor, seen=seen, now=time.time())
        except RefusedError as error:
            return error.refusal
        self._seen = self._seen.with_group(group, seen.heard(said))
        return None

    def touch(self) -> None:
        """There is no disk to note it on."""

    def mend(self) -> None:
        """Nor anything that could be lost there."""

    def troubles(self, anchor: Roles | None = None) -> tuple[str, ...]:
        return ()

    def damage(self) -> tuple[str, ...]:
        return ()
