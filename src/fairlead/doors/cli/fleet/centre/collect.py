"""`fairlead fleet collect`: from the broker into a database."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
from collections.abc import Sequence

import click

from fairlead.doors.bus.connection import Broker
from fairlead.doors.cli.fleet.centre.expected import EXPECTED
from fairlead.doors.cli.output import note
from fairlead.doors.fleet.centre.expected import Expected
from fairlead.doors.fleet.collecting.collector import Collector
from fairlead.doors.fleet.collecting.database import open_database
from fairlead.doors.fleet.collecting.retention import KEPT_DAYS
from fairlead.doors.fleet.collecting.store import Store
from fairlead.errors import UsageError
from fairlead.policy.reading.schema import suggestion


@click.command()
@click.option("--source", required=True, metavar="URL", help="The broker: nats://127.0.0.1:4222 or tls://...")
@click.option(
    "--database", metavar="URL", help="postgresql://... or sqlite:PATH; else FAIRLEAD_FLEET_DATABASE."
)
@click.option(
    "--credentials", default="", metavar="FILE", help="A .creds file, a seed, name:password or a token."
)
@click.option("--tls-ca", default="", metavar="FILE", help="Who signed the broker's certificate.")
@click.option("--tls-cert", default="", metavar="FILE", help="Our own certificate.")
@click.option("--tls-key", default="", metavar="FILE", help="Its key.")
@EXPECTED
@click.option("--keep", "kept", metavar="CLASS=DAYSd", multiple=True, help="How long, as in pass=30d.")
def command(
    *,
    source: str,
    database: str | None,
    credentials: str,
    tls_ca: str,
    tls_cert: str,
    tls_key: str,
    expected: str,
    kept: Sequence[str],
) -> int:
    """Write what machines send into a database, until told to stop. Several of these share the work.

    With --expected, a machine that names another group than the list does counts for its own group alone, and
    shows as an incident; one that is not on it counts for none. The list is read again when it changes.

    A message is taken from the broker when it is committed. What is kept, and for how many days by default:
    pass (30), objection, incident and heartbeat (400), hours (800).

    \b
    Examples:
      fairlead fleet collect --source nats://127.0.0.1:4222 --database postgresql://fleet@db/fleet
      fairlead fleet collect --source nats://127.0.0.1:4222 --database sqlite:fleet.sqlite3 --keep pass=7d
    """
    days = dict(_days(each) for each in kept)
    name = f"fairlead collector {socket.gethostname()} {os.getpid()}"
    broker = Broker(source, credentials, tls_ca, tls_cert, tls_key, name).checked()
    listed = Expected(expected, note=note)
    store = Store(open_database(database_address(database)))
    collector = Collector(broker, store, kept=days, expected=listed.groups, note=note)
    note(f"from {broker.shown} into {store.database.shown}")
    return asyncio.run(_until_told(collector))


def database_address(given: str | None) -> str:
    """A password in it is better kept out of the list of processes."""
    found = given or os.environ.get("FAIRLEAD_FLEET_DATABASE", "")
    if not found:
        hint = "give --database postgresql://... or sqlite:PATH, or set FAIRLEAD_FLEET_DATABASE"
        raise UsageError("which database?", hint=hint)
    return found


async def _until_told(collector: Collector) -> int:
    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    working, waiting = asyncio.ensure_future(collector.run()), asyncio.ensure_future(stopped.wait())
    await asyncio.wait([working, waiting], return_when=asyncio.FIRST_COMPLETED)
    for each in (working, waiting):
        each.cancel()
    await asyncio.gather(working, waiting, return_exceptions=True)
    note(f"{collector.taken} lines taken, {collector.known} more were there already")
    if not working.cancelled() and (error := working.exception()):
        raise error
    return 0


def _days(text: str) -> tuple[str, int]:
    name, _, length = text.partition("=")
    if name not in KEPT_DAYS:
        hint = suggestion(name, KEPT_DAYS, otherwise=f"one of: {', '.join(KEPT_DAYS)}")
        raise UsageError(f"there is no class {name!r} to keep", hint=hint)
    found = re.fullmatch(r"([1-9]\d{0,4})d", length)
    if found is None:
        raise UsageError(f"{length!r} is no number of days", hint=f"write it like {name}=30d")
    return name, int(found.group(1))
