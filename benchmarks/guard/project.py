"""The project in which the corpus is judged: a small git repository with work in every state.

The corpus speaks of /home/user/project. That path becomes the repository's; nothing else is mapped, and
nothing of the corpus is ever run. The repository does not stand under the system's temp folder, because a
guard rightly lets temporary files go.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from benchmarks.guard.lines import PROJECT

COMMITTED = {
    ".gitignore": "build/\ndist/\nnode_modules/\ntarget/\ncoverage/\nhtmlcov/\nlogs/\n.venv/\n.env\n.env.*\n"
    "!.env.example\n__pycache__/\n*.pyc\n*.o\n*.egg-info/\n*.log\n.next/\n.turbo/\n.cache/\n.pytest_cache/\n"
    ".mypy_cache/\n.ruff_cache/\n.nyc_output/\n.coverage\n",
    ".env.example": "API_KEY=\n",
    ".claude/settings.json": "{}\n",
    ".fairlead/hooks/safety/hook.meta.yaml": "id: safety\n",
    ".github/workflows/ci.yml": "on: push\n",
    "Dockerfile": "FROM python:3.12\n",
    "Makefile": "test:\n\tpytest\n",
    "README.md": "# A project\n",
    "config.example.yml": "a: 1\n",
    "docker-compose.yml": "services: {}\n",
    "docs/guide.md": "# Guide\n",
    "infra/main.tf": "\n",
    "k8s/deployment.yaml": "kind: Deployment\n",
    "migrations/003_add_nick.sql": "ALTER TABLE users ADD COLUMN nick text;\n",
    "package-lock.json": "{}\n",
    "package.json": '{"name": "project", "version": "1.2.3"}\n',
    "pyproject.toml": '[project]\nname = "project"\n',
    "requirements.txt": "requests\n",
    "scripts/deploy.sh": "#!/bin/sh\necho deploy\n",
    "src/app/__init__.py": "\n",
    "src/app/api.py": "def get():\n    return 1\n",
    "src/app/main.py": "print('hello')\n",
    "src/app/old.py": "OLD = 1\n",
    "tests/test_api.py": "def test_get():\n    assert True\n",
}
IGNORED = {
    ".env": "API_KEY=abc\n",
    ".venv/bin/python": "\n",
    "build/app.js": "1\n",
    "build/obj/main.o": "\n",
    "coverage/index.html": "\n",
    "dist/index.js": "1\n",
    "logs/app.log": "started\n",
    "node_modules/left-pad/index.js": "1\n",
    "node_modules/.cache/x": "\n",
    "src/app/__pycache__/main.pyc": "\n",
    "target/debug/app": "\n",
}
UNTRACKED = {
    "experiments/idea.py": "print('not committed')\n",
    "experiments/data/results.csv": "1,2\n",
    "notes.txt": "remember\n",
    "src/app/draft.py": "DRAFT = 1\n",
}
MODIFIED = {"src/app/api.py": "def get():\n    return 2  # not committed\n"}


@contextmanager
def temporary_project(parent: Path) -> Iterator[Path]:
    """A repository below `parent`, gone afterwards."""
    parent.mkdir(parents=True, exist_ok=True)
    top = Path(tempfile.mkdtemp(prefix="guard-", dir=parent))
    try:
        project = top / PROJECT.lstrip("/")
        fill_project(project)
        yield project
    finally:
        shutil.rmtree(top)


def fill_project(project: Path) -> None:
    """A folder that is not there yet becomes the repository."""
    write_files(project, COMMITTED)
    git(project, "init", "--quiet", "--initial-branch=main")
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "--message=A start")
    for files in (IGNORED, UNTRACKED, MODIFIED):
        write_files(project, files)


def write_files(project: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def git(project: Path, *words: str) -> None:
    """Without the user's configuration, so that the repository is the same everywhere."""
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        **{f"GIT_{who}_{what}": "bench" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    }
    subprocess.run(["git", *words], cwd=project, env=environment, check=True)
