"""Somebody at a terminal, who types one line after the other into one shell, and answers what is asked."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from kit import PASSPHRASE

_PROMPT = re.compile(rb"\x1e(\d+)\x1e$")
_TAKE = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execvp(sys.argv[1], sys.argv[1:])
"""
_QUIET = "stty -echo -onlcr; PS2=; PS1=$'\\x1e$?\\x1e'"
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


class Typist:
    """`asked` is what is typed where the end of what is to be seen is the key."""

    def __init__(
        self, folder: Path, environment: Mapping[str, str], *, asked: Mapping[str, str] | None = None
    ) -> None:
        self._asked = {"passphrase: ": PASSPHRASE, **(asked or {})}
        self._terminal, theirs = pty.openpty()
        self._shell = subprocess.Popen(
            [sys.executable, "-c", _TAKE, "bash", "--norc", "--noprofile", "--noediting", "-i"],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=folder,
            env={**environment, "TERM": "dumb", "PS1": ""},
            start_new_session=True,
        )
        os.close(theirs)
        self.code = 0
        self.type(_QUIET)

    def __enter__(self) -> Typist:
        return self

    def __exit__(self, *_: object) -> None:
        """Hangs up: the shell tells what it started in the background, and ends."""
        self._shell.send_signal(signal.SIGHUP)
        os.close(self._terminal)
        self._shell.wait(60)

    def type(self, line: str, *, seconds: float = 120) -> str:
        """What is to be seen until the next prompt; `code` is how the line ended."""
        os.write(self._terminal, f"{line}\n".encode())
        shown, deadline, answered = b"", time.monotonic() + seconds, 0
        while not (prompt := _PROMPT.search(shown)):
            assert time.monotonic() < deadline, f"{line}\n{shown.decode(errors='replace')}"
            if select.select([self._terminal], [], [], 1)[0]:
                shown += os.read(self._terminal, 65536)
            for question, answer in self._asked.items():
                if shown[answered:].endswith(question.encode()):
                    answered = len(shown)
                    os.write(self._terminal, f"{answer}\n".encode())
        self.code = int(prompt[1])
        return _COLOURS.sub("", shown[: prompt.start()].decode(errors="replace")).replace("\r\n", "\n")
