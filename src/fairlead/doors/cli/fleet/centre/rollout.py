"""`fairlead fleet rollout`."""

from __future__ import annotations

import click

from fairlead.doors.cli.bundle.files import GROUP
from fairlead.doors.cli.bundle.online import CREDENTIALS, FRESH_FOR, TLS_CA, TO
from fairlead.doors.cli.durations import seconds_of
from fairlead.doors.cli.given.folders import FILE
from fairlead.doors.cli.output import say, show_json
from fairlead.doors.fleet.centre.publishing import published, rollout_of, say_anew
from fairlead.doors.fleet.publishers import Target, open_publisher
from fairlead.errors import FairleadError, UsageError
from fairlead.fleet.bundles.freshness import Rollout, goes_back
from fairlead.fleet.bundles.signing import read_key
from fairlead.fleet.publishing.pointer import Pointer


@click.command()
@click.argument("group", metavar="GROUP", type=GROUP)
@TO
@click.option("--freshness-key", type=FILE, default="", metavar="FILE", help="The online private key.")
@click.option("--percent", type=click.IntRange(1, 100), default=None, help="Go on to so many machines.")
@click.option("--resume", is_flag=True, help="Go on after a halt.")
@click.option("--status", is_flag=True, help="Only show how far it is.")
@FRESH_FOR
@CREDENTIALS
@TLS_CA
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def command(
    *,
    group: str,
    address: str,
    freshness_key: str,
    percent: int | None,
    resume: bool,
    status: bool,
    fresh_for: str,
    credentials: str,
    tls_ca: str,
    as_json: bool,
) -> int:
    """Let the published version go to more machines of GROUP.

    Which machines are among the first is drawn anew for each version. `fairlead fleet halt` stops it. All of
    it is signed by the online key: without that nobody moves a machine anywhere.

    \b
    Examples:
      fairlead fleet rollout web --to tls://broker.example:4222 --freshness-key f.key --percent 50
      fairlead fleet rollout web --to folder:/srv/www --freshness-key f.key --resume
      fairlead fleet rollout web --to folder:/srv/www --status
    """
    if sum((percent is not None and not resume, resume, status)) != 1:
        raise UsageError("what is to be done?", hint="--percent N, --resume or --status")
    if not status and not freshness_key:
        raise UsageError("this is signed by the online key", hint="--freshness-key FILE")
    target, lasts = Target(address, credentials, tls_ca).checked(), seconds_of(fresh_for)
    with open_publisher(target) as publisher:
        if status:
            pointer = published(publisher, group)
        else:
            key = read_key(freshness_key)

            def change(before: Pointer) -> Rollout:
                return _changed(rollout_of(before), percent)

            pointer = say_anew(publisher, group, change, key=key, seconds=lasts)
    if pointer is None:
        raise FairleadError(f"nothing is published for {group}", hint="`fairlead bundle publish` does that")
    show_rollout(group, pointer, as_json=as_json)
    return 0


def _changed(rollout: Rollout, percent: int | None) -> Rollout:
    if percent is None and rollout.percent == 0:
        raise UsageError("how far is it to go?", hint="--resume --percent N")
    return rollout.replace(halted=False, why="", percent=rollout.percent if percent is None else percent)


def show_rollout(group: str, pointer: Pointer, *, as_json: bool) -> None:
    rollout, version = rollout_of(pointer), pointer.release.version
    because = f": {rollout.why}" if rollout.why else ""
    if as_json:
        show_json({"group": group, "version": version, **rollout.as_json(), "back": goes_back(rollout)})
    elif goes_back(rollout) and rollout.previous is not None:
        say(f"{group} {version} is taken back: machines return to {rollout.previous.version}{because}")
    else:
        how = "is stopped at" if rollout.halted else "goes to"
        say(f"{group} {version} {how} {rollout.percent}% of the machines{because}")
