"""What is said of a group by the online key: which bundle is current, for how long, how far it has gone.

It vouches for nothing in the bundle. Whoever changes what was said reads it first, and puts the next in its
place only if nobody else did meanwhile.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from fairlead.errors import FairleadError
from fairlead.fleet.bundles.freshness import WHY, Release, Rollout, Statement, read_statement
from fairlead.fleet.bundles.roles import Role
from fairlead.fleet.bundles.signatures import Signed
from fairlead.fleet.bundles.signing import FOR_FRESHNESS, PrivateKey, signed_by
from fairlead.fleet.publishing.pointer import Pointer, read_pointer
from fairlead.fleet.publishing.publication import Publisher
from fairlead.fleet.refusal import RefusalCode, RefusedError

HOLDS = 24 * 3600
"""Seconds. It is said anew every hour, so there is a day to notice that nobody does."""
GRACE = 3600
"""Seconds for which a bundle that no pointer names any more can still be fetched. A machine that heard the
pointer before fetches within half a minute, tries four times for two minutes each, and then looks again."""
Change = Callable[[Pointer], Rollout]


def published(publisher: Publisher, group: str) -> Pointer | None:
    """Raises RefusedError where something else lies there."""
    content = publisher.pointer(group)
    return read_pointer(content) if content is not None else None


def rollout_of(pointer: Pointer) -> Rollout:
    """As it was signed; what the pointer itself says of it is for people. Raises RefusedError."""
    return read_statement(pointer.freshness.content).rollout


def is_said_by(pointer: Pointer, key: PrivateKey) -> bool:
    """Whether the key itself has said it: whoever can write where it lies could have put anything there."""
    signed = pointer.freshness
    return bool(signed_by(signed.content, signed.signatures, Role((key.public,)), purpose=FOR_FRESHNESS))


def require_said(publisher: Publisher, group: str, key: PrivateKey) -> Pointer:
    """Raises FairleadError where nothing is published, or not with this key."""
    before = published(publisher, group)
    if before is None:
        raise FairleadError(f"nothing is published for {group}", hint="`fairlead bundle publish` does that")
    if not is_said_by(before, key):
        message = f"what is published for {group} was not signed with this key"
        raise FairleadError(message, hint="`fairlead bundle publish` says with this key what is current")
    return before


def say_anew(
    publisher: Publisher, group: str, change: Change, *, key: PrivateKey, seconds: float = HOLDS
) -> Pointer:
    """That what is published is current, with the rollout that `change` makes of it. Raises FairleadError."""
    before = require_said(publisher, group, key)
    pointer = pointer_to(
        before.release,
        group,
        key=key,
        seconds=seconds,
        rollout=change(before),
        roles_version=before.roles_version,
        before=before,
    )
    publisher.put_pointer(group, pointer.written())
    return pointer


def pointer_to(
    release: Release,
    group: str,
    *,
    key: PrivateKey,
    seconds: float,
    rollout: Rollout,
    roles_version: int,
    before: Pointer | None,
) -> Pointer:
    """Raises FairleadError where the clock is behind what was said before: no machine would believe it."""
    now = int(time.time())
    said = read_statement(before.freshness.content).at if before else 0
    if now < said:
        raise FairleadError("this machine's clock is behind what was published last", hint="set the clock")
    ends = now + int(seconds)
    statement = Statement(group, release.version, release.manifest_sha256, now, ends, rollout)
    content = statement.written()
    signed = Signed(content, (key.sign(content, purpose=FOR_FRESHNESS),))
    same = before is not None and before.release == release
    made = before.published if before is not None and same else now
    return Pointer(group, release, made, roles_version, signed, rollout)


def require_next(before: Pointer | None, release: Release) -> None:
    """Raises RefusedError for an older version than is published, and for another bundle of the same."""
    if before is None:
        return
    known = before.release
    if release.version < known.version:
        message = f"version {known.version} is published already, and machines take no older one"
        raise RefusedError(RefusalCode.OLDER, message, hint="build it again with a higher --version")
    if release.version == known.version and release.manifest_sha256 != known.manifest_sha256:
        message = f"another bundle of version {known.version} is published"
        raise RefusedError(RefusalCode.FORK, message, hint="build it again with a higher --version")


def first_rollout(before: Pointer | None, release: Release, percent: int, key: PrivateKey) -> Rollout:
    """Of a release that is published now. Machines outside of it keep what all were to have before."""
    if before is None or not is_said_by(before, key):
        return Rollout(percent)
    rollout = rollout_of(before)
    if before.release.version == release.version:
        return rollout.replace(percent=percent)
    complete = rollout.percent == 100 and not rollout.halted
    return Rollout(percent, before.release if complete else rollout.previous)


def stopped(rollout: Rollout, *, back: bool, why: str = "") -> Rollout:
    """Nobody else takes the version; `back`: who has it leaves it. Raises FairleadError where there is none
    to go back to."""
    if back and rollout.previous is None:
        raise FairleadError("there is no version before this one", hint="publish one with a higher version")
    return rollout.replace(halted=True, percent=0 if back else rollout.percent, why=why[:WHY])


def still_named(now: Pointer, before: Pointer | None) -> frozenset[str] | None:
    """The hashes of the bundles that a machine may be fetching, or be sent back to: of this pointer and of
    the one that it replaces. None while a machine may still follow the one before that."""
    said = read_statement(now.freshness.content).at
    if before is not None and said - before.published < GRACE:
        return None
    releases: list[Release | None] = []
    for pointer in (now, before):
        if pointer is not None:
            releases += [pointer.release, rollout_of(pointer).previous]
    return frozenset(each.bundle_sha256 for each in releases if each is not None)
