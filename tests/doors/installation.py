"""An installation of its own: a virtual environment with a copy of the package, a client and a home."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from fairlead.doors.daemon import control
from fairlead.doors.daemon.lifecycle import DaemonError
from fairlead.journal.reader import read_records
from fairlead.model.verdict import Reply
from fairlead.policy.places import find_places

ROOT = Path(__file__).resolve().parents[2]


def payload(
    command: str = "rm -rf /", *, session: str = "s1", event: str = "PreToolUse", **more: object
) -> bytes:
    """What Claude Code sends."""
    call = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": f"t-{session}-{command}"}
    prompt = {"prompt": command}
    subject = prompt if event == "UserPromptSubmit" else call
    return json.dumps(
        {"session_id": session, "cwd": "/", "hook_event_name": event, **subject, **more}
    ).encode()


class Installation:
    """`python` is the test run's own interpreter unless a copy of the package is asked for."""

    def __init__(self, folder: Path, client: Path, *, copied: bool = False) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.home.mkdir(parents=True)
        self.places = find_places(str(self.home))
        self.python = self._copy() if copied else Path(sys.executable)
        self.client = folder / "bin" / "fairlead-hook"
        self.client.parent.mkdir()
        shutil.copy2(client, self.client)
        Path(f"{self.client}.record").write_text(f"interpreter={self.python}\ntimeout=60\n")

    def _copy(self) -> Path:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", self.folder / "venv"], check=True)
        site = next((self.folder / "venv" / "lib").glob("python3*/site-packages"))
        shutil.copytree(
            ROOT / "src" / "fairlead", site / "fairlead", ignore=shutil.ignore_patterns("__pycache__")
        )
        others = [path for path in sys.path if path.endswith("site-packages")]
        (site / "others.pth").write_text("\n".join(others) + "\n")
        self.package = site / "fairlead"
        return self.folder / "venv" / "bin" / "python3"

    def start(self, *words: str, **options: Any) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [str(self.client), "--home", str(self.home), *(words or ("claude", "PreToolUse"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **{"cwd": str(self.folder), **options},
        )

    def call(self, sent: bytes | None = None, *words: str, **options: Any) -> Reply:
        process = self.start(*words, **options)
        out, err = process.communicate(payload() if sent is None else sent, timeout=120)
        return Reply(process.returncode, out, err)

    def daemon(self) -> dict[str, Any] | None:
        try:
            return control.ping(self.places)
        except DaemonError:
            return None

    def warm_up(self) -> dict[str, Any]:
        if self.python == Path(sys.executable):
            return control.start(self.places, str(self.home), seconds=90)
        words = [self.python, "-I", "-m", "fairlead", "--home", self.home, "daemon", "restart"]
        subprocess.run(words, check=True, capture_output=True)
        return self.daemon() or {}

    def stop(self) -> None:
        control.stop(self.places)

    def daemons(self) -> list[int]:
        """Every daemon process of this home, whatever the lock says."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                words = (process / "cmdline").read_bytes().split(b"\0")
                state = (process / "stat").read_text().rpartition(")")[2].split()[0]
            except OSError:
                continue
            if b"fairlead.doors.daemon" in words and os.fsencode(self.home) in words and state != "Z":
                found.append(int(process.name))
        return found

    def records(self) -> list[Mapping[str, Any]]:
        return list(read_records(os.path.join(self.places.state, "journal")))

    def log(self) -> str:
        return "\n".join(control.read_log(self.places, 1000))


def until(condition: Callable[[], object], seconds: float = 90) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it never came to pass"
        time.sleep(0.01)


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
