"""People who install Fairlead from its built files: an empty home, no compiler, nothing of this tree."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path

from fairlead.policy.human import set_passphrase
from fairlead.policy.places import find_places
from kit import PASSPHRASE, typed_at_terminal

BUILT = Path(os.environ.get("FAIRLEAD_DIST", "dist"))
BASE_PYTHON = Path(sys.executable).resolve()
BEFORE = "0.0.1"
"""The version before, which is made from the built wheel."""
_COMPILER = re.compile(r"(?:.*-)?(?:cc|gcc|g\+\+|c\+\+|clang|clang\+\+|tcc|zig|c89|c99|cpp)(?:-\d+)?$")
_FORBIDDEN = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "rm -rf /"}}


def built(pattern: str) -> Path:
    return next(BUILT.glob(pattern))


def wheel_for_this_machine() -> Path:
    return built(f"*manylinux*_{os.uname().machine}.*whl")


def wheel_before(wheel: Path, into: Path) -> Path:
    """The same wheel under an older version, with content of its own."""
    now = wheel.name.split("-")[1]
    made = into / wheel.name.replace(f"-{now}-", f"-{BEFORE}-")
    listed: list[str] = []
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for info in old.infolist():
            if info.filename.endswith("/RECORD"):
                continue
            content = old.read(info)
            if info.filename.endswith(("/METADATA", "fairlead/__init__.py")):
                content = content.replace(now.encode(), BEFORE.encode())
            name = info.filename.replace(f"fairlead-{now}.", f"fairlead-{BEFORE}.", 1)
            kept = zipfile.ZipInfo(name)
            kept.external_attr = info.external_attr
            new.writestr(kept, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            listed.append(f"{name},sha256={digest},{len(content)}\n")
        record = f"fairlead-{BEFORE}.dist-info/RECORD"
        new.writestr(record, "".join([*listed, f"{record},,\n"]))
    return made


def programs_without_compilers(folder: Path) -> Path:
    """Links to all that the system has, but for what could compile C."""
    folder.mkdir()
    installers = [Path(found) for name in ("uv", "pipx") if (found := shutil.which(name))]
    for program in (*installers, *Path("/usr/local/bin").glob("*"), *Path("/usr/bin").glob("*")):
        link = folder / program.name
        if not (_COMPILER.match(program.name) or link.is_symlink()) and "python" not in program.name:
            link.symlink_to(program)
    for name in ("python3", "python"):
        (folder / name).symlink_to(BASE_PYTHON)
    return folder


class Newcomer:
    """`index` is a folder with the packages that can be had; there is no other source."""

    def __init__(self, folder: Path, index: Path) -> None:
        self.home = folder / "home"
        self.programs = self.home / ".local" / "bin"
        self.keeps = self.home / ".fairlead-keeps"
        self.work = folder / "work"
        for made in (self.home, self.work):
            made.mkdir()
        path = programs_without_compilers(folder / "programs")
        self.index = index
        self.environment = {
            "HOME": str(self.home),
            "PATH": f"{self.programs}:{path}",
            "LANG": "C.UTF-8",
            "FAIRLEAD_HOME": str(self.keeps),
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(index),
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_CACHE_DIR": str(folder / "pip-cache"),
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "UV_NO_INDEX": "1",
            "UV_FIND_LINKS": str(index),
            "UV_CACHE_DIR": str(folder / "uv-cache"),
            "UV_PYTHON": str(BASE_PYTHON),
            "PIPX_DEFAULT_BACKEND": "pip",
            "PIPX_DEFAULT_PYTHON": str(BASE_PYTHON),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        set_passphrase(find_places(str(self.keeps)), PASSPHRASE)

    def runs(self, *words: str | Path, input: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            list(map(str, words)),
            input=input,
            capture_output=True,
            check=False,
            cwd=self.work,
            env=self.environment,
        )

    def does(self, *words: str | Path) -> str:
        done = self.runs(*words)
        assert done.returncode == 0, (words, done.stdout.decode(), done.stderr.decode())
        return done.stdout.decode()

    def answer(self) -> subprocess.CompletedProcess[bytes]:
        """To a forbidden call, of the very command that stands in Claude Code's settings."""
        settings = json.loads((self.home / ".claude" / "settings.json").read_text())
        command = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
        payload = json.dumps({**_FORBIDDEN, "cwd": str(self.work), "session_id": "s"})
        return self.runs("sh", "-c", command, input=payload.encode())

    def is_guarded(self, fairlead: Path) -> bool:
        """After `fairlead install`, by an answer that the guard gave and no last resort."""
        self.does(fairlead, "install", "claude")
        said = self.answer()
        return said.returncode == 2 and b"[filesystem/" in said.stdout + said.stderr

    def purges(self, fairlead: Path) -> None:
        command = [str(fairlead), "uninstall", "--purge", "--yes"]
        code, shown = typed_at_terminal(command, cwd=self.work, environment=self.environment)
        assert code == 0, shown

    def left(self) -> list[str]:
        """What is still there of Fairlead, by name, but for the empty folder that it kept its things in and for
        the lock of pipx."""
        own = {self.keeps.name: not list(self.keeps.glob("*")), ".fairlead.lock": True}
        found = (path for path in self.home.rglob("*") if "fairlead" in path.name.lower())
        return sorted(str(path) for path in found if not own.get(path.name))


def fill(index: Path, wheels: Iterable[Path]) -> None:
    for wheel in wheels:
        shutil.copy(wheel, index)
