"""`fairlead tail -f` as a real process, beside a real hook call."""

from __future__ import annotations

import json
import signal
import subprocess
import sys

import pytest

from kit import Machine

pytestmark = pytest.mark.slow


def test_a_call_appears_while_tail_follows(machine: Machine) -> None:
    machine.hook(machine.bash("echo first"))
    words = [sys.executable, "-I", "-m", "fairlead", "--home", str(machine.home), "tail", "-f", "--json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as tail:
        assert tail.stdout is not None
        assert json.loads(tail.stdout.readline())["summary"] == "echo first"
        machine.hook(machine.bash("echo second"))
        assert json.loads(tail.stdout.readline())["summary"] == "echo second"
        tail.send_signal(signal.SIGINT)
        assert tail.wait(20) == 0
