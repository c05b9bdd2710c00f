"""The version before is installed and guards, is upgraded and guards, and leaves nothing behind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fairlead import __version__
from installers_kit import BEFORE, Newcomer

CLAUDE = Path.home() / ".cache/fairlead-clients/claude/node_modules/.bin/claude"
WAYS = {
    "uv": (
        ("uv", "tool", "install", "--no-index", "--find-links", "{index}", "fairlead"),
        ("uv", "tool", "upgrade", "--no-index", "--find-links", "{index}", "fairlead"),
        ("uv", "tool", "uninstall", "fairlead"),
    ),
    "pipx": (
        ("pipx", "install", "fairlead"),
        ("pipx", "upgrade", "fairlead"),
        ("pipx", "uninstall", "fairlead"),
    ),
    "pip": (
        ("python3", "-m", "pip", "install", "--user", "fairlead"),
        ("python3", "-m", "pip", "install", "--user", "-U", "fairlead"),
        ("python3", "-m", "pip", "uninstall", "--yes", "fairlead"),
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_who_installs_is_guarded_upgrades_and_leaves(
    newcomer: Newcomer, released: Callable[[], None], way: str
) -> None:
    install, upgrade, remove = ([word.format(index=newcomer.index) for word in words] for words in WAYS[way])
    newcomer.does(*install)
    fairlead = newcomer.programs / "fairlead"
    assert BEFORE in newcomer.does(fairlead, "--version")
    assert newcomer.is_guarded(fairlead)
    released()
    newcomer.does(*upgrade)
    assert __version__ in newcomer.does(fairlead, "--version")
    assert newcomer.answer().returncode == 2, "until `fairlead install`, the version before answers"
    assert newcomer.is_guarded(fairlead)
    newcomer.purges(fairlead)
    newcomer.does(*remove)
    assert newcomer.left() == []
    assert not (newcomer.home / ".claude" / "settings.json").exists(), "there was none before"


@pytest.mark.skipif(not CLAUDE.exists(), reason="NOT TRIED WITH CLAUDE CODE: `make test-clients` fetches it")
def test_claude_code_itself_is_refused_by_what_the_wheel_installed(
    newcomer: Newcomer, released: Callable[[], None]
) -> None:
    newcomer.environment["PATH"] += f":{CLAUDE.parent}"
    released()
    newcomer.does("uv", "tool", "install", "--no-index", "--find-links", newcomer.index, "fairlead")
    fairlead = newcomer.programs / "fairlead"
    assert newcomer.is_guarded(fairlead)
    assert "refuses, passes, live" in newcomer.does(fairlead, "doctor", "claude")
    newcomer.purges(fairlead)


def test_who_removes_the_package_first_stays_guarded_and_can_still_leave(newcomer: Newcomer) -> None:
    newcomer.does("python3", "-m", "pip", "install", "--user", "fairlead")
    assert newcomer.is_guarded(newcomer.programs / "fairlead")
    newcomer.does("python3", "-m", "pip", "uninstall", "--yes", "fairlead")
    assert newcomer.answer().returncode == 2
    newcomer.purges(newcomer.keeps / "share" / "bin" / "fairlead")
    assert newcomer.left() == []
