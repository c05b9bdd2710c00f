"""Real MCP servers from npm and PyPI, as `make mcp` installs them, and the files that they work on."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

NODE = Path(os.environ.get("FAIRLEAD_MCP_SERVERS", Path.home() / ".cache" / "fairlead-mcp-servers"))
PYTHON = Path(__file__).parents[1] / ".venv-mcp"


def vector(name: str, folder: Path) -> list[str]:
    return {
        "everything": [str(NODE / "node_modules/.bin/mcp-server-everything")],
        "filesystem": [str(NODE / "node_modules/.bin/mcp-server-filesystem"), str(folder)],
        "memory": [str(NODE / "node_modules/.bin/mcp-server-memory")],
        "git": [str(PYTHON / "bin/mcp-server-git")],
        "time": [str(PYTHON / "bin/mcp-server-time"), "--local-timezone", "UTC"],
        "sqlite": [str(PYTHON / "sqlite/bin/mcp-server-sqlite"), "--db-path", str(folder / "data.db")],
    }[name]


def missing(*names: str) -> list[str]:
    """Those of them that are not installed."""
    return [name for name in names if not os.path.exists(vector(name, Path())[0])]


def prepare(folder: Path) -> None:
    """The same files, whoever looks."""
    (folder / "notes.txt").write_text("one\ntwo\nthree\n")
    (folder / "sub").mkdir()
    (folder / "sub" / "größe.md").write_text("# Größe\u2028\n")
    when = {"GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z"}
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], [*who, "commit", "-q", "-m", "first"]):
        subprocess.run(["git", "-C", str(folder), *words], check=True, env={**os.environ, **when})
    (folder / "notes.txt").write_text("one\ntwo\nfour\n")
