"""`fairlead top` in a real terminal: what is seen, and that the terminal is given back however it ends."""

import fcntl
import json
import os
import pty
import select
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fairlead.journal.ids import new_id, timestamp
from index_kit import call, write
from kit import LOGGED_IN, Machine

pytestmark = pytest.mark.slow

TAKEN, GIVEN_BACK = "\x1b[?1049h", "\x1b[?1049l"
PATIENCE = 30.0


class Seat:
    """A person at a terminal of some size, in which `fairlead top` runs."""

    def __init__(self, machine: Machine, *words: str, logged_in: bool = False) -> None:
        self.keyboard, theirs = pty.openpty()
        self.resize(80, 20)
        self.before = termios.tcgetattr(self.keyboard)
        self.seen = ""
        take = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)"
        program = ["-c", LOGGED_IN] if logged_in else ["-m", "fairlead"]
        command = [sys.executable, "-I", *program, "--home", str(machine.home), "top", *words]
        self.process = subprocess.Popen(
            [sys.executable, "-c", f"{take}; os.execv(sys.argv[1], sys.argv[1:])", *command],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=machine.project,
            env={**os.environ, "TERM": "xterm-256color"},
            start_new_session=True,
        )
        os.close(theirs)

    def resize(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self.keyboard, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def see(self, *texts: str) -> None:
        """Waits until all of them were written since the last time."""
        end = time.monotonic() + PATIENCE
        while not all(text in self.seen for text in texts):
            ready, _, _ = select.select([self.keyboard], [], [], max(end - time.monotonic(), 0))
            assert ready, f"{texts} was not seen in {self.seen!r}"
            self.seen += os.read(self.keyboard, 65536).decode()
        self.last, self.seen = self.seen, ""

    def press(self, keys: str) -> None:
        os.write(self.keyboard, keys.encode())

    def end(self) -> int:
        """Reads on to the end, and says how it ended."""
        while True:
            try:
                data = os.read(self.keyboard, 65536)
            except OSError:  # how Linux says that the other side is gone
                break
            if not data:
                break
            self.seen += data.decode()
        return self.process.wait(timeout=PATIENCE)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.keyboard)


@pytest.fixture
def sit(machine: Machine) -> Iterator[Callable[..., Seat]]:
    seats: list[Seat] = []

    def down(*words: str, **options: bool) -> Seat:
        seats.append(Seat(machine, *words, **options))
        return seats[-1]

    yield down
    for seat in seats:
        seat.close()


def happened(
    machine: Machine, number: int, decision: str = "continue", *, ago: float = 0.0, **more: object
) -> None:
    now = time.time() - ago
    record = call(number, decision, id=new_id(now), ts=timestamp(now), **more)
    write(machine.home / "state" / "journal", record)


def bash(command: str) -> dict[str, object]:
    return {"tool": {"name": "Bash", "kind": "shell", "input": {"command": command}}}


def test_calls_appear_as_they_are_answered_and_one_is_explained(machine: Machine, sit) -> None:
    happened(machine, 1, "block", facts=bash("git push --force"))
    seat = sit()
    seat.see(TAKEN, "1 calls, 1 blocked", "git push --force", "Enter detail")
    happened(machine, 2, facts=bash("make all"))
    seat.see("2 calls, 1 blocked", "make all")
    seat.press("j\r")
    seat.see("sent back", "Esc back")
    seat.press("q")
    assert seat.end() == 0 and seat.seen.endswith(GIVEN_BACK)
    assert termios.tcgetattr(seat.keyboard) == seat.before


def test_a_key_that_comes_in_two_parts_is_one_key(machine: Machine, sit) -> None:
    happened(machine, 1, ago=5, facts=bash("make first"))
    happened(machine, 2, facts=bash("make second"))
    seat = sit()
    seat.see("make second", "q quit")
    seat.press("/make")
    seat.see("make_")
    seat.press("\r\x1b")
    time.sleep(0.01)
    seat.press("[B")
    seat.see("filter: make (2 of 2)")
    seat.press("\r")
    seat.see("command: make first")
    seat.press("q")
    assert seat.end() == 0


def test_options_narrow_what_is_shown(machine: Machine, sit) -> None:
    happened(machine, 1, agent="codex", facts=bash("echo of-codex"))
    happened(machine, 2, facts=bash("echo of-claude"))
    seat = sit("--agent", "codex")
    seat.see("of-codex", "q quit")
    assert "of-claude" not in seat.last
    seat.press("q")
    assert seat.end() == 0


@pytest.mark.parametrize(
    ("ending", "code"),
    [(b"\x03", 0), (signal.SIGTERM, 128 + signal.SIGTERM), (signal.SIGHUP, 128 + signal.SIGHUP)],
    ids=["ctrl-c", "sigterm", "sighup"],
)
def test_the_terminal_is_given_back_however_it_ends(machine: Machine, sit, ending, code: int) -> None:
    happened(machine, 1)
    seat = sit()
    seat.see(TAKEN, "q quit")
    seat.press(ending.decode()) if isinstance(ending, bytes) else seat.process.send_signal(ending)
    assert seat.end() == code
    assert GIVEN_BACK in seat.seen and "Traceback" not in seat.seen
    assert termios.tcgetattr(seat.keyboard) == seat.before


