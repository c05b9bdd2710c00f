from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fairlead.errors import TrustError
from fairlead.policy.human import (
    Process,
    Terminal,
    ancestry,
    find_agent,
    has_passphrase,
    require_human,
    set_passphrase,
)
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


def parents(*commands: str) -> Iterator[Process]:
    for number, command in enumerate(commands, start=10):
        yield Process(number, number + 1, tuple(command.split()))


def require(places: Places, terminal: Terminal, *commands: str, yes: bool = False, **variables: str) -> None:
    require_human(
        places,
        "trust /project",
        yes=yes,
        terminal=terminal,
        ancestors=lambda: parents(*commands),
        environment=variables,
    )


def test_a_person_in_a_shell_is_asked_once(places: Places) -> None:
    terminal = FakeTerminal("y")
    require(places, terminal, "-bash", "sshd: me", "systemd")
    assert terminal.asked == ["Trust /project? [y/N] "]


def test_anything_but_yes_changes_nothing(places: Places) -> None:
    for answer in ("", "n", "maybe"):
        with pytest.raises(TrustError, match="nothing was changed"):
            require(places, FakeTerminal(answer), "bash")


def test_yes_skips_the_question_but_not_the_check(places: Places) -> None:
    require(places, FakeTerminal(), "bash", yes=True)
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
    assert find_agent(lambda: parents(command.split()[0]), {}) == ""


@pytest.mark.parametrize("name", ["CLAUDECODE", "AI_AGENT", "GEMINI_CLI", "CODEX_SANDBOX", "CURSOR_AGENT"])
def test_an_agents_mark_in_the_environment_is_seen_here_and_in_parents(places: Places, name: str) -> None:
    with pytest.raises(TrustError, match=name):
        require(places, FakeTerminal("y"), "bash", yes=True, **{name: "1"})
    marked = Process(7, 1, ("bash",), (name,))
    assert name in find_agent(lambda: iter([marked]), {})


def test_an_agents_settings_in_a_persons_profile_are_no_mark() -> None:
    assert find_agent(lambda: iter([]), {"CODEX_HOME": "/x", "ANTHROPIC_API_KEY": "k"}) == ""


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


def test_the_real_ancestry_reaches_up_from_this_process() -> None:
    first = next(ancestry())
    assert first.id == os.getppid()
    assert first.words


def test_a_real_process_inside_a_script_named_like_an_agent_finds_it(tmp_path: Path) -> None:
    agent = tmp_path / "claude"
    source = Path(__file__).parents[3] / "src"
    check = (
        f"import sys; sys.path.insert(0, {str(source)!r}); from fairlead.policy.human import *; "
        "print(find_agent(ancestry, {}))"
    )
    agent.write_text(f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {check!r}])\n")
    answer = subprocess.run([sys.executable, str(agent)], capture_output=True, text=True, env={}, check=True)
    assert answer.stdout.startswith("claude (process ")
