"""The Debian package, by apt: it changes this system, so root has to ask for it with FAIRLEAD_APT=1."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from installers.newcomer import Newcomer
from installers.publishing import EARLIER, NOW, earlier_wheel, wheel_for_this_machine
from shipping.debian import make_debian_package

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        os.environ.get("FAIRLEAD_APT") != "1",
        reason="NOT INSTALLED BY APT: it changes the system; root says FAIRLEAD_APT=1",
    ),
]
PACKAGES = Path("/usr/lib/python3/dist-packages/fairlead")


def _apt(*words: str | Path) -> None:
    done = subprocess.run(
        ["apt-get", "-qq", "--yes", "-o", "DPkg::Lock::Timeout=300", *words],
        capture_output=True,
        text=True,
        env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def clean_system() -> Iterator[None]:
    assert not PACKAGES.exists(), "Fairlead is installed on this machine already"
    _apt("update")
    yield
    if PACKAGES.exists():
        _apt("purge", "fairlead")


_LOADING = """
from fairlead.doors.cli.command_table import COMMANDS
from fairlead.doors.cli.main import fairlead

for name in COMMANDS:
    assert fairlead.get_command(None, name).get_help
"""
"""Debian's packages are the oldest that Fairlead says it works with."""


@pytest.mark.usefixtures("clean_system")
def test_a_user_of_debian_is_guarded_upgrades_and_leaves_nothing_behind(
    newcomer: Newcomer, built: Path, tmp_path: Path
) -> None:
    newcomer.can_run("fairlead", "/usr/bin/fairlead")
    _apt("install", make_debian_package(earlier_wheel(wheel_for_this_machine(built), tmp_path), "amd64"))
    assert EARLIER in newcomer.fairlead("--version")
    newcomer.fairlead("install", "claude")
    newcomer.is_guarded()
    newcomer.run("/usr/bin/python3", "-I", "-c", _LOADING)

    _apt("install", next(built.glob("*_amd64.deb")))
    newcomer.is_guarded()
    assert NOW in newcomer.fairlead("--version")
    newcomer.fairlead("install", "claude")
    newcomer.is_guarded()

    newcomer.leaves(Path("/usr/bin/python3"))
    _apt("purge", "fairlead")
    assert newcomer.left_over() == []
    assert not PACKAGES.exists()
    assert not list(Path("/usr/bin").glob("fairlead*"))
