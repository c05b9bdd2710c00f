"""What the online key says: made anew for whatever is published, as far as it has gone."""

from __future__ import annotations

import time

import click

from fairlead.doors.cli.durations import seconds_of
from fairlead.doors.cli.given.folders import FILE
from fairlead.errors import FairleadError
from fairlead.fleet.bundles.freshness import Release, Rollout, Statement, read_statement
from fairlead.fleet.bundles.signatures import Signed
from fairlead.fleet.bundles.signing import FOR_FRESHNESS, PrivateKey
from fairlead.fleet.pointer import Pointer, read_pointer
from fairlead.fleet.publication import Publisher

TO = click.option("--to", "address", required=True, metavar="ADDRESS", help="Where: folder:DIR.")
CREDENTIALS = click.option(
    "--credentials", type=FILE, default="", metavar="FILE", help="What lets us in there."
)
TLS_CA = click.option(
    "--tls-ca", type=FILE, default="", metavar="FILE", help="The authority that the address is checked by."
)
FRESH_FOR = click.option(
    "--fresh-for", default="24h", metavar="LENGTH", help="How long the word holds: 24h unless you say so."
)


def published(publisher: Publisher, group: str) -> Pointer | None:
    """Raises RefusedError where something else lies there."""
    content = publisher.pointer(group)
    return read_pointer(content) if content is not None else None


def pointer_to(
    release: Release,
    group: str,
    *,
    key: PrivateKey,
    fresh_for: str,
    rollout: Rollout,
    roles_version: int,
    before: Pointer | None,
) -> Pointer:
    """Raises FairleadError where the clock is behind what was said before: no machine would believe it."""
    now = int(time.time())
    said = read_statement(before.freshness.content).at if before else 0
    if now < said:
        raise FairleadError("this machine's clock is behind what was published last", hint="set the clock")
    ends = now + int(seconds_of(fresh_for))
    statement = Statement(group, release.version, release.manifest_sha256, now, ends, rollout)
    content = statement.written()
    signed = Signed(content, (key.sign(content, purpose=FOR_FRESHNESS),))
    same = before is not None and before.release == release
    made = before.published if before is not None and same else now
    return Pointer(group, release, made, roles_version, signed, rollout)
