"""`fairlead bundle freshness`: say again that what is published is current."""

from __future__ import annotations

import click

from fairlead.doors.cli.bundle.files import GROUP
from fairlead.doors.cli.bundle.online import CREDENTIALS, FRESH_FOR, FRESHNESS_KEY, TLS_CA, TO
from fairlead.doors.cli.durations import seconds_of
from fairlead.doors.cli.output import say, show_json
from fairlead.doors.fleet.centre.publishing import rollout_of, say_anew
from fairlead.doors.fleet.publishers import Target, open_publisher
from fairlead.fleet.bundles.freshness import read_statement
from fairlead.fleet.bundles.signing import read_key
from fairlead.fleet.moments import write_moment


@click.command()
@TO
@click.option("--group", type=GROUP, required=True, help="The group that it is said of.")
@FRESHNESS_KEY
@FRESH_FOR
@CREDENTIALS
@TLS_CA
@click.option("--json", "as_json", is_flag=True, help="Print the pointer as JSON.")
def command(
    *,
    address: str,
    group: str,
    freshness_key: str,
    fresh_for: str,
    credentials: str,
    tls_ca: str,
    as_json: bool,
) -> int:
    """Sign a statement that the published bundle is the current one, for a while.

    Run it every hour where the online key lies, or leave it to `fairlead fleet watch`. Machines that hear
    nothing for longer than the statement holds keep their policy, and say that it is stale; so nobody can
    hold them at an old one unnoticed.

    \b
    Example:
      fairlead bundle freshness --to folder:/srv/www --group web --freshness-key f.key
    """
    target, lasts = Target(address, credentials, tls_ca).checked(), seconds_of(fresh_for)
    key = read_key(freshness_key)
    with open_publisher(target) as publisher:
        pointer = say_anew(publisher, group, rollout_of, key=key, seconds=lasts)
    if as_json:
        show_json(pointer.as_json())
    else:
        until = read_statement(pointer.freshness.content).expires
        say(f"{group} {pointer.release.version} is current until {write_moment(until)}")
    return 0
