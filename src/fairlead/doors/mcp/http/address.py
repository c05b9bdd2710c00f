"""Where a server answers, and what may be sent there."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from fairlead.errors import UsageError
from fairlead.model.value import Value

PORTS = {"http": 80, "https": 443}
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_VALUE = re.compile(r"[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?")
OURS = frozenset(
    {
        "accept",
        "accept-encoding",
        "connection",
        "content-length",
        "content-type",
        "host",
        "last-event-id",
        "mcp-method",
        "mcp-name",
        "mcp-protocol-version",
        "mcp-session-id",
        "transfer-encoding",
    }
)
"""Headers that the protocol fills in."""


class Address(Value):
    """`target` is path and query, as the server is asked for them."""

    scheme: str
    host: str
    port: int
    target: str

    @property
    def origin(self) -> tuple[str, str, int]:
        return self.scheme, self.host, self.port

    @property
    def shown(self) -> str:
        """Without path and query, where tokens stand."""
        return self.host if self.port == PORTS[self.scheme] else f"{self.host}:{self.port}"


def address_of(url: str, *, insecure: bool = False) -> Address:
    """Raises UsageError. `insecure` allows `http:` to other machines."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise UsageError(f"--url cannot be read: {error}", hint="https://HOST/PATH") from error
    host = (parts.hostname or "").lower()
    if parts.scheme not in PORTS or not host or not url.isascii() or not url.isprintable() or " " in url:
        raise UsageError("--url is no address of a server", hint="https://HOST/PATH")
    if parts.username is not None or parts.password is not None:
        hint = "everybody can see a command line: put it into a variable, and --header-env Authorization=VAR"
        raise UsageError("--url has a name or a password in it", hint=hint)
    if parts.scheme == "http" and not insecure and not is_loopback(host):
        hint = "use https:, or say --insecure-http where nobody can listen"
        raise UsageError(f"http: to {host} can be read and changed on its way", hint=hint)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Address(parts.scheme, host, PORTS[parts.scheme] if port is None else port, target)


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def headers_of(
    given: Iterable[str], from_variables: Iterable[str], environment: Mapping[str, str]
) -> dict[str, str]:
    """Of `NAME=VALUE`, and of `NAME=VARIABLE`. Raises UsageError, which quotes no value."""
    headers = {}
    for word in given:
        name, value = _split(word, "--header NAME=VALUE")
        headers[name] = _checked(name, value)
    for word in from_variables:
        name, variable = _split(word, "--header-env NAME=VARIABLE")
        if variable not in environment:
            raise UsageError(f"there is no variable {variable} for the header {name}", hint="export it first")
        headers[name] = _checked(name, environment[variable].strip())
    return headers


def _split(word: str, usage: str) -> tuple[str, str]:
    name, equals, rest = word.partition("=")
    if not equals or not _TOKEN.fullmatch(name):
        raise UsageError("a header has no name", hint=usage)
    if name.lower() in OURS:
        raise UsageError(f"the header {name} is the protocol's own", hint=usage)
    return name, rest


def _checked(name: str, value: str) -> str:
    if not _VALUE.fullmatch(value):
        raise UsageError(
            f"the value of the header {name} is empty or cannot be sent", hint="one line of text"
        )
    return value
