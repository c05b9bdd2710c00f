"""uv, pipx and pip: somebody installs the version before, is guarded, upgrades, is guarded, and leaves."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from installers.newcomer import PYTHON, Newcomer
from installers.publishing import EARLIER, NOW

pytestmark = pytest.mark.slow


class Tool(NamedTuple):
    """The words of a person, and the Python that then runs Fairlead, from their home."""

    install: tuple[str, ...]
    upgrade: tuple[str, ...]
    remove: tuple[str, ...]
    interpreter: str


TOOLS = {
    "uv": Tool(
        ("uv", "tool", "install", "--python", str(PYTHON), "fairlead"),
        ("uv", "tool", "upgrade", "fairlead"),
        ("uv", "tool", "uninstall", "fairlead"),
        ".local/share/uv/tools/fairlead/bin/python",
    ),
    "pipx": Tool(
        ("pipx", "install", "--python", str(PYTHON), "fairlead"),
        ("pipx", "upgrade", "fairlead"),
        ("pipx", "uninstall", "fairlead"),
        ".local/share/pipx/venvs/fairlead/bin/python",
    ),
    "pip": Tool(
        (str(PYTHON), "-m", "pip", "install", "--user", "fairlead"),
        (str(PYTHON), "-m", "pip", "install", "--user", "--upgrade", "fairlead"),
        (str(PYTHON), "-m", "pip", "uninstall", "--yes", "fairlead"),
        str(PYTHON),
    ),
}


@pytest.mark.parametrize("name", TOOLS)
def test_a_newcomer_is_guarded_upgrades_and_leaves_nothing_behind(
    name: str, newcomer: Newcomer, publish_earlier: Callable[[], None], publish_now: Callable[[], None]
) -> None:
    tool = TOOLS[name]
    if name != "pip":
        newcomer.can_run(name, _found(name))
    publish_earlier()
    newcomer.run(*tool.install)
    assert EARLIER in newcomer.fairlead("--version")
    newcomer.fairlead("install", "claude")
    newcomer.is_guarded()

    publish_now()
    newcomer.run(*tool.upgrade)
    newcomer.is_guarded()
    assert NOW in newcomer.fairlead("--version")
    newcomer.fairlead("install", "claude")
    newcomer.is_guarded()

    newcomer.leaves(newcomer.home / tool.interpreter)
    newcomer.run(*tool.remove)
    assert newcomer.left_over() == []
    assert not (newcomer.home / ".claude" / "settings.json").exists()


def _found(name: str) -> Path:
    """Of the environment of `make shipping`."""
    program = shutil.which(name)
    assert program, f"{name} is on no path: `make test-dist` puts it there"
    return Path(program)
