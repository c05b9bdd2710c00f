"""Runs a hook that is an HTTP endpoint: the event is posted as JSON, the body of the reply is the answer."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from fairlead.executors.http_headers import HeaderError, filled_headers
from fairlead.executors.recorder import LIMIT
from fairlead.model.event import Event
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import Capture, Hook, Outcome
from fairlead.model.hook_input import Reading, program_input
from fairlead.model.timeline import Stream, timeline_of

if TYPE_CHECKING:
    from http.client import HTTPConnection
    from urllib.parse import SplitResult


class ExchangeError(Exception):
    """Why there is no answer."""


class Http:
    """`hook.run.target` is the address: https, or plain http to this machine. Nothing is followed elsewhere.

    The exchange runs in a thread of its own, so that the timeout bounds all of it: the look-up of the name,
    a server that sends a byte now and then, and one that sends nothing.
    """

    def __init__(
        self, *, environment: Mapping[str, str] | None = None, reading: Reading | None = None
    ) -> None:
        self._environment = environment or {}
        self._reading = reading

    def run(self, hook: Hook, event: Event, previous: Sequence[Outcome]) -> Capture:
        start = time.perf_counter()
        try:
            headers = filled_headers(hook.run.headers, self._environment, hook.run.directory)
        except HeaderError as error:
            return Capture(failure=_failure(hook, str(error), FailureCode.EXECUTION_FAILURE))
        body = json.dumps(program_input(event, hook, previous, self._reading), default=str).encode()
        exchange = _Exchange(str(hook.run.target), body, headers, hook.timeout)
        exchange.start()
        exchange.join(hook.timeout)
        capture = self._capture(hook, exchange)
        return capture.replace(milliseconds=(time.perf_counter() - start) * 1000)

    def _capture(self, hook: Hook, exchange: _Exchange) -> Capture:
        if exchange.answer is not None and not _is_readable(exchange.answer, hook.run.protocol):
            message = f"{hook.run.target} answered with something other than a JSON object"
            return Capture(failure=_failure(hook, message, FailureCode.EXECUTION_FAILURE))
        if exchange.answer is not None:
            return Capture(timeline=timeline_of((Stream.STDOUT, exchange.answer)), exit_code=0)
        if exchange.error:
            return Capture(failure=_failure(hook, exchange.error, FailureCode.EXECUTION_FAILURE))
        exchange.abandon()
        message = f"no answer within {hook.timeout:g} s"
        return Capture(failure=_failure(hook, message, FailureCode.TIMEOUT))


def _is_readable(answer: bytes, protocol: str) -> bool:
    """Words are no answer here: whoever stands between, such as the page of a login, has words too."""
    if protocol == "contract" or not answer.strip():
        return True
    try:
        return isinstance(json.loads(answer), dict)
    except (ValueError, RecursionError):
        return False


def _failure(hook: Hook, message: str, code: FailureCode) -> Failure:
    return Failure(Stage.EXECUTION, code, message, {"hook": hook.id})


class _Exchange(threading.Thread):
    def __init__(self, url: str, body: bytes, headers: Mapping[str, str], timeout: float) -> None:
        super().__init__(name="fairlead-http", daemon=True)
        self.answer: bytes | None = None
        self.error = ""
        self._url = url
        self._body = body
        self._headers = headers
        self._timeout = timeout
        self._connection: HTTPConnection | None = None

    def run(self) -> None:
        try:
            self.answer = self._exchanged()
        except ExchangeError as error:
            self.error = str(error)
        except Exception as error:  # noqa: BLE001 - whatever a server or a resolver does becomes data
            self.error = f"{self._url}: {type(error).__name__}: {error}"
        finally:
            self.abandon()

    def abandon(self) -> None:
        connection = self._connection
        if connection is None:
            return
        if connection.sock is not None:
            with suppress(OSError):  # wakes the thread that reads; a plain close would not
                connection.sock.shutdown(2)
        connection.close()

    def _exchanged(self) -> bytes:
        address = _address(self._url)
        connection = self._connection = _connection(address, self._timeout)
        connection.connect()
        if address.scheme == "http" and not _is_loopback(connection.sock.getpeername()[0]):
            raise ExchangeError(f"{self._url} is not on this machine: use https")
        target = (address.path or "/") + (f"?{address.query}" if address.query else "")
        headers = {"User-Agent": "fairlead", **self._headers, "Content-Type": "application/json"}
        connection.request("POST", target, self._body, headers)
        response = connection.getresponse()
        if not 200 <= response.status < 300:
            raise ExchangeError(f"{self._url} answered {response.status} {response.reason}".rstrip())
        answer = response.read(LIMIT + 1)
        if len(answer) > LIMIT:
            raise ExchangeError(f"{self._url} answered with more than {LIMIT} bytes")
        return answer


def _address(url: str) -> SplitResult:
    from urllib.parse import urlsplit

    address = urlsplit(url)
    if address.scheme not in ("http", "https") or not address.hostname:
        raise ExchangeError(f"{url!r} is not an http or https address")
    if address.username or address.password:
        raise ExchangeError("an address must not carry a name or a password: it would be logged")
    if address.scheme == "http" and not _is_loopback(address.hostname):
        raise ExchangeError(f"{url} is not on this machine: use https")
    return address


def _is_loopback(host: str) -> bool:
    from ipaddress import ip_address

    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _connection(address: SplitResult, timeout: float) -> HTTPConnection:
    from http.client import HTTPConnection, HTTPSConnection

    host = address.hostname or ""
    if address.scheme == "https":
        import ssl

        return HTTPSConnection(host, address.port, timeout=timeout, context=ssl.create_default_context())
    return HTTPConnection(host, address.port, timeout=timeout)
