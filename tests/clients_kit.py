"""Real agents, set up by `fairlead install` alone, against a scripted model on loopback.

They need node, npm and the rig that drives the clients (FAIRLEAD_RIG); the clients are fetched once into a
cache outside the tree. FAIRLEAD_CLIENTS chooses some of them.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from benchmarks.agents.clients import CLIENTS, agent_of
from kit import Machine

CHOSEN = tuple(os.environ.get("FAIRLEAD_CLIENTS", " ".join(CLIENTS)).split())
RIG = os.environ.get("FAIRLEAD_RIG", "")
CACHE = os.environ.get("FAIRLEAD_CLIENT_CACHE", os.path.expanduser("~/.cache/fairlead-clients"))
PATIENCE = 240
"""Seconds that a client may take, also where many others run beside it."""
STEPS = Path(__file__).parent / "clients" / "steps.py"


def fetched_versions() -> dict[str, str]:
    """Of the clients in the cache."""
    listed = subprocess.run(
        [sys.executable, RIG, "list", "--clients", CACHE], capture_output=True, check=True
    )
    clients = json.loads(listed.stdout)["clients"]
    return {name: facts["installed"] for name, facts in clients.items() if facts["installed"]}


@cache
def why_not_fetched(client: str) -> str:
    """Empty when the client is there; npm is asked once, and what it cannot get is not held against us."""
    if client in fetched_versions():
        return ""
    command = [sys.executable, RIG, "install", client, "--clients", CACHE]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
        said = done.stderr.strip().splitlines()[-1:] or ["npm said nothing"]
    except subprocess.TimeoutExpired:
        said = ["npm took more than ten minutes"]
    return "" if client in fetched_versions() else f"{client} could not be fetched: {said[0]}"


REAL_AGENTS = [
    pytest.mark.slow,
    pytest.mark.clients,
    pytest.mark.skipif(
        not os.path.isfile(RIG), reason="NOT TESTED WITH REAL AGENTS: FAIRLEAD_RIG names no rig"
    ),
    pytest.mark.skipif(not shutil.which("npm"), reason="NOT TESTED WITH REAL AGENTS: there is no npm"),
]

POLICY = """\
event: PreToolUse
middleware:
  - id: shorten
    type: transformation
    path: rules.py
  - id: refuse
    type: safety
    path: refuse.py
"""
REWRITE = """\
from middleware_base import MiddlewareResult

def process(hook_input, config, previous_results):
    given = hook_input["tool_input"]
    key = next((key for key in ("cmd", "commands") if key in given), "command")
    listed = isinstance(given.get(key), list)
    words = given[key][0] if listed else given.get(key, "")
    if not isinstance(words, str) or "please-rewrite" not in words:
        return MiddlewareResult(decision="continue", reason="")
    wanted = words.split(" # ")[0] + ".rewritten"
    return MiddlewareResult(
        decision="continue", reason="", updated_input={**given, key: [wanted] if listed else wanted}
    )
"""
REFUSE = """\
import json
from middleware_base import MiddlewareResult

def process(hook_input, config, previous_results):
    text = json.dumps(hook_input)
    if "rig made this" in text or "# RIG" in text or '"text": "hi"' in text:
        return MiddlewareResult(decision="block", reason="REFUSED-HERE")
    return MiddlewareResult(decision="continue", reason="")
"""


class Agent:
    """One client in a home and a project of its own, guarded, or about to be."""

    def __init__(self, client: str, machine: Machine, *, guarded: bool = True) -> None:
        self.client, self.machine = client, machine
        self.name = agent_of(client)
        self.home = machine.project.parent / "dev"
        self.home.mkdir(exist_ok=True)
        (machine.project / "README.md").write_text("# rig project\n")
        folder = machine.user_policy(POLICY)
        (folder / "rules.py").write_text(REWRITE)
        (folder / "refuse.py").write_text(REFUSE)
        if guarded:
            self.install(client)

    def install(self, *words: str) -> None:
        """By the package of these tests; what answers is a copy of it."""
        self.fairlead("install", *words)

    def fairlead(self, *words: str) -> str:
        """A command, for the files in this home."""
        environment = {"HOME": str(self.home), "XDG_CONFIG_HOME": ""}
        done = self.machine.fairlead(*words, environment=environment)
        assert done.returncode == 0, done.stderr
        return str(done.stdout.decode())

    def settings(self) -> dict[Path, bytes]:
        """The files below the home, as they are now."""
        return {path: path.read_bytes() for path in self.home.rglob("*") if path.is_file()}

    def restore(self, settings: dict[Path, bytes]) -> None:
        for path in self.settings().keys() - settings.keys():
            path.unlink()
        for path, content in settings.items():
            path.write_bytes(content)

    def run(self, *words: str) -> dict[str, object]:
        log = self.machine.home / "state" / "journal" / "journal.jsonl"
        untrusted = ["--no-trust"] if self.client == "codex" else []
        command = [sys.executable, RIG, self.client, "--clients", CACHE, "--home", str(self.home)]
        command += ["--project", str(self.machine.project), "--no-hook-config", "--hook-log", str(log)]
        command += ["--limit", str(PATIENCE)]
        done = subprocess.run(
            [*command, *untrusted, *words], capture_output=True, text=True, timeout=PATIENCE + 60, check=False
        )
        verdict: dict[str, object] = json.loads(done.stdout)
        assert verdict.get("ok") or "--expect" not in words, verdict
        return verdict

    def session(
        self,
        steps: Sequence[Mapping[str, object]],
        *,
        shims: tuple[str, ...] = (),
        model: str | None = None,
        kill_at: Path | None = None,
    ) -> dict[str, Any]:
        """Several tool calls in one session, and what the model was told of each.

        `kill_at` is a file: as soon as it is there, the client is killed.
        """
        asked = {"client": self.client, "clients": CACHE, "home": str(self.home), "shims": shims}
        asked |= {"model": model, "kill_at": str(kill_at or "")}
        asked |= {"limit": PATIENCE}
        asked |= {"project": str(self.machine.project), "steps": steps}
        done = subprocess.run(
            [sys.executable, str(STEPS), RIG],
            input=json.dumps(asked),
            capture_output=True,
            text=True,
            timeout=PATIENCE + 60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        told: dict[str, Any] = json.loads(done.stdout)
        return told

    def doctor(self) -> dict[str, bool]:
        """What `fairlead doctor` finds, with the client on the path."""
        path = f"{CACHE}/{self.client}/node_modules/.bin:{os.environ['PATH']}"
        environment = {"HOME": str(self.home), "XDG_CONFIG_HOME": "", "PATH": path}
        done = self.machine.fairlead("doctor", self.client, "--json", environment=environment, timeout=180)
        return {finding["what"]: finding["ok"] for finding in json.loads(done.stdout)}


FORBIDDEN = ("--shim", "terraform", "--shell-command", "terraform destroy -auto-approve")
REFUSED = ("--expect", "blocked", "--reason", "cloud/destroy", "--require-reason")
