"""Hook calls about a hostile project, cold and warm: it sets traps for git and for Python."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from installation import Installation, payload

from tests.git_traps import LINES, TRAPS, lay

_MODULES = ("json", "zlib", "hashlib", "glob", "re", "sitecustomize", "usercustomize", "fairlead")


def _lay_all(folder: Path) -> tuple[list[Path], list[Path]]:
    """One project for each trap; each has also modules and a `git` of its own."""
    roots, marks = [], []
    for number, trap in enumerate(TRAPS.values()):
        scene = lay(trap, folder / str(number))
        scene.mark.unlink(missing_ok=True)
        for name in _MODULES:
            (scene.root / f"{name}.py").write_text(f"open({str(scene.mark)!r}, 'w')\n")
        (scene.root / "git").symlink_to(scene.script)
        roots.append(scene.root)
        marks.append(scene.mark)
    return roots, marks


def _calls(installation: Installation, roots: list[Path], lines: tuple[str, ...]) -> set[int]:
    answers = set()
    for root in roots:
        path = os.pathsep.join((".", os.environ["PATH"]))
        environment = {**os.environ, "PATH": path, "PYTHONPATH": str(root), "GIT_DIR": str(root / ".git")}
        for line in lines:
            sent = payload(line, session=f"{root}{line}", cwd=str(root))
            answers.add(installation.call(sent, cwd=str(root), env=environment).exit_code)
    return answers


@pytest.mark.slow
def test_law_13_no_hook_call_runs_what_the_project_brings(installation: Installation, tmp_path: Path) -> None:
    roots, marks = _lay_all(tmp_path / "hostile")
    installation.stop()
    cold = _calls(installation, roots, ("rm -rf src",))
    installation.warm_up()
    warm = _calls(installation, roots, LINES)
    assert cold == warm == {0, 2}
    assert [mark for mark in marks if mark.exists()] == []


def test_the_modules_of_a_project_are_imported_by_an_interpreter_that_is_not_isolated(tmp_path: Path) -> None:
    (tmp_path / "glob.py").write_text("print('ran')\n")
    words = [sys.executable, "-c", "import glob"]
    done = subprocess.run(words, capture_output=True, cwd=tmp_path, check=True)
    assert done.stdout.strip() == b"ran"
