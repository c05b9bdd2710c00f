"""How to reach a broker: address, credentials, TLS. Nothing of it is ever logged."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from fairlead.errors import FairleadError, UsageError
from fairlead.model.value import Value

if TYPE_CHECKING:
    from nats.aio.client import Client

LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Broker(Value):
    """`credentials` is a NATS credentials file; the three TLS fields are paths of PEM files."""

    url: str
    credentials: str = ""
    ca: str = ""
    certificate: str = ""
    key: str = ""
    name: str = "fairlead"

    def checked(self) -> Broker:
        """Across a network, requests hold what agents do: that goes through TLS or not at all."""
        parts = urlsplit(self.url)
        if parts.scheme not in ("nats", "tls") or not parts.hostname:
            raise UsageError(f"{self.shown!r} is no address of a broker", hint="write nats://host:4222")
        if parts.hostname not in LOOPBACK and parts.scheme != "tls" and not self.ca:
            raise UsageError(
                f"{self.shown} would be spoken to without TLS", hint="write tls://host:4222, or give --tls-ca"
            )
        for path in (self.credentials, self.ca, self.certificate, self.key):
            if path and not os.path.isfile(path):
                raise UsageError(f"there is no file {path}")
        return self

    @property
    def shown(self) -> str:
        """The address without a name or password that may be in it."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.hostname}:{parts.port or 4222}"

    def options(self) -> dict[str, Any]:
        options: dict[str, Any] = {"servers": [self.url], "name": self.name}
        if self.credentials:
            options["user_credentials"] = self.credentials
        if self.url.startswith("tls://") or self.ca:
            options["tls"] = self._tls()
        return options

    def _tls(self) -> Any:
        import ssl

        context = ssl.create_default_context(cafile=self.ca or None)
        if self.certificate:
            context.load_cert_chain(self.certificate, self.key or None)
        return context


async def connect(broker: Broker, *, patience: float = 2.0) -> Client:
    """A connection that finds its way back after the broker was away. Raises FairleadError."""
    try:
        import nats
    except ImportError as error:
        raise FairleadError(
            "the bus needs the package nats-py", hint="pip install 'fairlead[nats]'"
        ) from error

    async def quiet(error: Exception) -> None:
        """Trouble shows where somebody waits for an answer; the library would print it as well."""

    try:
        return await nats.connect(
            **broker.options(),
            connect_timeout=patience,
            max_reconnect_attempts=-1,
            reconnect_time_wait=0.1,
            allow_reconnect=True,
            error_cb=quiet,
        )
    except Exception as error:
        raise FairleadError(
            f"{broker.shown} does not answer: {type(error).__name__}", hint="is the broker running?"
        ) from error
