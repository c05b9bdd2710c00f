"""`fairlead fleet broker-setup`."""

from __future__ import annotations

import asyncio

import click

from fairlead.doors.bus.connection import Broker, connect, why_not
from fairlead.doors.cli.bundle.online import CREDENTIALS, TLS_CA
from fairlead.doors.cli.output import note, say
from fairlead.doors.fleet.streams import ensure_streams


@click.command()
@click.argument("address", metavar="ADDRESS")
@CREDENTIALS
@TLS_CA
def command(*, address: str, credentials: str, tls_ca: str) -> int:
    """Make the streams and buckets of a fleet on a broker, where they are not there yet.

    It takes the rights of `admin`. What is there stays as it is.

    \b
    Example:
      fairlead fleet broker-setup tls://broker.example:4222 --credentials admin
    """
    broker = Broker(address, credentials, tls_ca, name="fairlead broker-setup").checked()
    made = asyncio.run(_set_up(broker))
    for name in made:
        say(name)
    if not made:
        note("everything is there already")
    return 0


async def _set_up(broker: Broker) -> list[str]:
    from nats.errors import Error

    client = await connect(broker, patience=10)
    try:
        return await ensure_streams(client.jetstream())
    except (Error, OSError, TimeoutError) as error:
        raise why_not(broker, client.last_error or error) from error
    finally:
        await client.close()
