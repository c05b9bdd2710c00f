"""The session that a server of the older era keeps, and the version of the later one. From any thread."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from threading import Lock

from fairlead.doors.mcp.http import headers as names
from fairlead.doors.mcp.http.connections import Connections, Reply, UnreachableError
from fairlead.doors.mcp.http.messages_sent import Sent
from fairlead.doors.mcp.protocol.messages import encode

STREAM, JSON = "text/event-stream", "application/json"
INITIALIZED = encode({"jsonrpc": "2.0", "method": "notifications/initialized"})


class RemoteSession:
    """`fixed` are headers that go with every request."""

    def __init__(self, connections: Connections, fixed: Mapping[str, str]) -> None:
        self._connections = connections
        self._fixed = fixed
        self._fixed_names = {name.lower() for name in fixed}
        self._id = self._version = ""
        self.modern_version = ""
        self._opening: Sent | None = None
        self._renewing = Lock()

    def prepare(self, sent: Sent, places: names.Places) -> None:
        """What the message itself says about its era."""
        if sent.method == "initialize":
            self._opening = sent
            self._id = self._version = self.modern_version = ""
            return
        self.modern_version = names.version_of(sent.members) or self.modern_version
        if self.modern_version:
            sent.headers = names.modern_headers(sent.members, self.modern_version, places)

    def heard(self, sent: Sent, line: bytes) -> None:
        if sent is self._opening and not self._version:
            self._version = _negotiated(line, sent.id)

    def post(self, sent: Sent) -> Reply:
        """Raises UnreachableError."""
        headers = {"Content-Type": JSON, "Accept": f"{JSON}, {STREAM}", **self._headers(sent)}
        reply = self._connections.ask("POST", headers, sent.line, written=sent.left)
        if sent.method == "initialize" and reply.status == 200:
            self._id = reply.headers.get(names.SESSION) or ""
        return reply

    def get(self, sent: Sent) -> Reply:
        """Raises UnreachableError."""
        headers = {"Accept": STREAM, **self._headers(sent)}
        if sent.last_event:
            headers[names.LAST_EVENT] = sent.last_event
        return self._connections.ask("GET", headers, written=sent.left)

    def renewed(self, sent: Sent) -> bool:
        """Whether there is another session than the one that the server has forgotten."""
        with self._renewing:
            if self._id and self._id != sent.session:
                return True
            return self._opening is not None and self._open_again(self._opening, sent.given)

    def end(self) -> None:
        if not self._id or self._opening is None:
            return
        try:
            headers = self._headers(Sent(b"", given=self._opening.given))
            self._connections.ask("DELETE", headers).drop()
        except UnreachableError:
            return  # it will forget the session by itself

    def _headers(self, sent: Sent) -> dict[str, str]:
        given = {name: value for name, value in sent.given.items() if name.lower() not in self._fixed_names}
        headers = {**self._fixed, **given, **sent.headers}
        if not sent.headers and sent.method != "initialize":
            sent.session = self._id
            if self._id:
                headers[names.SESSION] = self._id
            if self._version:
                headers[names.VERSION] = self._version
        return headers

    def _open_again(self, opening: Sent, given: Mapping[str, str]) -> bool:
        again = Sent(encode({**opening.members, "id": f"again-{time.monotonic_ns()}"}), given=given)
        reply = self.post(again)
        reply.drop()
        if reply.status != 200:
            return False
        self.post(Sent(INITIALIZED, given=given)).drop()
        return True


def _negotiated(line: bytes, id: object) -> str:
    message = object_in(line)
    result = message.get("result") if message.get("id") == id else None
    version = result.get("protocolVersion") if isinstance(result, dict) else None
    return version if isinstance(version, str) and version.isascii() and version.isprintable() else ""


def object_in(line: bytes) -> Mapping[str, object]:
    """Empty for what is none."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {}
