"""How to reach a broker: address, credentials, TLS. Nothing of it is ever logged."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from fairlead.errors import FairleadError, UsageError
from fairlead.model.value import Value

if TYPE_CHECKING:
    from nats.aio.client import Client

_FOREVER: dict[str, Any] = {
    "max_reconnect_attempts": -1,
    "reconnect_time_wait": 0.1,
    "allow_reconnect": True,
}
Closed = Callable[[], Awaitable[None]]
Heard = Callable[[Exception], None]
LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Broker(Value):
    """`credentials` is a file (see `secret_in`); the three TLS fields are paths of PEM files."""

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
        if parts.hostname not in LOOPBACK and not self.secure:
            raise UsageError(
                f"{self.shown} would be spoken to without TLS", hint="write tls://host:4222, or give --tls-ca"
            )
        for path in (self.credentials, self.ca, self.certificate, self.key):
            if path and not os.path.isfile(path):
                raise UsageError(f"there is no file {path}")
        return self

    @property
    def secure(self) -> bool:
        return self.url.startswith("tls://") or bool(self.ca or self.certificate)

    @property
    def shown(self) -> str:
        """The address without a name or password that may be in it."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.hostname}:{parts.port or 4222}"

    def options(self) -> dict[str, Any]:
        """For the client of the broker. Raises OSError or ValueError for files that cannot be used."""
        options: dict[str, Any] = {"servers": [self.url], "name": self.name}
        if self.credentials:
            options |= secret_in(self.credentials)
        if self.secure:
            options["tls"] = self._tls()
        return options

    def _tls(self) -> Any:
        import ssl

        context = ssl.create_default_context(cafile=self.ca or None)
        if self.certificate:
            context.load_cert_chain(self.certificate, self.key or None)
        return context


def secret_in(path: str) -> dict[str, str]:
    """What a credentials file holds: a NATS user (`.creds`), an NKey seed, `name:password`, or a token."""
    with open(path, encoding="utf-8") as file:
        text = file.read(1 << 16).strip()
    if "BEGIN NATS USER JWT" in text:
        return {"user_credentials": path}
    if re.fullmatch(r"SU[A-Z2-7]{56}", text):
        return {"nkeys_seed_str": text}
    name, colon, password = text.partition(":")
    if not text or "\n" in text:
        raise ValueError(f"{path} holds no credentials")
    return {"user": name, "password": password} if colon else {"token": text}


async def connect(
    broker: Broker,
    *,
    patience: float = 2.0,
    closed: Closed | None = None,
    heard: Heard | None = None,
    more: Mapping[str, Any] | None = None,
) -> Client:
    """A connection that finds its way back after the broker was away. Raises FairleadError.

    Who is refused is told at once; who finds nobody keeps trying for as long as `patience` says. `closed` is
    called when the connection has ended for good: it was closed, or the broker no longer wants us. `heard` is
    told every trouble on the way, such as a subject that is not ours; `more` goes to the client as it is.
    """
    deadline, trouble = monotonic() + patience, _Trouble(heard)
    while True:
        client = _client(broker)
        try:
            left = deadline - monotonic()
            options = {**broker.options(), **_FOREVER, "connect_timeout": left, "closed_cb": closed}
            options |= more or {}
            await _connected(client, options, trouble)
            return client
        except BaseException as error:
            with suppress(AssertionError):  # one that never spoke has nothing to close, and says so this way
                await client.close()
            if isinstance(error, ConnectionError) and monotonic() < deadline:
                continue  # the broker hung up before it could say why
            if not isinstance(error, Exception):
                raise
            raise why_not(broker, trouble.last or error) from error


async def _connected(client: Client, options: dict[str, Any], trouble: _Trouble) -> None:
    connecting = asyncio.ensure_future(client.connect(**options, error_cb=trouble.note))
    waiting = asyncio.ensure_future(trouble.hopeless.wait())
    try:
        patience = options["connect_timeout"]
        await asyncio.wait({connecting, waiting}, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
        if not connecting.done():
            raise TimeoutError
        connecting.result()
    finally:
        waiting.cancel()
        connecting.cancel()
        await asyncio.gather(waiting, connecting, return_exceptions=True)


class _Trouble:
    """What the client of the broker meets on its way; it would print that, and try again for ever."""

    def __init__(self, heard: Heard | None) -> None:
        self.last: Exception | None = None
        self.hopeless = asyncio.Event()
        self._heard = heard

    async def note(self, error: Exception) -> None:
        import ssl

        from nats.errors import AuthorizationError, SecureConnWantedError

        if self.hopeless.is_set():
            return  # it has been said why; what follows is only the door closing
        self.last = error
        if self._heard is not None:
            self._heard(error)
        refused = isinstance(error, (ssl.SSLError, AuthorizationError, SecureConnWantedError))
        if refused or "auth" in str(error).lower():
            self.hopeless.set()


def _client(broker: Broker) -> Client:
    """One that says nothing, and least of all its password, to a broker that does not offer TLS."""
    try:
        from nats.aio.client import Client
        from nats.errors import SecureConnWantedError
    except ImportError as error:
        raise FairleadError(
            "the bus needs the package nats-py", hint="pip install 'fairlead[nats]'"
        ) from error

    class Guarded(Client):
        async def _process_info(self, info: dict[str, Any], initial_connection: bool = False) -> None:
            if broker.secure and not info.get("tls_required"):
                raise SecureConnWantedError
            await super()._process_info(info, initial_connection)

    return Guarded()


def why_not(broker: Broker, error: Exception) -> FairleadError:
    why, hint = _why(broker, error)
    return FairleadError(f"{broker.shown} {why}", hint=hint)


def _why(broker: Broker, error: Exception) -> tuple[str, str]:
    """In words that hold nothing secret, with what to do."""
    import ssl

    from nats.errors import SecureConnWantedError

    if isinstance(error, ssl.SSLCertVerificationError):
        return f"cannot be trusted: {error.verify_message}", "give --tls-ca with who signed its certificate"
    if isinstance(error, ssl.SSLError):
        said = error.reason or type(error).__name__
        return f"refuses our TLS: {said}", "does it want --tls-cert and --tls-key?"
    if isinstance(error, SecureConnWantedError):
        return "offers no TLS, and is told nothing without it", "is this the right broker?"
    if "auth" in str(error).lower():
        given = broker.credentials or "@" in broker.url
        said = "refuses these credentials" if given else "wants credentials"
        return said, "does the broker know this key (still)? --credentials names a file with another"
    if "permission" in str(error).lower():
        return "does not let us", "give this user the subjects fairlead.hooks.>, _INBOX.> and $JS.>"
    if isinstance(error, ImportError):
        return f"cannot be asked: {error}", "pip install 'fairlead[nats]'"
    if isinstance(error, ValueError):
        return f"cannot be asked: {error}", "look at the files that were named"
    return f"does not answer: {type(error).__name__}", "is the broker running?"
