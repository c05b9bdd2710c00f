"""How current what is in force is: fresh, stale since when, expired; and what time it can be at all.

A clock that was set back, or lost its battery, must not make an old word fresh again: it is never earlier
than the latest time that somebody with the freshness key has named.
"""

from __future__ import annotations

from enum import StrEnum

from fairlead.fleet.bundles.freshness import Statement, read_statement
from fairlead.fleet.bundles.manifest import Manifest
from fairlead.fleet.bundles.roles import Roles
from fairlead.fleet.bundles.seen import SeenGroup
from fairlead.fleet.bundles.signatures import Signed
from fairlead.fleet.bundles.signing import FOR_FRESHNESS, require_signed
from fairlead.fleet.moments import DAY, write_moment
from fairlead.fleet.refusal import RefusalCode, RefusedError
from fairlead.model.value import Value


class State(StrEnum):
    NONE = "none"
    CURRENT = "current"
    STALE = "stale"
    EXPIRED = "expired"


class Standing(Value):
    """`since` is when it became so, and `asks` when gating calls of agents begin to ask; 0 for never."""

    state: State
    since: int = 0
    asks: int = 0

    def words(self) -> str:
        since = f" since {write_moment(self.since)}" if self.since else ""
        return f"{self.state}{since}"


def standing(manifest: Manifest | None, seen: SeenGroup, now: float) -> Standing:
    """Of what is in force. A bundle of which nobody ever said that it is current is stale from its making."""
    if manifest is None:
        return Standing(State.NONE)
    time = max(int(now), seen.at)
    until = seen.fresh_until or manifest.created
    asks = until + manifest.freshness_days * DAY if manifest.stale == "ask" else 0
    if time >= manifest.expires:
        return Standing(State.EXPIRED, manifest.expires, asks)
    if time >= until:
        return Standing(State.STALE, until, asks)
    return Standing(State.CURRENT, seen.at, asks)


def check_statement(signed: Signed, *, group: str, roles: Roles, seen: SeenGroup, now: float) -> Statement:
    """What the freshness key says, if it may be believed now. Raises RefusedError."""
    require_signed(signed, roles.freshness, purpose=FOR_FRESHNESS, what="the freshness statement")
    statement = read_statement(signed.content)
    if statement.group != group:
        message = f"the freshness statement is for the group {statement.group}"
        raise RefusedError(RefusalCode.WRONG_GROUP, message)
    if statement.at < seen.at or statement.version < max(seen.stated, 0):
        message = f"a freshness statement of {write_moment(statement.at)} is older than one that was here"
        raise RefusedError(RefusalCode.OLDER, message)
    known = {(seen.version, seen.manifest_sha256), (seen.stated, seen.stated_sha256)}
    if any(
        version == statement.version and known_hash != statement.manifest_sha256
        for version, known_hash in known
    ):
        message = f"there are two bundles of version {statement.version}"
        raise RefusedError(RefusalCode.FORK, message, hint="find out who signed both")
    if not statement.at < statement.expires or max(int(now), seen.at) >= statement.expires:
        message = f"the freshness statement expired on {write_moment(statement.expires)}"
        raise RefusedError(RefusalCode.EXPIRED, message)
    return statement
