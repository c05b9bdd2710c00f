"""Terminals that a program makes for itself, as real processes: none of them switches anything off."""

from __future__ import annotations

import os
import pty
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kit import Machine, at_terminal

pytestmark = pytest.mark.slow

FAIRLEAD = Path(sys.executable).with_name("fairlead")


def off(machine: Machine, program: str) -> str:
    """A shell line that tries it, and says at its end what came of it."""
    done = shlex.quote(str(machine.project / "done"))
    home = shlex.quote(str(machine.home))
    return f"{program} --home {home} off --yes 2> {done}.said; echo $? > {done}.new; mv {done}.new {done}"


def wait_for(path: Path) -> str:
    deadline = time.monotonic() + 60
    while not path.exists():
        assert time.monotonic() < deadline, f"{path} was never written"
        time.sleep(0.02)
    return path.read_text().strip()


def refused(machine: Machine) -> str:
    assert wait_for(machine.project / "done") == "1"
    assert not (machine.home / "state" / "off").exists()
    said = (machine.project / "done.said").read_text()
    assert "a human is needed, and none is to be seen" in said
    assert "fairlead install --passphrase" in said
    return said


def needs(*programs: str) -> pytest.MarkDecorator:
    missing = [program for program in programs if shutil.which(program) is None]
    return pytest.mark.skipif(bool(missing), reason=f"NOT TRIED: {missing} is not on this machine")


@needs("setsid", "script")
def test_a_link_in_a_terminal_of_its_own_below_init_switches_nothing_off(machine: Machine) -> None:
    link = machine.project / "f"
    link.symlink_to(FAIRLEAD)
    line = off(machine, str(link))
    subprocess.run(["setsid", "-f", "env", "-i", "script", "-qec", line, "/dev/null"], check=True)
    refused(machine)


def test_a_terminal_that_a_program_made_is_no_persons(machine: Machine) -> None:
    environment = {name: "" for name in os.environ if name in ("CLAUDECODE", "AI_AGENT")}
    code, shown = at_terminal(machine, "off", "--yes", environment=environment)
    assert (code, "a human is needed" in shown) == (1, True)
    assert not (machine.home / "state" / "off").exists()


def test_a_shell_at_a_terminal_that_a_program_made_is_no_persons(machine: Machine) -> None:
    """Typed at the prompt of an interactive shell, below a program that is gone by then."""
    source = (
        "import os, pty, sys, time\n"
        "if os.fork(): os._exit(0)\n"
        "os.setsid()\n"
        "pid, terminal = pty.fork()\n"
        "if pid == 0: os.execvp('sh', ['sh', '-i'])\n"
        "os.write(terminal, sys.argv[1].encode() + b'\\n')\n"
        "while True:\n"
        "    try: os.read(terminal, 4096)\n"
        "    except OSError: break\n"
        "    if os.path.exists(sys.argv[2]): break\n"
    )
    line = off(machine, str(FAIRLEAD))
    done = str(machine.project / "done")
    subprocess.run([sys.executable, "-c", source, line, done], check=True, env={"PATH": os.environ["PATH"]})
    refused(machine)


@needs("tmux")
@pytest.mark.parametrize("typed", [False, True])
def test_a_kept_terminal_that_nobody_looks_at_is_no_persons(machine: Machine, typed: bool) -> None:
    tmux = ["tmux", "-S", str(machine.project / "socket"), "-f", "/dev/null"]
    environment = {"PATH": os.environ["PATH"], "SHELL": "/bin/sh"}
    line = off(machine, str(FAIRLEAD))
    started = [] if typed else [line]
    subprocess.run([*tmux, "new-session", "-d", "-s", "x", *started], check=True, env=environment)
    try:
        if typed:
            subprocess.run([*tmux, "send-keys", "-t", "x", line, "Enter"], check=True, env=environment)
        assert "tmux" in refused(machine) or not typed
    finally:
        subprocess.run([*tmux, "kill-server"], check=False, env=environment, capture_output=True)


def can_make_a_container() -> bool:
    """Whether this user may have process numbers of their own here."""
    command = ["unshare", "-rpf", "--mount-proc", "true"]
    return (
        shutil.which("unshare") is not None and subprocess.run(command, capture_output=True).returncode == 0
    )


class Container:
    """A container whose first process is a shell at a terminal, and somebody who types there."""

    def __init__(self, folder: Path) -> None:
        self._terminal, theirs = pty.openpty()
        self._process = subprocess.Popen(
            ["unshare", "-rpf", "--mount-proc", "setsid", "-c", "sh", "-i"],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=folder,
            env={"PATH": os.environ["PATH"], "TERM": "xterm", "SHELL": "/bin/sh"},
            start_new_session=True,
        )
        os.close(theirs)

    def type(self, line: str) -> None:
        os.write(self._terminal, line.encode() + b"\n")

    def __enter__(self) -> Container:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._terminal)  # the shell hangs up, and everything in the container ends with it
        self._process.wait(timeout=60)


in_a_container = pytest.mark.skipif(
    not can_make_a_container(), reason="NOT TRIED: no namespaces may be made here"
)


def switched_off(machine: Machine) -> bool:
    assert wait_for(machine.project / "done") == "0", (machine.project / "done.said").read_text()
    return (machine.home / "state" / "off").exists()


@in_a_container
def test_a_person_at_the_prompt_of_a_container_is_one(machine: Machine) -> None:
    with Container(machine.project) as container:
        container.type(off(machine, str(FAIRLEAD)))
        assert switched_off(machine)


@in_a_container
def test_what_an_agent_leaves_behind_in_a_container_is_no_person(machine: Machine) -> None:
    """It becomes a child of the shell, too, and has the terminal, but is in the agent's process group."""
    left = f"( ( sleep 0.2; {off(machine, str(FAIRLEAD))} ) & )"
    (machine.project / "agent.sh").write_text(f"{left}\nwhile [ ! -e done ]; do sleep 0.05; done\n")
    with Container(machine.project) as container:
        container.type("sh agent.sh")
        refused(machine)


@needs("tmux")
@in_a_container
def test_a_kept_terminal_is_a_persons_while_a_person_looks_at_it(machine: Machine) -> None:
    with Container(machine.project) as container:
        container.type("tmux -S socket -f /dev/null new-session -s x 'touch ready; exec sh -i'")
        wait_for(machine.project / "ready")
        container.type(off(machine, str(FAIRLEAD)))
        assert switched_off(machine)


@needs("tmux")
@in_a_container
def test_a_window_behind_the_one_that_a_person_looks_at_is_no_persons(machine: Machine) -> None:
    with Container(machine.project) as container:
        container.type("tmux -S socket -f /dev/null new-session -s x 'touch ready; exec sh -i'")
        wait_for(machine.project / "ready")
        container.type("tmux new-window -d -n behind 'touch behind; exec sh -i'")
        wait_for(machine.project / "behind")
        container.type(f"tmux send-keys -t behind {shlex.quote(off(machine, str(FAIRLEAD)))} Enter")
        assert "no person is seen to look" in " ".join(refused(machine).split())
