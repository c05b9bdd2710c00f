"""What is missing from the folder of bundles, and what that may not lead to.

Whoever removes a file, or brings back that of yesterday, must gain nothing: no old bundle becomes current, no
key counts that was taken out, and somebody is told.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator

from fairlead.fleet.bundles.roles import Roles, read_roles
from fairlead.fleet.bundles.rotation import MAX_CHAIN, read_chain
from fairlead.fleet.bundles.seen import MAX_SEEN, Seen, read_seen
from fairlead.fleet.moments import DAY, write_moment
from fairlead.fleet.refusal import RefusalCode, RefusedError
from fairlead.policy.layering.fleet_layer import (
    CURRENT,
    FRESHNESS_FILE,
    folder_in_force,
    tells_age,
    was_in_force,
)
from fairlead.policy.places import read_own

SEEN, ROLES = "seen.json", "roles.json"
_TOLD_FOR = 7 * DAY


def kept_bytes(folder: str, name: str, limit: int) -> bytes:
    """Of a plain file that nobody but its owner can have written. Raises OSError."""
    content = read_own(os.path.join(folder, name), limit + 1)
    if content is None:
        raise OSError(errno.ENOENT, "there is no such file that could be believed", name)
    return content


def lost_files(folder: str) -> Iterator[str]:
    """Those that should be there while a bundle is in force, and that cannot be read."""
    try:
        read_seen(kept_bytes(folder, SEEN, MAX_SEEN))
    except (OSError, RefusedError):
        yield SEEN
    in_force = folder_in_force(folder)
    if in_force and not tells_age(folder, in_force):
        yield FRESHNESS_FILE


def gone_words(folder: str) -> Iterator[str]:
    """Of the bundle itself, where one was in force."""
    if was_in_force(folder):
        yield f"{CURRENT} is missing: calls that could do harm are blocked until the bundle is taken up again"


def troubles_of(folder: str, seen: Seen, anchor: Roles | None) -> Iterator[str]:
    for name in lost_files(folder):
        how = "cannot be read" if os.path.lexists(os.path.join(folder, name)) else "is missing"
        yield f"{name} {how}: what was in force stays in force, and counts as old until the fleet is heard"
    if anchor is not None and _shown(folder, anchor) < seen.roles_floor(anchor):
        yield f"{ROLES} is missing or damaged: version {seen.roles_version} of the roles was believed here"


def lost_words(seen: Seen, now: float) -> str:
    """Of a loss that was mended, for a week; empty for none."""
    if not seen.lost or now > seen.lost + _TOLD_FOR:
        return ""
    return f"{SEEN} was gone on {write_moment(seen.lost)} and was begun anew: who removed it, or what failed?"


def _shown(folder: str, anchor: Roles) -> int:
    """The highest version of roles that the file names; nobody asks here who signed it."""
    try:
        chain = read_chain(kept_bytes(folder, ROLES, MAX_CHAIN))
        return max((read_roles(signed.content).version for signed in chain), default=anchor.version)
    except (OSError, RefusedError):
        return anchor.version


def require_roles(roles: Roles, seen: Seen, anchor: Roles) -> None:
    """Raises RefusedError where later roles were believed than can be shown now."""
    if roles.version < seen.roles_floor(anchor):
        message = (
            f"version {seen.roles_version} of the roles was believed here, and {ROLES} shows no later one "
            f"than {roles.version}"
        )
        hint = "publish the versions of the roles beside the pointer: they are fetched again"
        raise RefusedError(RefusalCode.UNREADABLE, message, hint=hint)
