"""A real broker with the accounts and rights of a fleet, and who is known there."""

import asyncio
import os
from pathlib import Path

import pytest
from access import Authority, user
from broker import BROKER, NatsServer

from fairlead.doors.bus.connection import Broker, connect
from fairlead.doors.fleet.centre.broker_config import DUTIES, Machine, User, broker_config
from fairlead.doors.fleet.streams import ensure_streams

needs_broker = pytest.mark.skipif(
    not os.path.exists(BROKER),
    reason="NO nats-server HERE: distribution is not tested on a real broker (make nats-server installs one)",
)

ROOM = 1024**3
"""On any disk that tests run on."""


class FleetBroker:
    """`machines` are (name, group); everybody's seed is a file of their name."""

    def __init__(self, folder: Path, *machines: tuple[str, str], authority: Authority | None = None) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.machines = [Machine(name, group, self._seed(name)) for name, group in machines]
        self.users = [User(duty, self._seed(duty)) for duty in DUTIES]
        self.config = broker_config(self.machines, self.users)
        tls = authority.tls_block(authority.certificate("broker")) if authority else ""
        self.ca = str(authority.ca) if authority else ""
        self.server = NatsServer(folder / "streams", tls + self.config)
        self.url = self.server.url.replace("nats:", "tls:") if authority else self.server.url

    def __enter__(self) -> "FleetBroker":
        self.server.start()
        asyncio.run(self._set_up())
        return self

    def __exit__(self, *_: object) -> None:
        self.server.stop()

    def credentials(self, name: str) -> str:
        return str(self.folder / name)

    def as_who(self, name: str) -> Broker:
        return Broker(self.url, self.credentials(name), self.ca)

    def _seed(self, name: str) -> str:
        pair = user()
        path = self.folder / name
        path.write_text(pair.seed)
        path.chmod(0o600)
        return pair.public

    async def _set_up(self) -> None:
        client = await connect(self.as_who("admin"), patience=30)
        try:
            await ensure_streams(client.jetstream(), room=ROOM)
        finally:
            await client.close()
