"""`fairlead fleet watch`."""

from __future__ import annotations

import asyncio
import signal
import time
from contextlib import suppress

import click

from fairlead.doors.bus.connection import Broker
from fairlead.doors.cli.bundle.files import GROUP
from fairlead.doors.cli.bundle.online import CREDENTIALS, FRESHNESS_KEY, TLS_CA, TO
from fairlead.doors.cli.fleet.expected import EXPECTED
from fairlead.doors.cli.output import note, say
from fairlead.doors.fleet.centre.expected import Expected
from fairlead.doors.fleet.centre.roll_call import heard_from
from fairlead.doors.fleet.centre.watching import Watch
from fairlead.doors.fleet.link import Link
from fairlead.doors.fleet.publishers import Target, open_publisher
from fairlead.doors.fleet.subjects import HEARTBEATS, PREFIXES
from fairlead.errors import FairleadError, UsageError
from fairlead.fleet.bundles.signing import read_key

_EVERY = 30.0


@click.command()
@click.argument("group", metavar="GROUP", type=GROUP)
@TO
@FRESHNESS_KEY
@click.option("--back", is_flag=True, help="When it stops a rollout, who has the version goes back.")
@click.option("--once", is_flag=True, help="Say once that it is current, and end.")
@EXPECTED
@CREDENTIALS
@TLS_CA
def command(
    *,
    group: str,
    address: str,
    freshness_key: str,
    back: bool,
    once: bool,
    expected: str,
    credentials: str,
    tls_ca: str,
) -> int:
    """Say every hour that what is published for GROUP is current, and stop a rollout that makes things worse.

    Run it where the online key lies. On a broker it hears the heartbeats of the machines. It stops when a
    quarter of the machines that have the version, and three at least, fail or block a greater share of their
    calls than nineteen in twenty of the others, or when they fall silent. With --expected, only the machines
    that the list has in GROUP are listened to; others may say that they are in it.

    It signs only what it, or somebody with the same key, has signed before, and nothing older than it saw.

    \b
    Example:
      fairlead fleet watch web --to tls://broker.example:4222 --freshness-key f.key --credentials watcher
    """
    target = Target(address, credentials, tls_ca).checked()
    listed = Expected(expected, note=note)
    watch = Watch(group, read_key(freshness_key), back=back, expected=listed.groups)
    if once:
        with open_publisher(target) as publisher:
            say(watch.look(publisher))
        return 0
    return asyncio.run(_watch(watch, target))


async def _watch(watch: Watch, target: Target) -> int:
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    hearing = asyncio.ensure_future(_hear(watch, target))
    try:
        while not stopping.is_set():
            await asyncio.to_thread(_look, watch, target)
            with suppress(TimeoutError):
                await asyncio.wait_for(stopping.wait(), _EVERY)
    finally:
        hearing.cancel()
        await asyncio.gather(hearing, return_exceptions=True)
    return 0


def _look(watch: Watch, target: Target) -> None:
    try:
        with open_publisher(target) as publisher:
            done = watch.look(publisher)
    except UsageError:
        raise  # an address that can never be
    except FairleadError as error:
        note(f"{error.message}; trying again")
        return
    if done:
        say(done)


async def _hear(watch: Watch, target: Target) -> None:
    """For as long as it is not cancelled. Only a broker carries heartbeats."""
    if not target.address.startswith(("nats:", "tls:")):
        return

    async def took(subject: str, data: bytes) -> None:
        watch.hear(heard_from(subject, data, time.time()))

    broker = Broker(target.address, target.credentials, target.tls_ca, name="fairlead watch").checked()
    link = Link(broker)
    await link.follow_all(f"{PREFIXES[HEARTBEATS]}.*", took)
    await link.keep()
