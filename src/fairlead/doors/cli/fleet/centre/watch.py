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
from fairlead.doors.cli.durations import seconds_of
from fairlead.doors.cli.fleet.centre.expected import EXPECTED
from fairlead.doors.cli.output import Session, note, say
from fairlead.doors.fleet.centre.expected import Expected
from fairlead.doors.fleet.centre.roll_call import heard_from
from fairlead.doors.fleet.centre.watch_memory import memory_path, read_memory, write_memory
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
@click.option("--after", default="24h", metavar="LENGTH", help="How long it watches once all have it: 24h.")
@click.option("--once", is_flag=True, help="Say once that it is current, and end.")
@EXPECTED
@CREDENTIALS
@TLS_CA
@click.pass_obj
def command(
    session: Session,
    group: str,
    *,
    address: str,
    freshness_key: str,
    back: bool,
    after: str,
    once: bool,
    expected: str,
    credentials: str,
    tls_ca: str,
) -> int:
    """Say every hour that what is published for GROUP is current, and stop a rollout that makes things worse.

    Run it where the online key lies. On a broker it hears the heartbeats of the machines. It stops when a
    quarter of the machines that have the version, and three at least, fail or block a greater share of their
    calls than nineteen in twenty of the others, or when they fall silent. It goes on watching after the last
    machine was told to take the version, and then compares each machine with itself before that.

    With --expected, only the machines that the list has in GROUP are listened to; others may say that they
    are in it.

    It signs only what it, or somebody with the same key, has signed before, and nothing older than it saw.
    What it counted is kept in a file, and counts again when it is started anew.

    \b
    Example:
      fairlead fleet watch web --to tls://broker.example:4222 --freshness-key f.key --credentials watcher
    """
    target = Target(address, credentials, tls_ca).checked()
    listed = Expected(expected, note=note)
    path = memory_path(session.places, group)
    memory, lost = read_memory(path)
    if lost:
        note(lost)
    watch = Watch(
        group,
        read_key(freshness_key),
        back=back,
        memory=memory,
        watches=seconds_of(after),
        expected=listed.groups,
    )
    if once:
        with open_publisher(target) as publisher:
            say(watch.look(publisher))
        _keep(watch, path)
        return 0
    return asyncio.run(_watch(watch, target, path))


async def _watch(watch: Watch, target: Target, path: str) -> int:
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    hearing = asyncio.ensure_future(_hear(watch, target))
    try:
        while not stopping.is_set():
            await asyncio.to_thread(_look, watch, target)
            await asyncio.to_thread(_keep, watch, path)
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


def _keep(watch: Watch, path: str) -> None:
    try:
        write_memory(path, watch.memory)
    except OSError as error:
        note(f"{path} cannot be written: {error.strerror}; after a restart, counting begins anew")


async def _hear(watch: Watch, target: Target) -> None:
    """For as long as it is not cancelled. Only a broker carries heartbeats."""
    if not target.address.startswith(("nats:", "tls:")):
        return

    async def took(subject: str, data: bytes) -> None:
        watch.hear(heard_from(subject, data, time.time()))

    broker = Broker(target.address, target.credentials, target.tls_ca, name="fairlead watch").checked()
    link = Link(broker)
    link.came_up.append(watch.listens)
    await link.follow_all(f"{PREFIXES[HEARTBEATS]}.*", took)
    await link.keep()
