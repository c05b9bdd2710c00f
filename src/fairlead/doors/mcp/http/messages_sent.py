"""One message on its way to the server, and what is known of the way."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from threading import Event

from fairlead.doors.mcp.http.headers import version_of

Members = Mapping[str, object]


class Sent:
    """`of` is what the client's side knows it by: a request of the client, or a stream that it opened."""

    def __init__(self, line: bytes, *, given: Mapping[str, str], of: object = None) -> None:
        self.line = line
        self.given = given
        """Headers of the client, such as who it is."""
        self.of = of
        members = json.loads(line) if line else {}
        self.members: Members = members if isinstance(members, dict) else {}
        self.method = str(self.members.get("method", ""))
        self.id = self.members.get("id") if self.method else None
        self.modern = bool(version_of(self.members))
        self.headers: Mapping[str, str] = {}
        self.session = ""
        self._break_off: Callable[[], None] | None = None
        self.last_event = ""
        self.pause = 1.0
        """Seconds before a stream that broke off is asked for again."""
        self.tries = 0
        self.is_cancelled = self.is_repeated = False
        """Its client does not want the answer any more; its session was opened anew for it."""
        self.out, self.settled = Event(), Event()
        """It was written; its answer has come, or never will."""

    @property
    def params(self) -> Members:
        params = self.members.get("params")
        return params if isinstance(params, dict) else {}

    def left(self, break_off: Callable[[], None]) -> None:
        """It is on its way; from any thread."""
        self._break_off = break_off
        self.out.set()
        if self.is_cancelled:
            break_off()

    def cancel(self) -> None:
        self.is_cancelled = True
        if self._break_off is not None:
            self._break_off()


def listening(*, given: Mapping[str, str], of: object = None, last_event: str = "") -> Sent:
    """No message, but a stream for what the server says by itself."""
    sent = Sent(b"", given=given, of=of)
    sent.last_event = last_event
    return sent
