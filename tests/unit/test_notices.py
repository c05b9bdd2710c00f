"""Work of others is named in NOTICES.md, with where it is from and its licence."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
OWN = "The Fairlead developers"
_LICENCE = re.compile(
    r"(?i:copyright)\s+(?:\([cC]\)|©|\d{4})[^\n]{0,80}|@license\b|SPDX-License-Identifier:"
    r"|Licensed under the \w+"
)
_FOLDERS = re.compile(r"(?:^|/)(?:vendor|vendored|third[_-]party|_vendor|extern|node_modules)/")
_CODE = (".py", ".c", ".h", ".js", ".css", ".html", ".sh", ".bash", ".mk", ".svg")
_LONGEST_LINE = 2000
"""Nobody writes a longer line by hand: it is a program that was made small."""
_SPEAKS_OF_IT = {"tests/unit/test_notices.py"}


def tracked() -> list[str]:
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True)
    return [path for path in done.stdout.split("\0") if path and (ROOT / path).is_file()]


def foreign_signs(path: str, text: str) -> list[str]:
    """What says that somebody else wrote the file."""
    signs = [found[0] for found in _LICENCE.finditer(text) if OWN not in found[0]]
    signs += ["its folder"] if _FOLDERS.search(path) else []
    made_small = path.endswith((".js", ".css")) and any(
        len(line) > _LONGEST_LINE for line in text.split("\n")
    )
    return signs + ["long lines"] * made_small


def named() -> str:
    return (ROOT / "NOTICES.md").read_text("utf-8")


def test_code_of_others_is_named():
    found = {
        path: signs
        for path in tracked()
        if path.endswith(_CODE) or _FOLDERS.search(path)
        if (signs := foreign_signs(path, (ROOT / path).read_text("utf-8", "replace")))
        if path not in _SPEAKS_OF_IT and f"`{path}`" not in named()
    }
    assert found == {}


def test_signs_are_seen():
    assert foreign_signs("a.js", "/* Copyright (c) 2020 Somebody */") == ["Copyright (c) 2020 Somebody */"]
    assert foreign_signs("a.js", "/*! @license MIT */") == ["@license"]
    assert foreign_signs("vendor/a.py", "") == ["its folder"]
    assert foreign_signs("a.js", "x" * 3000) == ["long lines"]
    assert foreign_signs("LICENSE", f"Copyright (c) 2026 {OWN}") == []


def test_every_server_that_is_quoted_is_named_with_its_package():
    rows = dict(re.findall(r"^\| `(tests/data/mcp/servers/[^`]+)` \| (\S+)", named(), re.MULTILINE))
    there = {path for path in tracked() if path.startswith("tests/data/mcp/servers/")}
    assert set(rows) == there
    for path, package in rows.items():
        assert json.loads((ROOT / path).read_text("utf-8"))["package"] == package


def test_every_row_has_a_licence():
    rows = re.findall(r"^\| `[^`]+` \| [^|]+ \| ([^|]*) \|$", named(), re.MULTILINE)
    assert rows and all(row.strip() for row in rows)
