"""`fairlead fleet broker-setup`."""

from __future__ import annotations

import asyncio
import re

import click

from fairlead.doors.bus.connection import Broker, connect, why_not
from fairlead.doors.cli.bundle.online import CREDENTIALS, TLS_CA
from fairlead.doors.cli.output import note, say
from fairlead.doors.fleet.streams import Bound, ensure_streams, nearly_full
from fairlead.errors import FairleadError, UsageError

_UNITS = {"m": 1024**2, "g": 1024**3, "t": 1024**4}
_LEAST = 256 * 1024**2
_NO_STORAGE = ("insufficient storage", "maximum bytes", "no suitable")


@click.command()
@click.argument("address", metavar="ADDRESS")
@click.option("--room", default="10g", metavar="SIZE", help="What all may take on its disk: 10g.")
@CREDENTIALS
@TLS_CA
def command(*, address: str, room: str, credentials: str, tls_ca: str) -> int:
    """Make the streams and buckets of a fleet on a broker, where they are not there yet.

    It takes the rights of `admin`. What is there stays as it is, but for bounds that it lacks. Four fifths of
    the room are for decisions. A stream that is full loses its oldest messages; lost decisions show as a gap
    at the collector.

    \b
    Examples:
      fairlead fleet broker-setup tls://broker.example:4222 --credentials admin
      fairlead fleet broker-setup tls://broker.example:4222 --credentials admin --room 200g
    """
    broker = Broker(address, credentials, tls_ca, name="fairlead broker-setup").checked()
    done, full = asyncio.run(_set_up(broker, _bytes(room), room))
    for each in done:
        say(each.name if each.made else f"{each.name}: {', '.join(each.set)}")
    if not done:
        note("everything is there already")
    for name, share in full:
        note(f"{name} is full to {share:.0%}: then its oldest messages go; give it more max_bytes")
    return 0


def _bytes(text: str) -> int:
    found = re.fullmatch(r"(\d{1,6})([mgt])", text.lower(), re.ASCII)
    size = int(found[1]) * _UNITS[found[2]] if found else 0
    if size < _LEAST:
        hint = "write it like 500m, 10g or 1t; 256m is the least"
        raise UsageError(f"{text!r} is no room for a fleet", hint=hint)
    return size


async def _set_up(broker: Broker, room: int, shown: str) -> tuple[list[Bound], list[tuple[str, float]]]:
    from nats.errors import Error

    client = await connect(broker, patience=10)
    try:
        jetstream = client.jetstream()
        return await ensure_streams(jetstream, room=room), await nearly_full(jetstream)
    except (Error, OSError, TimeoutError) as error:
        if any(words in str(error).lower() for words in _NO_STORAGE):
            message = f"{broker.shown} has not got {shown} left for a fleet"
            hint = "give it less, such as --room 2g, or raise max_file_store in its file"
            raise FairleadError(message, hint=hint) from error
        raise why_not(broker, client.last_error or error) from error
    finally:
        await client.close()