def test_a_crash_is_told_on_the_ordinary_screen(machine: Machine, sit) -> None:
    happened(machine, 1)
    seat = sit()
    seat.see(TAKEN, "q quit")
    shutil.rmtree(machine.home / "state" / "index")
    (machine.home / "state" / "journal").chmod(0o700)
    for segment in (machine.home / "state" / "journal").iterdir():
        segment.unlink()
    (machine.home / "state" / "index").write_text("no folder")
    happened(machine, 2)
    seat.press("\r")
    seat.press("q")
    seat.end()
    assert GIVEN_BACK in seat.seen
    assert termios.tcgetattr(seat.keyboard) == seat.before


def test_an_agent_cannot_answer_a_question_in_it(machine: Machine, sit) -> None:
    asked(machine)
    seat = sit()
    seat.see("1 waits for an answer")
    seat.press("a")
    seat.see("Enter answer")
    seat.press("\r")
    seat.see(GIVEN_BACK, "a human is needed", TAKEN)
    seat.press("q")
    seat.end()
    assert len(json.loads(machine.fairlead("approve", "--json").stdout)) == 1


def test_a_person_answers_a_question_in_it(machine: Machine, sit) -> None:
    asked(machine)
    seat = sit(logged_in=True)
    seat.see("1 waits for an answer")
    seat.press("a")
    seat.see("Enter answer")
    seat.press("\r")
    seat.see(GIVEN_BACK, "[y/N] ")
    seat.press("y\n")
    seat.see(TAKEN, "may be made again now")
    seat.press("q")
    assert seat.end() == 0
    assert machine.hook(machine.bash("npm publish"), "generic").returncode == 0


def asked(machine: Machine) -> None:
    """A call that the policy asks about, of an agent that asks nobody itself."""
    assert machine.hook(machine.bash("npm publish"), "generic").returncode
    assert json.loads(machine.fairlead("approve", "--json").stdout)


def test_what_a_journal_holds_steers_no_terminal(machine: Machine, sit) -> None:
    bad = "\x1b]0;owned\x07 \x1b[2J \x9b2J"
    happened(machine, 1, "block", facts=bash(f"echo {bad}"), agent=f"cl{bad}", session=bad)
    seat = sit()
    seat.see("1 blocked", "q quit")
    shown = seat.last
    seat.press("\r")
    seat.see("sent back")
    for text in (shown, seat.last):
        assert "\x1b]" not in text and "\x9b" not in text and "\x07" not in text


def test_without_a_terminal_it_says_what_to_use_instead(machine: Machine) -> None:
    done = machine.fairlead("top")
    assert done.returncode == 64 and b"fairlead tail -f" in done.stderr


class Tmux:
    """A terminal that can be looked at: what stands on its screen now."""

    def __init__(self, folder: Path) -> None:
        self.socket = str(folder / "tmux")

    def __call__(self, *words: str) -> str:
        command = ["tmux", "-f", "/dev/null", "-S", self.socket, *words]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=30).stdout

    def until(self, seen: Callable[[list[str]], object]) -> list[str]:
        """The lines of the screen once they are as they should be."""
        end = time.monotonic() + PATIENCE
        while not seen(shown := self("capture-pane", "-p").splitlines()):
            assert time.monotonic() < end, shown
            time.sleep(0.1)
        return shown


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    if shutil.which("tmux") is None:
        pytest.skip("there is no tmux here, so no screen of `fairlead top` is looked at")
    seen = Tmux(tmp_path)
    yield seen
    subprocess.run(["tmux", "-S", seen.socket, "kill-server"], capture_output=True, check=False)


def test_it_fits_its_terminal_while_that_changes_its_size(machine: Machine, tmux: Tmux) -> None:
    for number in range(30):
        happened(machine, number, ago=30 - number, facts=bash(f"make {number}"))
    words = [sys.executable, "-I", "-m", "fairlead", "--home", str(machine.home), "top"]
    tmux("new-session", "-d", "-x", "80", "-y", "16", "-c", str(machine.project), "sh")
    tmux("send-keys", f"TERM=screen {' '.join(words)}", "Enter")
    for columns, lines in ((80, 16), (120, 30), (40, 12)):
        tmux("resize-window", "-x", str(columns), "-y", str(lines))
        shown = tmux.until(lambda seen: seen[0].startswith("last hour  30") and "q quit" in seen[-1])
        assert len(shown) == lines and shown[-1].startswith("q quit  / filter  Enter detail")
        assert shown[5].startswith(">") and "make 29" in shown[5]
    tmux("send-keys", "q")
    tmux.until(lambda seen: "last hour" not in seen[0])
