"""`fairlead fleet broker-config`."""

from __future__ import annotations

import os

import click

from fairlead.doors.cli.bundle.files import bytes_of
from fairlead.doors.cli.given.click_types import TextParameter
from fairlead.doors.cli.given.folders import FILE
from fairlead.doors.cli.given.one_of import OneOf
from fairlead.doors.cli.output import say
from fairlead.doors.fleet.centre.broker_config import DUTIES, User, broker_config
from fairlead.doors.fleet.centre.expected import machines_of


class BrokerKey(TextParameter):
    """`U...` itself, or a file that holds it."""

    name = "key"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = str(value)
        return bytes_of(text)[:256].decode("ascii", "replace").strip() if os.path.isfile(text) else text


@click.command()
@click.option("--machines", type=FILE, required=True, metavar="FILE", help="Lines: machine, group, key.")
@click.option(
    "--user",
    "users",
    nargs=2,
    type=(OneOf("duty", DUTIES), BrokerKey()),
    metavar="DUTY KEY",
    multiple=True,
    help="Somebody at the centre, by public key, or a file with it.",
)
def command(*, machines: str, users: tuple[tuple[str, str], ...]) -> int:
    """Print the accounts and rights of a fleet for a nats-server: nobody gets more than it takes.

    A machine writes under its own name, reads what is published for its group, and nothing else. DUTY is
    publisher (puts bundles), watcher (says what is current), collector (reads what machines send), approver
    (answers questions) or admin (makes streams, once).

    Include it in a file of your own that has `listen`, `tls` and `jetstream { store_dir: ... }`: a store that
    only the command line of nats-server names is gone after a reload. After a change, `nats-server --signal
    reload=PID` is enough, and a machine whose line is gone is cut off at once.

    \b
    Example:
      fairlead fleet broker-config --machines machines.txt --user publisher publisher.pub > fleet.conf
    """
    made = broker_config(machines_of(bytes_of(machines), machines), [User(duty, key) for duty, key in users])
    say(made.rstrip("\n"))
    return 0
