"""`fairlead bundle freshness`: say again that what is published is current."""

from __future__ import annotations

import click

from fairlead.doors.cli.bundle.files import GROUP
from fairlead.doors.cli.bundle.online import CREDENTIALS, FRESH_FOR, TLS_CA, TO, pointer_to, published
from fairlead.doors.cli.given.folders import FILE
from fairlead.doors.cli.output import note, say, show_json
from fairlead.doors.fleet.publishers import Target, open_publisher
from fairlead.errors import FairleadError
from fairlead.fleet.bundles.freshness import read_statement
from fairlead.fleet.bundles.signing import read_key
from fairlead.fleet.moments import write_moment


@click.command()
@TO
@click.option("--group", type=GROUP, required=True, help="The group that it is said of.")
@click.option("--freshness-key", type=FILE, required=True, metavar="FILE", help="The online private key.")
@FRESH_FOR
@click.option("--percent", type=click.IntRange(0, 100), default=None, help="Go on to so many machines.")
@click.option("--halt/--resume", "halted", default=None, help="Stop the rollout where it is, or go on.")
@CREDENTIALS
@TLS_CA
@click.option("--json", "as_json", is_flag=True, help="Print the pointer as JSON.")
def command(
    *,
    address: str,
    group: str,
    freshness_key: str,
    fresh_for: str,
    percent: int | None,
    halted: bool | None,
    credentials: str,
    tls_ca: str,
    as_json: bool,
) -> int:
    """Sign a statement that the published bundle is the current one, for a while.

    Run it every hour where the online key lies. Machines that hear nothing for longer than the statement
    holds keep their policy, and say that it is stale; so nobody can hold them at an old one unnoticed.

    \b
    Examples:
      fairlead bundle freshness --to folder:/srv/www --group web --freshness-key f.key
      fairlead bundle freshness --to folder:/srv/www --group web --freshness-key f.key --percent 50
      fairlead bundle freshness --to folder:/srv/www --group web --freshness-key f.key --halt
    """
    key = read_key(freshness_key)
    with open_publisher(Target(address, credentials, tls_ca)) as publisher:
        before = published(publisher, group)
        if before is None:
            raise FairleadError(
                f"nothing is published for {group}", hint="`fairlead bundle publish` does that"
            )
        rollout = read_statement(before.freshness.content).rollout
        if percent is not None:
            rollout = rollout.replace(percent=percent, previous=rollout.previous if percent < 100 else None)
        if halted is not None:
            rollout = rollout.replace(halted=halted)
        pointer = pointer_to(
            before.release,
            group,
            key=key,
            fresh_for=fresh_for,
            rollout=rollout,
            roles_version=before.roles_version,
            before=before,
        )
        publisher.put_pointer(group, pointer.written())
    if as_json:
        show_json(pointer.as_json())
    else:
        until = read_statement(pointer.freshness.content).expires
        say(f"{group} {pointer.release.version} is current until {write_moment(until)}")
        halting = ", halted" if rollout.halted else ""
        note(f"{rollout.percent}% of the machines{halting}")
    return 0
