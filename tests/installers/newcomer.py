"""Somebody who installs from what is published: an empty home, a project, and a path without a compiler."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from kit import LOGGED_IN, typed_at_terminal

PYTHON = Path(sys.base_prefix) / "bin" / "python3"
_PROGRAMS = (
    *("sh", "env", "cat", "ls", "mkdir", "rm", "rmdir", "cp", "mv", "ln", "chmod", "touch", "test", "true"),
    *(
        "uname",
        "id",
        "dirname",
        "basename",
        "readlink",
        "mktemp",
        "sed",
        "grep",
        "head",
        "tail",
        "sort",
        "git",
    ),
)


class Newcomer:
    """What they run finds the packages in `published` and nowhere else."""

    def __init__(self, folder: Path, published: Path) -> None:
        self.home = folder / "home"
        self.project = folder / "project"
        self.kept = self.home / ".kept"
        self.published = published
        self._programs = folder / "programs"
        for made in (self.home, self.project / ".git", self._programs):
            made.mkdir(parents=True)
        self._uv = folder / "uv.toml"
        self._uv.write_text(f'no-index = true\nfind-links = ["{published}"]\n')
        for name in _PROGRAMS:
            self.can_run(name, shutil.which(name) or "/bin/false")

    def can_run(self, name: str, program: str | Path) -> None:
        (self._programs / name).symlink_to(program)

    @property
    def environment(self) -> dict[str, str]:
        return {
            "HOME": str(self.home),
            "PATH": f"{self.home}/.local/bin:{self._programs}",
            "LANG": "C.UTF-8",
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(self.published),
            "PIP_BREAK_SYSTEM_PACKAGES": "1",
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "UV_CONFIG_FILE": str(self._uv),
            "UV_CACHE_DIR": str(self.home.parent / "cache"),
            "UV_PYTHON_DOWNLOADS": "never",
        }

    def run(self, *words: str | Path, code: int = 0, given: bytes = b"") -> str:
        """What the command prints; it has to end with `code`."""
        done = subprocess.run(
            words, input=given, capture_output=True, cwd=self.project, env=self.environment, check=False
        )
        said = (done.stdout + done.stderr).decode(errors="replace")
        assert done.returncode == code, f"{words} ended with {done.returncode}:\n{said}"
        return said

    def fairlead(self, *words: str, code: int = 0) -> str:
        return self.run("fairlead", "--home", self.kept, *words, code=code)

    def is_guarded(self) -> None:
        """The line in the agent's settings refuses what is forbidden, and lets go what is not."""
        settings = json.loads((self.home / ".claude" / "settings.json").read_text())
        line = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
        self.run("sh", "-c", line, given=self._call("rm -rf /"), code=2)
        self.run("sh", "-c", line, given=self._call("ls"), code=0)

    def leaves(self, interpreter: Path) -> None:
        """Everything that Fairlead keeps goes, by a person's word. `interpreter` runs what is installed."""
        words = [str(interpreter), "-c", LOGGED_IN, "--home", str(self.kept), "uninstall", "--purge", "--yes"]
        code, shown = typed_at_terminal(words, cwd=self.project, environment=self.environment)
        assert code == 0, shown

    def left_over(self) -> list[str]:
        """Files named after us, without the empty locks that the tools of Python leave."""
        return [str(path) for path in self.home.rglob("*fairlead*") if path.suffix != ".lock"]

    def _call(self, command: str) -> bytes:
        return json.dumps(
            {
                "session_id": "s1",
                "transcript_path": "",
                "cwd": str(self.project),
                "hook_event_name": "PreToolUse",
                "tool_name": "Bash",
                "tool_input": {"command": command},
            }
        ).encode()
