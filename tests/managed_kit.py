"""Drives a machine of its own (managed_lab.py): root, an ordinary user, and real agents that he starts."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

LAB = Path(__file__).parent / "managed_lab.py"
OURS = Path(sys.executable).parent / "fairlead"


def why_no_lab() -> str:
    """Empty where a machine of its own can be made."""
    if os.geteuid() != 0:
        return "managed settings are tried as root, in namespaces of their own"
    if not shutil.which("unshare"):
        return "there is no unshare"
    made = subprocess.run([*_ENTER, "true"], capture_output=True, check=False)
    return "" if made.returncode == 0 else "no namespaces can be made here"


_ENTER = ("unshare", "-m", "-n", "-p", "--fork", "--kill-child", "--mount-proc", "--propagation", "private")


class Lab:
    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [*_ENTER, sys.executable, str(LAB)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, do: str, **asked: object) -> dict[str, Any]:
        assert self._process.stdin is not None and self._process.stdout is not None
        print(json.dumps({"do": do, **asked}), file=self._process.stdin, flush=True)
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def root(self, line: str, *, code: int | None = 0) -> str:
        return self._shell("root", line, code)

    def user(self, line: str, *, code: int | None = 0) -> str:
        return self._shell("user", line, code)

    def agent(
        self,
        client: str,
        *,
        clients: str,
        rig: str,
        files: Mapping[str, str] | None = None,
        env: Mapping[str, str] | None = None,
        args: Sequence[str] = (),
        harmless: bool = False,
        deed: Mapping[str, str] | None = None,
    ) -> dict[str, Any]:
        given: dict[str, object] = {"files": dict(files or {}), "env": dict(env or {}), "args": list(args)}
        given |= {"harmless": harmless, "deed": dict(deed) if deed else None}
        return self.ask("agent", client=client, clients=clients, rig=rig, **given)

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(timeout=60)
        self._process.stdout.close()

    def _shell(self, who: str, line: str, code: int | None) -> str:
        """What it said on both streams."""
        done = self.ask(who, line=line)
        said = f"{done['out']}{done['err']}"
        assert code is None or done["code"] == code, f"{line}: {done['code']}: {said}"
        return said
