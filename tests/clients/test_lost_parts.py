"""Real agents when parts of the installation are gone or change: nothing forbidden runs.

Each is set up by `fairlead install` alone, loses a part, and is then told by the model to run something.
Where nothing can be judged any more, nothing runs, and the model still reads why.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest

from clients_kit import REAL_AGENTS, Agent
from fairlead.policy.places import find_places
from fairlead.policy.record import read_record
from kit import own_installation, upgrade

pytestmark = REAL_AGENTS

Loss = Callable[[Agent], None]


FORBIDDEN = ("--shell-command", "touch {marker} # RIG")
"""By the policy of these agents; that it ran would show on the disk, whatever the agent's shell finds."""
HARMLESS = ("--shell-command", "touch {marker}")


def client_of(agent: Agent) -> Path:
    return agent.machine.home / "share" / "bin" / "fairlead-hook"


def environment_of(agent: Agent) -> Path:
    return Path(read_record(find_places(str(agent.machine.home)))["interpreter"]).parents[1]


def lose_client(agent: Agent) -> None:
    client_of(agent).unlink()


def lose_its_mode(agent: Agent) -> None:
    client_of(agent).chmod(0o600)


def lose_its_content(agent: Agent) -> None:
    client_of(agent).write_bytes(b"")


def lose_interpreter(agent: Agent) -> None:
    """The link that a removed Python leaves behind leads nowhere."""
    for link in (environment_of(agent) / "bin").glob("python*"):
        link.unlink()
        link.symlink_to("/gone/python3")


def lose_environment(agent: Agent) -> None:
    shutil.rmtree(environment_of(agent))


def lose_everything(agent: Agent) -> None:
    shutil.rmtree(agent.machine.home)


LOSSES: dict[str, tuple[Loss, str]] = {
    "client": (lose_client, "fairlead-hook is missing"),
    "client not executable": (lose_its_mode, "fairlead-hook is missing"),
    "client empty": (lose_its_content, "fairlead-hook is missing"),
    "interpreter": (lose_interpreter, "could not answer"),
    "environment": (lose_environment, "could not answer"),
    "everything": (lose_everything, "fairlead-hook is missing"),
}
"""What is lost, and the words that are read instead of a verdict."""

CORE = ("client", "environment")
AT_THE_PROMPT = ("gemini",)
"""Its requests to the model are gated too, so that the model is never asked."""
UNTOLD = ("cline",)
"""A refusal that does not know which tool it refuses ends the run without a word."""


@pytest.mark.proves("client removed")
@pytest.mark.parametrize(
    "lost", [pytest.param(lost, marks=pytest.mark.core) if lost in CORE else lost for lost in LOSSES]
)
def test_nothing_runs_when_a_part_is_lost(agent: Agent, lost: str) -> None:
    lose, words = LOSSES[lost]
    lose(agent)
    done = agent.run(*HARMLESS, "--reason", words)
    assert done["executed"] is False, done
    if agent.client not in (*AT_THE_PROMPT, *UNTOLD):
        assert done["reason_reached_model"] is True, done


@pytest.mark.proves("client removed")
def test_nothing_forbidden_runs_when_a_part_is_lost_under_a_warm_daemon(agent: Agent) -> None:
    agent.run(*HARMLESS, "--expect", "ran")
    lose_environment(agent)
    assert agent.run(*FORBIDDEN)["executed"] is False


@pytest.mark.proves("install killed")
def test_nothing_forbidden_runs_when_install_was_killed_in_the_middle(agent: Agent) -> None:
    """Again and again, at another moment each time, while it replaces a line of another kind."""
    python = own_installation(agent.machine.project.parent / "venv")
    for attempt in range(12):
        upgrade(python)
        kill_install(agent, python, after=0.05 + 0.12 * attempt)
        if attempt % 4 == 3:
            assert agent.run(*FORBIDDEN)["executed"] is False, attempt
    agent.run(*HARMLESS, "--expect", "ran")


@pytest.mark.proves("install killed")
def test_the_next_install_mends_what_the_first_one_left_half_done(bare_agent: Agent) -> None:
    python = own_installation(bare_agent.machine.project.parent / "venv")
    for attempt in range(8):
        kill_install(bare_agent, python, after=0.1 + 0.2 * attempt)
    assert start_install(bare_agent, python).wait(timeout=120) == 0
    assert bare_agent.run(*FORBIDDEN)["executed"] is False
    bare_agent.run(*HARMLESS, "--expect", "ran")
    kill_install(bare_agent, python, after=0.3)
    assert bare_agent.run(*FORBIDDEN)["executed"] is False


def kill_install(agent: Agent, python: Path, *, after: float) -> None:
    process = start_install(agent, python)
    time.sleep(after)
    process.kill()
    process.wait()


def start_install(agent: Agent, python: Path) -> subprocess.Popen[bytes]:
    words = [python, "-I", "-m", "fairlead", "--home", agent.machine.home, "install", agent.client]
    environment = {**os.environ, "HOME": str(agent.home), "XDG_CONFIG_HOME": ""}
    return subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@pytest.mark.proves("upgrade")
def test_an_upgrade_in_the_middle_of_a_session_lets_nothing_forbidden_run(agent: Agent) -> None:
    """And nothing harmless is refused: the agent keeps its settings, and the new build answers."""
    python = own_installation(agent.machine.project.parent / "venv")
    upgrade(python)
    before = environment_of(agent)
    started, never, after = (agent.machine.project / name for name in ("started", "never", "after"))
    person = Thread(target=upgrade_when, args=(started, agent, python))
    person.start()
    steps = [
        {"kind": "shell", "command": f"touch {started}; sleep 8"},
        {"kind": "shell", "command": f"touch {never} # RIG"},
        {"kind": "shell", "command": f"touch {after}"},
    ]
    told = agent.session(steps)
    person.join()
    assert (never.exists(), after.exists()) == (False, True), told
    assert environment_of(agent) != before


def upgrade_when(sign: Path, agent: Agent, python: Path) -> None:
    for _ in range(1200):
        if sign.exists():
            assert start_install(agent, python).wait(timeout=120) == 0
            return
        time.sleep(0.05)
