"""Which bundle a machine is to have while a version is on its way through a group.

Everything rests on the signed statement of freshness. It names a version, how many machines of a hundred are
to have it, and the bundle that the others keep. A version that is halted goes to nobody else; halted at 0 %,
those who have it go back.
"""

from __future__ import annotations

import hashlib

from fairlead.fleet.bundles.freshness import Release, Statement, goes_back

_PARTS = 10_000
_EVERYBODY = 100


def place_of(machine: str, group: str, version: int) -> float:
    """Where this machine stands in the queue for this version: from 0 up to 100, another for each version, so
    that it is not always the same ones who go first."""
    digest = hashlib.sha256(f"{machine}:{group}:{version}".encode()).hexdigest()
    return int(digest[:8], 16) % _PARTS * _EVERYBODY / _PARTS


def is_among(machine: str, group: str, version: int, percent: int) -> bool:
    return place_of(machine, group, version) < percent


def wanted(
    release: Release, statement: Statement, machine: str, has: tuple[int, str] | None
) -> Release | None:
    """What to fetch; None to stay with what there is. `release` is the version of the statement as it was
    published, `has` the version in force and the hash of its manifest."""
    rollout = statement.rollout
    has_it = has == (statement.version, statement.manifest_sha256)
    if goes_back(rollout):
        assert rollout.previous is not None
        return rollout.previous if has_it or _is_behind(has, rollout.previous) else None
    if has_it:
        return None
    if not rollout.halted and is_among(machine, statement.group, statement.version, rollout.percent):
        return release if _is_behind(has, release) else None
    return rollout.previous if rollout.previous and _is_behind(has, rollout.previous) else None


def _is_behind(has: tuple[int, str] | None, release: Release) -> bool:
    """Also with the same version and another manifest: then whoever checks the bundle says what is wrong."""
    return (
        has is None
        or has[0] < release.version
        or (has[0] == release.version and has[1] != release.manifest_sha256)
    )
