"""The tutorial can be walked in order: its commands print what the page says."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from typed_pages import File, Line, holds, steps

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/tutorial.md").read_text()
STEPS = tuple(steps(PAGE))
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


def test_every_command_prints_what_the_page_says(tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    typed = 0
    for step in STEPS:
        if isinstance(step, File):
            reader.write(step.name, step.text)
        elif not step.typed.startswith((*ELSEWHERE, *BY_A_PERSON)):
            printed = reader.type(step.typed)
            assert holds(printed, step.prints), f"$ {step.typed}\n{printed}"
            typed += 1
    assert typed >= 13


def test_the_first_blocked_call_of_a_real_agent_takes_six_commands() -> None:
    lines = [step.typed for step in STEPS if isinstance(step, Line)]
    assert lines.index("fairlead doctor claude") == 5
