"""What tests of real hook calls share: a home, a project, and the command as an agent runs it."""

import json
import os
import pty
import shutil
import subprocess
import sys
from itertools import count
from pathlib import Path

from fairlead.journal.reader import fold, read_records

PASSPHRASE = "correct horse"


_calls = count(1)


class Machine:
    """A user's home and a project under a temporary folder."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.project = folder / "project"
        self.project.mkdir(parents=True)
        (self.project / ".git").mkdir()

    def fairlead(self, *words: str, input: bytes | str = b"", **options) -> subprocess.CompletedProcess:
        """Runs `fairlead --home HOME words...` in the project, with no terminal."""
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("CLAUDE", "FAIRLEAD"))}
        environment |= options.pop("environment", {})
        return subprocess.run(
            [sys.executable, "-I", "-m", "fairlead", "--home", str(self.home), *words],
            input=input.encode() if isinstance(input, str) else input,
            capture_output=True,
            cwd=options.pop("cwd", self.project),
            env=environment,
            timeout=options.pop("timeout", 60),
            check=False,
            **options,
        )

    def hook(self, payload: object, agent: str = "claude", event: str = "", *options: str, **more):
        """One hook call; a payload that is not bytes is sent as JSON."""
        data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        words = [agent, event] if event else [agent]
        return self.fairlead("hook", *words, *options, input=data, **more)

    def bash(self, command: object, **fields) -> dict:
        """The payload of Claude Code before it runs a command: each is a call of its own."""
        return {
            "session_id": "s1",
            "transcript_path": "",
            "cwd": str(self.project),
            "hook_event_name": "PreToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": command},
            "tool_use_id": f"toolu_{next(_calls)}",
            **fields,
        }

    def journal(self) -> list[dict]:
        """Every call in the journal, folded."""
        return fold(read_records(str(self.home / "state" / "journal")))

    def user_policy(self, text: str, name: str = "mine") -> Path:
        """A policy of the user, with the files that a test puts beside it."""
        folder = self.home / "config" / "hooks" / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "hook.meta.yaml").write_text(text)
        return folder


def own_installation(folder: Path) -> Path:
    """The interpreter of a virtual environment with a copy of the package, as somebody else would have it."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    packages = next((folder / "lib").glob("python3*/site-packages"))
    source = Path(__file__).resolve().parents[1] / "src" / "fairlead"
    shutil.copytree(source, packages / "fairlead", ignore=shutil.ignore_patterns("__pycache__"))
    others = [path for path in sys.path if path.endswith("site-packages")]
    (packages / "others.pth").write_text("\n".join(others) + "\n")
    shutil.copy2(Path(sys.executable).parent / "fairlead-hook", folder / "bin" / "fairlead-hook")
    return folder / "bin" / "python3"


def upgrade(python: Path) -> None:
    """As pip does it: files are replaced by others, and the version is another one."""
    file = next((python.parents[1] / "lib").glob("python3*/site-packages/fairlead/__init__.py"))
    text = file.read_text().replace('__version__ = "', '__version__ = "9.')
    file.unlink()
    file.write_text(text)


LOGGED_IN = """\
import fairlead.policy.human
from fairlead.__main__ import main
fairlead.policy.human.why_no_person = lambda chain, viewers: ""
fairlead.policy.human.find_agent = lambda chain: ""
raise SystemExit(main())
"""
"""The command as below a person's login, which nothing that a test starts has among its parents."""


def at_terminal(
    machine: "Machine",
    *words: str,
    secret: str = PASSPHRASE,
    environment: dict[str, str] | None = None,
    logged_in: bool = False,
) -> tuple[int, str]:
    """A command of ours with a controlling terminal, at which somebody types the passphrase when asked."""
    program = ["-c", LOGGED_IN] if logged_in else ["-m", "fairlead"]
    command = [sys.executable, "-I", *program, "--home", str(machine.home), *words]
    return typed_at_terminal(
        command, cwd=machine.project, environment={**os.environ, **(environment or {})}, secret=secret
    )


def typed_at_terminal(
    command: list[str], *, cwd: Path, environment: dict[str, str], secret: str = PASSPHRASE
) -> tuple[int, str]:
    """The exit code of any command, and what was to be seen."""
    ours, theirs = pty.openpty()
    take = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)"
    then = "os.execv(sys.argv[1], sys.argv[1:])"
    process = subprocess.Popen(
        [sys.executable, "-c", f"{take}; {then}", *command],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=cwd,
        env=environment,
        start_new_session=True,
    )
    os.close(theirs)
    shown = b""
    while chunk := _read(ours):
        shown += chunk
        if shown.endswith(b"passphrase: "):
            os.write(ours, f"{secret}\n".encode())
    os.close(ours)
    return process.wait(timeout=60), shown.decode()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # how Linux says that the other side is gone
        return b""
