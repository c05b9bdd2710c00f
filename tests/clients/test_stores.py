"""What the stores of agents get, loaded by the real agents: a forbidden call is blocked, a missing client
refuses, and what is harmless runs."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from clients_kit import CACHE, FORBIDDEN, PATIENCE, REAL_AGENTS, REFUSED, Agent

ROOT = Path(__file__).parents[2]
STORES = ("claude", "codex", "gemini", "opencode")
pytestmark = REAL_AGENTS


def _program(client: str) -> str:
    return f"{CACHE}/{client}/node_modules/.bin/{client}"


def _told(agent: Agent, *words: str, answer: str = "") -> None:
    """A command of the agent itself, in its own home."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(agent.home)}
    done = subprocess.run(
        [_program(agent.client), *words],
        cwd=agent.machine.project,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        input=answer,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def _claude(agent: Agent) -> tuple[str, ...]:
    _told(agent, "plugin", "marketplace", "add", str(ROOT))
    _told(agent, "plugin", "install", "fairlead@fairlead")
    return ()


def _codex(agent: Agent) -> tuple[str, ...]:
    _told(agent, "plugin", "marketplace", "add", str(ROOT))
    _told(agent, "plugin", "add", "fairlead@fairlead")
    return ("--arg=-c", "--arg=features.plugins=true", "--arg=--dangerously-bypass-hook-trust")


def _gemini(agent: Agent) -> tuple[str, ...]:
    _told(agent, "extensions", "install", str(ROOT / "plugins/gemini"), "--consent", answer="y\n")
    return ()


def _opencode(agent: Agent) -> tuple[str, ...]:
    """As npm lays the package out, since none of it is in a registry."""
    settings = agent.home / ".config/opencode/opencode.json"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(json.dumps({"plugin": [f"file://{ROOT}/plugins/opencode/index.js"]}))
    return ()


_LOADED = {"claude": _claude, "codex": _codex, "gemini": _gemini, "opencode": _opencode}


@pytest.fixture(params=STORES)
def agent(request, there, machine):
    """With the plugin and without any setting of ours; the client stands where a person would have it."""
    found = Agent(request.param, machine, guarded=False)
    found.fairlead("install", "--client")
    yield found
    machine.fairlead("daemon", "stop")


def _place_client(agent: Agent) -> Path:
    place = agent.home / ".local/share/fairlead/bin/fairlead-hook"
    place.parent.mkdir(parents=True)
    real = agent.machine.home / "share/bin/fairlead-hook"
    place.write_text(f'#!/bin/sh\nexec {real} --home {agent.machine.home} "$@"\n')
    place.chmod(0o755)
    return place


@pytest.mark.proves("shell", "client removed")
def test_a_plugin_blocks_what_is_forbidden_and_nothing_else(agent):
    place = _place_client(agent)
    words = _LOADED[agent.client](agent)
    agent.run(*words, *FORBIDDEN, *REFUSED)
    agent.run(*words, "--shell-command", "touch {marker}", "--expect", "ran")
    place.unlink()
    told = agent.run(*words, "--shell-command", "touch {marker}", "--reason", "fairlead install --client")
    assert told["executed"] is False
    # Gemini CLI has a gate before the model: nothing is asked any more
    assert told["reason_reached_model"] is told["model_asked_for_tool"] is (agent.client != "gemini")
