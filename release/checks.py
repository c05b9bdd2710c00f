"""Whether this commit can be released under a version. All faults are told at once."""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

from release.notes import notes_for

MARKER = "build/passed"
"""The tree for which the last run of `.ci/run` went through."""
_VERSION = re.compile(r"\d+\.\d+\.\d+\Z")
_OWN_VERSION = re.compile(r'^__version__ = "([^"]*)"', re.MULTILINE)


def faults(root: Path, version: str) -> Iterator[str]:
    if not _VERSION.match(version):
        yield f"{version!r} is no version: give three numbers, as 1.2.3"
        return
    yield from _wrong_versions(root, version)
    if _git(root, "status", "--porcelain"):
        yield "the work tree is not clean: commit or remove what `git status` shows"
    if _git(root, "tag", "--list", f"v{version}"):
        yield f"the tag v{version} is there already"
    if passed_tree(root) != tree(root):
        yield f"the tests did not go through for this tree: run `.ci/run`, which writes {MARKER}"
    yield from _wrong_notes(root, version)


def _wrong_versions(root: Path, version: str) -> Iterator[str]:
    """Plugins of agents take theirs from the package, and a test compares them."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    own = _OWN_VERSION.search((root / "src/fairlead/__init__.py").read_text("utf-8"))
    for place, said in (("pyproject.toml", project), ("src/fairlead/__init__.py", own[1] if own else "none")):
        if said != version:
            yield f"{place} says version {said}, not {version}"


def _wrong_notes(root: Path, version: str) -> Iterator[str]:
    text = (root / "CHANGELOG.md").read_text("utf-8")
    if not notes_for(text, version):
        yield f"CHANGELOG.md has nothing below `## {version}`"
    elif re.search(rf"^## {re.escape(version)} \(unreleased\)", text, re.MULTILINE):
        yield f"CHANGELOG.md calls {version} unreleased: give the date in place of that"


def tree(root: Path) -> str:
    return _git(root, "rev-parse", "HEAD^{tree}")


def passed_tree(root: Path) -> str:
    marker = root / MARKER
    return marker.read_text("utf-8").strip() if marker.is_file() else ""


def _git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True)
    return done.stdout.strip()
