from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fairlead.errors import TrustError
from fairlead.policy.human import Terminal, has_passphrase, require_human, set_passphrase
from fairlead.policy.person.chain import find_agent
from fairlead.policy.person.processes import Process, lineage
from fairlead.policy.places import Places


class FakeTerminal(Terminal):
    def __init__(self, *answers: str, there: bool = True) -> None:
        self.answers, self.there, self.asked = list(answers), there, list[str]()

    def available(self) -> bool:
        return self.there

    def ask(self, question: str) -> str:
        self.asked.append(question)
        return self.answers.pop(0)

    ask_secret = ask


def lines(*commands: str) -> Iterator[Process]:
    """This process at the prompt of a shell, and what stands above that shell."""
    above = [Process(12 + place, 13 + place, tuple(line.split())) for place, line in enumerate(commands)]
    ssh = {"SSH_CONNECTION": "192.0.2.7 5 192.0.2.1 22"}
    yield Process(10, 11, ("fairlead",), group=10, session=11, terminal=True, foreground=10)
    yield Process(11, 12, ("-bash",), ssh, "/bin/bash", session=11)
    yield from above


def require(places: Places, terminal: Terminal, *commands: str, yes: bool = False, **variables: str) -> None:
    require_human(
        places,
        "trust /project",
        yes=yes,
        terminal=terminal,
        parents=lambda: lines(*commands),
        environment=variables,
    )


def test_a_person_in_a_shell_is_asked_once(places: Places) -> None:
    terminal = FakeTerminal("y")
    require(places, terminal, "sshd: me", "systemd")
    assert terminal.asked == ["Trust /project? [y/N] "]


def test_anything_but_yes_changes_nothing(places: Places) -> None:
    for answer in ("", "n", "maybe"):
        with pytest.raises(TrustError, match="nothing was changed"):
            require(places, FakeTerminal(answer), "sshd: me")


def test_yes_skips_the_question_but_not_the_check(places: Places) -> None:
    require(places, FakeTerminal(), "sshd: me", yes=True)
    with pytest.raises(TrustError, match="this runs inside claude"):
        require(places, FakeTerminal(), "bash", "claude --print", yes=True)


def test_without_a_terminal_there_is_no_human(places: Places) -> None:
    with pytest.raises(TrustError, match="a human is needed"):
        require(places, FakeTerminal(there=False), "bash", yes=True)


@pytest.mark.parametrize(
    "command",
    [
        "claude",
        "/usr/local/bin/codex exec",
        "node /usr/bin/gemini -p",
        "node --max-old-space-size=9 /x/qwen.js",
    ],
)
def test_an_agent_among_the_parents_is_no_human(places: Places, command: str) -> None:
    with pytest.raises(TrustError, match="this runs inside"):
        require(places, FakeTerminal("y"), "sh -c x", command, "bash")


@pytest.mark.parametrize("command", ["vim claude.md", "less gemini", "bash -c codex", "/home/claude/bin/zsh"])
def test_a_file_that_is_named_like_an_agent_is_none(places: Places, command: str) -> None:
    assert find_agent(lines(command.split()[0])) == ""


@pytest.mark.parametrize("name", ["CLAUDECODE", "AI_AGENT", "GEMINI_CLI", "CODEX_SANDBOX", "CURSOR_AGENT"])
def test_an_agents_mark_in_the_environment_is_seen_here_and_in_parents(places: Places, name: str) -> None:
    with pytest.raises(TrustError, match=name):
        require(places, FakeTerminal("y"), "bash", yes=True, **{name: "1"})
    assert name in find_agent([Process(7, 1, ("bash",), {name: "1"})])


def test_an_agents_settings_in_a_persons_profile_are_no_mark() -> None:
    settings = {"CODEX_HOME": "/x", "ANTHROPIC_API_KEY": "k"}
    assert find_agent([Process(7, 1, ("bash",), settings)]) == ""


def test_without_a_login_among_the_parents_the_refusal_says_why_and_what_to_do(places: Places) -> None:
    with pytest.raises(TrustError, match="ends at init") as refusal:
        require(places, FakeTerminal("y"), "systemd --user", yes=True)
    assert "fairlead install --passphrase" in refusal.value.hint
    set_passphrase(places, "correct horse")
    require(places, FakeTerminal("correct horse"), "systemd --user", yes=True)


def test_a_passphrase_is_enough_and_needed_once_it_is_set(places: Places) -> None:
    assert not has_passphrase(places)
    set_passphrase(places, "correct horse")
    assert has_passphrase(places)
    require(places, FakeTerminal("correct horse"), "claude", yes=True)
    with pytest.raises(TrustError, match="the passphrase is wrong"):
        require(places, FakeTerminal("incorrect horse"), "bash", yes=True)
    assert b"horse" not in Path(places.passphrase).read_bytes()
    assert os.stat(places.passphrase).st_mode & 0o777 == 0o600


def test_a_short_passphrase_is_refused(places: Places) -> None:
    with pytest.raises(TrustError, match="shorter than 8"):
        set_passphrase(places, "short")


def test_a_passphrase_file_that_cannot_be_read_lets_nobody_in(places: Places) -> None:
    set_passphrase(places, "correct horse")
    Path(places.passphrase).write_text("rubbish")
    with pytest.raises(TrustError, match="cannot be checked"):
        require(places, FakeTerminal("correct horse"), "bash", yes=True)


def test_the_real_lineage_reaches_up_from_this_process() -> None:
    own, parent, *_ = lineage()
    assert (own.id, own.parent, own.group) == (os.getpid(), os.getppid(), os.getpgid(0))
    assert (own.user, own.started_by, own.session) == (os.geteuid(), os.getuid(), os.getsid(0))
    assert os.path.samefile(own.program, sys.executable)
    assert parent.id == os.getppid() and parent.words


def test_a_real_process_inside_a_script_named_like_an_agent_finds_it(tmp_path: Path) -> None:
    agent = tmp_path / "claude"
    source = Path(__file__).parents[3] / "src"
    check = (
        f"import sys; sys.path.insert(0, {str(source)!r}); from fairlead.policy.person.chain import *; "
        "from fairlead.policy.person.processes import *; print(find_agent(lineage()))"
    )
    agent.write_text(f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {check!r}])\n")
    answer = subprocess.run([sys.executable, str(agent)], capture_output=True, text=True, env={}, check=True)
    assert answer.stdout.startswith("claude (process ")
