"""What an agent's shell makes of the installed line, with and without the client."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from fairlead.dialects.agent_registry import dialect_named
from fairlead.dialects.setup.installs import INSTALLS
from fairlead.dialects.setup.shell_line import missing
from fairlead.dialects.setup.site import Client
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import GATING, event_named
from fairlead.model.verdict import Verdict

GUARDED = sorted(agent for agent in INSTALLS if INSTALLS[agent].started_by in ("shell", "login shell"))
BARE = sorted(agent for agent in INSTALLS if INSTALLS[agent].started_by == "unknown")
NAMES = ["plain", "with space", "it's", 'a "quote"', "$HOME", "back\\slash", "`id`", "ünïcode"]
STAND_IN = '#!/bin/sh\nprintf "%s|" "$@"\ncat\nexit 7\n'


def run(line: str, shell: str = "/bin/sh") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([shell, "-c", line], input=b"payload", capture_output=True, check=False)


def client_in(folder: Path, name: str = "plain") -> Client:
    return Client(str(folder / name / "fairlead-hook"), home=str(folder / name))


def put(client: Client, content: str = STAND_IN, mode: int = 0o755) -> None:
    path = Path(client.path)
    path.parent.mkdir(parents=True)
    path.write_text(content)
    path.chmod(mode)


@pytest.mark.parametrize("agent", GUARDED)
def test_without_the_client_a_gate_is_refused_in_the_agents_own_way(agent: str, tmp_path: Path) -> None:
    client = client_in(tmp_path, "it's a \\ place")
    for event in dialect_named(agent).events:
        done = run(client.line(agent, event))
        name = event_named(event)
        if name not in GATING:
            neutral = dialect_named(agent).render(Event(name, event, agent), Verdict())
            assert (done.returncode, done.stdout.strip()) == (0, neutral.stdout.strip()), event
            continue
        refused = Verdict(Decision.BLOCK, missing(client.path), gating=True)
        wanted = dialect_named(agent).render(Event(name, event, agent), refused)
        assert done.returncode == wanted.exit_code, event
        if done.stdout:
            assert done.stdout.strip() == wanted.stdout.strip(), event
        else:
            assert (done.returncode, done.stderr) == (2, wanted.stderr), event


@pytest.mark.parametrize("shell", ["/bin/sh", "/bin/bash"])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_with_the_client_it_gets_its_words_and_its_input_whatever_its_path(
    agent: str, name: str, shell: str, tmp_path: Path
) -> None:
    client = client_in(tmp_path, name)
    put(client)
    done = run(client.line(agent, "PreToolUse"), shell)
    assert done.returncode == 7, done.stderr
    assert done.stdout.decode() == f"--home|{client.home}|{agent}|PreToolUse|payload"
    Path(client.path).unlink()
    gone = run(client.line(agent, "PreToolUse"), shell)
    assert (gone.returncode, gone.stdout) == (2, b"")
    assert f"its program {client.path} is missing" in gone.stderr.decode()


@pytest.mark.parametrize(
    ("content", "mode"), [("", 0o755), (STAND_IN, 0o644)], ids=["empty", "not executable"]
)
@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_a_client_that_cannot_be_run_is_a_missing_one(
    agent: str, content: str, mode: int, tmp_path: Path
) -> None:
    client = client_in(tmp_path)
    put(client, content, mode)
    done = run(client.line(agent, "PreToolUse"))
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"is missing" in done.stderr


def test_codex_runs_it_by_the_persons_own_shell_which_sees_one_quoted_word() -> None:
    line = Client("/opt/fairlead-hook").line("codex", "PermissionRequest")
    assert line.startswith("/bin/sh -c '") and line.endswith("'")
    assert "'" not in line[len("/bin/sh -c '") : -1]


@pytest.mark.parametrize("agent", BARE)
def test_where_no_shell_is_known_to_start_it_the_line_is_the_bare_command(agent: str) -> None:
    assert Client("/opt/fairlead-hook").line(agent, "PreToolUse") == f"/opt/fairlead-hook {agent} PreToolUse"
