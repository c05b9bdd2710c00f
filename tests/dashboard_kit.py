"""A real dashboard on a free port, and plain HTTP to talk to it."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import uvicorn

from fairlead.doors.dashboard.server import listen, make_app
from fairlead.doors.dashboard.sources import HealthRow
from fairlead.journal.ids import new_id, timestamp
from fairlead.policy.places import find_places
from index_kit import call


def recent(number: float, decision: str = "continue", **more: object) -> dict[str, object]:
    """The record of a call that was answered so many seconds ago."""
    now = time.time() - number
    return {**call(int(number), decision), "id": new_id(now), "ts": timestamp(now), **more}


class Answer:
    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self.body = response.read()

    def json(self):
        return json.loads(self.body)


class Dashboard:
    """Served by a thread of this process."""

    def __init__(self, folder: Path, *, writable: bool = False) -> None:
        self.home = folder / "home"
        self.project = folder / "project"
        (self.project / ".git").mkdir(parents=True, exist_ok=True)
        self.journal = self.home / "state" / "journal"
        listening = listen(0)
        self.port = listening.getsockname()[1]
        self.health = [HealthRow("claude", "guarded, not proved", True, fix="fairlead doctor")]
        self.gate = make_app(
            find_places(str(self.home)),
            str(self.project),
            self.port,
            writable=writable,
            health=lambda: self.health,
        )
        self.address = f"http://127.0.0.1:{self.port}"
        config = uvicorn.Config(
            self.gate, log_level="error", access_log=False, ws="none", limit_concurrency=256
        )
        config.timeout_graceful_shutdown = 1
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([listening],), daemon=True)
        self._thread.start()
        self.cookie = ""

    def close(self) -> None:
        self._server.should_exit = True
        self._thread.join(20)

    def ask(
        self, path: str, method: str = "GET", body: object = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        sent = {"cookie": self.cookie} if self.cookie else {}
        data = None
        if body is not None:
            data = json.dumps(body)
            sent |= {"content-type": "application/json", "origin": self.address}
        connection.request(method, path, data, sent | dict(headers or {}))
        answer = Answer(connection.getresponse())
        connection.close()
        return answer

    def enter(self) -> None:
        """As a browser does with the printed address."""
        answer = self.ask(f"/?token={self.gate.token}")
        assert answer.status == 303
        self.cookie = answer.headers["set-cookie"].split(";")[0]

    def enter_with(self, page) -> None:
        """As the browser of this page, which was shown the address."""
        (kept,) = page.context.cookies()
        self.cookie = f"{kept['name']}={kept['value']}"

    def wait_for(self, path: str, condition, seconds: float = 20) -> Answer:
        """Asks again until the answer is as it should be: the feed reads the journal in its own time."""
        end = time.monotonic() + seconds
        while True:
            answer = self.ask(path)
            if condition(answer.json()) or time.monotonic() > end:
                return answer
            time.sleep(0.05)
