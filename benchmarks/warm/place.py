"""A home of its own for a benchmark, with both clients, a daemon, and payloads on disk."""

from __future__ import annotations

import json
import os
import random
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.guard.lines import VISIBLE
from fairlead.doors.daemon import control
from fairlead.doors.daemon.lifecycle import take_lock
from fairlead.policy.places import Places, find_places

ROOT = Path(__file__).resolve().parents[2]
SIMPLE = "git status --short"


class Place:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.home.mkdir(parents=True)
        self.project = folder / "project"
        (self.project / ".git").mkdir(parents=True)
        self.places: Places = find_places(str(self.home))
        self.clients = {kind: self._client(kind) for kind in ("native", "pure")}
        self.simple = self.write_payload("simple", SIMPLE)

    def _client(self, kind: str) -> str:
        sys.path.insert(0, str(ROOT / "native"))
        import build

        folder = self.folder / kind
        client = build.build_native(folder) if kind == "native" else build.build_pure(folder)
        if kind == "pure":
            source = client.read_text().partition("\n'''\n")[2]
            client.write_text(f"#!{sys.executable} -IS\n{source}")
        Path(f"{client}.record").write_text(f"interpreter={sys.executable}\n")
        return str(client)

    def payload(self, command: str, number: int = 0) -> bytes:
        return json.dumps(
            {
                "session_id": "bench",
                "transcript_path": "/tmp/bench.jsonl",
                "cwd": str(self.project),
                "permission_mode": "default",
                "hook_event_name": "PreToolUse",
                "tool_name": "Bash",
                "tool_input": {"command": command, "description": "A benchmark"},
                "tool_use_id": f"toolu_{number}",
            }
        ).encode()

    def write_payload(self, name: str, command: str) -> str:
        path = self.folder / f"{name}.json"
        path.write_bytes(self.payload(command))
        return str(path)

    def environment(self) -> dict[str, str]:
        return {**os.environ, "CLAUDE_PROJECT_DIR": str(self.project), "CLAUDECODE": "1"}

    def hook(self, kind: str) -> list[str]:
        return [self.clients[kind], "--home", str(self.home), "claude", "PreToolUse"]

    def warm_up(self) -> dict[str, Any]:
        return control.start(self.places, str(self.home))

    def stop(self) -> None:
        control.stop(self.places)

    @contextmanager
    def without_daemon(self) -> Iterator[None]:
        """Holds the daemon's lock, so that cold calls do not start one."""
        self.stop()
        lock = take_lock(self.places)
        assert lock is not None
        try:
            yield
        finally:
            os.close(lock)

    def close(self) -> None:
        self.stop()
        shutil.rmtree(self.folder)


def corpus(count: int) -> list[str]:
    """Commands of the guard's corpus, the same ones in every run."""
    lines = [json.loads(line) for file in sorted(VISIBLE.glob("*.jsonl")) for line in file.open()]
    commands = [line["command"] for line in lines if line.get("tool", "Bash") == "Bash"]
    return random.Random(11).sample(commands, min(count, len(commands)))
