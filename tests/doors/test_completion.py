"""The Tab key in real shells: names of agents, rules, calls and more, and nothing that a shell would run."""

import os
import pty
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fairlead.journal.ids import new_id, timestamp
from index_kit import call, write
from kit import Machine

pytestmark = pytest.mark.slow
PATIENCE = 30.0

START = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}
LEARN = {
    "bash": 'PS1="ready> "; bind "set bell-style none"; eval "$(fairlead completion bash)"',
    "zsh": 'PS1="ready> "; autoload -U compinit; compinit -u -D; eval "$(fairlead completion zsh)"',
    "fish": "function fish_prompt; echo 'ready> '; end; fairlead completion fish | source",
}
TAB = "\t"


class Typist:
    """Somebody at a shell: types, and waits until something is there to be read."""

    def __init__(self, shell: str, cwd: Path, environment: dict[str, str]) -> None:
        self.keyboard, theirs = pty.openpty()
        take = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)"
        self.process = subprocess.Popen(
            [sys.executable, "-c", f"{take}; os.execvp(sys.argv[1], sys.argv[1:])", *START[shell]],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=cwd,
            env=environment,
            start_new_session=True,
        )
        os.close(theirs)

    def type(self, text: str) -> None:
        os.write(self.keyboard, text.encode())

    def see(self, text: str) -> str:
        seen, end = "", time.monotonic() + PATIENCE
        while text not in seen:
            ready, _, _ = select.select([self.keyboard], [], [], max(end - time.monotonic(), 0))
            assert ready, f"{text!r} was not seen in {seen!r}"
            seen += os.read(self.keyboard, 65536).decode(errors="replace")
        return seen

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.keyboard)


@pytest.fixture
def environment(machine: Machine, tmp_path: Path) -> dict[str, str]:
    """Of somebody with one recorded call, and with `fairlead` among their programs."""
    now = time.time()
    record = call(1, "block", session="morning-shift", id=new_id(now), ts=timestamp(now))
    write(machine.home / "state" / "journal", record)
    machine.fairlead("log")
    programs = tmp_path / "bin"
    programs.mkdir()
    command = programs / "fairlead"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -I -m fairlead "$@"\n')
    command.chmod(0o755)
    kept = {key: os.environ[key] for key in ("LANG", "LC_ALL") if key in os.environ}
    return {
        **kept,
        "PATH": f"{programs}:{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "TERM": "xterm",
        "FAIRLEAD_HOME": str(machine.home),
    }


@pytest.fixture
def sit(machine: Machine, environment: dict[str, str]) -> Iterator[Callable[[str], Typist]]:
    typists: list[Typist] = []

    def down(shell: str) -> Typist:
        if shutil.which(shell) is None:
            pytest.skip(f"there is no {shell} here, so completion in it is not tried")
        typists.append(Typist(shell, machine.project, environment))
        return typists[-1]

    yield down
    for typist in typists:
        typist.close()


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("fairlead expl", "explain"),
        ("fairlead log --agent clau", "claude"),
        ("fairlead sessions show morn", "morning-shift"),
        ("fairlead packs show kube", "kubernetes"),
        ("fairlead hooks disable log-o", "log-operations"),
        ("fairlead mcp unin", "uninstall"),
    ],
)
@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_a_tab_key_completes_what_is_typed(sit, shell: str, typed: str, completed: str) -> None:
    typist = sit(shell)
    typist.type(f"{LEARN[shell]}\necho lear''ned\n")
    typist.see("learned\r\n")
    typist.type(f"{typed}{TAB}")
    rest = completed.removeprefix(typed.rpartition(" ")[2])
    typist.see(rest)


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("fairlead log --agent clau", "claude"),
        ("fairlead sessions show morn", "morning-shift"),
        ("fairlead allow git/force-push-sh", "git/force-push-shared-branch"),
        ("fairlead programs show kubect", "kubectl"),
    ],
)
def test_fish_completes_with_what_each_name_is(environment, machine, typed: str, completed: str) -> None:
    if shutil.which("fish") is None:
        pytest.skip("there is no fish here, so completion in it is not tried")
    script = f"fairlead completion fish | source; complete --do-complete '{typed}'"
    done = subprocess.run(
        ["fish", "--no-config", "-c", script],
        capture_output=True,
        text=True,
        env=environment,
        cwd=machine.project,
    )
    assert [line.partition("\t")[0] for line in done.stdout.splitlines()] == [completed], done.stderr


def offered(machine: Machine, *words: str) -> list[str]:
    """What the shell is told for the last of the words."""
    asked = {"COMP_WORDS": " ".join(["fairlead", *words]), "COMP_CWORD": str(len(words))}
    environment = {**asked, "_FAIRLEAD_COMPLETE": "bash_complete", "FAIRLEAD_HOME": str(machine.home)}
    done = subprocess.run(
        [sys.executable, "-I", "-c", "from fairlead.__main__ import main; main()"],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        cwd=machine.project,
    )
    assert done.stderr == ""
    return [line.partition(",")[2] for line in done.stdout.splitlines() if line]


def test_names_that_a_shell_would_run_are_not_offered(machine: Machine) -> None:
    for number, name in enumerate(["good-one", "x; rm -rf ~", "$(reboot)", "a b", "new\nline", "`id`", "*"]):
        now = time.time()
        record = call(number, session=name, id=new_id(now), ts=timestamp(now))
        write(machine.home / "state" / "journal", record)
    machine.fairlead("log")
    assert offered(machine, "log", "--session", "''") == ["good-one"]


def test_a_broken_index_prints_nothing_into_a_command_line(machine: Machine) -> None:
    index = machine.home / "state" / "index"
    index.mkdir(parents=True)
    (index / "index.sqlite3").write_bytes(b"no database" * 100)
    assert offered(machine, "explain", "''") == []


def test_a_tab_key_loads_no_more_than_it_needs(machine: Machine) -> None:
    """Every command, every pack and the guard's reader of shells stay where they are."""
    code = (
        "import sys\n"
        "from fairlead.__main__ import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print('LOADED', *(m for m in sys.modules if m.startswith('fairlead.')))"
    )
    loaded = {}
    for words in ((), ("log", "--agent"), ("packs", "show")):
        asked = {"COMP_WORDS": " ".join(["fairlead", *words, "''"]), "COMP_CWORD": str(len(words) + 1)}
        done = subprocess.run(
            [sys.executable, "-I", "-c", code],
            capture_output=True,
            text=True,
            env={**os.environ, **asked, "_FAIRLEAD_COMPLETE": "bash_complete"},
        )
        loaded[words] = done.stdout.rpartition("LOADED")[2].split()
        assert len(done.stdout.splitlines()) > 10, done
    assert not any("doors.cli.commands." in module for module in loaded[()])
    for words, modules in loaded.items():
        assert not any(
            module.startswith(("fairlead.packs.rules", "fairlead.shell.running")) for module in modules
        ), words
