"""A small project in several languages, all of it committed, and whether a line in it would be approved."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from fairlead.model.decision import Decision
from fairlead.model.installation import NOWHERE
from fairlead.packs.guards.safe_operations import approve_safe_operations, what_prevents
from fairlead.packs.judging.guard_settings import ALL
from fairlead.packs.judging.session_files import call_in_session
from fairlead.sessions.memory import NO_MEMORIES, Memories
from fairlead.shell.programs.lookup import SHIPPED
from fairlead.testing import shell_event

FILES: Mapping[str, str] = {
    "src/app.py": "def loop():\n    return 1\n",
    "tests/test_app.py": "def test_one():\n    assert True\n",
    "conftest.py": "import sys\n",
    "pyproject.toml": "[tool.pytest.ini_options]\naddopts = '-q'\n",
    "package.json": '{"scripts": {"test": "node --test", "test:unit": "node --test",\n'
    ' "lint": "eslint .", "build": "tsc"}}\n',
    "eslint.config.js": "module.exports = [];\n",
    "Makefile": "all: build\nbuild:\n\techo build\ntest:\n\tpytest -q\nlint:\n\truff check\n",
    "Cargo.toml": "[package]\nname = 'x'\nversion = '0.1.0'\n",
    "src/lib.rs": "pub fn one() -> u8 { 1 }\n",
    "go.mod": "module x\n",
    "pkg/x_test.go": "package pkg\n",
    "a.txt": "b\na\n",
    "b.txt": "c\n",
    "log.txt": "",
    "x.json": "{}\n",
    "tests/app.test.js": "test('one', () => {});\n",
    "docker-compose.yml": "services: {}\n",
    "pom.xml": "<project/>\n",
    "build.gradle": "plugins {}\n",
    ".gitignore": "node_modules/\n.venv/\n.env\n",
}
INSTALLED: Mapping[str, str] = {
    **{
        f"node_modules/.bin/{name}": "#!/usr/bin/env node\n"
        for name in ("tsc", "eslint", "prettier", "vitest", "jest", "playwright", "biome")
    },
    **{f".venv/bin/{name}": "#!/bin/sh\n" for name in ("activate", "pytest", "ruff", "mypy", "python")},
    ".env": "API_KEY=abc\nDB_PASSWORD=secret\n",
}


def make_project(folder: Path) -> Path:
    for name, text in {**FILES, **INSTALLED}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (folder / "link-to-etc").symlink_to("/etc")
    (folder / "link-to-env").symlink_to(".env")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "-m", "begin")
    return folder


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)


def approved(line: str, project: Path, items: Sequence[object], memories: Memories = NO_MEMORIES) -> bool:
    event = shell_event(line, root=str(project), cwd=str(project), session="s")
    said = approve_safe_operations(event, {"commands": list(items)}, (), memories=memories)
    return said is not None and said.decision is Decision.APPROVE


def why_not(
    line: str, project: Path, items: Sequence[object], memories: Memories = NO_MEMORIES
) -> list[tuple[str, str]]:
    event = shell_event(line, root=str(project), cwd=str(project), session="s")
    memory = memories.of(event)
    call = call_in_session(event, NOWHERE, SHIPPED, follow=ALL, memory=memory)
    assert call is not None
    return [(each.part, each.why) for each in what_prevents(event, call, {"commands": list(items)}, memory)]
