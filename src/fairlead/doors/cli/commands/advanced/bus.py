"""`fairlead bus`: answer hook requests for a fleet, over a NATS broker."""

from __future__ import annotations

import asyncio
import os
import signal
import socket

import click

from fairlead.doors.bus.connection import Broker
from fairlead.doors.bus.nats_bus import Worker
from fairlead.doors.bus.responder import respond
from fairlead.doors.cli.given.folders import FOLDER
from fairlead.doors.cli.output import Session, note
from fairlead.engine.handler import HookEventHandler, Surroundings
from fairlead.policy_system import PolicySystem


@click.group()
def command() -> None:
    """Hook requests over a message broker.

    \b
    Example:
      fairlead bus serve --url nats://127.0.0.1:4222
    """


@command.command()
@click.option("--url", required=True, metavar="URL", help="The broker, as in nats://127.0.0.1:4222.")
@click.option(
    "--root", type=FOLDER, metavar="DIR", help="The project whose policy judges; else the current folder."
)
@click.option(
    "--credentials", default="", metavar="FILE", help="A .creds file, a seed, name:password or a token."
)
@click.option("--tls-ca", default="", metavar="FILE", help="Who signed the broker's certificate.")
@click.option("--tls-cert", default="", metavar="FILE", help="Our own certificate.")
@click.option("--tls-key", default="", metavar="FILE", help="Its key.")
@click.option("--policy", "policies", type=FOLDER, metavar="DIR", multiple=True, help="Add a policy root.")
@click.pass_obj
def serve(
    session: Session,
    *,
    url: str,
    root: str | None,
    credentials: str,
    tls_ca: str,
    tls_cert: str,
    tls_key: str,
    policies: tuple[str, ...],
) -> int:
    """Answer requests until it is told to stop. Several of these share the load.

    Every decision is in the stream FAIRLEAD_HOOK_DECISIONS and in the journal before its answer leaves. A
    changed policy counts from the next request on.

    \b
    Examples:
      fairlead bus serve --url nats://127.0.0.1:4222
      fairlead bus serve --url tls://hooks.example:4222 --credentials worker.creds --policy ./policy
    """
    name = f"fairlead {socket.gethostname()} {os.getpid()}"
    broker = Broker(url, credentials, tls_ca, tls_cert, tls_key, name).checked()
    folder = os.path.abspath(root or os.getcwd())
    with PolicySystem(session.places, folder, agent="", policies=policies) as system:
        handler = HookEventHandler(system, Surroundings("bus", folder, root=folder, agent="bus"))
        return asyncio.run(_serve(broker, handler))


async def _serve(broker: Broker, handler: HookEventHandler) -> int:
    worker = Worker(broker, lambda body: respond(handler, body))
    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    await worker.start()
    note(f"answering on {broker.shown}")
    while await _lost(worker, stopped):
        note(f"{broker.shown} ended the connection; asking to be let in again")
        await worker.start()
        note(f"answering on {broker.shown}")
    await worker.stop()
    note(f"answered {worker.answered} requests")
    return 0


async def _lost(worker: Worker, stopped: asyncio.Event) -> bool:
    """Waits until the broker ends the connection, or until this is told to stop."""
    waits = [asyncio.ensure_future(event.wait()) for event in (stopped, worker.lost)]
    await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    for wait in waits:
        wait.cancel()
    return not stopped.is_set()
