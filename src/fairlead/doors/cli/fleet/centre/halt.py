"""`fairlead fleet halt`."""

from __future__ import annotations

from collections.abc import Iterator

import click

from fairlead.doors.cli.bundle.files import GROUP
from fairlead.doors.cli.bundle.online import CREDENTIALS, FRESHNESS_KEY, TLS_CA, TO
from fairlead.doors.cli.fleet.centre.rollout import show_rollout
from fairlead.doors.cli.output import note
from fairlead.doors.cli.presentation.words import printable
from fairlead.doors.fleet.centre.publishing import rollout_of, say_anew, stopped
from fairlead.doors.fleet.publishers import Target, open_publisher
from fairlead.fleet.bundles.freshness import Rollout, goes_back
from fairlead.fleet.bundles.signing import read_key
from fairlead.fleet.publishing.pointer import Pointer


@click.command()
@click.argument("group", metavar="GROUP", type=GROUP)
@TO
@FRESHNESS_KEY
@click.option("--back", is_flag=True, help="Who has it goes back to the version before.")
@click.option("--reason", default="", metavar="TEXT", help="Why, for whoever looks at the dashboard.")
@CREDENTIALS
@TLS_CA
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def command(
    *,
    group: str,
    address: str,
    freshness_key: str,
    back: bool,
    reason: str,
    credentials: str,
    tls_ca: str,
    as_json: bool,
) -> int:
    """Stop the version that is published for GROUP: no other machine takes it.

    With --back, machines that have it return to the version before. From a broker they hear of it at once,
    from a web server within about a minute. Doing it twice does no harm.

    \b
    Examples:
      fairlead fleet halt web --to tls://broker.example:4222 --credentials watcher --freshness-key f.key
      fairlead fleet halt web --to folder:/srv/www --freshness-key f.key --back --reason "too many blocks"
    """
    target, key = Target(address, credentials, tls_ca).checked(), read_key(freshness_key)

    def change(before: Pointer) -> Rollout:
        return stopped(rollout_of(before), back=back, why=printable(reason))

    with open_publisher(target) as publisher:
        pointer = say_anew(publisher, group, change, key=key)
    show_rollout(group, pointer, as_json=as_json)
    for line in _next(group, rollout_of(pointer)):
        note(line)
    return 0


def _next(group: str, rollout: Rollout) -> Iterator[str]:
    if goes_back(rollout):
        yield "those that have it leave it; `fairlead fleet machines` shows who has"
        yield "publish a higher version when it is mended"
        return
    if rollout.percent == 100:
        yield "all were to have it already: this takes it from nobody"
    if rollout.previous is not None:
        yield f"`fairlead fleet halt {group} --back` sends those that have it to {rollout.previous.version}"
    yield f"`fairlead fleet rollout {group} --resume` goes on"
