"""`fairlead fleet dashboard` as a process: what it was given, and who may answer there."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from fleet_workshop import Publishing

from fairlead.doors.fleet.collecting.database import open_database
from fairlead.doors.fleet.collecting.store import Store
from fairlead.fleet.bundles.rotation import write_signed_roles
from fairlead.fleet.bundles.signatures import Signed
from fairlead.fleet.bundles.signing import FOR_ROLES, new_key, write_key
from fleet_board_kit import told
from kit import Machine

pytestmark = pytest.mark.slow


@pytest.fixture
def desk(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "desk")


class Browser:
    """Opens the printed address, and asks."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self._port = int(parts.port or 0)
        self._cookie = ""
        _, _, given = self._ask(f"/?{parts.query}")
        self._cookie = given.split(";")[0]

    def read(self, path: str):
        status, body, _ = self._ask(path)
        assert status == 200
        return json.loads(body)

    def _ask(self, path: str) -> tuple[int, bytes, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        connection.request("GET", path, headers={"cookie": self._cookie})
        answer = connection.getresponse()
        found = answer.status, answer.read(), answer.getheader("set-cookie") or ""
        connection.close()
        return found


@contextmanager
def dashboard(desk: Machine, *words: str) -> Iterator[Browser]:
    command = [sys.executable, "-m", "fairlead", "--home", str(desk.home), "fleet", "dashboard", *words]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert running.stdout is not None
        yield Browser(running.stdout.readline().strip())
    finally:
        running.terminate()
        _, said = running.communicate(timeout=60)
        assert "Traceback" not in said, said


def test_it_shows_what_is_expected_and_what_is_published(desk: Machine, tmp_path: Path) -> None:
    (tmp_path / "shelf").mkdir()
    publishing = Publishing(f"folder:{tmp_path}/shelf")
    publishing.publish(4)
    content = publishing.roles.written()
    signed = Signed(content, (publishing.bundle_key.sign(content, purpose=FOR_ROLES),))
    (tmp_path / "roles.json").write_bytes(write_signed_roles(signed))
    (tmp_path / "machines.txt").write_text("m-1 web\nm-2 web\n")
    url = f"sqlite:{tmp_path}/fleet.sqlite3"
    store = Store(open_database(url))
    store.beat([told("m-1", bundle={"version": 4, "state": "current"})])
    given = ["--expected", f"{tmp_path}/machines.txt", "--source", f"folder:{tmp_path}/shelf"]
    with dashboard(desk, "--database", url, *given, "--roles", f"{tmp_path}/roles.json") as browser:
        machines = browser.read("/api/fleet/machines")["machines"]
        assert [(each["machine"], each["troubles"]) for each in machines] == [
            ("m-2", ["missing"]),
            ("m-1", []),
        ]
        (group,) = browser.read("/api/fleet/rollouts")["groups"]
        assert (group["published"]["state"], group["published"]["version"]) == ("signed", 4)
        assert group["standing"] == {"has": 1, "lags": 1, "absent": 1}
        assert browser.read("/api/about")["writable"] is False


def test_nobody_answers_there_without_a_human(desk: Machine, tmp_path: Path) -> None:
    write_key(str(tmp_path / "ana.key"), new_key())
    words = ["fleet", "dashboard", "--database", f"sqlite:{tmp_path}/x", "--source", "nats://127.0.0.1:1"]
    refused = desk.fairlead(*words, "--key", f"{tmp_path}/ana.key", "--yes")
    assert refused.returncode == 1 and b"a human is needed" in refused.stderr


def test_a_key_without_a_broker_and_roles_without_a_source_are_refused(desk: Machine, tmp_path: Path) -> None:
    write_key(str(tmp_path / "ana.key"), new_key())
    words = ["fleet", "dashboard", "--database", f"sqlite:{tmp_path}/x"]
    for given, said in (
        (["--key", f"{tmp_path}/ana.key"], b"broker"),
        (["--roles", f"{tmp_path}/ana.key"], b"--source"),
    ):
        refused = desk.fairlead(*words, *given)
        assert refused.returncode == 64 and said in refused.stderr
