"""Ways to tell a person something: the desktop, the terminal, a program of the user's.

The text is what agents sent, so it is never a part of a shell's line, never an option, never markup, and
never a sequence that steers a terminal. Nothing of the caller's environment reaches the program.
"""

from __future__ import annotations

import json
import os
import re
import signal
import stat
import subprocess
from collections.abc import Mapping, Sequence

from fairlead.doors.hook.notices import Notice
from fairlead.platforms import here
from fairlead.policy.notices import DESKTOP, TERMINAL, NoticeSettings
from fairlead.policy.places import home_of_user

SECONDS = 5.0
_PATH = "/usr/local/bin:/usr/bin:/bin"
_TERMINALS = ("SSH_TTY", "GPG_TTY", "TTY")
_DEVICE = re.compile(r"/dev/(?:pts/\d{1,6}|tty[A-Za-z0-9]{0,8})")


def notify(settings: NoticeSettings, notice: Notice, environment: Mapping[str, str]) -> None:
    """Never raises for what a notifier does: nobody's call depends on it."""
    if settings.way == TERMINAL:
        write_to_terminal(notice, environment)
    elif settings.way == DESKTOP:
        run(desktop_command(notice), b"")
    else:
        said = {name: getattr(notice, name) for name in Notice._fields}
        program = settings.command[0]
        path = f"{home_of_user()}{program[1:]}" if program.startswith("~/") else program
        run([path, *settings.command[1:]], json.dumps(said).encode())


def desktop_command(notice: Notice) -> list[str]:
    return [DESKTOP, "--app-name=Fairlead", "--", _escaped(notice.title), _escaped(notice.body)]


def _escaped(text: str) -> str:
    """Desktops read markup in notices."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def run(command: Sequence[str], given: bytes) -> bool:
    """Whether it ended well, within its time. It reads what it is `given`, and ends with its group."""
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=_environment(),
            cwd="/",
            start_new_session=True,
        )
    except OSError:
        return False
    try:
        process.communicate(given, timeout=SECONDS)
    except (subprocess.TimeoutExpired, OSError):
        _end(process)
    return process.returncode == 0


def _end(process: subprocess.Popen[bytes]) -> None:
    here.signal_group(process.pid, signal.SIGKILL)
    if process.stdin is not None:
        process.stdin.close()
    process.wait()


def _environment() -> dict[str, str]:
    """Where the desktop of this user listens. The caller's variables could name another."""
    runtime = f"/run/user/{os.getuid()}"
    return {
        "PATH": _PATH,
        "HOME": home_of_user(),
        "XDG_RUNTIME_DIR": runtime,
        "DBUS_SESSION_BUS_ADDRESS": f"unix:path={runtime}/bus",
        "LANG": "C.UTF-8",
    }


def write_to_terminal(notice: Notice, environment: Mapping[str, str]) -> bool:
    """To the terminal that the caller names, if it is one of this user's; never waits for it."""
    path = next((environment[name] for name in _TERMINALS if environment.get(name)), "")
    if not _DEVICE.fullmatch(path):
        return False
    try:
        terminal = os.open(path, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        found = os.fstat(terminal)
        if not stat.S_ISCHR(found.st_mode) or found.st_uid != os.getuid():
            return False
        os.write(terminal, terminal_sequence(notice))
        return True
    except OSError:
        return False
    finally:
        os.close(terminal)


def terminal_sequence(notice: Notice) -> bytes:
    """As OSC 9, which most terminals show, and as OSC 99, which kitty does; others pass over both."""
    text = f"{notice.title}: {notice.body}".replace(";", ",")
    return f"\x1b]9;{text}\x1b\\\x1b]99;;{text}\x1b\\".encode()
