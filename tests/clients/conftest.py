from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from clients_kit import CACHE, CHOSEN, CLIENTS, RIG, Agent
from kit import Machine


def fetch(client: str) -> None:
    if not os.path.isdir(os.path.join(CACHE, client)):
        install = [sys.executable, RIG, "install", client, "--clients", CACHE]
        subprocess.run(install, check=True, capture_output=True, timeout=600)


@pytest.fixture(params=[client for client in CLIENTS if client in CHOSEN])
def agent(request: pytest.FixtureRequest, machine: Machine) -> Iterator[Agent]:
    """One client in a home and a project of its own, guarded."""
    fetch(request.param)
    yield Agent(request.param, machine)
    machine.fairlead("daemon", "stop")
