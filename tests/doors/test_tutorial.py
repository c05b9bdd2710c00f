"""The tutorial can be walked in order: its commands print what the page says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/tutorial.md").read_text()
BLOCK = re.compile(r"(?:^\*\*`([^`]+)`\*\*\n\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ELSEWHERE = ("git clone", "cd fairlead", "make demo", "export PATH", "fairlead install", "fairlead doctor")
"""What makes this very installation, or needs an agent."""
BY_A_PERSON = ("fairlead trust", "fairlead test")
"""Trust, and what shows only after it."""


class Reader:
    """Somebody who types the page into one shell after the other, in the same folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "FAIRLEAD_HOME": str(folder / "home"),
            "COLUMNS": "100",
        }

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text)

    def type(self, line: str) -> str:
        """What a line prints; the folder that it ends in is where the next one begins."""
        script = f"{line}\ncode=$?\npwd >&3\nexit $code"
        reading, writing = os.pipe()
        done = subprocess.run(
            ["bash", "-c", script.replace(">&3", f">&{writing}")],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            pass_fds=(writing,),
            check=False,
        )
        os.close(writing)
        with os.fdopen(reading) as told:
            self.folder = Path(told.read().strip())
        return done.stdout


def sessions(text: str) -> list[tuple[str, list[str]]]:
    """Each line that is typed, with what the page says that it prints."""
    found: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line.removeprefix("$ "), []))
        else:
            found[-1][1].append(line)
    return found


def holds(printed: str, wanted: list[str]) -> bool:
    """Whether these words are there in this order, however far apart; `...` stands for anything."""
    parts = " ".join(wanted).split("...")
    pattern = ".*?".join(re.escape(" ".join(part.split())) for part in parts)
    return re.search(pattern, " ".join(printed.split()), re.DOTALL) is not None


def test_every_command_prints_what_the_page_says(tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    typed = 0
    for name, language, text in BLOCK.findall(PAGE):
        if name:
            reader.write(name, text)
        for line, wanted in sessions(text) if language == "console" else ():
            if line.startswith((*ELSEWHERE, *BY_A_PERSON)):
                continue
            printed = reader.type(line)
            assert holds(printed, wanted), f"$ {line}\n{printed}"
            typed += 1
    assert typed >= 13


def test_the_first_blocked_call_of_a_real_agent_takes_six_commands() -> None:
    lines = [
        line
        for _, language, text in BLOCK.findall(PAGE)
        if language == "console"
        for line, _ in sessions(text)
    ]
    assert lines.index("fairlead doctor claude") == 5
