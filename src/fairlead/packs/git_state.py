"""Whether git could bring a path back. Asked only when a command is about to lose something."""

from __future__ import annotations

import os
import os.path
from collections.abc import Sequence

MISSING = "missing"
CLEAN = "clean"
IGNORED = "ignored"
UNTRACKED = "untracked"
MODIFIED = "modified"
UNKNOWN = "unknown"

_SECONDS = 1.0
_OUTPUT = 65536


def ask_git(root: str, paths: Sequence[str]) -> str:
    """The worst state among `paths`, which may be glob patterns; UNKNOWN where git does not answer."""
    if not os.path.isdir(root):
        return UNKNOWN
    present = [path for path in paths if _exists(path)]
    if not present:
        return MISSING
    if any(os.path.lexists(os.path.join(path, ".git")) for path in present if path != root):
        return UNTRACKED
    lines = _status(root, present)
    if lines is None:
        return UNKNOWN
    marks = {line[:2] for line in lines if line}
    if marks - {"??", "!!"}:
        return MODIFIED
    if "??" in marks:
        return UNTRACKED
    return IGNORED if marks else CLEAN


def _exists(path: str) -> bool:
    if os.path.lexists(path):
        return True
    if not any(sign in path for sign in "*?["):
        return False
    from glob import iglob  # rare: only for patterns

    return next(iglob(path, recursive=True, include_hidden=True), None) is not None


def _status(root: str, paths: Sequence[str]) -> list[str] | None:
    """Runs git so that nothing in the project's configuration can run inside the guard."""
    import subprocess  # rare and slow to import

    command = [
        "git",
        "-C",
        root,
        "--no-optional-locks",
        "-c",
        "core.fsmonitor=",
        "-c",
        "core.hooksPath=/dev/null",
    ]
    command += [
        "status",
        "--porcelain",
        "-z",
        "--ignored=matching",
        "--untracked-files=normal",
        "--ignore-submodules=none",
    ]
    specifications = [
        f":(glob){path}" if any(s in path for s in "*?[") else f":(literal){path}" for path in paths
    ]
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "LD_", "DYLD_"))
    }
    try:
        done = subprocess.run(
            [*command, "--", *specifications],
            env=environment | {"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    if done.returncode != 0 or len(done.stdout) > _OUTPUT * 16:
        return None
    return done.stdout.decode("utf-8", "replace").split("\0")
