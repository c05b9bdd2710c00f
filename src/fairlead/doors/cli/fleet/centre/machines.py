"""`fairlead fleet machines`."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

import click

from fairlead.doors.bus.connection import Broker, connect
from fairlead.doors.cli.bundle.files import bytes_of
from fairlead.doors.cli.bundle.online import CREDENTIALS, TLS_CA
from fairlead.doors.cli.given.folders import FILE
from fairlead.doors.cli.output import Session, note, say_lines, show_json
from fairlead.doors.cli.presentation.tables import Column, table
from fairlead.doors.fleet.centre.expected import groups_of
from fairlead.doors.fleet.centre.roll_call import Heard, Machine, Presence, read_heartbeats, roll_call
from fairlead.doors.fleet.running.here import enrolment_here


@click.command()
@click.option("--source", "address", default="", metavar="ADDRESS", help="The broker; else this machine's.")
@click.option("--expected", type=FILE, default="", metavar="FILE", help="A line each: machine, group.")
@CREDENTIALS
@TLS_CA
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.pass_obj
def command(
    session: Session, *, address: str, expected: str, credentials: str, tls_ca: str, as_json: bool
) -> int:
    """List the machines that sent a heartbeat, and how long ago. Those to look at come first.

    A machine is late after fifteen minutes of silence, missing when it is in --expected and was never heard,
    unexpected when it is not in it or names another group, and forged when its words name another machine
    than the broker does. Without --expected nobody is missed.

    Exit code 1 when there is one to look at.

    \b
    Examples:
      fairlead fleet machines --source tls://broker.example:4222 --credentials collector
      fairlead fleet machines --source nats://127.0.0.1:4222 --expected machines.txt --json
    """
    source = address or enrolment_here(session.places).source
    broker = Broker(source, credentials, tls_ca, name="fairlead machines").checked()
    names = groups_of(bytes_of(expected), expected) if expected else {}
    now = time.time()
    machines = roll_call(asyncio.run(_heard(broker)), names, now)
    if as_json:
        show_json([machine.as_json(now) for machine in machines])
    else:
        _show(machines, now)
    return 0 if all(machine.presence is Presence.HERE for machine in machines) else 1


async def _heard(broker: Broker) -> list[Heard]:
    client = await connect(broker, patience=10)
    try:
        return await read_heartbeats(client)
    finally:
        await client.close()


def _show(machines: Sequence[Machine], now: float) -> None:
    if not machines:
        note("no machine was heard")
        return
    rows = [_row(machine, now) for machine in machines]
    columns = [Column("machine"), Column("group"), Column(""), Column("bundle"), Column("heard")]
    say_lines(table(columns, rows))
    for machine in machines:
        if machine.heard is not None and machine.heard.fault:
            note(machine.heard.fault)


def _row(machine: Machine, now: float) -> list[str]:
    heard = machine.heard
    bundle = heard.heartbeat.bundle if heard is not None and heard.heartbeat is not None else None
    version = f"{bundle.version} {bundle.state}" if bundle is not None else ""
    since = _length(now - heard.at) if heard is not None else "never"
    return [machine.name, machine.group, str(machine.presence), version, since]


def _length(seconds: float) -> str:
    """Short, for a column."""
    for unit, length in (("d", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= length:
            return f"{int(seconds // length)} {unit}"
    return f"{max(int(seconds), 0)} s"
