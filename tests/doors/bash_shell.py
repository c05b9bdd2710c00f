"""A bash script with hooks, as tests write it."""

import os
import subprocess
from pathlib import Path

from bash_versions import search_path
from fairlead.doors import bash as bash_door

HOOKS = Path(bash_door.__file__).parent / "hooks.bash"


class Shell:
    """A folder with a main script and its hooks."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder = folder
        self._environment = environment
        self.hooks = folder / "ci-cd"
        self.hooks.mkdir()

    def script(self, name: str, body: str, mode: int = 0o755) -> Path:
        path = self.hooks / name
        path.write_text(f"#!/usr/bin/env bash\n{body}\n")
        path.chmod(mode)
        return path

    def main(self, body: str, *, strict: bool = True) -> Path:
        """The main script, under `set -euo pipefail` unless told otherwise."""
        path = self.folder / "main.sh"
        begin = "set -euo pipefail\n" if strict else ""
        path.write_text(f"#!/usr/bin/env bash\n{begin}source {HOOKS}\n{body}\n")
        return path

    def environment(self, **more: str) -> dict[str, str]:
        return {
            "PATH": search_path(),
            "DEBUG": "error",
            "TMPDIR": str(self.folder),
            **self._environment,
            **more,
        }

    def run(self, body: str, *, strict: bool = True, debug: str = "error", input: str = "", **more: str):
        return self.run_file(self.main(body, strict=strict), input=input, DEBUG=debug, **more)

    def run_file(self, main: Path, *, input: str = "", **more: str):
        return subprocess.run(
            ["bash", str(main)],
            capture_output=True,
            text=True,
            errors="backslashreplace",
            input=input,
            cwd="/",
            timeout=60,
            check=False,
            env=self.environment(**more),
        )


def processes_of(folder: Path) -> list[int]:
    """Those that a script of this folder has started, and that are still there."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/environ", "rb") as file:
                    if f"TMPDIR={folder}".encode() in file.read():
                        found.append(int(name))
            except OSError:
                continue
    return found
