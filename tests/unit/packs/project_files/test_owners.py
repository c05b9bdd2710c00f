"""Which files are the system's, or came with a package."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fairlead.packs.project_files.owners import Bounds, is_installed, is_system_file

BOUNDS = Bounds("/home/me/project", "/home/me")


@pytest.mark.parametrize(
    ("path", "installed"),
    [
        ("/home/me/project/node_modules/.bin/eslint", True),
        ("/home/me/project/packages/a/node_modules/x/cli.js", True),
        ("/home/me/project/.venv/bin/pytest", True),
        ("/home/me/project/venv-3.12/bin/pytest", True),
        ("/home/me/project/env/lib/python3/site.py", True),
        ("/home/me/.nvm/versions/node/v20/bin/npm", True),
        ("/home/me/.local/bin/tool", True),
        ("/home/me/bin/tool", True),
        ("/home/me/go/bin/tool", True),
        ("/opt/tool/bin/run", True),
        ("/usr/local/bin/tool", True),
        ("/home/me/project/scripts/x.sh", False),
        ("/home/me/project/.github/scripts/x.sh", False),
        ("/home/me/project/.husky/pre-commit", False),
        ("/home/me/project/environments/bin/deploy.sh", False),
        ("/home/me/project/bin/run", False),
        ("/home/me/x.sh", False),
        ("/home/me/other/scripts/x.sh", False),
        ("/tmp/x.sh", False),
    ],
)
def test_folders_of_packages_and_tools_are_known(path: str, installed: bool) -> None:
    assert is_installed(path, BOUNDS) == installed


def status(mode: int, uid: int) -> os.stat_result:
    return os.stat_result((mode, 1, 1, 1, uid, 0, 10, 0, 0, 0))


@pytest.mark.parametrize("me", [0, 1000])
def test_what_only_root_can_change_is_the_systems(monkeypatch: pytest.MonkeyPatch, me: int) -> None:
    monkeypatch.setattr(os, "getuid", lambda: me)
    assert is_system_file("/usr/bin/x", status(0o100755, 0), BOUNDS)
    assert not is_system_file("/usr/bin/x", status(0o100777, 0), BOUNDS)
    assert not is_system_file("/usr/bin/x", status(0o100755, 1000), BOUNDS)
    assert not is_system_file("/home/me/project/x.sh", status(0o100755, 0), BOUNDS)
    assert not is_system_file("/home/me/x.sh", status(0o100755, 0), BOUNDS)


def test_to_root_only_places_of_the_system_are_the_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getuid", lambda: 0)
    assert not is_system_file("/tmp/x.sh", status(0o100755, 0), BOUNDS)
    monkeypatch.setattr(os, "getuid", lambda: 1000)
    assert is_system_file("/tmp/x.sh", status(0o100755, 0), BOUNDS)


def test_a_script_of_the_system_that_is_here_is_one() -> None:
    path = Path("/usr/bin/env")
    assert is_system_file(str(path), path.stat(), BOUNDS)
