"""`fairlead bundle publish`: put a bundle where machines look for it."""

from __future__ import annotations

import click

from fairlead.doors.cli.bundle.believed import believed
from fairlead.doors.cli.bundle.files import PUBLIC_KEY, bytes_of
from fairlead.doors.cli.bundle.online import CREDENTIALS, FRESH_FOR, FRESHNESS_KEY, TLS_CA, TO
from fairlead.doors.cli.durations import seconds_of
from fairlead.doors.cli.given.folders import FILE
from fairlead.doors.cli.output import Session, count, note, say, show_json
from fairlead.doors.fleet.centre.publishing import (
    first_rollout,
    pointer_to,
    published,
    require_next,
    still_named,
)
from fairlead.doors.fleet.publishers import Target, open_publisher
from fairlead.errors import FairleadError
from fairlead.fleet.bundles.building import open_unchecked
from fairlead.fleet.bundles.checking import open_signed
from fairlead.fleet.bundles.freshness import Release
from fairlead.fleet.bundles.roles import Roles
from fairlead.fleet.bundles.signing import read_key
from fairlead.fleet.publishing.pointer import Pointer
from fairlead.fleet.publishing.publication import Publisher


@click.command()
@click.argument("file", metavar="FILE", type=FILE)
@TO
@FRESHNESS_KEY
@FRESH_FOR
@click.option("--percent", type=click.IntRange(0, 100), default=100, help="Of the machines, for now.")
@click.option("--roles", type=FILE, metavar="FILE", default="", help="The roles, which are published too.")
@click.option("--public", "publics", type=PUBLIC_KEY, metavar="KEY", multiple=True, help="A key that counts.")
@CREDENTIALS
@TLS_CA
@click.option("--json", "as_json", is_flag=True, help="Print the pointer as JSON.")
@click.pass_obj
def command(
    session: Session,
    file: str,
    *,
    address: str,
    freshness_key: str,
    fresh_for: str,
    percent: int,
    roles: str,
    publics: tuple[str, ...],
    credentials: str,
    tls_ca: str,
    as_json: bool,
) -> int:
    """Put a signed bundle where the machines of its group look, and say that it is the current one.

    The signatures are checked first, by --roles, by --public, or by what this machine believes. With
    --percent below 100 the other machines keep what is published now; `fairlead fleet rollout` goes further.
    Bundles of the group that no machine is sent to any more are removed there.

    \b
    Examples:
      fairlead bundle publish web-7.fairlead --to folder:/srv/www --freshness-key f.key --roles roles.json
      fairlead bundle publish web-8.fairlead --to folder:/srv/www --freshness-key f.key --percent 10
    """
    target, lasts = Target(address, credentials, tls_ca).checked(), seconds_of(fresh_for)
    content, key = bytes_of(file), read_key(freshness_key)
    trusted = believed(session, roles=roles, publics=publics)
    release, group = _release(content, trusted)
    with open_publisher(target) as publisher:
        before = published(publisher, group)
        require_next(before, release)
        version = trusted.version if not publics else (before.roles_version if before else 1)
        pointer = pointer_to(
            release,
            group,
            key=key,
            seconds=lasts,
            rollout=first_rollout(before, release, percent, key),
            roles_version=version,
            before=before,
        )
        if roles:
            publisher.put_roles(version, bytes_of(roles))
        publisher.put_bundle(group, release.bundle_sha256, content)
        publisher.put_pointer(group, pointer.written())
        _prune(publisher, pointer, before)
    if as_json:
        show_json(pointer.as_json())
    else:
        say(f"{group} {release.version} is published")
        note(f"for {percent}% of the machines; the word that it is current holds for {fresh_for}")
        note(f"`fairlead fleet watch {group}` says it again every hour")
    return 0


def _prune(publisher: Publisher, pointer: Pointer, before: Pointer | None) -> None:
    """What stays there too long is no reason to call the publication a failure."""
    keep = still_named(pointer, before)
    if keep is None:
        return
    try:
        gone = publisher.prune(pointer.group, keep)
    except FairleadError as error:
        note(f"old bundles stay there: {error.message}")
        if error.hint:
            note(error.hint)
        return
    if gone:
        note(f"removed {count(gone, 'old bundle')} that no machine is sent to any more")


def _release(content: bytes, trusted: Roles) -> tuple[Release, str]:
    open_signed(content, trusted)
    bundle, _ = open_unchecked(content)
    manifest = bundle.manifest
    return Release(manifest.version, bundle.sha256, bundle.bundle_sha256, len(content)), manifest.group
