"""A process that has loaded Fairlead and forks for each caller, which is then a process of its own."""

from __future__ import annotations

import json
import os
import runpy
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

CALLER = Path(__file__).parent / "python_caller.py"


class Forking:
    """The side of the tests."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(
        self, door: str, words: list[str], here: Path, environment: dict[str, str], *, both: bool
    ) -> tuple[int, bytes, bytes]:
        asked = {"door": door, "words": words, "here": str(here), "environment": environment, "both": both}
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        code = int(self._process.stdout.readline())
        return code, (here / "stdout").read_bytes(), (here / "stderr").read_bytes()

    def close(self) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


def main() -> None:
    import fairlead.doors.cli.commands.advanced.run
    import fairlead.doors.cli.main
    import fairlead.doors.scripts.script_hooks  # noqa: F401 - loaded before the forks

    for line in sys.stdin:
        asked = json.loads(line)
        child = os.fork()
        if child == 0:
            _become(asked)
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        print(code if code >= 0 else 128 - code, flush=True)


def _become(asked: dict[str, Any]) -> None:
    """The caller, which does not come back."""
    code = 99
    try:
        signal.alarm(60)
        os.setsid()
        os.chdir(asked["here"])
        os.environ.clear()
        os.environ.update(asked["environment"])
        out = os.open("stdout", os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
        err = os.open("stderr", os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(out, 1)
        os.dup2(out if asked["both"] else err, 2)
        sys.stdin = os.fdopen(0, closefd=False)
        sys.stdout = os.fdopen(1, "w", closefd=False)
        sys.stderr = os.fdopen(2, "w", closefd=False, buffering=1)
        code = _run(asked)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _run(asked: dict[str, Any]) -> int:
    try:
        if asked["door"] == "python":
            sys.argv = [str(CALLER)]
            runpy.run_path(str(CALLER), run_name="__main__")
        else:
            from fairlead.__main__ import main as fairlead

            sys.argv = ["fairlead", "run", *asked["words"]]
            fairlead()
    except SystemExit as stop:
        if stop.code is None or isinstance(stop.code, int):
            return stop.code or 0
        print(stop.code, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    main()
