"""The built wheel with the oldest packages that it asks for, and with Claude Code itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fairlead.doors.cli.command_table import COMMANDS
from installers.newcomer import PYTHON, Newcomer
from installers.publishing import fetch
from shipping import project

CLAUDE = Path.home() / ".cache/fairlead-clients/claude/node_modules/.bin/claude"
pytestmark = pytest.mark.slow


@pytest.fixture
def installed(newcomer: Newcomer, publish_now: Callable[[], None]) -> Path:
    """The Python of a virtual environment with the built wheel, whose commands are on the path."""
    publish_now()
    environment = newcomer.home / ".local"
    newcomer.run(PYTHON, "-m", "venv", environment)
    newcomer.run(environment / "bin" / "pip", "install", "fairlead")
    return environment / "bin" / "python"


def test_it_works_with_the_oldest_packages_that_it_asks_for(
    newcomer: Newcomer, installed: Path, tmp_path: Path
) -> None:
    oldest = [need.replace(">=", "==") for need in project()["dependencies"]]
    fetch(oldest, tmp_path / "oldest")
    newcomer.run(installed, "-m", "pip", "install", "--find-links", tmp_path / "oldest", *oldest)
    for command in COMMANDS:
        newcomer.fairlead(command, "--help")
    newcomer.fairlead("check", "rm -rf /", code=2)
    newcomer.fairlead("install", "claude")
    newcomer.is_guarded()
    newcomer.leaves(installed)


@pytest.mark.skipif(not CLAUDE.exists(), reason="NOT TRIED WITH CLAUDE CODE: `make test-clients` fetches it")
def test_claude_code_itself_is_refused_by_what_the_wheel_installed(
    newcomer: Newcomer, installed: Path
) -> None:
    newcomer.can_run("claude", CLAUDE)
    newcomer.fairlead("install", "claude")
    assert "refuses, passes, live" in newcomer.fairlead("doctor", "claude")
    newcomer.leaves(installed)
