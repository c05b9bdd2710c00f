"""`fairlead fleet grant-off`: a signed `off` for one machine, as a file or by the broker."""

from __future__ import annotations

import asyncio
import os
import time

import click

from fairlead.doors.bus.connection import Broker
from fairlead.doors.cli.durations import seconds_of
from fairlead.doors.cli.fleet.people.desk_options import broker_from, broker_options
from fairlead.doors.cli.given.folders import FILE
from fairlead.doors.cli.output import Session, note
from fairlead.doors.cli.presentation.words import printable
from fairlead.doors.fleet.approvals.desk import Desk
from fairlead.errors import FairleadError, UsageError
from fairlead.fleet.bundles.durable import write_file
from fairlead.fleet.bundles.signing import read_key
from fairlead.fleet.documents import NAME
from fairlead.fleet.enrolment import read_enrolment
from fairlead.fleet.glass.off_grants import (
    LONGEST,
    MAX_GRANT,
    MOST_MINUTES,
    OffGrant,
    new_grant,
    read_grant,
    signed_grant,
    signed_too,
)
from fairlead.fleet.moments import write_moment
from fairlead.fleet.records import write_record
from fairlead.policy.human import require_human
from fairlead.policy.places import Places

_RULE, _WHAT = "fleet/off-granted", "OffGranted"


@click.command(name="grant-off")
@click.argument("machine", required=False)
@click.option("--user", default="", metavar="NAME", help="Whose calls; without it, every user's.")
@click.option("--minutes", type=click.IntRange(1, MOST_MINUTES), metavar="N", help="For how long.")
@click.option("--within", default="1h", show_default=True, metavar="TIME", help="Until when it can be taken.")
@click.option("--reason", default="", metavar="TEXT", help="For the records of both machines.")
@click.option(
    "--key", "key_file", type=FILE, required=True, metavar="FILE", help="Your private key for approvals."
)
@click.option("--out", default="", metavar="FILE", help="Write it there instead of sending it.")
@click.option("--with", "other", type=FILE, metavar="FILE", help="Sign what somebody else has signed, too.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@broker_options
@click.pass_obj
def command(
    session: Session,
    *,
    machine: str | None,
    user: str,
    minutes: int | None,
    within: str,
    reason: str,
    key_file: str,
    out: str,
    other: str | None,
    yes: bool,
    source: str,
    credentials: str,
    tls_ca: str,
) -> int:
    """Let a person at MACHINE switch Fairlead off for some minutes, also where `off` is forbidden.

    The machine checks the signature, whether its bundle lets you (`off: true` in `approvals`), and that it is
    not for longer than its policy allows. It is used once. Where the role `approval` has a threshold, others
    sign the same file `--with` theirs. A person there then runs `fairlead off --granted`, or
    `fairlead off --grant FILE`.

    \b
    Examples:
      fairlead fleet grant-off m-4f2a91c07be3d855 --user alice --minutes 30 \\
        --reason "migration" --key ana.key --out alice.grant
      fairlead fleet grant-off --with alice.grant --key ben.key --out both.grant
    """
    key = read_key(key_file)
    made = None if other else _asked(machine, user, minutes, within, reason)
    content = _content(other) if other else b""
    grant = made or read_grant(content)[0]
    _refuse_own(session.places, grant)
    broker = None if out else broker_from(session, source, credentials, tls_ca)
    _show(grant)
    require_human(session.places, f"let {grant.machine} be switched off for {grant.minutes} minutes", yes=yes)
    said = f"{grant.machine} may be off for {grant.minutes} minutes ({grant.id[:12]}): {grant.reason}"
    write_record(session.places, what=_WHAT, rule=_RULE, reason=said)
    _give(signed_grant(grant, key) if made else signed_too(content, key), grant, out, broker)
    return 0


def _asked(machine: str | None, user: str, minutes: int | None, within: str, reason: str) -> OffGrant:
    if not machine or not NAME.fullmatch(machine):
        raise UsageError(
            f"{machine or ''!r} is no name of a machine", hint="`fairlead fleet status` shows it there"
        )
    said = "".join(letter if letter.isprintable() else " " for letter in reason).strip()
    if not said or minutes is None:
        raise UsageError("a grant has a reason and an end", hint='--minutes 30 --reason "migration"')
    seconds = int(seconds_of(within))
    if not 60 <= seconds <= LONGEST:
        raise UsageError(f"{within!r} is not from a minute to a week", hint="--within 1h")
    now = int(time.time())
    return new_grant(machine, user, minutes=minutes, reason=said, now=now, within=seconds)


def _refuse_own(places: Places, grant: OffGrant) -> None:
    """The bundle names the machines of each person, too; this is for whoever is on the wrong one."""
    try:
        enrolment = read_enrolment(places)
    except FairleadError:
        return
    if enrolment is not None and enrolment.machine == grant.machine:
        raise FairleadError("this is that machine", hint="somebody else signs it, on a machine of theirs")


def _show(grant: OffGrant) -> None:
    whose = grant.user or "every user"
    until = write_moment(grant.expires)
    note(printable(f"off on {grant.machine} for {whose}, {grant.minutes} minutes: {grant.reason}"))
    note(f"to be taken until {until}; its name is {grant.id[:12]}")


def _give(content: bytes, grant: OffGrant, out: str, broker: Broker | None) -> None:
    if broker is None:
        if os.path.lexists(out):
            raise FairleadError(f"{out} is there already", hint="name another file")
        try:
            write_file(out, content, mode=0o644)
        except OSError as error:
            raise FairleadError(f"{out} cannot be written: {error.strerror}") from error
        note(f"{out}: there, run `fairlead off --grant {os.path.basename(out)}`")
        return
    asyncio.run(_send(broker, grant.machine, content))
    note("sent: once its agent has taken it, a person there runs `fairlead off --granted`")


async def _send(broker: Broker, machine: str, content: bytes) -> None:
    async with Desk(broker) as desk:
        await desk.send(machine, content)


def _content(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(MAX_GRANT + 1)
    except OSError as error:
        raise FairleadError(f"{path} cannot be read: {error.strerror}") from error
